//! The store: everything that outlives the process, on SQLite or on Postgres behind one set of queries.
//!
//! Queries are written once in `$1` style and run on either database through `on_db!`; only opening a database and
//! the journal's batch know a dialect. Must never hand out a reader that can stay open while nobody pulls rows from
//! it (an open reader pins the write-ahead log): every read is one bounded page. Must never write to a SQLite file
//! after an I/O error on it: [`Health::Failed`] is final.

mod audit;
mod board;
mod compact;
mod compare;
mod daily;
mod device;
pub(crate) mod dialect;
mod entry;
mod erase;
mod event;
mod failure;
mod fair;
mod ghost;
mod guest;
mod health;
mod house;
mod ladder;
#[cfg(feature = "simulation")]
mod memory;
mod migrated;
mod player;
mod postgres;
mod rating;
mod rebuild;
mod review;
mod room;
mod round;
mod seated;
mod show;
mod solo;
mod span;
mod sqlite;
mod standings;
mod sweep;

use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use sqlx::{Pool, Postgres, Sqlite};
use thiserror::Error;
use tokio::sync::watch;

pub use board::DealtBoard;
pub use compare::{Difference, RATINGS_DIFFER};
pub use daily::{DailyBoard, MadeDaily};
pub use device::{DeviceHash, Login, PasswordSet};
pub use event::{RoomEvents, StoredEvent};
pub(crate) use failure::Failure;
pub use fair::{Judged, Suspect};
pub use ghost::GhostRow;
pub use guest::{Admission, Guest};
pub use health::Health;
pub(crate) use ladder::make_way;
#[cfg(feature = "simulation")]
pub use memory::{MemoryDatabase, StandsFor};
pub use player::{NameError, NewPlayer, Player, Standing};
pub use rating::{RatingRow, SINCE_SHOWN, SeatRatingRow};
pub use rebuild::Building;
pub use room::{Claim, CreateRoomError, FIRST_EPOCH, ListedAfter, NewRoom, Room};
pub(crate) use round::insert_rounds;
pub use round::{MatchAfter, PlayerMatch, RoundRecord, RoundResult, SeatRecord, SeatResult};
pub(crate) use seated::insert_seated;
pub use solo::{DailyResult, SoloRecord};
pub use span::Span;
pub(crate) use sqlite::make_private;
pub use standings::{BOARD_PAGE, BOARD_RANK, BOARD_UP_TO, BoardAfter, BoardKey, BoardRow, List};

/// The event format that this server writes; it claims only rooms whose format it knows, that is this or an older one.
pub const EVENT_FORMAT: i64 = 1;

/// Runs one body against whichever database is open: `on_db!(store, MemoryDatabase::…, |db| …)` gives `db` as [`Pools`]
/// of the right kind, so that a query is written once and compiled for both. What stands before it is the method that
/// the twin in memory has for the same; only builds for simulations have that twin.
macro_rules! on_db {
    ($store:expr, MemoryDatabase::$twin:ident($($argument:expr),*), |$db:ident| $body:expr) => {
        match $store.db() {
            $crate::store::Db::Sqlite($db) => $body,
            $crate::store::Db::Postgres($db) => $body,
            #[cfg(feature = "simulation")]
            $crate::store::Db::Memory(memory) => memory.$twin($($argument),*).await,
        }
    };
    ($store:expr, |$db:ident| $body:expr) => {
        match $store.db() {
            $crate::store::Db::Sqlite($db) => $body,
            $crate::store::Db::Postgres($db) => $body,
            #[cfg(feature = "simulation")]
            $crate::store::Db::Memory(_) => {
                let reason = "only a database can do this, no store in memory".to_owned();
                return Err($crate::store::StoreError::File(reason));
            }
        }
    };
}
pub(crate) use on_db;

/// A handle on the open database; clones share it.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

struct Inner {
    db: Db,
    health: watch::Sender<Health>,
    kept_ms: Option<i64>,
    pair_rounds_max: Option<i64>,
    /// Held for its lock as long as any clone lives.
    _lock: Option<File>,
}

pub(crate) enum Db {
    Sqlite(Pools<Sqlite>),
    Postgres(Pools<Postgres>),
    #[cfg(feature = "simulation")]
    Memory(MemoryDatabase),
}

