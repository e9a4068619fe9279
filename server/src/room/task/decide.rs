//! What an inbound message does to the race. Nothing is sent here.

use axum::extract::ws::Utf8Bytes;
use sprint_shared::deal::Seed;
use sprint_shared::event::Event;
use sprint_shared::protocol::view::PhaseView;
use sprint_shared::protocol::{Emote, ServerMessage};
use sprint_shared::race::{Command, Refusal, Viewer, Want};
use sprint_shared::time::Millis;
use uuid::Uuid;

use super::super::drain::{Answer, Drain, refused};
use super::super::frames::text;
use super::super::{ConnectionId, Ending, Inbound, Join};
use super::Room;
use crate::chance::{new_id, random};

/// Players whom a room keeps out at most; beyond that, whoever was sent away first may come back.
const KICKED_MAX: usize = 256;

impl Room {
    /// Takes one message into the turn.
    pub(super) fn take(&mut self, message: Inbound, drain: &mut Drain) {
        match message {
            Inbound::Join(join) => self.take_join(*join, drain),
            Inbound::Say { connection, at, command } => {
                let now = self.time_of(at);
                self.take_command(connection, now, &command, drain);
            }
            Inbound::Emote { connection, at, emote } => {
                let now = self.time_of(at);
                self.take_emote(connection, now, emote, drain);
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
            Inbound::Abandon => self.abandon(drain),
            Inbound::Resync { connection } => drain.resyncs.push(connection),
            Inbound::Ask { player, answer } => drain.asks.push((player, answer)),
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
        let again = matches!(command, Command::Rematch | Command::Ready(true));
        if again && self.is_raced_once() && self.race.phase_view(now) == PhaseView::Over {
            let why = match self.race.options().solo {
                Some(_) => "a day has one rated try: practice is to be had where it was begun",
                None => "a quick match is raced once: join the queue for the next one",
            };
            let refusal = Refusal::NotNow(why);
            return drain.refuse(connection, Some(seat), None, &refusal);
        }
        match self.race.decide(now, seat, command) {
            Ok(events) => self.apply_command(now, command, events, drain),
            Err(refusal) => {
                if let Some(n) = n.filter(|_| refusal.is_judged()) {
                    self.race.refused(seat, n);
                }
                drain.refuse(connection, Some(seat), n, &refusal);
            }
        }
    }

    /// Applies what a seat's request does, and what it does to connections.
    fn apply_command(&mut self, now: Millis, command: &Command, events: Vec<Event>, drain: &mut Drain) {
        let kicked = match command {
            Command::Kick(whom) => self.race.player_at(whom.seat),
            _ => None,
        };
        let leavers = drain.leavers.len();
        self.apply(now, events, drain);
        let ending = match command {
            Command::Kick(_) => Ending::Kicked,
            Command::Close => Ending::Closed,
            _ => Ending::Left,
        };
        drain.leavers[leavers..].iter_mut().for_each(|leaver| leaver.ending = ending);
        if let Some(player) = kicked {
            self.keep_out(player);
            drain.kicked.push(player);
        }
        // A start is not undone by who comes in, or is not ready any more, in the same turn.
        if *command == Command::Start && self.race.want(now) == Some(Want::Commit) {
            let events = self.race.commit(now, new_id(now), Seed(random()));
            self.apply(now, events, drain);
        }
    }

    fn keep_out(&mut self, player: Uuid) {
        let kicked = &mut self.admission.kicked;
        if kicked.len() >= KICKED_MAX {
            kicked.remove(0);
        }
        kicked.push(player);
    }

    fn take_emote(&mut self, connection: ConnectionId, now: Millis, emote: Emote, drain: &mut Drain) {
        match self.lines.viewer(connection) {
            None => {}
            Some(Viewer::Spectator) => drain.refuse(connection, None, None, &Refusal::NotSeated),
            Some(Viewer::Seat(seat)) if self.emotes.allows(seat, now) => drain.emotes.push((seat, emote)),
            Some(Viewer::Seat(_)) => {
                let text = refusal("rate_limited", "three emotes at once, and then one every two seconds");
                drain.answers.push((connection, Answer::Refused { text, act: None }));
            }
        }
    }

    fn take_join(&mut self, join: Join, drain: &mut Drain) {
        let now = self.time_of(join.at);
        if join.seated_only && self.race.seat_of(join.player).is_none() {
            // In no other words, and no later, than where there is no such room.
            let _ = join.line.end.send(Ending::Barred);
            return;
        }
        if self.admission.kicked.contains(&join.player) {
            let text = refusal("kicked", "the host of this room has sent you away from it");
            return drain.turned_away.push((join.line, text, Ending::Kicked));
        }
        let seated = match self.sit(now, &join) {
            Ok(events) => {
                let new = !events.is_empty();
                self.apply(now, events, drain);
                self.race.seat_of(join.player).map(|seat| (seat, new)).ok_or(Refusal::NoSeat)
            }
            Err(refusal) => Err(refusal),
        };
        let (seat, new) = match seated {
            Ok(seated) => seated,
            Err(refusal) => {
                return drain.turned_away.push((join.line, self.turned_away(&refusal), Ending::Refused));
            }
        };
        if let Some(old) = self.lines.unseat(seat) {
            drain.joins.retain(|(connection, _)| *connection != old);
            drain.replaced.push(old);
        }
        if new {
            self.lines.new_player(seat);
            self.emotes.new_player(seat);
        }
        if let Some(address) = join.address {
            self.lines.came_from(seat, address);
        }
        self.lines.admit(join.connection, join.line, seat);
        drain.joins.push((join.connection, join.last_seq));
        if let Ok(events) = self.race.decide(now, seat, &Command::Connect) {
            self.apply(now, events, drain);
        }
        self.guest_comes(now, seat, drain);
    }

    /// Who was brought to a room keeps it: nobody else sits down there, whoever leaves. Nor does anybody come in while a
    /// round is on to those outside: a seat shows the result, and what a stranger is told otherwise shows that there is one.
    fn sit(&self, now: Millis, join: &Join) -> Result<Vec<Event>, Refusal> {
        let is_outside = self.race.seat_of(join.player).is_none();
        if is_outside && self.race.options().spectator_delay_s > 0 && !self.outside.has_seen_the_end(now) {
            return Err(Refusal::NoSeat);
        }
        let guests = &self.admission.guests;
        if !guests.is_empty() && !guests.iter().any(|guest| guest.player() == join.player) {
            return Err(Refusal::NoSeat);
        }
        self.race.sit(now, join.player, &join.name, join.bot)
    }

    /// Why somebody has no seat. In a room with a delay the words are the same whether none is free, a round is on, or it
    /// is over and not yet to those outside.
    fn turned_away(&self, refusal: &Refusal) -> Utf8Bytes {
        let delay_s = self.race.options().spectator_delay_s;
        if *refusal != Refusal::NoSeat || delay_s == 0 {
            return refused(None, refusal);
        }
        let message = format!(
            "no seat is to be had now: none is free, or a round is on to those who watch, {delay_s} s behind it; \
             you may watch, or come again"
        );
        text(&ServerMessage::Refused { n: None, next: None, code: refusal.code().to_owned(), message })
    }
}

/// A refusal that the race knows nothing of.
fn refusal(code: &str, message: &str) -> Utf8Bytes {
    let (code, message) = (code.to_owned(), message.to_owned());
    text(&ServerMessage::Refused { n: None, next: None, code, message })
}
