//! What is to be had of a round that is over: its review, its file, its text record, its place in the list.

use std::net::IpAddr;
use std::thread;

use serde_json::{Value, json};
use sprint_server::proofs::{NoProof, Proofs};
use sprint_server::store::{Store, StoreOptions};
use sprint_shared::api::Match;
use sprint_shared::board::Board;
use sprint_shared::replay::{file, text};
use sprint_shared::review::{Effort, review};
use sprint_shared::verify::{Verdict, verify};
use tokio::time::timeout;

use crate::host::{Answer, Guest, Host, PATIENCE, SMALL, solution};

/// Two race once; the round's id.
async fn raced(host: &Host, options: Value) -> String {
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    race(host, [&ada, &ben], options).await
}

async fn race(host: &Host, guests: [&Guest; 2], options: Value) -> String {
    let code = host.room(guests[0], options).await;
    let (mut one, mut other) = (host.seat(&code, guests[0]).await, host.seat(&code, guests[1]).await);
    let (start, _) = tokio::join!(one.reach_start(), other.reach_start());
    for transfer in solution(start["state"]["round"]["board"].as_str().unwrap()) {
        one.play(transfer).await;
    }
    one.until("round_over").await["result"]["round_id"].as_str().unwrap().to_owned()
}

/// Asks for a review until it is there.
async fn reviewed(host: &Host, round_id: &str) -> Value {
    let path = format!("/api/v1/matches/{round_id}/review");
    let asking = async {
        loop {
            let answer = host.request("GET", &path, &[], "").await;
            match answer.status {
                200 => return answer.json(),
                202 => assert!(answer.head.contains("retry-after: 1"), "{}", answer.head),
                status => panic!("{status}: {}", answer.body),
            }
        }
    };
    timeout(PATIENCE, asking).await.expect("a review is worked out")
}

#[tokio::test]
async fn rounds_are_proven_on_no_thread_that_rooms_run_on() {
    let host = Host::start().await;
    let round_id = raced(&host, json!({ "blueprint": SMALL })).await;
    let beside = StoreOptions { exclusive: false, ..StoreOptions::default() };
    let store = Store::open(&host.database(), beside).await.unwrap();
    let proofs = Proofs::new(store.clone());
    let id = round_id.parse().unwrap();
    let (round, _) = store.round(id).await.unwrap().unwrap();
    let here = IpAddr::from([127, 0, 0, 1]);
    let thread_of = |round: &Match| (round.round_id, thread::current().id());
    let (proven, thread) = proofs.of(here, round.clone(), thread_of).await.unwrap();
    assert_eq!(proven, id);
    // Everything else in this test runs here.
    assert_ne!(thread, thread::current().id());
    host.execute("UPDATE room_event SET body = replace(body, '\"transferred\"', '\"erred\"')").await;
    let damaged = proofs.of(here, round, |_| ()).await;
    assert!(matches!(damaged, Err(NoProof::Unproven { .. })), "{damaged:?}");
}

#[tokio::test]
async fn a_round_is_reviewed_when_somebody_asks_and_the_review_is_kept() {
    let mut host = Host::start().await;
    let round_id = raced(&host, json!({ "preset": "initiate" })).await;
    let path = format!("/api/v1/matches/{round_id}/review");
    let first = host.request("GET", &path, &[], "").await;
    assert_eq!((first.status, first.body.as_str()), (202, ""), "nothing is worked out before somebody asks");
    let found = reviewed(&host, &round_id).await;
    let round = file::of_value(host.get(&format!("/api/v1/matches/{round_id}")).await).unwrap();
    let expected = review(&round, &Effort::default()).unwrap();
    assert_eq!(found, serde_json::to_value(&expected).unwrap());
    assert_eq!((&found["complete"], &found["optimum"]), (&json!(true), &json!(round.result.optimum)));
    host.restart().await;
    let again = host.request("GET", &path, &[], "").await;
    assert_eq!((again.status, again.json()), (200, found.clone()), "it is stored");
    // As an older server would have left it.
    host.execute("UPDATE round_review SET format = 0, body = '{}'").await;
    assert_eq!(host.request("GET", &path, &[], "").await.status, 202, "an older format is not shown");
    assert_eq!(reviewed(&host, &round_id).await, found, "but renewed");
}

/// From the labelled boards: seventy-seven transfers from harmony, more than any search of a few seconds proves.
const HARD: &str = "A7E2R5A1V2/A2/E7S2A4R1V5/S4A6E1S3S5/S6E3V7/V1R4E4R2V6/S1V4R6A3/S7A5E6R3V3E5R7/- 7";

#[tokio::test]
async fn a_hard_round_keeps_no_easy_one_waiting() {
    let host = Host::start().await;
    let (cleo, dan) = (host.guest("Cleo").await, host.guest("Dan").await);
    let code = host.room(&cleo, json!({ "blueprint": HARD })).await;
    let (mut one, mut other) = (host.seat(&code, &cleo).await, host.seat(&code, &dan).await);
    tokio::join!(one.reach_start(), other.reach_start());
    for (socket, stride) in [(&mut one, 5), (&mut other, 7)] {
        let mut board: Board = HARD.parse().unwrap();
        for made in 0..6 {
            let legal = board.legal_transfers(made);
            let transfer = legal[(stride * (made as usize + 1)) % legal.len()];
            socket.play((transfer.from.number().into(), transfer.to.number().into())).await;
            board.play(transfer, made).unwrap();
        }
        socket.say(json!({ "type": "give_up" })).await;
    }
    let hard = one.until("round_over").await["result"]["round_id"].as_str().unwrap().to_owned();
    let easy = raced(&host, json!({ "blueprint": SMALL })).await;
    let path = format!("/api/v1/matches/{hard}/review");
    assert_eq!(host.request("GET", &path, &[], "").await.status, 202);
    assert_eq!(reviewed(&host, &easy).await["complete"], true);
    assert_eq!(host.request("GET", &path, &[], "").await.status, 202, "the hard one is still under way");
}

