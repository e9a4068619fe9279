//! One player's play of a board: the hand, the counters, and the judgement of every act (RULES section 3).

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::board::Board;
use crate::options::Placement;
use crate::peg::PegId;
use crate::rules::{CannotLift, CannotPlace, Transfer, Transfers};

/// One seat's play: the board as it stands, the hand, and what counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Play {
    start: Board,
    board: Board,
    line: Vec<Transfer>,
    /// Transfers of this attempt that came before `line` and are not known one by one; see [`Play::seen`].
    before: Transfers,
    held: Option<PegId>,
    errors: u32,
    penalties: u32,
    ply: u32,
    undone: bool,
    reset: bool,
}

/// What a player asks for. Pegs are numbers as people count; any number may arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Take the top disk of a peg into the empty hand.
    Lift {
        /// The peg, from 1.
        peg: u32,
    },
    /// Put the held disk on a peg.
    Place {
        /// The peg, from 1.
        peg: u32,
    },
    /// Both at once.
    Move {
        /// The source, from 1.
        from: u32,
        /// The target, from 1.
        to: u32,
    },
    /// Take back the last transfer of the attempt and its count.
    Undo,
    /// Start a new attempt.
    Reset,
}

/// What an act did: the part of an event that changes a [`Play`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "deed", rename_all = "snake_case")]
pub enum Deed {
    /// A disk is in the hand.
    Lifted {
        /// Its source.
        peg: PegId,
    },
    /// A transfer was made, by `place` or by `move`.
    Transferred {
        /// The source.
        from: PegId,
        /// The target.
        to: PegId,
    },
    /// An illegal placement in a strict room: the disk is back on its source, placement errors + 1.
    Erred {
        /// The source.
        from: PegId,
        /// The target that would not take it.
        to: PegId,
    },
    /// An illegal placement in a guarded room: the disk is back on its source, at no cost.
    Returned {
        /// The source.
        from: PegId,
        /// The target that would not take it.
        to: PegId,
    },
    /// The held disk was put back, there being no legal target.
    PutBack {
        /// Its source.
        peg: PegId,
    },
    /// A second lift while holding: penalty moves, the hand as it was.
    TwoHanded,
    /// The last transfer was taken back.
    Undone {
        /// The transfer's source, where the disk is again.
        from: PegId,
        /// The transfer's target.
        to: PegId,
    },
    /// A new attempt has begun.
    Reset,
}

/// What a snapshot tells of a play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The board as it stands; a held disk is still on its source.
    pub board: Board,
    /// The source of the held disk.
    pub held: Option<PegId>,
    /// Accepted acts.
    pub ply: u32,
    /// Transfers of this attempt.
    pub transfers: Transfers,
    /// The official counter.
    pub moves: u32,
    /// Placement errors.
    pub errors: u32,
    /// No undo and no reset so far.
    pub flawless: bool,
}

/// Penalty moves for two-handed manipulation.
pub const TWO_HANDED_PENALTY: u32 = 5;

/// Which house rules an act is judged by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct House {
    /// What an illegal placement costs.
    pub placement: Placement,
    /// Infinite Shuffle: no penalties, undo out of a lockout.
    pub relaxed: bool,
}

