//! The store's twin in memory, for simulations: what a database does, without a disk, a thread or a socket.
//!
//! It stands for the database and outlives the servers that use it. One write at a time; a write takes effect at once
//! when it is answered, never before. A write that is dropped under way, by a crash or by a caller who goes away, is
//! kept or lost by chance, for nobody was answered. Reads see what is durable. Must never let a write pass that SQL
//! would refuse: the store contract is tested on all three.

mod lists;
mod tables;

use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sprint_shared::day::Day;
use uuid::Uuid;

use self::tables::Tables;
use super::{Claim, CreateRoomError, DailyBoard, Failure, NewPlayer, NewRoom, Room};
use crate::chance::random;
use crate::journal::Append;

/// As a query of a database answers.
type Answer<T> = Result<T, sqlx::Error>;

/// A database in memory. Clones are the same one.
#[derive(Clone)]
pub struct MemoryDatabase {
    inner: Arc<Inner>,
}

struct Inner {
    stands_for: StandsFor,
    /// What is durable.
    tables: Mutex<Tables>,
    /// Whoever writes.
    writer: tokio::sync::Mutex<()>,
    /// How long a write takes, in milliseconds: drawn anew for each.
    write_ms: Mutex<RangeInclusive<u64>>,
}

/// Which database it stands for; that decides what the journal does about a commit that does not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StandsFor {
    /// A file: a late commit is waited for.
    File,
    /// A database elsewhere: a late commit is given up as unknown.
    Remote,
}

impl MemoryDatabase {
    /// An empty database whose writes take no time.
    pub fn new(stands_for: StandsFor) -> MemoryDatabase {
        let (tables, writer, write_ms) = (Mutex::default(), tokio::sync::Mutex::default(), Mutex::new(0..=0));
        MemoryDatabase { inner: Arc::new(Inner { stands_for, tables, writer, write_ms }) }
    }

    /// From here on a write takes so many milliseconds.
    pub fn set_write_ms(&self, range: RangeInclusive<u64>) {
        *lock(&self.inner.write_ms) = range;
    }

    /// The `seq` of a room's last durable event; 0 if there is no such room.
    pub fn last_seq(&self, room_id: Uuid) -> i64 {
        self.tables().rooms.get(&room_id).map_or(0, |stored| stored.room.last_seq)
    }

    pub(super) fn stands_for(&self) -> StandsFor {
        self.inner.stands_for
    }

    pub(crate) async fn ping(&self) -> Answer<()> {
        Ok(())
    }

    pub(crate) async fn close(&self) {}

    /// Answers once nobody writes.
    pub(crate) async fn probe_write(&self) -> Answer<()> {
        drop(self.inner.writer.lock().await);
        Ok(())
    }

    /// False if the name is taken.
    pub(crate) async fn create_player(&self, player: &NewPlayer) -> Answer<bool> {
        self.write(|tables| tables.create_player(player)).await.map_err(refused)
    }

    pub(crate) async fn furnish_house(&self, at_ms: i64) -> Answer<()> {
        self.write(|tables| tables.furnish_house(at_ms)).await;
        Ok(())
    }

    /// `None` if the name is taken.
    pub(crate) async fn rename_player(&self, player_id: Uuid, name: &str) -> Answer<Option<bool>> {
        Ok(self.write(|tables| tables.rename_player(player_id, name)).await)
    }

    /// No name here is without one.
    pub(crate) async fn give_skeletons(&self) -> Answer<u64> {
        Ok(0)
    }

    pub(crate) async fn create_room(&self, room: &NewRoom) -> Answer<Result<(), CreateRoomError>> {
        let made = self.write(|tables| tables.create_room(room)).await.map_err(refused)?;
        Ok(if made { Ok(()) } else { Err(CreateRoomError::CodeTaken) })
    }

    pub(crate) async fn daily(&self, day: Day) -> Answer<Option<DailyBoard>> {
        Ok(self.tables().days.get(&i64::from(day.number())).cloned())
    }

    pub(crate) async fn daily_after(&self, day: i64) -> Answer<Option<DailyBoard>> {
        Ok(self.tables().days.values().find(|stored| stored.day > day).cloned())
    }

