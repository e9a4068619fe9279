//! Folding one event into a room. Mirrors what the server's room does with it, as far as a viewer may know.

use std::time::{Duration, Instant};

use sprint_shared::board::Board;
use sprint_shared::peg::{CAPACITY_MAX, PegId};
use sprint_shared::play::{Deed, Play};
use sprint_shared::protocol::view::{PhaseView, SeatView};
use sprint_shared::protocol::{EventKind, Reveal};
use sprint_shared::time::Seat;

use super::{Clock, Folded, Outcome, Racer, Round};

impl Folded {
    /// Folds the next event. A `Gap` means that it does not fit what is known.
    pub(super) fn fold_event(&mut self, kind: &EventKind, at: Instant) -> Outcome {
        match kind {
            EventKind::SeatTaken { seat, player, name, bot } => {
                self.seats.retain(|s| s.seat != *seat);
                let name = name.clone();
                let taken = SeatView {
                    seat: *seat,
                    player: *player,
                    name,
                    bot: *bot,
                    present: false,
                    ready: false,
                    left: false,
                    taken: 0,
                };
                self.seats.push(taken);
                self.seats.sort_by_key(|s| s.seat);
            }
            EventKind::Left { seat } => self.fold_left(*seat),
            EventKind::HostChanged { seat } => self.host = Some(*seat),
            EventKind::Connected { seat } => self.with_seat(*seat, |s| s.present = true),
            EventKind::Disconnected { seat } => self.with_seat(*seat, |s| (s.present, s.ready) = (false, false)),
            EventKind::Readied { seat, ready } => self.with_seat(*seat, |s| s.ready = *ready),
            EventKind::Committed { .. } => self.fold_committed(kind),
            EventKind::NonceGiven { seat } => {
                let own = self.seat == Some(*seat);
                self.with_round(|r| r.nonce_given |= own);
            }
            EventKind::CountdownStarted { in_ms, credit_ms } => {
                self.phase = PhaseView::Countdown;
                let clock = Clock::Ahead(at + Duration::from_millis((*in_ms).into()));
                self.with_round(|r| (r.clock, r.credit_ms, r.dealt) = (clock, *credit_ms, true));
            }
            EventKind::Progress { seat, settled, moves, errors } => self.with_racer(*seat, |r| {
                (r.settled, r.moves, r.errors) = (*settled, *moves, *errors);
            }),
            EventKind::Finished { seat, finish } => self.with_racer(*seat, |r| r.finish = Some(*finish)),
            EventKind::GaveUp { seat } => self.with_racer(*seat, |r| r.gave_up = true),
            EventKind::FirstDecided {} => self.with_round(|r| r.decided = true),
            EventKind::RoundOver { .. } => self.fold_round_over(kind, at),
            EventKind::SeriesOver { ranking } => {
                self.phase = PhaseView::Over;
                self.ranking = Some(ranking.clone());
                self.seats.retain(|s| !s.left);
            }
            EventKind::RoundDropped { phase } => {
                self.phase = *phase;
                self.round = None;
                if *phase == PhaseView::Lobby {
                    self.seats.retain(|s| !s.left);
                }
            }
            EventKind::Interrupted {} => self.all_away(),
            EventKind::Paused {} => {
                self.all_away();
                self.phase = PhaseView::Paused;
                self.with_round(|r| {
                    r.interrupted = true;
                    r.clock = r.clock.race_ms(at).map_or(Clock::Unset, Clock::Standing);
                });
            }
            EventKind::Resumed { in_ms, .. } => self.fold_resumed(*in_ms, at),
            EventKind::Closed { reason } => {
                self.phase = PhaseView::Closed;
                self.closed = Some(*reason);
            }
            EventKind::Hidden {} | EventKind::Dealing {} => {}
            // Named one by one, so that a new event cannot be taken for a deed.
            EventKind::Lifted { .. }
            | EventKind::Transferred { .. }
            | EventKind::Erred { .. }
            | EventKind::Returned { .. }
            | EventKind::PutBack { .. }
            | EventKind::TwoHanded { .. }
            | EventKind::Undone { .. }
            | EventKind::Reset { .. } => return self.fold_deed(kind),
        }
        Outcome::Folded
    }

    fn all_away(&mut self) {
        self.seats.iter_mut().for_each(|s| s.present = false);
    }

    fn fold_left(&mut self, seat: Seat) {
        if matches!(self.phase, PhaseView::Lobby | PhaseView::Over) {
            self.seats.retain(|s| s.seat != seat);
        } else {
            self.with_seat(seat, |s| (s.left, s.present, s.ready) = (true, false, false));
            // Leaving is giving up only once the countdown has begun.
            match &mut self.round {
                Some(round) if !round.dealt => round.racers.retain(|r| r.seat != seat),
                Some(round) if round.result.is_none() => self.with_racer(seat, |r| r.gave_up = true),
                _ => {}
            }
        }
        if self.host == Some(seat) {
            self.host = None;
        }
    }

