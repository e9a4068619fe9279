//! Deleting a player: at once whatever lets somebody in or shows the name, and then the name in stored rounds.
//!
//! A name in a stored round is part of what its events prove, so it is replaced on both sides alike: the rounds still
//! prove their results. Must never touch a room that is not finished, and never hold the writer for long.

use serde_json::Value;
use uuid::Uuid;

use super::event::Slice;
use super::ladder::LOCK_LADDER;
use super::show::UNCOUNT;
use super::{Store, StoreError, on_db};
use crate::names::DELETED;

/// Rows that one transaction reads and perhaps writes at most, so that the journal never waits long for the writer.
const SLICE_ROWS: usize = 500;
const ENTRIES: &str = "DELETE FROM board_entry WHERE player_id = $1";
/// What the public list would show of a room that is over.
const NOBODY: &str = r#"{"players":[],"joinable":false}"#;

/// Locks the room against compaction; events that it moved before stand in slices, which come later.
const LOCK_ROOM: &str = "UPDATE room SET compacted = compacted WHERE room_id = $1 AND finished_at_ms IS NOT NULL";
const EVENTS: &str = "SELECT seq, body FROM room_event WHERE room_id = $1 AND seq > $2 ORDER BY seq LIMIT $3";
const SLICES: &str =
    "SELECT first_seq, body FROM replay WHERE room_id = $1 AND first_seq > $2 ORDER BY first_seq LIMIT 1";
const ROUNDS: &str = "SELECT round, round_id, body FROM round_result WHERE room_id = $1 \
     AND (round, round_id) > ($2, $3) ORDER BY round, round_id LIMIT $4";
const ROW: &str = "SELECT guests FROM room WHERE room_id = $1";
const SET_EVENT: &str = "UPDATE room_event SET body = $3 WHERE room_id = $1 AND seq = $2";
const SET_SLICE: &str = "UPDATE replay SET body = $3 WHERE room_id = $1 AND first_seq = $2";
const SET_ROUND: &str = "UPDATE round_result SET body = $2 WHERE round_id = $1";
const SET_ROW: &str = "UPDATE room SET guests = $2, listing = $3 WHERE room_id = $1";
const UNSEAT: &str = "DELETE FROM seated WHERE room_id = $1 AND player_id = $2";

/// How far a room is.
#[derive(Clone, Copy)]
enum Cursor {
    /// Events after this `seq`.
    Events(i64),
    /// Compacted events in slices that begin after this `seq`.
    Slices(i64),
    /// Rounds after this number and id.
    Rounds(i64, Uuid),
    /// The room's own row.
    Row,
    Done,
}

impl Store {
    /// Deletes a player: no device, no code, no password, no name, no entry on any list. What stands in stored rounds
    /// is still to be erased.
    pub async fn delete_player(&self, player_id: Uuid, now_ms: i64) -> Result<(), StoreError> {
        const PLAYER: &str = "UPDATE player SET name = $2, skeleton = NULL, password = NULL, \
             standing = CASE WHEN standing IN (2, 4) THEN 4 ELSE 3 END, standing_at_ms = $3, erased = $4 \
             WHERE player_id = $1";
        const CODES: &str = "DELETE FROM link_code WHERE player_id = $1";
        const TOKENS: &str = "DELETE FROM device WHERE player_id = $1";
        self.before_write().await?;
        let outcome = on_db!(self, |db| async {
            let mut tx = db.write.begin_with(db.begin).await?;
            sqlx::query(LOCK_LADDER).execute(&mut *tx).await?;
            sqlx::query(PLAYER).bind(player_id).bind(DELETED).bind(now_ms).bind(false).execute(&mut *tx).await?;
            for sql in [CODES, TOKENS, UNCOUNT, ENTRIES] {
                sqlx::query(sql).bind(player_id).execute(&mut *tx).await?;
            }
            tx.commit().await
        }
        .await);
        self.wrote(outcome)
    }

