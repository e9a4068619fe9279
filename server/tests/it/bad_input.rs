//! Whatever a client sends: a clear refusal with a stable code, nobody else notices, nothing is lost.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::time::Duration;

use futures_util::SinkExt;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;

use crate::host::{Host, PATIENCE, SMALL, race_of_two, solution};

fn small() -> Value {
    json!({ "blueprint": SMALL })
}

#[tokio::test]
async fn what_is_not_understood_is_refused_and_the_third_time_ends_the_socket() {
    let host = Host::start().await;
    let (mut ada, mut ben, _, board) = race_of_two(&host, small()).await;
    for (text, said) in [
        ("{\"type\":\"lift\",", "EOF"),
        ("{\"type\":\"lift\",\"n\":1,\"peg\":1,\"force\":true}", "unknown field `force`"),
        ("{\"type\":\"cheat\"}", "unknown variant `cheat`"),
    ] {
        ada.say_text(text).await;
        let error = ada.until("error").await;
        assert_eq!(error["code"], "bad_message");
        assert!(error["message"].as_str().unwrap().contains(said), "{error}");
    }
    assert_eq!(ada.until_closed().await, Some(1008));
    // The other one notices nothing but that Ada is gone, and wins.
    for transfer in solution(&board) {
        assert_eq!(ben.play(transfer).await["type"], "transferred");
    }
    let over = ben.until("round_over").await;
    assert_eq!(over["result"]["seats"][0]["name"], "Ben");
    assert_eq!(over["result"]["seats"][1]["errors"], 0);
}

#[tokio::test]
async fn unknown_fields_are_refused_in_every_message() {
    let host = Host::start().await;
    let ada = host.guest("Ada").await;
    let code = host.room(&ada, small()).await;
    for message in [
        json!({ "type": "ready", "ready": true, "x": 1 }),
        json!({ "type": "give_up", "x": 1 }),
        json!({ "type": "leave", "x": 1 }),
        json!({ "type": "rematch", "x": 1 }),
        json!({ "type": "undo", "n": 1, "x": 1 }),
        json!({ "type": "nonce", "nonce": "zz" }),
        json!({ "type": "lift", "n": -1, "peg": 1 }),
        json!({ "type": "lift", "n": 1, "peg": 1.5 }),
        json!(["ready", true]),
        json!({ "type": "hello", "token": ada.token, "role": "player" }),
    ] {
        let mut socket = host.seat(&code, &ada).await;
        socket.say(message.clone()).await;
        assert_eq!(socket.until("error").await["code"], "bad_message", "{message}");
    }
}

#[tokio::test]
async fn binary_and_oversized_messages_end_the_socket_with_their_codes() {
    let host = Host::start().await;
    let ada = host.guest("Ada").await;
    let code = host.room(&ada, small()).await;
    let mut socket = host.seat(&code, &ada).await;
    socket.line.send(Message::binary(vec![1, 2, 3])).await.unwrap();
    assert_eq!(socket.until("error").await["code"], "binary");
    assert_eq!(socket.until_closed().await, Some(1003));

    let mut socket = host.seat(&code, &ada).await;
    socket.say_text("x".repeat(4_096)).await;
    assert_eq!(socket.until("error").await["code"], "bad_message", "4 KiB are taken, and not understood");
    socket.say_text("x".repeat(4_097)).await;
    assert_eq!(socket.until_closed().await, Some(1009));

    // Before the hello as well.
    let mut socket = host.socket(&code).await;
    socket.say_text(format!("{{\"type\":\"hello\",\"token\":\"{}\"}}", "a".repeat(100_000))).await;
    assert_eq!(socket.until_closed().await, Some(1009));
}

