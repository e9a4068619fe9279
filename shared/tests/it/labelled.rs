//! Boards with proven labels from independent programs: the solver must agree on every one.

use sprint_shared::board::Board;
use sprint_shared::solver::{Budget, Outcome, solve, solve_at_most};

/// A board of a labelled file: class, board, optimum (`None`: unsolvable).
pub struct Labelled {
    pub class: String,
    pub board: Board,
    pub optimum: Option<u32>,
}

/// All boards of the larger file.
pub fn labelled() -> Vec<Labelled> {
    read(include_str!("../../data/labelled.tsv"))
}

fn read(text: &str) -> Vec<Labelled> {
    let mut rows = Vec::new();
    for row in text.lines().skip(1) {
        let fields: Vec<&str> = row.split('\t').collect();
        let board = fields[1].parse().unwrap_or_else(|e| panic!("{row}: {e}"));
        let optimum = (fields[2] != "unsolvable").then(|| fields[2].parse().expect("a number"));
        rows.push(Labelled { class: fields[0].to_owned(), board, optimum });
    }
    rows
}

fn check(row: &Labelled, threads: usize) {
    let found = match solve(&row.board, &Budget { threads, ..Budget::default() }) {
        Outcome::Solved { optimum, line, .. } => {
            let mut board = row.board.clone();
            for (made, transfer) in (0..).zip(&line) {
                board.play(*transfer, made).unwrap_or_else(|e| panic!("{}: {transfer}: {e}", row.board));
            }
            assert!(board.is_harmony(), "{}: the line does not end in harmony", row.board);
            assert_eq!(line.len() as u32, optimum, "{}", row.board);
            Some(optimum)
        }
        Outcome::Unsolvable { .. } => None,
        Outcome::Exceeded { .. } => panic!("{}: budget exceeded", row.board),
    };
    assert_eq!(found, row.optimum, "{} ({})", row.board, row.class);
}

#[test]
fn ringed_boards_have_their_labelled_optimum() {
    let rows = read(include_str!("../../data/ringed.tsv"));
    assert_eq!(rows.len(), 150);
    rows.iter().for_each(|row| check(row, 1));
}

#[test]
fn labelled_boards_have_their_labelled_optimum() {
    let rows = labelled();
    assert_eq!(rows.len(), 759);
    rows.iter().filter(|row| !row.class.starts_with("c5s7p9")).for_each(|row| check(row, 1));
}

/// Of its deals only those with four free pegs: the others take minutes. `sprint solve --check` runs them all.
#[test]
fn boards_of_the_hardest_class_are_solved_on_two_threads() {
    let rows = labelled();
    let lighter = |row: &&Labelled| row.class == "c5s7p9k7-scr" || row.class == "c5s7p9k7-deal4";
    rows.iter().filter(lighter).for_each(|row| check(row, 2));
}

/// Whatever ends a search early, its answer is a bracket around the optimum, and the upper end is a line of play.
fn check_bracket(row: &Labelled, budget: &Budget) -> Outcome {
    let outcome = solve(&row.board, budget);
    let (lower, line) = match &outcome {
        Outcome::Exceeded { lower, upper, line, .. } => {
            assert_eq!(*upper, line.as_ref().map(|line| line.len() as u32), "{}", row.board);
            (*lower, line.as_ref())
        }
        Outcome::Solved { optimum, line, .. } => {
            assert_eq!(row.optimum, Some(*optimum), "{}", row.board);
            (*optimum, Some(line))
        }
        Outcome::Unsolvable { .. } => {
            assert_eq!(row.optimum, None, "{}", row.board);
            return outcome;
        }
    };
    assert!(row.optimum.is_none_or(|optimum| lower <= optimum), "{}: at least {lower}?", row.board);
    if let Some(line) = line {
        let mut board = row.board.clone();
        for (made, transfer) in (0..).zip(line) {
            board.play(*transfer, made).unwrap_or_else(|e| panic!("{}: {transfer}: {e}", row.board));
        }
        assert!(board.is_harmony(), "{}", row.board);
        assert!(row.optimum.is_some_and(|optimum| optimum <= line.len() as u32), "{}", row.board);
    }
    outcome
}

#[test]
fn a_search_whose_memory_ends_answers_with_a_bracket_around_the_optimum() {
    let mut rows = labelled();
    rows.extend(read(include_str!("../../data/ringed.tsv")));
    let (mut brackets, mut exceeded) = (0, 0);
    for (number, row) in rows.iter().enumerate() {
        let memory = 1 << (12 + number % 9);
        if let Outcome::Exceeded { line, .. } = check_bracket(row, &Budget { memory, ..Budget::default() }) {
            exceeded += usize::from(row.optimum.is_some());
            brackets += usize::from(line.is_some());
        }
    }
    assert!(exceeded >= 150, "{exceeded}");
    assert!(brackets * 4 >= exceeded * 3, "{brackets} lines for {exceeded} boards");
}

#[test]
fn a_search_that_was_cancelled_at_once_answers_with_a_bracket_too() {
    let budget = Budget::default();
    budget.cancel.cancel();
    let rows = labelled();
    let (mut lines, mut ends_meet) = (0, 0);
    for row in &rows {
        match check_bracket(row, &budget) {
            Outcome::Exceeded { line, positions, .. } => {
                assert!(positions <= 1, "{positions}");
                lines += usize::from(line.is_some() && row.class.starts_with("c5s7p9"));
            }
            Outcome::Solved { .. } => ends_meet += 1,
            Outcome::Unsolvable { .. } => {}
        }
    }
    assert!(lines >= 10, "lines for {lines} of 25 of the hardest boards");
    assert!(ends_meet >= 50, "{ends_meet} brackets of one number");
}

#[test]
fn a_board_is_solved_at_most_so_far_if_its_optimum_is_no_more_and_else_proven_to_lie_beyond() {
    let rows = labelled();
    for row in rows.iter().filter(|row| !row.class.contains("p8") && !row.class.contains("p9")) {
        let Some(optimum) = row.optimum.filter(|optimum| *optimum > 0) else {
            let far = solve_at_most(&row.board, 400, &Budget::default());
            assert!(matches!(far, Outcome::Unsolvable { .. } | Outcome::Exceeded { lower: 401, .. }), "{}", row.board);
            continue;
        };
        let near = solve_at_most(&row.board, optimum, &Budget::default());
        assert!(matches!(near, Outcome::Solved { optimum: found, .. } if found == optimum), "{}: {near:?}", row.board);
        let short = solve_at_most(&row.board, optimum - 1, &Budget::default());
        assert!(
            matches!(short, Outcome::Exceeded { lower, upper: None, .. } if lower == optimum),
            "{}: {short:?}",
            row.board
        );
    }
}
