//! Stored rounds, with everything needed to prove their results.
//!
//! Must never show a round of a room with a delay before the delay is over: spectators could look here instead.

use std::net::IpAddr;

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponseParts, Response};
use serde::Deserialize;
use sprint_shared::api::{Match, MatchPage, MatchSummary, Problem};
use sprint_shared::event::Event;
use sprint_shared::protocol::EventKind;
use sprint_shared::replay::file::REPLAY_FORMAT;
use sprint_shared::replay::{Impossible, text, told};
use sprint_shared::time::Millis;
use uuid::Uuid;

use super::caller::Caller;
use super::daily::is_round_shown;
use super::input::{Asked, Id, Whole};
use super::peer::Address;
use crate::app::App;
use crate::problem::ApiError;
use crate::room::{Damaged, History, StoredRound};
use crate::store::{MatchAfter, Player, RoundResult, StoreError, StoredEvent};

pub(super) const NO_SUCH_ROUND: ApiError = ApiError::NotFound("no round that is over has this id");
/// Rounds of a page unless asked otherwise, and at most.
const PAGE: u32 = 50;
const PAGE_MAX: u32 = 100;

/// Which rounds.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Which {
    /// Rounds of one player; everybody's if left out.
    player: Option<Uuid>,
    /// Where the page goes on: `next` of the page before.
    after: Option<String>,
    /// Rounds of the page, 1 to 100; 50 if left out.
    #[param(value_type = Option<u32>)]
    limit: Option<Whole<1, PAGE_MAX>>,
}

/// Rounds that are over, newest first.
#[utoipa::path(
    get, path = "/matches", tag = "matches", params(Which),
    responses(
        (status = 200, description = "a page of rounds", body = MatchPage),
        (status = 400, description = "a parameter is not understood", body = Problem),
    )
)]
pub(super) async fn list(State(app): State<App>, Asked(which): Asked<Which>) -> Result<Json<MatchPage>, ApiError> {
    let limit = which.limit.map_or(PAGE, |Whole(limit)| limit);
    let after = which.after.as_deref().map(read_key).transpose()?;
    let mut rounds = shown(&app, which.player, after, limit as usize + 1).await?;
    let more = rounds.len() > limit as usize;
    rounds.truncate(limit as usize);
    let next = rounds.last().filter(|_| more).map(|last| format!("{}.{}", last.finished_at_ms, last.round_id.simple()));
    Ok(Json(MatchPage { rounds, next }))
}

/// So many rounds that may be shown, or as many as there are. Those that may not, because their room's delay lasts, are
/// of the last minute; not even a page's key tells of them.
async fn shown(
    app: &App,
    player: Option<Uuid>,
    mut after: Option<MatchAfter>,
    wanted: usize,
) -> Result<Vec<MatchSummary>, ApiError> {
    let (now, limit) = (app.clock.now(), wanted as i64);
    let mut shown = Vec::new();
    loop {
        let rounds: Vec<RoundResult> = match player {
            Some(player) => {
                let found = app.store.matches_of(player, after, limit).await?;
                found.into_iter().map(|found| found.round).collect()
            }
            None => app.store.rounds(after, limit).await?,
        };
        shown.extend(rounds.iter().filter_map(|round| summary(round, now)));
        shown.truncate(wanted);
        match rounds.last() {
            Some(last) if shown.len() < wanted && rounds.len() == wanted => {
                after = Some(MatchAfter { finished_at_ms: last.finished_at_ms, round_id: last.round_id });
            }
            _ => return Ok(shown),
        }
    }
}

/// A round as a list shows it; `None` while its room's delay lasts, and if it cannot be read.
fn summary(round: &RoundResult, now: Millis) -> Option<MatchSummary> {
    let stored = stored(round).ok().filter(|stored| is_shown(stored, round, now))?;
    let RoundResult { round_id, finished_at_ms, .. } = *round;
    let dealt = stored.options.blueprint.is_none().then_some(stored.options.preset);
    Some(MatchSummary { round_id, finished_at_ms, preset: dealt, result: stored.result })
}

fn read_key(text: &str) -> Result<MatchAfter, ApiError> {
    let read = || {
        let (finished_at_ms, round_id) = text.split_once('.')?;
        Some(MatchAfter { finished_at_ms: finished_at_ms.parse().ok()?, round_id: Uuid::try_parse(round_id).ok()? })
    };
    read().ok_or_else(|| ApiError::BadRequest("after: give `next` of the page before as it is".to_owned()))
}

/// A round that is over. `record` proves `result`.
#[utoipa::path(
    get, path = "/matches/{round_id}", tag = "matches",
    params(("round_id" = Uuid, Path, description = "the round's id")),
    responses(
        (status = 200, description = "the round", body = Match),
        (status = 404, description = "no such round", body = Problem),
        (status = 500, description = "what is stored of the round is damaged", body = Problem),
        (status = 503, description = "too many long answers are under way: try again soon", body = Problem),
    )
)]
pub(super) async fn look_up(
    State(app): State<App>,
    Address(address): Address,
    caller: Option<Caller>,
    Id(round_id): Id,
) -> Result<Response, ApiError> {
    let caller = caller.as_ref().map(|Caller(player)| player);
    found(&app, address, caller, round_id, [(header::CONTENT_TYPE, "application/json")], json).await
}

