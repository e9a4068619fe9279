//! How events change a room. Nothing is judged here: what an event says has happened.

use super::{Decided, Interruption, Phase, Race, Racer, Round, Sitter, Start, series};
use crate::board::Board;
use crate::event::Event;
use crate::play::Play;
use crate::result::{FinishTimes, RoundResult, SeriesRank};
use crate::time::{Millis, SEATS_MAX, Seat};

impl Race {
    /// Applies one event that was decided at `now`. Cannot fail; what an event of an impossible list would break is left
    /// as it was.
    pub fn evolve_at(&mut self, now: Millis, event: &Event) {
        self.change(event);
        self.link_at(now, event);
    }

    /// The same where only is told where the clock stood at the event, and where at the commitment.
    pub(crate) fn evolve_told(&mut self, clock_ms: i64, committed_ms: i64, event: &Event) {
        self.change(event);
        self.link_told(clock_ms, committed_ms, event);
    }

    /// The same where nothing is known of the instant: then the round has no [chain](Race::chain).
    pub fn evolve(&mut self, event: &Event) {
        self.change(event);
        self.link(None, event);
    }

    fn change(&mut self, event: &Event) {
        self.seq += 1;
        match event {
            Event::RoomOpened { .. } => {}
            Event::Owned { at, last_at } => self.evolve_owned(*at, *last_at),
            Event::Resumed { resume_at, outage_ms, .. } => self.evolve_resumed(*resume_at, *outage_ms),
            Event::SeatTaken { seat, player, name, bot, at } => {
                self.ever_seated = true;
                self.idle_since = *at;
                self.seats[seat.index()] = Some(Sitter {
                    player: *player,
                    name: name.clone(),
                    bot: *bot,
                    present: false,
                    absent_since: *at,
                    ready: false,
                    left: false,
                    n: 0,
                });
            }
            Event::Left { seat } => self.evolve_left(*seat),
            Event::HostChanged { seat } => self.host = Some(*seat),
            Event::Connected { seat, at } => {
                self.idle_since = *at;
                self.with_sitter(*seat, |s| s.present = true);
            }
            Event::Disconnected { seat, at } => self.with_sitter(*seat, |s| {
                s.present = false;
                s.ready = false;
                s.absent_since = *at;
            }),
            Event::Readied { seat, ready, at } => {
                self.idle_since = *at;
                self.with_sitter(*seat, |s| s.ready = *ready);
            }
            Event::Committed { .. } => self.evolve_committed(event),
            Event::NonceGiven { seat, nonce } => self.with_round(|r| r.nonces[seat.index()] = Some(*nonce)),
            Event::SeedFixed { seed } => {
                self.with_round(|r| r.seed = Some(*seed));
                self.phase = Phase::Dealing;
            }
            Event::Redealt { seed } => self.with_round(|r| {
                r.seed = Some(*seed);
                r.redeals += 1;
            }),
            Event::RoundDropped { at } => self.evolve_round_dropped(*at),
            Event::BoardDealt { board, optimum } => self.with_round(|r| r.deal(board, *optimum)),
            Event::CountdownStarted { t0, credits_ms } => {
                let start = Start { t0: *t0, credits_ms: *credits_ms, shown_at: *t0, resumed_at: None };
                self.with_round(|r| r.start = Some(start));
                self.phase = Phase::Racing;
            }
            Event::Acted { seat, n, deed } => {
                self.with_sitter(*seat, |s| s.n = *n);
                self.with_racer(*seat, |r| r.play.iter_mut().for_each(|play| play.apply(deed)));
            }
            Event::Finished { seat, raw_ms, credit_ms, official_ms } => {
                let finish = FinishTimes { raw_ms: *raw_ms, credit_ms: *credit_ms, official_ms: *official_ms };
                self.with_racer(*seat, |r| r.finish = Some(finish));
            }
            Event::GaveUp { seat } => self.with_racer(*seat, |r| r.gave_up = true),
            Event::FirstDecided { at } => {
                let standings = self.standings();
                self.with_round(|r| r.decided = Some(Decided { at: *at, standings }));
            }
            Event::RoundOver { at, result } => self.evolve_round_over(*at, result),
            Event::SeriesOver { at, ranking } => self.evolve_series_over(*at, ranking),
            Event::Closed { .. } => self.phase = Phase::Closed,
        }
    }

    fn with_sitter(&mut self, seat: Seat, change: impl FnOnce(&mut Sitter)) {
        self.seats[seat.index()].as_mut().map(change);
    }

    pub(super) fn with_round(&mut self, change: impl FnOnce(&mut Round)) {
        self.round.as_mut().map(change);
    }

    fn with_racer(&mut self, seat: Seat, change: impl FnOnce(&mut Racer)) {
        self.with_round(|r| {
            r.racers[seat.index()].as_mut().map(change);
        });
    }

