//! Ratings and boards counted anew from the stored rounds: that it comes to the same, whatever happens meanwhile.

use std::time::Duration;

use serde_json::{Value, json};
use sprint_server::clock::Clock;
use sprint_server::rebuild::{Purpose, RebuildError, Report, rebuild};
use sprint_server::store::{BoardKey, List, RATINGS_DIFFER, RoundRecord, Span, Store};
use sqlx::{Connection, SqliteConnection};
use tokio::time::timeout;
use uuid::Uuid;

use crate::database::{TestDatabase, on_both};
use crate::process::program;
use crate::rows::{NOON_MS, player, race, show_rounds, store_rounds, store_unshown};
use crate::season::{self, people, rating, season, without};

/// Nothing here takes so long.
const LONG: Duration = Duration::from_secs(120);
const DAY_MS: i64 = 24 * 3_600_000;

/// The same, and what stands of these players on some boards.
async fn numbers(store: &Store, players: &[Uuid], rounds: &[RoundRecord]) -> Vec<String> {
    let mut numbers = season::numbers(store, players, rounds).await;
    let week = Span::week_of(rounds.get(rounds.len() / 2).map_or(NOON_MS, |round| round.finished_at_ms));
    for board in [
        BoardKey::rating(None),
        BoardKey::points(Span::All, None),
        BoardKey::points(week, Some("standard")),
        BoardKey::fastest(Span::All, "standard"),
        BoardKey::fewest(week, "expert"),
    ] {
        for list in [List::People, List::Bots, List::Apart] {
            let mut rows = store.board_page(&board, list, None, 200).await.unwrap();
            // Not every database that is compared knows the names and rounds.
            rows.retain(|row| players.contains(&row.player_id));
            rows.iter_mut().for_each(|row| row.name.clear());
            numbers.push(format!("{} {list:?} {rows:?}", board.as_str()));
        }
    }
    numbers
}

/// Rounds, players, and what differs of ratings.
fn told(report: &Report) -> (u64, u64, Option<u64>) {
    (report.rounds, report.players, report.differing)
}

on_both!(a_rebuild_gives_bit_equal_ratings, |database| {
    let store = database.open().await;
    let mut players = people(&store, 9).await;
    let mut rounds = season(&players, 80);
    let bot = player(&store, "Bot", true).await;
    let mut with_bot = race(NOON_MS + DAY_MS, &[players[0], bot]);
    (with_bot.rated, with_bot.seats[1].bot) = (false, true);
    rounds.push(with_bot);
    players.push(bot);
    store_rounds(&store, &rounds).await;
    let before = numbers(&store, &players, &rounds).await;
    let moved = before.iter().take(players.len() + rounds.len());
    assert!(moved.clone().all(|row| row.contains("mu")), "everybody has raced, and every round moved somebody");
    for board in ["rating/all/ People", "points/all/ People", "points/all/ Bots", "fastest/all/standard People"] {
        assert!(before.iter().any(|row| row.starts_with(board) && row.contains("round_id")), "{board}: {before:#?}");
    }

    let beside = database.open_beside().await;
    let report = rebuild(&beside, &Clock::start(), Purpose::Replace).await.unwrap();
    assert_eq!(told(&report), (81, 10, Some(0)));
    assert_eq!(numbers(&store, &players, &rounds).await, before);
    for table in ["rating", "seat_rating", "pair_day", "board_entry"] {
        assert_eq!(database.count(&format!("{table} WHERE generation <> 2")).await, 0, "{table}");
    }
    assert_eq!(database.count("ladder WHERE generation = 2 AND building IS NULL AND rounds = 81").await, 1);

    // A check finds each number that is not as it should be, and changes nothing.
    let check = rebuild(&beside, &Clock::start(), Purpose::Check).await.unwrap();
    assert_eq!((told(&check), check.entries, check.what), (told(&report), Some(0), vec![]));
    database.execute("UPDATE rating SET sigma = sigma + 1 WHERE series = 'expert' AND rounds = 1").await;
    let touched = database.count("rating WHERE series = 'expert' AND rounds = 1").await as u64;
    database.execute("UPDATE seat_rating SET mu_after = mu_after + 1 WHERE mu_before = 25000000").await;
    let moved = database.count("seat_rating WHERE mu_before = 25000000").await as u64;
    let check = rebuild(&beside, &Clock::start(), Purpose::Check).await.unwrap();
    assert_eq!(check.differing, Some(touched + moved));
    assert_eq!(database.count("ladder WHERE generation = 2 AND building IS NULL").await, 1);
    assert_eq!(database.count("rating WHERE generation <> 2").await, 0);
    let mended = rebuild(&beside, &Clock::start(), Purpose::Replace).await.unwrap();
    assert_eq!(mended.differing, Some(touched + moved));
    assert_eq!(numbers(&store, &players, &rounds).await, before);
});

