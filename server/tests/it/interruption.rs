//! Interruptions of a whole server in mid-race: its database lost, its disk full, itself stalled while another takes
//! its rooms over, and a start with very many rooms to take over.

use std::time::Instant;

use serde_json::{Value, json};
use sprint_server::journal::EventRow;
use sprint_server::store::{Durability, NewRoom, Store, StoreOptions};
use sprint_shared::event::Event;
use sprint_shared::fairness;
use sqlx::{Connection, PgConnection, SqliteConnection};
use tempfile::TempDir;
use uuid::Uuid;

use crate::database::TestDatabase;
use crate::host::{Guest, Host, SMALL, Socket, solution};
use crate::journal_lost::Wire;
use crate::process::Process;

/// Two guests at T0: who they are, their sockets, the code and the line of play.
async fn race(host: &Host) -> ([Guest; 2], Socket, Socket, String, Vec<(u64, u64)>) {
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let code = host.room(&ada, json!({ "preset": "initiate" })).await;
    let (mut one, mut other) = (host.seat(&code, &ada).await, host.seat(&code, &ben).await);
    let (start, _) = tokio::join!(one.reach_start(), other.reach_start());
    let line = solution(start["state"]["round"]["board"].as_str().unwrap());
    ([ada, ben], one, other, code, line)
}

/// Both come back to a race that was interrupted, and it goes on.
async fn come_back(host: &Host, code: &str, guests: &[Guest; 2]) -> (Socket, Socket) {
    let (mut one, mut other) = (host.seat(code, &guests[0]).await, host.seat(code, &guests[1]).await);
    tokio::join!(one.until("start"), other.until("start"));
    (one, other)
}

/// Plays the rest of the line; the result.
async fn finish(one: &mut Socket, line: &[(u64, u64)]) -> Value {
    for transfer in &line[one.n as usize..] {
        assert_eq!(one.play(*transfer).await["type"], "transferred");
    }
    let over = one.until("round_over").await;
    let of_ada = &over["result"]["seats"][0];
    let told = (&of_ada["name"], &of_ada["moves"], &of_ada["errors"]);
    assert_eq!(told, (&json!("Ada"), &json!(line.len()), &json!(0)), "every act once");
    over["result"].clone()
}

#[tokio::test]
async fn a_postgres_that_is_lost_in_mid_race_acknowledges_nothing_and_play_goes_on_when_it_is_back() {
    let database = TestDatabase::postgres().await;
    let wire = Wire::to(&database).await;
    let url = wire.url.clone();
    let host = Host::start_with(|settings| settings.database.database = Some(url)).await;
    let (guests, mut one, other, code, line) = race(&host).await;
    one.play(line[0]).await;
    let heard = one.heard.len();
    wire.cut();
    one.send_move(line[1].0, line[1].1).await;
    while host.request("GET", "/readyz", &[], "").await.json()["status"] != "stalled" {}
    one.say(json!({ "type": "ready", "ready": true })).await;
    let refused = one.hear().await;
    assert!(
        matches!(&refused, Ok(message) if message["code"] == "unavailable") || refused == Err(Some(1012)),
        "{refused:?}"
    );
    assert!(one.heard[heard..].iter().all(|m| m["type"] != "transferred"), "nothing is acknowledged");
    wire.mend();
    while host.request("GET", "/readyz", &[], "").await.status != 200 {}
    // The act that was on its way either goes through now, or the room is rebuilt and says what it has.
    let outcome = match refused {
        Ok(_) => loop {
            match one.hear().await {
                Ok(message) if message["n"] == 2 => break Some(message),
                Ok(_) => {}
                Err(_) => break None,
            }
        },
        Err(_) => None,
    };
    match outcome {
        Some(message) => assert_eq!(message["type"], "transferred"),
        None => {
            drop(other);
            let (back, _other) = come_back(&host, &code, &guests).await;
            one = back;
        }
    }
    let result = finish(&mut one, &line).await;
    let stored = host.get(&format!("/api/v1/matches/{}", result["round_id"].as_str().unwrap())).await;
    assert_eq!(stored["result"], result);
}

