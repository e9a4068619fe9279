//! What spectators of a room with a delay see: the same events, evolved on a race of their own that much later.
//!
//! Must never let anything of the last `delay_ms` through, snapshots included.

use std::collections::VecDeque;

use axum::extract::ws::Utf8Bytes;
use sprint_shared::event::Event;
use sprint_shared::protocol::ServerMessage;
use sprint_shared::protocol::view::View;
use sprint_shared::protocol::wire::wire;
use sprint_shared::race::{Race, Viewer};
use sprint_shared::time::Millis;

use super::frames::text;

/// The room as it was `delay_ms` ago, and the events since.
pub(super) struct Delayed {
    delay_ms: u64,
    race: Race,
    waiting: VecDeque<(Millis, Event)>,
    started: Option<Millis>,
}

impl Delayed {
    /// From a room as it is, nothing of which is secret any more.
    pub fn new(delay_ms: u64, race: Race) -> Delayed {
        Delayed { delay_ms, race, waiting: VecDeque::new(), started: None }
    }

    /// Takes a committed event.
    pub fn push(&mut self, at: Millis, event: Event) {
        self.waiting.push_back((at, event));
    }

    /// When there is something to show next.
    pub fn next(&self) -> Option<Millis> {
        let event = self.waiting.front().map(|(at, _)| *at);
        event.into_iter().chain(self.start()).min().map(|at| at.after(self.delay_ms))
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// What spectators see by now that they had not seen, in order.
    pub fn release(&mut self, now: Millis) -> Vec<Utf8Bytes> {
        let then = self.then(now);
        let mut messages = Vec::new();
        loop {
            let event_at = self.waiting.front().map(|(at, _)| *at).filter(|at| *at <= then);
            let start_at = self.start().filter(|at| *at <= then);
            match (event_at, start_at) {
                (Some(at), start_at) if start_at.is_none_or(|start| at <= start) => {
                    let Some((_, event)) = self.waiting.pop_front() else { return messages };
                    self.race.evolve_at(at, &event);
                    messages.push(text(&ServerMessage::Event(wire(&self.race, then, &event, Viewer::Spectator))));
                }
                (_, Some(start)) => {
                    self.started = Some(start);
                    let state = Box::new(self.race.view(start, Viewer::Spectator));
                    messages.push(text(&ServerMessage::Start { seq: self.race.seq(), state }));
                }
                _ => return messages,
            }
        }
    }

    /// The last event that spectators may know of, and everything as of then.
    pub fn view(&self, now: Millis) -> (u32, View) {
        (self.race.seq(), self.race.view(self.then(now), Viewer::Spectator))
    }

    /// The room as spectators may know it, and as of when.
    pub fn race(&self, now: Millis) -> (&Race, Millis) {
        (&self.race, self.then(now))
    }

    fn then(&self, now: Millis) -> Millis {
        Millis(now.0.saturating_sub(self.delay_ms))
    }

    fn start(&self) -> Option<Millis> {
        self.race.shown_at().filter(|at| self.started != Some(*at))
    }
}
