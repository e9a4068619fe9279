//! A sprint from the first request to the stored result, over real sockets.

use serde_json::json;
use sprint_shared::event::Event;
use sprint_shared::replay;

use crate::host::{Host, race_of_two, solution};

#[tokio::test]
async fn two_guests_race_to_a_stored_result_that_its_events_prove() {
    let host = Host::start().await;
    let (mut ada, mut ben, _, board) = race_of_two(&host, json!({ "preset": "initiate" })).await;
    let line = solution(&board);
    for transfer in &line {
        let outcome = ada.play(*transfer).await;
        assert_eq!(outcome["type"], "transferred");
        assert_eq!(outcome["seat"], 1);
    }
    let over = ada.until("round_over").await;
    assert_eq!(over, ben.until("round_over").await, "both hear the same result");
    let result = &over["result"];
    assert_eq!(result["ended"], "first_decided");
    let winner = &result["seats"][0];
    assert_eq!((&winner["name"], &winner["rank"], &winner["errors"]), (&json!("Ada"), &json!(1), &json!(0)));
    assert_eq!(winner["moves"], line.len());
    assert_eq!(winner["crown"], true);
    // RULES section 4: 1000, 50 a move under par, 100 for less than two minutes, half as much again if flawless.
    let optimum = line.len() as u64;
    let par = (6 * optimum).div_ceil(5);
    assert_eq!(winner["score"], (1_000 + 50 * (par - optimum) + 100) * 3 / 2);
    let finish = &winner["finish"];
    let ms = |field: &str| finish[field].as_u64().unwrap();
    assert_eq!(ms("official_ms"), ms("raw_ms") - ms("credit_ms"));

    let round_id = result["round_id"].as_str().unwrap();
    let stored = host.get(&format!("/api/v1/matches/{round_id}")).await;
    assert_eq!(&stored["result"], result);
    assert_eq!(stored["reveal"], over["reveal"]);
    let record: Vec<Event> = serde_json::from_value(stored["record"].clone()).unwrap();
    let proven = replay::results(&record).unwrap();
    assert_eq!(serde_json::to_value(&proven).unwrap(), json!([result]));
    let last = stored["events"].as_array().unwrap().last().unwrap();
    assert_eq!(last["event"]["type"], "round_over");

    let ladder = host.get("/api/v1/leaderboards/sprint").await;
    assert_eq!(ladder["entries"], json!([]), "rounds that were opened by hand stand on no board");
    let ada_id = winner["player"].as_str().unwrap();
    let rounds = host.get(&format!("/api/v1/matches?player={ada_id}")).await;
    assert_eq!(&rounds["rounds"][0]["result"], result);
}

#[tokio::test]
async fn nobody_is_shown_a_board_before_the_start() {
    let host = Host::start().await;
    let (ada, ben, _, board) = race_of_two(&host, json!({ "preset": "initiate" })).await;
    for heard in [&ada.heard, &ben.heard] {
        let (start, before) = heard.split_last().unwrap();
        assert_eq!(start["type"], "start");
        assert!(!serde_json::to_string(before).unwrap().contains(&board));
        assert!(!serde_json::to_string(before).unwrap().contains("seed\""));
    }
}
