//! Boards: pegs with disks, capacities, lock rings and homes, and what makes one valid (RULES section 1).

use thiserror::Error;

use crate::disk::{Disk, SPECTRA, Spectrum};
use crate::peg::{CAPACITY_MAX, PEGS_MAX, Peg, PegId, Pegs};

/// A board as it stands: where the disks are, and the fixed parts that judge a transfer.
///
/// Valid by construction. Only transfers move disks after that.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    pub(crate) pegs: Pegs,
    capacities: [u8; PEGS_MAX],
    rings: Vec<Ring>,
    homes: [Option<PegId>; SPECTRA],
    disks: DiskSet,
}

/// The fewest pegs a board may have.
pub const PEGS_MIN: usize = 3;
/// The greatest number of lock rings on a board; a collar of two places counts two.
pub const RINGS_MAX: usize = 10;
/// The greatest number of transfers that a ring may wait for: an own limit, so that no optimum outgrows what tables hold.
pub const WAIT_MAX: u16 = 9_999;

/// One lock ring, or several collars of one condition on one peg.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ring {
    /// The peg it is on.
    pub peg: PegId,
    /// Seal or collars.
    pub kind: RingKind,
    /// It holds until this is true.
    pub until: Until,
}

/// What a ring does while it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RingKind {
    /// Stops lifting from and placing on its peg.
    Seal,
    /// Takes that many places off the capacity, 1..=10.
    Collars(u8),
}

/// The condition that opens a ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Until {
    /// At least that many transfers in this attempt, at most [`WAIT_MAX`]; penalties are not counted.
    Moves(u16),
    /// At least that many complete towers on the board right now, so it can close again.
    Towers(u8),
}

/// A set of disks, one bit a disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DiskSet(u64);

/// Why the parts do not make a valid board. Pegs are named as people count them.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum InvalidBoard {
    /// Fewer than 3 or more than 9 pegs.
    #[error("a board has 3 to 9 pegs, not {0}")]
    PegCount(usize),
    /// The number of capacities is not the number of pegs.
    #[error("{capacities} capacities for {pegs} pegs: give one for all, or one a peg")]
    CapacityCount {
        /// Capacities given.
        capacities: usize,
        /// Pegs on the board.
        pegs: usize,
    },
    /// A capacity outside 1..=7.
    #[error("peg {peg} has capacity {capacity}; a capacity is 1 to 7")]
    Capacity {
        /// The peg.
        peg: PegId,
        /// Its capacity.
        capacity: u8,
    },
    /// More disks than the peg's capacity.
    #[error("peg {peg} carries {disks} disks, over its capacity of {capacity}")]
    OverCapacity {
        /// The peg.
        peg: PegId,
        /// The disks on it.
        disks: usize,
        /// Its capacity.
        capacity: u8,
    },
    /// A disk occurs twice.
    #[error("disk {disk} is on the board twice, the second time on peg {peg}")]
    Twice {
        /// The disk.
        disk: Disk,
        /// Where it was met again.
        peg: PegId,
    },
    /// No disk at all.
    #[error("the board has no disk")]
    Empty,
    /// A ring names a peg that is not there.
    #[error("a ring is on peg {peg}, but the board has {pegs} pegs")]
    RingPeg {
        /// The peg named.
        peg: PegId,
        /// Pegs on the board.
        pegs: usize,
    },
    /// More than ten rings.
    #[error("{0} lock rings; a board has at most 10")]
    RingCount(usize),
    /// A collar ring of no places.
    #[error("no collars on peg {0}: name 1 to 10, or leave the ring out")]
    Collars(PegId),
    /// A ring waits for more transfers than [`WAIT_MAX`].
    #[error("a ring on peg {peg} waits for {moves} transfers; at most {WAIT_MAX} would be right")]
    RingMoves {
        /// The peg.
        peg: PegId,
        /// Transfers waited for.
        moves: u16,
    },
    /// A ring waits for more towers than there are spectra.
    #[error("a ring on peg {peg} waits for {towers} towers; the board has {spectra} spectra")]
    RingTowers {
        /// The peg.
        peg: PegId,
        /// Towers waited for.
        towers: u8,
        /// Active spectra.
        spectra: usize,
    },
    /// A home names a peg that is not there.
    #[error("the home of {} is peg {peg}, but the board has {pegs} pegs", spectrum.name())]
    HomePeg {
        /// The spectrum.
        spectrum: Spectrum,
        /// The peg named.
        peg: PegId,
        /// Pegs on the board.
        pegs: usize,
    },
    /// Two spectra share a home.
    #[error("peg {peg} is the home of both {} and {}", first.name(), second.name())]
    HomeShared {
        /// The peg.
        peg: PegId,
        /// One spectrum.
        first: Spectrum,
        /// The other.
        second: Spectrum,
    },
    /// A home for a spectrum that has no disk.
    #[error("{} has a home but no disk on the board", .0.name())]
    HomeInactive(Spectrum),
    /// A home too small for its tower.
    #[error("the home of {}, peg {peg}, holds {capacity} of its {disks} disks", spectrum.name())]
    HomeTooSmall {
        /// The spectrum.
        spectrum: Spectrum,
        /// Its home.
        peg: PegId,
        /// The home's capacity.
        capacity: u8,
        /// Disks of the spectrum.
        disks: usize,
    },
}

