//! A deleted player is named nowhere, and what others raced against still proves itself.

use serde_json::json;
use sprint_server::erase::Eraser;
use sprint_server::store::{MatchAfter, Standing, Store};
use sprint_server::verify;
use uuid::Uuid;

use crate::database::{TestDatabase, on_both};
use crate::host::{Guest, Host, SMALL, Socket, solution};

/// Two race once and leave: the room is over.
async fn race_and_leave(host: &Host, ada: &Guest, ben: &Guest) -> String {
    let (code, mut one, mut other) = race(host, ada, ben).await;
    for socket in [&mut one, &mut other] {
        socket.say(json!({ "type": "leave" })).await;
        socket.until_closed().await;
    }
    code
}

/// Two race once; the room is still open.
async fn race(host: &Host, ada: &Guest, ben: &Guest) -> (String, Socket, Socket) {
    let code = host.room(ada, json!({ "blueprint": SMALL })).await;
    let (mut one, mut other) = (host.seat(&code, ada).await, host.seat(&code, ben).await);
    let (start, _) = tokio::join!(one.reach_start(), other.reach_start());
    for act in solution(start["state"]["round"]["board"].as_str().unwrap()) {
        one.play(act).await;
    }
    for socket in [&mut one, &mut other] {
        socket.until("series_over").await;
    }
    (code, one, other)
}

async fn delete(host: &Host, guest: &Guest) {
    let bearer = guest.bearer();
    let answer = host.request("DELETE", "/api/v1/players/me", &[("authorization", &bearer)], "").await;
    assert_eq!(answer.status, 204, "{}", answer.body);
}

/// Every place where a person's name can stand.
async fn named(database: &TestDatabase, name: &str) -> Vec<(&'static str, i64)> {
    let mut found = Vec::new();
    for (table, column) in [
        ("player", "name"),
        ("player", "skeleton"),
        ("room", "listing"),
        ("room", "guests"),
        ("room_event", "body"),
        ("replay", "body"),
        ("round_result", "body"),
    ] {
        let rows = database.count(&format!("{table} WHERE {column} LIKE '%{name}%'")).await;
        if rows > 0 {
            found.push((table, rows));
        }
    }
    found
}

async fn all_proven(store: &Store, rounds: u64) {
    let report = verify::all(store).await.unwrap();
    assert!(report.differing.is_empty(), "{:?}", report.differing);
    assert_eq!(report.verified, rounds);
}

on_both!(a_deleted_player_is_named_nowhere_and_the_rounds_still_prove, |database| {
    let mut host = Host::start_with(|settings| settings.database.database = Some(database.url.clone())).await;
    let (ada, ben) = (host.guest("Adalbert").await, host.guest("Benedikt").await);
    race_and_leave(&host, &ada, &ben).await;
    let bearer = ada.bearer();
    let renamed = r#"{"name":"Adelheid"}"#;
    host.request("PATCH", "/api/v1/players/me", &[("authorization", &bearer)], renamed).await;
    // One room is compacted already, one is not, and one never came to a round.
    race_and_leave(&host, &ada, &ben).await;
    let idle = host.room(&ada, json!({})).await;
    let mut waiting = host.seat(&idle, &ada).await;
    waiting.say(json!({ "type": "close" })).await;
    waiting.until_closed().await;
    let (_, mut sitting, _staying) = race(&host, &ada, &ben).await;
    delete(&host, &ada).await;
    assert_eq!(sitting.until_closed().await, Some(4401), "the socket is closed at once");
    let me = host.request("GET", "/api/v1/players/me", &[("authorization", &bearer)], "").await;
    assert_eq!(me.status, 401);
    host.guest("Adelheid").await;
    host.stop().await;

    let store = database.open().await;
    database.execute("DELETE FROM player WHERE standing = 0 AND name = 'Adelheid'").await;
    let mut eraser = Eraser::default();
    assert_eq!(eraser.pass(&store, || 1 << 50).await.unwrap(), 0, "she sits in a room that is open");
    assert!(!named(&database, "Adelheid").await.is_empty(), "and there she is named until it is over");
    all_proven(&store, 3).await;
    database.execute("UPDATE room SET finished_at_ms = 1 WHERE finished_at_ms IS NULL").await;
    store.compact_finished(i64::MAX, 2).await.unwrap();
    assert_eq!(eraser.pass(&store, || 1 << 50).await.unwrap(), 1);
    store.compact_finished(i64::MAX, 10).await.unwrap();
    assert_eq!(named(&database, "adalbert").await, []);
    assert_eq!(named(&database, "Adalbert").await, []);
    assert_eq!(named(&database, "Adelheid").await, []);
    assert!(!named(&database, "Benedikt").await.is_empty(), "nobody else's name is gone");
    assert!(store.players_to_erase(10).await.unwrap().is_empty());
    all_proven(&store, 3).await;
    let (rounds, none) = (store.rounds(None, 10).await.unwrap(), None::<MatchAfter>);
    let (_, seats) = store.round(rounds[0].round_id).await.unwrap().unwrap();
    let deleted = seats.iter().find(|seat| seat.name == "Deleted player").expect("the seat stays");
    assert_eq!(store.matches_of(deleted.seat.player_id, none, 10).await.unwrap().len(), 3);
    let gone = store.player(deleted.seat.player_id).await.unwrap().unwrap();
    assert_eq!(gone.standing, Standing::Deleted);
});

