//! `sprint bot`: a program that races over the public protocol, in a room or by quick match.
//!
//! It plays by what its seat hears. Must never play in a person's name: it refuses the token of a player who is no bot.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::{ArgGroup, Args};
use serde_json::json;
use sprint_shared::bot::{Habit, Line, Strength};
use sprint_shared::deal::{Draws, Seed};
use sprint_shared::play::Act;
use sprint_shared::preset::Preset;
use sprint_shared::protocol::Role;
use sprint_shared::protocol::view::PhaseView;
use sprint_shared::result::RoundResult;
use sprint_shared::solver::Budget;
use sprint_shared::time::Seat;
use tokio::time::Instant;
use uuid::Uuid;

use crate::api::{Api, Server};
use crate::connection::random_u32;
use crate::queue::{self, Waiting};
use crate::session::{Ended, Session, Update};
use crate::solve::{DOES_NOT_HOLD, bad_call};
use crate::text::complain;

/// Races as a bot, in a room or by quick match against other bots.
#[derive(Args, Clone, Debug)]
#[command(group(ArgGroup::new("where").required(true).args(["room", "quick"])))]
pub struct BotArgs {
    /// How strong it plays: 1 is careless and slow, 10 plays the shortest line.
    #[arg(long, value_name = "1..10")]
    pub strength: Strength,
    /// The server, http://HOST:PORT.
    #[arg(long, value_name = "URL", env = "SPRINT_URL", default_value = "http://127.0.0.1:8080")]
    pub server: Server,
    /// Joins this room.
    #[arg(long, value_name = "CODE")]
    pub room: Option<String>,
    /// Joins the queue of quick match; bots meet bots there.
    #[arg(long)]
    pub quick: bool,
    /// Seats of a quick match, 2 to 4.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(2..=4), conflicts_with = "room")]
    pub seats: u8,
    /// The kind of board of a quick match.
    #[arg(long, default_value = "standard", conflicts_with = "room")]
    pub preset: Preset,
    /// Its name; one is made up unless said.
    #[arg(long, conflicts_with = "token")]
    pub name: Option<String>,
    /// The token of a bot that was made before; a new one is made unless said.
    #[arg(long, env = "SPRINT_TOKEN", hide_env_values = true)]
    pub token: Option<String>,
    /// Rounds to race before it leaves.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: u32,
    /// Prints one JSON object a round.
    #[arg(long)]
    pub json: bool,
}

/// Runs `sprint bot`.
pub async fn run(args: BotArgs) -> ExitCode {
    if let Some(token) = &args.token {
        match Api::new(args.server.clone()).me(token).await {
            Ok(player) if !player.bot => {
                let name = player.name;
                return bad_call(format!(
                    "--token: {name} is a person; make a bot with POST /players {{\"bot\": true}}"
                ));
            }
            Ok(_) => {}
            Err(error) => {
                complain(error);
                return ExitCode::from(DOES_NOT_HOLD);
            }
        }
    }
    match race(&args).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            complain(reason);
            ExitCode::from(DOES_NOT_HOLD)
        }
    }
}

async fn race(args: &BotArgs) -> Result<(), String> {
    let api = Api::new(args.server.clone());
    let token = match &args.token {
        Some(token) => token.clone(),
        None => api.guest(args.name.as_deref(), true).await.map_err(|error| error.to_string())?.token,
    };
    let mut raced = 0;
    while raced < args.rounds {
        let joined = match &args.room {
            Some(code) => Session::join(&args.server, code, &token, Role::Player).await,
            None => {
                let mut waiting = Waiting::new(&args.server, &token, args.seats, args.preset);
                let code = waiting.matched().await.map_err(|ended| ended.to_string())?;
                queue::go_to(&args.server, &code, &token).await
            }
        };
        let session = match joined {
            Ok(session) => session,
            Err(ended) if has_no_opponent(args, &ended) => continue,
            Err(ended) => return Err(format!("the bot got no seat: {ended}")),
        };
        let mut seated = Seated::new(session, args);
        // A quick match is raced once; in a room the bot stays for as long as it is to race.
        let rounds = if args.quick { 1 } else { args.rounds - raced };
        match seated.play(rounds).await {
            Ok(results) => {
                results.iter().for_each(|(seat, result)| report(args, *seat, result));
                raced += results.len() as u32;
            }
            Err(ended) if has_no_opponent(args, &ended) => {}
            Err(ended) => return Err(ended.to_string()),
        }
    }
    Ok(())
}

/// Nobody else came to the race of a quick match: the next one, please.
fn has_no_opponent(args: &BotArgs, ended: &Ended) -> bool {
    args.quick && ended.code.as_deref() == Some("no_opponent")
}

/// A bot in its seat.
struct Seated {
    session: Session,
    habit: Habit,
    draws: Draws,
    line: Option<Arc<Line>>,
    next: Option<(Instant, Act)>,
    /// What was said and has no answer yet: it is not said again before something changes.
    asked: bool,
}

