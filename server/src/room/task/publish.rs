//! What a committed turn says to whom: events, then refusals, then joins.
//!
//! Must never be called with anything that is not committed.

use sprint_shared::protocol::ServerMessage;
use sprint_shared::protocol::view::PhaseView;
use sprint_shared::race::{Race, Refusal, Viewer};
use sprint_shared::time::{Millis, Seat};

use super::super::delayed::Delayed;
use super::super::drain::{Answer, Drain, refused};
use super::super::frames::text;
use super::super::{ConnectionId, Ending, Out, Summary};
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
        let watched_live = self.delayed.is_none();
        let mut leavers: Vec<(_, Vec<_>, _)> = Vec::new();
        if !drain.frames.is_empty() {
            let of = |viewer| drain.frames.iter().map(move |f| f.for_viewer(viewer).clone());
            for seat in self.lines.seats().collect::<Vec<_>>() {
                self.lines.send_to_seat(seat, Out::Frames(of(Viewer::Seat(seat)).collect()));
            }
            if watched_live && self.lines.spectators() > 0 {
                self.lines.send_to_watchers(of(Viewer::Spectator).collect());
            }
        }
        for leaver in drain.leavers {
            let viewer = Viewer::Seat(leaver.seat);
            let last = drain.frames[..leaver.frames].iter().map(|f| f.for_viewer(viewer).clone()).collect();
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
                let outcome = frames.for_viewer(Viewer::Seat(seat)).clone();
                keep_last(&mut self.outcomes[seat.index()], (n, outcome));
            }
            keep_last(&mut self.recent, frames);
        }
        if let Some(delayed) = &mut self.delayed {
            drain.events.into_iter().for_each(|(at, event)| delayed.push(at, event));
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
        self.starts.plan(&self.race, watched_live);
        for (connection, last_seq) in drain.joins {
            self.welcome(connection, last_seq);
        }
        for connection in drain.resyncs {
            self.resync(connection);
        }
        for player in drain.kicked {
            self.lines.end_watching(player, Ending::Kicked);
        }
        for (line, refusal, ending) in drain.turned_away {
            let _ = line.outbox.try_send(Out::Frame(refusal));
            let _ = line.end.send(ending);
        }
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
        // It counts as a spectator already, so the room is full only if it is over its number.
        if self.race.options().spectators && self.lines.spectators() <= self.context.spectators_max {
            let snapshot = self.spectator_snapshot();
            self.lines.welcome(connection, snapshot);
        } else {
            self.lines.end(connection, Ending::Replaced);
        }
    }

    fn welcome(&mut self, connection: ConnectionId, last_seq: Option<u32>) {
        let now = self.now();
        match self.lines.viewer(connection) {
            None => {}
            Some(Viewer::Spectator) => {
                let (seq, state) = match &self.delayed {
                    Some(delayed) => delayed.view(now),
                    None => (self.race.seq(), self.race.view(now, Viewer::Spectator)),
                };
                let welcome = ServerMessage::Welcome { seq, seat: None, n: 0, state: Some(Box::new(state)) };
                self.lines.welcome(connection, text(&welcome));
            }
            Some(Viewer::Seat(seat)) => {
                let missing = last_seq.and_then(|last| self.missing(last));
                let state = match missing {
                    Some(_) => None,
                    None => Some(Box::new(self.race.view(now, Viewer::Seat(seat)))),
                };
                let (seq, n) = (self.race.seq(), self.race.n(seat));
                let frames: Vec<_> = missing
                    .into_iter()
                    .flat_map(|from| self.recent.iter().filter(move |f| f.seq >= from))
                    .map(|frames| frames.for_viewer(Viewer::Seat(seat)).clone())
                    .chain(self.starts.missed(&self.race, now, seat))
                    .collect();
                let welcome = text(&ServerMessage::Welcome { seq, seat: Some(seat), n, state });
                self.lines.welcome(connection, welcome);
                self.lines.send(connection, Out::Frames(frames));
            }
        }
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
        match self.lines.viewer(connection) {
            None => {}
            Some(Viewer::Spectator) => {
                let snapshot = self.spectator_snapshot();
                self.lines.welcome(connection, snapshot);
            }
            Some(Viewer::Seat(seat)) => {
                let snapshot = snapshot(&self.race, now, Viewer::Seat(seat));
                let missed = self.starts.missed(&self.race, now, seat);
                self.lines.send(connection, Out::Frames([snapshot].into_iter().chain(missed).collect()));
            }
        }
    }

    fn spectator_snapshot(&mut self) -> axum::extract::ws::Utf8Bytes {
        let now = self.now();
        match &self.delayed {
            Some(delayed) => {
                let (seq, state) = delayed.view(now);
                text(&ServerMessage::Snapshot { seq, state: Box::new(state) })
            }
            None => snapshot(&self.race, now, Viewer::Spectator),
        }
    }

    /// Tells the outside what the room is doing, where that has changed. What spectators may not know yet is not
    /// told here either.
    pub(super) fn tell_summary(&mut self) {
        let now = self.now();
        let next = outside(&self.race, self.delayed.as_ref(), now);
        self.summary.send_if_modified(|told| {
            let changed = *told != next;
            *told = next;
            changed
        });
    }
}

/// What everybody may know of a room: where spectators see it later, no more than they have seen.
pub(super) fn outside(race: &Race, delayed: Option<&Delayed>, now: Millis) -> Summary {
    let (race, now) = delayed.map_or((race, now), |delayed| delayed.race(now));
    let players = Seat::ALL.into_iter().filter_map(|seat| race.name_at(seat)).map(str::to_owned).collect();
    Summary { phase: race.phase_view(now), players, joinable: race.is_joinable() }
}

impl Summary {
    /// The phase in the words of the protocol.
    pub fn state(&self) -> String {
        match self.phase {
            PhaseView::Lobby => "lobby",
            PhaseView::Dealing => "dealing",
            PhaseView::Countdown => "countdown",
            PhaseView::Racing => "racing",
            PhaseView::Paused => "paused",
            PhaseView::Break => "break",
            PhaseView::Over => "over",
            PhaseView::Closed => "closed",
        }
        .to_owned()
    }

    /// The rest, encoded.
    pub fn listing(&self) -> String {
        serde_json::json!({ "players": self.players, "joinable": self.joinable }).to_string()
    }
}
