//! The program's commands: data on standard output, exit code 0, 1 if it does not hold, 2 if the call was wrong.

use std::fs::{DirEntry, File, Permissions};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::database::TestDatabase;
use crate::host::{SMALL, race_of_two, solution};
use crate::process::{Process, program};

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn a_wrong_call_ends_with_2_and_names_what_is_wrong() {
    for (args, named) in [
        (&["serve", "--lissten", "127.0.0.1:0"][..], "--lissten"),
        (&["serve", "--listen", "nowhere"], "--listen"),
        (&["serve", "--listen", "127.0.0.1:0", "--database", "mysql://x"], "mysql://x"),
        (&["serve", "--listen", "127.0.0.1:0", "--faults", "fire@1"], "fire"),
        (&["migrate", "--database", "mysql://x"], "mysql://x"),
        (&["copy", "--from", "sqlite://a"], "--to"),
        // What would make a server that nobody can play on.
        (&["serve", "--write-bytes-max", "0"], "32768"),
        (&["serve", "--message-bytes-max", "0"], "1024"),
        (&["serve", "--dead-ms", "0"], "100.."),
        (&["serve", "--listen", "127.0.0.1:0", "--dead-ms", "9000"], "give more than --ping-ms"),
        (&["serve", "--ping-ms", "0"], "100.."),
        (&["serve", "--write-ms", "0"], "100.."),
        (&["serve", "--hello-ms", "0"], "100.."),
        (&["serve", "--acts-burst", "0"], "1.."),
        (&["serve", "--rooms-max", "0"], "1.."),
        (&["serve", "--listen", "127.0.0.1:0", "--page-dir", "/dev"], "no index.html"),
        (&["verify"], "--all"),
        (&["dance"], "dance"),
    ] {
        let output = program(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains(named), "{args:?}: {}", text(&output.stderr));
        assert!(output.stdout.is_empty(), "{args:?}");
    }
}

#[test]
fn documents_are_printed_as_json() {
    for (command, title) in [("openapi", "/info/title"), ("schema", "/title")] {
        let output = program(&[command]);
        assert_eq!(output.status.code(), Some(0));
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(document.pointer(title).is_some_and(Value::is_string), "{command}");
    }
}

