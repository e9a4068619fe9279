//! The bots of the house as players. They have no device, so nobody can log in as one.

use super::{Store, StoreError, on_db};
use crate::house;
use sprint_shared::bot::Strength;

impl Store {
    /// Makes the bots of the house that are not there yet; to be called before names are given skeletons, so that who
    /// had such a name before keeps it.
    pub async fn furnish_house(&self, at_ms: i64) -> Result<(), StoreError> {
        const SQL: &str = "INSERT INTO player (player_id, name, bot, strength, created_at_ms) \
             VALUES ($1, $2, $3, $4, $5) ON CONFLICT (player_id) DO NOTHING";
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
                    .execute(&mut *tx)
                    .await?;
            }
            tx.commit().await
        }
        .await);
        self.wrote(outcome)
    }
}
