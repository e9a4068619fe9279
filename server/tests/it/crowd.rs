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
    let mut deaf = Vec::new();
    for _ in 0..SPECTATORS {
        let mut socket = host.small_socket(&code).await;
        socket.hello(&ben, "spectator").await;
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
    let server = Process::start_with(&database(&directory), &["--durability", "process"]);
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
    while server.open_files() > before + 2 {
        tokio::task::yield_now().await;
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
