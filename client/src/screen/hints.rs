//! Which keys there are in a room at this moment: what [`super::keys`] does, in words.

use crossterm::event::KeyCode;
use sprint_shared::protocol::Role;
use sprint_shared::protocol::view::PhaseView;
use sprint_shared::solo::Solo;

use super::help::{HELP, Hint};
use super::keys::Stage;
use super::scene::{Confirm, Ui};

const fn hint(codes: &'static [KeyCode], label: &'static str, short: &'static str, long: &'static str) -> Hint {
    Hint { codes, label, short, long }
}

/// The number keys.
pub const DIGITS: [KeyCode; 9] = [
    KeyCode::Char('1'),
    KeyCode::Char('2'),
    KeyCode::Char('3'),
    KeyCode::Char('4'),
    KeyCode::Char('5'),
    KeyCode::Char('6'),
    KeyCode::Char('7'),
    KeyCode::Char('8'),
    KeyCode::Char('9'),
];
const SEATS: [KeyCode; 4] = [DIGITS[0], DIGITS[1], DIGITS[2], DIGITS[3]];
const ENTER: &[KeyCode] = &[KeyCode::Enter, KeyCode::Char(' ')];
const EMOTES: &[KeyCode] = &[
    KeyCode::F(1),
    KeyCode::F(2),
    KeyCode::F(3),
    KeyCode::F(4),
    KeyCode::F(5),
    KeyCode::F(6),
    KeyCode::F(7),
    KeyCode::F(8),
];

const PEGS: Hint = hint(&DIGITS, "1-9", "lift, place", "lift the top disk of that peg, or place the held one there");
const BACK: Hint = hint(&[KeyCode::Esc], "Esc", "put back", "put the held disk back, where no other peg takes it");
const UNDO: Hint = hint(&[KeyCode::Char('u')], "u", "undo", "take the last transfer back; flawless it is no more");
const RESET: Hint = hint(&[KeyCode::Char('R')], "R", "reset", "back to the start board; asks first");
const GIVE_UP: Hint = hint(&[KeyCode::Char('g')], "g", "give up", "give the round up; asks first");
const LEAVE: Hint = hint(&[KeyCode::Char('q')], "q", "leave", "leave; asks first where a round is on");
const QUIT: Hint = hint(&[], "Ctrl-C", "", "quit at once; the seat is kept for a while");
const STOP: Hint = hint(&[], "any key", "stops", "stops the way that is shown");
const YES: Hint = hint(&[KeyCode::Char('y'), KeyCode::Char('Y')], "y", "yes", "yes");
const NO: Hint = hint(&[KeyCode::Char('n')], "n", "or any other key: no", "no, and so does any other key");
const SEAT: Hint = hint(&SEATS, "1-4", "the seat", "that seat");
const SAY: Hint = hint(EMOTES, "F1-F8", "", "hello, good luck, well played, wow, oops, thinking, hurry, thanks");
const MUTE: Hint = hint(&[KeyCode::Char('m')], "m", "", "leave out what the others say, or show it again");

/// The keys of a room at this moment.
pub fn hints(stage: &Stage, ui: &Ui) -> Vec<Hint> {
    match ui.confirm {
        Some(Confirm::Kick | Confirm::HandOver) => return vec![SEAT, NO],
        Some(_) => return vec![YES, NO],
        None => {}
    }
    let mut hints = match (stage.role, stage.solo) {
        (Role::Spectator, _) => vec![
            hint(&[KeyCode::Tab], "Tab", "next board", "the next racer's board in large"),
            hint(&[KeyCode::Char('d')], "d", "distances or boards", "distances to harmony over time, or boards again"),
            LEAVE,
        ],
        (Role::Player, Some(_)) if ui.shows_the_way() => return vec![STOP],
        (Role::Player, Some(solo)) => alone(stage, solo),
        (Role::Player, None) => racer(stage, ui),
    };
    hints.extend([QUIT, HELP]);
    hints
}

fn racer(stage: &Stage, ui: &Ui) -> Vec<Hint> {
    if stage.phase == PhaseView::Closed {
        return vec![LEAVE];
    }
    let enter = |short, long| hint(ENTER, "Enter", short, long);
    let mut hints = match stage.phase {
        PhaseView::Lobby => vec![enter("ready", "ready to race, or not yet")],
        PhaseView::Break => vec![enter("ready", "ready for the next round, or not yet")],
        PhaseView::Over if !stage.is_rated => vec![enter("rematch", "vote for a rematch")],
        PhaseView::Over if ui.quick => vec![enter("another quick match", "look for another race")],
        _ => Vec::new(),
    };
    if stage.is_host_at_rest() {
        if stage.phase != PhaseView::Break {
            hints.push(hint(&[KeyCode::Char('S')], "S", "start", "start with those who are connected"));
        }
        hints.extend([
            hint(&[KeyCode::Char('K')], "K", "send away", "take a seat away; asks which"),
            hint(&[KeyCode::Char('H')], "H", "hand over", "make another player the host; asks whom"),
            hint(&[KeyCode::Char('C')], "C", "close", "send everybody away; asks first"),
        ]);
    }
    if stage.acts() {
        hints.extend([PEGS, BACK, UNDO, RESET, GIVE_UP]);
    }
    hints.extend([LEAVE, SAY, MUTE]);
    hints
}

fn alone(stage: &Stage, solo: Solo) -> Vec<Hint> {
    let is_shuffle = matches!(solo, Solo::Shuffle { .. });
    let is_over = stage.is_over();
    let mut hints = Vec::new();
    if stage.acts() {
        // Beside all the others there is no room for it.
        let back = if is_shuffle { Hint { short: "", ..BACK } } else { BACK };
        let undo = if solo.is_relaxed() { Hint { long: "take the last transfer back", ..UNDO } } else { UNDO };
        hints.extend([PEGS, back, undo, RESET]);
        if solo.is_helped() {
            hints.push(hint(&[KeyCode::Char('h')], "h", "hint", "the next transfer of a shortest way"));
            hints.push(hint(&[KeyCode::Char('w')], "w", "way", "play a shortest way; any key stops it"));
        } else {
            hints.push(GIVE_UP);
        }
    }
    if is_over && stage.has_next {
        let (short, long) = match solo {
            Solo::Stage { .. } => ("next stage", "the next stage"),
            Solo::Lesson { .. } => ("next lesson", "the next lesson"),
            _ => ("next board", "the next board"),
        };
        hints.push(hint(&[KeyCode::Char('n'), KeyCode::Enter], "n", short, long));
    } else if is_shuffle && !is_over {
        hints.push(hint(&[KeyCode::Char('n')], "n", "next", "leave this board for the next one; asks first"));
    }
    if stage.phase == PhaseView::Over && !solo.is_once() {
        hints.push(hint(&[KeyCode::Char('r')], "r", "again", "the same board again"));
    }
    let leaves = is_over && matches!(solo, Solo::Stage { .. });
    hints.push(if leaves { Hint { short: "the almanac", long: "back to the almanac", ..LEAVE } } else { LEAVE });
    hints
}

/// What the mouse does in a room at this moment.
pub fn mouse(stage: &Stage) -> &'static [&'static str] {
    match stage.role {
        _ if stage.acts() => &["a click lifts and places, a drag does both"],
        Role::Spectator => &["a click on a small board shows it in large"],
        Role::Player => &["a click on an entry of the last line presses it"],
    }
}
