//! What stands beside and below the board of a session alone: the idea, the coach, the seed, the records; what keys do.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::{Paragraph, Widget, Wrap};
use sprint_shared::almanac::almanac;
use sprint_shared::api::{LessonInfo, OwnDaily, StageInfo, StageRecord};
use sprint_shared::options::RoomOptions;
use sprint_shared::protocol::view::PhaseView;
use sprint_shared::solo::Solo;

use super::{Alone, What, stars};
use crate::screen::Theme;
use crate::screen::draw::{centre, clock_ms, put};
use crate::screen::scene::{Confirm, Scene, Ui};
use crate::state::Folded;

/// What is played, for the title: `stage 12  Tri-Color Cascade`.
pub fn title(alone: &Alone, room: &Folded) -> String {
    match &alone.what {
        What::Stage { stage, .. } => format!("stage {}  {}", stage.stage, stage.name),
        What::Lesson { lesson, lessons, .. } => format!("lesson {} of {lessons}  {}", lesson.lesson, lesson.name),
        What::Shuffle { .. } | What::Daily { .. } => named(&room.options),
    }
}

/// What is played in a room of these options, whoever looks on: a race's kind of board, or what somebody plays alone.
pub fn named(options: &RoomOptions) -> String {
    let preset = options.preset;
    match options.solo {
        Some(Solo::Stage { stage }) => format!("stage {stage}  {}", almanac().stage(stage).name),
        Some(Solo::Lesson { lesson }) => format!("lesson {lesson}  {}", lesson.lesson().name),
        Some(Solo::Shuffle { .. }) => format!("infinite shuffle  {preset}"),
        Some(Solo::Daily { day, practice, .. }) => {
            format!("daily spire {day}  {preset}{}", if practice { "  practice" } else { "" })
        }
        None if options.blueprint.is_some() => "blueprint".to_owned(),
        None => preset.to_string(),
    }
}

/// Draws a room that has not begun yet, or is closed.
pub fn waiting(buf: &mut Buffer, area: Rect, scene: &Scene, ui: &Ui) {
    let text = if scene.room.phase == PhaseView::Closed { "the session is closed" } else { "it begins in a moment" };
    centre(buf, area, 4, text, ui.theme.strong());
}

/// Draws what stands below the board.
pub fn below(buf: &mut Buffer, area: Rect, scene: &Scene, ui: &Ui, alone: &Alone) {
    put(buf, area, 0, 0, &ui.theme.rule(area.width), ui.theme.faint());
    let area = Rect { x: area.x + 2, y: area.y + 1, width: area.width - 4, height: area.height - 1 };
    match &alone.what {
        What::Stage { stage, record, .. } => stage_told(buf, area, stage, record.as_ref(), ui.theme, alone.unicode),
        What::Lesson { lesson, done, .. } => coach(buf, area, lesson, *done, ui.theme),
        What::Shuffle { adaptive } => shuffled(buf, area, scene, ui, *adaptive),
        What::Daily { own, .. } => day(buf, area, scene, ui, own),
    }
}

fn stage_told(buf: &mut Buffer, area: Rect, stage: &StageInfo, own: Option<&StageRecord>, theme: Theme, unicode: bool) {
    put(buf, area, 0, 0, &stage.chapter, theme.faint());
    let end = flow(buf, Rect { y: area.y + 1, height: 2, ..area }, &stage.idea, theme.brass());
    put(buf, area, 0, end + 2, &features(stage), theme.faint());
    put(buf, area, 0, end + 4, &record(own, stage.optimum, unicode), Style::new());
}

/// What a stage's board is made of.
pub fn features(stage: &StageInfo) -> String {
    let mut text = format!("{} spectra of {}, {} pegs, {} free", stage.spectra, stage.sizes, stage.pegs, stage.free);
    for (count, what) in [(stage.collars, "collar"), (stage.seals, "seal"), (stage.homes, "home")] {
        match count {
            0 => {}
            1 => text += &format!(", 1 {what}"),
            _ => text += &format!(", {count} {what}s"),
        }
    }
    text
}

/// A player's record in one line.
pub fn record(own: Option<&StageRecord>, optimum: u32, unicode: bool) -> String {
    let Some(own) = own.filter(|own| own.solved > 0) else {
        return match own.map_or(0, |own| own.tries) {
            0 => "not played yet".to_owned(),
            1 => "tried once, not solved yet".to_owned(),
            tries => format!("tried {tries} times, not solved yet"),
        };
    };
    let mut parts = vec![stars(own.stars, unicode)];
    parts.extend(own.crown.then(|| "crown".to_owned()));
    parts.extend(own.moves.map(|moves| format!("{moves} moves of {optimum}")));
    parts.extend(own.official_ms.map(clock_ms));
    parts.push(format!("score {}", own.score));
    format!("your best: {}", parts.join(", "))
}

