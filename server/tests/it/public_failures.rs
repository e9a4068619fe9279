//! How servers like this one have failed in public (docs/reliability.md): each test holds one such failure off.

use std::collections::BTreeMap;

use futures_util::SinkExt;
use serde_json::{Value, json};
use sprint_shared::protocol::ClientMessage;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;

use crate::host::{Guest, Host, SMALL, Socket, race_of_two, solution};

async fn known_race(host: &Host, options: Value) -> (Guest, Guest, Socket, Socket, String, String) {
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let code = host.room(&ada, options).await;
    let (mut one, mut other) = (host.seat(&code, &ada).await, host.seat(&code, &ben).await);
    let (start, _) = tokio::join!(one.reach_start(), other.reach_start());
    let board = start["state"]["round"]["board"].as_str().unwrap().to_owned();
    (ada, ben, one, other, code, board)
}

fn small() -> Value {
    json!({ "blueprint": SMALL })
}

#[tokio::test]
async fn a_thousand_wrong_tokens_change_nothing_and_the_real_player_comes_back() {
    let host = Host::start().await;
    let (ada, _, one, mut other, code, board) = known_race(&host, small()).await;
    drop(one);
    other.until("disconnected").await;
    for number in 0..1_000 {
        let mut wrong = host.socket(&code).await;
        let token = format!("{number:064x}");
        wrong.say(json!({ "type": "hello", "token": token, "role": "player" })).await;
        assert_eq!(wrong.until_closed().await, Some(4401));
    }
    let mut one = host.seat(&code, &ada).await;
    for transfer in solution(&board) {
        one.play(transfer).await;
    }
    let over = other.until("round_over").await;
    assert_eq!(over["result"]["seats"][0]["name"], "Ada");
    assert_eq!(other.heard.iter().filter(|m| m["type"] == "connected").count(), 1);
    for mut socket in [one, other] {
        socket.say(json!({ "type": "leave" })).await;
        assert_eq!(socket.until_closed().await, Some(1000));
    }
    let mut late = host.socket(&code).await;
    late.say(json!({ "type": "hello", "token": ada.token, "role": "player" })).await;
    assert_eq!(late.until_closed().await, Some(4404), "the room is gone with its players");
}

#[tokio::test]
async fn a_player_who_is_cut_at_any_point_leaves_no_ghost_and_comes_back() {
    let host = Host::start().await;
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let code = host.room(&ada, small()).await;
    let mut other = host.seat(&code, &ben).await;
    // In the handshake, after any part of it.
    let request = format!(
        "GET /ws/v1/rooms/{code} HTTP/1.1\r\nHost: {}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
         Sec-WebSocket-Protocol: sprint.v1\r\n\r\n",
        host.address
    );
    for part in (0..=request.len()).step_by(7) {
        let mut line = TcpStream::connect(host.address).await.unwrap();
        line.write_all(&request.as_bytes()[..part]).await.unwrap();
    }
    // After each message of a session, with and without having heard the answer.
    let hello = json!({ "type": "hello", "token": ada.token, "role": "player" });
    for hears in [false, true] {
        let session = [hello.clone(), json!({ "type": "ready", "ready": true })];
        for said in 0..=session.len() {
            let mut socket = host.socket(&code).await;
            for message in &session[..said] {
                socket.say(message.clone()).await;
            }
            if hears && said > 0 {
                socket.until("welcome").await;
            }
        }
    }
    let mut one = host.seat(&code, &ada).await;
    let (start, _) = tokio::join!(one.reach_start(), other.reach_start());
    let line = solution(start["state"]["round"]["board"].as_str().unwrap());
    for (index, transfer) in line.iter().enumerate() {
        one.send_move(transfer.0, transfer.1).await;
        if index % 2 == 0 {
            one.outcome(one.n).await;
        }
        drop(one);
        one = host.seat(&code, &ada).await;
        // Whether the act was still under way or judged already, the counter says; what is missing is sent again.
        if one.n == index as u64 {
            one.play(*transfer).await;
        }
    }
    let over = other.until("round_over").await;
    let seats = over["result"]["seats"].as_array().unwrap();
    assert_eq!(seats.len(), 2, "no ghost took a seat");
    let of_ada = (&seats[0]["name"], &seats[0]["moves"], &seats[0]["errors"]);
    assert_eq!(of_ada, (&json!("Ada"), &json!(line.len()), &json!(0)), "each act was done once");
}

