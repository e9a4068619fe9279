//! The lower bound of A*: what each disk still needs, the order in which the tangle comes apart, and where to park.
//!
//! A disk is *tangled* while it rests on the disk of the start board that no transfer could put it on. All that lies
//! below a tangled disk has never moved, so how far each peg has come apart is one number a peg, the number of its disks
//! that are tangled still; together they are a point of a lattice, and every way to harmony is a path down to its origin.
//! Call a disk *held* at a point if it is tangled there or lies below such a disk, else *free*; and *waiting* if it is
//! free and some larger disk of its spectrum is held.
//!
//! Three parts, each counting transfers of single disks that no other part counts, so that the sum is a bound:
//!
//! 1. A disk that is not tangled needs 0 transfers if settled, 2 if it rests on a larger disk of its spectrum without
//!    being settled, else 1 (`Space::need`, with its proof).
//! 2. A tangled disk needs 1 transfer to leave, and another if at that moment a larger disk of its spectrum is held still
//!    (it is placed for good only after all larger ones) or lies below it (the same proof). What is held depends on the
//!    point only, so the least sum over all ways is the least sum over paths of the lattice.
//! 3. At any point, a waiting disk rests on a floor or on another disk. Floors are the pegs where nothing is held, less one
//!    for the largest disk of each spectrum where that is free: it can only lie on a floor. So at least *waiting − floors*
//!    disks rest on others there: the *excess*. A waiting disk that rests on another is not settled and rests on a larger
//!    one of its spectrum, so it needs 2 transfers more from there. If it came there straight from its tangle, it makes 3
//!    in all, where part 2 counts at most 2: one more than counted. If it lay on a floor before, it was counted with 1
//!    from then on and makes 3: two more than counted. If it came free resting on a larger disk, part 1 counts all.
//!    Once a disk waits no more it never waits again, for what is held only shrinks.
//!
//! Call the waiting disks that rest, or once rested, on another the *credit*: they are paid for. When a disk leaves its
//! tangle, of the credit at most as many are left as wait before and after, and those join that come free resting on a
//! larger disk. What is short of the excess must be paid: two a disk, but one for the disk that leaves if it waits then.
//! That one may also be paid for ahead of need, and two pay for any other at any time. Parts 2 and 3 together are the
//! least over all paths from a point, for each credit, and are tabled once a board. The credit of a position is at least
//! what waits and rests on a larger disk; a larger credit never raises the bound, and what actually was paid for before
//! the position does not enter.
//!
//! A point with fewer floors than largest disks that need one cannot be passed: if all paths lead through such points,
//! harmony cannot be reached. The bound is consistent: one transfer lowers it by at most 1. Nothing in it relies on
//! capacities, rings or homes, which can only forbid transfers.

use super::space::{NONE, Space};
use crate::disk::DISKS_MAX;

/// Credits and limits that are told apart; larger ones count as the largest, which only weakens the bound.
const CREDITS: usize = 16;
/// No way on.
const NEVER: u8 = u8::MAX;

/// Parts 2 and 3 of the bound, for every point of the lattice and credit.
#[derive(Clone, Debug)]
pub(crate) struct Lattice {
    rows: Vec<[u8; CREDITS]>,
    /// The disks that wait, by point.
    waiting: Vec<u64>,
    /// Waiting disks beyond the floors for them, by point; `None` if there are too few floors for the largest disks.
    excess: Vec<Option<u8>>,
}

/// One point of the lattice.
struct Point {
    held: u64,
    waiting: u64,
    excess: Option<u8>,
}

/// One peg of the start board that has tangled disks.
struct TangledPeg {
    /// Tangled disks from the bottom up.
    disks: Vec<u8>,
    /// The disks held while the lowest 0, 1, 2… of them are tangled still.
    held: Vec<u64>,
    stride: usize,
}

impl Lattice {
    /// Reckons the table of a board.
    pub fn new(space: &Space) -> Lattice {
        let pegs = tangled_pegs(space);
        let points = pegs.last().map_or(1, |peg| peg.stride * (peg.disks.len() + 1));
        let mut lattice = Lattice {
            rows: Vec::with_capacity(points),
            waiting: Vec::with_capacity(points),
            excess: Vec::with_capacity(points),
        };
        let mut tangled = vec![0; pegs.len()];
        for point in 0..points {
            let held = pegs.iter().zip(&tangled).fold(0, |held, (peg, &t): (_, &usize)| held | peg.held[t]);
            let here = Point::new(space, held, tangled.iter().filter(|t| **t > 0).count());
            lattice.waiting.push(here.waiting);
            lattice.excess.push(here.excess);
            let mut row = [if point == 0 { 0 } else { NEVER }; CREDITS];
            for (peg, &t) in pegs.iter().zip(&tangled).filter(|(_, t)| **t > 0) {
                let after = (held & !peg.held[t]) | peg.held[t - 1];
                lattice.leave(space, &mut row, &here, peg.disks[t - 1], after, point - peg.stride);
            }
            // At any time, two transfers put a waiting disk from a floor onto another.
            for credit in (0..CREDITS - 1).rev() {
                row[credit] = row[credit].min(row[credit + 1].saturating_add(2));
            }
            lattice.rows.push(if here.excess.is_some() { row } else { [NEVER; CREDITS] });
            advance(&mut tangled, &pegs);
        }
        lattice
    }

