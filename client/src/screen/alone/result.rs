//! What a session alone came to: stars and crown, the score as the ledger's sum, records, what is open now.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use sprint_shared::api::{LessonInfo, OwnDaily, StageInfo, StageRecord};
use sprint_shared::protocol::view::PhaseView;
use sprint_shared::result::{RoundResult, SeatResult};
use sprint_shared::score::Ledger;

use super::picture::{flow, streak};
use super::{Alone, What, own_result, stars};
use crate::alone::share_text;
use crate::screen::Theme;
use crate::screen::draw::{clock_ms, put};
use crate::screen::results::proof;
use crate::screen::reviews::waste;
use crate::screen::scene::{Scene, Ui};

/// Draws the result of the round.
pub fn draw(buf: &mut Buffer, area: Rect, scene: &Scene, ui: &Ui, alone: &Alone) {
    let Some(result) = scene.round().and_then(|round| round.result.as_ref()) else { return };
    let Some(own) = own_result(scene.room) else { return };
    let is_relaxed = scene.room.house().relaxed;
    let area = Rect { x: area.x + 2, width: area.width - 4, ..area };
    let headline = if own.finish.is_some() { "Spire Restored!" } else { "Not restored." };
    put(buf, area, 0, 1, headline, ui.theme.brass());
    if own.finish.is_some() && !is_relaxed {
        let crown = if own.crown { "  and the crown: it cannot be done in fewer moves" } else { "" };
        put(buf, area, 17, 1, &format!("{}{crown}", stars(own.stars, alone.unicode)), ui.theme.strong());
    }
    let review = ui.review.as_ref().filter(|(id, _)| *id == result.round_id).map(|(_, review)| review);
    let figures = review.and_then(|review| review.seats.first());
    let wasted = figures.map(|figures| format!("; {}", waste(figures))).unwrap_or_default();
    put(buf, area, 0, 3, &format!("{}{wasted}", moves(result, own, is_relaxed)), Style::new());
    let mut y = 5;
    if let (Some(finish), false) = (own.finish, is_relaxed) {
        y = ledger(buf, area, y, &Ledger::of(own.moves, result.par, finish.official_ms, own.flawless), ui.theme) + 1;
    }
    for line in remarks(scene, ui, alone, own) {
        y += flow(buf, Rect { y: area.y + y, height: area.height.saturating_sub(y + 3), ..area }, &line, Style::new());
    }
    if scene.room.phase == PhaseView::Closed {
        put(buf, area, 0, y, "The session is closed.", ui.theme.strong());
    }
    proof(buf, area, result.round_id, ui);
}

/// Moves, par, optimum, and what else counts where something does.
fn moves(result: &RoundResult, own: &SeatResult, is_relaxed: bool) -> String {
    let unknown = || "-".to_owned();
    let par = result.par.map_or_else(unknown, |par| par.to_string());
    let best = result.optimum.map_or_else(unknown, |best| best.to_string());
    let mut parts = vec![format!("{}, par {par}, best {best}", counted(own.moves, "move"))];
    if !is_relaxed {
        parts.extend(own.finish.map(|finish| format!("time {}", clock_ms(finish.official_ms))));
        parts.extend((own.errors > 0).then(|| counted(own.errors, "error")));
        parts.extend((own.finish.is_some() && own.flawless).then(|| "flawless".to_owned()));
        parts.extend(result.interrupted.then(|| "the server was interrupted".to_owned()));
    }
    parts.join("; ")
}

