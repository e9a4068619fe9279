//! What belongs to a player alone: other devices, a password, the way out.
//!
//! Must never say whether a name exists, and never put a secret where a log or another origin could see it.

use std::net::IpAddr;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::uri::Authority;
use qrcodegen::{QrCode, QrCodeEcc};
use sprint_shared::api::{Link, LinkUse, Login, NewLink, NewPassword, NewPlayerCreated, Problem};

use super::caller::{Caller, Device};
use super::input::Input;
use super::peer::{Address, Reached};
use crate::app::App;
use crate::auth::{LinkCode, Token, link_hash, token_hash};
use crate::limits::Deed;
use crate::names;
use crate::password;
use crate::problem::ApiError;
use crate::sessions::Dismissal;
use crate::store::{PasswordSet, Player};

/// How long a code links another device, in seconds.
const LINK_S: u32 = 300;
/// Characters of the address in a QR code at most.
const BASE_LEN_MAX: usize = 200;
const NO_SUCH_CODE: ApiError =
    ApiError::NotFound("no such code: a code works once, for five minutes after it was made");

/// A code that logs one other device in as this player, once and within five minutes. A code made before is void. Its QR
/// code leads to `base`, or else to where this request has reached the server.
#[utoipa::path(
    post, path = "/players/me/link", tag = "account", request_body = NewLink,
    responses(
        (status = 200, description = "the code", body = Link),
        (status = 401, description = "no token, or nobody's", body = Problem),
        (status = 422, description = "base is no address of a server", body = Problem),
    )
)]
pub(super) async fn open_link(
    State(app): State<App>,
    Caller(player): Caller,
    Device(device): Device,
    Reached(reached): Reached,
    Input(new): Input<NewLink>,
) -> Result<Json<Link>, ApiError> {
    let base = match new.base.as_deref() {
        Some(base) => Some(checked_base(base)?),
        None => reached.as_deref().and_then(|reached| checked_base(reached).ok()),
    };
    let code = LinkCode::draw().reveal();
    let expires_at_ms = app.clock.now().after(u64::from(LINK_S) * 1_000).0 as i64;
    let hash = link_hash(&code).ok_or_else(|| ApiError::Internal("a code that was drawn is read".to_owned()))?;
    if !app.store.open_link(player.player_id, &device, &hash, expires_at_ms).await? {
        return Err(ApiError::Unauthorized);
    }
    // What stands behind # stays in the browser: it reaches no server and no log.
    let text = base.map_or_else(|| code.clone(), |base| format!("{base}/link#{code}"));
    let qr = QrCode::encode_text(&text, QrCodeEcc::Medium).map_err(|error| ApiError::Internal(error.to_string()))?;
    let row = |y| (0..qr.size()).map(|x| if qr.get_module(x, y) { '1' } else { '0' }).collect();
    Ok(Json(Link { code, expires_in_s: LINK_S, qr: (0..qr.size()).map(row).collect() }))
}

/// Logs a device in by a code that another device shows. The token is told only here.
#[utoipa::path(
    post, path = "/players/link", tag = "account", request_body = LinkUse,
    responses(
        (status = 200, description = "the player, and the token of this device", body = NewPlayerCreated),
        (status = 404, description = "no such code, or it was used, or it is too old", body = Problem),
        (status = 429, description = "too many wrong codes from this address", body = Problem),
    )
)]
pub(super) async fn use_link(
    State(app): State<App>,
    Address(address): Address,
    Input(asked): Input<LinkUse>,
) -> Result<Json<NewPlayerCreated>, ApiError> {
    if app.addresses.is_barred(address) {
        return Err(ApiError::TooMany);
    }
    let token = Token::draw().reveal();
    let now_ms = app.clock.now().0 as i64;
    let used = match link_hash(&asked.code) {
        Some(hash) => app.store.use_link(&hash, now_ms, &token_hash(&token)).await?,
        None => None,
    };
    match used {
        Some((Player { player_id, name, .. }, forgotten)) => {
            app.sessions.dismiss_devices(player_id, &forgotten);
            Ok(Json(NewPlayerCreated { player_id, name, token }))
        }
        None if app.addresses.allows(Deed::Failure, address) => Err(NO_SUCH_CODE),
        None => Err(ApiError::TooMany),
    }
}

