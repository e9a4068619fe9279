//! In which rooms a player's name stands: everybody who ever sat there, raced or not.
//!
//! Written in the transaction of the event that seats somebody, and taken away in the one that erases the name: what is
//! listed here of a deleted player is what is still to be done.

use sqlx::{Database, Encode, Executor, IntoArguments, Transaction, Type};
use uuid::Uuid;

use super::{Store, StoreError, on_db};

/// Enters players as seated in a room. Whoever is deleted meanwhile is to be erased once more.
pub(crate) async fn insert_seated<DB>(
    tx: &mut Transaction<'_, DB>,
    room_id: Uuid,
    players: &[Uuid],
) -> Result<(), sqlx::Error>
where
    DB: Database,
    DB::Arguments: IntoArguments<DB>,
    for<'c> &'c mut DB::Connection: Executor<'c, Database = DB>,
    for<'q> bool: Encode<'q, DB> + Type<DB>,
    for<'q> Uuid: Encode<'q, DB> + Type<DB>,
{
    const SEAT: &str = "INSERT INTO seated (room_id, player_id) VALUES ($1, $2) ON CONFLICT DO NOTHING";
    const AGAIN: &str = "UPDATE player SET erased = $2 WHERE player_id = $1 AND standing IN (3, 4)";
    for player in players {
        sqlx::query::<DB>(SEAT).bind(room_id).bind(*player).execute(&mut **tx).await?;
        sqlx::query::<DB>(AGAIN).bind(*player).bind(false).execute(&mut **tx).await?;
    }
    Ok(())
}

impl Store {
    /// Rooms in which a player's name stands and that are over, by id after `after`: in these it can be erased.
    pub async fn finished_rooms_of(
        &self,
        player_id: Uuid,
        after: Option<Uuid>,
        limit: i64,
    ) -> Result<Vec<Uuid>, StoreError> {
        const SQL: &str = "SELECT s.room_id FROM seated s JOIN room r ON r.room_id = s.room_id \
             WHERE s.player_id = $1 AND s.room_id > $2 AND r.finished_at_ms IS NOT NULL ORDER BY s.room_id LIMIT $3";
        let after = after.unwrap_or(Uuid::nil());
        Ok(on_db!(self, |db| sqlx::query_scalar(SQL)
            .bind(player_id)
            .bind(after)
            .bind(limit)
            .fetch_all(&db.read)
            .await)?)
    }
}
