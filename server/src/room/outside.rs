//! What everybody may know of a room from outside: where those who watch see it later, no more than they have seen.
//!
//! Must never be told anything that is not committed.

use std::collections::VecDeque;

use sprint_shared::protocol::view::PhaseView;
use sprint_shared::race::Race;
use sprint_shared::time::{Millis, Seat};
use tokio::sync::watch;

use super::{Seated, Summary};

/// Changes that may wait for their time; of more, the last is told in place of the one before it.
const WAITING: usize = 256;

/// The outside's picture of a room, and what it will be told.
pub(super) struct Outside {
    delay_ms: u64,
    told: watch::Sender<Summary>,
    waiting: VecDeque<(Millis, Summary)>,
    /// The phase now, told or not.
    phase: PhaseView,
    /// When a round last had its result. One that was dropped before its countdown has none.
    ended: Option<Millis>,
}

impl Outside {
    /// As it may be known from the start.
    pub fn new(delay_ms: u64, told: Summary) -> (Outside, watch::Receiver<Summary>) {
        let phase = told.phase;
        let (told, seen) = watch::channel(told);
        (Outside { delay_ms, told, waiting: VecDeque::new(), phase, ended: None }, seen)
    }

    /// A round has its result.
    pub fn round_over(&mut self, now: Millis) {
        self.ended = Some(now);
    }

    /// The room is like this from `now` on.
    pub fn tell(&mut self, now: Millis, summary: Summary) {
        self.phase = summary.phase;
        let before = self.waiting.back().map(|(_, summary)| summary);
        if before.map_or_else(|| *self.told.borrow() == summary, |before| *before == summary) {
            return;
        }
        if self.waiting.len() == WAITING {
            self.waiting.pop_back();
        }
        self.waiting.push_back((now, summary));
        self.release(now);
    }

    /// Tells what it is time for.
    pub fn release(&mut self, now: Millis) {
        while let Some((_, summary)) = self.waiting.pop_front_if(|(at, _)| at.after(self.delay_ms) <= now) {
            self.told.send_replace(summary);
        }
    }

    /// When there is something to tell next.
    pub fn next(&self) -> Option<Millis> {
        self.waiting.front().map(|(at, _)| at.after(self.delay_ms))
    }

    /// Whether no round is on, and those outside may know at `now` how the last one ended.
    pub fn has_seen_the_end(&self, now: Millis) -> bool {
        matches!(self.phase, PhaseView::Lobby | PhaseView::Over | PhaseView::Closed)
            && self.ended.is_none_or(|ended| ended.after(self.delay_ms) <= now)
    }

    /// What is known now.
    pub fn told(&self) -> Summary {
        self.told.borrow().clone()
    }
}

impl Summary {
    /// What a room at `now` looks like from outside.
    pub(super) fn of(race: &Race, now: Millis) -> Summary {
        let seated = |seat: Seat| {
            let (player, name, bot) = (race.player_at(seat)?, race.name_at(seat)?.to_owned(), race.is_bot_at(seat));
            Some(Seated { player, name, bot })
        };
        let phase = race.phase_view(now);
        let clock_ms = race.clock_ms(now).filter(|_| phase == PhaseView::Racing);
        Summary {
            phase,
            players: Seat::ALL.into_iter().filter_map(seated).collect(),
            joinable: race.is_joinable(),
            zero: clock_ms.map(|ms| Millis(now.0.saturating_sub(ms.max(0) as u64))),
        }
    }

    /// The phase in the words of the protocol.
    pub fn state(&self) -> String {
        match self.phase {
            PhaseView::Lobby => "lobby",
            PhaseView::Dealing => "dealing",
            PhaseView::Countdown => "countdown",
            PhaseView::Racing => "racing",
            PhaseView::Paused => "paused",
            PhaseView::Break => "break",
            PhaseView::Over => "over",
            PhaseView::Closed => "closed",
        }
        .to_owned()
    }

    /// The names of those seated.
    pub fn names(&self) -> Vec<String> {
        self.players.iter().map(|seated| seated.name.clone()).collect()
    }