/// Gives the player a password, or another one: with the name it logs other devices in.
#[utoipa::path(
    put, path = "/players/me/password", tag = "account", request_body = NewPassword,
    responses(
        (status = 204, description = "it is the password from now on"),
        (status = 401, description = "no token, or nobody's", body = Problem),
        (status = 403, description = "there is a password, and `old` is another", body = Problem),
        (status = 422, description = "the password is too short or too long", body = Problem),
        (status = 429, description = "too many passwords for this player or from this address", body = Problem),
        (status = 503, description = "too many passwords are being checked", body = Problem),
    )
)]
pub(super) async fn set_password(
    State(app): State<App>,
    Address(address): Address,
    Caller(player): Caller,
    Device(device): Device,
    Input(asked): Input<NewPassword>,
) -> Result<StatusCode, ApiError> {
    let new = checked_password(&asked.password)?;
    if !app.logins.may_change(player.player_id) || !app.addresses.allows(Deed::Password, address) {
        return Err(ApiError::TooMany);
    }
    let login = app.store.login(&player.name).await?.filter(|login| login.player.player_id == player.player_id);
    let stored = login.and_then(|login| login.password);
    if stored.is_some() {
        let old = password::checked(asked.old.as_deref().unwrap_or_default()).unwrap_or_default();
        if !app.passwords.fits(address, old, stored.clone()).await? {
            return Err(wrong_password(&app, address));
        }
    }
    let hash = app.passwords.hash(address, new).await?;
    match app.store.set_password(player.player_id, &device, stored.as_deref(), &hash).await? {
        PasswordSet::Done => Ok(StatusCode::NO_CONTENT),
        // Somebody was quicker, with another password or a log-out: what was proven is no longer true.
        PasswordSet::Stale => Err(ApiError::WrongPassword),
        PasswordSet::LoggedOut => Err(ApiError::Unauthorized),
    }
}

/// Logs a device in by name and password. The token is told only here.
#[utoipa::path(
    post, path = "/players/login", tag = "account", request_body = Login,
    responses(
        (status = 200, description = "the player, and the token of this device", body = NewPlayerCreated),
        (status = 403, description = "the name or the password is wrong", body = Problem),
        (status = 429, description = "too many passwords from this address, or too many wrong ones for this name", body = Problem),
        (status = 503, description = "too many passwords are being checked", body = Problem),
    )
)]
pub(super) async fn login(
    State(app): State<App>,
    Address(address): Address,
    Input(asked): Input<Login>,
) -> Result<Json<NewPlayerCreated>, ApiError> {
    // What cannot be a password is nobody's: it gets the answer of any other wrong one.
    let name = names::normal(&asked.name);
    let password = password::checked(&asked.password).unwrap_or_default();
    let found = app.store.login(&name).await?.filter(|login| login.player.standing.is_let_in());
    let stored = found.as_ref().and_then(|login| login.password.clone());
    prove(&app, address, &name, password, stored.clone()).await?;
    let (Some(found), Some(stored)) = (found, stored) else { return Err(ApiError::WrongPassword) };
    let (player, token) = (found.player, Token::draw().reveal());
    let now_ms = app.clock.now().0 as i64;
    let added = app.store.add_device(player.player_id, &stored, &token_hash(&token), now_ms).await?;
    let Some(forgotten) = added else { return Err(ApiError::WrongPassword) };
    app.sessions.dismiss_devices(player.player_id, &forgotten);
    Ok(Json(NewPlayerCreated { player_id: player.player_id, name: player.name, token }))
}

/// Logs the player out on all devices and closes all sockets. Without a password the player cannot be come back to.
#[utoipa::path(
    post, path = "/players/me/logout", tag = "account",
    responses(
        (status = 204, description = "no token of this player is worth anything any more"),
        (status = 401, description = "no token, or nobody's", body = Problem),
    )
)]
pub(super) async fn log_out(State(app): State<App>, Caller(player): Caller) -> Result<StatusCode, ApiError> {
    app.store.log_out(player.player_id).await?;
    app.sessions.dismiss(player.player_id, Dismissal::LoggedOut);
    Ok(StatusCode::NO_CONTENT)
}

