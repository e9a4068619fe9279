//! Players. Must never store or return a token, only its SHA-256, and never a name without its skeleton: by that, two
//! names that look alike cannot both be had, whichever way they come.

use thiserror::Error;
use unicode_segmentation::UnicodeSegmentation;
use uuid::Uuid;

use super::{Store, StoreError, on_db};
use crate::names;
use crate::rating::Rating;

/// Names that are given skeletons in one transaction at most.
const SLICE_ROWS: i64 = 500;

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
    /// Has gone for good and is banned all the same: nobody's rating follows from the player's rounds.
    DeletedAndBanned = 4,
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

impl Player {
    /// What is believed of the player before any round: of a bot of the house by its strength.
    pub fn first_rating(&self) -> Rating {
        self.strength.map_or(Rating::fresh(), Rating::house)
    }
}

/// Why a player has not got a name.
#[derive(Debug, Error)]
pub enum NameError {
    /// Somebody has that name, or one that looks like it.
    #[error("the name is taken")]
    Taken,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Store {
    /// Stores a new player with a first device.
    pub async fn create_player(&self, player: &NewPlayer) -> Result<(), NameError> {
        const PLAYER: &str = "INSERT INTO player (player_id, name, skeleton, bot, created_at_ms) \
             VALUES ($1, $2, $3, $4, $5) ON CONFLICT (skeleton) DO NOTHING";
        const DEVICE: &str = "INSERT INTO device (token_hash, player_id, created_at_ms) VALUES ($1, $2, $3)";
        self.before_write().await?;
        let outcome = on_db!(self, MemoryDatabase::create_player(player), |db| async {
            let mut tx = db.write.begin_with(db.begin).await?;
            let made = sqlx::query(PLAYER)
                .bind(player.player_id)
                .bind(player.name.as_str())
                .bind(names::skeleton(&player.name))
                .bind(player.bot)
                .bind(player.created_at_ms)
                .execute(&mut *tx)
                .await?;
            if made.rows_affected() == 0 {
                return Ok(false);
            }
            sqlx::query(DEVICE)
                .bind(player.token_hash.as_slice())
                .bind(player.player_id)
                .bind(player.created_at_ms)
                .execute(&mut *tx)
                .await?;
            tx.commit().await?;
            Ok(true)
        }
        .await);
        if self.wrote(outcome)? { Ok(()) } else { Err(NameError::Taken) }
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
    pub async fn rename_player(&self, player_id: Uuid, name: &str) -> Result<bool, NameError> {
        const SQL: &str = "UPDATE player SET name = $2, skeleton = $3 WHERE player_id = $1 AND skeleton IS NOT NULL";
        self.before_write().await?;
        let skeleton = names::skeleton(name);
        let outcome = on_db!(self, MemoryDatabase::rename_player(player_id, name), |db| sqlx::query(SQL)
            .bind(player_id)
            .bind(name)
            .bind(skeleton.as_str())
            .execute(&db.write)
            .await
            .map(|done| Some(done.rows_affected() > 0)));
        let outcome = match outcome {
            Err(error) if error.as_database_error().is_some_and(|e| e.is_unique_violation()) => Ok(None),
            outcome => outcome,
        };
        self.wrote(outcome)?.ok_or(NameError::Taken)
    }

    /// Gives skeletons to names from before there were any; to be called before anybody is served. Where two look
    /// alike, the elder keeps the name and the other gets a number, and so does whoever passes for one whom the server
    /// makes. Returns how many names it looked at; `told` hears after each slice how many that are so far.
    pub async fn give_skeletons(&self, mut told: impl FnMut(u64)) -> Result<u64, StoreError> {
        let mut given = 0;
        loop {
            let slice = self.give_skeletons_to(SLICE_ROWS).await?;
            given += slice;
            if slice == 0 {
                return Ok(given);
            }
            told(given);
        }
    }

    async fn give_skeletons_to(&self, rows_max: i64) -> Result<u64, StoreError> {
        // Its condition is worded as that of the index `player_nameless` is.
        const NAMELESS: &str = "SELECT player_id, name FROM player WHERE skeleton IS NULL AND standing <> 3 \
             AND standing <> 4 ORDER BY player_id LIMIT $1";
        const GIVE: &str = "UPDATE player SET name = $2, skeleton = $3 WHERE player_id = $1 \
             AND NOT EXISTS (SELECT 1 FROM player WHERE skeleton = $3)";
        self.before_write().await?;
        let outcome = on_db!(self, MemoryDatabase::give_skeletons(), |db| async {
            let mut tx = db.write.begin_with(db.begin).await?;
            let nameless: Vec<(Uuid, String)> = sqlx::query_as(NAMELESS).bind(rows_max).fetch_all(&mut *tx).await?;
            for (player_id, name) in &nameless {
                let mut tries = 0;
                loop {
                    let name = numbered(name, *player_id, tries);
                    if names::is_disguised(&name) {
                        tries += 1;
                        continue;
                    }
                    let skeleton = names::skeleton(&name);
                    let done = sqlx::query(GIVE).bind(*player_id).bind(name).bind(skeleton).execute(&mut *tx).await?;
                    if done.rows_affected() > 0 {
                        break;
                    }
                    tries += 1;
                }
            }
            tx.commit().await?;
            Ok(nameless.len() as u64)
        }
        .await);
        self.wrote(outcome)
    }
}

/// An old name that may be taken: itself, then with a number that follows from the player's id, so that of thousands
/// of equal names each finds one soon.
fn numbered(name: &str, player_id: Uuid, tries: u64) -> String {
    if tries == 0 {
        return name.to_owned();
    }
    let digits = 10_u64.pow(2 * tries.min(4) as u32);
    let number = (player_id.as_u128() as u64).wrapping_add(tries) % digits;
    let number = number.to_string();
    let kept: String = name.graphemes(true).take(names::GRAPHEMES_MAX - 1 - number.len()).collect();
    format!("{} {number}", kept.trim_end())
}