#[tokio::test]
async fn a_wrong_token_and_a_wrong_room_are_told_apart_by_code() {
    let host = Host::start().await;
    let ada = host.guest("Ada").await;
    let code = host.room(&ada, small()).await;
    let mut stranger = ada.clone();
    stranger.token = "0".repeat(64);
    let mut socket = host.socket(&code).await;
    socket.say(json!({ "type": "hello", "token": stranger.token, "role": "player" })).await;
    assert_eq!(socket.until("error").await["code"], "bad_token");
    assert_eq!(socket.until_closed().await, Some(4401));
    let mut answers = Vec::new();
    for wrong in ["ABCDEF", "ABCDEFGHJKMN", "nonsense", "%00", &code[..6]] {
        let mut socket = host.socket(wrong).await;
        socket.say(json!({ "type": "hello", "token": ada.token, "role": "player" })).await;
        answers.push(socket.until("error").await);
        assert_eq!(socket.until_closed().await, Some(4404), "{wrong}");
    }
    assert_eq!(answers[0]["code"], "no_such_room");
    assert!(answers.iter().all(|answer| *answer == answers[0]), "one answer, whatever is wrong: {answers:?}");
}

#[tokio::test]
async fn whoever_says_no_hello_is_closed() {
    let host = Host::start_with(|settings| settings.limits.hello_ms = 200).await;
    let ada = host.guest("Ada").await;
    let code = host.room(&ada, small()).await;
    for (first, words) in [
        (json!({ "type": "ready", "ready": true }), "another message"),
        (json!({ "type": "hello", "role": "player" }), "missing field `token`"),
        (json!({ "type": "hello", "token": ada.token, "role": "judge" }), "unknown variant `judge`"),
        (json!(["hello", ada.token, "player"]), "give each value its name"),
    ] {
        let mut socket = host.socket(&code).await;
        socket.say(first.clone()).await;
        let error = socket.until("error").await;
        assert_eq!(error["code"], "hello_first", "{first}");
        assert!(error["message"].as_str().unwrap().contains(words), "{first}: {error}");
        assert_eq!(socket.until_closed().await, Some(1008));
    }
    let mut silent = host.socket(&code).await;
    assert_eq!(silent.until("error").await["code"], "hello_late");
    assert_eq!(silent.until_closed().await, Some(1008));
}

#[tokio::test]
async fn headers_that_trickle_end_the_connection() {
    let host = Host::start_with(|settings| settings.limits.hello_ms = 200).await;
    let mut line = TcpStream::connect(host.address).await.unwrap();
    line.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ").await.unwrap();
    let mut rest = Vec::new();
    let ended = timeout(Duration::from_secs(5), line.read_to_end(&mut rest)).await;
    assert!(ended.is_ok(), "the server ends it");
    let mut silent = TcpStream::connect(host.address).await.unwrap();
    assert!(timeout(Duration::from_secs(5), silent.read_to_end(&mut rest)).await.is_ok(), "and one that says nothing");
}

#[tokio::test]
async fn whoever_does_not_read_answers_is_cut_off_and_nobody_else() {
    let host = Host::start_with(|settings| settings.limits.answer_ms = 300).await;
    let mut line = TcpStream::connect(host.address).await.unwrap();
    let ask = "GET /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n";
    // More answers than any buffer of the system holds, asked for at once and never read.
    let asking = async { while line.write_all(ask.as_bytes()).await.is_ok() {} };
    let mut asking = std::pin::pin!(timeout(Duration::from_secs(30), asking));
    let mut served = 0;
    loop {
        tokio::select! {
            ended = &mut asking => break ended.expect("the server ends it: nothing can be asked any more"),
            answer = host.request("GET", "/api/v1/openapi.json", &[], "") => {
                assert_eq!(answer.status, 200);
                served += 1;
            }
        }
    }
    assert!(served > 0, "others were served meanwhile");
}

#[tokio::test]
async fn a_stop_waits_for_nobody_who_does_not_read() {
    let mut host = Host::start().await;
    let line = TcpStream::connect(host.address).await.unwrap();
    let ask = "GET /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n".repeat(100);
    // Until neither end takes anything any more, though the server has served others twenty times since.
    let mut stuck = 0;
    while stuck < 20 {
        match line.try_write(ask.as_bytes()) {
            Ok(_) => stuck = 0,
            Err(_) => {
                assert_eq!(host.request("GET", "/healthz", &[], "").await.status, 200);
                stuck += 1;
            }
        }
    }
    host.stop().await;
    // Still nothing is read, which would set the server free. There is something that it has not read: a reset.
    let ending = async {
        while line.try_write(b"x").is_err_and(|error| error.kind() == ErrorKind::WouldBlock) {
            tokio::task::yield_now().await;
        }
    };
    timeout(PATIENCE, ending).await.expect("its connection is gone with the server");
    assert!(line.try_write(b"x").is_err());
}

