//! The seeded deal: the same preset and seed give the same board everywhere, for good (RULES sections 5 and 6).
//!
//! A draw is accepted or refused on proven facts alone, never on a time or node budget. Whatever changes a board that
//! some seed gives must raise [`DEAL_VERSION`]; the golden vectors in `data/deals.json` hold it.

mod rng;
mod search;
mod seed;

pub use rng::Draws;
pub use search::{Found, Met, NotFound, Wanted, search};
pub use seed::{InvalidSeed, Seed};

use crate::board::Board;
use crate::disk::{Disk, SPECTRA, Spectrum};
use crate::peg::{CAPACITY_MAX, Peg, Pegs};
use crate::preset::{Preset, PresetSpec};
use crate::solver::{Budget, Cancel, Outcome, solve_at_most};

/// The version of the deal: stored with every seed.
pub const DEAL_VERSION: u16 = 1;

/// A board that was dealt, with what was proven to accept it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deal {
    /// What was asked for.
    pub preset: Preset,
    /// The seed.
    pub seed: Seed,
    /// The board.
    pub board: Board,
    /// The least number of transfers to harmony, proven.
    pub optimum: u32,
    /// Traps on the optimal line, where the preset's band asks for them.
    pub traps: Option<u32>,
    /// Boards judged until this one was accepted, itself included.
    pub draws: u32,
}

/// Deals the board of a preset and seed. Deterministic; callable from any thread.
pub fn deal(preset: Preset, seed: &Seed) -> Deal {
    deal_or_cancel(preset, seed, &Cancel::default()).expect("a deal that nobody can cancel ends in a board")
}

/// Deals the board of a preset and seed; `None` if it was cancelled first.
pub fn deal_or_cancel(preset: Preset, seed: &Seed, cancel: &Cancel) -> Option<Deal> {
    let spec = preset.spec();
    let (board, optimum, traps, draws) = if spec.traps_min > 0 {
        let found = search(&Wanted::from(&spec), seed, u32::MAX, cancel).ok()?;
        (found.board, found.optimum, found.traps, found.judged)
    } else {
        let (board, optimum, draws) = accept(&spec, seed, cancel)?;
        (board, optimum, None, draws)
    };
    Some(Deal { preset, seed: *seed, board, optimum, traps, draws })
}

impl From<&PresetSpec> for Wanted {
    fn from(spec: &PresetSpec) -> Wanted {
        Wanted {
            spectra: spec.spectra,
            sizes: spec.sizes,
            capacities: vec![CAPACITY_MAX; spec.pegs.into()],
            free: spec.free,
            optimum: spec.optimum.clone(),
            traps_permille: None,
            traps_min: spec.traps_min,
        }
    }
}

/// Uniform draws until one lies in the band.
fn accept(spec: &PresetSpec, seed: &Seed, cancel: &Cancel) -> Option<(Board, u32, u32)> {
    let capacities = vec![CAPACITY_MAX; spec.pegs.into()];
    let budget = Budget { memory: usize::MAX, threads: 1, cancel: cancel.clone() };
    let mut draws = Draws::new(seed);
    for drawn in 1.. {
        let board = draw(spec.spectra, spec.sizes, &capacities, spec.free, &mut draws);
        match solve_at_most(&board, *spec.optimum.end(), &budget) {
            Outcome::Solved { optimum, .. } if spec.optimum.contains(&optimum) => return Some((board, optimum, drawn)),
            // Proven to lie beyond the band, or cancelled: memory has no bound here.
            Outcome::Exceeded { .. } if cancel.is_cancelled() => return None,
            Outcome::Solved { .. } | Outcome::Unsolvable { .. } | Outcome::Exceeded { .. } => {}
        }
    }
    None
}

/// Draws a board of that make: the disks shuffled, each in turn on a loaded peg that has room, drawn evenly; drawn
/// again from the start if a loaded peg came out empty. The free pegs are the last ones.
///
/// Nothing is proven of it yet. Panics if there are fewer disks than loaded pegs, or more than they can carry.
pub fn draw(spectra: u8, sizes: u8, capacities: &[u8], free: u8, draws: &mut Draws) -> Board {
    let loaded = capacities.len() - usize::from(free);
    assert!(loaded <= usize::from(spectra) * usize::from(sizes), "there is no disk for each of {loaded} loaded pegs");
    loop {
        let spectra = Spectrum::ALL.into_iter().take(spectra.into());
        let mut disks: Vec<Disk> =
            spectra.flat_map(|s| (1..=sizes).map(move |size| Disk::new(s, size).expect("sizes are 1 to 7"))).collect();
        draws.shuffle(&mut disks);
        let mut stacks = vec![Peg::default(); capacities.len()];
        for disk in disks {
            let room = |(peg, capacity): &(&mut Peg, &u8)| peg.len() < usize::from(**capacity);
            let mut with_room: Vec<&mut Peg> =
                stacks[..loaded].iter_mut().zip(capacities).filter(room).map(|(peg, _)| peg).collect();
            let chosen = draws.below(with_room.len() as u64) as usize;
            with_room[chosen].push(disk).expect("the peg has room");
        }
        if stacks[..loaded].iter().any(Peg::is_empty) {
            continue;
        }
        let mut pegs = Pegs::default();
        for peg in stacks {
            pegs.push(peg).expect("at most nine pegs");
        }
        return Board::new(pegs, capacities, Vec::new(), [None; SPECTRA]).expect("a draw keeps to the rules of boards");
    }
}