on_both!(the_ghosts_of_a_deleted_player_are_nameless_too, |database| {
    let mut host = Host::start_with(|settings| settings.database.database = Some(database.url.clone())).await;
    let (ada, ben) = (host.guest("Adalbert").await, host.guest("Benedikt").await);
    race_and_leave(&host, &ada, &ben).await;
    host.stop().await;
    let store = database.open().await;
    let (round_id, player) = (store.rounds(None, 1).await.unwrap()[0].round_id, player_named(&store, "Adalbert").await);
    store.close().await;
    drop(store);
    host.start_again().await;
    let bearer = ben.bearer();
    let path = format!("/api/v1/matches/{round_id}/ghosts");
    let opened = host.request("POST", &path, &[("authorization", &bearer)], "").await;
    assert_eq!(opened.json()["players"], json!(["Benedikt", "Ghost of Adalbert"]), "{}", opened.body);
    let mut racing = host.seat(opened.json()["code"].as_str().unwrap(), &ben).await;
    // The ghost races by itself.
    let over = racing.until("round_over").await;
    let seats = over["result"]["seats"].as_array().unwrap();
    assert!(seats.iter().any(|seat| seat["name"] == "Ghost of Adalbert" && seat["finish"].is_object()), "{over:#}");
    host.stop().await;
    let store = database.open().await;
    database.execute("UPDATE room SET finished_at_ms = 1 WHERE finished_at_ms IS NULL").await;
    store.delete_player(player, 1).await.unwrap();
    assert_eq!(Eraser::default().pass(&store, || 1 << 50).await.unwrap(), 1);
    assert_eq!(named(&database, "Adalbert").await, []);
    all_proven(&store, 2).await;
});

on_both!(an_erasure_goes_on_after_a_crash, |database| {
    let mut host = Host::start_with(|settings| settings.database.database = Some(database.url.clone())).await;
    let (ada, ben) = (host.guest("Adalbert").await, host.guest("Benedikt").await);
    for _ in 0..3 {
        race_and_leave(&host, &ada, &ben).await;
    }
    host.stop().await;
    let store = database.open().await;
    let ada = player_named(&store, "Adalbert").await;
    store.delete_player(ada, 1 << 50).await.unwrap();
    assert_eq!(named(&database, "Adalbert").await.len(), 2, "events and results");
    // The process dies before it has erased anything; the next one goes on by itself.
    store.close().await;
    drop(store);
    host.start_again().await;
    while database.count("player WHERE NOT erased").await > 0 {
        tokio::task::yield_now().await;
    }
    assert_eq!(named(&database, "Adalbert").await, []);
    host.stop().await;
    let store = database.open().await;
    assert!(store.players_to_erase(10).await.unwrap().is_empty());
    all_proven(&store, 3).await;
});

async fn player_named(store: &Store, name: &str) -> Uuid {
    store.login(name).await.unwrap().expect("there is one").player.player_id
}
