//! How the boards of a database came to be, and what is left of those that are past, on both databases.

use sprint_server::clock::Clock;
use sprint_server::rebuild::{Purpose, rebuild};
use sprint_server::store::{Span, Store, StoreOptions};
use uuid::Uuid;

use crate::database::{TestDatabase, on_both};
use crate::rows::{NOON_MS, player, race, store_rounds};
use crate::store_list::miscounted;

const DAY_MS: i64 = 86_400_000;

/// An id as this database writes it.
fn literal(database: &TestDatabase, id: Uuid) -> String {
    match database.directory {
        Some(_) => format!("x'{}'", id.simple()),
        None => format!("'{id}'"),
    }
}

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
    let [ada, ben, won, lost] = [1_u128, 2, 3, 4].map(|n| literal(&database, Uuid::from_u128(n)));
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
