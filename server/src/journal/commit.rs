//! One attempt to commit a batch: either all rooms that the fence lets pass, or nothing.
//!
//! Must never report a room as accepted before COMMIT has been answered.

use uuid::Uuid;

use super::faults::Faults;
use super::{Append, batch};
use crate::store::dialect::Dialect;
use crate::store::{Failure, Store, insert_rounds, insert_seated, on_db};

/// Commits the appends of distinct rooms; returns the rooms that the fence let pass.
pub(super) async fn commit(store: &Store, appends: &[Append], faults: &Faults) -> Result<Vec<Uuid>, Failure> {
    let lost_reply = faults.strike().await?;
    store.trim_log().await?;
    let (rooms, events) = batch::rows(appends);
    let is_plain = |append: &Append| append.outcomes.is_empty() && append.dealt.is_empty() && append.seated.is_empty();
    let most = store.pair_rounds_max();
    let plain = appends.iter().all(is_plain);
    let accepted: Vec<Uuid> = on_db!(store, MemoryDatabase::commit(appends), |db| {
        if plain && db.append_is_atomic {
            let mut connection = db.write.acquire().await.map_err(|error| Failure::before_commit(&error))?;
            connection.append(&rooms, &events).await.map_err(|error| Failure::at_commit(&error))
        } else {
            let before = async {
                let mut tx = db.write.begin_with(db.begin).await?;
                let accepted = tx.append(&rooms, &events).await?;
                let passed = || appends.iter().filter(|append| accepted.contains(&append.room_id));
                for append in passed() {
                    insert_rounds(&mut tx, append.room_id, &append.outcomes, &append.dealt, most).await?;
                }
                // After all rounds: whoever locks the ladder and a player's row does it in this order.
                for append in passed() {
                    insert_seated(&mut tx, append.room_id, &append.seated).await?;
                }
                Ok((tx, accepted))
            };
            let (tx, accepted) = before.await.map_err(|error| Failure::before_commit(&error))?;
            tx.commit().await.map_err(|error| Failure::at_commit(&error))?;
            Ok(accepted)
        }
    })?;
    match lost_reply {
        true => Err(Failure::Unknown("injected: the reply to a commit was lost".to_owned())),
        false => Ok(accepted),
    }
}
