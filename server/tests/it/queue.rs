//! Quick match: players find each other, race rated, and nobody is left behind.

use futures_util::future::join_all;
use serde_json::{Value, json};
use sqlx::{Connection, SqliteConnection};
use tokio::time::timeout;

use crate::host::{Guest, Host, PATIENCE, Socket, reach_quick_start, solution};

/// Two guests whom the queue has put into a room, and its code.
async fn two_matched(host: &Host) -> (Guest, Guest, String) {
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let (mut one, mut other) = (host.queue(&ada, 2).await, host.queue(&ben, 2).await);
    let code = one.matched().await;
    assert_eq!(other.matched().await, code);
    (ada, ben, code)
}

/// Both at T0 of the quick match with this code.
async fn race(host: &Host, ada: &Guest, ben: &Guest, code: &str) -> (Socket, Socket, Vec<(u64, u64)>) {
    let (mut one, mut other) = (host.seat(code, ada).await, host.seat(code, ben).await);
    let (start, _) = tokio::join!(reach_quick_start(&mut one), reach_quick_start(&mut other));
    let line = solution(start["state"]["round"]["board"].as_str().unwrap());
    (one, other, line)
}

/// Waits until so many wait for a race in all.
async fn until_waiting(host: &Host, expected: u64) {
    let counting = async {
        loop {
            let queue = host.get("/api/v1/queue").await;
            let waiting = queue["pools"].as_array().unwrap().iter().map(|pool| pool["waiting"].as_u64().unwrap());
            if waiting.sum::<u64>() == expected {
                return;
            }
        }
    };
    timeout(PATIENCE, counting).await.unwrap_or_else(|_| panic!("{expected} wait in the end"));
}

#[tokio::test]
async fn two_find_each_other_and_race_rated() {
    let mut host = Host::start().await;
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let mut one = host.queue(&ada, 2).await;
    let waiting = one.until("waiting").await;
    assert_eq!(
        (&waiting["waiting"], &waiting["seats"], &waiting["preset"]),
        (&json!(1), &json!(2), &json!("initiate"))
    );
    assert_eq!(waiting["window"], 600, "100, and the uncertainty of somebody new");
    let pools = host.get("/api/v1/queue").await["pools"].clone();
    assert_eq!(pools, json!([{ "seats": 2, "preset": "initiate", "bots": false, "waiting": 1 }]));
    let mut other = host.queue(&ben, 2).await;
    let code = one.matched().await;
    assert_eq!(other.matched().await, code);
    until_waiting(&host, 0).await;
    let (mut one, mut other, line) = race(&host, &ada, &ben, &code).await;
    let state = &one.heard[0]["state"];
    assert_eq!((&state["options"]["rated"], &state["host"]), (&json!(true), &Value::Null));
    for act in line {
        one.play(act).await;
    }
    let over = other.until("round_over").await;
    let round_id = over["result"]["round_id"].as_str().unwrap();
    let bearer = ada.bearer();
    let headers = [("authorization", bearer.as_str())];
    let moved = host.request("GET", &format!("/api/v1/matches/{round_id}/ratings"), &headers, "").await.json();
    for (seat, rises) in [(1, true), (2, false)] {
        let of_seat = |moved: &&Value| moved["seat"] == seat && moved["preset"].is_null();
        let moved = moved["seats"].as_array().unwrap().iter().find(of_seat).expect("the seat's rating over all");
        assert_eq!(moved["rating_before"], 1_500);
        let after = moved["rating_after"].as_i64().unwrap();
        assert_eq!((after > 1_500, after < 1_500), (rises, !rises), "seat {seat}: {after}");
    }
    // Those who watch are 15 s behind, and no ghost tells them more.
    let ghosts = host.request("POST", &format!("/api/v1/matches/{round_id}/ghosts"), &headers, "").await;
    assert_eq!(ghosts.status, 404, "{}", ghosts.body);
    host.stop().await;
    let mut database = SqliteConnection::connect(&host.database()).await.unwrap();
    let stored: Vec<(bool, bool)> =
        sqlx::query_as("SELECT matched, rated FROM round_result").fetch_all(&mut database).await.unwrap();
    assert_eq!(stored, [(true, true)]);
}

