//! What a database keeps of boards: counts of their stretches, and what is left of those that are past, on both databases.

use std::time::Duration;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use sprint_server::clock::Clock;
use sprint_server::rebuild::{Purpose, rebuild};
use sprint_server::store::{
    BOARD_PAGE, BOARD_RANK, BOARD_UP_TO, BoardKey, List, RoundRecord, Span, Store, StoreOptions,
};
use sqlx::{AssertSqlSafe, Connection, PgConnection, SqliteConnection};
use uuid::Uuid;

use crate::database::{TestDatabase, on_both};
use crate::rows::{NOON_MS, player, race, store_rounds};
use crate::season::people;

const DAY_MS: i64 = 86_400_000;

/// Counts all entries anew, for tests that write some by hand. Must say the same as the migration that made the table.
const RECOUNT: &str = "INSERT INTO board_count SELECT generation, board, list, \
     place >> CASE WHEN substr(board, 1, 7) = 'rating/' THEN 14 ELSE 8 END, count(*) FROM board_entry GROUP BY 1, 2, 3, 4";

/// Counts of stretches that are not as the entries themselves say.
async fn miscounted(database: &TestDatabase) -> i64 {
    let counts = "SELECT generation, board, list, stretch, entries FROM board_count WHERE entries <> 0";
    let entries = "SELECT generation, board, list, place >> CASE WHEN substr(board, 1, 7) = 'rating/' THEN 14 ELSE 8 END \
         AS stretch, count(*) AS entries FROM board_entry GROUP BY 1, 2, 3, 4";
    let more = |one: &str, other: &str| format!("SELECT * FROM ({one} EXCEPT {other}) AS more");
    database.count(&format!("({} UNION ALL {}) AS miscounted", more(counts, entries), more(entries, counts))).await
}

on_both!(every_entry_is_counted_in_its_stretch, |database| {
    let store = database.open().await;
    let people = people(&store, 4).await;
    let race_of = |index: usize| {
        let (one, other) = (index % 4, (index + 1 + index / 4 % 3) % 4);
        race(NOON_MS + index as i64 * DAY_MS / 3, &[people[one], people[other]])
    };
    let rounds: Vec<RoundRecord> = (0..120).map(race_of).collect();
    for part in rounds.chunks(25) {
        store_rounds(&store, part).await;
        assert_eq!(miscounted(&database).await, 0);
    }
    assert!(
        database.count("board_count WHERE board = 'rating/all/' AND entries > 0").await > 1,
        "ratings have settled"
    );
    store.delete_player(people[0], NOON_MS).await.unwrap();
    assert_eq!(miscounted(&database).await, 0);
    rebuild(&store, &Clock::start(), Purpose::Replace).await.unwrap();
    assert_eq!(miscounted(&database).await, 0);
    assert_eq!(database.count("board_count WHERE generation <> 2").await, 0);
    store.set_erased(people[1], Uuid::now_v7()).await.unwrap();
    assert_eq!(miscounted(&database).await, 0);
});

/// Places of a board, with many ties, in five stretches: `(place, reached_at_ms)`.
fn a_board() -> impl Strategy<Value = Vec<(i64, i64)>> {
    prop::collection::vec(((-3_i64..3).prop_map(|place| place * 200), 0_i64..3), 1..40)
}

on_both!(own_place_and_neighbours_agree_with_the_whole_list, |database| {
    let store = database.open().await;
    let mut runner = TestRunner::deterministic();
    for case in 0..24 {
        let places = a_board().new_tree(&mut runner).unwrap().current();
        let board = BoardKey::points(Span::Day(case), None);
        let mut expected = Vec::new();
        let mut values = Vec::new();
        for (place, reached_at_ms) in places {
            let player = Uuid::new_v4();
            let id = database.literal(player);
            values.push(format!("(1, '{}', 0, {id}, {place}, {reached_at_ms}, {id}, 1, 0)", board.as_str()));
            expected.push((place, reached_at_ms, player));
        }
        database.execute(&format!("INSERT INTO board_entry VALUES {}", values.join(", "))).await;
        database.execute(&format!("DELETE FROM board_count; {RECOUNT}")).await;
        expected.sort_unstable();
        for (index, (.., player)) in expected.iter().enumerate() {
            let around = case as usize % 4;
            let (rank, rows) = store.board_around(&board, List::People, *player, around as i64).await.unwrap().unwrap();
            assert_eq!(rank, index as i64 + 1);
            let rows: Vec<_> = rows.iter().map(|row| (row.place, row.reached_at_ms, row.player_id)).collect();
            assert_eq!(rows, expected[index.saturating_sub(around)..(index + around + 1).min(expected.len())]);
        }
        assert_eq!(store.board_around(&board, List::People, Uuid::new_v4(), 3).await.unwrap(), None);
        assert_eq!(store.board_around(&board, List::Bots, expected[0].2, 3).await.unwrap(), None);
    }
});

