//! From keys to intents. Reset is far from undo, and what cannot be taken back is asked first.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use sprint_shared::play::Act;
use sprint_shared::protocol::Role;
use sprint_shared::protocol::view::PhaseView;

use super::scene::{Confirm, Ui};

/// What a key means at this moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intent {
    /// Nothing to do but draw.
    Nothing,
    /// An act on the board.
    Act(Act),
    /// Ready, or not any more.
    Ready,
    /// A vote for a rematch.
    Rematch,
    /// Give the round up.
    GiveUp,
    /// Leave the room and end.
    Leave,
    /// End at once and keep the seat.
    Quit,
    /// The next racer's board in large.
    NextSeat,
}

/// What keys are read against.
#[derive(Clone, Copy, Debug)]
pub struct Stage {
    /// What the room is doing.
    pub phase: PhaseView,
    /// The source of the held disk as it is shown.
    pub held: Option<u8>,
    /// Whether the own seat may act.
    pub may_act: bool,
    /// To play or to watch.
    pub role: Role,
}

/// What a key means. A question in `ui` is answered or dropped by it.
pub fn intent(key: KeyEvent, stage: &Stage, ui: &mut Ui) -> Intent {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return if key.code == KeyCode::Char('c') { Intent::Quit } else { Intent::Nothing };
    }
    if let Some(confirm) = ui.confirm.take() {
        return match (key.code, confirm) {
            (KeyCode::Char('y' | 'Y'), Confirm::Reset) => Intent::Act(Act::Reset),
            (KeyCode::Char('y' | 'Y'), Confirm::GiveUp) => Intent::GiveUp,
            (KeyCode::Char('y' | 'Y'), Confirm::Leave) => Intent::Leave,
            _ => Intent::Nothing,
        };
    }
    match (key.code, stage.role) {
        (KeyCode::Char('q'), Role::Spectator) => return Intent::Leave,
        (KeyCode::Tab, _) => return Intent::NextSeat,
        (_, Role::Spectator) => return Intent::Nothing,
        _ => {}
    }
    let in_round = matches!(
        stage.phase,
        PhaseView::Dealing | PhaseView::Countdown | PhaseView::Racing | PhaseView::Paused | PhaseView::Break
    );
    match key.code {
        KeyCode::Char('q') if in_round => ask(ui, Confirm::Leave),
        KeyCode::Char('q') => Intent::Leave,
        KeyCode::Enter | KeyCode::Char(' ') => match stage.phase {
            PhaseView::Lobby | PhaseView::Break => Intent::Ready,
            PhaseView::Over => Intent::Rematch,
            _ => Intent::Nothing,
        },
        _ if stage.may_act => act(key.code, stage.held, ui),
        _ => Intent::Nothing,
    }
}

fn act(code: KeyCode, held: Option<u8>, ui: &mut Ui) -> Intent {
    match code {
        KeyCode::Char(digit @ '1'..='9') => {
            let peg = u32::from(digit) - u32::from('0');
            Intent::Act(if held.is_some() { Act::Place { peg } } else { Act::Lift { peg } })
        }
        KeyCode::Esc => held.map_or(Intent::Nothing, |peg| Intent::Act(Act::Place { peg: peg.into() })),
        KeyCode::Char('u') => Intent::Act(Act::Undo),
        KeyCode::Char('R') => ask(ui, Confirm::Reset),
        KeyCode::Char('g') => ask(ui, Confirm::GiveUp),
        _ => Intent::Nothing,
    }
}

fn ask(ui: &mut Ui, confirm: Confirm) -> Intent {
    ui.confirm = Some(confirm);
    Intent::Nothing
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::Theme;

    fn ui() -> Ui {
        Ui::new(Theme { colours: false }, String::new())
    }

    fn press(code: KeyCode, stage: &Stage, ui: &mut Ui) -> Intent {
        intent(KeyEvent::new(code, KeyModifiers::NONE), stage, ui)
    }

    const RACING: Stage = Stage { phase: PhaseView::Racing, held: None, may_act: true, role: Role::Player };

    #[test]
    fn a_digit_lifts_with_an_empty_hand_and_places_with_a_full_one() {
        let holding = Stage { held: Some(2), ..RACING };
        assert_eq!(press(KeyCode::Char('7'), &RACING, &mut ui()), Intent::Act(Act::Lift { peg: 7 }));
        assert_eq!(press(KeyCode::Char('7'), &holding, &mut ui()), Intent::Act(Act::Place { peg: 7 }));
        assert_eq!(press(KeyCode::Esc, &holding, &mut ui()), Intent::Act(Act::Place { peg: 2 }));
        assert_eq!(press(KeyCode::Esc, &RACING, &mut ui()), Intent::Nothing);
        assert_eq!(press(KeyCode::Char('u'), &RACING, &mut ui()), Intent::Act(Act::Undo));
    }

    #[test]
    fn reset_giving_up_and_leaving_a_round_are_asked_first() {
        let cases = [('R', Intent::Act(Act::Reset)), ('g', Intent::GiveUp), ('q', Intent::Leave)];
        for (key, expected) in cases {
            let mut ui = ui();
            assert_eq!(press(KeyCode::Char(key), &RACING, &mut ui), Intent::Nothing);
            assert_eq!(press(KeyCode::Char('y'), &RACING, &mut ui), expected);
            press(KeyCode::Char(key), &RACING, &mut ui);
            assert_eq!(press(KeyCode::Char('n'), &RACING, &mut ui), Intent::Nothing);
            assert_eq!(ui.confirm, None);
        }
        assert_eq!(press(KeyCode::Char('r'), &RACING, &mut ui()), Intent::Nothing);
    }

    #[test]
    fn a_spectator_and_a_racer_who_is_done_cannot_act() {
        let done = Stage { may_act: false, ..RACING };
        let watching = Stage { role: Role::Spectator, may_act: false, ..RACING };
        for key in [KeyCode::Char('1'), KeyCode::Char('u'), KeyCode::Char('R'), KeyCode::Char('g'), KeyCode::Esc] {
            assert_eq!(press(key, &done, &mut ui()), Intent::Nothing);
            assert_eq!(press(key, &watching, &mut ui()), Intent::Nothing);
        }
        assert_eq!(press(KeyCode::Tab, &watching, &mut ui()), Intent::NextSeat);
    }
}
