//! The commands as scripts call them: what they print, where, and how they exit.

use std::process::{Command, Output, Stdio};

use serde_json::Value;
use sprint_shared::board::Board;
use sprint_shared::notation::parse_line;

use crate::table::Table;

pub async fn sprint(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sprint"));
    command.args(args).stdin(Stdio::null());
    let run = tokio::task::spawn_blocking(move || command.output()).await;
    run.expect("the waiting thread lives").expect("the program starts")
}

pub fn printed(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

pub fn said(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

/// Two rooms of three bots on small boards, played to the end, with a ledger.
async fn played(table: &Table, ledger: &str) -> Output {
    let address = table.server().http("");
    let room = ["load", "--server", &address, "--rooms", "2", "--players", "3", "--preset", "initiate"];
    let how = ["--rate", "200", "--spectators", "1", "--errors", "0.1", "--ledger", ledger, "--json"];
    sprint(&[&room[..], &how[..]].concat()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn load_plays_every_room_to_a_result_that_it_reads_back_and_audit_and_verify_agree() {
    let table = Table::open().await;
    let folder = tempfile::tempdir().expect("a folder");
    let ledger = folder.path().join("ledger.jsonl").to_str().expect("text").to_owned();
    let output = played(&table, &ledger).await;
    assert_eq!(said(&output), "");
    assert!(output.status.success());
    let figures: Value = serde_json::from_str(&printed(&output)).expect("one object");
    assert_eq!((&figures["rooms"], &figures["finished"]), (&2.into(), &2.into()));
    let keys: Vec<&str> = figures.as_object().expect("an object").keys().map(String::as_str).collect();
    let mut expected = ["rooms", "finished", "acts", "acknowledged", "refused", "own_ack_ms", "delivery_ms", "watched"];
    expected.sort_unstable();
    assert_eq!(keys, expected, "no refusal was unexplained");
    // The winner of each room needs at least the least optimum of the preset, lifted and placed or moved.
    assert!(figures["acknowledged"].as_u64() >= Some(16), "{figures}");
    assert!(figures["delivery_ms"]["p50"].as_f64() > Some(0.0), "{figures}");
    // Each of the viewers hears every event: those of three bots, and none of them twice.
    let watched = &figures["watched"];
    let counts = ["viewers", "missing", "doubled", "snapshots", "lines_lost"]
        .map(|name| watched[name].as_u64().expect("a count"));
    assert_eq!(counts, [2, 0, 0, 0, 0], "{figures}");
    assert!(watched["deliveries"].as_u64() >= figures["acknowledged"].as_u64(), "{figures}");
    assert!(watched["bytes"].as_u64() > Some(1_000), "{figures}");

    let address = table.server().http("");
    let audit = sprint(&["audit", "--ledger", &ledger, "--server", &address]).await;
    let acknowledged = figures["acknowledged"].as_u64().expect("a number");
    let expected = format!("acknowledged {acknowledged} lost 0 duplicated 0 double_results 0 unfinished 0\n");
    assert_eq!((printed(&audit), audit.status.code()), (expected, Some(0)));

    let round = format!("{address}/api/v1/matches/{}", table.a_round().round_id);
    let verified = sprint(&["verify", &round]).await;
    assert_eq!((printed(&verified).as_str(), verified.status.code()), ("verified\n", Some(0)));
    let all = sprint(&["verify", "--all", &address]).await;
    assert_eq!((printed(&all).as_str(), all.status.code()), ("verified 2 of 2\n", Some(0)));
    let tampered = table.flatter_somebody();
    let all = sprint(&["verify", "--all", &address]).await;
    let expected = format!("{tampered}: result: seat 1: moves ");
    assert!(printed(&all).starts_with(&expected), "{}", printed(&all));
    assert!(printed(&all).ends_with("verified 1 of 2\n"), "{}", printed(&all));
    assert_eq!(all.status.code(), Some(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn audit_finds_what_a_server_lost() {
    let table = Table::open().await;
    let folder = tempfile::tempdir().expect("a folder");
    let ledger = folder.path().join("ledger.jsonl").to_str().expect("text").to_owned();
    assert!(played(&table, &ledger).await.status.success());
    let address = table.server().http("");
    table.forget_an_act();
    let audit = sprint(&["audit", "--ledger", &ledger, "--server", &address]).await;
    assert!(printed(&audit).contains(" lost 1 duplicated 0 double_results 0 unfinished 0"), "{}", printed(&audit));
    assert_eq!(audit.status.code(), Some(1));
    table.forget_a_round();
    let audit = sprint(&["audit", "--ledger", &ledger, "--server", &address]).await;
    assert!(printed(&audit).ends_with(" unfinished 1\n"), "{}", printed(&audit));
    assert_eq!(audit.status.code(), Some(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn verify_says_what_differs() {
    let table = Table::open().await;
    let folder = tempfile::tempdir().expect("a folder");
    let ledger = folder.path().join("ledger.jsonl").to_str().expect("text").to_owned();
    assert!(played(&table, &ledger).await.status.success());
    let honest = table.a_round();
    let file = folder.path().join("round.json").to_str().expect("text").to_owned();
    let verify = async |round: &sprint_shared::api::Match| {
        std::fs::write(&file, serde_json::to_string(round).expect("plain")).expect("written");
        let output = sprint(&["verify", &file]).await;
        (printed(&output), output.status.code())
    };
    assert_eq!(verify(&honest).await, ("verified\n".to_owned(), Some(0)));

    let mut flattered = honest.clone();
    flattered.result.seats[0].moves -= 1;
    let (proven, seat) = (honest.result.seats[0].moves, honest.result.seats[0].seat.number());
    let expected = format!("result: seat {seat}: moves {}, the record proves {proven}\n", proven - 1);
    assert_eq!(verify(&flattered).await, (expected, Some(1)));

    let mut chosen = honest.clone();
    chosen.reveal.server_seed.0[0] ^= 1;
    let (text, code) = verify(&chosen).await;
    assert!(text.contains("commitment: it is not the hash") && text.contains("seed: it does not follow"), "{text}");
    assert_eq!(code, Some(1));

    let mut stolen = honest.clone();
    stolen.record.retain(|event| event["type"] != "finished");
    let (text, code) = verify(&stolen).await;
    assert!(text.contains(" is in harmony, and its finish does not follow\n"), "{text}");
    assert_eq!(code, Some(1));

    let mut untold = honest.clone();
    untold.events.remove(untold.events.len() / 2);
    let mut rated = honest.clone();
    rated.options.rounds = 5;
    let mut moved = honest.clone();
    moved.finished_at_ms += 1;
    for (altered, what) in [(untold, "missing: event "), (rated, "options: "), (moved, "finished_at_ms: ")] {
        let (text, code) = verify(&altered).await;
        assert!(text.starts_with(what), "{what}: {text}");
        assert_eq!(code, Some(1));
    }
}

#[tokio::test]
async fn a_bad_call_names_the_place_and_the_reason_and_exits_2() {
    let calls: [(&[&str], &str); 11] = [
        (&["load", "--server", "localhost:80"], "no server address"),
        (&["load", "--server", "http://h", "--players", "5"], "--players"),
        (&["load", "--server", "http://h", "--players", "3", "--seats", "2"], "--seats 2"),
        (&["load", "--server", "http://h", "--preset", "easy"], "no preset \"easy\""),
        (&["play", "--seats", "7"], "seats: a room has 2 to 4 seats, not 7"),
        (&["play", "--board", "R9/-/- 3"], "blueprint: column 2"),
        (&["play", "--room", "ABC", "--rounds", "3"], "--room joins a room as it is"),
        (&["audit", "--ledger", "/no/such/file", "--server", "http://h"], "/no/such/file"),
        (&["verify", "http://h/api/v1/matches/7"], "no round's id"),
        (&["verify", "--all", "http://h", "round.json"], "cannot be used with"),
        (&["verify"], "required"),
    ];
    for (args, reason) in calls {
        let output = sprint(args).await;
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(said(&output).contains(reason), "{args:?}: {}", said(&output));
        assert_eq!(printed(&output), "", "{args:?}");
    }
}

/// 35 disks on 9 pegs, optimum 70.
const HARD: &str = "V3A6E1R5V6R2A3/E5E7S2R1V7A4R4/S4A2V2A7V5V4S7/E2R6S5S6A1S1E6/E3S3V1A5R7E4R3/-/-/-/- 7";

#[tokio::test]
async fn solve_prints_a_bracket_and_a_line_of_play_where_its_memory_ends() {
    let output = sprint(&["solve", HARD, "--memory", "1", "--threads", "1", "--json"]).await;
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let answer: Value = serde_json::from_str(&printed(&output)).expect("one object");
    let (lower, upper) = (answer["lower"].as_u64().expect("a number"), answer["upper"].as_u64().expect("a number"));
    assert!(lower <= 70 && 70 <= upper, "{answer}");
    assert_eq!(answer["optimum"], "unknown");
    let line = answer["line"].as_str().expect("a line");
    assert_eq!(line.split(' ').count() as u64, upper);
    let mut board: Board = HARD.parse().expect("a board");
    for (made, transfer) in (0..).zip(parse_line(line).expect("transfers")) {
        board.play(transfer, made).expect("legal");
    }
    assert!(board.is_harmony());

    let output = sprint(&["solve", HARD, "--memory", "1", "--threads", "1"]).await;
    assert!(printed(&output).contains(&format!("optimum {lower} to {upper}\nline {line}\n")), "{}", printed(&output));
}
