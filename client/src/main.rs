//! `sprint`: the commands of Technomancer Sprint for a terminal.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use sprint_client::load::{self, audit};
use sprint_client::{account, alone, bot, hanoi, leaderboard, screen, solve, verify};

/// Technomancer Sprint in a terminal.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Play(screen::PlayArgs),
    Watch(screen::WatchArgs),
    Replay(screen::ReplayArgs),
    Campaign(alone::CampaignArgs),
    Tutorial(alone::TutorialArgs),
    Shuffle(alone::ShuffleArgs),
    Daily(alone::DailyArgs),
    Hanoi(hanoi::HanoiArgs),
    Leaderboard(leaderboard::LeaderboardArgs),
    Account(account::AccountArgs),
    Bot(bot::BotArgs),
    Load(load::LoadArgs),
    Audit(audit::AuditArgs),
    Verify(verify::VerifyArgs),
    Solve(solve::SolveArgs),
    Deal(solve::deal::DealArgs),
    Eval(solve::eval::EvalArgs),
    CheckCertificate(solve::certificate::CheckArgs),
}

fn main() -> ExitCode {
    match Cli::parse().command {
        Command::Play(args) => online(screen::play(args)),
        Command::Watch(args) => online(screen::watch(args)),
        Command::Replay(args) => online(screen::replay(args)),
        Command::Campaign(args) => online(alone::campaign(args)),
        Command::Tutorial(args) => online(alone::tutorial(args)),
        Command::Shuffle(args) => online(alone::shuffle(args)),
        Command::Daily(args) => online(alone::daily(args)),
        Command::Hanoi(args) => online(hanoi::run(args)),
        Command::Leaderboard(args) => online(leaderboard::run(&args)),
        Command::Account(args) => online(account::run(&args)),
        Command::Bot(args) => online(bot::run(args)),
        Command::Load(args) => online(load::run(args)),
        Command::Audit(args) => online(audit::run(&args)),
        Command::Verify(args) => online(verify::run(&args)),
        Command::Solve(args) => solve::run(&args),
        Command::Deal(args) => solve::deal::run(&args),
        Command::Eval(args) => solve::eval::run(&args),
        Command::CheckCertificate(args) => solve::certificate::run(&args),
    }
}

/// Runs a command that waits: for a server, or for keys and a clock.
fn online(command: impl Future<Output = ExitCode>) -> ExitCode {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.expect("the system lets this program start its threads").block_on(command)
}
