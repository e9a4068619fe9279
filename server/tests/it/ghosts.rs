//! Ghosts: racers as in a stored round, back at once after a crash, and gone where nobody knows what they do.

use futures_util::future::join_all;
use serde_json::{Value, json};
use sprint_server::store::{Store, StoreOptions};
use sqlx::{Connection, SqliteConnection};

use crate::bots::{of_seat, practice};
use crate::host::{Answer, Guest, Host, Socket, reach_quick_start, solution};
use crate::process::Process;

async fn ask_for_ghosts(host: &Host, guest: &Guest, round_id: &str) -> Answer {
    let bearer = guest.bearer();
    host.request("POST", &format!("/api/v1/matches/{round_id}/ghosts"), &[("authorization", &bearer)], "").await
}

/// A bot races alone, and the room is left; what was told of the round.
async fn raced_by_a_bot(host: &Host, guest: &Guest, strength: u8) -> Value {
    let code = practice(host, guest, &[strength]).await;
    let mut one = host.seat(&code, guest).await;
    reach_quick_start(&mut one).await;
    // The bot may err: its finish decides the round only if nobody without an error is at work.
    one.say(json!({ "type": "give_up" })).await;
    let over = one.until("round_over").await;
    one.say(json!({ "type": "leave" })).await;
    one.until_closed().await;
    over
}

/// A ghost in the second seat did what the round's racer in that seat had done.
fn is_as_then(now: &Value, then: &Value) {
    let (then, now) = (of_seat(then, 2), of_seat(now, 2));
    for figure in ["moves", "errors", "flawless"] {
        assert_eq!(now[figure], then[figure], "{figure}");
    }
    let official_ms = |of: &Value| of["finish"]["official_ms"].as_i64().expect("a finish");
    // How much later depends on how long commits take here.
    let (now_ms, then_ms) = (official_ms(&now), official_ms(&then));
    assert!(now_ms >= then_ms, "finished at {now_ms} ms, before its own time of {then_ms} ms");
}

#[tokio::test]
async fn a_ghost_does_what_its_racer_did_and_never_sooner() {
    let host = Host::start().await;
    let ada = host.guest("Ada").await;
    let then = raced_by_a_bot(&host, &ada, 9).await;
    let opened = ask_for_ghosts(&host, &ada, then["result"]["round_id"].as_str().unwrap()).await;
    assert_eq!(opened.status, 201, "{}", opened.body);
    let mut one = host.seat(opened.json()["code"].as_str().unwrap(), &ada).await;
    let start = reach_quick_start(&mut one).await;
    assert_eq!(start["state"]["round"]["board"], then["reveal"]["board"]);
    let ghost = &start["state"]["seats"][1];
    assert_eq!((&ghost["name"], &ghost["bot"]), (&json!("Ghost of Automaton 9"), &json!(true)));
    one.say(json!({ "type": "give_up" })).await;
    is_as_then(&one.until("round_over").await, &then);
}

/// People who race the ghost of a bot, each in a room of their own, until all ghosts are at work.
struct Haunted {
    server: Process,
    directory: tempfile::TempDir,
    /// What was told of the bot's round.
    then: Value,
    rooms: Vec<(Guest, String)>,
}

impl Haunted {
    async fn by_three() -> Haunted {
        let directory = tempfile::TempDir::new().unwrap();
        let server = Process::start(&Haunted::database(&directory));
        let mut people = Vec::new();
        for name in ["Ada", "Ben", "Cleo"] {
            people.push(server.host.guest(name).await);
        }
        let then = raced_by_a_bot(&server.host, &people[0], 7).await;
        let round_id = then["result"]["round_id"].as_str().unwrap();
        let racing = people.into_iter().map(async |guest| {
            let opened = ask_for_ghosts(&server.host, &guest, round_id).await;
            let code = opened.json()["code"].as_str().unwrap().to_owned();
            let mut one = server.host.seat(&code, &guest).await;
            reach_quick_start(&mut one).await;
            one.until_that("transferred", |event| event["seat"] == 2 && event["moves"] == 2).await;
            (guest, code)
        });
        let rooms = join_all(racing).await;
        Haunted { server, directory, then, rooms }
    }

    fn database(directory: &tempfile::TempDir) -> String {
        format!("sqlite://{}", directory.path().join("haunted.sqlite").display())
    }

    /// Kills the server, does this to its database, and starts it again.
    async fn killed(self, sql: &[String]) -> Haunted {
        let Haunted { server, directory, then, rooms } = self;
        server.kill();
        let mut database = SqliteConnection::connect(&Haunted::database(&directory)).await.unwrap();
        for sql in sql {
            let done = sqlx::raw_sql(sqlx::AssertSqlSafe(sql.clone())).execute(&mut database).await.unwrap();
            assert!(done.rows_affected() > 0, "{sql}");
        }
        database.close().await.unwrap();
        let log = directory.path().join("log");
        let server = Process::start_telling(&Haunted::database(&directory), "sprint_server=warn", &log);
        Haunted { server, directory, then, rooms }
    }