/// An act that changed nothing, and why.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ActRefused {
    /// No peg of that number.
    #[error("there is no peg {number}: this board has pegs 1 to {pegs}")]
    NoSuchPeg {
        /// The number asked for.
        number: u32,
        /// Pegs on the board.
        pegs: u8,
    },
    /// Nothing to lift there, or a seal holds it.
    #[error(transparent)]
    CannotLift(#[from] CannotLift),
    /// A guarded `move` that the laws forbid.
    #[error(transparent)]
    CannotPlace(#[from] CannotPlace),
    /// A second lift in a relaxed house.
    #[error("the hand holds a disk already: place it first")]
    HandFull,
    /// A place without a disk.
    #[error("the hand is empty: lift a disk first")]
    HandEmpty,
    /// `move(a, a)`.
    #[error("a move goes to another peg")]
    SamePeg,
    /// A disk touched must be moved while some peg would take it.
    #[error("touch-and-move: some peg takes this disk, so it cannot be put back")]
    TouchAndMove,
    /// No legal transfer exists.
    #[error("lockout: no legal transfer exists; reset, or give up")]
    Lockout,
    /// Undo or reset with a disk in the hand.
    #[error("place the held disk first")]
    Holding,
    /// Undo at the start of an attempt.
    #[error("there is no transfer to undo in this attempt")]
    NothingToUndo,
}

impl ActRefused {
    /// The stable code on the wire.
    pub fn code(&self) -> &'static str {
        match self {
            ActRefused::NoSuchPeg { .. } => "no_such_peg",
            ActRefused::CannotLift(CannotLift::Empty(_)) => "empty_peg",
            ActRefused::CannotLift(CannotLift::Sealed(_)) => "sealed_peg",
            ActRefused::CannotLift(CannotLift::NoSuchPeg(_)) => "no_such_peg",
            ActRefused::CannotPlace(_) => "illegal_placement",
            ActRefused::HandFull => "hand_full",
            ActRefused::HandEmpty => "hand_empty",
            ActRefused::SamePeg => "same_peg",
            ActRefused::TouchAndMove => "touch_and_move",
            ActRefused::Lockout => "lockout",
            ActRefused::Holding => "holding",
            ActRefused::NothingToUndo => "nothing_to_undo",
        }
    }
}

impl Play {
    /// A fresh play of a board.
    pub fn new(start: Board) -> Play {
        Play {
            board: start.clone(),
            start,
            line: Vec::new(),
            before: 0,
            held: None,
            errors: 0,
            penalties: 0,
            ply: 0,
            undone: false,
            reset: false,
        }
    }

    /// A play as a snapshot shows it to a client. The snapshot does not tell the transfers so far, so an undo of one of
    /// them is refused here as `NothingToUndo` though a server may allow it; [`Play::apply`] follows the server.
    pub fn seen(start: Board, seen: Seen) -> Play {
        let Seen { board, held, ply, transfers, moves, errors, flawless } = seen;
        let penalties = moves.saturating_sub(transfers);
        Play { board, held, before: transfers, errors, penalties, ply, undone: !flawless, ..Play::new(start) }
    }

    /// What the act would do. Changes nothing; [`Play::apply`] does it.
    pub fn judge(&self, act: &Act, house: House) -> Result<Deed, ActRefused> {
        if self.is_lockout() && self.is_barred_by_lockout(act, house) {
            return Err(ActRefused::Lockout);
        }
        // A peg that is not there is a slip of the client, never a penalty of the player.
        match *act {
            Act::Lift { peg } | Act::Place { peg } => drop(self.peg(peg)?),
            Act::Move { from, to } => drop((self.peg(from)?, self.peg(to)?)),
            Act::Undo | Act::Reset => {}
        }
        match (*act, self.held) {
            (Act::Lift { .. } | Act::Move { .. }, Some(_)) if house.relaxed => Err(ActRefused::HandFull),
            (Act::Lift { .. } | Act::Move { .. }, Some(_)) => Ok(Deed::TwoHanded),
            (Act::Lift { peg }, None) => {
                let peg = self.peg(peg)?;
                self.board.can_lift(peg, self.transfers())?;
                Ok(Deed::Lifted { peg })
            }
            (Act::Place { .. }, None) => Err(ActRefused::HandEmpty),
            (Act::Place { peg }, Some(from)) => self.judge_place(from, self.peg(peg)?, house),
            (Act::Move { from, to }, None) => self.judge_move(self.peg(from)?, self.peg(to)?, house),
            (Act::Undo | Act::Reset, Some(_)) => Err(ActRefused::Holding),
            (Act::Undo, None) => match self.line.last() {
                Some(&Transfer { from, to }) => Ok(Deed::Undone { from, to }),
                None => Err(ActRefused::NothingToUndo),
            },
            (Act::Reset, None) => Ok(Deed::Reset),
        }
    }

    /// A lockout bars everything but a reset; an empty hand's `place` is refused for itself.
    fn is_barred_by_lockout(&self, act: &Act, house: House) -> bool {
        match act {
            Act::Lift { .. } | Act::Move { .. } => true,
            Act::Undo => !house.relaxed,
            Act::Place { .. } | Act::Reset => false,
        }
    }

