//! Rounds and their seats: what a round came to, written once.
//!
//! Must never write a round twice: whatever ends it, the first result stands.

use sqlx::{Database, Encode, Executor, FromRow, IntoArguments, Transaction, Type};
use uuid::Uuid;

use super::ladder::{CountedRound, Ladder};
use super::{DealtBoard, Store, StoreError, StoredEvent, on_db};

/// A round's result, to be committed together with the events that end it.
#[derive(Clone, Debug)]
pub struct RoundRecord {
    /// Version 7; the key that makes writing it idempotent.
    pub round_id: Uuid,
    /// Counts the room's rounds from 1.
    pub round: i64,
    /// The `seq` of the first event that the replay of this round needs.
    pub first_seq: i64,
    /// The `seq` of its last.
    pub last_seq: i64,
    /// The preset's name; `None` for a blueprint.
    pub preset: Option<String>,
    /// The board in canonical notation.
    pub board: String,
    /// The proven optimum in transfers; `None` if unproven.
    pub optimum: Option<i64>,
    /// RULES section 4; `None` if the optimum is unproven.
    pub par: Option<i64>,
    /// The deal's seed, in hexadecimal; empty for a blueprint.
    pub seed: String,
    /// The deal's version.
    pub deal_version: i64,
    /// `fastest` or `fewest`.
    pub contest: String,
    /// `strict` or `guarded`.
    pub placement: String,
    /// Whether people's ratings follow from it.
    pub rated: bool,
    /// Whether quick match opened its room: no other round counts on ladder and boards.
    pub matched: bool,
    /// Whether the server's own interruption fell into it (kept off the fastest lists).
    pub interrupted: bool,
    /// T0, in milliseconds since the Unix epoch.
    pub started_at_ms: i64,
    /// Milliseconds since the Unix epoch.
    pub finished_at_ms: i64,
    /// What was played alone, as [`Solo::key`](sprint_shared::solo::Solo::key) names it; `None` in races.
    pub solo: Option<String>,
    /// The result as the protocol shows it, encoded.
    pub body: String,
    /// One entry a seat.
    pub seats: Vec<SeatRecord>,
}

/// What a seat came to in a round.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct SeatRecord {
    /// The seat's number in the room.
    pub seat: i64,
    /// Who sat there.
    pub player_id: Uuid,
    /// 1 for the first; equal ranks are shared.
    pub rank: i64,
    /// Whether harmony was reached in time.
    pub finished: bool,
    /// Whether without placement errors.
    pub clean: bool,
    /// The official counter: transfers and penalty moves.
    pub moves: i64,
    /// Placement errors.
    pub errors: i64,
    /// Receipt of the finishing act minus T0, in milliseconds.
    pub raw_ms: Option<i64>,
    /// The lag credit, in milliseconds.
    pub credit_ms: Option<i64>,
    /// Raw minus credit, in milliseconds; `None` without a finish.
    pub official_ms: Option<i64>,
    /// RULES section 4; 0 without harmony.
    pub score: i64,
    /// 1 to 3; `None` without a finish or a proven optimum.
    pub stars: Option<i64>,
    /// No undo and no reset.
    pub flawless: bool,
    /// Finished in the optimum.
    pub crown: bool,
    /// Whether a program played.
    pub bot: bool,
    /// What speaks against a person's having played so, as bits; 0 for nothing.
    pub suspicion: i64,
}

/// A stored round without its seats.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct RoundResult {
    /// Version 7.
    pub round_id: Uuid,
    /// The room it was played in.
    pub room_id: Uuid,
    /// Counts the room's rounds from 1.
    pub round: i64,
    /// The `seq` of the first event that its replay needs.
    pub first_seq: i64,
    /// The `seq` of its last.
    pub last_seq: i64,
    /// The preset's name; `None` for a blueprint.
    pub preset: Option<String>,
    /// The board in canonical notation.
    pub board: String,
    /// The proven optimum in transfers.
    pub optimum: Option<i64>,
    /// RULES section 4.
    pub par: Option<i64>,
    /// The deal's seed, in hexadecimal.
    pub seed: String,
    /// The deal's version.
    pub deal_version: i64,
    /// `fastest` or `fewest`.
    pub contest: String,
    /// `strict` or `guarded`.
    pub placement: String,
    /// Whether people's ratings follow from it.
    pub rated: bool,
    /// Whether quick match opened its room.
    pub matched: bool,
    /// Whether the server's own interruption fell into it.
    pub interrupted: bool,
    /// T0, in milliseconds since the Unix epoch.
    pub started_at_ms: i64,
    /// Milliseconds since the Unix epoch.
    pub finished_at_ms: i64,
    /// What was played alone; `None` in races.
    pub solo: Option<String>,
    /// The result as the protocol shows it, encoded.
    pub body: String,
}

