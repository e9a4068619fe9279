//! The almanac: every optimum proven, every promise of its chapters held.

mod form;
mod table;

use std::collections::{BTreeMap, BTreeSet};

use sprint_shared::almanac::{Almanac, Features, Stage, almanac, form, target_s};
use sprint_shared::board::{Board, RingKind, Until};
use sprint_shared::certificate::check;
use sprint_shared::notation::PegsNotation;
use sprint_shared::peg::CAPACITY_MAX;
use sprint_shared::solver::{Budget, NoTable, Outcome, certify, solve};

/// The optimum that the solver proves, with a line of play of that length that the rules accept.
fn proven(board: &Board) -> u32 {
    let Outcome::Solved { optimum, line, .. } = solve(board, &Budget::default()) else { panic!("{board}: not solved") };
    let mut position = board.clone();
    for (made, transfer) in (0..).zip(&line) {
        position.play(*transfer, made).unwrap_or_else(|e| panic!("{board}: {transfer}: {e}"));
    }
    assert!(position.is_harmony() && line.len() as u32 == optimum, "{board}: {optimum}");
    optimum
}

fn without_rings_and_homes(board: &Board) -> Board {
    format!("{} {CAPACITY_MAX}", PegsNotation(board.pegs())).parse().expect("the same disks without rings and homes")
}

#[test]
fn the_optimum_of_every_stage_is_proven() {
    for stage in almanac().stages() {
        assert_eq!(stage.optimum, proven(&stage.board), "stage {}", stage.number);
    }
}

#[test]
fn the_optimum_of_every_stage_without_its_rings_and_homes_is_proven() {
    for stage in almanac().stages() {
        assert_eq!(stage.bare_optimum, proven(&without_rings_and_homes(&stage.board)), "stage {}", stage.number);
    }
}

/// A second proof, which shares no code with the search, of every stage whose reachable set is small enough to write out.
#[test]
fn stages_with_small_reachable_sets_are_certified_by_the_rules_alone() {
    let mut certified = Vec::new();
    for stage in almanac().stages() {
        match certify(&stage.board, CERTIFIED_MAX, &Budget::default()) {
            Ok(text) => {
                let proven = check(&text).unwrap_or_else(|e| panic!("stage {}: {e}", stage.number));
                assert_eq!(
                    (&proven.board, proven.optimum),
                    (&stage.board, Some(stage.optimum)),
                    "stage {}",
                    stage.number
                );
                certified.push(stage.number.number());
            }
            Err(NoTable::TooLarge) => {}
            Err(NoTable::Cancelled) => panic!("nobody cancelled"),
        }
    }
    assert!(certified.len() >= 20 && certified.contains(&50), "{certified:?}");
}

/// Positions that a certificate may have here; larger ones take the checker too long.
const CERTIFIED_MAX: u64 = 40_000;

#[test]
fn boards_stand_in_canonical_notation_on_standard_pegs() {
    let text = include_str!("../../data/almanac.txt");
    let boards: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("board ")).collect();
    let read: Vec<String> = almanac().stages().iter().map(|stage| stage.board.to_string()).collect();
    assert_eq!(boards, read);
    assert_eq!(boards.len(), 50);
    for stage in almanac().stages() {
        assert!(stage.board.capacities().iter().all(|c| *c == CAPACITY_MAX), "stage {}", stage.number);
    }
}

#[test]
fn difficulty_grows_from_each_stage_to_the_next_and_keeps_to_its_target() {
    let stages = almanac().stages();
    for pair in stages.windows(2) {
        let (here, next) = (pair[0].difficulty_s(), pair[1].difficulty_s());
        assert!(here < next, "stage {}: {here:.2} s, and then {next:.2} s", pair[0].number);
    }
    for stage in stages {
        // Optima are integers, and a small one more or less is a fifth of the difficulty.
        let tolerance = if stage.number.number() <= 6 { 0.18 } else { 0.10 };
        let (found, target) = (stage.difficulty_s(), target_s(stage.number));
        assert!((found / target - 1.0).abs() < tolerance, "stage {}: {found:.2} s for {target:.2} s", stage.number);
    }
    let growth = (stages[49].difficulty_s() / stages[0].difficulty_s()).powf(1.0 / 49.0);
    assert!((1.11..1.14).contains(&growth), "{growth}");
}