    /// Players who are deleted and whose name still stands somewhere, by id after `after`, each with the time of the last
    /// change of standing in milliseconds since the Unix epoch.
    pub async fn players_to_erase(&self, after: Option<Uuid>, limit: i64) -> Result<Vec<(Uuid, i64)>, StoreError> {
        // Its condition is worded as that of the index `player_to_erase` is.
        const SQL: &str = "SELECT player_id, standing_at_ms FROM player WHERE NOT erased AND player_id > $1 \
             ORDER BY player_id LIMIT $2";
        let after = after.unwrap_or(Uuid::nil());
        Ok(on_db!(self, MemoryDatabase::players_to_erase(), |db| sqlx::query_as(SQL)
            .bind(after)
            .bind(limit)
            .fetch_all(&db.read)
            .await)?)
    }

    /// Erases the player's name in every finished room in which the player sat, raced or not.
    pub async fn erase_in_rooms(&self, player_id: Uuid) -> Result<(), StoreError> {
        const PAGE: i64 = 100;
        let mut after: Option<Uuid> = None;
        loop {
            let rooms = self.finished_rooms_of(player_id, after, PAGE).await?;
            after = rooms.last().copied();
            for room_id in &rooms {
                let mut cursor = Cursor::Events(0);
                while !matches!(cursor, Cursor::Done) {
                    cursor = self.erase_slice(*room_id, player_id, cursor).await?;
                }
            }
            if after.is_none() {
                return Ok(());
            }
        }
    }

    /// The player's name stands nowhere any more; false if it does, in a room of the player or of the `ghost`.
    pub async fn set_erased(&self, player_id: Uuid, ghost: Uuid) -> Result<bool, StoreError> {
        // Who is seated meanwhile locks this row too. It is looked at by the next statement: what was committed while
        // the lock waited is seen only so.
        const LOCK: &str = "UPDATE player SET erased = erased WHERE player_id = $1";
        const SQL: &str = "UPDATE player SET erased = $2 WHERE player_id = $1 \
             AND NOT EXISTS (SELECT 1 FROM seated WHERE player_id IN ($1, $3))";
        self.before_write().await?;
        let outcome = on_db!(self, |db| async {
            let mut tx = db.write.begin_with(db.begin).await?;
            sqlx::query(LOCK_LADDER).execute(&mut *tx).await?;
            // Entries of a player who is deleted stand nowhere, whoever wrote them.
            for sql in [UNCOUNT, ENTRIES] {
                sqlx::query(sql).bind(player_id).execute(&mut *tx).await?;
            }
            sqlx::query(LOCK).bind(player_id).execute(&mut *tx).await?;
            let set = sqlx::query(SQL).bind(player_id).bind(true).bind(ghost).execute(&mut *tx).await?;
            tx.commit().await?;
            Ok(set.rows_affected() > 0)
        }
        .await);
        self.wrote(outcome)
    }

