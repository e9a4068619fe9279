//! Whether a database is one that this program can work on, for commands that run beside a server: they bring no schema
//! up to date.
//!
//! Must never change anything.

use super::{Store, StoreError, on_db, postgres, sqlite};

/// Postgres's code for a table that is not there.
const UNDEFINED_TABLE: &str = "42P01";

impl Store {
    /// Refuses a database without a schema, or with one from before this program; whatever a newer one has added is
    /// no matter.
    pub async fn check_schema(&self) -> Result<(), StoreError> {
        const SQL: &str = "SELECT version FROM _sqlx_migrations WHERE success";
        let known = if self.is_sqlite() { &sqlite::MIGRATIONS } else { &postgres::MIGRATIONS };
        let applied: Result<Vec<i64>, _> = on_db!(self, |db| sqlx::query_scalar(SQL).fetch_all(&db.read).await);
        match applied {
            Ok(applied) if known.iter().all(|migration| applied.contains(&migration.version)) => Ok(()),
            Ok(applied) if !applied.is_empty() => Err(StoreError::OldSchema),
            Ok(_) => Err(StoreError::NoSchema),
            Err(sqlx::Error::Database(error)) if is_missing_table(&*error) => Err(StoreError::NoSchema),
            Err(error) => Err(error.into()),
        }
    }
}

fn is_missing_table(error: &dyn sqlx::error::DatabaseError) -> bool {
    error.code().is_some_and(|code| code == UNDEFINED_TABLE) || error.message().starts_with("no such table")
}
