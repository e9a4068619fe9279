//! Moving a host from one database to another: every row of every table, in one transaction.
//!
//! Must never copy from a file that a server has open, nor into a database that holds anything.

use std::path::Path;

use futures_util::TryStreamExt;
use sqlx::{AssertSqlSafe, QueryBuilder, Row};
use uuid::Uuid;

use crate::store::{Durability, Store, StoreError, StoreOptions, on_db};

/// Rows that travel in one statement; with the widest table this stays below SQLite's 32,766 parameters.
const ROWS: usize = 500;

/// All that a server stores: each table with its columns, `KIND NAME`. A test holds this list to the migrations.
pub const TABLES: [(&str, &str); 21] = [
    (
        "room",
        "id room_id, text code, bool public, text options, text listing, text state, int format, int epoch, \
         int last_seq, text owner, int lease_until_ms, int created_at_ms, int finished_at_ms, bool compacted, bool matched, text guests, \
         text kicked",
    ),
    ("room_event", "id room_id, int seq, int epoch, int format, int at_ms, text body"),
    ("replay", "id room_id, int first_seq, int last_seq, text body"),
    ("seated", "id room_id, id player_id"),
    ("ghost", "id room_id, id player_id, int format, text acts"),
    (
        "player",
        "id player_id, text name, text skeleton, bool bot, int strength, text password, int standing, \
         int standing_at_ms, bool erased, int created_at_ms",
    ),
    ("device", "bytes token_hash, id player_id, int created_at_ms"),
    ("link_code", "bytes code_hash, id player_id, int expires_at_ms"),
    ("flag", "id player_id, int at_ms, int standing, text reason"),
    (
        "round_result",
        "id round_id, id room_id, int round, int first_seq, int last_seq, text preset, text board, int optimum, \
         int par, text seed, int deal_version, text contest, text placement, bool rated, bool interrupted, \
         int started_at_ms, int finished_at_ms, text body, bool matched, int number, text solo",
    ),
    (
        "seat_result",
        "id round_id, int seat, id player_id, int rank, bool finished, bool clean, int moves, int errors, \
         int raw_ms, int credit_ms, int official_ms, int score, int stars, bool flawless, bool crown, text preset, \
         int ratio_ppm, bool interrupted, int finished_at_ms, bool bot, int suspicion, text solo",
    ),
    ("dealt_board", "text board, id round_id"),
    (
        "daily",
        "int day, text preset, int deal_version, text commitment, text server_seed, int redeals, text board, \
         int optimum, int committed_at_ms",
    ),
    ("daily_try", "int day, id player_id, id room_id"),
    ("round_review", "id round_id, int format, text body"),
    ("ladder", "int id, int generation, int rounds, int building, int building_at_ms, int shown, int formula"),
    ("rating", "int generation, text series, id player_id, int mu, int sigma, int rounds, int last_at_ms"),
    (
        "seat_rating",
        "int generation, id round_id, text series, int seat, id player_id, int mu_before, int sigma_before, \
         int mu_after, int sigma_after, int rounds",
    ),
    ("pair_day", "int generation, int day, id player_a, id player_b, int rounds"),
    (
        "board_entry",
        "int generation, text board, int list, id player_id, int place, int reached_at_ms, id round_id, int rounds, \
         int wins",
    ),
    ("board_count", "int generation, text board, int list, int stretch, int entries"),
];

#[derive(Clone, Copy)]
enum Kind {
    Id,
    Bytes,
    Int,
    Bool,
    Text,
}

/// A value on its way; any may be null.
enum Value {
    Id(Option<Uuid>),
    Bytes(Option<Vec<u8>>),
    Int(Option<i64>),
    Bool(Option<bool>),
    Text(Option<String>),
}

