//! Many connections, and connections that never read: others play on, and memory and sockets stay bounded.

use serde_json::json;
use tempfile::TempDir;

use crate::host::{Guest, Host, SMALL, Socket};
use crate::process::Process;

fn database(directory: &TempDir) -> String {
    format!("sqlite://{}", directory.path().join("crowd.sqlite").display())
}

#[tokio::test]
async fn clients_that_never_read_cost_no_memory_hold_nobody_up_and_get_a_snapshot() {
    const ACTS: u64 = 40_000;
    const SPECTATORS: usize = 20;
    let directory = TempDir::new().unwrap();
    // A line that takes nothing is not closed here, so that it can be seen what it is sent when it reads again.
    let flags = ["--durability", "process", "--acts-per-s", "0", "--write-ms", "600000", "--dead-ms", "600000"];
    let server = Process::start_with(&database(&directory), &flags);
    let host = &server.host;
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let code = host.room(&ada, json!({ "blueprint": SMALL })).await;
    let (mut one, mut other) = (host.seat(&code, &ada).await, host.seat(&code, &ben).await);
    let (cleo, mut deaf) = (host.guest("Cleo").await, Vec::new());
    for _ in 0..SPECTATORS {
        let mut socket = host.small_socket(&code).await;
        socket.hello(&cleo, "spectator").await;
        deaf.push(socket);
    }
    tokio::join!(one.reach_start(), other.reach_start());
    // From here on the opponent does not read either.
    let mut memory = Vec::new();
    let mut judged = 0;
    one.play((2, 3)).await;
    for n in 2..=ACTS {
        // To and fro between two empty pegs.
        let (from, to) = if n % 2 == 0 { (3, 4) } else { (4, 3) };
        one.send_move(from, to).await;
        if n % 32 == 0 {
            let outcome = one.outcome(n).await;
            assert_eq!(outcome["type"], "transferred", "{outcome}");
            one.heard.clear();
            judged = n;
        }
        if n == ACTS / 4 || n == ACTS {
            memory.push(server.memory());
        }
    }
    assert_eq!(judged, ACTS / 32 * 32, "nobody held the racer up");
    let grown = memory[1].saturating_sub(memory[0]);
    // Thirty thousand events of 100 bytes for each of 21 clients would be more than 60 MB.
    assert!(grown < 24 << 20, "memory grew by {grown} bytes");
    for mut socket in deaf {
        let snapshot = socket.until("snapshot").await;
        assert_eq!(snapshot["state"]["round"]["plays"][0]["moves"], ACTS, "it tells how things stand now");
    }
}

#[tokio::test]
async fn a_thousand_reconnects_leave_one_socket_and_one_player() {
    let directory = TempDir::new().unwrap();
    let flags = ["--durability", "process", "--acts-per-s", "0"];
    let server = Process::start_with(&database(&directory), &flags);
    let host = &server.host;
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let code = host.room(&ada, json!({ "blueprint": SMALL })).await;
    let mut other = host.seat(&code, &ben).await;
    let mut one = host.seat(&code, &ada).await;
    let before = server.open_files();
    for number in 0..1_000 {
        let newer = host.seat(&code, &ada).await;
        // Every other time the old one goes first, as far as the server can tell.
        if number % 2 == 0 {
            one = newer;
        } else {
            drop(std::mem::replace(&mut one, newer));
        }
    }
    // Sockets that watch are served last: meanwhile Ben is heard, so that his pings are answered.
    while server.open_files() > before + 2 {
        for ready in [true, false] {
            other.say(json!({ "type": "ready", "ready": ready })).await;
            other.until_that("readied", |event| event["ready"] == ready).await;
        }
    }
    other.say(json!({ "type": "ready", "ready": true })).await;
    other.until("readied").await;
    let connected = other.heard.iter().filter(|m| m["type"] == "connected").count();
    let disconnected = other.heard.iter().filter(|m| m["type"] == "disconnected").count();
    assert_eq!(connected.saturating_sub(disconnected), usize::from(connected > disconnected));
    let mut fresh = host.socket(&code).await;
    let state = fresh.hello(&ben, "spectator").await["state"].clone();
    let seats = state["seats"].as_array().unwrap();
    assert_eq!(seats.len(), 2);
    assert!(seats.iter().all(|seat| seat["present"] == true), "{seats:?}");
}

