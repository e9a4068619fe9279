//! How the databases go about every statement that a server makes while everything that may be read over HTTP is read:
//! by an index, never through a table that grows.

use std::collections::BTreeSet;

use serde_json::json;
use sprint_server::clock::Clock;
use sqlx::{AssertSqlSafe, Connection, PgConnection, SqliteConnection};
use uuid::Uuid;

use crate::database::{TestDatabase, on_both};
use crate::host::{Host, SMALL, race_of_two, solution};
use crate::process::Process;
use crate::rows::{player, race, store_rounds};

/// Indices that are read from end to end, for they hold none but those who wait for something to be done.
const SHORT_INDICES: [&str; 1] = ["player_nameless"];

/// Every address that answers a GET, some of them in several ways; `matches` are rounds of a room and of quick match.
fn addresses(code: &str, player: &str, matches: &[String]) -> Vec<String> {
    let mut paths: Vec<String> = [
        "/healthz",
        "/readyz",
        "/api/v1/presets",
        "/api/v1/queue",
        "/api/v1/rooms",
        "/api/v1/live",
        "/api/v1/players/me",
        "/api/v1/players/me/solo",
        "/api/v1/campaign",
        "/api/v1/tutorial",
        "/api/v1/daily",
        "/api/v1/daily/2026-01-01",
    ]
    .map(str::to_owned)
    .into();
    paths.extend([
        format!("/api/v1/rooms/{code}"),
        format!("/api/v1/rooms/{code}/way"),
        format!("/api/v1/matches?player={player}"),
        format!("/api/v1/matches?player={player}&after=9.{}", matches[0].replace('-', "")),
        format!("/api/v1/matches?limit=1&after=9.{}", matches[0].replace('-', "")),
        format!("/api/v1/players/{player}"),
    ]);
    paths.extend(["", "/replay", "/record", "/review"].map(|what| format!("/api/v1/matches/{}{what}", matches[0])));
    paths.extend(matches.iter().map(|round| format!("/api/v1/matches/{round}/ratings")));
    let boards = [
        "rating?",
        "sprint?period=day&",
        "fastest?preset=standard&",
        "fewest?preset=standard&period=week&",
        "stage?stage=1&",
        "daily?day=2026-01-01&",
    ];
    for board in boards {
        let (name, asked) = board.split_once('?').unwrap();
        paths.push(format!("/api/v1/leaderboards/{name}?{asked}limit=1"));
        paths.push(format!("/api/v1/leaderboards/{name}?{asked}list=apart"));
        paths.push(format!("/api/v1/leaderboards/{name}/me?{asked}around=2"));
    }
    paths
}

/// Whether a path of the API's document, such as `/rooms/{code}`, is this one.
fn is_of(template: &str, path: &str) -> bool {
    let path = path.split('?').next().unwrap();
    let (template, path) = (template.split('/'), path.split('/'));
    template.clone().count() == path.clone().count()
        && template.zip(path).all(|(asked, is)| asked.starts_with('{') || asked == is)
}

/// The statements of a server's log that read, each once.
fn reads(log: &str) -> BTreeSet<String> {
    let statements = log.lines().filter_map(|line| {
        let (_, rest) = line.split_once("db.statement=")?;
        let end = rest.find("\" rows_affected=")? + 1;
        let sql: String = serde_json::from_str(&rest[..end]).expect("a statement in quotes");
        Some(sql.trim().to_owned())
    });
    statements.filter(|sql| sql.starts_with("SELECT") || sql.starts_with("WITH")).collect()
}

/// What a table is called in a statement: by its name, or by a letter of its own.
fn called(table: &str, sql: &str) -> BTreeSet<String> {
    let words: Vec<&str> = sql.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|w| !w.is_empty()).collect();
    let short = words.windows(2).filter(|pair| pair[0] == table && pair[1].len() == 1);
    short.map(|pair| pair[1].to_owned()).chain([table.to_owned()]).collect()
}

/// Steps of SQLite that go through all of a growing table.
async fn scans_of_sqlite(database: &TestDatabase, tables: &BTreeSet<String>, sql: &str) -> Vec<String> {
    let mut sqlite = SqliteConnection::connect(&database.url).await.unwrap();
    let explain = AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}"));
    let steps: Vec<(i64, i64, i64, String)> = sqlx::query_as(explain).fetch_all(&mut sqlite).await.unwrap();
    let names: BTreeSet<String> = tables.iter().flat_map(|table| called(table, sql)).collect();
    let scans = steps.into_iter().map(|step| step.3).filter(|step| {
        let name = step.strip_prefix("SCAN ").and_then(|rest| rest.split(' ').next());
        name.is_some_and(|name| names.contains(name))
    });
    scans.collect()
}

