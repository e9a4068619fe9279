//! The Daily Spire: the promise of a day, its one rated try, and what it reveals once it is over.
//!
//! Must never tell anything of a day's board before the day is over to whoever has not had their try.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use sprint_shared::api::{Daily, DailyPromise, DailyResult, NewDaily, OwnDaily, PastDaily, Problem, RoomInfo};
use sprint_shared::daily::{Revealed, streaks};
use sprint_shared::day::Day;
use sprint_shared::options::RoomOptions;
use sprint_shared::score;
use sprint_shared::solo::Solo;
use uuid::Uuid;

use super::alone::{check_rate, open, open_for, opened};
use super::caller::Caller;
use super::input::{Code, Input};
use super::peer::Address;
use crate::app::App;
use crate::lobby::NoRoom;
use crate::problem::ApiError;
use crate::room::StoredRound;
use crate::store::{self, DailyBoard, Player};

/// Why a day's results are not shown.
pub(super) fn hidden_day() -> ApiError {
    let why = "what others did on this day is shown once your own rated try is over, or the day is";
    ApiError::Shut { code: "hidden", why: why.to_owned() }
}

/// Whether somebody may see what others did on a day (RULES section 8).
pub(super) async fn is_day_shown(app: &App, day: Day, player: Option<Uuid>) -> Result<bool, ApiError> {
    if app.clock.now().0 as i64 >= day.ends_ms() {
        return Ok(true);
    }
    match player {
        Some(player) => Ok(app.store.daily_result(player, day).await?.is_some()),
        None => Ok(false),
    }
}

/// Whether a stored round may be shown to somebody, as far as the Daily Spire goes. One's own always may.
pub(super) async fn is_round_shown(app: &App, stored: &StoredRound, caller: Option<&Player>) -> Result<bool, ApiError> {
    let Some(Solo::Daily { day, .. }) = stored.options.solo else { return Ok(true) };
    let player = caller.map(|player| player.player_id);
    is_day_shown(app, day, player).await
}

/// The board of the day, the promise of the next one, and how the caller stands.
#[utoipa::path(
    get, path = "/daily", tag = "alone",
    responses(
        (status = 200, description = "today and tomorrow", body = Daily),
        (status = 401, description = "a token that is nobody's", body = Problem),
    )
)]
pub(super) async fn today(State(app): State<App>, caller: Option<Caller>) -> Result<Json<Daily>, ApiError> {
    let day = today_of(&app);
    let (today, tomorrow) = (board(&app, day).await?, board(&app, day.next()).await?);
    let own = match caller {
        Some(Caller(player)) => Some(own(&app, &player, day).await?),
        None => None,
    };
    Ok(Json(Daily { today: promise(&today)?, tomorrow: promise(&tomorrow)?, own }))
}

/// Opens the caller's rated try of today, or the room in which it is on; or practice, once it is over.
#[utoipa::path(
    post, path = "/daily", tag = "alone", request_body = NewDaily,
    params(("Idempotency-Key" = Option<String>, Header, description = "the same key gets the same room again")),
    responses(
        (status = 201, description = "the room and its code", body = RoomInfo),
        (status = 401, description = "no token, or nobody's", body = Problem),
        (status = 409, description = "the rated try is over; for practice: it is not", body = Problem),
        (status = 429, description = "too many rooms from this address", body = Problem),
        (status = 503, description = "as many rooms are open as may", body = Problem),
    )
)]
pub(super) async fn begin(
    State(app): State<App>,
    Caller(player): Caller,
    address: Address,
    Input(NewDaily { practice }): Input<NewDaily>,
) -> Result<(StatusCode, Json<RoomInfo>), ApiError> {
    let day = today_of(&app);
    let Revealed { preset, commitment, .. } = board(&app, day).await?.revealed()?;
    let is_over = app.store.daily_result(player.player_id, day).await?.is_some();
    let options = RoomOptions::alone(Solo::Daily { day, commitment, practice }, preset);
    if practice {
        if !is_over {
            let why = "practice comes after the one rated try: begin that first";
            return Err(ApiError::Conflict { code: "not_yet", why });
        }
        return opened(open(&app, address, player, options).await);
    }
    if is_over {
        return Err(NoRoom::Tried.into());
    }
    let player_id = player.player_id;
    if let Some((_, Some(code))) = app.store.daily_try(day, player_id).await? {
        return opened(Ok(app.lobby.open(&code).await?));
    }
    check_rate(&app, address.0)?;
    match open_for(&app, player, options, Some(day)).await {
        // From two windows at once: the other one's room.
        Err(NoRoom::Tried) => match app.store.daily_try(day, player_id).await? {
            Some((_, Some(code))) => opened(Ok(app.lobby.open(&code).await?)),
            _ => Err(NoRoom::Tried.into()),
        },
        room => opened(room.map_err(ApiError::from)),
    }
}

