//! Leaderboards: pages in order, and one's own place.
//!
//! Must never let counting places hold up everybody else: only so many counts run at once.

mod counts;

use std::fmt;

use axum::Json;
use axum::extract::{FromRequestParts, Path, State};
use axum::http::request::Parts;
use serde::Deserialize;
use sprint_shared::almanac::{STAGES, StageNumber};
use sprint_shared::api::{Board, Leaderboard, LeaderboardEntry, List, Period, Place, Problem};
use sprint_shared::day::Day;
use sprint_shared::preset::Preset;
use uuid::Uuid;

pub use counts::Counts;

use super::caller::Caller;
use super::daily::{hidden_day, is_day_shown};
use super::input::{Asked, Whole};
use crate::app::App;
use crate::problem::ApiError;
use crate::rating::Rating;
use crate::store::{self, BoardAfter, BoardKey, BoardRow, Player, Span, Standing};

/// Entries of a page unless asked otherwise, and at most.
const PAGE: u32 = 50;
const PAGE_MAX: u32 = 200;
const STAGE_MAX: u32 = STAGES as u32;
/// No cursor says more than this.
const RANK_MAX: u32 = 1_000_000_000;
/// Neighbours on either side of one's own place unless asked otherwise, and at most.
const AROUND: u32 = 3;
const AROUND_MAX: u32 = 50;

/// Which part of which leaderboard.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Which {
    /// One preset; all of them if left out. `fastest` and `fewest` need one.
    preset: Option<Preset>,
    /// Of `stage`: its number.
    #[param(value_type = Option<u8>)]
    stage: Option<Whole<1, STAGE_MAX>>,
    /// Of `daily`: the UTC day, `YYYY-MM-DD`; today if left out.
    #[param(value_type = Option<String>)]
    day: Option<Day>,
    /// Day, week or all time (the default), by UTC. `rating` has no other than all.
    period: Option<Period>,
    /// People (the default), bots, or those set apart.
    list: Option<List>,
    /// The same as `list=bots`.
    #[serde(default)]
    bots: bool,
    /// Where the page goes on: `next` of the page before.
    after: Option<String>,
    /// Entries of the page, 1 to 200; 50 if left out.
    #[param(value_type = Option<u32>)]
    limit: Option<Whole<1, PAGE_MAX>>,
}

/// Of which leaderboard.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Around {
    /// One preset; all of them if left out. `fastest` and `fewest` need one.
    preset: Option<Preset>,
    /// Of `stage`: its number.
    #[param(value_type = Option<u8>)]
    stage: Option<Whole<1, STAGE_MAX>>,
    /// Of `daily`: the UTC day, `YYYY-MM-DD`; today if left out.
    #[param(value_type = Option<String>)]
    day: Option<Day>,
    /// Day, week or all time (the default), by UTC. `rating` has no other than all.
    period: Option<Period>,
    /// The list; the one that the player's results go to if left out.
    list: Option<List>,
    /// Neighbours on either side, 0 to 50; 3 if left out.
    #[param(value_type = Option<u32>)]
    around: Option<Whole<0, AROUND_MAX>>,
}

/// A leaderboard, best first.
#[utoipa::path(
    get, path = "/leaderboards/{board}", tag = "leaderboards",
    params(("board" = Board, Path, description = "what is compared"), Which),
    responses(
        (status = 200, description = "a page of the leaderboard", body = Leaderboard),
        (status = 400, description = "a parameter is not understood", body = Problem),
        (status = 403, description = "of today's Daily Spire, before the own try is over", body = Problem),
        (status = 404, description = "no such leaderboard", body = Problem),
        (status = 422, description = "the leaderboard does not go by this", body = Problem),
    )
)]
pub(super) async fn page(
    State(app): State<App>,
    Of(board): Of,
    caller: Option<Caller>,
    Asked(which): Asked<Which>,
) -> Result<Json<Leaderboard>, ApiError> {
    let limit = which.limit.map_or(PAGE, |Whole(limit)| limit);
    let period = which.period.unwrap_or_default();
    let list = which.list.unwrap_or(if which.bots { List::Bots } else { List::People });
    // A board of a day goes on in its day, though another has begun since.
    let spanned = if board == Board::Daily { Period::Day } else { period };
    let cursor = which.after.as_deref().map(|text| read_cursor(text, spanned)).transpose()?;
    let day = match cursor.map(|cursor| cursor.span) {
        Some(Span::Day(number)) if board == Board::Daily => Day::new(number),
        _ => which.day,
    };
    let of = Part { preset: which.preset, period, stage: which.stage, day }.on(board, &app)?;
    let span = cursor.map_or_else(|| of.span(&app, period), |cursor| cursor.span);
    of.check_shown(&app, caller.as_ref().map(|Caller(player)| player)).await?;
    let key = of.key(span);
    let (before, until_ms) = match cursor {
        Some(cursor) => (cursor.rank, cursor.after.until_ms),
        // Sums and bests only ever climb; a rating that falls would come to a later page and stand there again.
        None if board == Board::Rating => (0, app.store.shown_until().await?),
        None => (0, i64::MAX),
    };
    let after = cursor.map(|cursor| cursor.after);
    let rows = app.store.board_page(&key, stored(list), after, i64::from(limit) + 1).await?;
    let more = rows.len() > limit as usize;
    let rows = &rows[..rows.len().min(limit as usize)];
    let next = rows.last().filter(|_| more).map(|last| {
        let BoardRow { place, reached_at_ms, player_id, .. } = *last;
        let after = BoardAfter { place, reached_at_ms, player_id, until_ms };
        Cursor { span, rank: before + rows.len() as u32, after }.to_string()
    });
    let entries = (before + 1..).zip(rows).map(|(rank, row)| entry(board, list, rank, row));
    let (preset, stage, day) = (which.preset, of.stage(), of.day);
    Ok(Json(Leaderboard { board, preset, period, stage, day, list, entries: entries.collect(), next }))
}