#[tokio::test]
async fn a_thousand_reconnects_of_a_client_that_closes_nothing_leave_one_socket() {
    let directory = TempDir::new().unwrap();
    // No line ends for its silence: only a newer one ends it.
    let flags = ["--durability", "process", "--dead-ms", "600000"];
    let server = Process::start_with(&database(&directory), &flags);
    let own = server.sockets();
    let host = &server.host;
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    // Where nobody may watch, a connection that has lost its seat has lost everything.
    let code = host.room(&ada, json!({ "blueprint": SMALL, "spectators": false })).await;
    let mut other = host.seat(&code, &ben).await;
    let mut one = host.seat(&code, &ada).await;
    let mut kept = Vec::new();
    for number in 0..1_000 {
        let older = std::mem::replace(&mut one, host.seat(&code, &ada).await);
        // Every other time nobody ever closes the old one, or reads what it is told.
        if number % 2 == 0 {
            kept.push(older);
        }
    }
    server.until_sockets(own + 2).await;
    other.say(json!({ "type": "ready", "ready": true })).await;
    one.until("readied").await;
    other.until("readied").await;
    for mut older in kept {
        assert_eq!(older.until_closed().await, Some(4409));
        assert!(older.heard.iter().all(|message| message["type"] != "readied"), "what comes later is the newest one's");
    }
    let connected = other.heard.iter().filter(|m| m["type"] == "connected").count();
    let disconnected = other.heard.iter().filter(|m| m["type"] == "disconnected").count();
    assert_eq!(connected.saturating_sub(disconnected), usize::from(connected > disconnected));
    let mut fresh = host.socket(&code).await;
    let state = fresh.hello(&ada, "player").await["state"].clone();
    let seats = state["seats"].as_array().unwrap();
    assert_eq!(seats.len(), 2);
    assert!(seats.iter().all(|seat| seat["present"] == true), "{seats:?}");
}

#[tokio::test]
async fn a_thousand_reconnects_to_the_queue_leave_one_socket_and_one_place() {
    let directory = TempDir::new().unwrap();
    let flags = ["--durability", "process", "--player-joins-per-min", "0"];
    let server = Process::start_with(&database(&directory), &flags);
    let own = server.sockets();
    let host = &server.host;
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let mut one = host.queue(&ada, 2).await;
    one.until("waiting").await;
    let mut kept = Vec::new();
    for number in 0..1_000 {
        let mut newer = host.queue(&ada, 2).await;
        assert_eq!(newer.until("waiting").await["waiting"], 1);
        let older = std::mem::replace(&mut one, newer);
        if number % 2 == 0 {
            kept.push(older);
        }
    }
    server.until_sockets(own + 1).await;
    let mut other = host.queue(&ben, 2).await;
    assert_eq!(one.matched().await, other.matched().await);
    for mut older in kept {
        assert_eq!(older.until_closed().await, Some(4409));
        assert!(older.heard.iter().all(|message| message["type"] != "matched"), "one place, one race");
    }
}

