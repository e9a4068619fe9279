//! Three pairs of pegs in turn: between the two pegs of a pair only one move is allowed, and that one is made.

use crate::classic::{Move, Peg, Position, Tower};

#[derive(Clone, Debug)]
pub(super) struct Cyclic {
    position: Position,
    pairs: [(Peg, Peg); 3],
    /// The place of the pair whose turn it is.
    turn: usize,
}

/// The pairs in their order: that between source and target is the first of an odd number of disks, the second of an
/// even one.
pub(in crate::classic) fn pairs(tower: Tower) -> [(Peg, Peg); 3] {
    let (source, target, spare) = (tower.source(), tower.target(), tower.spare());
    if tower.disks().is_multiple_of(2) {
        [(source, spare), (source, target), (spare, target)]
    } else {
        [(source, target), (source, spare), (spare, target)]
    }
}

impl Cyclic {
    pub(super) fn new(tower: Tower) -> Cyclic {
        Cyclic { position: tower.start(), pairs: pairs(tower), turn: 0 }
    }
}

impl Iterator for Cyclic {
    type Item = Move;

    fn next(&mut self) -> Option<Move> {
        let (a, b) = self.pairs[self.turn];
        // At the end the pair whose turn it would be has no disk.
        let step = self.position.play(a, b).or_else(|_| self.position.play(b, a)).ok()?;
        self.turn = (self.turn + 1) % 3;
        Some(step)
    }
}
