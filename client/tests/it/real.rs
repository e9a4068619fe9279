//! The client against the real server: whole rounds, a restart in the middle, a seat taken over.

use std::time::Duration;

use sprint_client::api::Api;
use sprint_client::session::{Session, Update};
use sprint_client::state::Folded;
use sprint_server::config::Serve;
use sprint_server::server::Server;
use sprint_server::store::{Guest, Store, StoreOptions};
use sprint_shared::api::NewPlayerCreated;
use sprint_shared::options::RoomOptions;
use sprint_shared::play::Act;
use sprint_shared::protocol::view::PhaseView;
use sprint_shared::protocol::{Role, ToGo};
use sprint_shared::review::{Effort, review};
use sprint_shared::time::Seat;
use tokio::time::timeout;
use uuid::Uuid;

use crate::commands::{printed, said, sprint};
use crate::table::is;

/// A server on a database of its own.
pub struct Host {
    server: Server,
    settings: Serve,
    folder: tempfile::TempDir,
}

impl Host {
    pub async fn start() -> Host {
        Host::start_with(|_| {}).await
    }

    pub async fn start_with(change: impl FnOnce(&mut Serve)) -> Host {
        let folder = tempfile::tempdir().expect("a folder");
        let mut settings = Serve::standard();
        settings.listen = "127.0.0.1:0".parse().expect("an address");
        settings.database.database = Some(format!("sqlite://{}", folder.path().join("host.sqlite").display()));
        settings.countdown_ms = 100;
        change(&mut settings);
        let server = Server::start(settings.clone()).await.expect("it starts");
        settings.listen = server.address();
        Host { server, settings, folder }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.settings.listen)
    }

    pub fn api(&self) -> Api {
        Api::new(self.url().parse().expect("an address"))
    }

    pub async fn stop(self) {
        self.server.stop().await;
    }

    /// Stops, and tells from the database who was brought to each of these rooms, in order of their ids.
    pub async fn stop_and_read_guests(self, codes: &[String]) -> Vec<Vec<Uuid>> {
        self.server.stop().await;
        let url = self.settings.database.url().expect("it is set");
        let store = Store::open(&url, StoreOptions::default()).await.expect("nobody else has it open");
        let mut rooms = Vec::new();
        for code in codes {
            let room = store.room_by_code(code).await.expect("an answer").expect("a room is kept");
            let guests = room.admission().expect("a list of guests").guests;
            let mut players: Vec<Uuid> = guests.iter().map(Guest::player).collect();
            players.sort_unstable();
            rooms.push(players);
        }
        store.close().await;
        rooms
    }

    pub async fn join(&self, code: &str, player: &NewPlayerCreated) -> Session {
        let joined = Session::join(self.api().server(), code, &player.token, Role::Player).await;
        joined.unwrap_or_else(|ended| panic!("no seat: {ended}"))
    }

    /// Two players who race on a board that is three transfers from harmony.
    async fn racing(&self) -> (Session, Session, String, NewPlayerCreated) {
        let api = self.api();
        let ada = api.guest(Some("Ada"), false).await.expect("a guest");
        let bob = api.guest(Some("Bob"), false).await.expect("a guest");
        let blueprint = Some("R2S1/S2R1/-/- 3".to_owned());
        let options = RoomOptions { blueprint, ..RoomOptions::default() };
        let code = api.create_room(&ada.token, &options).await.expect("a room").code;
        let (mut first, mut second) = (self.join(&code, &ada).await, self.join(&code, &bob).await);
        first.ready(true);
        second.ready(true);
        both(&mut first, &mut second, PhaseView::Racing).await;
        (first, second, code, ada)
    }
}

async fn both(first: &mut Session, second: &mut Session, phase: PhaseView) {
    let (first, second) = tokio::join!(first.until(is(phase)), second.until(is(phase)));
    first.and(second).expect("the room goes on");
}

