//! How long a board of a million takes: pages, one's own place with its neighbours, and the plans of both databases.
//! Every answer is checked against the order in which the rows were laid out.
//!
//!     cargo bench -p sprint-server --bench boards
//!     FSYNC=on scripts/with-postgres cargo bench -p sprint-server --bench boards
//!
//! ENTRIES=100000 takes fewer.

use std::time::{Duration, Instant};

use sprint_server::store::{BOARD_PAGE, BOARD_RANK, BOARD_UP_TO, BoardAfter, BoardKey, BoardRow, Durability, List};
use sprint_server::store::{Span, Store, StoreOptions};
use sqlx::{AssertSqlSafe, Connection, PgConnection, SqliteConnection};
use tempfile::TempDir;
use uuid::Uuid;

/// How often each question is asked.
const TIMES: i64 = 200;
/// Entries of a page, and neighbours on either side.
const PAGE: i64 = 50;
const AROUND: i64 = 3;
/// What the databases are asked to explain.
const PLANS: [(&str, &str); 3] = [("page", BOARD_PAGE), ("page upwards", BOARD_UP_TO), ("rank", BOARD_RANK)];

/// What differs between the databases when rows are laid out: numbers from 1, an id that holds a number, a truth.
struct Words {
    numbers: &'static str,
    id: &'static str,
    no: &'static str,
    yes: &'static str,
    scramble: &'static str,
}

const SQLITE: Words = Words {
    numbers: "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {entries})",
    id: "unhex(printf('%016x%016x', {of}, {of}))",
    no: "0",
    yes: "1",
    scramble: "(i * 2654435761 % 4294967296)",
};
const POSTGRES: Words = Words {
    numbers: "WITH n(i) AS (SELECT generate_series(1::bigint, {entries}))",
    id: "(lpad(to_hex({of}), 16, '0') || lpad(to_hex({of}), 16, '0'))::uuid",
    no: "false",
    yes: "true",
    scramble: "(i * 2654435761 % 4294967296)",
};

/// The statements that lay out as many players, each with an entry, a rating and a seat of a round of four.
fn rows(words: &Words, entries: i64) -> Vec<String> {
    let Words { numbers, id, no, yes, scramble } = words;
    let numbers = numbers.replace("{entries}", &entries.to_string());
    let (player, round) = (id.replace("{of}", "i"), id.replace("{of}", "(i + 3) / 4"));
    let insert = |table: &str, columns: &str, values: String, condition: &str| {
        format!("INSERT INTO {table} ({columns}) {numbers} SELECT {values} FROM n WHERE {condition}")
    };
    vec![
        insert("player", "player_id, name, bot, created_at_ms", format!("{player}, 'Player ' || i, {no}, i"), "true"),
        insert(
            "board_entry",
            "generation, board, list, player_id, place, reached_at_ms, round_id, rounds, wins",
            // About five share each sum.
            format!("1, 'points/all/', 0, {player}, -({scramble} % {}), {scramble}, {round}, 40, 10", entries / 5 + 3),
            "true",
        ),
        // Other boards lie beside it.
        "INSERT INTO board_entry (generation, board, list, player_id, place, reached_at_ms, round_id, rounds, wins) \
         SELECT 1, 'points/all/standard', 0, player_id, place / 2, reached_at_ms, round_id, 20, 5 FROM board_entry"
            .to_owned(),
        "INSERT INTO board_count (generation, board, list, stretch, entries) \
         SELECT generation, board, list, place >> 8, count(*) FROM board_entry GROUP BY 1, 2, 3, 4"
            .to_owned(),
        insert(
            "rating",
            "generation, series, player_id, mu, sigma, rounds, last_at_ms",
            format!("1, '', {player}, 25000000, 1000000, 40, i"),
            "true",
        ),
        insert(
            "round_result",
            "round_id, room_id, round, first_seq, last_seq, preset, board, optimum, par, seed, deal_version, contest, \
             placement, rated, interrupted, started_at_ms, finished_at_ms, body, matched, number",
            format!(
                "{player}, {player}, 1, 1, 9, 'standard', '', 22, 27, '', 1, 'fastest', 'strict', {yes}, {no}, i, i, \
                 '{{}}', {yes}, i"
            ),
            &format!("i <= {}", entries / 4),
        ),
        insert(
            "seat_result",
            "round_id, seat, player_id, rank, finished, clean, moves, errors, official_ms, score, flawless, crown, \
             preset, interrupted, finished_at_ms",
            format!(
                "{round}, i % 4 + 1, {player}, 1, {yes}, {yes}, 24, 0, 45000, 1500, {yes}, {no}, 'standard', {no}, i"
            ),
            "true",
        ),
    ]
}

