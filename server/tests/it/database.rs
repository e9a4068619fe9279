//! A database of one's own for each test, on SQLite and on Postgres.

use sprint_server::store::{Durability, Store, StoreOptions};
use sqlx::{Connection, PgConnection};
use tempfile::TempDir;
use uuid::Uuid;

/// Runs an async test body on both databases: `on_both!(name, |database| …)` makes `name::sqlite`, `name::postgres`.
macro_rules! on_both {
    ($name:ident, |$database:ident| $body:expr) => {
        mod $name {
            use super::*;

            async fn story($database: $crate::database::TestDatabase) {
                $body
            }

            #[tokio::test]
            async fn sqlite() {
                story($crate::database::TestDatabase::sqlite()).await;
            }

            #[tokio::test]
            async fn postgres() {
                story($crate::database::TestDatabase::postgres().await).await;
            }
        }
    };
}
pub(crate) use on_both;

/// An empty database that nobody else uses.
pub struct TestDatabase {
    /// What a server would be given.
    pub url: String,
    /// Where the file lies (SQLite).
    pub directory: Option<TempDir>,
}

impl TestDatabase {
    /// A file in a directory of its own.
    pub fn sqlite() -> TestDatabase {
        let directory = TempDir::new().expect("a temporary directory");
        let url = format!("sqlite://{}", directory.path().join("rooms.sqlite").display());
        TestDatabase { url, directory: Some(directory) }
    }

    /// A new database in the cluster that `TEST_POSTGRES_URL` names.
    pub async fn postgres() -> TestDatabase {
        let admin = std::env::var("TEST_POSTGRES_URL").unwrap_or_else(|_| {
            panic!("TEST_POSTGRES_URL is not set: run the tests as `scripts/with-postgres cargo nextest run`")
        });
        let name = format!("test_{}", Uuid::new_v4().simple());
        let mut connection = PgConnection::connect(&admin).await.expect("the cluster of TEST_POSTGRES_URL answers");
        let create = sqlx::AssertSqlSafe(format!("CREATE DATABASE {name}"));
        sqlx::raw_sql(create).execute(&mut connection).await.expect("a new database");
        let (server, _) = admin.rsplit_once('/').expect("TEST_POSTGRES_URL ends in /DATABASE");
        TestDatabase { url: format!("{server}/{name}"), directory: None }
    }

    /// Options that the throw-away cluster, which runs without fsync, is fit for.
    pub fn options(&self) -> StoreOptions {
        let durability = if self.directory.is_some() { Durability::Power } else { Durability::Process };
        StoreOptions { durability, ..StoreOptions::default() }
    }

    /// Opens it as a server would.
    pub async fn open(&self) -> Store {
        Store::open(&self.url, self.options()).await.expect("the database opens")
    }
}
