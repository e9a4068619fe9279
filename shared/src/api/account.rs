//! Players: who they are, and what proves it.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::ShownRating;

/// `POST /players`: a guest, at once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NewPlayer {
    /// The name; one is made up if left out.
    pub name: Option<String>,
    /// Whether a program plays.
    pub bot: bool,
}

/// `GET /players/me`: a player as it sees itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Player {
    /// The player's id.
    pub player_id: Uuid,
    /// The player's name.
    pub name: String,
    /// Whether a program plays.
    pub bot: bool,
    /// The rating over all presets.
    pub rating: ShownRating,
}

/// A new player with the token that proves it; the token is shown only here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NewPlayerCreated {
    /// The player's id.
    pub player_id: Uuid,
    /// The player's name.
    pub name: String,
    /// The bearer token, 64 hex digits.
    pub token: String,
}

/// `PATCH /players/me`: another name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Rename {
    /// The new name.
    pub name: String,
}