pub(crate) struct Pools<DB: sqlx::Database> {
    /// Writers: one connection on SQLite, a few on Postgres.
    pub write: Pool<DB>,
    /// Readers; on SQLite they cannot write.
    pub read: Pool<DB>,
    /// How a writing transaction begins.
    pub begin: &'static str,
    /// How a reading transaction begins that sees one state of all tables.
    pub snapshot: &'static str,
    /// Whether the journal's append is one statement, all or nothing without a transaction around it.
    pub append_is_atomic: bool,
    /// What the journal must know to keep the write-ahead log small (SQLite only).
    pub wal: Option<sqlite::Wal>,
}

/// How much an acknowledgement survives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// A lost machine: every commit is synced to the disk.
    #[default]
    Power,
    /// A killed process, not a lost machine.
    Process,
}

/// How a database is opened.
#[derive(Clone, Debug)]
pub struct StoreOptions {
    /// What a commit must survive.
    pub durability: Durability,
    /// Connections for reading, at least 1.
    pub readers: u32,
    /// On SQLite: refuse to open a file that another server has open. Only commands beside a running server go
    /// without (`backup`, `verify`, `ratings`, `ban` and the like), and they run no migrations either.
    pub exclusive: bool,
    /// How long the boards of a day or a week are kept after its end, in milliseconds; `None` keeps them for ever.
    pub kept_ms: Option<i64>,
    /// Rounds of two people, or of two bots of others than the house, against each other that count on one UTC day for
    /// ratings and boards; `None` counts them all.
    pub pair_rounds_max: Option<i64>,
    /// On SQLite: the write-ahead log is truncated as soon as it is larger than this, in bytes.
    pub wal_bytes_soft: u64,
    /// On SQLite: while a reader keeps the write-ahead log larger than this, in bytes, nothing is committed.
    pub wal_bytes_max: u64,
}

impl Default for StoreOptions {
    fn default() -> Self {
        StoreOptions {
            durability: Durability::Power,
            readers: 4,
            exclusive: true,
            kept_ms: None,
            pair_rounds_max: Some(5),
            wal_bytes_soft: 16 << 20,
            wal_bytes_max: 1 << 30,
        }
    }
}

/// Why the store did not do what was asked.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The address is neither `sqlite://FILE` nor `postgres://…`.
    #[error("database address `{0}` is not understood: give sqlite://FILE or postgres://USER@HOST/NAME")]
    Address(String),
    /// Another server holds the file.
    #[error("{} is in use by another server: stop it, or give this one a file of its own", file.display())]
    Locked {
        /// The database file.
        file: PathBuf,
    },
    /// The database would not keep what it is told to keep.
    #[error("this database is not fit to hold rooms: {0}")]
    Unfit(String),
    /// Nothing was ever stored there.
    #[error(
        "this database has no schema: give the server's own, or make one with `sprint-server migrate` \
         (a server does so at its start)"
    )]
    NoSchema,
    /// What is stored there is from before this program.
    #[error("this database is of an older version: stop its server and run `sprint-server migrate` first")]
    OldSchema,
    /// What is stored there is from after this program.
    #[error(
        "this database is of a newer version (this program does not know its migration {0}): start the newer \
         sprint-server, or put a backup from before it in its place"
    )]
    NewSchema(i64),
    /// The schema could not be brought up to date.
    #[error("migrating the database: {0}")]
    Migrate(sqlx::migrate::MigrateError),
    /// The store takes no writes any more.
    #[error("the store is read-only since an error of the disk: {0}")]
    ReadOnly(String),
    /// Nothing can be written for now, and nothing was.
    #[error("the store cannot write now: {0}")]
    Busy(String),
    /// What is stored cannot be read.
    #[error("stored data is damaged: {0}")]
    Damaged(String),
    /// A file of a backup or copy.
    #[error("{0}")]
    File(String),
    /// The database refused or is away.
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
}

impl From<sqlx::migrate::MigrateError> for StoreError {
    fn from(error: sqlx::migrate::MigrateError) -> StoreError {
        match error {
            sqlx::migrate::MigrateError::VersionMissing(version) => StoreError::NewSchema(version),
            error => StoreError::Migrate(error),
        }
    }
}

impl Store {
    /// Opens `sqlite://FILE` (made if absent) or `postgres://…` and brings its schema up to date.
    pub async fn open(url: &str, options: StoreOptions) -> Result<Store, StoreError> {
        let StoreOptions { kept_ms, pair_rounds_max, .. } = options;
        let (db, lock) = if url.starts_with("sqlite:") {
            let (pools, lock) = sqlite::open(url, &options).await?;
            (Db::Sqlite(pools), lock)
        } else if url.starts_with("postgres:") || url.starts_with("postgresql:") {
            (Db::Postgres(postgres::open(url, &options).await?), None)
        } else {
            return Err(StoreError::Address(url.to_owned()));
        };
        Ok(Store::on(db, lock, kept_ms, pair_rounds_max))
    }

