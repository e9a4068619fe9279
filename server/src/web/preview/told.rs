//! What is told of rounds, players, days, stages and lessons: what the API answers everybody, in words.
//!
//! Must never show a round, a rating or a day's board before the API does: it asks as somebody whom nobody knows.

use sprint_shared::almanac::Stage;
use sprint_shared::daily::Revealed;
use sprint_shared::day::Day;
use sprint_shared::lesson::Lesson;
use sprint_shared::result::{RoundResult, SeatResult};
use uuid::Uuid;

use super::super::matches::{may_see, stored};
use super::super::ratings;
use super::room::{board, listed, made_of, titled};
use super::tags::Preview;
use crate::app::App;
use crate::problem::ApiError;

/// A stage of Campaign Master.
pub(super) fn stage(stage: &Stage) -> Preview {
    let number = stage.number.number();
    let description =
        format!("{} Campaign Master, {}: {} transfers at least.", stage.idea, stage.chapter, stage.optimum);
    Preview::new(format!("Stage {number}: {}", stage.name), description)
}

/// A lesson of the tutorial.
pub(super) fn lesson(lesson: &Lesson) -> Preview {
    Preview::new(format!("Lesson {}: {}", lesson.number.number(), lesson.name), lesson.teaches)
}

/// A round that everybody may see now.
pub(super) async fn round(app: &App, round_id: Uuid) -> Result<Option<Preview>, ApiError> {
    let Some((round, _)) = app.store.round(round_id).await? else { return Ok(None) };
    if !may_see(app, &round, None).await? {
        return Ok(None);
    }
    let stored = stored(&round)?;
    Ok(Some(result(&stored.result, &board(&stored.options))))
}

fn result(result: &RoundResult, board: &str) -> Preview {
    let winners: Vec<&SeatResult> =
        result.seats.iter().filter(|seat| seat.rank == 1 && seat.finish.is_some()).collect();
    let names: Vec<String> = winners.iter().map(|seat| seat.name.clone()).collect();
    let time = winners.first().and_then(|seat| seat.finish).map(|finish| said(finish.official_ms)).unwrap_or_default();
    let title = match listed(&names) {
        Some(names) => format!("{names} restored the Spire in {time}"),
        None => "Nobody restored the Spire".to_owned(),
    };
    let seat = |seat: &SeatResult| match seat.finish {
        Some(_) => format!("{}: {} moves, {} errors", seat.name, seat.moves, seat.errors),
        None => format!("{}: no harmony", seat.name),
    };
    let seats: Vec<String> = result.seats.iter().map(seat).collect();
    let optimum = result.optimum.map_or_else(String::new, |optimum| format!(" Optimum {optimum}."));
    Preview::new(title, format!("A round on {board}. {}.{optimum}", seats.join("; ")))
}

/// A time as clocks say it: `0:41.2`.
fn said(ms: u64) -> String {
    format!("{}:{:02}.{}", ms / 60_000, ms / 1_000 % 60, ms / 100 % 10)
}

/// A player, with the rating over all presets as everybody may know it.
pub(super) async fn player(app: &App, player_id: Uuid) -> Result<Option<Preview>, ApiError> {
    let Some(profile) = ratings::profile_of(app, player_id).await? else { return Ok(None) };
    let over_all = profile.ratings.first();
    let description = match over_all.filter(|rating| rating.rounds > 0) {
        Some(rating) => format!("Rated {} ± {} after {} rounds.", rating.rating, rating.uncertainty, rating.rounds),
        None => "Not rated yet.".to_owned(),
    };
    Ok(Some(Preview::new(profile.name, description)))
}

/// The Daily Spire of today: its kind of board, which was promised the day before.
pub(super) async fn today(app: &App) -> Result<Option<Preview>, ApiError> {
    let day = Day::of(app.clock.now().0 as i64);
    let Some(stored) = app.store.daily(day).await? else { return Ok(None) };
    let Revealed { preset, .. } = stored.revealed()?;
    let words = "The same board for everybody, and one rated try.";
    let title = format!("Daily Spire of {day}: {}", titled(preset));
    Ok(Some(Preview::new(title, format!("{} {words}", made_of(preset)))))
}

/// The Daily Spire of a day that is over.
pub(super) async fn past(app: &App, day: Day) -> Result<Option<Preview>, ApiError> {
    if (app.clock.now().0 as i64) < day.ends_ms() {
        return Ok(None);
    }
    let Some(stored) = app.store.daily(day).await? else { return Ok(None) };
    let Revealed { preset, .. } = stored.revealed()?;
    let title = format!("Daily Spire of {day}: {}", titled(preset));
    let words = format!("{} Its optimum was {} transfers.", made_of(preset), stored.optimum);
    Ok(Some(Preview::new(title, words)))
}
