//! Ratings: of a player, and how a round moved them.
//!
//! Must never tell anybody who did not race in a delayed room who won before the delay is over.

use axum::Json;
use axum::extract::State;
use sprint_shared::api::{MatchRatings, Problem, Profile, SeatRating, ShownRating};
use sprint_shared::preset::Preset;

use super::caller::Caller;
use super::input::Id;
use super::matches::{NO_SUCH_ROUND, may_see};
use crate::app::App;
use crate::problem::ApiError;
use crate::rating::Rating;
use crate::store::{Player, RatingRow, SeatRatingRow, Store, StoreError};

/// A player as everybody sees it, with its ratings as of the last round whose delay is over.
#[utoipa::path(
    get, path = "/players/{player_id}", tag = "players",
    params(("player_id" = uuid::Uuid, Path, description = "the player's id")),
    responses(
        (status = 200, description = "the player", body = Profile),
        (status = 404, description = "no such player", body = Problem),
    )
)]
pub(super) async fn profile(State(app): State<App>, Id(player_id): Id) -> Result<Json<Profile>, ApiError> {
    profile_of(&app, player_id).await?.map(Json).ok_or(ApiError::NotFound("no player has this id"))
}

/// The same for whoever asks inside the server; `None` if there is no such player.
pub(super) async fn profile_of(app: &App, player_id: uuid::Uuid) -> Result<Option<Profile>, ApiError> {
    let Some(player) = app.store.player(player_id).await? else { return Ok(None) };
    let rows = app.store.ratings_shown(player_id).await?;
    let (over_all, of_presets): (Vec<&RatingRow>, Vec<&RatingRow>) = rows.iter().partition(|row| row.series.is_empty());
    let first = over_all.first().map_or_else(|| shown(None, player.first_rating(), 0), |row| of_row(row));
    let ratings = [first].into_iter().chain(of_presets.into_iter().map(of_row));
    Ok(Some(Profile { player_id, name: player.name, bot: player.bot, ratings: ratings.collect() }))
}

/// How a round moved the ratings of those who raced in it; those may see it as soon as the round is over.
#[utoipa::path(
    get, path = "/matches/{round_id}/ratings", tag = "matches",
    params(("round_id" = uuid::Uuid, Path, description = "the round's id")),
    responses(
        (status = 200, description = "the movements", body = MatchRatings),
        (status = 401, description = "a token that nobody has", body = Problem),
        (status = 404, description = "no such round", body = Problem),
    )
)]
pub(super) async fn of_match(
    State(app): State<App>,
    caller: Option<Caller>,
    Id(round_id): Id,
) -> Result<Json<MatchRatings>, ApiError> {
    let (round, seats) = app.store.round(round_id).await?.ok_or(NO_SUCH_ROUND)?;
    let raced = |Caller(caller): Caller| seats.iter().any(|seat| seat.seat.player_id == caller.player_id);
    if !caller.is_some_and(raced) && !may_see(&app, &round, None).await? {
        return Err(NO_SUCH_ROUND);
    }
    let rows = app.store.seat_ratings(round_id).await?;
    Ok(Json(MatchRatings { round_id, seats: rows.iter().map(moved).collect() }))
}

/// A player's rating over all presets.
pub(super) async fn over_all(store: &Store, player: &Player) -> Result<ShownRating, StoreError> {
    let (rating, rounds) = store.rating(player).await?;
    Ok(shown(None, rating, rounds))
}

fn of_row(row: &RatingRow) -> ShownRating {
    shown(row.series.parse().ok(), row.rating(), row.rounds)
}

fn shown(preset: Option<Preset>, rating: Rating, rounds: i64) -> ShownRating {
    ShownRating {
        preset,
        rating: rating.shown() as i32,
        uncertainty: rating.uncertainty() as i32,
        provisional: rating.is_provisional(),
        rounds: rounds as u32,
    }
}

fn moved(row: &SeatRatingRow) -> SeatRating {
    let before = Rating { mu: row.mu_before, sigma: row.sigma_before };
    let after = Rating { mu: row.mu_after, sigma: row.sigma_after };
    SeatRating {
        seat: row.seat as u8,
        player_id: row.player_id,
        preset: row.series.parse().ok(),
        rating_before: before.shown() as i32,
        uncertainty_before: before.uncertainty() as i32,
        rating_after: after.shown() as i32,
        uncertainty_after: after.uncertainty() as i32,
    }
}
