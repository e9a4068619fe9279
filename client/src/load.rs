//! `sprint load`: whole rounds played by bots over the public protocol, with what they met and how long it took.
//!
//! A room counts as finished only when its stored result was read back and its record proves it.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use sprint_shared::options::{Opponents, RoomOptions};
use sprint_shared::preset::Preset;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::api::{Api, Server};
use crate::solve::{DOES_NOT_HOLD, bad_call};

pub mod audit;
mod bot;
mod gauge;
mod ledger;
mod room;
mod tally;
mod viewer;

use gauge::Gauge;
use ledger::Ledger;
use tally::Tally;
use viewer::Crowd;

/// Plays whole rounds with bots that solve their boards, and reads every stored result back.
#[derive(Args, Clone, Debug)]
pub struct LoadArgs {
    /// The server, http://HOST:PORT.
    #[arg(long, value_name = "URL")]
    pub server: Server,
    /// Rooms, all at once.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub rooms: u32,
    /// Bots in each room.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(2..=4))]
    pub players: u8,
    /// Seats of each room; as many as bots unless said.
    #[arg(long, value_parser = clap::value_parser!(u8).range(2..=4))]
    pub seats: Option<u8>,
    /// The kind of board that is dealt.
    #[arg(long, default_value = "standard")]
    pub preset: Preset,
    /// Acts a second of each bot, about.
    #[arg(long, default_value_t = 4.0, value_parser = rate, value_name = "ACTS_PER_SECOND")]
    pub rate: f64,
    /// Spectators in each room, on one player's token; 20,000 in all rooms at most.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=SPECTATORS_MAX))]
    pub spectators: u32,
    /// Plays the rooms without spectators first, and prints own acknowledgements with spectators as ratios to those.
    #[arg(long)]
    pub compare: bool,
    /// The server's process on this machine: prints its processor time and memory.
    #[arg(long, value_name = "PID")]
    pub pid: Option<u32>,
    /// Share of acts that are illegal placements on purpose, 0 to 0.9.
    #[arg(long, default_value_t = 0.0, value_parser = share)]
    pub errors: f64,
    /// Rooms show racers only each other's progress.
    #[arg(long)]
    pub progress: bool,
    /// Writes every acknowledgement received to this file, one JSON line each; appends if it exists.
    #[arg(long, value_name = "FILE")]
    pub ledger: Option<PathBuf>,
    /// Gives up on rooms that have not ended after so many seconds; twice the preset's timer and two minutes unless said.
    #[arg(long, value_name = "SECONDS")]
    pub patience: Option<u64>,
    /// Prints one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// Spectators in all rooms together at most.
const SPECTATORS_MAX: i64 = 20_000;

/// What all rooms of a run share.
struct Run {
    api: Api,
    options: RoomOptions,
    players: u8,
    spectators: u32,
    rate: f64,
    errors: f64,
    ledger: Option<Arc<Ledger>>,
    crowd: Crowd,
    server: Option<Gauge>,
    /// Rooms are opened a few at a time: what is measured is play, not a rush at the door.
    door: Semaphore,
}

/// Rooms that are being opened at the same time.
const DOOR: usize = 16;

/// Runs `sprint load`.
pub async fn run(args: LoadArgs) -> ExitCode {
    let seats = args.seats.unwrap_or(args.players);
    if seats < args.players {
        return bad_call(format!("--seats {seats}: fewer than the {} bots of --players", args.players));
    }
    let opponents = if args.progress { Opponents::Progress } else { Opponents::Boards };
    let options = RoomOptions { seats, preset: args.preset, opponents, ..RoomOptions::default() };
    let ledger = match args.ledger.as_deref().map(Ledger::open).transpose() {
        Ok(ledger) => ledger,
        Err(reason) => return bad_call(format!("--ledger: {reason}")),
    };
    let (rooms, spectators) = (u64::from(args.rooms), u64::from(args.spectators));
    if rooms * spectators > SPECTATORS_MAX as u64 {
        return bad_call(format!("--spectators {spectators} in {rooms} rooms: at most {SPECTATORS_MAX} in all"));
    }
    if args.compare && spectators == 0 {
        return bad_call("--compare: it needs --spectators to compare with".to_owned());
    }
    if let Err(reason) = viewer::allow_sockets(rooms * (spectators + u64::from(args.players))) {
        return bad_call(reason);
    }
    let ledger = ledger.map(Arc::new);
    let alone = match args.compare {
        true => match play(&args, &options, ledger.clone(), 0).await {
            (mut tally, 0) => Some(tally.own_ack.percentiles()),
            _ => return ExitCode::from(DOES_NOT_HOLD),
        },
        false => None,
    };
    let (mut tally, failed) = play(&args, &options, ledger, args.spectators).await;
    tally.alone = alone;
    let is_whole = tally.viewed.missing + tally.viewed.doubled == 0;
    tally.print(args.json);
    if failed == 0 && is_whole { ExitCode::SUCCESS } else { ExitCode::from(DOES_NOT_HOLD) }
}

/// Plays all rooms, with so many spectators in each; what they came to, and how many failed.
async fn play(args: &LoadArgs, options: &RoomOptions, ledger: Option<Arc<Ledger>>, spectators: u32) -> (Tally, u32) {
    let limit_s = u64::from(options.time_limit_s());
    let patience = Duration::from_secs(args.patience.unwrap_or(2 * limit_s + 120));
    let run = Arc::new(Run {
        api: Api::new(args.server.clone()),
        options: options.clone(),
        players: args.players,
        spectators,
        rate: args.rate,
        errors: args.errors,
        ledger,
        crowd: Crowd::new().expect("the system lets this program start its threads"),
        server: args.pid.map(Gauge::new),
        door: Semaphore::new(DOOR),
    });
    let mut rooms = JoinSet::new();
    for number in 1..=args.rooms {
        rooms.spawn(room::play(run.clone(), number, patience));
    }
    let (mut tally, mut failed) = (Tally::default(), 0);
    while let Some(played) = rooms.join_next().await {
        let (room, outcome) = played.expect("a room's task does not panic");
        tally.add(room);
        match outcome {
            Ok(()) => tally.finished += 1,
            Err(reason) => {
                failed += 1;
                eprintln!("{reason}");
            }
        }
    }
    tally.rooms = args.rooms;
    tally.server = run.server.as_ref().and_then(Gauge::read);
    (tally, failed)
}

fn rate(text: &str) -> Result<f64, String> {
    let rate: f64 = text.parse().map_err(|_| format!("{text:?} is no number"))?;
    if (0.1..=1000.0).contains(&rate) { Ok(rate) } else { Err(format!("0.1 to 1000 acts a second, not {text}")) }
}

fn share(text: &str) -> Result<f64, String> {
    let share: f64 = text.parse().map_err(|_| format!("{text:?} is no number"))?;
    if (0.0..=0.9).contains(&share) { Ok(share) } else { Err(format!("a share of 0 to 0.9, not {text}")) }
}
