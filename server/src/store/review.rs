//! Reviews of rounds: worked out once, kept until their format is another.
//!
//! Must never hold anything that does not follow from the round's events, nor anybody's name.

use uuid::Uuid;

use super::{Store, StoreError, on_db};

impl Store {
    /// The review of a round in this format.
    pub async fn review(&self, round_id: Uuid, format: i64) -> Result<Option<String>, StoreError> {
        const SQL: &str = "SELECT body FROM round_review WHERE round_id = $1 AND format = $2";
        Ok(on_db!(self, MemoryDatabase::review(round_id, format), |db| sqlx::query_scalar(SQL)
            .bind(round_id)
            .bind(format)
            .fetch_optional(&db.read)
            .await)?)
    }

    /// Keeps the review of a round, in place of the one before.
    pub async fn put_review(&self, round_id: Uuid, format: i64, body: &str) -> Result<(), StoreError> {
        const SQL: &str = "INSERT INTO round_review (round_id, format, body) VALUES ($1, $2, $3) \
             ON CONFLICT (round_id) DO UPDATE SET format = excluded.format, body = excluded.body";
        self.before_write().await?;
        let outcome = on_db!(self, MemoryDatabase::put_review(round_id, format, body), |db| sqlx::query(SQL)
            .bind(round_id)
            .bind(format)
            .bind(body)
            .execute(&db.write)
            .await
            .map(|_| ()));
        self.wrote(outcome)
    }
}
