//! Servers and files that are not what they say: `sprint verify` neither believes them, nor waits for them, nor lets
//! them write on the terminal as they like.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use futures_util::stream;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::commands::{printed, said, sprint};

/// A round that was raced honestly, on the first version of the server.
fn honest() -> Value {
    serde_json::from_str(include_str!("../../../shared/data/replay-1.json")).expect("JSON")
}

/// A server in this process that answers every path so; its address.
async fn server(answer: impl Fn(&str) -> Response + Send + Sync + 'static) -> String {
    let answer = Arc::new(answer);
    let app = Router::new().fallback(move |uri: Uri| {
        let answer = answer.clone();
        async move { answer(uri.path()) }
    });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("bound");
    tokio::spawn(async move { axum::serve(listener, app).await });
    format!("http://{address}")
}

fn listed(round_id: Uuid, round: &Value) -> Value {
    json!({ "round_id": round_id, "finished_at_ms": round["finished_at_ms"], "preset": round["options"]["preset"],
        "result": round["result"] })
}

#[tokio::test(flavor = "multi_thread")]
async fn another_round_than_the_one_asked_for_proves_nothing() {
    let (round, asked) = (honest(), Uuid::from_u128(7));
    let list = json!({ "rounds": [listed(asked, &round)], "next": null });
    let url = server(move |path| match path {
        "/api/v1/matches" => Json(list.clone()).into_response(),
        _ => Json(honest()).into_response(),
    });
    let url = url.await;
    let said_so = format!("the answer is round {}, not {asked}", round["round_id"].as_str().expect("an id"));
    let one = sprint(&["verify", &format!("{url}/api/v1/matches/{asked}")]).await;
    assert!(said(&one).contains(&said_so), "{}", said(&one));
    assert_eq!((printed(&one).as_str(), one.status.code()), ("", Some(2)));
    let all = sprint(&["verify", "--all", &url]).await;
    assert!(said(&all).contains(&said_so), "{}", said(&all));
    assert_eq!((printed(&all).as_str(), all.status.code()), ("verified 0 of 1\n", Some(2)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_that_never_ends_is_given_up() {
    let round = honest();
    let id = round["round_id"].as_str().and_then(|id| id.parse().ok()).expect("an id");
    for (rounds, what) in [(json!([listed(id, &round)]), "twice"), (json!([]), "goes on after an empty page")] {
        let url = server(move |path| match path {
            "/api/v1/matches" => Json(json!({ "rounds": rounds, "next": "1.2" })).into_response(),
            _ => Json(honest()).into_response(),
        });
        let all = sprint(&["verify", "--all", &url.await]).await;
        assert!(said(&all).contains(what), "{what}: {}", said(&all));
        assert_eq!(all.status.code(), Some(2));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_without_an_end_is_not_read_to_it() {
    let url = server(|_| {
        let piece = vec![b' '; 1 << 20];
        Body::from_stream(stream::repeat_with(move || Ok::<_, std::io::Error>(piece.clone()))).into_response()
    });
    let one = sprint(&["verify", &format!("{}/api/v1/matches/{}", url.await, Uuid::nil())]).await;
    assert!(said(&one).contains("more than 128 MiB"), "{}", said(&one));
    let file = sprint(&["verify", "/dev/zero"]).await;
    assert!(said(&file).contains("more than 128 MiB: no round is as long"), "{}", said(&file));
    assert_eq!((one.status.code(), file.status.code()), (Some(2), Some(2)));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_others_wrote_never_steers_the_terminal() {
    let hostile = "\u{1b}]0;verified\u{7}\r\nverified\u{9b}2J\u{202e}";
    let url = server(move |_| {
        let problem =
            json!({ "type": "about:blank", "title": hostile, "status": 404, "code": hostile, "detail": hostile });
        (StatusCode::NOT_FOUND, Json(problem)).into_response()
    });
    let mut round = honest();
    round["reveal"]["source"] = json!(hostile);
    round["record"][0]["type"] = json!(hostile);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("round.json").to_str().expect("text").to_owned();
    std::fs::write(&file, round.to_string()).expect("written");
    let place = format!("{}/api/v1/matches/{}", url.await, Uuid::nil());
    for output in [sprint(&["verify", &place]).await, sprint(&["verify", &file, &place]).await] {
        let all = printed(&output) + &said(&output);
        assert!(all.contains("\\u{1b}"), "it is told: {all:?}");
        let steering = |letter: char| (letter.is_control() && letter != '\n') || letter == '\u{202e}';
        assert!(!all.contains(steering), "{all:?}");
        assert!(!all.lines().any(|line| line.starts_with("verified\\u") || line == "verified"), "{all:?}");
    }
}
