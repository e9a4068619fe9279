//! Who comes to a room with a delay while those outside have not seen its round end: nothing is learned by a seat.

use serde_json::json;
use tokio::time::timeout;

use crate::host::{Guest, Host, PATIENCE, SMALL, solution};

/// Says hello to play; the code of the refusal, or `welcome`.
async fn tries_to_sit(host: &Host, code: &str, guest: &Guest) -> String {
    let mut socket = host.socket(code).await;
    socket.say(json!({ "type": "hello", "token": guest.token, "role": "player" })).await;
    let heard = timeout(PATIENCE, socket.hear()).await.expect("an answer").expect("it comes before the close");
    heard["code"].as_str().or(heard["type"].as_str()).unwrap().to_owned()
}

#[tokio::test]
async fn nobody_learns_by_a_seat_that_a_race_with_a_delay_is_over() {
    let mut host = Host::start().await;
    let (eve, max) = (host.guest("Eve").await, host.guest("Max").await);
    for (delay_s, seats) in [(60, 3), (60, 2), (1, 3)] {
        let options = json!({ "blueprint": SMALL, "spectator_delay_s": delay_s, "seats": seats });
        let [ada, ben] = ["Ada", "Ben"].map(|name| format!("{name}{delay_s}{seats}"));
        let (ada, ben) = (host.guest(&ada).await, host.guest(&ben).await);
        let code = host.room(&ada, options).await;
        let (mut one, mut other) = (host.seat(&code, &ada).await, host.seat(&code, &ben).await);
        let (start, _) = tokio::join!(one.reach_start(), other.reach_start());
        let while_racing = tries_to_sit(&host, &code, &eve).await;
        assert_eq!(while_racing, "no_seat");
        for transfer in solution(start["state"]["round"]["board"].as_str().unwrap()) {
            one.play(transfer).await;
        }
        one.until("series_over").await;
        if delay_s == 1 {
            let sits = async { while tries_to_sit(&host, &code, &eve).await != "welcome" {} };
            timeout(PATIENCE, sits).await.expect("once the delay is over there is a seat");
            continue;
        }
        assert_eq!(tries_to_sit(&host, &code, &eve).await, while_racing, "{seats} seats, all still there");
        if seats == 3 {
            host.restart().await;
            assert_eq!(tries_to_sit(&host, &code, &max).await, while_racing, "the server has forgotten nothing");
            one = host.seat(&code, &ada).await;
        }
        one.say(json!({ "type": "kick", "seat": 2 })).await;
        one.until("left").await;
        assert_eq!(tries_to_sit(&host, &code, &max).await, while_racing, "{seats} seats, one free");
        one.say(json!({ "type": "leave" })).await;
        one.until_closed().await;
        assert_eq!(tries_to_sit(&host, &code, &eve).await, while_racing, "{seats} seats, all gone");
    }
}

#[tokio::test]
async fn a_deal_that_was_dropped_keeps_nobody_out() {
    let host = Host::start().await;
    let (ada, ben, eve) = (host.guest("Ada").await, host.guest("Ben").await, host.guest("Eve").await);
    let code = host.room(&ada, json!({ "blueprint": SMALL, "spectator_delay_s": 60, "seats": 2 })).await;
    let (mut one, mut other) = (host.seat(&code, &ada).await, host.seat(&code, &ben).await);
    let mut stranger = host.socket(&code).await;
    stranger.say(json!({ "type": "hello", "token": eve.token, "role": "player" })).await;
    let refused = stranger.until("refused").await;
    let words = refused["message"].as_str().unwrap();
    assert!(words.contains("60 s behind") && words.contains("none is free"), "{words}");
    for socket in [&mut one, &mut other] {
        socket.say(json!({ "type": "ready", "ready": true })).await;
    }
    // Nobody says a nonce: the deal waits for both.
    one.until("committed").await;
    other.say(json!({ "type": "leave" })).await;
    one.until("round_dropped").await;
    assert_eq!(tries_to_sit(&host, &code, &eve).await, "welcome");
    one.say(json!({ "type": "kick", "seat": 2 })).await;
    one.until("left").await;
    assert_eq!(tries_to_sit(&host, &code, &ben).await, "welcome");
}
