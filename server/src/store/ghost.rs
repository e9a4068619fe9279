//! What the ghosts of a room do: written in the transaction that makes the room, read whenever the room is opened.
//!
//! Must hold nobody's name: a ghost is known by its id alone.

use sqlx::FromRow;
use uuid::Uuid;

use super::{Store, StoreError, on_db};

/// What one ghost does.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct GhostRow {
    /// The ghost's own id.
    pub player_id: Uuid,
    /// The format of `acts`.
    pub format: i64,
    /// Its acts, encoded.
    pub acts: String,
}

impl Store {
    /// What the ghosts of a room do, by id. Nothing is left of a room that is over and compacted.
    pub async fn ghosts(&self, room_id: Uuid) -> Result<Vec<GhostRow>, StoreError> {
        const SQL: &str = "SELECT player_id, format, acts FROM ghost WHERE room_id = $1 ORDER BY player_id";
        Ok(on_db!(self, MemoryDatabase::ghosts(room_id), |db| sqlx::query_as(SQL)
            .bind(room_id)
            .fetch_all(&db.read)
            .await)?)
    }
}
