//! What is played alone, from opening a session to what is kept of it.

mod days;

use serde_json::{Value, json};
use sprint_server::store::{Store, StoreOptions};
use sprint_shared::almanac::{StageNumber, almanac};

use crate::host::{Answer, Guest, Host, Socket, solution};
use crate::process::Process;
use crate::rows::show_rounds;

/// A request of a guest.
async fn ask(host: &Host, guest: &Guest, method: &str, path: &str, body: &str) -> Answer {
    let bearer = guest.bearer();
    host.request(method, &format!("/api/v1{path}"), &[("authorization", bearer.as_str())], body).await
}

/// Opens a session; the room as it is told.
async fn open(host: &Host, guest: &Guest, path: &str, body: &str) -> Value {
    let answer = ask(host, guest, "POST", path, body).await;
    assert_eq!(answer.status, 201, "{}", answer.body);
    answer.json()
}

fn code_of(room: &Value) -> &str {
    room["code"].as_str().unwrap()
}

/// The session at its start, and the start board.
pub async fn begin(host: &Host, guest: &Guest, path: &str, body: &str) -> (Socket, String, Value) {
    let room = open(host, guest, path, body).await;
    let mut socket = host.seat(code_of(&room), guest).await;
    let start = socket.until("start").await;
    (socket, start["state"]["round"]["board"].as_str().unwrap().to_owned(), room)
}

/// Plays a session to its end on the shortest way; its result.
pub async fn solve(socket: &mut Socket, board: &str) -> Value {
    for act in solution(board) {
        socket.play(act).await;
    }
    socket.until("round_over").await["result"].clone()
}

async fn progress(host: &Host, guest: &Guest) -> Value {
    ask(host, guest, "GET", "/players/me/solo", "").await.json()
}

/// The boards as they are once the delay of everything stored is over.
async fn show(host: &Host) {
    let beside = StoreOptions { exclusive: false, ..StoreOptions::default() };
    show_rounds(&Store::open(&host.database(), beside).await.unwrap()).await;
}

