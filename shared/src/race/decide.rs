//! Decisions: what a request means at this instant. Nothing changes here.

use uuid::Uuid;

use super::{ALONE_ACTS_MAX, BREAK_MS, Command, Phase, Race, Refusal, Start, Want};
use crate::board::Board;
use crate::deal::{DEAL_VERSION, Seed};
use crate::event::{Event, Nonce};
use crate::fairness;
use crate::play::{Act, Deed};
use crate::rules::Transfer;
use crate::time::{Millis, SEATS_MAX, Seat};

impl Race {
    /// A player takes the first free seat, or comes back to the one that is theirs (then nothing happens).
    pub fn sit(&self, now: Millis, player: Uuid, name: &str, bot: bool) -> Result<Vec<Event>, Refusal> {
        if self.is_closed() {
            return Err(Refusal::Closed);
        }
        if self.seat_of(player).is_some() {
            return Ok(Vec::new());
        }
        if !self.is_joinable() {
            return Err(Refusal::NoSeat);
        }
        let seat = self.free_seat().ok_or(Refusal::NoSeat)?;
        Ok(vec![Event::SeatTaken { seat, player, name: name.to_owned(), bot, at: now }])
    }

    /// What a seat's request does at `now`, the instant of its receipt.
    pub fn decide(&self, now: Millis, seat: Seat, command: &Command) -> Result<Vec<Event>, Refusal> {
        if self.is_closed() {
            return Err(Refusal::Closed);
        }
        let sitter = self.sitter(seat).filter(|s| !s.left).ok_or(Refusal::NotSeated)?;
        let only_if = |change: bool, event: Event| Ok(if change { vec![event] } else { Vec::new() });
        match *command {
            Command::Connect => only_if(!sitter.present, Event::Connected { seat, at: now }),
            Command::Disconnect => only_if(sitter.present, Event::Disconnected { seat, at: now }),
            Command::Ready(ready) => {
                if self.in_round() {
                    return Err(Refusal::NotNow("the round is on"));
                }
                only_if(sitter.ready != ready, Event::Readied { seat, ready, at: now })
            }
            Command::Rematch => {
                if self.phase != Phase::Over {
                    return Err(Refusal::NotNow("a rematch is voted after the series"));
                }
                only_if(!sitter.ready, Event::Readied { seat, ready: true, at: now })
            }
            Command::Nonce(nonce) => self.decide_nonce(seat, nonce),
            Command::Act { n, ply, act } => self.decide_act(now, seat, n, ply, act),
            Command::GiveUp => self.decide_give_up(seat),
            Command::Leave => Ok(vec![Event::Left { seat }]),
            Command::Start => self.decide_start(now, seat),
            Command::Kick(other) => self.decide_kick(seat, other),
            Command::Close => self.decide_close(seat),
            Command::HandOver(other) => self.decide_hand_over(seat, other),
        }
    }

    fn decide_nonce(&self, seat: Seat, nonce: Nonce) -> Result<Vec<Event>, Refusal> {
        let round = self.round.as_ref().filter(|_| matches!(self.phase, Phase::Nonces { .. }));
        let round = round.ok_or(Refusal::NotNow("a nonce answers a commitment, within a second"))?;
        if round.racers[seat.index()].is_none() {
            return Err(Refusal::NotNow("only racers give nonces"));
        }
        match round.nonces[seat.index()] {
            // The first nonce stands: who saw the others' could choose a second one.
            Some(_) => Err(Refusal::NotNow("this seat gave its nonce")),
            None => Ok(vec![Event::NonceGiven { seat, nonce }]),
        }
    }

    fn decide_give_up(&self, seat: Seat) -> Result<Vec<Event>, Refusal> {
        let round = self.round.as_ref().filter(|_| self.phase == Phase::Racing).ok_or(Refusal::NotRacing)?;
        match &round.racers[seat.index()] {
            None => Err(Refusal::NotRacing),
            Some(racer) if racer.finish.is_some() => Err(Refusal::Finished),
            Some(racer) if racer.gave_up => Err(Refusal::GaveUp),
            Some(_) => Ok(vec![Event::GaveUp { seat }]),
        }
    }

    fn decide_act(&self, now: Millis, seat: Seat, n: u32, ply: Option<u32>, act: Act) -> Result<Vec<Event>, Refusal> {
        let last = self.n(seat);
        if n <= last {
            return Err(Refusal::AlreadyJudged { n });
        }
        if n > last + 1 {
            return Err(Refusal::OutOfOrder { n, next: last + 1 });
        }
        if self.options.solo.is_some() && n > ALONE_ACTS_MAX {
            return Err(Refusal::UsedUp);
        }
        if self.interruption.is_some() {
            return Err(Refusal::Paused);
        }
        let round = self.round.as_ref().filter(|_| self.phase == Phase::Racing).ok_or(Refusal::NotRacing)?;
        let start = round.start.ok_or(Refusal::NotStarted)?;
        if now < start.shown_at {
            return Err(if round.interrupted { Refusal::Paused } else { Refusal::NotStarted });
        }
        let racer = round.racers[seat.index()].as_ref().ok_or(Refusal::NotRacing)?;
        if racer.finish.is_some() {
            return Err(Refusal::Finished);
        }
        if racer.gave_up {
            return Err(Refusal::GaveUp);
        }
        let credit_ms = start.credits_ms[seat.index()];
        let raw_ms = now.since(start.t0);
        let official_ms = raw_ms.saturating_sub(credit_ms.into());
        if official_ms > self.limit_ms() {
            return Err(Refusal::TimeUp);
        }
        let play = racer.play.as_ref().ok_or(Refusal::NotStarted)?;
        if ply.is_some_and(|ply| ply != play.ply()) {
            return Err(Refusal::Stale { ply: play.ply() });
        }
        let deed = play.judge(&act, self.house())?;
        let mut events = vec![Event::Acted { seat, n, deed }];
        if let Deed::Transferred { from, to } = deed {
            let mut board = play.board().clone();
            board.play_unchecked(Transfer { from, to });
            if board.is_harmony() {
                events.push(Event::Finished { seat, raw_ms, credit_ms, official_ms });
            }
        }
        Ok(events)
    }

