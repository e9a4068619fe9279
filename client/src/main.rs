//! `sprint`: the commands of Technomancer Sprint for a terminal.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use sprint_client::solve;

/// Technomancer Sprint in a terminal.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Solve(solve::SolveArgs),
    Deal(solve::deal::DealArgs),
    Eval(solve::eval::EvalArgs),
    CheckCertificate(solve::certificate::CheckArgs),
}

fn main() -> ExitCode {
    match Cli::parse().command {
        Command::Solve(args) => solve::run(&args),
        Command::Deal(args) => solve::deal::run(&args),
        Command::Eval(args) => solve::eval::run(&args),
        Command::CheckCertificate(args) => solve::certificate::run(&args),
    }
}
