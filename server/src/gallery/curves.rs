//! Each racer's distance to harmony over the round that is shown: what is known, and what is still wanted.
//!
//! Must never hold a position that those who watch have not been shown.

use std::collections::VecDeque;

use sprint_shared::board::Board;
use sprint_shared::event::Event;
use sprint_shared::play::Deed;
use sprint_shared::protocol::{CurveView, ServerMessage, ToGo};
use sprint_shared::race::Race;
use sprint_shared::rules::Transfers;
use sprint_shared::time::{Millis, SEATS_MAX, Seat};
use uuid::Uuid;

/// Points of a curve; of more, every second one of the older half is left out.
const POINTS_MAX: usize = 512;
/// Positions that were passed over for newer ones and are wanted still; of more, the oldest are left out.
const PAST_MAX: usize = 512;
/// Positions of the past that are reckoned at a time.
const PAST_AT_ONCE: usize = 8;

/// The distances of one round.
#[derive(Debug, Default)]
pub(super) struct Curves {
    round: Option<Uuid>,
    /// Whether the boards were shown.
    is_begun: bool,
    points: [Vec<Point>; SEATS_MAX],
    /// Where each racer is, if that is wanted.
    newest: [Option<Position>; SEATS_MAX],
    past: VecDeque<Position>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Point {
    clock_ms: u64,
    seq: u32,
    to_go: ToGo,
}

/// Where a racer was at some time.
#[derive(Clone, Debug)]
pub(super) struct Position {
    /// Whose.
    pub seat: Seat,
    /// When, on the race clock.
    pub clock_ms: u64,
    /// The event that brought it about.
    pub seq: u32,
    /// The board; a held disk is still on its source.
    pub board: Board,
    /// Transfers of the attempt so far.
    pub made: Transfers,
}

impl Curves {
    /// Follows the events that are shown, each with the state right after it.
    pub fn follow(&mut self, race: &Race, at: Millis, event: &Event) {
        match event {
            Event::Committed { round_id, .. } => *self = Curves { round: Some(*round_id), ..Curves::default() },
            Event::RoundDropped { .. } => *self = Curves::default(),
            Event::Acted { seat, deed: Deed::Transferred { .. } | Deed::Undone { .. } | Deed::Reset, .. } => {
                let clock_ms = race.clock_ms(at).unwrap_or_default().max(0) as u64;
                if let Some(play) = race.play(*seat) {
                    let (board, made) = (play.board().clone(), play.transfers());
                    self.want(Position { seat: *seat, clock_ms, seq: race.seq(), board, made });
                }
            }
            _ => {}
        }
    }

    /// The boards are shown: every curve begins with the optimum.
    pub fn begin(&mut self, race: &Race) {
        if std::mem::replace(&mut self.is_begun, true) {
            return;
        }
        for seat in Seat::ALL {
            let Some(play) = race.play(seat) else { continue };
            match race.optimum() {
                Some(optimum) => {
                    self.insert(seat, Point { clock_ms: 0, seq: 0, to_go: ToGo::Exact(optimum) });
                }
                None => {
                    let start = Position { seat, clock_ms: 0, seq: 0, board: play.start().clone(), made: 0 };
                    match self.newest[seat.index()] {
                        None => self.want(start),
                        Some(_) => self.keep_past(start),
                    }
                }
            }
        }
    }

    /// The round whose distances these are.
    pub fn round(&self) -> Option<Uuid> {
        self.round
    }

    /// The next positions to reckon: where the racers are, or else where they were, the latest first.
    pub fn wanted(&mut self) -> Vec<Position> {
        let newest: Vec<Position> = self.newest.iter_mut().filter_map(Option::take).collect();
        if !newest.is_empty() {
            return newest;
        }
        let rest = self.past.len().saturating_sub(PAST_AT_ONCE);
        self.past.drain(rest..).rev().collect()
    }

    /// Whether anything is wanted.
    pub fn is_wanting(&self) -> bool {
        !self.past.is_empty() || self.newest.iter().any(Option::is_some)
    }

    /// Takes a distance into its curve; the message that tells of it, unless something later is known of that instant.
    pub fn take(&mut self, position: &Position, to_go: ToGo) -> Option<ServerMessage> {
        let Position { seat, clock_ms, seq, .. } = *position;
        let is_new = self.insert(seat, Point { clock_ms, seq, to_go });
        is_new.then_some(ServerMessage::Distance { seat, clock_ms, to_go })
    }

