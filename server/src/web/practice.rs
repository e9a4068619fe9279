//! Practice: a room with bots of the house, at once and unrated.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use sprint_shared::api::{NewPractice, Problem, RoomInfo};
use sprint_shared::options::RoomOptions;

use super::caller::Caller;
use super::input::Input;
use super::peer::Address;
use super::rooms::info;
use crate::app::App;
use crate::house;
use crate::limits::Deed;
use crate::lobby::Party;
use crate::problem::ApiError;
use crate::store::Guest;

/// Opens a room with bots; they are there already, and the race begins when the caller comes.
#[utoipa::path(
    post, path = "/practice", tag = "rooms", request_body = NewPractice,
    params(("Idempotency-Key" = Option<String>, Header, description = "the same key gets the same room again")),
    responses(
        (status = 201, description = "the room and its code", body = RoomInfo),
        (status = 401, description = "no token, or nobody's", body = Problem),
        (status = 422, description = "none, too many or equal bots", body = Problem),
        (status = 429, description = "too many rooms or bots from this address, or a second room at once", body = Problem),
        (status = 503, description = "as many rooms are open, or as many bots play, as may", body = Problem),
    )
)]
pub(super) async fn create(
    State(app): State<App>,
    Caller(player): Caller,
    Address(address): Address,
    Input(new): Input<NewPractice>,
) -> Result<(StatusCode, Json<RoomInfo>), ApiError> {
    let NewPractice { preset, mut strengths } = new;
    strengths.sort_unstable();
    if !(1..=3).contains(&strengths.len()) || strengths.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(ApiError::Invalid("strengths: one to three bots, no two of the same strength".to_owned()));
    }
    if !app.addresses.allows(Deed::Room, address) {
        return Err(ApiError::TooMany);
    }
    let bots = house::guests(&app.store, &strengths).await?;
    let options = RoomOptions { seats: 1 + bots.len() as u8, preset, ..RoomOptions::default() };
    let person = Guest::Person { player: player.player_id, name: player.name, bot: player.bot };
    let guests = [person].into_iter().chain(bots).collect();
    let party = Party { guests, address: Some(address), ..Party::default() };
    let room = app.lobby.create_for(options, party).await?;
    Ok((StatusCode::CREATED, Json(info(&room))))
}
