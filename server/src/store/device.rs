//! What proves who somebody is: tokens of devices, codes that link another device, a password.
//!
//! Must never store a token, a code or a password: only SHA-256 of what is random, and argon2 of what is not.

use sqlx::FromRow;
use subtle::ConstantTimeEq;
use uuid::Uuid;

use super::{Player, Standing, Store, StoreError, on_db};
use crate::names;

/// Devices that a player is logged in on at most; one more logs the oldest out.
const DEVICES_MAX: i64 = 20;

const ADD: &str = "INSERT INTO device (token_hash, player_id, created_at_ms) VALUES ($1, $2, $3)";
const FORGET_OLDEST: &str = "DELETE FROM device WHERE player_id = $1 AND token_hash NOT IN \
    (SELECT token_hash FROM device WHERE player_id = $1 ORDER BY created_at_ms DESC, token_hash LIMIT $2) \
    RETURNING token_hash";

/// Locks the row of a player: a log-out that is under way is waited for.
const LOCK: &str = "UPDATE player SET password = password WHERE player_id = $1";
/// Asked after [`LOCK`], as a statement of its own: what was committed while that waited is seen only so.
const STILL_IN: &str = "SELECT count(*) FROM device WHERE token_hash = $2 AND player_id = $1";

/// A device, by the SHA-256 of its token.
pub type DeviceHash = [u8; 32];

/// A device's row with its player.
#[derive(FromRow)]
struct Found {
    token_hash: Vec<u8>,
    #[sqlx(flatten)]
    player: Player,
}

/// What became of a password that was to be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PasswordSet {
    /// It is the password now.
    Done,
    /// The password before is another than was thought.
    Stale,
    /// The device has been logged out.
    LoggedOut,
}

/// A player with what is stored of the password.
#[derive(Clone, Debug, FromRow)]
pub struct Login {
    /// The player.
    #[sqlx(flatten)]
    pub player: Player,
    /// In PHC format, if there is a password.
    pub password: Option<String>,
}

impl Store {
    /// The player of the device whose token has this SHA-256, however the player stands.
    pub async fn player_by_token(&self, token_hash: &[u8; 32]) -> Result<Option<Player>, StoreError> {
        const SQL: &str = "SELECT d.token_hash, p.player_id, p.name, p.bot, p.strength, p.standing, p.created_at_ms \
             FROM device d JOIN player p ON p.player_id = d.player_id WHERE d.token_hash = $1";
        let hash = token_hash.as_slice();
        // The database compares as quickly as it can, and sees only hashes; this looks at the whole of them.
        let proven = |found: Option<Found>| Some(found?).filter(|f| f.token_hash.ct_eq(hash).into()).map(|f| f.player);
        Ok(on_db!(self, MemoryDatabase::player_by_token(token_hash), |db| sqlx::query_as(SQL)
            .bind(hash)
            .fetch_optional(&db.read)
            .await
            .map(proven))?)
    }

    /// Gives a player a code that links another device until `expires_at_ms`; an earlier one is void. False if the
    /// device with this token has been logged out.
    pub async fn open_link(
        &self,
        player_id: Uuid,
        device: &[u8; 32],
        code_hash: &[u8; 32],
        expires_at_ms: i64,
    ) -> Result<bool, StoreError> {
        const SQL: &str = "INSERT INTO link_code (code_hash, player_id, expires_at_ms) VALUES ($1, $2, $3) \
             ON CONFLICT (player_id) DO UPDATE SET code_hash = excluded.code_hash, \
             expires_at_ms = excluded.expires_at_ms";
        self.before_write().await?;
        let outcome = on_db!(self, |db| async {
            let mut tx = db.write.begin_with(db.begin).await?;
            sqlx::query(LOCK).bind(player_id).execute(&mut *tx).await?;
            let still: i64 =
                sqlx::query_scalar(STILL_IN).bind(player_id).bind(device.as_slice()).fetch_one(&mut *tx).await?;
            if still == 0 {
                return Ok(false);
            }
            sqlx::query(SQL).bind(code_hash.as_slice()).bind(player_id).bind(expires_at_ms).execute(&mut *tx).await?;
            tx.commit().await?;
            Ok(true)
        }
        .await);
        self.wrote(outcome)
    }

    /// Uses a code up: the player gets a device with this token. With the player come the devices that are logged out for
    /// it: there were too many. `None` if there is no such code at `now_ms`, or its player is let in nowhere.
    pub async fn use_link(
        &self,
        code_hash: &[u8; 32],
        now_ms: i64,
        token_hash: &[u8; 32],
    ) -> Result<Option<(Player, Vec<DeviceHash>)>, StoreError> {
        const TAKE: &str = "DELETE FROM link_code WHERE code_hash = $1 RETURNING player_id, expires_at_ms";
        const WHO: &str =
            "SELECT player_id, name, bot, strength, standing, created_at_ms FROM player WHERE player_id = $1";
        self.before_write().await?;
        let outcome = on_db!(self, |db| async {
            let mut tx = db.write.begin_with(db.begin).await?;
            let taken: Option<(Uuid, i64)> =
                sqlx::query_as(TAKE).bind(code_hash.as_slice()).fetch_optional(&mut *tx).await?;
            let player: Option<Player> = match taken.filter(|(_, expires_at_ms)| now_ms < *expires_at_ms) {
                Some((player_id, _)) => sqlx::query_as(WHO).bind(player_id).fetch_optional(&mut *tx).await?,
                None => None,
            };
            let player = player.filter(|player| player.standing.is_let_in());
            let mut forgotten: Vec<Vec<u8>> = Vec::new();
            if let Some(player) = &player {
                let (id, hash) = (player.player_id, token_hash.as_slice());
                sqlx::query(ADD).bind(hash).bind(id).bind(now_ms).execute(&mut *tx).await?;
                forgotten = sqlx::query_scalar(FORGET_OLDEST).bind(id).bind(DEVICES_MAX).fetch_all(&mut *tx).await?;
            }
            tx.commit().await?;
            Ok(player.map(|player| (player, hashes(forgotten))))
        }
        .await);
        self.wrote(outcome)
    }

