//! Stops, crashes, damage: what was acknowledged is there, and play goes on.

use std::process::Command;

use serde_json::{Value, json};
use sqlx::{Connection, SqliteConnection};
use tokio::time::timeout;

use crate::database::on_both;
use crate::host::{Host, PATIENCE, SMALL, race_of_two, solution};
use crate::process::Process;

#[tokio::test]
async fn stopping_tells_every_socket_to_come_again() {
    let mut host = Host::start().await;
    let (mut ada, mut ben, code, _) = race_of_two(&host, json!({ "blueprint": SMALL })).await;
    let mut watcher = host.socket(&code).await;
    let cy = host.guest("Cy").await;
    watcher.hello(&cy, "spectator").await;
    let mut early = host.socket(&code).await;
    timeout(PATIENCE, host.stop()).await.expect("it waits for nobody");
    for socket in [&mut ada, &mut ben, &mut watcher, &mut early] {
        assert_eq!(socket.until_closed().await, Some(1012));
    }
}

on_both!(a_restart_pauses_the_race_and_it_goes_on_as_it_stood_for_all_alike, |database| {
    let mut host = Host::start_with(|settings| settings.database.database = Some(database.url.clone())).await;
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let code = host.room(&ada, json!({ "preset": "initiate" })).await;
    let (mut one, mut other) = (host.seat(&code, &ada).await, host.seat(&code, &ben).await);
    let (start, _) = tokio::join!(one.reach_start(), other.reach_start());
    let line = solution(start["state"]["round"]["board"].as_str().unwrap());
    for transfer in &line[..3] {
        one.play(*transfer).await;
    }
    host.restart().await;
    let mut one = host.socket(&code).await;
    let welcome = one.hello(&ada, "player").await;
    assert_eq!(welcome["state"]["phase"], "paused");
    assert_eq!(welcome["state"]["round"]["board"], Value::Null, "boards are hidden");
    assert_eq!(welcome["n"], 3);
    let refused = one.play(line[3]).await;
    assert_eq!(refused["code"], "paused");
    let _other = host.seat(&code, &ben).await;
    let resumed = one.until("resumed").await;
    assert!(resumed["outage_ms"].as_u64().unwrap() > 0);
    let start = one.until("start").await;
    assert_eq!(start["state"]["round"]["plays"][0]["moves"], 3);
    for transfer in &line[3..] {
        assert_eq!(one.play(*transfer).await["type"], "transferred");
    }
    let over = one.until("round_over").await;
    assert_eq!((&over["result"]["interrupted"], &over["result"]["seats"][0]["crown"]), (&json!(true), &json!(true)));
    let round_id = over["result"]["round_id"].as_str().unwrap();
    let stored = host.get(&format!("/api/v1/matches/{round_id}")).await;
    assert_eq!(stored["result"], over["result"]);
});

#[tokio::test]
async fn a_room_whose_events_are_damaged_is_closed_and_no_other_is_harmed() {
    let mut host = Host::start().await;
    let ada = host.guest("Ada").await;
    let mut codes = Vec::new();
    for _ in 0..4 {
        let code = host.room(&ada, json!({ "blueprint": SMALL })).await;
        let mut socket = host.seat(&code, &ada).await;
        socket.say(json!({ "type": "ready", "ready": true })).await;
        socket.until("readied").await;
        codes.push(code);
    }
    host.stop().await;
    let mut database = SqliteConnection::connect(&host.database()).await.unwrap();
    let of = |code: &str| format!("room_id = (SELECT room_id FROM room WHERE code = '{code}')");
    for damage in [
        format!("UPDATE room_event SET body = '{{\"type\":\"left\",\"seat\":4}}' WHERE seq = 3 AND {}", of(&codes[0])),
        format!("DELETE FROM room_event WHERE seq = 2 AND {}", of(&codes[1])),
        format!("UPDATE room_event SET body = 'no event' WHERE seq = 4 AND {}", of(&codes[2])),
    ] {
        let done = sqlx::raw_sql(sqlx::AssertSqlSafe(damage)).execute(&mut database).await.unwrap();
        assert_eq!(done.rows_affected(), 1);
    }
    database.close().await.unwrap();
    host.start_again().await;
    for damaged in &codes[..3] {
        let mut socket = host.socket(damaged).await;
        socket.say(json!({ "type": "hello", "token": ada.token, "role": "player" })).await;
        assert_eq!(socket.until_closed().await, Some(4404));
    }
    assert_eq!(host.socket(&codes[3]).await.hello(&ada, "player").await["seat"], 1);
    host.stop().await;
    let mut database = SqliteConnection::connect(&host.database()).await.unwrap();
    let recorded: Vec<String> = sqlx::query_scalar("SELECT body FROM room_event WHERE body LIKE '%\"closed\"%'")
        .fetch_all(&mut database)
        .await
        .unwrap();
    assert_eq!(recorded.len(), 3);
    assert!(recorded.iter().all(|body| body.contains("\"damaged\"")), "{recorded:?}");
}

