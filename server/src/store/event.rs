//! Reading a room's events, wherever they lie: in `room_event`, or moved into `replay` by compaction.
//!
//! Must never hold a cursor open between two pages.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use sqlx::FromRow;
use uuid::Uuid;

use super::room::room_columns;
use super::{Room, Store, StoreError, on_db};

/// One committed event.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct StoredEvent {
    /// Its place in the room, from 1 without gaps.
    pub seq: i64,
    /// The ownership under which it was written.
    pub epoch: i64,
    /// The event format of `body`.
    pub format: i64,
    /// Milliseconds since the Unix epoch.
    pub at_ms: i64,
    /// The event, encoded.
    pub body: String,
}

/// A room and its events up to now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoomEvents {
    /// The room row.
    pub room: Room,
    /// All its events in order.
    pub events: Vec<StoredEvent>,
}

/// Bytes of moved events that are unpacked on the thread that asks for them.
const ON_THE_SPOT: usize = 64 << 10;

/// Events of one `replay` row, as stored: `[[seq, epoch, format, at_ms, body], …]`.
pub(super) type Slice = Vec<(i64, i64, i64, i64, String)>;

impl Store {
    /// The committed events of a room from `from_seq` on, in order, compacted or not.
    pub async fn events(&self, room_id: Uuid, from_seq: i64) -> Result<Vec<StoredEvent>, StoreError> {
        self.events_in(room_id, from_seq..=i64::MAX).await
    }

    /// The committed events of a room with a `seq` in this range, in order, compacted or not.
    pub async fn events_in(&self, room_id: Uuid, range: RangeInclusive<i64>) -> Result<Vec<StoredEvent>, StoreError> {
        const LIVE: &str = "SELECT seq, epoch, format, at_ms, body FROM room_event \
             WHERE room_id = $1 AND seq >= $2 AND seq <= $3 ORDER BY seq";
        const MOVED: &str = "SELECT body FROM replay WHERE room_id = $1 AND last_seq >= $2 AND first_seq <= $3";
        let (from, to) = (*range.start(), *range.end());
        // Live rows first: an event that compaction moves in between is then seen twice, never not at all.
        let live: Vec<StoredEvent> = on_db!(self, MemoryDatabase::events(room_id, &range), |db| sqlx::query_as(LIVE)
            .bind(room_id)
            .bind(from)
            .bind(to)
            .fetch_all(&db.read)
            .await)?;
        let moved: Vec<String> = on_db!(self, MemoryDatabase::replays(), |db| sqlx::query_scalar(MOVED)
            .bind(room_id)
            .bind(from)
            .bind(to)
            .fetch_all(&db.read)
            .await)?;
        if moved.is_empty() {
            return Ok(live);
        }
        let bytes: usize = moved.iter().map(String::len).sum();
        let together = move || together(live, &moved, &range);
        let events = if bytes <= ON_THE_SPOT {
            together()
        } else {
            // Rooms run on this thread, and would wait.
            let unpacking = tokio::task::spawn_blocking(together);
            unpacking.await.map_err(|error| StoreError::Damaged(format!("replay of room {room_id}: {error}")))?
        };
        events.map_err(|error| StoreError::Damaged(format!("replay of room {room_id}: {error}")))
    }

    /// A page of unfinished rooms with all their events, in the order of room ids after `after`; empty at the end.
    /// Reads every unfinished room of a large host in bounded memory.
    pub async fn unfinished_rooms(&self, after: Option<Uuid>, limit: i64) -> Result<Vec<RoomEvents>, StoreError> {
        const ROOMS: &str = concat!(
            "SELECT ",
            room_columns!(),
            " FROM room WHERE finished_at_ms IS NULL AND room_id > $1 ORDER BY room_id LIMIT $2"
        );
        const EVENTS: &str = "SELECT e.room_id, e.seq, e.epoch, e.format, e.at_ms, e.body \
             FROM room r JOIN room_event e ON e.room_id = r.room_id \
             WHERE r.finished_at_ms IS NULL AND r.room_id >= $1 AND r.room_id <= $2 ORDER BY e.room_id, e.seq";
        let after = after.unwrap_or(Uuid::nil());
        let rooms: Vec<Room> =
            on_db!(self, MemoryDatabase::unfinished_rooms(after, limit), |db| sqlx::query_as(ROOMS)
                .bind(after)
                .bind(limit)
                .fetch_all(&db.read)
                .await)?;
        let (Some(first), Some(last)) = (rooms.first(), rooms.last()) else {
            return Ok(Vec::new());
        };
        let (first, last) = (first.room_id, last.room_id);
        let rows: Vec<OfRoom> =
            on_db!(self, MemoryDatabase::events_of_unfinished(first, last), |db| sqlx::query_as(EVENTS)
                .bind(first)
                .bind(last)
                .fetch_all(&db.read)
                .await)?;
        let mut rows = rows.into_iter().peekable();
        let mut page = Vec::with_capacity(rooms.len());
        for room in rooms {
            let mut events = Vec::new();
            while let Some(row) = rows.next_if(|row| row.room_id <= room.room_id) {
                if row.room_id == room.room_id {
                    events.push(row.event);
                }
            }
            page.push(RoomEvents { room, events });
        }
        Ok(page)
    }
}

/// Live events of a range and those of it that were moved, in order.
fn together(
    live: Vec<StoredEvent>,
    moved: &[String],
    range: &RangeInclusive<i64>,
) -> Result<Vec<StoredEvent>, serde_json::Error> {
    let mut events: BTreeMap<i64, StoredEvent> = live.into_iter().map(|event| (event.seq, event)).collect();
    for body in moved {
        for (seq, epoch, format, at_ms, body) in serde_json::from_str::<Slice>(body)? {
            if range.contains(&seq) {
                events.insert(seq, StoredEvent { seq, epoch, format, at_ms, body });
            }
        }
    }
    Ok(events.into_values().collect())
}

#[derive(FromRow)]
pub(super) struct OfRoom {
    pub room_id: Uuid,
    #[sqlx(flatten)]
    pub event: StoredEvent,
}