#[tokio::test]
async fn acts_of_one_instant_are_all_judged_and_a_refused_one_harms_no_other() {
    let host = Host::start().await;
    let (mut ada, mut ben, _, board) = race_of_two(&host, small()).await;
    let line = solution(&board);
    // All in one flush from either side, the second act of Ada's being no transfer at all.
    let mut acts: Vec<(u64, u64)> = line.clone();
    acts.insert(1, (line[0].0, line[0].0));
    let last = acts.pop().unwrap();
    for (socket, acts) in [(&mut ada, &acts), (&mut ben, &line[..line.len() - 1].to_vec())] {
        for (n, (from, to)) in (1..).zip(acts) {
            let act = json!({ "type": "move", "n": n, "from": from, "to": to });
            socket.line.feed(Message::text(act.to_string())).await.unwrap();
        }
    }
    tokio::try_join!(ada.line.flush(), ben.line.flush()).unwrap();
    // A turn's events are told before its refusals.
    let mut outcomes = BTreeMap::new();
    while outcomes.len() < acts.len() {
        let message = ada.hear().await.expect("the line is open");
        if message["type"] == "refused" || message["seat"] == 1 {
            outcomes.extend(message["n"].as_u64().map(|n| (n, message["type"].clone())));
        }
    }
    let expected = (1..=acts.len() as u64).map(|n| (n, json!(if n == 2 { "refused" } else { "transferred" })));
    assert_eq!(outcomes, expected.collect());
    for n in 1..line.len() as u64 {
        assert_eq!(ben.outcome(n).await["type"], "transferred");
    }
    ada.n = acts.len() as u64;
    ada.send_move(last.0, last.1).await;
    assert_eq!(ada.until("round_over").await["result"]["seats"][0]["name"], "Ada");
}

#[tokio::test]
async fn whoever_loads_anew_after_any_event_sees_what_the_other_sees() {
    let host = Host::start().await;
    let (ada, ben, mut one, mut other, code, board) = known_race(&host, small()).await;
    let line = solution(&board);
    let mut acts: Vec<Value> = Vec::new();
    for (from, to) in &line[..line.len() - 1] {
        acts.push(json!({ "type": "lift", "peg": from }));
        acts.push(json!({ "type": "place", "peg": to }));
    }
    acts.push(json!({ "type": "undo" }));
    acts.push(json!({ "type": "reset" }));
    for (n, mut act) in (1..).zip(acts) {
        act["n"] = json!(n);
        one.say(act).await;
        let event = one.outcome(n).await;
        assert_ne!(event["type"], "refused", "{event}");
        other.until_that(event["type"].as_str().unwrap(), |heard| heard["seq"] == event["seq"]).await;
        drop((one, other));
        let mut states = Vec::new();
        let mut sockets = Vec::new();
        for guest in [&ada, &ben] {
            let mut socket = host.socket(&code).await;
            let welcome = socket.hello(guest, "player").await;
            states.push(welcome["state"]["round"]["plays"].clone());
            sockets.push(socket);
        }
        assert_eq!(states[0], states[1], "after act {n}");
        assert_eq!(states[0][0]["ply"], n, "every act until then, once");
        other = sockets.pop().unwrap();
        one = sockets.pop().unwrap();
    }
}

#[tokio::test]
async fn presence_events_name_the_right_player() {
    let host = Host::start().await;
    let names = ["Ada", "Ben", "Cy", "Dot"];
    let mut guests = Vec::new();
    for name in names {
        guests.push(host.guest(name).await);
    }
    let code = host.room(&guests[0], json!({ "blueprint": SMALL, "seats": 4 })).await;
    let mut watcher = host.socket(&code).await;
    watcher.hello(&guests[0], "spectator").await;
    let mut sockets = Vec::new();
    for (seat, guest) in (1..).zip(&guests) {
        let mut socket = host.socket(&code).await;
        assert_eq!(socket.hello(guest, "player").await["seat"], seat);
        sockets.push(Some(socket));
    }
    for index in [2, 0, 3, 1, 0, 2] {
        drop(sockets[index].take());
        let gone = watcher.until("disconnected").await;
        assert_eq!(gone["seat"], index + 1, "{}", names[index]);
        // Another one with the same seat's token, then a late end of a third: the seat stays present.
        let back = host.seat(&code, &guests[index]).await;
        assert_eq!(watcher.until("connected").await["seat"], index + 1, "{}", names[index]);
        let newer = host.seat(&code, &guests[index]).await;
        drop(back);
        sockets[index] = Some(newer);
    }
    let mut fresh = host.socket(&code).await;
    let seats = fresh.hello(&guests[1], "spectator").await["state"]["seats"].clone();
    let told: Vec<_> = seats.as_array().unwrap().iter().map(|s| (&s["name"], &s["present"])).collect();
    let wanted: Vec<Value> = names.iter().map(|name| json!(name)).collect();
    assert!(told.iter().zip(&wanted).all(|((name, present), wanted)| *name == wanted && **present == json!(true)));
}