    /// Goes on in a room, for one transaction.
    async fn erase_slice(&self, room_id: Uuid, player_id: Uuid, from: Cursor) -> Result<Cursor, StoreError> {
        let player = player_id.to_string();
        self.before_write().await?;
        let outcome = on_db!(self, |db| async {
            let mut tx = db.write.begin_with(db.begin).await?;
            if sqlx::query(LOCK_ROOM).bind(room_id).execute(&mut *tx).await?.rows_affected() == 0 {
                return Ok(Cursor::Done);
            }
            let (mut cursor, mut rows) = (from, 0);
            while rows < SLICE_ROWS && !matches!(cursor, Cursor::Done) {
                let left = (SLICE_ROWS - rows) as i64;
                cursor = match cursor {
                    Cursor::Events(after) => {
                        let found: Vec<(i64, String)> =
                            sqlx::query_as(EVENTS).bind(room_id).bind(after).bind(left).fetch_all(&mut *tx).await?;
                        for (seq, body) in &found {
                            if let Some(body) = without_name(body, &player) {
                                sqlx::query(SET_EVENT).bind(room_id).bind(*seq).bind(body).execute(&mut *tx).await?;
                            }
                        }
                        rows += found.len();
                        found.last().map_or(Cursor::Slices(0), |(seq, _)| Cursor::Events(*seq))
                    }
                    Cursor::Slices(after) => {
                        let found: Option<(i64, String)> =
                            sqlx::query_as(SLICES).bind(room_id).bind(after).fetch_optional(&mut *tx).await?;
                        if let Some((first_seq, body)) = &found
                            && let Some(body) = slice_without_name(body, &player)
                        {
                            let set = sqlx::query(SET_SLICE).bind(room_id).bind(*first_seq).bind(body);
                            set.execute(&mut *tx).await?;
                        }
                        rows += if found.is_some() { SLICE_ROWS } else { 0 };
                        found.map_or(Cursor::Rounds(0, Uuid::nil()), |(first_seq, _)| Cursor::Slices(first_seq))
                    }
                    Cursor::Rounds(round, round_id) => {
                        let found: Vec<(i64, Uuid, String)> = sqlx::query_as(ROUNDS)
                            .bind(room_id)
                            .bind(round)
                            .bind(round_id)
                            .bind(left)
                            .fetch_all(&mut *tx)
                            .await?;
                        for (_, round_id, body) in &found {
                            if let Some(body) = without_name(body, &player) {
                                sqlx::query(SET_ROUND).bind(*round_id).bind(body).execute(&mut *tx).await?;
                            }
                        }
                        rows += found.len();
                        found.last().map_or(Cursor::Row, |(round, round_id, _)| Cursor::Rounds(*round, *round_id))
                    }
                    Cursor::Row | Cursor::Done => {
                        let guests: String = sqlx::query_scalar(ROW).bind(room_id).fetch_one(&mut *tx).await?;
                        let guests = without_name(&guests, &player).unwrap_or(guests);
                        sqlx::query(SET_ROW).bind(room_id).bind(guests).bind(NOBODY).execute(&mut *tx).await?;
                        sqlx::query(UNSEAT).bind(room_id).bind(player_id).execute(&mut *tx).await?;
                        Cursor::Done
                    }
                };
            }
            tx.commit().await?;
            Ok(cursor)
        }
        .await);
        self.wrote(outcome)
    }
}

/// A JSON text in which this player has no name any more; `None` if there is nothing to change. What cannot be read
/// proves nothing and stays as it is.
fn without_name(body: &str, player: &str) -> Option<String> {
    if !body.contains(player) {
        return None;
    }
    let mut value = serde_json::from_str(body).ok()?;
    unname(&mut value, player).then(|| value.to_string())
}

fn slice_without_name(body: &str, player: &str) -> Option<String> {
    if !body.contains(player) {
        return None;
    }
    let mut slice: Slice = serde_json::from_str(body).ok()?;
    let mut changed = false;
    for (.., event) in &mut slice {
        if let Some(unnamed) = without_name(event, player) {
            (*event, changed) = (unnamed, true);
        }
    }
    changed.then(|| serde_json::to_string(&slice).expect("numbers and strings always encode"))
}

/// Sets `name` wherever an object has this `player`; whether anything is another now.
fn unname(value: &mut Value, player: &str) -> bool {
    let mut changed = false;
    match value {
        Value::Object(fields) => {
            if fields.get("player").and_then(Value::as_str) == Some(player)
                && let Some(Value::String(name)) = fields.get_mut("name")
                && name != DELETED
            {
                DELETED.clone_into(name);
                changed = true;
            }
            fields.values_mut().for_each(|value| changed |= unname(value, player));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| changed |= unname(item, player)),
        _ => {}
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_goes_wherever_its_player_stands_and_no_other_name_does() {
        let (ada, ben) = (Uuid::from_u128(1).to_string(), Uuid::from_u128(2).to_string());
        let body = format!(
            r#"{{"type":"round_over","result":{{"seats":[{{"player":"{ada}","name":"Ada"}},{{"player":"{ben}","name":"Ada"}}]}}}}"#
        );
        let erased = without_name(&body, &ada).expect("Ada stands there");
        let (found, value): (Value, Value) = (
            serde_json::from_str(&erased).expect("JSON"),
            serde_json::from_str(&body.replacen("\"Ada\"", "\"Deleted player\"", 1)).expect("JSON"),
        );
        assert_eq!(found, value);
        assert_eq!(without_name(&erased, &ada), None, "once is enough");
        assert_eq!(without_name(&body, &Uuid::from_u128(3).to_string()), None);
        assert_eq!(without_name(&format!("torn {ada}"), &ada), None);
    }
}
