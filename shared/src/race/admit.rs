//! Whether a stored event could have happened, and if not, why: what keeps a torn journal from being believed, and what
//! names a round that was tampered with.

use super::{Phase, Race, Round};
use crate::event::Event;
use crate::fairness;
use crate::play::Deed;
use crate::replay::Impossible;
use crate::result::Ended;
use crate::time::{Millis, Seat};

/// What speaks against an event; nothing if it is possible.
type Objection = Option<String>;

/// An objection unless something holds.
fn unless(holds: bool, why: impl Into<String>) -> Objection {
    (!holds).then(|| why.into())
}

impl Race {
    /// Whether `event` could happen in this state. A result must be the one that the state proves.
    pub fn admits(&self, event: &Event) -> Result<(), Impossible> {
        if let Some(why) = self.objection_to_no_finish(event) {
            return Err(Impossible::Event { seq: self.seq + 1, what: event.name(), why });
        }
        if let Event::RoundOver { at, result } = event {
            let proven = self.may_end(*at, result.ended) && self.result(result.ended).as_ref() == Some(result);
            return if proven { Ok(()) } else { Err(Impossible::Result { round: result.round }) };
        }
        match self.objection(event) {
            None => Ok(()),
            Some(why) => Err(Impossible::Event { seq: self.seq + 1, what: event.name(), why }),
        }
    }

    fn objection(&self, event: &Event) -> Objection {
        if self.is_closed() {
            return Some("the room is closed".to_owned());
        }
        match event {
            Event::RoomOpened { .. } => Some("the room is open already".to_owned()),
            Event::Owned { .. } => None,
            Event::Resumed { .. } => {
                let again = self.round_on().is_some_and(|r| r.start.is_some_and(|s| s.resumed_at.is_some()));
                unless(self.interruption.is_some() || again, "the clocks do not stand still")
            }
            Event::SeatTaken { seat, player, .. } => {
                let free = self.sitter(*seat).is_none() && seat.index() < usize::from(self.options.seats);
                unless(free, format!("{seat:?} is not free"))
                    .or(unless(self.seat_of(*player).is_none(), "the player sits already"))
                    .or(unless(self.is_joinable(), "nobody sits down during a series"))
            }
            Event::Left { seat } | Event::HostChanged { seat } => self.unless_seated(*seat),
            Event::Connected { seat, .. } => {
                self.unless_seated(*seat).or(unless(!self.is_present(*seat), format!("{seat:?} is connected already")))
            }
            Event::Disconnected { seat, .. } => unless(self.is_present(*seat), format!("{seat:?} is not connected")),
            Event::Readied { seat, .. } => self.unless_seated(*seat).or(unless(!self.in_round(), "the round is on")),
            Event::RoundDropped { .. } => unless(self.is_dropped(), "enough racers are left"),
            Event::SeriesOver { ranking, .. } => {
                let over = matches!(self.phase, Phase::Break { .. }) && self.is_series_over();
                unless(over, "the series is not over")
                    .or_else(|| unless(self.series_ranking() == *ranking, "its rounds prove another ranking"))
            }
            Event::Closed { .. } => None,
            Event::Committed { .. } => self.objection_to_commitment(event),
            Event::NonceGiven { .. } | Event::SeedFixed { .. } | Event::Redealt { .. } | Event::BoardDealt { .. } => {
                self.objection_to_deal(event)
            }
            _ => self.objection_in_race(event),
        }
    }

    fn round_on(&self) -> Option<&Round> {
        self.round.as_ref().filter(|_| self.in_round())
    }

    fn unless_seated(&self, seat: Seat) -> Objection {
        unless(self.sitter(seat).is_some_and(|s| !s.left), format!("nobody sits in {seat:?}"))
    }

    fn objection_to_commitment(&self, event: &Event) -> Objection {
        let Event::Committed { round, opens_series, deal_version, commitment, server_seed, .. } = event else {
            return None;
        };
        // A stored round's own events begin with any round of its room.
        let in_order = self.rounds == 0 || Some(*round) == self.rounds.checked_add(1);
        let expected = fairness::commitment(*deal_version, self.room, *round, &self.options.source(), server_seed);
        let time = match self.phase {
            // A stored round in the middle of a series stands alone after its prologue.
            Phase::Lobby => *opens_series || self.rounds == 0,
            Phase::Over => *opens_series,
            Phase::Break { .. } => !*opens_series,
            _ => false,
        };
        unless(time, "no round begins so here")
            .or(unless(in_order, format!("round {round} after round {}", self.rounds)))
            .or(unless(*commitment == expected, "the commitment is not the hash of what the room commits itself to"))
    }

