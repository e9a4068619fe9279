//! Past days and weeks, removed once they have been kept long enough: their boards, and who met whom on those days.
//!
//! A rebuild leaves such boards out as well, so that it comes to the same. Must never hold the writer for more than a
//! slice, nor touch a span that is still kept.

use std::time::Duration;

use tokio::time::Instant;

use super::ladder::{LOCK_LADDER, make_way};
use super::{Span, Store, StoreError, on_db};

/// How often past spans are looked for.
const OFTEN: Duration = Duration::from_secs(600);
/// Rows removed by one transaction at most, so that the journal never waits long for the writer.
const ROWS: i64 = 500;

const GENERATION: &str = "SELECT generation FROM ladder WHERE id = 1";
/// The next board that has entries, or counts that are left of some: a look into each index.
pub(super) const NEXT_BOARD: &str = "SELECT min(board) FROM ( \
       SELECT board FROM (SELECT board FROM board_entry WHERE generation = $1 AND board > $2 ORDER BY board LIMIT 1) e \
       UNION ALL \
       SELECT board FROM (SELECT board FROM board_count WHERE generation = $1 AND board > $2 ORDER BY board LIMIT 1) c \
     ) b";
const ENTRIES: &str = "DELETE FROM board_entry WHERE generation = $1 AND board = $2 \
     AND (list, player_id) IN (SELECT list, player_id FROM board_entry WHERE generation = $1 AND board = $2 LIMIT $3)";
const COUNTS: &str = "DELETE FROM board_count WHERE generation = $1 AND board = $2 \
     AND (list, stretch) IN (SELECT list, stretch FROM board_count WHERE generation = $1 AND board = $2 LIMIT $3)";
const PAIRS: &str = "DELETE FROM pair_day WHERE generation = $1 AND (day, player_a, player_b) IN ( \
       SELECT day, player_a, player_b FROM pair_day WHERE generation = $1 AND day < $2 LIMIT $3)";

impl Store {
    /// Removes past spans now and then, for as long as it is left to run; stopping it loses nothing. `now_ms` is
    /// milliseconds since the Unix epoch.
    pub async fn keep_sweeping(&self, now_ms: impl Fn() -> i64) {
        let mut often = tokio::time::interval(OFTEN);
        loop {
            often.tick().await;
            if let Err(error) = self.sweep(now_ms()).await {
                tracing::warn!(%error, "past days and weeks could not be removed; trying again later");
            }
        }
    }

    /// Removes the boards of spans that ended longer ago than they are kept, and the meetings of such days; returns how
    /// many rows it did.
    pub async fn sweep(&self, now_ms: i64) -> Result<u64, StoreError> {
        let oldest_ms = self.oldest_kept_ms(now_ms);
        if oldest_ms == i64::MIN {
            return Ok(0);
        }
        let generation: Option<i64> = on_db!(self, MemoryDatabase::generation(), |db| sqlx::query_scalar(GENERATION)
            .fetch_optional(&db.read)
            .await)?;
        let Some(generation) = generation else { return Ok(0) };
        let (mut removed, mut board) = (0, String::new());
        while let Some(next) = self.next_board(generation, &board).await? {
            board = next;
            if is_past(&board, oldest_ms) {
                removed += self.remove_in_slices(generation, ENTRIES, Some(&board), 0).await?;
                removed += self.remove_in_slices(generation, COUNTS, Some(&board), 0).await?;
            }
        }
        let Span::Day(day) = Span::day_of(oldest_ms) else { unreachable!("the day of an instant is a day") };
        Ok(removed + self.remove_in_slices(generation, PAIRS, None, day).await?)
    }

    /// Spans that ended by then are not kept any more, in milliseconds since the Unix epoch.
    pub(super) fn oldest_kept_ms(&self, now_ms: i64) -> i64 {
        self.inner.kept_ms.map_or(i64::MIN, |kept_ms| now_ms.saturating_sub(kept_ms))
    }

    /// The board after this one of a generation, by name.
    pub(super) async fn next_board(&self, generation: i64, board: &str) -> Result<Option<String>, StoreError> {
        Ok(on_db!(self, |db| sqlx::query_scalar(NEXT_BOARD).bind(generation).bind(board).fetch_one(&db.read).await)?)
    }

    async fn remove_in_slices(
        &self,
        generation: i64,
        sql: &'static str,
        board: Option<&str>,
        day: i64,
    ) -> Result<u64, StoreError> {
        let mut removed = 0;
        loop {
            let begun = Instant::now();
            self.before_write().await?;
            let outcome = on_db!(self, |db| async {
                let mut tx = db.write.begin_with(db.begin).await?;
                let (counts, _): (i64, i64) = sqlx::query_as(LOCK_LADDER).fetch_one(&mut *tx).await?;
                if counts != generation {
                    // A rebuild has ended since: its rows are another's to remove.
                    return Ok(0);
                }
                let query = sqlx::query(sql).bind(generation);
                let query = match board {
                    Some(board) => query.bind(board),
                    None => query.bind(day),
                };
                let rows = query.bind(ROWS).execute(&mut *tx).await?.rows_affected();
                tx.commit().await?;
                Ok(rows)
            }
            .await);
            let rows = self.wrote(outcome)?;
            removed += rows;
            if rows < ROWS as u64 {
                return Ok(removed);
            }
            make_way(begun).await;
        }
    }
}

/// Whether a board is of a span that ended by then.
pub(super) fn is_past(board: &str, oldest_ms: i64) -> bool {
    board.split('/').nth(1).and_then(Span::of_key).is_some_and(|span| span.bounds_ms().1 <= oldest_ms)
}
