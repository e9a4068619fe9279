//! The leaderboards as everybody sees them, after a quick match of two.

use serde_json::{Value, json};
use sprint_server::store::{Store, StoreOptions};

use crate::host::{Guest, Host, SMALL, Socket, solution};
use crate::rows::show_rounds;

/// Two guests after a quick match that the first has won, and the round's result. It stands on no board before [`show`].
async fn raced(host: &Host) -> (Guest, Guest, Value) {
    host.execute("CREATE TRIGGER delayed BEFORE UPDATE OF shown ON ladder BEGIN SELECT RAISE(ABORT, 'later'); END")
        .await;
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let result = race_again(host, &ada, &ben).await;
    (ada, ben, result)
}

async fn race_again(host: &Host, ada: &Guest, ben: &Guest) -> Value {
    let (mut one, mut other) = (host.queue(ada, 2).await, host.queue(ben, 2).await);
    let code = one.matched().await;
    other.matched().await;
    let (mut one, mut other) = (host.seat(&code, ada).await, host.seat(&code, ben).await);
    let (start, _) = tokio::join!(to_start(&mut one), to_start(&mut other));
    for act in solution(start["state"]["round"]["board"].as_str().unwrap()) {
        one.play(act).await;
    }
    other.until("round_over").await["result"].clone()
}

/// Shows the round as if its delay were over.
async fn show(host: &Host) {
    host.execute("DROP TRIGGER delayed").await;
    let beside = StoreOptions { exclusive: false, ..StoreOptions::default() };
    show_rounds(&Store::open(&host.database(), beside).await.unwrap()).await;
}

async fn to_start(socket: &mut Socket) -> Value {
    if socket.heard[0]["state"]["phase"] != "dealing" {
        socket.until("committed").await;
    }
    socket.say(json!({ "type": "nonce", "nonce": "00112233445566778899aabbccddeeff" })).await;
    socket.until("start").await
}

#[tokio::test]
async fn a_quick_match_stands_on_every_board_that_it_belongs_to_and_on_no_other() {
    let host = Host::start().await;
    let (ada, ben, result) = raced(&host).await;
    let (winner, loser) = (&result["seats"][0], &result["seats"][1]);
    let round = &result["round_id"];
    for guest in [&ada, &ben] {
        let bearer = guest.bearer();
        let headers = [("authorization", bearer.as_str())];
        let me = host.request("GET", "/api/v1/players/me", &headers, "").await.json();
        assert_eq!(me["rating"]["rounds"], json!(1), "the racers know at once");
        let everybodys = host.get(&format!("/api/v1/players/{}", me["player_id"].as_str().unwrap())).await;
        assert_eq!(everybodys["ratings"].as_array().unwrap().len(), 1);
        assert_eq!(everybodys["ratings"][0]["rounds"], json!(0), "its delay is not over");
        let place = host.request("GET", "/api/v1/leaderboards/sprint/me", &headers, "").await.json();
        assert_eq!(place["rank"], Value::Null, "its delay is not over");
    }
    let points = host.get("/api/v1/leaderboards/sprint").await;
    assert_eq!(points["entries"], json!([]), "its delay is not over");
    show(&host).await;
    for choice in ["", "?period=day", "?period=week", "?preset=initiate", "?preset=initiate&period=day"] {
        let points = host.get(&format!("/api/v1/leaderboards/sprint{choice}")).await;
        let entries = points["entries"].as_array().unwrap();
        let seen: Vec<_> = entries.iter().map(|entry| (&entry["name"], &entry["value"], &entry["wins"])).collect();
        let expected = [(&json!("Ada"), &winner["score"], &json!(1)), (&json!("Ben"), &loser["score"], &json!(0))];
        assert_eq!(seen, expected, "{choice}");
        assert!(entries.iter().all(|entry| entry["round_id"] == *round), "every entry opens its round: {points}");
    }
    let fastest = host.get("/api/v1/leaderboards/fastest?preset=initiate").await;
    assert_eq!(fastest["entries"].as_array().unwrap().len(), 1, "Ben has not finished");
    assert_eq!(fastest["entries"][0]["value"], winner["finish"]["official_ms"]);
    let fewest = host.get("/api/v1/leaderboards/fewest?preset=initiate&period=week").await;
    assert_eq!((&fewest["entries"][0]["value"], &fewest["entries"][0]["moves"]), (&json!(1_000_000), &winner["moves"]));
    for empty in
        ["rating", "sprint?preset=standard", "sprint?list=bots", "sprint?list=apart", "fastest?preset=standard"]
    {
        let board = host.get(&format!("/api/v1/leaderboards/{empty}")).await;
        assert_eq!((&board["entries"], &board["next"]), (&json!([]), &Value::Null), "{empty}");
    }
    // Each finds the own place, and the other beside it.
    for (guest, rank) in [(&ada, 1), (&ben, 2)] {
        let bearer = guest.bearer();
        let headers = [("authorization", bearer.as_str())];
        let place = host.request("GET", "/api/v1/leaderboards/sprint/me?period=day", &headers, "").await.json();
        assert_eq!((&place["rank"], place["entries"].as_array().unwrap().len()), (&json!(rank), 2), "{place}");
        let unrated = host.request("GET", "/api/v1/leaderboards/rating/me", &headers, "").await.json();
        assert_eq!((&unrated["rank"], &unrated["entries"]), (&Value::Null, &json!([])), "one round settles no rating");
    }
}

