//! Watching: who may, what is shown to whom and when, distances, and the list of what can be watched.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sprint_shared::board::Board;
use sprint_shared::peg::PegId;
use sprint_shared::rules::Transfer;
use sprint_shared::solver::{Budget, Outcome, solve};
use sqlx::{Connection, PgConnection};
use tokio::time::timeout;

use crate::database::TestDatabase;
use crate::host::{Guest, Host, PATIENCE, SMALL, Socket, solution};

/// Two racers at T0 whose tokens are known, and the board.
async fn race(host: &Host, options: Value) -> ([Guest; 2], [Socket; 2], String, String) {
    let players = [host.guest("Ada").await, host.guest("Ben").await];
    let (sockets, code, board) = race_of(host, &players, options).await;
    (players, sockets, code, board)
}

async fn race_of(host: &Host, players: &[Guest; 2], options: Value) -> ([Socket; 2], String, String) {
    let code = host.room(&players[0], options).await;
    let (mut one, mut other) = (host.seat(&code, &players[0]).await, host.seat(&code, &players[1]).await);
    let (start, _) = tokio::join!(one.reach_start(), other.reach_start());
    let board = start["state"]["round"]["board"].as_str().unwrap().to_owned();
    ([one, other], code, board)
}

async fn watch(host: &Host, code: &str, guest: &Guest) -> (Socket, Value) {
    let mut socket = host.socket(code).await;
    let welcome = socket.hello(guest, "spectator").await;
    (socket, welcome)
}

/// Says hello to watch and is refused; the refusal's code and the close code.
async fn refused(host: &Host, code: &str, guest: &Guest) -> (Value, Option<u16>) {
    let mut socket = host.socket(code).await;
    socket.say(json!({ "type": "hello", "token": guest.token, "role": "spectator" })).await;
    let refused = socket.until("refused").await;
    (refused["code"].clone(), socket.until_closed().await)
}

/// The curve of a seat in a state, as pairs of clock and distance.
fn curve(state: &Value, seat: u64) -> Vec<Value> {
    let curves = state["round"]["curves"].as_array().expect("there are curves");
    let curve = curves.iter().find(|curve| curve["seat"] == seat).expect("the seat has a curve");
    curve["points"].as_array().unwrap().iter().map(|point| point[1].clone()).collect()
}

/// How far a board is from harmony, by a search of its own.
fn optimum(board: &Board) -> Value {
    match solve(board, &Budget::default()) {
        Outcome::Solved { optimum, .. } => json!(optimum),
        Outcome::Unsolvable { .. } => json!("lost"),
        Outcome::Exceeded { .. } => panic!("{board} is small"),
    }
}

fn after(board: &Board, transfers: &[(u64, u64)]) -> Board {
    let peg = |number: u64| PegId::new(number as u32).unwrap();
    let mut board = board.clone();
    for (made, (from, to)) in (0..).zip(transfers) {
        board.play(Transfer { from: peg(*from), to: peg(*to) }, made).unwrap();
    }
    board
}

#[tokio::test]
async fn who_races_cannot_watch_the_own_room_by_any_connection_and_can_once_the_own_race_is_over() {
    let host = Host::start().await;
    let ([ada, ben], [mut one, mut other], code, board) = race(&host, json!({ "blueprint": SMALL })).await;
    for guest in [&ada, &ben] {
        assert_eq!(refused(&host, &code, guest).await, (json!("racing"), Some(4403)));
    }
    other.say(json!({ "type": "give_up" })).await;
    one.until("gave_up").await;
    let (mut watching, welcome) = watch(&host, &code, &ben).await;
    assert_eq!(welcome["state"]["round"]["plays"][0]["board"], board.as_str(), "Ada's board");
    assert_eq!(refused(&host, &code, &ada).await.0, "racing", "she still races");
    for transfer in solution(&board) {
        one.play(transfer).await;
        watching.until("transferred").await;
    }
    watching.until("round_over").await;
    assert_eq!(watch(&host, &code, &ada).await.1["state"]["phase"], "over");
}