on_both!(a_check_names_what_is_not_on_the_boards_as_the_rounds_say, |database| {
    let store = database.open().await;
    let players = people(&store, 6).await;
    let rounds = season(&players, 60);
    store_rounds(&store, &rounds[..50]).await;
    // Rounds under their delay stand on neither.
    store_unshown(&store, &rounds[50..]).await;
    let clock = Clock::start();
    let check = rebuild(&store, &clock, Purpose::Check).await.unwrap();
    assert_eq!((check.is_same(), check.entries, check.what.len()), (true, Some(0), 0));
    // A sum too high, a win too many in every rating's entry, an entry that is gone, one that follows from no round.
    let all = database.count("board_entry WHERE board = 'rating/all/'").await;
    assert!(all > 0, "ratings have settled");
    for sql in [
        "UPDATE board_entry SET place = place - 1000 WHERE board = 'points/all/' \
           AND place = (SELECT min(place) FROM board_entry WHERE board = 'points/all/')",
        "UPDATE board_entry SET wins = wins + 1 WHERE board = 'rating/all/'",
        "DELETE FROM board_entry WHERE board = 'fastest/all/expert' \
           AND place = (SELECT max(place) FROM board_entry WHERE board = 'fastest/all/expert')",
        "INSERT INTO board_entry SELECT generation, board, 1, player_id, place, reached_at_ms, round_id, rounds, wins \
           FROM board_entry WHERE board = 'fewest/all/standard'",
        "UPDATE rating SET sigma = sigma + 1 WHERE series = 'expert'",
    ] {
        database.execute(sql).await;
    }
    let bots = database.count("board_entry WHERE board = 'fewest/all/standard' AND list = 1").await as u64;
    let gone = database.count("rating WHERE series = 'expert'").await as u64
        - database.count("board_entry WHERE board = 'fastest/all/expert'").await as u64;
    let check = rebuild(&store, &clock, Purpose::Check).await.unwrap();
    let of = |what: &str, of: &str| {
        check.what.iter().find(|found| found.what == what && found.of == of).map(|found| found.rows)
    };
    assert!(!check.is_same());
    assert_eq!(of("ratings", "expert"), Some(database.count("rating WHERE series = 'expert'").await as u64));
    assert_eq!(of("entries", "points/all/"), Some(1));
    assert_eq!(of("entries", "rating/all/"), Some(all as u64), "{check:?}");
    assert_eq!((of("entries", "fastest/all/expert"), gone > 0), (Some(gone), true), "{check:?}");
    assert_eq!(of("entries", "fewest/all/standard"), Some(bots));
    for board in ["points/all/", "fastest/all/expert", "fewest/all/standard"] {
        assert!(of("counts", board) > Some(0), "ranks of {board} are added up wrong: {check:?}");
    }
    assert_eq!((of("counts", "rating/all/"), check.what.len()), (None, 8), "{check:?}");
    // Put in place, nothing of it is left.
    rebuild(&store, &clock, Purpose::Replace).await.unwrap();
    assert!(rebuild(&store, &clock, Purpose::Check).await.unwrap().is_same());
});

