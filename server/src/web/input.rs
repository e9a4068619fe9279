//! Bodies and queries, with errors that say what was wrong and where.

use std::convert::Infallible;
use std::error::Error as _;

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use uuid::Uuid;

use crate::app::App;
use crate::object::{self, NotRead};
use crate::problem::ApiError;

/// A JSON body; an empty one is an empty object.
pub(super) struct Input<T>(pub T);

impl<T: DeserializeOwned> FromRequest<App> for Input<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Input<T>, ApiError> {
        let body = Bytes::from_request(request, app)
            .await
            .map_err(|error| ApiError::BadRequest(format!("the body cannot be read: {error}")))?;
        let text: &[u8] = if body.is_empty() { b"{}" } else { &body };
        object::read(text).map(Input).map_err(|error| match error {
            NotRead::Json(error) => ApiError::BadRequest(format!("the body is no JSON: {error}")),
            error => ApiError::Invalid(error.to_string()),
        })
    }
}

/// A query string.
pub(super) struct Asked<T>(pub T);

impl<T: DeserializeOwned> FromRequestParts<App> for Asked<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Asked<T>, ApiError> {
        match Query::from_request_parts(parts, app).await {
            Ok(Query(asked)) => Ok(Asked(asked)),
            // What is wrong with which parameter; around it is only that the query could not be read.
            Err(error) => {
                let why = error.source().map_or_else(|| error.body_text(), ToString::to_string);
                Err(ApiError::BadRequest(format!("the query: {why}")))
            }
        }
    }
}

/// A whole number between two bounds, as a parameter of a query.
#[derive(Clone, Copy)]
pub(super) struct Whole<const MIN: u32, const MAX: u32>(pub u32);

impl<'de, const MIN: u32, const MAX: u32> Deserialize<'de> for Whole<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let number = text.parse().ok().filter(|number| (MIN..=MAX).contains(number));
        number.map(Whole).ok_or_else(|| D::Error::custom(format!("give a whole number from {MIN} to {MAX}")))
    }
}

/// An id at the end of the address.
pub(super) struct Id(pub Uuid);

impl FromRequestParts<App> for Id {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Id, ApiError> {
        let Ok(Code(text)) = Code::from_request_parts(parts, app).await;
        let id = text.parse().map(Id);
        id.map_err(|_| ApiError::BadRequest(format!("{:?} is no id: an id is a UUID of 36 characters", short(&text))))
    }
}

/// A room's code at the end of the address, whatever stands there.
pub(super) struct Code(pub String);

impl FromRequestParts<App> for Code {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Code, Infallible> {
        // What is no text is no room's code.
        Ok(Code(Path::from_request_parts(parts, app).await.map_or_else(|_| String::new(), |Path(code)| code)))
    }
}

/// So much of a text that it may be said again.
fn short(text: &str) -> String {
    text.chars().take(40).collect()
}
