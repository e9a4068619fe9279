//! What is told of a round beside its record: the events as those who watched saw them.

use super::Found;
use crate::api::{Match, TimedEvent};
use crate::event::Event;
use crate::protocol::EventKind;
use crate::protocol::wire::wire;
use crate::race::{Race, Viewer};
use crate::time::Millis;

/// Events have their numbers in the room, by ones.
pub(super) fn check_numbers(round: &Match, found: &mut Found) {
    for pair in round.events.windows(2) {
        let (last, next) = (pair[0].event.seq, pair[1].event.seq);
        if next > last.saturating_add(1) {
            found.add("missing", format!("event {}, after which {next} is told", last + 1));
        } else if next <= last {
            found.add("events", format!("event {next} after event {last}"));
        }
    }
}

/// Holds told events against the record's, and names the first that differs: what follows from it would differ too.
pub(super) struct Told<'a> {
    round: &'a Match,
    differs: bool,
}

impl Told<'_> {
    pub fn of(round: &Match) -> Told<'_> {
        Told { round, differs: false }
    }

    /// `event` was just applied to `race`, and is told so. Only how far ahead a countdown was when it was told is not in
    /// the record.
    pub fn check(&mut self, race: &Race, event: &Event, told: &TimedEvent, found: &mut Found) {
        let mut expected = wire(race, Millis(0), event, Viewer::Spectator).kind;
        if let EventKind::RoundOver { reveal, .. } = &mut expected {
            // Whether the chain is right is asked of the reveal beside the events.
            reveal.chain = self.round.reveal.chain;
        }
        let mut kind = told.event.kind.clone();
        untimed(&mut expected);
        untimed(&mut kind);
        if kind != expected && !self.differs {
            self.differs = true;
            let number = told.event.seq;
            found.add(
                "events",
                format!("event {number} is told as {}, the record says {}", text(&kind), text(&expected)),
            );
        }
    }

    /// Of this event nothing is told.
    pub fn is_missing(&mut self, place: &str, found: &mut Found) {
        if !self.differs {
            self.differs = true;
            found.add("events", format!("fewer are told than the record has: not {place} in it"));
        }
    }
}

fn untimed(kind: &mut EventKind) {
    if let EventKind::CountdownStarted { in_ms, .. } | EventKind::Resumed { in_ms, .. } = kind {
        *in_ms = 0;
    }
}

fn text(kind: &EventKind) -> String {
    match kind {
        EventKind::RoundOver { .. } => "another round_over".to_owned(),
        kind => serde_json::to_string(kind).expect("events always encode"),
    }
}
