//! The kinds of tampering, each with how a line begins that names it; `#` stands for any number there.

use serde_json::{Value, json};
use sprint_shared::board::Board;
use sprint_shared::deal::Seed;
use sprint_shared::fairness;
use uuid::Uuid;

use super::honest::{empty, forge, is_of, position, prologue};

/// What is changed, how, and how a line of `sprint verify` begins that names it.
pub type Tampering = (&'static str, fn(&mut Value), &'static str);

/// Times.
pub const TIMES: &[Tampering] = &[
    (
        "1 raw time of a finish, everywhere",
        |r| {
            let at = finish(r);
            add(&mut r["record"][at]["raw_ms"], 7);
            add(&mut r["record"][at]["official_ms"], 7);
            forge(r);
        },
        "time: event # (finished): raw time # ms, the clock stood at #",
    ),
    (
        "2 official time alone",
        |r| {
            let at = finish(r);
            add(&mut r["record"][at]["official_ms"], -1);
        },
        "event # (finished): official time is not raw time less credit",
    ),
    (
        "3 credit of a finish",
        |r| {
            let at = finish(r);
            add(&mut r["record"][at]["credit_ms"], 1);
            add(&mut r["record"][at]["official_ms"], -1);
        },
        "event # (finished): the countdown froze 20 ms for seat 1",
    ),
    (
        "4 frozen credit above the cap",
        |r| {
            let at = of(r, "countdown_started");
            r["record"][at]["credits_ms"][1] = json!(101);
        },
        "event # (countdown_started): lag credit of seat 2 above 100 ms",
    ),
    (
        "5 T0",
        |r| {
            let at = of(r, "countdown_started");
            add(&mut r["record"][at]["t0"], -5);
        },
        "time: event # (committed): stands at # ms, is told at #",
    ),
    (
        "6 clock of an act set back",
        |r| {
            let at = act(r, 2, "transferred", 3);
            *clock(r, at) = json!(1);
        },
        "time: event # goes back",
    ),
    (
        "7 an act before T0",
        |r| {
            let at = act(r, 2, "erred", 0);
            *clock(r, at) = json!(-5);
        },
        "time: event # (acted): before the boards were shown",
    ),
    (
        "8 a finish after the limit",
        |r| {
            let at = finish(r);
            r["record"][at]["raw_ms"] = json!(180_021);
            r["record"][at]["official_ms"] = json!(180_001);
        },
        "event # (finished): after the time limit",
    ),
    (
        "8b an act after the limit",
        |r| {
            let at = of(r, "gave_up") - 1;
            *clock(r, at) = json!(180_006);
        },
        "time: event # (acted): after the time limit",
    ),
    (
        "9 round over within the photo finish",
        |r| {
            let at = of(r, "round_over");
            add(&mut r["record"][at]["at"], -1);
            add(&mut r["finished_at_ms"], -1);
            add(clock(r, at), -1);
        },
        "time: event # (round_over): the photo finish was open",
    ),
    ("10 instant of the end", |r| add(&mut r["finished_at_ms"], 1), "finished_at_ms: "),
];

