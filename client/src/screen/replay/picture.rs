//! The picture of a replay: all boards side by side, distances over the race, the last transfer, the board as text.

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use sprint_shared::notation::format_line;
use sprint_shared::review::{Mark, MarkCost};

use super::Show;
use super::staged::Racer;
use crate::screen::draw::{clock, cut, is_too_small, put};
use crate::screen::{analysis, distance, rivals};

/// Names and state, counters, the hand, seven places, the pegs' numbers.
const BOARDS: u16 = 10;
/// Where distances stand: after the names.
const LINES_X: u16 = 15;
/// To the right of the distances: `12-17 to go`.
const WORDS: u16 = 14;

/// Draws a picture.
pub fn draw(frame: &mut Frame, show: &Show) {
    let area = frame.area();
    let buf = frame.buffer_mut();
    if is_too_small(buf, area) {
        return;
    }
    title(buf, area, show);
    let racers = show.staged.at(show.playback.ms());
    boards(buf, Rect { y: area.y + 1, height: BOARDS + 1, ..area }, &racers, show);
    let rule = "-".repeat(area.width.into());
    put(buf, area, 0, BOARDS + 2, &rule, show.theme.faint());
    let below = Rect { y: area.y + BOARDS + 3, height: area.height - BOARDS - 5, ..area };
    match &show.staged.review {
        Some(review) if show.analysis => analysis::draw(buf, below, review, |seat| show.staged.name(seat), show.theme),
        _ => over_time(buf, below, &racers, show),
    }
    let notice = show.notice.as_deref().unwrap_or_default();
    put(buf, area, 0, area.height - 2, &cut(notice, area.width.into()), show.theme.strong());
    let keys = "space play  arrows step  n p mistake  , . scrub  + - speed  Tab who  a table  q";
    put(buf, area, 0, area.height - 1, keys, show.theme.faint());
}

fn title(buf: &mut Buffer, area: Rect, show: &Show) {
    let options = &show.staged.round.options;
    let kind = if options.blueprint.is_some() { "blueprint" } else { options.preset.name() };
    put(buf, area, 0, 0, &format!("TECHNOMANCER SPRINT  replay  {kind}"), show.theme.brass());
    let playback = &show.playback;
    let state = if playback.is_playing() { "playing" } else { "paused " };
    let (at, length) = (clock(playback.ms()), clock(playback.length()));
    let text = format!("{state} {}x  {at} / {length}", playback.speed());
    put(buf, area, area.width.saturating_sub(text.len() as u16), 0, &text, show.theme.strong());
}

/// As many boards as fit side by side, the chosen racer's among them.
fn boards(buf: &mut Buffer, area: Rect, racers: &[Racer], show: &Show) {
    let pegs = racers.first().map_or(1, |racer| racer.play.board().pegs().len()) as u16;
    let width = (pegs * 3).max(20);
    let fit = usize::from((area.width + 1) / width).clamp(1, racers.len().max(1));
    let focus = show.focus % racers.len().max(1);
    let first = focus.saturating_sub(fit - 1);
    // Room that is left over goes between them.
    let each = ((area.width + 1) / fit as u16).min(width + 8);
    for (column, (index, racer)) in (0..).zip(racers.iter().enumerate().skip(first).take(fit)) {
        let x = column * each;
        board(buf, Rect { x: area.x + x, width: (each - 1).min(area.width - x), ..area }, racer, index == focus, show);
        // Without a line between them two boards look like one.
        for y in (0..BOARDS).filter(|_| x > 0) {
            put(buf, area, x - 1, y, "|", show.theme.faint());
        }
    }
    if racers.len() > fit {
        let hidden = format!("{} of {} boards", fit, racers.len());
        put(buf, area, area.width.saturating_sub(hidden.len() as u16), BOARDS, &hidden, show.theme.faint());
    }
}

