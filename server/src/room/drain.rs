//! What one turn of a room comes to: what is to be committed, and what is to be published once it is.
//!
//! Must never be published in part: events first, then refusals, then joins.

use axum::extract::ws::Utf8Bytes;
use sprint_shared::event::Event;
use sprint_shared::protocol::{Emote, ServerMessage};
use sprint_shared::race::{Race, Refusal};
use sprint_shared::time::{Millis, Seat};
use tokio::sync::oneshot;
use uuid::Uuid;

use super::frames::{Frames, text};
use super::record::RoundMark;
use super::{ConnectionId, Ending, Line, Stands};
use crate::gallery::Told;
use crate::journal::EventRow;
use crate::store::{DealtBoard, RoundRecord};

/// Events, outcomes and answers of one turn, in order.
#[derive(Default)]
pub(super) struct Drain {
    pub rows: Vec<EventRow>,
    pub frames: Vec<Frames>,
    /// What the gallery is shown, if there is one.
    pub told: Vec<Told>,
    pub outcomes: Vec<RoundRecord>,
    pub dealt: Vec<DealtBoard>,
    /// Who sat down.
    pub seated: Vec<Uuid>,
    /// An instant was planned at which clocks start to run: nothing more is judged in this turn.
    pub has_start: bool,
    /// Whether anything happened that can be seen from outside the room: acts cannot.
    pub tells: bool,
    pub closed_at: Option<Millis>,
    /// Seats that were left and whose connection is not yet noted below.
    pub left: Vec<Seat>,
    pub leavers: Vec<Leaver>,
    /// Who was sent away for good.
    pub kicked: Vec<Uuid>,
    pub emotes: Vec<(Seat, Emote)>,
    pub answers: Vec<(ConnectionId, Answer)>,
    pub replaced: Vec<ConnectionId>,
    pub joins: Vec<(ConnectionId, Option<u32>)>,
    pub resyncs: Vec<ConnectionId>,
    /// Who asks where a board stands.
    pub asks: Vec<(Uuid, oneshot::Sender<Option<Stands>>)>,
    pub turned_away: Vec<(Line, Utf8Bytes, Ending)>,
}

/// The connection of a seat that was left.
pub(super) struct Leaver {
    pub connection: ConnectionId,
    pub seat: Seat,
    /// How many of the turn's messages are still for it.
    pub frames: usize,
    pub ending: Ending,
}

/// An answer that is no event.
pub(super) enum Answer {
    /// A refusal; the outcome of that act, if its number was used up.
    Refused { text: Utf8Bytes, act: Option<(Seat, u32)> },
    /// The recorded outcome of an act that was judged before.
    Again { seat: Seat, n: u32 },
}

impl Drain {
    /// Takes an event that was decided at `now` and just applied.
    pub fn take(&mut self, race: &Race, now: Millis, event: Event, mark: &mut Option<RoundMark>, is_watched: bool) {
        let body = serde_json::to_string(&event).expect("events always encode");
        self.rows.push(EventRow { seq: race.seq().into(), at_ms: now.0 as i64, body });
        self.frames.push(Frames::of(race, now, &event));
        RoundMark::follow(mark, race, now, &event);
        self.has_start |= event.is_start();
        self.tells |= !matches!(event, Event::Acted { .. });
        match &event {
            Event::BoardDealt { board, .. } if race.options().blueprint.is_none() => {
                if let Some(round_id) = race.round_id() {
                    let again = race.options().solo.is_some();
                    self.dealt.push(DealtBoard { board: board.to_string(), round_id, again });
                }
            }
            Event::RoundOver { at, result } => {
                for seat in &result.seats {
                    if seat.finish.is_some() && result.optimum.is_some_and(|optimum| seat.moves < optimum) {
                        let (moves, optimum) = (seat.moves, result.optimum);
                        tracing::error!(round = %result.round_id, moves, optimum, "a finish below the proven optimum");
                    }
                }
                self.outcomes.extend(mark.as_ref().and_then(|mark| mark.record(race, *at, result)));
            }
            Event::SeatTaken { player, .. } => self.seated.push(*player),
            Event::Left { seat } => self.left.push(*seat),
            Event::Closed { at, .. } => self.closed_at = Some(*at),
            _ => {}
        }
        if is_watched {
            self.told.push(Told { seq: race.seq(), at: now, event });
        }
    }

    /// Refuses a request of a connection.
    pub fn refuse(&mut self, connection: ConnectionId, seat: Option<Seat>, n: Option<u32>, refusal: &Refusal) {
        let act = seat.zip(n).filter(|_| refusal.is_judged());
        let answer = match (refusal, seat) {
            (Refusal::AlreadyJudged { n }, Some(seat)) => Answer::Again { seat, n: *n },
            _ => Answer::Refused { text: refused(n, refusal), act },
        };
        self.answers.push((connection, answer));
    }
}

/// The message of a refusal.
pub(super) fn refused(n: Option<u32>, refusal: &Refusal) -> Utf8Bytes {
    let next = match refusal {
        Refusal::OutOfOrder { next, .. } => Some(*next),
        _ => None,
    };
    text(&ServerMessage::Refused { n, next, code: refusal.code().to_owned(), message: refusal.to_string() })
}
