//! Opening a SQLite file, and keeping its write-ahead log small.
//!
//! Must never open a file for writing that another server has open, nor a file in another mode than WAL.

use std::fs::{File, OpenOptions, Permissions, TryLockError};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Sqlite, SqliteConnection};

use super::{Durability, Pools, StoreError, StoreOptions};

pub(super) static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!("../migrations/sqlite");

/// How long the writer waits for a foreign process that writes; the journal tries again after that.
const BUSY: Duration = Duration::from_millis(1000);
const BUSY_AGAIN: &str = "PRAGMA busy_timeout = 1000";

/// How long until the writer tries again to trim the log after a reader kept it from doing so.
const TRIM_AGAIN: Duration = Duration::from_millis(200);

/// The write-ahead log of an open file and its limits.
#[derive(Debug)]
pub(crate) struct Wal {
    file: PathBuf,
    bytes_soft: u64,
    bytes_max: u64,
    tried: Mutex<Option<Instant>>,
}

pub(super) async fn open(url: &str, options: &StoreOptions) -> Result<(Pools<Sqlite>, Option<File>), StoreError> {
    let connect = SqliteConnectOptions::from_str(url).map_err(|_| StoreError::Address(url.to_owned()))?;
    let file = connect.get_filename().to_path_buf();
    if url.contains(":memory:") || file.as_os_str().is_empty() {
        return Err(StoreError::Address(url.to_owned()));
    }
    let lock = if options.exclusive { Some(lock(&file)?) } else { None };
    if !options.exclusive && !file.exists() {
        return Err(StoreError::NoSchema);
    }
    if options.exclusive {
        make_private(&file).map_err(|error| StoreError::File(format!("{}: {error}", file.display())))?;
        take_from_others(&file);
    }
    let connect = connect
        .create_if_missing(options.exclusive)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(match options.durability {
            Durability::Power => SqliteSynchronous::Full,
            Durability::Process => SqliteSynchronous::Normal,
        })
        .busy_timeout(BUSY)
        // What is deleted or written over, above all the names of deleted players, is not left readable in free cells.
        .pragma("secure_delete", "FAST")
        .pragma("journal_size_limit", options.wal_bytes_soft.to_string());
    let write = SqlitePoolOptions::new()
        .max_connections(1)
        .test_before_acquire(false)
        .idle_timeout(None)
        .max_lifetime(None)
        .acquire_timeout(Duration::from_secs(5))
        .connect_with(connect.clone())
        .await?;
    if options.exclusive {
        MIGRATIONS.run(&write).await?;
    }
    let mode: String = sqlx::query_scalar("PRAGMA journal_mode").fetch_one(&write).await?;
    if mode != "wal" {
        return Err(StoreError::Unfit(format!("{} cannot use a write-ahead log (mode {mode})", file.display())));
    }
    let read = SqlitePoolOptions::new()
        .max_connections(options.readers.max(1))
        .test_before_acquire(false)
        .connect_with(connect.pragma("query_only", "1"))
        .await?;
    let mut log = file.into_os_string();
    log.push("-wal");
    let wal = Wal {
        file: log.into(),
        bytes_soft: options.wal_bytes_soft,
        bytes_max: options.wal_bytes_max.max(options.wal_bytes_soft),
        tried: Mutex::new(None),
    };
    Ok((
        Pools { write, read, begin: "BEGIN IMMEDIATE", snapshot: "BEGIN", append_is_atomic: false, wal: Some(wal) },
        lock,
    ))
}

/// Makes an empty file for its owner alone, unless there is one: SQLite would let everybody of the machine read it. Its log
/// and whatever else SQLite puts beside it take the same mode.
pub(crate) fn make_private(file: &Path) -> std::io::Result<()> {
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(file) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

/// Takes a file of before from everybody but its owner, and what lies beside it. A file of somebody else's stays as it
/// is, and the host is told.
fn take_from_others(file: &Path) {
    let file = file.canonicalize().unwrap_or_else(|_| file.to_path_buf());
    for end in ["", "-wal", "-shm", ".lock"] {
        let mut name = file.clone().into_os_string();
        name.push(end);
        let Ok(found) = std::fs::metadata(&name) else { continue };
        let mode = found.permissions().mode() & 0o777;
        if mode & 0o077 == 0 {
            continue;
        }
        let path = Path::new(&name).display();
        match std::fs::set_permissions(&name, Permissions::from_mode(mode & 0o700)) {
            Ok(()) => tracing::warn!("{path}: others than its owner could read it, and now cannot"),
            Err(error) => {
                tracing::warn!(%error, "{path}: others than its owner can read it: run `chmod 600` on it")
            }
        }
    }
}

/// Takes the lock that one server at a time can hold; it goes with the returned file.
fn lock(file: &Path) -> Result<File, StoreError> {
    let mut name = one_name(file)?.into_os_string();
    name.push(".lock");
    let lock = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .mode(0o600)
        .open(&name)
        .map_err(|error| StoreError::File(format!("{}: {error}", Path::new(&name).display())))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(StoreError::Locked { file: file.to_path_buf() }),
        Err(TryLockError::Error(error)) => {
            Err(StoreError::File(format!("locking {}: {error}", Path::new(&name).display())))
        }
    }
}

/// The file's one name: behind symbolic links, and without a hard link that would give it a second lock and a second
/// write-ahead log.
fn one_name(file: &Path) -> Result<PathBuf, StoreError> {
    let failed = |error: std::io::Error| StoreError::File(format!("{}: {error}", file.display()));
    match std::fs::metadata(file) {
        Ok(found) if found.nlink() > 1 => Err(StoreError::File(format!(
            "{} has {} names (hard links); a database may have one: remove the others",
            file.display(),
            found.nlink()
        ))),
        Ok(_) => file.canonicalize().map_err(failed),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(file.to_path_buf()),
        Err(error) => Err(failed(error)),
    }
}

impl Wal {
    /// Whether the log should be trimmed now. While a reader needs it, that is tried now and then only, unless the
    /// log stands at its hard limit.
    pub fn is_due(&self) -> bool {
        let bytes = self.bytes();
        if bytes <= self.bytes_soft {
            return false;
        }
        let mut tried = self.tried.lock().unwrap_or_else(PoisonError::into_inner);
        if bytes < self.bytes_max && tried.is_some_and(|at| at.elapsed() < TRIM_AGAIN) {
            return false;
        }
        *tried = Some(Instant::now());
        true
    }

    /// Truncates the log if no reader needs it; false if it stands at its hard limit, so that nothing may be written
    /// now.
    pub async fn trim(&self, connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
        // A reader that needs the log is not worth a stall: wait briefly, and try again later.
        sqlx::query("PRAGMA busy_timeout = 20").execute(&mut *connection).await?;
        let trimmed = sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&mut *connection).await;
        sqlx::query(BUSY_AGAIN).execute(&mut *connection).await?;
        trimmed?;
        Ok(self.bytes() < self.bytes_max)
    }

    /// The log's size now, in bytes; 0 if there is none.
    fn bytes(&self) -> u64 {
        std::fs::metadata(&self.file).map_or(0, |metadata| metadata.len())
    }
}
