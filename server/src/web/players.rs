//! Players: guests at once, and what they are called.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use sprint_shared::api::{NewPlayer, NewPlayerCreated, Player, Problem, Rename};

use super::caller::Caller;
use super::input::Input;
use super::peer::Address;
use super::ratings::over_all;
use crate::app::App;
use crate::auth::{Token, token_hash};
use crate::chance::new_id;
use crate::limits::Deed;
use crate::names;
use crate::problem::ApiError;
use crate::store::{self, NameError};

/// Makes a guest. The token is told only here.
#[utoipa::path(
    post, path = "/players", tag = "players", request_body = NewPlayer,
    params(("Idempotency-Key" = Option<String>, Header, description = "the same key gets the same guest again")),
    responses(
        (status = 201, description = "the guest and its token", body = NewPlayerCreated),
        (status = 409, description = "somebody has that name, or one that looks like it", body = Problem),
        (status = 422, description = "the name is not allowed", body = Problem),
        (status = 429, description = "too many guests from this address", body = Problem),
    )
)]
pub(super) async fn create(
    State(app): State<App>,
    Address(address): Address,
    Input(new): Input<NewPlayer>,
) -> Result<(StatusCode, Json<NewPlayerCreated>), ApiError> {
    let wanted = new.name.as_deref().map(checked).transpose()?;
    if !app.addresses.allows(Deed::Guest, address) {
        return Err(ApiError::TooMany);
    }
    for tries in 0..names::TRIES {
        let name = wanted.clone().unwrap_or_else(|| names::made_up(tries));
        let now = app.clock.now();
        let (player_id, token) = (new_id(now), Token::draw().reveal());
        let player = store::NewPlayer {
            player_id,
            name: name.clone(),
            token_hash: token_hash(&token),
            bot: new.bot,
            created_at_ms: now.0 as i64,
        };
        match app.store.create_player(&player).await {
            Ok(()) => return Ok((StatusCode::CREATED, Json(NewPlayerCreated { player_id, name, token }))),
            Err(NameError::Taken) if wanted.is_none() => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(ApiError::Full)
}

/// The player whose token it is.
#[utoipa::path(
    get, path = "/players/me", tag = "players",
    responses(
        (status = 200, description = "the player", body = Player),
        (status = 401, description = "no token, or nobody's", body = Problem),
    )
)]
pub(super) async fn me(State(app): State<App>, Caller(player): Caller) -> Result<Json<Player>, ApiError> {
    let rating = over_all(&app.store, &player).await?;
    Ok(Json(Player { player_id: player.player_id, name: player.name, bot: player.bot, rating }))
}

/// Gives the player another name. Where the player sits already, or is led by the queue in which they wait, the old one
/// stays; the next room shows the new one.
#[utoipa::path(
    patch, path = "/players/me", tag = "players", request_body = Rename,
    responses(
        (status = 200, description = "the player", body = Player),
        (status = 401, description = "no token, or nobody's", body = Problem),
        (status = 409, description = "somebody has that name, or one that looks like it", body = Problem),
        (status = 422, description = "the name is not allowed", body = Problem),
    )
)]
pub(super) async fn rename(
    State(app): State<App>,
    Caller(player): Caller,
    Input(rename): Input<Rename>,
) -> Result<Json<Player>, ApiError> {
    let name = checked(&rename.name)?;
    if !app.store.rename_player(player.player_id, &name).await? {
        // Deleted by another device meanwhile.
        return Err(ApiError::Unauthorized);
    }
    let rating = over_all(&app.store, &player).await?;
    Ok(Json(Player { player_id: player.player_id, name, bot: player.bot, rating }))
}

fn checked(name: &str) -> Result<String, ApiError> {
    names::checked(name).map_err(|bad| ApiError::Invalid(bad.to_string()))
}