/// The same as a file.
#[utoipa::path(
    get, path = "/matches/{round_id}/replay", tag = "matches",
    params(("round_id" = Uuid, Path, description = "the round's id")),
    responses(
        (status = 200, description = "the round, to be kept", body = Match),
        (status = 404, description = "no such round", body = Problem),
        (status = 500, description = "what is stored of the round is damaged", body = Problem),
        (status = 503, description = "too many long answers are under way: try again soon", body = Problem),
    )
)]
pub(super) async fn replay(
    State(app): State<App>,
    Address(address): Address,
    caller: Option<Caller>,
    Id(round_id): Id,
) -> Result<Response, ApiError> {
    let caller = caller.as_ref().map(|Caller(player)| player);
    let name = format!("attachment; filename=\"sprint-{round_id}.json\"");
    let headers = [(header::CONTENT_TYPE, "application/json".to_owned()), (header::CONTENT_DISPOSITION, name)];
    found(&app, address, caller, round_id, headers, json).await
}

/// The round as a text for people, its acts in the notation.
#[utoipa::path(
    get, path = "/matches/{round_id}/record", tag = "matches",
    params(("round_id" = Uuid, Path, description = "the round's id")),
    responses(
        (status = 200, description = "the round's record", body = String, content_type = "text/plain"),
        (status = 404, description = "no such round", body = Problem),
        (status = 500, description = "what is stored of the round is damaged", body = Problem),
        (status = 503, description = "too many long answers are under way: try again soon", body = Problem),
    )
)]
pub(super) async fn record(
    State(app): State<App>,
    Address(address): Address,
    caller: Option<Caller>,
    Id(round_id): Id,
) -> Result<Response, ApiError> {
    let caller = caller.as_ref().map(|Caller(player)| player);
    let name = format!("inline; filename=\"sprint-{round_id}.txt\"");
    let headers = [(header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()), (header::CONTENT_DISPOSITION, name)];
    found(&app, address, caller, round_id, headers, text::write).await
}

/// A round that may be shown, proven and written.
async fn found(
    app: &App,
    to: IpAddr,
    caller: Option<&Player>,
    round_id: Uuid,
    headers: impl IntoResponseParts,
    write: fn(&Match) -> String,
) -> Result<Response, ApiError> {
    let (round, _) = app.store.round(round_id).await?.ok_or(NO_SUCH_ROUND)?;
    if !may_see(app, &round, caller).await? {
        return Err(NO_SUCH_ROUND);
    }
    let turn = app.proofs.turn(to).await?;
    app.answers.expect(to)?;
    let text = app.proofs.in_turn(turn, round, write).await?;
    app.answers.give(to, headers, text)
}

fn json(round: &Match) -> String {
    serde_json::to_string(round).expect("rounds always encode")
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
    let (stored, history) = decoded(round, rows)?;
    as_told(round, stored, &history)
}

/// A stored round's body, and its own events, which are whole.
pub fn decoded(round: &RoundResult, rows: &[StoredEvent]) -> Result<(StoredRound, History), Damaged> {
    let unreadable = |error| Damaged::Unreadable { seq: round.first_seq, error };
    let stored: StoredRound = serde_json::from_str(&round.body).map_err(unreadable)?;
    Ok((stored, History::read_part(round.first_seq..=round.last_seq, rows)?))
}

/// The same as it is answered. Its events are possible; nothing else of it is held against them.
pub fn as_told(round: &RoundResult, stored: StoredRound, history: &History) -> Result<Match, Damaged> {
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

/// Whether somebody may see a round now: its delay is over, and if it is of the Daily Spire, its day or their own try.
pub(super) async fn may_see(app: &App, round: &RoundResult, caller: Option<&Player>) -> Result<bool, ApiError> {
    let stored = stored(round)?;
    Ok(is_shown(&stored, round, app.clock.now()) && is_round_shown(app, &stored, caller).await?)
}

pub(super) fn stored(round: &RoundResult) -> Result<StoredRound, ApiError> {
    serde_json::from_str(&round.body)
        .map_err(|error| StoreError::Damaged(format!("round {}: {error}", round.round_id)).into())
}

/// Whether the delay of its room is over.
fn is_shown(stored: &StoredRound, round: &RoundResult, now: Millis) -> bool {
    let delay_ms = u64::from(stored.options.spectator_delay_s) * 1_000;
    // Without a delay no clock is asked: it may have gone back since.
    delay_ms == 0 || now >= Millis(round.finished_at_ms.max(0) as u64).after(delay_ms)
}
