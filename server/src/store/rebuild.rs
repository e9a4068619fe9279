//! Building another generation of ratings and boards beside the one that counts.
//!
//! Every step is one short transaction, so that the journal waits for one step at most; whatever builds first locks the
//! row of the ladder, and only the removal of rows that nobody reads any more does not. Must never touch the generation
//! that counts, nor build without holding the claim.

use sqlx::{AssertSqlSafe, Database, FromRow, Pool, Transaction};
use uuid::Uuid;

use super::compare::{Difference, MOVES_DIFFER};
use super::ladder::{CountedRound, Ladder};
use super::show::Show;
use super::{Failure, SeatRecord, Store, StoreError, on_db};
use crate::rating::FORMULA;

/// Rounds of one step: with four people each they write fewer than 500 rows.
pub(super) const ROUNDS: i64 = 6;
/// Rows of an old generation that one step removes.
const ROWS: i64 = 500;
/// Who holds the claim and is silent for so long has died, in milliseconds.
const SILENT_MS: i64 = 60_000;
/// How often a step is begun anew while others write.
const TRIES: u32 = 10;

/// What belongs to a generation, with the primary key of each table.
const TABLES: [(&str, &str); 5] = [
    ("rating", "generation, series, player_id"),
    ("seat_rating", "generation, round_id, series, seat"),
    ("pair_day", "generation, day, player_a, player_b"),
    ("board_entry", "generation, board, list, player_id"),
    ("board_count", "generation, board, list, stretch"),
];

pub(super) const FIRST_USE: &str =
    "INSERT INTO ladder (id, generation, rounds, formula) VALUES (1, 1, 0, $1) ON CONFLICT (id) DO NOTHING";
const CLAIM: &str = "UPDATE ladder SET building = coalesce(building, generation) + 1, building_at_ms = $1 \
     WHERE id = 1 AND (building IS NULL OR building_at_ms < $2) RETURNING generation, building";
/// Numbers are never used twice: whoever held the claim finds it gone at the next step.
pub(super) const TAKE_OVER: &str = "UPDATE ladder SET building = coalesce(building, generation) + 1, \
     building_at_ms = $1 WHERE id = 1 RETURNING generation, building";
/// With the number of the last round that stands on the boards.
pub(super) const HOLD: &str = "UPDATE ladder SET building_at_ms = $3 \
     WHERE id = 1 AND building = $1 AND building_at_ms = $2 RETURNING shown";
/// What counts from here on was counted by one formula from the first round.
const FLIP: &str = "UPDATE ladder SET generation = $1, building = NULL, building_at_ms = NULL, formula = $2 \
     WHERE id = 1 AND building = $1";
const RELEASE: &str = "UPDATE ladder SET building = NULL, building_at_ms = NULL WHERE id = 1 AND building = $1";
/// Keeps the number, which has rows already.
const LET_GO: &str = "UPDATE ladder SET building_at_ms = 0 WHERE id = 1 AND building = $1";
pub(super) const NEXT_ROUNDS: &str = "SELECT number, round_id, coalesce(preset, '') AS preset, solo, optimum, rated, interrupted, finished_at_ms \
     FROM round_result WHERE number > $1 ORDER BY number LIMIT $2";
const PLAYERS: &str = "SELECT count(*) FROM rating WHERE generation = $1 AND series = ''";
pub(super) const SEATS: &str = "SELECT seat, player_id, rank, finished, clean, moves, errors, raw_ms, credit_ms, \
       official_ms, score, stars, flawless, crown, bot, suspicion \
     FROM seat_result WHERE round_id = $1 ORDER BY seat";

/// The claim to build a generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Building {
    /// The generation that counts.
    pub current: i64,
    /// The generation that is built.
    pub next: i64,
    /// When this was last said; whoever comes later than that by a minute may take over.
    pub(super) at_ms: i64,
    /// The number of the last round that stands on the boards of the generation that is built.
    pub(super) shown: i64,
}

/// What a step has come to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Step {
    /// Rounds that it counted.
    pub rounds: u64,
    /// The number of the last of them.
    pub last: i64,
    /// Movements of ratings in them that differ between the two generations.
    pub differing: Vec<Difference>,
    /// Whether no round is left: both generations then have counted the same rounds.
    pub is_last: bool,
    /// After the last step: how many players the new generation knows.
    pub players: u64,
}

