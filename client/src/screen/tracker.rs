//! The tracker beside the board: time against the limit and against 2:00, moves against par and optimum, errors.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use sprint_shared::score::SPEED_MS;

use super::alone::Alone;
use super::distance;
use super::draw::{clock, put};
use super::scene::{Scene, Ui};

/// Draws the tracker.
pub fn draw(buf: &mut Buffer, area: Rect, scene: &Scene, ui: &Ui) {
    let Some(round) = scene.round() else { return };
    let racer = scene.focused(ui);
    let race_ms = racer.and_then(|r| r.finish).map(|f| f.official_ms).or_else(|| round.clock.race_ms(scene.now));
    let unknown = || "-".to_owned();
    let mut y = 0;
    let mut row = |label: &str, value: &str, style: Style| {
        put(buf, area, 0, y, label, ui.theme.faint());
        put(buf, area, 9, y, value, style);
        y += 1;
    };
    let is_alone = ui.alone.is_some();
    let counts = !scene.room.house().relaxed;
    if counts {
        row("time", &race_ms.map_or_else(unknown, clock), ui.theme.strong());
        if !is_alone {
            row("limit", &clock(round.limit_ms), Style::new());
        }
        row("2:00", &ui.theme.bar(race_ms.unwrap_or(0), SPEED_MS, 12), Style::new());
    }
    let play = scene.large(ui);
    let moves = play.map(|p| p.moves()).or(racer.map(|r| r.moves));
    let pending = if scene.pending > 0 && scene.room.seat.is_some() { " ..." } else { "" };
    let par = round.par.map_or_else(unknown, |par| par.to_string());
    let optimum = round.optimum.map_or_else(unknown, |optimum| optimum.to_string());
    row("moves", &format!("{}{pending}", moves.map_or_else(unknown, |m| m.to_string())), ui.theme.strong());
    row("par", &par, Style::new());
    row(if is_alone { "best" } else { "optimum" }, &optimum, Style::new());
    if counts {
        let errors = play.map(|p| p.errors()).or(racer.map(|r| r.errors)).unwrap_or(0);
        let style = if errors > 0 { ui.theme.strong() } else { Style::new() };
        row("errors", &errors.to_string(), style);
    }
    let settled = play.map(|p| p.settled()).or(racer.map(|r| r.settled)).unwrap_or(0);
    let disks = round.board.as_ref().map_or_else(unknown, |board| board.disks().count().to_string());
    row("settled", &format!("{settled} of {disks}"), Style::new());
    let flawless = play.map(|p| p.is_flawless()).or(racer.map(|r| r.flawless)).unwrap_or(true);
    if counts {
        row("flawless", if flawless { "yes" } else { "no" }, Style::new());
    }
    if let Some(least) = ui.alone.as_ref().and_then(Alone::least) {
        row("record", &format!("{least} moves"), Style::new());
    }
    let curve = racer.and_then(|racer| scene.room.curves.iter().find(|curve| curve.seat == racer.seat));
    if let Some((_, to_go)) = curve.and_then(|curve| curve.points.last()) {
        row("harmony", &distance::words(*to_go), ui.theme.strong());
    }
    if let Some(credit_ms) = round.credit_ms.filter(|_| counts) {
        row("credit", &format!("{credit_ms} ms"), ui.theme.faint());
    }
}
