//! Clients that do not read: a room never waits for one, and what they missed comes as a snapshot.

use serde_json::{Value, json};

use crate::host::{Guest, Host, SMALL, Socket};

/// A room of two at T0 on a server without limits of acts, and whose spectators may be few.
async fn busy_room(write_ms: u64, spectators_max: usize) -> (Host, Guest, [Socket; 2], String) {
    let host = Host::start_with(|settings| {
        settings.limits.acts_per_s = 0;
        settings.limits.write_ms = write_ms;
        settings.limits.spectators_max = spectators_max;
    })
    .await;
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let code = host.room(&ada, json!({ "blueprint": SMALL })).await;
    let (mut one, mut other) = (host.seat(&code, &ada).await, host.small_socket(&code).await);
    other.hello(&ben, "player").await;
    tokio::join!(one.reach_start(), other.reach_start());
    let cleo = host.guest("Cleo").await;
    (host, cleo, [one, other], code)
}

/// Holds a disk and lifts again and again, each lift an event for all; some megabytes of them.
async fn make_noise(socket: &mut Socket, rounds: u64) -> Value {
    let mut last = Value::Null;
    for _ in 0..rounds {
        for _ in 0..100 {
            socket.n += 1;
            socket.say(json!({ "type": "lift", "n": socket.n, "peg": 1 })).await;
        }
        last = socket.outcome(socket.n).await;
        assert_ne!(last["type"], "refused", "{last}");
    }
    last
}

#[tokio::test]
async fn a_spectator_that_does_not_read_is_let_go_and_the_racers_notice_nothing() {
    let (host, cleo, [mut one, mut other], code) = busy_room(300, 1).await;
    let mut stuck = host.small_socket(&code).await;
    stuck.hello(&cleo, "spectator").await;
    let reading = tokio::spawn(async move {
        // Ben reads on.
        while other.hear().await.is_ok() {}
    });
    // Its place is free once it is let go: until then nobody else may watch.
    loop {
        make_noise(&mut one, 5).await;
        let mut next = host.socket(&code).await;
        next.say(json!({ "type": "hello", "token": cleo.token, "role": "spectator" })).await;
        if next.hear().await.unwrap()["type"] == "welcome" {
            break;
        }
    }
    reading.abort();
}

#[tokio::test]
async fn a_spectator_that_lags_behind_gets_a_snapshot_and_goes_on_from_there() {
    let (host, cleo, [mut one, other], code) = busy_room(20_000, 10).await;
    let mut lagging = host.small_socket(&code).await;
    lagging.hello(&cleo, "spectator").await;
    let last = make_noise(&mut one, 200).await;
    drop(other);
    let snapshot = lagging.until("snapshot").await;
    let play = &snapshot["state"]["round"]["plays"][0];
    assert!(play["moves"].as_u64().unwrap() > 0);
    let gone = one.until("disconnected").await;
    // From the snapshot on every event comes by ones, to the last.
    let mut seq = snapshot["seq"].as_u64().unwrap();
    while seq < gone["seq"].as_u64().unwrap() {
        let message = lagging.hear().await.unwrap();
        // Distances and the number of viewers are no events.
        let Some(next) = message["seq"].as_u64() else { continue };
        assert!(message["type"] == "snapshot" || next == seq + 1, "{seq}: {message}");
        seq = next;
    }
    assert!(last["seq"].as_u64().unwrap() < seq);
}

#[tokio::test]
async fn a_racer_that_lags_behind_gets_a_snapshot_and_races_on() {
    let (host, _, [mut one, mut lagging], _code) = busy_room(20_000, 10).await;
    let last = make_noise(&mut one, 200).await;
    let snapshot = lagging.until("snapshot").await;
    let mut seq = snapshot["seq"].as_u64().unwrap();
    while seq < last["seq"].as_u64().unwrap() {
        seq = lagging.hear().await.unwrap()["seq"].as_u64().unwrap();
    }
    assert_eq!(seq, last["seq"].as_u64().unwrap());
    let outcome = lagging.play((1, 3)).await;
    assert_ne!(outcome["type"], "refused", "{outcome}");
    drop(host);
}