#[derive(Clone, FromRow)]
pub(super) struct NumberedRound {
    pub number: i64,
    pub round_id: Uuid,
    preset: String,
    solo: Option<String>,
    optimum: Option<i64>,
    rated: bool,
    interrupted: bool,
    pub finished_at_ms: i64,
}

impl Store {
    /// Whether the ratings that count were all counted by the formula of this program.
    pub async fn follows_formula(&self) -> Result<bool, StoreError> {
        const SQL: &str = "SELECT formula FROM ladder WHERE id = 1";
        let formula: Option<i64> =
            on_db!(self, MemoryDatabase::generation(), |db| sqlx::query_scalar(SQL).fetch_optional(&db.read).await)?;
        Ok(formula.is_none_or(|formula| formula == FORMULA))
    }

    /// Claims the next generation; `None` while somebody else builds one.
    pub(crate) async fn claim_building(&self, now_ms: i64) -> Result<Option<Building>, StoreError> {
        self.before_write().await?;
        let outcome = on_db!(self, |db| async {
            let mut tx = begin(&db.write, db.begin).await?;
            sqlx::query(FIRST_USE).bind(FORMULA).execute(&mut *tx).await?;
            let claimed: Option<(i64, i64)> =
                sqlx::query_as(CLAIM).bind(now_ms).bind(now_ms - SILENT_MS).fetch_optional(&mut *tx).await?;
            tx.commit().await?;
            Ok(claimed.map(|(current, next)| Building { current, next, at_ms: now_ms, shown: 0 }))
        }
        .await);
        self.wrote(outcome)
    }

    /// Counts the rounds after a number in the generation that is built; once none is left, that generation counts
    /// from here on if `flip` says so. `None` if the claim is lost.
    pub(crate) async fn build(
        &self,
        building: &mut Building,
        after: i64,
        flip: bool,
        now_ms: i64,
    ) -> Result<Option<Step>, StoreError> {
        self.before_write().await?;
        let Building { current, next, at_ms, mut shown } = *building;
        let (oldest_ms, most) = (self.oldest_kept_ms(now_ms), self.pair_rounds_max());
        let outcome = on_db!(self, |db| async {
            let mut tx = begin(&db.write, db.begin).await?;
            let held = sqlx::query_scalar(HOLD).bind(next).bind(at_ms).bind(now_ms).fetch_optional(&mut *tx).await?;
            let Some(to_show): Option<i64> = held else { return Ok(None) };
            let rounds: Vec<NumberedRound> =
                sqlx::query_as(NEXT_ROUNDS).bind(after).bind(ROUNDS).fetch_all(&mut *tx).await?;
            let mut step = Step { last: after, is_last: (rounds.len() as i64) < ROUNDS, ..Step::default() };
            for round in rounds {
                let seats: Vec<SeatRecord> = sqlx::query_as(SEATS).bind(round.round_id).fetch_all(&mut *tx).await?;
                let (before, number) = (step.last, round.number);
                (step.rounds, step.last) = (step.rounds + 1, number);
                let round = round.with(seats);
                tx.count(next, &round, most).await?;
                if shown == before && number <= to_show {
                    tx.show(next, &round, oldest_ms).await?;
                    shown = number;
                }
                let differing: i64 = sqlx::query_scalar(MOVES_DIFFER)
                    .bind(current)
                    .bind(next)
                    .bind(round.round_id)
                    .fetch_one(&mut *tx)
                    .await?;
                step.differing.extend(Difference::of("movements", round.round_id, differing));
            }
            let counted = to_show.min(step.last);
            if shown < counted {
                // Shown by the server since they were counted here.
                let rounds: Vec<NumberedRound> =
                    sqlx::query_as(NEXT_ROUNDS).bind(shown).bind(ROUNDS).fetch_all(&mut *tx).await?;
                for round in rounds.into_iter().take_while(|round| round.number <= counted) {
                    let seats: Vec<SeatRecord> = sqlx::query_as(SEATS).bind(round.round_id).fetch_all(&mut *tx).await?;
                    shown = round.number;
                    tx.show(next, &round.with(seats), oldest_ms).await?;
                }
                step.is_last &= shown == counted;
            }
            if step.is_last {
                let players: i64 = sqlx::query_scalar(PLAYERS).bind(next).fetch_one(&mut *tx).await?;
                step.players = players as u64;
            }
            if step.is_last && flip {
                sqlx::query(FLIP).bind(next).bind(FORMULA).execute(&mut *tx).await?;
            }
            tx.commit().await?;
            Ok(Some(step))
        }
        .await);
        if let Ok(Some(_)) = &outcome {
            (building.at_ms, building.shown) = (now_ms, shown);
        }
        self.wrote(outcome)
    }

