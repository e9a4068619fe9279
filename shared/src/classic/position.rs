//! A position of the classic tower: any of the 3^n in which no disk lies on a smaller one.

use thiserror::Error;

use super::{DISKS_MAX, Move, NoTower, Peg, below};

/// Where each disk is. On a peg the smaller ones lie above: a set of disks a peg says all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    disks: u8,
    /// For each peg the set of its disks: disk i as bit i − 1.
    pegs: [u64; 3],
}

/// Why a disk cannot be moved so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Illegal {
    /// Nothing is on the source.
    #[error("peg {0} is empty: lift a disk from another one")]
    Empty(Peg),
    /// It would stay where it is.
    #[error("disk {0} is on peg {1} already: place it on another peg")]
    SamePeg(u8, Peg),
    /// A smaller disk is on top of the target.
    #[error("disk {disk} cannot rest on disk {below}: place it on an empty peg or on a larger disk")]
    Smaller {
        /// The disk that would move.
        disk: u8,
        /// The top disk of the target.
        below: u8,
    },
}

impl Position {
    /// The position in which disk i is on the i-th of these pegs; an error for more than 64.
    pub fn of(pegs: &[Peg]) -> Result<Position, NoTower> {
        let disks = u8::try_from(pegs.len()).ok().filter(|&disks| disks <= DISKS_MAX);
        let disks = disks.ok_or(NoTower::Disks(pegs.len() as u64))?;
        Ok(Position::with(disks, |disk| pegs[usize::from(disk) - 1]))
    }

    /// The position of `disks` disks, 0..=64, in which each one, 1..=disks, is on its peg.
    pub(super) fn with(disks: u8, peg_of: impl Fn(u8) -> Peg) -> Position {
        let mut pegs = [0; 3];
        for disk in 1..=disks {
            pegs[peg_of(disk).index()] |= 1 << (disk - 1);
        }
        Position { disks, pegs }
    }

    /// The number of disks.
    pub fn disks(&self) -> u8 {
        self.disks
    }

    /// The peg that a disk, 1..=n, is on.
    pub fn peg_of(&self, disk: u8) -> Peg {
        let on = Peg::ALL.into_iter().find(|peg| self.pegs[peg.index()] & 1 << (disk - 1) != 0);
        on.expect("every disk is on some peg")
    }

    /// The disks of a peg from the bottom up, so the largest first.
    pub fn on(&self, peg: Peg) -> impl Iterator<Item = u8> + use<> {
        let set = self.pegs[peg.index()];
        (1..=self.disks).rev().filter(move |disk| set & 1 << (disk - 1) != 0)
    }

    /// The top disk of a peg.
    pub fn top(&self, peg: Peg) -> Option<u8> {
        let set = self.pegs[peg.index()];
        (set != 0).then(|| set.trailing_zeros() as u8 + 1)
    }

    /// The move of the top disk of `from` to `to`, or why it is not allowed.
    pub fn check(&self, from: Peg, to: Peg) -> Result<Move, Illegal> {
        let disk = self.top(from).ok_or(Illegal::Empty(from))?;
        match self.top(to) {
            _ if from == to => Err(Illegal::SamePeg(disk, from)),
            Some(below) if below < disk => Err(Illegal::Smaller { disk, below }),
            _ => Ok(Move { disk, from, to }),
        }
    }

    /// Makes the move of the top disk of `from` to `to`; changes nothing where that is not allowed.
    pub fn play(&mut self, from: Peg, to: Peg) -> Result<Move, Illegal> {
        let step = self.check(from, to)?;
        self.pegs[from.index()] ^= 1 << (step.disk - 1);
        self.pegs[to.index()] ^= 1 << (step.disk - 1);
        Ok(step)
    }

    /// Whether all disks are on that peg.
    pub fn is_tower_on(&self, peg: Peg) -> bool {
        self.pegs[peg.index()] == below(self.disks)
    }

    /// The fewest moves from here to the whole tower on `target`: at most 2^n − 1.
    pub fn moves_left(&self, target: Peg) -> u64 {
        self.misplaced(target).fold(0, |left, (disk, _)| left | 1 << (disk - 1))
    }

    /// The first move of the one shortest way from here to the whole tower on `target`; `None` where it stands there.
    pub fn hint(&self, target: Peg) -> Option<Move> {
        // All smaller disks are out of the way of the smallest one that is not where it must go.
        let (disk, to) = self.misplaced(target).last()?;
        Some(Move { disk, from: self.peg_of(disk), to })
    }

    /// From the largest down, the disks that are not where they must go, and where that is: the largest to the target;
    /// all smaller ones out of the way of the last one that has to move, or with it where none has.
    fn misplaced(&self, target: Peg) -> impl Iterator<Item = (u8, Peg)> {
        let mut goal = target;
        (1..=self.disks).rev().filter_map(move |disk| {
            let (at, to) = (self.peg_of(disk), goal);
            (at != to).then(|| {
                goal = at.third(to);
                (disk, to)
            })
        })
    }
}