#[tokio::test]
async fn a_host_migrates_serves_backs_up_and_proves_its_rounds() {
    let directory = tempfile::TempDir::new().unwrap();
    let database = format!("sqlite://{}", directory.path().join("host.sqlite").display());
    assert_eq!(program(&["migrate", "--database", &database]).status.code(), Some(0));
    let server = Process::start(&database);
    let address = server.host.address.to_string();
    let healthy = program(&["healthcheck", "--listen", &address]);
    assert_eq!((healthy.status.code(), text(&healthy.stdout).trim()), (Some(0), r#"{"status":"ready"}"#));
    let (mut ada, _ben, _, board) = race_of_two(&server.host, json!({ "blueprint": SMALL })).await;
    for transfer in solution(&board) {
        ada.play(transfer).await;
    }
    ada.until("round_over").await;
    let copy = directory.path().join("copy.sqlite").display().to_string();
    let backup = program(&["backup", &copy, "--database", &database]);
    assert_eq!(backup.status.code(), Some(0), "{}", text(&backup.stderr));
    server.kill();
    let dead = program(&["healthcheck", "--listen", &address]);
    assert_eq!(dead.status.code(), Some(1));
    assert!(text(&dead.stderr).contains("no answer"), "{}", text(&dead.stderr));
    for kept in [database, format!("sqlite://{copy}")] {
        let verified = program(&["verify", "--all", "--database", &kept]);
        assert_eq!(text(&verified.stdout), "verified 1 of 1\nnot checked: deal of 1\n", "{}", text(&verified.stderr));
        assert_eq!(verified.status.code(), Some(0));
    }
}

#[tokio::test]
async fn a_database_without_a_schema_is_named_with_what_to_do() {
    let directory = tempfile::TempDir::new().unwrap();
    let path = |name: &str| format!("sqlite://{}", directory.path().join(name).display());
    std::fs::write(directory.path().join("empty.sqlite"), "").unwrap();
    let (none, old) = (TestDatabase::postgres().await, TestDatabase::postgres().await);
    old.migrate_to(1).await;
    let file = TestDatabase::sqlite();
    file.migrate_to(1).await;
    let unmade = "this database has no schema: give the server's own, or make one with `sprint-server migrate`";
    let outdated = "this database is of an older version: stop its server and run `sprint-server migrate` first";
    for (database, said) in [
        (path("missing.sqlite"), unmade),
        (path("empty.sqlite"), unmade),
        (none.url.clone(), unmade),
        (file.url.clone(), outdated),
        (old.url.clone(), outdated),
    ] {
        for command in
            [&["ratings", "check"][..], &["ratings", "rebuild"], &["flags"], &["verify", "--all"], &["ban", "Ada"]]
        {
            let output = program(&[command, &["--database", &database]].concat());
            assert_eq!(output.status.code(), Some(1), "{command:?} {database}");
            assert!(text(&output.stderr).contains(said), "{command:?} {database}: {}", text(&output.stderr));
        }
    }
    assert!(!directory.path().join("missing.sqlite").exists(), "nothing was made");
    assert_eq!(program(&["migrate", "--database", &path("empty.sqlite")]).status.code(), Some(0));
    let checked = program(&["ratings", "check", "--database", &path("empty.sqlite")]);
    assert_eq!(checked.status.code(), Some(0), "{}", text(&checked.stderr));
}

#[tokio::test]
async fn a_database_of_a_newer_version_is_named_with_what_to_do() {
    let database = TestDatabase::sqlite();
    assert_eq!(program(&["migrate", "--database", &database.url]).status.code(), Some(0));
    let later = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
                 SELECT 9000, 'later', success, checksum, execution_time FROM _sqlx_migrations WHERE version = 1";
    database.execute(later).await;
    let said = "this database is of a newer version (this program does not know its migration 9000): start the newer";
    for command in [&["migrate"][..], &["serve", "--listen", "127.0.0.1:0"]] {
        let output = program(&[command, &["--database", &database.url]].concat());
        assert_eq!(output.status.code(), Some(1), "{command:?}");
        assert!(text(&output.stderr).contains(said), "{command:?}: {}", text(&output.stderr));
    }
    let beside = program(&["ratings", "check", "--database", &database.url]);
    assert_eq!(beside.status.code(), Some(0), "{}", text(&beside.stderr));
}

#[tokio::test]
async fn a_database_what_lies_beside_it_and_its_backup_are_their_owners_alone() {
    let directory = tempfile::TempDir::new().unwrap();
    let database = format!("sqlite://{}", directory.path().join("host.sqlite").display());
    let server = Process::start(&database);
    server.host.guest("Ada").await;
    let copy = directory.path().join("copy.sqlite").display().to_string();
    assert_eq!(program(&["backup", &copy, "--database", &database]).status.code(), Some(0));
    let mut all = modes(directory.path());
    assert!(all.len() >= 5, "the database, its log and its index, the lock, the copy: {all:?}");
    assert!(all.iter().all(|(_, mode)| mode == "600"), "{all:?}");

    // As servers of before left them, of which this one was killed; whoever may even less goes on so.
    server.kill();
    for entry in std::fs::read_dir(directory.path()).unwrap() {
        let path = entry.unwrap().path();
        let mode = if path.to_str() == Some(&*copy) { 0o640 } else { 0o644 };
        std::fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }
    let said = said_at_start(&database);
    all = modes(directory.path());
    all.retain(|(name, _)| name != "said");
    assert!(all.len() >= 3, "{all:?}");
    for (name, mode) in &all {
        assert_eq!(mode, if name == "copy.sqlite" { "640" } else { "600" }, "{name}");
        let is_told = said.contains(&format!("{name}: others than its owner"));
        assert_eq!(is_told, name != "copy.sqlite", "{name}: {said}");
    }
    assert!(!said_at_start(&database).contains("others than its owner"));
}

/// The files of a directory and their modes.
fn modes(directory: &Path) -> Vec<(String, String)> {
    let entries = std::fs::read_dir(directory).unwrap().map(Result::unwrap);
    let mode = |entry: &DirEntry| format!("{:o}", entry.metadata().unwrap().permissions().mode() & 0o777);
    entries.map(|entry| (entry.file_name().into_string().unwrap(), mode(&entry))).collect()
}

/// What the server logs on a SQLite file until it listens; then it is killed.
fn said_at_start(database: &str) -> String {
    let file = Path::new(database.strip_prefix("sqlite://").unwrap()).with_file_name("said");
    let mut server = Command::new(env!("CARGO_BIN_EXE_sprint-server"))
        .args(["serve", "--listen", "127.0.0.1:0", "--database", database])
        .stdout(Stdio::piped())
        .stderr(File::create(&file).unwrap())
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut first).unwrap();
    server.kill().unwrap();
    server.wait().unwrap();
    let said = std::fs::read_to_string(&file).unwrap();
    assert!(first.starts_with("listening on "), "{first} {said}");
    said
}

#[tokio::test]
async fn a_host_is_told_that_ratings_follow_an_older_formula_until_they_are_rebuilt() {
    let file = TestDatabase::sqlite();
    file.migrate_to(7).await;
    file.execute("INSERT INTO ladder (id, generation, rounds) VALUES (1, 1, 0)").await;
    let told = || said_at_start(&file.url).contains("run `sprint-server ratings rebuild` once");
    assert!(told() && told());
    assert_eq!(program(&["ratings", "check", "--database", &file.url]).status.code(), Some(0));
    assert!(told(), "a check changes nothing");
    assert_eq!(program(&["ratings", "rebuild", "--database", &file.url]).status.code(), Some(0));
    assert!(!told());
    let new = TestDatabase::sqlite();
    assert!(!said_at_start(&new.url).contains("rebuild"));
}

#[tokio::test]
async fn a_stored_round_that_was_tampered_with_is_named() {
    let directory = tempfile::TempDir::new().unwrap();
    let database = format!("sqlite://{}", directory.path().join("host.sqlite").display());
    let server = Process::start(&database);
    let (mut ada, _ben, _, board) = race_of_two(&server.host, json!({ "blueprint": SMALL })).await;
    for transfer in solution(&board) {
        ada.play(transfer).await;
    }
    let over = ada.until("round_over").await;
    server.kill();
    let round_id = over["result"]["round_id"].as_str().unwrap();
    // Each on a copy: what is done to the rows, and how it is named.
    let tamperings = [
        ("UPDATE round_result SET body = replace(body, '\"errors\":0', '\"errors\":1')", "result: seat 1: errors 1"),
        (
            "DELETE FROM room_event WHERE seq = (SELECT last_seq - 2 FROM round_result)",
            " is missing: the next stored one is ",
        ),
        (
            "DELETE FROM room_event WHERE seq = (SELECT last_seq FROM round_result)",
            " is missing: there are to be events up to ",
        ),
        ("UPDATE room_event SET at_ms = at_ms + 1 WHERE body LIKE '%\"countdown_started\"%'", "chain: "),
        (
            "UPDATE room_event SET at_ms = (SELECT max(at_ms) FROM room_event) WHERE body LIKE '%\"board_dealt\"%'",
            ", before the event before it at ",
        ),
        ("UPDATE round_result SET body = replace(body, '\"chain\":\"', '\"chain\":\"00')", " cannot be read: "),
    ];
    for (number, (tamper, named)) in tamperings.into_iter().enumerate() {
        let copy = directory.path().join(format!("{number}.sqlite")).display().to_string();
        assert_eq!(program(&["backup", &copy, "--database", &database]).status.code(), Some(0));
        let copy = format!("sqlite://{copy}");
        let mut connection = <sqlx::SqliteConnection as sqlx::Connection>::connect(&copy).await.unwrap();
        sqlx::raw_sql(tamper).execute(&mut connection).await.unwrap();
        sqlx::Connection::close(connection).await.unwrap();
        let verified = program(&["verify", "--all", "--database", &copy]);
        assert_eq!(verified.status.code(), Some(1), "{tamper}");
        let said = text(&verified.stdout);
        assert!(said.starts_with(round_id) && said.contains(named), "{tamper}: {said}");
        assert!(said.ends_with("verified 0 of 1\n"), "{tamper}: {said}");
    }
}
