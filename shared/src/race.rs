//! A room and its races as a state machine: events in, state out (RULES section 5).
//!
//! `decide` and `due` say what happens, `evolve` makes it so. Nothing here reads a clock or draws a number: instants,
//! seeds and ids are arguments. A room task drives it with [`Race::step`], so that what follows from an event
//! happens at the same instant.

use uuid::Uuid;

use crate::board::Board;
use crate::deal::Seed;
use crate::event::{Event, Nonce};
use crate::options::{Contest, RoomOptions};
use crate::play::{House, Play};
use crate::result::{FinishTimes, RoundResult, SeriesRank};
use crate::time::{Millis, SEATS_MAX, Seat};

mod admit;
mod chain;
mod command;
mod decide;
mod due;
mod evolve;
mod host;
mod rank;
mod series;
mod view;

pub use command::{Command, Refusal, Want, Whom};
pub use view::Viewer;

/// How long nonces are waited for, from the commitment.
pub const NONCE_MS: u64 = 1_000;
/// How long a result stays open after the deciding receipt.
pub const PHOTO_FINISH_MS: u64 = 100;
/// How long players are waited for after an interruption.
pub const RETURN_MS: u64 = 15_000;
/// The longest pause between the rounds of a series.
pub const BREAK_MS: u64 = 10_000;
/// How long a host may keep all the others waiting who are ready.
pub const HOST_WAIT_MS: u64 = 60_000;
/// Acts that a room of one takes: its sessions have no timer, and all of it is read again when it is proven.
pub const ALONE_ACTS_MAX: u32 = 50_000;
/// How long a seat outside a round is kept for a player who is not connected.
pub const ABSENT_MS: u64 = 30_000;

/// A room: its seats, the round at work, the series.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Race {
    seq: u32,
    room: Uuid,
    code: String,
    options: RoomOptions,
    countdown_ms: u32,
    idle_ms: u64,
    idle_since: Millis,
    /// When a round was over last; before the first, since when the room is open.
    unraced_since: Millis,
    phase: Phase,
    seats: [Option<Sitter>; SEATS_MAX],
    host: Option<Seat>,
    /// Nobody's: see [`Race::without_host`]. Follows from no event.
    hostless: bool,
    ever_seated: bool,
    /// Rounds begun so far.
    rounds: u32,
    round: Option<Round>,
    interruption: Option<Interruption>,
    series: Vec<series::Record>,
    ranking: Option<Vec<SeriesRank>>,
}

/// What the room is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Lobby,
    Nonces {
        since: Millis,
    },
    Dealing,
    /// From the countdown to the result.
    Racing,
    Break {
        since: Millis,
    },
    Over,
    Closed,
}

/// A taken seat.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Sitter {
    player: Uuid,
    name: String,
    bot: bool,
    present: bool,
    absent_since: Millis,
    ready: bool,
    left: bool,
    /// The last act judged.
    n: u32,
}

/// One round.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Round {
    number: u32,
    id: Uuid,
    committed_at: Millis,
    deal_version: u16,
    source: String,
    commitment: Seed,
    server_seed: Seed,
    nonces: [Option<Nonce>; SEATS_MAX],
    seed: Option<Seed>,
    /// How often the seed was replaced because its board was dealt before.
    redeals: u32,
    board: Option<Board>,
    optimum: Option<u32>,
    start: Option<Start>,
    racers: [Option<Racer>; SEATS_MAX],
    decided: Option<Decided>,
    interrupted: bool,
    result: Option<RoundResult>,
    /// Over all events up to the last one; `None` once one was applied whose instant is not known.
    chain: Option<Seed>,
}

/// T0 and credits, fixed at the countdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Start {
    t0: Millis,
    credits_ms: [u32; SEATS_MAX],
    /// When the boards are shown: T0, or later after an interruption.
    shown_at: Millis,
    /// Where the clocks went on after the last interruption; until then they stand still.
    resumed_at: Option<Millis>,
}

/// A seat in a round.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Racer {
    player: Uuid,
    name: String,
    bot: bool,
    play: Option<Play>,
    finish: Option<FinishTimes>,
    gave_up: bool,
}

/// First place is decided: everybody as they stood at that instant.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Decided {
    at: Millis,
    standings: [Option<rank::Standing>; SEATS_MAX],
}

/// The server was interrupted and the clocks stand still.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Interruption {
    /// Where the clocks stand.
    paused_at: Millis,
    /// Since when players are waited for.
    owned_at: Millis,
}