on_both!(a_check_beside_a_running_journal_holds_no_later_round_against_the_boards, |database| {
    let store = database.open().await;
    let players = people(&store, 12).await;
    let rounds = season(&players, 90);
    store_rounds(&store, &rounds[..40]).await;
    let (beside, clock) = (database.open_beside().await, Clock::start());
    let racing = async {
        for round in &rounds[40..] {
            store_rounds(&store, std::slice::from_ref(round)).await;
        }
    };
    let checking = async {
        loop {
            let check = rebuild(&beside, &clock, Purpose::Check).await.unwrap();
            assert!(check.is_same(), "{check:?}");
            if check.rounds == 90 {
                return;
            }
        }
    };
    // How many come in between depends on the machine.
    let both = async { tokio::join!(racing, checking) };
    timeout(LONG, both).await.expect("a check comes to an end");
});

on_both!(a_rebuild_shows_no_round_before_its_time, |database| {
    let (store, clean) = (database.open().await, TestDatabase::sqlite());
    let never_rebuilt = clean.open().await;
    let players = people(&store, 5).await;
    let rounds = season(&players, 25);
    store_rounds(&store, &rounds[..14]).await;
    let shown = numbers(&store, &players, &[]).await;
    store_unshown(&store, &rounds[14..]).await;
    let (ratings, boards) = (players.len(), shown.len() - players.len());
    for _ in 0..2 {
        let report = rebuild(&store, &Clock::start(), Purpose::Replace).await.unwrap();
        assert_eq!((report.rounds, report.differing), (25, Some(0)));
        let now = numbers(&store, &players, &[]).await;
        assert_eq!(now[ratings..], shown[ratings..]);
        assert_ne!(now[..ratings], shown[..ratings], "ratings follow at once");
    }
    assert_eq!(database.count("ladder WHERE shown = 14 AND rounds = 25").await, 1);
    show_rounds(&store).await;
    store_rounds(&never_rebuilt, &rounds).await;
    let (now, expected) = (numbers(&store, &players, &rounds).await, numbers(&never_rebuilt, &players, &rounds).await);
    assert_eq!(now, expected);
    assert_ne!(now[ratings + rounds.len()..][..boards], shown[ratings..]);
});

on_both!(a_rebuild_beside_a_running_journal_loses_no_round, |database| {
    let store = database.open().await;
    let players = people(&store, 12).await;
    let rounds = season(&players, 150);
    store_rounds(&store, &rounds[..40]).await;
    let beside = database.open_beside().await;
    let clock = Clock::start();
    // The first rebuild is at work before anything more is stored; then again and again, until every round is.
    let racing = async {
        let mut between = 0;
        database.until_any("rating WHERE generation = 2").await;
        for round in &rounds[40..] {
            store_rounds(&store, std::slice::from_ref(round)).await;
            between += database.count("ladder WHERE building = 2").await;
        }
        between
    };
    let building = async {
        let mut reports = Vec::new();
        loop {
            let report = rebuild(&beside, &clock, Purpose::Replace).await.unwrap();
            assert_eq!(report.differing, Some(0), "{report:?}");
            reports.push(report.rounds);
            if report.rounds == 150 {
                return reports;
            }
        }
    };
    let both = async { tokio::join!(racing, building) };
    let (between, reports) = timeout(LONG, both).await.expect("a rebuild catches up with the journal");
    assert!(between > 0 && reports[0] > 40, "rounds were stored while the first was at work: {between}, {reports:?}");
    let check = rebuild(&beside, &clock, Purpose::Check).await.unwrap();
    assert_eq!(told(&check), (150, 12, Some(0)));
});

on_both!(a_rebuild_that_died_is_begun_anew, |database| {
    let store = database.open().await;
    let players = people(&store, 4).await;
    let rounds = season(&players, 10);
    store_rounds(&store, &rounds).await;
    let before = numbers(&store, &players, &rounds).await;
    let clock = Clock::start();
    let now_ms = clock.now().0 as i64;
    // It had come half way.
    database.execute(&format!("UPDATE ladder SET building = 2, building_at_ms = {}", now_ms - 30_000)).await;
    database
        .execute(
            "INSERT INTO rating (generation, series, player_id, mu, sigma, rounds, last_at_ms) \
             SELECT 2, series, player_id, 1, 1, 7, 1 FROM rating WHERE generation = 1",
        )
        .await;
    let busy = rebuild(&store, &clock, Purpose::Replace).await;
    assert!(matches!(busy, Err(RebuildError::Busy)), "{busy:?}");
    assert_eq!(numbers(&store, &players, &rounds).await, before);

    database.execute(&format!("UPDATE ladder SET building_at_ms = {}", now_ms - 61_000)).await;
    let report = rebuild(&store, &clock, Purpose::Replace).await.unwrap();
    assert_eq!(told(&report), (10, 4, Some(0)));
    assert_eq!(numbers(&store, &players, &rounds).await, before);
    assert_eq!(database.count("rating WHERE rounds = 7 AND mu = 1").await, 0);
});

