//! Coming back, second tabs, watching: presence is of seats, never of sockets.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::host::{Host, SMALL, Socket, race_of_two, solution};

fn small() -> Value {
    json!({ "blueprint": SMALL })
}

/// The play of a seat in a state.
fn play(state: &Value, seat: usize) -> &Value {
    &state["round"]["plays"][seat - 1]
}

/// Another connection of the player of seat 1 who made the room.
async fn again(host: &Host, code: &str, ada: &crate::host::Guest) -> (Socket, Value) {
    let mut socket = host.socket(code).await;
    let welcome = socket.hello(ada, "player").await;
    (socket, welcome)
}

/// Two racers at T0 whose tokens are known.
async fn known_race(host: &Host, options: Value) -> (crate::host::Guest, Socket, Socket, String, String) {
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let code = host.room(&ada, options).await;
    let (mut one, mut other) = (host.seat(&code, &ada).await, host.seat(&code, &ben).await);
    let (start, _) = tokio::join!(one.reach_start(), other.reach_start());
    let board = start["state"]["round"]["board"].as_str().unwrap().to_owned();
    (ada, one, other, code, board)
}

#[tokio::test]
async fn coming_back_restores_board_hand_and_counters() {
    let host = Host::start().await;
    let (ada, mut one, mut other, code, board) = known_race(&host, small()).await;
    let line = solution(&board);
    one.play(line[0]).await;
    one.n += 1;
    one.say(json!({ "type": "lift", "n": one.n, "peg": line[1].0 })).await;
    one.outcome(one.n).await;
    drop(one);
    other.until("disconnected").await;
    let (mut one, welcome) = again(&host, &code, &ada).await;
    other.until("connected").await;
    let mine = play(&welcome["state"], 1);
    assert_eq!((&mine["moves"], &mine["held"], &mine["ply"]), (&json!(1), &json!(line[1].0), &json!(2)));
    assert_eq!(welcome["n"], 2);
    assert!(welcome["state"]["round"]["clock_ms"].is_u64(), "the clock runs on");
    one.n += 1;
    one.say(json!({ "type": "place", "n": one.n, "peg": line[1].1 })).await;
    assert_eq!(one.outcome(one.n).await["type"], "transferred");
    for transfer in &line[2..] {
        one.play(*transfer).await;
    }
    assert_eq!(other.until("round_over").await["result"]["seats"][0]["name"], "Ada");
}

#[tokio::test]
async fn a_newer_connection_takes_the_seat_and_the_older_one_watches_once_its_player_races_no_more() {
    let host = Host::start().await;
    let (ada, mut old, mut other, code, board) = known_race(&host, small()).await;
    let line = solution(&board);
    let (mut new, welcome) = again(&host, &code, &ada).await;
    assert_eq!(welcome["seat"], 1);
    old.until("replaced").await;
    let told = old.heard.len();
    assert_eq!(old.play(line[0]).await["code"], "not_seated");
    for transfer in &line[..2] {
        assert_eq!(new.play(*transfer).await["type"], "transferred");
    }
    // The late end of a replaced socket changes nothing: the seat is still there, and plays on.
    let (newest, _) = again(&host, &code, &ada).await;
    new.until("replaced").await;
    drop(std::mem::replace(&mut new, newest));
    new.n = 2;
    for transfer in &line[2..] {
        new.play(*transfer).await;
    }
    let over = other.until("round_over").await;
    assert_eq!(over["result"]["seats"][0]["name"], "Ada");
    assert!(!other.heard.iter().any(|m| m["type"] == "disconnected"), "{:?}", other.heard);
    let snapshot = old.until("snapshot").await;
    assert_eq!(old.heard.len(), told + 2, "nothing but an answer while its player raced: {:?}", old.heard);
    assert_eq!(snapshot["state"]["round"]["board"], board.as_str(), "now it sees what spectators see");
    assert!(play(&snapshot["state"], 1)["finish"].is_object(), "and not before its player is done: {snapshot}");
}

