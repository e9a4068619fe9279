//! A backup of a SQLite file while its server runs.
//!
//! Must never leave a half-written file under the name that was asked for, nor overwrite one.

use std::fs::File;
use std::path::{Path, PathBuf};

use sqlx::{Connection, SqlitePool};

use crate::store::{Db, Store, StoreError, make_private};

/// Writes a consistent copy of the database to `path`, which must not exist. The copy is a database of its own: a
/// server starts on it. Returns its size in bytes.
pub async fn backup(store: &Store, path: &Path) -> Result<u64, StoreError> {
    let Db::Sqlite(pools) = store.db() else {
        return Err(StoreError::File(
            "only a SQLite file is backed up like this: for Postgres there is pg_dump".to_owned(),
        ));
    };
    if path.exists() {
        return Err(StoreError::File(format!("{} exists: give a name that is free", path.display())));
    }
    let part = part_of(path)?;
    let failed =
        |what: &str, error: &dyn std::fmt::Display| StoreError::File(format!("{what} {}: {error}", part.display()));
    if part.exists() {
        std::fs::remove_file(&part).map_err(|error| failed("removing", &error))?;
    }
    make_private(&part).map_err(|error| failed("writing", &error))?;
    let name = part.to_str().ok_or_else(|| failed("writing", &"the name is not UTF-8"))?;
    if let Err(error) = vacuum_into(&pools.read, name).await {
        let _ = std::fs::remove_file(&part);
        return Err(failed("writing", &error));
    }
    // The copy is written without syncing: it counts only once it is on the disk under its own name.
    let size = File::open(&part)
        .and_then(|file| file.sync_all().and_then(|()| file.metadata()))
        .map_err(|error| failed("syncing", &error))?
        .len();
    std::fs::hard_link(&part, path).map_err(|error| failed("naming", &error))?;
    std::fs::remove_file(&part).map_err(|error| failed("removing", &error))?;
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(directory).and_then(|directory| directory.sync_all()).map_err(|error| failed("syncing", &error))?;
    Ok(size)
}

/// Copies the state of one instant, on a connection of its own: readers may not write, not even elsewhere.
async fn vacuum_into(readers: &SqlitePool, name: &str) -> Result<(), sqlx::Error> {
    let mut connection = readers.acquire().await?.detach();
    sqlx::query("PRAGMA query_only = 0").execute(&mut connection).await?;
    sqlx::query("VACUUM INTO $1").bind(name).execute(&mut connection).await?;
    connection.close().await
}

fn part_of(path: &Path) -> Result<PathBuf, StoreError> {
    let mut name = path
        .file_name()
        .ok_or_else(|| StoreError::File(format!("{} is not the name of a file", path.display())))?
        .to_owned();
    name.push(".part");
    Ok(path.with_file_name(name))
}
