//! The command line of the server: data on standard output, messages on standard error.
//!
//! Exit code 0, 1 if it does not hold or does not work, 2 if the call was wrong.

use std::fmt::Display;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Parser;
use sprint_server::clock::Clock;
use sprint_server::config::{Cli, Command, Counted, Counting, Database, Judging, Ratings, Serve, without_password};
use sprint_server::judge::{self, Judgement, Verdict};
use sprint_server::rebuild::{self, NAMED_MAX, Purpose, Report};
use sprint_server::server::{Server, StartError};
use sprint_server::store::{Difference, Store, StoreError, StoreOptions};
use sprint_server::{backup, copy, flags, healthcheck, schema, verify, web};
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::EnvFilter;

/// What is logged unless `RUST_LOG` says otherwise. Postgres notes at every start that the table of migrations is there.
const LOGGED: &str = "info,sqlx::postgres::notice=warn";

fn main() -> ExitCode {
    let cli = Cli::parse();
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(LOGGED));
    // A file is no terminal: colours would be noise in it.
    let colours = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|no| no.is_empty());
    tracing_subscriber::fmt().with_env_filter(filter).with_ansi(colours).with_writer(std::io::stderr).init();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.expect("the system gives threads");
    let outcome = runtime.block_on(run(cli));
    // A deal that is still being searched for must not hold the process.
    runtime.shutdown_timeout(Duration::from_millis(200));
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("sprint-server: {error:#}");
            if is_bad_call(&error) { ExitCode::from(2) } else { ExitCode::FAILURE }
        }
    }
}

/// Whether the command line was wrong, rather than that something does not hold.
fn is_bad_call(error: &anyhow::Error) -> bool {
    let setting =
        matches!(error.downcast_ref(), Some(StartError::Setting(_) | StartError::Store(StoreError::Address(_))));
    setting || matches!(error.downcast_ref(), Some(StoreError::Address(_)))
}

/// Data for standard output. Whoever has stopped reading it wants no more.
fn print(data: impl Display) {
    let _ = writeln!(std::io::stdout(), "{data}");
}

/// Whether it holds.
async fn run(cli: Cli) -> Result<bool> {
    match cli.command {
        None => serve(cli.serve).await,
        Some(Command::Serve(settings)) => serve(*settings).await,
        Some(Command::Migrate(database)) => {
            open(&database, StoreOptions::default()).await?.close().await;
            Ok(true)
        }
        Some(Command::Healthcheck { listen }) => match healthcheck::ask(listen).await {
            Ok(answer) => {
                print(answer);
                Ok(true)
            }
            Err(error) => bail!("{error}"),
        },
        Some(Command::Openapi) => {
            print(web::openapi().to_pretty_json().context("the document encodes")?);
            Ok(true)
        }
        Some(Command::Schema) => {
            print(schema::protocol());
            Ok(true)
        }
        Some(Command::Backup { file, database }) => {
            let store = open(&database, beside()).await?;
            let bytes = backup::backup(&store, &file).await?;
            store.close().await;
            print(format_args!("{}: {bytes} bytes", file.display()));
            Ok(true)
        }
        Some(Command::Copy { from, to }) => {
            for (table, rows) in copy::copy(&from, &to, StoreOptions::default()).await? {
                print(format_args!("{table}\t{rows}"));
            }
            Ok(true)
        }
        Some(Command::Ratings(Ratings::Rebuild(counting))) => count(counting, Purpose::Replace).await,
        Some(Command::Ratings(Ratings::Check(counting))) => count(counting, Purpose::Check).await,
        Some(Command::Flags { json, limit, database }) => {
            let store = open_beside(&database, beside()).await?;
            let judged = store.judged(limit.into()).await?;
            let suspects = store.suspects(limit.into()).await?;
            store.close().await;
            if json {
                print(flags::as_json(&judged, &suspects));
            } else {
                judged.iter().map(flags::judged_line).for_each(print);
                suspects.iter().map(flags::suspect_line).for_each(print);
            }
            Ok(true)
        }
        Some(Command::Flag(judged)) => judge_player(judged, Verdict::Flag).await,
        Some(Command::Unflag(judged)) => judge_player(judged, Verdict::Unflag).await,
        Some(Command::Ban(judged)) => judge_player(judged, Verdict::Ban).await,
        Some(Command::Unban(judged)) => judge_player(judged, Verdict::Unban).await,
        Some(Command::Verify { database, .. }) => {
            let store = open_beside(&database, beside()).await?;
            let report = verify::all(&store).await?;
            store.close().await;
            for (round, lines) in &report.differing {
                lines.iter().for_each(|line| print(format_args!("{round}\t{line}")));
            }
            report.differing_days.iter().for_each(print);
            let rounds = report.verified + report.differing.len() as u64;
            print(format_args!("verified {} of {rounds}", report.verified));
            for (what, rounds) in &report.not_checked {
                print(format_args!("not checked: {what} of {rounds}"));
            }
            Ok(report.differing.is_empty() && report.differing_days.is_empty())
        }
    }
}

