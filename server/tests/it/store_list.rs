//! The leaderboards, on both databases.

use sprint_server::journal::{Journal, JournalOptions};
use sprint_server::store::{BestAfter, PointsAfter, RoundRecord, SeatRecord, Span, Store};
use uuid::Uuid;

use crate::database::on_each;
use crate::rows::{NOON_MS, append, player, room, round, seat};

const DAY_MS: i64 = 86_400_000;

/// Plays rounds out in a room of their own, one after another.
async fn store_rounds(store: &Store, rounds: Vec<RoundRecord>) {
    let (journal, _task) = Journal::start(store.clone(), JournalOptions::default());
    let new = room(&Uuid::now_v7().simple().to_string());
    store.create_room(&new).await.unwrap();
    for (result, seq) in rounds.into_iter().zip(1..) {
        let mut ending = append(new.room_id, 1, seq, &["over"]);
        ending.outcomes = vec![result];
        journal.append(ending).await.unwrap();
    }
}

async fn points(store: &Store, span: Span, preset: Option<&str>) -> Vec<(String, i64)> {
    let rows = store.sprint_points(span, preset, false, None, 100).await.unwrap();
    rows.into_iter().map(|row| (row.name, row.points)).collect()
}

fn named(rows: &[(&str, i64)]) -> Vec<(String, i64)> {
    rows.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect()
}

on_each!(points_are_summed_by_day_week_and_for_ever_and_by_preset, |database| {
    let store = database.open().await;
    let (ada, bob) = (player(&store, "Ada", false).await, player(&store, "Bob", false).await);
    let bot = player(&store, "Bot", true).await;
    let mut expert = round(NOON_MS, 1, vec![seat(0, bob, 40_000, 22, 700)]);
    expert.preset = Some("expert".to_owned());
    let mut blueprint = round(NOON_MS, 1, vec![seat(0, bob, 40_000, 22, 5000)]);
    blueprint.preset = None;
    store_rounds(
        &store,
        vec![
            round(NOON_MS - 4 * DAY_MS, 1, vec![seat(0, ada, 40_000, 22, 100)]), // Sunday of the week before
            round(NOON_MS - DAY_MS, 1, vec![seat(0, ada, 40_000, 22, 1000)]),
            round(
                NOON_MS,
                1,
                vec![seat(0, ada, 40_000, 22, 10), seat(1, bob, 50_000, 22, 500), seat(2, bot, 1, 20, 9)],
            ),
            expert,
            blueprint,
        ],
    )
    .await;
    assert_eq!(points(&store, Span::All, None).await, named(&[("Bob", 1200), ("Ada", 1110)]));
    assert_eq!(points(&store, Span::week_of(NOON_MS), None).await, named(&[("Bob", 1200), ("Ada", 1010)]));
    assert_eq!(points(&store, Span::day_of(NOON_MS), None).await, named(&[("Bob", 1200), ("Ada", 10)]));
    assert_eq!(points(&store, Span::All, Some("standard")).await, named(&[("Ada", 1110), ("Bob", 500)]));
    assert_eq!(points(&store, Span::All, Some("expert")).await, named(&[("Bob", 700)]));
    let bots = store.sprint_points(Span::All, None, true, None, 10).await.unwrap();
    assert_eq!(bots.iter().map(|row| (row.name.as_str(), row.points)).collect::<Vec<_>>(), [("Bot", 9)]);
});

on_each!(the_first_to_reach_a_sum_stays_before_those_who_equal_it_later, |database| {
    let store = database.open().await;
    let (late, early) = (player(&store, "Late", false).await, player(&store, "Early", false).await);
    store_rounds(
        &store,
        vec![
            round(NOON_MS, 1, vec![seat(0, late, 40_000, 22, 500)]),
            round(NOON_MS + 1, 1, vec![seat(0, early, 40_000, 22, 1000)]),
            round(NOON_MS + 2, 1, vec![seat(0, late, 40_000, 22, 500)]),
            // A round without points changes neither sum nor the instant at which it was reached.
            round(NOON_MS + 3, 1, vec![seat(0, early, 40_000, 22, 0)]),
        ],
    )
    .await;
    assert_eq!(points(&store, Span::All, None).await, named(&[("Early", 1000), ("Late", 1000)]));
    assert_eq!(
        points(&store, Span::day_of(NOON_MS), Some("standard")).await,
        named(&[("Early", 1000), ("Late", 1000)])
    );
});

