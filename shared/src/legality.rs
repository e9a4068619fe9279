//! The verdicts that other implementations of the transfer laws are held to: `data/legality.json`.
//!
//! The laws themselves are tested elsewhere; here the file is kept equal to what they say.

use std::fmt::Write as _;
use std::path::Path;

use crate::board::Board;
use crate::rules::{CannotLift, CannotPlace, Illegal, Transfer};

/// Boards with every kind of ring, with homes and with uneven capacities, and the transfers made before the verdict.
const POSITIONS: [(&str, &[u32]); 14] = [
    ("R2S1/S2R1/- 7", &[0]),
    ("R4R3R2R1/S4S3S2S1/-/-/- 7", &[0]),
    ("R1/R2/R3/- 7", &[0, 7]),
    ("R3S1/S2R1/R2S3/-/- 2,2,2,1,7", &[0]),
    ("S7S6S5S4S3S2S1/R2/R1 7", &[0]),
    ("R2R1/S2S1/E1A1V1/-/V2A2E2 7 3s@m4", &[0, 3, 4, 5]),
    ("R2S1/-/S2R1/- 7 2s@m2,3s@t1,4c7@m6", &[0, 2, 6]),
    ("R2R1/S2/S1/E1 7 2s@t1,3s@t2,4c6@t1", &[0]),
    ("R2/R1/S1/- 7 4s@t2", &[0]),
    ("R3R2/R1/-/S1 3 3c2@m5,3c1@t1,1c1@m9", &[0, 5, 9]),
    ("R2/R1S1/- 7 - R2", &[0]),
    ("R2R1/S1/- 7 2s@t1 R2", &[0]),
    ("V7V5V3V1/V6V4V2/-/A7A5A3A1/A6A4A2 7 - A4,V1", &[0]),
    ("R1S2/S1E2/E1R2 2", &[0]),
];

fn verdict(board: &Board, transfer: Transfer, made: u32) -> &'static str {
    match board.check(transfer, made) {
        Ok(()) => "legal",
        Err(Illegal::Lift(CannotLift::NoSuchPeg(_)) | Illegal::Place(CannotPlace::NoSuchPeg(_))) => "no_such_peg",
        Err(Illegal::Lift(CannotLift::Empty(_))) => "source_empty",
        Err(Illegal::Lift(CannotLift::Sealed(_))) => "source_sealed",
        Err(Illegal::Place(CannotPlace::SamePeg)) => "same_peg",
        Err(Illegal::Place(CannotPlace::Sealed(_))) => "target_sealed",
        Err(Illegal::Place(CannotPlace::Full(_))) => "target_full",
        Err(Illegal::Place(CannotPlace::Spectrum { .. })) => "spectrum",
        Err(Illegal::Place(CannotPlace::Size { .. })) => "size",
    }
}

/// One position as a JSON object, a line a source peg so that a person can read it.
fn position(board: &Board, made: u32) -> String {
    let rows: Vec<String> = board
        .pegs()
        .ids()
        .map(|from| {
            let row = board.pegs().ids().map(|to| format!("{:?}", verdict(board, Transfer { from, to }, made)));
            format!("      [{}]", row.collect::<Vec<_>>().join(", "))
        })
        .collect();
    let (settled, towers) = (board.settled().count(), board.towers());
    let (harmony, lockout) = (board.is_harmony(), board.is_lockout(made));
    format!(
        "  {{\n    \"board\": \"{board}\", \"made\": {made},\n    \"settled\": {settled}, \"towers\": {towers}, \
         \"harmony\": {harmony}, \"lockout\": {lockout},\n    \"verdicts\": [\n{}\n    ]\n  }}",
        rows.join(",\n")
    )
}

/// The boards above, and the ringed boards of the labelled file before and after their rings may have opened.
fn composed() -> String {
    let own = POSITIONS.iter().flat_map(|(board, made)| made.iter().map(move |made| (*board, *made)));
    let ringed = include_str!("../data/ringed.tsv").lines().skip(1).take(60);
    let ringed = ringed.filter_map(|row| row.split('\t').nth(1)).flat_map(|board| [(board, 0), (board, 9)]);
    let mut text = String::from("[\n");
    for (i, (board, made)) in own.chain(ringed).enumerate() {
        let board: Board = board.parse().unwrap_or_else(|e| panic!("{board}: {e}"));
        let separator = if i == 0 { "" } else { ",\n" };
        write!(text, "{separator}{}", position(&board, made)).expect("a String takes all");
    }
    text + "\n]\n"
}

#[test]
fn the_legality_vectors_are_up_to_date() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/legality.json");
    let expected = composed();
    if std::env::var_os("UPDATE_VECTORS").is_some() {
        std::fs::write(&file, &expected).expect("the data folder can be written");
    }
    let found = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(found == expected, "data/legality.json is out of date: run UPDATE_VECTORS=1 cargo test -p sprint-shared");
}

#[test]
fn every_verdict_occurs_in_the_vectors() {
    let text = composed();
    for verdict in
        ["legal", "source_empty", "source_sealed", "same_peg", "target_sealed", "target_full", "spectrum", "size"]
    {
        assert!(text.contains(&format!("{verdict:?}")), "no vector is judged {verdict}");
    }
}
