//! Pegs: their numbers as people see them (from 1) and the stacks they carry.

use std::fmt;
use std::ops::{Index, IndexMut};

use arrayvec::ArrayVec;

use crate::disk::{Disk, SIZE_MAX};

/// The number of a peg. Counted from 1 wherever a person or the wire sees it, from 0 as an index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PegId(u8);

/// The greatest number of pegs on a board.
pub const PEGS_MAX: usize = 9;
/// The greatest capacity of a peg, in disks.
pub const CAPACITY_MAX: u8 = SIZE_MAX;

impl PegId {
    /// The peg numbered `number`, 1..=9 as people count; `None` outside.
    pub fn new(number: u32) -> Option<PegId> {
        (1..=PEGS_MAX as u32).contains(&number).then(|| PegId(number as u8 - 1))
    }

    /// The peg at `index`, 0..=8; `None` outside.
    pub fn from_index(index: usize) -> Option<PegId> {
        (index < PEGS_MAX).then_some(PegId(index as u8))
    }

    /// The number as people count, 1..=9.
    pub fn number(self) -> u8 {
        self.0 + 1
    }

    /// The index, 0..=8.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl fmt::Display for PegId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}

impl fmt::Debug for PegId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "peg {}", self.number())
    }
}

/// The disks on one peg, bottom first, at most seven.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Peg(ArrayVec<Disk, { CAPACITY_MAX as usize }>);

impl Peg {
    /// The disks from the bottom up.
    pub fn disks(&self) -> &[Disk] {
        &self.0
    }

    /// The topmost disk.
    pub fn top(&self) -> Option<Disk> {
        self.0.last().copied()
    }

    /// The number of disks.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the peg carries nothing.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Puts a disk on top; gives it back when seven are there already.
    pub fn push(&mut self, disk: Disk) -> Result<(), Disk> {
        self.0.try_push(disk).map_err(|full| full.element())
    }

    /// Takes the topmost disk.
    pub fn pop(&mut self) -> Option<Disk> {
        self.0.pop()
    }
}

impl fmt::Debug for Peg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The pegs of a board, 3..=9 of them, indexed by [`PegId`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pegs(ArrayVec<Peg, PEGS_MAX>);

impl Pegs {
    /// The pegs in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (PegId, &Peg)> {
        self.0.iter().enumerate().map(|(i, peg)| (PegId(i as u8), peg))
    }

    /// The number of pegs.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no peg at all.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a peg; gives it back when nine are there already.
    pub fn push(&mut self, peg: Peg) -> Result<(), Peg> {
        self.0.try_push(peg).map_err(|full| full.element())
    }

    /// The ids of all pegs.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = PegId> + use<> {
        (0..self.0.len()).map(|i| PegId(i as u8))
    }

    /// Whether that peg exists.
    pub fn contains(&self, peg: PegId) -> bool {
        peg.index() < self.0.len()
    }
}

impl Index<PegId> for Pegs {
    type Output = Peg;
    fn index(&self, peg: PegId) -> &Peg {
        &self.0[peg.index()]
    }
}

impl IndexMut<PegId> for Pegs {
    fn index_mut(&mut self, peg: PegId) -> &mut Peg {
        &mut self.0[peg.index()]
    }
}

impl serde::Serialize for PegId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.number())
    }
}

impl<'de> serde::Deserialize<'de> for PegId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<PegId, D::Error> {
        let number = u32::deserialize(deserializer)?;
        PegId::new(number).ok_or_else(|| serde::de::Error::custom(format!("a peg is 1 to 9, not {number}")))
    }
}
