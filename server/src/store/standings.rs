//! Reading the boards: pages in order, one's own place, and who stands around it, by the index alone.
//!
//! Every board ascends: a smaller `place` is better. Whoever reaches a place first stays before those who equal it
//! later. Must never read another generation than the one that counts, nor two of them in one answer.

use sprint_shared::almanac::StageNumber;
use sprint_shared::day::Day;
use sqlx::FromRow;
use uuid::Uuid;

use super::{Span, Store, StoreError, on_db};

/// The low bits of a place by score: an official time, which no session brings beyond a day.
const SCORE_BITS: u32 = 32;

/// Which board: what is compared, in which span, with which preset.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BoardKey {
    text: String,
    /// Of a board of ratings: its series.
    series: Option<String>,
}

impl BoardKey {
    /// Sums of round scores, with one preset or (`None`) all of them.
    pub fn points(span: Span, preset: Option<&str>) -> BoardKey {
        BoardKey::of("points", span, preset.unwrap_or_default())
    }

    /// Each player's fastest clean finish that no outage fell into.
    pub fn fastest(span: Span, preset: &str) -> BoardKey {
        BoardKey::of("fastest", span, preset)
    }

    /// Each player's clean finish with the fewest moves for the optimum of its board.
    pub fn fewest(span: Span, preset: &str) -> BoardKey {
        BoardKey::of("fewest", span, preset)
    }

    /// Ratings that are settled, with one preset or (`None`) all of them. They have no span: a rating is no sum.
    pub fn rating(preset: Option<&str>) -> BoardKey {
        let series = preset.unwrap_or_default();
        BoardKey { series: Some(series.to_owned()), ..BoardKey::of("rating", Span::All, series) }
    }

    /// The highest score of each player on a stage; equal ones by official time.
    pub fn stage(stage: StageNumber) -> BoardKey {
        BoardKey::of("stage", Span::All, &stage.to_string())
    }

    /// The score of each player's rated try on a day; equal ones by official time.
    pub fn daily(day: Day) -> BoardKey {
        BoardKey::of("daily", Span::Day(day.number().into()), "")
    }

    /// Where a score stands, reached in that official time (milliseconds): first by the one, then by the other.
    pub fn score_place(score: i64, official_ms: i64) -> i64 {
        -(score << SCORE_BITS) + official_ms
    }

    /// The score of such a place.
    pub fn score_of(place: i64) -> i64 {
        -(place >> SCORE_BITS)
    }

    /// The text under which it is stored.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The stretch of a place, and the first place in it.
    pub fn stretch(&self, place: i64) -> (i64, i64) {
        let bits = bits_of(&self.text);
        (place >> bits, place >> bits << bits)
    }

    fn of(what: &str, span: Span, preset: &str) -> BoardKey {
        BoardKey { text: format!("{what}/{}/{preset}", span.key()), series: None }
    }
}

/// In which stretch of a board a place lies: `board_count` counts by stretches.
pub(super) fn stretch_of(board: &str, place: i64) -> i64 {
    place >> bits_of(board)
}