/// A transfer by hand.
fn hands((from, to): &(u64, u64)) -> [Value; 2] {
    [json!({ "type": "lift", "peg": from }), json!({ "type": "place", "peg": to })]
}

fn numbered(mut act: Value, n: u64) -> Value {
    act["n"] = json!(n);
    act
}

#[tokio::test]
async fn a_full_disk_acknowledges_nothing_says_so_and_ends_the_program_and_nothing_is_lost() {
    let directory = TempDir::new().unwrap();
    let database = format!("sqlite://{}", directory.path().join("full.sqlite").display());
    let server = Process::start_with(&database, &["--faults", "enospc@18"]);
    let (guests, mut one, _other, code, line) = race(&server.host).await;
    let mut acknowledged = 0;
    let acts: Vec<Value> = (1..).zip(line.iter().flat_map(hands)).map(|(n, act)| numbered(act, n)).collect();
    for act in &acts {
        one.say(act.clone()).await;
        match one.hear().await {
            Ok(message) if message["n"] == act["n"] && message["type"] != "refused" => acknowledged += 1,
            _ => break,
        }
    }
    assert!(acknowledged > 0 && acknowledged < 2 * line.len() as u64, "the disk is full in mid-race: {acknowledged}");
    let ready = server.host.request("GET", "/readyz", &[], "").await;
    assert_eq!((ready.status, &ready.json()["status"]), (503, &json!("read_only")));
    assert_eq!(server.ended().await, Some(1));

    let server = Process::start(&database);
    let (mut one, _other) = come_back(&server.host, &code, &guests).await;
    assert_eq!(one.n, acknowledged, "all that was acknowledged, and nothing else");
    for act in &acts[acknowledged as usize..] {
        one.say(act.clone()).await;
        assert_ne!(one.outcome(act["n"].as_u64().unwrap()).await["type"], "refused");
    }
    assert_eq!(one.until("round_over").await["result"]["seats"][0]["moves"], line.len());
}

#[tokio::test]
async fn a_server_that_was_stalled_acknowledges_nothing_once_another_has_taken_its_rooms() {
    let database = TestDatabase::postgres().await;
    let flags = ["--durability", "process"];
    let mut owner = Process::start_with(&database.url, &flags);
    let (guests, mut one, mut other, code, line) = race(&owner.host).await;
    for _ in 0..3 {
        let next = line[one.n as usize];
        assert_eq!(one.play(next).await["type"], "transferred");
        // One more is on its way as the server stalls.
        let (from, to) = line[one.n as usize];
        one.send_move(from, to).await;
        owner.signal("STOP");
        let fresh = Process::start_with(&database.url, &flags);
        let (now, now_other) = come_back(&fresh.host, &code, &guests).await;
        let heard = one.heard.len();
        owner.signal("CONT");
        let stale = now.n + 1;
        let (from, to) = line[now.n as usize];
        one.say(json!({ "type": "move", "n": stale, "from": from, "to": to })).await;
        one.until_closed().await;
        let told = one.heard[heard..].iter().filter(|message| message["seat"] == 1 && message["n"] == stale);
        assert_eq!(told.count(), 0, "a stale owner acknowledged an act");
        owner.kill();
        (owner, one, other) = (fresh, now, now_other);
    }
    finish(&mut one, &line).await;
    other.until("round_over").await;
    let mut connection = PgConnection::connect(&database.url).await.unwrap();
    let rows: Vec<(i64, i64)> =
        sqlx::query_as("SELECT seq, epoch FROM room_event ORDER BY seq").fetch_all(&mut connection).await.unwrap();
    assert!(rows.iter().map(|(seq, _)| *seq).eq(1..=rows.len() as i64), "no gap and no double");
    assert!(rows.is_sorted_by_key(|(_, epoch)| *epoch), "no row of a stale owner behind a new epoch");
    assert_eq!(rows.last().unwrap().1, 4, "one epoch a takeover");
}

