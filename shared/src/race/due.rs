//! What time brings, and what follows from what has happened.

use super::{ABSENT_MS, BREAK_MS, NONCE_MS, PHOTO_FINISH_MS, Phase, RETURN_MS, Race, Round};
use crate::event::{CloseReason, Event};
use crate::fairness;
use crate::result::Ended;
use crate::time::{Millis, Seat};

/// For how many times its idle time a room stays open in which no round comes to its end.
const UNRACED_TIMES: u64 = 6;

impl Race {
    /// What the clock brings by `now`: nonces closed, the photo finish closed, time up, seats freed, the room closed.
    pub fn due(&self, now: Millis) -> Vec<Event> {
        match self.next_deadline() {
            Some(deadline) if deadline <= now => {}
            _ => return Vec::new(),
        }
        if let Some(interruption) = self.interruption {
            let waited = now >= interruption.owned_at.after(RETURN_MS);
            return if waited { vec![self.resumed(now, interruption.paused_at)] } else { Vec::new() };
        }
        match self.phase {
            Phase::Nonces { since } if now >= since.after(NONCE_MS) => self.seed_fixed(),
            Phase::Racing => {
                let gone = self.gone_from_session(now);
                if gone.is_empty() { self.due_in_race(now) } else { gone }
            }
            Phase::Lobby | Phase::Over if now >= self.idle_until() => {
                vec![Event::Closed { at: now, reason: CloseReason::Idle }]
            }
            Phase::Lobby | Phase::Over | Phase::Break { .. } => {
                let gone = self.long_gone(now);
                if gone.is_empty() { self.host_passes(now) } else { gone }
            }
            _ => Vec::new(),
        }
    }

    fn due_in_race(&self, now: Millis) -> Vec<Event> {
        let Some(round) = &self.round else { return Vec::new() };
        match (self.photo_closes(round), self.time_up(round)) {
            (Some(closes), _) if now >= closes => self.round_over(now, Ended::FirstDecided),
            // While the photo finish is open, the time limit changes nothing: finishes are judged by official time.
            (None, Some(time_up)) if now > time_up => self.round_over(now, Ended::TimeUp),
            _ => Vec::new(),
        }
    }

    /// Who plays alone and stays away has left: a session without a timer is not kept for ever.
    fn gone_from_session(&self, now: Millis) -> Vec<Event> {
        let gone = self.session_ends().is_some_and(|ends| now >= ends);
        self.seated().filter(|_| gone).map(|seat| Event::Left { seat }).collect()
    }

    /// When whoever plays alone and is not connected has stayed away for too long.
    fn session_ends(&self) -> Option<Millis> {
        self.options.solo?;
        let away = self.remaining().find(|(_, s)| !s.present);
        away.map(|(_, s)| s.absent_since.after(self.idle_ms))
    }

    /// Outside a round a seat is not kept for long.
    fn long_gone(&self, now: Millis) -> Vec<Event> {
        let gone = self.remaining().filter(|(_, s)| !s.present && now >= s.absent_since.after(ABSENT_MS));
        gone.map(|(seat, _)| Event::Left { seat }).collect()
    }

    /// The next instant at which [`Race::due`] or [`Race::want`] may have something to say.
    pub fn next_deadline(&self) -> Option<Millis> {
        if let Some(interruption) = self.interruption {
            return Some(interruption.owned_at.after(RETURN_MS));
        }
        match self.phase {
            Phase::Nonces { since } => Some(since.after(NONCE_MS)),
            Phase::Racing => {
                let round = self.round.as_ref()?;
                // One past the limit: a finish in its very last millisecond still counts.
                let closes = self.photo_closes(round).or(self.time_up(round).map(|t| t.after(1)));
                closes.into_iter().chain(self.session_ends()).min()
            }
            Phase::Break { since } => {
                let somebody = self.remaining().any(|(_, s)| s.present);
                self.absences().chain(somebody.then_some(since.after(BREAK_MS))).min()
            }
            Phase::Lobby | Phase::Over => {
                self.absences().chain([self.idle_until()]).chain(self.host_waited_for()).min()
            }
            Phase::Dealing | Phase::Closed => None,
        }
    }

    /// When a room closes between rounds. Whoever comes or says whether they are ready is not idle, but nothing short of a
    /// round keeps a room open for ever.
    fn idle_until(&self) -> Millis {
        let unraced_ms = self.idle_ms.saturating_mul(UNRACED_TIMES);
        self.idle_since.after(self.idle_ms).min(self.unraced_since.after(unraced_ms))
    }

    /// When the seats of those who are not connected are freed.
    fn absences(&self) -> impl Iterator<Item = Millis> {
        self.remaining().filter(|(_, s)| !s.present).map(|(_, s)| s.absent_since.after(ABSENT_MS))
    }

