//! Certificates: what the solver writes is accepted; with anything altered it is refused, by the rules and not only by
//! the hash.

use proptest::prelude::*;
use sha2::{Digest, Sha256};
use sprint_shared::board::Board;
use sprint_shared::certificate::check;
use sprint_shared::solver::{Budget, NoTable, certify};

use crate::boards::small_board;

/// The lines with a fresh hash, as a forger would write them.
fn seal(lines: &[String]) -> String {
    let body: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let hash = hex::encode(Sha256::digest(body.as_bytes()));
    format!("{body}sha256 {hash}\n")
}

fn lines_of(certificate: &str) -> Vec<String> {
    let mut lines: Vec<String> = certificate.lines().map(ToOwned::to_owned).collect();
    lines.pop();
    lines
}

fn certificate(board: &str) -> String {
    certify(&board.parse().unwrap(), 100_000, &Budget::default()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn what_the_solver_certifies_the_checker_accepts(board in small_board()) {
        let text = match certify(&board, 3_000, &Budget::default()) {
            Ok(text) => text,
            Err(NoTable::TooLarge) => return Ok(()),
            Err(NoTable::Cancelled) => panic!("nobody cancelled"),
        };
        let proven = check(&text).map_err(|e| TestCaseError::fail(format!("{board}: {e}")))?;
        prop_assert_eq!(proven.board, board);
    }

    #[test]
    fn a_certificate_with_one_altered_number_is_refused(board in small_board(), pick in any::<prop::sample::Index>(), by in 1u32..4) {
        let Ok(text) = certify(&board, 1_000, &Budget::default()) else { return Ok(()) };
        let mut lines = lines_of(&text);
        let first = lines.iter().position(|l| l.starts_with("optimum ")).unwrap() + 1;
        let first = first + usize::from(lines[first].starts_with("line"));
        let chosen = first + pick.index(lines.len() - first);
        let (pegs, distance) = lines[chosen].split_once(' ').unwrap();
        let altered = distance.parse::<u32>().map_or(by, |d| d + by);
        lines[chosen] = format!("{pegs} {altered}");
        prop_assert!(check(&seal(&lines)).is_err(), "{}", board);
        let hash = text.lines().last().unwrap();
        let unsealed: String = lines.iter().map(|line| line.clone() + "\n").chain([hash.to_owned()]).collect();
        prop_assert!(check(&unsealed).is_err());
    }
}

#[test]
fn every_single_distance_is_held_to_the_rules() {
    let text = certificate("S2R1/S1R2/-/- 7");
    let proven = check(&text).unwrap();
    // R2 away, R1 onto it, S1 onto S2.
    assert_eq!(proven.optimum, Some(3));
    let lines = lines_of(&text);
    for chosen in 4..lines.len() {
        for change in [-1, 1] {
            let (pegs, distance) = lines[chosen].split_once(' ').unwrap();
            let mut altered = lines.clone();
            altered[chosen] = format!("{pegs} {}", distance.parse::<i32>().unwrap() + change);
            assert!(check(&seal(&altered)).is_err(), "{} as {}", lines[chosen], altered[chosen]);
        }
        let mut missing = lines.clone();
        missing.remove(chosen);
        assert!(check(&seal(&missing)).is_err(), "without {}", lines[chosen]);
    }
}

#[test]
fn forged_claims_are_refused_with_line_and_reason() {
    let lines = lines_of(&certificate("S2R1/S1R2/-/- 7"));
    let forged = |index: usize, line: &str| {
        let mut lines = lines.clone();
        lines[index] = line.to_owned();
        check(&seal(&lines)).unwrap_err().to_string()
    };
    assert!(forged(2, "optimum 4").contains("line 4: 3 transfers"), "{}", forged(2, "optimum 4"));
    assert!(forged(3, "line 1-2").contains("line 4"), "{}", forged(3, "line 1-2"));
    assert!(forged(2, "optimum unsolvable").starts_with("line 4"), "{}", forged(2, "optimum unsolvable"));
    assert!(forged(1, "board S2R1/S1R2/-/- 9").contains("line 2: the board, column"));
    assert!(forged(0, "sprint certificate 2").starts_with("line 1"));
    let pegs = lines[4].split_once(' ').unwrap().0;
    for (line, reason) in [
        (format!("{pegs} 4294967295"), "line 5: a distance is at most 1000000000"),
        (format!("{pegs} 1000000001"), "line 5: a distance is at most 1000000000"),
        (format!("{pegs}@4294967295 1"), "line 5: no ring waits for 4294967295 transfers: at most 0 are told apart"),
    ] {
        assert!(forged(4, &line).starts_with(reason), "{}", forged(4, &line));
    }
    // Another board's certificate says nothing about this one.
    assert!(check(&seal(&lines).replace("board S2R1/S1R2/-/- 7", "board S2/R1/S1R2/- 7")).is_err());
    assert!(check("").is_err());
}

#[test]
fn unsolvable_boards_and_boards_with_rings_are_certified_too() {
    for (text, optimum) in [("R1R2/S1R3/S2 7", None), ("R2/R1/S1/- 7 1s@m3", Some(4)), ("R2/R1/- 1,7,7", Some(2))] {
        let proven = check(&certificate(text)).unwrap();
        assert_eq!((proven.optimum, proven.board), (optimum, text.parse::<Board>().unwrap()));
    }
}
