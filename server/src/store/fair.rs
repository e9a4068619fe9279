//! What the host sees of fair play, and how players stand with the host.
//!
//! Must never change how a player stands while ratings are being rebuilt: half of them would count the player.

use uuid::Uuid;

use super::{Player, Standing, Store, StoreError, on_db};
use crate::names;

/// Another rebuild that was silent for so long has died, in milliseconds.
const SILENT_MS: i64 = 60_000;

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
               coalesce(p.standing, 0) AS standing, s.suspicion, s.preset, r.matched, s.moves, r.optimum, s.official_ms \
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

    /// Changes how a player stands with the host, and keeps why. False, and nothing is changed, while ratings are being
    /// rebuilt.
    pub async fn set_standing(
        &self,
        player_id: Uuid,
        standing: Standing,
        reason: &str,
        now_ms: i64,
    ) -> Result<bool, StoreError> {
        const FIRST_USE: &str = "INSERT INTO ladder (id, generation, rounds) VALUES (1, 1, 0) ON CONFLICT DO NOTHING";
        // Locks the ladder: a rebuild begins before this or sees what it has changed.
        const IDLE: &str =
            "UPDATE ladder SET rounds = rounds WHERE id = 1 AND (building IS NULL OR building_at_ms < $1)";
        const STANDING: &str =
            "UPDATE player SET standing = $2, standing_at_ms = $3 WHERE player_id = $1 AND standing <> 3";
        const FLAG: &str = "INSERT INTO flag (player_id, at_ms, standing, reason) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (player_id, at_ms) DO UPDATE SET standing = excluded.standing, reason = excluded.reason";
        self.before_write().await?;
        let outcome = on_db!(self, |db| async {
            let mut tx = db.write.begin_with(db.begin).await?;
            sqlx::query(FIRST_USE).execute(&mut *tx).await?;
            let idle = sqlx::query(IDLE).bind(now_ms - SILENT_MS).execute(&mut *tx).await?;
            if idle.rows_affected() == 0 {
                return Ok(false);
            }
            sqlx::query(STANDING).bind(player_id).bind(standing).bind(now_ms).execute(&mut *tx).await?;
            sqlx::query(FLAG).bind(player_id).bind(now_ms).bind(standing).bind(reason).execute(&mut *tx).await?;
            tx.commit().await?;
            Ok(true)
        }
        .await);
        self.wrote(outcome)
    }
}
