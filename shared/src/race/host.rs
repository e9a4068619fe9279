//! What a host may do: start, kick, close, hand over. It comes down to events that everybody else can bring about as
//! well: a host's room is read back like any other.
//!
//! Must never touch a round: whoever is in one is in it to its end.

use super::{HOST_WAIT_MS, Phase, Race, Refusal, Whom};
use crate::event::Event;
use crate::time::{Millis, Seat};

impl Race {
    /// A room without a host: it is opened for people who did not choose each other, and nobody of them is to rule the
    /// rest. To be said before the room runs, also of one that was read back.
    pub fn without_host(mut self) -> Race {
        self.hostless = true;
        self
    }

    /// The host, where this room has one.
    pub fn host(&self) -> Option<Seat> {
        self.host.filter(|_| !self.hostless)
    }

    /// Starts a round, or a series, with those who are present: the others lose their seats. Asks nobody for leave.
    pub fn begin(&self, now: Millis) -> Result<Vec<Event>, Refusal> {
        match self.phase {
            Phase::Lobby | Phase::Over => {}
            Phase::Break { .. } => return Err(Refusal::NotNow("the next round begins by itself")),
            Phase::Closed => return Err(Refusal::Closed),
            _ => return Err(Refusal::NotNow("the round is on")),
        }
        if self.remaining().filter(|(_, s)| s.present).count() < self.options.racers_min() {
            return Err(Refusal::NotNow("a race needs two players who are connected"));
        }
        let absent = self.remaining().filter(|(_, s)| !s.present).map(|(seat, _)| Event::Left { seat });
        let unready = self.remaining().filter(|(_, s)| s.present && !s.ready);
        Ok(absent.chain(unready.map(|(seat, _)| Event::Readied { seat, ready: true, at: now })).collect())
    }

    pub(super) fn decide_start(&self, now: Millis, host: Seat) -> Result<Vec<Event>, Refusal> {
        self.check_host(host)?;
        self.begin(now)
    }

    pub(super) fn decide_kick(&self, host: Seat, whom: Whom) -> Result<Vec<Event>, Refusal> {
        self.check_host(host)?;
        self.check_other(host, whom)?;
        Ok(vec![Event::Left { seat: whom.seat }])
    }

    pub(super) fn decide_close(&self, host: Seat) -> Result<Vec<Event>, Refusal> {
        self.check_host(host)?;
        Ok(self.remaining().map(|(seat, _)| Event::Left { seat }).collect())
    }

    pub(super) fn decide_hand_over(&self, host: Seat, whom: Whom) -> Result<Vec<Event>, Refusal> {
        self.check_host(host)?;
        self.check_other(host, whom)?;
        if !self.is_present(whom.seat) {
            return Err(Refusal::NotNow("that player is not connected"));
        }
        Ok(vec![Event::HostChanged { seat: whom.seat }])
    }

    /// When a host who keeps all the others waiting loses the room to one of them, who can then start.
    pub(super) fn host_waited_for(&self) -> Option<Millis> {
        let host = self.host().filter(|_| matches!(self.phase, Phase::Lobby | Phase::Over))?;
        let idle = self.is_present(host) && self.sitter(host).is_some_and(|s| !s.ready);
        let mut others = self.remaining().filter(|(seat, _)| *seat != host).peekable();
        let waiting = others.peek().is_some() && others.all(|(_, s)| s.present && s.ready);
        (idle && waiting).then(|| self.idle_since.after(HOST_WAIT_MS))
    }

    pub(super) fn host_passes(&self, now: Millis) -> Vec<Event> {
        let due = self.host_waited_for().is_some_and(|at| now >= at);
        let next = self.remaining().map(|(seat, _)| seat).find(|seat| Some(*seat) != self.host);
        next.filter(|_| due).map(|seat| Event::HostChanged { seat }).into_iter().collect()
    }

    fn check_host(&self, seat: Seat) -> Result<(), Refusal> {
        if self.hostless {
            return Err(Refusal::NotNow("this room has no host"));
        }
        if self.host != Some(seat) {
            return Err(Refusal::NotHost);
        }
        if self.in_round() { Err(Refusal::NotNow("the round is on")) } else { Ok(()) }
    }

    fn check_other(&self, host: Seat, Whom { seat, player }: Whom) -> Result<(), Refusal> {
        let Some(sitting) = self.player_at(seat) else { return Err(Refusal::NotNow("nobody sits there")) };
        if player.is_some_and(|player| player != sitting) {
            return Err(Refusal::SomebodyElse);
        }
        if seat == host { Err(Refusal::NotNow("that is your own seat")) } else { Ok(()) }
    }
}
