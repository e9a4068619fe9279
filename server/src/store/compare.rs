//! What two generations of ratings and boards do not agree on, one of them left as it was, the other perhaps gone on.
//!
//! Must never hold against either what a round has changed since, nor the boards of a span that is not kept any more.

use std::collections::BTreeSet;

use serde::Serialize;
use sprint_shared::preset::Preset;

use super::rebuild::HOLD;
use super::standings::bits_of;
use super::sweep::is_past;
use super::{Building, Store, StoreError, on_db};

/// For how long a comparison is silent at most, in milliseconds, before it says that it is still there.
const HELD_MS: i64 = 10_000;

/// A round's movements in a generation.
macro_rules! moves {
    ($generation:literal) => {
        concat!(
            "SELECT series, seat, player_id, mu_before, sigma_before, mu_after, sigma_after FROM seat_rating \
             WHERE round_id = $3 AND generation = ",
            $generation
        )
    };
}

/// The ratings of a series in a generation.
macro_rules! ratings {
    ($generation:literal) => {
        concat!(
            "SELECT player_id, mu, sigma, rounds, last_at_ms FROM rating WHERE series = $3 AND generation = ",
            $generation
        )
    };
}

/// The entries of a board in a generation.
macro_rules! entries {
    ($generation:literal) => {
        concat!(
            "SELECT list, player_id, place, reached_at_ms, round_id, rounds, wins FROM board_entry WHERE board = $3 \
             AND generation = ",
            $generation
        )
    };
}

/// Movements in a round that one of two generations has and the other has not.
pub(super) const MOVES_DIFFER: &str = concat!(
    "SELECT count(*) FROM (SELECT series, seat FROM (",
    moves!("$1"),
    " EXCEPT ",
    moves!("$2"),
    ") a UNION SELECT series, seat FROM (",
    moves!("$2"),
    " EXCEPT ",
    moves!("$1"),
    ") b) c"
);
/// Ratings of a series that one of two generations has and the other has not, but for those that have moved in the
/// second since a round; public so that databases can be asked for their plan. CROSS JOIN has SQLite begin with the few
/// rounds since, not with all movements.
pub const RATINGS_DIFFER: &str = concat!(
    "SELECT count(*) FROM (SELECT player_id FROM (",
    ratings!("$1"),
    " EXCEPT ",
    ratings!("$2"),
    ") a UNION SELECT player_id FROM (",
    ratings!("$2"),
    " EXCEPT ",
    ratings!("$1"),
    ") b EXCEPT SELECT s.player_id FROM round_result r CROSS JOIN seat_rating s \
       WHERE r.number > $4 AND s.round_id = r.round_id AND s.generation = $2 AND s.series = $3) c"
);
/// Entries of a board that one of two generations has and the other has not, but for those of players who raced in a
/// round that stands on the boards of the second and was not yet due for the first.
const ENTRIES_DIFFER: &str = concat!(
    "SELECT count(*) FROM (SELECT list, player_id FROM (",
    entries!("$1"),
    " EXCEPT ",
    entries!("$2"),
    ") a UNION SELECT list, player_id FROM (",
    entries!("$2"),
    " EXCEPT ",
    entries!("$1"),
    ") b) c WHERE player_id NOT IN (SELECT s.player_id FROM round_result r CROSS JOIN seat_result s \
       WHERE r.number > $4 AND r.number <= (SELECT shown FROM ladder WHERE id = 1) AND s.round_id = r.round_id)"
);
/// Stretches of a board whose counts are not as its entries are, in one generation.
const COUNTS_DIFFER: &str = "WITH counts AS (SELECT list, stretch, entries FROM board_count \
       WHERE generation = $1 AND board = $2 AND entries <> 0), \
     stand AS (SELECT list, place >> CAST($3 AS INTEGER) AS stretch, count(*) AS entries FROM board_entry \
       WHERE generation = $1 AND board = $2 GROUP BY 1, 2) \
     SELECT count(*) FROM (SELECT list, stretch FROM (SELECT * FROM counts EXCEPT SELECT * FROM stand) a \
       UNION SELECT list, stretch FROM (SELECT * FROM stand EXCEPT SELECT * FROM counts) b) c";

