//! The store stalls, fails or leaves a commit in doubt: nothing is acknowledged that is not kept, and play goes on.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sprint_server::journal::{Fault, Gate};

use crate::host::{Guest, Host, SMALL, Socket, solution};

/// Two racers at T0 in a small room.
async fn race(host: &Host) -> ([Guest; 2], [Socket; 2], String, Vec<(u64, u64)>) {
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let code = host.room(&ada, json!({ "blueprint": SMALL })).await;
    let (mut one, mut other) = (host.seat(&code, &ada).await, host.seat(&code, &ben).await);
    let (start, _) = tokio::join!(one.reach_start(), other.reach_start());
    let line = solution(start["state"]["round"]["board"].as_str().unwrap());
    ([ada, ben], [one, other], code, line)
}

/// Comes back after an interruption of the room; both seats, and what Ada is welcomed with.
async fn back(host: &Host, [ada, ben]: &[Guest; 2], code: &str) -> ([Socket; 2], Value) {
    let mut one = host.socket(code).await;
    let welcome = one.hello(ada, "player").await;
    let mut other = host.seat(code, ben).await;
    tokio::join!(one.until("start"), other.until("start"));
    ([one, other], welcome)
}

#[tokio::test]
async fn a_commit_whose_reply_is_lost_is_found_again_and_counts_once() {
    let host = Host::start().await;
    let (guests, [mut one, mut other], code, line) = race(&host).await;
    one.play(line[0]).await;
    host.faults().next(Fault::LostReply);
    one.send_move(line[1].0, line[1].1).await;
    assert_eq!(one.until_closed().await, Some(1012), "not acknowledged, and come again");
    assert_eq!(other.until_closed().await, Some(1012));
    let ([mut one, mut other], welcome) = back(&host, &guests, &code).await;
    assert_eq!(welcome["n"], 2, "it was committed");
    // The client does not know, and sends it again.
    one.say(json!({ "type": "move", "n": 2, "from": line[1].0, "to": line[1].1 })).await;
    assert_eq!((&one.outcome(2).await["type"], one.n), (&json!("transferred"), 2));
    for transfer in &line[2..] {
        one.play(*transfer).await;
    }
    let over = other.until("round_over").await;
    assert_eq!(
        (&over["result"]["seats"][0]["moves"], &over["result"]["interrupted"]),
        (&json!(line.len()), &json!(true))
    );
}

#[tokio::test]
async fn a_commit_that_never_reached_the_database_is_not_acknowledged_and_can_be_sent_again() {
    let host = Host::start().await;
    let (guests, [mut one, _other], code, line) = race(&host).await;
    one.play(line[0]).await;
    host.faults().next(Fault::LostRequest);
    one.send_move(line[1].0, line[1].1).await;
    assert_eq!(one.until_closed().await, Some(1012));
    let ([mut one, mut other], welcome) = back(&host, &guests, &code).await;
    assert_eq!(welcome["n"], 1, "it was not committed");
    for transfer in &line[1..] {
        assert_eq!(one.play(*transfer).await["type"], "transferred");
    }
    assert_eq!(other.until("round_over").await["result"]["seats"][0]["moves"], line.len());
}

#[tokio::test]
async fn a_busy_database_is_tried_again_and_nobody_notices() {
    let host = Host::start().await;
    let (_, [mut one, mut other], _, line) = race(&host).await;
    for transfer in &line {
        host.faults().next(Fault::Busy);
        assert_eq!(one.play(*transfer).await["type"], "transferred");
    }
    assert_eq!(other.until("round_over").await["result"]["interrupted"], false);
}

#[tokio::test]
async fn while_commits_stall_nothing_is_acknowledged_and_new_acts_are_refused_as_unavailable() {
    let host = Host::start().await;
    let (_, [mut one, mut other], _, line) = race(&host).await;
    let gate = Gate::default();
    host.faults().next(Fault::Hold(gate.clone()));
    let held = one.send_move(line[0].0, line[0].1).await;
    gate.reached().await;
    while host.request("GET", "/readyz", &[], "").await.status != 503 {
        tokio::task::yield_now().await;
    }
    let refused = other.play(line[0]).await;
    assert_eq!((&refused["type"], &refused["code"]), (&json!("refused"), &json!("unavailable")));
    assert!(!other.heard.iter().any(|m| m["type"] == "transferred"), "nobody is shown what is not committed");
    gate.open();
    assert_eq!(one.outcome(held).await["type"], "transferred");
    other.until("transferred").await;
    // The refused act's number was not used up.
    other.say(json!({ "type": "move", "n": 1, "from": line[0].0, "to": line[0].1 })).await;
    assert_eq!(other.outcome(1).await["type"], "transferred");
    assert_eq!(host.get("/readyz").await["status"], "ready");
}

