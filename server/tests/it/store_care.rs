//! The store cared for: locks, backups, copies, compaction, migrations, a bounded log.

use sprint_server::backup::backup;
use sprint_server::copy::{TABLES, copy};
use sprint_server::journal::{AppendError, Journal, JournalOptions};
use sprint_server::store::{
    DailyBoard, DealtBoard, Durability, GhostRow, Health, MadeDaily, RoundRecord, Standing, Store, StoreError,
    StoreOptions,
};
use sprint_shared::day::Day;
use sqlx::{Connection, PgConnection, SqliteConnection};
use std::time::Duration;
use uuid::Uuid;

use crate::database::{TestDatabase, on_both};
use crate::rows::{NOON_MS, append, claim, player, room, round, seat};

/// The first eight bytes of each committed migration's SHA-384. A change needs a new migration: databases in use
/// have run these.
const SQLITE_SUMS: [&str; 11] = [
    "dd4f407e1784581e",
    "a54e8128e49c81a8",
    "8be7f19e88248fac",
    "2ab7ff639dca7348",
    "bccf6bb0c387e6e9",
    "fd7df7424f446964",
    "597bb226198509fd",
    "b0ebc112902c41cf",
    "c9df0803b069e1e0",
    "28e572ee96f3f0aa",
    "33c11420fe75f6f4",
];
const POSTGRES_SUMS: [&str; 11] = [
    "47502869784ace1b",
    "fe764468c6320580",
    "f580d4783cee1615",
    "de7e263e786c8e43",
    "9f4d2370c9d9779c",
    "5b50ac7218bac181",
    "bac31f38ce9f2a6d",
    "41c57bbf9817f7ea",
    "e30b4f51476ec688",
    "dccbd53c79380974",
    "73352acc6d8d29d0",
];

/// A small host: two players, an open room with a ghost that is a daily try as well, a finished one with two rounds and
/// 1,203 events, and a day's board.
struct Host {
    open: Uuid,
    finished: Uuid,
    round: Uuid,
}

async fn host(store: &Store) -> Host {
    let (journal, task) = Journal::start(store.clone(), JournalOptions::default());
    let (mut open, finished) = (room("OPEN01"), room("OVER01"));
    let (ada, bob) = (player(store, "Ada", false).await, player(store, "Bob", true).await);
    let day = Day::of(NOON_MS);
    (open.seated, open.try_of) = (vec![ada], Some(day));
    let daily = DailyBoard {
        day: day.number().into(),
        preset: "initiate".to_owned(),
        deal_version: 1,
        commitment: "aa".repeat(32),
        server_seed: "bb".repeat(32),
        redeals: 2,
        board: "R2R1/-/- 7".to_owned(),
        optimum: 9,
        committed_at_ms: NOON_MS - 1,
    };
    assert_eq!(store.make_daily(&daily).await.unwrap(), MadeDaily::Stored);
    open.ghosts = vec![GhostRow { player_id: Uuid::from_u128(7), format: 1, acts: "850:1-2".to_owned() }];
    store.create_room(&open).await.unwrap();
    store.create_room(&finished).await.unwrap();
    journal.append(append(open.room_id, 1, 1, &["a", "b"])).await.unwrap();
    let mut playing = append(finished.room_id, 1, 1, &["\"é\\\u{1F5FC}"; 1200]);
    let result = round(NOON_MS, 1202, vec![seat(0, ada, 40_000, 22, 1650), seat(1, bob, 50_000, 25, 1100)]);
    playing.dealt = vec![DealtBoard { board: result.board.clone(), round_id: result.round_id, again: false }];
    journal.append(playing).await.unwrap();
    let mut ending = append(finished.room_id, 1, 1201, &["over", "closed", "goodbye"]);
    ending.change.finished_at_ms = Some(NOON_MS);
    ending.change.state = Some("closed".to_owned());
    let solo = Some("daily/2026-01-15".to_owned());
    let alone = RoundRecord { solo, ..round(NOON_MS, 1203, vec![seat(0, ada, 40_000, 22, 1650)]) };
    let round = result.round_id;
    ending.outcomes = vec![result, alone];
    journal.append(ending).await.unwrap();
    drop(journal);
    task.await.unwrap();
    Host { open: open.room_id, finished: finished.room_id, round }
}