/// Order and number of events.
pub const ORDER: &[Tampering] = &[
    (
        "11 two acts of two seats exchanged in the record",
        |r| {
            let at = act(r, 2, "erred", 0);
            r["record"].as_array_mut().unwrap().swap(at, at + 1);
        },
        "events: event #",
    ),
    (
        "12 two acts of one seat exchanged",
        |r| {
            let at = act(r, 3, "erred", 0);
            both(r, at, |events, at| events.swap(at, at + 1));
        },
        "event # (acted): act number # after #",
    ),
    (
        "13 an event left out, numbers kept",
        |r| {
            let at = act(r, 3, "erred", -1);
            leave_out(r, at);
        },
        "missing: event #",
    ),
    (
        "14 the same, everything renumbered",
        |r| {
            let at = act(r, 3, "erred", -1);
            leave_out(r, at);
            forge(r);
        },
        "chain: ",
    ),
    (
        "15 an act doubled",
        |r| {
            let at = act(r, 3, "erred", 0);
            double(r, at);
        },
        "event # (acted): act number # twice",
    ),
    (
        "16 an act invented at the end of a loser's play, everywhere",
        |r| {
            let at = act(r, 3, "erred", -1);
            double(r, at);
            add(&mut r["record"][at + 1]["n"], 1);
            forge(r);
        },
        "chain: ",
    ),
    (
        "17 the finish left out",
        |r| {
            let at = finish(r);
            leave_out(r, at);
        },
        "event # (first_decided): the board of seat 1 is in harmony, and its finish does not follow",
    ),
    (
        "17b the finish left out, and that it decided first place",
        |r| {
            let at = finish(r);
            leave_out(r, of(r, "first_decided"));
            leave_out(r, at);
        },
        "event # (round_over): the board of seat 1 is in harmony, and its finish does not follow",
    ),
    ("18 cut off before the result", |r| drop(r["record"].as_array_mut().unwrap().pop()), "record: 0 results"),
    (
        "18b goes on after the result",
        |r| {
            let at = act(r, 3, "erred", 0);
            let again = r["record"][at].clone();
            r["record"].as_array_mut().unwrap().push(again);
        },
        "record: it does not end with a result",
    ),
    (
        "18c the last told event left out",
        |r| drop(r["events"].as_array_mut().unwrap().pop()),
        "events: fewer are told than the record has",
    ),
];

/// What was played, and by whom.
pub const PLAY: &[Tampering] = &[
    (
        "19 source peg of a transfer",
        |r| {
            let (at, free) = (act(r, 1, "transferred", 0), empty(&board(r)));
            set_deed(r, at, "from", free[0].number());
            set_deed(r, at, "to", free[1].number());
        },
        "event # (acted): peg # is empty",
    ),
    (
        "20 target peg of a transfer, illegal",
        |r| {
            let (at, wrong) = (act(r, 1, "transferred", 0), act(r, 2, "erred", 0));
            r["record"][at]["deed"] = r["record"][wrong]["deed"].clone();
            set_deed(r, at, "deed", "transferred");
        },
        "event # (acted): S4 cannot rest on ",
    ),
    (
        "21 target peg, another legal one, everywhere",
        |r| {
            let (at, free) = (act(r, 4, "transferred", 0), empty(&board(r)));
            set_deed(r, at, "to", free[1].number());
            forge(r);
        },
        "chain: ",
    ),
    (
        "22 a placement error made a return",
        |r| {
            let at = act(r, 2, "erred", 0);
            set_deed(r, at, "deed", "returned");
        },
        "event # (acted): returned is of guarded rooms",
    ),
    (
        "23 a placement error removed, the racer made clean, everywhere",
        |r| {
            let at = act(r, 2, "erred", 0);
            leave_out(r, at);
            forge(r);
        },
        "chain: ",
    ),
    (
        "24 another player's act",
        |r| {
            let at = act(r, 1, "transferred", 0);
            r["record"][at]["seat"] = json!(2);
        },
        "event # (acted): act number 1 twice",
    ),
    (
        "25 another player's giving up",
        |r| {
            let at = of(r, "gave_up");
            let beside = told(r, at);
            r["record"][at]["seat"] = json!(3);
            r["events"][beside]["event"]["seat"] = json!(3);
        },
        "result: seat 3: gave_up false, the record proves true",
    ),
    (
        "25b a reset left out, everywhere",
        |r| {
            let at = act(r, 3, "reset", 0);
            leave_out(r, at);
            forge(r);
        },
        "event # (acted): peg # is empty",
    ),
    (
        "25c a two-handed act left out, five penalty moves saved, everywhere",
        |r| {
            let at = act(r, 3, "two_handed", 0);
            leave_out(r, at);
            forge(r);
        },
        "chain: ",
    ),
    (
        "25d a finish invented",
        |r| {
            let at = finish(r);
            double(r, at);
            r["record"][at + 1]["seat"] = json!(3);
        },
        "event # (finished): ",
    ),
    (
        "26 an undo made a transfer back",
        |r| {
            let at = act(r, 3, "undone", 0);
            let deed = &mut r["record"][at]["deed"];
            *deed = json!({"deed": "transferred", "from": deed["to"], "to": deed["from"]});
        },
        "events: event # is told as",
    ),
];