/// How many low bits of a place make no other stretch, as `store/show` and the migration have it too.
pub(super) fn bits_of(board: &str) -> u32 {
    match board.split('/').next() {
        Some("rating") => 14,
        // Eight seconds of one score.
        Some("stage" | "daily") => 13,
        _ => 8,
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
    /// Flagged players, and results that are doubted: they stand apart.
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
    /// Rounds that count on this board.
    pub rounds: i64,
    /// Those of them that were won: alone in the first place, with a finish.
    pub wins: i64,
    /// Official moves in that round.
    pub moves: Option<i64>,
    /// The optimum of its board.
    pub optimum: Option<i64>,
    /// The official time in it, in milliseconds.
    pub official_ms: Option<i64>,
    /// Placement errors in it.
    pub errors: Option<i64>,
    /// Whether the server interrupted it.
    pub interrupted: Option<bool>,
    /// On a board of ratings: the standard deviation, in millionths.
    pub sigma: Option<i64>,
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
    /// Whoever has moved since this instant is left out, in milliseconds since the Unix epoch: they may have stood on a
    /// page before. `i64::MAX` leaves nobody out.
    pub until_ms: i64,
}

/// The generation that counts, in one word of SQL that leaves the index its range.
macro_rules! generation {
    () => {
        "coalesce((SELECT generation FROM ladder WHERE id = 1), 1)"
    };
}

/// Rows of a board on one side of a place, nearest first; names and details are joined outside, row by row. IS TRUE
/// keeps both databases from looking through all rounds of a player for one of them: a round has four seats.
macro_rules! rows {
    ($side:literal, $order:literal) => {
        concat!(
            "SELECT e.player_id, coalesce(p.name, '') AS name, e.place, e.reached_at_ms, e.round_id, e.rounds, e.wins, \
               s.moves, r.optimum, s.official_ms, s.errors, r.interrupted, g.sigma_after AS sigma \
             FROM (SELECT player_id, place, reached_at_ms, round_id, rounds, wins FROM board_entry WHERE generation = ",
            generation!(),
            " AND board = $1 AND list = $2 AND (place, reached_at_ms, player_id) ",
            $side,
            " ($3, $4, $5) AND reached_at_ms <= $8 ORDER BY ",
            $order,
            " LIMIT $6) e \
             LEFT JOIN player p ON p.player_id = e.player_id \
             LEFT JOIN round_result r ON r.round_id = e.round_id \
             LEFT JOIN seat_result s ON s.round_id = e.round_id AND (s.player_id = e.player_id) IS TRUE \
             LEFT JOIN seat_rating g ON g.generation = ",
            generation!(),
            " AND g.round_id = e.round_id AND g.series = $7 AND (g.player_id = e.player_id) IS TRUE \
             ORDER BY e.place, e.reached_at_ms, e.player_id"
        )
    };
}

/// A page of a board; public so that databases can be asked for their plan.
pub const BOARD_PAGE: &str = rows!(">", "place, reached_at_ms, player_id");
/// An entry and those before it; public so that databases can be asked for their plan.
pub const BOARD_UP_TO: &str = rows!("<=", "place DESC, reached_at_ms DESC, player_id DESC");
const OWN: &str = concat!(
    "SELECT place, reached_at_ms FROM board_entry WHERE generation = ",
    generation!(),
    " AND board = $1 AND list = $2 AND player_id = $3"
);
/// How many stand before a place: all in the stretches before its own, and those of its own stretch, whose number and
/// first place come last; public so that databases can be asked for their plan.
pub const BOARD_RANK: &str = concat!(
    "SELECT CAST(coalesce((SELECT sum(entries) FROM board_count WHERE generation = ",
    generation!(),
    " AND board = $1 AND list = $2 AND stretch < $6), 0) AS BIGINT) \
       + (SELECT count(*) FROM board_entry WHERE generation = ",
    generation!(),
    " AND board = $1 AND list = $2 AND place >= $7 AND (place, reached_at_ms, player_id) < ($3, $4, $5))"
);

impl Store {
    /// A page of a board, best first.
    pub async fn board_page(
        &self,
        board: &BoardKey,
        list: List,
        after: Option<BoardAfter>,
        limit: i64,
    ) -> Result<Vec<BoardRow>, StoreError> {
        let first = BoardAfter { place: i64::MIN, reached_at_ms: i64::MIN, player_id: Uuid::nil(), until_ms: i64::MAX };
        let after = after.unwrap_or(first);
        Ok(on_db!(self, |db| sqlx::query_as(BOARD_PAGE)
            .bind(board.as_str())
            .bind(list as i64)
            .bind(after.place)
            .bind(after.reached_at_ms)
            .bind(after.player_id)
            .bind(limit)
            .bind(board.series.as_deref())
            .bind(after.until_ms)
            .fetch_all(&db.read)
            .await)?)
    }

    /// When the last of the rounds ended that stand on the boards, in milliseconds since the Unix epoch; 0 without any.
    pub async fn shown_until(&self) -> Result<i64, StoreError> {
        // Rounds that end within moments of each other are not numbered by their ends: it is one of the latest.
        const SQL: &str = "SELECT max(r.finished_at_ms) FROM ladder l \
             JOIN round_result r ON r.number > l.shown - 256 AND r.number <= l.shown WHERE l.id = 1";
        let until: Option<i64> = on_db!(self, |db| sqlx::query_scalar(SQL).fetch_one(&db.read).await)?;
        Ok(until.unwrap_or_default())
    }

    /// A player's rank on a board, from 1, and the player's entry between those of up to `around` players on either
    /// side, best first. `None` if the player does not stand there.
    pub async fn board_around(
        &self,
        board: &BoardKey,
        list: List,
        player_id: Uuid,
        around: i64,
    ) -> Result<Option<(i64, Vec<BoardRow>)>, StoreError> {
        let outcome: Result<_, sqlx::Error> = on_db!(self, |db| async {
            // One state of all tables: neither a flip nor a round may come in between.
            let mut tx = db.read.begin_with(db.snapshot).await?;
            let own: Option<(i64, i64)> = sqlx::query_as(OWN)
                .bind(board.as_str())
                .bind(list as i64)
                .bind(player_id)
                .fetch_optional(&mut *tx)
                .await?;
            let Some((place, reached_at_ms)) = own else { return Ok(None) };
            let (stretch, first) = board.stretch(place);
            let before: i64 = sqlx::query_scalar(BOARD_RANK)
                .bind(board.as_str())
                .bind(list as i64)
                .bind(place)
                .bind(reached_at_ms)
                .bind(player_id)
                .bind(stretch)
                .bind(first)
                .fetch_one(&mut *tx)
                .await?;
            let mut rows: Vec<BoardRow> = Vec::new();
            for (sql, limit) in [(BOARD_UP_TO, around + 1), (BOARD_PAGE, around)] {
                let side: Vec<BoardRow> = sqlx::query_as(sql)
                    .bind(board.as_str())
                    .bind(list as i64)
                    .bind(place)
                    .bind(reached_at_ms)
                    .bind(player_id)
                    .bind(limit)
                    .bind(board.series.as_deref())
                    .bind(i64::MAX)
                    .fetch_all(&mut *tx)
                    .await?;
                rows.extend(side);
            }
            Ok(Some((before + 1, rows)))
        }
        .await);
        Ok(outcome?)
    }
}