#[tokio::test]
async fn acts_before_the_start_and_after_the_end_are_refused() {
    let host = Host::start_with(|settings| settings.countdown_ms = 1_000).await;
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let code = host.room(&ada, small()).await;
    let (mut one, mut other) = (host.seat(&code, &ada).await, host.seat(&code, &ben).await);
    assert_eq!(one.play((1, 2)).await["code"], "not_racing", "in the lobby");
    for socket in [&mut one, &mut other] {
        socket.say(json!({ "type": "ready", "ready": true })).await;
    }
    for socket in [&mut one, &mut other] {
        socket.until("committed").await;
        socket.say(json!({ "type": "nonce", "nonce": "00".repeat(16) })).await;
    }
    one.until("countdown_started").await;
    let early = one.play((1, 3)).await;
    assert_eq!((&early["type"], &early["code"]), (&json!("refused"), &json!("not_started")));
    let start = one.until("start").await;
    assert_eq!(start["state"]["round"]["plays"][0]["moves"], 0);
    for peg in [0, 99, 4_294_967_295_u64] {
        let refused = one.play((peg, 1)).await;
        assert_eq!((&refused["type"], &refused["code"]), (&json!("refused"), &json!("no_such_peg")));
    }
    for transfer in solution(start["state"]["round"]["board"].as_str().unwrap()) {
        assert_eq!(one.play(transfer).await["type"], "transferred");
    }
    let result = other.until("round_over").await;
    assert_eq!(result["result"]["seats"][0]["errors"], 0, "a peg that is not there is no placement error");
    assert_eq!(other.play((1, 2)).await["code"], "not_racing", "after the end");
}

#[tokio::test]
async fn a_thousand_acts_at_once_end_one_socket_and_nothing_that_was_acknowledged_is_lost() {
    // Hardly anything is given back meanwhile, however slow the machine.
    let host = Host::start_with(|settings| settings.limits.acts_per_s = 1).await;
    let (mut ada, mut ben, _, board) = race_of_two(&host, small()).await;
    for n in 1..=1_000 {
        let act = json!({ "type": "lift", "n": n, "peg": 1 }).to_string();
        if ada.line.feed(Message::text(act)).await.is_err() {
            break;
        }
    }
    let _ = ada.line.flush().await;
    // The close may be lost behind a thousand unread acts, the end of the socket is not.
    assert!(matches!(ada.until_closed().await, Some(1008) | None));
    let slowed = ada.heard.iter().filter(|m| m["code"] == "rate_limited" && m["type"] == "refused").count();
    assert!(slowed <= 70, "three times the burst ends it: {slowed}");
    ben.until("disconnected").await;
    for transfer in solution(&board) {
        assert_eq!(ben.play(transfer).await["type"], "transferred");
    }
    let over = ben.until("round_over").await;
    let seats = over["result"]["seats"].as_array().unwrap();
    assert_eq!(seats[0]["name"], "Ben");
    // Of the burst of 30, ready and nonce took two. So 28 acts were judged: one lift, then 27 times a second one with
    // a disk in the hand, five penalty moves each (RULES section 3).
    assert_eq!(seats[1]["moves"], 27 * 5);
}

#[tokio::test]
async fn a_thousand_pongs_that_nobody_asked_for_end_the_socket() {
    let host = Host::start_with(|settings| settings.limits.acts_per_s = 1).await;
    let (mut ada, mut ben, ..) = race_of_two(&host, small()).await;
    for _ in 0..1_000 {
        if ada.line.feed(Message::Pong("unasked".into())).await.is_err() {
            break;
        }
    }
    let _ = ada.line.flush().await;
    assert!(matches!(ada.until_closed().await, Some(1008) | None));
    ben.until("disconnected").await;
}

