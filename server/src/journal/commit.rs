//! One attempt to commit a batch: either all rooms that the fence lets pass, or nothing.
//!
//! Must never report a room as accepted before COMMIT has been answered.

use uuid::Uuid;

use super::faults::Faults;
use super::{Append, batch};
use crate::store::dialect::Dialect;
use crate::store::{Failure, Store, insert_rounds, on_db};

/// Commits the appends of distinct rooms; returns the rooms that the fence let pass.
pub(super) async fn commit(store: &Store, appends: &[Append], faults: &Faults) -> Result<Vec<Uuid>, Failure> {
    let lost_reply = faults.strike().await?;
    store.trim_log().await?;
    let (rooms, events) = batch::rows(appends);
    let plain = appends.iter().all(|append| append.outcomes.is_empty() && append.dealt.is_empty());
    let accepted: Vec<Uuid> = on_db!(store, MemoryDatabase::commit(appends), |db| {
        if plain && db.append_is_atomic {
            let mut connection = db.write.acquire().await.map_err(|error| Failure::before_commit(&error))?;
            connection.append(&rooms, &events).await.map_err(|error| Failure::at_commit(&error))
        } else {
            let before = async {
                let mut tx = db.write.begin_with(db.begin).await?;
                let accepted = tx.append(&rooms, &events).await?;
                for append in appends.iter().filter(|append| accepted.contains(&append.room_id)) {
                    insert_rounds(&mut tx, append.room_id, &append.outcomes, &append.dealt).await?;
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