/// A seat's result with its player's present name.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct SeatResult {
    /// What the seat came to.
    #[sqlx(flatten)]
    pub seat: SeatRecord,
    /// The player's name; empty if the player is gone.
    pub name: String,
}

/// A line of a player's history.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct PlayerMatch {
    /// The round.
    #[sqlx(flatten)]
    pub round: RoundResult,
    /// The player's seat in it.
    pub seat: i64,
    /// The player's rank in it.
    pub rank: i64,
    /// The player's score in it.
    pub score: i64,
}

/// Where a page of a history goes on: the last round of the page before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchAfter {
    /// Its `finished_at_ms`.
    pub finished_at_ms: i64,
    /// Its id.
    pub round_id: Uuid,
}

/// Named one by one, so that a column added by a newer server changes nothing here.
macro_rules! round_columns {
    () => {
        "r.round_id, r.room_id, r.round, r.first_seq, r.last_seq, r.preset, r.board, r.optimum, r.par, r.seed, \
         r.deal_version, r.contest, r.placement, r.rated, r.matched, r.interrupted, r.started_at_ms, r.finished_at_ms, \
         r.solo, r.body"
    };
}

impl Store {
    /// A round with its seats in order.
    pub async fn round(&self, round_id: Uuid) -> Result<Option<(RoundResult, Vec<SeatResult>)>, StoreError> {
        const ROUND: &str = concat!("SELECT ", round_columns!(), " FROM round_result r WHERE r.round_id = $1");
        const SEATS: &str = "SELECT s.seat, s.player_id, s.rank, s.finished, s.clean, s.moves, s.errors, s.raw_ms, \
               s.credit_ms, s.official_ms, s.score, s.stars, s.flawless, s.crown, s.bot, s.suspicion, \
               coalesce(p.name, '') AS name \
             FROM seat_result s LEFT JOIN player p ON p.player_id = s.player_id WHERE s.round_id = $1 ORDER BY s.seat";
        let round: Option<RoundResult> = on_db!(self, MemoryDatabase::round(round_id), |db| sqlx::query_as(ROUND)
            .bind(round_id)
            .fetch_optional(&db.read)
            .await)?;
        let Some(round) = round else { return Ok(None) };
        let seats = on_db!(self, MemoryDatabase::seats(round_id), |db| sqlx::query_as(SEATS)
            .bind(round_id)
            .fetch_all(&db.read)
            .await)?;
        Ok(Some((round, seats)))
    }

    /// The events from which a stored round re-verifies, in order.
    pub async fn replay(&self, round: &RoundResult) -> Result<Vec<StoredEvent>, StoreError> {
        self.events_in(round.room_id, round.first_seq..=round.last_seq).await
    }

    /// A room's rounds in the order they were played.
    pub async fn rounds_of_room(&self, room_id: Uuid) -> Result<Vec<RoundResult>, StoreError> {
        const SQL: &str = concat!(
            "SELECT ",
            round_columns!(),
            " FROM round_result r WHERE r.room_id = $1 ORDER BY r.round, r.round_id"
        );
        Ok(on_db!(self, MemoryDatabase::rounds_of_room(room_id), |db| sqlx::query_as(SQL)
            .bind(room_id)
            .fetch_all(&db.read)
            .await)?)
    }

    /// A player's races, newest first.
    pub async fn matches_of(
        &self,
        player_id: Uuid,
        after: Option<MatchAfter>,
        limit: i64,
    ) -> Result<Vec<PlayerMatch>, StoreError> {
        const SQL: &str = concat!(
            "SELECT ",
            round_columns!(),
            ", s.seat, s.rank, s.score \
             FROM seat_result s JOIN round_result r ON r.round_id = s.round_id \
             WHERE s.player_id = $1 AND s.solo IS NULL AND (s.finished_at_ms, s.round_id) < ($2, $3) \
             ORDER BY s.finished_at_ms DESC, s.round_id DESC LIMIT $4"
        );
        let after = after.unwrap_or(MatchAfter { finished_at_ms: i64::MAX, round_id: Uuid::max() });
        Ok(on_db!(self, MemoryDatabase::matches_of(player_id, after, limit), |db| sqlx::query_as(SQL)
            .bind(player_id)
            .bind(after.finished_at_ms)
            .bind(after.round_id)
            .bind(limit)
            .fetch_all(&db.read)
            .await)?)
    }

