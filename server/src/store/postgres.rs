//! Opening a Postgres database, and checking that it keeps what it acknowledges.
//!
//! Must never accept a server that answers COMMIT before the log is on disk, or one that only follows another.

use std::str::FromStr;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{Connection, PgConnection, Postgres};

use super::{Durability, Pools, StoreError, StoreOptions};

pub(super) static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!("../migrations/postgres");

/// Set for every session: a server that lost us must let our locks go within seconds, and a statement must end.
const SESSION: [(&str, &str); 6] = [
    ("tcp_keepalives_idle", "5"),
    ("tcp_keepalives_interval", "2"),
    ("tcp_keepalives_count", "3"),
    ("tcp_user_timeout", "10s"),
    ("idle_in_transaction_session_timeout", "10s"),
    ("statement_timeout", "15s"),
];

const UNLIMITED: [(&str, &str); 1] = [("statement_timeout", "0")];
const IS_STANDBY: &str = "SELECT pg_is_in_recovery()";

pub(super) async fn open(url: &str, options: &StoreOptions) -> Result<Pools<Postgres>, StoreError> {
    let connect = PgConnectOptions::from_str(url)
        .map_err(|_| StoreError::Address("postgres://…".to_owned()))?
        .application_name("sprint-server")
        .options(SESSION);
    if options.exclusive {
        // Without the session's limits: a migration may take its time.
        let mut connection = PgConnection::connect_with(&connect.clone().options(UNLIMITED)).await?;
        check(&mut connection, options.durability).await?;
        MIGRATIONS.run(&mut connection).await?;
        connection.close().await?;
    }
    let write = PgPoolOptions::new()
        .max_connections(4)
        .acquire_timeout(Duration::from_secs(2))
        .test_before_acquire(false)
        .before_acquire(|connection, _| {
            // Also asked in place of a ping: after a failover the old primary answers, but follows.
            Box::pin(async move {
                let standby: bool = sqlx::query_scalar(IS_STANDBY).fetch_one(connection).await?;
                Ok(!standby)
            })
        })
        .connect_with(connect.clone())
        .await?;
    let read = PgPoolOptions::new()
        .max_connections(options.readers.max(1))
        .acquire_timeout(Duration::from_secs(5))
        .connect_with(connect)
        .await?;
    Ok(Pools {
        write,
        read,
        begin: "BEGIN",
        snapshot: "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY",
        append_is_atomic: true,
        wal: None,
    })
}

/// Refuses a standby, and under [`Durability::Power`] a server that may lose what it has acknowledged.
async fn check(connection: &mut PgConnection, durability: Durability) -> Result<(), StoreError> {
    let standby: bool = sqlx::query_scalar(IS_STANDBY).fetch_one(&mut *connection).await?;
    if standby {
        return Err(StoreError::Unfit("it is a standby: give the address of the primary".to_owned()));
    }
    if durability == Durability::Process {
        return Ok(());
    }
    for setting in ["fsync", "synchronous_commit", "full_page_writes"] {
        let value: String =
            sqlx::query_scalar("SELECT current_setting($1)").bind(setting).fetch_one(&mut *connection).await?;
        if value == "off" {
            return Err(StoreError::Unfit(format!(
                "{setting} is off, so it may lose what it has acknowledged: set it to on \
                 (where that does not matter, `sprint-server serve` takes --durability process)"
            )));
        }
    }
    Ok(())
}
