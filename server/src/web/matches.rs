//! Stored rounds, with everything needed to prove their results.
//!
//! Must never show a round of a room with a delay before the delay is over: spectators could look here instead.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use sprint_shared::api::{Match, MatchSummary, Problem};
use sprint_shared::event::Event;
use sprint_shared::protocol::EventKind;
use sprint_shared::replay::file::REPLAY_FORMAT;
use sprint_shared::replay::{Impossible, told};
use sprint_shared::time::Millis;
use uuid::Uuid;

use super::input::{Asked, Id};
use crate::app::App;
use crate::problem::ApiError;
use crate::room::{Damaged, History, StoredRound};
use crate::store::{RoundResult, StoreError, StoredEvent};

pub(super) const NO_SUCH_ROUND: ApiError = ApiError::NotFound("no round that is over has this id");
/// Rounds of a player that are listed at most.
const LISTED_MAX: i64 = 50;

/// Whose rounds.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
pub(super) struct OfPlayer {
    /// The player's id.
    player: Uuid,
}

/// A player's rounds, newest first, at most 50.
#[utoipa::path(
    get, path = "/matches", tag = "matches", params(OfPlayer),
    responses((status = 200, description = "the rounds", body = Vec<MatchSummary>))
)]
pub(super) async fn of_player(
    State(app): State<App>,
    Asked(asked): Asked<OfPlayer>,
) -> Result<Json<Vec<MatchSummary>>, ApiError> {
    let now = app.clock.now();
    let rounds = app.store.matches_of(asked.player, None, LISTED_MAX).await?;
    let shown = rounds.into_iter().filter_map(|found| {
        let stored = stored(&found.round).ok().filter(|stored| is_shown(stored, &found.round, now))?;
        let (round_id, finished_at_ms) = (found.round.round_id, found.round.finished_at_ms);
        Some(MatchSummary { round_id, finished_at_ms, preset: stored.options.preset, result: stored.result })
    });
    Ok(Json(shown.collect()))
}

/// A round that is over. `record` proves `result`.
#[utoipa::path(
    get, path = "/matches/{round_id}", tag = "matches",
    params(("round_id" = Uuid, Path, description = "the round's id")),
    responses(
        (status = 200, description = "the round", body = Match),
        (status = 404, description = "no such round", body = Problem),
    )
)]
pub(super) async fn look_up(State(app): State<App>, Id(round_id): Id) -> Result<Json<Match>, ApiError> {
    let (round, _) = app.store.round(round_id).await?.ok_or(NO_SUCH_ROUND)?;
    let stored = stored(&round)?;
    if !is_shown(&stored, &round, app.clock.now()) {
        return Err(NO_SUCH_ROUND);
    }
    let rows = app.store.replay(&round).await?;
    let found = proven(&round, &rows).map_err(|error| ApiError::Internal(format!("round {round_id}: {error}")))?;
    Ok(Json(found))
}

/// A stored round with its events, proven: its result follows from them.
pub fn proven(round: &RoundResult, rows: &[StoredEvent]) -> Result<Match, Damaged> {
    let found = as_stored(round, rows)?;
    let follows = found.events.iter().any(|told| match &told.event.kind {
        EventKind::RoundOver { result, .. } => *result == found.result,
        _ => false,
    });
    if follows { Ok(found) } else { Err(Impossible::Result { round: found.result.round }.into()) }
}

/// A stored round with its events, which are whole and possible; nothing else of it is held against them.
pub fn as_stored(round: &RoundResult, rows: &[StoredEvent]) -> Result<Match, Damaged> {
    let unreadable = |error| Damaged::Unreadable { seq: round.first_seq, error };
    let stored: StoredRound = serde_json::from_str(&round.body).map_err(unreadable)?;
    let history = History::read_part(round.first_seq..=round.last_seq, rows)?;
    let record: Vec<Event> = stored.prologue.iter().chain(history.events()).cloned().collect();
    let instants: Vec<Millis> = history.iter().map(|(at, _)| at).collect();
    let mut events = told(&record, round.first_seq as u32, &instants)?.events;
    if let (None, Some(last)) = (stored.reveal.chain, events.last_mut())
        && let EventKind::RoundOver { reveal, .. } = &mut last.event.kind
    {
        // A round from before there were chains: nobody was told one.
        reveal.chain = None;
    }
    Ok(Match {
        format: REPLAY_FORMAT,
        round_id: round.round_id,
        room_id: round.room_id,
        finished_at_ms: round.finished_at_ms,
        options: stored.options,
        result: stored.result,
        reveal: stored.reveal,
        events,
        record: record.iter().map(|event| serde_json::to_value(event).expect("events always encode")).collect(),
    })
}

pub(super) fn stored(round: &RoundResult) -> Result<StoredRound, ApiError> {
    serde_json::from_str(&round.body)
        .map_err(|error| StoreError::Damaged(format!("round {}: {error}", round.round_id)).into())
}

/// Whether the delay of its room is over.
pub(super) fn is_shown(stored: &StoredRound, round: &RoundResult, now: Millis) -> bool {
    let delay_ms = u64::from(stored.options.spectator_delay_s) * 1_000;
    // Without a delay no clock is asked: it may have gone back since.
    delay_ms == 0 || now >= Millis(round.finished_at_ms.max(0) as u64).after(delay_ms)
}
