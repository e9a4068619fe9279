//! The others, side by side and small: their boards where they may be seen, else how far they are.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use sprint_shared::play::Play;
use sprint_shared::protocol::view::PhaseView;

use super::draw::{cut, put};
use super::help::is_in;
use super::scene::{Scene, Ui};
use super::{Theme, distance};
use crate::state::Racer;

/// Three of them fit on 80 columns: nine pegs of two characters and a gap each.
const WIDTH: u16 = 26;
const GAP: u16 = 1;
/// Name, counters, seven places, numbers.
const PLACES: u16 = 7;
/// Where distances over time stand: after the names, and before the words.
const LINES_X: u16 = 15;
const WORDS: u16 = 14;

/// Draws all racers but the one whose board is large.
pub fn draw(buf: &mut Buffer, area: Rect, scene: &Scene, ui: &Ui) {
    let Some(round) = scene.round() else { return };
    let large = scene.focused(ui).map(|r| r.seat);
    if round.racers.len() > 1 {
        put(buf, area, 0, 0, &ui.theme.rule(area.width), ui.theme.faint());
    }
    if scene.room.seat.is_none()
        && let Some(seat) = large
    {
        put(buf, area, 2, 0, &format!(" above: {} ", scene.name(seat)), ui.theme.brass());
    }
    if ui.over_time {
        over_time(buf, Rect { y: area.y + 2, height: area.height - 2, ..area }, scene, ui);
        return;
    }
    let others = round.racers.iter().filter(|r| Some(r.seat) != large);
    for (index, racer) in (0..).zip(others) {
        let x = index * (WIDTH + GAP);
        if x + WIDTH <= area.width {
            let place = Rect { x: area.x + x, y: area.y + 1, width: WIDTH, height: area.height - 1 };
            rival(buf, place, racer, scene, ui);
            // Without a line between them two boards look like one.
            for y in (1..area.height).filter(|_| x > 0) {
                put(buf, area, x - GAP, y, ui.theme.wall(), ui.theme.faint());
            }
        }
    }
}

/// The place, in the list of racers, of the one whose small board a place is on.
pub fn chosen(area: Rect, scene: &Scene, ui: &Ui, at: (u16, u16)) -> Option<usize> {
    let racers = &scene.round()?.racers;
    let large = scene.focused(ui).map(|r| r.seat);
    if ui.over_time || !is_in(area, at) {
        return None;
    }
    let others = racers.iter().enumerate().filter(|(_, racer)| Some(racer.seat) != large);
    others.map(|(place, _)| place).nth(usize::from((at.0 - area.x) / (WIDTH + GAP)))
}

/// Every racer's distance to harmony from T0 to now, the nearest end at the right.
fn over_time(buf: &mut Buffer, area: Rect, scene: &Scene, ui: &Ui) {
    let Some(round) = scene.round() else { return };
    let curves = &scene.room.curves;
    let told = curves.iter().flat_map(|curve| curve.points.last()).map(|(ms, _)| *ms).max().unwrap_or(0);
    let length = round.clock.race_ms(scene.now).unwrap_or(0).max(told).max(1);
    let width = area.width - LINES_X - WORDS;
    let farthest = distance::farthest(curves);
    for (y, racer) in (0..).zip(&round.racers) {
        let name = cut(scene.name(racer.seat), usize::from(LINES_X) - 4);
        put(buf, area, 0, y * 2, &format!("{} {name}", racer.seat.number()), ui.theme.strong());
        let Some(curve) = curves.iter().find(|curve| curve.seat == racer.seat) else {
            put(buf, area, LINES_X, y * 2, "not known", ui.theme.faint());
            continue;
        };
        put(buf, area, LINES_X, y * 2, &distance::line(curve, length, farthest, width), Style::new());
        let words = distance::at(curve, length).map(distance::words).unwrap_or_default();
        put(buf, area, LINES_X + width + 1, y * 2, &words, ui.theme.strong());
    }
}

fn rival(buf: &mut Buffer, area: Rect, racer: &Racer, scene: &Scene, ui: &Ui) {
    let away = scene.room.sitter(racer.seat).is_none_or(|s| !s.present);
    let state = match racer {
        Racer { finish: Some(_), .. } => "finished",
        Racer { gave_up: true, .. } => "gave up",
        _ if away => "away",
        _ => "",
    };
    let name = cut(scene.name(racer.seat), usize::from(WIDTH) - 10);
    put(buf, area, 0, 0, &format!("{} {name} {state}", racer.seat.number()), ui.theme.strong());
    let curve = scene.room.curves.iter().find(|curve| curve.seat == racer.seat);
    let counters = match curve.and_then(|curve| curve.points.last()) {
        Some((_, to_go)) => format!("{} mv {} err, {}", racer.moves, racer.errors, distance::words(*to_go)),
        None => format!("moves {} errors {}", racer.moves, racer.errors),
    };
    put(buf, area, 0, 1, &counters, Style::new());
    if scene.room.phase != PhaseView::Racing {
        return;
    }
    match &racer.play {
        Some(play) => {
            let place = Rect { y: area.y + 2, height: area.height.saturating_sub(2), ..area };
            small_board(buf, place, play, ui.theme);
        }
        None => {
            let disks = scene.round().and_then(|r| r.board.as_ref()).map_or(1, |b| b.disks().count() as u64);
            put(buf, area, 0, 3, "settled", ui.theme.faint());
            put(buf, area, 0, 4, &ui.theme.bar(racer.settled.into(), disks, 20), Style::new());
            put(buf, area, 0, 5, &format!("{} of {disks}", racer.settled), Style::new());
        }
    }
}

/// Draws a board two characters a peg: seven places, the numbers below; a held disk in small letters.
pub fn small_board(buf: &mut Buffer, area: Rect, play: &Play, theme: Theme) {
    let pegs = play.board().pegs();
    let height = pegs.iter().map(|(_, peg)| peg.len() as u16).max().unwrap_or(0).clamp(5, PLACES);
    for (peg, stack) in pegs.iter() {
        let x = peg.index() as u16 * 3;
        for (place, disk) in (0..).zip(stack.disks()) {
            let is_held = play.held() == Some(peg) && usize::from(place) + 1 == stack.len();
            let text = if is_held { disk.to_string().to_lowercase() } else { disk.to_string() };
            put(buf, area, x, PLACES - 1 - place, &text, theme.jewel(disk.spectrum()));
        }
        // Collars take places off; where they do, none is drawn.
        let room = u16::from(play.board().room(peg, play.transfers()));
        for place in stack.len() as u16..height.min(room) {
            put(buf, area, x, PLACES - 1 - place, ".", theme.faint());
        }
        put(buf, area, x, PLACES, &peg.to_string(), theme.faint());
    }
}