    /// All of it; `None` where nothing is known.
    pub fn view(&self) -> Option<Vec<CurveView>> {
        let known = |seat: &Seat| !self.points[seat.index()].is_empty();
        let curve = |seat: Seat| {
            let points = self.points[seat.index()].iter().map(|point| (point.clock_ms, point.to_go));
            CurveView { seat, points: points.collect() }
        };
        let curves: Vec<CurveView> = Seat::ALL.into_iter().filter(known).map(curve).collect();
        (!curves.is_empty()).then_some(curves)
    }

    fn want(&mut self, position: Position) {
        let before = self.newest[position.seat.index()].replace(position);
        before.into_iter().for_each(|before| self.keep_past(before));
    }

    fn keep_past(&mut self, position: Position) {
        if self.past.len() == PAST_MAX {
            self.past.pop_front();
        }
        self.past.push_back(position);
    }

    /// False if a later event of the same instant is known.
    fn insert(&mut self, seat: Seat, point: Point) -> bool {
        let points = &mut self.points[seat.index()];
        let place = points.partition_point(|other| other.clock_ms < point.clock_ms);
        match points.get_mut(place).filter(|other| other.clock_ms == point.clock_ms) {
            Some(other) if other.seq > point.seq => return false,
            Some(other) => *other = point,
            None => points.insert(place, point),
        }
        if points.len() > POINTS_MAX {
            let mut number = 0;
            points.retain(|_| {
                number += 1;
                number > POINTS_MAX / 2 || number % 2 == 1
            });
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEAT: Seat = Seat::ALL[1];

    fn position(clock_ms: u64, seq: u32) -> Position {
        Position { seat: SEAT, clock_ms, seq, board: "R2S1/S2R1/-/- 3".parse().expect("notation"), made: 1 }
    }

    fn told(curves: &mut Curves, clock_ms: u64, seq: u32, to_go: u32) -> bool {
        curves.take(&position(clock_ms, seq), ToGo::Exact(to_go)).is_some()
    }

    #[test]
    fn the_newest_position_comes_first_and_those_passed_over_are_made_up_for() {
        let mut curves = Curves::default();
        for seq in 1..=20 {
            curves.want(position(100 * u64::from(seq), seq));
        }
        let seqs = |wanted: Vec<Position>| wanted.iter().map(|p| p.seq).collect::<Vec<_>>();
        assert_eq!(seqs(curves.wanted()), [20]);
        assert_eq!(seqs(curves.wanted()), [19, 18, 17, 16, 15, 14, 13, 12]);
        curves.want(position(2_100, 21));
        assert_eq!(seqs(curves.wanted()), [21], "where a racer is goes before where a racer was");
        assert_eq!(seqs(curves.wanted()).len(), 8);
        assert_eq!(seqs(curves.wanted()), [3, 2, 1]);
        assert!(!curves.is_wanting());
    }

    #[test]
    fn a_curve_is_in_order_whatever_order_its_distances_come_in_and_the_last_of_an_instant_counts() {
        let mut curves = Curves::default();
        assert!(told(&mut curves, 300, 3, 7));
        assert!(told(&mut curves, 100, 1, 9));
        assert!(told(&mut curves, 200, 2, 8));
        assert!(told(&mut curves, 300, 4, 6), "a later event of the same instant");
        assert!(!told(&mut curves, 300, 3, 7), "an earlier one, late");
        let points = [(100, 9), (200, 8), (300, 6)].map(|(clock_ms, n)| (clock_ms, ToGo::Exact(n)));
        assert_eq!(curves.view(), Some(vec![CurveView { seat: SEAT, points: points.to_vec() }]));
    }

    #[test]
    fn a_curve_is_bounded_and_keeps_its_beginning_and_its_end() {
        let mut curves = Curves::default();
        for seq in 0..10_000 {
            told(&mut curves, 10 * u64::from(seq), seq, seq);
            curves.want(position(10 * u64::from(seq), seq));
        }
        let points = &curves.view().expect("known")[0].points;
        assert!(points.len() <= POINTS_MAX && points.len() > POINTS_MAX / 2, "{}", points.len());
        assert_eq!((points[0].0, points[points.len() - 1].0), (0, 99_990));
        assert!(points.is_sorted_by_key(|point| point.0));
        assert_eq!(curves.past.len(), PAST_MAX);
    }
}
