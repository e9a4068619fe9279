//! Bots of the house: offered to who is alone, seated like everybody, back after a crash, and nobody's rating.

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::host::{Answer, Guest, Host, Socket, reach_quick_start, solution};
use crate::process::Process;

/// A room with bots of these strengths on an initiate board; its code.
pub async fn practice(host: &Host, guest: &Guest, strengths: &[u8]) -> String {
    let bearer = guest.bearer();
    let headers = [("authorization", bearer.as_str())];
    let body = json!({ "preset": "initiate", "strengths": strengths }).to_string();
    let answer = host.request("POST", "/api/v1/practice", &headers, &body).await;
    assert_eq!(answer.status, 201, "{}", answer.body);
    answer.json()["code"].as_str().unwrap().to_owned()
}

/// The result of a seat.
pub fn of_seat(over: &Value, seat: u64) -> Value {
    let seats = over["result"]["seats"].as_array().unwrap();
    seats.iter().find(|of| of["seat"] == seat).expect("a racer").clone()
}

#[tokio::test]
async fn a_lone_player_is_offered_a_bot_of_like_strength_and_races_it() {
    let host = Host::start_with(|settings| settings.offer_ms = 100).await;
    let ada = host.guest("Ada").await;
    let mut queued = host.queue(&ada, 2).await;
    let offer = queued.until("offer").await;
    // Somebody new is at 1500; the bots of the house are 96 points apart, the fifth at 1452.
    assert_eq!(
        (&offer["strength"], &offer["name"], &offer["rating"]),
        (&json!(5), &json!("Automaton 5"), &json!(1452))
    );
    queued.say(json!({ "type": "accept" })).await;
    let matched = queued.until("matched").await;
    assert_eq!(matched["bots"], true);
    let code = matched["code"].as_str().unwrap();
    let mut one = host.seat(code, &ada).await;
    let start = reach_quick_start(&mut one).await;
    assert_eq!(start["state"]["options"]["rated"], false);
    let seats = start["state"]["seats"].as_array().unwrap();
    let shown: Vec<_> = seats.iter().map(|seat| (&seat["name"], &seat["bot"])).collect();
    assert_eq!(shown, [(&json!("Ada"), &json!(false)), (&json!("Automaton 5"), &json!(true))]);
    for act in solution(start["state"]["round"]["board"].as_str().unwrap()) {
        one.play(act).await;
    }
    let over = one.until("round_over").await;
    assert_eq!(of_seat(&over, 1)["rank"], 1);
    a_round_with_a_bot_moves_no_person(&host, &over).await;
}

/// The bot's rating among bots follows from the round, and nobody else's.
async fn a_round_with_a_bot_moves_no_person(host: &Host, over: &Value) {
    let round_id = over["result"]["round_id"].as_str().unwrap();
    let moved = host.get(&format!("/api/v1/matches/{round_id}/ratings")).await;
    let seats = moved["seats"].as_array().unwrap();
    assert!(!seats.is_empty() && seats.iter().all(|of| of["seat"] == 2), "{moved:#}");
    assert!(seats[0]["rating_after"].as_i64().unwrap() < seats[0]["rating_before"].as_i64().unwrap());
    let player = of_seat(over, 1)["player"].as_str().unwrap().to_owned();
    let profile = host.get(&format!("/api/v1/players/{player}")).await;
    assert_eq!((&profile["ratings"][0]["rating"], &profile["ratings"][0]["rounds"]), (&json!(1_500), &json!(0)));
}

#[tokio::test]
async fn bots_are_looked_up_once_a_while_and_not_for_everybody_who_waits() {
    let host = Host::start_with(|settings| settings.offer_ms = 100).await;
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let mut first = host.queue(&ada, 2).await;
    assert_eq!(first.until("offer").await["name"], "Automaton 5");
    host.execute("UPDATE player SET name = 'Somebody else' WHERE name = 'Automaton 5'").await;
    let mut second = host.queue(&ben, 3).await;
    assert_eq!(second.until("offer").await["name"], "Automaton 5", "as it was when it was looked up");
}