    /// Takes into `row` the ways on which `disk` leaves its tangle next; `after` is held then.
    fn leave(&self, space: &Space, row: &mut [u8; CREDITS], here: &Point, disk: u8, after: u64, point: usize) {
        let Some(excess) = self.excess[point] else { return };
        let d = usize::from(disk);
        let leaves = 1 + u8::from(space.covers_larger[d] || after & space.larger_mask(d) != 0);
        let waiting = self.waiting[point];
        let stay = (here.waiting & waiting).count_ones() as usize;
        // Disks that come free as they rest on others already.
        let come = (waiting & here.held & !(1 << disk) & space.start_stacked()).count_ones() as usize;
        let waits = waiting >> disk & 1 == 1;
        let from = &self.rows[point];
        for (credit, least) in row.iter_mut().enumerate() {
            let carried = (credit.min(stay) + come).min(CREDITS - 1);
            let short = usize::from(excess).saturating_sub(carried);
            let paid = leaves + 2 * short as u8 - u8::from(waits && short > 0);
            *least = (*least).min(from[carried + short].saturating_add(paid));
            if waits && short == 0 && carried + 1 < CREDITS {
                *least = (*least).min(from[carried + 1].saturating_add(leaves + 1));
            }
        }
    }

    /// Parts 2 and 3 for a point and the disks that rest on a larger one of their spectrum without being settled;
    /// `None` if harmony cannot be reached.
    pub fn bound(&self, point: u32, stacked: u64) -> Option<u16> {
        let credit = (self.waiting[point as usize] & stacked).count_ones() as usize;
        let bound = self.rows[point as usize][credit.min(CREDITS - 1)];
        (bound != NEVER).then_some(bound.into())
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.rows.len() * (CREDITS + 10)
    }
}

impl Point {
    fn new(space: &Space, held: u64, pegs_holding: usize) -> Point {
        let mut waiting = 0;
        let mut bases = 0;
        for spectrum in space.spectra() {
            let mask = (1_u64 << spectrum.end) - (1 << spectrum.start);
            let of_it = held & mask;
            let up_to_largest_held = (1_u64 << (u64::BITS - of_it.leading_zeros())) - 1;
            waiting |= if of_it == 0 { 0 } else { up_to_largest_held & mask & !held };
            bases += usize::from(of_it >> (spectrum.end - 1) & 1 == 0);
        }
        let floors = (space.pegs() - pegs_holding).checked_sub(bases);
        let excess = floors.map(|floors| (waiting.count_ones() as usize).saturating_sub(floors).min(CREDITS - 1) as u8);
        Point { held, waiting, excess }
    }
}

/// The next point, in the order of its number.
fn advance(tangled: &mut [usize], pegs: &[TangledPeg]) {
    for (t, peg) in tangled.iter_mut().zip(pegs) {
        if *t < peg.disks.len() {
            *t += 1;
            return;
        }
        *t = 0;
    }
}

fn tangled_pegs(space: &Space) -> Vec<TangledPeg> {
    let mut pegs = Vec::new();
    let mut stride = 1;
    for stack in space.start_stacks() {
        let mut peg = TangledPeg { disks: Vec::new(), held: vec![0], stride };
        let mut below = 0;
        for &disk in stack {
            below |= 1 << disk;
            if space.tangled_on[usize::from(disk)] != NONE {
                peg.disks.push(disk);
                peg.held.push(below);
            }
        }
        if !peg.disks.is_empty() {
            stride *= peg.disks.len() + 1;
            pegs.push(peg);
        }
    }
    pegs
}

/// For each disk, the distance between the points before and after it leaves its tangle.
pub(crate) fn weights(space: &Space) -> [u32; DISKS_MAX] {
    let mut weights = [0; DISKS_MAX];
    for peg in tangled_pegs(space) {
        peg.disks.iter().for_each(|&disk| weights[usize::from(disk)] = peg.stride as u32);
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deal::{Draws, draw};
    use crate::solver::Budget;
    use crate::solver::table::{Graph, LOST};

    fn bound<const N: usize>(space: &Space, lattice: &Lattice, key: crate::solver::key::Key<N>) -> Option<u32> {
        let position = space.unpack(key);
        let tabled = lattice.bound(position.point, space.stacked(&position))?;
        Some(u32::from(tabled) + space.untangled_needs(&position))
    }

    /// Whole reachable sets of random boards of several makes: pegs short and plenty, capacities small and large.
    #[test]
    fn the_bound_never_exceeds_the_distance_and_falls_by_at_most_one() {
        let makes: [(u8, u8, &[u8], u8); 6] = [
            (2, 4, &[7; 4], 1),
            (2, 5, &[7; 5], 2),
            (3, 4, &[7; 5], 1),
            (3, 4, &[4; 6], 2),
            (3, 3, &[5, 3, 4, 3, 7, 3], 2),
            (4, 3, &[7; 6], 2),
        ];
        let mut checked = 0;
        for (seed, (spectra, sizes, capacities, free)) in (0..240).zip(makes.iter().cycle()) {
            let board = draw(*spectra, *sizes, capacities, *free, &mut Draws::new(&seed.into()));
            let space = Space::new(&board);
            let lattice = Lattice::new(&space);
            let graph = Graph::<2>::list(&space, 60_000, &Budget::default(), None).expect("small boards");
            let distances = graph.distances().expect("none is long");
            for (key, distance) in graph.into_keys().into_iter().zip(distances) {
                let here = bound(&space, &lattice, key);
                checked += 1;
                if distance == LOST {
                    continue;
                }
                let here = here.unwrap_or_else(|| panic!("{board}: held to be lost, is {distance} away"));
                assert!(here <= distance.into(), "{board}: bound {here}, distance {distance}");
                space.steps(&space.unpack(key), |step| {
                    let there = bound(&space, &lattice, step.key);
                    assert!(there.is_none_or(|there| here <= there + 1), "{board}: {here} to {there:?}");
                });
            }
        }
        assert!(checked > 100_000, "{checked}");
    }
}
