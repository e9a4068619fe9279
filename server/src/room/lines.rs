//! Who is connected to a room, and as what: presence is of seats, never of sockets.
//!
//! Must never wait: a full outbox loses a message, is told so, and the second time loses its connection.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::atomic::Ordering;

use axum::extract::ws::Utf8Bytes;
use sprint_shared::race::Viewer;
use sprint_shared::time::{SEATS_MAX, Seat};
use tokio::sync::mpsc::error::TrySendError;

use super::{ConnectionId, Ending, Line, Out};
use crate::fair::{ONE_NETWORK, share_a_network};
use crate::limits::network;
use crate::store::SeatRecord;

/// The connections of a room.
pub(super) struct Lines {
    lines: BTreeMap<ConnectionId, Seated>,
    controllers: [Option<ConnectionId>; SEATS_MAX],
    /// The shortest round trip seen of each seat's player, in microseconds.
    round_trips_us: [Option<u32>; SEATS_MAX],
    /// Whence each seat's player came last. Never stored: only whether two are the same.
    networks: [Option<IpAddr>; SEATS_MAX],
}

struct Seated {
    line: Line,
    /// `Spectator` once a newer connection has the seat, until this one is ended.
    viewer: Viewer,
    /// Events go out only after the welcome.
    welcomed: bool,
    /// It has left its seat: what it still says does not count.
    left: bool,
    overflows: u32,
}

impl Lines {
    pub fn new() -> Lines {
        let (round_trips_us, networks) = ([None; SEATS_MAX], [None; SEATS_MAX]);
        Lines { lines: BTreeMap::new(), controllers: [None; SEATS_MAX], round_trips_us, networks }
    }

    /// Lets a connection in, which controls a seat and still waits for its welcome.
    pub fn admit(&mut self, connection: ConnectionId, line: Line, seat: Seat) {
        self.controllers[seat.index()] = Some(connection);
        let viewer = Viewer::Seat(seat);
        self.lines.insert(connection, Seated { line, viewer, welcomed: false, left: false, overflows: 0 });
    }

    /// What a connection sees the room as.
    pub fn viewer(&self, connection: ConnectionId) -> Option<Viewer> {
        self.lines.get(&connection).filter(|l| !l.left).map(|l| l.viewer)
    }

    /// A seat was left: its connection controls it no more and is to be ended once that is committed.
    pub fn leave(&mut self, seat: Seat) -> Option<ConnectionId> {
        let connection = self.controllers[seat.index()].take()?;
        self.lines.get_mut(&connection)?.left = true;
        Some(connection)
    }

    /// Sends a connection that has left the last messages of its seat, and ends it.
    pub fn see_off(&mut self, connection: ConnectionId, last: Vec<Utf8Bytes>, ending: Ending) {
        if !last.is_empty() && self.lines.get(&connection).is_some_and(|l| l.welcomed) {
            self.send(connection, Out::Frames(last));
        }
        self.end(connection, ending);
    }

    /// A seat is taken anew: what was measured of its player before says nothing.
    pub fn new_player(&mut self, seat: Seat) {
        self.round_trips_us[seat.index()] = None;
        self.networks[seat.index()] = None;
    }

    /// A seat's player has come from this address.
    pub fn came_from(&mut self, seat: Seat, address: IpAddr) {
        self.networks[seat.index()] = Some(network(address));
    }

    /// Marks the results of people who share a network, as far as it is known.
    pub fn report_networks(&self, seats: &mut [SeatRecord]) {
        let people = Seat::ALL.map(|seat| {
            let is_person = seats.iter().any(|record| record.seat == i64::from(seat.number()) && !record.bot);
            self.networks[seat.index()].filter(|_| is_person)
        });
        let shared = Seat::ALL.into_iter().zip(share_a_network(&people)).filter(|(_, shares)| *shares);
        for (seat, _) in shared {
            let records = seats.iter_mut().filter(|record| record.seat == i64::from(seat.number()));
            records.for_each(|record| record.suspicion |= ONE_NETWORK);
        }
    }

    /// Takes the seat away from its connection, which is to be told and ended.
    pub fn unseat(&mut self, seat: Seat) -> Option<ConnectionId> {
        self.measure(seat);
        let connection = self.controllers[seat.index()].take()?;
        let line = self.lines.get_mut(&connection)?;
        line.viewer = Viewer::Spectator;
        line.welcomed = false;
        Some(connection)
    }

    /// Forgets a connection; returns the seat that it controlled.
    pub fn remove(&mut self, connection: ConnectionId) -> Option<Seat> {
        let seat = Seat::ALL.into_iter().find(|s| self.controllers[s.index()] == Some(connection));
        if let Some(seat) = seat {
            self.measure(seat);
            self.controllers[seat.index()] = None;
        }
        self.lines.remove(&connection);
        seat
    }

    /// Ends a connection. It controls its seat until its socket says that it is gone.
    pub fn end(&mut self, connection: ConnectionId, ending: Ending) {
        if let Some(line) = self.lines.remove(&connection) {
            let _ = line.line.end.send(ending);
        }
    }

    /// Ends every connection.
    pub fn end_all(&mut self, ending: Ending) {
        for line in std::mem::take(&mut self.lines).into_values() {
            let _ = line.line.end.send(ending);
        }
    }

    /// Sends to one connection, welcomed or not. One that has lost a message gets nothing more until it has asked for
    /// everything anew.
    pub fn send(&mut self, connection: ConnectionId, out: Out) {
        let Some(line) = self.lines.get_mut(&connection) else { return };
        if line.line.lost.load(Ordering::Acquire) {
            return;
        }
        if let Err(TrySendError::Full(_)) = line.line.outbox.try_send(out) {
            line.overflows += 1;
            line.line.lost.store(true, Ordering::Release);
            if line.overflows >= 2 {
                tracing::info!(?connection, "a client did not keep up");
                self.end(connection, Ending::TooSlow);
            }
        }
    }

