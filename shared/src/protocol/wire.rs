//! From events to messages: the one place where it is decided what a viewer sees of an event.

use super::{EventKind, WireEvent};
use crate::event::Event;
use crate::peg::PegId;
use crate::play::{Deed, Play};
use crate::race::{Race, Viewer};
use crate::result::FinishTimes;
use crate::rules::Transfer;
use crate::time::{Millis, Seat};

/// The message that `viewer` gets of `event`, which was just applied to `race`.
pub fn wire(race: &Race, now: Millis, event: &Event, viewer: Viewer) -> WireEvent {
    WireEvent { seq: race.seq(), kind: kind(race, now, event, viewer) }
}

/// Whether all viewers get the same message of this event, so that it need be encoded only once.
pub fn is_alike_for_all(race: &Race, event: &Event) -> bool {
    match event {
        Event::CountdownStarted { .. } => false,
        Event::Acted { seat, .. } => Seat::ALL.into_iter().all(|other| race.may_see_board(Viewer::Seat(other), *seat)),
        _ => true,
    }
}

fn kind(race: &Race, now: Millis, event: &Event, viewer: Viewer) -> EventKind {
    match event {
        Event::RoomOpened { .. } | Event::BoardDealt { .. } => EventKind::Hidden {},
        Event::Owned { .. } if race.is_paused() => EventKind::Paused {},
        Event::Owned { .. } => EventKind::Interrupted {},
        Event::Resumed { resume_at, outage_ms, .. } => {
            EventKind::Resumed { in_ms: resume_at.since(now) as u32, outage_ms: *outage_ms }
        }
        Event::SeatTaken { seat, player, name, bot, .. } => {
            EventKind::SeatTaken { seat: *seat, player: *player, name: name.clone(), bot: *bot }
        }
        Event::Left { seat } => EventKind::Left { seat: *seat },
        Event::HostChanged { .. } if race.host().is_none() => EventKind::Hidden {},
        Event::HostChanged { seat } => EventKind::HostChanged { seat: *seat },
        Event::Connected { seat, .. } => EventKind::Connected { seat: *seat },
        Event::Disconnected { seat, .. } => EventKind::Disconnected { seat: *seat },
        Event::Readied { seat, ready, .. } => EventKind::Readied { seat: *seat, ready: *ready },
        Event::Committed { round, round_id, opens_series, commitment, .. } => EventKind::Committed {
            round: *round,
            round_id: *round_id,
            opens_series: *opens_series,
            commitment: commitment.to_string(),
        },
        Event::NonceGiven { seat, .. } => EventKind::NonceGiven { seat: *seat },
        Event::SeedFixed { .. } | Event::Redealt { .. } => EventKind::Dealing {},
        Event::RoundDropped { .. } => EventKind::RoundDropped { phase: race.phase_view(now) },
        Event::CountdownStarted { t0, credits_ms } => EventKind::CountdownStarted {
            in_ms: t0.since(now) as u32,
            credit_ms: match viewer {
                Viewer::Seat(seat) => Some(credits_ms[seat.index()]),
                Viewer::Spectator => None,
            },
        },
        Event::Acted { seat, n, deed } => acted(race, *seat, *n, deed, viewer),
        Event::Finished { seat, raw_ms, credit_ms, official_ms } => EventKind::Finished {
            seat: *seat,
            finish: FinishTimes { raw_ms: *raw_ms, credit_ms: *credit_ms, official_ms: *official_ms },
        },
        Event::GaveUp { seat } => EventKind::GaveUp { seat: *seat },
        Event::FirstDecided { .. } => EventKind::FirstDecided {},
        Event::RoundOver { result, .. } => match race.revealed() {
            Some(reveal) => EventKind::RoundOver { result: result.clone(), reveal: Box::new(reveal) },
            None => EventKind::Hidden {},
        },
        Event::SeriesOver { ranking, .. } => EventKind::SeriesOver { ranking: ranking.clone() },
        Event::Closed { reason, .. } => EventKind::Closed { reason: *reason },
    }
}

fn acted(race: &Race, seat: Seat, n: u32, deed: &Deed, viewer: Viewer) -> EventKind {
    let Some(play) = race.play(seat) else { return EventKind::Hidden {} };
    if !race.may_see_board(viewer, seat) {
        // A lift or a put-back says something only of a board.
        return match deed {
            Deed::Lifted { .. } | Deed::PutBack { .. } | Deed::Returned { .. } => EventKind::Hidden {},
            _ => progress(seat, play),
        };
    }
    let moves = play.moves();
    match *deed {
        Deed::Lifted { peg } => EventKind::Lifted { seat, n, peg: peg.number() },
        Deed::Transferred { from, to } => {
            EventKind::Transferred { seat, n, from: from.number(), to: to.number(), moves }
        }
        Deed::Erred { from, to } => {
            let (message, errors) = (why_not(play, from, to), play.errors());
            EventKind::Erred { seat, n, from: from.number(), to: to.number(), errors, message }
        }
        Deed::Returned { from, to } => {
            EventKind::Returned { seat, n, from: from.number(), to: to.number(), message: why_not(play, from, to) }
        }
        Deed::PutBack { peg } => EventKind::PutBack { seat, n, peg: peg.number() },
        Deed::TwoHanded => EventKind::TwoHanded { seat, n, moves },
        Deed::Undone { from, to } => EventKind::Undone { seat, n, from: from.number(), to: to.number(), moves },
        Deed::Reset => EventKind::Reset { seat, n, moves },
    }
}

/// Why the target would not take the disk: the board is as it was, so it can be asked again.
fn why_not(play: &Play, from: PegId, to: PegId) -> String {
    let transfer = Transfer { from, to };
    play.board().check(transfer, play.transfers()).err().map_or_else(String::new, |why| why.to_string())
}

fn progress(seat: Seat, play: &Play) -> EventKind {
    EventKind::Progress { seat, settled: play.settled(), moves: play.moves(), errors: play.errors() }
}
