//! Times: every event where the race clock stood, and nothing when it could not be.

use super::Found;
use crate::event::Event;
use crate::race::Race;
use crate::result::Ended;
use crate::time::Millis;

/// Lines about times at most: whoever moves T0 moves everything.
const LINES_MAX: usize = 5;

/// Follows a round's clock.
pub(super) struct Times {
    /// T0 as it was planned first: what happened before is told as lying before it.
    first_t0: i64,
    /// T0 as it stood at the last event.
    t0: i64,
    last_ms: Option<i64>,
    lines: usize,
}

impl Times {
    pub fn of(events: &[Event]) -> Times {
        let planned = events.iter().find_map(|event| match event {
            Event::CountdownStarted { t0, .. } => Some(t0.0 as i64),
            _ => None,
        });
        let first_t0 = planned.unwrap_or_default();
        Times { first_t0, t0: first_t0, last_ms: None, lines: 0 }
    }

    /// `event` was just applied to `race`; the clock is told to have stood at `told_ms`.
    pub fn check(&mut self, race: &Race, event: &Event, told_ms: i64, number: u32, found: &mut Found) {
        let named = format!("event {number} ({})", event.name());
        for what in self.objections(race, event, told_ms, &named, number) {
            self.lines += 1;
            if self.lines <= LINES_MAX {
                found.add("time", what);
            }
        }
        self.last_ms = Some(told_ms);
        self.t0 = self.t0_of(race);
    }

    fn t0_of(&self, race: &Race) -> i64 {
        race.t0().map_or(self.first_t0, |t0| t0.0 as i64)
    }

    fn objections(&self, race: &Race, event: &Event, told_ms: i64, named: &str, number: u32) -> Vec<String> {
        let mut found = Vec::new();
        if let Some(last_ms) = self.last_ms {
            // T0 planned anew puts the clock back, though nothing happened earlier.
            let is_plan = matches!(event, Event::CountdownStarted { .. });
            let moved_ms = if is_plan { self.t0_of(race).saturating_sub(self.t0) } else { 0 };
            if told_ms.saturating_add(moved_ms) < last_ms {
                found.push(format!("event {number} goes back: {told_ms} ms after {last_ms}"));
            }
        }
        if let Some(at) = event.at() {
            let before = (at.0 as i64).saturating_sub(self.first_t0);
            let stands_ms = race.clock_ms(at).unwrap_or(before);
            if stands_ms != told_ms {
                found.push(format!("{named}: stands at {stands_ms} ms, is told at {told_ms}"));
            }
        }
        match event {
            Event::Acted { seat, .. } => {
                let shown_ms = race.shown_at().and_then(|shown_at| race.clock_ms(shown_at)).unwrap_or_default();
                if told_ms < shown_ms {
                    found.push(format!("{named}: before the boards were shown, at {told_ms} ms"));
                }
                let official_ms = told_ms.saturating_sub(race.credit_ms(*seat).into());
                let limit_ms = race.limit_ms();
                if official_ms > 0 && official_ms as u64 > limit_ms {
                    found.push(format!("{named}: after the time limit of {limit_ms} ms, at {told_ms}"));
                }
            }
            Event::Finished { raw_ms, .. } if i64::try_from(*raw_ms) != Ok(told_ms) => {
                found.push(format!("{named}: raw time {raw_ms} ms, the clock stood at {told_ms}"));
            }
            Event::RoundOver { at, result } if result.ended == Ended::FirstDecided => {
                if let Some(closes_at) = race.photo_finish_until().filter(|closes_at| at < closes_at) {
                    found.push(format!("{named}: the photo finish was open for {} ms more", closes_at.since(*at)));
                }
            }
            _ => {}
        }
        found
    }
}

impl Event {
    /// The instant that an event tells of itself.
    fn at(&self) -> Option<Millis> {
        match self {
            Event::RoomOpened { at, .. }
            | Event::Owned { at, .. }
            | Event::Resumed { at, .. }
            | Event::SeatTaken { at, .. }
            | Event::Connected { at, .. }
            | Event::Disconnected { at, .. }
            | Event::Readied { at, .. }
            | Event::Committed { at, .. }
            | Event::RoundDropped { at }
            | Event::FirstDecided { at }
            | Event::RoundOver { at, .. }
            | Event::SeriesOver { at, .. }
            | Event::Closed { at, .. } => Some(*at),
            _ => None,
        }
    }
}