#[tokio::test]
async fn several_bots_of_several_strengths_sit_down_with_one_player() {
    let host = Host::start_with(|settings| settings.offer_ms = 0).await;
    let ada = host.guest("Ada").await;
    let mut queued = host.queue(&ada, 4).await;
    queued.until("offer").await;
    queued.say(json!({ "type": "accept" })).await;
    let code = queued.matched().await;
    let mut one = host.seat(&code, &ada).await;
    let start = reach_quick_start(&mut one).await;
    let names: Vec<_> = start["state"]["seats"].as_array().unwrap().iter().map(|seat| seat["name"].clone()).collect();
    assert_eq!(names, ["Ada", "Automaton 5", "Automaton 6", "Automaton 4"]);
}

#[tokio::test]
async fn the_strongest_bot_plays_the_optimum_votes_for_a_rematch_and_leaves_with_the_last_person() {
    let host = Host::start().await;
    let ada = host.guest("Ada").await;
    let code = practice(&host, &ada, &[10]).await;
    let mut one = host.seat(&code, &ada).await;
    reach_quick_start(&mut one).await;
    let over = one.until("round_over").await;
    let bot = of_seat(&over, 2);
    assert_eq!((&bot["moves"], &bot["errors"], &bot["crown"]), (&over["result"]["optimum"], &json!(0), &json!(true)));
    one.until_that("readied", |event| event["seat"] == 2).await;
    one.say(json!({ "type": "rematch" })).await;
    one.until_that("committed", |event| event["round"] == 2).await;
    one.say(json!({ "type": "leave" })).await;
    one.until_closed().await;
    let closing = async { while host.request("GET", &format!("/api/v1/rooms/{code}"), &[], "").await.status != 404 {} };
    tokio::time::timeout(crate::host::PATIENCE, closing).await.expect("the room closes");
}

#[tokio::test]
async fn a_bot_comes_back_after_a_crash() {
    let directory = tempfile::TempDir::new().unwrap();
    let database = format!("sqlite://{}", directory.path().join("bots.sqlite").display());
    let server = Process::start(&database);
    let ada = server.host.guest("Ada").await;
    let code = practice(&server.host, &ada, &[9]).await;
    let mut one = server.host.seat(&code, &ada).await;
    reach_quick_start(&mut one).await;
    one.until_that("transferred", |event| event["seat"] == 2 && event["moves"] == 2).await;
    server.kill();
    let server = Process::start(&database);
    let mut one = server.host.seat(&code, &ada).await;
    one.until("start").await;
    one.until_that("finished", |event| event["seat"] == 2).await;
    // The bot may have erred: then its finish decides the round only if nobody without an error is at work.
    one.say(json!({ "type": "give_up" })).await;
    let over = one.until("round_over").await;
    let bot = of_seat(&over, 2);
    assert_eq!((&bot["rank"], &over["result"]["interrupted"]), (&json!(1), &json!(true)), "{over:#}");
    assert!(bot["finish"].is_object());
    server.kill();
}