/// Lines of Postgres' plan that go through all of a growing table or index, whatever it is asked for.
async fn scans_of_postgres(database: &TestDatabase, tables: &BTreeSet<String>, sql: &str) -> Vec<String> {
    let mut postgres = PgConnection::connect(&database.url).await.unwrap();
    let nulls = (1..).take_while(|n| sql.contains(&format!("${n}"))).map(|_| "NULL").collect::<Vec<_>>().join(", ");
    let prepare = format!("SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan; PREPARE asked AS {sql}");
    sqlx::raw_sql(AssertSqlSafe(prepare)).execute(&mut postgres).await.unwrap();
    let nulls = if nulls.is_empty() { nulls } else { format!("({nulls})") };
    let explain = AssertSqlSafe(format!("EXPLAIN EXECUTE asked{nulls}"));
    let lines: Vec<String> = sqlx::query_scalar(explain).fetch_all(&mut postgres).await.unwrap();
    let scans = lines.iter().enumerate().filter(|(index, line)| {
        let Some((how, table)) = line.split_once(" on ") else { return false };
        let is_short = SHORT_INDICES.iter().any(|index| how.ends_with(&format!("using {index}")));
        let is_ours = tables.contains(table.split(' ').next().unwrap()) && !is_short;
        let has_range = lines.get(index + 1).is_some_and(|next| next.contains("Index Cond:"));
        is_ours && (how.contains("Seq Scan") || how.contains("Index ") && !has_range)
    });
    scans.map(|(_, line)| line.trim().to_owned()).collect()
}

/// The statements that go through all of a growing table, and where.
async fn scans(database: &TestDatabase, tables: &BTreeSet<String>, reads: &BTreeSet<String>) -> Vec<String> {
    let mut found = Vec::new();
    for sql in reads {
        let scans = match database.directory {
            Some(_) => scans_of_sqlite(database, tables, sql).await,
            None => scans_of_postgres(database, tables, sql).await,
        };
        if !scans.is_empty() {
            found.push(format!("{sql}\n    {}", scans.join("\n    ")));
        }
    }
    found
}

on_both!(whatever_may_be_read_is_read_by_an_index, |database| {
    let columns = {
        let store = database.open().await;
        store.close().await;
        database.columns().await
    };
    // All but the one row of the ladder.
    let tables = columns.iter().map(|column| column.split(' ').next().unwrap().to_owned());
    let tables: BTreeSet<String> = tables.filter(|table| table != "ladder").collect();

    let directory = tempfile::TempDir::new().unwrap();
    let log = directory.path().join("log");
    let server = Process::start_telling(&database.url, "sqlx::query=debug", &log);
    let host: &Host = &server.host;
    let (mut ada, _ben, code, board) = race_of_two(host, json!({ "blueprint": SMALL, "public": true })).await;
    for transfer in &solution(&board) {
        ada.play(*transfer).await;
    }
    let result = ada.until("round_over").await["result"].clone();
    let by_hand = result["round_id"].as_str().unwrap().to_owned();
    let (eve, now_ms) = (host.guest("Eve").await, Clock::start().now().0 as i64);
    let bearer = eve.bearer();
    let auth = [("authorization", bearer.as_str())];
    let me = host.request("GET", "/api/v1/players/me", &auth, "").await.json();
    let me = me["player_id"].as_str().unwrap();
    let store = database.open_beside().await;
    let others = [player(&store, "P0", false).await, player(&store, "P1", false).await];
    let mut matched = race(now_ms, &[others[0], Uuid::parse_str(me).unwrap(), others[1]]);
    matched.body = store.round(Uuid::parse_str(&by_hand).unwrap()).await.unwrap().unwrap().0.body;
    store_rounds(&store, std::slice::from_ref(&matched)).await;

    let mut asked = addresses(&code, me, &[by_hand, matched.round_id.to_string()]);
    let first = host.get("/api/v1/leaderboards/sprint?period=day&limit=1").await;
    asked.push(format!("/api/v1/leaderboards/sprint?period=day&after={}", first["next"].as_str().unwrap()));
    let document = host.get("/api/v1/openapi.json").await;
    for (template, methods) in document["paths"].as_object().unwrap() {
        let is_read = methods.get("get").is_none() || asked.iter().any(|path| is_of(template, path));
        assert!(is_read, "nothing here asks for {template}");
    }
    for path in &asked {
        for headers in [&auth[..], &[]] {
            let answer = host.request("GET", path, headers, "").await;
            assert!(answer.status < 500, "{path}: {} {}", answer.status, answer.body);
        }
    }
    server.kill();

    let reads = reads(&std::fs::read_to_string(&log).unwrap());
    for part in ["FROM board_entry", "FROM board_count", "FROM seat_result", "FROM rating", "FROM room_event"] {
        assert!(reads.iter().any(|sql| sql.contains(part)), "nothing was read {part}: {reads:#?}");
    }
    let found = scans(&database, &tables, &reads).await;
    println!("{} statements read", reads.len());
    assert!(found.is_empty(), "through all of a table:\n{}", found.join("\n"));
    // As it would be said of a list without its index.
    database.execute("DROP INDEX seat_raced").await;
    let found = scans(&database, &tables, &reads).await;
    assert!(found.iter().any(|found| found.contains("s.player_id = $1")), "{found:?}");
});
