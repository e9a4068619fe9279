//! The sprint leaderboard: sums of round scores. Guests and registered players stand on it, bots on one of their own.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use sprint_shared::api::{Leaderboard, LeaderboardEntry, Period, Problem};
use sprint_shared::preset::Preset;
use uuid::Uuid;

use super::input::Asked;
use crate::app::App;
use crate::problem::ApiError;
use crate::store::{BoardAfter, BoardKey, List, Span};

/// Entries of a page unless asked otherwise, and at most.
const PAGE: u32 = 50;
const PAGE_MAX: u32 = 200;

/// Which part of which leaderboard.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Which {
    /// One preset; all of them if left out.
    preset: Option<Preset>,
    /// Day, week or all time (the default), by UTC.
    period: Option<Period>,
    /// The ladder of bots instead of people's.
    #[serde(default)]
    bots: bool,
    /// Where the page goes on: `next` of the page before.
    after: Option<String>,
    /// Entries of the page, 1 to 200; 50 if left out.
    limit: Option<u32>,
}

/// The sprint leaderboard, best first.
#[utoipa::path(
    get, path = "/leaderboards/sprint", tag = "leaderboards", params(Which),
    responses(
        (status = 200, description = "a page of the leaderboard", body = Leaderboard),
        (status = 400, description = "a parameter is not understood", body = Problem),
    )
)]
pub(super) async fn sprint(State(app): State<App>, Asked(which): Asked<Which>) -> Result<Json<Leaderboard>, ApiError> {
    let limit = which.limit.unwrap_or(PAGE);
    if !(1..=PAGE_MAX).contains(&limit) {
        return Err(ApiError::Invalid(format!("limit: 1 to {PAGE_MAX}, not {limit}")));
    }
    let now_ms = app.clock.now().0 as i64;
    let period = which.period.unwrap_or_default();
    let span = match period {
        Period::Day => Span::day_of(now_ms),
        Period::Week => Span::week_of(now_ms),
        Period::All => Span::All,
    };
    let cursor = which.after.as_deref().map(read_cursor).transpose()?;
    let (before, after) = cursor.map_or((0, None), |(rank, after)| (rank, Some(after)));
    let board = BoardKey::points(span, which.preset.map(Preset::name));
    let list = if which.bots { List::Bots } else { List::People };
    let rows = app.store.board_page(&board, list, after, i64::from(limit) + 1).await?;
    let more = rows.len() > limit as usize;
    let rows = &rows[..rows.len().min(limit as usize)];
    let next = rows.last().filter(|_| more).map(|last| {
        let rank = before + rows.len() as u32;
        format!("{rank}.{}.{}.{}", last.place, last.reached_at_ms, last.player_id.simple())
    });
    let entries = (before + 1..).zip(rows).map(|(rank, row)| LeaderboardEntry {
        rank,
        player_id: row.player_id,
        name: row.name.clone(),
        bot: which.bots,
        points: -row.place,
        rounds: row.rounds as u32,
        wins: row.wins as u32,
        best: None,
    });
    Ok(Json(Leaderboard { preset: which.preset, period, entries: entries.collect(), next }))
}

fn read_cursor(text: &str) -> Result<(u32, BoardAfter), ApiError> {
    let mut parts = text.split('.');
    let mut read = || {
        let rank = parts.next()?.parse().ok()?;
        let place = parts.next()?.parse().ok()?;
        let reached_at_ms = parts.next()?.parse().ok()?;
        let player_id = Uuid::try_parse(parts.next()?).ok()?;
        Some((rank, BoardAfter { place, reached_at_ms, player_id }))
    };
    read().ok_or_else(|| ApiError::BadRequest("after: give `next` of the page before as it is".to_owned()))
}
