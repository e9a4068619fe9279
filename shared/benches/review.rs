//! `cargo bench -p sprint-shared --bench review`: what the review of a round costs, of each preset.
//!
//! Two race: one along a shortest way with a slip every fifth transfer, which is taken back; the other with every third
//! transfer a random one. One line a preset: the greatest time of some rounds, how many were complete, and how much of
//! the distances that were asked for is exact.

#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../tests/it/table.rs"]
mod table;

use std::time::{Duration, Instant};

use sprint_shared::api::Match;
use sprint_shared::play::Act;
use sprint_shared::preset::Preset;
use sprint_shared::protocol::ToGo;
use sprint_shared::review::{Effort, review};
use sprint_shared::rules::Transfer;
use table::{Table, seat, stored};

const ROUNDS: u64 = 3;
/// Transfers of the racer who wanders.
const WANDERED: usize = 60;

fn main() {
    for preset in Preset::ALL {
        let (mut slowest, mut complete, mut exact, mut points) = (Duration::ZERO, 0, 0, 0);
        for seed in 1..=ROUNDS {
            let round = raced(preset, seed);
            let start = Instant::now();
            let found = review(&round, &Effort::default()).expect("a round that was raced");
            slowest = slowest.max(start.elapsed());
            complete += u32::from(found.complete);
            for (_, left) in found.curves.iter().flat_map(|curve| &curve.points) {
                points += 1;
                exact += usize::from(!matches!(left, ToGo::Between(..)));
            }
        }
        println!("review {preset}\t{slowest:?} at most\t{complete} of {ROUNDS} complete\t{exact} of {points} exact");
    }
}

fn raced(preset: Preset, seed: u64) -> Match {
    let (mut table, line) = Table::dealt(preset, seed);
    let mut random = seed;
    let mut wander = |table: &mut Table| {
        let play = table.race.play(seat(2)).expect("a racer");
        let legal = play.board().legal_transfers(play.transfers());
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let chosen = legal.get((random >> 33) as usize % legal.len().max(1)).copied();
        if let Some(transfer) = chosen {
            go(table, 2, transfer);
        }
    };
    for (number, transfer) in line.iter().enumerate().take(line.len() - 1) {
        table.pass(900);
        if number % 5 == 4 {
            let legal = table.race.play(seat(1)).expect("a racer").board().legal_transfers(number as u32);
            if let Some(slip) = legal.iter().rev().find(|other| **other != *transfer) {
                go(&mut table, 1, *slip);
                table.act(1, Act::Undo).expect("a transfer was made");
            }
        }
        go(&mut table, 1, *transfer);
        if number < WANDERED {
            match line.get(number).filter(|_| number % 3 > 0) {
                Some(same) if table.race.play(seat(2)).is_some_and(|play| play.board().check(*same, 0).is_ok()) => {
                    go(&mut table, 2, *same);
                }
                _ => wander(&mut table),
            }
        }
    }
    go(&mut table, 1, line[line.len() - 1]);
    table.pass(100);
    stored(&table)
}

fn go(table: &mut Table, number: u8, Transfer { from, to }: Transfer) {
    table.go(number, from.number().into(), to.number().into()).expect("legal");
}
