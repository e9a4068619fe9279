//! Stored rounds that are proven because somebody asks for them: a few at a time, off the threads that rooms run on.
//!
//! Must never prove on one of those: a long round takes a second, in which every room would stand still.

use std::sync::Arc;

use sprint_shared::api::Match;
use thiserror::Error;
use tokio::sync::Semaphore;
use uuid::Uuid;

use crate::room::Damaged;
use crate::store::{RoundResult, Store, StoreError};
use crate::web;

/// Rounds that are proven at once.
const AT_ONCE: usize = 2;

/// Who proves rounds. Clones share their turns.
#[derive(Clone)]
pub struct Proofs {
    store: Store,
    turns: Arc<Semaphore>,
}

/// Why there is no proof.
#[derive(Debug, Error)]
pub enum NoProof {
    /// The round is not there.
    #[error("no round that is over has this id")]
    NoRound,
    /// The round's events do not give its result.
    #[error("the round does not prove its result: {0}")]
    Unproven(#[from] Damaged),
    /// The store does not answer.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The work on it panicked.
    #[error("the work on it broke off: {0}")]
    Broken(String),
}

impl Proofs {
    /// Proves rounds of a store.
    pub fn new(store: Store) -> Proofs {
        Proofs { store, turns: Arc::new(Semaphore::new(AT_ONCE)) }
    }

    /// What is made of a proven round. A caller who goes away meanwhile gives the turn back when the work is done.
    pub async fn of<T: Send + 'static>(
        &self,
        round: RoundResult,
        make: impl FnOnce(&Match) -> T + Send + 'static,
    ) -> Result<T, NoProof> {
        let turn = self.turns.clone().acquire_owned().await.expect("the turns are never closed");
        // Read in its turn: whoever waits holds no long round in memory.
        let rows = self.store.replay(&round).await?;
        let proving = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            web::proven(&round, &rows).map(|proven| make(&proven))
        });
        Ok(proving.await.map_err(|error| NoProof::Broken(error.to_string()))??)
    }

    /// The same of the round with an id.
    pub async fn of_id<T: Send + 'static>(
        &self,
        round_id: Uuid,
        make: impl FnOnce(&Match) -> T + Send + 'static,
    ) -> Result<T, NoProof> {
        let (round, _) = self.store.round(round_id).await?.ok_or(NoProof::NoRound)?;
        self.of(round, make).await
    }
}
