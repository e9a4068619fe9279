//! What one viewer may know: snapshots. Before T0 nobody sees a board.

use super::{Phase, Race, Racer, Round};
use crate::options::Opponents;
use crate::play::Play;
use crate::protocol::Reveal;
use crate::protocol::view::{PhaseView, PlayView, RoundView, SeatView, View};
use crate::score;
use crate::time::{Millis, Seat};

/// Who looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// A player in a seat.
    Seat(Seat),
    /// Somebody who watches.
    Spectator,
}

impl Race {
    /// Everything that this viewer may know at `now`.
    pub fn view(&self, now: Millis, viewer: Viewer) -> View {
        View {
            code: self.code.clone(),
            options: self.options.clone(),
            phase: self.phase_view(now),
            host: self.host(),
            seats: self.sitters().map(|(seat, _)| self.seat_view(seat)).collect(),
            round: self.round.as_ref().map(|round| self.round_view(round, now, viewer)),
            ranking: self.ranking.clone(),
        }
    }

    /// What the room is doing at `now`.
    pub fn phase_view(&self, now: Millis) -> PhaseView {
        match self.phase {
            Phase::Lobby => PhaseView::Lobby,
            Phase::Closed => PhaseView::Closed,
            Phase::Over => PhaseView::Over,
            Phase::Break { .. } => PhaseView::Break,
            _ if self.interruption.is_some() => PhaseView::Paused,
            Phase::Nonces { .. } | Phase::Dealing => PhaseView::Dealing,
            Phase::Racing if self.shown_at().is_some_and(|shown| now >= shown) => PhaseView::Racing,
            Phase::Racing => PhaseView::Countdown,
        }
    }

    /// Whether this viewer may see the board of that seat, once boards are shown.
    pub(crate) fn may_see_board(&self, viewer: Viewer, seat: Seat) -> bool {
        match viewer {
            Viewer::Seat(own) if own == seat => true,
            // Who has finished or given up still sits beside those at work.
            Viewer::Seat(_) => self.options.opponents == Opponents::Boards || !self.in_round(),
            Viewer::Spectator => true,
        }
    }

    fn seat_view(&self, seat: Seat) -> SeatView {
        let sitter = self.sitter(seat).expect("only taken seats are viewed");
        SeatView {
            seat,
            player: sitter.player,
            name: sitter.name.clone(),
            bot: sitter.bot,
            present: sitter.present,
            ready: sitter.ready,
            left: sitter.left,
            taken: self.taken(seat, sitter.player),
        }
    }

    fn round_view(&self, round: &Round, now: Millis, viewer: Viewer) -> RoundView {
        let over = round.result.is_some();
        let shown = over || self.shown_at().is_some_and(|shown_at| now >= shown_at);
        let start = round.start;
        RoundView {
            round: round.number,
            round_id: round.id,
            commitment: round.commitment.to_string(),
            in_ms: self.shown_at().map(|shown_at| shown_at.since(now) as u32),
            clock_ms: self.clock_ms(now).filter(|ms| *ms >= 0 && !over).map(|ms| ms as u64),
            limit_ms: self.limit_ms(),
            credit_ms: match viewer {
                Viewer::Seat(seat) => start.map(|s| s.credits_ms[seat.index()]),
                Viewer::Spectator => None,
            },
            board: round.board.as_ref().filter(|_| shown).map(ToString::to_string),
            optimum: round.optimum.filter(|_| shown),
            par: round.optimum.filter(|_| shown).map(score::par),
            interrupted: round.interrupted,
            plays: round
                .racers()
                .map(|(seat, racer)| play_view(seat, racer, shown, self.may_see_board(viewer, seat)))
                .collect(),
            result: round.result.clone(),
            reveal: round.result.is_some().then(|| self.reveal(round)),
            // No seat may ever be told one: those who watch get them from elsewhere.
            curves: None,
        }
    }

    /// What was secret in the round that is over; `None` while it is on.
    pub fn revealed(&self) -> Option<Reveal> {
        self.round.as_ref().filter(|r| r.result.is_some()).map(|round| self.reveal(round))
    }

    fn reveal(&self, round: &Round) -> Reveal {
        Reveal {
            deal_version: round.deal_version,
            source: round.source.clone(),
            commitment: round.commitment,
            server_seed: round.server_seed,
            nonces: round.nonces.to_vec(),
            seed: round.seed,
            redeals: round.redeals,
            board: round.board.as_ref().map(ToString::to_string),
            chain: round.chain,
        }
    }
}

fn play_view(seat: Seat, racer: &Racer, shown: bool, visible: bool) -> PlayView {
    let play = racer.play.as_ref();
    let seen = play.filter(|_| shown && visible);
    PlayView {
        seat,
        board: seen.map(|p| p.board().to_string()),
        held: seen.and_then(Play::held).map(|peg| peg.number()),
        ply: seen.map(Play::ply),
        transfers: seen.map(Play::transfers),
        moves: play.map_or(0, Play::moves),
        errors: play.map_or(0, Play::errors),
        // Settled disks of the start board would tell of it before T0.
        settled: play.filter(|_| shown).map_or(0, Play::settled),
        // Progress is settled disks, moves and errors, no more.
        flawless: seen.is_none_or(Play::is_flawless),
        finish: racer.finish,
        gave_up: racer.gave_up,
    }
}
