//! Boards with proven labels from independent programs: the solver must agree on every one.

use sprint_shared::board::Board;
use sprint_shared::solver::{Budget, Outcome, solve};

/// A board of a labelled file: class, board, optimum (`None`: unsolvable).
struct Labelled {
    class: String,
    board: Board,
    optimum: Option<u32>,
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
    let rows = read(include_str!("../../data/labelled.tsv"));
    assert_eq!(rows.len(), 759);
    rows.iter().filter(|row| !row.class.starts_with("c5s7p9")).for_each(|row| check(row, 1));
}

/// Of its deals only those with four free pegs: the others take minutes. `sprint solve --check` runs them all.
#[test]
fn boards_of_the_hardest_class_are_solved_on_two_threads() {
    let rows = read(include_str!("../../data/labelled.tsv"));
    let lighter = |row: &&Labelled| row.class == "c5s7p9k7-scr" || row.class == "c5s7p9k7-deal4";
    rows.iter().filter(lighter).for_each(|row| check(row, 2));
}
