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

/// `POST /players/me/link`: a code that logs another device in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NewLink {
    /// The server's address, such as `https://spire.example`: the QR code leads there, or else to where the request came.
    pub base: Option<String>,
}

/// A code that logs one other device in, once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Link {
    /// Two groups of five letters and digits.
    pub code: String,
    /// How long it works, in seconds.
    pub expires_in_s: u32,
    /// The QR code's rows, `1` for each dark module; the quiet zone of four modules around it is left out.
    pub qr: Vec<String>,
}

/// `POST /players/link`: logs this device in by a code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LinkUse {
    /// The code that another device shows, however it is typed.
    pub code: String,
}

/// `PUT /players/me/password`: a password, or another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NewPassword {
    /// 8 to 128 bytes.
    pub password: String,
    /// The password so far, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub old: Option<String>,
}

/// `POST /players/login`: logs this device in by name and password.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Login {
    /// The player's name.
    pub name: String,
    /// The password.
    pub password: String,
}