on_both!(compaction_moves_a_finished_room_into_the_replay_and_loses_nothing, |database| {
    let store = database.open().await;
    let host = host(&store).await;
    let before = store.events(host.finished, 1).await.unwrap();
    assert_eq!(before.len(), 1203);
    let (result, _) = store.round(host.round).await.unwrap().unwrap();
    let replay = store.replay(&result).await.unwrap();
    assert_eq!(replay.len(), 1202);

    assert_eq!(store.compact_finished(NOON_MS, 10).await.unwrap(), 0, "not before its time");
    assert_eq!(store.compact_finished(NOON_MS + 1, 10).await.unwrap(), 1);
    assert_eq!(store.compact_finished(NOON_MS + 1, 10).await.unwrap(), 0);
    assert_eq!(database.count("room_event").await, 2, "only the open room's events are left");
    assert_eq!(database.count("replay").await, 3, "1,203 events in slices of at most 500");
    assert_eq!(store.events(host.finished, 1).await.unwrap(), before);
    assert_eq!(store.events(host.finished, 1203).await.unwrap(), before[1202..]);
    assert_eq!(store.replay(&result).await.unwrap(), replay);
    assert_eq!(store.events(host.open, 1).await.unwrap().len(), 2);
    let kept = store.room(host.finished).await.unwrap().unwrap();
    assert_eq!((kept.last_seq, kept.state.as_str()), (1203, "closed"));
});

on_both!(every_table_and_column_is_on_the_list_that_copy_follows, |database| {
    drop(database.open().await);
    let mut expected: Vec<String> = TABLES
        .iter()
        .flat_map(|(table, columns)| {
            columns.split(", ").map(move |column| format!("{table} {}", column.split_once(' ').unwrap().1))
        })
        .collect();
    expected.sort_unstable();
    assert_eq!(database.columns().await, expected);
});

#[tokio::test]
async fn a_file_is_locked_under_whatever_name_it_is_opened() {
    let database = TestDatabase::sqlite();
    let _open = database.open().await;
    let file = database.url.strip_prefix("sqlite://").unwrap().to_owned();
    let options = StoreOptions { durability: Durability::Process, ..StoreOptions::default() };
    let linked = format!("{file}-by-another-name");
    std::os::unix::fs::symlink(&file, &linked).unwrap();
    let by_symlink = Store::open(&format!("sqlite://{linked}"), options.clone()).await;
    assert!(matches!(by_symlink, Err(StoreError::Locked { .. })));
    std::fs::remove_file(&linked).unwrap();
    std::fs::hard_link(&file, &linked).unwrap();
    let by_hard_link = Store::open(&format!("sqlite://{linked}"), options).await;
    assert!(matches!(by_hard_link, Err(StoreError::File(reason)) if reason.contains("hard links")));
    std::fs::remove_file(&linked).unwrap();
}

#[tokio::test]
async fn nothing_is_copied_from_a_file_that_is_not_there() {
    let (missing, to) = (TestDatabase::sqlite(), TestDatabase::sqlite());
    let options = StoreOptions { durability: Durability::Process, ..StoreOptions::default() };
    let copied = copy(&missing.url, &to.url, options).await;
    assert!(matches!(copied, Err(StoreError::File(reason)) if reason.contains("no database")));
    assert!(!std::path::Path::new(missing.url.strip_prefix("sqlite://").unwrap()).exists());
}