/// Fills a board of 20,000 and another beside it, as a database lays them out that has been in use.
fn filled(database: &TestDatabase) -> String {
    let is_file = database.directory.is_some();
    let numbers = match is_file {
        true => "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)",
        false => "WITH n(i) AS (SELECT generate_series(1::bigint, 20000))",
    };
    let id = if is_file { "unhex(printf('%032x', i))" } else { "lpad(to_hex(i), 32, '0')::uuid" };
    let vacuum = if is_file { "ANALYZE" } else { "VACUUM ANALYZE" };
    format!(
        "INSERT INTO board_entry {numbers} SELECT 1, 'points/all/', 0, {id}, -(i * 7919 % 20011), i, {id}, 4, 1 FROM n; \
         INSERT INTO board_entry SELECT 1, 'points/all/standard', 0, player_id, place, reached_at_ms, round_id, 2, 1 \
           FROM board_entry; {RECOUNT}; {vacuum}"
    )
}

#[tokio::test]
async fn pages_own_places_and_neighbours_read_the_index_alone() {
    let file = TestDatabase::sqlite();
    file.open().await;
    file.execute(&filled(&file)).await;
    let mut sqlite = SqliteConnection::connect(&file.url).await.unwrap();
    let cluster = TestDatabase::postgres().await;
    cluster.open().await;
    for statement in filled(&cluster).split("; ") {
        cluster.execute(statement).await;
    }
    let mut postgres = PgConnection::connect(&cluster.url).await.unwrap();
    let board = BoardKey::points(Span::All, None);
    // Of the first, of one in the middle and of the last: the more rows, the more a scan of all of them tempts.
    for place in [-20_010_i64, -10_000, 0] {
        let (stretch, first) = board.stretch(place);
        for (sql, is_page, side) in [(BOARD_PAGE, true, '>'), (BOARD_UP_TO, true, '<'), (BOARD_RANK, false, '<')] {
            let plan = AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}"));
            let query = sqlx::query_as(plan).bind(board.as_str()).bind(0_i64).bind(place).bind(0_i64).bind(Uuid::nil());
            let query = match is_page {
                true => query.bind(50_i64).bind("").bind(i64::MAX),
                false => query.bind(stretch).bind(first),
            };
            let steps: Vec<(i64, i64, i64, String)> = query.fetch_all(&mut sqlite).await.unwrap();
            let steps: Vec<String> = steps.into_iter().map(|step| step.3).collect();
            let range = "SEARCH board_entry USING COVERING INDEX board_order (generation=? AND board=? AND list=? AND ";
            let found = |step: &String| step.strip_prefix(range).is_some_and(|rest| rest.contains(side));
            assert!(steps.iter().any(found), "{steps:#?}");
            assert!(!steps.iter().any(|step| step.contains("SCAN board_")), "{steps:#?}");

            let plan = AssertSqlSafe(format!("EXPLAIN {sql}"));
            let query = sqlx::query_scalar(plan).bind(board.as_str()).bind(0_i64).bind(place).bind(0_i64);
            let query = query.bind(Uuid::nil());
            let query = match is_page {
                true => query.bind(50_i64).bind("").bind(i64::MAX),
                false => query.bind(stretch).bind(first),
            };
            let lines: Vec<String> = query.fetch_all(&mut postgres).await.unwrap();
            let plan = lines.join("\n");
            assert!(plan.contains("Index Only Scan"), "{plan}");
            assert!(plan.contains("using board_order on board_entry"), "{plan}");
            assert!(plan.contains("(ROW(place, reached_at_ms, player_id)"), "a range of the index: {plan}");
            assert!(!plan.contains("Scan on board_entry"), "{plan}");
            // A place is one of a stretch: what is counted one by one is no longer than that.
            assert!(is_page || plan.contains("place >="), "{plan}");
        }
    }
}

/// An entry without its generation.
type Entry = (String, i64, Uuid, i64, i64, Uuid, i64, i64);

