//! What the host sees of fair play, and how players stand with the host.
//!
//! Must never let a rebuild go on that has begun before a player's standing changed: half of it would count the player.

use uuid::Uuid;

use super::rebuild::{FIRST_USE, TAKE_OVER, begin};
use super::{Building, Player, Standing, Store, StoreError, on_db};
use crate::names;
use crate::rating::FORMULA;

/// A seat's result that bears signs.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Suspect {
    /// The round.
    pub round_id: Uuid,
    /// When it ended, in milliseconds since the Unix epoch.
    pub finished_at_ms: i64,
    /// The seat's number.
    pub seat: i64,
    /// Who sat there.
    pub player_id: Uuid,
    /// By what name now; empty if the player is gone.
    pub name: String,
    /// How the player stands.
    pub standing: Standing,
    /// The signs, as [`fair`](crate::fair) numbers them.
    pub suspicion: i64,
    /// The preset's name; `None` for a blueprint.
    pub preset: Option<String>,
    /// Whether quick match opened the room: only then anything follows from the round.
    pub matched: bool,
    /// Transfers and penalty moves.
    pub moves: i64,
    /// The proven optimum in transfers.
    pub optimum: Option<i64>,
    /// The official time, in milliseconds; `None` without a finish.
    pub official_ms: Option<i64>,
}

/// A player whom the host has flagged or banned.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Judged {
    /// Who.
    pub player_id: Uuid,
    /// By what name.
    pub name: String,
    /// How the player stands.
    pub standing: Standing,
    /// Since when, in milliseconds since the Unix epoch.
    pub standing_at_ms: i64,
    /// What the host said of it.
    pub reason: String,
}

impl Store {
    /// Results that bear signs, newest first.
    pub async fn suspects(&self, limit: i64) -> Result<Vec<Suspect>, StoreError> {
        const SQL: &str = "SELECT s.round_id, s.finished_at_ms, s.seat, s.player_id, coalesce(p.name, '') AS name, \
               coalesce(p.standing, 0) AS standing, s.suspicion, s.preset, r.matched, s.moves, r.optimum, \
               s.official_ms \
             FROM seat_result s JOIN round_result r ON r.round_id = s.round_id \
               LEFT JOIN player p ON p.player_id = s.player_id \
             WHERE s.suspicion <> 0 ORDER BY s.finished_at_ms DESC, s.round_id DESC, s.seat DESC LIMIT $1";
        Ok(on_db!(self, |db| sqlx::query_as(SQL).bind(limit).fetch_all(&db.read).await)?)
    }

    /// Whom the host has flagged or banned, the last first.
    pub async fn judged(&self, limit: i64) -> Result<Vec<Judged>, StoreError> {
        const SQL: &str = "SELECT p.player_id, p.name, p.standing, p.standing_at_ms, \
               coalesce((SELECT f.reason FROM flag f WHERE f.player_id = p.player_id \
                 ORDER BY f.at_ms DESC LIMIT 1), '') AS reason \
             FROM player p WHERE p.standing <> 0 AND p.standing <> 3 \
             ORDER BY p.standing_at_ms DESC, p.player_id LIMIT $1";
        Ok(on_db!(self, |db| sqlx::query_as(SQL).bind(limit).fetch_all(&db.read).await)?)
    }

    /// The player of exactly this name.
    pub async fn player_named(&self, name: &str) -> Result<Option<Player>, StoreError> {
        const SQL: &str = "SELECT player_id, name, bot, strength, standing, created_at_ms FROM player \
             WHERE skeleton = $1 AND name = $2";
        let skeleton = names::skeleton(name);
        Ok(on_db!(self, |db| sqlx::query_as(SQL).bind(skeleton.as_str()).bind(name).fetch_optional(&db.read).await)?)
    }

    /// Changes how a player stands with the host from what it was, keeps why, and takes the next generation of ratings
    /// over from whoever builds it: that one had begun to count the player otherwise. `None`, and nothing is changed,
    /// if the player stands otherwise by now.
    pub async fn set_standing(
        &self,
        player_id: Uuid,
        (was, is): (Standing, Standing),
        reason: &str,
        now_ms: i64,
    ) -> Result<Option<Building>, StoreError> {
        const STANDING: &str = "UPDATE player SET standing = $3, \
               standing_at_ms = CASE WHEN standing = $3 THEN standing_at_ms ELSE $4 END \
             WHERE player_id = $1 AND standing = $2";
        const FLAG: &str = "INSERT INTO flag (player_id, at_ms, standing, reason) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (player_id, at_ms) DO UPDATE SET standing = excluded.standing, reason = excluded.reason";
        self.before_write().await?;
        let outcome = on_db!(self, |db| async {
            let mut tx = begin(&db.write, db.begin).await?;
            // The ladder first, like everybody: the journal counts a round before this or sees it.
            sqlx::query(FIRST_USE).bind(FORMULA).execute(&mut *tx).await?;
            let (current, next): (i64, i64) = sqlx::query_as(TAKE_OVER).bind(now_ms).fetch_one(&mut *tx).await?;
            let stands =
                sqlx::query(STANDING).bind(player_id).bind(was).bind(is).bind(now_ms).execute(&mut *tx).await?;
            if stands.rows_affected() == 0 {
                return Ok(None);
            }
            if was != is {
                sqlx::query(FLAG).bind(player_id).bind(now_ms).bind(is).bind(reason).execute(&mut *tx).await?;
            }
            tx.commit().await?;
            Ok(Some(Building { current, next, at_ms: now_ms, shown: 0 }))
        }
        .await);
        self.wrote(outcome)
    }
}