/// SQL that lets a statement of each row of a generation of ratings come to nothing, and SQL that takes it back.
fn refusing(database: &TestDatabase, statement: &str, row: &str) -> [String; 2] {
    let before = format!("CREATE TRIGGER no BEFORE {statement} ON rating");
    match database.directory {
        Some(_) => [format!("{before} WHEN {row} BEGIN SELECT RAISE(ABORT, 'no'); END"), "DROP TRIGGER no".to_owned()],
        None => [
            format!(
                "CREATE FUNCTION no() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$; \
                 {before} FOR EACH ROW WHEN ({row}) EXECUTE FUNCTION no()"
            ),
            "DROP TRIGGER no ON rating; DROP FUNCTION no".to_owned(),
        ],
    }
}

on_both!(a_rebuild_that_fails_keeps_nobody_else_waiting, |database| {
    let (store, clock) = (database.open().await, Clock::start());
    let players = people(&store, 4).await;
    let rounds = season(&players, 10);
    store_rounds(&store, &rounds).await;
    let before = numbers(&store, &players, &rounds).await;
    let [refuse, allow] = refusing(&database, "INSERT", "NEW.generation > 1 AND NEW.rounds > 2");
    database.execute(&refuse).await;
    let failed = rebuild(&store, &clock, Purpose::Replace).await;
    assert!(matches!(failed, Err(RebuildError::Store(_))), "{failed:?}");
    assert_eq!(numbers(&store, &players, &rounds).await, before);
    database.execute(&allow).await;
    let report = rebuild(&store, &clock, Purpose::Replace).await.unwrap();
    assert_eq!(told(&report), (10, 4, Some(0)));
    assert_eq!(numbers(&store, &players, &rounds).await, before);
    assert_eq!(database.count("rating WHERE generation <> 3").await, 0, "what was left of the first is gone");
});

on_both!(what_fails_once_the_new_numbers_count_does_not_take_them_back, |database| {
    let (store, clock) = (database.open().await, Clock::start());
    let players = people(&store, 4).await;
    store_rounds(&store, &season(&players, 10)).await;
    let [refuse, allow] = refusing(&database, "DELETE", "OLD.generation = 1");
    database.execute(&refuse).await;
    let report = rebuild(&store, &clock, Purpose::Replace).await.unwrap();
    assert_eq!(told(&report), (10, 4, Some(0)));
    assert_eq!(database.count("ladder WHERE generation = 2 AND building IS NULL").await, 1);
    assert!(database.count("rating WHERE generation = 1").await > 0);
    database.execute(&allow).await;
    rebuild(&store, &clock, Purpose::Replace).await.unwrap();
    assert_eq!(database.count("rating WHERE generation < 3").await, 0, "the next one removes them");
});

#[tokio::test]
async fn comparing_ratings_begins_with_the_rounds_since() {
    let file = TestDatabase::sqlite();
    file.open().await;
    let mut sqlite = SqliteConnection::connect(&file.url).await.unwrap();
    let plan = sqlx::AssertSqlSafe(format!("EXPLAIN QUERY PLAN {RATINGS_DIFFER}"));
    let query = sqlx::query_as(plan).bind(1_i64).bind(2_i64).bind("").bind(9_i64);
    let steps: Vec<(i64, i64, i64, String)> = query.fetch_all(&mut sqlite).await.unwrap();
    let steps: Vec<String> = steps.into_iter().map(|step| step.3).collect();
    let rounds = steps.iter().position(|step| step.contains("INDEX round_number (number>?)"));
    let moves = steps.iter().position(|step| step.starts_with("SEARCH s") && step.contains("round_id=?"));
    assert!(rounds.is_some() && rounds < moves, "{steps:#?}");
}

