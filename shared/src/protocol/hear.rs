//! From messages back to plays: what a client makes of what it hears.
//!
//! The server judged it; nothing is judged here again.

use super::EventKind;
use super::view::PlayView;
use crate::board::Board;
use crate::peg::PegId;
use crate::play::{Deed, Play, Seen};
use crate::time::Seat;

impl EventKind {
    /// The seat, the running number and the deed of an event that tells of an act on a board that may be seen.
    pub fn deed(&self) -> Option<(Seat, u32, Deed)> {
        let peg = |number: u8| PegId::new(number.into());
        Some(match *self {
            EventKind::Lifted { seat, n, peg: at } => (seat, n, Deed::Lifted { peg: peg(at)? }),
            EventKind::Transferred { seat, n, from, to, .. } => {
                (seat, n, Deed::Transferred { from: peg(from)?, to: peg(to)? })
            }
            EventKind::Erred { seat, n, from, to, .. } => (seat, n, Deed::Erred { from: peg(from)?, to: peg(to)? }),
            EventKind::Returned { seat, n, from, to, .. } => {
                (seat, n, Deed::Returned { from: peg(from)?, to: peg(to)? })
            }
            EventKind::PutBack { seat, n, peg: at } => (seat, n, Deed::PutBack { peg: peg(at)? }),
            EventKind::TwoHanded { seat, n, .. } => (seat, n, Deed::TwoHanded),
            EventKind::Undone { seat, n, from, to, .. } => (seat, n, Deed::Undone { from: peg(from)?, to: peg(to)? }),
            EventKind::Reset { seat, n, .. } => (seat, n, Deed::Reset),
            _ => return None,
        })
    }
}

impl PlayView {
    /// The play that is shown, where its board is. `start` is the board that the round began with, if that is known.
    pub fn play(&self, start: Option<&Board>) -> Option<Play> {
        let board = self.board.as_deref()?.parse::<Board>().ok()?;
        let held = self.held.and_then(|peg| PegId::new(peg.into()));
        let held = held.filter(|&peg| board.pegs().contains(peg) && !board.peg(peg).is_empty());
        let seen = Seen {
            held,
            ply: self.ply.unwrap_or(0),
            transfers: self.transfers.unwrap_or(0),
            moves: self.moves,
            errors: self.errors,
            flawless: self.flawless,
            board: board.clone(),
        };
        Some(Play::seen(start.cloned().unwrap_or(board), seen))
    }
}
