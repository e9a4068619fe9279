//! The keys of the classic tower, watched, by hand, and while a number is typed.

use crossterm::event::KeyCode;

use crate::screen::help::{HELP, Hint};

const fn hint(codes: &'static [KeyCode], label: &'static str, short: &'static str, long: &'static str) -> Hint {
    Hint { codes, label, short, long }
}

const TABLE: Hint = hint(&[KeyCode::Char('t')], "t", "table", "each disk's share of the moves, or the pegs again");
const LEAVE: Hint = hint(&[KeyCode::Char('q')], "q", "leave", "leave");
const QUIT: Hint = hint(&[], "Ctrl-C", "", "leave");

/// While the tower is played out.
pub const WATCHED: &[Hint] = &[
    hint(&[KeyCode::Char(' ')], "Space", "play", "play, or pause"),
    hint(&[KeyCode::Left, KeyCode::Right], "arrows", "step", "a move back or on"),
    hint(&[KeyCode::Char(','), KeyCode::Char('.')], ", .", "", "a hundredth of all moves back or on"),
    hint(&[KeyCode::PageUp, KeyCode::PageDown], "PgUp PgDn", "", "a tenth back or on"),
    hint(&[KeyCode::Home, KeyCode::End], "Home End", "", "before the first move, after the last one"),
    hint(&[KeyCode::Char('g')], "g", "go to", "go to any move by its number"),
    hint(&[KeyCode::Char('+'), KeyCode::Char('='), KeyCode::Char('-')], "+ -", "speed", "faster, slower"),
    hint(&[KeyCode::Char('m')], "m", "", "tell of the next of the four methods"),
    TABLE,
    hint(&[KeyCode::Char('h')], "h", "hand", "play on by hand from here"),
    LEAVE,
    QUIT,
    HELP,
];

/// While a person plays.
pub const BY_HAND: &[Hint] = &[
    hint(
        &[KeyCode::Char('1'), KeyCode::Char('2'), KeyCode::Char('3')],
        "1-3",
        "lift, place",
        "lift the top disk of that peg, or place the held one there",
    ),
    hint(&[KeyCode::Esc], "Esc", "back", "put the held disk back"),
    hint(&[KeyCode::Char('b')], "b", "best", "show the best move"),
    hint(&[KeyCode::Enter], "Enter", "", "make the best move"),
    hint(&[KeyCode::Char('R')], "R", "anew", "the whole tower from its beginning"),
    TABLE,
    hint(&[KeyCode::Char('h')], "h", "watch", "back to where it was watched"),
    LEAVE,
    QUIT,
    HELP,
];

/// While a number is typed.
pub const TYPED: &[Hint] = &[
    hint(
        &[
            KeyCode::Char('0'),
            KeyCode::Char('1'),
            KeyCode::Char('2'),
            KeyCode::Char('3'),
            KeyCode::Char('4'),
            KeyCode::Char('5'),
            KeyCode::Char('6'),
            KeyCode::Char('7'),
            KeyCode::Char('8'),
            KeyCode::Char('9'),
        ],
        "0-9",
        "the move",
        "the number of the move",
    ),
    hint(&[KeyCode::Backspace], "Backspace", "", "take a digit back"),
    hint(&[KeyCode::Enter], "Enter", "go there", "go there"),
    hint(&[KeyCode::Esc], "Esc", "stay", "stay"),
    hint(&[], "Ctrl-C", "", "leave"),
    HELP,
];