    /// Removes some rows of generations that are past; false once there are none.
    pub(crate) async fn remove_past(&self, current: i64) -> Result<bool, StoreError> {
        Ok(self.remove_some(current, '<', None).await? == Some(true))
    }

    /// Removes some rows of generations that never counted, the one that is built included; false once there are
    /// none. `None` if the claim is lost.
    pub(crate) async fn remove_unfinished(
        &self,
        building: &mut Building,
        now_ms: i64,
    ) -> Result<Option<bool>, StoreError> {
        let removed = self.remove_some(building.current, '>', Some((*building, now_ms))).await?;
        if removed.is_some() {
            building.at_ms = now_ms;
        }
        Ok(removed)
    }

    /// Removes some rows of generations before (`<`) or after (`>`) the one that counts; false once there are none.
    /// `None` if a claim was to be held as of that instant, and is lost.
    async fn remove_some(
        &self,
        current: i64,
        side: char,
        claim: Option<(Building, i64)>,
    ) -> Result<Option<bool>, StoreError> {
        self.before_write().await?;
        let outcome = on_db!(self, |db| async {
            let mut tx = begin(&db.write, db.begin).await?;
            if let Some((Building { next, at_ms, .. }, now_ms)) = claim {
                let hold = sqlx::query_scalar(HOLD).bind(next).bind(at_ms).bind(now_ms);
                let held: Option<i64> = hold.fetch_optional(&mut *tx).await?;
                if held.is_none() {
                    return Ok(None);
                }
            }
            let mut removed = 0;
            for (table, key) in TABLES {
                if removed == 0 {
                    let rows = sqlx::query(remove(table, key, side)).bind(current).bind(ROWS);
                    removed = rows.execute(&mut *tx).await?.rows_affected();
                }
            }
            tx.commit().await?;
            Ok(Some(removed > 0))
        }
        .await);
        self.wrote(outcome)
    }

    /// Gives the claim up, with nothing left of what was built.
    pub(crate) async fn release_building(&self, building: Building) -> Result<(), StoreError> {
        self.give_up(RELEASE, building).await
    }

    /// Gives the claim up with rows of it left: whoever comes next takes it over at once.
    pub(crate) async fn let_building_go(&self, building: Building) -> Result<(), StoreError> {
        self.give_up(LET_GO, building).await
    }

    async fn give_up(&self, sql: &'static str, building: Building) -> Result<(), StoreError> {
        self.before_write().await?;
        let outcome = on_db!(self, |db| async {
            let mut tx = begin(&db.write, db.begin).await?;
            sqlx::query(sql).bind(building.next).execute(&mut *tx).await?;
            tx.commit().await
        }
        .await);
        self.wrote(outcome)
    }
}

impl NumberedRound {
    pub fn with(self, seats: Vec<SeatRecord>) -> CountedRound {
        let NumberedRound { round_id, rated, interrupted, finished_at_ms, .. } = self;
        // Only rounds with an optimum are numbered.
        let (preset, solo, optimum) = (self.preset, self.solo, self.optimum.unwrap_or(1));
        CountedRound { round_id, preset, solo, optimum, rated, interrupted, finished_at_ms, seats }
    }
}

/// Removes some rows of generations before (`<`) or after (`>`) one.
fn remove(table: &str, key: &str, side: char) -> AssertSqlSafe<String> {
    AssertSqlSafe(format!(
        "DELETE FROM {table} WHERE ({key}) IN (SELECT {key} FROM {table} WHERE generation {side} $1 LIMIT $2)"
    ))
}

/// Begins a step, patiently: a server may be writing beside it.
pub(super) async fn begin<DB: Database>(
    pool: &Pool<DB>,
    statement: &'static str,
) -> Result<Transaction<'static, DB>, sqlx::Error> {
    let mut tries = 1;
    loop {
        match pool.begin_with(statement).await {
            Err(error) if tries < TRIES && matches!(Failure::before_commit(&error), Failure::NotCommitted(_)) => {
                tries += 1;
            }
            outcome => return outcome,
        }
    }
}