    /// A simulated server's store: it ends with the server, what it has committed stays in `memory`.
    #[cfg(feature = "simulation")]
    pub fn in_memory(memory: &MemoryDatabase) -> Store {
        Store::on(Db::Memory(memory.clone()), None, None, None)
    }

    fn on(db: Db, lock: Option<File>, kept_ms: Option<i64>, pair_rounds_max: Option<i64>) -> Store {
        let (health, _) = watch::channel(Health::Ok);
        Store { inner: Arc::new(Inner { db, health, kept_ms, pair_rounds_max, _lock: lock }) }
    }

    /// How the store is; readiness, sockets and the process's exit follow it.
    pub fn health(&self) -> watch::Receiver<Health> {
        self.inner.health.subscribe()
    }

    /// Asks the database for an answer within `limit`; the readiness check.
    pub async fn ping(&self, limit: Duration) -> Result<(), StoreError> {
        let sql = "SELECT 1";
        let answer =
            async { on_db!(self, MemoryDatabase::ping(), |db| sqlx::query(sql).execute(&db.read).await.map(|_| ())) };
        match tokio::time::timeout(limit, answer).await {
            Ok(answer) => Ok(answer?),
            Err(_) => Err(StoreError::Database(sqlx::Error::PoolTimedOut)),
        }
    }

    /// Closes every connection once its work is done; SQLite folds its log into the file.
    pub async fn close(&self) {
        on_db!(self, MemoryDatabase::close(), |db| {
            db.read.close().await;
            db.write.close().await;
        });
    }

    /// Whether this is a SQLite file, or stands for one.
    pub fn is_sqlite(&self) -> bool {
        match self.db() {
            Db::Sqlite(_) => true,
            Db::Postgres(_) => false,
            #[cfg(feature = "simulation")]
            Db::Memory(memory) => memory.stands_for() == StandsFor::File,
        }
    }

    /// How many rounds of two against each other count on one UTC day; `None` counts them all.
    pub(crate) fn pair_rounds_max(&self) -> Option<i64> {
        self.inner.pair_rounds_max
    }

    pub(crate) fn db(&self) -> &Db {
        &self.inner.db
    }

    pub(crate) fn set_health(&self, health: Health) {
        health::set(&self.inner.health, health);
    }

    /// Keeps the write-ahead log within its limits, before a batch.
    pub(crate) async fn trim_log(&self) -> Result<(), Failure> {
        let Db::Sqlite(Pools { write, wal: Some(wal), .. }) = self.db() else { return Ok(()) };
        if !wal.is_due() {
            return Ok(());
        }
        let trimmed = async { wal.trim(&mut *write.acquire().await?).await };
        match trimmed.await {
            Ok(true) => Ok(()),
            Ok(false) => Err(Failure::NotCommitted(
                "the write-ahead log is at its limit because a reader does not let go of it".to_owned(),
            )),
            Err(error) => Err(Failure::before_commit(&error)),
        }
    }

    /// Whether a batch could be committed now.
    pub(crate) async fn probe_write(&self) -> Result<(), Failure> {
        self.trim_log().await?;
        let probe = on_db!(self, MemoryDatabase::probe_write(), |db| {
            async { db.write.begin_with(db.begin).await?.rollback().await }.await
        });
        probe.map_err(|error| Failure::before_commit(&error))
    }

    /// Whether a write may begin: not once the disk has failed, nor while the log stands at its limit.
    pub(crate) async fn before_write(&self) -> Result<(), StoreError> {
        self.check_writable()?;
        self.trim_log().await.map_err(|failure| match failure {
            Failure::NotCommitted(reason) => StoreError::Busy(reason),
            other => StoreError::Busy(format!("{other:?}")),
        })
    }

    /// Refuses a write once the disk has failed.
    pub(crate) fn check_writable(&self) -> Result<(), StoreError> {
        match &*self.inner.health.borrow() {
            Health::Failed(reason) => Err(StoreError::ReadOnly(reason.clone())),
            Health::Ok | Health::Stalled => Ok(()),
        }
    }

    /// Passes a write's outcome on; an error of the disk makes the store read-only for good.
    pub(crate) fn wrote<T>(&self, outcome: Result<T, sqlx::Error>) -> Result<T, StoreError> {
        if let Err(error) = &outcome
            && let Failure::Fatal(reason) = Failure::before_commit(error)
        {
            self.set_health(Health::Failed(reason));
        }
        Ok(outcome?)
    }
}
