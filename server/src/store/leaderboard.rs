//! The leaderboards. Whoever reaches a value first stays before those who equal it later.
//!
//! Blueprint rounds stand on none of them: anybody could make their own easy board. Bots have lists of their own.

use sqlx::FromRow;
use uuid::Uuid;

use super::{Span, Store, StoreError, on_db};

/// A player's points on the sprint list.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct PointsRow {
    /// The player.
    pub player_id: Uuid,
    /// The player's present name.
    pub name: String,
    /// Sum of round scores.
    pub points: i64,
    /// Rounds raced.
    pub rounds: i64,
    /// Rounds won.
    pub wins: i64,
    /// The fastest clean finish: receipt minus T0, in milliseconds.
    pub best_raw_ms: Option<i64>,
    /// Its lag credit, in milliseconds.
    pub best_credit_ms: Option<i64>,
    /// Its official time, in milliseconds.
    pub best_official_ms: Option<i64>,
    /// When the sum was reached, in milliseconds since the Unix epoch.
    pub reached_at_ms: i64,
}

/// Where a page of the sprint list goes on: the last row of the page before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointsAfter {
    /// Its points.
    pub points: i64,
    /// Its `reached_at_ms`.
    pub reached_at_ms: i64,
    /// Its player.
    pub player_id: Uuid,
}

/// A player's best round on the fastest or the fewest list.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct BestRow {
    /// The player.
    pub player_id: Uuid,
    /// The player's present name.
    pub name: String,
    /// What the list orders by: official milliseconds, or moves in millionths of the optimum.
    pub value: i64,
    /// The round.
    pub round_id: Uuid,
    /// Official moves in it.
    pub moves: i64,
    /// The board's optimum.
    pub optimum: Option<i64>,
    /// Official time in it, in milliseconds.
    pub official_ms: Option<i64>,
    /// The score of that round.
    pub score: i64,
    /// No undo and no reset.
    pub flawless: bool,
    /// Milliseconds since the Unix epoch.
    pub finished_at_ms: i64,
}

/// Where a page of the fastest or fewest list goes on: the last row of the page before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BestAfter {
    /// Its value.
    pub value: i64,
    /// Its `finished_at_ms`.
    pub finished_at_ms: i64,
    /// Its round.
    pub round_id: Uuid,
    /// Its player.
    pub player_id: Uuid,
}

/// A player's best clean finish by `$value`: no other of the same player (`t`) comes before it.
macro_rules! best_sql {
    ($value:literal, $condition_s:literal, $condition_t:literal) => {
        concat!(
            "SELECT s.player_id, p.name, s.",
            $value,
            " AS value, s.round_id, s.moves, r.optimum, s.official_ms, ",
            "s.score, s.flawless, s.finished_at_ms ",
            "FROM seat_result s JOIN player p ON p.player_id = s.player_id ",
            "JOIN round_result r ON r.round_id = s.round_id ",
            "WHERE s.preset = $1 AND s.",
            $value,
            " IS NOT NULL AND s.finished AND s.clean",
            $condition_s,
            " ",
            "AND s.finished_at_ms >= $2 AND s.finished_at_ms < $3 AND p.bot = $4 ",
            "AND (s.",
            $value,
            ", s.finished_at_ms, s.round_id, s.player_id) > ($5, $6, $7, $8) ",
            "AND NOT EXISTS (SELECT 1 FROM seat_result t WHERE t.player_id = s.player_id AND t.preset = s.preset ",
            "AND t.",
            $value,
            " IS NOT NULL AND t.finished AND t.clean",
            $condition_t,
            " ",
            "AND t.finished_at_ms >= $2 AND t.finished_at_ms < $3 ",
            "AND (t.",
            $value,
            ", t.finished_at_ms, t.round_id) < (s.",
            $value,
            ", s.finished_at_ms, s.round_id)) ",
            "ORDER BY s.",
            $value,
            ", s.finished_at_ms, s.round_id, s.player_id LIMIT $9"
        )
    };
}

const FASTEST: &str = best_sql!("official_ms", " AND NOT s.interrupted", " AND NOT t.interrupted");
const FEWEST: &str = best_sql!("ratio_ppm", "", "");

impl Store {
    /// The sprint list: sums of round scores in a span, with one preset or (`None`) all of them.
    pub async fn sprint_points(
        &self,
        span: Span,
        preset: Option<&str>,
        bots: bool,
        after: Option<PointsAfter>,
        limit: i64,
    ) -> Result<Vec<PointsRow>, StoreError> {
        const SQL: &str = "SELECT t.player_id, p.name, t.points, t.rounds, t.reached_at_ms, t.wins, \
               t.best_raw_ms, t.best_credit_ms, t.best_official_ms \
             FROM sprint_points t JOIN player p ON p.player_id = t.player_id \
             WHERE t.span = $1 AND t.preset = $2 AND p.bot = $3 AND t.points <= $4 \
               AND (t.points < $4 OR t.reached_at_ms > $5 OR (t.reached_at_ms = $5 AND t.player_id > $6)) \
             ORDER BY t.points DESC, t.reached_at_ms, t.player_id LIMIT $7";
        let after = after.unwrap_or(PointsAfter { points: i64::MAX, reached_at_ms: 0, player_id: Uuid::nil() });
        Ok(on_db!(self, MemoryDatabase::sprint_points(span, preset, bots, after, limit), |db| sqlx::query_as(SQL)
            .bind(span.key())
            .bind(preset.unwrap_or(""))
            .bind(bots)
            .bind(after.points)
            .bind(after.reached_at_ms)
            .bind(after.player_id)
            .bind(limit)
            .fetch_all(&db.read)
            .await)?)
    }

    /// Each player's fastest clean finish with a preset in a span; interrupted rounds do not count.
    pub async fn fastest(
        &self,
        span: Span,
        preset: &str,
        bots: bool,
        after: Option<BestAfter>,
        limit: i64,
    ) -> Result<Vec<BestRow>, StoreError> {
        self.best(FASTEST, span, preset, bots, after, limit).await
    }

    /// Each player's clean finish with the fewest moves for its optimum, with a preset in a span.
    pub async fn fewest(
        &self,
        span: Span,
        preset: &str,
        bots: bool,
        after: Option<BestAfter>,
        limit: i64,
    ) -> Result<Vec<BestRow>, StoreError> {
        self.best(FEWEST, span, preset, bots, after, limit).await
    }

    async fn best(
        &self,
        sql: &'static str,
        span: Span,
        preset: &str,
        bots: bool,
        after: Option<BestAfter>,
        limit: i64,
    ) -> Result<Vec<BestRow>, StoreError> {
        let (from_ms, to_ms) = span.bounds_ms();
        let after = after.unwrap_or(BestAfter {
            value: i64::MIN,
            finished_at_ms: 0,
            round_id: Uuid::nil(),
            player_id: Uuid::nil(),
        });
        Ok(on_db!(self, MemoryDatabase::best(sql == FASTEST, span, preset, bots, after, limit), |db| sqlx::query_as(
            sql
        )
        .bind(preset)
        .bind(from_ms)
        .bind(to_ms)
        .bind(bots)
        .bind(after.value)
        .bind(after.finished_at_ms)
        .bind(after.round_id)
        .bind(after.player_id)
        .bind(limit)
        .fetch_all(&db.read)
        .await)?)
    }
}