impl Seated {
    fn new(session: Session, args: &BotArgs) -> Seated {
        let draws = Draws::new(&Seed::from(u64::from(random_u32()) << 32 | u64::from(random_u32())));
        let habit = Habit::of(args.strength);
        Seated { session, habit, draws, line: None, next: None, asked: false }
    }

    /// Races that many rounds, and leaves.
    async fn play(&mut self, rounds: u32) -> Result<Vec<(Seat, RoundResult)>, Ended> {
        let mut results: Vec<(Seat, RoundResult)> = Vec::new();
        let is_new = |results: &[(Seat, RoundResult)], id: Uuid| results.iter().all(|(_, r)| r.round_id != id);
        while (results.len() as u32) < rounds {
            self.get_ready();
            self.plan().await?;
            let wake = self.next.as_ref().map(|(at, _)| *at);
            let update = tokio::select! {
                update = self.session.next() => update,
                () = until(wake) => {
                    self.act()?;
                    continue;
                }
            };
            self.heed(&update?);
            let over = self.session.room.round.as_ref().and_then(|round| round.result.clone());
            if let (Some(result), Some(seat)) = (over, self.session.room.seat)
                && is_new(&results, result.round_id)
            {
                results.push((seat, result));
            }
        }
        self.session.leave();
        let leaving = async { while self.session.next().await.is_ok() {} };
        drop(tokio::time::timeout(Duration::from_secs(2), leaving).await);
        Ok(results)
    }

    fn get_ready(&mut self) {
        let room = &self.session.room;
        let own = room.seat.and_then(|seat| room.sitter(seat));
        if self.asked || own.is_none_or(|own| own.ready) {
            return;
        }
        match room.phase {
            PhaseView::Lobby | PhaseView::Break => self.session.ready(true),
            PhaseView::Over => self.session.rematch(),
            _ => return,
        }
        self.asked = true;
    }

    /// Decides on the next act, once the last one is judged.
    async fn plan(&mut self) -> Result<(), Ended> {
        if !self.session.room.may_act() {
            self.next = None;
            return Ok(());
        }
        if self.next.is_some() || self.session.acts.pending().len() > 0 {
            return Ok(());
        }
        let Some(play) = self.session.shown().filter(|play| !play.is_harmony()) else { return Ok(()) };
        let line = match self.line.take().filter(|line| line.start() == play.start()) {
            Some(line) => line,
            None => {
                let start = play.start().clone();
                let solved = tokio::task::spawn_blocking(move || Line::of(&start, &Budget::default())).await;
                let line = solved.expect("the solver does not panic");
                Arc::new(line.ok_or(Ended { code: None, why: "the board cannot be solved".to_owned() })?)
            }
        };
        let (act, pause_ms) = self.habit.next(&line, &play, &mut self.draws);
        self.line = Some(line);
        self.next = Some((Instant::now() + Duration::from_millis(pause_ms), act));
        Ok(())
    }

    fn act(&mut self) -> Result<(), Ended> {
        let Some((_, act)) = self.next.take() else { return Ok(()) };
        match self.session.act(act) {
            Ok(_) => Ok(()),
            // The race has gone on meanwhile, or has ended: it is decided anew.
            Err(_) if !self.session.room.may_act() => Ok(()),
            Err(why) => Err(Ended { code: None, why: format!("the bot's own rules refuse {act:?}: {why}") }),
        }
    }

    fn heed(&mut self, update: &Update) {
        match update {
            Update::Event(_) | Update::Refused { .. } => self.asked = false,
            Update::Snapshot | Update::Started | Update::Lost { .. } | Update::Back => {
                (self.asked, self.next) = (false, None);
            }
            Update::Replaced | Update::Emote { .. } | Update::Aside => {}
        }
    }
}

async fn until(instant: Option<Instant>) {
    match instant {
        Some(instant) => tokio::time::sleep_until(instant).await,
        None => std::future::pending().await,
    }
}

fn report(args: &BotArgs, seat: Seat, result: &RoundResult) {
    let Some(own) = result.seats.iter().find(|of| of.seat == seat) else { return };
    let official_ms = own.finish.map(|finish| finish.official_ms);
    if args.json {
        let (round_id, optimum) = (result.round_id, result.optimum);
        let (rank, moves, errors) = (own.rank, own.moves, own.errors);
        let object = json!({ "round_id": round_id, "rank": rank, "official_ms": official_ms, "moves": moves,
            "errors": errors, "optimum": optimum });
        println!("{object}");
    } else {
        let time = official_ms.map_or_else(|| "not finished".to_owned(), |ms| format!("{:.2} s", ms as f64 / 1_000.0));
        println!("rank {} of {}: {time}, {} moves, {} errors", own.rank, result.seats.len(), own.moves, own.errors);
    }
}
