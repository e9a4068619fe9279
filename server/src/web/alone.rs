//! What is played alone: the almanac and the tutorial, how far somebody has come, and the way for those who may ask.

use std::collections::BTreeSet;
use std::net::IpAddr;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use sprint_shared::almanac::{StageNumber, almanac};
use sprint_shared::api::{Campaign, LessonInfo, Problem, Progress, RoomInfo, StageInfo, StageRecord, Tutorial, Way};
use sprint_shared::daily::streaks;
use sprint_shared::day::Day;
use sprint_shared::lesson::lessons;
use sprint_shared::options::RoomOptions;
use sprint_shared::preset::Preset;
use sprint_shared::solo::{Key, Solo};
use tokio::sync::oneshot;

use super::caller::Caller;
use super::input::Code;
use super::peer::Address;
use super::rooms::{NO_SUCH_ROOM, info};
use crate::app::App;
use crate::code;
use crate::limits::Deed;
use crate::lobby::{NoRoom, Party};
use crate::problem::ApiError;
use crate::room::{Inbound, RoomHandle};
use crate::store::{Guest, Player, SoloRecord};

/// The almanac of Campaign Master.
#[utoipa::path(
    get, path = "/campaign", tag = "alone",
    responses((status = 200, description = "all stages", body = Campaign))
)]
pub(super) async fn campaign() -> Json<Campaign> {
    Json(Campaign { stages: almanac().stages().iter().map(StageInfo::from).collect() })
}

/// The tutorial.
#[utoipa::path(
    get, path = "/tutorial", tag = "alone",
    responses((status = 200, description = "all lessons", body = Tutorial))
)]
pub(super) async fn tutorial() -> Json<Tutorial> {
    Json(Tutorial { lessons: lessons().iter().map(LessonInfo::from).collect() })
}

/// How far the caller has come alone.
#[utoipa::path(
    get, path = "/players/me/solo", tag = "alone",
    responses(
        (status = 200, description = "stages, lessons and days", body = Progress),
        (status = 401, description = "no token, or nobody's", body = Problem),
    )
)]
pub(super) async fn progress(State(app): State<App>, Caller(player): Caller) -> Result<Json<Progress>, ApiError> {
    let stages = app.store.solo_records(player.player_id, "stage").await?;
    let lessons = app.store.solo_records(player.player_id, "lesson").await?;
    let days = app.store.days_restored(player.player_id).await?;
    let mut stages: Vec<StageRecord> = stages.iter().filter_map(record).collect();
    stages.sort_by_key(|record| record.stage);
    let solved = stages.iter().filter(|record| record.solved > 0).map(|record| record.stage);
    let lessons = lessons.iter().filter(|record| record.solved > 0).filter_map(|record| match record.solo.parse() {
        Ok(Key::Lesson(lesson)) => Some(lesson.number()),
        _ => None,
    });
    let (streak, streak_longest) = streaks(&days, Day::of(app.clock.now().0 as i64));
    Ok(Json(Progress {
        open: last_open(&solved.collect()),
        stages,
        lessons: lessons.collect::<BTreeSet<u8>>().into_iter().collect(),
        streak,
        streak_longest,
    }))
}

/// The last stage that is open, given which are solved: each opens when the one before it is.
fn last_open(solved: &BTreeSet<u8>) -> u8 {
    let opens = |stage: &StageNumber| stage.next().filter(|_| solved.contains(&stage.number()));
    std::iter::successors(Some(StageNumber::FIRST), opens).last().map_or(1, StageNumber::number)
}

fn record(record: &SoloRecord) -> Option<StageRecord> {
    let SoloRecord { tries, solved, stars, crown, score, moves, official_ms, round_id, .. } = *record;
    let Ok(Key::Stage(stage)) = record.solo.parse() else { return None };
    Some(StageRecord {
        stage: stage.number(),
        tries: tries as u32,
        solved: solved as u32,
        stars: stars as u8,
        crown: crown > 0,
        score: score as u32,
        moves: moves.map(|moves| moves as u32),
        official_ms: official_ms.map(|official_ms| official_ms as u64),
        round_id,
    })
}

/// Opens a session on a stage. The caller is brought to its room; it begins when they come.
#[utoipa::path(
    post, path = "/campaign/{stage}", tag = "alone",
    params(
        ("stage" = u8, Path, description = "1 to 50"),
        ("Idempotency-Key" = Option<String>, Header, description = "the same key gets the same room again"),
    ),
    responses(
        (status = 201, description = "the room and its code", body = RoomInfo),
        (status = 401, description = "no token, or nobody's", body = Problem),
        (status = 403, description = "the stage before is not solved", body = Problem),
        (status = 404, description = "no such stage", body = Problem),
        (status = 429, description = "too many rooms from this address", body = Problem),
        (status = 503, description = "as many rooms are open as may", body = Problem),
    )
)]
pub(super) async fn begin_stage(
    State(app): State<App>,
    Caller(player): Caller,
    address: Address,
    Code(stage): Code,
) -> Result<(StatusCode, Json<RoomInfo>), ApiError> {
    const NO_STAGE: ApiError = ApiError::NotFound("no such stage: the almanac has 1 to 50");
    let Ok(Key::Stage(stage)) = format!("stage/{stage}").parse() else { return Err(NO_STAGE) };
    let before = StageNumber::new(u32::from(stage.number()) - 1);
    if let Some(before) = before
        && !app.store.is_solved_alone(player.player_id, Key::Stage(before)).await?
    {
        let why = format!("stage {stage} opens once stage {before} is solved");
        return Err(ApiError::Shut { code: "locked", why });
    }
    let options = RoomOptions::alone(Solo::Stage { stage }, Preset::default());
    opened(open(&app, address, player, options).await)
}

