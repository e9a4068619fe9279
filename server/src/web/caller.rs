//! Who calls: extractors for the address and for the player of a bearer token.

use std::net::{IpAddr, Ipv4Addr};

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;

use super::peer::Address;
use crate::app::App;
use crate::auth::token_hash;
use crate::limits::Deed;
use crate::problem::ApiError;
use crate::store::Player;

/// The player who calls; without one the request is refused.
pub(super) struct Caller(pub Player);

/// The device that calls, by the hash of its token: for what may only be done while it is still logged in.
pub(super) struct Device(pub [u8; 32]);

impl FromRequestParts<App> for Device {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Device, ApiError> {
        bearer(parts).map(|token| Device(token_hash(token))).ok_or(ApiError::Unauthorized)
    }
}

/// The token that a request carries.
fn bearer(parts: &Parts) -> Option<&str> {
    let (scheme, token) = parts.headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

impl FromRequestParts<App> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Caller, ApiError> {
        let Address(address) = Address::from_request_parts(parts, app).await?;
        // No guess, so it does not count.
        let token = bearer(parts).ok_or(ApiError::Unauthorized)?;
        // Looked up first: what others do behind the same address bars nobody who has a token.
        let player = app.store.player_by_token(&token_hash(token)).await?;
        match player {
            Some(player) if player.standing.is_let_in() => Ok(Caller(player)),
            Some(_) => Err(ApiError::Banned),
            None if app.addresses.allows(Deed::Failure, address) => Err(ApiError::Unauthorized),
            None => Err(ApiError::TooMany),
        }
    }
}

/// Nobody, where no token is given.
impl OptionalFromRequestParts<App> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Option<Caller>, ApiError> {
        if !parts.headers.contains_key(AUTHORIZATION) {
            return Ok(None);
        }
        <Caller as FromRequestParts<App>>::from_request_parts(parts, app).await.map(Some)
    }
}

impl FromRequestParts<App> for Address {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Address, ApiError> {
        Ok(parts.extensions.get().copied().unwrap_or(Address(IpAddr::V4(Ipv4Addr::UNSPECIFIED))))
    }
}