#[tokio::main]
async fn main() {
    let entries: i64 = std::env::var("ENTRIES").map_or(1_000_000, |text| text.parse().expect("ENTRIES is a number"));
    let directory = TempDir::new_in(".").expect("a directory on the disk that is measured");
    let url = format!("sqlite://{}", directory.path().join("boards.sqlite").display());
    Store::open(&url, StoreOptions::default()).await.expect("the database opens").close().await;
    let mut connection = SqliteConnection::connect(&url).await.expect("the file opens");
    for statement in rows(&SQLITE, entries) {
        sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut connection).await.expect("rows are laid out");
    }
    println!("SQLite, {entries} entries");
    let board = BoardKey::points(Span::All, None);
    // In the middle of the list.
    let (place, (stretch, first)) = (-entries / 10, board.stretch(-entries / 10));
    for (name, sql) in PLANS {
        let plan = AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}"));
        let query = sqlx::query_as(plan).bind(board.as_str()).bind(0_i64).bind(place).bind(0_i64).bind(Uuid::nil());
        let query = match name {
            "rank" => query.bind(stretch).bind(first),
            _ => query.bind(PAGE).bind(None::<&str>).bind(i64::MAX),
        };
        let steps: Vec<(i64, i64, i64, String)> = query.fetch_all(&mut connection).await.expect("a plan");
        steps.iter().for_each(|step| println!("  plan of a {name}: {}", step.3));
    }
    connection.close().await.expect("the file closes");
    measure(&url, Durability::Power, entries).await;

    if let Ok(url) = std::env::var("TEST_POSTGRES_URL") {
        let options = StoreOptions { durability: Durability::Process, ..StoreOptions::default() };
        Store::open(&url, options).await.expect("the database opens").close().await;
        let mut connection = PgConnection::connect(&url).await.expect("the database answers");
        for statement in rows(&POSTGRES, entries) {
            sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut connection).await.expect("rows are laid out");
        }
        // An index alone is read only where the visibility map says so.
        sqlx::raw_sql("VACUUM ANALYZE").execute(&mut connection).await.expect("it is vacuumed");
        println!("Postgres, {entries} entries, after VACUUM ANALYZE");
        for (name, sql) in PLANS {
            let plan = AssertSqlSafe(format!("EXPLAIN {sql}"));
            let query = sqlx::query_scalar(plan).bind(board.as_str()).bind(0_i64).bind(place).bind(0_i64);
            let query = query.bind(Uuid::nil());
            let query = match name {
                "rank" => query.bind(stretch).bind(first),
                _ => query.bind(PAGE).bind(None::<&str>).bind(i64::MAX),
            };
            let lines: Vec<String> = query.fetch_all(&mut connection).await.expect("a plan");
            lines.iter().for_each(|line| println!("  plan of a {name}: {line}"));
        }
        measure(&url, Durability::Process, entries).await;
    }
}

async fn measure(url: &str, durability: Durability, entries: i64) {
    let options = StoreOptions { durability, ..StoreOptions::default() };
    let store = Store::open(url, options).await.expect("the database opens");
    let order = order(&store, entries).await;
    let board = BoardKey::points(Span::All, None);
    for (name, rank) in [("first page", 0), ("page in the middle", entries / 2), ("last page", entries - PAGE)] {
        let mut times = Vec::new();
        for turn in 0..TIMES {
            let before = (rank + turn).min(entries - PAGE);
            let after = if rank == 0 { None } else { Some(order[before as usize - 1]) };
            let asked = Instant::now();
            let page = store.board_page(&board, List::People, after, PAGE).await.expect("a page");
            times.push(asked.elapsed());
            let from = if after.is_some() { before as usize } else { 0 };
            assert_eq!(page.iter().map(place).collect::<Vec<_>>(), order[from..from + PAGE as usize]);
            assert!(page.iter().all(|row| row.official_ms == Some(45_000) && !row.name.is_empty()));
        }
        report(name, times);
    }
    for (name, rank) in [("own place, first", 1), ("own place, middle", entries / 2), ("own place, last", entries)] {
        let mut times = Vec::new();
        for turn in 0..TIMES {
            let rank = if rank == entries { rank - turn } else { rank + turn };
            let own = order[rank as usize - 1];
            let asked = Instant::now();
            let found = store.board_around(&board, List::People, own.player_id, AROUND).await.expect("a place");
            times.push(asked.elapsed());
            let (found, around) = found.expect("everybody stands there");
            assert_eq!(found, rank);
            assert!(around.iter().any(|row| place(row) == own));
        }
        report(name, times);
    }
    store.close().await;
}

/// Everybody in order, worked out from how the rows were laid out.
async fn order(store: &Store, entries: i64) -> Vec<BoardAfter> {
    let scramble = |i: i64| i * 2_654_435_761 % 4_294_967_296;
    let row = |i: i64| BoardAfter {
        place: -(scramble(i) % (entries / 5 + 3)),
        reached_at_ms: scramble(i),
        player_id: Uuid::from_u64_pair(i as u64, i as u64),
        until_ms: i64::MAX,
    };
    let mut order: Vec<BoardAfter> = (1..=entries).map(row).collect();
    order.sort_unstable_by_key(|row| (row.place, row.reached_at_ms, row.player_id));
    // The caches are warm from here on, as they are on a server that runs.
    let warm = store.board_page(&BoardKey::points(Span::All, None), List::People, None, 1).await;
    assert_eq!(place(&warm.expect("a page")[0]), order[0]);
    order
}

fn place(row: &BoardRow) -> BoardAfter {
    BoardAfter { place: row.place, reached_at_ms: row.reached_at_ms, player_id: row.player_id, until_ms: i64::MAX }
}

fn report(name: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |part: usize| times[times.len() * part / 100].as_secs_f64() * 1e3;
    println!("  {name}: p50 {:.2} ms, p95 {:.2} ms, p99 {:.2} ms", at(50), at(95), at(99));
}