/// One's own place on a leaderboard, and who stands around it.
#[utoipa::path(
    get, path = "/leaderboards/{board}/me", tag = "leaderboards",
    params(("board" = Board, Path, description = "what is compared"), Around),
    responses(
        (status = 200, description = "the place", body = Place),
        (status = 400, description = "a parameter is not understood", body = Problem),
        (status = 401, description = "no token, or nobody's", body = Problem),
        (status = 403, description = "of today's Daily Spire, before the own try is over", body = Problem),
        (status = 404, description = "no such leaderboard", body = Problem),
        (status = 422, description = "the leaderboard does not go by this", body = Problem),
        (status = 429, description = "this player's place is being counted already", body = Problem),
        (status = 503, description = "too many places are being counted", body = Problem),
    )
)]
pub(super) async fn own_place(
    State(app): State<App>,
    Of(board): Of,
    Caller(player): Caller,
    Asked(asked): Asked<Around>,
) -> Result<Json<Place>, ApiError> {
    let around = asked.around.map_or(AROUND, |Whole(around)| around);
    let (preset, period) = (asked.preset, asked.period.unwrap_or_default());
    let of = Part { preset, period, stage: asked.stage, day: asked.day }.on(board, &app)?;
    of.check_shown(&app, Some(&player)).await?;
    let list = asked.list.unwrap_or(own_list(&player));
    let key = of.key(span(&app, period));
    let (stage, day) = (of.stage(), of.day);
    let (store, player_id) = (app.store.clone(), player.player_id);
    let count = async move { store.board_around(&key, stored(list), player_id, around.into()).await };
    let found = app.counts.in_turn(player_id, count).await??;
    let Some((rank, rows)) = found else {
        return Ok(Json(Place { board, preset, period, stage, day, list, rank: None, entries: Vec::new() }));
    };
    let rank = rank as u32;
    let before = rows.iter().take_while(|row| row.player_id != player.player_id).count() as u32;
    let entries = (rank - before..).zip(&rows).map(|(rank, row)| entry(board, list, rank, row));
    Ok(Json(Place { board, preset, period, stage, day, list, rank: Some(rank), entries: entries.collect() }))
}

/// The leaderboard that the address names.
pub(super) struct Of(Board);

impl FromRequestParts<App> for Of {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Of, ApiError> {
        let Path(board) = Path::from_request_parts(parts, app)
            .await
            .map_err(|_| ApiError::NotFound("no such leaderboard: rating, sprint, fastest, fewest, stage or daily"))?;
        Ok(Of(board))
    }
}

/// Today, this week, or all time.
fn span(app: &App, period: Period) -> Span {
    let now_ms = app.clock.now().0 as i64;
    match period {
        Period::Day => Span::day_of(now_ms),
        Period::Week => Span::week_of(now_ms),
        Period::All => Span::All,
    }
}

/// Which part of a leaderboard.
#[derive(Clone, Copy)]
struct Part {
    preset: Option<Preset>,
    period: Period,
    stage: Option<Whole<1, STAGE_MAX>>,
    day: Option<Day>,
}

/// A part that its leaderboard goes by.
struct PartOf {
    board: Board,
    preset: Option<Preset>,
    stage: Option<StageNumber>,
    day: Option<Day>,
}

impl Part {
    /// Whether the board goes by this; the error names the parameter.
    fn on(self, board: Board, app: &App) -> Result<PartOf, ApiError> {
        let Part { preset, period, stage, day } = self;
        let is_alone = matches!(board, Board::Stage | Board::Daily);
        let wrong = match board {
            Board::Fastest | Board::Fewest if preset.is_none() => {
                Some("preset: times and moves compare with one preset only: give one")
            }
            Board::Rating if period != Period::All => {
                Some("period: a rating is a state and no sum, so it has no period: leave it out")
            }
            Board::Stage if stage.is_none() => Some("stage: scores compare on one stage only: give its number"),
            _ if is_alone && preset.is_some() => Some("preset: the board is given: leave it out"),
            _ if is_alone && period != Period::All => Some("period: the board has its own: leave it out"),
            _ if board != Board::Stage && stage.is_some() => Some("stage: only `stage` goes by it: leave it out"),
            _ if board != Board::Daily && day.is_some() => Some("day: only `daily` goes by it: leave it out"),
            _ => None,
        };
        if let Some(wrong) = wrong {
            return Err(ApiError::Invalid(wrong.to_owned()));
        }
        let today = || Day::of(app.clock.now().0 as i64);
        let stage = stage.and_then(|Whole(number)| StageNumber::new(number));
        Ok(PartOf { board, preset, stage, day: day.or_else(|| (board == Board::Daily).then(today)) })
    }
}

