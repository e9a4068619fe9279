//! Racing the ghosts of a stored round.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use sprint_shared::api::{Problem, RoomInfo};

use super::caller::Caller;
use super::input::Id;
use super::matches::{NO_SUCH_ROUND, may_see};
use super::peer::Address;
use super::rooms::info;
use crate::app::App;
use crate::ghost;
use crate::limits::Deed;
use crate::lobby::Party;
use crate::problem::ApiError;
use crate::proofs::NoProof;
use crate::store::Guest;

/// Opens a room in which the caller races everybody who came to harmony in a round, as they did then: its board and its
/// rules, unrated. The round is proven first.
#[utoipa::path(
    post, path = "/matches/{round_id}/ghosts", tag = "matches",
    params(
        ("round_id" = uuid::Uuid, Path, description = "the round's id"),
        ("Idempotency-Key" = Option<String>, Header, description = "the same key gets the same room again"),
    ),
    responses(
        (status = 201, description = "the room and its code", body = RoomInfo),
        (status = 401, description = "no token, or nobody's", body = Problem),
        (status = 404, description = "no such round", body = Problem),
        (status = 422, description = "the round does not prove its result, or nobody came to harmony in it", body = Problem),
        (status = 429, description = "too many rooms or bots from this address, or a second room at once", body = Problem),
        (status = 503, description = "as many rooms are open, or as many bots play, as may", body = Problem),
    )
)]
pub(super) async fn create(
    State(app): State<App>,
    Caller(player): Caller,
    Address(address): Address,
    Id(round_id): Id,
) -> Result<(StatusCode, Json<RoomInfo>), ApiError> {
    if !app.addresses.allows(Deed::Room, address) {
        return Err(ApiError::TooMany);
    }
    let (row, _) = app.store.round(round_id).await?.ok_or(NO_SUCH_ROUND)?;
    if !may_see(&app, &row, Some(&player)).await? {
        return Err(NO_SUCH_ROUND);
    }
    if row.solo.is_some() {
        return Err(ApiError::Invalid(
            "this round was played alone: play its board yourself, or see it again".to_owned(),
        ));
    }
    let raced = app.proofs.of(address, row, |round| {
        let ghosts = ghost::guests(round);
        let options = ghost::options(round, ghosts.len());
        let rows = ghost::rows(round, &ghosts);
        (ghosts, options, rows)
    });
    let (ghosts, options, rows) = raced.await.map_err(|error| match error {
        NoProof::Unproven { .. } => {
            tracing::error!(%error, "nobody races its ghosts");
            ApiError::Invalid("this round does not prove its result: nobody races its ghosts".to_owned())
        }
        error => error.into(),
    })?;
    if ghosts.is_empty() {
        return Err(ApiError::Invalid("nobody came to harmony in this round: it has no ghosts".to_owned()));
    }
    let options = options.checked().map_err(|bad| ApiError::Invalid(bad.to_string()))?;
    let person = Guest::Person { player: player.player_id, name: player.name, bot: player.bot };
    let guests = [person].into_iter().chain(ghosts).collect();
    let party = Party { guests, address: Some(address), ghosts: rows, ..Party::default() };
    let room = app.lobby.create_for(options, party).await?;
    Ok((StatusCode::CREATED, Json(info(&room))))
}