async fn serve(settings: Serve) -> Result<bool> {
    let server = Server::start(settings).await?;
    print(format_args!("listening on http://{}", server.address()));
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let told = async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        tracing::info!("stopping");
    };
    Ok(server.run_until(told).await)
}

/// Whether ratings and boards are as they are to be.
async fn count(counting: Counting, purpose: Purpose) -> Result<bool> {
    let Counting { json, counted, database } = counting;
    let store = open_beside(&database, StoreOptions { exclusive: false, ..counted.options() }).await?;
    let report = rebuild::rebuild(&store, &Clock::start(), purpose).await?;
    store.close().await;
    say_by_what(&counted);
    match json {
        true => print(serde_json::to_string(&report).context("a report encodes")?),
        false => print_report(&report, purpose),
    }
    Ok(purpose == Purpose::Replace || report.is_same())
}

/// A check names what differs, a line each.
fn print_report(report: &Report, purpose: Purpose) {
    print(report);
    if purpose == Purpose::Check {
        for Difference { what, of, rows } in &report.what {
            print(format_args!("{what}\t{of}\t{rows}"));
        }
        if report.what.len() == NAMED_MAX {
            print(format_args!("only the first {NAMED_MAX} are named"));
        }
    }
}

async fn judge_player(judging: Judging, verdict: Verdict) -> Result<bool> {
    let options = StoreOptions { exclusive: false, ..judging.counted.options() };
    let store = open_beside(&judging.database, options).await?;
    let judgement = judge::judge(&store, &Clock::start(), &judging.player, verdict, &judging.reason).await;
    store.close().await;
    let Judgement { player, rebuilt } = judgement?;
    say_by_what(&judging.counted);
    print(format_args!("{} ({}) is {}", player.name, player.player_id, judge::standing_name(player.standing)));
    match rebuilt {
        Some(report) => print(report),
        None => print("another command has taken the rebuild over, and counts this too"),
    }
    Ok(true)
}

/// A server that was told another number counts by another: whoever counts anew sees by which.
fn say_by_what(counted: &Counted) {
    match counted.pair_rounds {
        0 => eprintln!("counted: all rounds between the same two (--pair-rounds 0); tell the server the same"),
        most => {
            eprintln!("counted: {most} rounds a day between the same two (--pair-rounds); tell the server the same")
        }
    }
}

/// For commands that work beside a running server, which holds the lock.
fn beside() -> StoreOptions {
    StoreOptions { exclusive: false, ..StoreOptions::default() }
}

/// Opens a database that a server, or `migrate`, has made.
async fn open_beside(database: &Database, options: StoreOptions) -> Result<Store> {
    let store = open(database, options).await?;
    store
        .check_schema()
        .await
        .with_context(|| format!("database {}", without_password(&database.url().unwrap_or_default())))?;
    Ok(store)
}

async fn open(database: &Database, options: StoreOptions) -> Result<Store> {
    let url = database.url()?;
    Store::open(&url, options).await.with_context(|| format!("database {}", without_password(&url)))
}