    /// All races, newest first.
    pub async fn rounds(&self, after: Option<MatchAfter>, limit: i64) -> Result<Vec<RoundResult>, StoreError> {
        const SQL: &str = "SELECT * FROM round_result WHERE solo IS NULL AND (finished_at_ms, round_id) < ($1, $2) \
             ORDER BY finished_at_ms DESC, round_id DESC LIMIT $3";
        let after = after.unwrap_or(MatchAfter { finished_at_ms: i64::MAX, round_id: Uuid::max() });
        Ok(on_db!(self, MemoryDatabase::rounds(after, limit), |db| sqlx::query_as(SQL)
            .bind(after.finished_at_ms)
            .bind(after.round_id)
            .bind(limit)
            .fetch_all(&db.read)
            .await)?)
    }
}

const INSERT_ROUND: &str = "INSERT INTO round_result (round_id, room_id, round, first_seq, last_seq, preset, board, \
       optimum, par, seed, deal_version, contest, placement, rated, interrupted, started_at_ms, finished_at_ms, body, \
       matched, solo) \
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20) \
     ON CONFLICT (round_id) DO NOTHING RETURNING round_id";
const INSERT_SEAT: &str = "INSERT INTO seat_result (round_id, seat, player_id, rank, finished, clean, moves, errors, \
       raw_ms, credit_ms, official_ms, score, stars, flawless, crown, preset, ratio_ppm, interrupted, finished_at_ms, \
       bot, suspicion, solo) \
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)";
const INSERT_BOARD: &str = "INSERT INTO dealt_board (board, round_id) VALUES ($1, $2)";
const INSERT_BOARD_AGAIN: &str =
    "INSERT INTO dealt_board (board, round_id) VALUES ($1, $2) ON CONFLICT (board) DO NOTHING";

/// Writes the rounds of a room and what follows from them, and the boards it shows, inside the transaction that appends its events.
pub(crate) async fn insert_rounds<DB>(
    tx: &mut Transaction<'_, DB>,
    room_id: Uuid,
    rounds: &[RoundRecord],
    dealt: &[DealtBoard],
    pair_rounds_max: Option<i64>,
) -> Result<(), sqlx::Error>
where
    DB: Database,
    DB::Arguments: IntoArguments<DB>,
    for<'c> &'c mut DB::Connection: Executor<'c, Database = DB>,
    for<'q> i64: Encode<'q, DB> + Type<DB>,
    for<'q> bool: Encode<'q, DB> + Type<DB>,
    for<'q> Uuid: Encode<'q, DB> + Type<DB>,
    for<'q> String: Encode<'q, DB> + Type<DB>,
    for<'q> Option<i64>: Encode<'q, DB> + Type<DB>,
    for<'q> Option<String>: Encode<'q, DB> + Type<DB>,
    DB::Connection: Ladder,
{
    for shown in dealt {
        let insert = if shown.again { INSERT_BOARD_AGAIN } else { INSERT_BOARD };
        sqlx::query::<DB>(insert).bind(shown.board.clone()).bind(shown.round_id).execute(&mut **tx).await?;
    }
    for round in rounds {
        let inserted = sqlx::query::<DB>(INSERT_ROUND)
            .bind(round.round_id)
            .bind(room_id)
            .bind(round.round)
            .bind(round.first_seq)
            .bind(round.last_seq)
            .bind(round.preset.clone())
            .bind(round.board.clone())
            .bind(round.optimum)
            .bind(round.par)
            .bind(round.seed.clone())
            .bind(round.deal_version)
            .bind(round.contest.clone())
            .bind(round.placement.clone())
            .bind(round.rated)
            .bind(round.interrupted)
            .bind(round.started_at_ms)
            .bind(round.finished_at_ms)
            .bind(round.body.clone())
            .bind(round.matched)
            .bind(round.solo.clone())
            .fetch_optional(&mut **tx)
            .await?;
        if inserted.is_none() {
            continue;
        }
        for seat in &round.seats {
            sqlx::query::<DB>(INSERT_SEAT)
                .bind(round.round_id)
                .bind(seat.seat)
                .bind(seat.player_id)
                .bind(seat.rank)
                .bind(seat.finished)
                .bind(seat.clean)
                .bind(seat.moves)
                .bind(seat.errors)
                .bind(seat.raw_ms)
                .bind(seat.credit_ms)
                .bind(seat.official_ms)
                .bind(seat.score)
                .bind(seat.stars)
                .bind(seat.flawless)
                .bind(seat.crown)
                .bind(round.preset.clone())
                .bind(round.optimum.filter(|optimum| *optimum > 0).map(|optimum| seat.moves * 1_000_000 / optimum))
                .bind(round.interrupted)
                .bind(round.finished_at_ms)
                .bind(seat.bot)
                .bind(seat.suspicion)
                .bind(round.solo.clone())
                .execute(&mut **tx)
                .await?;
        }
        if let Some(counted) = CountedRound::of(round) {
            (**tx).enter(&counted, pair_rounds_max).await?;
        }
    }
    Ok(())
}
