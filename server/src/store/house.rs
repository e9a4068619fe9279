//! The bots of the house as players. They have no device, so nobody can log in as one.

use sprint_shared::bot::Strength;

use super::{Store, StoreError, on_db};
use crate::{house, names};

impl Store {
    /// Makes the bots of the house that are not there yet; to be called before names are given skeletons: whoever has
    /// such a name by then keeps it, and the bot gets a number more. Bots whose skeleton is to be made anew get theirs
    /// here, before anybody whose name only looks like theirs.
    pub async fn furnish_house(&self, at_ms: i64) -> Result<(), StoreError> {
        const SQL: &str = "INSERT INTO player (player_id, name, skeleton, bot, strength, created_at_ms) \
             VALUES ($1, $2, CASE WHEN EXISTS (SELECT 1 FROM player WHERE skeleton = $6) THEN NULL ELSE $6 END, \
               $3, $4, $5) ON CONFLICT (player_id) DO NOTHING";
        const BARE: &str = "SELECT name FROM player WHERE player_id = $1 AND skeleton IS NULL";
        const GIVE: &str = "UPDATE player SET skeleton = $2 WHERE player_id = $1 \
             AND NOT EXISTS (SELECT 1 FROM player WHERE skeleton = $2)";
        self.before_write().await?;
        let outcome = on_db!(self, MemoryDatabase::furnish_house(at_ms), |db| async {
            let mut tx = db.write.begin_with(db.begin).await?;
            for strength in Strength::ALL {
                sqlx::query(SQL)
                    .bind(house::id(strength))
                    .bind(house::name(strength))
                    .bind(true)
                    .bind(i64::from(strength.number()))
                    .bind(at_ms)
                    .bind(names::skeleton(&house::name(strength)))
                    .execute(&mut *tx)
                    .await?;
                let bare: Option<String> =
                    sqlx::query_scalar(BARE).bind(house::id(strength)).fetch_optional(&mut *tx).await?;
                if let Some(name) = bare {
                    let skeleton = names::skeleton(&name);
                    sqlx::query(GIVE).bind(house::id(strength)).bind(skeleton).execute(&mut *tx).await?;
                }
            }
            tx.commit().await
        }
        .await);
        self.wrote(outcome)
    }
}
