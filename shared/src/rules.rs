//! The laws of transfer and what a position is: towers, harmony, settled disks, lockout (RULES section 2).
//!
//! Everything here judges the position before the lift; a disk in the hand counts as on its source.

use arrayvec::ArrayVec;
use thiserror::Error;

use crate::board::{Board, DiskSet, RingKind, Until};
use crate::disk::{Disk, Spectrum};
use crate::peg::{PEGS_MAX, PegId};

/// One disk, the top one of `from`, to the top of `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Transfer {
    /// The source peg.
    pub from: PegId,
    /// The target peg.
    pub to: PegId,
}

/// Transfers made in this attempt, penalties not counted: what `moves >= n` rings wait for.
pub type Transfers = u32;

/// All transfers of one position: at most one for each ordered pair of pegs.
pub type TransferList = ArrayVec<Transfer, { PEGS_MAX * (PEGS_MAX - 1) }>;

/// Why a disk cannot be lifted from a peg.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CannotLift {
    /// The board has no such peg.
    #[error("the board has no peg {0}")]
    NoSuchPeg(PegId),
    /// Nothing is on it.
    #[error("peg {0} is empty")]
    Empty(PegId),
    /// A seal holds it.
    #[error("peg {0} is sealed")]
    Sealed(PegId),
}

/// Why a lifted disk cannot be placed on a peg.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CannotPlace {
    /// The board has no such peg.
    #[error("the board has no peg {0}")]
    NoSuchPeg(PegId),
    /// Source and target are the same.
    #[error("a transfer goes to another peg")]
    SamePeg,
    /// A seal holds the target.
    #[error("peg {0} is sealed")]
    Sealed(PegId),
    /// The target has no room, collars included.
    #[error("peg {0} has no room")]
    Full(PegId),
    /// The target's top disk is of another spectrum (law 2).
    #[error("{disk} cannot rest on {below}: another spectrum")]
    Spectrum {
        /// The disk lifted.
        disk: Disk,
        /// The target's top disk.
        below: Disk,
    },
    /// The target's top disk is smaller (law 1).
    #[error("{disk} cannot rest on {below}: it is smaller")]
    Size {
        /// The disk lifted.
        disk: Disk,
        /// The target's top disk.
        below: Disk,
    },
}

