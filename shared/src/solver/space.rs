//! The fixed parts of a board as the solver sees them, and positions packed and unpacked.
//!
//! A position is what each disk rests on. Pegs of one class (equal capacity, rings and home) are interchangeable, so
//! the floor of a class stands for the floor of any of its pegs, and positions that differ only in which peg of a
//! class carries which stack have one key. A support that no transfer can make (another spectrum, or a smaller disk)
//! can only be the one of the start board, and once left it is never returned to.
//!
//! Nothing here searches. What is said to be proven rests on this file keeping to RULES section 2.

use std::ops::Range;

use arrayvec::ArrayVec;

use super::bound::weights;
use super::key::Key;
use crate::board::{Board, RingKind, Until};
use crate::disk::{DISKS_MAX, Disk, SIZE_MAX, Spectrum};
use crate::peg::{CAPACITY_MAX, PEGS_MAX, Peg, Pegs};

/// No disk.
pub(crate) const NONE: u8 = u8::MAX;

/// Pegs that a permutation of may not be noticed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Class {
    capacity: u8,
    rings: ArrayVec<(RingKind, Until), 10>,
    home: Option<usize>,
    pegs: u8,
}

/// The fixed parts of one board. Disks are numbered 0.. by spectrum and growing size, active ones only.
#[derive(Clone, Debug)]
pub(crate) struct Space {
    /// Active disks.
    pub disks: usize,
    /// The number of larger disks of its spectrum, for each disk.
    pub larger: [u8; DISKS_MAX],
    /// Disk under it on the start board where no transfer could have put it there, else `NONE`.
    pub tangled_on: [u8; DISKS_MAX],
    /// Whether a larger disk of its spectrum lies somewhere below it on the start board.
    pub covers_larger: [bool; DISKS_MAX],
    /// Whether a transfer onto a support that a transfer can make may always be taken back: no rings.
    pub reversible: bool,
    /// Whether settled disks never need to move: equal pegs that carry a whole tower, no rings, no homes.
    pub plain: bool,
    classes: ArrayVec<Class, PEGS_MAX>,
    /// First disk of each spectrum, and the end.
    starts: ArrayVec<u8, 6>,
    offset: [u8; DISKS_MAX],
    width: [u8; DISKS_MAX],
    moves_offset: u32,
    moves_width: u32,
    /// Transfers above this make no difference to any ring.
    moves_cap: u32,
    bits: u32,
    /// For each disk and class: whether the largest disk may stand there for good.
    base_fits: [[bool; PEGS_MAX]; DISKS_MAX],
    start_codes: [u8; DISKS_MAX],
    /// The number here of each disk of the game, `NONE` if it is not on the board.
    local: [u8; DISKS_MAX],
    class_of: [u8; PEGS_MAX],
    /// For each disk, what the point of `bound.rs` falls by when it leaves its tangle.
    weight: [u32; DISKS_MAX],
    start_stacked: u64,
    /// The disks of `covers_larger`.
    covering: u64,
    /// The smallest disk of each spectrum.
    smallest: u64,
    /// The stacks of the start board.
    stacks: ArrayVec<ArrayVec<u8, { CAPACITY_MAX as usize }>, PEGS_MAX>,
    /// The disks of the game, by their number here.
    name: ArrayVec<Disk, DISKS_MAX>,
    pegs: usize,
}

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
    /// Reads the fixed parts of a board; its present position becomes the start.
    pub fn new(board: &Board) -> Space {
        let disks: ArrayVec<Disk, DISKS_MAX> = board.disks().iter().collect();
        let spectra: ArrayVec<_, 5> = board.disks().spectra().collect();
        let mut space = Space {
            disks: disks.len(),
            larger: [0; DISKS_MAX],
            tangled_on: [NONE; DISKS_MAX],
            covers_larger: [false; DISKS_MAX],
            reversible: board.rings().is_empty(),
            plain: false,
            classes: ArrayVec::new(),
            starts: ArrayVec::new(),
            offset: [0; DISKS_MAX],
            width: [0; DISKS_MAX],
            moves_offset: 0,
            moves_width: 0,
            moves_cap: 0,
            bits: 0,
            base_fits: [[false; PEGS_MAX]; DISKS_MAX],
            start_codes: [0; DISKS_MAX],
            local: [NONE; DISKS_MAX],
            class_of: [0; PEGS_MAX],
            weight: [0; DISKS_MAX],
            start_stacked: 0,
            covering: 0,
            smallest: 0,
            stacks: ArrayVec::new(),
            name: disks.clone(),
            pegs: board.pegs().len(),
        };
        for (i, d) in disks.iter().enumerate() {
            space.local[d.index()] = i as u8;
            space.larger[i] = disks[i + 1..].iter().take_while(|e| e.spectrum() == d.spectrum()).count() as u8;
            if i == 0 || disks[i - 1].spectrum() != d.spectrum() {
                space.starts.push(i as u8);
                space.smallest |= 1 << i;
            }
        }
        space.starts.push(disks.len() as u8);
        space.read_classes(board, &spectra);
        space.lay_out(board);
        let local = space.local;
        for (id, peg) in board.pegs().iter() {
            let mut below = None;
            space.stacks.push(peg.disks().iter().map(|disk| local[disk.index()]).collect());
            for (height, &disk) in peg.disks().iter().enumerate() {
                let d = local[disk.index()];
                let i = usize::from(d);
                space.start_codes[i] = match below {
                    None => space.larger[i] + 1 + space.class_of[id.index()],
                    Some(b) if disk.fits_on(b) => local[b.index()] - d,
                    Some(b) => {
                        space.tangled_on[i] = local[b.index()];
                        0
                    }
                };
                space.covers_larger[i] = peg.disks()[..height].iter().any(|e| disk.fits_on(*e));
                space.covering |= u64::from(space.covers_larger[i]) << i;
                let code = space.start_codes[i];
                space.start_stacked |= u64::from(code > 0 && code <= space.larger[i]) << i;
                below = Some(disk);
            }
        }
        space.weight = weights(&space);
        space
    }

    /// The disks of each spectrum, as a range of their numbers.
    pub fn spectra(&self) -> impl Iterator<Item = Range<usize>> {
        self.starts.windows(2).map(|ends| ends[0].into()..ends[1].into())
    }

    /// The larger disks of a disk's spectrum.
    pub fn larger_mask(&self, disk: usize) -> u64 {
        ((1 << self.larger[disk]) - 1) << (disk + 1)
    }

    /// The stacks of the start board, from the bottom up; empty pegs too.
    pub fn start_stacks(&self) -> impl Iterator<Item = &[u8]> {
        self.stacks.iter().map(ArrayVec::as_slice)
    }

    /// Pegs of the board.
    pub fn pegs(&self) -> usize {
        self.pegs
    }

    fn read_classes(&mut self, board: &Board, spectra: &[Spectrum]) {
        for (id, _) in board.pegs().iter() {
            let class = Class {
                capacity: board.capacity(id),
                rings: board.rings().iter().filter(|r| r.peg == id).map(|r| (r.kind, r.until)).collect(),
                home: spectra.iter().position(|&s| board.home(s) == Some(id)),
                pegs: 0,
            };
            let same = |c: &Class| c.capacity == class.capacity && c.rings == class.rings && c.home == class.home;
            let found = self.classes.iter().position(same).unwrap_or_else(|| {
                self.classes.push(class);
                self.classes.len() - 1
            });
            self.classes[found].pegs += 1;
            self.class_of[id.index()] = found as u8;
        }
        for (s, spectrum) in spectra.iter().enumerate() {
            let base = usize::from(self.starts[s + 1]) - 1;
            let tower = self.starts[s + 1] - self.starts[s];
            for (c, class) in self.classes.iter().enumerate() {
                let home_fits = board.home(*spectrum).is_none() || class.home == Some(s);
                self.base_fits[base][c] = home_fits && class.capacity >= tower;
            }
        }
        let largest = (0..spectra.len()).map(|s| self.starts[s + 1] - self.starts[s]).max().unwrap_or(0);
        self.plain = self.classes.len() == 1
            && self.classes[0].capacity >= largest
            && self.classes[0].rings.is_empty()
            && self.classes[0].home.is_none();
    }

    fn lay_out(&mut self, board: &Board) {
        let mut offset = 0;
        for d in 0..self.disks {
            let codes = u32::from(self.larger[d]) + 1 + self.classes.len() as u32;
            let width = u32::BITS - (codes - 1).leading_zeros();
            offset = unsplit(offset, width);
            self.offset[d] = offset as u8;
            self.width[d] = width as u8;
            offset += width;
        }
        let waits = board.rings().iter().filter_map(|r| match r.until {
            Until::Moves(n) => Some(u32::from(n)),
            Until::Towers(_) => None,
        });
        self.moves_cap = waits.max().unwrap_or(0);
        self.moves_width = u32::BITS - self.moves_cap.leading_zeros();
        offset = unsplit(offset, self.moves_width);
        self.moves_offset = offset;
        self.bits = offset + self.moves_width;
    }

    /// Words that a key of this board needs; at most 3 (35 disks of 4 bits, 14 bits of transfers).
    pub fn words(&self) -> usize {
        self.bits.div_ceil(64) as usize
    }

    /// The disk that lies on the floor for good, for the disk's spectrum.
    fn is_base(&self, disk: usize) -> bool {
        self.larger[disk] == 0
    }

    /// Whether some spectrum has no peg that could ever carry its tower.
    pub fn has_no_room_for_a_tower(&self) -> bool {
        let bases = (0..self.disks).filter(|&d| self.is_base(d));
        bases.into_iter().any(|d| !self.base_fits[d].iter().any(|fits| *fits))
    }

    /// The key of the start position after `made` transfers.
    pub fn start<const N: usize>(&self, made: u32) -> Key<N> {
        let key = (0..self.disks).fold(Key::ZERO, |key, d| key.flip(self.offset[d].into(), self.start_codes[d].into()));
        if self.moves_cap == 0 { key } else { key.flip(self.moves_offset, made.min(self.moves_cap)) }
    }

    /// The key of a position of this board after `made` transfers; `None` if it is of another board, or a disk rests on
    /// something that neither the start board nor a transfer put under it. The support of the start board counts only where
    /// all below is as it was at the start: else what lay under it has moved, and it with that.
    pub fn key_of<const N: usize>(&self, board: &Board, made: u32) -> Option<Key<N>> {
        let mut key = Key::ZERO;
        let mut disks = 0;
        for (id, peg) in board.pegs().iter() {
            let class = self.class_of[id.index()];
            let mut stack: ArrayVec<u8, { CAPACITY_MAX as usize }> = ArrayVec::new();
            for &disk in peg.disks() {
                let d = *self.local.get(disk.index()).filter(|d| **d != NONE)?;
                let i = usize::from(d);
                let larger = self.larger[i];
                let code = match stack.last() {
                    None => larger + 1 + class,
                    Some(&below) if below > d && below - d <= larger => below - d,
                    Some(&below) if self.tangled_on[i] == below && self.is_as_at_the_start(&stack, class) => 0,
                    Some(_) => return None,
                };
                key = key.flip(self.offset[i].into(), code.into());
                stack.push(d);
                disks += 1;
            }
        }
        let is_all = disks == self.disks;
        is_all.then(|| if self.moves_cap == 0 { key } else { key.flip(self.moves_offset, made.min(self.moves_cap)) })
    }

    /// Whether a peg of that class carried these disks at the start, from the floor up.
    fn is_as_at_the_start(&self, stack: &[u8], class: u8) -> bool {
        self.stacks.iter().zip(self.class_of).any(|(start, of)| of == class && start.starts_with(stack))
    }

    /// The position of a key on real pegs: in each class, the stacks stand on the first pegs of the class in some order.
    pub fn pegs_of<const N: usize>(&self, key: Key<N>) -> Pegs {
        let position = self.unpack(key);
        let mut above = [NONE; DISKS_MAX];
        let mut lowest: ArrayVec<(u8, u8), PEGS_MAX> = ArrayVec::new();
        for (d, &code) in (0..).zip(&position.code[..self.disks]) {
            match self.support(d, code) {
                Support::Disk(below) => above[usize::from(below)] = d,
                Support::Floor(class) => lowest.push((d, class)),
            }
        }
        let mut pegs = Pegs::default();
        for class in &self.class_of[..self.pegs] {
            let mut peg = Peg::default();
            if let Some(found) = lowest.iter().position(|(_, c)| c == class) {
                let mut disk = lowest.remove(found).0;
                while disk != NONE {
                    peg.push(self.name[usize::from(disk)]).expect("a stack keeps to the capacity of its peg");
                    disk = above[usize::from(disk)];
                }
            }
            pegs.push(peg).expect("as many pegs as the board");
        }
        pegs
    }

    /// The transfers made, as far as they matter, in a key.
    pub fn made<const N: usize>(&self, key: Key<N>) -> u32 {
        if self.moves_cap == 0 { 0 } else { key.field(self.moves_offset, self.moves_width) }
    }

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
        for (empty, class) in position.empty.iter_mut().zip(&self.classes) {
            *empty = class.pegs;
        }
        let mut covered = 0_u64;
        // The disks that rest on the next larger one of their spectrum.
        let mut in_order = 0_u64;
        for d in 0..self.disks {
            let code = key.field(self.offset[d].into(), self.width[d].into()) as u8;
            position.code[d] = code;
            if code == 0 {
                position.tangled |= 1 << d;
                position.point += self.weight[d];
                covered |= 1 << self.tangled_on[d];
            } else if code <= self.larger[d] {
                covered |= 1 << (d + usize::from(code));
                in_order |= u64::from(code == 1) << d;
            } else {
                let class = usize::from(code - self.larger[d] - 1);
                position.lowest |= 1 << d;
                position.empty[class] -= 1;
                position.settled |= u64::from(self.base_fits[d][class]) << d;
            }
        }
        position.tops = ((1 << self.disks) - 1) & !covered;
        for _ in 1..SIZE_MAX {
            position.settled |= (position.settled >> 1) & in_order;
        }
        // Another disk may lie on a tower that the start board has.
        position.towers = (position.settled & position.tops & self.smallest).count_ones() as u8;
        position
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
        self.steps_of(position, position.tops, visit);
    }

    /// The same for transfers of some of the topmost disks.
    pub fn steps_of<const N: usize>(&self, position: &Position<N>, sources: u64, mut visit: impl FnMut(Step<N>)) {
        let rooms = self.rooms(position);
        for disk in bits(position.tops & sources) {
            let d = usize::from(disk);
            if !self.reversible && rooms[usize::from(self.stack(position, disk).1)].is_none() {
                continue;
            }
            for target in bits(position.tops & self.larger_mask(d)) {
                let (height, class) = self.stack(position, target);
                if rooms[usize::from(class)].is_some_and(|room| height < room) {
                    visit(self.step(position, disk, target - disk));
                }
            }
            let from = position.code[d];
            for (class, room) in (0..).zip(&rooms[..self.classes.len()]) {
                let code = self.larger[d] + 1 + class;
                let same = from == code && self.moves_cap == 0;
                if position.empty[usize::from(class)] > 0 && !same && room.is_some_and(|room| room > 0) {
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

/// Where a field of that width can begin without straddling two words.
fn unsplit(offset: u32, width: u32) -> u32 {
    let room = 64 - offset % 64;
    if width > room { offset + room } else { offset }
}
