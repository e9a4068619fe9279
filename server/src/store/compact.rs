//! Compaction: a finished room's events move from `room_event` into `replay`, a slice a transaction.
//!
//! Must never delete a row whose content the same transaction has not written to `replay`, and never touches a room
//! that is unfinished.

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
        const SQL: &str = "SELECT room_id FROM room WHERE finished_at_ms IS NOT NULL AND finished_at_ms < $1 \
             AND NOT compacted ORDER BY finished_at_ms LIMIT $2";
        let rooms: Vec<Uuid> =
            on_db!(self, Memory::rooms_to_compact(before_ms, rooms_max), |db| sqlx::query_scalar(SQL)
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
        self.before_write().await?;
        let outcome = on_db!(self, Memory::compact(room_id), |db| async {
            let mut tx = db.write.begin_with(db.begin).await?;
            // Locks the room against another node that compacts it.
            sqlx::query(MARK).bind(room_id).bind(false).execute(&mut *tx).await?;
            let rows: Vec<Row> = sqlx::query_as(READ).bind(room_id).bind(SLICE_ROWS).fetch_all(&mut *tx).await?;
            let more = match (rows.first().map(|row| row.seq), rows.last().map(|row| row.seq)) {
                (Some(first), Some(last)) => {
                    let slice: Slice =
                        rows.into_iter().map(|row| (row.seq, row.epoch, row.format, row.at_ms, row.body)).collect();
                    let body = serde_json::to_string(&slice).expect("numbers and strings always encode");
                    sqlx::query(WRITE).bind(room_id).bind(first).bind(last).bind(body).execute(&mut *tx).await?;
                    sqlx::query(DELETE).bind(room_id).bind(first).bind(last).execute(&mut *tx).await?;
                    true
                }
                _ => {
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
