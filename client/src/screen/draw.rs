//! A whole picture: the title, the body of the phase, the message line, the keys.

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;
use ratatui::widgets::{Paragraph, Widget, Wrap};
use sprint_shared::protocol::Role;
use sprint_shared::protocol::view::PhaseView;

use super::hints::{hints, mouse};
use super::keys::Stage;
use super::scene::{Confirm, Scene, Ui};
use super::{Theme, alone, help, lobby, race, results};
use crate::session::Link;

/// The smallest screen that everything fits on: columns and lines.
pub const SMALLEST: (u16, u16) = (80, 24);

/// Draws a picture.
pub fn draw(frame: &mut Frame, scene: &Scene, ui: &Ui) {
    let area = frame.area();
    let buf = frame.buffer_mut();
    if is_too_small(buf, area, ui.theme) {
        return;
    }
    title(buf, line(area, 0), scene, ui);
    let body = body(area);
    match scene.room.phase {
        PhaseView::Break | PhaseView::Over | PhaseView::Closed if ui.alone.is_some() && scene.round().is_some() => {
            ui.alone.iter().for_each(|alone| alone::draw_result(buf, body, scene, ui, alone));
        }
        PhaseView::Lobby | PhaseView::Break | PhaseView::Over | PhaseView::Closed if ui.alone.is_some() => {
            alone::waiting(buf, body, scene, ui);
        }
        PhaseView::Lobby => lobby::draw(buf, body, scene, ui),
        PhaseView::Break | PhaseView::Over | PhaseView::Closed if scene.round().is_some() => {
            results::draw(buf, body, scene, ui);
        }
        PhaseView::Break | PhaseView::Over | PhaseView::Closed => lobby::draw(buf, body, scene, ui),
        PhaseView::Dealing | PhaseView::Countdown | PhaseView::Racing | PhaseView::Paused => {
            race::draw(buf, body, scene, ui);
        }
    }
    message(buf, line(area, area.height - 2), scene, ui);
    let stage = Stage::of(scene, ui);
    let hints = hints(&stage, ui);
    help::draw_line(buf, area, &hints, ui.theme);
    if ui.help {
        help::draw(buf, area, &hints, mouse(&stage), ui.theme);
    }
    ui.theme.finish(buf);
}

/// What is between the title and the last two lines.
pub fn body(area: Rect) -> Rect {
    Rect { y: area.y + 1, height: area.height - 3, ..area }
}

/// Whether a screen is too small for a picture; then it says so.
pub fn is_too_small(buf: &mut Buffer, area: Rect, theme: Theme) -> bool {
    if help::fits(area) {
        return false;
    }
    let (width, height) = SMALLEST;
    let text = format!(
        "{}x{} is too small: this needs {width}x{height}\nMake it larger to go on. Ctrl-C quits.",
        area.width, area.height
    );
    Paragraph::new(text).wrap(Wrap { trim: true }).render(area, buf);
    theme.finish(buf);
    true
}

/// Writes text at a place inside `area`, cut off at its right edge.
pub fn put(buf: &mut Buffer, area: Rect, x: u16, y: u16, text: &str, style: Style) {
    if x < area.width && y < area.height {
        buf.set_stringn(area.x + x, area.y + y, text, usize::from(area.width - x), style);
    }
}

/// Writes text in the middle of a line of `area`.
pub fn centre(buf: &mut Buffer, area: Rect, y: u16, text: &str, style: Style) {
    let width = u16::try_from(columns(text)).unwrap_or(u16::MAX);
    put(buf, area, area.width.saturating_sub(width) / 2, y, text, style);
}

/// Text of at most so many columns, marked where it was cut. Some letters take two.
pub fn cut(text: &str, width: usize) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let mut kept = String::new();
    for letter in text.chars() {
        kept.push(letter);
        if columns(&kept) >= width {
            kept.pop();
            break;
        }
    }
    kept + "~"
}

/// Text of exactly so many columns: cut, or with spaces behind it.
pub fn fill(text: &str, width: usize) -> String {
    let mut text = cut(text, width);
    text += &" ".repeat(width.saturating_sub(columns(&text)));
    text
}

/// The columns that a text takes.
pub fn columns(text: &str) -> usize {
    Span::raw(text).width()
}

/// Minutes, seconds, tenths.
pub fn clock(ms: u64) -> String {
    format!("{}:{:02}.{}", ms / 60_000, ms / 1000 % 60, ms / 100 % 10)
}

/// Minutes, seconds, milliseconds: photo finishes are decided by them.
pub fn clock_ms(ms: u64) -> String {
    format!("{}:{:02}.{:03}", ms / 60_000, ms / 1_000 % 60, ms % 1_000)
}

