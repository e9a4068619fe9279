//! The limits of one address and one connection, as a client meets them. A trusted proxy stands for many addresses.

use futures_util::future::join_all;
use serde_json::json;

use crate::host::{Guest, Host, SMALL, Socket};

/// Does something until it is refused with 429; the answers before that, so many at least. On a slow machine more is
/// allowed meanwhile: the exact numbers are held on a given clock, beside the limits.
async fn until_refused(least: usize, mut again: impl AsyncFnMut() -> u16) -> Vec<u16> {
    let mut statuses = Vec::new();
    loop {
        match again().await {
            429 => break,
            status => statuses.push(status),
        }
        assert!(statuses.len() < 10 * least, "never refused: {statuses:?}");
    }
    assert!(statuses.len() >= least, "refused after {statuses:?}");
    statuses
}

#[tokio::test]
async fn an_address_makes_so_many_guests_a_minute_and_another_address_is_not_affected() {
    let host = Host::start_with(|settings| settings.limits.trusted_proxies = vec!["127.0.0.1".parse().unwrap()]).await;
    let from = [("x-forwarded-for", "203.0.113.5")];
    let made = until_refused(30, async || host.request("POST", "/api/v1/players", &from, "").await.status).await;
    assert!(made.iter().all(|status| *status == 201), "{made:?}");
    let other = host.request("POST", "/api/v1/players", &[("x-forwarded-for", "203.0.113.6")], "").await;
    assert_eq!(other.status, 201);
}

