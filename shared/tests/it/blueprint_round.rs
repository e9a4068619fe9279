//! Rounds on a blueprint: nobody dealt their board, so its optimum is held against the solver.

use serde_json::{Value, json};
use sprint_shared::options::RoomOptions;
use sprint_shared::race::Command;
use sprint_shared::replay::file;
use sprint_shared::verify::{Verdict, verify};

use crate::table::{SHORT, SHORT_OPTIMUM, Table, stored};
use crate::tampering::honest::forge;

/// Two who give up on the short board, of which the host has said that so many transfers are the least.
fn round_with(optimum: Option<u32>) -> Value {
    let blueprint = Some(SHORT.to_owned());
    let mut table = Table::open(RoomOptions { seats: 2, blueprint, ..RoomOptions::default() });
    table.optimum = optimum;
    for number in 1..=2 {
        table.sit(number);
    }
    for number in 1..=2 {
        table.tell(number, Command::Ready(true)).expect("ready");
    }
    table.give_nonces();
    table.pass(crate::table::COUNTDOWN_MS);
    for number in 1..=2 {
        table.tell(number, Command::GiveUp).expect("at work");
    }
    serde_json::to_value(stored(&table)).expect("plain")
}

fn verdict(round: &Value) -> Verdict {
    verify(&file::of_value(round.clone()).expect("a round"))
}

fn said(round: &Value) -> Vec<String> {
    verdict(round).differences.iter().map(ToString::to_string).collect()
}

#[test]
fn the_optimum_of_a_blueprint_is_proven_by_the_solver() {
    for honest in [Some(SHORT_OPTIMUM), None] {
        let expected = Verdict { differences: vec![], not_checked: vec!["deal"] };
        assert_eq!(verdict(&round_with(honest)), expected, "{honest:?}");
    }
    assert_eq!(said(&round_with(Some(SHORT_OPTIMUM + 1))), ["optimum: 3, the solver proves 2"]);
    assert_eq!(said(&round_with(Some(SHORT_OPTIMUM - 1))), ["optimum: 1, the solver proves at least 2"]);
}

#[test]
fn options_that_no_room_has_are_named() {
    let mut round = round_with(None);
    round["options"]["rated"] = json!(true);
    round["record"][0]["options"]["rated"] = json!(true);
    forge(&mut round);
    let lines = said(&round);
    let named = lines
        .iter()
        .any(|line| line.starts_with("options: no room has ") && line.contains("a blueprint room is unrated"));
    assert!(named, "{lines:#?}");
}