/// Why a transfer is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Illegal {
    /// The disk cannot be lifted.
    #[error(transparent)]
    Lift(#[from] CannotLift),
    /// The disk cannot be placed.
    #[error(transparent)]
    Place(#[from] CannotPlace),
}

impl Board {
    /// The disk that would be lifted from `from`, or why none can.
    pub fn can_lift(&self, from: PegId, made: Transfers) -> Result<Disk, CannotLift> {
        if !self.pegs.contains(from) {
            return Err(CannotLift::NoSuchPeg(from));
        }
        let disk = self.pegs[from].top().ok_or(CannotLift::Empty(from))?;
        if self.is_sealed(from, made) { Err(CannotLift::Sealed(from)) } else { Ok(disk) }
    }

    /// Whether `disk`, lifted from `from`, may be placed on `to`.
    pub fn can_place(&self, disk: Disk, from: PegId, to: PegId, made: Transfers) -> Result<(), CannotPlace> {
        if !self.pegs.contains(to) {
            return Err(CannotPlace::NoSuchPeg(to));
        }
        if from == to {
            return Err(CannotPlace::SamePeg);
        }
        if self.is_sealed(to, made) {
            return Err(CannotPlace::Sealed(to));
        }
        if self.pegs[to].len() >= usize::from(self.room(to, made)) {
            return Err(CannotPlace::Full(to));
        }
        match self.pegs[to].top() {
            Some(below) if below.spectrum() != disk.spectrum() => Err(CannotPlace::Spectrum { disk, below }),
            Some(below) if below.size() < disk.size() => Err(CannotPlace::Size { disk, below }),
            _ => Ok(()),
        }
    }

    /// Whether a transfer is legal in this position after `made` transfers.
    pub fn check(&self, transfer: Transfer, made: Transfers) -> Result<(), Illegal> {
        let disk = self.can_lift(transfer.from, made)?;
        Ok(self.can_place(disk, transfer.from, transfer.to, made)?)
    }

    /// Makes a legal transfer; the position is unchanged by an illegal one.
    pub fn play(&mut self, transfer: Transfer, made: Transfers) -> Result<(), Illegal> {
        self.check(transfer, made)?;
        self.play_unchecked(transfer);
        Ok(())
    }

    /// Makes a transfer that is known to be legal, or takes one back. Does nothing if the source is empty.
    pub fn play_unchecked(&mut self, transfer: Transfer) {
        if let Some(disk) = self.pegs[transfer.from].pop()
            && self.pegs[transfer.to].push(disk).is_err()
        {
            unreachable!("a transfer to a full peg was not checked");
        }
    }

    /// All legal transfers, by source and then by target.
    pub fn legal_transfers(&self, made: Transfers) -> TransferList {
        let mut list = TransferList::new();
        for from in self.pegs.ids() {
            let Ok(disk) = self.can_lift(from, made) else { continue };
            let targets = self.pegs.ids().filter(|&to| self.can_place(disk, from, to, made).is_ok());
            list.extend(targets.map(|to| Transfer { from, to }));
        }
        list
    }

    /// Whether some peg would take the top disk of `from`.
    pub fn has_target(&self, from: PegId, made: Transfers) -> bool {
        self.can_lift(from, made)
            .is_ok_and(|disk| self.pegs.ids().any(|to| self.can_place(disk, from, to, made).is_ok()))
    }

    /// Whether no legal transfer exists and harmony does not reign.
    pub fn is_lockout(&self, made: Transfers) -> bool {
        !self.is_harmony() && self.pegs.ids().all(|from| !self.has_target(from, made))
    }

    /// Whether a seal holds that peg.
    pub fn is_sealed(&self, peg: PegId, made: Transfers) -> bool {
        let mut seals = self.rings().iter().filter(|r| r.peg == peg && r.kind == RingKind::Seal);
        seals.any(|ring| !self.is_open(ring.until, made))
    }

    /// The places of a peg, collars that hold taken off.
    pub fn room(&self, peg: PegId, made: Transfers) -> u8 {
        let collars = self.rings().iter().filter(|r| r.peg == peg).map(|ring| match ring.kind {
            RingKind::Collars(n) if !self.is_open(ring.until, made) => n,
            _ => 0,
        });
        self.capacity(peg).saturating_sub(collars.sum())
    }

    /// Whether a ring's condition holds.
    pub fn is_open(&self, until: Until, made: Transfers) -> bool {
        match until {
            Until::Moves(n) => made >= u32::from(n),
            Until::Towers(k) => self.towers() >= usize::from(k),
        }
    }

    /// The number of complete towers.
    pub fn towers(&self) -> usize {
        self.disks().spectra().filter(|&s| self.is_complete(s)).count()
    }

    /// Whether every disk of the spectrum stands on one peg, its home if it has one, nothing else on that peg,
    /// sizes growing downwards.
    pub fn is_complete(&self, spectrum: Spectrum) -> bool {
        let tower = self.disks().of(spectrum).count();
        self.pegs.iter().any(|(id, peg)| {
            peg.len() == tower
                && self.home(spectrum).is_none_or(|home| home == id)
                && peg.disks().iter().all(|d| d.spectrum() == spectrum)
                && peg.disks().is_sorted_by(|below, above| below.size() > above.size())
        })
    }

    /// Whether every spectrum is a complete tower.
    pub fn is_harmony(&self) -> bool {
        self.disks().spectra().all(|s| self.is_complete(s))
    }

    /// The settled disks: all larger active disks of the spectrum, and nothing else, lie below down to the bottom of
    /// a peg that can carry the whole tower (its home, if named).
    pub fn settled(&self) -> DiskSet {
        let mut settled = DiskSet::default();
        for (id, peg) in self.pegs.iter() {
            let Some(base) = peg.disks().first() else { continue };
            let spectrum = base.spectrum();
            let tower = self.disks().of(spectrum);
            if tower.count() > usize::from(self.capacity(id)) || self.home(spectrum).is_some_and(|home| home != id) {
                continue;
            }
            // From the largest active disk down in size, as long as each lies where the tower wants it.
            let mut wanted = tower.iter().collect::<ArrayVec<Disk, 7>>();
            for disk in peg.disks() {
                if wanted.pop() != Some(*disk) {
                    break;
                }
                settled.insert(*disk);
            }
        }
        settled
    }
}
