//! A database of one's own for each test, on SQLite and on Postgres.

use sprint_server::store::{Durability, Store, StoreOptions};
use sqlx::{Connection, PgConnection, SqliteConnection};
use tempfile::TempDir;
use uuid::Uuid;

use crate::host::PATIENCE;

/// Runs an async test body on both databases: `on_both!(name, |database| …)` makes `name::sqlite`, `name::postgres`.
macro_rules! on_both {
    ($name:ident, |$database:ident| $body:expr) => {
        $crate::database::on_both!($name, |$database| $body, and {});
    };
    ($name:ident, |$database:ident| $body:expr, and { $($more:item)* }) => {
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

            $($more)*
        }
    };
}
pub(crate) use on_both;

/// The same, and on the twin in memory as well where the build has it: `name::memory`.
macro_rules! on_each {
    ($name:ident, |$database:ident| $body:expr) => {
        $crate::database::on_both!($name, |$database| $body, and {
            #[cfg(feature = "simulation")]
            #[tokio::test]
            async fn memory() {
                story($crate::database::TestDatabase::memory()).await;
            }
        });
    };
}
pub(crate) use on_each;

/// An empty database that nobody else uses.
pub struct TestDatabase {
    /// What a server would be given.
    pub url: String,
    /// Where the file lies (SQLite).
    pub directory: Option<TempDir>,
    /// The twin in memory.
    #[cfg(feature = "simulation")]
    memory: Option<sprint_server::store::MemoryDatabase>,
}

impl TestDatabase {
    /// A file in a directory of its own.
    pub fn sqlite() -> TestDatabase {
        let directory = TempDir::new().expect("a temporary directory");
        let url = format!("sqlite://{}", directory.path().join("rooms.sqlite").display());
        TestDatabase::at(url, Some(directory))
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
        TestDatabase::at(format!("{server}/{name}"), None)
    }

    fn at(url: String, directory: Option<TempDir>) -> TestDatabase {
        TestDatabase {
            url,
            directory,
            #[cfg(feature = "simulation")]
            memory: None,
        }
    }

    /// The twin that simulations run on.
    #[cfg(feature = "simulation")]
    pub fn memory() -> TestDatabase {
        let memory = sprint_server::store::MemoryDatabase::new(sprint_server::store::StandsFor::File);
        TestDatabase { url: String::new(), directory: None, memory: Some(memory) }
    }

    /// Options that the throw-away cluster, which runs without fsync, is fit for.
    pub fn options(&self) -> StoreOptions {
        let durability = if self.directory.is_some() { Durability::Power } else { Durability::Process };
        StoreOptions { durability, ..StoreOptions::default() }
    }

    /// Opens it as a server would.
    pub async fn open(&self) -> Store {
        #[cfg(feature = "simulation")]
        if let Some(memory) = &self.memory {
            return Store::in_memory(memory);
        }
        Store::open(&self.url, self.options()).await.expect("the database opens")
    }
}

impl TestDatabase {
    /// Makes it, and opens it as often as one likes.
    pub async fn open_again(&self) -> Store {
        drop(self.open().await);
        self.open_beside().await
    }

    /// Opens it once more beside a store that is still open (tests only: two servers never share a file).
    pub async fn open_beside(&self) -> Store {
        #[cfg(feature = "simulation")]
        if let Some(memory) = &self.memory {
            return Store::in_memory(memory);
        }
        let options = StoreOptions { exclusive: false, ..self.options() };
        Store::open(&self.url, options).await.expect("the database opens")
    }

    /// An id as this database writes it in SQL.
    pub fn literal(&self, id: Uuid) -> String {
        match self.directory {
            Some(_) => format!("x'{}'", id.simple()),
            None => format!("'{id}'"),
        }
    }

    /// Runs SQL that no server would.
    pub async fn execute(&self, sql: &str) {
        let sql = sqlx::AssertSqlSafe(sql.to_owned());
        let done = match self.directory {
            Some(_) => {
                let mut connection = SqliteConnection::connect(&self.url).await.expect("the file opens");
                sqlx::raw_sql(sql).execute(&mut connection).await.map(|_| ())
            }
            None => sqlx::raw_sql(sql).execute(&mut self.connect().await).await.map(|_| ()),
        };
        done.expect("the statement is right");
    }

