//! What players did alone: read from the seats of their rounds, so that it follows from what is proven.

use sprint_shared::day::Day;
use sprint_shared::solo::Key;
use sqlx::FromRow;
use uuid::Uuid;

use super::{Store, StoreError, on_db};

/// A player's best figures under one key, over all sessions that ended.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct SoloRecord {
    /// `stage/12` or `lesson/3`.
    pub solo: String,
    /// Sessions that ended.
    pub tries: i64,
    /// Those of them that came to harmony.
    pub solved: i64,
    /// Most stars; 0 without harmony.
    pub stars: i64,
    /// 1 if it was ever solved in the optimum.
    pub crown: i64,
    /// The highest score.
    pub score: i64,
    /// The fewest moves to harmony.
    pub moves: Option<i64>,
    /// The shortest official time to harmony, in milliseconds.
    pub official_ms: Option<i64>,
    /// The round with the highest score, the first of equals; `None` without harmony.
    pub round_id: Option<Uuid>,
}

/// What a rated try of the Daily Spire came to.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct DailyResult {
    /// The round.
    pub round_id: Uuid,
    /// Whether it came to harmony.
    pub finished: bool,
    /// Official moves.
    pub moves: i64,
    /// Placement errors.
    pub errors: i64,
    /// The optimum of the board.
    pub optimum: Option<i64>,
    /// 1 to 3; `None` without harmony.
    pub stars: Option<i64>,
    /// Solved in the optimum.
    pub crown: bool,
    /// Neither undo nor reset.
    pub flawless: bool,
    /// The score.
    pub score: i64,
    /// The official time, in milliseconds.
    pub official_ms: Option<i64>,
}

impl Store {
    /// A player's records whose keys are `kind` (`stage`, `lesson`) and a number, in no order.
    pub async fn solo_records(&self, player_id: Uuid, kind: &str) -> Result<Vec<SoloRecord>, StoreError> {
        const SQL: &str = "SELECT s.solo, count(*) AS tries, sum(CASE WHEN s.finished THEN 1 ELSE 0 END) AS solved, \
               max(coalesce(s.stars, 0)) AS stars, CAST(max(CASE WHEN s.crown THEN 1 ELSE 0 END) AS BIGINT) AS crown, \
               max(s.score) AS score, min(CASE WHEN s.finished THEN s.moves END) AS moves, \
               min(s.official_ms) AS official_ms, \
               (SELECT b.round_id FROM seat_result b WHERE b.player_id = $1 AND b.solo = s.solo AND b.finished \
                ORDER BY b.score DESC, b.official_ms, b.round_id LIMIT 1) AS round_id \
             FROM seat_result s WHERE s.player_id = $1 AND s.solo > $2 AND s.solo < $3 GROUP BY s.solo";
        // '0' follows '/': all keys that begin so lie between.
        let (from, to) = (format!("{kind}/"), format!("{kind}0"));
        Ok(on_db!(self, |db| sqlx::query_as(SQL)
            .bind(player_id)
            .bind(from.as_str())
            .bind(to.as_str())
            .fetch_all(&db.read)
            .await)?)
    }

    /// Whether a player came to harmony under a key.
    pub async fn is_solved_alone(&self, player_id: Uuid, key: Key) -> Result<bool, StoreError> {
        const SQL: &str = "SELECT count(*) FROM (SELECT 1 FROM seat_result \
             WHERE player_id = $1 AND solo = $2 AND finished LIMIT 1) s";
        let key = key.to_string();
        let solved: i64 =
            on_db!(self, |db| sqlx::query_scalar(SQL).bind(player_id).bind(key.as_str()).fetch_one(&db.read).await)?;
        Ok(solved > 0)
    }

    /// The preset of the board of Infinite Shuffle that a player began last, of those that are over, and whether it came to
    /// harmony. By its beginning, which its id tells: an older one may have been left open, and have ended since.
    pub async fn last_shuffle(&self, player_id: Uuid) -> Result<Option<(String, bool)>, StoreError> {
        const SQL: &str = "SELECT coalesce(preset, ''), finished FROM seat_result \
             WHERE player_id = $1 AND solo = 'shuffle' ORDER BY round_id DESC LIMIT 1";
        Ok(on_db!(self, |db| sqlx::query_as(SQL).bind(player_id).fetch_optional(&db.read).await)?)
    }

    /// The days on which a player restored the Daily Spire, ascending; what came to its end after its day does not count.
    pub async fn days_restored(&self, player_id: Uuid) -> Result<Vec<Day>, StoreError> {
        const SQL: &str = "SELECT solo, min(finished_at_ms) FROM seat_result \
             WHERE player_id = $1 AND solo > 'daily/' AND solo < 'daily0' AND finished GROUP BY solo ORDER BY solo";
        let ends: Vec<(String, i64)> =
            on_db!(self, |db| sqlx::query_as(SQL).bind(player_id).fetch_all(&db.read).await)?;
        let in_time = |(key, finished_at_ms): &(String, i64)| match key.parse() {
            Ok(Key::Daily(day)) => Some(day).filter(|day: &Day| *finished_at_ms < day.ends_ms()),
            _ => None,
        };
        Ok(ends.iter().filter_map(in_time).collect())
    }

    /// What a player's rated try of a day came to; `None` until it is over.
    pub async fn daily_result(&self, player_id: Uuid, day: Day) -> Result<Option<DailyResult>, StoreError> {
        const SQL: &str = "SELECT s.round_id, s.finished, s.moves, s.errors, r.optimum, s.stars, s.crown, s.flawless, \
               s.score, s.official_ms \
             FROM seat_result s JOIN round_result r ON r.round_id = s.round_id \
             WHERE s.player_id = $1 AND s.solo = $2 ORDER BY s.round_id LIMIT 1";
        let key = Key::Daily(day).to_string();
        Ok(on_db!(self, |db| sqlx::query_as(SQL).bind(player_id).bind(key.as_str()).fetch_optional(&db.read).await)?)
    }
}