    fn evolve_owned(&mut self, at: Millis, last_at: Millis) {
        for sitter in self.seats.iter_mut().flatten() {
            sitter.present = false;
            sitter.absent_since = at;
        }
        (self.idle_since, self.unraced_since) = (at, at);
        if let Phase::Break { since } = &mut self.phase {
            *since = at;
        }
        if self.in_round() {
            // A second interruption before play resumed leaves the clocks where they stand.
            let resumed_at = self.round.as_ref().and_then(|r| r.start?.resumed_at);
            let stopped = self.interruption.map_or(last_at, |i| i.paused_at);
            let paused_at = resumed_at.map_or(stopped, |resumed_at| stopped.max(resumed_at));
            self.interruption = Some(Interruption { paused_at, owned_at: at });
            self.with_round(|r| r.interrupted = true);
        }
    }

    fn evolve_resumed(&mut self, resume_at: Millis, outage_ms: u64) {
        self.interruption = None;
        if let Phase::Nonces { since } = &mut self.phase {
            *since = since.after(outage_ms);
        }
        self.with_round(|r| {
            if let Some(start) = &mut r.start {
                start.t0 = start.t0.after(outage_ms);
                start.shown_at = start.t0.max(resume_at);
                start.resumed_at = Some(resume_at);
            }
            if let Some(decided) = &mut r.decided {
                decided.at = decided.at.after(outage_ms);
            }
        });
    }

    fn evolve_left(&mut self, seat: Seat) {
        if matches!(self.phase, Phase::Lobby | Phase::Over) {
            self.seats[seat.index()] = None;
        } else {
            self.with_sitter(seat, |s| {
                s.left = true;
                s.present = false;
                s.ready = false;
            });
            match self.phase {
                // Leaving is giving up only once the countdown has begun.
                Phase::Nonces { .. } | Phase::Dealing => self.with_round(|r| r.racers[seat.index()] = None),
                Phase::Racing => self.with_racer(seat, |r| r.gave_up = true),
                _ => {}
            }
        }
        if self.host == Some(seat) {
            self.host = None;
        }
    }

    fn evolve_committed(&mut self, event: &Event) {
        let Event::Committed { at, round, round_id, opens_series, deal_version, commitment, server_seed } = event
        else {
            return;
        };
        if *opens_series {
            self.series.clear();
            self.ranking = None;
        }
        let racers = Seat::ALL.map(|seat| {
            let sitter = self.sitter(seat).filter(|s| !s.left)?;
            let (player, name, bot) = (sitter.player, sitter.name.clone(), sitter.bot);
            Some(Racer { player, name, bot, play: None, finish: None, gave_up: false })
        });
        self.seats.iter_mut().flatten().for_each(|s| s.ready = false);
        self.rounds = *round;
        self.round = Some(Round {
            number: *round,
            id: *round_id,
            committed_at: *at,
            deal_version: *deal_version,
            source: self.options.source(),
            commitment: *commitment,
            server_seed: *server_seed,
            nonces: [None; SEATS_MAX],
            seed: None,
            redeals: 0,
            board: None,
            optimum: None,
            start: None,
            racers,
            decided: None,
            interrupted: false,
            result: None,
            chain: None,
        });
        self.phase = Phase::Nonces { since: *at };
    }

    fn evolve_round_dropped(&mut self, at: Millis) {
        self.round = None;
        self.interruption = None;
        self.idle_since = at;
        if self.series.is_empty() {
            self.free_left_seats();
            self.phase = Phase::Lobby;
        } else {
            self.phase = Phase::Break { since: at };
        }
    }

    fn free_left_seats(&mut self) {
        for seat in &mut self.seats {
            if seat.as_ref().is_some_and(|s| s.left) {
                *seat = None;
            }
        }
    }

    fn evolve_round_over(&mut self, at: Millis, result: &RoundResult) {
        self.series.push(series::Record::of(result, self.limit_ms()));
        self.with_round(|r| r.result = Some(result.clone()));
        self.interruption = None;
        (self.idle_since, self.unraced_since) = (at, at);
        self.phase = Phase::Break { since: at };
    }

    fn evolve_series_over(&mut self, at: Millis, ranking: &[SeriesRank]) {
        self.ranking = Some(ranking.to_vec());
        self.free_left_seats();
        (self.idle_since, self.unraced_since) = (at, at);
        self.phase = Phase::Over;
    }
}

impl Round {
    fn deal(&mut self, board: &Board, optimum: Option<u32>) {
        self.board = Some(board.clone());
        self.optimum = optimum;
        for racer in self.racers.iter_mut().flatten() {
            racer.play = Some(Play::new(board.clone()));
        }
    }
}
