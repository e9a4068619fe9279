//! The bots of the house as players. They have no device, so nobody can log in as one.

use sprint_shared::bot::Strength;

use super::{Store, StoreError, on_db};
use crate::{house, names};

impl Store {
    /// Makes the bots of the house that are not there yet; to be called before names are given skeletons: who had such a
    /// name before keeps it, and the bot gets a number more.
    pub async fn furnish_house(&self, at_ms: i64) -> Result<(), StoreError> {
        const SQL: &str = "INSERT INTO player (player_id, name, skeleton, bot, strength, created_at_ms) \
             VALUES ($1, $2, CASE WHEN EXISTS (SELECT 1 FROM player WHERE skeleton = $6) THEN NULL ELSE $6 END, \
               $3, $4, $5) ON CONFLICT (player_id) DO NOTHING";
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
            }
            tx.commit().await
        }
        .await);
        self.wrote(outcome)
    }
}
