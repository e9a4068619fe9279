//! `sprint solve`, and beside it the commands that deal, judge and prove boards: they print what `sprint-shared` proves.
//!
//! Data goes to standard output, messages to standard error; exit 0, 1 (it does not hold) or 2 (a bad call).

pub mod certificate;
pub mod check;
pub mod deal;
pub mod eval;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use serde_json::json;
use sprint_shared::board::Board;
use sprint_shared::notation::format_line;
use sprint_shared::solver::{Budget, Cancel, Outcome, certify, solve};

use crate::text::complain;

/// Proves the least number of transfers of a board, or that it cannot be solved.
#[derive(Args, Clone, Debug)]
pub struct SolveArgs {
    /// The board, in one argument: `PEGS CAPACITY [RINGS] [HOMES]`.
    #[arg(required_unless_present = "file", conflicts_with = "file", allow_hyphen_values = true)]
    pub board: Option<String>,
    /// Solves every board of a table of class, board and optimum, separated by tabs.
    #[arg(long, value_name = "TSV")]
    pub file: Option<PathBuf>,
    /// Holds the answers against the table's third column.
    #[arg(long, requires = "file")]
    pub check: bool,
    /// Prints one JSON object.
    #[arg(long, conflicts_with = "file")]
    pub json: bool,
    /// Writes a certificate that `check-certificate` accepts: the whole reachable set with every distance.
    #[arg(long, value_name = "FILE", conflicts_with = "file")]
    pub certificate: Option<PathBuf>,
    /// Limits of the search.
    #[command(flatten)]
    pub limits: Limits,
}

/// Limits of a search.
#[derive(Args, Clone, Debug)]
pub struct Limits {
    /// Memory for positions, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 2048)]
    pub memory: usize,
    /// Threads to search with, 32 at most; as many as there are cores unless said. `eval` lists the reachable set on so many;
    /// where that is too large, it searches on one.
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
}

impl Limits {
    /// The budget of these limits.
    pub fn budget(&self) -> Budget {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let memory = self.memory.saturating_mul(1 << 20);
        Budget { memory, threads: self.threads.unwrap_or(cores).max(1), cancel: Cancel::default() }
    }
}

/// Exit code of what does not hold.
pub const DOES_NOT_HOLD: u8 = 1;
/// Exit code of a bad call.
pub const BAD_CALL: u8 = 2;

/// Says on standard error why the call was bad.
pub fn bad_call(reason: impl std::fmt::Display) -> ExitCode {
    complain(reason);
    ExitCode::from(BAD_CALL)
}

/// Runs `sprint solve`.
pub fn run(args: &SolveArgs) -> ExitCode {
    let budget = args.limits.budget();
    if let Some(file) = &args.file {
        return match fs::read_to_string(file) {
            Ok(text) => check::run(&text, args.check, &budget),
            Err(error) => bad_call(format!("{}: {error}", file.display())),
        };
    }
    let text = args.board.as_deref().unwrap_or_default();
    let board: Board = match text.parse() {
        Ok(board) => board,
        Err(error) => return bad_call(format!("the board, {error}")),
    };
    let start = Instant::now();
    let outcome = solve(&board, &budget);
    let ms = start.elapsed().as_secs_f64() * 1000.0;
    print(&outcome, ms, args.json);
    if let Some(file) = &args.certificate
        && let Err(reason) = write_certificate(&board, file, &budget)
    {
        eprintln!("no certificate: {reason}");
        return ExitCode::from(DOES_NOT_HOLD);
    }
    match outcome {
        Outcome::Exceeded { .. } => ExitCode::from(DOES_NOT_HOLD),
        Outcome::Solved { .. } | Outcome::Unsolvable { .. } => ExitCode::SUCCESS,
    }
}

/// Larger reachable sets are not written out.
const CERTIFIED_POSITIONS_MAX: u64 = 8_000_000;

fn write_certificate(board: &Board, file: &Path, budget: &Budget) -> Result<(), String> {
    let text = certify(board, CERTIFIED_POSITIONS_MAX, budget).map_err(|error| error.to_string())?;
    fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}

fn print(outcome: &Outcome, ms: f64, as_json: bool) {
    let ms = (ms * 1000.0).round() / 1000.0;
    if as_json {
        let object = match outcome {
            Outcome::Solved { optimum, line, positions } => {
                json!({"optimum": optimum, "line": format_line(line), "positions": positions, "ms": ms})
            }
            Outcome::Unsolvable { positions } => {
                json!({"optimum": "unsolvable", "line": null, "positions": positions, "ms": ms})
            }
            Outcome::Exceeded { lower, upper, line, positions } => {
                let line = line.as_deref().map(format_line);
                json!({"optimum": "unknown", "line": line, "lower": lower, "upper": upper, "positions": positions, "ms": ms})
            }
        };
        println!("{object}");
        return;
    }
    match outcome {
        Outcome::Solved { optimum, line, positions } => {
            println!("optimum {optimum}\nline {}\npositions {positions}\nms {ms}", format_line(line));
        }
        Outcome::Unsolvable { positions } => println!("optimum unsolvable\npositions {positions}\nms {ms}"),
        Outcome::Exceeded { lower, upper, line, positions } => {
            match (upper, line) {
                (Some(upper), Some(line)) => println!("optimum {lower} to {upper}\nline {}", format_line(line)),
                _ => println!("optimum at least {lower}, if there is one"),
            }
            println!("positions {positions}\nms {ms}");
        }
    }
}
