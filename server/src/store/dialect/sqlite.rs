//! Many rows a statement on SQLite: they travel as one JSON array.

use serde_json::json;
use sqlx::SqliteConnection;
use uuid::Uuid;

use super::{Advance, Dialect, EventInsert};

const ADVANCE: &str = "UPDATE room SET last_seq = b.value->>3, format = max(room.format, $2), \
       state = coalesce(b.value->>4, state), listing = coalesce(b.value->>5, listing), \
       finished_at_ms = coalesce(b.value->>6, finished_at_ms), kicked = coalesce(b.value->>7, kicked) \
     FROM json_each($1) b \
     WHERE room.room_id = unhex(b.value->>0) AND room.epoch = b.value->>1 AND room.last_seq = (b.value->>2) - 1 \
     RETURNING room_id";
const INSERT: &str = "INSERT INTO room_event (room_id, seq, epoch, format, at_ms, body) \
     SELECT unhex(e.value->>0), e.value->>1, e.value->>2, e.value->>3, e.value->>4, e.value->>5 \
     FROM json_each($1) e";

impl Dialect for SqliteConnection {
    async fn append(&mut self, rooms: &[Advance<'_>], events: &[EventInsert<'_>]) -> Result<Vec<Uuid>, sqlx::Error> {
        let rows: Vec<_> = rooms
            .iter()
            .map(|room| {
                let id = room.room_id.simple().to_string();
                let Advance { epoch, first_seq, last_seq, state, listing, finished_at_ms, kicked, .. } = *room;
                json!([id, epoch, first_seq, last_seq, state, listing, finished_at_ms, kicked])
            })
            .collect();
        let accepted: Vec<Uuid> = sqlx::query_scalar(ADVANCE)
            .bind(json!(rows).to_string())
            .bind(crate::store::EVENT_FORMAT)
            .fetch_all(&mut *self)
            .await?;
        insert(self, events.iter().filter(|event| accepted.contains(&event.room_id))).await?;
        Ok(accepted)
    }

    async fn insert_events(&mut self, events: &[EventInsert<'_>]) -> Result<(), sqlx::Error> {
        insert(self, events.iter()).await
    }
}

async fn insert<'a>(
    connection: &mut SqliteConnection,
    events: impl Iterator<Item = &'a EventInsert<'a>>,
) -> Result<(), sqlx::Error> {
    let rows: Vec<_> = events
        .map(|event| {
            let id = event.room_id.simple().to_string();
            json!([id, event.seq, event.epoch, event.format, event.at_ms, event.body])
        })
        .collect();
    if rows.is_empty() {
        return Ok(());
    }
    sqlx::query(INSERT).bind(json!(rows).to_string()).execute(connection).await?;
    Ok(())
}
