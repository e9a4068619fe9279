//! The store contract of what is played alone: records, days, tries, boards.

use sprint_server::clock::Clock;
use sprint_server::fair::STRONG;
use sprint_server::journal::{Journal, JournalOptions};
use sprint_server::rebuild::{Purpose, rebuild};
use sprint_server::store::{
    BoardKey, CreateRoomError, DailyBoard, DealtBoard, List, MadeDaily, NewRoom, RoundRecord, SeatRecord, Store,
    StoreOptions,
};
use sprint_shared::almanac::StageNumber;
use sprint_shared::day::Day;
use uuid::Uuid;

use crate::database::{on_both, on_each};
use crate::rows::{NOON_MS, append, player, race, room, round, seat, show_rounds, store_unshown};

/// A session that ended so long after noon.
fn session(after_ms: i64, solo: &str, result: SeatRecord) -> RoundRecord {
    let preset = (!solo.starts_with("stage")).then(|| "initiate".to_owned());
    RoundRecord { solo: Some(solo.to_owned()), preset, ..round(NOON_MS + after_ms, 1, vec![result]) }
}

/// One that was left.
fn left(player: Uuid) -> SeatRecord {
    let gone = seat(0, player, 0, 3, 0);
    SeatRecord { finished: false, raw_ms: None, credit_ms: None, official_ms: None, stars: None, crown: false, ..gone }
}

fn solved(player: Uuid, official_ms: i64, moves: i64, score: i64, stars: i64, crown: bool) -> SeatRecord {
    SeatRecord { stars: Some(stars), crown, ..seat(0, player, official_ms, moves, score) }
}

fn day(number: i64) -> Day {
    Day::new(number).expect("a day")
}

on_both!(records_are_the_best_of_every_figure, |database| {
    let store = database.open().await;
    let (ada, ben) = (player(&store, "Ada", false).await, player(&store, "Ben", false).await);
    let best = session(2, "stage/1", solved(ada, 90_000, 20, 1_500, 3, true));
    let rounds = [
        session(1, "stage/1", solved(ada, 30_000, 31, 1_100, 1, false)),
        best.clone(),
        session(3, "stage/1", left(ada)),
        session(4, "stage/2", left(ada)),
        session(5, "stage/1", solved(ben, 1_000, 20, 1_800, 3, true)),
        session(6, "lesson/1", solved(ada, 1_000, 3, 1_800, 3, true)),
    ];
    store_unshown(&store, &rounds).await;
    let mut records = store.solo_records(ada, "stage").await.unwrap();
    records.sort_by(|a, b| a.solo.cmp(&b.solo));
    let [first, second] = &records[..] else { panic!("two stages: {records:#?}") };
    let counts = (first.solo.as_str(), first.tries, first.solved, first.stars, first.crown);
    assert_eq!(counts, ("stage/1", 3, 2, 3, 1));
    assert_eq!((first.score, first.moves, first.official_ms), (1_500, Some(20), Some(30_000)));
    assert_eq!(first.round_id, Some(best.round_id));
    let counts = (second.tries, second.solved, second.stars, second.crown, second.score);
    assert_eq!(counts, (1, 0, 0, 0, 0));
    assert_eq!((second.moves, second.official_ms, second.round_id), (None, None, None));
    assert!(store.is_solved_alone(ada, "stage/1".parse().unwrap()).await.unwrap());
    assert!(!store.is_solved_alone(ada, "stage/2".parse().unwrap()).await.unwrap());
    assert_eq!(store.solo_records(ada, "lesson").await.unwrap().len(), 1);
});

