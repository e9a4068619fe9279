//! Rooms as people use them: what a host does reaches everybody, lasts, and disturbs nobody else.

use serde_json::{Value, json};

use crate::host::{Guest, Host, SMALL, Socket, race_of_two, solution};

/// A room for four with these players in it; the first is the host.
async fn lobby(host: &Host, guests: &[&Guest]) -> (String, Vec<Socket>) {
    let code = host.room(guests[0], json!({ "seats": 4, "blueprint": SMALL })).await;
    let mut sockets = Vec::new();
    for guest in guests {
        sockets.push(host.seat(&code, guest).await);
    }
    (code, sockets)
}

/// Says hello where it is refused; the refusal's code and the close code.
async fn turned_away(host: &Host, code: &str, guest: &Guest, role: &str) -> (Value, Option<u16>) {
    let mut socket = host.socket(code).await;
    socket.say(json!({ "type": "hello", "token": guest.token, "role": role })).await;
    let refused = socket.until("refused").await["code"].clone();
    (refused, socket.until_closed().await)
}

#[tokio::test]
async fn the_host_starts_and_those_who_are_there_race() {
    let host = Host::start().await;
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let (code, mut sockets) = lobby(&host, &[&ada, &ben]).await;
    sockets[1].say(json!({ "type": "start" })).await;
    assert_eq!(sockets[1].until("refused").await["code"], "not_host");
    sockets[0].say(json!({ "type": "start" })).await;
    for socket in &mut sockets {
        socket.until("committed").await;
        socket.say(json!({ "type": "nonce", "nonce": "00112233445566778899aabbccddeeff" })).await;
    }
    sockets[1].until("start").await;
    for command in ["start", "close"] {
        sockets[0].say(json!({ "type": command })).await;
        assert_eq!(sockets[0].until("refused").await["code"], "not_now", "{command} in a round");
    }
    sockets[0].say(json!({ "type": "kick", "seat": 2 })).await;
    assert_eq!(sockets[0].until("refused").await["code"], "not_now");
    assert_eq!(host.get(&format!("/api/v1/rooms/{code}")).await["players"], json!(["Ada", "Ben"]));
}

#[tokio::test]
async fn a_host_who_names_somebody_does_nothing_to_whoever_sits_there_now() {
    let host = Host::start().await;
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let code = host.room(&ada, json!({ "blueprint": SMALL })).await;
    let (mut one, _other) = (host.seat(&code, &ada).await, host.seat(&code, &ben).await);
    let gone = "01890000-0000-7000-8000-000000000001";
    for command in ["kick", "hand_over"] {
        one.say(json!({ "type": command, "seat": 2, "player": gone })).await;
        assert_eq!(one.until("refused").await["code"], "somebody_else", "{command}");
    }
    let taken = one.heard.iter().find(|event| event["type"] == "seat_taken" && event["seat"] == 2);
    let player = taken.expect("Ben came after her")["player"].clone();
    one.say(json!({ "type": "kick", "seat": 2, "player": player })).await;
    assert_eq!(one.until("left").await["seat"], 2);
}

#[tokio::test]
async fn a_kicked_player_stays_out_even_after_a_restart() {
    let mut host = Host::start().await;
    let (ada, ben, cleo) = (host.guest("Ada").await, host.guest("Ben").await, host.guest("Cleo").await);
    let (code, mut sockets) = lobby(&host, &[&ada, &ben, &cleo]).await;
    // Ben watches on a second page as well: he took his seat over from it.
    let mut watching = sockets.remove(1);
    let mut ben_again = host.seat(&code, &ben).await;
    watching.until("snapshot").await;
    sockets[0].say(json!({ "type": "kick", "seat": 2 })).await;
    assert_eq!(ben_again.until("left").await["seat"], 2, "the kicked player hears of it");
    assert_eq!(ben_again.until("error").await["code"], "kicked");
    assert_eq!(ben_again.until_closed().await, Some(4403));
    assert_eq!(watching.until_closed().await, Some(4403), "and does not watch either");
    assert_eq!(sockets[1].until("left").await["seat"], 2);
    for role in ["player", "spectator"] {
        assert_eq!(turned_away(&host, &code, &ben, role).await, (json!("kicked"), Some(4403)), "{role}");
    }
    host.restart().await;
    for role in ["player", "spectator"] {
        assert_eq!(turned_away(&host, &code, &ben, role).await, (json!("kicked"), Some(4403)), "restarted: {role}");
    }
    let mut ada_again = host.seat(&code, &ada).await;
    let dan = host.guest("Dan").await;
    let mut dan_here = host.seat(&code, &dan).await;
    assert_eq!(dan_here.heard[0]["seat"], 2, "the seat is for somebody else");
    // A second kick does not forget the first.
    ada_again.until_that("connected", |event| event["seat"] == 2).await;
    ada_again.say(json!({ "type": "kick", "seat": 2 })).await;
    assert_eq!(dan_here.until_closed().await, Some(4403));
    host.restart().await;
    for guest in [&ben, &dan] {
        assert_eq!(turned_away(&host, &code, guest, "player").await.0, "kicked");
    }
}