#[tokio::test]
async fn a_host_moves_from_sqlite_to_postgres_and_back() {
    let (from, to, back) = (TestDatabase::sqlite(), TestDatabase::postgres().await, TestDatabase::sqlite());
    let store = from.open().await;
    let host = host(&store).await;
    store.compact_finished(NOON_MS + 1, 10).await.unwrap();
    let options = StoreOptions { durability: Durability::Process, ..StoreOptions::default() };
    let in_use = copy(&from.url, &to.url, options.clone()).await;
    assert!(matches!(in_use, Err(StoreError::Locked { .. })), "{in_use:?}");
    let before = everything(&store, &host).await;
    store.close().await;
    drop(store);

    let counts = [
        ("room", 2),
        ("room_event", 2),
        ("replay", 3),
        ("seated", 1),
        ("ghost", 1),
        ("player", 2),
        ("device", 2),
        ("link_code", 0),
        ("flag", 0),
        ("round_result", 2),
        ("seat_result", 3),
        ("dealt_board", 2),
        ("daily", 1),
        ("daily_try", 1),
        ("round_review", 0),
        ("ladder", 1),
        ("rating", 0),
        ("seat_rating", 0),
        ("pair_day", 0),
        ("board_entry", 0),
        ("board_count", 0),
    ];
    assert_eq!(copy(&from.url, &to.url, options.clone()).await.unwrap(), counts);
    let full = copy(&from.url, &to.url, options.clone()).await;
    assert!(matches!(&full, Err(StoreError::File(text)) if text.contains("empty")), "{full:?}");
    let moved = to.open().await;
    assert_eq!(everything(&moved, &host).await, before);
    // Play goes on there, and the fence came along.
    let (journal, _task) = Journal::start(moved.clone(), JournalOptions::default());
    assert_eq!(journal.append(append(host.open, 2, 3, &["z"])).await, Err(AppendError::Fenced));
    let taken = moved.claim(host.open, 1, &claim("there")).await.unwrap().unwrap();
    assert_eq!((taken.epoch, taken.last_seq), (2, 3));
    assert_eq!(copy(&to.url, &back.url, options).await.unwrap()[1], ("room_event", 3));
}

/// What a host holds, as far as anybody can ask for it.
async fn everything(store: &Store, host: &Host) -> String {
    let rooms = (store.room(host.open).await.unwrap(), store.room(host.finished).await.unwrap());
    let events = (store.events(host.open, 1).await.unwrap(), store.events(host.finished, 1).await.unwrap());
    let (round, ghosts) = (store.round(host.round).await.unwrap(), store.ghosts(host.open).await.unwrap());
    let mut alone = Vec::new();
    for key in store.round_keys(None, 10).await.unwrap() {
        alone.extend(store.round(key.round_id).await.unwrap().filter(|(round, _)| round.solo.is_some()));
    }
    let (day, seats) = (Day::of(NOON_MS), alone.first().expect("one was played alone").1.clone());
    let tried = store.daily_try(day, seats[0].seat.player_id).await.unwrap().expect("it was tried");
    let daily = store.daily(day).await.unwrap().expect("it was dealt");
    format!("{rooms:?} {events:?} {round:?} {ghosts:?} {alone:?} {tried:?} {daily:?}")
}

#[tokio::test]
async fn a_file_belongs_to_one_server_at_a_time() {
    let database = TestDatabase::sqlite();
    let store = database.open().await;
    let second = Store::open(&database.url, database.options()).await;
    let error = second.map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("in use by another server"), "{error}");
    drop(store);
    database.open().await;
}

#[tokio::test]
async fn a_backup_is_taken_beside_a_running_server_and_a_server_starts_on_it() {
    let database = TestDatabase::sqlite();
    let server = database.open().await;
    let host = host(&server).await;
    let before = everything(&server, &host).await;

    let beside = Store::open(&database.url, StoreOptions { exclusive: false, ..database.options() }).await.unwrap();
    let restored = TestDatabase::sqlite();
    let path = restored.directory.as_ref().unwrap().path().join("rooms.sqlite");
    let bytes = backup(&beside, &path).await.unwrap();
    assert_eq!(bytes, std::fs::metadata(&path).unwrap().len());
    let again = backup(&beside, &path).await.unwrap_err().to_string();
    assert!(again.contains("exists"), "{again}");
    // The server goes on meanwhile; what it does now is not in the backup.
    server.claim(host.open, 1, &claim("here")).await.unwrap().unwrap();

    let files = std::fs::read_dir(path.parent().unwrap()).unwrap().count();
    assert_eq!(files, 1, "nothing but the backup is left");
    let started = restored.open().await;
    assert_eq!(everything(&started, &host).await, before);
    assert_eq!(started.claim_unfinished(&claim("here")).await.unwrap().len(), 1);
}

