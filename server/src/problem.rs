//! Errors of the REST API: one type that chooses status and code, answered as problem+json.
//!
//! Must never tell a client what went wrong inside; that is logged here, once.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use sprint_shared::api::Problem;
use thiserror::Error;

use crate::daily::NoDaily;
use crate::password::Unhashed;
use crate::proofs::NoProof;
use crate::store::{NameError, StoreError};
use crate::way::NoWay;

/// Why a request was refused.
#[derive(Debug, Error)]
pub enum ApiError {
    /// The request is not understood.
    #[error("{0}")]
    BadRequest(String),
    /// The request is understood and cannot be done as it is.
    #[error("{0}")]
    Invalid(String),
    /// Somebody has that name.
    #[error("name: somebody has this name, or one that looks like it: choose another")]
    NameTaken,
    /// No token, or one that nobody has.
    #[error("give the header `Authorization: Bearer TOKEN` with a token of this server")]
    Unauthorized,
    /// The host has shut the player out.
    #[error("the host of this server has banned this player")]
    Banned,
    /// Nobody has this name with this password.
    #[error("the name or the password is wrong")]
    WrongPassword,
    /// Not there.
    #[error("{0}")]
    NotFound(&'static str),
    /// Another method would do.
    #[error("this address does not know that method")]
    MethodNotAllowed,
    /// Not for this caller, or not yet.
    #[error("{why}")]
    Shut {
        /// The stable code.
        code: &'static str,
        /// What is in the way.
        why: String,
    },
    /// It stands otherwise by now.
    #[error("{why}")]
    Conflict {
        /// The stable code.
        code: &'static str,
        /// How it stands.
        why: &'static str,
    },
    /// A page of another origin.
    #[error("pages of this origin may not connect; the host can allow it")]
    Origin,
    /// The same key for something else.
    #[error("this Idempotency-Key was used for another request: take a new one")]
    KeyReused,
    /// Too much of it.
    #[error("too many of these from your address: try again in a minute")]
    TooMany,
    /// Too much of it at the same time.
    #[error("{0}")]
    AtOnce(String),
    /// The server has no room for more.
    #[error("the server is full: try again later")]
    Full,
    /// Too much is being done for others right now.
    #[error("{0}")]
    Busy(&'static str),
    /// It took too long.
    #[error("the request took too long")]
    Timeout,
    /// The store does not answer.
    #[error("the server cannot store anything at the moment: try again soon")]
    Store(StoreError),
    /// What is stored cannot be read, or does not prove what it says.
    #[error("what the server has stored of this is damaged and cannot be shown: its host finds the reason in the log")]
    Damaged(String),
    /// A mistake of the server.
    #[error("the server made a mistake")]
    Internal(String),
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> ApiError {
        match error {
            StoreError::Damaged(what) => ApiError::Damaged(what),
            error => ApiError::Store(error),
        }
    }
}

impl From<NameError> for ApiError {
    fn from(error: NameError) -> ApiError {
        match error {
            NameError::Taken => ApiError::NameTaken,
            NameError::Store(error) => error.into(),
        }
    }
}

impl From<NoProof> for ApiError {
    fn from(error: NoProof) -> ApiError {
        match error {
            NoProof::Busy => {
                ApiError::Busy("too many rounds are being proven at the moment: try again in a few seconds")
            }
            NoProof::Unproven { .. } => ApiError::Damaged(error.to_string()),
            NoProof::Store(error) => error.into(),
            NoProof::Broken(_) => ApiError::Internal(error.to_string()),
        }
    }
}

impl From<NoWay> for ApiError {
    fn from(error: NoWay) -> ApiError {
        match error {
            NoWay::Busy => {
                ApiError::Busy("too many ways are being searched for at the moment: try again in a few seconds")
            }
            NoWay::NotFound => {
                ApiError::Busy("no way was found in the time that a search has: make a transfer, and ask again")
            }
        }
    }
}

impl From<NoDaily> for ApiError {
    fn from(error: NoDaily) -> ApiError {
        match error {
            NoDaily::Store(error) => error.into(),
            NoDaily::NotDealt(_) => ApiError::Internal(error.to_string()),
        }
    }
}

impl From<Unhashed> for ApiError {
    fn from(error: Unhashed) -> ApiError {
        match error {
            Unhashed::Busy => {
                ApiError::Busy("too many passwords are being checked at the moment: try again in a few seconds")
            }
            Unhashed::Broken(_) => ApiError::Internal(error.to_string()),
        }
    }
}

impl ApiError {
    fn status(&self) -> StatusCode {
        match self {
            ApiError::BadRequest(_) => StatusCode::BAD_REQUEST,
            ApiError::Invalid(_) | ApiError::KeyReused => StatusCode::UNPROCESSABLE_ENTITY,
            ApiError::NameTaken | ApiError::Conflict { .. } => StatusCode::CONFLICT,
            ApiError::Unauthorized => StatusCode::UNAUTHORIZED,
            ApiError::NotFound(_) => StatusCode::NOT_FOUND,
            ApiError::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            ApiError::Origin | ApiError::Banned | ApiError::WrongPassword | ApiError::Shut { .. } => {
                StatusCode::FORBIDDEN
            }
            ApiError::TooMany | ApiError::AtOnce(_) => StatusCode::TOO_MANY_REQUESTS,
            ApiError::Timeout => StatusCode::REQUEST_TIMEOUT,
            ApiError::Full | ApiError::Busy(_) | ApiError::Store(_) => StatusCode::SERVICE_UNAVAILABLE,
            ApiError::Damaged(_) | ApiError::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    fn code(&self) -> &'static str {
        match self {
            ApiError::BadRequest(_) => "bad_request",
            ApiError::Invalid(_) => "invalid",
            ApiError::KeyReused => "key_reused",
            ApiError::Shut { code, .. } | ApiError::Conflict { code, .. } => code,
            ApiError::NameTaken => "name_taken",
            ApiError::Unauthorized => "unauthorized",
            ApiError::Banned => "banned",
            ApiError::WrongPassword => "wrong_password",
            ApiError::NotFound(_) => "not_found",
            ApiError::MethodNotAllowed => "method_not_allowed",
            ApiError::Origin => "origin",
            ApiError::TooMany | ApiError::AtOnce(_) => "rate_limited",
            ApiError::Timeout => "timeout",
            ApiError::Full => "full",
            ApiError::Busy(_) => "busy",
            ApiError::Store(_) => "unavailable",
            ApiError::Damaged(_) => "damaged",
            ApiError::Internal(_) => "internal",
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        match &self {
            ApiError::Store(error) => tracing::error!(%error, "a request failed in the store"),
            ApiError::Damaged(what) => tracing::error!(what, "what is stored is damaged; it is not shown"),
            ApiError::Internal(error) => tracing::error!(error, "a request failed"),
            _ => {}
        }
        let status = self.status();
        let problem = Problem {
            status: status.as_u16(),
            code: self.code().to_owned(),
            title: status.canonical_reason().unwrap_or("error").to_owned(),
            detail: self.to_string(),
        };
        let mut response = (status, Json(problem)).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        let retry_after_s = match self {
            ApiError::Busy(_) | ApiError::AtOnce(_) => Some("5"),
            ApiError::TooMany => Some("60"),
            _ => None,
        };
        if let Some(seconds) = retry_after_s {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static(seconds));
        }
        response
    }
}