impl Race {
    /// The room that a list of events begins with; `None` if the first is not `RoomOpened`.
    pub fn open(first: &Event) -> Option<Race> {
        let Event::RoomOpened { at, room, code, options, countdown_ms, idle_ms } = first else { return None };
        Some(Race {
            seq: 1,
            room: *room,
            code: code.clone(),
            options: options.clone(),
            countdown_ms: *countdown_ms,
            idle_ms: *idle_ms,
            idle_since: *at,
            unraced_since: *at,
            phase: Phase::Lobby,
            seats: [const { None }; SEATS_MAX],
            host: None,
            hostless: false,
            ever_seated: false,
            rounds: 0,
            round: None,
            interruption: None,
            series: Vec::new(),
            ranking: None,
        })
    }

    /// Applies events that were decided at `now`, and then whatever follows from them at the same instant.
    /// `each` sees every event with the state right after it: the place to convert and collect them.
    pub fn step(&mut self, now: Millis, mut events: Vec<Event>, mut each: impl FnMut(&Race, Event)) {
        while !events.is_empty() {
            for event in events {
                self.evolve_at(now, &event);
                each(self, event);
            }
            events = self.consequences(now);
        }
    }

    /// Events that bring a fresh room to what matters of this one for its next round: what a stored round's own
    /// events are preceded by, so that the round is proven without the room's earlier history.
    pub fn prologue(&self, at: Millis) -> Vec<Event> {
        let opened = Event::RoomOpened {
            at,
            room: self.room,
            // Stored rounds are public, a private room's code is not; nothing is proven from it.
            code: String::new(),
            options: self.options.clone(),
            countdown_ms: self.countdown_ms,
            idle_ms: self.idle_ms,
        };
        let seated = self.remaining().flat_map(|(seat, s)| {
            let taken = Event::SeatTaken { seat, player: s.player, name: s.name.clone(), bot: s.bot, at };
            [Some(taken), s.present.then_some(Event::Connected { seat, at })]
        });
        [Some(opened)].into_iter().chain(seated).flatten().collect()
    }

    /// The last event's number; the first is 1.
    pub fn seq(&self) -> u32 {
        self.seq
    }

    /// The room's id.
    pub fn room(&self) -> Uuid {
        self.room
    }

    /// The code that people type.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// The room's options.
    pub fn options(&self) -> &RoomOptions {
        &self.options
    }

    /// The seat of a player who has not left.
    pub fn seat_of(&self, player: Uuid) -> Option<Seat> {
        self.sitters().find(|(_, s)| s.player == player && !s.left).map(|(seat, _)| seat)
    }

    /// The player in a seat.
    pub fn player_at(&self, seat: Seat) -> Option<Uuid> {
        self.sitter(seat).filter(|s| !s.left).map(|s| s.player)
    }

    /// The seats of those who have not left.
    pub fn seated(&self) -> impl Iterator<Item = Seat> {
        self.remaining().map(|(seat, _)| seat)
    }

    /// The name of the player in a seat.
    pub fn name_at(&self, seat: Seat) -> Option<&str> {
        self.sitter(seat).filter(|s| !s.left).map(|s| s.name.as_str())
    }

    /// Whether a program plays in a seat.
    pub fn is_bot_at(&self, seat: Seat) -> bool {
        self.sitter(seat).is_some_and(|s| s.bot)
    }

    /// The id of the round at work or the last one.
    pub fn round_id(&self) -> Option<Uuid> {
        self.round.as_ref().map(|r| r.id)
    }

    /// Where the race clock stands at `now`, in milliseconds from T0 and negative before it; `None` until T0 is fixed.
    pub fn clock_ms(&self, now: Millis) -> Option<i64> {
        let start = self.round.as_ref()?.start?;
        // In an interruption and until its countdown is over the clock stands still.
        let running = start.resumed_at.map_or(now, |resumed_at| now.max(resumed_at));
        let now = self.interruption.map_or(running, |i| i.paused_at);
        Some((now.0 as i64).saturating_sub(start.t0.0 as i64))
    }

    /// T0 as it is planned, outages added.
    pub(crate) fn t0(&self) -> Option<Millis> {
        Some(self.round.as_ref()?.start?.t0)
    }

    /// Whether a connection controls that seat.
    pub fn is_present(&self, seat: Seat) -> bool {
        self.sitter(seat).is_some_and(|s| s.present)
    }