/// Spectra and sizes that the stages of a part of the almanac may have.
fn shapes(number: u8) -> &'static [(usize, usize)] {
    match number {
        1..=6 => &[(2, 3), (2, 4)],
        7..=11 => &[(2, 4), (2, 5)],
        12..=19 => &[(3, 4)],
        20..=27 => &[(3, 5), (4, 4)],
        28..=41 => &[(4, 5), (4, 6)],
        42..=49 => &[(5, 5)],
        _ => &[(5, 7)],
    }
}

#[test]
fn every_part_has_its_spectra_and_sizes_and_every_shape_occurs() {
    let mut met = BTreeSet::new();
    for stage in almanac().stages() {
        let Features { spectra, sizes, .. } = stage.features();
        assert!(shapes(stage.number.number()).contains(&(spectra, sizes)), "stage {}", stage.number);
        assert_eq!(
            stage.board.disks().count(),
            spectra * sizes,
            "stage {}: each spectrum has sizes 1 to {sizes}",
            stage.number
        );
        met.insert((spectra, sizes));
    }
    let named: BTreeSet<_> = (1..=50).flat_map(|number| shapes(number).iter().copied()).collect();
    assert_eq!(met, named);
    let last = &almanac().stages()[49];
    assert_eq!((last.board.disks().count(), last.board.pegs().len()), (35, 7), "the boxed set");
}

#[test]
fn collars_come_in_at_stage_15_and_homes_at_22_and_seals_at_25() {
    let first =
        |has: fn(&Features) -> bool| almanac().stages().iter().find(|s| has(&s.features())).map(|s| s.number.number());
    assert_eq!(first(|features| features.collars > 0), Some(15));
    assert_eq!(first(|features| features.homes > 0), Some(22));
    assert_eq!(first(|features| features.seals > 0), Some(25));
}

/// A ring that costs nothing teaches nothing.
#[test]
fn rings_and_homes_make_the_way_longer_wherever_there_are_any() {
    for stage in almanac().stages() {
        let Features { collars, seals, homes, .. } = stage.features();
        assert_eq!(stage.optimum > stage.bare_optimum, collars + seals + homes > 0, "stage {}", stage.number);
    }
}

/// Difficulty knows ratios only of what was measured: collars on free pegs, seals that wait for transfers on loaded pegs and
/// for towers on free ones, homes on loaded pegs.
#[test]
fn rings_and_homes_are_of_kinds_whose_difficulty_was_measured() {
    for stage in almanac().stages() {
        let board = &stage.board;
        for ring in board.rings() {
            let is_free = board.peg(ring.peg).is_empty();
            let is_measured = match (ring.kind, ring.until) {
                (RingKind::Collars(_), _) | (RingKind::Seal, Until::Towers(_)) => is_free,
                (RingKind::Seal, Until::Moves(_)) => !is_free,
            };
            assert!(is_measured, "stage {}: {ring}", stage.number);
        }
        let mut homes = board.disks().spectra().filter_map(|s| board.home(s));
        assert!(homes.all(|home| !board.peg(home).is_empty()), "stage {}", stage.number);
    }
}

#[test]
fn no_stage_is_another_with_spectra_or_pegs_exchanged() {
    let mut met = BTreeMap::new();
    for stage in almanac().stages() {
        if let Some(earlier) = met.insert(form(&stage.board), stage.number) {
            panic!("stage {} is stage {earlier}", stage.number);
        }
    }
}

#[test]
fn every_stage_has_its_own_name_and_one_idea_in_one_sentence() {
    let stages = almanac().stages();
    let distinct = |text: fn(&Stage) -> &str| stages.iter().map(text).collect::<BTreeSet<_>>().len();
    assert_eq!((distinct(|s| &s.name), distinct(|s| &s.idea)), (50, 50));
    for Stage { number, name, idea, .. } in stages {
        let is_sentence = idea.ends_with('.') && idea.matches(['.', '!', '?']).count() == 1;
        let begins = idea.chars().next().is_some_and(char::is_uppercase);
        assert!(is_sentence && begins && idea.split(' ').count() >= 5, "stage {number}: {idea}");
        assert!(name.trim() == name && name.chars().next().is_some_and(char::is_uppercase), "stage {number}: {name}");
        assert!(name.chars().count() <= 24 && idea.chars().count() <= 88, "stage {number}: too long for a screen");
    }
    assert_eq!(stages[11].name, "Tri-Color Cascade", "the rulebook names stage 12");
}

