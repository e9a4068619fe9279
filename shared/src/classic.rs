//! The classic tower of RULES section 8: n disks of different sizes, three pegs, 2^n − 1 moves.
//!
//! The list of moves is never stored: methods play it out one move at a time, and any move and any position of it is
//! reckoned directly, up to 64 disks. It shares nothing with the boards of the race but the word *peg*.

mod legend;
mod methods;
mod position;
mod reason;
#[cfg(test)]
mod vectors;

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

pub use legend::{SECONDS_IN_A_YEAR, YEARS_OF_THE_UNIVERSE, span};
pub use methods::{Method, Moves, NoMethod};
pub use position::{Illegal, Position};

/// A tower to be brought from one peg to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tower {
    disks: u8,
    source: Peg,
    target: Peg,
}

/// One of the three pegs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Peg(u8);

/// One move: that disk, 1 the smallest, from the top of one peg to the top of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The disk, 1 the smallest.
    pub disk: u8,
    /// The peg that it leaves.
    pub from: Peg,
    /// The peg that it goes to.
    pub to: Peg,
}

/// The greatest number of disks: those of the story, whose moves just fit 64 bits.
pub const DISKS_MAX: u8 = 64;

/// Why there is no such tower.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NoTower {
    /// More disks than 64.
    #[error("a classic tower has 0 to 64 disks, not {0}")]
    Disks(u64),
    /// It would stay where it is.
    #[error("peg {0} is both source and target: a tower goes to another peg")]
    SamePeg(Peg),
}

/// A peg that the classic tower does not have.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the classic tower has no peg {0}: its pegs are 1, 2 and 3, or A, B and C")]
pub struct NoPeg(pub String);

/// A number of a move that the tower does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum OutOfRange {
    /// No move has that number.
    #[error("there is no move {number}: {}", numbered(*.moves))]
    Move {
        /// The number asked for.
        number: u128,
        /// The moves of the tower.
        moves: u64,
    },
    /// The tower is never after so many moves.
    #[error("the tower is never after {made} moves: it stands on its target after {moves}")]
    After {
        /// The number asked for.
        made: u128,
        /// The moves of the tower.
        moves: u64,
    },
}

fn numbered(moves: u64) -> String {
    match moves {
        0 => "a tower of no disks has none".to_owned(),
        1 => "the only move of this tower is 1".to_owned(),
        moves => format!("the moves of this tower are 1 to {moves}"),
    }
}

impl Tower {
    /// The tower of that many disks, 0 to 64, between two different pegs.
    pub fn new(disks: u64, source: Peg, target: Peg) -> Result<Tower, NoTower> {
        if source == target {
            return Err(NoTower::SamePeg(source));
        }
        let fits = u8::try_from(disks).ok().filter(|&disks| disks <= DISKS_MAX);
        fits.map(|disks| Tower { disks, source, target }).ok_or(NoTower::Disks(disks))
    }

    /// The number of disks, 0..=64.
    pub fn disks(self) -> u8 {
        self.disks
    }

    /// The peg on which it stands at first.
    pub fn source(self) -> Peg {
        self.source
    }

    /// The peg to which it is brought.
    pub fn target(self) -> Peg {
        self.target
    }

    /// The peg that is neither.
    pub fn spare(self) -> Peg {
        self.source.third(self.target)
    }

    /// The number of moves, 2^n − 1: no fewer will do, and there is one way to do it in so many.
    pub fn moves(self) -> u64 {
        below(self.disks)
    }

    /// How often a disk, 1..=n, moves: 2^(n − disk) times.
    pub fn moves_of(self, disk: u8) -> u64 {
        1 << (self.disks - disk)
    }

    /// Which way round a disk, 1..=n, goes, from the source on: source, target, spare if n − disk is even, else the
    /// other way.
    pub fn round_of(self, disk: u8) -> Round {
        if (self.disks - disk).is_multiple_of(2) {
            Round([self.source, self.target, self.spare()])
        } else {
            Round([self.source, self.spare(), self.target])
        }
    }