on_both!(the_last_shuffled_board_and_the_days_are_found, |database| {
    let store = database.open().await;
    let ada = player(&store, "Ada", false).await;
    assert_eq!(store.last_shuffle(ada).await.unwrap(), None);
    let rounds = [
        session(1, "shuffle", solved(ada, 1_000, 9, 0, 3, false)),
        session(2, "daily/2026-02-28", solved(ada, 1_000, 9, 1_000, 3, false)),
        session(3, "daily/2026-03-01", left(ada)),
        session(4, "daily/2026-02-27", solved(ada, 1_000, 9, 1_000, 3, false)),
        // After its day, when everybody could see how it is done.
        session(4, "daily/2025-12-31", solved(ada, 1_000, 9, 1_000, 3, false)),
        session(5, "practice/2026-03-02", solved(ada, 1_000, 9, 1_000, 3, false)),
    ];
    store_unshown(&store, &rounds).await;
    assert_eq!(store.last_shuffle(ada).await.unwrap(), Some(("initiate".to_owned(), true)));
    store_unshown(&store, &[session(6, "shuffle", left(ada))]).await;
    assert_eq!(store.last_shuffle(ada).await.unwrap(), Some(("initiate".to_owned(), false)));
    let restored: Vec<String> = store.days_restored(ada).await.unwrap().iter().map(Day::to_string).collect();
    assert_eq!(restored, ["2026-02-27", "2026-02-28"]);
    let tried = store.daily_result(ada, "2026-03-01".parse().unwrap()).await.unwrap().expect("it was");
    assert_eq!((tried.finished, tried.score, tried.official_ms), (false, 0, None));
    assert_eq!(store.daily_result(ada, "2026-03-02".parse().unwrap()).await.unwrap(), None, "practice is no try");
});

on_both!(what_is_played_alone_stands_on_its_own_boards_and_moves_no_rating, |database| {
    let store = database.open().await;
    let (ada, ben) = (player(&store, "Ada", false).await, player(&store, "Ben", false).await);
    let noon = Day::of(NOON_MS);
    let rounds = [
        session(1, "stage/12", solved(ada, 90_000, 20, 1_500, 3, false)),
        session(2, "stage/12", solved(ben, 80_000, 20, 1_500, 3, false)),
        session(3, "stage/12", solved(ada, 500, 31, 1_100, 1, false)),
        session(4, &format!("daily/{noon}"), solved(ada, 70_000, 9, 1_650, 3, true)),
        // After its day.
        session(5, &format!("daily/{}", noon.before()), solved(ada, 70_000, 9, 1_650, 3, true)),
        session(6, "shuffle", solved(ada, 70_000, 9, 1_650, 3, true)),
    ];
    store_unshown(&store, &rounds).await;
    show_rounds(&store).await;
    let stage = BoardKey::stage(StageNumber::new(12).expect("a stage"));
    let rows = store.board_page(&stage, List::People, None, 10).await.unwrap();
    let shown: Vec<_> = rows.iter().map(|row| (row.name.as_str(), BoardKey::score_of(row.place), row.rounds)).collect();
    assert_eq!(shown, [("Ben", 1_500, 1), ("Ada", 1_500, 2)], "equal scores by time; a worse one changes nothing");
    let (rank, _) = store.board_around(&stage, List::People, ada, 1).await.unwrap().expect("she stands there");
    assert_eq!(rank, 2);
    let on = async |day: Day| store.board_page(&BoardKey::daily(day), List::People, None, 10).await.unwrap().len();
    assert_eq!((on(noon).await, on(noon.before()).await), (1, 0));
    assert!(store.ratings_shown(ada).await.unwrap().is_empty());
});

on_each!(a_day_is_made_once_and_its_board_is_never_dealt_again, |database| {
    let store = database.open().await;
    let daily = DailyBoard {
        day: 20_787,
        preset: "initiate".to_owned(),
        deal_version: 1,
        commitment: "aa".repeat(32),
        server_seed: "bb".repeat(32),
        redeals: 0,
        board: "the day's board".to_owned(),
        optimum: 9,
        committed_at_ms: NOON_MS,
    };
    assert_eq!(store.daily(day(20_787)).await.unwrap(), None);
    assert_eq!(store.make_daily(&daily).await.unwrap(), MadeDaily::Stored);
    let other = DailyBoard { board: "another node's".to_owned(), committed_at_ms: NOON_MS + 1, ..daily.clone() };
    assert_eq!(store.make_daily(&other).await.unwrap(), MadeDaily::Stored);
    assert_eq!(store.daily(day(20_787)).await.unwrap(), Some(daily), "the first stands");
    assert!(store.is_board_dealt("the day's board").await.unwrap());
});

