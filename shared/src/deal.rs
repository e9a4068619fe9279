//! The seeded deal: the same preset and seed give the same board everywhere, for good (RULES sections 5 and 6).
//!
//! A draw is accepted or refused on proven facts alone, never on a time or node budget. Whatever changes a board that
//! some seed gives must raise [`DEAL_VERSION`]; the golden vectors in `data/deals.json` hold it.

mod rng;
mod seed;

pub use rng::Draws;
pub use seed::{InvalidSeed, Seed};

use crate::board::Board;
use crate::disk::{Disk, Spectrum};
use crate::peg::{Peg, Pegs};
use crate::preset::{Preset, PresetSpec};
use crate::solver::{Budget, Outcome, solve};

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
    /// Boards drawn until this one was accepted, itself included.
    pub draws: u32,
}

/// Deals the board of a preset and seed. Deterministic; callable from any thread.
pub fn deal(preset: Preset, seed: &Seed) -> Deal {
    let spec = preset.spec();
    let mut draws = Draws::new(seed);
    let mut drawn = 0;
    loop {
        drawn += 1;
        let board = draw(&spec, &mut draws);
        if let Outcome::Solved { optimum, .. } = solve(&board, &Budget { memory: usize::MAX, ..Budget::default() })
            && spec.optimum.contains(&optimum)
        {
            return Deal { preset, seed: *seed, board, optimum, draws: drawn };
        }
    }
}

/// Draws a board of that make: the disks shuffled, each in turn on a loaded peg that has room, drawn evenly; drawn
/// again from the start if a loaded peg came out empty. The free pegs are the last ones.
fn draw(spec: &PresetSpec, draws: &mut Draws) -> Board {
    let loaded = usize::from(spec.pegs - spec.free);
    loop {
        let spectra = Spectrum::ALL.into_iter().take(spec.spectra.into());
        let mut disks: Vec<Disk> = spectra
            .flat_map(|s| (1..=spec.sizes).map(move |size| Disk::new(s, size).expect("a preset's sizes are 1 to 7")))
            .collect();
        draws.shuffle(&mut disks);
        let mut stacks = vec![Peg::default(); loaded];
        for disk in disks {
            let mut with_room: Vec<&mut Peg> = stacks.iter_mut().filter(|p| p.len() < 7).collect();
            let chosen = draws.below(with_room.len() as u64) as usize;
            with_room[chosen].push(disk).expect("the peg has room");
        }
        if stacks.iter().any(Peg::is_empty) {
            continue;
        }
        let mut pegs = Pegs::default();
        for peg in stacks.into_iter().chain(std::iter::repeat_n(Peg::default(), spec.free.into())) {
            pegs.push(peg).expect("a preset has at most nine pegs");
        }
        let capacities = vec![7; spec.pegs.into()];
        return Board::new(pegs, &capacities, Vec::new(), [None; 5]).expect("a draw keeps to the rules of boards");
    }
}