async fn all_entries(database: &TestDatabase) -> Vec<Entry> {
    const SQL: &str = "SELECT board, list, player_id, place, reached_at_ms, round_id, rounds, wins FROM board_entry \
         WHERE generation = (SELECT generation FROM ladder) ORDER BY board, list, player_id";
    let entries = match database.directory {
        Some(_) => sqlx::query_as(SQL).fetch_all(&mut SqliteConnection::connect(&database.url).await.unwrap()).await,
        None => sqlx::query_as(SQL).fetch_all(&mut database.connect().await).await,
    };
    entries.unwrap()
}

on_both!(past_days_and_weeks_are_kept_as_long_as_the_setting_says_and_a_rebuild_comes_to_the_same, |database| {
    let store = database.open().await;
    let people = people(&store, 4).await;
    // Forty days, each with more rows than a slice has in all.
    let race_of = |index: i64| {
        race(NOON_MS + index * DAY_MS / 3, &[people[index as usize % 4], people[(index as usize + 1) % 4]])
    };
    store_rounds(&store, &(0..120).map(race_of).collect::<Vec<_>>()).await;
    assert_eq!(store.sweep(i64::MAX).await.unwrap(), 0, "without the setting all is kept");
    let whole = database.count("board_entry").await;
    let for_ever = "board_entry WHERE board LIKE '%/all/%'";
    let before = database.count(for_ever).await;

    // Ten days after the last round, with six days kept: the week of day 35 has ended before that, that of day 39 not.
    let options = StoreOptions { kept_ms: Some(6 * DAY_MS), exclusive: false, ..database.options() };
    let keeps = Store::open(&database.url, options).await.unwrap();
    let now_ms = NOON_MS + 40 * DAY_MS;
    let removed = keeps.sweep(now_ms).await.unwrap();
    assert!(removed > 500 && database.count("board_entry").await < whole, "{removed} in more than one slice");
    assert_eq!(database.count(for_ever).await, before);
    assert_eq!(keeps.sweep(now_ms).await.unwrap(), 0);
    let Span::Day(first) = Span::day_of(now_ms - 6 * DAY_MS) else { unreachable!("a day") };
    for day in [first - 1, first] {
        let kept = database.count(&format!("board_entry WHERE board LIKE '%/d{day}/%'")).await > 0;
        assert_eq!(kept, day == first, "day {day} ended {} days ago", 34 + first - day);
    }
    assert_eq!(database.count(&format!("pair_day WHERE day < {first}")).await, 0);
    assert!(database.count("pair_day").await > 0);
    assert_eq!(miscounted(&database).await, 0);

    // A rebuild from the stored rounds comes to the same boards, and to the same as one that had kept all.
    let kept = all_entries(&database).await;
    let clock = Clock::anchored(Duration::from_millis(now_ms as u64));
    rebuild(&keeps, &clock, Purpose::Replace).await.unwrap();
    assert_eq!(all_entries(&database).await, kept);
    assert_eq!(miscounted(&database).await, 0);
    rebuild(&store, &clock, Purpose::Replace).await.unwrap();
    assert_eq!(database.count("board_entry").await, whole);
    keeps.sweep(now_ms).await.unwrap();
    assert_eq!(all_entries(&database).await, kept);
});

on_both!(counts_of_a_past_day_go_though_none_of_its_entries_is_left, |database| {
    let options = StoreOptions { kept_ms: Some(DAY_MS), ..database.options() };
    let store = Store::open(&database.url, options).await.unwrap();
    let day = |ago: i64| Span::day_of(NOON_MS - ago * DAY_MS).key();
    database.execute("INSERT INTO ladder (id, generation, rounds) VALUES (1, 1, 0)").await;
    for (board, entries) in [
        // Of a sweep that broke off between entries and counts, and of a player who has deleted everything.
        (format!("points/{}/", day(9)), 3),
        (format!("points/{}/standard", day(3)), 0),
        (format!("points/{}/", day(0)), 1),
        ("points/all/".to_owned(), 1),
    ] {
        database.execute(&format!("INSERT INTO board_count VALUES (1, '{board}', 0, 0, {entries})")).await;
    }
    assert_eq!(store.sweep(NOON_MS).await.unwrap(), 2);
    assert_eq!(database.count(&format!("board_count WHERE board = 'points/{}/'", day(0))).await, 1);
    assert_eq!(database.count("board_count").await, 2);
});

