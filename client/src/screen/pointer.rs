//! From the mouse to intents in a room: pegs are touched, boards and the entries of the last line are chosen.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;
use sprint_shared::play::Act;
use sprint_shared::protocol::Role;
use sprint_shared::protocol::view::PhaseView;

use super::draw::body;
use super::help::{self, clicked, pressed};
use super::hints::hints;
use super::keys::{Intent, Stage, intent};
use super::scene::{Scene, Ui};
use super::{board, lobby, race, rivals};

/// What the mouse asks for on a screen of that size.
pub fn touched(mouse: MouseEvent, area: Rect, scene: &Scene, ui: &mut Ui) -> Intent {
    let stage = Stage::of(scene, ui);
    let key = |code| KeyEvent::new(code, KeyModifiers::NONE);
    let is_down = pressed(mouse).is_some();
    if !help::fits(area) {
        return Intent::Nothing;
    }
    if is_down && (ui.help || ui.shows_the_way()) {
        return intent(key(KeyCode::Null), &stage, ui);
    }
    if let Some(key) = clicked(mouse, area, &hints(&stage, ui)) {
        return intent(key, &stage, ui);
    }
    if ui.confirm.is_some() {
        let seat =
            pressed(mouse).and_then(|at| lobby::seat_at(body(area), at)).filter(|_| stage.phase == PhaseView::Lobby);
        let digit = seat.and_then(|seat| char::from_digit(seat.into(), 10));
        return digit.map_or(Intent::Nothing, |digit| intent(key(KeyCode::Char(digit)), &stage, ui));
    }
    match stage.role {
        Role::Player if stage.acts() => on_the_board(mouse, body(area), scene, ui),
        Role::Spectator if scene.round().is_some() => {
            let chosen = pressed(mouse).and_then(|at| rivals::chosen(race::below(body(area)), scene, ui, at));
            ui.focus = chosen.unwrap_or(ui.focus);
            Intent::Nothing
        }
        _ => Intent::Nothing,
    }
}

/// A press lifts, or places what is held; a button that is let go on another peg places what it has lifted.
fn on_the_board(mouse: MouseEvent, area: Rect, scene: &Scene, ui: &mut Ui) -> Intent {
    let Some(play) = scene.shown else { return Intent::Nothing };
    let pegs = play.board().pegs().len() as u16;
    let peg = board::peg_at(race::large(area), pegs, (mouse.column, mouse.row));
    let held = play.held().map(|peg| u32::from(peg.number()));
    match (mouse.kind, peg, held) {
        (MouseEventKind::Down(MouseButton::Left), Some(peg), None) => {
            ui.dragged = Some(peg);
            Intent::Act(Act::Lift { peg })
        }
        (MouseEventKind::Down(MouseButton::Left), Some(peg), Some(_)) => Intent::Act(Act::Place { peg }),
        (MouseEventKind::Up(MouseButton::Left), to, held) => match (ui.dragged.take(), to) {
            (Some(from), Some(to)) if held == Some(from) && to != from => Intent::Act(Act::Place { peg: to }),
            _ => Intent::Nothing,
        },
        _ => Intent::Nothing,
    }
}
