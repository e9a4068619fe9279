//! A season of races between players of known strengths, stored as the journal stores rounds, and rebuilt.

use std::time::Instant;

use sprint_server::clock::Clock;
use sprint_server::journal::{Journal, JournalOptions};
use sprint_server::rebuild::{Purpose, rebuild};
use sprint_server::store::{Durability, RoundRecord, Store, StoreOptions};
use uuid::Uuid;

use crate::calibration::{Came, Noise, PLAYERS, Pairing, ROUNDS, SPREADS, season, spearman};
use crate::database::TestDatabase;
use crate::rows::{NOON_MS, append, player, race, room, show_rounds};

/// From round to round, in milliseconds: of two hundred players, hardly two meet six times on one day.
const EVERY_MS: i64 = 600_000;
/// Rounds that are stored by one transaction.
const AT_ONCE: usize = 250;
/// What follows from the rounds: tables, and what their rows say but for the generation.
const TABLES: [(&str, &str); 4] = [
    ("rating", "series, player_id, mu, sigma, rounds, last_at_ms"),
    ("seat_rating", "round_id, series, seat, player_id, mu_before, sigma_before, mu_after, sigma_after, rounds"),
    ("board_entry", "board, list, player_id, place, reached_at_ms, round_id, rounds, wins"),
    ("pair_day", "day, player_a, player_b, rounds"),
];

fn record(index: usize, came: &[Came], players: &[Uuid]) -> RoundRecord {
    let mut came: Vec<&Came> = came.iter().collect();
    came.sort_by_key(|came| came.rank);
    let order: Vec<Uuid> = came.iter().map(|came| players[came.player]).collect();
    let mut round = race(NOON_MS + index as i64 * EVERY_MS, &order);
    for (seat, came) in round.seats.iter_mut().zip(came) {
        seat.rank = came.rank;
        if came.has_left {
            (seat.finished, seat.official_ms, seat.score) = (false, None, 0);
        }
    }
    round
}

async fn stored_and_rebuilt(database: &TestDatabase, rounds: usize) {
    let options = StoreOptions { durability: Durability::Process, pair_rounds_max: None, ..database.options() };
    let store = Store::open(&database.url, options).await.unwrap();
    let mut players = Vec::new();
    for index in 0..PLAYERS {
        players.push(player(&store, &format!("P{index}"), false).await);
    }
    let season = season(Noise::Gumbel, Pairing::Window, SPREADS[0], 1);
    let records = season.races[..rounds].iter().enumerate().map(|(index, came)| record(index, came, &players));
    let records: Vec<RoundRecord> = records.collect();

    let (journal, _task) = Journal::start(store.clone(), JournalOptions::default());
    let new = room("SEASON");
    store.create_room(&new).await.unwrap();
    let begun = Instant::now();
    for (slice, seq) in records.chunks(AT_ONCE).zip(1..) {
        let mut ending = append(new.room_id, 1, seq, &["over"]);
        ending.outcomes = slice.to_vec();
        journal.append(ending).await.unwrap();
    }
    show_rounds(&store).await;
    let stored_s = begun.elapsed().as_secs_f64();

    // What races in memory came to, race by race, is what is stored.
    let mut means = Vec::new();
    for player in &players {
        let rows = store.ratings_of(*player).await.unwrap();
        means.push(rows.iter().find(|row| row.series.is_empty()).expect("everybody has raced").rating());
    }
    if rounds == ROUNDS {
        assert_eq!(means, season.ratings);
    }
    let order = spearman(&season.skills, &means.iter().map(|rating| rating.mu as f64).collect::<Vec<_>>());

    for (table, columns) in TABLES {
        database.execute(&format!("CREATE TABLE before_{table} AS SELECT {columns} FROM {table}")).await;
    }
    let begun = Instant::now();
    let report = rebuild(&store, &Clock::start(), Purpose::Replace).await.unwrap();
    let rebuilt_s = begun.elapsed().as_secs_f64();
    let (mut compared, mut differing) = (0, 0);
    for (table, columns) in TABLES {
        let (now, before) = (format!("SELECT {columns} FROM {table}"), format!("SELECT {columns} FROM before_{table}"));
        for (one, other) in [(&now, &before), (&before, &now)] {
            differing += database.count(&format!("(SELECT * FROM ({one} EXCEPT {other}) AS a) AS b")).await;
        }
        compared += database.count(&format!("before_{table}")).await;
        assert_eq!(database.count(table).await, database.count(&format!("before_{table}")).await, "{table}");
    }
    println!(
        "{}: rounds {} stored in {stored_s:.1} s, rebuilt in {rebuilt_s:.1} s, {:.0} a second; rows compared {compared}, \
         differing {differing}; Spearman of rating and strength {order:.3}",
        if store.is_sqlite() { "SQLite" } else { "Postgres" },
        report.rounds,
        report.rounds as f64 / rebuilt_s,
    );
    assert_eq!((report.rounds, report.players), (rounds as u64, PLAYERS as u64));
    assert_eq!((report.differing, differing), (Some(0), 0));
    assert!(compared > 6 * rounds as i64, "{compared} rows");
}

/// As many as `SEASON_ROUNDS` says: `make bench` has all of the season stored, `make test` as many as take some seconds.
fn rounds(else_so_many: usize) -> usize {
    let asked = std::env::var("SEASON_ROUNDS").ok().and_then(|rounds| rounds.parse().ok());
    asked.unwrap_or(else_so_many).min(ROUNDS)
}

#[tokio::test]
async fn stored_rounds_are_rebuilt_bit_by_bit_on_sqlite() {
    stored_and_rebuilt(&TestDatabase::sqlite(), rounds(2_000)).await;
}

#[tokio::test]
async fn stored_rounds_are_rebuilt_bit_by_bit_on_postgres() {
    stored_and_rebuilt(&TestDatabase::postgres().await, rounds(500)).await;
}
