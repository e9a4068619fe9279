//! Boards that were shown: such a board is never dealt again (RULES section 5).
//!
//! A board is written here by the journal, in the transaction that shows it.

use uuid::Uuid;

use super::{Store, StoreError, on_db};

/// A board that is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DealtBoard {
    /// Canonical notation.
    pub board: String,
    /// The round that shows it.
    pub round_id: Uuid,
    /// Whether it may have been shown before: by a seed that somebody gave, or to others on the same day.
    pub again: bool,
}

impl Store {
    /// Whether this board (canonical notation) was ever shown.
    pub async fn is_board_dealt(&self, board: &str) -> Result<bool, StoreError> {
        const SQL: &str = "SELECT COUNT(*) FROM dealt_board WHERE board = $1";
        let count: i64 = on_db!(self, MemoryDatabase::count_board(board), |db| sqlx::query_scalar(SQL)
            .bind(board)
            .fetch_one(&db.read)
            .await)?;
        Ok(count > 0)
    }
}
