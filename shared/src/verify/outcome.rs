//! What a round came to, held against what its events prove: result, reveal, chain, and what stands beside them.

use serde::Serialize;
use serde_json::{Map, Value};

use super::Found;
use crate::api::Match;
use crate::event::Event;
use crate::race::Race;
use crate::result::RoundResult;

/// Holds everything beside the record against `race`, which the whole record was applied to, and the result that it
/// proves.
pub(super) fn check(round: &Match, race: &Race, proven: &RoundResult, last: &Event, found: &mut Found) {
    check_result(&round.result, proven, found);
    found.expect(race.round_id() == Some(round.round_id), "round_id", || {
        format!("{}, the record's round is {}", round.round_id, proven.round_id)
    });
    found.expect(race.room() == round.room_id, "room_id", || {
        format!("{}, the record's room is {}", round.room_id, race.room())
    });
    found.expect(*race.options() == round.options, "options", || {
        format!("{}, the record's are {}", text(&round.options), text(race.options()))
    });
    let checked = race.options().clone().checked().map_err(|error| error.to_string());
    found.expect(checked.as_ref() == Ok(race.options()), "options", || match checked {
        Ok(proper) => format!("no room has {}: they would be {}", text(race.options()), text(&proper)),
        Err(error) => format!("no room has {}: {error}", text(race.options())),
    });
    if let Event::RoundOver { at, .. } = last {
        found.expect(u64::try_from(round.finished_at_ms) == Ok(at.0), "finished_at_ms", || {
            format!("{}, the record's last event was at {}", round.finished_at_ms, at.0)
        });
    }
    let Some(mut reveal) = race.revealed() else { return };
    let chain = std::mem::replace(&mut reveal.chain, round.reveal.chain);
    if round.reveal.chain.is_some() && chain != round.reveal.chain {
        let chain = chain.map_or_else(|| "none".to_owned(), |chain| chain.to_string());
        found.add("chain", format!("the events prove {chain}: something in the round was changed"));
    }
    for (name, stored, proven) in differing(&round.reveal, &reveal) {
        found.add(name, format!("{stored}, the record says {proven}"));
    }
}

/// Names what differs of a result: of the round, and of each seat.
fn check_result(stored: &RoundResult, proven: &RoundResult, found: &mut Found) {
    for (name, stored, proven) in differing(stored, proven).into_iter().filter(|(name, ..)| name != "seats") {
        found.add("result", format!("{name} {stored}, the record proves {proven}"));
    }
    let seats = |result: &RoundResult| result.seats.iter().map(|seat| seat.seat.number()).collect::<Vec<_>>();
    found.expect(seats(stored) == seats(proven), "result", || {
        format!("seats {:?} by rank, the record proves {:?}", seats(stored), seats(proven))
    });
    for proven in &proven.seats {
        let Some(stored) = stored.seats.iter().find(|stored| stored.seat == proven.seat) else { continue };
        for (name, stored, proven_value) in differing(stored, proven) {
            found.add("result", format!("{:?}: {name} {stored}, the record proves {proven_value}", proven.seat));
        }
    }
}

/// The fields in which two things of a kind differ, with both values.
pub(super) fn differing<T: Serialize>(one: &T, other: &T) -> Vec<(String, Value, Value)> {
    let (one, other) = (fields(one), fields(other));
    let names = one.keys().chain(other.keys().filter(|name| !one.contains_key(*name)));
    let value = |of: &Map<String, Value>, name: &str| of.get(name).cloned().unwrap_or_default();
    let pairs = names.map(|name| (name.clone(), value(&one, name), value(&other, name)));
    pairs.filter(|(_, one, other)| one != other).collect()
}

fn fields(thing: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(thing) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}

/// Something in JSON.
pub(super) fn text(thing: &impl Serialize) -> String {
    serde_json::to_string(thing).expect("what is stored always encodes")
}
