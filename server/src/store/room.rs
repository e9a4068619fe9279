//! Rooms: made, found, listed and claimed. The room row is the fence of the journal.
//!
//! Must never lower an epoch or a `last_seq`.

use sprint_shared::day::Day;
use sqlx::FromRow;
use thiserror::Error;
use uuid::Uuid;

use super::daily::BEGIN_TRY;
use super::dialect::{Dialect, EventInsert};
use super::{EVENT_FORMAT, GhostRow, Store, StoreError, insert_seated, on_db};
use crate::journal::EventRow;

/// A room to be made.
#[derive(Clone, Debug)]
pub struct NewRoom {
    /// Version 7.
    pub room_id: Uuid,
    /// What players type to join; never used twice.
    pub code: String,
    /// Whether it stands on the public list.
    pub public: bool,
    /// The room's options, encoded; they do not change.
    pub options: String,
    /// What the public list shows of it, encoded; changed by appends.
    pub listing: String,
    /// The room's phase in the words of the protocol.
    pub state: String,
    /// The node that runs it.
    pub owner: String,
    /// When the owner's claim runs out unless renewed; `None` on a single node.
    pub lease_until_ms: Option<i64>,
    /// Milliseconds since the Unix epoch.
    pub created_at_ms: i64,
    /// Whether quick match opened it.
    pub matched: bool,
    /// Who was brought to it, encoded: a list of [`Guest`](super::Guest).
    pub guests: String,
    /// What the ghosts among them do.
    pub ghosts: Vec<GhostRow>,
    /// Whom the first events seat.
    pub seated: Vec<Uuid>,
    /// Of which day it is the one rated try of its guest.
    pub try_of: Option<Day>,
    /// The room's first events, `seq` from 1; may be empty.
    pub events: Vec<EventRow>,
}

/// A stored room.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct Room {
    /// Version 7.
    pub room_id: Uuid,
    /// What players type to join.
    pub code: String,
    /// Whether it stands on the public list.
    pub public: bool,
    /// The room's options, encoded.
    pub options: String,
    /// What the public list shows of it, encoded.
    pub listing: String,
    /// The room's phase in the words of the protocol.
    pub state: String,
    /// The newest event format among its events.
    pub format: i64,
    /// The ownership that may append.
    pub epoch: i64,
    /// The last committed event's `seq`.
    pub last_seq: i64,
    /// The node that runs it.
    pub owner: String,
    /// When the owner's claim runs out unless renewed; `None` on a single node.
    pub lease_until_ms: Option<i64>,
    /// Milliseconds since the Unix epoch.
    pub created_at_ms: i64,
    /// Set once the room is over: milliseconds since the Unix epoch.
    pub finished_at_ms: Option<i64>,
    /// Whether quick match opened it.
    pub matched: bool,
    /// Who was brought to it, encoded; it does not change. [`Room::admission`] reads it.
    pub guests: String,
    /// The ids of players who were sent away for good, encoded.
    pub kicked: String,
}

/// Who takes rooms over, and the event that says so.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The node that will run them.
    pub owner: String,
    /// When this claim runs out unless renewed; `None` on a single node.
    pub lease_until_ms: Option<i64>,
    /// Now, in milliseconds since the Unix epoch.
    pub at_ms: i64,
    /// The encoded event that marks the change of owner.
    pub body: String,
}

