//! What is played alone: the almanac, the tutorial, Infinite Shuffle, the Daily Spire.

use sprint_shared::api::{Campaign, Daily, NewDaily, NewShuffle, PastDaily, Progress, RoomInfo, Tutorial, Way};
use sprint_shared::day::Day;

use super::{Api, ApiError};

impl Api {
    /// The almanac of Campaign Master.
    pub async fn campaign(&self) -> Result<Campaign, ApiError> {
        self.call(self.get("campaign")).await
    }

    /// The tutorial.
    pub async fn tutorial(&self) -> Result<Tutorial, ApiError> {
        self.call(self.get("tutorial")).await
    }

    /// How far a player has come alone.
    pub async fn progress(&self, token: &str) -> Result<Progress, ApiError> {
        self.call(self.get("players/me/solo").bearer_auth(token)).await
    }

    /// Opens a session on a stage.
    pub async fn begin_stage(&self, token: &str, stage: u8) -> Result<RoomInfo, ApiError> {
        self.call(self.post(&format!("campaign/{stage}"), Some(token), &())).await
    }

    /// Opens a lesson.
    pub async fn begin_lesson(&self, token: &str, lesson: u8) -> Result<RoomInfo, ApiError> {
        self.call(self.post(&format!("tutorial/{lesson}"), Some(token), &())).await
    }

    /// Opens the next board of Infinite Shuffle.
    pub async fn shuffle(&self, token: &str, next: &NewShuffle) -> Result<RoomInfo, ApiError> {
        self.call(self.post("shuffle", Some(token), next)).await
    }

    /// A shortest way to harmony from where the player's board stands.
    pub async fn way(&self, token: &str, code: &str) -> Result<Way, ApiError> {
        self.call(self.get(&format!("rooms/{code}/way")).bearer_auth(token)).await
    }

    /// Today's Daily Spire, and how the player stands.
    pub async fn daily(&self, token: &str) -> Result<Daily, ApiError> {
        self.call(self.get("daily").bearer_auth(token)).await
    }

    /// Opens today's rated try, or the room in which it is on; or practice after it.
    pub async fn begin_daily(&self, token: &str, practice: bool) -> Result<RoomInfo, ApiError> {
        self.call(self.post("daily", Some(token), &NewDaily { practice })).await
    }

    /// A day that is over, with everything needed to deal its board again.
    pub async fn past_daily(&self, day: Day) -> Result<PastDaily, ApiError> {
        self.call(self.get(&format!("daily/{day}"))).await
    }
}