#[tokio::test]
async fn an_address_holds_so_many_sockets_and_gets_a_place_back_when_one_ends() {
    let host = Host::start_with(|settings| {
        settings.limits.trusted_proxies = vec!["127.0.0.1".parse().unwrap()];
        settings.limits.connections_per_address = 3;
    })
    .await;
    let ada = host.guest("Ada").await;
    let code = host.room(&ada, json!({ "blueprint": SMALL })).await;
    let from = [("x-forwarded-for", "203.0.113.5")];
    let mut held = Vec::new();
    for _ in 0..3 {
        held.push(host.socket_with(&code, &from).await.expect("a place is free"));
    }
    assert_eq!(host.socket_with(&code, &from).await.err(), Some(429));
    assert!(host.socket_with(&code, &[("x-forwarded-for", "203.0.113.6")]).await.is_ok());
    let mut first = held.remove(0);
    first.line.close(None).await.unwrap();
    first.until_closed().await;
    // The place is given back as soon as the server has seen the end.
    while host.socket_with(&code, &from).await.is_err() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn an_address_guesses_so_many_codes_a_minute() {
    let host = Host::start_with(|settings| {
        settings.limits.trusted_proxies = vec!["127.0.0.1".parse().unwrap()];
        settings.limits.failures_per_min = 5;
    })
    .await;
    let from = [("x-forwarded-for", "203.0.113.5")];
    let mut statuses = Vec::new();
    for _ in 0..8 {
        statuses.push(host.request("GET", "/api/v1/rooms/ABCDEF", &from, "").await.status);
    }
    assert_eq!(statuses, [404, 404, 404, 404, 404, 429, 429, 429]);
    // The same count holds for sockets. Nothing is looked up any more, not even what is right.
    let ada = host.guest("Ada").await;
    let code = host.room(&ada, json!({ "blueprint": SMALL })).await;
    let room = format!("/api/v1/rooms/{code}");
    assert_eq!(host.request("GET", &room, &from, "").await.status, 429);
    let bearer = ada.bearer();
    let named = [from[0], ("authorization", bearer.as_str())];
    assert_eq!(host.request("GET", "/api/v1/players/me", &named, "").await.status, 200, "a token is no guess");
    let guessed = [from[0], ("authorization", "Bearer guessed")];
    assert_eq!(host.request("GET", "/api/v1/players/me", &guessed, "").await.status, 429);
    let mut queue = host.queue_socket_with(&from).await;
    queue.join_queue(&ada, 2).await;
    queue.until("waiting").await;
    assert_eq!(host.request("GET", &room, &[("x-forwarded-for", "203.0.113.6")], "").await.status, 200);
    let mut socket = host.socket_with("ABCDEF", &from).await.unwrap();
    socket.say(json!({ "type": "hello", "token": ada.token, "role": "player" })).await;
    assert_eq!(socket.until("error").await["code"], "rate_limited");
    assert_eq!(socket.until_closed().await, Some(4429));
}

#[tokio::test]
async fn whoever_has_a_seat_comes_back_to_it_from_an_address_that_others_guess_at() {
    let mut host = Host::start_with(|settings| {
        settings.limits.trusted_proxies = vec!["127.0.0.1".parse().unwrap()];
        settings.limits.failures_per_min = 1;
    })
    .await;
    let from = [("x-forwarded-for", "203.0.113.5")];
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let code = host.room(&ada, json!({ "blueprint": SMALL })).await;
    let other = host.room(&ada, json!({ "blueprint": SMALL })).await;
    drop(host.seat(&code, &ada).await);
    // Also into a room that a restarted server has not opened yet.
    host.restart().await;
    for _ in 0..2 {
        host.request("GET", "/api/v1/rooms/ABCDEF", &from, "").await;
    }
    let say_hello = async |host: &Host, code: &str, guest: &Guest| {
        let mut socket = host.socket_with(code, &from).await.unwrap();
        socket.say(json!({ "type": "hello", "token": guest.token, "role": "player" })).await;
        socket
    };
    say_hello(&host, &code, &ada).await.until("welcome").await;
    // Nobody else learns which of these rooms there are.
    let mut answers = Vec::new();
    for (code, guest) in [(code.as_str(), &ben), (&other, &ada), (&other, &ben), ("ABCDEF", &ada), ("nonsense", &ben)] {
        let mut socket = say_hello(&host, code, guest).await;
        answers.push((socket.until("error").await, socket.until_closed().await));
    }
    assert_eq!((&answers[0].0["code"], answers[0].1), (&json!("rate_limited"), Some(4429)));
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
}

#[tokio::test]
async fn an_address_and_a_player_join_the_queue_so_often_a_minute() {
    let host = Host::start_with(|settings| {
        settings.limits.trusted_proxies = vec!["127.0.0.1".parse().unwrap()];
        (settings.limits.joins_per_min, settings.limits.player_joins_per_min) = (3, 3);
    })
    .await;
    let (from, elsewhere) = ([("x-forwarded-for", "203.0.113.5")], [("x-forwarded-for", "203.0.113.6")]);
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    for guest in [&ada, &ben, &ada] {
        let mut socket = host.queue_socket_with(&from).await;
        socket.join_queue(guest, 4).await;
        socket.until("waiting").await;
    }
    let refused = async |mut socket: Socket, guest: &Guest| {
        socket.join_queue(guest, 4).await;
        let error = socket.until("error").await;
        assert_eq!(error["code"], "rate_limited");
        assert!(error["message"].as_str().unwrap().contains("wait a minute"), "{error}");
        assert_eq!(socket.until_closed().await, Some(4429));
    };
    refused(host.queue_socket_with(&from).await, &ada).await;
    // Another address has its own count; a player has one wherever they are, changes of mind included.
    let mut socket = host.queue_socket_with(&elsewhere).await;
    socket.join_queue(&ada, 4).await;
    socket.until("waiting").await;
    socket.say(json!({ "type": "join", "seats": 3 })).await;
    assert_eq!(socket.until("refused").await["code"], "rate_limited");
    socket.say(json!({ "type": "join", "seats": 4, "preset": "initiate" })).await;
    assert_eq!(socket.until("refused").await["code"], "rate_limited", "and the connection stays");
    socket.say(json!({ "type": "join", "seats": 2, "preset": "marathon" })).await;
    socket.until("refused").await;
    refused(host.queue_socket().await, &ada).await;
    let mut other = host.queue(&ben, 4).await;
    other.until("waiting").await;
}

#[tokio::test]
async fn twenty_players_behind_one_address_join_the_queue_as_they_like() {
    let host = Host::start_with(|settings| settings.limits.trusted_proxies = vec!["127.0.0.1".parse().unwrap()]).await;
    for number in 0..20 {
        let guest = host.guest(&format!("Pupil {number}")).await;
        // A page that is loaded again, and again, and again.
        for _ in 0..5 {
            let mut socket = host.queue_socket_with(&[("x-forwarded-for", "203.0.113.5")]).await;
            socket.say(json!({ "type": "join", "token": guest.token, "seats": 2, "preset": preset_of(number) })).await;
            socket.until("waiting").await;
        }
    }
}

/// So that not all of them wait for the same race.
fn preset_of(number: usize) -> &'static str {
    sprint_shared::preset::Preset::ALL[number % 8].name()
}