#[tokio::test]
async fn names_of_characters_that_do_not_show_are_refused() {
    let host = Host::start().await;
    for name in ["\u{0}\u{1}", "a\nb", "\u{202e}evil", "\u{200b}", "", "   ", &"x".repeat(21), &"y".repeat(5_000)] {
        let answer = host.request("POST", "/api/v1/players", &[], &json!({ "name": name }).to_string()).await;
        assert_eq!(answer.status, 422, "{name:?}");
        let problem = answer.json();
        assert_eq!(problem["code"], "invalid");
        assert!(problem["detail"].as_str().unwrap().starts_with("name: "), "{problem}");
    }
}

#[tokio::test]
async fn requests_that_are_wrong_get_a_problem_that_says_what_is_wrong() {
    let host = Host::start().await;
    let ada = host.guest("Ada").await;
    let bearer = ada.bearer();
    let auth = [("authorization", bearer.as_str())];
    let long = format!("{{\"name\":\"{}\"}}", "x".repeat(3 << 20));
    for (method, path, headers, body, status, code, said) in [
        ("POST", "/api/v1/players", &[][..], "{", 400, "bad_request", "line 1 column 1"),
        ("POST", "/api/v1/players", &[], r#"{"nmae":"A"}"#, 422, "invalid", "unknown field `nmae`"),
        ("POST", "/api/v1/players", &[], r#" ["Ada",true]"#, 422, "invalid", "an object is expected"),
        ("POST", "/api/v1/rooms", &auth, "[3]", 422, "invalid", "an object is expected"),
        ("POST", "/api/v1/players", &[], "\"Ada\"", 422, "invalid", "an object is expected"),
        ("POST", "/api/v1/players", &[], "Ada", 400, "bad_request", "no JSON"),
        ("GET", "/api/v1/players/abc", &[], "", 400, "bad_request", "\"abc\" is no id"),
        ("POST", "/api/v1/players", &[], long.as_str(), 400, "bad_request", "cannot be read"),
        ("GET", "/api/v1/players/me", &[], "", 401, "unauthorized", "Authorization: Bearer"),
        ("POST", "/api/v1/rooms", &[], "{}", 401, "unauthorized", "Authorization: Bearer"),
        ("POST", "/api/v1/rooms", &auth, r#"{"seats":5}"#, 422, "invalid", "seats: a room has 2 to 4 seats, not 5"),
        ("POST", "/api/v1/rooms", &auth, r#"{"preset":"easy"}"#, 422, "invalid", "unknown variant `easy`"),
        ("POST", "/api/v1/rooms", &auth, r#"{"blueprint":"R1/R1/- 3"}"#, 422, "invalid", "blueprint: "),
        // From the labelled boards: proven unsolvable.
        ("POST", "/api/v1/rooms", &auth, r#"{"blueprint":"S3S1/S2R3R1/R2/- 3"}"#, 422, "invalid", "harmony"),
        ("GET", "/api/v1/rooms/ABCDEF", &[], "", 404, "not_found", "no open room"),
        ("GET", "/api/v1/rooms/%ff", &[], "", 404, "not_found", "no open room"),
        ("GET", "/ws/v1/rooms/%ff", &[], "", 400, "bad_request", "WebSockets: send `Connection: Upgrade`"),
        ("GET", "/api/v1/matches/%ff", &[], "", 400, "bad_request", "no id"),
        ("POST", "/api/v1/rooms", &auth, r#"{"preset":null}"#, 422, "invalid", "preset: another value is expected"),
        ("POST", "/api/v1/practice", &auth, r#"{"preset":null}"#, 422, "invalid", "preset: another value"),
        (
            "POST",
            "/api/v1/rooms",
            &auth,
            r#"{"seats":"2"}"#,
            422,
            "invalid",
            "seats: invalid type: string \"2\", expected a whole number",
        ),
        (
            "POST",
            "/api/v1/rooms",
            &auth,
            r#"{"preset":"expected u8"}"#,
            422,
            "invalid",
            "unknown variant `expected u8`",
        ),
        ("GET", "/api/v1/matches/7", &[], "", 400, "bad_request", "UUID"),
        ("GET", "/api/v1/matches/00000000-0000-7000-8000-000000000000", &[], "", 404, "not_found", "no round"),
        ("GET", "/api/v1/matches?player=7", &[], "", 400, "bad_request", "player"),
        ("GET", "/api/v1/matches?after=7", &[], "", 400, "bad_request", "after: give `next`"),
        ("GET", "/api/v1/matches?limit=101", &[], "", 400, "bad_request", "limit: give a whole number from 1 to 100"),
        ("GET", "/api/v1/leaderboards/sprint?preset=easy", &[], "", 400, "bad_request", "easy"),
        ("GET", "/api/v1/leaderboards/slowest", &[], "", 404, "not_found", "fastest, fewest, stage or daily"),
        ("GET", "/api/v1/leaderboards/fastest", &[], "", 422, "invalid", "preset: "),
        ("GET", "/api/v1/leaderboards/rating?period=day", &[], "", 422, "invalid", "period: "),
        ("GET", "/api/v1/leaderboards/sprint/me", &[], "", 401, "unauthorized", "Authorization: Bearer"),
        ("GET", "/api/v1/leaderboards/sprint?after=4294967295.0.0.0", &[], "", 400, "bad_request", "after: "),
        (
            "GET",
            "/api/v1/leaderboards/sprint?limit=0",
            &[],
            "",
            400,
            "bad_request",
            "limit: give a whole number from 1 to 200",
        ),
        ("GET", "/api/v1/leaderboards/sprint?after=x", &[], "", 400, "bad_request", "after: "),
        ("GET", "/api/v1/nothing", &[], "", 404, "not_found", "openapi.json"),
        ("GET", "/ws/v1/nothing", &[], "", 404, "not_found", "openapi.json"),
        ("GET", "/ws/v1/rooms/ABCDEF", &[], "", 400, "bad_request", "WebSocket"),
        ("DELETE", "/api/v1/rooms", &[], "", 405, "method_not_allowed", "method"),
        ("POST", "/ws/v1/queue", &[], "", 405, "method_not_allowed", "method"),
        ("POST", "/healthz", &[], "", 405, "method_not_allowed", "method"),
    ] {
        let answer = host.request(method, path, headers, body).await;
        assert_eq!(answer.status, status, "{method} {path}: {}", answer.body);
        assert!(answer.head.contains("content-type: application/problem+json"), "{}", answer.head);
        let problem = answer.json();
        assert_eq!((&problem["status"], &problem["code"]), (&json!(status), &json!(code)), "{method} {path}");
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains(said), "{method} {path}: {problem}");
        assert!(
            !["deserialize", "struct", "parse"].iter().any(|word| detail.contains(word)),
            "in our own words: {problem}"
        );
    }
}

#[tokio::test]
async fn a_request_that_lacks_a_part_of_an_upgrade_is_told_which() {
    let host = Host::start().await;
    let parts = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: x"];
    for (lacking, said) in parts.into_iter().zip([
        "send `Connection: Upgrade`",
        "send `Upgrade: websocket`",
        "send `Sec-WebSocket-Version: 13`",
        "send a `Sec-WebSocket-Key`",
    ]) {
        let mut line = TcpStream::connect(host.address).await.unwrap();
        let mut request = "GET /ws/v1/queue HTTP/1.1\r\nHost: x\r\n".to_owned();
        parts.iter().filter(|part| **part != lacking).for_each(|part| request.push_str(&format!("{part}\r\n")));
        line.write_all(format!("{request}\r\n").as_bytes()).await.unwrap();
        line.shutdown().await.unwrap();
        let mut answer = String::new();
        timeout(PATIENCE, line.read_to_string(&mut answer)).await.expect("an answer").unwrap();
        assert!(answer.starts_with("HTTP/1.1 400") && answer.contains(said), "{lacking}: {answer}");
    }
}

#[tokio::test]
async fn junk_in_any_parameter_of_any_get_is_refused_with_what_would_be_right() {
    let host = Host::start().await;
    let bearer = host.guest("Ada").await.bearer();
    let headers = [("authorization", bearer.as_str())];
    let mut met = BTreeSet::new();
    for (path, methods) in host.get("/api/v1/openapi.json").await["paths"].as_object().unwrap() {
        let Some(parameters) = methods["get"]["parameters"].as_array() else { continue };
        for parameter in parameters.iter().filter(|parameter| parameter["in"] == "query") {
            let name = parameter["name"].as_str().unwrap();
            let right = match name {
                "after" => "after: give `next` of the page before as it is",
                "limit" if path.ends_with("/matches") => "limit: give a whole number from 1 to 100",
                "limit" => "limit: give a whole number from 1 to 200",
                "around" => "around: give a whole number from 0 to 50",
                "preset" | "period" | "list" => "expected one of",
                "bots" => "`true` or `false`",
                "stage" => "stage: give a whole number from 1 to 50",
                "day" => "give YYYY-MM-DD",
                "player" => "UUID",
                other => panic!("{path}: say here what is right for {other}"),
            };
            met.insert(format!("{path} {name}"));
            let path = path.replace("{board}", "sprint");
            for junk in
                ["", "x", "-1", "201", "1.5", "1%00", "99999999999999999999", "all.1.2", "%F0%9F%97%BC", "%2500"]
            {
                let answer = host.request("GET", &format!("{path}?{name}={junk}"), &headers, "").await;
                let (code, detail) = (answer.json()["code"].clone(), answer.json()["detail"].clone());
                assert_eq!((answer.status, code), (400, json!("bad_request")), "{path} {name}={junk}: {detail}");
                assert!(detail.as_str().unwrap().contains(right), "{path} {name}={junk}: {detail}");
            }
        }
    }
    let board =
        ["after", "bots", "day", "limit", "list", "period", "preset", "stage"].map(|name| format!("{{board}} {name}"));
    let own = ["around", "day", "list", "period", "preset", "stage"].map(|name| format!("{{board}}/me {name}"));
    let boards = board.into_iter().chain(own).map(|named| format!("/api/v1/leaderboards/{named}"));
    let rounds = ["after", "limit", "player"].map(|name| format!("/api/v1/matches {name}"));
    assert_eq!(met, boards.chain(rounds).collect());
}

#[tokio::test]
async fn pages_of_other_origins_and_other_subprotocols_get_no_socket() {
    let host = Host::start_with(|settings| settings.limits.origins = vec!["https://play.example".to_owned()]).await;
    let ada = host.guest("Ada").await;
    let code = host.room(&ada, small()).await;
    let own = format!("http://{}", host.address);
    for (origin, status) in [("https://evil.example", Some(403)), ("null", Some(403)), (own.as_str(), None)] {
        assert_eq!(host.socket_with(&code, &[("origin", origin)]).await.err(), status, "{origin}");
    }
    assert!(host.socket_with(&code, &[("origin", "https://play.example")]).await.is_ok());
    let other = [("sec-websocket-protocol", "graphql-ws")];
    assert_eq!(host.socket_with(&code, &other).await.err(), Some(400));
}

#[tokio::test]
async fn a_client_that_vanishes_in_the_handshake_harms_nobody() {
    let host = Host::start().await;
    let (mut ada, _ben, code, board) = race_of_two(&host, small()).await;
    for _ in 0..500 {
        let mut line = TcpStream::connect(host.address).await.unwrap();
        line.write_all(format!("GET /ws/v1/rooms/{code} HTTP/1.1\r\nHost: x\r\nUpgrade: webs").as_bytes())
            .await
            .unwrap();
        drop(line);
        drop(host.socket(&code).await);
    }
    for transfer in solution(&board) {
        assert_eq!(ada.play(transfer).await["type"], "transferred");
    }
    timeout(PATIENCE, ada.until("round_over")).await.expect("the race goes on");
}
