//! Reading the boards: pages in order, by the index alone.
//!
//! Every board ascends: a smaller `place` is better. Whoever reaches a place first stays before those who equal it
//! later. Must never read another generation than the one that counts.

use sqlx::FromRow;
use uuid::Uuid;

use super::{Span, Store, StoreError, on_db};

/// Which board: what is compared, in which span, with which preset.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BoardKey(String);

impl BoardKey {
    /// Sums of round scores, with one preset or (`None`) all of them.
    pub fn points(span: Span, preset: Option<&str>) -> BoardKey {
        BoardKey::of("points", span, preset.unwrap_or_default())
    }

    /// The text under which it is stored.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn of(what: &str, span: Span, preset: &str) -> BoardKey {
        BoardKey(format!("{what}/{}/{preset}", span.key()))
    }
}

/// Which list of a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum List {
    /// People.
    #[default]
    People = 0,
    /// Programs.
    Bots = 1,
    /// Results that are doubted: they stand apart.
    Apart = 2,
}

/// A player's entry on a board.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct BoardRow {
    /// The player.
    pub player_id: Uuid,
    /// The player's present name; empty if the player is gone.
    pub name: String,
    /// What the board orders by; smaller is better.
    pub place: i64,
    /// When it was reached, in milliseconds since the Unix epoch.
    pub reached_at_ms: i64,
    /// The round that brought it there.
    pub round_id: Uuid,
    /// Rounds counted.
    pub rounds: i64,
    /// Rounds won.
    pub wins: i64,
}

/// Where a page of a board goes on: the last row of the page before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardAfter {
    /// Its place.
    pub place: i64,
    /// Its `reached_at_ms`.
    pub reached_at_ms: i64,
    /// Its player.
    pub player_id: Uuid,
}

const PAGE: &str = "SELECT e.player_id, coalesce(p.name, '') AS name, e.place, e.reached_at_ms, e.round_id, e.rounds, \
       e.wins \
     FROM (SELECT player_id, place, reached_at_ms, round_id, rounds, wins FROM board_entry \
           WHERE generation = coalesce((SELECT generation FROM ladder WHERE id = 1), 1) AND board = $1 AND list = $2 \
             AND (place, reached_at_ms, player_id) > ($3, $4, $5) \
           ORDER BY place, reached_at_ms, player_id LIMIT $6) e \
     LEFT JOIN player p ON p.player_id = e.player_id \
     ORDER BY e.place, e.reached_at_ms, e.player_id";

impl Store {
    /// A page of a board, best first.
    pub async fn board_page(
        &self,
        board: &BoardKey,
        list: List,
        after: Option<BoardAfter>,
        limit: i64,
    ) -> Result<Vec<BoardRow>, StoreError> {
        let first = BoardAfter { place: i64::MIN, reached_at_ms: i64::MIN, player_id: Uuid::nil() };
        let after = after.unwrap_or(first);
        Ok(on_db!(self, |db| sqlx::query_as(PAGE)
            .bind(board.as_str())
            .bind(list as i64)
            .bind(after.place)
            .bind(after.reached_at_ms)
            .bind(after.player_id)
            .bind(limit)
            .fetch_all(&db.read)
            .await)?)
    }
}