#[tokio::test]
async fn a_failed_disk_ends_acknowledgements_for_good_and_readiness_says_so() {
    for fault in [Fault::Io, Fault::Full] {
        let host = Host::start().await;
        let (_, [mut one, mut other], _, line) = race(&host).await;
        host.faults().next(fault);
        one.send_move(line[0].0, line[0].1).await;
        assert_eq!(one.until_closed().await, Some(1012));
        assert_eq!(other.until_closed().await, Some(1012));
        let ready = host.request("GET", "/readyz", &[], "").await;
        assert_eq!((ready.status, &ready.json()["status"]), (503, &json!("read_only")));
        assert!(!one.heard.iter().chain(&other.heard).any(|m| m["type"] == "transferred"));
        let new = host.request("POST", "/api/v1/players", &[], "").await;
        assert_eq!((new.status, &new.json()["code"]), (503, &json!("unavailable")));
    }
}

#[tokio::test]
async fn boards_are_shown_in_time_even_while_a_commit_is_under_way() {
    let host = Host::start_with(|settings| settings.countdown_ms = 600).await;
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let code = host.room(&ada, json!({ "blueprint": SMALL, "seats": 3 })).await;
    let (mut one, mut other) = (host.seat(&code, &ada).await, host.seat(&code, &ben).await);
    for socket in [&mut one, &mut other] {
        socket.say(json!({ "type": "ready", "ready": true })).await;
    }
    for socket in [&mut one, &mut other] {
        socket.until("committed").await;
        socket.say(json!({ "type": "nonce", "nonce": "00".repeat(16) })).await;
    }
    let planned = one.until("countdown_started").await;
    let gate = Gate::default();
    host.faults().next(Fault::Hold(gate.clone()));
    drop(other);
    gate.reached().await;
    let start = one.until("start").await;
    assert_eq!(start["seq"], planned["seq"], "as of what is committed");
    assert_eq!(start["state"]["seats"][1]["present"], true, "that Ben is gone is not committed yet");
    gate.open();
    assert_eq!(one.until("disconnected").await["seat"], 2);
}

#[tokio::test]
async fn a_countdown_that_is_committed_too_late_is_planned_anew() {
    let host = Host::start_with(|settings| settings.countdown_ms = 300).await;
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let code = host.room(&ada, json!({ "blueprint": SMALL })).await;
    let (mut one, mut other) = (host.seat(&code, &ada).await, host.seat(&code, &ben).await);
    for socket in [&mut one, &mut other] {
        socket.say(json!({ "type": "ready", "ready": true })).await;
    }
    tokio::join!(one.until("committed"), other.until("committed"));
    // Whichever of the next commits carries the countdown comes after its T0.
    let attempts = host.faults().attempts();
    for attempt in 1..=6 {
        host.faults().at(attempts + attempt, Fault::Stall(Duration::from_millis(400)));
    }
    for socket in [&mut one, &mut other] {
        socket.say(json!({ "type": "nonce", "nonce": "00".repeat(16) })).await;
    }
    let start = one.until("start").await;
    let planned: Vec<_> = one.heard.iter().filter(|m| m["type"] == "countdown_started").collect();
    assert!(planned.len() > 1, "planned anew: {planned:?}");
    let (_, missed) = planned.split_last().unwrap();
    assert!(missed.iter().all(|plan| plan["in_ms"] == 0), "told as of when they are told: {planned:?}");
    assert_eq!(one.heard.iter().filter(|m| m["type"] == "start").count(), 1, "and shown once");
    let clock_ms = start["state"]["round"]["clock_ms"].as_u64().unwrap();
    assert_eq!(clock_ms, 0, "the clock starts when the boards are shown");
    let line = solution(start["state"]["round"]["board"].as_str().unwrap());
    for transfer in &line {
        assert_eq!(one.play(*transfer).await["type"], "transferred");
    }
    let raw_ms = one.until("finished").await["finish"]["raw_ms"].as_u64().unwrap();
    assert!(raw_ms < 2_000, "{raw_ms}");
}