#[tokio::test]
async fn an_act_sent_again_gets_its_first_outcome_and_a_gap_costs_nothing() {
    let host = Host::start().await;
    let (mut ada, _ben, _, board) = race_of_two(&host, small()).await;
    let line = solution(&board);
    let first = ada.play(line[0]).await;
    let empty = ada.play((line[0].0, line[0].0)).await;
    assert_eq!((&empty["type"], &empty["code"]), (&json!("refused"), &json!("same_peg")));
    for (n, outcome) in [(1, &first), (2, &empty)] {
        ada.say(json!({ "type": "move", "n": n, "from": 3, "to": 4 })).await;
        assert_eq!(&ada.outcome(n).await, outcome, "whatever it says now");
    }
    ada.say(json!({ "type": "move", "n": 9, "from": line[1].0, "to": line[1].1 })).await;
    let gap = ada.outcome(9).await;
    assert_eq!((&gap["code"], &gap["next"]), (&json!("out_of_order"), &json!(3)));
    ada.say(json!({ "type": "move", "n": 3, "ply": 7, "from": line[1].0, "to": line[1].1 })).await;
    assert_eq!(ada.outcome(3).await["code"], "stale");
    ada.n = 3;
    for transfer in &line[1..] {
        assert_eq!(ada.play(*transfer).await["type"], "transferred");
    }
    let over = ada.until("round_over").await;
    assert_eq!(
        (&over["result"]["seats"][0]["errors"], &over["result"]["seats"][0]["crown"]),
        (&json!(0), &json!(true))
    );
}

#[tokio::test]
async fn who_comes_back_is_sent_what_was_missed_and_no_more() {
    let host = Host::start().await;
    let (ada, mut one, mut other, code, board) = known_race(&host, small()).await;
    let line = solution(&board);
    let seen = one.play(line[0]).await["seq"].as_u64().unwrap();
    drop(one);
    other.until("disconnected").await;
    let missed = other.play(line[0]).await;
    let mut back = host.socket(&code).await;
    back.say(json!({ "type": "hello", "token": ada.token, "role": "player", "last_seq": seen })).await;
    let welcome = back.until("welcome").await;
    assert_eq!(welcome["state"], Value::Null);
    let mut seqs = Vec::new();
    while seqs.last() != welcome["seq"].as_u64().as_ref() {
        let event = back.hear().await.unwrap();
        if event["seq"] == missed["seq"] {
            assert_eq!(event, missed);
        }
        seqs.push(event["seq"].as_u64().unwrap());
    }
    assert_eq!(seqs, (seen + 1..=seen + seqs.len() as u64).collect::<Vec<_>>(), "by ones, from the first missed");
    // Who has seen nothing since before the boards were shown gets everything.
    let mut late = host.socket(&code).await;
    late.say(json!({ "type": "hello", "token": ada.token, "role": "player", "last_seq": 3 })).await;
    assert_eq!(late.until("welcome").await["state"]["round"]["board"], board.as_str());
}

#[tokio::test]
async fn spectators_see_the_boards_from_the_start_and_not_before() {
    let host = Host::start_with(|settings| settings.countdown_ms = 300).await;
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let code = host.room(&ada, small()).await;
    let (mut one, mut other) = (host.seat(&code, &ada).await, host.seat(&code, &ben).await);
    let mut watcher = host.socket(&code).await;
    let welcome = watcher.hello(&host.guest("Cleo").await, "spectator").await;
    assert_eq!((&welcome["seat"], &welcome["n"]), (&Value::Null, &json!(0)));
    tokio::join!(one.reach_start(), other.reach_start());
    let start = watcher.until("start").await;
    let board = start["state"]["round"]["board"].as_str().unwrap();
    let before = serde_json::to_string(&watcher.heard[..watcher.heard.len() - 1]).unwrap();
    assert_eq!(before.matches(board).count(), 1, "a blueprint stands in the room's options, and nowhere else");
    let line = solution(board);
    for transfer in &line {
        one.play(*transfer).await;
        assert_eq!(watcher.until("transferred").await["seat"], 1);
    }
    assert_eq!(watcher.until("round_over").await["result"]["seats"][0]["name"], "Ada");
    assert_eq!(watcher.play(line[0]).await["code"], "not_seated");
}

