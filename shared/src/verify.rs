//! A stored round held against itself and the rules: its events replayed, its times, ranks and scores worked out again,
//! its board dealt again, its commitment and its chain made again. What differs is named.
//!
//! Must believe nothing that a round says about itself, and must come to an end on whatever it says.

use std::fmt;

use crate::api::Match;
use crate::daily::Revealed;
use crate::event::Event;
use crate::race::Race;
use crate::replay::Impossible;
use crate::result::RoundResult;

mod deal;
mod outcome;
mod times;
mod told;

/// One thing that is not as it must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Where: `event 17 (acted)`, `result`, `seed`. Events have their numbers in the room.
    pub place: String,
    /// What is there, and what would be right.
    pub what: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

/// What became of a round's proof.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Everything that is not as it must be; nothing if the round is verified.
    pub differences: Vec<Difference>,
    /// What there was nothing to check by: `chain` in rounds from before there was one, `deal` where a blueprint was
    /// raced, whose board nobody dealt, or a daily board, whose day must be over; `optimum` where a blueprint is too
    /// large to be solved here.
    pub not_checked: Vec<&'static str>,
}

/// Holds a round against itself and the rules. A blueprint is solved again, which may take 256 MiB and a minute.
pub fn verify(round: &Match) -> Verdict {
    let mut found = Found::default();
    if round.reveal.chain.is_none() {
        found.0.not_checked.push("chain");
    }
    replayed(round, &mut found);
    deal::check(round, &mut found);
    found.0
}

/// The same of a round of the Daily Spire whose day is over: its board is dealt again, too.
pub fn verify_daily(round: &Match, revealed: &Revealed) -> Verdict {
    let mut found = Found(verify(round));
    found.0.not_checked.retain(|what| *what != "deal");
    deal::daily(round, revealed, &mut found);
    found.0
}

/// A verdict as it comes to be.
#[derive(Default)]
struct Found(Verdict);

impl Found {
    fn add(&mut self, place: impl Into<String>, what: impl Into<String>) {
        self.0.differences.push(Difference { place: place.into(), what: what.into() });
    }

    /// Says what differs unless something holds.
    fn expect(&mut self, holds: bool, place: &str, what: impl FnOnce() -> String) {
        if !holds {
            self.add(place, what());
        }
    }
}

/// Replays the record by the rules, and holds everything beside it against what comes out.
fn replayed(round: &Match, found: &mut Found) {
    let Some(events) = read(round, found) else { return };
    let Some(mut race) = events.first().and_then(Race::open) else {
        return found.add("record", Impossible::NoOpening.to_string());
    };
    let Some(own) = events.iter().position(|event| matches!(event, Event::Committed { .. })) else {
        return found.add("record", "no round begins in it");
    };
    found.expect(race.code().is_empty(), "record", || "a stored round does not hold its room's code".to_owned());
    found.expect(matches!(events.last(), Some(Event::RoundOver { .. })), "record", || {
        "it does not end with a result".to_owned()
    });
    told::check_numbers(round, found);
    let begun_ms = round.events.first().map_or(0, |told| told.clock_ms);
    let (mut times, mut told, mut proven) = (times::Times::of(&events), told::Told::of(round), None);
    for (index, event) in events.iter().enumerate().skip(1) {
        let told_of = index.checked_sub(own).and_then(|number| round.events.get(number));
        let number = told_of.map_or(index as u32 + 1, |told| told.event.seq);
        let place = format!("event {number} ({})", event.name());
        match race.admits(event) {
            Ok(()) => {}
            Err(Impossible::Event { why, .. }) => return found.add(place, why),
            Err(_) => unproven(&race, event, &place, found),
        }
        if let Event::RoundOver { result, .. } = event {
            proven = race.result(result.ended);
        }
        match told_of {
            Some(told) => race.evolve_told(told.clock_ms, begun_ms, event),
            None => race.evolve(event),
        }
        if let Some(told_of) = told_of {
            times.check(&race, event, told_of.clock_ms, number, found);
            told.check(&race, event, told_of, found);
        } else if index >= own {
            told.is_missing(&place, found);
        }
    }
    if round.events.len() > events.len() - own {
        found.add("events", "more are told than the record has");
    }
    if let (Some(proven), Some(last)) = (proven, events.last()) {
        outcome::check(round, &race, &proven, last, found);
    }
}

fn read(round: &Match, found: &mut Found) -> Option<Vec<Event>> {
    let events = round.record.iter().enumerate().map(|(index, event)| {
        let read = serde_json::from_value::<Event>(event.clone());
        read.map_err(|error| format!("event {} in it cannot be read: {error}", index + 1))
    });
    let events = match events.collect::<Result<Vec<_>, String>>() {
        Ok(events) => events,
        Err(what) => {
            found.add("record", what);
            return None;
        }
    };
    let results = events.iter().filter(|event| matches!(event, Event::RoundOver { .. })).count();
    found.expect(results == 1, "record", || format!("{results} results in a record of one round"));
    Some(events)
}

/// A result that does not follow: either the round could not end so, or it came to something else.
fn unproven(race: &Race, event: &Event, place: &str, found: &mut Found) {
    let Event::RoundOver { at, result } = event else { return };
    match race.result(result.ended) {
        Some(_) if !race.may_end(*at, result.ended) => {
            found.add(place, format!("the round cannot have ended so there: {}", ended(result)));
        }
        Some(_) => found.add(place, "its result is not the one that the events before it prove"),
        None => found.add(place, "no round is on"),
    }
}

fn ended(result: &RoundResult) -> String {
    outcome::text(&result.ended)
}