    fn photo_closes(&self, round: &Round) -> Option<Millis> {
        round.decided.as_ref().map(|d| d.at.after(PHOTO_FINISH_MS))
    }

    /// Until when the result of a round that is decided stays open for slower lines; `None` where nobody is at work.
    pub(crate) fn photo_finish_until(&self) -> Option<Millis> {
        let round = self.round.as_ref().filter(|r| r.at_work().next().is_some())?;
        self.photo_closes(round)
    }

    /// The last instant at which an act of anybody can count: the limit and the greatest lag credit.
    pub(super) fn time_up(&self, round: &Round) -> Option<Millis> {
        let start = round.start?;
        let credit_ms = start.credits_ms.into_iter().max().unwrap_or(0);
        Some(start.t0.after(self.limit_ms()).after(credit_ms.into()))
    }

    /// What follows at `now` from the state alone, whatever brought it about.
    pub(super) fn consequences(&self, now: Millis) -> Vec<Event> {
        if self.is_closed() {
            return Vec::new();
        }
        if let Some(seat) = self.next_host() {
            return vec![Event::HostChanged { seat }];
        }
        if let (Some(interruption), false) = (self.interruption, self.is_dropped()) {
            let back = self.remaining().filter(|(seat, _)| self.is_at_work(*seat)).all(|(_, s)| s.present);
            return if back { vec![self.resumed(now, interruption.paused_at)] } else { Vec::new() };
        }
        match (self.phase, &self.round) {
            _ if self.is_dropped() => {
                vec![Event::RoundDropped { at: now }]
            }
            (Phase::Nonces { .. }, Some(round)) => {
                // Who plays alone has nobody to be fair to: what is dealt is known, or follows from another seed.
                let given = self.options.solo.is_some()
                    || round.at_work().all(|(seat, _)| round.nonces[seat.index()].is_some());
                if given { self.seed_fixed() } else { Vec::new() }
            }
            (Phase::Racing, Some(round)) => {
                let nobody_at_work = round.at_work().next().is_none();
                if round.decided.is_none() && round.is_first_decided(self.options.contest) {
                    // Nobody can act before the boards are shown: the photo finish begins there.
                    let shown_at = round.start.map_or(now, |s| s.shown_at);
                    vec![Event::FirstDecided { at: now.max(shown_at) }]
                } else if nobody_at_work {
                    let ended = if round.decided.is_some() { Ended::FirstDecided } else { Ended::NobodyAtWork };
                    self.round_over(now, ended)
                } else {
                    Vec::new()
                }
            }
            (Phase::Break { .. }, _) if self.is_series_over() => {
                vec![Event::SeriesOver { at: now, ranking: self.series_ranking() }]
            }
            (Phase::Lobby | Phase::Over, _) if self.ever_seated && self.sitters().next().is_none() => {
                vec![Event::Closed { at: now, reason: CloseReason::Empty }]
            }
            _ => Vec::new(),
        }
    }

    /// Whether a seat may still act in the round.
    pub fn is_at_work(&self, seat: Seat) -> bool {
        self.round.as_ref().is_some_and(|r| r.at_work().any(|(s, _)| s == seat))
    }

    /// Fewer racers are left than a round needs, and the countdown has not begun.
    pub(super) fn is_dropped(&self) -> bool {
        let racers = self.round.as_ref().map_or(0, |r| r.racers().count());
        matches!(self.phase, Phase::Nonces { .. } | Phase::Dealing) && racers < self.options.racers_min()
    }

    /// The seat that becomes host, where there is none.
    fn next_host(&self) -> Option<Seat> {
        if self.host.is_some() {
            return None;
        }
        let present = self.remaining().find(|(_, s)| s.present);
        present.or_else(|| self.remaining().next()).map(|(seat, _)| seat)
    }

    fn seed_fixed(&self) -> Vec<Event> {
        let Some(round) = &self.round else { return Vec::new() };
        vec![Event::SeedFixed { seed: fairness::board_seed(&round.server_seed, &round.nonces) }]
    }

    /// Before the boards were dealt nothing is hidden, so play resumes at once; otherwise with a countdown.
    fn resumed(&self, now: Millis, paused_at: Millis) -> Event {
        let dealt = self.round.as_ref().is_some_and(|r| r.start.is_some());
        let resume_at = if dealt { now.after(self.countdown_ms.into()) } else { now };
        Event::Resumed { at: now, resume_at, outage_ms: resume_at.since(paused_at) }
    }

    fn round_over(&self, at: Millis, ended: Ended) -> Vec<Event> {
        self.result(ended).map(|result| Event::RoundOver { at, result }).into_iter().collect()
    }
}
