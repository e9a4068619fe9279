//! Places on boards, which follow from a round once the delay of its room is over: whoever looks there learns of a rated
//! race no sooner than its spectators do (RULES section 5).
//!
//! Rounds follow one another by `round_result.number`, as ratings do. Must never write an entry without counting it in
//! `board_count`: ranks are added up from there.

use std::collections::BTreeMap;
use std::time::Duration;

use sprint_shared::options::RATED_DELAY_S_MIN;
use sqlx::{FromRow, PgConnection, Postgres, QueryBuilder, Sqlite, SqliteConnection};
use tokio::time::{Instant, interval};
use uuid::Uuid;

use super::entry::Entries;
use super::ladder::{CountedRound, Field, LOCK_LADDER, Ladder, Move, among, make_way};
use super::rebuild::{NEXT_ROUNDS, NumberedRound, ROUNDS, SEATS};
use super::standings::stretch_of;
use super::{SeatRecord, Store, StoreError, on_db};
use crate::rating::Rating;

/// How often rounds are looked for whose delay is over.
const OFTEN: Duration = Duration::from_secs(1);
/// The delay of rooms that quick match opens.
const DELAY_MS: i64 = RATED_DELAY_S_MIN as i64 * 1_000;
/// A round that ends later than this from now was stored before the clock went back: nobody waits for it.
const AHEAD_MS: i64 = 60_000;

/// The next round that is to be shown.
const NEXT: &str = "SELECT r.finished_at_ms FROM ladder l JOIN round_result r ON r.number = l.shown + 1 WHERE l.id = 1";
const SHOWN: &str = "UPDATE ladder SET shown = $1 WHERE id = 1";
const MOVES: &str = "SELECT series, seat, player_id, mu_before, sigma_before, mu_after, sigma_after, rounds \
     FROM seat_rating WHERE generation = $1 AND round_id = $2 ORDER BY series, player_id";
const COUNT: &str = "INSERT INTO board_count (generation, board, list, stretch, entries) ";
const ADD_COUNT: &str = " ON CONFLICT (generation, board, list, stretch) DO UPDATE SET \
       entries = board_count.entries + excluded.entries";
/// Takes a player's entries from the counts, before they are removed.
pub(super) const UNCOUNT: &str = "UPDATE board_count SET entries = entries - 1 \
     WHERE (generation, board, list, stretch) IN (SELECT generation, board, list, \
       place >> CASE WHEN substr(board, 1, 7) = 'rating/' THEN 14 \
         WHEN substr(board, 1, 6) IN ('stage/', 'daily/') THEN 13 ELSE 8 END FROM board_entry WHERE player_id = $1)";

const INSERT_ENTRY: &str =
    "INSERT INTO board_entry (generation, board, list, player_id, place, reached_at_ms, round_id, rounds, wins) ";
/// A sum stands as of the round that last added to it.
const ADD: &str = " ON CONFLICT (generation, board, list, player_id) DO UPDATE SET \
       place = board_entry.place + excluded.place, rounds = board_entry.rounds + 1, \
       wins = board_entry.wins + excluded.wins, \
       round_id = CASE WHEN excluded.place < 0 AND excluded.reached_at_ms >= board_entry.reached_at_ms \
         THEN excluded.round_id ELSE board_entry.round_id END, \
       reached_at_ms = CASE WHEN excluded.place < 0 AND excluded.reached_at_ms >= board_entry.reached_at_ms \
         THEN excluded.reached_at_ms ELSE board_entry.reached_at_ms END";
/// Who equals an own best stands as of the first.
const REPLACE_IF_BETTER: &str = " ON CONFLICT (generation, board, list, player_id) DO UPDATE SET \
       rounds = board_entry.rounds + 1, wins = board_entry.wins + excluded.wins, \
       round_id = CASE WHEN excluded.place < board_entry.place THEN excluded.round_id ELSE board_entry.round_id END, \
       reached_at_ms = CASE WHEN excluded.place < board_entry.place \
         THEN excluded.reached_at_ms ELSE board_entry.reached_at_ms END, \
       place = CASE WHEN excluded.place < board_entry.place THEN excluded.place ELSE board_entry.place END";
