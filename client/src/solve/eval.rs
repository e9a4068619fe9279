//! `sprint eval`: the distance to harmony at the start of a board and after each transfer of a line.

use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use sprint_shared::analysis::{Analyst, Distance, lost_since};
use sprint_shared::board::Board;
use sprint_shared::notation::parse_line;

use super::{DOES_NOT_HOLD, Limits, bad_call};

/// Prints the distance to harmony after each transfer of a line.
#[derive(Args, Clone, Debug)]
pub struct EvalArgs {
    /// The board, in one argument.
    #[arg(allow_hyphen_values = true)]
    pub board: String,
    /// The line: transfers separated by single spaces, such as "1-3 2-4".
    #[arg(long, default_value = "")]
    pub line: String,
    /// Prints one JSON object.
    #[arg(long)]
    pub json: bool,
    /// Limits of the search.
    #[command(flatten)]
    pub limits: Limits,
}

/// Runs `sprint eval`: exit 1 if some transfer is not legal, 2 if the board or the line is not well formed.
pub fn run(args: &EvalArgs) -> ExitCode {
    let board: Board = match args.board.parse() {
        Ok(board) => board,
        Err(error) => return bad_call(format!("the board, {error}")),
    };
    let line = match parse_line(&args.line) {
        Ok(line) => line,
        Err(error) => return bad_call(format!("the line, {error}")),
    };
    let mut analyst = Analyst::new(&board, args.limits.budget());
    let distances = match analyst.along(&line) {
        Ok(distances) => distances,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(DOES_NOT_HOLD);
        }
    };
    let names = std::iter::once("start".to_owned()).chain(line.iter().map(ToString::to_string));
    if args.json {
        let rows: Vec<_> =
            names.zip(&distances).map(|(after, d)| json!({"after": after, "distance": text(d)})).collect();
        println!("{}", json!({"distances": rows, "lost_since": lost_since(&distances)}));
    } else {
        for (number, (after, distance)) in names.zip(&distances).enumerate() {
            println!("{number}\t{after}\t{}", text(distance));
        }
    }
    ExitCode::SUCCESS
}

fn text(distance: &Distance) -> String {
    match distance {
        Distance::Exact(n) => n.to_string(),
        Distance::Lost => "lost".to_owned(),
        Distance::Between { lower, upper: None } => format!("at least {lower}"),
        Distance::Between { lower, upper: Some(upper) } => format!("{lower} to {upper}"),
    }
}