#[tokio::test]
async fn spectators_of_a_room_with_a_delay_are_told_everything_that_much_later() {
    let host = Host::start().await;
    let mut options = small();
    options["spectator_delay_s"] = json!(1);
    let (_ada, mut one, _other, code, board) = known_race(&host, options).await;
    let started = Instant::now();
    let mut watcher = host.socket(&code).await;
    let welcome = watcher.hello(&host.guest("Cleo").await, "spectator").await;
    assert_eq!(welcome["state"]["round"]["plays"].as_array().map_or(0, Vec::len), 0, "the round is not known yet");
    for transfer in solution(&board) {
        one.play(transfer).await;
    }
    let over = one.until("round_over").await;
    let round_id = over["result"]["round_id"].as_str().unwrap();
    let early = host.request("GET", &format!("/api/v1/matches/{round_id}"), &[], "").await;
    assert_eq!(early.status, 404, "not by another way either");
    watcher.until("start").await;
    // Racers may have been shown the board a little before this test took the time.
    assert!(started.elapsed() > Duration::from_millis(800), "{:?}", started.elapsed());
    let seen = watcher.until("round_over").await;
    assert_eq!(seen["result"], over["result"]);
    assert_eq!(seen["seq"], over["seq"]);
}

#[tokio::test]
async fn nor_is_anybody_told_more_of_a_room_with_a_delay_from_outside() {
    let host = Host::start().await;
    let mut options = small();
    options["spectator_delay_s"] = json!(60);
    let (_ada, mut one, _other, code, board) = known_race(&host, options).await;
    for transfer in solution(&board) {
        one.play(transfer).await;
    }
    one.until("round_over").await;
    let room = host.get(&format!("/api/v1/rooms/{code}")).await;
    assert_eq!((&room["phase"], &room["players"], &room["joinable"]), (&json!("lobby"), &json!([]), &json!(true)));
}

#[tokio::test]
async fn a_room_without_spectators_lets_nobody_watch() {
    let host = Host::start().await;
    let mut options = small();
    options["spectators"] = json!(false);
    let (ada, mut old, _other, code, _) = known_race(&host, options).await;
    let mut watcher = host.socket(&code).await;
    watcher.say(json!({ "type": "hello", "token": ada.token, "role": "spectator" })).await;
    assert_eq!(watcher.until("refused").await["code"], "no_spectators");
    assert_eq!(watcher.until_closed().await, Some(4403));
    let _new = again(&host, &code, &ada).await;
    old.until("replaced").await;
    assert_eq!(old.until_closed().await, Some(4409));
}

#[tokio::test]
async fn a_third_player_finds_no_seat_and_may_watch() {
    let host = Host::start().await;
    let (_ada, _one, _other, code, _) = known_race(&host, small()).await;
    let cy = host.guest("Cy").await;
    let mut third = host.socket(&code).await;
    third.say(json!({ "type": "hello", "token": cy.token, "role": "player" })).await;
    assert_eq!(third.until("refused").await["code"], "no_seat");
    assert_eq!(third.until_closed().await, Some(4403));
    assert_eq!(host.socket(&code).await.hello(&cy, "spectator").await["seat"], Value::Null);
}

#[tokio::test]
async fn leaving_frees_the_seat_and_an_empty_room_is_closed() {
    let host = Host::start().await;
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let code = host.room(&ada, small()).await;
    let (mut one, mut other) = (host.seat(&code, &ada).await, host.seat(&code, &ben).await);
    one.say(json!({ "type": "leave" })).await;
    assert_eq!(one.until_closed().await, Some(1000));
    assert_eq!(other.until("left").await["seat"], 1);
    other.say(json!({ "type": "leave" })).await;
    assert_eq!(other.until_closed().await, Some(1000));
    let mut socket = host.socket(&code).await;
    socket.say(json!({ "type": "hello", "token": ada.token, "role": "player" })).await;
    assert_eq!(socket.until_closed().await, Some(4404));
}

#[tokio::test]
async fn an_idle_lobby_is_closed_and_says_so() {
    let host = Host::start_with(|settings| settings.idle_ms = 300).await;
    let ada = host.guest("Ada").await;
    let code = host.room(&ada, small()).await;
    let mut one = host.seat(&code, &ada).await;
    assert_eq!(one.until("closed").await["reason"], "idle");
    assert_eq!(one.until_closed().await, Some(1000));
}