    /// A connection has emptied its outbox and is to be sent everything anew.
    pub fn found_again(&mut self, connection: ConnectionId) {
        if let Some(line) = self.lines.get_mut(&connection) {
            line.line.lost.store(false, Ordering::Release);
        }
    }

    /// Sends the first message of a connection; what follows is for it too.
    pub fn welcome(&mut self, connection: ConnectionId, text: Utf8Bytes) {
        let Some(line) = self.lines.get_mut(&connection) else { return };
        line.welcomed = true;
        self.send(connection, Out::Frame(text));
    }

    /// Sends to the connection of a seat, if it has been welcomed.
    pub fn send_to_seat(&mut self, seat: Seat, out: Out) {
        let Some(connection) = self.controllers[seat.index()] else { return };
        if self.lines.get(&connection).is_some_and(|l| l.welcomed) {
            self.send(connection, out);
        }
    }

    /// The seats with a welcomed connection.
    pub fn seats(&self) -> impl Iterator<Item = Seat> {
        let welcomed = |c: ConnectionId| self.lines.get(&c).is_some_and(|l| l.welcomed);
        Seat::ALL.into_iter().filter(move |s| self.controllers[s.index()].is_some_and(welcomed))
    }

    /// Half the shortest round trip of each seat's player in milliseconds; 0 where none was measured.
    pub fn one_way_ms(&mut self) -> [u32; SEATS_MAX] {
        Seat::ALL.map(|seat| {
            self.measure(seat);
            self.round_trips_us[seat.index()].map_or(0, |us| us / 2_000)
        })
    }

    /// Keeps what the seat's connection has measured: a reconnect never raises it.
    fn measure(&mut self, seat: Seat) {
        let Some(line) = self.controllers[seat.index()].and_then(|c| self.lines.get(&c)) else { return };
        let kept = &mut self.round_trips_us[seat.index()];
        *kept = kept.iter().copied().chain(line.line.round_trip.lowest_us()).min();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tokio::sync::{mpsc, oneshot};

    use super::super::RoundTrip;
    use super::*;

    fn line(round_trip_us: u32) -> Line {
        let round_trip = Arc::new(RoundTrip::default());
        round_trip.saw(round_trip_us);
        Line { outbox: mpsc::channel(1).0, end: oneshot::channel().0, lost: Arc::default(), round_trip }
    }

    fn record(seat: Seat, bot: bool) -> SeatRecord {
        SeatRecord {
            seat: seat.number().into(),
            player_id: uuid::Uuid::from_u128(seat.number().into()),
            rank: 1,
            finished: false,
            clean: true,
            moves: 0,
            errors: 0,
            raw_ms: None,
            credit_ms: None,
            official_ms: None,
            score: 0,
            stars: None,
            flawless: true,
            crown: false,
            bot,
            suspicion: 2,
        }
    }

    #[test]
    fn people_of_one_household_are_reported_and_bots_and_those_before_them_are_not() {
        let mut lines = Lines::new();
        let addresses = ["2001:db8:1:2::5", "203.0.113.9", "2001:db8:1:2:ffff::9", "203.0.113.9"];
        for (seat, address) in Seat::ALL.into_iter().zip(addresses) {
            lines.came_from(seat, address.parse().expect("an address"));
        }
        let report = |lines: &Lines, bot: Seat| {
            let mut seats = Seat::ALL.map(|seat| record(seat, seat == bot));
            seats.reverse();
            lines.report_networks(&mut seats);
            seats.reverse();
            seats.map(|seat| seat.suspicion)
        };
        assert_eq!(report(&lines, Seat::ALL[3]), [2 | ONE_NETWORK, 2, 2 | ONE_NETWORK, 2], "the fourth is a bot");
        lines.new_player(Seat::ALL[2]);
        assert_eq!(report(&lines, Seat::ALL[3]), [2; SEATS_MAX], "another player in the third seat");
        let mut two = [record(Seat::ALL[0], false), record(Seat::ALL[3], false)];
        lines.came_from(Seat::ALL[3], "2001:db8:1:2::77".parse().expect("an address"));
        lines.report_networks(&mut two);
        assert_eq!(two.map(|seat| seat.suspicion), [2 | ONE_NETWORK; 2], "who has come by another line since");
    }

    #[test]
    fn a_reconnect_never_raises_the_one_way_delay() {
        let (mut lines, seat) = (Lines::new(), Seat::ALL[0]);
        lines.admit(ConnectionId(1), line(20_000), seat);
        assert_eq!(lines.one_way_ms()[0], 10);
        lines.unseat(seat);
        lines.admit(ConnectionId(2), line(200_000), seat);
        assert_eq!(lines.one_way_ms()[0], 10, "taken over by a slower line");
        lines.remove(ConnectionId(2));
        lines.admit(ConnectionId(3), line(300_000), seat);
        assert_eq!(lines.one_way_ms()[0], 10, "back by a slower line");
        lines.unseat(seat);
        lines.admit(ConnectionId(4), line(4_000), seat);
        assert_eq!(lines.one_way_ms()[0], 2, "a shorter one counts");
        lines.remove(ConnectionId(4));
        lines.new_player(seat);
        lines.admit(ConnectionId(5), line(60_000), seat);
        assert_eq!(lines.one_way_ms()[0], 30, "another player in the seat");
    }
}
