//! The picture of a replay: all boards side by side, distances over the race, the last transfer, the board as text.

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use sprint_shared::notation::format_line;
use sprint_shared::review::{Mark, MarkCost};

use super::staged::Racer;
use super::{HINTS, Show};
use crate::screen::draw::{clock, cut, entitle, is_too_small, put};
use crate::screen::help::{self, is_in};
use crate::screen::{alone, analysis, distance, rivals};

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
    if is_too_small(buf, area, show.theme) {
        return;
    }
    title(buf, area, show);
    let racers = show.staged.at(show.playback.ms());
    boards(buf, above(area), &racers, show);
    put(buf, area, 0, BOARDS + 2, &show.theme.rule(area.width), show.theme.faint());
    let below = below(area);
    match &show.staged.review {
        Some(review) if show.analysis => analysis::draw(buf, below, review, |seat| show.staged.name(seat), show.theme),
        _ => over_time(buf, below, &racers, show),
    }
    let notice = show.notice.as_deref().unwrap_or_default();
    put(buf, area, 0, area.height - 2, &cut(notice, area.width.into()), show.theme.strong());
    help::draw_line(buf, area, HINTS, show.theme);
    if show.help {
        let mouse = ["a click chooses a board or an instant"];
        help::draw(buf, area, HINTS, &mouse, show.theme);
    }
    show.theme.finish(buf);
}

/// Where the boards stand.
fn above(area: Rect) -> Rect {
    Rect { y: area.y + 1, height: BOARDS + 1, ..area }
}

/// Where the distances stand.
fn below(area: Rect) -> Rect {
    Rect { y: area.y + BOARDS + 3, height: area.height - BOARDS - 5, ..area }
}

/// The racer, by place in the list of them, whose board or name a place is on.
pub fn racer_at(area: Rect, show: &Show, at: (u16, u16)) -> Option<usize> {
    let (above, below) = (above(area), below(area));
    let racers = show.staged.at(0);
    if is_in(above, at) {
        let columns = Columns::of(above, &racers, show);
        let column = usize::from((at.0 - above.x) / columns.each);
        return (column < columns.fit).then_some(columns.first + column);
    }
    let names = Rect { width: LINES_X, height: racers.len() as u16, ..below };
    (!show.analysis && is_in(names, at)).then(|| usize::from(at.1 - names.y))
}

/// The instant of the race clock that a place among the distances stands for.
pub fn instant_at(area: Rect, show: &Show, at: (u16, u16)) -> Option<u64> {
    let below = below(area);
    let width = below.width - LINES_X - WORDS;
    let lines = Rect { x: below.x + LINES_X, width, height: show.staged.at(0).len() as u16 + 1, ..below };
    let part = u64::from(at.0.saturating_sub(lines.x));
    (!show.analysis && is_in(lines, at)).then(|| show.playback.length() * part / u64::from(width.max(2) - 1))
}

fn title(buf: &mut Buffer, area: Rect, show: &Show) {
    let playback = &show.playback;
    let state = if playback.is_playing() { "playing" } else { "paused " };
    let (at, length) = (clock(playback.ms()), clock(playback.length()));
    let text = format!("{state} {}x  {at} / {length}", playback.speed());
    put(buf, area, area.width.saturating_sub(text.len() as u16), 0, &text, show.theme.strong());
    let what = alone::named(&show.staged.round.options);
    entitle(buf, area, &format!("replay  {what}"), text.len(), show.theme);
}

/// How boards stand side by side.
struct Columns {
    /// How many fit.
    fit: usize,
    /// The racer of the first one, by place in the list of them.
    first: usize,
    /// From one to the next.
    each: u16,
}

impl Columns {
    fn of(area: Rect, racers: &[Racer], show: &Show) -> Columns {
        let pegs = racers.first().map_or(1, |racer| racer.play.board().pegs().len()) as u16;
        let width = (pegs * 3).max(20);
        let fit = usize::from((area.width + 1) / width).clamp(1, racers.len().max(1));
        let focus = show.focus % racers.len().max(1);
        // Room that is left over goes between them.
        Columns { fit, first: focus.saturating_sub(fit - 1), each: ((area.width + 1) / fit as u16).min(width + 8) }
    }
}

/// As many boards as fit side by side, the chosen racer's among them.
fn boards(buf: &mut Buffer, area: Rect, racers: &[Racer], show: &Show) {
    let Columns { fit, first, each } = Columns::of(area, racers, show);
    let focus = show.focus % racers.len().max(1);
    for (column, (index, racer)) in (0..).zip(racers.iter().enumerate().skip(first).take(fit)) {
        let x = column * each;
        board(buf, Rect { x: area.x + x, width: (each - 1).min(area.width - x), ..area }, racer, index == focus, show);
        // Without a line between them two boards look like one.
        for y in (0..BOARDS).filter(|_| x > 0) {
            put(buf, area, x - 1, y, show.theme.wall(), show.theme.faint());
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
    put(buf, area, LINES_X, y, &show.theme.rule(width), show.theme.faint());
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