fn board(buf: &mut Buffer, area: Rect, racer: &Racer, is_chosen: bool, show: &Show) {
    let state = match racer {
        Racer { finish: Some(finish), .. } => clock(finish.official_ms),
        Racer { gave_up: true, .. } => "gave up".to_owned(),
        _ => String::new(),
    };
    let sign = if is_chosen { ">" } else { " " };
    let name = cut(show.staged.name(racer.seat), usize::from(area.width).saturating_sub(state.len() + 5));
    put(buf, area, 0, 0, &format!("{sign}{} {name} {state}", racer.seat.number()), show.theme.strong());
    let play = &racer.play;
    let disks = play.board().disks().count();
    let counters = format!(" {} mv {} err {}/{disks}", play.moves(), play.errors(), play.settled());
    put(buf, area, 0, 1, &cut(&counters, area.width.into()), Style::new());
    rivals::small_board(buf, Rect { y: area.y + 2, height: area.height - 2, ..area }, play, show.theme);
}

fn over_time(buf: &mut Buffer, area: Rect, racers: &[Racer], show: &Show) {
    let width = area.width - LINES_X - WORDS;
    let (ms, length) = (show.playback.ms(), show.playback.length().max(1));
    let here = (ms * u64::from(width) / length).min(u64::from(width) - 1) as u16;
    let curves = show.staged.review.as_ref().map_or(&[][..], |review| &review.curves);
    let farthest = distance::farthest(curves);
    for (y, racer) in (0..).zip(racers) {
        let style = if usize::from(y) == show.focus % racers.len() { show.theme.strong() } else { Style::new() };
        let name = cut(show.staged.name(racer.seat), usize::from(LINES_X) - 4);
        put(buf, area, 0, y, &format!("{} {name}", racer.seat.number()), style);
        let Some(curve) = curves.iter().find(|curve| curve.seat == racer.seat) else { continue };
        let line = distance::line(curve, length, farthest, width);
        put(buf, area, LINES_X, y, &line, show.theme.faint());
        let past: String = line.chars().take(usize::from(here) + 1).collect();
        put(buf, area, LINES_X, y, &past, style);
        let words = distance::at(curve, ms).map(distance::words).unwrap_or_default();
        put(buf, area, LINES_X + width + 1, y, &words, style);
    }
    let y = racers.len() as u16;
    let axis = "-".repeat(width.into());
    put(buf, area, LINES_X, y, &axis, show.theme.faint());
    for mark in show.staged.mistakes() {
        let x = (mark.clock_ms.saturating_mul(width.into()) / length).min(u64::from(width) - 1) as u16;
        put(buf, area, LINES_X + x, y, "!", show.theme.strong());
    }
    put(buf, area, LINES_X + here, y, "|", show.theme.strong());
    let Some(racer) = racers.get(show.focus % racers.len().max(1)) else { return };
    if let Some(mark) = show.staged.mark_of(racer) {
        let text = format!("{}: {}", show.staged.name(racer.seat), told(mark));
        put(buf, area, 0, y + 1, &cut(&text, area.width.into()), show.theme.strong());
    }
    text(buf, Rect { y: area.y + y + 2, height: area.height.saturating_sub(y + 2), ..area }, racer);
}

/// The board in the notation and the line that led there; of a long one its end.
fn text(buf: &mut Buffer, area: Rect, racer: &Racer) {
    let width = usize::from(area.width);
    let board: Vec<char> = racer.play.board().to_string().chars().collect();
    let mut y = 0;
    for row in board.chunks(width) {
        put(buf, area, 0, y, &row.iter().collect::<String>(), Style::new());
        y += 1;
    }
    let line = format_line(racer.play.line());
    let from = line.len().saturating_sub(width);
    put(buf, area, 0, y, &line[from..], Style::new());
}

/// What a transfer cost, and what would have been better.
fn told(mark: &Mark) -> String {
    let cost = match mark.cost {
        MarkCost::Loses(_) => "lost the board".to_owned(),
        MarkCost::Wastes(1) => "cost 1 transfer".to_owned(),
        MarkCost::Wastes(transfers) => format!("cost {transfers} transfers"),
    };
    let better = mark.better.iter().take(4).map(String::as_str).collect::<Vec<_>>().join(" or ");
    let better = if better.is_empty() { better } else { format!("; better {better}") };
    format!("{} {cost}{better}", mark.transfer)
}
