//! `sprint check-certificate FILE`: a certificate held to the rules by the independent checker.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use sprint_shared::certificate::check;

use super::{DOES_NOT_HOLD, bad_call};

/// Checks a certificate by the rules alone.
#[derive(Args, Clone, Debug)]
pub struct CheckArgs {
    /// The certificate, as `sprint solve BOARD --certificate FILE` writes it.
    pub file: PathBuf,
}

/// Runs `sprint check-certificate`: exit 1 if it is refused, with the line and the reason.
pub fn run(args: &CheckArgs) -> ExitCode {
    let text = match fs::read_to_string(&args.file) {
        Ok(text) => text,
        Err(error) => return bad_call(format!("{}: {error}", args.file.display())),
    };
    match check(&text) {
        Ok(proven) => {
            let optimum = proven.optimum.map_or("unsolvable".to_owned(), |n| n.to_string());
            println!("proven\t{}\t{optimum}\t{} positions", proven.board, proven.positions);
            ExitCode::SUCCESS
        }
        Err(refused) => {
            eprintln!("refused: {refused}");
            ExitCode::from(DOES_NOT_HOLD)
        }
    }
}
