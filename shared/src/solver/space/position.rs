//! Positions unpacked, and the transfers that they lead to.
//!
//! The part of the solver that must say the same as RULES section 2: every proof rests on it.

use super::{CODES_MAX, Space};
use crate::board::{RingKind, Until};
use crate::disk::{DISKS_MAX, SIZE_MAX};
use crate::peg::PEGS_MAX;
use crate::solver::key::Key;

/// A position unpacked: enough to list its transfers and to bound its distance.
#[derive(Clone, Debug)]
pub(crate) struct Position<const N: usize> {
    pub key: Key<N>,
    pub code: [u8; DISKS_MAX],
    pub settled: u64,
    /// Disks on the disk of the start board that no transfer could put under them.
    pub tangled: u64,
    /// Disks that lie on a floor.
    pub lowest: u64,
    /// Topmost disks.
    pub tops: u64,
    /// The point of the lattice of `bound.rs`.
    pub point: u32,
    /// Pegs without a disk, by class.
    pub empty: [u8; PEGS_MAX],
    /// Complete towers.
    pub towers: u8,
    /// Transfers made, at most `moves_cap`.
    pub made: u32,
}

/// What a disk rests on.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Support {
    /// That disk.
    Disk(u8),
    /// The floor of a peg of that class.
    Floor(u8),
}

/// One transfer as the solver sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step<const N: usize> {
    /// The position after it.
    pub key: Key<N>,
    /// The disk that moves.
    pub disk: u8,
    /// Whether it leaves a support of the start board that no transfer makes again.
    pub untangles: bool,
    /// The change of the first part of the bound.
    pub needs: i8,
    /// Whether it then rests on a larger one of its spectrum without being settled.
    pub stacks: bool,
    /// What the point falls by.
    pub point: u32,
    /// The code of what it rests on then.
    pub code: u8,
}

impl Space {
    /// Unpacks a key of this board.
    pub fn unpack<const N: usize>(&self, key: Key<N>) -> Position<N> {
        let mut position = Position {
            key,
            code: [0; DISKS_MAX],
            settled: 0,
            tangled: 0,
            lowest: 0,
            tops: 0,
            point: 0,
            empty: [0; PEGS_MAX],
            towers: 0,
            made: self.made(key),
        };
        let mut covered = 0_u64;
        // The disks that rest on the next larger one of their spectrum.
        let mut in_order = 0_u64;
        for d in 0..self.disks {
            let code = key.field(self.offset[d].into(), self.width[d].into()) as u8;
            position.code[d] = code;
            // No branches: what a disk rests on cannot be foretold.
            covered |= self.below[d][usize::from(code) % CODES_MAX];
            position.tangled |= u64::from(code == 0) << d;
            position.lowest |= u64::from(code > self.larger[d]) << d;
            in_order |= u64::from(code == 1) << d;
        }
        in_order &= !position.lowest;
        position.point = bits(position.tangled).map(|disk| self.weight[usize::from(disk)]).sum();
        if self.classes.len() == 1 {
            position.empty[0] = self.pegs as u8 - position.lowest.count_ones() as u8;
            position.settled = position.lowest & self.bases;
        } else {
            self.look_at_floors(&mut position);
        }
        position.tops = ((1 << self.disks) - 1) & !covered;
        for _ in 1..SIZE_MAX {
            position.settled |= (position.settled >> 1) & in_order;
        }
        // Another disk may lie on a tower that the start board has.
        position.towers = (position.settled & position.tops & self.smallest).count_ones() as u8;
        position
    }

    /// The empty pegs and the settled largest disks, where pegs differ.
    fn look_at_floors<const N: usize>(&self, position: &mut Position<N>) {
        for (empty, class) in position.empty.iter_mut().zip(&self.classes) {
            *empty = class.pegs;
        }
        for d in bits(position.lowest).map(usize::from) {
            let class = usize::from(position.code[d] - self.larger[d] - 1);
            position.empty[class] -= 1;
            position.settled |= u64::from(self.base_fits[d][class]) << d;
        }
    }

    /// What a code says that a disk rests on.
    pub fn support(&self, disk: u8, code: u8) -> Support {
        let larger = self.larger[usize::from(disk)];
        match code {
            0 => Support::Disk(self.tangled_on[usize::from(disk)]),
            _ if code <= larger => Support::Disk(disk + code),
            _ => Support::Floor(code - larger - 1),
        }
    }

    /// The height of the stack under a topmost disk, and the class of its peg.
    fn stack<const N: usize>(&self, position: &Position<N>, top: u8) -> (u8, u8) {
        let mut disk = top;
        let mut height = 1;
        loop {
            match self.support(disk, position.code[usize::from(disk)]) {
                Support::Disk(below) => disk = below,
                Support::Floor(class) => return (height, class),
            }
            height += 1;
        }
    }

    /// Whether every spectrum is a complete tower: then every disk is settled, and nothing else is on any peg.
    pub fn is_harmony<const N: usize>(&self, position: &Position<N>) -> bool {
        position.settled.count_ones() as usize == self.disks
    }

    /// The least that one disk still needs, from its support alone: 0 if settled; 2 if unsettled above a larger disk
    /// of its spectrum; else 1.
    ///
    /// The sum over all disks never exceeds the distance. A disk that is not settled must move. If a larger disk of
    /// its spectrum lies below it in its stack, it must move off before anything below it can, and it is placed for
    /// good only after every larger disk of its spectrum was; were its one move both, the larger disk below would
    /// have to be in place already with nothing missing between, and then the disk were settled.
    fn need(&self, disk: usize, code: u8, settled: bool) -> i8 {
        if settled {
            0
        } else if code == 0 {
            1 + i8::from(self.covers_larger[disk])
        } else if code <= self.larger[disk] {
            2
        } else {
            1
        }
    }

