//! `cargo bench -p sprint-shared --bench chain`: what the chain of a round costs its room, an act.
//!
//! Four race, each moving one disk to and fro. The same acts with the chain and without it, in turn: judged and applied
//! alone, and with what a room does besides in memory, which is to write the event down and to encode it once for all who
//! hear it. Sockets and the database cost more than all of that, and are in neither.

#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../tests/it/table.rs"]
mod table;

use std::hint::black_box;
use std::time::{Duration, Instant};

use sprint_shared::options::RoomOptions;
use sprint_shared::play::Act;
use sprint_shared::protocol::ServerMessage;
use sprint_shared::protocol::wire::wire;
use sprint_shared::race::{Command, Race, Viewer};
use sprint_shared::time::{Millis, Seat};
use table::Table;

const BOARD: &str = "R7R6R5/R4/S7/E7/A7/V7/S6/E6/- 7";
const ACTS: u32 = 20_000;
const RUNS: usize = 9;

fn main() {
    let options = RoomOptions { seats: 4, time_limit_s: Some(1_800), ..RoomOptions::default() };
    let mut table = Table::open(options);
    (table.board, table.optimum) = (BOARD.parse().expect("notation"), None);
    (1..=4).for_each(|number| table.sit(number));
    for number in 1..=4 {
        table.tell(number, Command::Ready(true)).expect("ready");
    }
    table.give_nonces();
    table.pass(table::COUNTDOWN_MS);
    println!("an act, medians of {RUNS} runs\twith the chain\twithout it\tratio");
    for (name, is_encoded) in [("judged and applied", false), ("written and encoded too", true)] {
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..RUNS {
            for (times, is_linked) in times.iter_mut().zip([true, false]) {
                times.push(play(table.race.clone(), table.now, is_linked, is_encoded));
            }
        }
        let [with, without] = times.map(|mut times| {
            times.sort_unstable();
            times[RUNS / 2] / ACTS
        });
        println!("{name}\t{with:?}\t{without:?}\t{:.2}", with.as_secs_f64() / without.as_secs_f64());
    }
}

fn play(mut race: Race, mut now: Millis, is_linked: bool, is_encoded: bool) -> Duration {
    let start = Instant::now();
    for number in 0..ACTS {
        let seat = Seat::ALL[number as usize % 4];
        now = now.after(10);
        let (from, to) = if number / 4 % 2 == 0 { (1, 9) } else { (9, 1) };
        let act = Command::Act { n: race.n(seat) + 1, ply: None, act: Act::Move { from, to } };
        for event in race.decide(now, seat, &act).expect("legal") {
            if is_linked {
                race.evolve_at(now, &event);
            } else {
                race.evolve(&event);
            }
            if is_encoded {
                black_box(serde_json::to_string(&event).expect("events are plain JSON"));
                let message = ServerMessage::Event(wire(&race, now, &event, Viewer::Spectator));
                black_box(serde_json::to_string(&message).expect("messages are plain JSON"));
            }
        }
    }
    let took = start.elapsed();
    assert_eq!(race.chain().is_some(), is_linked);
    took
}
