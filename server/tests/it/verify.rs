//! Stored rounds are read and proven for good.
//!
//! `data/round-0.json` holds the rows of one round as the first version stored it: its columns, its body, its events.
//! The file is never rewritten. `shared/data/replay-0.json` is the same round as that version answered it.

use serde_json::Value;
use sprint_server::store::{RoundResult, StoredEvent};
use sprint_server::web::as_stored;
use sprint_shared::replay::file;
use sprint_shared::verify::{Verdict, verify};

fn first_version() -> (RoundResult, Vec<StoredEvent>) {
    let file: Value = serde_json::from_str(include_str!("../data/round-0.json")).unwrap();
    let columns = &file["columns"];
    let text = |name: &str| columns[name].as_str().unwrap().to_owned();
    let number = |name: &str| columns[name].as_i64().unwrap();
    let flag = |name: &str| columns[name].as_bool().unwrap();
    let round = RoundResult {
        round_id: text("round_id").parse().unwrap(),
        room_id: text("room_id").parse().unwrap(),
        round: number("round"),
        first_seq: number("first_seq"),
        last_seq: number("last_seq"),
        preset: Some(text("preset")),
        board: text("board"),
        optimum: Some(number("optimum")),
        par: Some(number("par")),
        seed: text("seed"),
        deal_version: number("deal_version"),
        contest: text("contest"),
        placement: text("placement"),
        rated: flag("rated"),
        matched: false,
        interrupted: flag("interrupted"),
        started_at_ms: number("started_at_ms"),
        finished_at_ms: number("finished_at_ms"),
        solo: None,
        body: file["body"].as_str().unwrap().to_owned(),
    };
    let rows: Vec<(i64, i64, i64, i64, String)> = serde_json::from_value(file["rows"].clone()).unwrap();
    let row = |(seq, epoch, format, at_ms, body)| StoredEvent { seq, epoch, format, at_ms, body };
    (round, rows.into_iter().map(row).collect())
}

#[test]
fn stored_rounds_of_the_first_version_are_read_and_proven() {
    let (round, rows) = first_version();
    let read = as_stored(&round, &rows).unwrap();
    let proven = Verdict { differences: vec![], not_checked: vec!["chain"] };
    assert_eq!(verify(&read), proven, "there was no chain yet");
    let told = file::read(include_str!("../../../shared/data/replay-0.json")).unwrap();
    // How far ahead the countdowns were was told as of another instant, and is not held against anything.
    assert_eq!((&read.record, &read.result, &read.reveal), (&told.record, &told.result, &told.reveal));
    let clocks = |round: &sprint_shared::api::Match| {
        round.events.iter().map(|told| (told.event.seq, told.clock_ms)).collect::<Vec<_>>()
    };
    assert_eq!(clocks(&read), clocks(&told));
}
