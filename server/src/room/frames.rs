//! Committed events as messages, encoded once for all who see the same.
//!
//! Must be filled right when an event is applied: what a viewer sees of it depends on the state just after it.

use axum::extract::ws::Utf8Bytes;
use serde::Serialize;
use sprint_shared::event::Event;
use sprint_shared::protocol::wire::{is_alike_for_all, wire};
use sprint_shared::protocol::{ServerMessage, WireEvent};
use sprint_shared::race::{Race, Viewer};
use sprint_shared::time::{Millis, SEATS_MAX, Seat};

/// The messages of one event.
#[derive(Clone, Debug)]
pub(super) struct Frames {
    /// The event's number.
    pub seq: u32,
    /// The event, if its message tells a time from now: it is encoded when it leaves, and cannot be sent again later.
    pub timed: Option<Box<Event>>,
    /// The act that it is the outcome of.
    pub act: Option<(Seat, u32)>,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Alike(Utf8Bytes),
    Each([Utf8Bytes; SEATS_MAX]),
}

impl Frames {
    /// The messages of `event`, which was just applied to `race` at `now`.
    pub fn of(race: &Race, now: Millis, event: &Event) -> Frames {
        let kind = Kind::of(race, race.seq(), now, event);
        let timed = event.is_start().then(|| Box::new(event.clone()));
        let act = match event {
            Event::Acted { seat, n, .. } => Some((*seat, *n)),
            _ => None,
        };
        Frames { seq: race.seq(), timed, act, kind }
    }

    /// Encodes a time from now anew, as it leaves at `now`.
    pub fn retime(&mut self, race: &Race, now: Millis) {
        if let Some(event) = &self.timed {
            self.kind = Kind::of(race, self.seq, now, event);
        }
    }

    /// What this seat gets.
    pub fn for_seat(&self, seat: Seat) -> &Utf8Bytes {
        match &self.kind {
            Kind::Alike(text) => text,
            Kind::Each(seats) => &seats[seat.index()],
        }
    }
}

impl Kind {
    fn of(race: &Race, seq: u32, now: Millis, event: &Event) -> Kind {
        let frame = |viewer| text(&ServerMessage::Event(WireEvent { seq, ..wire(race, now, event, viewer) }));
        if is_alike_for_all(race, event) {
            Kind::Alike(frame(Viewer::Spectator))
        } else {
            Kind::Each(Seat::ALL.map(|seat| frame(Viewer::Seat(seat))))
        }
    }
}

/// A message as it goes on the wire.
pub(crate) fn text<T: Serialize>(message: &T) -> Utf8Bytes {
    serde_json::to_string(message).expect("messages always encode").into()
}