const PUT_RATING: &str = "INSERT INTO board_entry (generation, board, list, player_id, place, reached_at_ms, round_id, \
       rounds, wins) \
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, coalesce((SELECT p.wins FROM board_entry p \
       WHERE p.generation = $1 AND p.board = $9 AND p.list = $3 AND p.player_id = $4), 0)) \
     ON CONFLICT (generation, board, list, player_id) DO UPDATE SET place = excluded.place, \
       reached_at_ms = excluded.reached_at_ms, round_id = excluded.round_id, rounds = excluded.rounds, \
       wins = excluded.wins";
const TAKE_RATING: &str =
    "DELETE FROM board_entry WHERE generation = $1 AND board = $2 AND list = $3 AND player_id = $4";

impl Store {
    /// Shows rounds as their delay ends, for as long as it is left to run; stopping it loses nothing. `now_ms` is
    /// milliseconds since the Unix epoch.
    pub async fn keep_showing(&self, now_ms: impl Fn() -> i64) {
        let warn = |error| tracing::warn!(%error, "boards could not be written; trying again every second");
        keep_stepping(OFTEN, || self.show_rounds(now_ms()), warn).await;
    }

    /// Writes the entries of some rounds whose delay is over by `now_ms`; false once there are none.
    pub async fn show_rounds(&self, now_ms: i64) -> Result<bool, StoreError> {
        let next: Option<i64> = on_db!(self, MemoryDatabase::round_to_show(), |db| sqlx::query_scalar(NEXT)
            .fetch_optional(&db.read)
            .await)?;
        if !next.is_some_and(|finished_at_ms| is_due(finished_at_ms, now_ms)) {
            return Ok(false);
        }
        self.before_write().await?;
        let oldest_ms = self.oldest_kept_ms(now_ms);
        let outcome = on_db!(self, |db| async {
            let mut tx = db.write.begin_with(db.begin).await?;
            let (generation, shown): (i64, i64) = sqlx::query_as(LOCK_LADDER).fetch_one(&mut *tx).await?;
            let rounds: Vec<NumberedRound> =
                sqlx::query_as(NEXT_ROUNDS).bind(shown).bind(ROUNDS).fetch_all(&mut *tx).await?;
            let mut last = shown;
            for round in rounds.into_iter().take_while(|round| is_due(round.finished_at_ms, now_ms)) {
                let seats: Vec<SeatRecord> = sqlx::query_as(SEATS).bind(round.round_id).fetch_all(&mut *tx).await?;
                last = round.number;
                tx.show(generation, &round.with(seats), oldest_ms).await?;
            }
            sqlx::query(SHOWN).bind(last).execute(&mut *tx).await?;
            tx.commit().await?;
            Ok(last > shown)
        }
        .await);
        self.wrote(outcome)
    }
}

/// Steps as often as that, and again while a step says that there is more. Of errors that follow one another `warn` is
/// told the first.
async fn keep_stepping<S>(often: Duration, mut step: impl FnMut() -> S, warn: impl Fn(StoreError))
where
    S: Future<Output = Result<bool, StoreError>>,
{
    let (mut often, mut fails) = (interval(often), false);
    loop {
        often.tick().await;
        loop {
            let begun = Instant::now();
            match step().await {
                Ok(more) => {
                    fails = false;
                    if !more {
                        break;
                    }
                }
                Err(error) => {
                    if !fails {
                        warn(error);
                    }
                    fails = true;
                    break;
                }
            }
            make_way(begun).await;
        }
    }
}

fn is_due(finished_at_ms: i64, now_ms: i64) -> bool {
    finished_at_ms <= now_ms.saturating_sub(DELAY_MS) || finished_at_ms > now_ms.saturating_add(AHEAD_MS)
}

/// How a rating moved in a round, as stored.
#[derive(FromRow)]
struct Moved {
    series: String,
    seat: i64,
    player_id: Uuid,
    mu_before: i64,
    sigma_before: i64,
    mu_after: i64,
    sigma_after: i64,
    rounds: i64,
}

impl Moved {
    fn as_move(&self) -> Move<'_> {
        Move {
            series: &self.series,
            seat: self.seat,
            player_id: self.player_id,
            before: Rating { mu: self.mu_before, sigma: self.sigma_before },
            after: Rating { mu: self.mu_after, sigma: self.sigma_after },
            rounds: self.rounds,
        }
    }
}