#[tokio::test(flavor = "multi_thread")]
async fn rooms_of_bots_end_with_stored_results_and_nothing_acknowledged_is_missing() {
    let host = Host::start().await;
    let (url, ledger) = (host.url(), host.folder.path().join("ledger.jsonl"));
    let ledger = ledger.to_str().expect("text");
    let rooms = ["load", "--server", &url, "--rooms", "4", "--players", "4", "--preset", "initiate"];
    let how = ["--rate", "12", "--errors", "0.05", "--spectators", "1", "--ledger", ledger, "--json"];
    let load = sprint(&[&rooms[..], &how[..]].concat()).await;
    assert_eq!((said(&load).as_str(), load.status.code()), ("", Some(0)));
    let figures: serde_json::Value = serde_json::from_str(&printed(&load)).expect("one object");
    assert_eq!(figures["finished"], 4);
    assert_eq!(figures.get("unexplained"), None, "{figures}");
    let audit = sprint(&["audit", "--ledger", ledger, "--server", &url]).await;
    let expected =
        format!("acknowledged {} lost 0 duplicated 0 double_results 0 unfinished 0\n", figures["acknowledged"]);
    assert_eq!((printed(&audit), audit.status.code()), (expected, Some(0)));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_watches_is_told_distances_and_the_round_has_the_same_analysis_there_and_here() {
    let host = Host::start().await;
    let (mut ada, mut bob, code, _) = host.racing().await;
    let (api, server) = (host.api(), host.api().server().clone());
    let eve = api.guest(Some("Eve"), false).await.expect("a guest");
    let mut watching = Session::join(&server, &code, &eve.token, Role::Spectator).await.expect("a place");
    let far = |seat: Seat, transfers| {
        move |room: &Folded| {
            let curve = room.curves.iter().find(|curve| curve.seat == seat);
            curve.is_some_and(|c| matches!(c.points.last(), Some((_, ToGo::Exact(now))) if *now == transfers))
        }
    };
    let (first, second) = (Seat::ALL[0], Seat::ALL[1]);
    watching.until(|room| far(first, 3)(room) && far(second, 3)(room)).await.expect("both");
    watching.until(|room| room.viewers == Some(1)).await.expect("how many watch");
    ada.act(Act::Move { from: 2, to: 3 }).expect("a transfer");
    let (_, told) =
        tokio::join!(ada.until(|room| room.own().is_some_and(|r| r.moves == 1)), watching.until(far(first, 2)));
    told.expect("a distance");
    for (from, to) in [(1, 2), (3, 1)] {
        ada.act(Act::Move { from, to }).expect("a transfer");
    }
    both(&mut ada, &mut bob, PhaseView::Over).await;
    watching.until(far(first, 0)).await.expect("harmony");
    assert!(ada.room.curves.is_empty() && bob.room.curves.is_empty(), "a racer is told no distance");
    assert_eq!((ada.room.viewers, bob.room.viewers), (None, None));

    let id = bob.room.round.as_ref().expect("a round").id;
    let there = async {
        loop {
            if let Some(review) = api.review(id).await.expect("an answer") {
                break review;
            }
        }
    };
    let there = tokio::time::timeout(Duration::from_secs(30), there).await.expect("a small board takes no time");
    let round = api.round(id).await.expect("the round");
    assert_eq!(there, review(&round, &Effort::default()).expect("a review"));
    assert_eq!(there.curves[0].points.last().map(|(_, to_go)| *to_go), Some(ToGo::Exact(0)));
    host.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_race_goes_on_after_the_server_was_restarted_and_acts_under_way_are_sent_again() {
    let mut host = Host::start().await;
    let (mut ada, mut bob, _, _) = host.racing().await;
    ada.act(Act::Lift { peg: 2 }).expect("a lift");
    ada.until(|room| room.own().is_some_and(|r| r.play.as_ref().is_some_and(|p| p.ply() == 1)))
        .await
        .expect("its event");
    host.server.stop().await;
    while !matches!(ada.next().await.expect("it comes back"), Update::Lost { .. }) {}
    // The board is still shown, and acts are put under way without a line.
    ada.act(Act::Place { peg: 3 }).expect("a place");
    host.server = Server::start(host.settings.clone()).await.expect("it starts again");
    let moved = |room: &sprint_client::state::Folded| room.own().is_some_and(|r| r.moves == 1);
    let (seen, _) = tokio::join!(ada.until(moved), bob.until(is(PhaseView::Countdown)));
    seen.expect("the act that waited is judged");
    for (from, to) in [(1, 2), (3, 1)] {
        ada.act(Act::Move { from, to }).expect("a transfer");
    }
    both(&mut ada, &mut bob, PhaseView::Over).await;
    let result = bob.room.round.as_ref().and_then(|r| r.result.clone()).expect("a result");
    assert!(result.interrupted);
    assert_eq!((result.seats[0].name.as_str(), result.seats[0].moves, result.seats[0].errors), ("Ada", 3, 0));
    let verified = sprint(&["verify", &format!("{}/api/v1/matches/{}", host.url(), result.round_id)]).await;
    assert_eq!(printed(&verified), "verified, but not checked: deal\n", "the board is a blueprint");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_newer_connection_takes_the_seat_over_and_the_older_one_watches() {
    let host = Host::start().await;
    let (mut old, _bob, code, player) = host.racing().await;
    old.act(Act::Lift { peg: 2 }).expect("a lift");
    old.until(|room| room.own().is_some_and(|r| r.play.as_ref().is_some_and(|p| p.ply() == 1)))
        .await
        .expect("its event");
    let mut new = host.join(&code, &player).await;
    while old.next().await.expect("it may watch") != Update::Replaced {}
    assert_eq!((old.role(), old.room.seat), (Role::Spectator, None));
    assert!(old.act(Act::Place { peg: 3 }).is_err());
    // The hand and the counters came along.
    assert_eq!(new.shown().and_then(|play| play.held()).map(|peg| peg.number()), Some(2));
    new.act(Act::Place { peg: 3 }).expect("a place");
    new.until(|room| room.own().is_some_and(|r| r.moves == 1)).await.expect("its event");
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_was_replaced_and_loses_the_line_waits_for_the_end_of_the_race_and_takes_nothing_back() {
    let host = Host::start().await;
    let (mut old, mut bob, code, player) = host.racing().await;
    let mut new = host.join(&code, &player).await;
    while old.next().await.expect("it may stay") != Update::Replaced {}
    old.cut();
    for _ in 0..2 {
        while !matches!(old.next().await.expect("it is turned away for now alone"), Update::Lost { .. }) {}
    }
    for (from, to) in [(2, 3), (1, 2), (3, 1)] {
        new.act(Act::Move { from, to }).expect("a transfer");
    }
    both(&mut new, &mut bob, PhaseView::Over).await;
    old.until(is(PhaseView::Over)).await.expect("it is let in again");
    assert_eq!((old.role(), old.room.seat), (Role::Spectator, None));
    let result = old.room.round.as_ref().and_then(|r| r.result.clone()).expect("a result");
    assert_eq!((result.seats[0].name.as_str(), result.seats[0].moves), ("Ada", 3));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_leaderboard_is_printed_and_a_wrong_call_names_what_is_wrong() {
    let host = Host::start().await;
    let url = host.url();
    let empty = sprint(&["leaderboard", "--server", &url]).await;
    assert_eq!((said(&empty).as_str(), empty.status.code()), ("", Some(0)));
    assert_eq!(printed(&empty), "nobody stands here yet\n");
    let how = ["--preset", "expert", "--period", "day", "--list", "bots", "--limit", "7", "--json"];
    let page = sprint(&[&["leaderboard", "fewest", "--server", &url], &how[..]].concat()).await;
    let page: serde_json::Value = serde_json::from_str(&printed(&page)).expect("one object");
    let choice = ["board", "preset", "period", "list"].map(|field| page[field].as_str());
    assert_eq!(choice, [Some("fewest"), Some("expert"), Some("day"), Some("bots")]);
    for (args, code, named) in [
        (&["fastest"][..], 2, "--preset"),
        (&["slowest"], 2, "slowest"),
        (&["--list", "cats"], 2, "cats"),
        (&["--limit", "0"], 2, "--limit"),
        (&["--me", "Nobody"], 2, "Nobody"),
        (&["rating", "--period", "day"], 1, "period"),
    ] {
        let refused = sprint(&[&["leaderboard", "--server", &url], args].concat()).await;
        assert_eq!((printed(&refused).as_str(), refused.status.code()), ("", Some(code)), "{args:?}");
        assert!(said(&refused).contains(named), "{args:?}: {}", said(&refused));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_own_place_is_that_of_the_name_played_under_on_this_machine() {
    let host = Host::start().await;
    let ada = host.api().guest(Some("Ada"), false).await.expect("a guest");
    // As `sprint play --name Ada` keeps it.
    let kept = host.folder.path().join("technomancer-sprint");
    std::fs::create_dir(&kept).expect("a folder");
    let tokens = serde_json::json!({ format!("{} Ada", host.url()): ada.token });
    std::fs::write(kept.join("players.json"), tokens.to_string()).expect("a file");
    let run = |args: &'static [&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_sprint"));
        command.args(["leaderboard", "sprint", "--server", &host.url(), "--me", "Ada"]).args(args);
        command.env("XDG_STATE_HOME", host.folder.path());
        tokio::task::spawn_blocking(move || command.output().expect("the program starts"))
    };
    let place = run(&[]).await.expect("it ends");
    assert_eq!((said(&place).as_str(), place.status.code()), ("", Some(0)));
    assert_eq!(printed(&place), "you do not stand on this board\n", "nobody has raced");
    let place = run(&["--period", "week", "--json"]).await.expect("it ends");
    let place: serde_json::Value = serde_json::from_str(&printed(&place)).expect("one object");
    assert_eq!((&place["rank"], &place["period"]), (&serde_json::Value::Null, &"week".into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn two_bots_find_each_other_by_quick_match_and_race() {
    let host = Host::start().await;
    let url = host.url();
    let how = ["--quick", "--preset", "initiate", "--server", &url, "--json"];
    let (strong, weak) = (["bot", "--strength", "10"], ["bot", "--strength", "1"]);
    let calls = [[&strong[..], &how[..]].concat(), [&weak[..], &how[..]].concat()];
    let (strong, weak) = tokio::join!(sprint(&calls[0]), sprint(&calls[1]));
    let [strong, weak] = [strong, weak].map(|output| {
        assert_eq!((said(&output).as_str(), output.status.code()), ("", Some(0)));
        serde_json::from_str::<serde_json::Value>(&printed(&output)).expect("one object a round")
    });
    assert_eq!(strong["round_id"], weak["round_id"]);
    assert_eq!((&strong["rank"], &weak["rank"]), (&1.into(), &2.into()));
    assert_eq!((&strong["moves"], &strong["errors"]), (&strong["optimum"], &0.into()));
    assert!(strong["official_ms"].is_u64() && weak["official_ms"].is_null());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_plays_as_many_rounds_in_a_room_as_it_is_told_to() {
    let host = Host::start().await;
    let (url, api) = (host.url(), host.api());
    let ada = api.guest(Some("Ada"), false).await.expect("a guest");
    let blueprint = Some("R2S1/S2R1/-/- 3".to_owned());
    let options = RoomOptions { blueprint, ..RoomOptions::default() };
    let code = api.create_room(&ada.token, &options).await.expect("a room").code;
    let call = ["bot", "--strength", "10", "--rounds", "2", "--name", "Clank", "--room", &code, "--server", &url];
    let playing = async {
        let mut session = host.join(&code, &ada).await;
        for round in 1..=2 {
            // The second round begins when both have voted for it.
            session.until(|room| matches!(room.phase, PhaseView::Lobby | PhaseView::Over)).await.expect("open");
            // In whichever seat: whoever joins first has the first one.
            session.until(|room| room.seats.iter().any(|seat| seat.bot && seat.ready)).await.expect("the bot is ready");
            session.ready(true);
            let is_over = |room: &sprint_client::state::Folded| {
                room.round.as_ref().is_some_and(|r| r.number == round && r.result.is_some())
            };
            session.until(is_over).await.expect("the bot comes to harmony");
        }
        session.until(|room| room.seats.len() == 1).await.expect("the bot leaves");
    };
    let both = async { tokio::join!(sprint(&call), playing) };
    let (output, ()) = timeout(Duration::from_secs(60), both).await.expect("both rounds are played");
    assert_eq!((said(&output).as_str(), output.status.code()), ("", Some(0)));
    let lines = printed(&output);
    assert_eq!(lines.lines().filter(|line| line.starts_with("rank 1 of 2: ")).count(), 2, "{lines}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_is_told_where_to_play() {
    for (args, named) in [
        (&["bot", "--strength", "5"][..], "--room"),
        (&["bot", "--strength", "11", "--quick"], "1 to 10"),
        (&["bot", "--quick"], "--strength"),
        (&["bot", "--strength", "5", "--room", "A", "--seats", "3"], "--seats"),
    ] {
        let output = sprint(args).await;
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(said(&output).contains(named), "{args:?}: {}", said(&output));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_plays_in_nobodys_name_but_a_bots() {
    let host = Host::start().await;
    let (url, api) = (host.url(), host.api());
    let ada = api.guest(Some("Ada"), false).await.expect("a guest");
    let call = ["bot", "--strength", "10", "--quick", "--server", &url, "--token", &ada.token];
    let refused = sprint(&call).await;
    assert_eq!(refused.status.code(), Some(2));
    assert!(said(&refused).contains("Ada is a person"), "{}", said(&refused));
}
