//! Rooms whose players were brought there: who is waited for, and what becomes of those who came.
//!
//! Must never keep anybody waiting for somebody who does not come, nor let a round begin that not all seats want who
//! are there.

use sprint_shared::event::Event;
use sprint_shared::protocol::view::PhaseView;
use sprint_shared::race::Command;
use sprint_shared::time::{Millis, Seat};
use uuid::Uuid;

use super::super::Ending;
use super::super::drain::Drain;
use super::Room;

impl Room {
    /// Whether this player sits here.
    pub(crate) fn has_seat(&self, player: Uuid) -> bool {
        self.race.seat_of(player).is_some()
    }

    /// Whether anybody was brought here.
    pub(super) fn has_guests(&self) -> bool {
        !self.admission.guests.is_empty()
    }

    /// Until when guests are waited for, for a room that begins to run at `now`.
    pub(super) fn waits_until(&self, now: Millis) -> Option<Millis> {
        let waits = self.has_guests() && self.race.phase_view(now) == PhaseView::Lobby;
        waits.then(|| now.after(self.context.show_up_ms))
    }

    /// Whether a round in this room is rated, and no second one follows: nobody picks from whom to take points.
    pub(super) fn is_raced_once(&self) -> bool {
        self.is_rated_match() || self.race.options().solo.is_some_and(|solo| solo.is_once())
    }

    fn is_rated_match(&self) -> bool {
        self.admission.matched && self.race.options().rated
    }

    /// Tells who has a rated race at work here. Only what is committed may be told.
    pub(super) fn tell_racing(&self) {
        if !self.is_rated_match() {
            return;
        }
        let is_over = matches!(self.race.phase_view(self.now()), PhaseView::Over | PhaseView::Closed);
        let players = match is_over {
            true => Vec::new(),
            false => self.admission.people().filter(|player| self.race.seat_of(*player).is_some()).collect(),
        };
        self.context.racing.tell(self.race.code(), players);
    }

    /// A guest who comes is ready: that is what they were brought for.
    pub(super) fn guest_comes(&mut self, now: Millis, seat: Seat, drain: &mut Drain) {
        if self.has_guests()
            && self.race.phase_view(now) == PhaseView::Lobby
            && let Ok(events) = self.race.decide(now, seat, &Command::Ready(true))
        {
            self.apply(now, events, drain);
        }
    }

    /// Begins with those who came, or sends home the one who is left; true if anything happened.
    pub(super) fn receive_guests(&mut self, now: Millis, drain: &mut Drain) -> bool {
        let phase = self.race.phase_view(now);
        if phase != PhaseView::Lobby {
            // A room that has begun waits for nobody, and is not to be woken for it.
            self.show_up_at = None;
        }
        if !self.has_guests() || !matches!(phase, PhaseView::Lobby | PhaseView::Over) {
            return false;
        }
        let seated = self.race.seated().count();
        if seated > 0 && self.admission.people().all(|player| self.race.seat_of(player).is_none()) {
            return self.disband(now, Ending::Closed, drain);
        }
        if phase == PhaseView::Over {
            return false;
        }
        if seated == 1 && self.race.options().solo.is_none() {
            // Whoever is still on the way is told it here: to them, a room that is gone is a wrong code.
            let is_here = self.race.seated().all(|seat| self.race.is_present(seat));
            let until = *self.show_up_at.get_or_insert(now.after(self.context.show_up_ms));
            return (is_here || until <= now) && self.disband(now, Ending::NoOpponent, drain);
        }
        if self.show_up_at.take_if(|at| *at <= now).is_none() {
            return false;
        }
        match self.race.begin(now) {
            Ok(events) => {
                let any = !events.is_empty();
                self.apply(now, events, drain);
                any
            }
            Err(_) => self.disband(now, Ending::NoOpponent, drain),
        }
    }

    /// Sends everybody home, who are told by `ending` why; true if anybody was there.
    pub(super) fn disband(&mut self, now: Millis, ending: Ending, drain: &mut Drain) -> bool {
        let events: Vec<Event> = self.race.seated().map(|seat| Event::Left { seat }).collect();
        let (any, leavers) = (!events.is_empty(), drain.leavers.len());
        self.apply(now, events, drain);
        drain.leavers[leavers..].iter_mut().for_each(|leaver| leaver.ending = ending);
        any
    }

    /// Nobody of those who were brought here wants this room any more. A quick match that is on goes on: what is raced
    /// there counts, for bots at least.
    pub(super) fn abandon(&mut self, drain: &mut Drain) {
        let now = self.now();
        if !self.admission.matched || matches!(self.race.phase_view(now), PhaseView::Lobby | PhaseView::Over) {
            self.disband(now, Ending::Closed, drain);
        }
    }
}
