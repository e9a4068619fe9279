//! What is played alone, against the real server: by the library, and on a terminal of its own.

use axum::Json;
use axum::extract::Path;
use sprint_client::api::ApiError;
use sprint_client::session::Session;
use sprint_client::state::Folded;
use sprint_shared::api::{DailyPromise, NewPlayerCreated, NewShuffle, PastDaily, RoomInfo};
use sprint_shared::board::Board;
use sprint_shared::daily::{board_seed, commitment};
use sprint_shared::day::Day;
use sprint_shared::deal::{DEAL_VERSION, Seed, deal};
use sprint_shared::options::RoomOptions;
use sprint_shared::play::Act;
use sprint_shared::preset::Preset;
use sprint_shared::protocol::Role;
use sprint_shared::protocol::view::PhaseView;
use sprint_shared::rules::Transfer;
use sprint_shared::solo::Solo;
use sprint_shared::solver::{Budget, Outcome, solve};
use tokio::time::timeout;
use uuid::Uuid;

use crate::commands::{printed, said, sprint};
use crate::pty::{PATIENCE, Terminal};
use crate::real::Host;
use crate::table::{Table, is};

fn way(board: &Board) -> Vec<Transfer> {
    let Outcome::Solved { line, .. } = solve(board, &Budget::default()) else { panic!("{board} can be solved") };
    line
}

/// The keys that make transfers.
fn keys(line: &[Transfer]) -> String {
    line.iter().map(|transfer| format!("{}{}", transfer.from, transfer.to)).collect()
}

/// A session that has begun, and the board that it begins with. Nobody says that they are ready.
async fn begun(host: &Host, player: &NewPlayerCreated, room: Result<RoomInfo, ApiError>) -> (Session, Board) {
    let code = room.expect("a room").code;
    let mut session = host.join(&code, player).await;
    let racing = timeout(PATIENCE, session.until(is(PhaseView::Racing)));
    racing.await.expect("it begins in time").expect("it begins");
    let board = session.shown().expect("a board").board().clone();
    (session, board)
}

async fn made(session: &mut Session, line: &[Transfer]) {
    for Transfer { from, to } in line {
        let (from, to) = (from.number().into(), to.number().into());
        session.act(Act::Move { from, to }).expect("a legal transfer");
        // Sixteen may be under way at once.
        while session.acts.pending().len() > 8 {
            session.next().await.expect("the session goes on");
        }
    }
    let over = |room: &Folded| room.round.as_ref().is_some_and(|round| round.result.is_some());
    timeout(PATIENCE, session.until(over)).await.expect("it ends in time").expect("it ends");
}

fn code_of(error: ApiError) -> String {
    match error {
        ApiError::Problem(problem) => problem.code,
        other => panic!("no problem of the server: {other}"),
    }
}

/// The token of a player who was made elsewhere, kept as `sprint` keeps it.
fn kept(host: &Host, home: &tempfile::TempDir, player: &NewPlayerCreated) {
    let folder = home.path().join("technomancer-sprint");
    std::fs::create_dir(&folder).expect("a folder");
    let tokens = serde_json::json!({ format!("{} {}", host.url(), player.name): player.token });
    std::fs::write(folder.join("players.json"), tokens.to_string()).expect("a file");
}

