//! A hash over everything that happened in a round, one event after the other: who noted the last one can tell that
//! nothing of the round was changed since, not even what the rules would allow.
//!
//! Must never change for a round that was raced: what it hashes is what events are written as, and a field that comes
//! to be later is left out where it says nothing new.

use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::Race;
use crate::deal::Seed;
use crate::event::Event;
use crate::time::Millis;

/// How a round's chain begins: SHA-256 over the fields `"sprint-record"`, commitment (32 bytes), options, and for each
/// racer in order of seats its seat (1 byte), player id (16 bytes), whether a program plays and whether it is connected
/// (1 byte each). Each field is preceded by its length in 4 bytes, big endian; options are canonical JSON.
pub(super) fn begin(race: &Race) -> Option<Seed> {
    let round = race.round.as_ref()?;
    let mut hash = Sha256::new();
    add(&mut hash, b"sprint-record");
    add(&mut hash, &round.commitment.0);
    add(&mut hash, canonical(&race.options).as_bytes());
    for (seat, racer) in round.racers() {
        add(&mut hash, &[seat.number()]);
        add(&mut hash, racer.player.as_bytes());
        add(&mut hash, &[racer.bot.into()]);
        add(&mut hash, &[race.is_present(seat).into()]);
    }
    Some(Seed(hash.finalize().into()))
}

/// How it goes on: SHA-256 over the fields chain so far (32 bytes), clock in milliseconds (8 bytes, big endian) and the
/// event in canonical JSON, each preceded by its length as above. The clock is the race clock once T0 is planned, and
/// counts from the commitment before.
fn next(chain: &Seed, clock_ms: i64, event: &Event) -> Seed {
    let mut hash = Sha256::new();
    add(&mut hash, &chain.0);
    add(&mut hash, &clock_ms.to_be_bytes());
    add(&mut hash, canonical(event).as_bytes());
    Seed(hash.finalize().into())
}

fn add(hash: &mut Sha256, field: &[u8]) {
    hash.update((field.len() as u32).to_be_bytes());
    hash.update(field);
}

/// JSON without spaces, the names of an object in the order of their bytes.
fn canonical(thing: &impl Serialize) -> String {
    let value = serde_json::to_value(thing).expect("events and options are plain JSON");
    let mut text = String::new();
    write(&value, &mut text);
    text
}

fn write(value: &Value, text: &mut String) {
    match value {
        Value::Object(fields) => {
            // Whether a `Value` keeps its names sorted is a feature that any crate may switch.
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_unstable_by_key(|(name, _)| name.as_str());
            list(text, ['{', '}'], fields, |text, (name, value)| {
                text.push_str(&Value::from(name.as_str()).to_string());
                text.push(':');
                write(value, text);
            });
        }
        Value::Array(values) => list(text, ['[', ']'], values, |text, value| write(value, text)),
        plain => text.push_str(&plain.to_string()),
    }
}

fn list<T>(text: &mut String, [open, close]: [char; 2], of: impl IntoIterator<Item = T>, one: impl Fn(&mut String, T)) {
    text.push(open);
    for (index, item) in of.into_iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        one(text, item);
    }
    text.push(close);
}

impl Race {
    /// The chain of the round at work or the last one, up to its last event. `None` outside a round, and where events
    /// were applied without their instants.
    pub fn chain(&self) -> Option<Seed> {
        self.round.as_ref()?.chain
    }

    /// Links an event that was just applied and was decided at `now`.
    pub(super) fn link_at(&mut self, now: Millis, event: &Event) {
        let Some(committed_at) = self.round.as_ref().map(|round| round.committed_at) else { return };
        let before_t0 = now.0 as i64 - committed_at.0 as i64;
        self.link(Some(self.clock_ms(now).unwrap_or(before_t0)), event);
    }

    /// Links an event that was just applied and of which is told where the clock stood at it, and at the commitment.
    pub(super) fn link_told(&mut self, clock_ms: i64, committed_ms: i64, event: &Event) {
        let is_planned = self.round.as_ref().is_some_and(|round| round.start.is_some());
        self.link(Some(if is_planned { clock_ms } else { clock_ms.saturating_sub(committed_ms) }), event);
    }

    /// What happens after the commitment and before the result is in the chain. Without its clock an event breaks it.
    pub(super) fn link(&mut self, clock_ms: Option<i64>, event: &Event) {
        if matches!(event, Event::Committed { .. }) {
            let begun = begin(self);
            self.with_round(|round| round.chain = begun);
        } else {
            self.with_round(|round| {
                if round.result.is_none() {
                    round.chain = round.chain.zip(clock_ms).map(|(chain, clock_ms)| next(&chain, clock_ms, event));
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Seat;

    #[test]
    fn canonical_json_has_no_spaces_and_its_names_in_order() {
        let value: Value = serde_json::from_str(r#"{"b": [1, {"z": null, "a": "\"é"}], "B": true, "a": -2}"#).unwrap();
        assert_eq!(canonical(&value), r#"{"B":true,"a":-2,"b":[1,{"a":"\"é","z":null}]}"#);
        let event = Event::GaveUp { seat: Seat::ALL[2] };
        assert_eq!(canonical(&event), r#"{"seat":3,"type":"gave_up"}"#);
    }

    #[test]
    fn a_link_is_the_hash_that_is_written_down() {
        let chain = Seed([7; 32]);
        let event = r#"{"seat":3,"type":"gave_up"}"#;
        let mut bytes = vec![0, 0, 0, 32];
        bytes.extend([7; 32]);
        bytes.extend([0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 4, 210]);
        bytes.extend([0, 0, 0, event.len() as u8]);
        bytes.extend(event.as_bytes());
        let expected = Seed(Sha256::digest(&bytes).into());
        assert_eq!(next(&chain, 1234, &Event::GaveUp { seat: Seat::ALL[2] }), expected);
    }
}