    fn judge_place(&self, from: PegId, to: PegId, house: House) -> Result<Deed, ActRefused> {
        if from == to {
            return if self.board.has_target(from, self.transfers()) {
                Err(ActRefused::TouchAndMove)
            } else {
                Ok(Deed::PutBack { peg: from })
            };
        }
        let disk = self.board.can_lift(from, self.transfers())?;
        Ok(match (self.board.can_place(disk, from, to, self.transfers()), house) {
            (Ok(()), _) => Deed::Transferred { from, to },
            (Err(_), House { placement: Placement::Strict, relaxed: false }) => Deed::Erred { from, to },
            (Err(_), _) => Deed::Returned { from, to },
        })
    }

    fn judge_move(&self, from: PegId, to: PegId, house: House) -> Result<Deed, ActRefused> {
        if from == to {
            return Err(ActRefused::SamePeg);
        }
        let disk = self.board.can_lift(from, self.transfers())?;
        match (self.board.can_place(disk, from, to, self.transfers()), house) {
            (Ok(()), _) => Ok(Deed::Transferred { from, to }),
            (Err(_), House { placement: Placement::Strict, relaxed: false }) => Ok(Deed::Erred { from, to }),
            // The hand is empty as it was: nothing happened.
            (Err(why), _) => Err(why.into()),
        }
    }

    fn peg(&self, number: u32) -> Result<PegId, ActRefused> {
        let pegs = self.board.pegs();
        let known = PegId::new(number).filter(|&peg| pegs.contains(peg));
        known.ok_or(ActRefused::NoSuchPeg { number, pegs: pegs.len() as u8 })
    }

    /// Does what was judged. Deeds that this play did not judge may be impossible; those change nothing.
    pub fn apply(&mut self, deed: &Deed) {
        match *deed {
            Deed::Lifted { peg } => self.held = Some(peg),
            Deed::Transferred { from, to } => {
                self.held = None;
                self.board.play_unchecked(Transfer { from, to });
                self.line.push(Transfer { from, to });
            }
            Deed::Erred { .. } => {
                self.held = None;
                self.errors += 1;
            }
            Deed::Returned { .. } | Deed::PutBack { .. } => self.held = None,
            Deed::TwoHanded => self.penalties += TWO_HANDED_PENALTY,
            Deed::Undone { from, to } => {
                if self.line.pop().is_none() {
                    self.before = self.before.saturating_sub(1);
                }
                self.board.play_unchecked(Transfer { from: to, to: from });
                self.undone = true;
            }
            Deed::Reset => {
                self.board = self.start.clone();
                self.line.clear();
                self.before = 0;
                self.reset = true;
            }
        }
        self.ply += u32::from(deed.is_accepted());
    }

    /// Whether a deed is possible here: what a stored one must be to be believed.
    pub fn is_possible(&self, deed: &Deed, house: House) -> bool {
        self.objection(deed, house).is_none()
    }

    /// What speaks against a deed here, in the rules' own words; nothing if it is possible.
    pub fn objection(&self, deed: &Deed, house: House) -> Option<String> {
        let strict = house == House { placement: Placement::Strict, relaxed: false };
        match deed {
            Deed::Returned { .. } if strict => return Some("returned is of guarded rooms".to_owned()),
            Deed::Erred { .. } if !strict => return Some("a placement error is of strict rooms".to_owned()),
            _ => {}
        }
        let Some(act) = self.act_of(deed) else {
            return Some(self.held.map_or_else(String::new, |held| format!("the hand holds the disk of peg {held}")));
        };
        match self.judge(&act, house) {
            Ok(judged) if judged == *deed => None,
            Err(why) => Some(why.to_string()),
            Ok(Deed::Erred { from, to } | Deed::Returned { from, to }) => {
                let why = self.board.check(Transfer { from, to }, self.transfers());
                Some(why.err().map_or_else(|| "it was an error".to_owned(), |why| why.to_string()))
            }
            Ok(Deed::Transferred { from, to }) => Some(format!("the transfer {from}-{to} was legal")),
            Ok(Deed::Undone { from, to }) => Some(format!("the last transfer was {from}-{to}")),
            Ok(Deed::TwoHanded) => Some("the hand was full: that was two-handed".to_owned()),
            Ok(Deed::Lifted { peg }) => Some(format!("the hand was empty: that was a lift from peg {peg}")),
            Ok(Deed::PutBack { peg }) => Some(format!("that put the disk back on peg {peg}")),
            Ok(Deed::Reset) => Some("that was a reset".to_owned()),
        }
    }