#[tokio::test]
async fn twenty_players_behind_one_address_play_as_if_each_were_alone() {
    let host = Host::start_with(|settings| settings.limits.trusted_proxies = vec!["127.0.0.1".parse().unwrap()]).await;
    let from = [("x-forwarded-for", "203.0.113.9")];
    let mut guests = Vec::new();
    for number in 1..=20 {
        let body = json!({ "name": format!("Guest {number}") }).to_string();
        let made = host.request("POST", "/api/v1/players", &from, &body).await;
        assert_eq!(made.status, 201, "guest {number}: {}", made.body);
        guests.push(Guest { token: made.json()["token"].as_str().unwrap().to_owned() });
    }
    let (host, from) = (&host, &from);
    let races = guests.chunks(2).map(|pair| async move {
        let bearer = pair[0].bearer();
        let headers = [from[0], ("authorization", bearer.as_str())];
        let made = host.request("POST", "/api/v1/rooms", &headers, &small().to_string()).await;
        assert_eq!(made.status, 201, "{}", made.body);
        let code = made.json()["code"].as_str().unwrap().to_owned();
        let mut sockets = Vec::new();
        for guest in pair {
            let mut socket = host.socket_with(&code, from).await.expect("a place for each");
            socket.hello(guest, "player").await;
            sockets.push(socket);
        }
        let (mut other, mut one) = (sockets.pop().unwrap(), sockets.pop().unwrap());
        let (start, _) = tokio::join!(one.reach_start(), other.reach_start());
        for transfer in solution(start["state"]["round"]["board"].as_str().unwrap()) {
            assert_eq!(one.play(transfer).await["type"], "transferred");
        }
        other.until("round_over").await;
    });
    futures_util::future::join_all(races).await;
}

#[tokio::test]
async fn a_round_that_ends_for_several_reasons_at_once_has_one_result() {
    let mut host = Host::start().await;
    let (_, _, mut one, mut other, code, board) = known_race(&host, small()).await;
    let mut watcher = host.socket(&code).await;
    watcher.hello(&host.guest("Cleo").await, "spectator").await;
    let line = solution(&board);
    for transfer in &line[..line.len() - 1] {
        one.play(*transfer).await;
        other.play(*transfer).await;
    }
    // Two finishes, giving up, leaving, dropped lines and the end of the server, all in one instant.
    let (from, to) = line[line.len() - 1];
    for socket in [&mut one, &mut other] {
        socket.send_move(from, to).await;
        socket.say(json!({ "type": "give_up" })).await;
        socket.say(json!({ "type": "leave" })).await;
    }
    let over = watcher.until("round_over").await;
    drop((one, other));
    host.restart().await;
    let round_id = over["result"]["round_id"].as_str().unwrap();
    let stored = host.get(&format!("/api/v1/matches/{round_id}")).await;
    let ends = stored["record"].as_array().unwrap().iter().filter(|event| event["type"] == "round_over").count();
    assert_eq!((ends, &stored["result"]), (1, &over["result"]));
    let player = over["result"]["seats"][0]["player"].as_str().unwrap();
    let rounds = host.get(&format!("/api/v1/matches?player={player}")).await;
    assert_eq!(rounds["rounds"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_storm_of_pings_stops_no_act() {
    // With the limit on frames such a storm ends its own socket; the timers of pings must stand it without.
    let host = Host::start_with(|settings| settings.limits.acts_per_s = 0).await;
    let (mut ada, mut ben, _, board) = race_of_two(&host, small()).await;
    for transfer in solution(&board) {
        for number in 0..500_u32 {
            let payload = number.to_be_bytes().to_vec();
            ada.line.feed(Message::Ping(payload.clone().into())).await.unwrap();
            // Answers to pings that nobody sent.
            ada.line.feed(Message::Pong(payload.into())).await.unwrap();
        }
        assert_eq!(ada.play(transfer).await["type"], "transferred");
    }
    assert_eq!(ben.until("round_over").await["result"]["seats"][0]["name"], "Ada");
}

/// Clocks of clients may be an hour off: the server cannot be told a time at all.
#[test]
fn no_message_of_a_client_carries_a_time() {
    let schema = serde_json::to_value(schemars::schema_for!(ClientMessage)).unwrap();
    let mut names = Vec::new();
    properties(&schema, &mut names);
    names.sort_unstable();
    names.dedup();
    let expected = [
        "emote", "from", "last_seq", "n", "nonce", "peg", "player", "ply", "ready", "role", "seat", "to", "token",
        "type",
    ];
    assert_eq!(names, expected);
}

fn properties(schema: &Value, names: &mut Vec<String>) {
    match schema {
        Value::Object(fields) => {
            if let Some(Value::Object(found)) = fields.get("properties") {
                names.extend(found.keys().cloned());
            }
            fields.values().for_each(|value| properties(value, names));
        }
        Value::Array(items) => items.iter().for_each(|item| properties(item, names)),
        _ => {}
    }
}