#[tokio::test]
async fn a_thousand_players_who_reconnect_to_a_restarted_server_all_get_their_seats() {
    const ROOMS: usize = 250;
    let directory = TempDir::new().unwrap();
    let flags = ["--durability", "process"];
    let server = Process::start_with(&database(&directory), &flags);
    let seated = futures_util::future::join_all((0..ROOMS).map(|room| four(&server.host, room))).await;
    let all: Vec<(String, Guest, String, Socket)> = seated.into_iter().flatten().collect();
    assert_eq!(all.len(), 4 * ROOMS);
    server.kill();
    let server = Process::start_with(&database(&directory), &flags);
    let host = &server.host;
    let back = all.iter().map(|(code, guest, name, _)| async move {
        let mut socket = host.socket(code).await;
        let welcome = socket.hello(guest, "player").await;
        let seat = welcome["seat"].as_u64().unwrap() as usize;
        (welcome["state"]["seats"][seat - 1]["name"] == name.as_str(), socket)
    });
    let back = futures_util::future::join_all(back).await;
    assert!(back.iter().all(|(is_own, _)| *is_own), "each in the seat that was left");
}

/// A room with four players.
async fn four(host: &Host, room: usize) -> Vec<(String, Guest, String, Socket)> {
    let mut seated: Vec<(String, Guest, String, Socket)> = Vec::new();
    for name in ["Ada", "Ben", "Cy", "Dot"] {
        let name = format!("{name} {room}");
        let guest = host.guest(&name).await;
        let code = match seated.first() {
            Some((code, ..)) => code.clone(),
            None => host.room(&guest, json!({ "blueprint": SMALL, "seats": 4 })).await,
        };
        let socket = host.seat(&code, &guest).await;
        seated.push((code, guest, name, socket));
    }
    seated
}

#[tokio::test]
async fn five_hundred_viewers_that_never_read_cost_bounded_memory_and_everybody_else_gets_everything() {
    const ACTS: u64 = 6_000;
    const DEAF: usize = 500;
    let directory = TempDir::new().unwrap();
    let flags = ["--durability", "process", "--acts-per-s", "0", "--write-ms", "600000", "--dead-ms", "600000"];
    let server = Process::start_with(&database(&directory), &flags);
    let host = &server.host;
    let (ada, ben, cleo) = (host.guest("Ada").await, host.guest("Ben").await, host.guest("Cleo").await);
    let code = host.room(&ada, json!({ "blueprint": SMALL })).await;
    let (mut one, mut other) = (host.seat(&code, &ada).await, host.seat(&code, &ben).await);
    let mut deaf = Vec::new();
    for _ in 0..DEAF {
        let mut socket = host.small_socket(&code).await;
        socket.hello(&cleo, "spectator").await;
        deaf.push(socket);
    }
    let mut reading = host.socket(&code).await;
    let mut seq = reading.hello(&cleo, "spectator").await["seq"].as_u64().unwrap();
    tokio::join!(one.reach_start(), other.reach_start());
    other.say(json!({ "type": "give_up" })).await;
    one.until("gave_up").await;
    one.play((2, 3)).await;
    let mut memory = Vec::new();
    for n in 2..=ACTS {
        let (from, to) = if n % 2 == 0 { (3, 4) } else { (4, 3) };
        one.send_move(from, to).await;
        if n % 32 == 0 {
            assert_eq!(one.outcome(n).await["type"], "transferred");
            one.heard.clear();
            // The one who reads hears every event up to this act, by ones.
            loop {
                let message = reading.hear().await.expect("it keeps up");
                let Some(next) = message["seq"].as_u64() else { continue };
                // A start has no number of its own.
                let expected = if message["type"] == "start" { seq } else { seq + 1 };
                assert_eq!(next, expected, "{message}");
                seq = next;
                if message["n"] == n && message["type"] == "transferred" {
                    break;
                }
            }
            reading.heard.clear();
        }
        if n == ACTS / 4 || n == ACTS {
            memory.push(server.memory());
        }
    }
    // Four and a half thousand events of 100 bytes for each of them would be more than 200 MB.
    let grown = memory[1].saturating_sub(memory[0]);
    assert!(grown < 48 << 20, "memory grew by {grown} bytes");
    let mut late = deaf.pop().unwrap();
    assert_eq!(late.until("snapshot").await["state"]["round"]["plays"][0]["moves"].as_u64().unwrap() / 32, ACTS / 32);
}
