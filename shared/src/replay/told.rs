//! A stored round's events as those who watched saw them, each on the race clock.

use super::{Impossible, rebuild_at};
use crate::api::TimedEvent;
use crate::event::Event;
use crate::protocol::WireEvent;
use crate::protocol::wire::wire;
use crate::race::{Race, Viewer};
use crate::time::Millis;

/// What is told of a round, and the room as its last event leaves it.
#[derive(Clone, Debug)]
pub struct Told {
    /// The round's own events.
    pub events: Vec<TimedEvent>,
    /// The room right after the last one.
    pub race: Race,
}

/// Rebuilds a round from its record: a prologue and then its own events, the first of which has the number `first_seq`
/// in the room and was decided at the first of `instants`, one an event.
pub fn told(record: &[Event], first_seq: u32, instants: &[Millis]) -> Result<Told, Impossible> {
    let prologue = record.len().saturating_sub(instants.len());
    let begun = instants.first().copied().unwrap_or_default();
    let all: Vec<Millis> = std::iter::repeat_n(begun, prologue).chain(instants.iter().copied()).collect();
    let (mut seen, mut timed) = (0, Vec::with_capacity(instants.len()));
    let race = rebuild_at(record, &all, |race, at, event| {
        seen += 1;
        if seen > prologue {
            let seq = first_seq + timed.len() as u32;
            let shown = WireEvent { seq, ..wire(race, at, event, Viewer::Spectator) };
            timed.push((at, race.clock_ms(at), shown));
        }
    })?;
    Ok(Told { events: on_the_clock(timed), race })
}

/// What happened before T0 was planned lies as far before it as it turned out to.
fn on_the_clock(events: Vec<(Millis, Option<i64>, WireEvent)>) -> Vec<TimedEvent> {
    let t0 = events.iter().find_map(|(at, clock_ms, _)| Some(at.0 as i64 - (*clock_ms)?)).unwrap_or_default();
    let timed = |(at, clock_ms, event): (Millis, Option<i64>, WireEvent)| {
        let clock_ms = clock_ms.unwrap_or(at.0 as i64 - t0);
        TimedEvent { clock_ms, event }
    };
    events.into_iter().map(timed).collect()
}
