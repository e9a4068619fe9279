//! The Daily Spire: one rated try whatever happens, what is hidden until it is over, what a day promises and reveals.

use serde_json::{Value, json};
use sprint_shared::day::Day;

use super::{ask, begin, open, refusal, show, solve};
use crate::host::{Guest, Host};

/// Today's own daily, as the guest is told of it.
async fn daily(host: &Host, guest: &Guest) -> Value {
    ask(host, guest, "GET", "/daily", "").await.json()
}

#[tokio::test]
async fn a_day_has_one_rated_try_and_practice_after_it() {
    let host = Host::start().await;
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    assert_eq!(refusal(&ask(&host, &ada, "POST", "/daily", r#"{"practice":true}"#).await), (409, "not_yet".to_owned()));
    let (mut one, board, room) = begin(&host, &ada, "/daily", "{}").await;
    let again = open(&host, &ada, "/daily", "{}").await;
    assert_eq!(again["code"], room["code"], "the same try, from wherever");
    assert_eq!(daily(&host, &ada).await["own"]["code"], room["code"]);
    let result = solve(&mut one, &board).await;
    let seat = &result["seats"][0];
    assert_eq!((&seat["crown"], &seat["stars"]), (&json!(true), &json!(3)));
    one.until("series_over").await;
    one.say(json!({ "type": "rematch" })).await;
    assert_eq!(one.until("refused").await["code"], "not_now");
    assert_eq!(refusal(&ask(&host, &ada, "POST", "/daily", "{}").await), (409, "already_tried".to_owned()));
    let own = daily(&host, &ada).await["own"].clone();
    assert_eq!((&own["result"]["score"], &own["streak"], &own["code"]), (&seat["score"], &json!(1), &Value::Null));
    let (_, practised, _) = begin(&host, &ada, "/daily", r#"{"practice":true}"#).await;
    assert_eq!(practised, board);
    let (_, theirs, _) = begin(&host, &ben, "/daily", "{}").await;
    assert_eq!(theirs, board, "one board for everybody");
}

#[tokio::test]
async fn a_try_that_is_given_up_was_the_try() {
    let host = Host::start().await;
    let ada = host.guest("Ada").await;
    let (mut one, ..) = begin(&host, &ada, "/daily", "{}").await;
    one.say(json!({ "type": "leave" })).await;
    one.until_closed().await;
    assert_eq!(refusal(&ask(&host, &ada, "POST", "/daily", "{}").await), (409, "already_tried".to_owned()));
    let own = daily(&host, &ada).await["own"].clone();
    assert_eq!(
        (&own["result"]["finished"], &own["result"]["score"], &own["streak"]),
        (&json!(false), &json!(0), &json!(0))
    );
}

#[tokio::test]
async fn what_others_did_on_a_day_is_hidden_until_ones_own_try_is_over() {
    let host = Host::start().await;
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let (mut one, board, _) = begin(&host, &ada, "/daily", "{}").await;
    let result = solve(&mut one, &board).await;
    show(&host).await;
    let day = daily(&host, &ben).await["today"]["day"].as_str().unwrap().to_owned();
    let round = format!("/matches/{}", result["round_id"].as_str().unwrap());
    let places = [format!("/leaderboards/daily?day={day}"), "/leaderboards/daily/me".to_owned()];
    for path in &places {
        assert_eq!(refusal(&ask(&host, &ben, "GET", path, "").await), (403, "hidden".to_owned()), "{path}");
    }
    let hidden = [
        round.clone(),
        format!("{round}/replay"),
        format!("{round}/record"),
        format!("{round}/review"),
        format!("{round}/ratings"),
    ];
    for path in &hidden {
        assert_eq!(ask(&host, &ben, "GET", path, "").await.status, 404, "{path}");
        assert_eq!(host.request("GET", &format!("/api/v1{path}"), &[], "").await.status, 404, "{path}, to nobody");
    }
    assert_eq!(ask(&host, &ben, "POST", &format!("{round}/ghosts"), "").await.status, 404);
    assert_eq!(ask(&host, &ada, "GET", &round, "").await.status, 200, "one's own");
    let (mut other, board, _) = begin(&host, &ben, "/daily", "{}").await;
    assert_eq!(ask(&host, &ben, "GET", &round, "").await.status, 404, "not in the middle of it");
    solve(&mut other, &board).await;
    for path in places.iter().chain([&round]) {
        assert_eq!(ask(&host, &ben, "GET", path, "").await.status, 200, "{path}");
    }
    // So fast as no hand plays, they may stand apart: that depends on how long the day's board is.
    let mut names = Vec::new();
    for list in ["people", "apart"] {
        let shown = ask(&host, &ben, "GET", &format!("{}&list={list}", places[0]), "").await.json();
        assert_eq!(shown["day"], json!(day));
        names.extend(shown["entries"].as_array().unwrap().iter().map(|entry| entry["name"].clone()));
    }
    assert_eq!(names, [json!("Ada")]);
}

#[tokio::test]
async fn a_day_is_promised_before_and_revealed_after() {
    let host = Host::start().await;
    let told = host.get("/api/v1/daily").await;
    assert_eq!(told["own"], Value::Null);
    let (today, tomorrow) = (&told["today"], &told["tomorrow"]);
    let day: Day = today["day"].as_str().unwrap().parse().unwrap();
    assert_eq!(tomorrow["day"], json!(day.next()));
    assert_ne!(today["commitment"], tomorrow["commitment"]);
    for day in [day, day.next()] {
        let refused = host.request("GET", &format!("/api/v1/daily/{day}"), &[], "").await;
        assert_eq!(refusal(&refused), (403, "hidden".to_owned()), "{day}");
    }
    assert_eq!(host.request("GET", "/api/v1/daily/2000-01-01", &[], "").await.status, 404);
    assert_eq!(host.request("GET", "/api/v1/daily/today", &[], "").await.status, 400);
    // As if the day before yesterday had been today: what was stored then is told now.
    let past = day.before().before();
    host.execute(&format!("UPDATE daily SET day = {} WHERE day = {}", past.number(), day.number())).await;
    let told = host.get(&format!("/api/v1/daily/{past}")).await;
    let seed: sprint_shared::deal::Seed = told["server_seed"].as_str().unwrap().parse().unwrap();
    let preset = sprint_shared::daily::preset(day);
    assert_eq!(told["promise"]["commitment"], json!(sprint_shared::daily::commitment(1, day, preset, &seed)));
    let dealt = sprint_shared::deal::deal(preset, &sprint_shared::daily::board_seed(&seed, 0));
    assert_eq!(
        (told["board"].as_str().unwrap(), &told["optimum"]),
        (dealt.board.to_string().as_str(), &json!(dealt.optimum))
    );
}