    /// The plain bound of a position: the needs of all its disks.
    pub fn needs<const N: usize>(&self, position: &Position<N>) -> u32 {
        let covering = position.tangled & self.covering;
        self.untangled_needs(position) + position.tangled.count_ones() + covering.count_ones()
    }

    /// The disks that rest on a larger one of their spectrum and are not settled.
    pub fn stacked<const N: usize>(&self, position: &Position<N>) -> u64 {
        let all = (1_u64 << self.disks) - 1;
        all & !position.tangled & !position.lowest & !position.settled
    }

    /// Disks that rest on a larger one of their spectrum on the start board.
    pub fn start_stacked(&self) -> u64 {
        self.start_stacked
    }

    /// The first part of `bound.rs`: the needs of the disks that are not tangled.
    pub fn untangled_needs<const N: usize>(&self, position: &Position<N>) -> u32 {
        (position.lowest & !position.settled).count_ones() + 2 * self.stacked(position).count_ones()
    }

    /// The places of a class of pegs in a position, collars taken off; `None` if sealed.
    fn room<const N: usize>(&self, class: usize, position: &Position<N>) -> Option<u8> {
        let class = &self.classes[class];
        let mut room = class.capacity;
        for &(kind, until) in &class.rings {
            let open = match until {
                Until::Moves(n) => position.made >= u32::from(n),
                Until::Towers(k) => position.towers >= k,
            };
            match kind {
                _ if open => {}
                RingKind::Seal => return None,
                RingKind::Collars(n) => room = room.saturating_sub(n),
            }
        }
        Some(room)
    }

    /// Calls `visit` with every legal transfer of a position, up to interchangeable pegs.
    ///
    /// A transfer from a peg to an empty one of its class that changes nothing is left out where no ring counts
    /// transfers.
    pub fn steps<const N: usize>(&self, position: &Position<N>, visit: impl FnMut(Step<N>)) {
        self.steps_of(position, position.tops, |_, _| false, visit);
    }

    /// The same for transfers of some of the topmost disks, without those that `leaves_out` says by disk and code.
    pub fn steps_of<const N: usize>(
        &self,
        position: &Position<N>,
        sources: u64,
        leaves_out: impl Fn(u8, u8) -> bool,
        mut visit: impl FnMut(Step<N>),
    ) {
        let rooms = self.rooms(position);
        for disk in bits(position.tops & sources) {
            let d = usize::from(disk);
            if !self.reversible && rooms[usize::from(self.stack(position, disk).1)].is_none() {
                continue;
            }
            for target in bits(position.tops & self.larger_mask(d)) {
                let (height, class) = self.stack(position, target);
                if rooms[usize::from(class)].is_some_and(|room| height < room) && !leaves_out(disk, target - disk) {
                    visit(self.step(position, disk, target - disk));
                }
            }
            let from = position.code[d];
            for (class, room) in (0..).zip(&rooms[..self.classes.len()]) {
                let code = self.larger[d] + 1 + class;
                let same = from == code && self.moves_cap == 0;
                let is_free = position.empty[usize::from(class)] > 0 && room.is_some_and(|room| room > 0);
                if is_free && !same && !leaves_out(disk, code) {
                    visit(self.step(position, disk, code));
                }
            }
        }
    }

    /// The number of legal transfers on the real pegs, given how many `steps` lead onto another disk.
    pub fn legal_count<const N: usize>(&self, position: &Position<N>, onto_disks: u32) -> u32 {
        let rooms = self.rooms(position);
        let open = |class: usize| rooms[class].is_some_and(|room| room > 0);
        let empty: u32 = (0..self.classes.len()).filter(|&c| open(c)).map(|c| u32::from(position.empty[c])).sum();
        let is_free = |disk: &u8| self.reversible || rooms[usize::from(self.stack(position, *disk).1)].is_some();
        let sources = bits(position.tops).filter(is_free).count() as u32;
        onto_disks + sources * empty
    }

    /// The places of each class of pegs, collars taken off; `None` if sealed.
    fn rooms<const N: usize>(&self, position: &Position<N>) -> [Option<u8>; PEGS_MAX] {
        let mut rooms = [None; PEGS_MAX];
        for (c, room) in rooms.iter_mut().enumerate().take(self.classes.len()) {
            *room = self.room(c, position);
        }
        rooms
    }

    fn step<const N: usize>(&self, position: &Position<N>, disk: u8, new: u8) -> Step<N> {
        let d = usize::from(disk);
        let old = position.code[d];
        let settles = if new <= self.larger[d] {
            new == 1 && position.settled >> (d + 1) & 1 == 1
        } else {
            self.base_fits[d][usize::from(new - self.larger[d] - 1)]
        };
        let mut key = position.key.flip(self.offset[d].into(), u32::from(old ^ new));
        if position.made < self.moves_cap {
            key = key.flip(self.moves_offset, position.made ^ (position.made + 1));
        }
        let was_settled = position.settled >> d & 1 == 1;
        let needed = if old == 0 { 0 } else { self.need(d, old, was_settled) };
        let needs = self.need(d, new, settles);
        Step {
            key,
            disk,
            untangles: old == 0,
            needs: needs - needed,
            stacks: new <= self.larger[d] && !settles,
            point: if old == 0 { self.weight[d] } else { 0 },
            code: new,
        }
    }
}

/// The numbers of the bits that are set, from the least.
fn bits(mut mask: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let bit = mask.trailing_zeros() as u8;
        (mask != 0).then(|| {
            mask &= mask - 1;
            bit
        })
    })
}