    /// Everybody comes back.
    async fn back(&self) -> Vec<Socket> {
        join_all(self.rooms.iter().map(|(guest, code)| self.server.host.seat(code, guest))).await
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.directory.path().join("log")).unwrap()
    }
}

#[tokio::test]
async fn after_kill_nine_ghosts_race_on_though_their_round_proves_nothing_any_more() {
    let haunted = Haunted::by_three().await;
    let unproven = "UPDATE room_event SET body = replace(body, '\"transferred\"', '\"erred\"') \
         WHERE room_id = (SELECT room_id FROM round_result)";
    let haunted = haunted.killed(&[unproven.to_owned()]).await;
    let host = &haunted.server.host;
    let refused = ask_for_ghosts(host, &haunted.rooms[0].0, haunted.then["result"]["round_id"].as_str().unwrap()).await;
    assert_eq!(refused.status, 422, "{}", refused.body);
    for mut one in haunted.back().await {
        one.until("start").await;
        one.say(json!({ "type": "give_up" })).await;
        is_as_then(&one.until("round_over").await, &haunted.then);
        one.say(json!({ "type": "leave" })).await;
        one.until_closed().await;
    }
    let Haunted { server, directory, .. } = haunted;
    server.kill();
    let store = Store::open(&Haunted::database(&directory), StoreOptions::default()).await.unwrap();
    let mut database = SqliteConnection::connect(&Haunted::database(&directory)).await.unwrap();
    let mut count = async || sqlx::query_scalar::<_, i64>("SELECT count(*) FROM ghost").fetch_one(&mut database).await;
    assert_eq!(count().await.unwrap(), 3);
    store.compact_finished(i64::MAX, 100).await.unwrap();
    assert_eq!(count().await.unwrap(), 0, "what they did is of no use any more");
}

#[tokio::test]
async fn a_ghost_of_which_nothing_is_known_leaves_and_the_race_goes_on() {
    let haunted = Haunted::by_three().await;
    let of =
        |room: usize| format!("WHERE room_id = (SELECT room_id FROM room WHERE code = '{}')", haunted.rooms[room].1);
    let sql = [
        // As a server of before has left it.
        format!("DELETE FROM ghost {}", of(0)),
        format!("UPDATE ghost SET format = 2 {}", of(1)),
        format!("UPDATE ghost SET acts = acts || ' 5:x' {}", of(2)),
    ];
    let haunted = haunted.killed(&sql).await;
    let line = solution(haunted.then["reveal"]["board"].as_str().unwrap());
    for mut one in haunted.back().await {
        one.until("start").await;
        for transfer in &line {
            one.play(*transfer).await;
        }
        let over = one.until("round_over").await;
        let (own, ghost) = (of_seat(&over, 1), of_seat(&over, 2));
        // Whoever is only waited for in vain has not given up.
        assert_eq!((&own["rank"], &ghost["finish"], &ghost["gave_up"]), (&json!(1), &Value::Null, &json!(true)));
    }
    let log = haunted.log();
    let reasons = ["is not stored", "stored in format 2, and this program reads format 1", "act "];
    for ((_, code), reason) in haunted.rooms.iter().zip(reasons) {
        let is_told =
            |line: &str| line.contains(code) && line.contains("Ghost of Automaton 7") && line.contains(reason);
        assert!(log.lines().any(is_told), "{code}: {reason}: {log}");
    }
}

#[tokio::test]
async fn a_ghost_of_an_unproven_round_is_refused() {
    let mut host = Host::start().await;
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let code = host.room(&ada, json!({ "blueprint": crate::host::SMALL })).await;
    let (mut one, mut other) = (host.seat(&code, &ada).await, host.seat(&code, &ben).await);
    tokio::join!(one.reach_start(), other.reach_start());
    for act in solution(crate::host::SMALL) {
        one.play(act).await;
    }
    let over = one.until("round_over").await;
    let path = format!("/api/v1/matches/{}/ghosts", over["result"]["round_id"].as_str().unwrap());
    let bearer = ada.bearer();
    let headers = [("authorization", bearer.as_str())];
    let opened = host.request("POST", &path, &headers, "").await;
    assert_eq!(opened.json()["players"], json!(["Ada", "Ghost of Ada"]), "whoever finished, oneself included");
    host.stop().await;
    let mut database = SqliteConnection::connect(&host.database()).await.unwrap();
    let changed = sqlx::query(r#"UPDATE round_result SET body = replace(body, '"crown":true', '"crown":false')"#);
    assert_eq!(changed.execute(&mut database).await.unwrap().rows_affected(), 1);
    database.close().await.unwrap();
    host.start_again().await;
    let refused = host.request("POST", &path, &headers, "").await;
    assert_eq!((refused.status, &refused.json()["code"]), (422, &json!("invalid")), "{}", refused.body);
    let unknown = format!("/api/v1/matches/{}/ghosts", uuid::Uuid::from_u128(7));
    assert_eq!(host.request("POST", &unknown, &headers, "").await.status, 404);
}