#[tokio::test]
async fn a_host_closes_the_room_and_everybody_is_told_why() {
    let host = Host::start().await;
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let (code, mut sockets) = lobby(&host, &[&ada, &ben]).await;
    let mut watching = host.socket(&code).await;
    watching.hello(&host.guest("Cleo").await, "spectator").await;
    sockets[0].say(json!({ "type": "close" })).await;
    for mut socket in sockets {
        socket.until("left").await;
        assert_eq!(socket.until_closed().await, Some(1000));
    }
    assert_eq!(watching.until("closed").await["reason"], "empty");
    assert_eq!(watching.until_closed().await, Some(1000));
    assert_eq!(host.request("GET", &format!("/api/v1/rooms/{code}"), &[], "").await.status, 404);
}

#[tokio::test]
async fn a_room_is_handed_over_and_a_leaving_host_passes_it_on() {
    let host = Host::start().await;
    let (ada, ben, cleo) = (host.guest("Ada").await, host.guest("Ben").await, host.guest("Cleo").await);
    let (_, mut sockets) = lobby(&host, &[&ada, &ben, &cleo]).await;
    sockets[0].say(json!({ "type": "hand_over", "seat": 3 })).await;
    sockets[2].until_that("host_changed", |event| event["seat"] == 3).await;
    sockets[0].say(json!({ "type": "kick", "seat": 2 })).await;
    assert_eq!(sockets[0].until("refused").await["code"], "not_host");
    sockets[2].say(json!({ "type": "leave" })).await;
    sockets[1].until_that("host_changed", |event| event["seat"] == 1).await;
}

#[tokio::test]
async fn simultaneous_rematch_votes_make_one_round() {
    let host = Host::start().await;
    let (mut one, mut other, _, board) = race_of_two(&host, json!({ "blueprint": SMALL })).await;
    for act in solution(&board) {
        one.play(act).await;
    }
    one.until("series_over").await;
    other.until("series_over").await;
    for _ in 0..3 {
        let (vote, start) = (json!({ "type": "rematch" }), json!({ "type": "start" }));
        tokio::join!(one.say(start), other.say(vote.clone()));
        one.say(vote).await;
    }
    let mut rounds = Vec::new();
    for socket in [&mut one, &mut other] {
        rounds.push(socket.until_that("committed", |event| event["round"] == 2).await["round_id"].clone());
        socket.say(json!({ "type": "nonce", "nonce": "00112233445566778899aabbccddeeff" })).await;
    }
    for socket in [&mut one, &mut other] {
        socket.until("start").await;
        let begun: Vec<_> = socket.heard.iter().filter(|m| m["type"] == "committed" && m["round"] != 1).collect();
        assert_eq!(begun.len(), 1, "{begun:?}");
    }
    assert_eq!(rounds[0], rounds[1]);
}

#[tokio::test]
async fn emotes_are_limited_and_no_spectator_hears_them() {
    let host = Host::start().await;
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let (code, mut sockets) = lobby(&host, &[&ada, &ben]).await;
    let mut watching = host.socket(&code).await;
    watching.hello(&host.guest("Cleo").await, "spectator").await;
    watching.say(json!({ "type": "emote", "emote": "wow" })).await;
    assert_eq!(watching.until("refused").await["code"], "not_seated");
    for emote in ["hello", "good_luck", "well_played", "thanks"] {
        sockets[0].say(json!({ "type": "emote", "emote": emote })).await;
    }
    let refused = sockets[0].until("refused").await;
    assert_eq!(refused["code"], "rate_limited");
    sockets[0].say(json!({ "type": "ready", "ready": true })).await;
    sockets[1].until("readied").await;
    let shown = |socket: &Socket| -> Vec<Value> {
        let emotes = socket.heard.iter().filter(|m| m["type"] == "emote");
        emotes.map(|m| json!([m["seat"], m["emote"]])).collect()
    };
    let expected = [json!([1, "hello"]), json!([1, "good_luck"]), json!([1, "well_played"])];
    assert_eq!(shown(&sockets[1]), expected, "three at once, and the fourth is refused");
    assert_eq!(shown(&sockets[0]), expected, "the sender sees them too");
    assert!(sockets[1].heard.iter().filter(|m| m["type"] == "emote").all(|m| m.get("seq").is_none()));
    watching.until("readied").await;
    assert_eq!(shown(&watching), [] as [Value; 0]);
    sockets[1].say(json!({ "type": "emote", "emote": "go away" })).await;
    assert_eq!(sockets[1].until("error").await["code"], "bad_message", "the set is fixed");
    // Nothing of it is stored: who comes back hears none.
    let welcome = host.seat(&code, &ben).await.heard;
    assert!(welcome.iter().all(|m| m["type"] != "emote"));
}

#[tokio::test]
async fn a_room_of_people_who_were_brought_together_has_no_host() {
    let host = Host::start().await;
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let (mut one, mut other) = (host.queue(&ada, 2).await, host.queue(&ben, 2).await);
    let (code, _) = (one.matched().await, other.matched().await);
    let mut sitting = host.socket(&code).await;
    let welcome = sitting.hello(&ada, "player").await;
    assert_eq!(welcome["state"]["host"], Value::Null);
    for command in [
        json!({ "type": "start" }),
        json!({ "type": "kick", "seat": 2 }),
        json!({ "type": "close" }),
        json!({ "type": "hand_over", "seat": 2 }),
    ] {
        sitting.say(command.clone()).await;
        assert_eq!(sitting.until("refused").await["code"], "not_now", "{command}");
    }
    assert!(sitting.heard.iter().all(|message| message["type"] != "host_changed"));
}
