//! What a bot knows of its room: what its own seat hears, folded.
//!
//! Must never know more than a client could: it is fed the very messages that a socket would carry.

use uuid::Uuid;

use crate::board::Board;
use crate::event::Nonce;
use crate::options::{Placement, RoomOptions};
use crate::play::{Act, House, Play};
use crate::protocol::view::{PhaseView, RoundView, View};
use crate::protocol::{ClientMessage, EventKind, ServerMessage};
use crate::time::Seat;

/// A seat's knowledge of its room.
#[derive(Clone, Debug)]
pub struct Mind {
    seq: u32,
    seat: Option<Seat>,
    phase: PhaseView,
    placement: Placement,
    /// Ready, or for a rematch.
    ready: bool,
    /// The last act judged.
    n: u32,
    round: Option<Uuid>,
    nonce_given: bool,
    /// The countdown has begun: an interruption ends with another one.
    dealt: bool,
    start: Option<Board>,
    play: Option<Play>,
    /// Finished, gave up, or left.
    done: bool,
    /// What was asked for and has no answer yet.
    asked: Option<Asked>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    Ready,
    Rematch,
    Nonce(Uuid),
}

/// What a message calls for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// Nothing.
    Nothing,
    /// The boards are shown, at so many milliseconds of the race clock.
    Begin {
        /// Race time, from T0.
        clock_ms: u64,
    },
    /// The last act has its answer.
    Judged,
    /// Something was missed: everything is to be sent anew.
    Everything,
    /// The room is over for this seat.
    End,
}

impl Default for Mind {
    fn default() -> Mind {
        Mind {
            seq: 0,
            seat: None,
            phase: PhaseView::Lobby,
            placement: Placement::Strict,
            ready: false,
            n: 0,
            round: None,
            nonce_given: false,
            dealt: false,
            start: None,
            play: None,
            done: false,
            asked: None,
        }
    }
}

impl Mind {
    /// Folds a message.
    pub fn hear(&mut self, message: &ServerMessage) -> Call {
        match message {
            ServerMessage::Welcome { seq, seat, n, state } => {
                (self.seq, self.seat, self.n, self.asked) = (*seq, *seat, *n, None);
                match state {
                    Some(view) => self.see(view),
                    None => Call::Everything,
                }
            }
            ServerMessage::Snapshot { seq, state } | ServerMessage::Start { seq, state } => {
                self.seq = *seq;
                self.see(state)
            }
            ServerMessage::Event(event) if event.seq <= self.seq => Call::Nothing,
            ServerMessage::Event(event) if event.seq > self.seq + 1 => Call::Everything,
            ServerMessage::Event(event) => {
                self.seq = event.seq;
                self.follow(&event.kind)
            }
            // What was refused is not asked again before something changes.
            ServerMessage::Refused { n: Some(n), next, .. } => {
                self.n = next.map_or(self.n.max(*n), |next| next.saturating_sub(1));
                Call::Judged
            }
            ServerMessage::Replaced {} => Call::End,
            _ => Call::Nothing,
        }
    }

    /// What the seat has to say by itself: its nonce, and that it is ready. Each is said once until it is answered.
    pub fn says(&mut self, nonce: Nonce) -> Option<ClientMessage> {
        let asked = match (self.phase, self.round) {
            (PhaseView::Lobby | PhaseView::Break, _) if !self.ready => Asked::Ready,
            (PhaseView::Over, _) if !self.ready => Asked::Rematch,
            (PhaseView::Dealing, Some(round)) if !self.nonce_given => Asked::Nonce(round),
            _ => return None,
        };
        if self.seat.is_none() || self.asked == Some(asked) {
            return None;
        }
        self.asked = Some(asked);
        Some(match asked {
            Asked::Ready => ClientMessage::Ready { ready: true },
            Asked::Rematch => ClientMessage::Rematch {},
            Asked::Nonce(_) => ClientMessage::Nonce { nonce },
        })
    }

    /// The own play, while it may be played on.
    pub fn at_work(&self) -> Option<&Play> {
        self.play.as_ref().filter(|play| self.phase == PhaseView::Racing && !self.done && !play.is_harmony())
    }

