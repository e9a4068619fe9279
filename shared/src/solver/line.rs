//! From keys back to a line of play on the real pegs.
//!
//! Every transfer is checked by the rules as it is made, so a fault of the search cannot become a line that is not
//! legal.

use super::key::Key;
use super::space::Space;
use crate::board::Board;
use crate::rules::{Transfer, Transfers};

/// Plays a path of keys on the board; of several transfers that lead to a key, the first by source and target.
pub(crate) fn replay<const N: usize>(board: &Board, space: &Space, made: Transfers, path: &[Key<N>]) -> Vec<Transfer> {
    let mut board = board.clone();
    let mut line = Vec::with_capacity(path.len());
    for (made, wanted) in (made..).zip(path) {
        let transfer = board
            .legal_transfers(made)
            .into_iter()
            .find(|&t| key_after(&board, space, t, made) == Some(*wanted))
            .expect("each key of a path is one legal transfer from the one before");
        board.play_unchecked(transfer);
        line.push(transfer);
    }
    line
}

/// The key of the position after a legal transfer.
pub(crate) fn key_after<const N: usize>(
    board: &Board,
    space: &Space,
    transfer: Transfer,
    made: Transfers,
) -> Option<Key<N>> {
    let mut next = board.clone();
    next.play_unchecked(transfer);
    space.key_of(&next, made + 1)
}