/// The answer to whoever asks for a room with three bots from somewhere.
async fn ask_for_practice(host: &Host, guest: &Guest, from: &str) -> Answer {
    let bearer = guest.bearer();
    let headers = [("authorization", bearer.as_str()), ("x-forwarded-for", from)];
    host.request("POST", "/api/v1/practice", &headers, r#"{"preset":"initiate","strengths":[1,5,10]}"#).await
}

#[tokio::test]
async fn nobody_is_brought_to_bots_that_have_no_place_and_practice_never_takes_those_of_quick_match() {
    let host = Host::start_with(|settings| settings.offer_ms = 0).await;
    // 150 bots may play in rooms of one's own: 50 rooms of three, all asked for at once.
    let ben = host.guest("Ben").await;
    let code = practice(&host, &ben, &[1]).await;
    let mut racing = host.seat(&code, &ben).await;
    let start = reach_quick_start(&mut racing).await;
    let asked = (0..60).map(async |n| {
        let guest = host.guest(&format!("Racer {}", 20 + n)).await;
        ask_for_practice(&host, &guest, "127.0.0.1").await.status
    });
    let statuses = join_all(asked).await;
    let count = |wanted| statuses.iter().filter(|status| **status == wanted).count();
    assert_eq!((count(201), count(503)), (49, 11), "{statuses:?}");
    for name in ["Cleo", "Dan"] {
        practice(&host, &host.guest(name).await, &[1]).await;
    }
    assert_eq!(
        ask_for_practice(&host, &ben, "127.0.0.1").await.status,
        503,
        "the one that goes is not enough for three"
    );
    let line = solution(start["state"]["round"]["board"].as_str().unwrap());
    assert_eq!(racing.play(line[0]).await["type"], "transferred", "and nobody leaves a race in vain");
    practice(&host, &ben, &[10]).await;
    assert_eq!(racing.until_closed().await, Some(1000), "it is enough for one");
    let mut queued = host.queue(&host.guest("Ada").await, 4).await;
    queued.until("offer").await;
    queued.say(json!({ "type": "accept" })).await;
    queued.matched().await;
}

#[tokio::test]
async fn who_opens_another_room_with_bots_leaves_the_one_before() {
    let host = Host::start().await;
    let ada = host.guest("Ada").await;
    let first = practice(&host, &ada, &[1, 2, 3]).await;
    let mut racing = host.seat(&first, &ada).await;
    reach_quick_start(&mut racing).await;
    // More than there are places, were the older ones kept.
    let mut codes = vec![first];
    for _ in 0..70 {
        codes.push(practice(&host, &ada, &[1, 2, 3]).await);
    }
    assert_eq!(racing.until_closed().await, Some(1000), "also out of a race");
    let last = codes.pop().unwrap();
    for code in codes {
        assert_eq!(host.request("GET", &format!("/api/v1/rooms/{code}"), &[], "").await.status, 404);
    }
    reach_quick_start(&mut host.seat(&last, &ada).await).await;
}

#[tokio::test]
async fn a_quick_match_goes_on_though_its_player_opens_a_room_for_practice() {
    let host = Host::start_with(|settings| settings.offer_ms = 0).await;
    let ada = host.guest("Ada").await;
    let mut queued = host.queue(&ada, 2).await;
    queued.until("offer").await;
    queued.say(json!({ "type": "accept" })).await;
    let mut racing = host.seat(&queued.matched().await, &ada).await;
    let start = reach_quick_start(&mut racing).await;
    practice(&host, &ada, &[1]).await;
    for act in solution(start["state"]["round"]["board"].as_str().unwrap()) {
        racing.play(act).await;
    }
    assert_eq!(of_seat(&racing.until("round_over").await, 1)["rank"], 1);
}

#[tokio::test]
async fn players_of_one_address_bring_48_bots_and_get_places_back_when_they_leave() {
    let host = Host::start_with(|settings| {
        settings.limits.trusted_proxies = vec!["127.0.0.1".parse().unwrap()];
        settings.limits.rooms_per_min = 0;
        settings.offer_ms = 0;
    })
    .await;
    let (here, there) = ("203.0.113.5", "203.0.113.6");
    let mut guests = Vec::new();
    for n in 0..17 {
        guests.push(host.guest(&format!("Racer {}", 20 + n)).await);
    }
    let late = guests.pop().unwrap();
    let mut rooms = Vec::new();
    for guest in &guests {
        let opened = ask_for_practice(&host, guest, here).await;
        assert_eq!(opened.status, 201, "{}", opened.body);
        rooms.push(opened.json()["code"].as_str().unwrap().to_owned());
    }
    let refused = ask_for_practice(&host, &late, here).await;
    assert_eq!((refused.status, &refused.json()["code"]), (429, &json!("rate_limited")), "{}", refused.body);
    assert!(
        refused.json()["detail"].as_str().unwrap().contains("bots race players of your address"),
        "{}",
        refused.body
    );
    let mut queued = host.queue_socket_with(&[("x-forwarded-for", here)]).await;
    queued.join_queue(&late, 2).await;
    queued.until("offer").await;
    queued.say(json!({ "type": "accept" })).await;
    queued.until("back").await;
    assert_eq!(ask_for_practice(&host, &late, there).await.status, 201, "another address is not affected");
    let mut leaving = host.seat(&rooms[0], &guests[0]).await;
    leaving.say(json!({ "type": "leave" })).await;
    let again = async { while ask_for_practice(&host, &late, here).await.status != 201 {} };
    tokio::time::timeout(crate::host::PATIENCE, again).await.expect("the bots go with whom they race");
}

#[tokio::test]
async fn a_practice_room_has_one_to_three_different_bots() {
    let host = Host::start().await;
    let bearer = host.guest("Ada").await.bearer();
    let headers = [("authorization", bearer.as_str())];
    for strengths in ["[]", "[1,2,3,4]", "[7,7]", "[0]", "[11]"] {
        let body = format!(r#"{{"strengths":{strengths}}}"#);
        let refused = host.request("POST", "/api/v1/practice", &headers, &body).await;
        assert_eq!(refused.status, 422, "{strengths}: {}", refused.body);
        assert!(refused.json()["detail"].as_str().unwrap().contains("streng"), "{}", refused.body);
    }
}

#[tokio::test]
async fn the_house_is_furnished_once_and_its_names_are_its_own() {
    let mut host = Host::start().await;
    let bearer = host.guest("Ada").await.bearer();
    let headers = [("authorization", bearer.as_str())];
    for name in ["automaton-3", "Automaton 11", "Äut0maton"] {
        let body = json!({ "name": name }).to_string();
        let renamed = host.request("PATCH", "/api/v1/players/me", &headers, &body).await;
        let made = host.request("POST", "/api/v1/players", &[], &body).await;
        assert_eq!((renamed.status, made.status), (422, 422), "{name}: {} {}", renamed.body, made.body);
    }
    host.restart().await;
    for strength in 1..=10 {
        let id = format!("53505249-4e54-8000-8000-0000000000{strength:02x}");
        let profile = host.get(&format!("/api/v1/players/{id}")).await;
        assert_eq!((&profile["name"], &profile["bot"]), (&json!(format!("Automaton {strength}")), &json!(true)));
    }
}

#[tokio::test]
async fn bots_of_third_parties_race_each_other_and_meet_no_people() {
    let host = Host::start().await;
    let ada = host.guest("Ada").await;
    let mut person = host.queue(&ada, 2).await;
    person.until("waiting").await;
    let mut bots: Vec<(Guest, Socket)> = Vec::new();
    for name in ["Clank", "Rattle"] {
        let body = json!({ "name": name, "bot": true }).to_string();
        let made = host.request("POST", "/api/v1/players", &[], &body).await;
        let guest = Guest { token: made.json()["token"].as_str().unwrap().into() };
        let socket = host.queue(&guest, 2).await;
        bots.push((guest, socket));
    }
    let code = bots[0].1.matched().await;
    assert_eq!(bots[1].1.matched().await, code);
    let (mut one, mut other) = (host.seat(&code, &bots[0].0).await, host.seat(&code, &bots[1].0).await);
    let (start, _) = tokio::join!(reach_quick_start(&mut one), reach_quick_start(&mut other));
    let seats = start["state"]["seats"].as_array().unwrap();
    assert!(seats.iter().all(|seat| seat["bot"] == true), "{seats:?}");
    let pools = host.get("/api/v1/queue").await["pools"].clone();
    assert_eq!(pools, json!([{ "seats": 2, "preset": "initiate", "bots": false, "waiting": 1 }]));
}
