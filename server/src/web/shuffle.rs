//! Infinite Shuffle: a board as hard as the player wants it, from a seed that can be shared.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use sprint_shared::api::{NewShuffle, Problem, RoomInfo};
use sprint_shared::deal::Seed;
use sprint_shared::options::RoomOptions;
use sprint_shared::solo::Solo;

use super::alone::{open, opened};
use super::caller::Caller;
use super::input::Input;
use super::peer::Address;
use crate::app::App;
use crate::problem::ApiError;
use crate::shuffle::following;

/// Opens a room with the next board. Its seed stands in the room's options.
#[utoipa::path(
    post, path = "/shuffle", tag = "alone", request_body = NewShuffle,
    params(("Idempotency-Key" = Option<String>, Header, description = "the same key gets the same room again")),
    responses(
        (status = 201, description = "the room and its code", body = RoomInfo),
        (status = 401, description = "no token, or nobody's", body = Problem),
        (status = 422, description = "no such preset, or no seed", body = Problem),
        (status = 429, description = "too many rooms from this address", body = Problem),
        (status = 503, description = "as many rooms are open as may", body = Problem),
    )
)]
pub(super) async fn create(
    State(app): State<App>,
    Caller(player): Caller,
    address: Address,
    Input(new): Input<NewShuffle>,
) -> Result<(StatusCode, Json<RoomInfo>), ApiError> {
    let NewShuffle { preset, seed, helped } = new;
    let player_id = player.player_id;
    let given: Option<Seed> = match seed {
        Some(text) => Some(text.trim().parse().map_err(|bad| ApiError::Invalid(format!("seed: {bad}")))?),
        None => None,
    };
    let preset = match preset {
        Some(preset) => preset,
        None => {
            let last = app.store.last_shuffle(player_id).await?;
            following(last.and_then(|(preset, restored)| Some((preset.parse().ok()?, restored))), helped)
        }
    };
    let seed = given.unwrap_or_else(|| app.shuffles.seed(player_id));
    let room = open(&app, address, player, RoomOptions::alone(Solo::Shuffle { seed }, preset)).await?;
    app.shuffles.given(player_id, seed);
    opened(Ok(room))
}