/// Something that two generations do not agree on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// `ratings`, `movements`, `entries` of a board, or `counts` of those entries, by which ranks are added up.
    pub what: &'static str,
    /// The preset (`all presets` for the rating over all of them), the round, or the board.
    pub of: String,
    /// How many of them differ.
    pub rows: u64,
}

impl Difference {
    /// `None` if no rows differ.
    pub(super) fn of(what: &'static str, of: impl ToString, rows: i64) -> Option<Difference> {
        (rows > 0).then(|| Difference { what, of: of.to_string(), rows: rows as u64 })
    }
}

impl Store {
    /// Which ratings differ between a generation that is left as it was after the round of this number, and one that
    /// may have gone on since.
    pub(crate) async fn ratings_differing(
        &self,
        left: i64,
        live: i64,
        last: i64,
    ) -> Result<Vec<Difference>, StoreError> {
        let mut differing = Vec::new();
        // One series at a time: each look is short.
        for series in [""].into_iter().chain(Preset::ALL.map(Preset::name)) {
            let rows: i64 = on_db!(self, |db| sqlx::query_scalar(RATINGS_DIFFER)
                .bind(left)
                .bind(live)
                .bind(series)
                .bind(last)
                .fetch_one(&db.read)
                .await)?;
            let name = if series.is_empty() { "all presets" } else { series };
            differing.extend(Difference::of("ratings", name, rows));
        }
        Ok(differing)
    }

    /// Which boards differ between the generation that is built, left as it is, and the one that counts; `None` if the
    /// claim is lost. `now_ms` is milliseconds since the Unix epoch.
    pub(crate) async fn boards_differing(
        &self,
        building: &mut Building,
        now_ms: impl Fn() -> i64,
    ) -> Result<Option<Vec<Difference>>, StoreError> {
        let Building { current, next, shown, .. } = *building;
        let mut boards = BTreeSet::new();
        for generation in [current, next] {
            let mut board = String::new();
            while let Some(after) = self.next_board(generation, &board).await? {
                boards.insert(after.clone());
                board = after;
            }
        }
        let mut differing = Vec::new();
        for board in boards {
            let entries: i64 = on_db!(self, |db| sqlx::query_scalar(ENTRIES_DIFFER)
                .bind(next)
                .bind(current)
                .bind(board.as_str())
                .bind(shown)
                .fetch_one(&db.read)
                .await)?;
            let counts: i64 = on_db!(self, |db| sqlx::query_scalar(COUNTS_DIFFER)
                .bind(current)
                .bind(board.as_str())
                .bind(i64::from(bits_of(&board)))
                .fetch_one(&db.read)
                .await)?;
            // What is not kept any more may be gone from one of them already, in the middle of a look as well.
            if !is_past(&board, self.oldest_kept_ms(now_ms())) {
                differing.extend(Difference::of("entries", &board, entries));
                differing.extend(Difference::of("counts", &board, counts));
            }
            if now_ms() - building.at_ms > HELD_MS && !self.hold(building, now_ms()).await? {
                return Ok(None);
            }
        }
        Ok(Some(differing))
    }

    /// Says that whoever holds the claim is still there; false if it is lost.
    async fn hold(&self, building: &mut Building, now_ms: i64) -> Result<bool, StoreError> {
        self.before_write().await?;
        let Building { next, at_ms, .. } = *building;
        let outcome = on_db!(self, |db| sqlx::query(HOLD)
            .bind(next)
            .bind(at_ms)
            .bind(now_ms)
            .execute(&db.write)
            .await
            .map(|done| done.rows_affected() > 0));
        let held = self.wrote(outcome)?;
        building.at_ms = now_ms;
        Ok(held)
    }
}
