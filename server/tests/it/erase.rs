//! A deleted player is named nowhere, and what others raced against still proves itself.

use serde_json::json;
use sprint_server::erase;
use sprint_server::journal::{Journal, JournalOptions};
use sprint_server::store::{MatchAfter, NewRoom, Standing, Store};
use sprint_server::verify;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use uuid::Uuid;

use crate::database::{TestDatabase, on_both};
use crate::host::{Guest, Host, PATIENCE, SMALL, Socket, solution};
use crate::rows::{NOON_MS, append, player, race as rated_race, room, store_rounds, store_unshown};

/// Long after any deletion here.
const LATER_MS: i64 = 1 << 50;

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
    assert_eq!(erase::pass(&store, LATER_MS).await.unwrap(), 0, "she sits in a room that is open");
    assert!(!named(&database, "Adelheid").await.is_empty(), "and there she is named until it is over");
    all_proven(&store, 3).await;
    database.execute("UPDATE room SET finished_at_ms = 1 WHERE finished_at_ms IS NULL").await;
    store.compact_finished(i64::MAX, 2).await.unwrap();
    assert_eq!(erase::pass(&store, LATER_MS).await.unwrap(), 1);
    store.compact_finished(i64::MAX, 10).await.unwrap();
    assert_eq!(named(&database, "adalbert").await, []);
    assert_eq!(named(&database, "Adalbert").await, []);
    assert_eq!(named(&database, "Adelheid").await, []);
    assert!(!named(&database, "Benedikt").await.is_empty(), "nobody else's name is gone");
    assert!(store.players_to_erase(None, 10).await.unwrap().is_empty());
    all_proven(&store, 3).await;
    let (rounds, none) = (store.rounds(None, 10).await.unwrap(), None::<MatchAfter>);
    let (_, seats) = store.round(rounds[0].round_id).await.unwrap().unwrap();
    let deleted = seats.iter().find(|seat| seat.name == "Deleted player").expect("the seat stays");
    assert_eq!(store.matches_of(deleted.seat.player_id, none, 10).await.unwrap().len(), 3);
    let gone = store.player(deleted.seat.player_id).await.unwrap().unwrap();
    assert_eq!(gone.standing, Standing::Deleted);
    store.close().await;
    assert_eq!(copies(&database, "Adalbert") + copies(&database, "adalbert"), 0, "in cells that are free");
});

/// How often a text stands anywhere in the files of a database, free cells and pages included; 0 on Postgres.
fn copies(database: &TestDatabase, text: &str) -> usize {
    let Some(directory) = &database.directory else { return 0 };
    let files = std::fs::read_dir(directory.path()).expect("its directory").map(|file| file.expect("a file").path());
    let all: Vec<u8> = files.flat_map(|file| std::fs::read(file).expect("its bytes")).collect();
    all.windows(text.len()).filter(|bytes| *bytes == text.as_bytes()).count()
}

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
    assert_eq!(erase::pass(&store, LATER_MS).await.unwrap(), 1);
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
    store.delete_player(ada, 1).await.unwrap();
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
    assert!(store.players_to_erase(None, 10).await.unwrap().is_empty());
    all_proven(&store, 3).await;
});

async fn player_named(store: &Store, name: &str) -> Uuid {
    store.login(name).await.unwrap().expect("there is one").player.player_id
}

on_both!(who_sat_in_a_room_without_racing_there_is_named_nowhere_either, |database| {
    let mut host = Host::start_with(|settings| settings.database.database = Some(database.url.clone())).await;
    let (ada, ben, cleo) = (host.guest("Adalbert").await, host.guest("Benedikt").await, host.guest("Cleopatra").await);
    // She leaves before the start.
    let code = host.room(&ben, json!({ "blueprint": SMALL })).await;
    let (mut one, mut leaving) = (host.seat(&code, &ben).await, host.seat(&code, &ada).await);
    leaving.say(json!({ "type": "leave" })).await;
    leaving.until_closed().await;
    let mut other = host.seat(&code, &cleo).await;
    let (start, _) = tokio::join!(one.reach_start(), other.reach_start());
    for act in solution(start["state"]["round"]["board"].as_str().unwrap()) {
        one.play(act).await;
    }
    for socket in [&mut one, &mut other] {
        socket.until("series_over").await;
    }
    // And she sits down between two rounds that others race.
    other.say(json!({ "type": "leave" })).await;
    other.until_closed().await;
    let _watching = host.seat(&code, &ada).await;
    // This room never comes to a round.
    let idle = host.room(&ada, json!({})).await;
    let mut waiting = host.seat(&idle, &ada).await;
    waiting.say(json!({ "type": "close" })).await;
    waiting.until_closed().await;
    delete(&host, &ada).await;
    host.stop().await;
    let store = database.open().await;
    assert_eq!(erase::pass(&store, LATER_MS).await.unwrap(), 0, "she sits in a room that is open");
    database.execute("UPDATE room SET finished_at_ms = 1 WHERE finished_at_ms IS NULL").await;
    assert_eq!(erase::pass(&store, LATER_MS).await.unwrap(), 1);
    assert_eq!(named(&database, "Adalbert").await, []);
    assert!(!named(&database, "Cleopatra").await.is_empty(), "nobody else's name is gone");
    all_proven(&store, 1).await;
});

