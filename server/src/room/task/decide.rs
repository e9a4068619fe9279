//! What an inbound message does to the race. Nothing is sent here.

use sprint_shared::protocol::Role;
use sprint_shared::race::{Command, Refusal, Viewer};

use super::super::drain::{Drain, refused};
use super::super::frames::text;
use super::super::{ConnectionId, Inbound, Join};
use super::Room;
use axum::extract::ws::Utf8Bytes;
use sprint_shared::protocol::ServerMessage;
use sprint_shared::time::Millis;

impl Room {
    /// Takes one message into the turn.
    pub(super) fn take(&mut self, message: Inbound, drain: &mut Drain) {
        match message {
            Inbound::Join(join) => self.take_join(*join, drain),
            Inbound::Say { connection, at, command } => {
                let now = self.time_of(at);
                self.take_command(connection, now, &command, drain);
            }
            Inbound::Gone { connection, at } => {
                let now = self.time_of(at);
                // A connection that was replaced controls no seat any more: its end changes nothing.
                if let Some(seat) = self.lines.remove(connection)
                    && let Ok(events) = self.race.decide(now, seat, &Command::Disconnect)
                {
                    self.apply(now, events, drain);
                }
            }
            Inbound::Resync { connection } => drain.resyncs.push(connection),
            Inbound::Dealt(dealt) => self.board = Some(dealt),
            Inbound::NotDealt { round_id } => {
                // A deal that was given up with its round is nobody's failure.
                if self.dealing.take_if(|dealing| dealing.round_id == round_id).is_some() {
                    tracing::error!(room = self.race.code(), %round_id, "no board came of a deal");
                    self.deals_failed += 1;
                }
            }
        }
    }

    fn take_command(&mut self, connection: ConnectionId, now: Millis, command: &Command, drain: &mut Drain) {
        let n = match command {
            Command::Act { n, .. } => Some(*n),
            _ => None,
        };
        let seat = match self.lines.viewer(connection) {
            Some(Viewer::Seat(seat)) => seat,
            Some(Viewer::Spectator) => return drain.refuse(connection, None, n, &Refusal::NotSeated),
            // Its line has ended; what it said before that does not count.
            None => return,
        };
        match self.race.decide(now, seat, command) {
            Ok(events) => self.apply(now, events, drain),
            Err(refusal) => {
                if let Some(n) = n.filter(|_| refusal.is_judged()) {
                    self.race.refused(seat, n);
                }
                drain.refuse(connection, Some(seat), n, &refusal);
            }
        }
    }

    fn take_join(&mut self, join: Join, drain: &mut Drain) {
        let now = self.time_of(join.at);
        match join.role {
            Role::Player => self.take_player(now, join, drain),
            Role::Spectator => match self.spectating_refused() {
                Some(refusal) => drain.turned_away.push((join.line, refusal)),
                None => {
                    self.lines.admit(join.connection, join.line, Viewer::Spectator);
                    drain.joins.push((join.connection, join.last_seq));
                }
            },
        }
    }

    fn take_player(&mut self, now: Millis, join: Join, drain: &mut Drain) {
        let seated = match self.race.sit(now, join.player, &join.name, join.bot) {
            Ok(events) => {
                let new = !events.is_empty();
                self.apply(now, events, drain);
                self.race.seat_of(join.player).map(|seat| (seat, new)).ok_or(Refusal::NoSeat)
            }
            Err(refusal) => Err(refusal),
        };
        let (seat, new) = match seated {
            Ok(seated) => seated,
            Err(refusal) => return drain.turned_away.push((join.line, refused(None, &refusal))),
        };
        if let Some(old) = self.lines.unseat(seat) {
            drain.joins.retain(|(connection, _)| *connection != old);
            drain.replaced.push(old);
        }
        if new {
            self.lines.new_player(seat);
        }
        self.lines.admit(join.connection, join.line, Viewer::Seat(seat));
        drain.joins.push((join.connection, join.last_seq));
        if let Ok(events) = self.race.decide(now, seat, &Command::Connect) {
            self.apply(now, events, drain);
        }
    }

    /// Why nobody more may watch, if so.
    pub(super) fn spectating_refused(&self) -> Option<Utf8Bytes> {
        let refusal = |code: &str, message: &str| {
            let (code, message) = (code.to_owned(), message.to_owned());
            Some(text(&ServerMessage::Refused { n: None, next: None, code, message }))
        };
        if self.race.is_closed() {
            Some(refused(None, &Refusal::Closed))
        } else if !self.race.options().spectators {
            refusal("no_spectators", "this room does not let anybody watch")
        } else if self.lines.spectators() >= self.context.spectators_max {
            refusal("too_many_spectators", "as many people watch this room as may")
        } else {
            None
        }
    }
}