#[tokio::test]
async fn a_spectator_who_begins_to_race_is_shown_nothing_until_the_own_race_is_over() {
    let host = Host::start().await;
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let code = host.room(&ada, json!({ "blueprint": SMALL, "opponents": "progress" })).await;
    let (mut one, mut other) = (host.seat(&code, &ada).await, host.seat(&code, &ben).await);
    let (mut spying, _) = watch(&host, &code, &ada).await;
    let (mut watching, _) = watch(&host, &code, &host.guest("Cleo").await).await;
    tokio::join!(one.reach_start(), other.reach_start());
    for transfer in solution(SMALL) {
        other.play(transfer).await;
    }
    watching.until("round_over").await;
    let snapshot = spying.until("snapshot").await;
    assert!(snapshot["state"]["round"]["result"].is_object(), "not before it is over: {snapshot}");
    let kinds: Vec<&str> = spying.heard.iter().filter_map(|message| message["type"].as_str()).collect();
    let shown = kinds.iter().filter(|kind| ["committed", "start", "transferred", "distance"].contains(kind)).count();
    assert_eq!(shown, 0, "{kinds:?}");
    let said: Vec<&Value> = spying.heard.iter().filter(|message| message["type"] == "refused").collect();
    assert_eq!((said.len(), &said[0]["code"]), (1, &json!("racing")), "why it is told nothing: {said:?}");
    assert!(watching.heard.iter().filter(|message| message["type"] == "transferred").count() > 2);
}

#[tokio::test]
async fn who_watches_is_shown_exact_distances_and_nobody_in_a_seat_is() {
    let host = Host::start().await;
    let (_, [mut one, mut other], code, board) = race(&host, json!({ "preset": "initiate" })).await;
    let cleo = host.guest("Cleo").await;
    let (mut watching, welcome) = watch(&host, &code, &cleo).await;
    let start: Board = board.parse().unwrap();
    let line = solution(&board);
    assert_eq!(curve(&welcome["state"], 1), [json!(line.len())]);
    // Seat 1 plays the best line, seat 2 each transfer to and fro.
    let mut clock_ms = 0;
    for made in 1..=4 {
        one.play(line[made - 1]).await;
        let told = watching.until_that("distance", |message| message["seat"] == 1).await;
        assert_eq!(told["to_go"], line.len() - made);
        assert!(told["clock_ms"].as_u64().unwrap() >= clock_ms);
        clock_ms = told["clock_ms"].as_u64().unwrap();
    }
    let (from, to) = line[0];
    let astray = [(from, to), (to, from)];
    for made in 1..=2 {
        let outcome = other.play(astray[made - 1]).await;
        if outcome["type"] != "transferred" {
            break;
        }
        let told = watching.until_that("distance", |message| message["seat"] == 2).await;
        assert_eq!(told["to_go"], optimum(&after(&start, &astray[..made])));
    }
    // Whoever comes later sees the whole of it.
    let (_, welcome) = watch(&host, &code, &cleo).await;
    let expected: Vec<Value> = (0..=4).map(|made| json!(line.len() - made)).collect();
    assert_eq!(curve(&welcome["state"], 1), expected);
    for transfer in &line[4..] {
        one.play(*transfer).await;
    }
    one.until("round_over").await;
    other.until("round_over").await;
    for message in one.heard.iter().chain(&other.heard) {
        let is_told = message["type"] == "distance" || message["type"] == "watching";
        assert!(!is_told && message["state"]["round"]["curves"].is_null(), "{message}");
    }
}

#[tokio::test]
async fn a_gallery_that_begins_late_makes_up_for_the_distances_before_it() {
    let host = Host::start().await;
    let (_, [mut one, _other], code, board) = race(&host, json!({ "preset": "initiate" })).await;
    let line = solution(&board);
    for transfer in &line[..5] {
        one.play(*transfer).await;
    }
    let cleo = host.guest("Cleo").await;
    let expected: Vec<Value> = (0..=5).map(|made| json!(line.len() - made)).collect();
    // How many of them are in the first answer already depends on how soon it is given.
    let (_watching, mut welcome) = watch(&host, &code, &cleo).await;
    let made_up = async {
        while !welcome["state"]["round"]["curves"].is_array() || curve(&welcome["state"], 1).len() < expected.len() {
            (_, welcome) = watch(&host, &code, &cleo).await;
        }
        curve(&welcome["state"], 1)
    };
    assert_eq!(timeout(PATIENCE, made_up).await.expect("all distances are made up for"), expected);
}

