//! The race: the large board with the tracker beside it, the others below; before T0 the countdown.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use sprint_shared::protocol::view::PhaseView;

use super::draw::centre;
use super::scene::{Scene, Ui};
use super::{alone, board, rivals, tracker};

/// The width of the tracker.
const TRACKER: u16 = 23;

/// Where the large board stands.
pub fn large(area: Rect) -> Rect {
    Rect { height: board::HEIGHT, width: area.width - TRACKER - 1, ..area }
}

/// Where the others stand.
pub fn below(area: Rect) -> Rect {
    Rect { y: area.y + board::HEIGHT, height: area.height - board::HEIGHT, ..area }
}

/// Draws the race.
pub fn draw(buf: &mut Buffer, area: Rect, scene: &Scene, ui: &Ui) {
    let (large, below) = (large(area), below(area));
    let beside = Rect { x: area.x + area.width - TRACKER, width: TRACKER, ..large };
    match scene.room.phase {
        PhaseView::Racing => {
            if let Some(play) = scene.large(ui) {
                board::draw(buf, large, play, scene, ui);
            }
        }
        PhaseView::Countdown => countdown(buf, large, scene, ui),
        PhaseView::Paused => centre(buf, large, 4, "- paused: boards are hidden -", ui.theme.strong()),
        _ => centre(buf, large, 4, "the board is being dealt", ui.theme.strong()),
    }
    tracker::draw(buf, beside, scene, ui);
    match &ui.alone {
        Some(alone) => alone::below(buf, below, scene, ui, alone),
        None => rivals::draw(buf, below, scene, ui),
    }
}

fn countdown(buf: &mut Buffer, area: Rect, scene: &Scene, ui: &Ui) {
    let ahead_ms = scene.round().and_then(|r| r.clock.ahead_ms(scene.now)).unwrap_or(0);
    let digit = ahead_ms.div_ceil(1000).min(9) as usize;
    for (y, row) in (2..).zip(DIGITS[digit]) {
        centre(buf, area, y, row, ui.theme.brass());
    }
    let resumes = scene.round().is_some_and(|r| r.interrupted);
    let why = match (&ui.alone, resumes) {
        (None, true) => "the race goes on where it stood",
        (None, false) => "the same board for all, at the same instant",
        (Some(_), true) => "it goes on where it stood",
        (Some(_), false) => "it begins",
    };
    centre(buf, area, 8, why, ui.theme.faint());
}

/// Digits to be seen from afar.
const DIGITS: [[&str; 5]; 10] = [
    ["#####", "#   #", "#   #", "#   #", "#####"],
    ["  #  ", " ##  ", "  #  ", "  #  ", " ### "],
    ["#####", "    #", "#####", "#    ", "#####"],
    ["#####", "    #", " ####", "    #", "#####"],
    ["#   #", "#   #", "#####", "    #", "    #"],
    ["#####", "#    ", "#####", "    #", "#####"],
    ["#####", "#    ", "#####", "#   #", "#####"],
    ["#####", "    #", "   # ", "  #  ", "  #  "],
    ["#####", "#   #", "#####", "#   #", "#####"],
    ["#####", "#   #", "#####", "    #", "#####"],
];