/// What the round came to.
pub const OUTCOME: &[Tampering] = &[
    (
        "27 ranks exchanged",
        |r| {
            r["result"]["seats"][0]["rank"] = json!(2);
            r["result"]["seats"][1]["rank"] = json!(1);
        },
        "result: seat 1: rank 2, the record proves 1",
    ),
    ("28 score", |r| add(&mut r["result"]["seats"][0]["score"], 50), "result: seat 1: score "),
    ("28b stars", |r| r["result"]["seats"][1]["stars"] = json!(1), "result: seat 2: stars 1, the record proves 3"),
    ("28c crown", |r| r["result"]["seats"][2]["crown"] = json!(true), "result: seat 3: crown true"),
    ("29 moves", |r| add(&mut r["result"]["seats"][0]["moves"], -1), "result: seat 1: moves "),
    ("29a placement errors", |r| r["result"]["seats"][1]["errors"] = json!(0), "result: seat 2: errors 0"),
    ("29b settled disks", |r| add(&mut r["result"]["seats"][2]["settled"], 1), "result: seat 3: settled "),
    ("29c flawless", |r| r["result"]["seats"][2]["flawless"] = json!(true), "result: seat 3: flawless true"),
    (
        "29d times of a finish",
        |r| add(&mut r["result"]["seats"][0]["finish"]["official_ms"], -1),
        "result: seat 1: finish ",
    ),
    (
        "29e seats exchanged",
        |r| {
            r["result"]["seats"][0]["seat"] = json!(2);
            r["result"]["seats"][1]["seat"] = json!(1);
        },
        "result: seats ",
    ),
    (
        "30 player of a result",
        |r| r["result"]["seats"][0]["player"] = r["result"]["seats"][1]["player"].clone(),
        "result: seat 1: player ",
    ),
    (
        "31 player, everywhere",
        |r| {
            let at = position(r, |event| is_of(event, "seat_taken", 1));
            r["record"][at]["player"] = json!(Uuid::from_u128(77));
            forge(r);
        },
        "chain: ",
    ),
    ("32 mark of the interruption taken off", |r| r["result"]["interrupted"] = json!(false), "result: interrupted "),
    (
        "32a why the round ended",
        |r| r["result"]["ended"] = json!("time_up"),
        "result: ended \"time_up\", the record proves",
    ),
    ("32b par", |r| add(&mut r["result"]["par"], 1), "result: par "),
    ("32c the round's id", |r| r["round_id"] = json!(Uuid::from_u128(5)), "round_id: "),
];