impl Board {
    /// Builds a board from its parts. `capacities` has one entry a peg. Rings are put in canonical order:
    /// by peg, seals before collars, then by condition. Errors name the peg and the reason.
    pub fn new(
        pegs: Pegs,
        capacities: &[u8],
        mut rings: Vec<Ring>,
        homes: [Option<PegId>; SPECTRA],
    ) -> Result<Board, InvalidBoard> {
        let count = pegs.len();
        if !(PEGS_MIN..=PEGS_MAX).contains(&count) {
            return Err(InvalidBoard::PegCount(count));
        }
        if capacities.len() != count {
            return Err(InvalidBoard::CapacityCount { capacities: capacities.len(), pegs: count });
        }
        let disks = check_pegs(&pegs, capacities)?;
        check_rings(&rings, &pegs, disks.spectra().count())?;
        check_homes(&homes, &pegs, capacities, disks)?;
        rings.sort_by_key(|r| (r.peg, matches!(r.kind, RingKind::Collars(_)), r.until));
        rings.dedup_by(|next, ring| merge(ring, *next));
        let mut all = [0; PEGS_MAX];
        all[..count].copy_from_slice(capacities);
        Ok(Board { pegs, capacities: all, rings, homes, disks })
    }

    /// The pegs and what they carry.
    pub fn pegs(&self) -> &Pegs {
        &self.pegs
    }

    /// One peg. Panics if the board has no such peg; see [`Pegs::contains`].
    pub fn peg(&self, peg: PegId) -> &Peg {
        &self.pegs[peg]
    }

    /// A peg's capacity without rings, 1..=7.
    pub fn capacity(&self, peg: PegId) -> u8 {
        self.capacities[peg.index()]
    }

    /// All capacities without rings, one a peg.
    pub fn capacities(&self) -> &[u8] {
        &self.capacities[..self.pegs.len()]
    }

    /// The board with the disks at two places changed, places counted from the bottom of the first peg on.
    ///
    /// Panics if there are not that many disks.
    pub fn with_swapped(&self, first: usize, second: usize) -> Board {
        let mut disks: Vec<Disk> = self.pegs.iter().flat_map(|(_, peg)| peg.disks().to_vec()).collect();
        disks.swap(first, second);
        let mut board = self.clone();
        let mut rest = disks.into_iter();
        for id in self.pegs.ids() {
            let mut peg = Peg::default();
            for disk in rest.by_ref().take(self.pegs[id].len()) {
                peg.push(disk).expect("as many disks as before");
            }
            board.pegs[id] = peg;
        }
        board
    }

    /// The lock rings in canonical order.
    pub fn rings(&self) -> &[Ring] {
        &self.rings
    }

    /// The home of a spectrum, where one is named.
    pub fn home(&self, spectrum: Spectrum) -> Option<PegId> {
        self.homes[spectrum.index()]
    }

    /// The disks of the board.
    pub fn disks(&self) -> DiskSet {
        self.disks
    }
}