#[tokio::test]
async fn a_round_that_does_not_prove_its_result_has_no_review_and_is_not_tried_again() {
    let host = Host::start().await;
    let round_id = raced(&host, json!({ "blueprint": SMALL })).await;
    host.execute("UPDATE room_event SET body = replace(body, '\"transferred\"', '\"erred\"')").await;
    let path = format!("/api/v1/matches/{round_id}/review");
    let asking = async {
        loop {
            let answer = host.request("GET", &path, &[], "").await;
            if answer.status != 202 {
                return answer;
            }
        }
    };
    let answer = timeout(PATIENCE, asking).await.expect("an answer");
    assert_eq!((answer.status, &answer.json()["code"]), (500, &json!("internal")), "{}", answer.body);
    assert_eq!(host.request("GET", &path, &[], "").await.status, 500, "it is not tried again");
}

#[tokio::test]
async fn a_round_that_cannot_be_read_is_said_to_be_damaged_and_stands_in_no_list() {
    let host = Host::start().await;
    let round_id = raced(&host, json!({ "blueprint": SMALL })).await;
    for damage in [
        "UPDATE room_event SET body = replace(body, '\"transferred\"', '\"erred\"')",
        "UPDATE round_result SET body = '{}'",
    ] {
        host.execute(damage).await;
        for part in ["", "/replay", "/record"] {
            let answer = host.request("GET", &format!("/api/v1/matches/{round_id}{part}"), &[], "").await;
            assert_eq!((answer.status, &answer.json()["code"]), (500, &json!("damaged")), "{part}: {}", answer.body);
            assert!(answer.json()["detail"].as_str().unwrap().contains("damaged"), "{}", answer.body);
        }
    }
    let review = host.request("GET", &format!("/api/v1/matches/{round_id}/review"), &[], "").await;
    assert_eq!((review.status, &review.json()["code"]), (500, &json!("damaged")), "{}", review.body);
    assert_eq!(host.get("/api/v1/matches").await["rounds"], json!([]));
}

#[tokio::test]
async fn nothing_of_a_round_is_to_be_had_before_its_delay_is_over() {
    let host = Host::start().await;
    let round_id = raced(&host, json!({ "blueprint": SMALL, "spectator_delay_s": 60 })).await;
    for part in ["", "/review", "/replay", "/record"] {
        let answer = host.request("GET", &format!("/api/v1/matches/{round_id}{part}"), &[], "").await;
        assert_eq!(answer.status, 404, "{part}: {}", answer.body);
    }
    assert_eq!(host.get("/api/v1/matches").await, json!({ "rounds": [] }));
}

#[tokio::test]
async fn a_round_is_a_file_that_verifies_and_a_text_that_plays() {
    let host = Host::start().await;
    let round_id = raced(&host, json!({ "preset": "initiate" })).await;
    let get = async |part: &str| host.request("GET", &format!("/api/v1/matches/{round_id}/{part}"), &[], "").await;
    let has = |answer: &Answer, header: &str| assert!(answer.head.contains(header), "{}", answer.head);
    let replay = get("replay").await;
    has(&replay, &format!("content-disposition: attachment; filename=\"sprint-{round_id}.json\""));
    has(&replay, "content-type: application/json");
    let round = file::read(&replay.body).unwrap();
    assert_eq!(verify(&round), Verdict::default());
    let record = get("record").await;
    has(&record, &format!("content-disposition: inline; filename=\"sprint-{round_id}.txt\""));
    has(&record, "content-type: text/plain; charset=utf-8");
    assert_eq!(record.body, text::write(&round));
    let winner = &round.result.seats[0];
    let mut board = text::read(&record.body).unwrap().board;
    for (made, transfer) in (0..).zip(text::read(&record.body).unwrap().line_of(winner.seat)) {
        board.play(transfer, made).unwrap();
    }
    assert!(board.is_harmony(), "{}", record.body);
}

#[tokio::test]
async fn rounds_are_listed_newest_first_page_by_page_without_those_that_are_not_shown_yet() {
    let host = Host::start().await;
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let mut expected = Vec::new();
    for delay_s in [0, 60, 0, 0, 60] {
        let round_id = race(&host, [&ada, &ben], json!({ "blueprint": SMALL, "spectator_delay_s": delay_s })).await;
        if delay_s == 0 {
            expected.insert(0, round_id);
        }
    }
    let (mut seen, mut pages, mut after) = (Vec::new(), Vec::new(), String::new());
    loop {
        let page = host.get(&format!("/api/v1/matches?limit=2{after}")).await;
        let rounds = page["rounds"].as_array().unwrap();
        seen.extend(rounds.iter().map(|round| round["round_id"].as_str().unwrap().to_owned()));
        pages.push(rounds.len());
        let Some(next) = page["next"].as_str() else { break };
        after = format!("&after={next}");
    }
    assert_eq!((seen, pages), (expected, vec![2, 1]));
}
