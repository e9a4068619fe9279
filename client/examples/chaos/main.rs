//! `scripts/chaos`: real servers killed, paused and starved under load, and an audit of everything that was acknowledged.
//!
//! It starts the server on loopback, puts a proxy that cuts and delays before it, and keeps bots playing through that
//! proxy while it does harm. In the end everything heals, every room must come to its result, and the ledger of what
//! the bots were told is held against what is stored. Traffic stays on loopback; every wait has an end.

mod cluster;
mod harm;
mod load;
mod proxy;
mod report;
mod server;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;
use sprint_shared::deal::{Draws, Seed};
use tokio::process::Command;
use tokio::time::{Instant, timeout};

use crate::cluster::Cluster;
use crate::harm::{Chaos, Done};
use crate::load::Load;
use crate::proxy::Proxy;
use crate::report::Report;
use crate::server::{Program, Settings};

/// Kills a server under load again and again, and audits what it acknowledged.
#[derive(Debug, Parser)]
struct Args {
    /// The program `sprint-server`.
    #[arg(long, value_name = "FILE")]
    server: PathBuf,
    /// The program `sprint`.
    #[arg(long, value_name = "FILE")]
    sprint: PathBuf,
    /// A Postgres database; a SQLite file in a directory of its own if left out.
    #[arg(long, value_name = "URL")]
    postgres: Option<String>,
    /// How often something is killed.
    #[arg(long, default_value_t = 15)]
    kills: u32,
    /// Loads at the same time; each plays one wave of rooms after the other. Enough of them that some room is in the middle
    /// of a race whenever harm is done: else the time to the first act is that of opening rooms and not of a restart.
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u8).range(1..=16))]
    loads: u8,
    /// Rooms in a wave.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=200))]
    rooms: u16,
    /// What the harm is drawn from; another each run if left out.
    #[arg(long)]
    seed: Option<u64>,
}

/// The countdown of rooms, and of races that go on.
const COUNTDOWN_MS: u32 = 200;
/// How long the last waves may take to end once nothing does harm any more.
const HEALING: Duration = Duration::from_secs(480);
/// How long an audit or a verification may take.
const CHECKING: Duration = Duration::from_secs(300);

#[tokio::main]
async fn main() -> ExitCode {
    match run(Args::parse()).await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("chaos: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whether everything held.
async fn run(args: Args) -> Result<bool> {
    let seed = args.seed.unwrap_or_else(|| u64::from(sprint_client::connection::random_u32()));
    println!("seed {seed}");
    let directory = tempfile::tempdir().context("a temporary directory")?;
    let ledger = directory.path().join("ledger.jsonl");
    std::fs::write(&ledger, "")?;
    let database = match &args.postgres {
        Some(url) => url.clone(),
        None => format!("sqlite://{}", directory.path().join("chaos.sqlite").display()),
    };
    let cluster = if args.postgres.is_some() { Some(Cluster::from_environment()?) } else { None };
    let log = directory.path().join("server.log");
    let settings = Settings {
        program: args.server.clone(),
        database: database.clone(),
        countdown_ms: COUNTDOWN_MS,
        log: log.clone(),
    };
    let server = Program::start(settings, "").await?;
    let proxy = Proxy::start(server.address(), Draws::new(&Seed::from(seed + 1))).await?;
    let load = Load::start(&args.sprint, proxy.address(), &ledger, args.loads, args.rooms);
    let mut chaos = Chaos {
        server,
        cluster,
        proxy,
        draws: Draws::new(&Seed::from(seed)),
        countdown: Duration::from_millis(COUNTDOWN_MS.into()),
        ledger: ledger.clone(),
        done: Done::default(),
    };
    let began = Instant::now();
    let harmed = chaos.harm(args.kills).await;
    if let Err(error) = &harmed {
        keep(&log);
        eprintln!("{error:#}");
    }
    let Chaos { mut server, proxy, mut done, .. } = chaos;
    proxy.calm();
    server.ensure_runs().await?;
    let played = timeout(HEALING, load.finish()).await.context("the last waves did not come to their end")??;
    let audit = audit(&args.sprint, &ledger, &server.http()).await?;
    done.ended_badly += u32::from(!server.stop().await?);
    let verified = verify(&args.server, &database).await?;
    let report =
        Report { seconds: began.elapsed().as_secs(), done, played, audit, verified, log: server::complaints(&log)? };
    let holds = report.print() && harmed.is_ok();
    if !holds {
        keep(&log);
        keep(&ledger);
    }
    Ok(holds)
}

/// Figures of `sprint audit` in the order in which it prints them.
async fn audit(sprint: &Path, ledger: &Path, server: &str) -> Result<[u64; 5]> {
    let mut command = Command::new(sprint);
    command.arg("audit").arg("--ledger").arg(ledger).args(["--server", server]).kill_on_drop(true);
    let output = timeout(CHECKING, command.output()).await.context("the audit did not end")??;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    eprint!("{}", String::from_utf8_lossy(&output.stderr));
    let numbers: Vec<u64> = printed.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    numbers.try_into().map_err(|_| anyhow::anyhow!("the audit printed {printed:?}"))
}

/// What `sprint-server verify --all` says; an error if a round differs.
async fn verify(server: &Path, database: &str) -> Result<String> {
    let mut command = Command::new(server);
    command.args(["verify", "--all", "--database", database]).kill_on_drop(true);
    let output = timeout(CHECKING, command.output()).await.context("the verification did not end")??;
    let printed = String::from_utf8_lossy(&output.stdout).trim_end().to_owned();
    ensure!(output.status.success(), "verify --all: {printed}");
    match printed.lines().last() {
        Some(line) => Ok(line.to_owned()),
        None => bail!("verify --all printed nothing"),
    }
}

/// Keeps a file for whoever looks into a failure.
fn keep(file: &Path) {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let kept = std::env::temp_dir().join(format!("chaos-{}-{name}", std::process::id()));
    if std::fs::copy(file, &kept).is_ok() {
        eprintln!("kept {}", kept.display());
    }
}