impl PartOf {
    /// The span that its cursors name.
    fn span(&self, app: &App, period: Period) -> Span {
        self.day.map_or_else(|| span(app, period), |day| Span::Day(day.number().into()))
    }

    fn stage(&self) -> Option<u8> {
        self.stage.map(StageNumber::number)
    }

    fn key(&self, span: Span) -> BoardKey {
        const CHECKED: &str = "a part is checked before its key is asked for";
        let preset = self.preset.map(Preset::name);
        match self.board {
            Board::Rating => BoardKey::rating(preset),
            Board::Sprint => BoardKey::points(span, preset),
            Board::Fastest => BoardKey::fastest(span, preset.expect(CHECKED)),
            Board::Fewest => BoardKey::fewest(span, preset.expect(CHECKED)),
            Board::Stage => BoardKey::stage(self.stage.expect(CHECKED)),
            Board::Daily => BoardKey::daily(self.day.expect(CHECKED)),
        }
    }

    /// Others' results of a day are hidden until one's own finish or the day's end (RULES section 8).
    async fn check_shown(&self, app: &App, caller: Option<&Player>) -> Result<(), ApiError> {
        match self.day {
            Some(day) if !is_day_shown(app, day, caller.map(|player| player.player_id)).await? => Err(hidden_day()),
            _ => Ok(()),
        }
    }
}

fn stored(list: List) -> store::List {
    match list {
        List::People => store::List::People,
        List::Bots => store::List::Bots,
        List::Apart => store::List::Apart,
    }
}

/// The list that a player's results go to.
fn own_list(player: &Player) -> List {
    match player.standing {
        _ if player.bot => List::Bots,
        Standing::Flagged => List::Apart,
        _ => List::People,
    }
}

fn entry(board: Board, list: List, rank: u32, row: &BoardRow) -> LeaderboardEntry {
    let sigma = row.sigma.unwrap_or_default();
    LeaderboardEntry {
        rank,
        player_id: row.player_id,
        name: row.name.clone(),
        bot: list == List::Bots,
        value: match board {
            Board::Rating => Rating { mu: -row.place, sigma }.shown(),
            Board::Sprint => -row.place,
            Board::Stage | Board::Daily => BoardKey::score_of(row.place),
            Board::Fastest | Board::Fewest => row.place,
        },
        uncertainty: row.sigma.map(|sigma| Rating { mu: 0, sigma }.uncertainty() as i32),
        rounds: row.rounds as u32,
        wins: row.wins as u32,
        moves: row.moves.map(|moves| moves as u32),
        optimum: row.optimum.map(|optimum| optimum as u32),
        official_ms: row.official_ms.map(|official_ms| official_ms as u64),
        errors: row.errors.map(|errors| errors as u32),
        interrupted: row.interrupted.unwrap_or_default(),
        round_id: row.round_id,
    }
}

/// Where a page goes on: in the span that the first page was of, though another day has begun since.
#[derive(Clone, Copy)]
struct Cursor {
    span: Span,
    /// Of the last entry so far.
    rank: u32,
    after: BoardAfter,
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Cursor { span, rank, after: BoardAfter { place, reached_at_ms, player_id, until_ms } } = self;
        write!(f, "{}.{rank}.{place}.{reached_at_ms}.{until_ms}.{}", span.key(), player_id.simple())
    }
}

fn read_cursor(text: &str, period: Period) -> Result<Cursor, ApiError> {
    let mut parts = text.split('.');
    let mut read = || {
        let span = Span::of_key(parts.next()?)?;
        let rank = parts.next()?.parse().ok().filter(|rank| *rank <= RANK_MAX)?;
        let place = parts.next()?.parse().ok()?;
        let reached_at_ms = parts.next()?.parse().ok()?;
        let until_ms = parts.next()?.parse().ok()?;
        let player_id = Uuid::try_parse(parts.next()?).ok()?;
        let after = BoardAfter { place, reached_at_ms, player_id, until_ms };
        parts.next().is_none().then_some(Cursor { span, rank, after })
    };
    let cursor =
        read().ok_or_else(|| ApiError::BadRequest("after: give `next` of the page before as it is".to_owned()))?;
    match (cursor.span, period) {
        (Span::Day(_), Period::Day) | (Span::Week(_), Period::Week) | (Span::All, Period::All) => Ok(cursor),
        _ => Err(ApiError::BadRequest(
            "after: `next` of another period: give the `period` of the page before".to_owned(),
        )),
    }
}
