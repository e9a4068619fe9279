//! Notation: exact round trips, one canonical form, errors that name the column and the reason (RULES section 7).

use proptest::prelude::*;
use sprint_shared::board::{Board, Ring, Until};
use sprint_shared::notation::{format_line, parse_line};

use crate::boards::any_board;

fn refused(text: &str) -> String {
    text.parse::<Board>().expect_err(text).to_string()
}

#[test]
fn canonical_boards_survive_reading_and_writing() {
    for text in [
        "R2/R1/- 1,7,7",
        "R1S1/-/R3R2R4/S3S2S4/- 4,7,4,7,7",
        "R4R1/-/R5R6 5,4,7 2c2@m5 R1",
        "-/R2S2/-/S1R1R4/S4S3R3 7 2s@m8,5c2@t2 R5,S1",
        "R1/-/- 7 - R3",
        "E7E6E5E4E3E2E1/-/-/-/-/-/-/-/- 7",
    ] {
        assert_eq!(text.parse::<Board>().unwrap_or_else(|e| panic!("{text}: {e}")).to_string(), text);
    }
}

#[test]
fn other_writings_of_a_board_have_the_canonical_form() {
    for (text, canonical) in [
        ("R1/-/- 7,7,7", "R1/-/- 7"),
        ("R1/-/- 7 -", "R1/-/- 7"),
        ("R1/-/- 7 - -", "R1/-/- 7"),
        ("R1/-/- 7 2c1@m3,1s@m2", "R1/-/- 7 1s@m2,2c1@m3"),
        ("R1/-/- 7 2c1@m3,2c2@m4,2c1@m3", "R1/-/- 7 2c2@m3,2c2@m4"),
        ("R1/-/- 7 2s@m3,2s@m3", "R1/-/- 7 2s@m3"),
        ("R1/-/- 7 1c1@m3,1s@m9", "R1/-/- 7 1s@m9,1c1@m3"),
    ] {
        assert_eq!(text.parse::<Board>().unwrap_or_else(|e| panic!("{text}: {e}")).to_string(), canonical);
    }
}

#[test]
fn a_bad_text_is_refused_with_its_column_and_reason() {
    for (text, column, reason) in [
        ("", 1, "expected a disk such as R7, or - for an empty peg, found the end"),
        ("R1/X2/- 7", 4, "expected a disk such as R7"),
        ("R8/-/- 7", 2, "a disk's size is 1 to 7, not 8"),
        ("R0/-/- 7", 2, "a disk's size is 1 to 7, not 0"),
        ("R/-/- 7", 2, "expected a size, 1 to 7, found '/'"),
        ("R1/-/-", 7, "expected a space and the capacity, found the end"),
        ("R1/-/- 7 ", 10, "expected a peg number, 1 to 9, found the end"),
        ("R1/-/- 8", 8, "peg 1 has capacity 8; a capacity is 1 to 7"),
        ("R1/-/- 0", 8, "a capacity is 1 to 7"),
        ("R1/-/- 100", 8, "100 is too large"),
        ("R1/-/- 07", 8, "without leading zeros"),
        ("R1/-/- 7,7", 8, "2 capacities for 3 pegs"),
        ("R1/- 7", 1, "a board has 3 to 9 pegs, not 2"),
        ("R1/-/-/-/-/-/-/-/-/- 7", 20, "3 to 9 pegs, not 10"),
        ("R1R2/-/- 1,7,7", 1, "peg 1 carries 2 disks, over its capacity of 1"),
        ("-/R1R2/- 7,1,7", 3, "peg 2 carries 2 disks"),
        ("R1/S1R1/- 7", 6, "disk R1 is on the board twice, the second time on peg 2"),
        ("-/-/- 7", 1, "the board has no disk"),
        ("R1R2R3R4R5R6R7S1/-/- 7", 15, "a peg carries at most 7 disks"),
        ("R1/-/- 7 9s@m1", 10, "a ring is on peg 9, but the board has 3 pegs"),
        ("R1/-/- 7 1x@m1", 11, "expected s for a seal or c for collars, found 'x'"),
        ("R1/-/- 7 1s@m10000", 14, "10000 is too large: a number of transfers, at most 9999"),
        ("R1/-/- 7 1s@m65536", 14, "65536 is too large: a number of transfers, at most 9999"),
        ("R1/-/- 7 1s@t2", 10, "waits for 2 towers; the board has 1 spectra"),
        ("R1/-/- 7 1c0@m2", 10, "no collars on peg 1"),
        ("R1/-/- 7 1c5@m2,2c5@m2,3s@m1", 10, "11 lock rings; a board has at most 10"),
        ("R1/-/- 7 - R4", 12, "the home of Ruby is peg 4, but the board has 3 pegs"),
        ("R1/-/- 7 - S2", 12, "Sapphire has a home but no disk"),
        ("R1/S1/- 7 - R2,S2", 13, "peg 2 is the home of both Ruby and Sapphire"),
        ("R1R2/-/- 7,1,7 - R2", 18, "holds 1 of its 2 disks"),
        ("R1/S1/- 7 - S2,R1", 16, "homes stand in the order R, S, E, A, V, each once"),
        ("R1/-/- 7 - R1 x", 14, "expected the end, found ' '"),
        ("R1/-/- 7 - R0", 13, "a peg number, 1 to 9"),
        ("Ä1/-/- 7", 1, "found 'Ä'"),
    ] {
        let error = refused(text);
        assert!(error.starts_with(&format!("column {column}: ")), "{text:?}: {error}");
        assert!(error.contains(reason), "{text:?}: {error}");
    }
}

#[test]
fn a_board_made_of_parts_keeps_to_the_same_cap_on_transfers() {
    let board: Board = "R2R1/-/- 7 1s@m9999".parse().unwrap();
    let made = |moves| {
        let rings = board.rings().iter().map(|ring| Ring { until: Until::Moves(moves), ..*ring }).collect();
        Board::new(board.pegs().clone(), board.capacities(), rings, [None; 5])
    };
    assert_eq!(made(9_999).as_ref(), Ok(&board));
    let refused = made(10_000).unwrap_err().to_string();
    assert_eq!(refused, "a ring on peg 1 waits for 10000 transfers; at most 9999 would be right");
}

#[test]
fn a_line_of_play_survives_reading_and_writing_and_a_bad_one_names_its_column() {
    for text in ["", "1-3", "1-3 2-4 9-1"] {
        assert_eq!(format_line(&parse_line(text).unwrap()), text);
    }
    for (text, column) in [("1-3  2-4", 5), ("1-", 3), ("1-3 2", 6), ("0-3", 1), ("1-3,2-4", 4), ("1-3 ", 5)] {
        assert_eq!(parse_line(text).unwrap_err().column, column, "{text:?}");
    }
}

proptest! {
    #[test]
    fn any_board_survives_reading_and_writing(board in any_board()) {
        let text = board.to_string();
        let again: Board = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
        prop_assert_eq!(&again, &board);
        prop_assert_eq!(again.to_string(), text);
    }

    #[test]
    fn no_text_whatever_makes_the_reader_fail_otherwise(text in "[RSEAV1-9/ ,@mtsc-]{0,40}|\\PC{0,20}") {
        match text.parse::<Board>() {
            Ok(board) => prop_assert_eq!(board.to_string().parse::<Board>().unwrap(), board),
            Err(error) => prop_assert!(error.column >= 1 && error.column <= text.chars().count() + 1),
        }
    }
}
