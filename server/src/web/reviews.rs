//! The review of a round: stored, or worked out while whoever asks comes again.
//!
//! Must never tell a distance before those who watch may know the round: it is hidden as the round itself is.

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use sprint_shared::api::Problem;
use sprint_shared::review::{REVIEW_FORMAT, Review};

use super::caller::Caller;
use super::input::Id;
use super::matches::{NO_SUCH_ROUND, may_see};
use super::peer::Address;
use crate::app::App;
use crate::problem::ApiError;
use crate::review::Asked;

/// A round's analysis: every racer's distance to harmony over time, what each transfer cost, where the lead changed.
#[utoipa::path(
    get, path = "/matches/{round_id}/review", tag = "matches",
    params(("round_id" = uuid::Uuid, Path, description = "the round's id")),
    responses(
        (status = 200, description = "the review; while too many hard rounds wait, a brief one", body = Review),
        (status = 202, description = "it is being worked out: ask again after `Retry-After` seconds"),
        (status = 404, description = "no such round", body = Problem),
        (status = 503, description = "as many reviews as may are waiting: ask again after `Retry-After` seconds", body = Problem),
    )
)]
pub(super) async fn look_up(
    State(app): State<App>,
    Address(address): Address,
    caller: Option<Caller>,
    Id(round_id): Id,
) -> Result<Response, ApiError> {
    let (round, _) = app.store.round(round_id).await?.ok_or(NO_SUCH_ROUND)?;
    if !may_see(&app, &round, caller.as_ref().map(|Caller(player)| player)).await? {
        return Err(NO_SUCH_ROUND);
    }
    let found = |review| app.answers.give(address, [(header::CONTENT_TYPE, "application/json")], review);
    if let Some(review) = app.store.review(round_id, REVIEW_FORMAT.into()).await? {
        return found(review);
    }
    let place = match app.reviewers.ask(round_id) {
        Asked::UnderWay => return Ok(come_again()),
        Asked::Open(place) => place,
        Asked::Brief(review) => return found(review),
        Asked::Full => return Err(ApiError::Busy("as many reviews as may are waiting: ask again in a few seconds")),
        Asked::Failed(reason) => return Err(ApiError::Internal(format!("no review of round {round_id}: {reason}"))),
    };
    place.begin();
    Ok(come_again())
}

fn come_again() -> Response {
    (StatusCode::ACCEPTED, [(header::RETRY_AFTER, "1")]).into_response()
}