on_both!(a_day_whose_board_was_shown_is_dealt_anew, |database| {
    let store = database.open().await;
    let (journal, _task) = Journal::start(store.clone(), JournalOptions::default());
    let new = room("AAAAAA");
    store.create_room(&new).await.unwrap();
    let shown = |board: &str, again| DealtBoard { board: board.to_owned(), round_id: Uuid::now_v7(), again };
    let mut showing = append(new.room_id, 1, 1, &["shown"]);
    showing.dealt = vec![shown("seen", false)];
    journal.append(showing).await.unwrap();
    let mut showing = append(new.room_id, 1, 2, &["shown again, by its seed"]);
    showing.dealt = vec![shown("seen", true), shown("by a seed", true)];
    journal.append(showing).await.unwrap();
    let mut racing = append(new.room_id, 1, 3, &["raced"]);
    racing.dealt = vec![shown("by a seed", false)];
    journal.append(racing).await.expect_err("whatever was shown is no race's board");
    let daily = DailyBoard {
        day: 1,
        preset: "initiate".to_owned(),
        deal_version: 1,
        commitment: String::new(),
        server_seed: String::new(),
        redeals: 0,
        board: "seen".to_owned(),
        optimum: 9,
        committed_at_ms: NOON_MS,
    };
    assert_eq!(store.make_daily(&daily).await.unwrap(), MadeDaily::BoardTaken);
    assert_eq!(store.daily(day(1)).await.unwrap(), None);
});

on_both!(a_day_is_tried_in_one_room_unless_nothing_came_of_it, |database| {
    let store = database.open().await;
    let (journal, _task) = Journal::start(store.clone(), JournalOptions::default());
    let (ada, today) = (player(&store, "Ada", false).await, day(20_787));
    let attempt = |code: &str| NewRoom { seated: vec![ada], try_of: Some(today), ..room(code) };
    let first = attempt("AAAAAA");
    store.create_room(&first).await.unwrap();
    let again = store.create_room(&attempt("BBBBBB")).await;
    assert!(matches!(again, Err(CreateRoomError::Tried)), "it is open: {again:?}");
    assert_eq!(store.room_by_code("BBBBBB").await.unwrap(), None, "and no room is left of that");
    assert_eq!(store.daily_try(today, ada).await.unwrap(), Some((first.room_id, Some("AAAAAA".to_owned()))));
    let mut closing = append(first.room_id, 1, 1, &["closed"]);
    closing.change.finished_at_ms = Some(NOON_MS);
    journal.append(closing).await.unwrap();
    assert_eq!(store.daily_try(today, ada).await.unwrap(), Some((first.room_id, None)));
    let second = attempt("CCCCCC");
    store.create_room(&second).await.expect("nobody saw the board in the first");
    let mut ending = append(second.room_id, 1, 1, &["over"]);
    ending.outcomes = vec![session(1, &format!("daily/{today}"), left(ada))];
    ending.change.finished_at_ms = Some(NOON_MS);
    journal.append(ending).await.unwrap();
    let third = store.create_room(&attempt("DDDDDD")).await;
    assert!(matches!(third, Err(CreateRoomError::Tried)), "that was the try: {third:?}");
    let tomorrow = NewRoom { try_of: Some(today.next()), ..attempt("EEEEEE") };
    store.create_room(&tomorrow).await.expect("another day");
});

on_both!(each_result_stands_on_the_list_of_its_player, |database| {
    let store = database.open().await;
    let (ada, robot) = (player(&store, "Ada", false).await, player(&store, "Robot", true).await);
    let (eve, mallory) = (player(&store, "Eve", false).await, player(&store, "Mallory", false).await);
    // Flagged, banned.
    database.execute("UPDATE player SET standing = 1 WHERE name = 'Eve'").await;
    database.execute("UPDATE player SET standing = 2 WHERE name = 'Mallory'").await;
    let at = |player, score| solved(player, 90_000, 20, score, 3, false);
    let rounds = [
        session(1, "stage/12", at(ada, 1_100)),
        session(2, "stage/12", SeatRecord { suspicion: STRONG, ..at(ada, 1_500) }),
        session(3, "stage/12", SeatRecord { bot: true, ..at(robot, 1_800) }),
        session(4, "stage/12", at(eve, 1_700)),
        session(5, "stage/12", at(mallory, 1_800)),
        session(6, "stage/12", left(ada)),
    ];
    store_unshown(&store, &rounds).await;
    show_rounds(&store).await;
    let stage = BoardKey::stage(StageNumber::new(12).expect("a stage"));
    let on = async |list| {
        let rows = store.board_page(&stage, list, None, 10).await.unwrap();
        rows.iter().map(|row| (row.name.clone(), BoardKey::score_of(row.place))).collect::<Vec<_>>()
    };
    let named = |name: &str, score| (name.to_owned(), score);
    assert_eq!(on(List::People).await, [named("Ada", 1_100)], "what is doubted does not count for her");
    assert_eq!(on(List::Bots).await, [named("Robot", 1_800)]);
    assert_eq!(on(List::Apart).await, [named("Eve", 1_700), named("Ada", 1_500)]);
});

