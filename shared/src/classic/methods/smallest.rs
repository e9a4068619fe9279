//! The smallest disk goes one peg further on its round at every odd move; every even move is the only one that leaves
//! it alone.

use crate::classic::{Move, Peg, Position, Round, Tower};

#[derive(Clone, Debug)]
pub(super) struct Smallest {
    position: Position,
    /// The way of the smallest disk: towards the target first if the number of disks is odd.
    round: Round,
    /// Where the smallest disk is.
    at: Peg,
    is_its_turn: bool,
}

impl Smallest {
    pub(super) fn new(tower: Tower) -> Smallest {
        let (source, target, spare) = (tower.source(), tower.target(), tower.spare());
        let is_odd = !tower.disks().is_multiple_of(2);
        let round = if is_odd { [source, target, spare] } else { [source, spare, target] };
        Smallest { position: tower.start(), round: Round(round), at: source, is_its_turn: true }
    }
}

impl Iterator for Smallest {
    type Item = Move;

    fn next(&mut self) -> Option<Move> {
        let (next, after) = (self.round.next(self.at), self.round.next(self.round.next(self.at)));
        let step = if self.is_its_turn {
            // Without disks there is nothing to move.
            self.position.play(self.at, next).ok()?
        } else {
            // At the end neither of the other two pegs has a disk.
            self.position.play(next, after).or_else(|_| self.position.play(after, next)).ok()?
        };
        if self.is_its_turn {
            self.at = next;
        }
        self.is_its_turn = !self.is_its_turn;
        Some(step)
    }
}