on_both!(removing_a_cheat_gives_what_would_have_been_without_him, |database| {
    let store = database.open().await;
    let players = people(&store, 6).await;
    let cheat = players[2];
    let rounds = season(&players, 60);
    store_rounds(&store, &rounds).await;
    database.execute("UPDATE player SET standing = 2 WHERE name = 'P2'").await;
    let report = rebuild(&store, &Clock::start(), Purpose::Replace).await.unwrap();
    assert!(report.differing > Some(0));
    assert_eq!(rating(&store, cheat).await, None);

    // Another database, which never had his seats; the numbers are the same on both kinds.
    let other = TestDatabase::sqlite();
    let clean = other.open().await;
    let never = without(&rounds, cheat);
    assert!(never.iter().any(|round| round.seats.len() == 1), "he was alone with somebody");
    store_rounds(&clean, &never).await;
    let others: Vec<Uuid> = players.iter().copied().filter(|player| *player != cheat).collect();
    assert_eq!(numbers(&store, &others, &rounds).await, numbers(&clean, &others, &rounds).await);

    // Let in again, everything is as it was.
    database.execute("UPDATE player SET standing = 0").await;
    rebuild(&store, &Clock::start(), Purpose::Replace).await.unwrap();
    let third = TestDatabase::sqlite();
    let with = third.open().await;
    store_rounds(&with, &rounds).await;
    assert_eq!(numbers(&store, &players, &rounds).await, numbers(&with, &players, &rounds).await);
});

on_both!(a_removed_players_rounds_go_on_to_count_for_the_others, |database| {
    let store = database.open().await;
    let people = people(&store, 2).await;
    store_rounds(&store, &[race(NOON_MS, &people)]).await;
    database.execute("UPDATE player SET standing = 3 WHERE name = 'P1'").await;
    let report = rebuild(&store, &Clock::start(), Purpose::Replace).await.unwrap();
    assert_eq!(told(&report), (1, 2, Some(0)));
});

#[tokio::test]
async fn a_host_rebuilds_and_checks_ratings_from_the_command_line_beside_the_server() {
    let database = TestDatabase::sqlite();
    let store = database.open().await;
    let people = people(&store, 5).await;
    store_rounds(&store, &season(&people, 12)).await;
    let run = |args: &[&str]| program(&[args, &["--database", database.url.as_str()]].concat());
    let rebuilt = run(&["ratings", "rebuild"]);
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    assert_eq!(text(&rebuilt.stdout), "rounds 12 players 5 differing 0\n", "{}", text(&rebuilt.stderr));
    assert_eq!(rebuilt.status.code(), Some(0));
    database.execute("UPDATE rating SET mu = 0 WHERE series = ''").await;
    let checked = run(&["ratings", "check", "--json"]);
    let report: Value = serde_json::from_slice(&checked.stdout).unwrap();
    let what = json!([{ "what": "ratings", "of": "all presets", "rows": 5 }]);
    let expected = json!({ "rounds": 12, "players": 5, "differing": 5, "entries": 0, "what": what });
    assert_eq!((report, checked.status.code()), (expected, Some(1)));
    database.execute("UPDATE board_entry SET wins = 9 WHERE board = 'points/all/'").await;
    let checked = run(&["ratings", "check"]);
    let lines = "rounds 12 players 5 differing 5 entries 5\nratings\tall presets\t5\nentries\tpoints/all/\t5\n";
    assert_eq!((text(&checked.stdout).as_str(), checked.status.code()), (lines, Some(1)));
    let fewer = run(&["ratings", "check", "--pair-rounds", "1"]);
    assert!(text(&fewer.stdout).contains("\nmovements\t"), "{}", text(&fewer.stdout));
    let rebuilt = run(&["ratings", "rebuild"]);
    assert_eq!((text(&rebuilt.stdout).as_str(), rebuilt.status.code()), ("rounds 12 players 5 differing 5\n", Some(0)));
}