on_each!(the_pages_of_a_list_hold_every_player_once, |database| {
    let store = database.open().await;
    let mut rounds = Vec::new();
    for index in 0..7 {
        let id = player(&store, &format!("P{index}"), false).await;
        // Many equal in value and instant: the order among them still has to be total.
        rounds.push(round(NOON_MS, 1, vec![seat(0, id, 40_000, 22, 1000 + index / 3)]));
    }
    store_rounds(&store, rounds).await;

    let mut by_points = Vec::new();
    let mut after = None;
    loop {
        let page = store.sprint_points(Span::All, None, false, after, 2).await.unwrap();
        let Some(last) = page.last() else { break };
        let (points, reached_at_ms, player_id) = (last.points, last.reached_at_ms, last.player_id);
        after = Some(PointsAfter { points, reached_at_ms, player_id });
        by_points.extend(page.into_iter().map(|row| row.name));
    }
    assert_eq!(by_points, ["P6", "P3", "P4", "P5", "P0", "P1", "P2"]);

    let mut by_time = Vec::new();
    let mut after = None;
    loop {
        let page = store.fastest(Span::All, "standard", false, after, 3).await.unwrap();
        let Some(last) = page.last() else { break };
        let (value, finished_at_ms, round_id) = (last.value, last.finished_at_ms, last.round_id);
        after = Some(BestAfter { value, finished_at_ms, round_id, player_id: last.player_id });
        by_time.extend(page.into_iter().map(|row| row.name));
    }
    by_time.sort_unstable();
    assert_eq!(by_time, ["P0", "P1", "P2", "P3", "P4", "P5", "P6"]);
});

on_each!(the_fastest_list_takes_each_players_best_clean_uninterrupted_finish, |database| {
    let store = database.open().await;
    let (ada, bob, cy) =
        (player(&store, "Ada", false).await, player(&store, "Bob", false).await, player(&store, "Cy", false).await);
    let bot = player(&store, "Bot", true).await;
    let mut interrupted = round(NOON_MS, 1, vec![seat(0, ada, 5_000, 22, 1000)]);
    interrupted.interrupted = true;
    let with_errors = SeatRecord { clean: false, errors: 2, ..seat(1, bob, 6_000, 22, 1000) };
    let unfinished =
        SeatRecord { finished: false, official_ms: None, raw_ms: None, stars: None, ..seat(2, cy, 0, 3, 0) };
    store_rounds(
        &store,
        vec![
            interrupted,
            round(NOON_MS + 1, 1, vec![seat(0, ada, 50_000, 22, 1000), with_errors, unfinished]),
            round(NOON_MS + 2, 1, vec![seat(0, ada, 40_000, 22, 1000), seat(1, bob, 40_000, 30, 1000)]),
            round(NOON_MS + 3, 1, vec![seat(0, ada, 40_000, 22, 1000), seat(1, bot, 1_000, 20, 1000)]),
            round(NOON_MS + DAY_MS, 1, vec![seat(0, bob, 30_000, 22, 1000)]),
        ],
    )
    .await;
    let list = |span| {
        let store = store.clone();
        async move {
            let rows = store.fastest(span, "standard", false, None, 10).await.unwrap();
            rows.into_iter().map(|row| (row.name, row.value, row.finished_at_ms)).collect::<Vec<_>>()
        }
    };
    let row = |name: &str, value, at| (name.to_owned(), value, at);
    assert_eq!(list(Span::All).await, [row("Bob", 30_000, NOON_MS + DAY_MS), row("Ada", 40_000, NOON_MS + 2)]);
    let today = list(Span::day_of(NOON_MS)).await;
    assert_eq!(today.iter().map(|row| row.1).collect::<Vec<_>>(), [40_000, 40_000]);
    assert!(today.iter().all(|row| row.2 == NOON_MS + 2), "the first to reach a time keeps it: {today:?}");
    let bots = store.fastest(Span::All, "standard", true, None, 10).await.unwrap();
    assert_eq!(bots.iter().map(|row| row.value).collect::<Vec<_>>(), [1_000]);
});

on_each!(the_fewest_list_compares_moves_with_the_optimum_of_the_board, |database| {
    let store = database.open().await;
    let (ada, bob) = (player(&store, "Ada", false).await, player(&store, "Bob", false).await);
    let mut harder = round(NOON_MS + 1, 1, vec![seat(0, bob, 90_000, 25, 1000)]);
    harder.optimum = Some(24);
    let mut unproven = round(NOON_MS + 2, 1, vec![seat(0, ada, 90_000, 1, 1000)]);
    unproven.optimum = None;
    store_rounds(&store, vec![round(NOON_MS, 1, vec![seat(0, ada, 10_000, 21, 1000)]), harder, unproven]).await;
    let rows = store.fewest(Span::All, "standard", false, None, 10).await.unwrap();
    let seen: Vec<_> = rows.iter().map(|row| (row.name.as_str(), row.moves, row.optimum)).collect();
    // 25/24 = 1.0417 is nearer to the optimum than 21/20 = 1.05.
    assert_eq!(seen, [("Bob", 25, Some(24)), ("Ada", 21, Some(20))]);
});
