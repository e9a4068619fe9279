//! Odd disks go one way round, even disks the other; no disk moves twice running. That leaves one move each time.

use crate::classic::{Move, Peg, Position, Round, Tower};

#[derive(Clone, Debug)]
pub(super) struct Parity {
    position: Position,
    /// The way round of even disks and that of odd ones.
    rounds: [Round; 2],
    /// The disk that moved last.
    last: Option<u8>,
}

impl Parity {
    pub(super) fn new(tower: Tower) -> Parity {
        let (source, target, spare) = (tower.source(), tower.target(), tower.spare());
        // The largest disk goes straight to the target, and so do all of its parity set out.
        let (as_largest, other) = (Round([source, target, spare]), Round([source, spare, target]));
        let rounds = if tower.disks().is_multiple_of(2) { [as_largest, other] } else { [other, as_largest] };
        Parity { position: tower.start(), rounds, last: None }
    }

    /// The move of the top disk of a peg one further on its round, if it may make it.
    fn move_from(&self, peg: Peg) -> Option<Move> {
        let disk = self.position.top(peg).filter(|&disk| Some(disk) != self.last)?;
        self.position.check(peg, self.rounds[usize::from(disk % 2)].next(peg)).ok()
    }
}

impl Iterator for Parity {
    type Item = Move;

    fn next(&mut self) -> Option<Move> {
        // At the end only the smallest disk is on top of a peg, and it has just moved.
        let step = Peg::ALL.into_iter().find_map(|peg| self.move_from(peg))?;
        self.last = Some(step.disk);
        self.position.play(step.from, step.to).ok()
    }
}
