//! Reading ratings, of the generation that counts.

use sqlx::FromRow;
use uuid::Uuid;

use super::{Player, Store, StoreError, on_db};
use crate::rating::Rating;

/// A player's rating in a series.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct RatingRow {
    /// The preset's name; empty for all presets together.
    pub series: String,
    /// The mean, in millionths.
    pub mu: i64,
    /// The standard deviation, in millionths.
    pub sigma: i64,
    /// Rounds counted.
    pub rounds: i64,
}

/// How a seat's rating moved in a round.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct SeatRatingRow {
    /// The preset's name; empty for all presets together.
    pub series: String,
    /// The seat's number.
    pub seat: i64,
    /// Who sat there.
    pub player_id: Uuid,
    /// The mean before, in millionths.
    pub mu_before: i64,
    /// The standard deviation before, in millionths.
    pub sigma_before: i64,
    /// The mean after, in millionths.
    pub mu_after: i64,
    /// The standard deviation after, in millionths.
    pub sigma_after: i64,
}

/// What a player's ratings were before each round that stands on no board yet, the first of them first; public so that
/// databases can be asked for their plan. CROSS JOIN has SQLite begin with those few rounds.
pub const SINCE_SHOWN: &str = "SELECT s.series, s.mu_before AS mu, s.sigma_before AS sigma, s.rounds - 1 AS rounds \
     FROM round_result r CROSS JOIN seat_rating s \
     WHERE r.number > (SELECT shown FROM ladder WHERE id = 1) AND s.round_id = r.round_id \
       AND s.generation = coalesce((SELECT generation FROM ladder WHERE id = 1), 1) AND s.player_id = $1 \
     ORDER BY r.number";

impl RatingRow {
    /// The rating itself.
    pub fn rating(&self) -> Rating {
        Rating { mu: self.mu, sigma: self.sigma }
    }
}

impl Store {
    /// A player's ratings in the series that the player has raced in.
    pub async fn ratings_of(&self, player_id: Uuid) -> Result<Vec<RatingRow>, StoreError> {
        // The names are given so that each is one look into the primary key.
        const SQL: &str = "SELECT series, mu, sigma, rounds FROM rating \
             WHERE generation = coalesce((SELECT generation FROM ladder WHERE id = 1), 1) \
               AND series IN ('', 'initiate', 'apprentice', 'standard', 'expert', 'master', 'grandmaster', 'spire', \
                 'marathon') \
               AND player_id = $1 ORDER BY series";
        Ok(on_db!(self, MemoryDatabase::ratings_of(player_id), |db| sqlx::query_as(SQL)
            .bind(player_id)
            .fetch_all(&db.read)
            .await)?)
    }

    /// A player's ratings as they were before the rounds whose delay is not over yet: what everybody may know.
    pub async fn ratings_shown(&self, player_id: Uuid) -> Result<Vec<RatingRow>, StoreError> {
        let mut rows = self.ratings_of(player_id).await?;
        // A rating from before such a round was read may miss it: then this says nothing else.
        let since: Vec<RatingRow> =
            on_db!(self, MemoryDatabase::ratings_since_shown(), |db| sqlx::query_as(SINCE_SHOWN)
                .bind(player_id)
                .fetch_all(&db.read)
                .await)?;
        for row in &mut rows {
            if let Some(first) = since.iter().find(|since| since.series == row.series) {
                row.clone_from(first);
            }
        }
        rows.retain(|row| row.rounds > 0);
        Ok(rows)
    }

    /// A player's rating over all presets and the rounds that it rests on; without any, what is believed of a new
    /// player, or of a bot of the house by its strength.
    pub async fn rating(&self, player: &Player) -> Result<(Rating, i64), StoreError> {
        let rows = self.ratings_of(player.player_id).await?;
        let counted = rows.iter().find(|row| row.series.is_empty()).map(|row| (row.rating(), row.rounds));
        Ok(counted.unwrap_or((player.first_rating(), 0)))
    }

    /// How the ratings of those in a round moved, in the order of series and seats; empty if it did not count.
    pub async fn seat_ratings(&self, round_id: Uuid) -> Result<Vec<SeatRatingRow>, StoreError> {
        const SQL: &str = "SELECT series, seat, player_id, mu_before, sigma_before, mu_after, sigma_after \
             FROM seat_rating WHERE generation = coalesce((SELECT generation FROM ladder WHERE id = 1), 1) \
               AND round_id = $1 ORDER BY series, seat";
        Ok(on_db!(self, MemoryDatabase::seat_ratings(round_id), |db| sqlx::query_as(SQL)
            .bind(round_id)
            .fetch_all(&db.read)
            .await)?)
    }
}
