//! Compaction: a finished room's events move from `room_event` into `replay`, a slice a transaction. Those of a room
//! without a single round prove nothing and name people: they are dropped. So is what the ghosts of a room do.
//!
//! Must never delete a row of a room with rounds whose content the same transaction has not written to `replay`, and
//! never touches a room that is unfinished.

use std::time::Duration;

use sqlx::FromRow;
use uuid::Uuid;

use super::event::Slice;
use super::{Store, StoreError, on_db};

/// Rows moved by one transaction at most, so that the journal never waits long for the writer.
const SLICE_ROWS: i64 = 500;

/// How often finished rooms are looked for, how long they rest first, and how many are taken at a time.
const OFTEN: Duration = Duration::from_secs(60);
const REST_MS: i64 = 600_000;
const ROOMS: i64 = 100;

/// Rooms that rest. Its condition on `compacted` is worded as that of the index `room_to_compact` is: SQLite compares
/// the words.
const TO_COMPACT: &str = "SELECT room_id FROM room WHERE finished_at_ms IS NOT NULL AND finished_at_ms < $1 \
     AND NOT compacted ORDER BY finished_at_ms LIMIT $2";

#[derive(FromRow)]
struct Row {
    seq: i64,
    epoch: i64,
    format: i64,
    at_ms: i64,
    body: String,
}

impl Store {
    /// Compacts finished rooms now and then, for as long as it is left to run; stopping it loses nothing.
    /// `now_ms` is milliseconds since the Unix epoch.
    pub async fn keep_compacting(&self, now_ms: impl Fn() -> i64) {
        let mut often = tokio::time::interval(OFTEN);
        loop {
            often.tick().await;
            if let Err(error) = self.compact_finished(now_ms() - REST_MS, ROOMS).await {
                tracing::warn!(%error, "finished rooms could not be compacted; trying again later");
            }
        }
    }

    /// Compacts rooms that finished before `before_ms`, at most `rooms_max` of them; returns how many rooms it did.
    pub async fn compact_finished(&self, before_ms: i64, rooms_max: i64) -> Result<usize, StoreError> {
        let rooms: Vec<Uuid> =
            on_db!(self, MemoryDatabase::rooms_to_compact(before_ms, rooms_max), |db| sqlx::query_scalar(TO_COMPACT)
                .bind(before_ms)
                .bind(rooms_max)
                .fetch_all(&db.read)
                .await)?;
        for room_id in &rooms {
            while self.compact_slice(*room_id).await? {}
        }
        Ok(rooms.len())
    }

    /// Moves one slice; false once the room is done.
    async fn compact_slice(&self, room_id: Uuid) -> Result<bool, StoreError> {
        const READ: &str = "SELECT seq, epoch, format, at_ms, body FROM room_event WHERE room_id = $1 \
             ORDER BY seq LIMIT $2";
        const WRITE: &str = "INSERT INTO replay (room_id, first_seq, last_seq, body) VALUES ($1, $2, $3, $4)";
        const DELETE: &str = "DELETE FROM room_event WHERE room_id = $1 AND seq >= $2 AND seq <= $3";
        const MARK: &str = "UPDATE room SET compacted = $2 WHERE room_id = $1";
        const HAS_ROUNDS: &str =
            "SELECT count(*) FROM (SELECT 1 FROM round_result WHERE room_id = $1 LIMIT 1) AS found";
        const FORGET: &str = "UPDATE room SET listing = '{}', guests = '[]', kicked = '[]' WHERE room_id = $1";
        const FORGET_GHOSTS: &str = "DELETE FROM ghost WHERE room_id = $1";
        const UNSEAT: &str = "DELETE FROM seated WHERE room_id = $1";
        self.before_write().await?;
        let outcome = on_db!(self, MemoryDatabase::compact(room_id), |db| async {
            let mut tx = db.write.begin_with(db.begin).await?;
            // Locks the room against another node that compacts it.
            sqlx::query(MARK).bind(room_id).bind(false).execute(&mut *tx).await?;
            let rounds: i64 = sqlx::query_scalar(HAS_ROUNDS).bind(room_id).fetch_one(&mut *tx).await?;
            let rows: Vec<Row> = sqlx::query_as(READ).bind(room_id).bind(SLICE_ROWS).fetch_all(&mut *tx).await?;
            let more = match (rows.first().map(|row| row.seq), rows.last().map(|row| row.seq)) {
                (Some(first), Some(last)) => {
                    let slice: Slice =
                        rows.into_iter().map(|row| (row.seq, row.epoch, row.format, row.at_ms, row.body)).collect();
                    let body = serde_json::to_string(&slice).expect("numbers and strings always encode");
                    if rounds > 0 {
                        sqlx::query(WRITE).bind(room_id).bind(first).bind(last).bind(body).execute(&mut *tx).await?;
                    }
                    sqlx::query(DELETE).bind(room_id).bind(first).bind(last).execute(&mut *tx).await?;
                    true
                }
                _ => {
                    // Who sat there, or was not to, matters to nobody any more, nor does what ghosts would do.
                    sqlx::query(FORGET).bind(room_id).execute(&mut *tx).await?;
                    sqlx::query(FORGET_GHOSTS).bind(room_id).execute(&mut *tx).await?;
                    if rounds == 0 {
                        sqlx::query(UNSEAT).bind(room_id).execute(&mut *tx).await?;
                    }
                    sqlx::query(MARK).bind(room_id).bind(true).execute(&mut *tx).await?;
                    false
                }
            };
            tx.commit().await?;
            Ok(more)
        }
        .await);
        self.wrote(outcome)
    }
}

#[cfg(test)]
mod tests {
    use sqlx::AssertSqlSafe;

    use super::*;
    use crate::store::{Db, StoreOptions};

    #[tokio::test]
    async fn rooms_to_compact_are_found_by_their_index_alone() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let url = format!("sqlite://{}", directory.path().join("rooms.sqlite").display());
        let store = Store::open(&url, StoreOptions::default()).await.expect("it opens");
        let Db::Sqlite(pools) = store.db() else { panic!("it is a file") };
        let plan = AssertSqlSafe(format!("EXPLAIN QUERY PLAN {TO_COMPACT}"));
        let steps: Vec<(i64, i64, i64, String)> =
            sqlx::query_as(plan).bind(0).bind(1).fetch_all(&pools.read).await.expect("it has a plan");
        let steps: Vec<&str> = steps.iter().map(|step| step.3.as_str()).collect();
        let found = matches!(steps[..], [search] if search.starts_with("SEARCH room USING INDEX room_to_compact "));
        assert!(found, "found and sorted by the index: {steps:?}");
    }
}