/// One line of `area`.
pub fn line(area: Rect, y: u16) -> Rect {
    Rect { y: area.y + y, height: 1, ..area }
}

fn title(buf: &mut Buffer, area: Rect, scene: &Scene, ui: &Ui) {
    let room = scene.room;
    let kind = alone::named(&room.options);
    let round = match (scene.round(), room.options.rounds) {
        (Some(round), rounds @ 3..) => format!("  round {}, best of {rounds}", round.number),
        _ => String::new(),
    };
    let watching = if scene.role == Role::Spectator { "  watching" } else { "" };
    let what = match &ui.alone {
        Some(alone) => alone::title(alone, room),
        None => format!("room {}  {kind}{round}{watching}", room.code),
    };
    let (text, style) = match scene.link {
        Link::Online if scene.role == Role::Spectator => (audience(scene), ui.theme.faint()),
        Link::Online => ("online".to_owned(), ui.theme.faint()),
        Link::Reconnecting { since } => {
            let seconds = scene.now.saturating_duration_since(since.into_std()).as_secs();
            (format!(" RECONNECTING {seconds} s "), ui.theme.alarm())
        }
    };
    put(buf, area, area.width.saturating_sub(text.len() as u16), 0, &text, style);
    entitle(buf, area, &what, text.len(), ui.theme);
}

/// The title's left side, beside so many columns at the right. The game's own name is what can be left out.
pub fn entitle(buf: &mut Buffer, area: Rect, what: &str, right: usize, theme: Theme) {
    let room_left = usize::from(area.width).saturating_sub(right + 2);
    let named = format!("TECHNOMANCER SPRINT  {what}");
    let text = if columns(&named) <= room_left { named } else { cut(what, room_left) };
    put(buf, area, 0, 0, &text, theme.brass());
}

/// How many watch, and how late: `12 viewers, 15 s late`.
fn audience(scene: &Scene) -> String {
    let viewers = match scene.room.viewers {
        None => "online".to_owned(),
        Some(1) => "1 viewer".to_owned(),
        Some(viewers) => format!("{viewers} viewers"),
    };
    match scene.room.options.spectator_delay_s {
        0 => viewers,
        late_s => format!("{viewers}, {late_s} s late"),
    }
}

fn message(buf: &mut Buffer, area: Rect, scene: &Scene, ui: &Ui) {
    let question = ui.confirm.map(|confirm| match confirm {
        Confirm::Reset => "Back to the start board, all moves of this attempt gone? y / any other key",
        Confirm::GiveUp => "Give this round up? y / any other key",
        Confirm::Leave => "Leave the room? In a round that is giving up. y / any other key",
        Confirm::Kick => "Send which seat away for good? 1-4 / any other key",
        Confirm::HandOver => "Make which seat the host? 1-4 / any other key",
        Confirm::Close => "Send everybody away and close the room? y / any other key",
        Confirm::Next => "Leave this board? y / any other key",
    });
    let of_solo = || alone::question(ui.alone.as_ref()?, scene.room, ui.confirm?);
    let question = of_solo().or(question);
    if let Some(question) = question {
        put(buf, area, 0, 0, question, ui.theme.alarm());
        return;
    }
    if let Some(notice) = ui.notice_at(scene.now) {
        put(buf, area, 0, 0, &cut(notice, usize::from(area.width)), ui.theme.strong());
        return;
    }
    let own = scene.room.own();
    if let Some(alone) = &ui.alone {
        put(buf, area, 0, 0, alone::standing(alone, scene), ui.theme.strong());
        return;
    }
    let standing = match scene.room.phase {
        PhaseView::Racing if own.is_some_and(|r| r.finish.is_some()) => "Spire Restored! The result comes in a moment.",
        PhaseView::Racing if own.is_some_and(|r| r.gave_up) => "You gave up. The others race on.",
        PhaseView::Racing if scene.shown.is_some_and(sprint_shared::play::Play::is_lockout) => {
            "Lockout: no legal transfer is left. R starts over, g gives up."
        }
        PhaseView::Paused => "The server was interrupted. Clocks stand still; play resumes in a moment.",
        _ => "",
    };
    put(buf, area, 0, 0, standing, ui.theme.strong());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_and_filled_by_the_columns_that_it_takes() {
        for (text, width, expected) in [
            ("Ada", 3, "Ada"),
            ("Adam", 3, "Ad~"),
            ("塔塔塔", 6, "塔塔塔"),
            ("塔塔塔", 5, "塔塔~"),
            ("塔塔塔", 4, "塔~"),
        ] {
            assert_eq!(cut(text, width), expected);
        }
        assert_eq!([fill("塔", 4), fill("Ada", 4), fill("塔塔塔", 4)], ["塔  ", "Ada ", "塔~ "]);
    }
}
