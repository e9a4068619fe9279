//! Whether a stored event could have happened: what keeps a torn journal from being believed.

use super::{Phase, Race, Round};
use crate::event::Event;
use crate::fairness;
use crate::replay::Impossible;
use crate::result::Ended;
use crate::time::{Millis, Seat};

impl Race {
    /// Whether `event` could happen in this state. A result must be the one that the state proves.
    pub fn admits(&self, event: &Event) -> Result<(), Impossible> {
        let impossible = |what| Err(Impossible::Event { seq: self.seq + 1, what });
        let round = self.round.as_ref().filter(|_| self.in_round());
        let (possible, what) = match event {
            Event::RoomOpened { .. } => (false, "room_opened"),
            Event::Owned { .. } => (true, "owned"),
            Event::Resumed { .. } => {
                let again = round.is_some_and(|r| r.start.is_some_and(|s| s.resumed_at.is_some()));
                (self.interruption.is_some() || again, "resumed")
            }
            Event::SeatTaken { seat, player, .. } => {
                let free = self.sitter(*seat).is_none() && seat.index() < usize::from(self.options.seats);
                (free && self.seat_of(*player).is_none() && self.is_joinable(), "seat_taken")
            }
            Event::Left { seat } => (self.is_seated(*seat), "left"),
            Event::HostChanged { seat } => (self.is_seated(*seat), "host_changed"),
            Event::Connected { seat, .. } => (self.is_seated(*seat) && !self.is_present(*seat), "connected"),
            Event::Disconnected { seat, .. } => (self.is_present(*seat), "disconnected"),
            Event::Readied { seat, .. } => (self.is_seated(*seat) && !self.in_round(), "readied"),
            Event::Committed { .. } => (self.admits_commitment(event), "committed"),
            Event::NonceGiven { seat, .. } => {
                let fresh = |r: &Round| r.racers[seat.index()].is_some() && r.nonces[seat.index()].is_none();
                (matches!(self.phase, Phase::Nonces { .. }) && round.is_some_and(fresh), "nonce_given")
            }
            Event::Redealt { seed } => {
                let follows = |r: &Round| r.seed.map(|last| fairness::next_seed(&last)) == Some(*seed);
                (self.phase == Phase::Dealing && round.is_some_and(follows), "redealt")
            }
            Event::RoundDropped { .. } => (self.is_dropped(), "round_dropped"),
            Event::SeedFixed { seed } => {
                let proven = |r: &Round| fairness::board_seed(&r.server_seed, &r.nonces) == *seed;
                (matches!(self.phase, Phase::Nonces { .. }) && round.is_some_and(proven), "seed_fixed")
            }
            Event::BoardDealt { board, .. } => {
                let blueprint = self.options.blueprint.as_ref();
                let asked_for = blueprint.is_none_or(|blueprint| *blueprint == board.to_string());
                let fresh = round.is_some_and(|r| r.board.is_none());
                (self.phase == Phase::Dealing && fresh && asked_for, "board_dealt")
            }
            Event::CountdownStarted { credits_ms, .. } => {
                let capped = credits_ms.iter().all(|ms| *ms <= self.options.credit_ms_max());
                (capped && round.is_some_and(|r| self.may_start(r)), "countdown_started")
            }
            Event::Acted { seat, n, deed } => {
                let may_act = self.phase == Phase::Racing && self.interruption.is_none() && self.works(*seat);
                let possible = self.play(*seat).is_some_and(|play| play.is_possible(deed, self.house()));
                (may_act && *n > self.n(*seat) && possible, "acted")
            }
            Event::Finished { seat, raw_ms, credit_ms, official_ms } => {
                let credited = round.and_then(|r| r.start).is_some_and(|s| s.credits_ms[seat.index()] == *credit_ms);
                let timed =
                    *official_ms == raw_ms.saturating_sub((*credit_ms).into()) && *official_ms <= self.limit_ms();
                let harmony = self.play(*seat).is_some_and(|p| p.is_harmony());
                (self.works(*seat) && harmony && credited && timed, "finished")
            }
            Event::GaveUp { seat } => (self.works(*seat), "gave_up"),
            Event::FirstDecided { .. } => (
                round.is_some_and(|r| r.decided.is_none() && r.is_first_decided(self.options.contest)),
                "first_decided",
            ),
            Event::RoundOver { at, result } => {
                return if self.may_end(*at, result.ended) && self.result(result.ended).as_ref() == Some(result) {
                    Ok(())
                } else {
                    Err(Impossible::Result { round: result.round })
                };
            }
            Event::SeriesOver { ranking, .. } => (
                matches!(self.phase, Phase::Break { .. }) && self.is_series_over() && self.series_ranking() == *ranking,
                "series_over",
            ),
            Event::Closed { .. } => (!self.is_closed(), "closed"),
        };
        if possible && !self.is_closed() { Ok(()) } else { impossible(what) }
    }

    fn admits_commitment(&self, event: &Event) -> bool {
        let Event::Committed { round, opens_series, deal_version, commitment, server_seed, .. } = event else {
            return false;
        };
        // A stored round's own events begin with any round of its room.
        let in_order = self.rounds == 0 || *round == self.rounds + 1;
        let expected = fairness::commitment(*deal_version, self.room, *round, &self.source(), server_seed);
        let time = match self.phase {
            // A stored round in the middle of a series stands alone after its prologue.
            Phase::Lobby => *opens_series || self.rounds == 0,
            Phase::Over => *opens_series,
            Phase::Break { .. } => !*opens_series,
            _ => false,
        };
        time && in_order && *commitment == expected
    }

    /// Planned for the first time, or anew before anybody could act on it.
    fn may_start(&self, round: &Round) -> bool {
        let first = self.phase == Phase::Dealing && round.board.is_some();
        let again = self.phase == Phase::Racing
            && self.interruption.is_none()
            && round.start.is_some_and(|s| s.resumed_at.is_none())
            && !self.has_acts();
        first || again
    }

    /// Whether a round can end so at that instant.
    fn may_end(&self, at: Millis, ended: Ended) -> bool {
        let Some(round) = self.round.as_ref().filter(|_| self.phase == Phase::Racing) else { return false };
        match ended {
            Ended::FirstDecided => round.decided.is_some(),
            Ended::TimeUp => round.decided.is_none() && self.time_up(round).is_some_and(|time_up| at > time_up),
            Ended::NobodyAtWork => round.decided.is_none() && round.at_work().next().is_none(),
        }
    }

    fn is_seated(&self, seat: Seat) -> bool {
        self.sitter(seat).is_some_and(|s| !s.left)
    }

    fn works(&self, seat: Seat) -> bool {
        self.is_at_work(seat) && self.in_round()
    }
}