    /// Who has a name that looks like this one, and the password.
    pub async fn login(&self, name: &str) -> Result<Option<Login>, StoreError> {
        const SQL: &str = "SELECT player_id, name, bot, strength, standing, created_at_ms, password \
             FROM player WHERE skeleton = $1";
        let skeleton = names::skeleton(name);
        Ok(on_db!(self, |db| sqlx::query_as(SQL).bind(skeleton).fetch_optional(&db.read).await)?)
    }

    /// Stores another password in PHC format, if the one before is still `old` and the device with this token has not
    /// been logged out.
    pub async fn set_password(
        &self,
        player_id: Uuid,
        device: &[u8; 32],
        old: Option<&str>,
        new: &str,
    ) -> Result<PasswordSet, StoreError> {
        const SQL: &str = "UPDATE player SET password = $3 WHERE player_id = $1 AND standing <> 3 AND standing <> 4 \
             AND coalesce(password, '') = $2";
        self.before_write().await?;
        let outcome = on_db!(self, |db| async {
            let mut tx = db.write.begin_with(db.begin).await?;
            sqlx::query(LOCK).bind(player_id).execute(&mut *tx).await?;
            let still: i64 =
                sqlx::query_scalar(STILL_IN).bind(player_id).bind(device.as_slice()).fetch_one(&mut *tx).await?;
            if still == 0 {
                return Ok(PasswordSet::LoggedOut);
            }
            let set =
                sqlx::query(SQL).bind(player_id).bind(old.unwrap_or_default()).bind(new).execute(&mut *tx).await?;
            tx.commit().await?;
            Ok(if set.rows_affected() > 0 { PasswordSet::Done } else { PasswordSet::Stale })
        }
        .await);
        self.wrote(outcome)
    }

    /// A player logs in on one more device, with a password that is still `password`; `None` if it is not. Returns the
    /// devices that are logged out for it: there were too many.
    pub async fn add_device(
        &self,
        player_id: Uuid,
        password: &str,
        token_hash: &[u8; 32],
        now_ms: i64,
    ) -> Result<Option<Vec<DeviceHash>>, StoreError> {
        // Locks the player's row against another password and a deletion.
        const STILL: &str = "UPDATE player SET password = password WHERE player_id = $1 AND password = $2";
        self.before_write().await?;
        let outcome = on_db!(self, |db| async {
            let mut tx = db.write.begin_with(db.begin).await?;
            let still = sqlx::query(STILL).bind(player_id).bind(password).execute(&mut *tx).await?;
            if still.rows_affected() == 0 {
                return Ok(None);
            }
            sqlx::query(ADD).bind(token_hash.as_slice()).bind(player_id).bind(now_ms).execute(&mut *tx).await?;
            let forgotten: Vec<Vec<u8>> =
                sqlx::query_scalar(FORGET_OLDEST).bind(player_id).bind(DEVICES_MAX).fetch_all(&mut *tx).await?;
            tx.commit().await?;
            Ok(Some(hashes(forgotten)))
        }
        .await);
        self.wrote(outcome)
    }

    /// Logs a player out everywhere: no token and no code is worth anything any more.
    pub async fn log_out(&self, player_id: Uuid) -> Result<(), StoreError> {
        const TOKENS: &str = "DELETE FROM device WHERE player_id = $1";
        const CODES: &str = "DELETE FROM link_code WHERE player_id = $1";
        self.before_write().await?;
        let outcome = on_db!(self, |db| async {
            let mut tx = db.write.begin_with(db.begin).await?;
            // What a device has under way is either done by now, and undone here, or finds the device gone.
            for sql in [LOCK, CODES, TOKENS] {
                sqlx::query(sql).bind(player_id).execute(&mut *tx).await?;
            }
            tx.commit().await
        }
        .await);
        self.wrote(outcome)
    }

    /// Players whose standing has changed since then, the latest first; a thousand at most.
    pub async fn standings_since(&self, since_ms: i64) -> Result<Vec<(Uuid, Standing)>, StoreError> {
        // Its condition is worded as that of the index `player_standing` is.
        const SQL: &str = "SELECT player_id, standing FROM player WHERE standing <> 0 AND standing_at_ms >= $1 \
             ORDER BY standing_at_ms DESC LIMIT 1000";
        Ok(on_db!(self, MemoryDatabase::standings_since(since_ms), |db| sqlx::query_as(SQL)
            .bind(since_ms)
            .fetch_all(&db.read)
            .await)?)
    }
}

/// As they were stored: each is a SHA-256.
fn hashes(stored: Vec<Vec<u8>>) -> Vec<DeviceHash> {
    stored.into_iter().filter_map(|hash| hash.try_into().ok()).collect()
}

impl Standing {
    /// Whether somebody who stands so is let in.
    pub fn is_let_in(self) -> bool {
        matches!(self, Standing::Fine | Standing::Flagged)
    }
}