fn coach(buf: &mut Buffer, area: Rect, lesson: &LessonInfo, done: usize, theme: Theme) {
    put(buf, area, 0, 0, &lesson.teaches, theme.brass());
    let mut y = 2;
    for (number, step) in lesson.steps.iter().enumerate().take(done + 1) {
        let (mark, style) = if number < done { ("[x]", theme.faint()) } else { ("[ ]", theme.strong()) };
        put(buf, area, 0, y, mark, style);
        let text = Rect { x: area.x + 4, y: area.y + y, width: area.width - 4, height: area.height.saturating_sub(y) };
        y += flow(buf, text, &step.say, style);
    }
    match lesson.steps.len().saturating_sub(done + 1) {
        0 => {}
        1 => put(buf, area, 4, y, "one more step after this", theme.faint()),
        more => put(buf, area, 4, y, &format!("{more} more steps after this"), theme.faint()),
    }
}

fn shuffled(buf: &mut Buffer, area: Rect, scene: &Scene, ui: &Ui, adaptive: bool) {
    let preset = scene.room.options.preset;
    let level = match adaptive {
        true => format!("level {preset}: the next is harder if you restore this board, else easier"),
        false => format!("level {preset}, as you chose"),
    };
    put(buf, area, 0, 0, &level, ui.theme.brass());
    put(buf, area, 0, 2, "No timer, no score, nothing costs anything; undo as often as you want.", Style::new());
    let Some(Solo::Shuffle { seed }) = scene.room.options.solo else { return };
    put(buf, area, 0, 4, "This board for somebody else:", ui.theme.faint());
    // On two lines it can be selected on 80 columns.
    put(buf, area, 2, 5, &format!("sprint shuffle --preset {preset} --seed \\"), Style::new());
    put(buf, area, 2, 6, &seed.to_string(), Style::new());
}

fn day(buf: &mut Buffer, area: Rect, scene: &Scene, ui: &Ui, own: &OwnDaily) {
    let Some(Solo::Daily { commitment, practice, .. }) = scene.room.options.solo else { return };
    let what = if practice { "Practice: nothing counts." } else { "Your one rated try: it counts however it ends." };
    put(buf, area, 0, 0, what, ui.theme.brass());
    put(buf, area, 0, 2, &streak(own), Style::new());
    put(
        buf,
        area,
        0,
        4,
        "The board's seed was fixed before anybody played; this was published of it:",
        ui.theme.faint(),
    );
    put(buf, area, 2, 5, &commitment.to_string(), ui.theme.faint());
    put(buf, area, 0, 6, "The seed itself is told once the day is over (UTC).", ui.theme.faint());
    if !practice {
        put(
            buf,
            area,
            0,
            8,
            "Ctrl-C keeps the try for ten minutes, its clock runs: sprint daily goes on.",
            Style::new(),
        );
    }
}

/// Days in a row in words.
pub fn streak(own: &OwnDaily) -> String {
    match (own.streak, own.streak_longest) {
        (0, 0) => "no day restored yet".to_owned(),
        (now, longest) => format!("streak {now}, the longest {longest}"),
    }
}

/// Text over as many lines as it takes; how many it took.
pub fn flow(buf: &mut Buffer, area: Rect, text: &str, style: Style) -> u16 {
    let paragraph = Paragraph::new(text).style(style).wrap(Wrap { trim: true });
    // A word is never cut, so a line is as long as the words that fit on it.
    let (mut lines, mut used) = (1, 0);
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if used > 0 && used + 1 + length > usize::from(area.width) {
            (lines, used) = (lines + 1, length);
        } else {
            used += length + usize::from(used > 0);
        }
    }
    paragraph.render(area, buf);
    lines.min(area.height)
}

/// What is asked before something that cannot be taken back; `None` where a race asks the same.
pub fn question(alone: &Alone, room: &Folded, confirm: Confirm) -> Option<&'static str> {
    let is_once = room.options.solo.is_some_and(|solo| solo.is_once());
    Some(match (confirm, &alone.what) {
        (Confirm::GiveUp | Confirm::Leave, _) if is_once => {
            "End your one rated try of the day, not restored? y / any other key"
        }
        (Confirm::Next, _) => "Leave this board for the next one? y / any other key",
        (Confirm::Leave, What::Shuffle { .. }) => "Leave the board? y / any other key",
        (Confirm::Leave, What::Lesson { .. }) => "Leave the lesson? y / any other key",
        (Confirm::Leave, What::Stage { .. }) => "Leave the stage unsolved? y / any other key",
        (Confirm::Leave, What::Daily { .. }) => "Leave the practice? y / any other key",
        _ => return None,
    })
}

/// What stands in the message line when nothing else does.
pub fn standing(alone: &Alone, scene: &Scene) -> &'static str {
    let is_lockout = scene.shown.is_some_and(sprint_shared::play::Play::is_lockout);
    match scene.room.phase {
        PhaseView::Racing if alone.showing.is_some() => "The way is shown. Any key stops it.",
        PhaseView::Racing if alone.asked.is_some() => "The server looks for the way.",
        PhaseView::Racing if is_lockout && scene.room.house().relaxed => {
            "Lockout: no legal transfer is left. u takes a move back, R starts over."
        }
        PhaseView::Racing if is_lockout => "Lockout: no legal transfer is left. R starts over, g gives up.",
        PhaseView::Racing if scene.shown.is_some_and(sprint_shared::play::Play::is_harmony) => "Spire Restored!",
        PhaseView::Paused => "The server was interrupted. The clock stands still; play resumes in a moment.",
        _ => "",
    }
}