/// Why a room was not made.
#[derive(Debug, Error)]
pub enum CreateRoomError {
    /// The player has had the one rated try of that day, or has it in another room.
    #[error("this day was tried already")]
    Tried,
    /// The code belongs to another room: draw another.
    #[error("the room code is taken")]
    CodeTaken,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Where a page of the public list goes on: the last room of the page before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListedAfter {
    /// Its `created_at_ms`.
    pub created_at_ms: i64,
    /// Its id.
    pub room_id: Uuid,
}

/// Named one by one, so that a column added by a newer server changes nothing here.
macro_rules! room_columns {
    () => {
        "room_id, code, public, options, listing, state, format, epoch, last_seq, owner, lease_until_ms, \
         created_at_ms, finished_at_ms, matched, guests, kicked"
    };
}
pub(super) use room_columns;

/// The epoch of a room that nobody has taken over since it was made.
pub const FIRST_EPOCH: i64 = 1;

impl Store {
    /// Makes a room of the first epoch with its first events and what its ghosts do.
    pub async fn create_room(&self, room: &NewRoom) -> Result<(), CreateRoomError> {
        const SQL: &str = "INSERT INTO room (room_id, code, public, options, listing, state, format, epoch, last_seq, \
               owner, lease_until_ms, created_at_ms, matched, guests) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, 1, $8, $9, $10, $11, $12, $13) ON CONFLICT (code) DO NOTHING";
        const GHOST: &str = "INSERT INTO ghost (room_id, player_id, format, acts) VALUES ($1, $2, $3, $4)";
        self.before_write().await?;
        let events: Vec<EventInsert<'_>> = room.events.iter().map(|event| event.insert(room.room_id, 1)).collect();
        if events.iter().zip(1..).any(|(event, seq)| event.seq != seq) {
            return Err(StoreError::Damaged("a new room's events must count from 1".to_owned()).into());
        }
        let outcome = on_db!(self, MemoryDatabase::create_room(room), |db| async {
            let mut tx = db.write.begin_with(db.begin).await?;
            let done = sqlx::query(SQL)
                .bind(room.room_id)
                .bind(room.code.as_str())
                .bind(room.public)
                .bind(room.options.as_str())
                .bind(room.listing.as_str())
                .bind(room.state.as_str())
                .bind(EVENT_FORMAT)
                .bind(events.len() as i64)
                .bind(room.owner.as_str())
                .bind(room.lease_until_ms)
                .bind(room.created_at_ms)
                .bind(room.matched)
                .bind(room.guests.as_str())
                .execute(&mut *tx)
                .await?;
            if done.rows_affected() == 0 {
                return Ok(Err(CreateRoomError::CodeTaken));
            }
            tx.insert_events(&events).await?;
            insert_seated(&mut tx, room.room_id, &room.seated).await?;
            for (day, player_id) in room.try_of.iter().zip(&room.seated) {
                let day = i64::from(day.number());
                let begun =
                    sqlx::query(BEGIN_TRY).bind(day).bind(*player_id).bind(room.room_id).execute(&mut *tx).await?;
                if begun.rows_affected() == 0 {
                    return Ok(Err(CreateRoomError::Tried));
                }
            }
            for GhostRow { player_id, format, acts } in &room.ghosts {
                let row = sqlx::query(GHOST).bind(room.room_id).bind(*player_id).bind(*format).bind(acts.as_str());
                row.execute(&mut *tx).await?;
            }
            tx.commit().await?;
            Ok(Ok(()))
        }
        .await);
        self.wrote(outcome)?
    }

    /// The room with this id.
    pub async fn room(&self, room_id: Uuid) -> Result<Option<Room>, StoreError> {
        const SQL: &str = concat!("SELECT ", room_columns!(), " FROM room WHERE room_id = $1");
        Ok(on_db!(self, MemoryDatabase::room(room_id), |db| sqlx::query_as(SQL)
            .bind(room_id)
            .fetch_optional(&db.read)
            .await)?)
    }

    /// The room with this code, finished or not.
    pub async fn room_by_code(&self, code: &str) -> Result<Option<Room>, StoreError> {
        const SQL: &str = concat!("SELECT ", room_columns!(), " FROM room WHERE code = $1");
        Ok(on_db!(self, MemoryDatabase::room_by_code(code), |db| sqlx::query_as(SQL)
            .bind(code)
            .fetch_optional(&db.read)
            .await)?)
    }