/// Deletes the player for good: devices, password, name and places on the boards at once, and the name in stored rounds
/// about a minute later; in rooms in which the player sat and that are still open, once they are over. The rounds
/// themselves stay, for others raced in them.
#[utoipa::path(
    delete, path = "/players/me", tag = "account",
    responses(
        (status = 204, description = "the player is gone"),
        (status = 401, description = "no token, or nobody's", body = Problem),
    )
)]
pub(super) async fn delete(State(app): State<App>, Caller(player): Caller) -> Result<StatusCode, ApiError> {
    app.store.delete_player(player.player_id, app.clock.now().0 as i64).await?;
    app.sessions.dismiss(player.player_id, Dismissal::LoggedOut);
    app.deleted.notify_one();
    Ok(StatusCode::NO_CONTENT)
}

/// Holds a password against the stored one, as often as it may be wrong for the name from this address.
async fn prove(
    app: &App,
    address: IpAddr,
    name: &str,
    password: String,
    stored: Option<String>,
) -> Result<(), ApiError> {
    if app.addresses.is_barred(address) {
        return Err(ApiError::TooMany);
    }
    // Counted before it is known: many at once would all be let through otherwise.
    let attempt = app.logins.attempt(&names::skeleton(name), address).ok_or(ApiError::TooMany)?;
    if !app.addresses.allows(Deed::Password, address) {
        attempt.was_right();
        return Err(ApiError::TooMany);
    }
    match app.passwords.fits(address, password, stored).await {
        Ok(true) => {
            attempt.was_right();
            Ok(())
        }
        Ok(false) => Err(wrong_password(app, address)),
        Err(unknown) => {
            attempt.was_right();
            Err(unknown.into())
        }
    }
}

/// Counts a wrong password.
fn wrong_password(app: &App, address: IpAddr) -> ApiError {
    if app.addresses.allows(Deed::Failure, address) { ApiError::WrongPassword } else { ApiError::TooMany }
}

fn checked_password(password: &str) -> Result<String, ApiError> {
    password::checked(password).map_err(|bad| ApiError::Invalid(bad.to_string()))
}

/// The address of a server, without a slash at its end: nobody is led anywhere else by what this server shows.
pub(super) fn checked_base(base: &str) -> Result<&str, ApiError> {
    let origin = base.strip_suffix('/').unwrap_or(base);
    let host = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
    match host {
        Some(host) if base.len() <= BASE_LEN_MAX && is_host(host) => Ok(origin),
        _ => Err(ApiError::Invalid(
            "base: give the server's address and nothing behind it, such as https://spire.example".to_owned(),
        )),
    }
}

/// Whether it is a host, with or without a port.
fn is_host(text: &str) -> bool {
    let of_host = |authority: Authority| {
        let has_port = authority.as_str().len() > authority.host().len();
        !authority.host().is_empty() && (!has_port || authority.port_u16().is_some())
    };
    !text.contains('@') && text.parse().is_ok_and(of_host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_is_the_address_of_a_server_and_nothing_more() {
        assert_eq!(checked_base("https://spire.example/").ok(), Some("https://spire.example"));
        assert_eq!(checked_base("http://127.0.0.1:8080").ok(), Some("http://127.0.0.1:8080"));
        assert_eq!(checked_base("http://[::1]:8080").ok(), Some("http://[::1]:8080"));
        for bad in [
            "spire.example",
            "ftp://spire.example",
            "https://",
            "https:///x",
            "https://spire.example/x",
            "https://spire.example//",
            "https://ada@spire.example",
            "https://spire.example:",
            "https://spire.example:99999",
            "https://:80",
            "https://a?b",
            "HTTPS:spire.example",
            "https://a b",
            "https://a#b",
            "javascript:x",
        ] {
            assert!(checked_base(bad).is_err(), "{bad}");
        }
        assert!(checked_base(&format!("https://{}", "a".repeat(200))).is_err());
    }
}