    /// The running number of the last act judged of a seat; 0 before the first.
    pub fn n(&self, seat: Seat) -> u32 {
        self.sitter(seat).map_or(0, |s| s.n)
    }

    /// A judged act was refused without effect: its number is used up. Not an event, since nothing follows from it;
    /// after a crash the act would be refused again.
    pub fn refused(&mut self, seat: Seat, n: u32) {
        if let Some(sitter) = &mut self.seats[seat.index()] {
            sitter.n = sitter.n.max(n);
        }
    }

    /// A seat's play of the round at work.
    pub fn play(&self, seat: Seat) -> Option<&Play> {
        self.round.as_ref()?.racers[seat.index()].as_ref()?.play.as_ref()
    }

    /// The proven least number of transfers of the round's board.
    pub fn optimum(&self) -> Option<u32> {
        self.round.as_ref()?.optimum
    }

    /// Whether the server was interrupted and the round waits for its players.
    pub fn is_paused(&self) -> bool {
        self.interruption.is_some()
    }

    /// Whether the room is closed.
    pub fn is_closed(&self) -> bool {
        self.phase == Phase::Closed
    }

    /// Whether people can still sit down.
    pub fn is_joinable(&self) -> bool {
        matches!(self.phase, Phase::Lobby | Phase::Over) && self.free_seat().is_some()
    }

    /// The instant at which the boards are shown, once it is fixed: T0, or later after an interruption. `None`
    /// outside a round and while it is paused.
    pub fn shown_at(&self) -> Option<Millis> {
        if self.phase != Phase::Racing || self.interruption.is_some() {
            return None;
        }
        self.round.as_ref()?.start.map(|s| s.shown_at)
    }

    /// The one-way delay credited to a seat in the round at work, in milliseconds: how far ahead of
    /// [`Race::shown_at`] its start frame leaves.
    pub fn credit_ms(&self, seat: Seat) -> u32 {
        self.round.as_ref().and_then(|r| r.start).map_or(0, |s| s.credits_ms[seat.index()])
    }

    /// The house rules of this room's acts.
    pub fn house(&self) -> House {
        House { placement: self.options.placement, relaxed: self.options.solo.is_some_and(|solo| solo.is_relaxed()) }
    }

    pub(crate) fn limit_ms(&self) -> u64 {
        u64::from(self.options.time_limit_s()) * 1_000
    }

    fn sitter(&self, seat: Seat) -> Option<&Sitter> {
        self.seats[seat.index()].as_ref()
    }

    fn sitters(&self) -> impl Iterator<Item = (Seat, &Sitter)> {
        Seat::ALL.into_iter().filter_map(|seat| Some((seat, self.sitter(seat)?)))
    }

    /// Those who have not left.
    fn remaining(&self) -> impl Iterator<Item = (Seat, &Sitter)> {
        self.sitters().filter(|(_, s)| !s.left)
    }

    fn free_seat(&self) -> Option<Seat> {
        let seats = Seat::ALL.into_iter().take(self.options.seats.into());
        seats.into_iter().find(|seat| self.sitter(*seat).is_none())
    }

    /// Whether anybody has acted in this round.
    fn has_acts(&self) -> bool {
        let plays = self.round.iter().flat_map(|r| r.racers().filter_map(|(_, racer)| racer.play.as_ref()));
        plays.into_iter().any(Play::is_touched)
    }

    fn in_round(&self) -> bool {
        matches!(self.phase, Phase::Nonces { .. } | Phase::Dealing | Phase::Racing)
    }
}

impl Round {
    fn racers(&self) -> impl Iterator<Item = (Seat, &Racer)> {
        Seat::ALL.into_iter().filter_map(|seat| Some((seat, self.racers[seat.index()].as_ref()?)))
    }

    /// Those who may still act.
    fn at_work(&self) -> impl Iterator<Item = (Seat, &Racer)> {
        self.racers().filter(|(_, r)| r.finish.is_none() && !r.gave_up)
    }

    /// First place is decided: by a clean finish, or by a finish with errors once every racer still at work has
    /// errors too. In a contest for fewest moves everybody plays to the end.
    fn is_first_decided(&self, contest: Contest) -> bool {
        let errors = |r: &Racer| r.play.as_ref().map_or(0, Play::errors);
        contest == Contest::Fastest
            && self
                .racers()
                .filter(|(_, r)| r.finish.is_some())
                .any(|(_, finisher)| errors(finisher) == 0 || self.at_work().all(|(_, other)| errors(other) > 0))
    }
}