/// Where an entry stands.
#[derive(FromRow)]
pub(crate) struct Stands {
    board: String,
    list: i64,
    place: i64,
}

/// What each kind of connection does for the boards, within a transaction that has locked the ladder.
pub(crate) trait Show: Ladder {
    /// Writes what follows from a round that is counted in a generation on its boards of spans that end after
    /// `oldest_ms`.
    async fn show(&mut self, generation: i64, round: &CountedRound, oldest_ms: i64) -> Result<(), sqlx::Error>;

    /// Writes entries, and counts them where they stand then.
    async fn enter_on_boards(
        &mut self,
        generation: i64,
        round: &CountedRound,
        entries: &Entries,
    ) -> Result<(), sqlx::Error>;

    /// Where those stand now whom these entries are about.
    async fn places(&mut self, generation: i64, entries: &Entries) -> Result<Vec<Stands>, sqlx::Error>;

    /// Writes the entries themselves.
    async fn write_entries(
        &mut self,
        generation: i64,
        round: &CountedRound,
        entries: &Entries,
    ) -> Result<(), sqlx::Error>;

    /// Counts entries where they stand now instead of where they stood.
    async fn count_entries(&mut self, generation: i64, before: &[Stands], now: &[Stands]) -> Result<(), sqlx::Error>;
}

/// The statements are the same on both databases; what differs are the types that they are prepared for.
macro_rules! show {
    ($connection:ty, $database:ty) => {
        impl Show for $connection {
            async fn show(&mut self, generation: i64, round: &CountedRound, oldest_ms: i64) -> Result<(), sqlx::Error> {
                if round.solo.is_some() {
                    let entries = Entries::alone(round, &self.known(round).await?, oldest_ms);
                    return self.enter_on_boards(generation, round, &entries).await;
                }
                let moved: Vec<Moved> =
                    sqlx::query_as(MOVES).bind(generation).bind(round.round_id).fetch_all(&mut *self).await?;
                // Two who have met too often that day, or a round that moves nobody.
                if moved.is_empty() {
                    return Ok(());
                }
                let known = self.known(round).await?;
                let Some(field) = Field::of(round, &known) else { return Ok(()) };
                let moves: Vec<Move<'_>> = moved.iter().map(Moved::as_move).collect();
                self.enter_on_boards(generation, round, &Entries::of(&field, &moves, oldest_ms)).await
            }

            async fn enter_on_boards(
                &mut self,
                generation: i64,
                round: &CountedRound,
                entries: &Entries,
            ) -> Result<(), sqlx::Error> {
                let before = self.places(generation, entries).await?;
                self.write_entries(generation, round, entries).await?;
                let now = self.places(generation, entries).await?;
                self.count_entries(generation, &before, &now).await
            }

            async fn places(&mut self, generation: i64, entries: &Entries) -> Result<Vec<Stands>, sqlx::Error> {
                let (boards, players) = entries.keys();
                if players.is_empty() {
                    return Ok(Vec::new());
                }
                let mut places =
                    QueryBuilder::<$database>::new("SELECT board, list, place FROM board_entry WHERE generation = ");
                let mut list =
                    places.push_bind(generation).push(" AND list IN (0, 1, 2) AND board IN (").separated(", ");
                for board in boards {
                    list.push_bind(board);
                }
                among(places.push(") AND player_id"), players);
                places.build_query_as().fetch_all(&mut *self).await
            }

            async fn write_entries(
                &mut self,
                generation: i64,
                round: &CountedRound,
                entries: &Entries,
            ) -> Result<(), sqlx::Error> {
                let CountedRound { round_id, finished_at_ms, .. } = *round;
                for (entries, conflict) in [(&entries.points, ADD), (&entries.best, REPLACE_IF_BETTER)] {
                    if entries.is_empty() {
                        continue;
                    }
                    let mut sums = QueryBuilder::<$database>::new(INSERT_ENTRY);
                    sums.push_values(entries, |mut row, entry| {
                        row.push_bind(generation).push_bind(entry.board.as_str()).push_bind(entry.list as i64);
                        row.push_bind(entry.player_id).push_bind(entry.place).push_bind(finished_at_ms);
                        row.push_bind(round_id).push("1").push_bind(entry.wins);
                    });
                    sums.push(conflict).build().execute(&mut *self).await?;
                }
                for entry in &entries.ratings {
                    sqlx::query::<$database>(PUT_RATING)
                        .bind(generation)
                        .bind(entry.board.as_str())
                        .bind(entry.list as i64)
                        .bind(entry.player_id)
                        .bind(entry.place)
                        .bind(finished_at_ms)
                        .bind(round_id)
                        .bind(entry.rounds)
                        .bind(entry.points.as_str())
                        .execute(&mut *self)
                        .await?;
                }
                for entry in &entries.gone {
                    sqlx::query::<$database>(TAKE_RATING)
                        .bind(generation)
                        .bind(entry.board.as_str())
                        .bind(entry.list as i64)
                        .bind(entry.player_id)
                        .execute(&mut *self)
                        .await?;
                }
                Ok(())
            }

            async fn count_entries(
                &mut self,
                generation: i64,
                before: &[Stands],
                now: &[Stands],
            ) -> Result<(), sqlx::Error> {
                let changes = changes(before, now);
                if changes.is_empty() {
                    return Ok(());
                }
                let mut counts = QueryBuilder::<$database>::new(COUNT);
                counts.push_values(changes, |mut row, ((board, list, stretch), entries)| {
                    row.push_bind(generation).push_bind(board).push_bind(list).push_bind(stretch).push_bind(entries);
                });
                counts.push(ADD_COUNT).build().execute(&mut *self).await?;
                Ok(())
            }
        }
    };
}
show!(SqliteConnection, Sqlite);
show!(PgConnection, Postgres);