/// Opens a lesson of the tutorial.
#[utoipa::path(
    post, path = "/tutorial/{lesson}", tag = "alone",
    params(
        ("lesson" = u8, Path, description = "its number, from 1"),
        ("Idempotency-Key" = Option<String>, Header, description = "the same key gets the same room again"),
    ),
    responses(
        (status = 201, description = "the room and its code", body = RoomInfo),
        (status = 401, description = "no token, or nobody's", body = Problem),
        (status = 404, description = "no such lesson", body = Problem),
        (status = 429, description = "too many rooms from this address", body = Problem),
        (status = 503, description = "as many rooms are open as may", body = Problem),
    )
)]
pub(super) async fn begin_lesson(
    State(app): State<App>,
    Caller(player): Caller,
    address: Address,
    Code(lesson): Code,
) -> Result<(StatusCode, Json<RoomInfo>), ApiError> {
    const NO_LESSON: ApiError = ApiError::NotFound("no such lesson: see /api/v1/tutorial");
    let Ok(Key::Lesson(lesson)) = format!("lesson/{lesson}").parse() else { return Err(NO_LESSON) };
    let options = RoomOptions::alone(Solo::Lesson { lesson }, Preset::default());
    opened(open(&app, address, player, options).await)
}

/// A way to harmony, the shortest that is found, from where the caller's board stands: in a lesson, in Infinite Shuffle, in daily practice.
#[utoipa::path(
    get, path = "/rooms/{code}/way", tag = "alone",
    params(("code" = String, Path, description = "the room's code")),
    responses(
        (status = 200, description = "the way, or that there is none", body = Way),
        (status = 401, description = "no token, or nobody's", body = Problem),
        (status = 403, description = "a result counts here", body = Problem),
        (status = 404, description = "no such room, or nobody sits there for the caller", body = Problem),
        (status = 409, description = "no board is on", body = Problem),
        (status = 503, description = "too many ask, or none was found in time", body = Problem),
    )
)]
pub(super) async fn way(
    State(app): State<App>,
    Caller(player): Caller,
    Address(address): Address,
    Code(text): Code,
) -> Result<Json<Way>, ApiError> {
    const NO_BOARD: ApiError =
        ApiError::Conflict { code: "no_board", why: "no board is on in this room at the moment" };
    // Nobody else may learn that there is such a room.
    let room = code::read(&text).and_then(|code| app.lobby.running(&code)).ok_or(NO_SUCH_ROOM)?;
    if room.summary().players.iter().all(|seated| seated.player != player.player_id) {
        return Err(NO_SUCH_ROOM);
    }
    if !room.options.solo.is_some_and(|solo| solo.is_helped()) {
        let why =
            "the way is shown in lessons, in Infinite Shuffle and in daily practice, and never where a result counts";
        return Err(ApiError::Shut { code: "no_help", why: why.to_owned() });
    }
    let (answer, stands) = oneshot::channel();
    // What cannot be sent is dropped, and says so itself.
    let _ = room.inbox().send(Inbound::Ask { player: player.player_id, answer }).await;
    let stands = stands.await.ok().flatten().ok_or(NO_BOARD)?;
    let ply = stands.ply;
    let way = app.ways.from(address, stands).await?;
    Ok(Json(Way { ply, transfers: way.map(|way| way.iter().map(ToString::to_string).collect()) }))
}

/// Opens a room in which a player plays alone.
pub(super) async fn open(
    app: &App,
    Address(address): Address,
    player: Player,
    options: RoomOptions,
) -> Result<RoomHandle, ApiError> {
    check_rate(app, address)?;
    Ok(open_for(app, player, options, None).await?)
}

/// Whether so many rooms may be opened from there.
pub(super) fn check_rate(app: &App, address: IpAddr) -> Result<(), ApiError> {
    if app.addresses.allows(Deed::Room, address) { Ok(()) } else { Err(ApiError::TooMany) }
}

/// The same of the one rated try of a day; the rate is checked already.
pub(super) async fn open_for(
    app: &App,
    player: Player,
    options: RoomOptions,
    try_of: Option<Day>,
) -> Result<RoomHandle, NoRoom> {
    let guests = vec![Guest::Person { player: player.player_id, name: player.name, bot: player.bot }];
    app.lobby.create_for(options, Party { guests, try_of, ..Party::default() }).await
}

pub(super) fn opened(room: Result<RoomHandle, ApiError>) -> Result<(StatusCode, Json<RoomInfo>), ApiError> {
    room.map(|room| (StatusCode::CREATED, Json(info(&room))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_opens_when_the_one_before_it_is_solved() {
        let open = |solved: &[u8]| last_open(&solved.iter().copied().collect());
        assert_eq!([open(&[]), open(&[1]), open(&[1, 2, 3])], [1, 2, 4]);
        assert_eq!(open(&[2, 3]), 1, "whatever else is solved");
        assert_eq!(open(&(1..=50).collect::<Vec<u8>>()), 50, "there is none after the last");
    }
}
