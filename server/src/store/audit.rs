//! Rounds and rooms one by one, for the proof of everything that is stored.
//!
//! Must read no more of a page than where it goes on: one row that cannot be read hides no other.

use uuid::Uuid;

use super::{MatchAfter, Store, StoreError, on_db};

impl Store {
    /// Where rounds stand among all, newest first.
    pub async fn round_keys(&self, after: Option<MatchAfter>, limit: i64) -> Result<Vec<MatchAfter>, StoreError> {
        const SQL: &str = "SELECT finished_at_ms, round_id FROM round_result \
             WHERE (finished_at_ms, round_id) < ($1, $2) ORDER BY finished_at_ms DESC, round_id DESC LIMIT $3";
        let after = after.unwrap_or(MatchAfter { finished_at_ms: i64::MAX, round_id: Uuid::max() });
        let keys: Vec<(i64, Uuid)> = on_db!(self, MemoryDatabase::round_keys(after, limit), |db| sqlx::query_as(SQL)
            .bind(after.finished_at_ms)
            .bind(after.round_id)
            .bind(limit)
            .fetch_all(&db.read)
            .await)?;
        Ok(keys.into_iter().map(|(finished_at_ms, round_id)| MatchAfter { finished_at_ms, round_id }).collect())
    }

    /// The ids of rooms, open or not, in their order after `after`.
    pub async fn room_ids(&self, after: Option<Uuid>, limit: i64) -> Result<Vec<Uuid>, StoreError> {
        const SQL: &str = "SELECT room_id FROM room WHERE room_id > $1 ORDER BY room_id LIMIT $2";
        let after = after.unwrap_or(Uuid::nil());
        Ok(on_db!(self, MemoryDatabase::room_ids(after, limit), |db| sqlx::query_scalar(SQL)
            .bind(after)
            .bind(limit)
            .fetch_all(&db.read)
            .await)?)
    }

    /// The ids of a room's rounds.
    pub async fn round_ids_of_room(&self, room_id: Uuid) -> Result<Vec<Uuid>, StoreError> {
        const SQL: &str = "SELECT round_id FROM round_result WHERE room_id = $1";
        Ok(on_db!(self, MemoryDatabase::round_ids_of_room(room_id), |db| sqlx::query_scalar(SQL)
            .bind(room_id)
            .fetch_all(&db.read)
            .await)?)
    }

    /// How many seats of a round repeat something of it otherwise than it stands there.
    pub async fn seats_unlike_their_round(&self, round_id: Uuid) -> Result<i64, StoreError> {
        const SQL: &str = "SELECT count(*) FROM seat_result s JOIN round_result r ON r.round_id = s.round_id \
             WHERE s.round_id = $1 AND (s.preset IS DISTINCT FROM r.preset \
               OR s.solo IS DISTINCT FROM r.solo OR s.interrupted <> r.interrupted \
               OR s.finished_at_ms <> r.finished_at_ms OR s.ratio_ppm IS DISTINCT FROM \
               CASE WHEN r.optimum > 0 THEN s.moves * 1000000 / r.optimum END)";
        Ok(on_db!(self, MemoryDatabase::seats_unlike_their_round(round_id), |db| sqlx::query_scalar(SQL)
            .bind(round_id)
            .fetch_one(&db.read)
            .await)?)
    }
}
