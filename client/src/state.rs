//! A room as one client knows it: server messages folded into plain public fields.
//!
//! It holds only what the server has said; acts under way are in [`acts`]. Clocks are anchored on the receipt of a
//! message with a monotonic instant that the caller passes in.

use std::time::{Duration, Instant};

use sprint_shared::board::Board;
use sprint_shared::event::CloseReason;
use sprint_shared::options::RoomOptions;
use sprint_shared::play::{House, Play};
use sprint_shared::protocol::view::{PhaseView, PlayView, RoundView, SeatView, View};
use sprint_shared::protocol::{CurveView, Reveal, ServerMessage, ToGo};
use sprint_shared::result::{FinishTimes, RoundResult, SeriesRank};
use sprint_shared::time::Seat;
use uuid::Uuid;

pub mod acts;
pub mod event;

/// A room, folded from what the server said.
#[derive(Clone, Debug)]
pub struct Folded {
    /// The room's last event that is folded in.
    pub seq: u32,
    /// This client's own seat, for a player.
    pub seat: Option<Seat>,
    /// The code that people type.
    pub code: String,
    /// The room's options.
    pub options: RoomOptions,
    /// What the room is doing.
    pub phase: PhaseView,
    /// The host's seat.
    pub host: Option<Seat>,
    /// The taken seats.
    pub seats: Vec<SeatView>,
    /// The round at work or the last one.
    pub round: Option<Round>,
    /// The ranking of the last series, once it is over.
    pub ranking: Option<Vec<SeriesRank>>,
    /// Why the room is closed, once it is.
    pub closed: Option<CloseReason>,
    /// Of who watches: each racer's distance to harmony so far.
    pub curves: Vec<CurveView>,
    /// Of who watches: how many do.
    pub viewers: Option<u32>,
}

/// A round.
#[derive(Clone, Debug)]
pub struct Round {
    /// Its number in the room, from 1.
    pub number: u32,
    /// Its id: the match to look up.
    pub id: Uuid,
    /// The published commitment, 64 hex digits.
    pub commitment: String,
    /// Where the race clock stands.
    pub clock: Clock,
    /// The timer in milliseconds.
    pub limit_ms: u64,
    /// The own lag credit in milliseconds, once it is fixed.
    pub credit_ms: Option<u32>,
    /// Whether the countdown has begun: from then on leaving is giving up.
    pub dealt: bool,
    /// The board of every seat at the start, once it is shown.
    pub board: Option<Board>,
    /// The proven least number of transfers, once the board is shown.
    pub optimum: Option<u32>,
    /// Par, once the board is shown.
    pub par: Option<u32>,
    /// Whether the server interrupted the round.
    pub interrupted: bool,
    /// First place is decided; the result follows in a moment.
    pub decided: bool,
    /// Whether the server has this client's part of the seed.
    pub nonce_given: bool,
    /// One entry a racer.
    pub racers: Vec<Racer>,
    /// The result, once the round is over.
    pub result: Option<RoundResult>,
    /// What was secret, once the round is over.
    pub reveal: Option<Reveal>,
}

/// One racer of a round.
#[derive(Clone, Debug)]
pub struct Racer {
    /// The seat.
    pub seat: Seat,
    /// The play, where the board may be seen.
    pub play: Option<Play>,
    /// The official counter.
    pub moves: u32,
    /// Placement errors.
    pub errors: u32,
    /// Settled disks.
    pub settled: u32,
    /// No undo and no reset so far, as far as is known.
    pub flawless: bool,
    /// The finish.
    pub finish: Option<FinishTimes>,
    /// Gave up or left.
    pub gave_up: bool,
}

/// The race clock, anchored on a receipt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// Nothing is planned yet.
    Unset,
    /// The boards are shown at that instant.
    Ahead(Instant),
    /// The clock runs: it showed `ms` at `at`.
    Running {
        /// The anchor.
        at: Instant,
        /// Race time at the anchor, in milliseconds from T0.
        ms: u64,
    },
    /// The clock stands, at so many milliseconds from T0.
    Standing(u64),
}

/// What folding a message came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The state is up to date with the message.
    Folded,
    /// The message was known already.
    Known,
    /// Something is missing before it, or it does not fit: ask for everything anew.
    Gap,
}

impl Folded {
    /// The state that a snapshot shows, received at `at`. `is_start`: the frame was sent ahead so as to arrive on time.
    pub fn of_view(seq: u32, seat: Option<Seat>, view: View, at: Instant, is_start: bool) -> Folded {
        let View { code, options, phase, host, seats, mut round, ranking } = view;
        let curves = round.as_mut().and_then(|round| round.curves.take()).unwrap_or_default();
        let round = round.map(|view| Round::of_view(view, &options, phase, at, is_start));
        Folded { seq, seat, code, options, phase, host, seats, round, ranking, closed: None, curves, viewers: None }
    }

    /// Folds a message that was received at `at`. Messages that say nothing of the room are known.
    pub fn fold(&mut self, message: &ServerMessage, at: Instant) -> Outcome {
        match message {
            ServerMessage::Snapshot { seq, state } => self.replace(*seq, state, at, false),
            ServerMessage::Start { seq, state } => self.replace(*seq, state, at, true),
            ServerMessage::Event(event) if event.seq <= self.seq => Outcome::Known,
            ServerMessage::Event(event) if event.seq > self.seq + 1 => Outcome::Gap,
            ServerMessage::Event(event) => {
                self.seq = event.seq;
                self.fold_event(&event.kind, at)
            }
            ServerMessage::Distance { seat, clock_ms, to_go } => self.measured(*seat, *clock_ms, *to_go),
            ServerMessage::Watching { viewers } => {
                self.viewers = Some(*viewers);
                Outcome::Folded
            }
            _ => Outcome::Known,
        }
    }