#[test]
fn chapters_lead_from_novice_apprentice_to_grandmaster_spire() {
    let chapters: Vec<&[Stage]> = almanac().chapters().collect();
    let firsts: Vec<u8> = chapters.iter().map(|stages| stages[0].number.number()).collect();
    assert_eq!(firsts, [1, 7, 12, 20, 28, 35, 42]);
    assert_eq!((&*chapters[0][0].chapter, &*chapters[6][0].chapter), ("Novice Apprentice", "Grandmaster Spire"));
    let names: BTreeSet<&str> = chapters.iter().map(|stages| &*stages[0].chapter).collect();
    assert_eq!(names.len(), 7, "no chapter comes twice");
}

/// A text of the almanac with one line altered, and what reading it must say.
#[test]
fn a_damaged_almanac_is_refused_with_the_line_and_what_would_be_right() {
    let text = include_str!("../../data/almanac.txt");
    let lines: Vec<&str> = text.lines().collect();
    let at =
        |begins: &str| lines.iter().position(|line| line.starts_with(begins)).unwrap_or_else(|| panic!("{begins}"));
    let home_of_22 = at("22 ") + 2;
    let cases: Vec<(usize, String, &str)> = vec![
        (at("chapter "), "chapter ".to_owned(), "expected a chapter and its name, found \"chapter \""),
        (
            at("1 "),
            "one First".to_owned(),
            "expected a stage's number and name, or a chapter and its name, found \"one First\"",
        ),
        (at("1 "), "1".to_owned(), "expected a stage's number and name, or a chapter and its name, found \"1\""),
        (at("2 "), "3 Another".to_owned(), "expected stage 2, found stage 3"),
        (at("2 "), lines[at("1 ")].replace('1', "2"), "stage 1 has that name already"),
        (at("idea "), "idea  ".to_owned(), "expected the stage's idea, found \"idea  \""),
        (
            at("board "),
            "board R1/S1/-".to_owned(),
            "the board, column 8: expected a space and the capacity, found the end",
        ),
        (at("board "), "board R1S1/-/- 7 -".to_owned(), "the canonical form of that board is R1S1/-/- 7"),
        (at("board "), "board R1/S1/- 7".to_owned(), "that board is solved: a stage needs at least one transfer"),
        (at("optimum "), "optimum 0".to_owned(), "expected the stage's optimum, a number from 1, found \"0\""),
        (at("optimum "), "optimum 06".to_owned(), "expected the stage's optimum, a number from 1, found \"06\""),
        (
            home_of_22 + 2,
            "bare 99".to_owned(),
            "99 transfers without rings and homes, but 16 with them: no more would be right",
        ),
    ];
    for (line, altered, reason) in cases {
        let mut damaged = lines.clone();
        damaged[line] = &altered;
        let refused = Almanac::read(&damaged.join("\n")).expect_err(&altered).to_string();
        assert_eq!(refused, format!("line {}: {reason}", line + 1));
    }
}

#[test]
fn an_almanac_with_a_line_or_a_stage_missing_or_too_many_is_refused() {
    let text = include_str!("../../data/almanac.txt");
    let lines: Vec<&str> = text.lines().collect();
    let says = |line: &&str| !line.is_empty() && !line.starts_with('#');
    for missing in (0..lines.len()).filter(|i| says(&lines[*i]) && !lines[*i].starts_with("chapter ")) {
        let rest: Vec<&str> = (0..lines.len()).filter(|i| *i != missing).map(|i| lines[i]).collect();
        let refused = Almanac::read(&rest.join("\n")).expect_err("a line is missing");
        assert_eq!(refused.line, (missing + 1..).find(|i| rest.get(*i - 1).is_none_or(says)).unwrap(), "{refused}");
    }
    let last = lines.iter().position(|line| line.starts_with("50 ")).expect("stage 50");
    let short = Almanac::read(&lines[..last].join("\n")).expect_err("49 stages").to_string();
    assert!(short.ends_with("49 stages: an almanac has 50"), "{short}");
    let more = format!("{text}\n51 One More\n");
    let long = Almanac::read(&more).expect_err("51 stages").to_string();
    assert!(long.ends_with("51 stages: an almanac has 50"), "{long}");
    assert_eq!(
        Almanac::read("").expect_err("nothing").to_string(),
        "line 1: expected a chapter and its name, found \"the end\""
    );
}

#[test]
fn par_and_lookups_are_those_of_the_stage() {
    let stages = almanac().stages();
    for stage in stages {
        assert!((6 * stage.optimum..6 * stage.optimum + 5).contains(&(5 * stage.par())), "1.2 times, rounded up");
        assert_eq!(almanac().stage(stage.number), stage);
    }
    assert_eq!(almanac().chapters().map(<[Stage]>::len).sum::<usize>(), 50);
}
