//! The way to harmony, for those who may ask: hints, and "show me the way".
//!
//! Must never be asked where a result counts, nor search without bound.

use std::net::IpAddr;
use std::time::Duration;

use sprint_shared::rules::Transfer;
use sprint_shared::solver::{Budget, Cancel, Outcome, solve_from};
use thiserror::Error;

use crate::pool::EndOnDrop;
use crate::room::Stands;
use crate::turns::Turns;

/// Ways that are searched for at once.
const AT_ONCE: usize = 1;
/// How long the search for one may take, once it has its turn.
const SEARCH: Duration = Duration::from_secs(4);
/// Memory for it, in bytes.
const SEARCH_BYTES: usize = 256 << 20;

/// Who searches. Clones share their turns.
#[derive(Clone)]
pub struct Ways {
    turns: Turns<()>,
}

/// Why there is no way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NoWay {
    /// As many wait as may.
    #[error("too many ways are being searched for at the moment")]
    Busy,
    /// None was found in the time that a search has.
    #[error("no way was found in {} seconds", SEARCH.as_secs())]
    NotFound,
}

impl Ways {
    /// A way from where a board stands, the shortest unless the search was cut short. `None` if it is proven that there is none.
    pub async fn from(&self, address: IpAddr, stands: Stands) -> Result<Option<Vec<Transfer>>, NoWay> {
        let turn = self.turns.take(address).await.ok_or(NoWay::Busy)?;
        let cancel = Cancel::default();
        let budget = Budget { memory: SEARCH_BYTES, threads: 1, cancel: cancel.clone() };
        let _end = EndOnDrop(cancel.clone());
        let mut searching = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            solve_from(&stands.board, stands.transfers, &budget)
        });
        let outcome = match tokio::time::timeout(SEARCH, &mut searching).await {
            Ok(outcome) => outcome,
            Err(_) => {
                // Its next look ends it, with the best that it knows.
                cancel.cancel();
                searching.await
            }
        };
        match outcome.map_err(|_| NoWay::NotFound)? {
            Outcome::Solved { line, .. } | Outcome::Exceeded { line: Some(line), .. } => Ok(Some(line)),
            Outcome::Unsolvable { .. } => Ok(None),
            Outcome::Exceeded { line: None, .. } => Err(NoWay::NotFound),
        }
    }
}

impl Default for Ways {
    fn default() -> Ways {
        Ways { turns: Turns::new(vec![(); AT_ONCE]) }
    }
}