/// A command of whoever has their tokens at `home`, run to its end without a terminal.
async fn run(host: &Host, home: &tempfile::TempDir, args: &str) -> std::process::Output {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_sprint"));
    command.args(args.split(' ')).args(["--server", &host.url()]);
    command.env("XDG_STATE_HOME", home.path()).env("LC_ALL", "C.UTF-8").stdin(std::process::Stdio::null());
    let run = tokio::task::spawn_blocking(move || command.output().expect("the program starts"));
    timeout(PATIENCE, run).await.expect("it ends in time").expect("it ends")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stage_that_is_solved_by_the_library_has_its_stars_and_opens_the_next_one() {
    let host = Host::start().await;
    let api = host.api();
    let ada = api.guest(Some("Ada"), false).await.expect("a guest");
    let stages = api.campaign().await.expect("the almanac").stages;
    assert_eq!((stages.len(), stages[0].name.as_str(), stages[49].stage), (50, "First Light", 50));
    assert_eq!(code_of(api.begin_stage(&ada.token, 2).await.expect_err("it is closed")), "locked");
    let (mut session, board) = begun(&host, &ada, api.begin_stage(&ada.token, 1).await).await;
    assert_eq!(board.to_string(), stages[0].board);
    let wrong = session.act(Act::Lift { peg: 9 }).expect_err("there are five pegs").to_string();
    assert!(wrong.contains("there is no peg 9"), "{wrong}");
    made(&mut session, &way(&board)).await;
    let known = api.progress(&ada.token).await.expect("an answer");
    let record = &known.stages[0];
    // Optimum 6, par 8; flawless and under two minutes: (1000 + 2 × 50 + 100) × 1.5.
    assert_eq!((known.open, record.stars, record.crown, record.moves, record.score), (2, 3, true, Some(6), 1_800));
    assert!(api.begin_stage(&ada.token, 2).await.is_ok());
    // The same board again, in the same room.
    session.rematch();
    let again = |room: &Folded| room.phase == PhaseView::Racing && room.round.as_ref().is_some_and(|r| r.number == 2);
    timeout(PATIENCE, session.until(again)).await.expect("it begins again in time").expect("it begins again");
    assert_eq!(session.shown().map(|play| play.board().clone()), Some(board));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_board_of_infinite_shuffle_costs_nothing_and_its_way_leads_to_harmony_from_anywhere() {
    let host = Host::start().await;
    let api = host.api();
    let ada = api.guest(Some("Ada"), false).await.expect("a guest");
    let wanted = NewShuffle { preset: Some(Preset::Initiate), seed: Some("42".to_owned()), helped: false };
    let room = api.shuffle(&ada.token, &wanted).await.expect("a room");
    let code = room.code.clone();
    let (mut session, board) = begun(&host, &ada, Ok(room)).await;
    assert_eq!(board, deal(Preset::Initiate, &Seed::from(42)).board);
    // An illegal placement is shown at once as what the server makes of it: nothing.
    let full = board.pegs().ids().filter(|peg| !board.peg(*peg).is_empty());
    let other = |from| {
        board
            .pegs()
            .ids()
            .find(|to| *to != from && board.check(Transfer { from, to: *to }, 0).is_err() && !board.peg(*to).is_empty())
    };
    let (from, to) = full.filter_map(|from| Some((from, other(from)?))).next().expect("something is illegal");
    session.act(Act::Lift { peg: from.number().into() }).expect("a lift");
    let second = session.act(Act::Lift { peg: to.number().into() }).expect_err("the hand is full");
    assert!(second.to_string().contains("holds a disk already"), "{second}");
    session.act(Act::Place { peg: to.number().into() }).expect("it is only returned");
    assert_eq!(session.shown().map(|play| (play.held(), play.errors(), play.moves())), Some((None, 0, 0)));
    let judged = async {
        while session.acts.pending().len() > 0 {
            session.next().await.expect("the session goes on");
        }
    };
    timeout(PATIENCE, judged).await.expect("it is judged in time");
    assert_eq!(session.room.own().map(|own| (own.errors, own.moves)), Some((0, 0)));
    let told = api.way(&ada.token, &code).await.expect("the way");
    assert_eq!(Some(told.ply), session.shown().map(|play| play.ply()));
    let line: Vec<Transfer> =
        told.transfers.expect("it is not lost").iter().map(|transfer| transfer.parse().expect("a transfer")).collect();
    assert_eq!(line.len(), way(&board).len());
    made(&mut session, &line).await;
    let stage = begun(&host, &ada, api.begin_stage(&ada.token, 1).await).await.0;
    assert_eq!(code_of(api.way(&ada.token, &stage.room.code).await.expect_err("it counts")), "no_help");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_campaign_goes_on_stage_after_stage_on_a_terminal_and_is_kept_under_a_name() {
    let host = Host::start().await;
    let home = tempfile::tempdir().expect("a folder");
    let stages = host.api().campaign().await.expect("the almanac").stages;
    let line = |stage: usize| way(&stages[stage - 1].board.parse().expect("a board"));
    let mut terminal = Terminal::run(&host, &home, "campaign --name Ada");
    terminal.until("almanac").await;
    terminal.press("3").await;
    terminal.until("Foundation").await;
    terminal.press("\r").await;
    terminal.until("opens").await;
    terminal.press("1\r").await;
    terminal.until("lift,").await;
    terminal.press(&keys(&line(1))).await;
    for shown in ["Restored!", "★★★", "harmony", "1000", "1.5", "1800", "Solved", "open."] {
        terminal.until(shown).await;
    }
    terminal.press("n").await;
    terminal.until("Two").await;
    terminal.until("lift,").await;
    terminal.press("q").await;
    terminal.until("unsolved?").await;
    terminal.press("y").await;
    // The result, shown for a moment on the way, names the almanac too.
    terminal.until("CAMPAIGN").await;
    terminal.press("q").await;
    assert_eq!(terminal.end().await, Some(0));
    let table = run(&host, &home, "campaign --list --name Ada").await;
    assert_eq!((said(&table).as_str(), table.status.code()), ("", Some(0)));
    let rows: Vec<Vec<String>> =
        printed(&table).lines().map(|line| line.split_whitespace().map(str::to_owned).collect()).collect();
    assert_eq!(rows.len(), 51, "a head and fifty stages");
    assert_eq!(rows[1].join(" "), "1 First Light Novice Apprentice ★★★ yes 6/6 8 solved");
    assert_eq!(rows[2].join(" "), "2 Two Lanterns Novice Apprentice ☆☆☆ - -/8 10 open");
    assert_eq!(rows[3].join(" "), "3 Foundation Stone Novice Apprentice ☆☆☆ - -/7 9 locked");
    let json = run(&host, &home, "campaign --list --json --name Ada").await;
    let json: serde_json::Value = serde_json::from_str(&printed(&json)).expect("one object");
    assert_eq!((&json["open"], &json["stages"][0]["record"]["score"]), (&2.into(), &1_800.into()));
    assert_eq!((&json["stages"][1]["record"]["tries"], &json["stages"][2]["record"]), (&1.into(), &().into()));
    let closed = run(&host, &home, "campaign --list --name Nobody").await;
    assert_eq!(closed.status.code(), Some(2), "{}", said(&closed));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stage_that_is_closed_is_refused_before_anything_is_drawn() {
    let host = Host::start().await;
    let home = tempfile::tempdir().expect("a folder");
    let mut terminal = Terminal::run(&host, &home, "campaign 12");
    terminal.until("stage 12 opens once stage 11 is solved").await;
    assert_eq!(terminal.end().await, Some(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lesson_ticks_each_step_off_and_leads_to_the_next_one() {
    let host = Host::start().await;
    let home = tempfile::tempdir().expect("a folder");
    let mut terminal = Terminal::run(&host, &home, "tutorial --name Ada");
    terminal.until("Small").await;
    terminal.until("smaller").await;
    terminal.until("lift,").await;
    terminal.press("12").await;
    terminal.until("[x]").await;
    terminal.until("hold.").await;
    terminal.press(&keys(&way(&"R1R3/R2/- 7".parse().expect("a board")))).await;
    terminal.until("Restored!").await;
    terminal.until("Lesson").await;
    terminal.press("n").await;
    terminal.until("lesson").await;
    terminal.until("lift,").await;
    terminal.press("qy").await;
    assert_eq!(terminal.end().await, Some(0));
    let mut terminal = Terminal::run(&host, &home, "tutorial --name Ada");
    terminal.until("2 of 7").await;
    terminal.press("\u{3}").await;
    assert_eq!(terminal.end().await, Some(0));
    let mut terminal = Terminal::run(&host, &home, "tutorial 99");
    terminal.until("no such lesson").await;
    assert_eq!(terminal.end().await, Some(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn in_infinite_shuffle_a_hint_is_marked_the_way_is_played_and_the_next_board_follows() {
    let host = Host::start().await;
    let home = tempfile::tempdir().expect("a folder");
    let mut terminal = Terminal::run(&host, &home, "shuffle --preset initiate --seed 42");
    terminal.until("initiate").await;
    terminal.until(&Seed::from(42).to_string()).await;
    terminal.until("lift,").await;
    let line = way(&deal(Preset::Initiate, &Seed::from(42)).board);
    terminal.press("h").await;
    terminal.until(&format!("^{}", line[0].from)).await;
    terminal.press("w").await;
    terminal.until("stops").await;
    // Any key stops it.
    terminal.press("7").await;
    terminal.until("stopped:").await;
    terminal.press("w").await;
    terminal.until("Restored!").await;
    terminal.until("Prove").await;
    terminal.press("n").await;
    let second = sprint_shared::fairness::next_seed(&Seed::from(42));
    terminal.until(&second.to_string()[..8]).await;
    terminal.until("lift,").await;
    terminal.press("qy").await;
    assert_eq!(terminal.end().await, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_day_has_one_try_that_is_asked_for_gone_on_with_shared_and_practised_after() {
    let host = Host::start().await;
    let api = host.api();
    let home = tempfile::tempdir().expect("a folder");
    let ada = api.guest(Some("Ada"), false).await.expect("a guest");
    kept(&host, &home, &ada);
    let early = run(&host, &home, "daily --share --name Ada").await;
    assert_eq!((printed(&early).as_str(), early.status.code()), ("", Some(1)));
    assert!(said(&early).contains("nothing to share yet"), "{}", said(&early));
    let mut terminal = Terminal::run(&host, &home, "daily --name Ada");
    terminal.until("one rated try a day").await;
    terminal.press("q").await;
    assert_eq!(terminal.end().await, Some(0));
    let own = async || api.daily(&ada.token).await.expect("an answer").own.expect("whose token it is");
    assert_eq!(own().await.code, None, "nothing has begun");
    let mut terminal = Terminal::run(&host, &home, "daily --name Ada");
    terminal.until("one rated try a day").await;
    terminal.press("\r").await;
    terminal.until("lift,").await;
    terminal.press("\u{3}").await;
    terminal.until("Your try goes on").await;
    assert_eq!(terminal.end().await, Some(0));
    let code = own().await.code.expect("it is kept");
    let mut terminal = Terminal::run(&host, &home, "daily --name Ada");
    terminal.until("it goes on").await;
    terminal.until("lift,").await;
    let mut session = host.join(&code, &ada).await;
    let board = session.shown().expect("a board").board().clone();
    made(&mut session, &way(&board)).await;
    drop(session);
    terminal.press("\u{3}").await;
    let result = own().await.result.expect("it is over");
    assert_eq!((result.finished, result.stars, result.crown, result.flawless), (true, 3, true, true));

    let shared = run(&host, &home, "daily --share --name Ada").await;
    assert_eq!((said(&shared).as_str(), shared.status.code()), ("", Some(0)));
    let today = api.daily(&ada.token).await.expect("an answer").today;
    let (day, preset, moves) = (today.day, today.preset, result.moves);
    let first = format!("Daily Spire {day} · {preset} ★★★ and the crown · {moves} moves (best {moves}) · 0:");
    assert!(printed(&shared).starts_with(&first), "{first}: {}", printed(&shared));
    assert!(printed(&shared).ends_with(&format!("\n{}/daily/{}\n", host.url(), today.day)), "{}", printed(&shared));
    let mut terminal = Terminal::run(&host, &home, "daily --name Ada");
    terminal.until("Your rated try of today is over").await;
    assert_eq!(terminal.end().await, Some(0));
    let mut terminal = Terminal::run(&host, &home, "daily --practice --name Ada");
    terminal.until("hint").await;
    terminal.press("qy").await;
    assert_eq!(terminal.end().await, Some(0));

    // What it was dealt by is secret until the day is over, so that much is left open.
    let round = result.round_id.to_string();
    let verified = run(&host, &home, &format!("verify {round} --name Ada")).await;
    assert_eq!((printed(&verified).as_str(), verified.status.code()), ("verified, but not checked: deal\n", Some(0)));
    assert!(said(&verified).contains("is not over"), "{}", said(&verified));
    let to_others = run(&host, &home, &format!("verify {round}")).await;
    assert_eq!(to_others.status.code(), Some(2), "it is nobody else's to see yet");
    let board = run(&host, &home, "leaderboard daily --name Ada").await;
    assert_eq!((said(&board).as_str(), board.status.code()), ("", Some(0)), "shown to who has had their try");
    let to_others = run(&host, &home, "leaderboard daily").await;
    assert_eq!((printed(&to_others).as_str(), to_others.status.code()), ("", Some(1)), "and to nobody else today");
    let hidden = run(&host, &home, &format!("daily --day {}", today.day)).await;
    assert_eq!((printed(&hidden).as_str(), hidden.status.code()), ("", Some(1)));
    assert!(said(&hidden).contains("is not over"), "{}", said(&hidden));
}

/// What was secret of the day that [`Table`] tells of.
const DAY_SEED: Seed = Seed([9; 32]);
/// Boards of two spectra take no time.
const DAY_PRESET: Preset = Preset::Initiate;

/// The seed of its board.
pub fn day_seed() -> Seed {
    board_seed(&DAY_SEED, 0)
}

/// A day as [`Table`] tells of it. On the first of a month it lies: its board is another seed's.
pub async fn past_daily(Path(day): Path<String>) -> Json<PastDaily> {
    let day: Day = day.parse().expect("a day");
    let honest = deal(DAY_PRESET, &day_seed());
    let told = if day.to_string().ends_with("-01") { deal(DAY_PRESET, &Seed::from(1)) } else { honest };
    let commitment = commitment(DEAL_VERSION, day, DAY_PRESET, &DAY_SEED);
    let (board, optimum) = (told.board.to_string(), told.optimum);
    let promise = DailyPromise { day, preset: DAY_PRESET, commitment, committed_at_ms: 0, ends_at_ms: day.ends_ms() };
    let par = sprint_shared::score::par(optimum);
    Json(PastDaily { promise, deal_version: DEAL_VERSION, server_seed: DAY_SEED, redeals: 0, board, optimum, par })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_round_of_a_day_that_is_over_is_verified_by_what_the_day_has_revealed() {
    let table = Table::open().await;
    let (api, server) = (table.api(), table.server());
    let day: Day = "2026-11-23".parse().expect("a day");
    let promised = |day, seed: Seed| commitment(DEAL_VERSION, day, DAY_PRESET, &seed);
    let cases = [(day, DAY_SEED, "verified\n", 0), (day, Seed([8; 32]), "commitment of the day: ", 1)];
    for (day, seed, expected, exit) in cases {
        let ada = api.guest(Some("Ada"), false).await.expect("a guest");
        let solo = Solo::Daily { day, commitment: promised(day, seed), practice: false };
        let room = api.create_room(&ada.token, &RoomOptions::alone(solo, DAY_PRESET)).await.expect("a room");
        let mut session = Session::join(&server, &room.code, &ada.token, Role::Player).await.expect("a seat");
        session.ready(true);
        session.until(is(PhaseView::Racing)).await.expect("it begins");
        let board = session.shown().expect("a board").board().clone();
        assert_eq!(board, deal(DAY_PRESET, &day_seed()).board);
        made(&mut session, &way(&board)).await;
        let id = session.room.round.as_ref().expect("a round").id;
        let verified = sprint(&["verify", &format!("{}/m/{id}", server.http(""))]).await;
        assert!(printed(&verified).starts_with(expected), "{}{}", printed(&verified), said(&verified));
        assert_eq!(verified.status.code(), Some(exit));
    }
    let url = server.http("");
    let proven = sprint(&["daily", "--day", "2026-11-23", "--server", &url]).await;
    assert_eq!((said(&proven).as_str(), proven.status.code()), ("", Some(0)));
    let lines = printed(&proven);
    assert!(lines.starts_with("day 2026-11-23, initiate\ncommitment "), "{lines}");
    assert!(lines.contains(&format!("seed {DAY_SEED}")) && lines.contains("\nproven: "), "{lines}");
    let lie = sprint(&["daily", "--day", "2026-11-01", "--server", &url]).await;
    assert_eq!(lie.status.code(), Some(1));
    assert!(printed(&lie).contains("\nNOT proven: the seed deals another board"), "{}", printed(&lie));
}

#[tokio::test]
async fn a_bad_call_alone_names_what_is_wrong() {
    for (args, named) in [
        (&["campaign", "51"][..], "51"),
        (&["campaign", "--json"], "--list"),
        (&["campaign"], "terminal"),
        (&["tutorial", "0"], "0"),
        (&["shuffle", "--preset", "easy"], "no preset"),
        (&["shuffle", "--seed", "nonsense"], "--seed"),
        (&["daily", "--share"], "--name"),
        (&["daily", "--day", "today"], "YYYY-MM-DD"),
        (&["daily", "--practice", "--share", "--name", "Ada"], "--share"),
    ] {
        let output = sprint(args).await;
        assert_eq!((printed(&output).as_str(), output.status.code()), ("", Some(2)), "{args:?}");
        assert!(said(&output).contains(named), "{args:?}: {}", said(&output));
    }
}

#[tokio::test]
async fn what_only_reads_makes_nobody_and_loses_no_token() {
    let (host, home) = (Host::start().await, tempfile::TempDir::new().unwrap());
    // Of another database at this address: the server does not know it now.
    let gone = NewPlayerCreated { player_id: Uuid::from_u128(1), name: "Ada".to_owned(), token: "f".repeat(43) };
    kept(&host, &home, &gone);
    let place = home.path().join("technomancer-sprint").join("players.json");
    let before = std::fs::read_to_string(&place).unwrap();
    for args in ["campaign --list --name Ada", "daily --share --name Ada", "leaderboard stage --stage 1 --me Ada"] {
        let output = run(&host, &home, args).await;
        assert_eq!(output.status.code(), Some(1), "{args}: {output:?}");
        assert_eq!(std::fs::read_to_string(&place).unwrap(), before, "{args}");
    }
    host.api().guest(Some("Ada"), false).await.expect("the name is free: nobody was made");
}

#[tokio::test]
async fn who_reads_no_further_has_got_what_they_wanted() {
    let host = Host::start().await;
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_sprint"));
    command.args(["campaign", "--list", "--server", &host.url()]).stdout(std::process::Stdio::piped());
    let ended = tokio::task::spawn_blocking(move || {
        let mut child = command.stderr(std::process::Stdio::piped()).spawn().expect("the program starts");
        drop(child.stdout.take());
        child.wait_with_output().expect("it ends")
    });
    let output = timeout(PATIENCE, ended).await.expect("it ends in time").expect("it ends");
    assert_eq!((output.status.code(), said(&output).as_str()), (Some(0), ""), "no panic");
}
