//! Players. Must never store or return a token, only its SHA-256.

use uuid::Uuid;

use super::{Store, StoreError, on_db};

/// A player to be stored.
#[derive(Clone, Debug)]
pub struct NewPlayer {
    /// Version 7.
    pub player_id: Uuid,
    /// Already checked and normalised.
    pub name: String,
    /// SHA-256 of the bearer token.
    pub token_hash: [u8; 32],
    /// Bots stand on lists of their own.
    pub bot: bool,
    /// Milliseconds since the Unix epoch.
    pub created_at_ms: i64,
}

/// How a player stands with the host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, sqlx::Type)]
#[repr(i64)]
pub enum Standing {
    /// Like everybody.
    #[default]
    Fine = 0,
    /// Goes on racing, and stands apart on the boards.
    Flagged = 1,
    /// Is let in nowhere and stands on no board; nobody's rating follows from the player's rounds.
    Banned = 2,
    /// Has gone for good; opponents' ratings go on resting on the player's rounds.
    Deleted = 3,
}

/// A stored player.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Player {
    /// Version 7.
    pub player_id: Uuid,
    /// As shown.
    pub name: String,
    /// Bots stand on lists of their own.
    pub bot: bool,
    /// From 1 to 10 for a bot of the house.
    pub strength: Option<i64>,
    /// How the player stands with the host.
    pub standing: Standing,
    /// Milliseconds since the Unix epoch.
    pub created_at_ms: i64,
}

impl Store {
    /// Stores a new player with a first device.
    pub async fn create_player(&self, player: &NewPlayer) -> Result<(), StoreError> {
        const PLAYER: &str = "INSERT INTO player (player_id, name, bot, created_at_ms) VALUES ($1, $2, $3, $4)";
        const DEVICE: &str = "INSERT INTO device (token_hash, player_id, created_at_ms) VALUES ($1, $2, $3)";
        self.before_write().await?;
        let outcome = on_db!(self, MemoryDatabase::create_player(player), |db| async {
            let mut tx = db.write.begin_with(db.begin).await?;
            sqlx::query(PLAYER)
                .bind(player.player_id)
                .bind(player.name.as_str())
                .bind(player.bot)
                .bind(player.created_at_ms)
                .execute(&mut *tx)
                .await?;
            sqlx::query(DEVICE)
                .bind(player.token_hash.as_slice())
                .bind(player.player_id)
                .bind(player.created_at_ms)
                .execute(&mut *tx)
                .await?;
            tx.commit().await
        }
        .await);
        self.wrote(outcome)
    }

    /// The player of the device whose token has this SHA-256.
    pub async fn player_by_token(&self, token_hash: &[u8; 32]) -> Result<Option<Player>, StoreError> {
        const SQL: &str = "SELECT p.player_id, p.name, p.bot, p.strength, p.standing, p.created_at_ms \
             FROM device d JOIN player p ON p.player_id = d.player_id WHERE d.token_hash = $1";
        let hash = token_hash.as_slice();
        Ok(on_db!(self, MemoryDatabase::player_by_token(token_hash), |db| sqlx::query_as(SQL)
            .bind(hash)
            .fetch_optional(&db.read)
            .await)?)
    }

    /// The player with this id.
    pub async fn player(&self, player_id: Uuid) -> Result<Option<Player>, StoreError> {
        const SQL: &str =
            "SELECT player_id, name, bot, strength, standing, created_at_ms FROM player WHERE player_id = $1";
        Ok(on_db!(self, MemoryDatabase::player(player_id), |db| sqlx::query_as(SQL)
            .bind(player_id)
            .fetch_optional(&db.read)
            .await)?)
    }

    /// Gives a player another name; false if there is no such player.
    pub async fn rename_player(&self, player_id: Uuid, name: &str) -> Result<bool, StoreError> {
        const SQL: &str = "UPDATE player SET name = $2 WHERE player_id = $1";
        self.before_write().await?;
        let outcome = on_db!(self, MemoryDatabase::rename_player(player_id, name), |db| sqlx::query(SQL)
            .bind(player_id)
            .bind(name)
            .execute(&db.write)
            .await
            .map(|done| done.rows_affected() > 0));
        self.wrote(outcome)
    }
}
