//! Stored rounds that are proven because somebody asks for them: a few at a time, off the threads that rooms run on.
//!
//! Must never prove on one of those: a long round takes a second, in which every room would stand still. Must never let
//! whoever asks for many rounds keep others from theirs.

use std::net::IpAddr;

use sprint_shared::api::Match;
use thiserror::Error;
use uuid::Uuid;

use crate::room::Damaged;
use crate::store::{RoundResult, Store, StoreError};
use crate::turns::{Turn, Turns};
use crate::web;

/// Rounds that are proven at once for whoever asks for them.
const AT_ONCE: usize = 2;

/// Who proves rounds. Clones share their turns.
#[derive(Clone)]
pub struct Proofs {
    store: Store,
    turns: Turns<()>,
}

/// Why there is no proof.
#[derive(Debug, Error)]
pub enum NoProof {
    /// As many wait as may, of all or of the neighbourhood.
    #[error("too many rounds are being proven at the moment")]
    Busy,
    /// The round's events do not give its result.
    #[error("round {round_id} does not prove its result: {damage}")]
    Unproven {
        /// Which.
        round_id: Uuid,
        /// What is wrong with it.
        damage: Damaged,
    },
    /// The store does not answer.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The work on it panicked.
    #[error("the work on a round broke off: {0}")]
    Broken(String),
}

impl Proofs {
    /// Proves rounds of a store.
    pub fn new(store: Store) -> Proofs {
        Proofs { store, turns: Turns::new(vec![(); AT_ONCE]) }
    }

    /// What is made of a round, proven for an address that asks for it.
    pub async fn of<T: Send + 'static>(
        &self,
        from: IpAddr,
        round: RoundResult,
        make: impl FnOnce(&Match) -> T + Send + 'static,
    ) -> Result<T, NoProof> {
        let turn = self.turn(from).await?;
        self.in_turn(turn, round, make).await
    }

    /// Waits for a turn: whoever asks for what may be in vain by then looks again before the work.
    pub(crate) async fn turn(&self, from: IpAddr) -> Result<Turn<()>, NoProof> {
        self.turns.take(from).await.ok_or(NoProof::Busy)
    }

    /// A caller who goes away meanwhile gives the turn back when the work is done.
    pub(crate) async fn in_turn<T: Send + 'static>(
        &self,
        turn: Turn<()>,
        round: RoundResult,
        make: impl FnOnce(&Match) -> T + Send + 'static,
    ) -> Result<T, NoProof> {
        let round_id = round.round_id;
        // Read in its turn: whoever waits holds no long round in memory.
        let rows = self.store.replay(&round).await?;
        let proving = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            web::proven(&round, &rows).map(|proven| make(&proven))
        });
        let proof = proving.await.map_err(|error| NoProof::Broken(format!("{round_id}: {error}")))?;
        proof.map_err(|damage| NoProof::Unproven { round_id, damage })
    }
}