    /// The act that a deed would have come of; `None` if the hand holds another disk than the deed's.
    fn act_of(&self, deed: &Deed) -> Option<Act> {
        Some(match *deed {
            Deed::Lifted { peg } => Act::Lift { peg: peg.number().into() },
            Deed::Transferred { from, to } | Deed::Erred { from, to } | Deed::Returned { from, to } => {
                match self.held {
                    Some(held) if held == from => Act::Place { peg: to.number().into() },
                    Some(_) => return None,
                    None => Act::Move { from: from.number().into(), to: to.number().into() },
                }
            }
            Deed::PutBack { peg } => Act::Place { peg: peg.number().into() },
            Deed::TwoHanded => Act::Lift { peg: 1 },
            Deed::Undone { .. } => Act::Undo,
            Deed::Reset => Act::Reset,
        })
    }

    /// The board; a held disk is still on its source.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The board of every attempt's start.
    pub fn start(&self) -> &Board {
        &self.start
    }

    /// The source of the held disk.
    pub fn held(&self) -> Option<PegId> {
        self.held
    }

    /// The transfers of this attempt, undone ones left out; in a play seen in a snapshot those since then.
    pub fn line(&self) -> &[Transfer] {
        &self.line
    }

    /// The number of transfers of this attempt.
    pub fn transfers(&self) -> Transfers {
        self.before + self.line.len() as Transfers
    }

    /// The official counter: transfers and penalty moves.
    pub fn moves(&self) -> u32 {
        self.transfers() + self.penalties
    }

    /// Placement errors of the whole round.
    pub fn errors(&self) -> u32 {
        self.errors
    }

    /// Accepted acts: what an act's `ply` is compared with.
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// Whether any act had an effect here.
    pub fn is_touched(&self) -> bool {
        self.ply > 0 || self.errors > 0 || self.penalties > 0
    }

    /// No undo and no reset since the board was first seen.
    pub fn is_flawless(&self) -> bool {
        !self.undone && !self.reset
    }

    /// The number of settled disks.
    pub fn settled(&self) -> u32 {
        self.board.settled().count() as u32
    }

    /// Whether no legal transfer exists.
    pub fn is_lockout(&self) -> bool {
        self.board.is_lockout(self.transfers())
    }

    /// Whether the board is solved.
    pub fn is_harmony(&self) -> bool {
        self.board.is_harmony()
    }
}

impl Deed {
    /// Whether the act was accepted, so that `ply` grows: a placement error or a penalty is a refusal with an effect.
    pub fn is_accepted(&self) -> bool {
        !matches!(self, Deed::Erred { .. } | Deed::Returned { .. } | Deed::TwoHanded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUSE: House = House { placement: Placement::Strict, relaxed: false };

    fn played(play: &mut Play, act: Act) -> Deed {
        let deed = play.judge(&act, HOUSE).expect("a possible act");
        play.apply(&deed);
        deed
    }

    #[test]
    fn an_undo_tells_which_transfer_it_took_back_so_that_a_snapshot_can_be_followed() {
        let start: Board = "R2S1/R1/S2/- 3".parse().expect("a board");
        let mut play = Play::new(start.clone());
        played(&mut play, Act::Move { from: 1, to: 3 });
        let after_one = play.board().clone();
        played(&mut play, Act::Move { from: 2, to: 1 });
        let mut seen = Play::seen(
            start.clone(),
            Seen { board: play.board().clone(), held: None, ply: 2, transfers: 2, moves: 2, errors: 0, flawless: true },
        );
        assert_eq!(seen.judge(&Act::Undo, HOUSE), Err(ActRefused::NothingToUndo));
        let undone = played(&mut play, Act::Undo);
        seen.apply(&undone);
        assert_eq!((seen.board(), seen.transfers(), seen.ply()), (&after_one, 1, 3));
        assert!(!seen.is_flawless());
        let undone = played(&mut play, Act::Undo);
        seen.apply(&undone);
        assert_eq!((seen.board(), seen.transfers()), (&start, 0));
    }
}
