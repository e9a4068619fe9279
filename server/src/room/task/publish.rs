//! What a committed turn says to whom: events, then refusals, then joins.
//!
//! Must never be called with anything that is not committed.

use sprint_shared::protocol::ServerMessage;
use sprint_shared::race::{Refusal, Viewer};
use uuid::Uuid;

use super::super::drain::{Answer, Drain, refused};
use super::super::frames::text;
use super::super::{ConnectionId, Ending, Out, Stands, Summary};
use super::{Room, keep_last, snapshot};

impl Room {
    /// Publishes a committed turn.
    pub(super) fn publish(&mut self, mut drain: Drain) {
        let now = self.now();
        drain.frames.iter_mut().for_each(|frames| frames.retime(&self.race, now));
        if drain.tells {
            self.tell_summary();
            self.tell_racing();
        }
        let mut leavers: Vec<(_, Vec<_>, _)> = Vec::new();
        if !drain.frames.is_empty() {
            for seat in self.lines.seats().collect::<Vec<_>>() {
                let frames = drain.frames.iter().map(|f| f.for_seat(seat).clone());
                self.lines.send_to_seat(seat, Out::Frames(frames.collect()));
            }
        }
        self.stage.publish(self.race.seq(), drain.told);
        for leaver in drain.leavers {
            let last = drain.frames[..leaver.frames].iter().map(|f| f.for_seat(leaver.seat).clone()).collect();
            leavers.push((leaver.connection, last, leaver.ending));
        }
        for (seat, emote) in drain.emotes {
            let shown = text(&ServerMessage::Emote { seat, emote });
            for seat in self.lines.seats().collect::<Vec<_>>() {
                self.lines.send_to_seat(seat, Out::Frame(shown.clone()));
            }
        }
        for frames in drain.frames {
            if let Some((seat, n)) = frames.act {
                let outcome = frames.for_seat(seat).clone();
                keep_last(&mut self.outcomes[seat.index()], (n, outcome));
            }
            keep_last(&mut self.recent, frames);
        }
        for (connection, answer) in drain.answers {
            self.answer(connection, answer);
        }
        for (connection, last, ending) in leavers {
            self.lines.see_off(connection, last, ending);
        }
        for connection in drain.replaced {
            self.replace(connection);
        }
        // The boards may be shown from now on, to those who join as well.
        self.starts.plan(&self.race);
        for (connection, last_seq) in drain.joins {
            self.welcome(connection, last_seq);
        }
        for connection in drain.resyncs {
            self.resync(connection);
        }
        for (player, answer) in drain.asks {
            let _ = answer.send(self.stands(player));
        }
        if !drain.kicked.is_empty() {
            self.stage.kick(&self.admission.kicked);
        }
        for (line, refusal, ending) in drain.turned_away {
            let _ = line.outbox.try_send(Out::Frame(refusal));
            let _ = line.end.send(ending);
        }
    }

    /// Where a player's board stands in a round that is on.
    fn stands(&self, player: Uuid) -> Option<Stands> {
        let seat = self.race.seat_of(player).filter(|seat| self.race.is_at_work(*seat))?;
        self.race.shown_at().filter(|shown_at| *shown_at <= self.now())?;
        let play = self.race.play(seat)?;
        Some(Stands { board: play.board().clone(), transfers: play.transfers(), ply: play.ply() })
    }

    fn answer(&mut self, connection: ConnectionId, answer: Answer) {
        let text = match answer {
            Answer::Refused { text, act } => {
                if let Some((seat, n)) = act {
                    keep_last(&mut self.outcomes[seat.index()], (n, text.clone()));
                }
                text
            }
            // Who has lost the seat in this turn has not heard the turn's events: one of them alone would be a gap.
            Answer::Again { seat, .. } if self.lines.viewer(connection) != Some(Viewer::Seat(seat)) => return,
            Answer::Again { seat, n } => {
                let recorded = self.outcomes[seat.index()].iter().rev().find(|(judged, _)| *judged == n);
                match recorded {
                    Some((_, text)) => text.clone(),
                    None => refused(Some(n), &Refusal::AlreadyJudged { n }),
                }
            }
        };
        self.lines.send(connection, Out::Frame(text));
    }

    /// The connection has lost its seat to a newer one of the same player.
    fn replace(&mut self, connection: ConnectionId) {
        self.lines.send(connection, Out::Frame(text(&ServerMessage::Replaced {})));
        self.lines.end(connection, Ending::Replaced);
    }

    fn welcome(&mut self, connection: ConnectionId, last_seq: Option<u32>) {
        let now = self.now();
        let Some(Viewer::Seat(seat)) = self.lines.viewer(connection) else { return };
        let missing = last_seq.and_then(|last| self.missing(last));
        let state = match missing {
            Some(_) => None,
            None => Some(Box::new(self.race.view(now, Viewer::Seat(seat)))),
        };
        let (seq, n) = (self.race.seq(), self.race.n(seat));
        let frames: Vec<_> = missing
            .into_iter()
            .flat_map(|from| self.recent.iter().filter(move |f| f.seq >= from))
            .map(|frames| frames.for_seat(seat).clone())
            .chain(self.starts.missed(&self.race, now, seat))
            .collect();
        let welcome = text(&ServerMessage::Welcome { seq, seat: Some(seat), n, state });
        self.lines.welcome(connection, welcome);
        self.lines.send(connection, Out::Frames(frames));
    }

    /// The first event that a client lacks who has seen `last_seq`, if all that it lacks can be sent again as it was.
    fn missing(&self, last_seq: u32) -> Option<u32> {
        let from = last_seq.checked_add(1)?;
        let missed_a_start = self.starts.last_seq().is_some_and(|start| last_seq <= start);
        let at_hand = self.recent.front().is_some_and(|oldest| oldest.seq <= from);
        let possible = last_seq <= self.race.seq()
            && at_hand
            && !missed_a_start
            && !self.recent.iter().any(|f| f.seq >= from && f.timed.is_some());
        possible.then_some(from)
    }

    fn resync(&mut self, connection: ConnectionId) {
        let now = self.now();
        self.lines.found_again(connection);
        let Some(Viewer::Seat(seat)) = self.lines.viewer(connection) else { return };
        let snapshot = snapshot(&self.race, now, seat);
        let missed = self.starts.missed(&self.race, now, seat);
        self.lines.send(connection, Out::Frames([snapshot].into_iter().chain(missed).collect()));
    }

    /// Tells the outside what the room is doing, where that has changed, once those who watch may know it too.
    pub(super) fn tell_summary(&mut self) {
        let now = self.now();
        self.outside.tell(now, Summary::of(&self.race, now));
    }
}