#[tokio::test]
async fn a_racer_who_is_done_in_a_room_with_a_delay_watches_the_rest_that_much_later() {
    let host = Host::start().await;
    let options = json!({ "blueprint": SMALL, "spectator_delay_s": 1, "opponents": "progress" });
    let ([_, ben], [mut one, mut other], code, _) = race(&host, options).await;
    other.say(json!({ "type": "give_up" })).await;
    one.until("gave_up").await;
    let (mut watching, welcome) = watch(&host, &code, &ben).await;
    assert_eq!(watching.until("watching").await["viewers"], 0, "nobody is told by it that Ben is done");
    let plays = welcome["state"]["round"]["plays"].as_array().map_or(0, Vec::len);
    assert_eq!(plays, 0, "the room as it was a second ago: {welcome}");
    let played = Instant::now();
    one.play(solution(SMALL)[0]).await;
    watching.until("start").await;
    let seen = watching.until("transferred").await;
    assert!(played.elapsed() >= Duration::from_millis(950), "{:?}", played.elapsed());
    assert_eq!((&seen["seat"], seen["from"].is_u64()), (&json!(1), true), "the board itself");
    let told = watching.until("distance").await;
    assert_eq!(told["to_go"], solution(SMALL).len() - 1, "with the same delay");
}

#[tokio::test]
async fn there_is_a_cap_for_all_rooms_together_and_who_leaves_makes_room() {
    let host = Host::start_with(|settings| settings.limits.spectators_all_max = 2).await;
    let ada = host.guest("Ada").await;
    let (one, other) = (host.room(&ada, json!({})).await, host.room(&ada, json!({})).await);
    let (first, _) = watch(&host, &one, &ada).await;
    let (mut second, _) = watch(&host, &other, &ada).await;
    assert_eq!(refused(&host, &one, &ada).await, (json!("too_many_spectators"), Some(4403)));
    drop(first);
    let let_in = async {
        loop {
            let mut third = host.socket(&one).await;
            third.say(json!({ "type": "hello", "token": ada.token, "role": "spectator" })).await;
            if third.hear().await.unwrap()["type"] == "welcome" {
                break;
            }
        }
    };
    timeout(PATIENCE, let_in).await.expect("the place of who left is free");
    assert_eq!(second.until("watching").await["viewers"], 1, "each room counts its own");
}

#[tokio::test]
async fn what_can_be_watched_is_listed_with_the_one_to_show_first_at_the_top() {
    let host = Host::start().await;
    let listed = async || host.get("/api/v1/live").await;
    assert_eq!(listed().await, json!([]));
    let players = [host.guest("Ada").await, host.guest("Ben").await];
    let all = [
        json!({ "blueprint": SMALL }),
        json!({ "blueprint": SMALL, "public": true }),
        json!({ "blueprint": SMALL, "public": true }),
        json!({ "blueprint": SMALL, "public": true, "spectators": false }),
        json!({ "blueprint": SMALL, "public": true, "spectator_delay_s": 60 }),
    ];
    let (mut held, mut codes) = (Vec::new(), Vec::new());
    for options in all {
        let (sockets, code, _) = race_of(&host, &players, options).await;
        held.push(sockets);
        codes.push(code);
    }
    let [_, quiet, watched, ..] = &codes[..] else { panic!("five rooms") };
    let (mut watching, _) = watch(&host, watched, &host.guest("Cleo").await).await;
    watching.until("watching").await;
    // The list is renewed once a second.
    let renewed = async {
        loop {
            let list = listed().await;
            if list[0]["viewers"] == 1 {
                break list;
            }
        }
    };
    let list = timeout(PATIENCE, renewed).await.expect("the viewer is counted");
    let shown: Vec<&str> = list.as_array().unwrap().iter().map(|room| room["code"].as_str().unwrap()).collect();
    assert_eq!(shown, [watched, quiet], "public, with spectators, and as they know it: {list}");
    let flags: Vec<_> = list.as_array().unwrap().iter().map(|room| room["featured"].clone()).collect();
    assert_eq!(flags, [json!(true), json!(false)]);
    assert_eq!((&list[0]["phase"], &list[0]["players"][1]["name"]), (&json!("racing"), &json!("Ben")));
    assert!(list[0]["clock_ms"].is_u64());
}

