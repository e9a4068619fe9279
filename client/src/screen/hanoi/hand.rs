//! A try by hand, from any position: keys lift and place, a hint shows or makes the best move.

use crossterm::event::KeyCode;
use sprint_shared::classic::{Illegal, Move, Peg, Position, Tower};

use super::pressed;

/// A person's own try.
pub struct Hand {
    tower: Tower,
    position: Position,
    /// The source of the disk in the hand.
    held: Option<Peg>,
    made: u64,
    /// How many moves the try needed at the least, from its beginning.
    fewest: u64,
    hint: Option<Move>,
}

impl Hand {
    /// A try that begins at a position.
    pub fn new(tower: Tower, position: Position) -> Hand {
        Hand { tower, position, held: None, made: 0, fewest: position.moves_left(tower.target()), hint: None }
    }

    /// Where the disks are; the one in the hand counts as on its source.
    pub fn position(&self) -> Position {
        self.position
    }

    /// The source of the disk in the hand.
    pub fn held(&self) -> Option<Peg> {
        self.held
    }

    /// Moves made.
    pub fn made(&self) -> u64 {
        self.made
    }

    /// The hint, while it is shown.
    pub fn hint(&self) -> Option<Move> {
        self.hint
    }

    /// Does what a key asks for; what is to be said of it.
    pub(super) fn press(&mut self, code: KeyCode) -> Option<String> {
        match code {
            KeyCode::Esc => {
                self.held = None;
                None
            }
            KeyCode::Char('b') => {
                self.hint = self.position.hint(self.tower.target());
                self.hint.is_none().then(|| self.done())
            }
            KeyCode::Enter => match self.position.hint(self.tower.target()) {
                Some(step) => self.play(step.from, step.to),
                None => Some(self.done()),
            },
            KeyCode::Char('R') => {
                *self = Hand::new(self.tower, self.tower.start());
                Some("the whole tower from its beginning".to_owned())
            }
            code => pressed(code).and_then(|peg| self.touch(peg)),
        }
    }

    /// Lifts from a peg, or places on it; on its own peg it is put back.
    fn touch(&mut self, peg: Peg) -> Option<String> {
        match self.held {
            None if self.position.top(peg).is_none() => Some(Illegal::Empty(peg).to_string()),
            None => {
                self.held = Some(peg);
                None
            }
            Some(from) if from == peg => {
                self.held = None;
                None
            }
            Some(from) => self.play(from, peg),
        }
    }

    fn play(&mut self, from: Peg, to: Peg) -> Option<String> {
        match self.position.play(from, to) {
            Ok(_) => {
                (self.held, self.hint) = (None, None);
                self.made = self.made.saturating_add(1);
                self.position.is_tower_on(self.tower.target()).then(|| self.done())
            }
            Err(illegal) => Some(illegal.to_string()),
        }
    }

    fn done(&self) -> String {
        let peg = self.tower.target();
        match self.made - self.fewest.min(self.made) {
            0 => format!("The tower stands on peg {peg} after {} moves, the fewest there are.", self.made),
            more => format!("The tower stands on peg {peg} after {} moves, {more} more than needed.", self.made),
        }
    }
}