    fn fold_committed(&mut self, kind: &EventKind) {
        let EventKind::Committed { round, round_id, opens_series, commitment } = kind else { return };
        self.phase = PhaseView::Dealing;
        self.curves.clear();
        if *opens_series {
            self.ranking = None;
        }
        for seat in &mut self.seats {
            seat.ready = false;
            if *opens_series {
                seat.taken = 0;
            }
        }
        let racers = self.seats.iter().filter(|s| !s.left).map(|s| Racer {
            seat: s.seat,
            play: None,
            moves: 0,
            errors: 0,
            settled: 0,
            flawless: true,
            finish: None,
            gave_up: false,
        });
        self.round = Some(Round {
            number: *round,
            id: *round_id,
            commitment: commitment.clone(),
            clock: Clock::Unset,
            limit_ms: u64::from(self.options.time_limit_s()) * 1000,
            credit_ms: None,
            dealt: false,
            board: None,
            optimum: None,
            par: None,
            interrupted: false,
            decided: false,
            nonce_given: false,
            racers: racers.collect(),
            result: None,
            reveal: None,
        });
    }

    fn fold_round_over(&mut self, kind: &EventKind, at: Instant) {
        let EventKind::RoundOver { result, reveal } = kind else { return };
        self.phase = PhaseView::Break;
        let mut first = result.seats.iter().filter(|s| s.rank == 1);
        if let (Some(winner), None) = (first.next(), first.next()) {
            self.with_seat(winner.seat, |s| s.taken += 1);
        }
        self.with_round(|r| {
            r.clock = r.clock.race_ms(at).map_or(Clock::Unset, Clock::Standing);
            (r.optimum, r.par) = (result.optimum, result.par);
            r.result = Some(result.clone());
            r.reveal = Some(Reveal::clone(reveal));
        });
    }

    /// Before the boards were dealt play resumes at once and nothing was shown.
    fn fold_resumed(&mut self, in_ms: u32, at: Instant) {
        let dealt = self.round.as_ref().is_some_and(|r| r.dealt);
        self.phase = if dealt { PhaseView::Countdown } else { PhaseView::Dealing };
        let clock = if dealt { Clock::Ahead(at + Duration::from_millis(in_ms.into())) } else { Clock::Unset };
        self.with_round(|r| r.clock = clock);
    }

    fn fold_deed(&mut self, kind: &EventKind) -> Outcome {
        let Some((seat, _, deed)) = kind.deed() else { return Outcome::Gap };
        let start = self.round.as_ref().and_then(|r| r.board.clone());
        let Some(racer) = self.round.as_mut().and_then(|r| r.racers.iter_mut().find(|r| r.seat == seat)) else {
            return Outcome::Gap;
        };
        if racer.play.is_none() {
            racer.play = start.map(Play::new);
        }
        let Some(play) = racer.play.as_mut().filter(|play| fits(play.board(), &deed)) else { return Outcome::Gap };
        play.apply(&deed);
        (racer.moves, racer.errors) = (play.moves(), play.errors());
        (racer.settled, racer.flawless) = (play.settled(), play.is_flawless());
        match told_moves(kind) {
            Some(moves) if moves != racer.moves => Outcome::Gap,
            _ => Outcome::Folded,
        }
    }

    fn with_seat(&mut self, seat: Seat, change: impl FnOnce(&mut SeatView)) {
        self.seats.iter_mut().find(|s| s.seat == seat).map(change);
    }

    fn with_round(&mut self, change: impl FnOnce(&mut Round)) {
        self.round.as_mut().map(change);
    }

    fn with_racer(&mut self, seat: Seat, change: impl FnOnce(&mut Racer)) {
        self.round.iter_mut().flat_map(|r| &mut r.racers).find(|r| r.seat == seat).map(change);
    }
}

fn told_moves(kind: &EventKind) -> Option<u32> {
    match *kind {
        EventKind::Transferred { moves, .. }
        | EventKind::TwoHanded { moves, .. }
        | EventKind::Undone { moves, .. }
        | EventKind::Reset { moves, .. } => Some(moves),
        _ => None,
    }
}

/// Whether the board has the pegs, the disk and the place that a deed speaks of. The server judged it; this only keeps
/// a client that is behind from stumbling.
fn fits(board: &Board, deed: &Deed) -> bool {
    let carries = |peg: PegId| board.pegs().contains(peg) && !board.peg(peg).is_empty();
    let has_room = |peg: PegId| board.pegs().contains(peg) && board.peg(peg).len() < usize::from(CAPACITY_MAX);
    match *deed {
        Deed::Transferred { from, to } => from != to && carries(from) && has_room(to),
        Deed::Undone { from, to } => from != to && carries(to) && has_room(from),
        Deed::Lifted { peg } | Deed::PutBack { peg } => carries(peg),
        Deed::Erred { .. } | Deed::Returned { .. } | Deed::TwoHanded | Deed::Reset => true,
    }
}