    /// The rest, encoded.
    pub fn listing(&self) -> String {
        serde_json::json!({ "players": self.names(), "joinable": self.joinable }).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(phase: PhaseView) -> Summary {
        Summary { phase, players: Vec::new(), joinable: true, zero: None }
    }

    #[test]
    fn everything_is_told_as_late_as_the_room_says_and_in_order() {
        let (mut outside, seen) = Outside::new(15_000, summary(PhaseView::Lobby));
        let phase = || seen.borrow().phase;
        outside.tell(Millis(1_000), summary(PhaseView::Lobby));
        assert_eq!(outside.next(), None, "nothing has changed");
        outside.tell(Millis(2_000), summary(PhaseView::Racing));
        outside.tell(Millis(5_000), summary(PhaseView::Over));
        assert_eq!((phase(), outside.next()), (PhaseView::Lobby, Some(Millis(17_000))));
        outside.release(Millis(16_999));
        assert_eq!(phase(), PhaseView::Lobby);
        outside.release(Millis(17_000));
        assert_eq!((phase(), outside.next()), (PhaseView::Racing, Some(Millis(20_000))));
        outside.release(Millis(30_000));
        assert_eq!((phase(), outside.told().phase), (PhaseView::Over, PhaseView::Over));
        let (mut at_once, seen) = Outside::new(0, summary(PhaseView::Lobby));
        at_once.tell(Millis(7), summary(PhaseView::Racing));
        assert_eq!(seen.borrow().phase, PhaseView::Racing);
    }

    #[test]
    fn a_round_is_on_outside_until_its_delay_is_over_and_one_that_was_dropped_never() {
        use PhaseView::{Break, Closed, Countdown, Dealing, Lobby, Over, Paused, Racing};
        // Phases from second to second, when the last result came, and when its end is seen at a delay of 60 s.
        for (phases, result_s, seen_s) in [
            (&[Lobby][..], None, 0),
            (&[Lobby, Dealing, Countdown, Racing, Over], Some(4), 64),
            (&[Lobby, Dealing, Countdown, Over], Some(3), 63),
            (&[Lobby, Dealing, Countdown, Racing, Paused, Over, Lobby], Some(5), 65),
            (&[Racing, Break, Dealing, Countdown, Racing, Over], Some(5), 65),
            (&[Racing, Break, Closed], Some(1), 61),
            (&[Lobby, Dealing, Lobby], None, 2),
            (&[Lobby, Dealing, Paused, Lobby], None, 3),
            (&[Lobby, Dealing, Countdown, Over, Dealing, Lobby], Some(3), 63),
            // The result and the next deal in one turn: nobody was told of the phase between.
            (&[Lobby, Racing, Dealing, Lobby], Some(2), 62),
            (&[Over, Closed], None, 1),
        ] {
            let (mut outside, _seen) = Outside::new(60_000, summary(phases[0]));
            let mut now = Millis(0);
            for (second, phase) in phases.iter().enumerate() {
                now = Millis(second as u64 * 1_000);
                if result_s == Some(second) {
                    outside.round_over(now);
                }
                outside.tell(now, summary(*phase));
                assert!(!outside.has_seen_the_end(now) || matches!(phase, Lobby | Over | Closed), "{phases:?}");
            }
            let first = (now.0..=200_000).find(|at| outside.has_seen_the_end(Millis(*at)));
            assert_eq!(first, Some(seen_s * 1_000), "{phases:?}");
        }
    }

    #[test]
    fn more_changes_than_may_wait_hide_no_end() {
        let (mut outside, _seen) = Outside::new(60_000, summary(PhaseView::Lobby));
        for n in 0..2 * WAITING as u64 {
            outside.tell(Millis(n), Summary { joinable: n % 2 == 1, ..summary(PhaseView::Lobby) });
        }
        outside.tell(Millis(5_000), summary(PhaseView::Racing));
        outside.round_over(Millis(5_600));
        outside.tell(Millis(5_600), summary(PhaseView::Over));
        assert!(!outside.has_seen_the_end(Millis(65_599)));
        assert!(outside.has_seen_the_end(Millis(65_600)));
    }
}
