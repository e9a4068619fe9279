//! `sprint solve --file TSV [--check]`: every board of a table, with median and greatest time and positions by class.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Instant;

use sprint_shared::board::Board;
use sprint_shared::solver::{Budget, Outcome, solve};

use super::{DOES_NOT_HOLD, bad_call};

/// One board of the table.
struct Row<'a> {
    number: usize,
    class: &'a str,
    board: Board,
    expected: Option<&'a str>,
}

/// What one class took.
#[derive(Default)]
struct Taken {
    ms: Vec<f64>,
    positions: Vec<u64>,
    right: usize,
}

/// Solves every board of the text; with `check`, exits 1 unless all answers are those of the third column.
pub fn run(text: &str, check: bool, budget: &Budget) -> ExitCode {
    let rows = match read(text, check) {
        Ok(rows) => rows,
        Err(reason) => return bad_call(reason),
    };
    let mut classes: BTreeMap<&str, Taken> = BTreeMap::new();
    for row in &rows {
        let start = Instant::now();
        let outcome = solve(&row.board, budget);
        let ms = start.elapsed().as_secs_f64() * 1000.0;
        let (answer, positions) = match &outcome {
            Outcome::Solved { optimum, positions, line } if is_proven(&row.board, line, *optimum) => {
                (optimum.to_string(), *positions)
            }
            Outcome::Solved { positions, .. } => ("a line that is not legal".to_owned(), *positions),
            Outcome::Unsolvable { positions } => ("unsolvable".to_owned(), *positions),
            Outcome::Exceeded { positions, .. } => ("budget exceeded".to_owned(), *positions),
        };
        let taken = classes.entry(row.class).or_default();
        taken.ms.push(ms);
        taken.positions.push(positions);
        if !check {
            println!("{}\t{}\t{answer}", row.class, row.board);
        } else if row.expected == Some(&answer) {
            taken.right += 1;
        } else {
            eprintln!("line {}: {}: {answer}, not {}", row.number, row.board, row.expected.unwrap_or("?"));
        }
    }
    if !check {
        return ExitCode::SUCCESS;
    }
    println!("class\tboards\tright\tms median\tms greatest\tpositions median\tpositions greatest");
    for (class, taken) in &mut classes {
        taken.ms.sort_by(f64::total_cmp);
        taken.positions.sort_unstable();
        let (n, last) = (taken.ms.len(), taken.ms.len() - 1);
        println!(
            "{class}\t{n}\t{}\t{:.3}\t{:.3}\t{}\t{}",
            taken.right,
            taken.ms[n / 2],
            taken.ms[last],
            taken.positions[n / 2],
            taken.positions[last]
        );
    }
    let right: usize = classes.values().map(|taken| taken.right).sum();
    println!("{right} of {}", rows.len());
    if right == rows.len() { ExitCode::SUCCESS } else { ExitCode::from(DOES_NOT_HOLD) }
}

/// Whether the line, played by the rules, is legal, of that length, and ends in harmony.
fn is_proven(board: &Board, line: &[sprint_shared::rules::Transfer], optimum: u32) -> bool {
    let mut board = board.clone();
    let is_legal = (0..).zip(line).all(|(made, transfer)| board.play(*transfer, made).is_ok());
    is_legal && line.len() as u32 == optimum && board.is_harmony()
}

fn read(text: &str, check: bool) -> Result<Vec<Row<'_>>, String> {
    let mut rows = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.is_empty() || (number == 1 && line.starts_with("class\t")) {
            continue;
        }
        let mut fields = line.split('\t');
        let (Some(class), Some(board)) = (fields.next(), fields.next()) else {
            return Err(format!("line {number}: expected class, board and optimum, separated by tabs"));
        };
        let parsed: Board = board.parse().map_err(|error| format!("line {number}, the board, {error}"))?;
        let expected = fields.next();
        let is_answer = expected.is_some_and(|e| e == "unsolvable" || e.parse::<u32>().is_ok());
        if check && !is_answer {
            return Err(format!("line {number}: expected a number or \"unsolvable\" in the third column"));
        }
        rows.push(Row { number, class, board: parsed, expected });
    }
    if rows.is_empty() { Err("no board in the table".to_owned()) } else { Ok(rows) }
}