    /// Makes it as it was after the first `count` migrations.
    pub async fn migrate_to(&self, count: usize) {
        let first = |all: sqlx::migrate::Migrator| {
            sqlx::migrate::Migrator::with_migrations(all.iter().take(count).cloned().collect())
        };
        match self.directory {
            Some(_) => {
                let url = format!("{}?mode=rwc", self.url);
                let mut connection = SqliteConnection::connect(&url).await.expect("a new file");
                first(sqlx::migrate!("../migrations/sqlite")).run(&mut connection).await.expect("it is migrated");
                connection.close().await.expect("it closes");
            }
            None => {
                let postgres = first(sqlx::migrate!("../migrations/postgres"));
                postgres.run(&mut self.connect().await).await.expect("it is migrated");
            }
        }
    }

    /// A Postgres connection of the test's own.
    pub async fn connect(&self) -> PgConnection {
        PgConnection::connect(&self.url).await.expect("the database answers")
    }
}

impl TestDatabase {
    /// Runs `PARTS[0] THIS_DATABASE PARTS[1]` (Postgres).
    pub async fn execute_each(&self, parts: &[&str; 2]) {
        let (_, name) = self.url.rsplit_once('/').expect("the address ends in /DATABASE");
        self.execute(&format!("{} {name} {}", parts[0], parts[1])).await;
    }

    /// Rows of a table.
    pub async fn count(&self, table: &str) -> i64 {
        let sql = sqlx::AssertSqlSafe(format!("SELECT count(*) FROM {table}"));
        match self.directory {
            Some(_) => {
                let mut connection = SqliteConnection::connect(&self.url).await.expect("the file opens");
                sqlx::query_scalar(sql).fetch_one(&mut connection).await
            }
            None => sqlx::query_scalar(sql).fetch_one(&mut self.connect().await).await,
        }
        .expect("the table is there")
    }

    /// Waits until a table has such rows, a minute at most.
    pub async fn until_any(&self, table: &str) {
        let waiting = async {
            while self.count(table).await == 0 {
                tokio::task::yield_now().await;
            }
        };
        let waited = tokio::time::timeout(std::time::Duration::from_secs(60), waiting).await;
        waited.unwrap_or_else(|_| panic!("after a minute there is nothing in {table}"));
    }

    /// Waits until so many statements wait for a lock that somebody else holds (Postgres).
    pub async fn until_waiting(&self, expected: i64) {
        const SQL: &str =
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
        let mut look = self.connect().await;
        let waiting = async {
            while sqlx::query_scalar::<_, i64>(SQL).fetch_one(&mut look).await.expect("it answers") != expected {}
        };
        let waited = tokio::time::timeout(PATIENCE, waiting).await;
        waited.unwrap_or_else(|_| panic!("{expected} statements wait for a lock in the end"));
    }

    /// How often two transactions have waited for each other, once every connection of a store has ended (Postgres).
    pub async fn deadlocks(&self, store: Store) -> i64 {
        const OPEN: &str = "SELECT count(*) FROM pg_stat_activity \
             WHERE application_name = 'sprint-server' AND datname = current_database()";
        store.close().await;
        let mut look = self.connect().await;
        let ending =
            async { while sqlx::query_scalar::<_, i64>(OPEN).fetch_one(&mut look).await.expect("it answers") > 0 {} };
        tokio::time::timeout(PATIENCE, ending).await.expect("the connections end, and have told what they counted");
        let sql = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()";
        sqlx::query_scalar(sql).fetch_one(&mut look).await.expect("it answers")
    }

    /// All columns, sorted, as `TABLE COLUMN`; the migrations' own table is left out.
    pub async fn columns(&self) -> Vec<String> {
        const SQLITE: &str = "SELECT t.name || ' ' || c.name FROM sqlite_schema t, pragma_table_info(t.name) c \
             WHERE t.type = 'table' AND t.name <> '_sqlx_migrations'";
        const POSTGRES: &str = "SELECT table_name || ' ' || column_name FROM information_schema.columns \
             WHERE table_schema = 'public' AND table_name <> '_sqlx_migrations'";
        let columns: Result<Vec<String>, _> = match self.directory {
            Some(_) => {
                let mut connection = SqliteConnection::connect(&self.url).await.expect("the file opens");
                sqlx::query_scalar(SQLITE).fetch_all(&mut connection).await
            }
            None => sqlx::query_scalar(POSTGRES).fetch_all(&mut self.connect().await).await,
        };
        let mut columns = columns.expect("a schema can be listed");
        columns.sort_unstable();
        columns
    }
}
