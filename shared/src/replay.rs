//! Rebuilding a room from its events, and proving a stored round from them alone.

use thiserror::Error;

use crate::event::Event;
use crate::race::Race;
use crate::result::RoundResult;
use crate::time::Millis;

pub mod file;
pub mod text;
mod told;

pub use told::{Told, told};

/// Why a list of events cannot have happened.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Impossible {
    /// The list is empty or does not begin with the room.
    #[error("the first event is not the opening of a room")]
    NoOpening,
    /// An event that could not happen in the state before it.
    #[error("event {seq} ({what}): {why}")]
    Event {
        /// Its number, from 1.
        seq: u32,
        /// What it was.
        what: &'static str,
        /// What speaks against it.
        why: String,
    },
    /// A stored result that the events before it do not prove.
    #[error("the result of round {round} does not follow from its events")]
    Result {
        /// The round's number.
        round: u32,
    },
}

/// Rebuilds a room from all its events. Every event is held against the rules before it is applied.
/// `each` sees every event with the state right after it.
pub fn rebuild(events: &[Event], mut each: impl FnMut(&Race, &Event)) -> Result<Race, Impossible> {
    let mut race = events.first().and_then(Race::open).ok_or(Impossible::NoOpening)?;
    each(&race, &events[0]);
    for event in &events[1..] {
        race.admits(event)?;
        race.evolve(event);
        each(&race, event);
    }
    Ok(race)
}

/// The same where the instants of the events' decisions are known, one an event: the room comes out exactly as it was.
pub fn rebuild_at(
    events: &[Event],
    instants: &[Millis],
    mut each: impl FnMut(&Race, Millis, &Event),
) -> Result<Race, Impossible> {
    let at = |index: usize| instants.get(index).or(instants.last()).copied().unwrap_or_default();
    let mut race = events.first().and_then(Race::open).ok_or(Impossible::NoOpening)?;
    each(&race, at(0), &events[0]);
    for (index, event) in events.iter().enumerate().skip(1) {
        race.admits(event)?;
        race.evolve_at(at(index), event);
        each(&race, at(index), event);
    }
    Ok(race)
}

/// The results that a room's events prove, one a round that is over.
pub fn results(events: &[Event]) -> Result<Vec<RoundResult>, Impossible> {
    let mut results = Vec::new();
    rebuild(events, |_, event| {
        if let Event::RoundOver { result, .. } = event {
            results.push(result.clone());
        }
    })?;
    Ok(results)
}