/// `1 error`, `2 errors`.
fn counted(count: u32, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// The score as a sum, one addend a line; the line after it.
fn ledger(buf: &mut Buffer, area: Rect, mut y: u16, ledger: &Ledger, theme: Theme) -> u16 {
    let addends = [
        ("harmony", ledger.harmony),
        ("moves under par, 50 each", ledger.under_par),
        ("less than two minutes", ledger.speed),
    ];
    let mut row = |what: &str, value: &str, style: Style| {
        put(buf, area, 0, y, &format!("{what:<26}{value:>8}"), style);
        y += 1;
    };
    for (what, points) in addends {
        row(what, &points.to_string(), if points > 0 { Style::new() } else { theme.faint() });
    }
    let flawless =
        if ledger.flawless { ("neither undo nor reset", "x 1.5") } else { ("undo or reset was used", "x 1") };
    row(flawless.0, flawless.1, if ledger.flawless { Style::new() } else { theme.faint() });
    row("score", &ledger.total().to_string(), theme.strong());
    y
}

fn remarks(scene: &Scene, ui: &Ui, alone: &Alone, own: &SeatResult) -> Vec<String> {
    match &alone.what {
        What::Stage { stage, record, open, stages } => of_stage(stage, record.as_ref(), *open, *stages, own),
        What::Lesson { lesson, done, lessons } => of_lesson(lesson, *done, *lessons, own),
        What::Shuffle { adaptive: true } if alone.helped => {
            vec!["You were shown the way, so the level stays.".to_owned()]
        }
        What::Shuffle { .. } => Vec::new(),
        What::Daily { own: told, .. } => of_day(scene, ui, alone, told),
    }
}

fn of_stage(stage: &StageInfo, record: Option<&StageRecord>, open: u8, stages: u8, own: &SeatResult) -> Vec<String> {
    let mut lines = records(record, own);
    let next = stage.stage + 1;
    let is_last = stage.stage >= stages;
    lines.push(match own.finish {
        Some(_) if is_last => "That was the last stage of the almanac.".to_owned(),
        Some(_) if open < next => format!("Stage {next} is open."),
        Some(_) => format!("Stage {next} comes next."),
        None if open < next && !is_last => format!("Stage {next} opens once this one is solved."),
        None => String::new(),
    });
    lines
}

/// Which records a finish has beaten.
fn records(record: Option<&StageRecord>, own: &SeatResult) -> Vec<String> {
    let Some(finish) = own.finish else { return Vec::new() };
    let Some(record) = record.filter(|record| record.solved > 0) else {
        return vec!["Solved for the first time.".to_owned()];
    };
    let mut beaten = Vec::new();
    beaten.extend((own.stars > record.stars).then(|| format!("{} stars, before {}", own.stars, record.stars)));
    beaten.extend((own.crown && !record.crown).then(|| "the crown".to_owned()));
    beaten.extend((own.score > record.score).then(|| format!("score {}, before {}", own.score, record.score)));
    let least = record.moves.filter(|least| own.moves < *least);
    beaten.extend(least.map(|least| format!("{}, before {least}", counted(own.moves, "move"))));
    let shortest = record.official_ms.filter(|shortest| finish.official_ms < *shortest);
    beaten.extend(
        shortest.map(|shortest| format!("time {}, before {}", clock_ms(finish.official_ms), clock_ms(shortest))),
    );
    match beaten.as_slice() {
        [] => vec![format!("Your record stands: score {}.", record.score)],
        _ => vec![format!("New records: {}.", beaten.join("; "))],
    }
}

fn of_lesson(lesson: &LessonInfo, done: usize, lessons: u8, own: &SeatResult) -> Vec<String> {
    let mut lines = vec![lesson.teaches.clone(), String::new()];
    if own.finish.is_some() && done < lesson.steps.len() {
        lines.push("The lesson counts as done, though not every step was taken. r plays it again.".to_owned());
    }
    lines.push(match lesson.lesson < lessons {
        true => format!("Lesson {} comes next.", lesson.lesson + 1),
        false => "That was the last lesson. sprint campaign goes on from here.".to_owned(),
    });
    lines
}

fn of_day(scene: &Scene, ui: &Ui, alone: &Alone, own: &OwnDaily) -> Vec<String> {
    if !super::is_tried(scene.room) {
        return vec!["Practice counts for nothing.".to_owned()];
    }
    let What::Daily { today, .. } = &alone.what else { return Vec::new() };
    let mut lines = vec![streak(own), String::new()];
    if let Some(result) = &own.result {
        lines.extend(["To share, printed again when you leave:".to_owned()]);
        lines.extend(share_text(today.day, today.preset, result, own.streak, &ui.server, alone.unicode));
    }
    lines
}

#[cfg(test)]
mod tests {
    use sprint_shared::result::FinishTimes;
    use sprint_shared::time::Seat;
    use uuid::Uuid;

    use super::*;

    fn own(moves: u32, official_ms: u64, score: u32) -> SeatResult {
        SeatResult {
            seat: Seat::ALL[0],
            player: Uuid::nil(),
            name: "Ada".to_owned(),
            bot: false,
            rank: 1,
            finish: Some(FinishTimes { raw_ms: official_ms, credit_ms: 0, official_ms }),
            gave_up: false,
            absent: false,
            settled: 6,
            moves,
            errors: 0,
            flawless: true,
            score,
            stars: 2,
            crown: false,
        }
    }

    #[test]
    fn a_record_is_beaten_by_a_better_figure_and_by_no_equal_one() {
        let record = StageRecord {
            stage: 3,
            tries: 2,
            solved: 1,
            stars: 2,
            crown: false,
            score: 1_500,
            moves: Some(9),
            official_ms: Some(60_000),
            round_id: None,
        };
        assert_eq!(records(None, &own(9, 60_000, 1_500)), ["Solved for the first time."]);
        assert_eq!(records(Some(&record), &own(9, 60_000, 1_500)), ["Your record stands: score 1500."]);
        assert_eq!(
            records(Some(&record), &own(8, 59_999, 1_575)),
            ["New records: score 1575, before 1500; 8 moves, before 9; time 0:59.999, before 1:00.000."]
        );
        let crowned = SeatResult { stars: 3, crown: true, ..own(9, 60_000, 1_500) };
        assert_eq!(records(Some(&record), &crowned), ["New records: 3 stars, before 2; the crown."]);
        let unsolved = StageRecord { solved: 0, ..record };
        assert_eq!(records(Some(&unsolved), &own(9, 60_000, 1_500)), ["Solved for the first time."]);
    }
}