/// A day that is over, with everything needed to deal its board again.
#[utoipa::path(
    get, path = "/daily/{day}", tag = "alone",
    params(("day" = String, Path, description = "the UTC day, `YYYY-MM-DD`")),
    responses(
        (status = 200, description = "what was secret", body = PastDaily),
        (status = 403, description = "the day is not over", body = Problem),
        (status = 404, description = "no board was dealt on that day", body = Problem),
    )
)]
pub(super) async fn past(State(app): State<App>, Code(text): Code) -> Result<Json<PastDaily>, ApiError> {
    let day: Day = text.parse().map_err(|bad: sprint_shared::day::InvalidDay| ApiError::BadRequest(bad.to_string()))?;
    if (app.clock.now().0 as i64) < day.ends_ms() {
        let why = format!("{day} is not over: its seed is told after it");
        return Err(ApiError::Shut { code: "hidden", why });
    }
    let stored = app.store.daily(day).await?.ok_or(ApiError::NotFound("no board was dealt on that day"))?;
    let promise = promise(&stored)?;
    let Revealed { deal_version, server_seed, redeals, .. } = stored.revealed()?;
    let optimum = stored.optimum as u32;
    let (board, par) = (stored.board, score::par(optimum));
    Ok(Json(PastDaily { promise, deal_version, server_seed, redeals, board, optimum, par }))
}

fn today_of(app: &App) -> Day {
    Day::of(app.clock.now().0 as i64)
}

async fn board(app: &App, day: Day) -> Result<DailyBoard, ApiError> {
    Ok(app.days.made(day).await?)
}

fn promise(stored: &DailyBoard) -> Result<DailyPromise, ApiError> {
    let Revealed { day, preset, commitment, .. } = stored.revealed()?;
    let committed_at_ms = stored.committed_at_ms;
    Ok(DailyPromise { day, preset, commitment, committed_at_ms, ends_at_ms: day.ends_ms() })
}

async fn own(app: &App, player: &Player, day: Day) -> Result<OwnDaily, ApiError> {
    let result = app.store.daily_result(player.player_id, day).await?;
    let code = match &result {
        Some(_) => None,
        None => app.store.daily_try(day, player.player_id).await?.and_then(|(_, code)| code),
    };
    let (streak, streak_longest) = streaks(&app.store.days_restored(player.player_id).await?, day);
    Ok(OwnDaily { code, result: result.map(shown), streak, streak_longest })
}

fn shown(result: store::DailyResult) -> DailyResult {
    DailyResult {
        round_id: result.round_id,
        finished: result.finished,
        moves: result.moves as u32,
        errors: result.errors as u32,
        optimum: result.optimum.unwrap_or_default() as u32,
        stars: result.stars.unwrap_or_default() as u8,
        crown: result.crown,
        flawless: result.flawless,
        score: result.score as u32,
        official_ms: result.official_ms.map(|official_ms| official_ms as u64),
    }
}
