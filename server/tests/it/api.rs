//! The REST API as scripts use it, and the documents that describe it.

use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::host::{Host, SMALL, race_of_two, solution};

#[tokio::test]
async fn a_guest_gets_a_name_and_a_token_that_proves_who_calls() {
    let host = Host::start().await;
    let answer = host.request("POST", "/api/v1/players", &[], "").await;
    assert_eq!(answer.status, 201);
    let made = answer.json();
    assert!(made["name"].as_str().unwrap().split(' ').count() == 3, "a made-up name: {made}");
    let bearer = format!("Bearer {}", made["token"].as_str().unwrap());
    let auth = [("authorization", bearer.as_str())];
    let me = host.request("GET", "/api/v1/players/me", &auth, "").await.json();
    assert_eq!((&me["player_id"], &me["name"], &me["bot"]), (&made["player_id"], &made["name"], &json!(false)));
    let renamed = host.request("PATCH", "/api/v1/players/me", &auth, r#"{"name":"  Ada  L. "}"#).await;
    assert_eq!((renamed.status, &renamed.json()["name"]), (200, &json!("Ada L.")));
    assert_eq!(host.request("GET", "/api/v1/players/me", &auth, "").await.json()["name"], "Ada L.");
}

#[tokio::test]
async fn the_same_key_gets_the_same_answer_and_another_request_is_refused() {
    let host = Host::start().await;
    let key = [("idempotency-key", "first")];
    let one = host.request("POST", "/api/v1/players", &key, r#"{"name":"Ada"}"#).await;
    let again = host.request("POST", "/api/v1/players", &key, r#"{"name":"Ada"}"#).await;
    assert_eq!((one.status, again.status), (201, 201));
    assert_eq!(one.json(), again.json());
    let other = host.request("POST", "/api/v1/players", &key, r#"{"name":"Ben"}"#).await;
    assert_eq!((other.status, &other.json()["code"]), (422, &json!("key_reused")));
    // Another caller's key of the same name is another key.
    let ada = format!("Bearer {}", one.json()["token"].as_str().unwrap());
    let ben = host.guest("Ben").await.bearer();
    let mut rooms = Vec::new();
    for bearer in [&ada, &ada, &ben] {
        let headers = [("authorization", bearer.as_str()), ("idempotency-key", "room")];
        rooms.push(host.request("POST", "/api/v1/rooms", &headers, "{}").await.json()["code"].clone());
    }
    assert_eq!(rooms[0], rooms[1]);
    assert_ne!(rooms[0], rooms[2]);
    // Two at once make one room as well.
    let headers = [("authorization", ada.as_str()), ("idempotency-key", "twice")];
    let twice = || host.request("POST", "/api/v1/rooms", &headers, "{}");
    let (one, other) = tokio::join!(twice(), twice());
    assert_eq!(one.json(), other.json());
}

#[tokio::test]
async fn a_request_whose_line_breaks_is_done_once_when_it_is_sent_again() {
    let host = Host::start().await;
    let bearer = host.guest("Ada").await.bearer();
    let body = r#"{"public":true}"#;
    for key in 0..20 {
        let key = key.to_string();
        let mut line = TcpStream::connect(host.address).await.unwrap();
        let request = format!(
            "POST /api/v1/rooms HTTP/1.1\r\nHost: {}\r\nAuthorization: {bearer}\r\nIdempotency-Key: {key}\r\n\
             Content-Length: {}\r\n\r\n{body}",
            host.address,
            body.len()
        );
        line.write_all(request.as_bytes()).await.unwrap();
        drop(line);
        let headers = [("authorization", bearer.as_str()), ("idempotency-key", key.as_str())];
        assert_eq!(host.request("POST", "/api/v1/rooms", &headers, body).await.status, 201);
    }
    assert_eq!(host.get("/api/v1/rooms").await.as_array().unwrap().len(), 20);
}

#[tokio::test]
async fn public_rooms_are_listed_with_six_letters_and_private_ones_are_not() {
    let host = Host::start().await;
    let ada = host.guest("Ada").await;
    let private = host.room(&ada, json!({})).await;
    let public = host.room(&ada, json!({ "public": true, "seats": 3, "preset": "expert" })).await;
    assert_eq!((private.len(), public.len()), (12, 6));
    let _seat = host.seat(&public, &ada).await;
    let listed = host.get("/api/v1/rooms").await;
    assert_eq!(listed.as_array().unwrap().len(), 1);
    let room = &listed[0];
    assert_eq!((&room["code"], &room["phase"], &room["joinable"]), (&json!(public), &json!("lobby"), &json!(true)));
    assert_eq!((&room["players"], &room["options"]["seats"]), (&json!(["Ada"]), &json!(3)));
    assert_eq!(host.get(&format!("/api/v1/rooms/{}", public.to_lowercase())).await, *room, "however it is typed");
    assert_eq!(host.get(&format!("/api/v1/rooms/{private}")).await["options"]["public"], false);
}

#[tokio::test]
async fn a_blueprint_round_is_stored_and_stands_on_no_leaderboard() {
    let host = Host::start().await;
    let (mut ada, _ben, _, board) = race_of_two(&host, json!({ "blueprint": SMALL })).await;
    let line = solution(&board);
    for transfer in &line {
        ada.play(*transfer).await;
    }
    let result = ada.until("round_over").await["result"].clone();
    assert_eq!(result["optimum"], line.len());
    let round_id = result["round_id"].as_str().unwrap();
    assert_eq!(host.get(&format!("/api/v1/matches/{round_id}")).await["result"], result);
    assert_eq!(host.get("/api/v1/leaderboards/sprint").await["entries"], json!([]));
}

#[tokio::test]
async fn health_readiness_presets_and_the_page_are_there() {
    let host = Host::start().await;
    assert_eq!(host.request("GET", "/healthz", &[], "").await.body, "ok");
    assert_eq!(host.get("/readyz").await["status"], "ready");
    assert_eq!(sprint_server::healthcheck::ask(host.address).await.unwrap(), r#"{"status":"ready"}"#);
    let presets = host.get("/api/v1/presets").await;
    assert_eq!(presets.as_array().unwrap().len(), 8);
    // RULES section 6.
    let standard = presets.as_array().unwrap().iter().find(|p| p["preset"] == "standard").unwrap();
    assert_eq!((&standard["optimum_min"], &standard["optimum_max"]), (&json!(21), &json!(24)));
    let page = host.request("GET", "/", &[], "").await;
    assert_eq!(page.status, 200);
    assert!(page.head.contains("content-security-policy: default-src 'none'; script-src 'self'"), "{}", page.head);
    assert!(page.head.contains("x-content-type-options: nosniff"));
}

#[tokio::test]
async fn the_openapi_document_names_every_address() {
    let host = Host::start().await;
    let document = host.get("/api/v1/openapi.json").await;
    let paths: Vec<_> = document["paths"].as_object().unwrap().iter().collect();
    let mut named: Vec<String> = paths
        .iter()
        .flat_map(|(path, methods)| methods.as_object().unwrap().keys().map(move |method| format!("{method} {path}")))
        .collect();
    named.sort();
    assert_eq!(
        named,
        [
            "delete /api/v1/players/me",
            "get /api/v1/campaign",
            "get /api/v1/daily",
            "get /api/v1/daily/{day}",
            "get /api/v1/leaderboards/{board}",
            "get /api/v1/leaderboards/{board}/me",
            "get /api/v1/live",
            "get /api/v1/matches",
            "get /api/v1/matches/{round_id}",
            "get /api/v1/matches/{round_id}/ratings",
            "get /api/v1/matches/{round_id}/record",
            "get /api/v1/matches/{round_id}/replay",
            "get /api/v1/matches/{round_id}/review",
            "get /api/v1/players/me",
            "get /api/v1/players/me/solo",
            "get /api/v1/players/{player_id}",
            "get /api/v1/presets",
            "get /api/v1/queue",
            "get /api/v1/rooms",
            "get /api/v1/rooms/{code}",
            "get /api/v1/rooms/{code}/way",
            "get /api/v1/tutorial",
            "patch /api/v1/players/me",
            "post /api/v1/campaign/{stage}",
            "post /api/v1/daily",
            "post /api/v1/matches/{round_id}/ghosts",
            "post /api/v1/players",
            "post /api/v1/players/link",
            "post /api/v1/players/login",
            "post /api/v1/players/me/link",
            "post /api/v1/players/me/logout",
            "post /api/v1/practice",
            "post /api/v1/rooms",
            "post /api/v1/shuffle",
            "post /api/v1/tutorial/{lesson}",
            "put /api/v1/players/me/password",
        ]
    );
    let text = document.to_string();
    for reference in text.split("\"$ref\":\"#/components/schemas/").skip(1) {
        let name = reference.split('"').next().unwrap();
        assert!(document["components"]["schemas"][name].is_object(), "{name} is described");
    }
}

#[test]
fn the_committed_schema_of_the_protocol_is_up_to_date() {
    let committed = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/protocol.schema.json");
    let committed = std::fs::read_to_string(committed).expect("docs/protocol.schema.json");
    assert_eq!(
        committed.trim_end(),
        sprint_server::schema::protocol(),
        "write it anew: cargo run -p sprint-server -- schema > docs/protocol.schema.json"
    );
}
