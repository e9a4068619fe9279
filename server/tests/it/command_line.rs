//! The program's commands: data on standard output, exit code 0, 1 if it does not hold, 2 if the call was wrong.

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
        assert_eq!(text(&verified.stdout), "verified 1 of 1\n", "{}", text(&verified.stderr));
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
async fn a_database_what_lies_beside_it_and_its_backup_are_their_owners_alone() {
    let directory = tempfile::TempDir::new().unwrap();
    let database = format!("sqlite://{}", directory.path().join("host.sqlite").display());
    let server = Process::start(&database);
    server.host.guest("Ada").await;
    let copy = directory.path().join("copy.sqlite").display().to_string();
    assert_eq!(program(&["backup", &copy, "--database", &database]).status.code(), Some(0));
    let mut modes = Vec::new();
    for entry in std::fs::read_dir(directory.path()).unwrap() {
        let entry = entry.unwrap();
        let mode = std::os::unix::fs::PermissionsExt::mode(&entry.metadata().unwrap().permissions());
        modes.push((entry.file_name().into_string().unwrap(), format!("{:o}", mode & 0o777)));
    }
    server.kill();
    assert!(modes.len() >= 4, "the database, its log, the lock, the copy: {modes:?}");
    assert!(modes.iter().all(|(_, mode)| mode == "600"), "{modes:?}");
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