on_both!(ratings_follow_the_formula_of_whoever_counted_the_first_round_until_they_are_rebuilt, |database| {
    let store = database.open().await;
    assert!(store.follows_formula().await.unwrap(), "nothing is counted yet");
    let (ada, ben) = (player(&store, "Ada", false).await, player(&store, "Ben", false).await);
    store_rounds(&store, &[race(NOON_MS, &[ada, ben])]).await;
    assert!(store.follows_formula().await.unwrap());
    // As another program had counted it.
    database.execute("UPDATE ladder SET formula = formula - 1").await;
    store_rounds(&store, &[race(NOON_MS, &[ben, ada])]).await;
    assert!(!store.follows_formula().await.unwrap(), "one round is of the other formula");
    rebuild(&store, &Clock::start(), Purpose::Check).await.unwrap();
    assert!(!store.follows_formula().await.unwrap());
    rebuild(&store, &Clock::start(), Purpose::Replace).await.unwrap();
    assert!(store.follows_formula().await.unwrap());
});

on_both!(a_database_from_before_stretches_were_counted_has_the_counts_that_its_entries_say, |database| {
    database.migrate_to(6).await;
    let [ada, ben, won, lost] = [1_u128, 2, 3, 4].map(|n| database.literal(Uuid::from_u128(n)));
    let mut rows = vec!["INSERT INTO ladder (id, generation, rounds) VALUES (1, 1, 2)".to_owned()];
    for (number, round) in [(1, &won), (2, &lost)] {
        let at_ms = NOON_MS + number;
        rows.push(format!(
            "INSERT INTO round_result (round_id, room_id, round, first_seq, last_seq, preset, board, seed, \
               deal_version, contest, placement, rated, matched, interrupted, started_at_ms, finished_at_ms, body, number) \
             VALUES ({round}, {round}, 1, 1, 1, 'standard', 'b', '00', 1, 'fastest', 'strict', TRUE, TRUE, FALSE, {NOON_MS}, \
               {at_ms}, '{{}}', {number})"
        ));
        for (seat, player) in [(0, &ada), (1, &ben)] {
            rows.push(format!(
                "INSERT INTO seat_rating (generation, round_id, series, seat, player_id, mu_before, sigma_before, \
                   mu_after, sigma_after) VALUES (1, {round}, '', {seat}, {player}, 0, 1, 2, 3)"
            ));
        }
    }
    // Places on either side of the end of a stretch, below nothing and above it.
    for (board, player, place) in [
        ("points/all/", &ada, -257),
        ("points/all/", &ben, -256),
        ("points/all/", &won, -1),
        ("points/all/", &lost, 0),
        ("fewest/all/standard", &ada, 255),
        ("fewest/all/standard", &ben, 256),
        ("rating/all/", &ada, -16_385),
        ("rating/all/", &ben, -16_384),
        ("rating/all/", &won, 16_383),
        ("rating/all/", &lost, 16_384),
    ] {
        rows.push(format!(
            "INSERT INTO board_entry VALUES (1, '{board}', 0, {player}, {place}, {NOON_MS}, {won}, 2, 1)"
        ));
    }
    for row in &rows {
        database.execute(row).await;
    }
    let store = database.open().await;
    // By hand: a stretch is 256 places, of ratings 16,384, and it is rounded down.
    for (board, stretch, entries) in [
        ("points/all/", -2, 1),
        ("points/all/", -1, 2),
        ("points/all/", 0, 1),
        ("fewest/all/standard", 0, 1),
        ("fewest/all/standard", 1, 1),
        ("rating/all/", -2, 1),
        ("rating/all/", -1, 1),
        ("rating/all/", 0, 1),
        ("rating/all/", 1, 1),
    ] {
        let row = format!("board_count WHERE board = '{board}' AND stretch = {stretch} AND entries = {entries}");
        assert_eq!(database.count(&row).await, 1, "{row}");
    }
    assert_eq!(database.count("board_count").await, 9);
    assert_eq!(miscounted(&database).await, 0);
    // Both rounds stand on the boards already: they are not added to them once more.
    assert!(!store.show_rounds(i64::MAX).await.unwrap());
    assert_eq!(database.count("board_entry WHERE rounds = 2 AND wins = 1").await, 10);
    assert_eq!(database.count("ladder WHERE rounds = 2 AND shown = 2").await, 1);
});
