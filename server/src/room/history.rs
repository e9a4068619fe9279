//! A room's stored events, read back.
//!
//! Must never believe a list that could not have happened: such a room is closed, and no other is harmed.

use std::ops::RangeInclusive;

use sprint_shared::event::Event;
use sprint_shared::race::Race;
use sprint_shared::replay::{Impossible, rebuild_at};
use sprint_shared::time::Millis;
use thiserror::Error;

use crate::store::{EVENT_FORMAT, StoredEvent};

/// A room's events with the instants of their decisions.
pub struct History {
    events: Vec<Event>,
    instants: Vec<Millis>,
}

/// Why a room's stored events are not believed.
#[derive(Debug, Error)]
pub enum Damaged {
    /// Some are missing.
    #[error("event {expected} is missing: the next stored one is {found}")]
    Torn {
        /// The number that should come next.
        expected: i64,
        /// The number that does.
        found: i64,
    },
    /// The last ones are missing.
    #[error("event {expected} is missing: there are to be events up to {last}")]
    Cut {
        /// The number that should come next.
        expected: i64,
        /// The number of the last one.
        last: i64,
    },
    /// One was decided before the one before it.
    #[error("event {seq} was decided at {}, before the event before it at {}", .at.0, .before.0)]
    Back {
        /// Its number.
        seq: i64,
        /// When.
        at: Millis,
        /// When the one before it was.
        before: Millis,
    },
    /// One cannot be read.
    #[error("event {seq} cannot be read: {error}")]
    Unreadable {
        /// Its number.
        seq: i64,
        /// Why.
        error: serde_json::Error,
    },
    /// A newer server wrote one.
    #[error("event {seq} is of format {format}, newer than this program reads ({EVENT_FORMAT})")]
    Newer {
        /// Its number.
        seq: i64,
        /// Its format.
        format: i64,
    },
    /// Who was brought to the room cannot be read.
    #[error("who was brought to the room cannot be read: {0}")]
    Admission(serde_json::Error),
    /// One could not have happened.
    #[error(transparent)]
    Impossible(#[from] Impossible),
}

impl History {
    /// Reads stored events, the first of the room first.
    pub fn read(stored: &[StoredEvent]) -> Result<History, Damaged> {
        if let Some((expected, event)) = (1..).zip(stored).find(|(expected, event)| *expected != event.seq) {
            return Err(Damaged::Torn { expected, found: event.seq });
        }
        History::decode(stored)
    }

    /// Reads a part of a room's stored events, to be proven: all of these numbers, none decided before the one before
    /// it.
    pub fn read_part(numbers: RangeInclusive<i64>, stored: &[StoredEvent]) -> Result<History, Damaged> {
        let (mut rows, last) = (stored.iter(), *numbers.end());
        for expected in numbers {
            match rows.next() {
                Some(row) if row.seq == expected => {}
                Some(row) => return Err(Damaged::Torn { expected, found: row.seq }),
                None => return Err(Damaged::Cut { expected, last }),
            }
        }
        let history = History::decode(stored)?;
        for (row, pair) in stored.iter().skip(1).zip(history.instants.windows(2)) {
            if pair[1] < pair[0] {
                return Err(Damaged::Back { seq: row.seq, at: pair[1], before: pair[0] });
            }
        }
        Ok(history)
    }

    fn decode(stored: &[StoredEvent]) -> Result<History, Damaged> {
        let mut events = Vec::with_capacity(stored.len());
        let mut instants: Vec<Millis> = Vec::with_capacity(stored.len());
        for row in stored {
            if row.format > EVENT_FORMAT {
                return Err(Damaged::Newer { seq: row.seq, format: row.format });
            }
            let mut event: Event =
                serde_json::from_str(&row.body).map_err(|error| Damaged::Unreadable { seq: row.seq, error })?;
            let mut at = Millis(row.at_ms.max(0) as u64);
            // One statement claims every room, so it cannot say where each one's clocks stopped: that is the instant
            // of the event before.
            if let (Event::Owned { at: owned_at, last_at }, Some(before)) = (&mut event, instants.last()) {
                at = at.max(*before);
                *owned_at = at;
                *last_at = *before;
            }
            events.push(event);
            instants.push(at);
        }
        Ok(History { events, instants })
    }

    /// The events.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The events, each with the instant of its decision.
    pub fn iter(&self) -> impl Iterator<Item = (Millis, &Event)> {
        self.instants.iter().copied().zip(&self.events)
    }

    /// The instant of the last event.
    pub fn last_at(&self) -> Millis {
        self.instants.last().copied().unwrap_or_default()
    }

    /// The room as these events leave it. `each` sees every event with its instant and the state right after it.
    pub fn rebuild(&self, each: impl FnMut(&Race, Millis, &Event)) -> Result<Race, Damaged> {
        Ok(rebuild_at(&self.events, &self.instants, each)?)
    }

    /// The room as it was at an instant, and what came after. `each` sees what came before, as in [`History::rebuild`].
    pub fn split_at(
        &self,
        then: Millis,
        each: impl FnMut(&Race, Millis, &Event),
    ) -> Result<(Race, Vec<(Millis, Event)>), Damaged> {
        let split = self.instants.partition_point(|at| *at <= then).max(1);
        let race = rebuild_at(&self.events[..split.min(self.events.len())], &self.instants, each)?;
        Ok((race, self.iter().skip(split).map(|(at, event)| (at, event.clone())).collect()))
    }
}