fn refusal(answer: &Answer) -> (u16, String) {
    (answer.status, answer.json()["code"].as_str().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn a_stage_is_solved_alone_and_opens_the_next_one() {
    let host = Host::start().await;
    let ada = host.guest("Ada").await;
    assert_eq!(progress(&host, &ada).await["open"], 1);
    assert_eq!(refusal(&ask(&host, &ada, "POST", "/campaign/2", "").await), (403, "locked".to_owned()));
    let (mut one, board, room) = begin(&host, &ada, "/campaign/1", "").await;
    assert_eq!(board, almanac().stage(StageNumber::FIRST).board.to_string());
    assert_eq!(
        (&room["options"]["seats"], &room["options"]["solo"]),
        (&json!(1), &json!({"mode": "stage", "stage": 1}))
    );
    let result = solve(&mut one, &board).await;
    let seat = &result["seats"][0];
    // First Light: optimum 6, par 8; flawless and under two minutes: (1000 + 2 × 50 + 100) × 1.5.
    assert_eq!(
        (&result["optimum"], &seat["stars"], &seat["crown"], &seat["score"]),
        (&json!(6), &json!(3), &json!(true), &json!(1_800))
    );
    one.until("series_over").await;
    let known = progress(&host, &ada).await;
    assert_eq!(known["open"], 2);
    let record = &known["stages"][0];
    assert_eq!(
        (&record["stage"], &record["stars"], &record["crown"], &record["moves"]),
        (&json!(1), &json!(3), &json!(true), &json!(6))
    );
    assert_eq!(record["round_id"], result["round_id"]);
    open(&host, &ada, "/campaign/2", "").await;
    assert_eq!(refusal(&ask(&host, &ada, "POST", "/campaign/3", "").await).0, 403);
    for unknown in ["0", "51", "first", "-1", "+1", "01"] {
        assert_eq!(refusal(&ask(&host, &ada, "POST", &format!("/campaign/{unknown}"), "").await).0, 404, "{unknown}");
    }
}

#[tokio::test]
async fn a_stage_has_a_leaderboard_by_score_and_then_by_time() {
    let host = Host::start().await;
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    for (guest, undoes) in [(&ada, true), (&ben, false)] {
        let (mut one, board, _) = begin(&host, guest, "/campaign/1", "").await;
        let first = solution(&board)[0];
        if undoes {
            one.play(first).await;
            one.say(json!({ "type": "undo", "n": 2 })).await;
            one.outcome(2).await;
            for (n, (from, to)) in (3..).zip(solution(&board)) {
                one.say(json!({ "type": "move", "n": n, "from": from, "to": to })).await;
            }
            one.until("round_over").await;
        } else {
            solve(&mut one, &board).await;
        }
    }
    show(&host).await;
    let board = host.get("/api/v1/leaderboards/stage?stage=1").await;
    let entries = board["entries"].as_array().unwrap();
    let shown: Vec<_> =
        entries.iter().map(|entry| (entry["name"].as_str().unwrap(), entry["value"].as_i64().unwrap())).collect();
    assert_eq!(shown, [("Ben", 1_800), ("Ada", 1_200)], "{board:#}");
    assert!(entries.iter().all(|entry| entry["official_ms"].is_u64() && entry["moves"] == 6));
    let own = ask(&host, &ada, "GET", "/leaderboards/stage/me?stage=1", "").await.json();
    assert_eq!((&own["rank"], &own["stage"]), (&json!(2), &json!(1)));
    assert!(host.get("/api/v1/leaderboards/stage?stage=2").await["entries"].as_array().unwrap().is_empty());
    for wrong in [
        "stage",
        "stage?stage=51",
        "stage?stage=1&preset=initiate",
        "stage?stage=1&period=day",
        "rating?stage=1",
        "sprint?day=2026-11-30",
    ] {
        let refused = host.request("GET", &format!("/api/v1/leaderboards/{wrong}"), &[], "").await;
        assert!(matches!(refused.status, 400 | 422), "{wrong}: {}", refused.body);
    }
}

#[tokio::test]
async fn a_session_goes_on_after_a_crash_and_its_stars_are_kept() {
    let directory = tempfile::TempDir::new().unwrap();
    let database = format!("sqlite://{}", directory.path().join("alone.sqlite").display());
    let server = Process::start(&database);
    let ada = server.host.guest("Ada").await;
    let (mut one, board, room) = begin(&server.host, &ada, "/campaign/1", "").await;
    let way = solution(&board);
    for act in &way[..3] {
        one.play(*act).await;
    }
    server.kill();
    let server = Process::start(&database);
    let mut again = server.host.seat(code_of(&room), &ada).await;
    again.until("start").await;
    for (n, (from, to)) in (4..).zip(&way[3..]) {
        again.say(json!({ "type": "move", "n": n, "from": from, "to": to })).await;
    }
    let over = again.until("round_over").await;
    assert_eq!((&over["result"]["interrupted"], &over["result"]["seats"][0]["stars"]), (&json!(true), &json!(3)));
    server.kill();
    let server = Process::start(&database);
    let known = progress(&server.host, &ada).await;
    assert_eq!((&known["open"], &known["stages"][0]["stars"]), (&json!(2), &json!(3)));
}

#[tokio::test]
async fn a_session_that_is_left_is_over_and_counts_as_a_try() {
    let host = Host::start().await;
    let ada = host.guest("Ada").await;
    let (mut one, _, room) = begin(&host, &ada, "/campaign/1", "").await;
    one.say(json!({ "type": "leave" })).await;
    one.until_closed().await;
    let known = progress(&host, &ada).await;
    let record = &known["stages"][0];
    assert_eq!(
        (&record["tries"], &record["solved"], &record["stars"], &known["open"]),
        (&json!(1), &json!(0), &json!(0), &json!(1))
    );
    let gone = async {
        while host.request("GET", &format!("/api/v1/rooms/{}", code_of(&room)), &[], "").await.status != 404 {}
    };
    tokio::time::timeout(crate::host::PATIENCE, gone).await.expect("the room closes");
}

#[tokio::test]
async fn nobody_else_comes_into_a_session() {
    let host = Host::start().await;
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let (_one, _, room) = begin(&host, &ada, "/campaign/1", "").await;
    for role in ["player", "spectator"] {
        let mut other = host.socket(code_of(&room)).await;
        other.say(json!({ "type": "hello", "token": ben.token, "role": role })).await;
        let first = other.hear().await;
        assert!(first.as_ref().map_or(true, |told| told["type"] == "refused"), "{role}: {first:?}");
        other.until_closed().await;
    }
}

#[tokio::test]
async fn of_many_sessions_the_oldest_makes_room() {
    let host = Host::start().await;
    let ada = host.guest("Ada").await;
    let (mut first, ..) = begin(&host, &ada, "/campaign/1", "").await;
    let mut later = Vec::new();
    for _ in 0..4 {
        later.push(begin(&host, &ada, "/campaign/1", "").await);
    }
    first.until_closed().await;
    let (last, board, _) = later.last_mut().unwrap();
    solve(last, board).await;
    let (second, board, _) = &mut later[0];
    solve(second, board).await;
}

#[tokio::test]
async fn rooms_of_one_are_opened_by_their_mode_alone() {
    let host = Host::start().await;
    let ada = host.guest("Ada").await;
    for options in [json!({ "seats": 1 }), json!({ "solo": { "mode": "stage", "stage": 50 } })] {
        let refused = ask(&host, &ada, "POST", "/rooms", &options.to_string()).await;
        assert_eq!(refusal(&refused).0, 422, "{options}");
    }
}

#[tokio::test]
async fn a_lesson_costs_nothing_and_is_kept_once_it_is_solved() {
    let host = Host::start().await;
    let ada = host.guest("Ada").await;
    let lessons = host.get("/api/v1/tutorial").await;
    assert_eq!(lessons["lessons"][0]["steps"][0]["goal"], json!({ "goal": "refused", "law": "size" }));
    let (mut one, board, _) = begin(&host, &ada, "/tutorial/1", "").await;
    one.say(json!({ "type": "lift", "n": 1, "peg": 1 })).await;
    one.outcome(1).await;
    one.say(json!({ "type": "place", "n": 2, "peg": 2 })).await;
    assert_eq!(one.outcome(2).await["type"], "returned");
    for (n, (from, to)) in (3..).zip(solution(&board)) {
        one.say(json!({ "type": "move", "n": n, "from": from, "to": to })).await;
    }
    let over = one.until("round_over").await;
    assert_eq!(over["result"]["seats"][0]["errors"], 0);
    assert_eq!(progress(&host, &ada).await["lessons"], json!([1]));
    assert_eq!(refusal(&ask(&host, &ada, "POST", "/tutorial/99", "").await).0, 404);
}

#[tokio::test]
async fn a_shuffled_board_is_its_seeds_for_everybody_and_leads_to_the_next() {
    let host = Host::start().await;
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let (mut one, board, room) = begin(&host, &ada, "/shuffle", "{}").await;
    assert_eq!(room["options"]["preset"], "initiate", "the easiest first");
    let seed = room["options"]["solo"]["seed"].as_str().unwrap().to_owned();
    let shared = json!({ "preset": "initiate", "seed": seed }).to_string();
    let (_, same, _) = begin(&host, &ben, "/shuffle", &shared).await;
    assert_eq!(same, board);
    solve(&mut one, &board).await;
    one.until("series_over").await;
    let next = open(&host, &ada, "/shuffle", "{}").await;
    assert_eq!(next["options"]["preset"], "apprentice", "harder after one that was restored");
    let after = |room: &Value| room["options"]["solo"]["seed"].clone();
    let follows: sprint_shared::deal::Seed = seed.parse().unwrap();
    assert_eq!(after(&next), json!(sprint_shared::fairness::next_seed(&follows)));
    let helped = open(&host, &ada, "/shuffle", &json!({ "helped": true }).to_string()).await;
    assert_eq!(helped["options"]["preset"], "initiate", "the last that ended was shown");
    let typed = open(&host, &ada, "/shuffle", &json!({ "seed": "42", "preset": "standard" }).to_string()).await;
    assert_eq!(after(&typed), json!(sprint_shared::deal::Seed::from(42)));
    let refused = ask(&host, &ada, "POST", "/shuffle", &json!({ "seed": "nonsense" }).to_string()).await;
    assert!(refused.status == 422 && refused.body.contains("seed"), "{}", refused.body);
}

#[tokio::test]
async fn a_board_that_was_left_open_does_not_count_once_a_later_one_is_restored() {
    let host = Host::start().await;
    let ada = host.guest("Ada").await;
    let (mut old, ..) = begin(&host, &ada, "/shuffle", &json!({ "preset": "initiate" }).to_string()).await;
    let (mut later, board, _) = begin(&host, &ada, "/shuffle", &json!({ "preset": "standard" }).to_string()).await;
    solve(&mut later, &board).await;
    old.say(json!({ "type": "leave" })).await;
    old.until_closed().await;
    assert_eq!(open(&host, &ada, "/shuffle", "{}").await["options"]["preset"], "expert");
}

#[tokio::test]
async fn who_is_shown_the_way_bears_no_sign_of_a_bot() {
    let host = Host::start().await;
    let ada = host.guest("Ada").await;
    let (mut one, board, _) = begin(&host, &ada, "/shuffle", &json!({ "preset": "standard" }).to_string()).await;
    let result = solve(&mut one, &board).await;
    let beside = StoreOptions { exclusive: false, ..StoreOptions::default() };
    let store = Store::open(&host.database(), beside).await.unwrap();
    let (_, seats) = store.round(result["round_id"].as_str().unwrap().parse().unwrap()).await.unwrap().unwrap();
    assert_eq!(seats[0].seat.suspicion, 0, "though it was played at once");
}

#[tokio::test]
async fn nobody_races_the_ghost_of_what_was_played_alone() {
    let host = Host::start().await;
    let ada = host.guest("Ada").await;
    let (mut one, board, _) = begin(&host, &ada, "/daily", "{}").await;
    let result = solve(&mut one, &board).await;
    let path = format!("/matches/{}/ghosts", result["round_id"].as_str().unwrap());
    let refused = ask(&host, &ada, "POST", &path, "").await;
    assert!(refused.status == 422 && refused.body.contains("played alone"), "{}", refused.body);
}

#[tokio::test]
async fn a_board_that_is_left_is_followed_by_an_easier_one() {
    let host = Host::start().await;
    let ada = host.guest("Ada").await;
    let (mut one, ..) = begin(&host, &ada, "/shuffle", &json!({ "preset": "standard" }).to_string()).await;
    one.say(json!({ "type": "leave" })).await;
    one.until_closed().await;
    assert_eq!(open(&host, &ada, "/shuffle", "{}").await["options"]["preset"], "apprentice");
}

#[tokio::test]
async fn the_way_is_shown_to_who_sits_there_and_never_where_a_result_counts() {
    let host = Host::start().await;
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let (mut one, board, room) = begin(&host, &ada, "/shuffle", "{}").await;
    let path = format!("/rooms/{}/way", code_of(&room));
    let way = ask(&host, &ada, "GET", &path, "").await.json();
    let spelled = |way: &Value| -> Vec<String> {
        way["transfers"].as_array().unwrap().iter().map(|transfer| transfer.as_str().unwrap().to_owned()).collect()
    };
    assert_eq!((spelled(&way).len(), &way["ply"]), (solution(&board).len(), &json!(0)));
    for transfer in spelled(&way) {
        let (from, to) = transfer.split_once('-').unwrap();
        one.play((from.parse().unwrap(), to.parse().unwrap())).await;
        let left = ask(&host, &ada, "GET", &path, "").await;
        if left.status == 200 {
            assert!(spelled(&left.json()).len() < solution(&board).len(), "it goes on from here");
        }
    }
    one.until("round_over").await;
    assert_eq!(refusal(&ask(&host, &ada, "GET", &path, "").await), (409, "no_board".to_owned()));
    assert_eq!(
        refusal(&ask(&host, &ben, "GET", &path, "").await),
        (404, "not_found".to_owned()),
        "as if it were not there"
    );
    let (_stage, _, room) = begin(&host, &ada, "/campaign/1", "").await;
    let refused = ask(&host, &ada, "GET", &format!("/rooms/{}/way", code_of(&room)), "").await;
    assert_eq!(refusal(&refused), (403, "no_help".to_owned()));
}

#[tokio::test]
async fn races_are_listed_without_what_is_played_alone() {
    let host = Host::start().await;
    let ada = host.guest("Ada").await;
    let (mut one, board, _) = begin(&host, &ada, "/campaign/1", "").await;
    let result = solve(&mut one, &board).await;
    assert!(host.get("/api/v1/matches").await["rounds"].as_array().unwrap().is_empty());
    let player = result["seats"][0]["player"].as_str().unwrap();
    assert!(host.get(&format!("/api/v1/matches?player={player}")).await["rounds"].as_array().unwrap().is_empty());
    let found = host.get(&format!("/api/v1/matches/{}", result["round_id"].as_str().unwrap())).await;
    assert_eq!(found["options"]["solo"]["stage"], 1, "but it is there for who knows it");
}

#[tokio::test]
async fn everything_that_was_played_alone_is_verified() {
    let host = Host::start().await;
    let ada = host.guest("Ada").await;
    for path in ["/campaign/1", "/tutorial/2", "/shuffle", "/daily"] {
        let (mut one, board, _) = begin(&host, &ada, path, "{}").await;
        solve(&mut one, &board).await;
        one.say(json!({ "type": "leave" })).await;
        one.until_closed().await;
    }
    let beside = StoreOptions { exclusive: false, ..StoreOptions::default() };
    let store = Store::open(&host.database(), beside).await.unwrap();
    let report = sprint_server::verify::all(&store).await.unwrap();
    assert_eq!((report.verified, report.differing.len()), (4, 0), "{:#?}", report.differing);
    assert!(report.not_checked.is_empty() && report.differing_days.is_empty(), "{report:#?}");
}

#[tokio::test]
async fn what_is_changed_beside_the_events_of_a_day_is_named() {
    let host = Host::start().await;
    let ada = host.guest("Ada").await;
    let (mut one, board, _) = begin(&host, &ada, "/daily", "{}").await;
    solve(&mut one, &board).await;
    let beside = StoreOptions { exclusive: false, ..StoreOptions::default() };
    let store = Store::open(&host.database(), beside).await.unwrap();
    let lines = async || {
        let report = sprint_server::verify::all(&store).await.unwrap();
        let lines = report.differing.into_iter().flat_map(|(_, lines)| lines).chain(report.differing_days);
        lines.collect::<Vec<String>>()
    };
    for (change, said) in [
        ("UPDATE seat_result SET solo = NULL", "seats: 1 of them repeat another"),
        ("DELETE FROM daily_try", "try: the rated try of "),
        ("UPDATE daily SET optimum = 1", "the deal proves "),
        ("UPDATE daily SET board = '-'", "the deal gives "),
        ("UPDATE daily SET server_seed = commitment", "is not the hash of what was revealed"),
        ("DELETE FROM daily", "no board of "),
        ("UPDATE round_result SET solo = 'stage/50'", "column solo: "),
    ] {
        let before = lines().await;
        assert!(!before.iter().any(|line| line.contains(said)), "{change}: {before:#?}");
        host.execute(change).await;
        let after = lines().await;
        assert!(after.iter().any(|line| line.contains(said)), "{change}: {after:#?}");
    }
}