#[tokio::test]
async fn every_acknowledged_act_survives_kill_nine_and_play_goes_on() {
    let directory = tempfile::TempDir::new().unwrap();
    let database = format!("sqlite://{}", directory.path().join("killed.sqlite").display());
    let server = Process::start(&database);
    let (ada, ben) = (server.host.guest("Ada").await, server.host.guest("Ben").await);
    let code = server.host.room(&ada, json!({ "preset": "apprentice" })).await;
    let (mut one, mut other) = (server.host.seat(&code, &ada).await, server.host.seat(&code, &ben).await);
    let (start, _) = tokio::join!(one.reach_start(), other.reach_start());
    let line = solution(start["state"]["round"]["board"].as_str().unwrap());
    let mut acknowledged = Vec::new();
    for transfer in &line[..4] {
        acknowledged.push(one.play(*transfer).await);
    }
    other.play(line[0]).await;
    // One more that may or may not have been committed when the process dies.
    one.send_move(line[4].0, line[4].1).await;
    server.kill();

    let server = Process::start(&database);
    let mut one = server.host.socket(&code).await;
    let welcome = one.hello(&ada, "player").await;
    assert_eq!((&welcome["seat"], &welcome["state"]["phase"]), (&json!(1), &json!("paused")));
    let n = welcome["n"].as_u64().unwrap();
    assert!(n == 4 || n == 5, "all that was acknowledged, and at most what was under way: {n}");
    // An act that is sent again gets the outcome that it got before the crash.
    one.say(json!({ "type": "move", "n": 2, "from": line[1].0, "to": line[1].1 })).await;
    assert_eq!(one.outcome(2).await, acknowledged[1]);
    let mut other = server.host.seat(&code, &ben).await;
    let start = one.until("start").await;
    assert_eq!(start["state"]["round"]["plays"][0]["moves"].as_u64(), Some(n));
    assert_eq!(start["state"]["round"]["plays"][1]["moves"], 1);
    for transfer in &line[n as usize..] {
        assert_eq!(one.play(*transfer).await["type"], "transferred");
    }
    let over = other.until("round_over").await;
    assert_eq!(over["result"]["seats"][0]["name"], "Ada");
    server.kill();

    let server = Process::start(&database);
    let round_id = over["result"]["round_id"].as_str().unwrap();
    let stored = server.host.get(&format!("/api/v1/matches/{round_id}")).await;
    assert_eq!(stored["result"], over["result"], "the result was stored with its event");
}

#[tokio::test]
async fn sigterm_ends_the_program_with_exit_code_0() {
    let directory = tempfile::TempDir::new().unwrap();
    let mut server = Process::start(&format!("sqlite://{}", directory.path().join("t.sqlite").display()));
    let (mut ada, _ben, _, _) = race_of_two(&server.host, json!({ "blueprint": SMALL })).await;
    assert!(Command::new("kill").args(["-TERM", &server.child.id().to_string()]).status().unwrap().success());
    assert_eq!(ada.until_closed().await, Some(1012));
    let ended = tokio::task::spawn_blocking(move || server.child.wait().unwrap());
    assert_eq!(timeout(PATIENCE, ended).await.expect("it waits for nobody").unwrap().code(), Some(0));
}