on_both!(nobodys_name_waits_for_a_room_of_others, |database| {
    let store = database.open().await;
    let ada = player(&store, "Ada", false).await;
    // A hundred and one, all of them before her, sit in a room that stays open.
    let mut sitting = Vec::new();
    for n in 0..101_u128 {
        sitting.push(Uuid::from_u128(n + 1));
        let (id, no) = match database.directory {
            Some(_) => (format!("x'{:032x}'", n + 1), "0"),
            None => (format!("'{}'", Uuid::from_u128(n + 1)), "false"),
        };
        let insert = "INSERT INTO player (player_id, name, bot, standing, erased, created_at_ms)";
        database.execute(&format!("{insert} VALUES ({id}, 'Somebody', {no}, 3, {no}, 1)")).await;
    }
    store.create_room(&NewRoom { seated: sitting, ..room("AAAAAA") }).await.unwrap();
    store.delete_player(ada, 1).await.unwrap();
    assert_eq!(erase::pass(&store, LATER_MS).await.unwrap(), 1);
    assert_eq!(store.players_to_erase(None, 1_000).await.unwrap().len(), 101);
});

on_both!(a_name_that_comes_in_just_after_the_deletion_goes_as_well, |database| {
    let store = database.open().await;
    let ada = player(&store, "Ada", false).await;
    store.delete_player(ada, 1_000).await.unwrap();
    assert_eq!(erase::pass(&store, 60_999).await.unwrap(), 0, "what was under way may still seat her");
    assert_eq!(erase::pass(&store, 61_000).await.unwrap(), 1);
    // And even so something came later.
    let (journal, task) = Journal::start(store.clone(), JournalOptions::default());
    let late = room("AAAAAA");
    store.create_room(&late).await.unwrap();
    let seated = format!(r#"{{"type":"seat_taken","seat":1,"player":"{ada}","name":"Ada","bot":false,"at":1}}"#);
    let mut sitting = append(late.room_id, 1, 1, &[&seated]);
    (sitting.seated, sitting.change.finished_at_ms) = (vec![ada], Some(1));
    journal.append(sitting).await.unwrap();
    drop(journal);
    task.await.unwrap();
    assert_eq!(named(&database, "Ada").await, [("room_event", 1)]);
    assert_eq!(erase::pass(&store, LATER_MS).await.unwrap(), 1);
    assert_eq!(named(&database, "Ada").await, []);
});

#[tokio::test]
async fn a_deletion_beside_rounds_that_are_counted_and_shown_ends_as_they_do() {
    let database = TestDatabase::postgres().await;
    let store = database.open().await;
    let (ada, ben) = (player(&store, "Ada", false).await, player(&store, "Ben", false).await);
    store_rounds(&store, &[rated_race(NOON_MS, &[ada, ben])]).await;
    store_unshown(&store, &[rated_race(NOON_MS + 1, &[ada, ben])]).await;
    let mut gate = database.connect().await;
    // Who waits for it gets it in this order: no update, which they would all have to follow.
    let hold = "BEGIN; SELECT rounds FROM ladder WHERE id = 1 FOR UPDATE";
    let bounded = async |task: JoinHandle<bool>| timeout(PATIENCE, task).await.expect("nobody waits for ever").unwrap();

    // A round is shown, a deletion comes second.
    sqlx::raw_sql(hold).execute(&mut gate).await.unwrap();
    let (one, other) = (store.clone(), store.clone());
    let showing = tokio::spawn(async move { one.show_rounds(i64::MAX).await.unwrap() });
    database.until_waiting(1).await;
    let deleting = tokio::spawn(async move {
        other.delete_player(ada, 1).await.unwrap();
        true
    });
    database.until_waiting(2).await;
    sqlx::raw_sql("COMMIT").execute(&mut gate).await.unwrap();
    assert!(bounded(showing).await && bounded(deleting).await);
    assert_eq!(database.count(&format!("board_entry WHERE player_id = '{ada}'")).await, 0);

    // Her erasure, and a round that is counted beside somebody's sitting down.
    let (journal, task) = Journal::start(store.clone(), JournalOptions::default());
    let late = room("AAAAAA");
    store.create_room(&late).await.unwrap();
    let mut ending = append(late.room_id, 1, 1, &["over"]);
    (ending.outcomes, ending.seated) = (vec![rated_race(NOON_MS + 2, &[ben, ada])], vec![ada]);
    sqlx::raw_sql(hold).execute(&mut gate).await.unwrap();
    let (one, other) = (store.clone(), journal.clone());
    let erasing = tokio::spawn(async move { one.set_erased(ada, Uuid::nil()).await.unwrap() });
    database.until_waiting(1).await;
    let counting = tokio::spawn(async move { other.append(ending).await.is_ok() });
    database.until_waiting(2).await;
    sqlx::raw_sql("COMMIT").execute(&mut gate).await.unwrap();
    assert!(bounded(counting).await);
    bounded(erasing).await;
    assert_eq!(store.players_to_erase(None, 10).await.unwrap().len(), 1, "she has sat down since");
    drop(journal);
    task.await.unwrap();
    assert_eq!(database.deadlocks(store).await, 0);
}

on_both!(a_room_that_comes_to_no_round_is_forgotten_with_those_who_sat_there, |database| {
    let store = database.open().await;
    let idle = NewRoom { seated: vec![Uuid::from_u128(1)], ..room("AAAAAA") };
    store.create_room(&idle).await.unwrap();
    database.execute("UPDATE room SET finished_at_ms = 1").await;
    assert_eq!(database.count("seated").await, 1);
    store.compact_finished(2, 1).await.unwrap();
    assert_eq!(database.count("seated").await, 0);
});

on_both!(rooms_of_older_servers_are_searched_for_names_too, |database| {
    let (room_id, other) = match database.directory {
        Some(_) => ("x'01890000000070008000000000000001'", "x'01890000000070008000000000000002'"),
        None => ("'01890000-0000-7000-8000-000000000001'", "'01890000-0000-7000-8000-000000000002'"),
    };
    let [ada, ben] = ["01890000-0000-7000-8000-0000000000aa", "01890000-0000-7000-8000-0000000000bb"];
    let sits = |player, name| {
        format!(r#"{{"type":"seat_taken","seat":2,"player":"{player}","name":"{name}","bot":false,"at":7}}"#)
    };
    let moved = serde_json::to_string(&json!([
        [1, 1, 1, 5, sits(ada, r#"\"Ada\""#)],
        [2, 1, 1, 6, r#"{"type":"left","seat":2}"#],
        [3, 1, 1, 7, sits(ben, "Ben")],
    ]));
    database.migrate_to(5).await;
    database
        .execute(&format!(
            "INSERT INTO room_event (room_id, seq, epoch, format, at_ms, body) VALUES ({room_id}, 1, 1, 1, 5, '{}'); \
             INSERT INTO room_event (room_id, seq, epoch, format, at_ms, body) VALUES ({room_id}, 2, 1, 1, 5, '{{\"type\":\"seat_taken\"'); \
             INSERT INTO replay (room_id, first_seq, last_seq, body) VALUES ({other}, 1, 3, '{}'); \
             INSERT INTO replay (room_id, first_seq, last_seq, body) VALUES ({room_id}, 1, 3, 'torn')",
            sits(ada, "Ada"),
            moved.unwrap(),
        ))
        .await;
    drop(database.open().await);
    let player = |id: &str| match database.directory {
        Some(_) => format!("x'{}'", id.replace('-', "")),
        None => format!("'{id}'"),
    };
    for (room_id, id) in [(room_id, ada), (other, ada), (other, ben)] {
        let row = format!("seated WHERE room_id = {room_id} AND player_id = {}", player(id));
        assert_eq!(database.count(&row).await, 1, "{row}");
    }
    assert_eq!(database.count("seated").await, 3);
});
