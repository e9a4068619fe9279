//! The board of a round: asked for off the room's thread, and dealt anew if it was shown before.

use sprint_shared::race::Want;
use sprint_shared::solo::Solo;
use sprint_shared::solver::Cancel;
use tokio::sync::mpsc;
use uuid::Uuid;

use super::super::drain::Drain;
use super::super::{Dealt, Inbound};
use super::Room;
use crate::daily;
use crate::journal::AppendError;
use crate::shuffle::deal_ahead;

/// A board that is being dealt; nobody else wants it, so it is given up with its room.
pub(super) struct Dealing {
    pub round_id: Uuid,
    cancel: Cancel,
}

impl Drop for Dealing {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

impl Room {
    /// Gives the round its board, or begins it anew if the board was shown before.
    pub(super) async fn deal(&mut self, dealt: Dealt) -> Result<(), AppendError> {
        let now = self.now();
        match self.race.want(now) {
            Some(Want::Deal { round_id, .. }) if round_id == dealt.round_id => {}
            _ => return Ok(()),
        }
        (self.dealing, self.deals_failed) = (None, 0);
        if !dealt.taken {
            let before = (self.race.clone(), self.mark.clone());
            let one_way_ms = self.lines.one_way_ms();
            let mut drain = Drain::default();
            let board = dealt.board;
            let events = self.race.deal(now, dealt.round_id, board.board, board.optimum, one_way_ms);
            self.apply(now, events, &mut drain);
            match self.settle(drain).await {
                Err(AppendError::BoardTaken) => (self.race, self.mark, self.stored) = (before.0, before.1, None),
                outcome => return outcome,
            }
        }
        tracing::info!(room = self.race.code(), "a dealt board was shown before; dealing another");
        let now = self.now();
        let events = self.race.redeal(now, dealt.round_id);
        let mut drain = Drain::default();
        self.apply(now, events, &mut drain);
        self.settle(drain).await
    }

    /// Has a board dealt, if the round waits for one.
    pub(super) fn ask_for_a_board(&mut self) {
        let Some(Want::Deal { round_id, seed }) = self.race.want(self.now()) else { return };
        if self.dealing.as_ref().is_some_and(|dealing| dealing.round_id == round_id) {
            return;
        }
        let cancel = Cancel::default();
        self.dealing = Some(Dealing { round_id, cancel: cancel.clone() });
        let (dealers, store, inbox) =
            (self.context.dealers.clone(), self.context.store.clone(), self.inbox.downgrade());
        let options = self.race.options().clone();
        tokio::spawn(async move {
            let board = match options.solo {
                // Given up with the room, which the inbox tells.
                Some(Solo::Daily { day, .. }) => tokio::select! {
                    biased;
                    () = gone(&inbox) => None,
                    board = daily::board_of(&store, day) => board,
                },
                _ => dealers.board(&options, seed, cancel).await,
            };
            let Some(board) = board else {
                if let Some(inbox) = inbox.upgrade() {
                    let _ = inbox.send(Inbound::NotDealt { round_id }).await;
                }
                return;
            };
            // Where the store cannot say it now, the append will.
            let asked = match (&options.blueprint, options.solo) {
                (None, None) => store.is_board_dealt(&board.board.to_string()).await,
                // Given ones: a blueprint, a seed, the day's.
                _ => Ok(false),
            };
            let dealt = Dealt { round_id, board, taken: asked.unwrap_or(false) };
            if let Some(inbox) = inbox.upgrade() {
                let _ = inbox.send(Inbound::Dealt(Box::new(dealt))).await;
            }
            if let Some(Solo::Shuffle { seed }) = options.solo {
                deal_ahead(&dealers, options.preset, seed).await;
            }
        });
    }
}

/// Returns once the room is gone.
async fn gone(inbox: &mpsc::WeakSender<Inbound>) {
    if let Some(inbox) = inbox.upgrade() {
        inbox.closed().await;
    }
}