#[tokio::test]
async fn a_round_that_follows_another_is_shown_from_its_own_beginning_and_exactly() {
    // Memory for one room: the second round has what the first one gave back.
    let host = Host::start_with(|settings| settings.limits.distance_mb_max = 32).await;
    let (_, [mut one, mut other], code, _) = race(&host, json!({ "blueprint": SMALL })).await;
    let cleo = host.guest("Cleo").await;
    let (mut watching, _) = watch(&host, &code, &cleo).await;
    let line = solution(SMALL);
    for transfer in &line {
        one.play(*transfer).await;
    }
    watching.until_that("distance", |told| told["to_go"] == 0).await;
    for socket in [&mut one, &mut other, &mut watching] {
        socket.until("series_over").await;
    }
    let last = watching.heard.last().unwrap()["seq"].as_u64().unwrap();
    tokio::join!(one.reach_start(), other.reach_start());
    let start = watching.until("start").await;
    let [first, second] = [1, 2].map(|seat| curve(&start["state"], seat));
    assert_eq!((first, second), (vec![json!(line.len())], vec![json!(line.len())]), "nothing of the round before");
    other.play(line[0]).await;
    let told = watching.until("distance").await;
    assert_eq!((&told["seat"], &told["to_go"]), (&json!(2), &json!(line.len() - 1)));
    let (_, welcome) = watch(&host, &code, &cleo).await;
    assert_eq!(curve(&welcome["state"], 2), [line.len(), line.len() - 1]);
    // By ones, from one round into the other.
    let seqs = watching.heard.iter().filter(|told| told["type"] != "start").filter_map(|told| told["seq"].as_u64());
    let since: Vec<u64> = seqs.filter(|seq| *seq >= last).collect();
    assert!(since.windows(2).all(|pair| pair[1] == pair[0] + 1), "{since:?}");
}

#[tokio::test]
async fn a_room_that_cannot_be_read_sends_viewers_away_to_come_again_and_its_racers_go_on() {
    let host = Host::start().await;
    let (_, [mut one, mut other], code, _) = race(&host, json!({ "blueprint": SMALL })).await;
    host.execute("UPDATE room_event SET body = '{}' WHERE seq = 2").await;
    let cleo = host.guest("Cleo").await;
    let mut watching = host.socket(&code).await;
    watching.say(json!({ "type": "hello", "token": cleo.token, "role": "spectator" })).await;
    assert_eq!(watching.until_closed().await, Some(1012), "each gallery ends under the question");
    assert_eq!(watching.heard, [] as [Value; 0]);
    for transfer in solution(SMALL) {
        assert_eq!(one.play(transfer).await["type"], "transferred");
    }
    other.until("round_over").await;
}

#[tokio::test]
async fn viewers_are_sent_away_at_once_by_a_log_out_though_their_room_cannot_be_read_yet() {
    // More than may ask at a time.
    const VIEWERS: usize = 300;
    let database = TestDatabase::postgres().await;
    let host = Host::start_with(|settings| settings.database.database = Some(database.url.clone())).await;
    let (ada, cleo) = (host.guest("Ada").await, host.guest("Cleo").await);
    let code = host.room(&ada, json!({ "blueprint": SMALL })).await;
    let mut beside = PgConnection::connect(&database.url).await.unwrap();
    sqlx::raw_sql("BEGIN; LOCK TABLE room_event IN ACCESS EXCLUSIVE MODE").execute(&mut beside).await.unwrap();
    let mut watching = Vec::new();
    for _ in 0..VIEWERS {
        let mut socket = host.socket(&code).await;
        socket.say(json!({ "type": "hello", "token": cleo.token, "role": "spectator" })).await;
        watching.push(socket);
    }
    let bearer = cleo.bearer();
    let out = host.request("POST", "/api/v1/players/me/logout", &[("authorization", &bearer)], "{}").await;
    assert_eq!(out.status, 204, "{}", out.body);
    for mut socket in watching {
        assert_eq!(socket.until_closed().await, Some(4401));
    }
    sqlx::raw_sql("ROLLBACK").execute(&mut beside).await.unwrap();
}
