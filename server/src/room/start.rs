//! The frames that show the boards: each racer's leaves ahead of T0 by that racer's one-way delay.
//!
//! They are made from the committed state and wait here, so that they leave in time even while a commit is under way.
//! Must never leave early: before `shown_at` less the frozen lag credit nobody is told a board.

use axum::extract::ws::Utf8Bytes;
use sprint_shared::protocol::ServerMessage;
use sprint_shared::race::{Race, Viewer};
use sprint_shared::time::{Millis, SEATS_MAX, Seat};

use super::frames::text;

/// Start frames that wait for their time.
#[derive(Default)]
pub(super) struct Starts {
    pending: Vec<Start>,
    /// For which instant each seat has its start.
    seats: [Option<Millis>; SEATS_MAX],
    /// When the boards are shown to everybody, and for which instant that was noticed.
    all_shown: [Option<Millis>; 2],
    last_seq: Option<u32>,
}

struct Start {
    leaves_at: Millis,
    shown_at: Millis,
    seq: u32,
    to: Seat,
    text: Utf8Bytes,
}

impl Starts {
    /// Plans what has not left yet, from a state that is committed.
    pub fn plan(&mut self, race: &Race) {
        self.pending.clear();
        let [next, noticed] = &mut self.all_shown;
        *next = race.shown_at().filter(|at| *noticed != Some(*at));
        let Some(shown_at) = race.shown_at() else { return };
        for seat in Seat::ALL.into_iter().filter(|s| self.seats[s.index()] != Some(shown_at)) {
            if race.play(seat).is_some() {
                let leaves_at = Millis(shown_at.0.saturating_sub(race.credit_ms(seat).into()));
                self.pending.push(Start::new(race, shown_at, leaves_at, seat));
            }
        }
    }

    /// When the next one leaves, or the boards are shown to everybody.
    pub fn next(&self) -> Option<Millis> {
        self.pending.iter().map(|s| s.leaves_at).chain(self.all_shown[0]).min()
    }

    /// Whether the boards are shown to everybody since the last look.
    pub fn are_all_shown(&mut self, now: Millis) -> bool {
        let [next, noticed] = &mut self.all_shown;
        let shown = next.take_if(|at| *at <= now);
        *noticed = shown.or(*noticed);
        shown.is_some()
    }

    /// Those whose time has come.
    pub fn due(&mut self, now: Millis) -> Vec<(Seat, Utf8Bytes)> {
        let due: Vec<Start> = self.pending.extract_if(.., |s| s.leaves_at <= now).collect();
        due.into_iter()
            .map(|start| {
                self.seats[start.to.index()] = Some(start.shown_at);
                self.last_seq = self.last_seq.max(Some(start.seq));
                (start.to, start.text)
            })
            .collect()
    }

    /// The start that a seat's connection has missed: it came after the frame had left and before the boards are in
    /// every snapshot.
    pub fn missed(&self, race: &Race, now: Millis, seat: Seat) -> Option<Utf8Bytes> {
        let shown_at = race.shown_at().filter(|at| now < *at && self.seats[seat.index()] == Some(*at))?;
        Some(Start::new(race, shown_at, now, seat).text)
    }

    /// The room's last event when a start last left: who has seen nothing newer may have missed it.
    pub fn last_seq(&self) -> Option<u32> {
        self.last_seq
    }
}

impl Start {
    fn new(race: &Race, shown_at: Millis, leaves_at: Millis, to: Seat) -> Start {
        let seq = race.seq();
        let message = ServerMessage::Start { seq, state: Box::new(race.view(shown_at, Viewer::Seat(to))) };
        Start { leaves_at, shown_at, seq, to, text: text(&message) }
    }
}