#[tokio::test]
async fn beside_a_server_nothing_is_made_up_when_the_file_is_absent() {
    let database = TestDatabase::sqlite();
    let options = StoreOptions { exclusive: false, ..database.options() };
    assert!(Store::open(&database.url, options).await.is_err());
    assert_eq!(std::fs::read_dir(database.directory.as_ref().unwrap().path()).unwrap().count(), 0);
}

#[tokio::test]
async fn an_address_that_is_no_database_is_refused_with_what_would_be_right() {
    for address in ["", "rooms.sqlite", "mysql://localhost/x", "sqlite::memory:"] {
        let error = Store::open(address, StoreOptions::default()).await.map(|_| ()).unwrap_err().to_string();
        assert!(error.contains("sqlite://FILE"), "{address}: {error}");
    }
}

#[tokio::test]
async fn a_postgres_that_may_lose_commits_is_refused_unless_the_host_allows_it() {
    let database = TestDatabase::postgres().await;
    database.execute_each(&["ALTER DATABASE", "SET synchronous_commit = off"]).await;
    let power = Store::open(&database.url, StoreOptions::default()).await;
    let error = power.map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("is off"), "{error}");
    database.open().await;
}

#[tokio::test]
async fn a_pinned_reader_cannot_make_the_log_grow_past_its_cap() {
    let database = TestDatabase::sqlite();
    let (soft, cap) = (256 << 10, 1 << 20);
    let options = StoreOptions { wal_bytes_soft: soft, wal_bytes_max: cap, ..database.options() };
    let store = Store::open(&database.url, options).await.unwrap();
    let journal_options = JournalOptions { retry_for: Duration::from_millis(100), ..JournalOptions::default() };
    let (journal, _task) = Journal::start(store.clone(), journal_options);
    let new = room("AAAAAA");
    store.create_room(&new).await.unwrap();
    let log = database.directory.as_ref().unwrap().path().join("rooms.sqlite-wal");
    let log_bytes = || std::fs::metadata(&log).map_or(0, |metadata| metadata.len());

    let mut reader = SqliteConnection::connect(&database.url).await.unwrap();
    sqlx::raw_sql("BEGIN; SELECT count(*) FROM room").execute(&mut reader).await.unwrap();
    let body = "x".repeat(20_000);
    let mut acknowledged = 0;
    let refused = loop {
        match journal.append(append(new.room_id, 1, acknowledged + 1, &[&body])).await {
            Ok(()) => acknowledged += 1,
            Err(error) => break error,
        }
        assert!(log_bytes() < cap + (64 << 10), "the log has {} bytes", log_bytes());
    };
    assert!(matches!(refused, AppendError::Unavailable(_)), "{refused:?}");
    assert!(acknowledged > 10, "the cap leaves room: {acknowledged}");

    sqlx::raw_sql("COMMIT").execute(&mut reader).await.unwrap();
    store.health().wait_for(|now| *now == Health::Ok).await.unwrap();
    journal.append(append(new.room_id, 1, acknowledged + 1, &["last"])).await.unwrap();
    assert!(log_bytes() <= soft, "the log is small again: {}", log_bytes());
    assert_eq!(store.events(new.room_id, 1).await.unwrap().len() as i64, acknowledged + 1);
}