fn check_pegs(pegs: &Pegs, capacities: &[u8]) -> Result<DiskSet, InvalidBoard> {
    let mut seen = DiskSet::default();
    for (id, peg) in pegs.iter() {
        let capacity = capacities[id.index()];
        if !(1..=CAPACITY_MAX).contains(&capacity) {
            return Err(InvalidBoard::Capacity { peg: id, capacity });
        }
        if peg.len() > usize::from(capacity) {
            return Err(InvalidBoard::OverCapacity { peg: id, disks: peg.len(), capacity });
        }
        for &disk in peg.disks() {
            if !seen.insert(disk) {
                return Err(InvalidBoard::Twice { disk, peg: id });
            }
        }
    }
    if seen.is_empty() { Err(InvalidBoard::Empty) } else { Ok(seen) }
}

fn check_rings(rings: &[Ring], pegs: &Pegs, spectra: usize) -> Result<(), InvalidBoard> {
    let mut count = 0;
    for ring in rings {
        if !pegs.contains(ring.peg) {
            return Err(InvalidBoard::RingPeg { peg: ring.peg, pegs: pegs.len() });
        }
        match ring.until {
            Until::Moves(moves) if moves > WAIT_MAX => return Err(InvalidBoard::RingMoves { peg: ring.peg, moves }),
            Until::Towers(towers) if usize::from(towers) > spectra => {
                return Err(InvalidBoard::RingTowers { peg: ring.peg, towers, spectra });
            }
            Until::Moves(_) | Until::Towers(_) => {}
        }
        match ring.kind {
            RingKind::Seal => count += 1,
            RingKind::Collars(0) => return Err(InvalidBoard::Collars(ring.peg)),
            RingKind::Collars(n) => count += usize::from(n),
        }
    }
    if count > RINGS_MAX { Err(InvalidBoard::RingCount(count)) } else { Ok(()) }
}

/// Collars of one peg and condition are one ring of several places, a doubled seal is one seal: so every board has one
/// form.
fn merge(ring: &mut Ring, next: Ring) -> bool {
    if (ring.peg, ring.until) != (next.peg, next.until) {
        return false;
    }
    match (&mut ring.kind, next.kind) {
        (RingKind::Seal, RingKind::Seal) => true,
        (RingKind::Collars(all), RingKind::Collars(more)) => {
            *all += more;
            true
        }
        _ => false,
    }
}

fn check_homes(
    homes: &[Option<PegId>; SPECTRA],
    pegs: &Pegs,
    capacities: &[u8],
    disks: DiskSet,
) -> Result<(), InvalidBoard> {
    for spectrum in Spectrum::ALL {
        let Some(peg) = homes[spectrum.index()] else { continue };
        if !pegs.contains(peg) {
            return Err(InvalidBoard::HomePeg { spectrum, peg, pegs: pegs.len() });
        }
        let tower = disks.of(spectrum).count();
        if tower == 0 {
            return Err(InvalidBoard::HomeInactive(spectrum));
        }
        let capacity = capacities[peg.index()];
        if tower > usize::from(capacity) {
            return Err(InvalidBoard::HomeTooSmall { spectrum, peg, capacity, disks: tower });
        }
        let mut earlier = Spectrum::ALL[..spectrum.index()].iter();
        if let Some(&first) = earlier.find(|s| homes[s.index()] == Some(peg)) {
            return Err(InvalidBoard::HomeShared { peg, first, second: spectrum });
        }
    }
    Ok(())
}

impl DiskSet {
    /// Adds a disk; false if it was in already.
    pub fn insert(&mut self, disk: Disk) -> bool {
        let bit = 1 << disk.index();
        let fresh = self.0 & bit == 0;
        self.0 |= bit;
        fresh
    }

    /// Whether the disk is in.
    pub fn contains(self, disk: Disk) -> bool {
        self.0 & (1 << disk.index()) != 0
    }

    /// The number of disks.
    pub fn count(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Those of one spectrum.
    pub fn of(self, spectrum: Spectrum) -> DiskSet {
        DiskSet(self.0 & (0x7f << (spectrum.index() * 7)))
    }

    /// The active spectra, in the order of the notation.
    pub fn spectra(self) -> impl Iterator<Item = Spectrum> {
        Spectrum::ALL.into_iter().filter(move |&s| !self.of(s).is_empty())
    }

    /// The disks by packed number.
    pub fn iter(self) -> impl Iterator<Item = Disk> {
        (0..64).filter(move |i| self.0 >> i & 1 == 1).filter_map(Disk::from_index)
    }
}
