//! Rooms: made, looked up by code, listed where they are public.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use sprint_shared::api::{Problem, RoomInfo};
use sprint_shared::options::RoomOptions;

use super::caller::Caller;
use super::input::{Code, Input};
use super::peer::Address;
use crate::app::App;
use crate::code;
use crate::limits::Deed;
use crate::lobby::{NoPlace, NoRoom};
use crate::problem::ApiError;
use crate::room::RoomHandle;
use crate::store::Room;

/// Public rooms that are listed at most.
const LISTED_MAX: i64 = 100;
pub(super) const NO_SUCH_ROOM: ApiError = ApiError::NotFound("no open room has this code");

/// Makes a room. Fields left out take their defaults.
#[utoipa::path(
    post, path = "/rooms", tag = "rooms", request_body = RoomOptions,
    params(("Idempotency-Key" = Option<String>, Header, description = "the same key gets the same room again")),
    responses(
        (status = 201, description = "the room and its code", body = RoomInfo),
        (status = 401, description = "no token, or nobody's", body = Problem),
        (status = 422, description = "an option is not allowed; the detail names it", body = Problem),
        (status = 429, description = "too many rooms from this address", body = Problem),
    )
)]
pub(super) async fn create(
    State(app): State<App>,
    _caller: Caller,
    Address(address): Address,
    Input(options): Input<RoomOptions>,
) -> Result<(StatusCode, Json<RoomInfo>), ApiError> {
    if options.solo.is_some() {
        let why = "solo: a room is for 2 to 4 players; a stage, a lesson, a shuffled board and the daily one have addresses \
             of their own: see /api/v1/openapi.json";
        return Err(ApiError::Invalid(why.to_owned()));
    }
    let options = options.checked().map_err(|bad| ApiError::Invalid(bad.to_string()))?;
    if options.rated {
        // Nobody picks from whom to take points.
        return Err(ApiError::Invalid("rated: only quick match opens rated rooms".to_owned()));
    }
    if !app.addresses.allows(Deed::Room, address) {
        return Err(ApiError::TooMany);
    }
    if let Some(blueprint) = options.blueprint.as_deref().and_then(|text| text.parse().ok())
        && app.lobby.dealers().is_unsolvable(blueprint).await
    {
        return Err(ApiError::Invalid("blueprint: no line of play leads to harmony, that is proven".to_owned()));
    }
    let room = app.lobby.create(options).await?;
    Ok((StatusCode::CREATED, Json(info(&room))))
}

/// The open room with this code. A wrong code, a closed room and one that may not be found get the same answer.
#[utoipa::path(
    get, path = "/rooms/{code}", tag = "rooms", params(("code" = String, Path, description = "6 or 12 characters")),
    responses(
        (status = 200, description = "the room", body = RoomInfo),
        (status = 404, description = "no open room has this code", body = Problem),
        (status = 429, description = "too many wrong codes from this address", body = Problem),
    )
)]
pub(super) async fn look_up(
    State(app): State<App>,
    Address(address): Address,
    Code(code): Code,
) -> Result<Json<RoomInfo>, ApiError> {
    if app.addresses.is_barred(address) {
        return Err(ApiError::TooMany);
    }
    let found = match code::read(&code) {
        Some(code) => app.lobby.open(&code).await,
        None => Err(NoRoom::NotFound),
    };
    match found {
        Ok(room) => Ok(Json(info(&room))),
        Err(NoRoom::NotFound) if !app.addresses.allows(Deed::Failure, address) => Err(ApiError::TooMany),
        Err(error) => Err(error.into()),
    }
}

/// Public rooms that are open, newest first.
#[utoipa::path(
    get, path = "/rooms", tag = "rooms",
    responses((status = 200, description = "at most 100 rooms", body = Vec<RoomInfo>))
)]
pub(super) async fn list(State(app): State<App>) -> Result<Json<Vec<RoomInfo>>, ApiError> {
    let rooms = app.store.public_rooms(None, LISTED_MAX).await?;
    let listed = rooms.into_iter().filter_map(|room| match app.lobby.running(&room.code) {
        Some(running) => Some(info(&running)),
        None => stored_info(room),
    });
    Ok(Json(listed.collect()))
}

pub(super) fn info(room: &RoomHandle) -> RoomInfo {
    let summary = room.summary();
    RoomInfo {
        room_id: room.room_id,
        code: room.code.to_string(),
        options: (*room.options).clone(),
        phase: summary.phase,
        players: summary.names(),
        joinable: summary.joinable,
    }
}

/// What is stored of a room that does not run at the moment.
fn stored_info(room: Room) -> Option<RoomInfo> {
    #[derive(Deserialize)]
    struct Listing {
        players: Vec<String>,
        joinable: bool,
    }
    let Listing { players, joinable } = serde_json::from_str(&room.listing).ok()?;
    Some(RoomInfo {
        room_id: room.room_id,
        code: room.code,
        options: serde_json::from_str(&room.options).ok()?,
        phase: serde_json::from_value(room.state.into()).ok()?,
        players,
        joinable,
    })
}

impl From<NoRoom> for ApiError {
    fn from(error: NoRoom) -> ApiError {
        match error {
            NoRoom::NotFound => NO_SUCH_ROOM,
            NoRoom::Tried => ApiError::Conflict {
                code: "already_tried",
                why: "a day has one rated try, and yours is over: practise, or come tomorrow",
            },
            NoRoom::Full | NoRoom::Stopping | NoRoom::NoPlace(NoPlace::Full) => ApiError::Full,
            NoRoom::NoPlace(why @ (NoPlace::OfAddress | NoPlace::OneAtATime)) => ApiError::AtOnce(why.to_string()),
            NoRoom::Store(error) => error.into(),
        }
    }
}