#[tokio::test]
async fn who_comes_back_as_play_resumes_too_late_is_told_by_ones_what_came_after_the_welcome() {
    let mut host = Host::start().await;
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let code = host.room(&ada, json!({ "blueprint": SMALL })).await;
    let (mut one, mut other) = (host.seat(&code, &ada).await, host.seat(&code, &ben).await);
    tokio::join!(one.reach_start(), other.reach_start());
    host.restart().await;
    let _one = host.seat(&code, &ada).await;
    // The commit of the last one's return, with which play resumes, comes after the instant that was planned for that.
    let attempts = host.faults().attempts();
    host.faults().at(attempts + 1, Fault::Stall(Duration::from_millis(400)));
    let mut other = host.socket(&code).await;
    let welcome = other.hello(&ben, "player").await;
    other.until("start").await;
    let mut last = welcome["seq"].as_u64().unwrap();
    let numbered = other.heard.iter().filter(|message| message["type"] != "start" && message["type"] != "welcome");
    for seq in numbered.filter_map(|message| message["seq"].as_u64()) {
        assert_eq!(seq, last + 1, "{:?}", other.heard);
        last = seq;
    }
    assert!(host.faults().attempts() >= attempts + 2, "planned anew");
}

/// A message that is answered by the server's socket alone: once it is, whatever was sent before has its receipt.
async fn is_received(socket: &mut Socket) {
    socket.say_text("?").await;
    socket.until("error").await;
}

#[tokio::test]
async fn acts_that_come_while_a_commit_is_under_way_are_judged_by_their_own_receipts() {
    let host = Host::start().await;
    let (ada, ben, cy) = (host.guest("Ada").await, host.guest("Ben").await, host.guest("Cy").await);
    let code = host.room(&ada, json!({ "blueprint": SMALL, "seats": 3 })).await;
    let mut one = host.seat(&code, &ada).await;
    let (mut other, mut third) = (host.seat(&code, &ben).await, host.seat(&code, &cy).await);
    let (start, ..) = tokio::join!(one.reach_start(), other.reach_start(), third.reach_start());
    let line = solution(start["state"]["round"]["board"].as_str().unwrap());
    let (last, first) = line.split_last().unwrap();
    for transfer in first {
        one.play(*transfer).await;
        other.play(*transfer).await;
    }
    let gate = Gate::default();
    host.faults().next(Fault::Hold(gate.clone()));
    third.send_move(line[0].0, line[0].1).await;
    gate.reached().await;
    one.send_move(last.0, last.1).await;
    is_received(&mut one).await;
    let between = Instant::now();
    while between.elapsed() < Duration::from_millis(15) {
        tokio::task::yield_now().await;
    }
    other.send_move(last.0, last.1).await;
    is_received(&mut other).await;
    gate.open();
    let finishes = [third.until("finished").await, third.until("finished").await];
    assert_eq!([&finishes[0]["seat"], &finishes[1]["seat"]], [&json!(1), &json!(2)]);
    let raw_ms = |finish: &Value| finish["finish"]["raw_ms"].as_u64().unwrap();
    assert!(raw_ms(&finishes[1]) >= raw_ms(&finishes[0]) + 14, "{finishes:?}");
}

#[tokio::test]
async fn who_leaves_and_who_takes_the_seat_in_the_same_turn_are_not_mistaken_for_one_another() {
    let host = Host::start().await;
    let (ada, ben, cy) = (host.guest("Ada").await, host.guest("Ben").await, host.guest("Cy").await);
    let code = host.room(&ada, json!({ "blueprint": SMALL })).await;
    let (mut one, mut other) = (host.seat(&code, &ada).await, host.seat(&code, &ben).await);
    let mut third = host.socket(&code).await;
    let gate = Gate::default();
    host.faults().next(Fault::Hold(gate.clone()));
    other.say(json!({ "type": "ready", "ready": true })).await;
    gate.reached().await;
    one.say(json!({ "type": "leave" })).await;
    is_received(&mut one).await;
    third.say(json!({ "type": "hello", "token": cy.token, "role": "player" })).await;
    // Whoever can look a code up again and again gives the hello time to arrive.
    for _ in 0..20 {
        host.get(&format!("/api/v1/rooms/{code}")).await;
    }
    gate.open();
    assert_eq!(third.until("welcome").await["seat"], 1);
    assert_eq!(one.until("left").await["seat"], 1);
    assert_eq!(one.until_closed().await, Some(1000));
    assert!(!one.heard.iter().any(|m| m["name"] == "Cy"), "what comes after is not for who has left");
    third.say(json!({ "type": "ready", "ready": true })).await;
    assert_eq!(third.until_that("readied", |m| m["seat"] == 1).await["ready"], true);
}
