//! Some line of play, found quickly: how far away harmony is at most.
//!
//! Layer by layer from a position, only the positions nearest to harmony by the bound are followed, a few at first and
//! then more. What it finds is a line of play and so an upper bound; what it does not find means nothing. It must never
//! be taken for a proof of anything else.

use super::astar::expand;
use super::bound::Lattice;
use super::key::Key;
use super::order::Before;
use super::space::Space;
use super::store::{Id, Store};
use super::{Budget, FAR, Outcome, line};
use crate::board::Board;

/// Positions that may always be met, whatever the budget and even if it was cancelled: some ten milliseconds, a little
/// over twenty on the slowest labelled board, and two mebibytes.
pub(crate) const AT_ONCE: usize = 24_000;
/// Positions met at most: half a second, 88 MiB.
const MOST: usize = 1 << 20;
/// Bytes for each position met, at most: an entry, its share of the index as that grows, and of the layer it is in.
pub(crate) const BYTES: usize = 88;
/// Positions followed a layer at first, and by how much that grows each time. A width of 128 finds a way on most boards of
/// 35 disks and 9 pegs, 1024 on nearly all, a tenth longer than need be.
const WIDTH: usize = 128;
const WIDER: usize = 8;

/// What a search whose budget ended can still say: the way in between `lower` and a line of play, where one is found.
///
/// The memory is that of the budget, which the search has given back. Once the budget is cancelled no more than `AT_ONCE`
/// are met.
pub(crate) fn exceeded<const N: usize>(
    board: &Board,
    space: &Space,
    lattice: &Lattice,
    made: u32,
    (lower, positions): (u32, u64),
    budget: &Budget,
) -> Outcome {
    let start = space.start::<N>(made);
    let most = (budget.memory / BYTES).clamp(AT_ONCE, MOST);
    let path = seek(space, lattice, start, lower, most, &|met| met > AT_ONCE && budget.is_cancelled());
    let Some(path) = path else { return Outcome::Exceeded { lower, upper: None, line: None, positions } };
    let line = line::replay(board, space, made, &path);
    let upper = line.len() as u32;
    // No way is shorter than `lower`, so a line of that length is proven to be the shortest.
    if upper == lower {
        return Outcome::Solved { optimum: upper, line, positions };
    }
    Outcome::Exceeded { lower, upper: Some(upper), line: Some(line), positions }
}

/// The keys after a position up to some harmony, the shortest way found; `None` if none was. Meets about `most` positions;
/// ends earlier at a way of `lower` transfers, or once `ends` says so of the number of positions met.
pub(crate) fn seek<const N: usize>(
    space: &Space,
    lattice: &Lattice,
    start: Key<N>,
    lower: u32,
    most: usize,
    ends: &dyn Fn(usize) -> bool,
) -> Option<Vec<Key<N>>> {
    let mut best: Option<Vec<Key<N>>> = None;
    let (mut width, mut met) = (WIDTH, 0);
    while met < most && !ends(met) {
        let longest = best.as_ref().map_or(usize::from(FAR) + 1, Vec::len);
        let mut layers = Layers { space, lattice, store: Store::new(), is_whole: true };
        let found = layers.follow(start, width, longest, &|now| met + now >= most || ends(met + now));
        met += layers.store.len();
        best = found.or(best);
        let is_shortest = best.as_ref().is_some_and(|way| way.len() as u32 <= lower);
        if is_shortest || layers.is_whole {
            break;
        }
        width *= WIDER;
    }
    best
}

struct Layers<'a, const N: usize> {
    space: &'a Space,
    lattice: &'a Lattice,
    /// Each position met, with the one before it.
    store: Store<N, Id>,
    /// Nothing was left out so far.
    is_whole: bool,
}

impl<const N: usize> Layers<'_, N> {
    /// A way of fewer than `longest` transfers.
    fn follow(
        &mut self,
        start: Key<N>,
        width: usize,
        longest: usize,
        ends: &dyn Fn(usize) -> bool,
    ) -> Option<Vec<Key<N>>> {
        let (first, _) = self.store.insert(start, start.mix(0), Id::MAX);
        let mut layer = vec![(0, first)];
        let mut next: Vec<(u32, Id)> = Vec::new();
        for depth in 0..longest {
            for &(_, id) in &layer {
                let position = self.space.unpack(self.store.entry(id).key);
                if self.space.is_harmony(&position) {
                    return Some(self.way(id));
                }
                expand(self.space, self.lattice, &position, Before::UNKNOWN, |step, bound| {
                    let (met, fresh) = self.store.insert(step.key, step.key.mix(0), id);
                    if fresh && depth + usize::from(bound) + 1 < longest {
                        next.push((bound.into(), met));
                    }
                });
                if ends(self.store.len()) {
                    self.is_whole = false;
                    return None;
                }
            }
            if next.is_empty() {
                return None;
            }
            if next.len() > width {
                next.select_nth_unstable(width);
                next.truncate(width);
                self.is_whole = false;
            }
            std::mem::swap(&mut layer, &mut next);
            next.clear();
        }
        None
    }

    /// The keys after the start up to a position.
    fn way(&self, mut id: Id) -> Vec<Key<N>> {
        let mut way = Vec::new();
        while self.store.entry(id).value != Id::MAX {
            way.push(self.store.entry(id).key);
            id = self.store.entry(id).value;
        }
        way.reverse();
        way
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_proven_to_be_the_shortest_only_where_no_way_is_shorter() {
        let board: Board = "S2R1/S1R2/-/- 7".parse().expect("a board");
        let space = Space::new(&board);
        let lattice = Lattice::new(&space);
        let of = |lower| exceeded::<1>(&board, &space, &lattice, 0, (lower, 1), &Budget::default());
        // R2 away, R1 onto it, S1 onto S2.
        assert!(matches!(of(3), Outcome::Solved { optimum: 3, line, .. } if line.len() == 3));
        for lower in 0..3 {
            match of(lower) {
                Outcome::Exceeded { lower: l, upper: Some(3), line: Some(line), .. } => {
                    assert_eq!((l, line.len()), (lower, 3));
                }
                other => panic!("{lower}: {other:?}"),
            }
        }
    }
}