    fn objection_to_deal(&self, event: &Event) -> Objection {
        let Some(round) = self.round_on() else { return Some("no round is on".to_owned()) };
        let open = matches!(self.phase, Phase::Nonces { .. });
        let dealing = self.phase == Phase::Dealing;
        match event {
            Event::NonceGiven { seat, .. } => unless(open, "no nonces are waited for")
                .or(unless(round.racers[seat.index()].is_some(), format!("{seat:?} does not race")))
                .or(unless(round.nonces[seat.index()].is_none(), format!("{seat:?} gave its nonce before"))),
            Event::SeedFixed { seed } => unless(open, "the seed is fixed already").or_else(|| {
                let expected = fairness::board_seed(&round.server_seed, &round.nonces);
                unless(expected == *seed, "the seed does not follow from the server's seed and the nonces")
            }),
            Event::Redealt { seed } => {
                let follows = round.seed.map(|last| fairness::next_seed(&last)) == Some(*seed);
                unless(dealing, "no board is waited for")
                    .or(unless(follows, "the seed is not the hash of the one before it"))
            }
            Event::BoardDealt { board, .. } => {
                let asked_for = self.options.blueprint.as_ref().is_none_or(|asked| *asked == board.to_string());
                unless(dealing && round.board.is_none(), "no board is waited for")
                    .or(unless(asked_for, "the board is not the blueprint that the options ask for"))
            }
            _ => None,
        }
    }

    fn objection_in_race(&self, event: &Event) -> Objection {
        let round = self.round_on();
        match event {
            Event::CountdownStarted { credits_ms, .. } => {
                let cap_ms = self.options.credit_ms_max();
                let above = Seat::ALL.into_iter().find(|seat| credits_ms[seat.index()] > cap_ms);
                let planned = unless(round.is_some_and(|r| self.may_start(r)), "T0 is planned already");
                above.map(|seat| format!("lag credit of {seat:?} above {cap_ms} ms")).or(planned)
            }
            Event::Acted { seat, n, deed } => self.objection_to_act(*seat, *n, deed),
            Event::Finished { seat, raw_ms, credit_ms, official_ms } => {
                let frozen_ms = round.and_then(|r| r.start).map_or(0, |s| s.credits_ms[seat.index()]);
                let harmony = self.play(*seat).is_some_and(|p| p.is_harmony());
                let less = raw_ms.saturating_sub((*credit_ms).into());
                self.unless_at_work(*seat)
                    .or(unless(harmony, "the board is not in harmony"))
                    .or(unless(frozen_ms == *credit_ms, format!("the countdown froze {frozen_ms} ms for {seat:?}")))
                    .or(unless(*official_ms == less, "official time is not raw time less credit"))
                    .or(unless(*official_ms <= self.limit_ms(), "after the time limit"))
            }
            Event::GaveUp { seat } => self.unless_at_work(*seat),
            Event::FirstDecided { .. } => {
                let decided = |r: &Round| r.is_first_decided(self.options.contest);
                unless(round.is_some_and(|r| r.decided.is_none()), "first place was decided before")
                    .or(unless(round.is_some_and(decided), "no finish decides first place"))
            }
            _ => None,
        }
    }

    fn objection_to_act(&self, seat: Seat, n: u32, deed: &Deed) -> Objection {
        let last = self.n(seat);
        let Some(play) = self.play(seat) else { return Some(format!("{seat:?} does not race")) };
        unless(self.phase == Phase::Racing && self.interruption.is_none(), "the race is not on")
            .or(self.unless_at_work(seat))
            .or(unless(n != last, format!("act number {n} twice")))
            .or(unless(n > last, format!("act number {n} after {last}")))
            .or_else(|| play.objection(deed, self.house()))
    }

    /// Harmony and the finish are one decision: nothing comes between them.
    fn objection_to_no_finish(&self, event: &Event) -> Objection {
        let harmonious = |seat: &Seat| self.is_at_work(*seat) && self.play(*seat).is_some_and(|p| p.is_harmony());
        let seat = self.round_on().and_then(|_| Seat::ALL.into_iter().find(harmonious))?;
        let finishes = matches!(event, Event::Finished { seat: finisher, .. } if *finisher == seat);
        unless(finishes, format!("the board of {seat:?} is in harmony, and its finish does not follow"))
    }

    fn unless_at_work(&self, seat: Seat) -> Objection {
        unless(self.is_at_work(seat) && self.in_round(), format!("{seat:?} is not at work"))
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
    pub(crate) fn may_end(&self, at: Millis, ended: Ended) -> bool {
        let Some(round) = self.round.as_ref().filter(|_| self.phase == Phase::Racing) else { return false };
        match ended {
            Ended::FirstDecided => round.decided.is_some(),
            Ended::TimeUp => round.decided.is_none() && self.time_up(round).is_some_and(|time_up| at > time_up),
            Ended::NobodyAtWork => round.decided.is_none() && round.at_work().next().is_none(),
        }
    }
}
