//! Counting places on a leaderboard, which may take long: one count a player at a time, two of all, the others wait.
//!
//! Must never end a count, nor give its turn away, because whoever asked has hung up.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::timeout;
use uuid::Uuid;

use crate::problem::ApiError;

/// Counts at once.
const AT_ONCE: usize = 2;
const PATIENCE: Duration = Duration::from_secs(1);

/// Who counts. Clones share their turns.
#[derive(Clone)]
pub struct Counts {
    turns: Arc<Semaphore>,
    /// How long a count waits for its turn.
    patience: Duration,
    /// For whom is counted.
    players: Arc<Mutex<HashSet<Uuid>>>,
}

/// A player for whom is counted.
struct Counted {
    counts: Counts,
    player: Uuid,
}

impl Default for Counts {
    fn default() -> Self {
        Counts { turns: Arc::new(Semaphore::new(AT_ONCE)), patience: PATIENCE, players: Arc::default() }
    }
}

impl Counts {
    /// Counts for a player when it is their turn. Refused while there is another count for the player, and where no turn
    /// comes in time.
    pub(super) async fn in_turn<T: Send + 'static>(
        &self,
        player: Uuid,
        count: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, ApiError> {
        let counted = self.enter(player).ok_or_else(|| {
            ApiError::AtOnce("your place is being counted already: ask again once that is answered".to_owned())
        })?;
        let turn = timeout(self.patience, self.turns.clone().acquire_owned()).await;
        let turn = turn.map_err(|_| ApiError::Busy("too many places are being counted: try again in a few seconds"))?;
        let counting = tokio::spawn(async move {
            let found = count.await;
            drop((turn, counted));
            found
        });
        Ok(counting.await.expect("a count neither panics nor is aborted"))
    }

    fn enter(&self, player: Uuid) -> Option<Counted> {
        let is_first = self.players.lock().unwrap_or_else(PoisonError::into_inner).insert(player);
        is_first.then(|| Counted { counts: self.clone(), player })
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.counts.players.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.player);
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use tokio::sync::oneshot;

    use super::*;

    /// Begins a count for a player and hangs up; it ends when it is told to.
    async fn hang_up(counts: &Counts, player: u128) -> oneshot::Sender<()> {
        let (begun, begins) = oneshot::channel();
        let (end, ended) = oneshot::channel::<()>();
        let count = async move {
            begun.send(()).expect("the test waits");
            ended.await.expect("the test says when");
        };
        tokio::select! {
            _ = counts.in_turn(Uuid::from_u128(player), count) => panic!("the count is not over"),
            begins = begins => begins.expect("the count begins"),
        }
        end
    }

    #[tokio::test]
    async fn whoever_hangs_up_leaves_no_turn_free_before_the_count_is_over() {
        let counts = Counts { patience: Duration::MAX, ..Counts::default() };
        let ends = [hang_up(&counts, 1).await, hang_up(&counts, 2).await];
        let hurried = Counts { patience: Duration::ZERO, ..counts.clone() };
        let third = hurried.in_turn(Uuid::from_u128(3), async {}).await;
        assert!(matches!(third, Err(ApiError::Busy(_))), "two counts go on, and no turn comes");
        let mut fourth = Box::pin(counts.in_turn(Uuid::from_u128(3), async { 7 }));
        assert!((&mut fourth).now_or_never().is_none(), "it waits");
        for end in ends {
            end.send(()).expect("the count waits");
        }
        assert_eq!(fourth.await.ok(), Some(7), "its turn has come");
        let both = counts.turns.acquire_many(2).await;
        assert!(both.is_ok(), "both turns are free again");
        assert!(counts.players.lock().expect("no test fails in it").is_empty(), "nothing is left over");
    }

    #[tokio::test]
    async fn a_player_has_one_count_at_a_time_and_keeps_nobody_else_out() {
        let counts = Counts::default();
        let end = hang_up(&counts, 1).await;
        for _ in 0..100 {
            let again = counts.in_turn(Uuid::from_u128(1), async {}).await;
            assert!(matches!(again, Err(ApiError::AtOnce(_))), "also while nobody listens to the first");
        }
        assert!(counts.in_turn(Uuid::from_u128(2), async {}).await.is_ok());
        end.send(()).expect("the count waits");
        let both = counts.turns.acquire_many(2).await;
        assert!(both.is_ok());
        assert!(counts.in_turn(Uuid::from_u128(3), async {}).now_or_never().is_none(), "the test holds the turns");
        drop(both);
        assert!(counts.in_turn(Uuid::from_u128(1), async {}).await.is_ok(), "the first is over");
    }
}