#[tokio::test]
async fn a_database_of_every_committed_state_is_brought_up_to_date() {
    let sqlite: Vec<_> = sqlx::migrate!("../migrations/sqlite").iter().cloned().collect();
    let postgres: Vec<_> = sqlx::migrate!("../migrations/postgres").iter().cloned().collect();
    let name = |migration: &sqlx::migrate::Migration| (migration.version, migration.description.clone());
    assert_eq!(
        sqlite.iter().map(name).collect::<Vec<_>>(),
        postgres.iter().map(name).collect::<Vec<_>>(),
        "both databases have the same migrations"
    );
    let fresh = (TestDatabase::sqlite(), TestDatabase::postgres().await);
    fresh.0.open().await;
    fresh.1.open().await;
    for count in 0..=sqlite.len() {
        let old = TestDatabase::sqlite();
        let url = format!("{}?mode=rwc", old.url);
        let mut connection = SqliteConnection::connect(&url).await.unwrap();
        sqlx::migrate::Migrator::with_migrations(sqlite[..count].to_vec()).run(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        check_old_room(&old, count).await;
        assert_eq!(old.columns().await, fresh.0.columns().await, "SQLite from migration {count}");

        let old = TestDatabase::postgres().await;
        let mut connection = PgConnection::connect(&old.url).await.unwrap();
        sqlx::migrate::Migrator::with_migrations(postgres[..count].to_vec()).run(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        check_old_room(&old, count).await;
        assert_eq!(old.columns().await, fresh.1.columns().await, "Postgres from migration {count}");
    }
}

/// A room that was under way under the first `count` migrations goes on under the newest.
async fn check_old_room(old: &TestDatabase, count: usize) {
    if count > 0 {
        let (id, yes) = match old.directory {
            Some(_) => ("x'01890000000070008000000000000001'", "1"),
            None => ("'01890000-0000-7000-8000-000000000001'", "true"),
        };
        old.execute(&format!(
            "INSERT INTO room (room_id, code, public, options, listing, state, format, epoch, last_seq, owner, \
               created_at_ms) VALUES ({id}, 'OLD001', {yes}, '{{}}', '{{}}', 'racing', 1, 3, 1, 'here', 5)"
        ))
        .await;
        old.execute(&format!(
            "INSERT INTO room_event (room_id, seq, epoch, format, at_ms, body) VALUES ({id}, 1, 3, 1, 7, 'old')"
        ))
        .await;
    }
    if count >= 2 {
        let (robot, hash) = match old.directory {
            Some(_) => ("x'01890000000070008000000000000002'", format!("x'{}'", "07".repeat(32))),
            None => ("'01890000-0000-7000-8000-000000000002'", format!("'\\x{}'", "07".repeat(32))),
        };
        let yes = if old.directory.is_some() { "1" } else { "true" };
        // Before the tokens moved into a table of their own.
        if count < 5 {
            old.execute(&format!(
                "INSERT INTO player (player_id, name, token_hash, bot, created_at_ms) VALUES ({robot}, 'Old', {hash}, {yes}, 6)"
            ))
            .await;
            old.execute(&format!(
                "INSERT INTO seat_result (round_id, seat, player_id, rank, finished, clean, moves, errors, score, flawless, \
                   crown, interrupted, finished_at_ms) \
                 VALUES ({robot}, 1, {robot}, 1, {yes}, {yes}, 1, 0, 9, {yes}, {yes}, {yes}, 7)"
            ))
            .await;
            let store = old.open().await;
            let kept = store.player_by_token(&[7; 32]).await.unwrap().unwrap();
            assert_eq!((kept.name.as_str(), kept.bot, kept.standing), ("Old", true, Standing::Fine));
            drop(store);
            assert_eq!(old.count(&format!("seat_result WHERE bot = {yes}")).await, 1);
        }
    }
    let store = old.open().await;
    let claimed = store.claim_unfinished(&claim("here")).await.unwrap();
    assert_eq!(claimed.len(), count.min(1));
    for taken in claimed {
        assert_eq!((taken.code.as_str(), taken.epoch, taken.last_seq), ("OLD001", 4, 2));
        let bodies: Vec<String> =
            store.events(taken.room_id, 1).await.unwrap().into_iter().map(|event| event.body).collect();
        assert_eq!(bodies, ["old", "owned"]);
    }
}

#[tokio::test]
async fn a_committed_migration_is_never_edited() {
    let sums = |migrations: &sqlx::migrate::Migrator| -> Vec<String> {
        migrations.iter().map(|migration| hex::encode(&migration.checksum[..8])).collect()
    };
    assert_eq!(sums(&sqlx::migrate!("../migrations/sqlite")), SQLITE_SUMS);
    assert_eq!(sums(&sqlx::migrate!("../migrations/postgres")), POSTGRES_SUMS);
}

#[tokio::test]
async fn a_database_of_a_newer_server_is_refused() {
    for database in [TestDatabase::sqlite(), TestDatabase::postgres().await] {
        database.open().await;
        database
            .execute(
                "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
                 SELECT 9999, 'from the future', success, checksum, 0 FROM _sqlx_migrations WHERE version = 1",
            )
            .await;
        let newer = Store::open(&database.url, database.options()).await;
        assert!(matches!(newer.map(|_| ()), Err(StoreError::NewSchema(9999))));
    }
}