    /// Move `number`, 1..=2^n − 1, reckoned directly.
    ///
    /// Disk i moves at every 2^i-th move from 2^(i − 1) on, each time one peg further on its round.
    pub fn move_at(self, number: u128) -> Result<Move, OutOfRange> {
        let moves = self.moves();
        let in_range = u64::try_from(number).ok().filter(|number| (1..=moves).contains(number));
        let number = in_range.ok_or(OutOfRange::Move { number, moves })?;
        let disk = number.trailing_zeros() as u8 + 1;
        let before = u128::from(number) >> disk;
        let round = self.round_of(disk);
        Ok(Move { disk, from: round.after(before), to: round.after(before + 1) })
    }

    /// The position after `made` moves, 0..=2^n − 1, reckoned directly.
    pub fn after(self, made: u128) -> Result<Position, OutOfRange> {
        let moves = self.moves();
        if made > u128::from(moves) {
            return Err(OutOfRange::After { made, moves });
        }
        let peg_of = |disk: u8| self.round_of(disk).after((made + (1 << (disk - 1))) >> disk);
        Ok(Position::with(self.disks, peg_of))
    }

    /// The position before the first move.
    pub fn start(self) -> Position {
        Position::with(self.disks, |_| self.source)
    }

    /// The moves one after the other, found by that method.
    pub fn play_out(self, method: Method) -> Moves {
        Moves::new(self, method)
    }
}

/// The moves of so many disks, 2^n − 1, with n at most 64.
fn below(disks: u8) -> u64 {
    u64::MAX.checked_shr(u32::from(DISKS_MAX - disks)).unwrap_or(0)
}

/// The three pegs in the order in which a disk visits them, its source first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round(pub [Peg; 3]);

impl Round {
    /// Where a disk is after that many moves of its own.
    pub fn after(self, moves: u128) -> Peg {
        self.0[(moves % 3) as usize]
    }

    /// The peg that follows.
    pub fn next(self, peg: Peg) -> Peg {
        let [a, b, c] = self.0;
        if peg == a {
            b
        } else if peg == b {
            c
        } else {
            a
        }
    }

    /// Whether it goes 1, 2, 3, 1.
    pub fn is_clockwise(self) -> bool {
        self.next(Peg(0)) == Peg(1)
    }
}

impl Peg {
    /// All three.
    pub const ALL: [Peg; 3] = [Peg(0), Peg(1), Peg(2)];

    /// The peg of that number, 1..=3.
    pub fn new(number: u32) -> Result<Peg, NoPeg> {
        match number {
            1..=3 => Ok(Peg(number as u8 - 1)),
            _ => Err(NoPeg(number.to_string())),
        }
    }

    /// The number as people count, 1..=3.
    pub fn number(self) -> u8 {
        self.0 + 1
    }

    /// The place in [`Peg::ALL`], 0..=2.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The peg that is neither this one nor `other`; this is not `other`.
    pub fn third(self, other: Peg) -> Peg {
        // The numbers of all three add up to 6.
        Peg(3 - self.0 - other.0)
    }
}

impl FromStr for Peg {
    type Err = NoPeg;

    fn from_str(text: &str) -> Result<Peg, NoPeg> {
        match text {
            "1" | "A" | "a" => Ok(Peg(0)),
            "2" | "B" | "b" => Ok(Peg(1)),
            "3" | "C" | "c" => Ok(Peg(2)),
            _ => Err(NoPeg(format!("{text:?}"))),
        }
    }
}

impl fmt::Display for Peg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}

impl fmt::Debug for Peg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "peg {self}")
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}-{}", self.disk, self.from, self.to)
    }
}

impl fmt::Display for Round {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c] = self.0;
        write!(f, "{a}-{b}-{c}")
    }
}
