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
mod silent;
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
    /// Spectators in each room that read nothing after the welcome, over http:// alone.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=SPECTATORS_MAX))]
    pub silent: u32,
    /// Plays the rooms without spectators too, before and after, and prints own acknowledgements with spectators as ratios
    /// to those of both together.
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

/// Who watches each room.
#[derive(Clone, Copy, Debug, Default)]
struct Audience {
    /// Those who hear every frame.
    reading: u32,
    /// Those who never read.
    silent: u32,
}

/// What all rooms of a run share.
struct Run {
    api: Api,
    options: RoomOptions,
    players: u8,
    audience: Audience,
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
    let audience = Audience { reading: args.spectators, silent: args.silent };
    let (rooms, viewers) = (u64::from(args.rooms), u64::from(audience.reading) + u64::from(audience.silent));
    if rooms * viewers > SPECTATORS_MAX as u64 {
        return bad_call(format!("{viewers} spectators in {rooms} rooms: at most {SPECTATORS_MAX} in all"));
    }
    if args.compare && viewers == 0 {
        return bad_call("--compare: it needs --spectators or --silent to compare with".to_owned());
    }
    if let Err(reason) = viewer::allow_sockets(rooms * (viewers + u64::from(args.players))) {
        return bad_call(reason);
    }
    let ledger = ledger.map(Arc::new);
    // Before and after: whatever grows or warms up on the way is for neither.
    let mut alone = Tally::default();
    if args.compare {
        alone.add(play(&args, &options, ledger.clone(), Audience::default()).await);
    }
    let mut tally = play(&args, &options, ledger.clone(), audience).await;
    if args.compare {
        alone.add(play(&args, &options, ledger, Audience::default()).await);
        tally.alone = Some(alone.own_ack.percentiles());
    }
    let is_whole = alone.failed + tally.failed == 0 && tally.viewed.missing + tally.viewed.doubled == 0;
    tally.print(args.json);
    if is_whole { ExitCode::SUCCESS } else { ExitCode::from(DOES_NOT_HOLD) }
}

/// Plays all rooms before such an audience in each; what they came to.
async fn play(args: &LoadArgs, options: &RoomOptions, ledger: Option<Arc<Ledger>>, audience: Audience) -> Tally {
    let limit_s = u64::from(options.time_limit_s());
    let patience = Duration::from_secs(args.patience.unwrap_or(2 * limit_s + 120));
    let run = Arc::new(Run {
        api: Api::new(args.server.clone()),
        options: options.clone(),
        players: args.players,
        audience,
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
    let mut tally = Tally { rooms: args.rooms, ..Tally::default() };
    while let Some(played) = rooms.join_next().await {
        let (room, outcome) = played.expect("a room's task does not panic");
        tally.add(room);
        match outcome {
            Ok(()) => tally.finished += 1,
            Err(reason) => {
                tally.failed += 1;
                eprintln!("{reason}");
            }
        }
    }
    tally.server = run.server.as_ref().and_then(Gauge::read);
    tally
}

fn rate(text: &str) -> Result<f64, String> {
    let rate: f64 = text.parse().map_err(|_| format!("{text:?} is no number"))?;
    if (0.1..=1000.0).contains(&rate) { Ok(rate) } else { Err(format!("0.1 to 1000 acts a second, not {text}")) }
}

fn share(text: &str) -> Result<f64, String> {
    let share: f64 = text.parse().map_err(|_| format!("{text:?} is no number"))?;
    if (0.0..=0.9).contains(&share) { Ok(share) } else { Err(format!("a share of 0 to 0.9, not {text}")) }
}