    /// The board that the round began with, once it is shown.
    pub fn start(&self) -> Option<&Board> {
        self.start.as_ref()
    }

    /// The own seat.
    pub fn seat(&self) -> Option<Seat> {
        self.seat
    }

    /// What the room is doing.
    pub fn phase(&self) -> PhaseView {
        self.phase
    }

    /// The running number of the last act that was judged.
    pub fn n(&self) -> u32 {
        self.n
    }

    /// The house rules of the room's acts.
    pub fn house(&self) -> House {
        House { placement: self.placement, relaxed: false }
    }

    /// The next act as a message.
    pub fn message(&self, act: Act) -> ClientMessage {
        ClientMessage::of_act(self.n + 1, None, act)
    }

    fn see(&mut self, view: &View) -> Call {
        let View { options: RoomOptions { placement, .. }, phase, seats, round, .. } = view;
        (self.placement, self.phase) = (*placement, *phase);
        self.ready = seats.iter().any(|s| Some(s.seat) == self.seat && s.ready);
        let known = self.round;
        self.round = round.as_ref().map(|r| r.round_id);
        self.nonce_given &= self.round == known;
        let Some(round) = round else {
            (self.start, self.play, self.done) = (None, None, false);
            return Call::Nothing;
        };
        self.see_round(round);
        match self.phase {
            PhaseView::Racing => Call::Begin { clock_ms: round.clock_ms.unwrap_or(0) },
            PhaseView::Closed => Call::End,
            _ => Call::Nothing,
        }
    }

    fn see_round(&mut self, round: &RoundView) {
        self.dealt = round.credit_ms.is_some();
        self.start = round.board.as_deref().and_then(|text| text.parse().ok());
        let own = round.plays.iter().find(|p| Some(p.seat) == self.seat);
        self.play = own.and_then(|own| own.play(self.start.as_ref()));
        self.done = own.is_none_or(|own| own.gave_up || own.finish.is_some());
    }

    fn follow(&mut self, kind: &EventKind) -> Call {
        if let Some((seat, n, deed)) = kind.deed() {
            if Some(seat) != self.seat {
                return Call::Nothing;
            }
            self.n = n;
            let Some(play) = &mut self.play else { return Call::Everything };
            play.apply(&deed);
            return Call::Judged;
        }
        let own = |seat: &Seat| Some(*seat) == self.seat;
        match kind {
            EventKind::Readied { seat, ready } if own(seat) => (self.ready, self.asked) = (*ready, None),
            EventKind::Disconnected { seat } if own(seat) => self.ready = false,
            EventKind::Left { seat } if own(seat) => return Call::End,
            EventKind::NonceGiven { seat } if own(seat) => self.nonce_given = true,
            EventKind::Finished { seat, .. } | EventKind::GaveUp { seat } if own(seat) => self.done = true,
            EventKind::Committed { round_id, .. } => {
                (self.phase, self.ready, self.asked) = (PhaseView::Dealing, false, None);
                (self.round, self.nonce_given, self.dealt) = (Some(*round_id), false, false);
                (self.start, self.play, self.done) = (None, None, false);
            }
            EventKind::CountdownStarted { .. } => (self.phase, self.dealt) = (PhaseView::Countdown, true),
            EventKind::Paused {} => self.phase = PhaseView::Paused,
            // Before the boards were dealt play resumes at once.
            EventKind::Resumed { .. } => {
                self.phase = if self.dealt { PhaseView::Countdown } else { PhaseView::Dealing };
            }
            EventKind::RoundDropped { phase } => {
                (self.phase, self.round, self.ready, self.asked) = (*phase, None, false, None);
            }
            EventKind::RoundOver { .. } => {
                (self.phase, self.ready, self.asked) = (PhaseView::Break, false, None);
            }
            EventKind::SeriesOver { .. } => self.phase = PhaseView::Over,
            EventKind::Closed { .. } => {
                self.phase = PhaseView::Closed;
                return Call::End;
            }
            _ => {}
        }
        Call::Nothing
    }
}