#[tokio::test]
async fn a_closed_tab_is_paired_with_nobody() {
    let host = Host::start().await;
    let (ada, ben, cleo) = (host.guest("Ada").await, host.guest("Ben").await, host.guest("Cleo").await);
    let mut gone = host.queue(&ada, 2).await;
    gone.until("waiting").await;
    drop(gone);
    until_waiting(&host, 0).await;
    let mut left = host.queue(&ada, 2).await;
    left.until("waiting").await;
    left.say(json!({ "type": "leave" })).await;
    assert_eq!(left.until_closed().await, Some(1000));
    until_waiting(&host, 0).await;
    let mut one = host.queue(&ben, 2).await;
    assert_eq!(one.until("waiting").await["waiting"], 1);
    let mut other = host.queue(&cleo, 2).await;
    let code = one.matched().await;
    assert_eq!(other.matched().await, code);
    let seated = host.seat(&code, &cleo).await;
    let seats = seated.heard[0]["state"]["seats"].as_array().unwrap();
    let mut names: Vec<_> = seats.iter().map(|seat| seat["name"].as_str().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(names, ["Ben", "Cleo"]);
}

#[tokio::test]
async fn a_silent_client_is_gone_from_the_queue() {
    let host = Host::start_with(|settings| {
        (settings.limits.ping_ms, settings.limits.dead_ms) = (100, 300);
    })
    .await;
    let ada = host.guest("Ada").await;
    let mut silent = host.queue(&ada, 2).await;
    silent.until("waiting").await;
    // A line that is not read answers no ping.
    until_waiting(&host, 0).await;
    assert_eq!(silent.until_closed().await, None);
}

#[tokio::test]
async fn who_does_not_show_up_costs_the_other_15_seconds_and_no_rating() {
    let mut host = Host::start_with(|settings| settings.show_up_ms = 300).await;
    let (ada, _ben, code) = two_matched(&host).await;
    let mut one = host.seat(&code, &ada).await;
    assert_eq!(one.until("error").await["code"], "no_opponent");
    assert_eq!(one.until_closed().await, Some(4410));
    let mut again = host.queue(&ada, 2).await;
    assert_eq!(again.until("waiting").await["waiting"], 1, "they are free for another race");
    drop(again);
    host.stop().await;
    let mut database = SqliteConnection::connect(&host.database()).await.unwrap();
    let rounds: i64 = sqlx::query_scalar("SELECT count(*) FROM round_result").fetch_one(&mut database).await.unwrap();
    assert_eq!(rounds, 0);
}

#[tokio::test]
async fn who_comes_after_the_other_has_left_is_told_that_nobody_is_there() {
    let host = Host::start().await;
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    for leaves_first in [false, true] {
        let (mut one, mut other) = (host.queue(&ada, 2).await, host.queue(&ben, 2).await);
        let code = one.matched().await;
        assert_eq!(other.matched().await, code);
        let mut first = host.seat(&code, &ada).await;
        first.say(json!({ "type": "leave" })).await;
        if leaves_first {
            first.until_closed().await;
        }
        let mut late = host.socket(&code).await;
        late.say(json!({ "type": "hello", "token": ben.token, "role": "player" })).await;
        assert_eq!(late.until("error").await["code"], "no_opponent", "the other is gone before: {leaves_first}");
        assert_eq!(late.until_closed().await, Some(4410));
    }
    let mut again = host.queue(&ben, 2).await;
    assert_eq!(again.until("waiting").await["waiting"], 1, "they are free for another race");
}

#[tokio::test]
async fn a_room_is_not_kept_for_who_never_comes_after_the_other_has_left() {
    let host = Host::start_with(|settings| settings.show_up_ms = 300).await;
    let (ada, ben, code) = two_matched(&host).await;
    let mut first = host.seat(&code, &ada).await;
    first.say(json!({ "type": "leave" })).await;
    first.until_closed().await;
    let closing = async { while host.request("GET", &format!("/api/v1/rooms/{code}"), &[], "").await.status != 404 {} };
    timeout(PATIENCE, closing).await.expect("the room closes");
    let mut again = host.queue(&ben, 2).await;
    assert_eq!(again.until("waiting").await["waiting"], 1, "they are free for another race");
}

#[tokio::test]
async fn those_who_came_race_without_the_one_who_did_not() {
    let host = Host::start_with(|settings| settings.show_up_ms = 300).await;
    let (ada, ben, cleo) = (host.guest("Ada").await, host.guest("Ben").await, host.guest("Cleo").await);
    let mut queued = Vec::new();
    for (waiting, guest) in (1..).zip([&ada, &ben]) {
        queued.push(host.queue(guest, 3).await);
        // Seats are given in the order in which they came.
        until_waiting(&host, waiting).await;
    }
    queued.push(host.queue(&cleo, 3).await);
    let mut codes = Vec::new();
    for socket in &mut queued {
        codes.push(socket.matched().await);
    }
    assert!(codes.iter().all(|code| *code == codes[0]));
    let (mut one, mut other) = (host.seat(&codes[0], &ada).await, host.seat(&codes[0], &cleo).await);
    let (start, _) = tokio::join!(reach_quick_start(&mut one), reach_quick_start(&mut other));
    let racers: Vec<_> =
        start["state"]["seats"].as_array().unwrap().iter().filter(|seat| seat["left"] == false).collect();
    let mut names: Vec<_> = racers.iter().map(|seat| seat["name"].as_str().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(names, ["Ada", "Cleo"]);
}

#[tokio::test]
async fn a_second_tab_takes_the_place_in_the_queue() {
    let host = Host::start().await;
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let mut tabs = vec![host.queue(&ada, 2).await];
    tabs[0].until("waiting").await;
    for _ in 0..20 {
        let mut newer = host.queue(&ada, 2).await;
        newer.until("waiting").await;
        let older = tabs.last_mut().unwrap();
        older.until("replaced").await;
        assert_eq!(older.until_closed().await, Some(4409));
        tabs.push(newer);
    }
    let mut last = tabs.pop().unwrap();
    // What older tabs do changes nothing.
    drop(tabs);
    until_waiting(&host, 1).await;
    let mut other = host.queue(&ben, 2).await;
    assert_eq!(last.matched().await, other.matched().await);
}

#[tokio::test]
async fn a_log_out_ends_the_wait_even_of_a_connection_that_is_just_opening() {
    let host = Host::start_with(|settings| settings.limits.player_joins_per_min = 0).await;
    let log_out = async |guest: &Guest| {
        let bearer = guest.bearer();
        host.request("POST", "/api/v1/players/me/logout", &[("authorization", bearer.as_str())], "").await.status
    };
    let ada = host.guest("Ada").await;
    let mut waiting = host.queue(&ada, 2).await;
    waiting.until("waiting").await;
    assert_eq!(log_out(&ada).await, 204);
    assert_eq!(waiting.until("error").await["code"], "logged_out");
    assert_eq!(waiting.until_closed().await, Some(4401));
    until_waiting(&host, 0).await;
    for round in 0..15 {
        let ben = host.guest(&format!("Ben {round}")).await;
        let mut opening = Vec::new();
        for _ in 0..20 {
            opening.push(host.queue_socket().await);
        }
        // Some join before the log-out reaches the database, some while it does, some after.
        let joining = join_all(opening.iter_mut().map(|socket| socket.join_queue(&ben, 2)));
        let (_, out) = tokio::join!(joining, log_out(&ben));
        assert_eq!(out, 204);
        for mut socket in opening {
            let close = socket.until_closed().await;
            assert!(matches!(close, Some(4401 | 4409)), "{close:?}");
        }
        until_waiting(&host, 0).await;
    }
}

#[tokio::test]
async fn a_new_name_shows_in_the_next_room_and_the_old_one_where_one_waits_or_sits_already() {
    let host = Host::start().await;
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let code = host.room(&ada, json!({})).await;
    let sitting = host.seat(&code, &ada).await;
    let mut waiting = host.queue(&ada, 2).await;
    waiting.until("waiting").await;
    let bearer = ada.bearer();
    let headers = [("authorization", bearer.as_str())];
    let renamed = host.request("PATCH", "/api/v1/players/me", &headers, r#"{"name":"Adelheid"}"#).await;
    assert_eq!(renamed.status, 200, "{}", renamed.body);
    let first_name = |socket: &Socket| socket.heard[0]["state"]["seats"][0]["name"].clone();
    drop(sitting);
    let sitting = host.seat(&code, &ada).await;
    assert_eq!(first_name(&sitting), "Ada", "also for who comes back");
    assert_eq!(host.get(&format!("/api/v1/rooms/{code}")).await["players"], json!(["Ada"]));
    let mut other = host.queue(&ben, 2).await;
    let matched = waiting.matched().await;
    assert_eq!(other.matched().await, matched);
    let seated = host.seat(&matched, &ben).await;
    let seats = seated.heard[0]["state"]["seats"].as_array().unwrap();
    let mut names: Vec<_> = seats.iter().map(|seat| seat["name"].as_str().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(names, ["Ada", "Ben"]);
    let next = host.room(&ada, json!({})).await;
    assert_eq!(first_name(&host.seat(&next, &ada).await), "Adelheid");
}

#[tokio::test]
async fn a_change_of_mind_waits_anew_for_the_other_race() {
    let host = Host::start().await;
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let mut one = host.queue(&ada, 2).await;
    one.until("waiting").await;
    one.say(json!({ "type": "join", "seats": 3, "preset": "standard" })).await;
    one.until_that("waiting", |waiting| waiting["seats"] == 3 && waiting["preset"] == "standard").await;
    let mut other = host.queue(&ben, 2).await;
    assert_eq!(other.until("waiting").await["waiting"], 1, "nobody waits for this race any more");
    one.say(json!({ "type": "join", "seats": 2, "preset": "initiate" })).await;
    assert_eq!(one.matched().await, other.matched().await);
}

#[tokio::test]
async fn whoever_changes_their_mind_while_bots_are_looked_up_is_offered_one_once() {
    let host = Host::start_with(|settings| settings.offer_ms = 1).await;
    // Names that cannot be read: the look-up fails, and is tried again each second.
    host.execute("UPDATE player SET name = CAST(x'ff' AS TEXT) WHERE strength IS NOT NULL").await;
    let mut ada = host.queue(&host.guest("Ada").await, 2).await;
    for seats in [3, 4, 2] {
        ada.say(json!({ "type": "join", "seats": seats, "preset": "standard" })).await;
        // Told once more, how far ratings may be apart by then: the queue has looked who is to be offered a bot.
        for _ in 0..2 {
            ada.until_that("waiting", |waiting| waiting["seats"] == seats && waiting["preset"] == "standard").await;
        }
    }
    host.execute("UPDATE player SET name = 'Automaton ' || strength WHERE strength IS NOT NULL").await;
    ada.until("offer").await;
    ada.say(json!({ "type": "leave" })).await;
    ada.until_closed().await;
    assert_eq!(ada.heard.iter().filter(|message| message["type"] == "offer").count(), 1);
}

#[tokio::test]
async fn both_wait_on_while_no_room_is_to_be_had() {
    let host = Host::start_with(|settings| settings.limits.rooms_max = 1).await;
    let (ada, ben, cleo) = (host.guest("Ada").await, host.guest("Ben").await, host.guest("Cleo").await);
    let code = host.room(&cleo, json!({})).await;
    let mut in_the_way = host.seat(&code, &cleo).await;
    let (mut one, mut other) = (host.queue(&ada, 2).await, host.queue(&ben, 2).await);
    one.until("back").await;
    other.until("back").await;
    in_the_way.say(json!({ "type": "leave" })).await;
    in_the_way.until_closed().await;
    assert_eq!(one.matched().await, other.matched().await, "they kept their places");
}

#[tokio::test]
async fn a_room_that_cannot_be_stored_gives_everybody_their_places_back() {
    let host = Host::start_with(|settings| settings.offer_ms = 100).await;
    for (table, seats) in [("room", 2), ("room_event", 3)] {
        let refusing =
            format!("CREATE TRIGGER refusing BEFORE INSERT ON {table} BEGIN SELECT RAISE(ABORT, 'injected'); END");
        host.execute(&refusing).await;
        let mut queued = Vec::new();
        for seat in 0..seats {
            queued.push(host.queue(&host.guest(&format!("Ada {table} {seat}")).await, seats).await);
        }
        for socket in &mut queued {
            socket.until("back").await;
        }
        host.execute("DROP TRIGGER refusing").await;
        let code = queued[0].matched().await;
        for socket in &mut queued[1..] {
            assert_eq!(socket.matched().await, code, "nobody has lost a place");
        }
    }
    let mut alone = host.queue(&host.guest("Ben").await, 2).await;
    alone.until("offer").await;
    host.execute("CREATE TRIGGER refusing BEFORE INSERT ON room BEGIN SELECT RAISE(ABORT, 'injected'); END").await;
    alone.say(json!({ "type": "accept" })).await;
    alone.until("back").await;
    host.execute("DROP TRIGGER refusing").await;
    alone.say(json!({ "type": "accept" })).await;
    alone.matched().await;
}

#[tokio::test]
async fn after_a_restart_a_matched_room_goes_on() {
    let mut host = Host::start().await;
    let (ada, ben, code) = two_matched(&host).await;
    let before = host.seat(&code, &ada).await;
    host.restart().await;
    drop(before);
    let mut again = host.queue(&ben, 2).await;
    assert_eq!(again.until("matched").await["code"], code, "Ben is sent to the race that he was matched for");
    let (mut one, other, line) = race(&host, &ada, &ben, &code).await;
    one.play(line[0]).await;
    host.restart().await;
    drop(other);
    let (mut one, mut other) = (host.seat(&code, &ada).await, host.seat(&code, &ben).await);
    assert_eq!(one.n, 1);
    tokio::join!(one.until("start"), other.until("start"));
    for act in &line[1..] {
        one.play(*act).await;
    }
    other.until("round_over").await;
    let cleo = host.guest("Cleo").await;
    let mut stranger = host.socket(&code).await;
    stranger.say(json!({ "type": "hello", "token": cleo.token, "role": "player" })).await;
    assert_eq!(stranger.until("refused").await["code"], "no_seat");
}

#[tokio::test]
async fn nobody_is_sent_back_to_a_room_that_cannot_be_read() {
    let mut host = Host::start().await;
    let (ada, ben, code) = two_matched(&host).await;
    host.stop().await;
    let mut database = SqliteConnection::connect(&host.database()).await.unwrap();
    let damage = "UPDATE room_event SET body = 'no event' WHERE seq = 2";
    assert_eq!(sqlx::query(damage).execute(&mut database).await.unwrap().rows_affected(), 1);
    database.close().await.unwrap();
    host.start_again().await;
    let mut socket = host.socket(&code).await;
    socket.say(json!({ "type": "hello", "token": ada.token, "role": "player" })).await;
    assert_eq!(socket.until_closed().await, Some(4404));
    let (mut one, mut other) = (host.queue(&ada, 2).await, host.queue(&ben, 2).await);
    let next = one.matched().await;
    assert_eq!((other.matched().await, next != code), (next.clone(), true));
}

#[tokio::test]
async fn who_races_is_sent_back_to_the_race() {
    let host = Host::start().await;
    let (ada, ben, code) = two_matched(&host).await;
    let mut early = host.queue(&ada, 4).await;
    assert_eq!(early.matched().await, code, "the race is open and nobody has come yet");
    let (mut one, mut other, line) = race(&host, &ada, &ben, &code).await;
    let mut second = host.queue(&ben, 2).await;
    assert_eq!(second.matched().await, code);
    for act in line {
        one.play(act).await;
    }
    other.until("series_over").await;
    let mut free = host.queue(&ben, 2).await;
    assert_eq!(free.until("waiting").await["waiting"], 1, "the race is over");
    other.say(json!({ "type": "rematch" })).await;
    assert_eq!(other.until("refused").await["code"], "not_now", "nobody picks from whom to take points");
}

#[tokio::test]
async fn nobody_opens_a_rated_room_by_hand() {
    let host = Host::start().await;
    let bearer = host.guest("Ada").await.bearer();
    let headers = [("authorization", bearer.as_str())];
    let refused = host.request("POST", "/api/v1/rooms", &headers, r#"{"rated":true}"#).await;
    assert_eq!((refused.status, &refused.json()["code"]), (422, &json!("invalid")));
}

#[tokio::test]
async fn a_stranger_with_the_code_cannot_sit_down() {
    let host = Host::start().await;
    let (ada, ben, code) = two_matched(&host).await;
    let cleo = host.guest("Cleo").await;
    let turned_away = async |host: &Host| {
        let mut stranger = host.socket(&code).await;
        stranger.say(json!({ "type": "hello", "token": cleo.token, "role": "player" })).await;
        assert_eq!(stranger.until("refused").await["code"], "no_seat");
        assert_eq!(stranger.until_closed().await, Some(4403));
    };
    turned_away(&host).await;
    let (mut one, _other, line) = race(&host, &ada, &ben, &code).await;
    for act in line {
        one.play(act).await;
    }
    one.until("series_over").await;
    // A seat is free now, and it is still not the stranger's.
    one.say(json!({ "type": "leave" })).await;
    one.until_closed().await;
    turned_away(&host).await;
}

#[tokio::test]
async fn the_queue_says_what_is_wrong_with_a_first_message() {
    let host = Host::start().await;
    let ada = host.guest("Ada").await;
    for (first, code, close, words) in [
        (json!({ "type": "accept" }), "join_first", 1008, "say join first"),
        (json!(["join", ada.token, 2, "initiate"]), "join_first", 1008, "give each value its name"),
        (json!({ "type": "join", "seats": 2 }), "join_first", 1008, "the token is missing"),
        (json!({ "type": "join", "token": ada.token, "seats": 5 }), "join_first", 1008, "2 to 4 seats, not 5"),
        (json!({ "type": "join", "token": ada.token, "preset": "huge" }), "join_first", 1008, "unknown variant `huge`"),
        (json!({ "type": "join", "token": "nobody's" }), "bad_token", 4401, "POST /api/v1/players"),
    ] {
        let mut socket = host.queue_socket().await;
        socket.say(first.clone()).await;
        let error = socket.until("error").await;
        assert_eq!(error["code"], code, "{first}");
        assert!(error["message"].as_str().unwrap().contains(words), "{first}: {error}");
        assert_eq!(socket.until_closed().await, Some(close), "{first}");
    }
    let mut socket = host.queue(&ada, 2).await;
    socket.say(json!({ "type": "accept" })).await;
    assert_eq!(socket.until("refused").await["code"], "not_offered");
    for left in (0..3).rev() {
        socket.say(json!({ "type": "hurry" })).await;
        assert_eq!(socket.until("error").await["code"], "bad_message", "{left} more");
    }
    assert_eq!(socket.until_closed().await, Some(1008));
    until_waiting(&host, 0).await;
}
