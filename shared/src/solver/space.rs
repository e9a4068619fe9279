//! The fixed parts of a board as the solver sees them, and how positions are packed; unpacked they are in `position.rs`.
//!
//! A position is what each disk rests on. Pegs of one class (equal capacity, rings and home) are interchangeable, so
//! the floor of a class stands for the floor of any of its pegs, and positions that differ only in which peg of a
//! class carries which stack have one key. A support that no transfer can make (another spectrum, or a smaller disk)
//! can only be the one of the start board, and once left it is never returned to.
//!
//! Nothing here searches.

mod position;

use std::ops::Range;

use arrayvec::ArrayVec;

use super::bound::weights;
use super::key::Key;
use crate::board::{Board, RingKind, Until};
use crate::disk::{DISKS_MAX, Disk, Spectrum};
use crate::peg::{CAPACITY_MAX, PEGS_MAX, Peg, Pegs};

pub(crate) use position::{Position, Step, Support};

/// Codes of one disk at most: a tangle, six larger disks of its spectrum, the floors of nine classes.
const CODES_MAX: usize = 16;

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
    /// The largest disks that may stand for good on a peg of the first class.
    bases: u64,
    /// For each disk and code: the disk that it rests on then, as a bit; none for a floor.
    below: [[u64; CODES_MAX]; DISKS_MAX],
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
            bases: 0,
            below: [[0; CODES_MAX]; DISKS_MAX],
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
        for d in 0..space.disks {
            space.bases |= u64::from(space.base_fits[d][0]) << d;
            let larger = usize::from(space.larger[d]);
            space.below[d][0] = if space.tangled_on[d] == NONE { 0 } else { 1 << space.tangled_on[d] };
            (1..=larger).for_each(|code| space.below[d][code] = 1 << (d + code));
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
}

/// Where a field of that width can begin without straddling two words.
fn unsplit(offset: u32, width: u32) -> u32 {
    let room = 64 - offset % 64;
    if width > room { offset + room } else { offset }
}