    /// Public unfinished rooms, newest first.
    pub async fn public_rooms(&self, after: Option<ListedAfter>, limit: i64) -> Result<Vec<Room>, StoreError> {
        const SQL: &str = concat!(
            "SELECT ",
            room_columns!(),
            " FROM room WHERE public AND finished_at_ms IS NULL AND (created_at_ms, room_id) < ($1, $2) \
             ORDER BY created_at_ms DESC, room_id DESC LIMIT $3"
        );
        let after = after.unwrap_or(ListedAfter { created_at_ms: i64::MAX, room_id: Uuid::max() });
        Ok(on_db!(self, MemoryDatabase::public_rooms(after, limit), |db| sqlx::query_as(SQL)
            .bind(after.created_at_ms)
            .bind(after.room_id)
            .bind(limit)
            .fetch_all(&db.read)
            .await)?)
    }

    /// Takes a room over if it is still at `epoch`: the epoch rises by one and the claim's event is appended, so the
    /// owner before can append nothing more. `None` if somebody else was faster, or the room is finished.
    pub async fn claim(&self, room_id: Uuid, epoch: i64, claim: &Claim) -> Result<Option<Room>, StoreError> {
        const SQL: &str = concat!(
            "UPDATE room SET epoch = epoch + 1, last_seq = last_seq + 1, owner = $3, lease_until_ms = $4 \
             WHERE room_id = $1 AND epoch = $2 AND finished_at_ms IS NULL AND format <= $5 RETURNING ",
            room_columns!()
        );
        self.before_write().await?;
        let outcome = on_db!(self, MemoryDatabase::claim(room_id, epoch, claim), |db| async {
            let mut tx = db.write.begin_with(db.begin).await?;
            let room: Option<Room> = sqlx::query_as(SQL)
                .bind(room_id)
                .bind(epoch)
                .bind(claim.owner.as_str())
                .bind(claim.lease_until_ms)
                .bind(EVENT_FORMAT)
                .fetch_optional(&mut *tx)
                .await?;
            if let Some(room) = &room {
                tx.insert_events(&[claim.event_in(room)]).await?;
            }
            tx.commit().await?;
            Ok(room)
        }
        .await);
        self.wrote(outcome)
    }

    /// Takes over every unfinished room whose owner is gone, in one statement: those of `claim.owner` itself (from
    /// before its restart), and those without a lease or with one that has run out. Rooms of a newer event format are
    /// left alone. Ordered by id.
    pub async fn claim_unfinished(&self, claim: &Claim) -> Result<Vec<Room>, StoreError> {
        const SQL: &str = concat!(
            "UPDATE room SET epoch = epoch + 1, last_seq = last_seq + 1, owner = $1, lease_until_ms = $2 \
             WHERE finished_at_ms IS NULL AND format <= $3 \
               AND (owner = $1 OR lease_until_ms IS NULL OR lease_until_ms < $4) RETURNING ",
            room_columns!()
        );
        self.before_write().await?;
        let outcome = on_db!(self, MemoryDatabase::claim_unfinished(claim), |db| async {
            let mut tx = db.write.begin_with(db.begin).await?;
            let rooms: Vec<Room> = sqlx::query_as(SQL)
                .bind(claim.owner.as_str())
                .bind(claim.lease_until_ms)
                .bind(EVENT_FORMAT)
                .bind(claim.at_ms)
                .fetch_all(&mut *tx)
                .await?;
            let events: Vec<EventInsert<'_>> = rooms.iter().map(|room| claim.event_in(room)).collect();
            tx.insert_events(&events).await?;
            tx.commit().await?;
            Ok(rooms)
        }
        .await);
        let mut rooms = self.wrote(outcome)?;
        rooms.sort_by_key(|room| room.room_id);
        Ok(rooms)
    }
}

impl Claim {
    pub(super) fn event_in(&self, room: &Room) -> EventInsert<'_> {
        EventInsert {
            room_id: room.room_id,
            seq: room.last_seq,
            epoch: room.epoch,
            format: EVENT_FORMAT,
            at_ms: self.at_ms,
            body: &self.body,
        }
    }
}