on_both!(who_is_deleted_leaves_the_boards_and_their_counts, |database| {
    let store = database.open().await;
    let (ada, ben) = (player(&store, "Ada", false).await, player(&store, "Ben", false).await);
    let rounds = [
        session(1, "stage/12", solved(ada, 90_000, 20, 1_500, 3, false)),
        session(2, "stage/12", solved(ben, 95_000, 20, 1_500, 3, false)),
        session(3, "daily/2026-02-28", solved(ada, 70_000, 9, 1_650, 3, true)),
    ];
    store_unshown(&store, &rounds).await;
    show_rounds(&store).await;
    assert_eq!(database.count("board_count WHERE entries = 1").await, 3, "each in a stretch of its own");
    store.delete_player(ada, NOON_MS).await.unwrap();
    assert_eq!(database.count("board_entry").await, 1);
    assert_eq!(database.count("board_count WHERE entries = 1").await, 1);
    assert_eq!(database.count("board_count WHERE entries <> 0").await, 1);
});

on_both!(a_rebuild_comes_to_the_same_boards_and_moves_no_rating, |database| {
    let store = database.open().await;
    let (ada, ben) = (player(&store, "Ada", false).await, player(&store, "Ben", false).await);
    let mut rounds = vec![race(NOON_MS, &[ada, ben])];
    for (after_ms, score) in [(1, 1_500), (2, 1_200), (3, 1_800)] {
        rounds.push(session(after_ms, "stage/12", solved(ada, 90_000 - after_ms, 20, score, 3, false)));
        rounds.push(session(after_ms, "daily/2026-02-28", solved(ben, 80_000, 20, score, 3, false)));
    }
    store_unshown(&store, &rounds).await;
    show_rounds(&store).await;
    let report = rebuild(&store, &Clock::start(), Purpose::Check).await.unwrap();
    assert!(report.is_same() && report.rounds == 7, "{report}: {:?}", report.what);
    let report = rebuild(&store, &Clock::start(), Purpose::Replace).await.unwrap();
    assert_eq!((report.rounds, report.differing), (7, Some(0)), "{report}");
    let stage = BoardKey::stage(StageNumber::new(12).expect("a stage"));
    let rows = store.board_page(&stage, List::People, None, 10).await.unwrap();
    assert_eq!((BoardKey::score_of(rows[0].place), rows[0].rounds), (1_800, 3));
});

on_both!(a_day_that_is_long_over_is_swept_and_stages_stay, |database| {
    let store = database.open().await;
    let ada = player(&store, "Ada", false).await;
    let day = Day::of(NOON_MS);
    let rounds = [
        session(1, "stage/12", solved(ada, 90_000, 20, 1_500, 3, false)),
        session(2, &format!("daily/{day}"), solved(ada, 70_000, 9, 1_650, 3, true)),
    ];
    store_unshown(&store, &rounds).await;
    show_rounds(&store).await;
    store.close().await;
    drop(store);
    let keeps =
        Store::open(&database.url, StoreOptions { kept_ms: Some(86_400_000), ..database.options() }).await.unwrap();
    keeps.sweep(day.ends_ms() + 86_399_999).await.unwrap();
    assert_eq!(database.count("board_entry").await, 2, "it is still kept");
    keeps.sweep(day.ends_ms() + 86_400_000).await.unwrap();
    assert_eq!(database.count("board_entry WHERE board = 'stage/all/12'").await, 1);
    assert_eq!((database.count("board_entry").await, database.count("board_count").await), (1, 1));
});