/// What was secret, and the board.
pub const DEAL: &[Tampering] = &[
    ("33 server's seed", |r| r["reveal"]["server_seed"] = json!(Seed([8; 32])), "commitment: "),
    ("34 commitment and server's seed, everywhere", commit_anew, "seed: it does not follow"),
    ("35 a nonce", |r| r["reveal"]["nonces"][2] = json!("00".repeat(16)), "seed: it does not follow"),
    ("36 seed", |r| r["reveal"]["seed"] = json!(Seed([7; 32])), "seed: it does not follow"),
    ("36b number of redeals", |r| r["reveal"]["redeals"] = json!(1), "seed: it does not follow"),
    (
        "37 an easier board, its optimum along, everywhere",
        |r| {
            let at = of(r, "board_dealt");
            r["record"][at]["board"] = json!("R2R1/S4S3S2S1R4R3/-/-/- 7");
            r["record"][at]["optimum"] = json!(3);
            forge(r);
        },
        "board: the deal gives ",
    ),
    (
        "38 optimum, everywhere",
        |r| {
            let at = of(r, "board_dealt");
            add(&mut r["record"][at]["optimum"], 1);
            forge(r);
        },
        "optimum: the deal proves #",
    ),
    ("38b board beside the record", |r| r["reveal"]["board"] = json!("R2R1/S4S3S2S1R4R3/-/-/- 7"), "board: "),
    ("39 preset that was dealt", |r| r["reveal"]["source"] = json!("apprentice"), "source: "),
    ("40 room", |r| r["room_id"] = json!(Uuid::from_u128(6)), "commitment: "),
    ("40b number of the round", |r| r["result"]["round"] = json!(2), "commitment: "),
    ("40c version of the deal", |r| r["reveal"]["deal_version"] = json!(2), "commitment: "),
    ("41 contest beside the record", |r| r["options"]["contest"] = json!("fewest"), "options: "),
    ("41b delay beside the record", |r| r["options"]["spectator_delay_s"] = json!(1), "options: "),
    (
        "42 a told event beside the record",
        |r| {
            let at = act(r, 1, "transferred", 0);
            let beside = told(r, at);
            r["events"][beside]["event"]["moves"] = json!(0);
        },
        "events: event # is told as",
    ),
    ("43 chain", |r| r["reveal"]["chain"] = json!(Seed([6; 32])), "chain: "),
    (
        "43b an act's clock by a millisecond",
        |r| {
            let at = act(r, 1, "transferred", 2);
            add(clock(r, at), 1);
        },
        "chain: ",
    ),
    (
        "43c a nonce's clock by a millisecond",
        |r| {
            let at = of(r, "seed_fixed");
            add(clock(r, at), 1);
        },
        "chain: ",
    ),
    ("44 a format that is not there yet", |r| r["format"] = json!(9), "format: 9 is newer than this program reads (1)"),
];

fn add(number: &mut Value, more: i64) {
    *number = json!(number.as_i64().expect("a number") + more);
}

/// An act of a seat with that deed, by its place in the record: the nth, from 0; `-1` is the last.
fn act(round: &Value, number: u8, deed: &str, nth: isize) -> usize {
    let record = round["record"].as_array().unwrap();
    let is = |event: &Value| is_of(event, "acted", number) && event["deed"]["deed"] == deed;
    let all: Vec<usize> = (0..record.len()).filter(|&index| is(&record[index])).collect();
    all[nth.rem_euclid(all.len() as isize) as usize]
}

fn of(round: &Value, kind: &str) -> usize {
    position(round, |event| event["type"] == kind)
}

/// The finish of the winner.
fn finish(round: &Value) -> usize {
    position(round, |event| is_of(event, "finished", 1))
}

fn told(round: &Value, index: usize) -> usize {
    index - prologue(round)
}

fn clock(round: &mut Value, index: usize) -> &mut Value {
    let at = told(round, index);
    &mut round["events"][at]["clock_ms"]
}

fn both(round: &mut Value, index: usize, change: impl Fn(&mut Vec<Value>, usize)) {
    let at = told(round, index);
    change(round["record"].as_array_mut().unwrap(), index);
    change(round["events"].as_array_mut().unwrap(), at);
}

fn leave_out(round: &mut Value, index: usize) {
    both(round, index, |events, at| drop(events.remove(at)));
}

fn double(round: &mut Value, index: usize) {
    both(round, index, |events, at| events.insert(at, events[at].clone()));
}

fn board(round: &Value) -> Board {
    round["reveal"]["board"].as_str().unwrap().parse().unwrap()
}

/// Puts another secret behind the round, with a commitment that fits it.
fn commit_anew(round: &mut Value) {
    let secret = Seed([9; 32]);
    let room: Uuid = serde_json::from_value(round["room_id"].clone()).unwrap();
    let commitment = fairness::commitment(1, room, 1, "initiate", &secret);
    let at = of(round, "committed");
    round["record"][at]["commitment"] = json!(commitment);
    round["record"][at]["server_seed"] = json!(secret);
    forge(round);
}

fn set_deed(round: &mut Value, index: usize, name: &str, value: impl Into<Value>) {
    round["record"][index]["deed"][name] = value.into();
}
