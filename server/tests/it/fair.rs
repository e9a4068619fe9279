//! Fair play on a real server: which signs are stored, and what one account cannot do.

use serde_json::{Value, json};
use sprint_server::fair::{CADENCE, HASTY, ONE_NETWORK, STRONG};
use sqlx::{Connection, SqliteConnection};

use crate::host::{Guest, Host, SMALL, Socket, race_of_two, solution};
use crate::process::program;

/// A blueprint with room for idle transfers, and how it stands after those of [`hurry`].
const ROOMY: &str = "R1S2/S1R2/-/-/- 4";
const HURRIED: &str = "R1/S1R2/-/-/S2 4";

/// The signs stored of each seat of a round, by seat.
async fn stored_signs(host: &Host, round_id: &Value) -> Vec<i64> {
    let round_id = uuid::Uuid::parse_str(round_id.as_str().unwrap()).unwrap();
    let mut connection = SqliteConnection::connect(&host.database()).await.unwrap();
    sqlx::query_scalar("SELECT suspicion FROM seat_result WHERE round_id = $1 ORDER BY seat")
        .bind(round_id)
        .fetch_all(&mut connection)
        .await
        .unwrap()
}

/// Twenty-one transfers of one disk as fast as the line takes them, round three free pegs: none goes straight back.
async fn hurry(socket: &mut Socket) {
    let round_and_round = [(3, 4), (4, 5), (5, 3)].into_iter().cycle();
    for transfer in std::iter::once((1, 3)).chain(round_and_round).take(21) {
        assert_eq!(socket.play(transfer).await["type"], "transferred");
    }
}

#[tokio::test]
async fn twenty_transfers_at_a_machines_pace_are_stored_with_the_result_and_the_other_seat_is_not_touched() {
    let host = Host::start().await;
    let (mut ada, mut ben, _, _) = race_of_two(&host, json!({ "blueprint": ROOMY })).await;
    hurry(&mut ada).await;
    ben.play((2, 3)).await;
    for transfer in solution(HURRIED) {
        ada.play(transfer).await;
    }
    let over = ada.until("round_over").await;
    assert_eq!(stored_signs(&host, &over["result"]["round_id"]).await, [CADENCE | HASTY, 0]);
}

#[tokio::test]
async fn what_was_played_before_a_restart_is_not_forgotten() {
    let mut host = Host::start().await;
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let code = host.room(&ada, json!({ "blueprint": ROOMY })).await;
    let (mut one, mut other) = (host.seat(&code, &ada).await, host.seat(&code, &ben).await);
    tokio::join!(one.reach_start(), other.reach_start());
    hurry(&mut one).await;
    host.restart().await;
    let (mut one, _other) = (host.seat(&code, &ada).await, host.seat(&code, &ben).await);
    one.until("start").await;
    for transfer in solution(HURRIED) {
        one.play(transfer).await;
    }
    let over = one.until("round_over").await;
    assert_eq!(stored_signs(&host, &over["result"]["round_id"]).await, [CADENCE | HASTY, 0]);
}

#[tokio::test]
async fn a_bots_pace_is_no_sign() {
    let host = Host::start().await;
    let made = host.request("POST", "/api/v1/players", &[], &json!({ "bot": true }).to_string()).await.json();
    let bot = Guest { token: made["token"].as_str().unwrap().into() };
    let ben = host.guest("Ben").await;
    let code = host.room(&ben, json!({ "blueprint": ROOMY })).await;
    let (mut one, mut other) = (host.seat(&code, &bot).await, host.seat(&code, &ben).await);
    tokio::join!(one.reach_start(), other.reach_start());
    hurry(&mut one).await;
    for transfer in solution(HURRIED) {
        one.play(transfer).await;
    }
    let over = one.until("round_over").await;
    assert_eq!(stored_signs(&host, &over["result"]["round_id"]).await, [0, 0]);
}

/// A school behind one address: twenty pupils in ten rooms, and two who race from elsewhere.
#[tokio::test]
async fn twenty_behind_one_address_are_reported_and_not_set_apart() {
    let host = Host::start_with(|settings| settings.limits.trusted_proxies = vec!["127.0.0.1".parse().unwrap()]).await;
    for room in 0..11 {
        let (one, other) = (host.guest(&format!("One {room}")).await, host.guest(&format!("Other {room}")).await);
        let code = host.room(&one, json!({ "blueprint": SMALL })).await;
        // The last room is of two households.
        let addresses = if room < 10 { ["198.51.100.7"; 2] } else { ["198.51.100.7", "198.51.100.8"] };
        let mut seated = Vec::new();
        for (guest, address) in [&one, &other].into_iter().zip(addresses) {
            let mut socket = host.socket_with(&code, &[("x-forwarded-for", address)]).await.unwrap();
            socket.hello(guest, "player").await;
            seated.push(socket);
        }
        let [mut first, mut second] = <[Socket; 2]>::try_from(seated).ok().unwrap();
        tokio::join!(first.reach_start(), second.reach_start());
        for transfer in solution(SMALL) {
            first.play(transfer).await;
        }
        let over = first.until("round_over").await;
        let signs = stored_signs(&host, &over["result"]["round_id"]).await;
        let network = if room < 10 { ONE_NETWORK } else { 0 };
        assert_eq!(signs, [network | HASTY, network], "room {room}: a program played the first seat");
        assert!(signs.iter().all(|signs| signs & STRONG == 0));
    }
}