/// By how much the counts of stretches change, sorted: nodes that lock the same rows do so in the same order.
fn changes<'a>(before: &'a [Stands], now: &'a [Stands]) -> BTreeMap<(&'a str, i64, i64), i64> {
    let mut changes = BTreeMap::new();
    for (stands, by) in before.iter().map(|stands| (stands, -1)).chain(now.iter().map(|stands| (stands, 1))) {
        let Stands { board, list, place } = stands;
        *changes.entry((board.as_str(), *list, stretch_of(board, *place))).or_insert(0) += by;
    }
    changes.retain(|_, by| *by != 0);
    changes
}

// On virtual time, which simulations alone have.
#[cfg(all(test, feature = "simulation"))]
mod simulation {
    use std::cell::RefCell;

    use tokio::time::{sleep, timeout};

    use super::*;

    /// When the steps began, in milliseconds, and how often it was warned, if each takes 30 ms and comes to the next of
    /// these.
    async fn stepped(outcomes: &[Result<bool, ()>]) -> (Vec<u128>, usize) {
        let (begun, at, warned) = (Instant::now(), RefCell::new(Vec::new()), RefCell::new(0));
        let step = || async {
            let number = at.borrow().len();
            at.borrow_mut().push(begun.elapsed().as_millis());
            sleep(Duration::from_millis(30)).await;
            let outcome = outcomes.get(number).copied().unwrap_or(Ok(false));
            outcome.map_err(|()| StoreError::Database(sqlx::Error::PoolClosed))
        };
        let stepping = keep_stepping(Duration::from_secs(1), step, |_| *warned.borrow_mut() += 1);
        timeout(Duration::from_millis(outcomes.len() as u64 * 1_000), stepping).await.expect_err("it goes on and on");
        (at.into_inner(), warned.into_inner())
    }

    #[tokio::test(start_paused = true)]
    async fn while_there_is_more_the_writer_is_free_as_often_as_not() {
        let (at, _) = stepped(&[Ok(true), Ok(true), Ok(true), Ok(false)]).await;
        assert_eq!(at[..5], [0, 60, 120, 180, 1_000]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_database_that_is_down_is_told_once_until_it_works_again() {
        let outcomes = [Err(()), Err(()), Err(()), Ok(false), Err(()), Err(())];
        let (at, warned) = stepped(&outcomes).await;
        assert_eq!((&at[..5], warned), (&[0, 1_000, 2_000, 3_000, 4_000][..], 2));
    }
}
