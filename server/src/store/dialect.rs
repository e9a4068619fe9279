//! The few statements that differ between the databases: all of them write many rows at once.
//!
//! Must never accept a row whose epoch or sequence does not follow the room row: that row is the fence.

mod postgres;
mod sqlite;

use uuid::Uuid;

/// Moves a room forward by one append, if the room row agrees.
#[derive(Clone, Debug)]
pub(crate) struct Advance<'a> {
    pub room_id: Uuid,
    pub epoch: i64,
    pub first_seq: i64,
    pub last_seq: i64,
    pub state: Option<&'a str>,
    pub listing: Option<&'a str>,
    pub finished_at_ms: Option<i64>,
    pub kicked: Option<&'a str>,
}

/// A row of `room_event`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EventInsert<'a> {
    pub room_id: Uuid,
    pub seq: i64,
    pub epoch: i64,
    pub format: i64,
    pub at_ms: i64,
    pub body: &'a str,
}

/// What each kind of connection can do in its own words.
pub(crate) trait Dialect {
    /// Advances the rooms that the fence lets pass and inserts their events; returns the ids of these rooms.
    async fn append(&mut self, rooms: &[Advance<'_>], events: &[EventInsert<'_>]) -> Result<Vec<Uuid>, sqlx::Error>;

    /// Inserts events without a fence of their own, in a transaction that has advanced their rooms.
    async fn insert_events(&mut self, events: &[EventInsert<'_>]) -> Result<(), sqlx::Error>;
}