/// Several seats from one account: a second window takes the seat over, it does not get another.
#[tokio::test]
async fn one_account_never_holds_two_seats_of_a_room() {
    let host = Host::start().await;
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let code = host.room(&ada, json!({ "blueprint": SMALL, "seats": 4 })).await;
    let mut first = host.seat(&code, &ada).await;
    let mut windows = Vec::new();
    for _ in 0..3 {
        let mut window = host.socket(&code).await;
        let welcome = window.hello(&ada, "player").await;
        assert_eq!(welcome["seat"], 1, "always the same seat");
        let seats = welcome["state"]["seats"].as_array().unwrap();
        assert_eq!(seats.iter().filter(|seat| seat["name"] == "Ada").count(), 1, "{seats:#?}");
        windows.push(window);
    }
    // The first window watches now; what it says does not count.
    first.say(json!({ "type": "ready", "ready": true })).await;
    assert_eq!(first.until("refused").await["code"], "not_seated");
    let mut other = host.seat(&code, &ben).await;
    let mut last = windows.pop().unwrap();
    tokio::join!(last.reach_start(), other.reach_start());
    for transfer in solution(SMALL) {
        last.play(transfer).await;
    }
    let over = last.until("round_over").await;
    assert_eq!(over["result"]["seats"].as_array().unwrap().len(), 2, "{over:#?}");
}

/// Several races from one account: who has one is sent back to it, from whatever window, for whatever race.
#[tokio::test]
async fn one_account_never_has_two_rated_races_at_once() {
    let host = Host::start().await;
    let (ada, ben, cleo) = (host.guest("Ada").await, host.guest("Ben").await, host.guest("Cleo").await);
    let (mut one, mut other) = (host.queue(&ada, 2).await, host.queue(&ben, 2).await);
    let code = one.matched().await;
    assert_eq!(other.matched().await, code);
    // Somebody waits whom Ada could be paired with, if she were let in a second time.
    let mut waiting = host.queue(&cleo, 2).await;
    waiting.until("waiting").await;
    let seats = [host.seat(&code, &ada).await, host.seat(&code, &ben).await];
    for race_of in [2, 3, 4] {
        let mut again = host.queue(&ada, race_of).await;
        assert_eq!(again.matched().await, code, "a race of {race_of}");
    }
    let pools = host.get("/api/v1/queue").await["pools"].clone();
    assert_eq!(pools, json!([{ "seats": 2, "preset": "initiate", "bots": false, "waiting": 1 }]), "Cleo alone");
    drop(seats);
}

#[tokio::test]
async fn a_banned_player_is_shown_out_within_seconds_and_let_in_nowhere() {
    let host = Host::start().await;
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let code = host.room(&ben, json!({ "blueprint": SMALL, "seats": 4 })).await;
    let (mut seated, mut stays) = (host.seat(&code, &ada).await, host.seat(&code, &ben).await);
    let mut waiting = host.queue(&ada, 2).await;
    waiting.until("waiting").await;
    let database = host.database();
    let ban = tokio::task::spawn_blocking(move || program(&["ban", "Ada", "--database", &database])).await.unwrap();
    assert_eq!(ban.status.code(), Some(0), "{}", String::from_utf8_lossy(&ban.stderr));
    // Waits for no longer than PATIENCE, 20 s.
    assert_eq!((seated.until_closed().await, waiting.until_closed().await), (Some(4403), Some(4403)));
    let bearer = ada.bearer();
    let refused = host.request("GET", "/api/v1/players/me", &[("authorization", &bearer)], "").await;
    assert_eq!((refused.status, refused.json()["code"].as_str()), (403, Some("banned")));
    let mut again = host.socket(&code).await;
    again.say(json!({ "type": "hello", "token": ada.token, "role": "player" })).await;
    assert_eq!(again.until_closed().await, Some(4403));
    stays.say(json!({ "type": "ready", "ready": true })).await;
    stays.until_that("readied", |event| event["ready"] == true).await;
}