    /// None: nobody tries a day in a simulation.
    pub(crate) async fn daily_try(&self) -> Answer<Option<(Uuid, Option<String>)>> {
        Ok(None)
    }

    pub(crate) async fn make_daily(&self, daily: &DailyBoard) -> Answer<()> {
        self.write(|tables| {
            if !tables.days.contains_key(&daily.day) {
                tables.boards.insert(daily.board.clone());
                tables.days.insert(daily.day, daily.clone());
            }
        })
        .await;
        Ok(())
    }

    pub(crate) async fn claim(&self, room_id: Uuid, epoch: i64, claim: &Claim) -> Answer<Option<Room>> {
        Ok(self.write(|tables| tables.claim(room_id, epoch, claim)).await)
    }

    pub(crate) async fn claim_unfinished(&self, claim: &Claim) -> Answer<Vec<Room>> {
        Ok(self.write(|tables| tables.claim_unfinished(claim)).await)
    }

    /// Marks the room and forgets what its ghosts do; its events stay where they are. There is never more to do.
    pub(crate) async fn compact(&self, room_id: Uuid) -> Answer<bool> {
        self.write(|tables| tables.compact(room_id)).await;
        Ok(false)
    }

    /// Commits appends of distinct rooms; returns the rooms that the fence let pass.
    pub(crate) async fn commit(&self, appends: &[Append]) -> Result<Vec<Uuid>, Failure> {
        self.write(|tables| tables.commit(appends)).await
    }

    async fn write<T>(&self, apply: impl FnOnce(&mut Tables) -> T) -> T {
        let _writer = self.inner.writer.lock().await;
        let mut pending = Pending { memory: self, apply: Some(apply) };
        let range = lock(&self.inner.write_ms).clone();
        let width = range.end() - range.start() + 1;
        let pause_ms = range.start() + u64::from_le_bytes(random()) % width;
        if pause_ms > 0 {
            tokio::time::sleep(Duration::from_millis(pause_ms)).await;
        }
        let apply = pending.apply.take().expect("it is applied once");
        apply(&mut self.tables())
    }

    fn tables(&self) -> MutexGuard<'_, Tables> {
        lock(&self.inner.tables)
    }
}

/// A write under way.
struct Pending<'a, T, F: FnOnce(&mut Tables) -> T> {
    memory: &'a MemoryDatabase,
    apply: Option<F>,
}

impl<T, F: FnOnce(&mut Tables) -> T> Drop for Pending<'_, T, F> {
    fn drop(&mut self) {
        if let Some(apply) = self.apply.take()
            && random::<1>()[0] & 1 == 0
        {
            apply(&mut self.memory.tables());
        }
    }
}

/// As SQL refuses a row whose key is stored already.
fn refused(reason: &str) -> sqlx::Error {
    sqlx::Error::InvalidArgument(reason.to_owned())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player() -> NewPlayer {
        let player_id = Uuid::from_bytes(random());
        NewPlayer { player_id, name: player_id.to_string(), token_hash: random(), bot: false, created_at_ms: 0 }
    }

    #[tokio::test(start_paused = true)]
    async fn a_write_is_seen_when_it_is_answered_and_not_before() {
        let (memory, player) = (MemoryDatabase::new(StandsFor::File), player());
        memory.set_write_ms(10..=10);
        let mut writing = Box::pin(memory.create_player(&player));
        let early = tokio::time::timeout(Duration::from_millis(9), &mut writing).await;
        assert!(early.is_err() && memory.player(player.player_id).await.unwrap().is_none());
        writing.await.unwrap();
        assert!(memory.player(player.player_id).await.unwrap().is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn a_write_that_is_dropped_under_way_is_kept_or_lost() {
        let memory = MemoryDatabase::new(StandsFor::File);
        memory.set_write_ms(10..=10);
        let (mut kept, mut lost) = (0, 0);
        for _ in 0..64 {
            let player = player();
            let dropped = tokio::time::timeout(Duration::from_millis(5), memory.create_player(&player)).await;
            assert!(dropped.is_err());
            *if memory.player(player.player_id).await.unwrap().is_some() { &mut kept } else { &mut lost } += 1;
        }
        assert!(kept > 0 && lost > 0, "kept {kept}, lost {lost}");
    }
}
