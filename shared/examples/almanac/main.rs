//! Finds the boards of the almanac: `cargo run --release -p sprint-shared --example almanac -- [--check] [STAGE…]`.
//!
//! Every line of `slots.txt` says what one stage's board must be like and from which seed it is looked for. The walk is that of
//! directed deals: from a uniform draw two random disks change places, and the change is kept if the board is not worse. It
//! is bounded by boards judged and never by time, so it finds the same board everywhere.
//!
//! Prints the lines of those stages as `data/almanac.txt` holds them; with `--check` it holds them against the almanac that is
//! built in, and ends with 1 if one differs or was not found.

mod judge;
mod slot;

use std::process::ExitCode;

use sprint_shared::almanac::{StageNumber, almanac};
use sprint_shared::board::Board;
use sprint_shared::deal::{Draws, Seed, draw};
use sprint_shared::peg::CAPACITY_MAX;

use judge::{Verdict, judge};
use slot::Slot;

/// Boards judged for one stage.
const JUDGED_MAX: u32 = 50_000;
/// Boards judged before the walk starts from a fresh draw.
const JUDGED_PER_START: u32 = 2_000;
/// A worse board is kept once in so many.
const WORSE_ONCE_IN: u64 = 200;

fn main() -> ExitCode {
    let mut checks = false;
    let mut stages: Vec<StageNumber> = Vec::new();
    for word in std::env::args().skip(1) {
        match (&*word, word.parse().ok().and_then(StageNumber::new)) {
            ("--check", _) => checks = true,
            (_, Some(stage)) => stages.push(stage),
            _ => {
                eprintln!("{word:?} is no stage: give --check, or numbers of stages from 1 to 50, or nothing for all");
                return ExitCode::from(2);
            }
        }
    }
    let slots = slot::read(include_str!("slots.txt"));
    let mut failed = 0;
    for slot in slots.iter().filter(|slot| stages.is_empty() || stages.contains(&slot.stage)) {
        failed += u8::from(!report(slot, checks));
    }
    ExitCode::from(failed.min(1))
}

/// Looks for the board of a slot and says what came of it; false if it was not found, or is not the almanac's.
fn report(slot: &Slot, checks: bool) -> bool {
    let Some((found, judged)) = find(slot) else {
        eprintln!("stage {}: none of {JUDGED_MAX} boards; change the seed or ask for less", slot.stage);
        return false;
    };
    if !checks {
        println!("# stage {}, {judged} judged: {}\n{found}", slot.stage, found.facts);
        return true;
    }
    let stage = almanac().stage(slot.stage);
    let is_same =
        (&found.board, found.optimum, found.bare_optimum) == (&stage.board, stage.optimum, stage.bare_optimum);
    let verdict = if is_same { "the same" } else { "another board than the almanac's" };
    println!("stage {}: {verdict}, {judged} judged", slot.stage);
    is_same
}

/// The first board in the slot's band, and how many were judged until then.
fn find(slot: &Slot) -> Option<(Verdict, u32)> {
    let mut draws = Draws::new(&Seed::from(slot.seed));
    let capacities = vec![CAPACITY_MAX; slot.pegs.into()];
    let mut judged = 0;
    loop {
        let mut board = draw(slot.spectra, slot.sizes, &capacities, slot.free, &mut draws);
        let mut score = u32::MAX;
        for number in 0..JUDGED_PER_START {
            if judged == JUDGED_MAX {
                return None;
            }
            let next = if number == 0 { board.clone() } else { swap_two(&board, &mut draws) };
            judged += 1;
            match judge(slot, &next) {
                Ok(verdict) => return Some((verdict, judged)),
                Err(beyond) if beyond <= score || draws.below(WORSE_ONCE_IN) == 0 => {
                    score = beyond;
                    board = next;
                }
                Err(_) => {}
            }
        }
    }
}

/// The board with two random disks in each other's place.
fn swap_two(board: &Board, draws: &mut Draws) -> Board {
    let count = board.disks().count() as u64;
    let first = draws.below(count) as usize;
    let second = (first + 1 + draws.below(count - 1) as usize) % count as usize;
    board.with_swapped(first, second)
}