#[tokio::test]
async fn a_players_page_tells_the_rating_and_the_rounds() {
    let host = Host::start().await;
    let (_, _, result) = raced(&host).await;
    show(&host).await;
    let player = result["seats"][0]["player"].as_str().unwrap();
    let profile = host.get(&format!("/api/v1/players/{player}")).await;
    assert_eq!((&profile["name"], &profile["bot"]), (&json!("Ada"), &json!(false)));
    let ratings: Vec<_> = profile["ratings"].as_array().unwrap().iter().map(|rating| &rating["preset"]).collect();
    assert_eq!(ratings, [&Value::Null, &json!("initiate")], "over all presets first");
    for rating in profile["ratings"].as_array().unwrap() {
        assert_eq!((&rating["rounds"], &rating["provisional"]), (&json!(1), &json!(true)));
        assert!(rating["rating"].as_i64() > Some(1_500) && rating["uncertainty"].as_i64() < Some(500), "{rating}");
    }
    // Rated races are told 15 seconds later, as spectators see them: of one that has just ended, nothing; here a minute
    // goes by at once.
    for (minutes, told) in [(1, 0), (-2, 1)] {
        host.execute(&format!("UPDATE round_result SET finished_at_ms = finished_at_ms + {}", minutes * 60_000)).await;
        let rounds = host.get(&format!("/api/v1/matches?player={player}")).await;
        assert_eq!(rounds["rounds"].as_array().map(Vec::len), Some(told), "{rounds}");
    }
}

#[tokio::test]
async fn the_list_of_races_does_not_tell_by_a_rating_who_has_just_won() {
    let host = Host::start().await;
    let (ada, ben, first) = raced(&host).await;
    show(&host).await;
    race_again(&host, &ada, &ben).await;
    // The two go on at once in a room that is shown as it is.
    let code = host.room(&ada, json!({ "blueprint": SMALL, "public": true })).await;
    let (mut one, mut other) = (host.seat(&code, &ada).await, host.seat(&code, &ben).await);
    tokio::join!(one.reach_start(), other.reach_start());
    let list = host.get("/api/v1/live").await;
    let shown = list.as_array().unwrap().iter().find(|room| room["code"] == code.as_str()).expect("it is public");
    for (seat, guest) in [&ada, &ben].into_iter().enumerate() {
        let player = &first["seats"][seat]["player"];
        let profile = host.get(&format!("/api/v1/players/{}", player.as_str().unwrap())).await;
        let told = &profile["ratings"][0];
        assert_eq!((&told["rounds"], &shown["players"][seat]["rating"]), (&json!(1), &told["rating"]), "{shown}");
        let bearer = guest.bearer();
        let own = host.request("GET", "/api/v1/players/me", &[("authorization", &bearer)], "").await.json();
        assert_eq!(own["rating"]["rounds"], 2);
        assert_ne!(own["rating"]["rating"], told["rating"], "the second race has moved it");
    }
}