/// Copies everything from one database to another, which must be empty: `sqlite://…` to `postgres://…` or back.
/// Returns how many rows each table received. If it fails, the target stays empty.
pub async fn copy(from: &str, to: &str, options: StoreOptions) -> Result<Vec<(&'static str, u64)>, StoreError> {
    if from == to {
        return Err(StoreError::File("the two databases are the same".to_owned()));
    }
    // Opening would make it.
    if let Some(file) = from.strip_prefix("sqlite://")
        && !Path::new(file).is_file()
    {
        return Err(StoreError::File(format!("there is no database {file} to copy from")));
    }
    // It is only read: what it may lose of what it acknowledges does not matter here.
    let source = Store::open(from, StoreOptions { durability: Durability::Process, ..options.clone() }).await?;
    let target = Store::open(to, options).await?;
    let copied = copy_rows(&source, &target).await;
    source.close().await;
    target.close().await;
    copied
}

async fn copy_rows(source: &Store, target: &Store) -> Result<Vec<(&'static str, u64)>, StoreError> {
    let mut copied = Vec::new();
    on_db!(source, |out| on_db!(target, |into| {
        let mut snapshot = out.read.begin_with(out.snapshot).await?;
        let mut tx = into.write.begin_with(into.begin).await?;
        for (table, spec) in TABLES {
            let count = AssertSqlSafe(format!("SELECT count(*) FROM {table}"));
            let held: i64 = sqlx::query_scalar(count).fetch_one(&mut *tx).await?;
            if held > 0 {
                return Err(StoreError::File(format!(
                    "the target holds rows already (table {table}): give an empty one"
                )));
            }
            let (names, kinds) = columns(spec);
            let select = AssertSqlSafe(format!("SELECT {names} FROM {table}"));
            let rows = sqlx::query(select).fetch(&mut *snapshot);
            let mut slices = std::pin::pin!(rows.try_ready_chunks(ROWS));
            let mut total = 0;
            while let Some(slice) = slices.try_next().await.map_err(|error| error.1)? {
                let mut values = Vec::with_capacity(slice.len());
                for row in &slice {
                    let mut line = Vec::with_capacity(kinds.len());
                    for (index, kind) in kinds.iter().enumerate() {
                        line.push(match kind {
                            Kind::Id => Value::Id(row.try_get(index)?),
                            Kind::Bytes => Value::Bytes(row.try_get(index)?),
                            Kind::Int => Value::Int(row.try_get(index)?),
                            Kind::Bool => Value::Bool(row.try_get(index)?),
                            Kind::Text => Value::Text(row.try_get(index)?),
                        });
                    }
                    values.push(line);
                }
                let mut insert = QueryBuilder::new(format!("INSERT INTO {table} ({names}) "));
                insert.push_values(values, |mut row, line| {
                    for value in line {
                        match value {
                            Value::Id(value) => row.push_bind(value),
                            Value::Bytes(value) => row.push_bind(value),
                            Value::Int(value) => row.push_bind(value),
                            Value::Bool(value) => row.push_bind(value),
                            Value::Text(value) => row.push_bind(value),
                        };
                    }
                });
                total += insert.build().persistent(false).execute(&mut *tx).await?.rows_affected();
            }
            copied.push((table, total));
        }
        tx.commit().await?;
    }));
    Ok(copied)
}

/// The names, as SQL takes them, and the kinds of a table's columns.
fn columns(spec: &'static str) -> (String, Vec<Kind>) {
    let (kinds, names): (Vec<Kind>, Vec<&str>) = spec
        .split(", ")
        .map(|column| match column.split_once(' ') {
            Some(("id", name)) => (Kind::Id, name),
            Some(("bytes", name)) => (Kind::Bytes, name),
            Some(("int", name)) => (Kind::Int, name),
            Some(("bool", name)) => (Kind::Bool, name),
            Some(("text", name)) => (Kind::Text, name),
            _ => unreachable!("the list of tables is fixed: `{column}`"),
        })
        .unzip();
    (names.join(", "), kinds)
}