    /// Puts a distance in its place in time: they may come out of order, and the last of an instant counts.
    fn measured(&mut self, seat: Seat, clock_ms: u64, to_go: ToGo) -> Outcome {
        let at = self.curves.iter().position(|curve| curve.seat == seat).unwrap_or_else(|| {
            self.curves.push(CurveView { seat, points: Vec::new() });
            self.curves.len() - 1
        });
        let points = &mut self.curves[at].points;
        match points.binary_search_by_key(&clock_ms, |(at, _)| *at) {
            Ok(place) => points[place].1 = to_go,
            Err(place) => points.insert(place, (clock_ms, to_go)),
        }
        Outcome::Folded
    }

    fn replace(&mut self, seq: u32, view: &View, at: Instant, is_start: bool) -> Outcome {
        // Whoever was replaced watches now, and may be shown what was a while ago.
        if seq < self.seq && self.seat.is_some() {
            return Outcome::Gap;
        }
        let nonce_given = self.round.as_ref().filter(|r| r.nonce_given).map(|r| r.id);
        let viewers = self.viewers;
        *self = Folded::of_view(seq, self.seat, view.clone(), at, is_start);
        self.viewers = viewers;
        if let Some(round) = &mut self.round {
            round.nonce_given = nonce_given == Some(round.id);
        }
        Outcome::Folded
    }

    /// The own racer.
    pub fn own(&self) -> Option<&Racer> {
        self.racer(self.seat?)
    }

    /// The racer in a seat.
    pub fn racer(&self, seat: Seat) -> Option<&Racer> {
        self.round.as_ref()?.racers.iter().find(|r| r.seat == seat)
    }

    /// Who sits in a seat.
    pub fn sitter(&self, seat: Seat) -> Option<&SeatView> {
        self.seats.iter().find(|s| s.seat == seat)
    }

    /// Whether the own seat may act now.
    pub fn may_act(&self) -> bool {
        let at_work = |r: &Racer| r.finish.is_none() && !r.gave_up && r.play.is_some();
        self.phase == PhaseView::Racing && self.own().is_some_and(at_work)
    }

    /// The house rules of this room's acts.
    pub fn house(&self) -> House {
        House { placement: self.options.placement, relaxed: self.options.solo.is_some_and(|solo| solo.is_relaxed()) }
    }
}

impl Round {
    fn of_view(view: RoundView, options: &RoomOptions, phase: PhaseView, at: Instant, is_start: bool) -> Round {
        let board = view.board.as_deref().and_then(|text| text.parse().ok());
        let racers = view.plays.into_iter().map(|play| Racer::of_view(play, board.as_ref())).collect();
        // A snapshot was on its way for about as long as an act will be, and acts are credited with that.
        let under_way_ms = if is_start { 0 } else { view.credit_ms.unwrap_or(0).into() };
        let clock = match (phase, view.clock_ms, view.in_ms) {
            (PhaseView::Racing, Some(ms), _) => Clock::Running { at, ms: ms + under_way_ms },
            (PhaseView::Racing, None, _) => Clock::Running { at, ms: 0 },
            (PhaseView::Countdown, _, Some(in_ms)) => Clock::Ahead(at + Duration::from_millis(in_ms.into())),
            (_, Some(ms), _) => Clock::Standing(ms),
            _ => Clock::Unset,
        };
        Round {
            number: view.round,
            id: view.round_id,
            commitment: view.commitment,
            clock,
            limit_ms: if view.limit_ms > 0 { view.limit_ms } else { u64::from(options.time_limit_s()) * 1000 },
            credit_ms: view.credit_ms,
            dealt: view.in_ms.is_some() || view.credit_ms.is_some() || board.is_some(),
            board,
            optimum: view.optimum,
            par: view.par,
            interrupted: view.interrupted,
            decided: false,
            nonce_given: false,
            racers,
            result: view.result,
            reveal: view.reveal,
        }
    }
}

impl Racer {
    fn of_view(view: PlayView, start: Option<&Board>) -> Racer {
        let play = view.play(start);
        Racer {
            seat: view.seat,
            moves: view.moves,
            errors: view.errors,
            settled: play.as_ref().map_or(view.settled, Play::settled),
            flawless: view.flawless,
            finish: view.finish,
            gave_up: view.gave_up,
            play,
        }
    }
}

impl Clock {
    /// Race time at `now`, in milliseconds from T0; `None` before.
    pub fn race_ms(&self, now: Instant) -> Option<u64> {
        match *self {
            Clock::Running { at, ms } => Some(ms + now.saturating_duration_since(at).as_millis() as u64),
            Clock::Standing(ms) => Some(ms),
            Clock::Unset | Clock::Ahead(_) => None,
        }
    }

    /// From `now` to the instant at which the boards are shown, in milliseconds; `None` unless that is ahead.
    pub fn ahead_ms(&self, now: Instant) -> Option<u64> {
        match *self {
            Clock::Ahead(shown_at) => Some(shown_at.saturating_duration_since(now).as_millis() as u64),
            _ => None,
        }
    }
}