#[tokio::test]
async fn a_silent_client_is_dead_after_its_time_and_one_that_answers_pings_is_not() {
    let host = Host::start_with(|settings| {
        settings.limits.ping_ms = 100;
        settings.limits.dead_ms = 400;
    })
    .await;
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let code = host.room(&ada, json!({ "blueprint": SMALL })).await;
    let mut alive = host.seat(&code, &ada).await;
    // A line that is never read answers no ping.
    let silent = host.seat(&code, &ben).await;
    let gone = alive.until("disconnected").await;
    assert_eq!(gone["seat"], 2);
    drop(silent);
}

#[tokio::test]
async fn a_room_holds_so_many_spectators() {
    let host = Host::start_with(|settings| settings.limits.spectators_max = 2).await;
    let ada = host.guest("Ada").await;
    let code = host.room(&ada, json!({ "blueprint": SMALL })).await;
    let mut watching = Vec::new();
    for _ in 0..2 {
        let mut socket = host.socket(&code).await;
        socket.hello(&ada, "spectator").await;
        watching.push(socket);
    }
    let mut third = host.socket(&code).await;
    third.say(json!({ "type": "hello", "token": ada.token, "role": "spectator" })).await;
    assert_eq!(third.until("refused").await["code"], "too_many_spectators");
    assert_eq!(third.until_closed().await, Some(4403));
}

#[tokio::test]
async fn twenty_players_behind_one_address_all_get_in_and_one_who_guesses_keeps_none_of_them_out() {
    let host = Host::start_with(|settings| settings.limits.trusted_proxies = vec!["127.0.0.1".parse().unwrap()]).await;
    let from = ("x-forwarded-for", "203.0.113.5");
    let call = |method, path: &'static str, guest: Option<&Guest>, body: serde_json::Value| {
        let (host, bearer) = (&host, guest.map(Guest::bearer));
        async move {
            let mut headers = vec![from];
            headers.extend(bearer.iter().map(|bearer| ("authorization", bearer.as_str())));
            host.request(method, &format!("/api/v1/players{path}"), &headers, &body.to_string()).await.status
        }
    };
    let mut guests = Vec::new();
    for n in 0..20 {
        guests.push(host.guest(&format!("Racer {}", 20 + n)).await);
    }
    for (n, guest) in (0..20).zip(&guests) {
        let name = format!("Racer {}", 20 + n);
        assert_eq!(call("PUT", "/me/password", Some(guest), json!({ "password": "correct horse" })).await, 204);
        // Everybody errs once.
        assert_eq!(call("POST", "/login", None, json!({ "name": name, "password": "incorrect" })).await, 403);
        assert_eq!(
            call("POST", "/login", None, json!({ "name": name, "password": "correct horse" })).await,
            200,
            "{name}"
        );
    }
    // No more passwords now, but nobody who is in is out.
    let guessing = (0..40).map(|_| call("POST", "/login", None, json!({ "name": "Racer 20", "password": "guessed" })));
    assert!(join_all(guessing).await.into_iter().all(|status| status == 429 || status == 403));
    for guest in &guests {
        assert_eq!(call("GET", "/me", Some(guest), json!({})).await, 200);
    }
    // Elsewhere the owner still logs in.
    let right = json!({ "name": "Racer 20", "password": "correct horse" }).to_string();
    let at_home = [("x-forwarded-for", "203.0.113.6")];
    assert_eq!(host.request("POST", "/api/v1/players/login", &at_home, &right).await.status, 200);
}

#[tokio::test]
async fn a_player_tries_ten_passwords_a_minute_and_an_address_so_many_as_it_may() {
    let host = Host::start_with(|settings| {
        settings.limits.trusted_proxies = vec!["127.0.0.1".parse().unwrap()];
        settings.limits.passwords_per_min = 3;
    })
    .await;
    let ada = host.guest("Ada").await;
    let bearer = ada.bearer();
    let set = async |headers: &[(&str, &str)]| {
        let body = r#"{"password":"correct horse","old":"correct horse"}"#;
        host.request("PUT", "/api/v1/players/me/password", headers, body).await.status
    };
    // Loopback is exempt, a player is not.
    let by_ada = until_refused(10, async || set(&[("authorization", bearer.as_str())]).await).await;
    let bearer = host.guest("Ben").await.bearer();
    let elsewhere = [("authorization", bearer.as_str()), ("x-forwarded-for", "203.0.113.5")];
    let by_ben = until_refused(3, async || set(&elsewhere).await).await;
    assert!(by_ada.iter().chain(&by_ben).all(|status| *status == 204), "{by_ada:?} {by_ben:?}");
    // The player has some left: it is the address that was refused.
    assert_eq!(set(&[("authorization", bearer.as_str())]).await, 204);
}
