//! What those who watch see: the same events, evolved on a race of their own as much later as the room says.
//!
//! Must never let anything of the last `delay_ms` through, snapshots included.

use std::collections::VecDeque;

use axum::extract::ws::Utf8Bytes;
use sprint_shared::board::Board;
use sprint_shared::event::Event;
use sprint_shared::play::Play;
use sprint_shared::protocol::ServerMessage;
use sprint_shared::protocol::view::{PhaseView, View};
use sprint_shared::protocol::wire::wire;
use sprint_shared::race::{Race, Viewer};
use sprint_shared::time::{Millis, Seat};

use super::curves::Curves;
use crate::room::text;

/// The room as it was `delay_ms` ago, and the events since.
pub(super) struct Delayed {
    delay_ms: u64,
    race: Race,
    waiting: VecDeque<(Millis, Event)>,
    /// For which instant the boards were shown.
    started: Option<Millis>,
    /// The distances of the round that is shown.
    pub curves: Curves,
}

impl Delayed {
    /// From a room as it was at `then`, nothing of which is secret any more, and what is wanted of its distances.
    pub fn new(delay_ms: u64, race: Race, then: Millis, mut curves: Curves) -> Delayed {
        let started = race.shown_at().filter(|at| *at <= then);
        if started.is_some() {
            curves.begin(&race);
        }
        Delayed { delay_ms, race, waiting: VecDeque::new(), started, curves }
    }

    /// Takes a committed event.
    pub fn push(&mut self, at: Millis, event: Event) {
        self.waiting.push_back((at, event));
    }

    /// The last event that was taken.
    pub fn known(&self) -> u32 {
        self.race.seq() + self.waiting.len() as u32
    }

    /// When there is something to show next.
    pub fn next(&self) -> Option<Millis> {
        let event = self.waiting.front().map(|(at, _)| *at);
        event.into_iter().chain(self.start()).min().map(|at| at.after(self.delay_ms))
    }

    /// What is seen by now that had not been seen, in order.
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
                    self.curves.follow(&self.race, at, &event);
                    messages.push(text(&ServerMessage::Event(wire(&self.race, then, &event, Viewer::Spectator))));
                }
                (_, Some(start)) => {
                    self.started = Some(start);
                    self.curves.begin(&self.race);
                    let state = Box::new(self.view_at(start));
                    messages.push(text(&ServerMessage::Start { seq: self.race.seq(), state }));
                }
                _ => return messages,
            }
        }
    }

    /// The last event that may be known of, and everything as of then.
    pub fn view(&self, now: Millis) -> (u32, View) {
        (self.race.seq(), self.view_at(self.then(now)))
    }

    /// Whether it was shown that the room is closed.
    pub fn is_closed(&self) -> bool {
        self.race.is_closed()
    }

    /// Whether it is known that the room is closed, shown or not.
    pub fn is_closing(&self) -> bool {
        self.is_closed() || matches!(self.waiting.back(), Some((_, Event::Closed { .. })))
    }

    /// What the room is doing, as it is shown.
    pub fn phase(&self, now: Millis) -> PhaseView {
        self.race.phase_view(self.then(now))
    }

    /// The board of the round that is shown.
    pub fn start_board(&self) -> Option<&Board> {
        Seat::ALL.into_iter().find_map(|seat| self.race.play(seat)).map(Play::start)
    }

    fn view_at(&self, then: Millis) -> View {
        let mut view = self.race.view(then, Viewer::Spectator);
        if let Some(round) = view.round.as_mut().filter(|round| round.board.is_some()) {
            round.curves = self.curves.view();
        }
        view
    }

    fn then(&self, now: Millis) -> Millis {
        Millis(now.0.saturating_sub(self.delay_ms))
    }

    /// When the boards are shown next. A plan right behind another one was made because that one came too late: nobody was
    /// told of it, and nothing is shown by it.
    fn start(&self) -> Option<Millis> {
        let is_void = self.waiting.front().is_some_and(|(_, event)| event.is_start());
        self.race.shown_at().filter(|at| self.started != Some(*at) && !is_void)
    }
}
