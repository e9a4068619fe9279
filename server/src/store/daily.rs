//! The days of the Daily Spire, and who tries them where.
//!
//! Must never change a day that is stored: whoever binds itself first has bound all nodes.

use sprint_shared::daily::Revealed;
use sprint_shared::day::Day;
use sqlx::FromRow;
use uuid::Uuid;

use super::{Failure, Store, StoreError, on_db};

/// A day that a board is dealt for. Secret but for its commitment until the day is over.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct DailyBoard {
    /// Counted from 1970-01-01.
    pub day: i64,
    /// The preset's name.
    pub preset: String,
    /// The deal's version.
    pub deal_version: i64,
    /// What is published before, in hexadecimal.
    pub commitment: String,
    /// What is secret until the day is over, in hexadecimal.
    pub server_seed: String,
    /// How many boards of the seed were shown before.
    pub redeals: i64,
    /// The board in canonical notation.
    pub board: String,
    /// Its proven optimum in transfers.
    pub optimum: i64,
    /// When the server bound itself, in milliseconds since the Unix epoch.
    pub committed_at_ms: i64,
}

/// What became of a day that was to be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MadeDaily {
    /// It is stored, or another node's was.
    Stored,
    /// Its board was shown before: deal the next one.
    BoardTaken,
}

impl DailyBoard {
    /// What the day reveals once it is over.
    pub fn revealed(&self) -> Result<Revealed, StoreError> {
        let damaged = |what: &str| StoreError::Damaged(format!("the daily board of day {}: its {what}", self.day));
        Ok(Revealed {
            day: Day::new(self.day).ok_or_else(|| damaged("number"))?,
            preset: self.preset.parse().map_err(|_| damaged("preset"))?,
            deal_version: self.deal_version.try_into().map_err(|_| damaged("version of the deal"))?,
            commitment: self.commitment.parse().map_err(|_| damaged("commitment"))?,
            server_seed: self.server_seed.parse().map_err(|_| damaged("seed"))?,
            redeals: self.redeals.try_into().map_err(|_| damaged("redeals"))?,
        })
    }
}

impl Store {
    /// What is stored of a day.
    pub async fn daily(&self, day: Day) -> Result<Option<DailyBoard>, StoreError> {
        const SQL: &str = "SELECT day, preset, deal_version, commitment, server_seed, redeals, board, optimum, \
               committed_at_ms FROM daily WHERE day = $1";
        Ok(on_db!(self, MemoryDatabase::daily(day), |db| sqlx::query_as(SQL)
            .bind(i64::from(day.number()))
            .fetch_optional(&db.read)
            .await)?)
    }

    /// The first stored day after one (counted from 1970-01-01), or of all.
    pub async fn daily_after(&self, day: Option<i64>) -> Result<Option<DailyBoard>, StoreError> {
        const SQL: &str = "SELECT day, preset, deal_version, commitment, server_seed, redeals, board, optimum, \
               committed_at_ms FROM daily WHERE day > $1 ORDER BY day LIMIT 1";
        let day = day.unwrap_or(i64::MIN);
        Ok(on_db!(self, MemoryDatabase::daily_after(day), |db| sqlx::query_as(SQL)
            .bind(day)
            .fetch_optional(&db.read)
            .await)?)
    }

    /// Stores a day unless it is stored already; its board counts as shown from here on.
    pub async fn make_daily(&self, daily: &DailyBoard) -> Result<MadeDaily, StoreError> {
        const DAY: &str = "INSERT INTO daily (day, preset, deal_version, commitment, server_seed, redeals, board, \
               optimum, committed_at_ms) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (day) DO NOTHING";
        const BOARD: &str = "INSERT INTO dealt_board (board, round_id) VALUES ($1, $2)";
        self.before_write().await?;
        let outcome = on_db!(self, MemoryDatabase::make_daily(daily), |db| async {
            let mut tx = db.write.begin_with(db.begin).await?;
            let made = sqlx::query(DAY)
                .bind(daily.day)
                .bind(daily.preset.as_str())
                .bind(daily.deal_version)
                .bind(daily.commitment.as_str())
                .bind(daily.server_seed.as_str())
                .bind(daily.redeals)
                .bind(daily.board.as_str())
                .bind(daily.optimum)
                .bind(daily.committed_at_ms)
                .execute(&mut *tx)
                .await?;
            if made.rows_affected() > 0 {
                sqlx::query(BOARD).bind(daily.board.as_str()).bind(Uuid::nil()).execute(&mut *tx).await?;
            }
            tx.commit().await
        }
        .await);
        match outcome {
            Err(error) if Failure::before_commit(&error) == Failure::BoardTaken => Ok(MadeDaily::BoardTaken),
            outcome => self.wrote(outcome).map(|()| MadeDaily::Stored),
        }
    }

    /// The room of a player's rated try of a day, and its code where it is open.
    pub async fn daily_try(&self, day: Day, player_id: Uuid) -> Result<Option<(Uuid, Option<String>)>, StoreError> {
        const SQL: &str = "SELECT t.room_id, CASE WHEN r.finished_at_ms IS NULL THEN r.code END \
             FROM daily_try t LEFT JOIN room r ON r.room_id = t.room_id WHERE t.day = $1 AND t.player_id = $2";
        Ok(on_db!(self, MemoryDatabase::daily_try(), |db| sqlx::query_as(SQL)
            .bind(i64::from(day.number()))
            .bind(player_id)
            .fetch_optional(&db.read)
            .await)?)
    }
}

/// Notes a room as the one of a rated try, in the transaction that makes it; where one is noted already, only if that came to
/// nothing: it is closed, and no round ended in it. (Of a room that had to be closed as damaged in mid-try the player may have
/// seen the board: whose fault that was, it was not the player's.)
pub(super) const BEGIN_TRY: &str = "INSERT INTO daily_try (day, player_id, room_id) VALUES ($1, $2, $3) \
     ON CONFLICT (day, player_id) DO UPDATE SET room_id = excluded.room_id \
     WHERE EXISTS (SELECT 1 FROM room r WHERE r.room_id = daily_try.room_id AND r.finished_at_ms IS NOT NULL) \
       AND NOT EXISTS (SELECT 1 FROM round_result r WHERE r.room_id = daily_try.room_id)";