    /// What the room needs from outside at `now`, if anything.
    pub fn want(&self, now: Millis) -> Option<Want> {
        let ready = self.remaining().count() >= self.options.racers_min()
            && self.remaining().all(|(_, s)| s.ready && s.present);
        let somebody = self.remaining().any(|(_, s)| s.present);
        match self.phase {
            Phase::Lobby | Phase::Over if ready => Some(Want::Commit),
            Phase::Break { since } if ready || (somebody && now >= since.after(BREAK_MS)) => Some(Want::Commit),
            Phase::Dealing if self.interruption.is_none() => {
                let round = self.round.as_ref()?;
                Some(Want::Deal { round_id: round.id, seed: round.seed? })
            }
            _ => None,
        }
    }

    /// Begins a round: the server commits itself to its seed. Nothing happens unless [`Race::want`] asked for it.
    pub fn commit(&self, now: Millis, round_id: Uuid, server_seed: Seed) -> Vec<Event> {
        if self.want(now) != Some(Want::Commit) {
            return Vec::new();
        }
        let opens_series = !matches!(self.phase, Phase::Break { .. });
        let round = self.rounds + 1;
        let commitment = fairness::commitment(DEAL_VERSION, self.room, round, &self.options.source(), &server_seed);
        vec![Event::Committed {
            at: now,
            round,
            round_id,
            opens_series,
            deal_version: DEAL_VERSION,
            commitment,
            server_seed,
        }]
    }

    /// Another seed for the same round, because the board of this one was dealt before in some room. The seed follows
    /// from the last one, so that nobody chose it either. Nothing happens unless this round waits for its board.
    pub fn redeal(&self, now: Millis, round_id: Uuid) -> Vec<Event> {
        match self.want(now) {
            Some(Want::Deal { round_id: wanted, seed }) if wanted == round_id => {
                vec![Event::Redealt { seed: fairness::next_seed(&seed) }]
            }
            _ => Vec::new(),
        }
    }

    /// The board is there: T0 is a countdown ahead. `one_way_ms` is half the lowest round trip of each seat; it is
    /// capped here and frozen. Nothing happens unless this round waits for its board.
    pub fn deal(
        &self,
        now: Millis,
        round_id: Uuid,
        board: Board,
        optimum: Option<u32>,
        one_way_ms: [u32; SEATS_MAX],
    ) -> Vec<Event> {
        match self.want(now) {
            Some(Want::Deal { round_id: wanted, .. }) if wanted == round_id => {}
            _ => return Vec::new(),
        }
        vec![Event::BoardDealt { board, optimum }, self.countdown(now, one_way_ms)]
    }

    /// Plans T0 or the resumption anew, where its event was committed too late for it to be kept. To be asked for
    /// before anything else is judged: see [`Event::is_start`].
    pub fn replan(&self, now: Millis) -> Vec<Event> {
        let round = self.round.as_ref().filter(|_| self.phase == Phase::Racing && self.interruption.is_none());
        match round.and_then(|r| r.start) {
            Some(Start { resumed_at: Some(resumed_at), .. }) => {
                let resume_at = now.after(self.countdown_ms.into());
                vec![Event::Resumed { at: now, resume_at, outage_ms: resume_at.since(resumed_at) }]
            }
            Some(start) if !self.has_acts() => vec![self.countdown(now, start.credits_ms)],
            _ => Vec::new(),
        }
    }

    /// How long before [`Race::shown_at`] its event must be committed for it to be kept, in milliseconds.
    pub fn start_margin_ms(&self) -> u64 {
        u64::from(self.countdown_ms / 2).min(200)
    }

    fn countdown(&self, now: Millis, one_way_ms: [u32; SEATS_MAX]) -> Event {
        let cap = self.options.credit_ms_max();
        let credits_ms = Seat::ALL.map(|seat| one_way_ms[seat.index()].min(cap));
        Event::CountdownStarted { t0: now.after(self.countdown_ms.into()), credits_ms }
    }

    /// A node takes the room over: everybody is gone and clocks stand still since `last_at`, the last commit.
    pub fn own(&self, now: Millis, last_at: Millis) -> Vec<Event> {
        if self.is_closed() { Vec::new() } else { vec![Event::Owned { at: now, last_at }] }
    }
}