/// Time and memory are printed, not judged: `-- --nocapture ten_thousand`.
#[tokio::test]
async fn ten_thousand_unfinished_rooms_are_taken_over_at_the_start_and_go_on() {
    const ROOMS: usize = 10_000;
    let mut host = Host::start().await;
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let code = host.room(&ada, json!({ "blueprint": SMALL })).await;
    let (mut one, mut other) = (host.seat(&code, &ada).await, host.seat(&code, &ben).await);
    let (start, _) = tokio::join!(one.reach_start(), other.reach_start());
    let board = start["state"]["round"]["board"].as_str().unwrap();
    one.play(solution(board)[0]).await;
    host.stop().await;
    let database = host.database();
    let events = multiply(&database, &code, ROOMS - 1).await;

    let began = Instant::now();
    let server = Process::start_with(&database, &["--durability", "process"]);
    let listening = began.elapsed();
    let welcome = server.host.socket(&code).await.hello(&ada, "player").await;
    let welcomed = began.elapsed();
    assert_eq!((&welcome["state"]["phase"], &welcome["n"]), (&json!("paused"), &json!(1)));
    let mut connection = SqliteConnection::connect(&database).await.unwrap();
    // After its last event a room has one for the takeover, and one more once it goes on. Nobody comes back to the
    // others: they do so by themselves after 15 s.
    let waiting = "SELECT count(*) FROM room WHERE last_seq < $1 + 2";
    while sqlx::query_scalar::<_, i64>(waiting).bind(events).fetch_one(&mut connection).await.unwrap() > 0 {
        assert!(began.elapsed().as_secs() < 240, "not all rooms went on");
        tokio::task::yield_now().await;
    }
    let closed = "SELECT count(*) FROM room WHERE finished_at_ms IS NOT NULL";
    assert_eq!(sqlx::query_scalar::<_, i64>(closed).fetch_one(&mut connection).await.unwrap(), 0, "none is given up");
    println!(
        "{ROOMS} unfinished rooms: listening after {listening:?}, a player is back after {welcomed:?}, all go on after \
         {:?}, memory {} MiB",
        began.elapsed(),
        server.memory() >> 20
    );
}

/// Another room of the same course: its secrets are committed to under its own name.
fn rename(event: &mut Event, to: Uuid, name: &str) {
    match event {
        Event::RoomOpened { room, code, .. } => (*room, *code) = (to, name.to_owned()),
        Event::Committed { round, round_id, deal_version, commitment, server_seed, .. } => {
            *round_id = Uuid::now_v7();
            let source = format!("blueprint {SMALL}");
            *commitment = fairness::commitment(*deal_version, to, *round, &source, server_seed);
        }
        _ => {}
    }
}

/// Copies a stored room, under names of their own; how many events each has.
async fn multiply(database: &str, code: &str, copies: usize) -> i64 {
    let options = StoreOptions { exclusive: false, durability: Durability::Process, ..StoreOptions::default() };
    let store = Store::open(database, options).await.unwrap();
    let room = store.room_by_code(code).await.unwrap().unwrap();
    let events = store.events(room.room_id, 1).await.unwrap();
    for number in 0..copies {
        let (room_id, name) = (Uuid::now_v7(), format!("C{number:011}"));
        let rows = events.iter().map(|row| {
            let mut event: Event = serde_json::from_str(&row.body).unwrap();
            rename(&mut event, room_id, &name);
            EventRow { seq: row.seq, at_ms: row.at_ms, body: serde_json::to_string(&event).unwrap() }
        });
        let copy = NewRoom {
            room_id,
            code: name.clone(),
            public: room.public,
            options: room.options.clone(),
            listing: room.listing.clone(),
            state: room.state.clone(),
            owner: room.owner.clone(),
            lease_until_ms: None,
            created_at_ms: 0,
            matched: room.matched,
            guests: room.guests.clone(),
            ghosts: store.ghosts(room.room_id).await.unwrap(),
            seated: Vec::new(),
            try_of: None,
            events: rows.collect(),
        };
        store.create_room(&copy).await.unwrap();
    }
    store.close().await;
    events.len() as i64
}
