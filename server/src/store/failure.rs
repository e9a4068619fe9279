//! What a failed write means: whether it is known not to be in the database, and whether trying again can help.
//!
//! Must never take an error for "not committed" that could have come after the commit took effect.

use sqlx::Error;

/// The class of a failed write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Surely not committed, and the same write may succeed in a moment: busy, deadlock, no connection.
    NotCommitted(String),
    /// Surely not committed, and the same write would fail for ever.
    Data(String),
    /// A board in the write was shown before by another round.
    BoardTaken,
    /// The reply was lost: it may be committed, or be about to be.
    Unknown(String),
    /// The disk failed or is full under SQLite: nothing further may be acknowledged.
    Fatal(String),
}

impl Failure {
    /// Classes an error of a statement after which COMMIT was not sent.
    pub fn before_commit(error: &Error) -> Failure {
        match error {
            Error::Database(inner) => match inner.try_downcast_ref::<sqlx::postgres::PgDatabaseError>() {
                Some(postgres) => of_sqlstate(postgres.code(), error, false),
                None => of_sqlite(inner.code().and_then(|code| code.parse().ok()).unwrap_or(0), error),
            },
            Error::WorkerCrashed | Error::PoolClosed => Failure::Fatal(error.to_string()),
            Error::Io(_) | Error::Tls(_) | Error::Protocol(_) | Error::PoolTimedOut | Error::BeginFailed => {
                Failure::NotCommitted(error.to_string())
            }
            _ => Failure::Data(error.to_string()),
        }
    }

    /// Classes an error of COMMIT itself, or of a statement that commits by itself.
    pub fn at_commit(error: &Error) -> Failure {
        match error {
            Error::Database(inner) => match inner.try_downcast_ref::<sqlx::postgres::PgDatabaseError>() {
                Some(postgres) => of_sqlstate(postgres.code(), error, true),
                None => Failure::before_commit(error),
            },
            Error::Io(_) | Error::Tls(_) | Error::Protocol(_) => Failure::Unknown(error.to_string()),
            _ => Failure::before_commit(error),
        }
    }
}

/// SQLite's extended result codes; the low byte is the primary one.
fn of_sqlite(code: i32, error: &Error) -> Failure {
    const BUSY: i32 = 5;
    const LOCKED: i32 = 6;
    const NOMEM: i32 = 7;
    const INTERRUPT: i32 = 9;
    const ERROR: i32 = 1;
    const TOOBIG: i32 = 18;
    const CONSTRAINT: i32 = 19;
    const MISMATCH: i32 = 20;
    const RANGE: i32 = 25;
    let text = error.to_string();
    match code & 0xff {
        BUSY | LOCKED | NOMEM | INTERRUPT => Failure::NotCommitted(text),
        CONSTRAINT if text.contains("dealt_board") => Failure::BoardTaken,
        ERROR | TOOBIG | CONSTRAINT | MISMATCH | RANGE => Failure::Data(text),
        _ => Failure::Fatal(text),
    }
}

/// Postgres's SQLSTATE. A server that answers with an error has rolled back, but for the few codes that say otherwise.
fn of_sqlstate(code: &str, error: &Error, committing: bool) -> Failure {
    let text = error.to_string();
    match code {
        // statement_completion_unknown, transaction_resolution_unknown.
        "40003" | "08007" => Failure::Unknown(text),
        // The server is going down or dropped us: the commit may have been done when it did.
        "57P01" | "57P02" | "57P05" if committing => Failure::Unknown(text),
        "23505" if text.contains("dealt_board") => Failure::BoardTaken,
        _ => match code.get(..2).unwrap_or("") {
            "21" | "22" | "23" | "42" | "54" | "0A" => Failure::Data(text),
            "08" if committing => Failure::Unknown(text),
            _ => Failure::NotCommitted(text),
        },
    }
}
