//! Who was brought to a room, and who was sent away from it: what its events cannot say stands on the room row.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::Room;

/// Somebody whom the server seats when it opens a room.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Guest {
    /// A person, or a program that came by itself.
    Person {
        /// The player's id.
        player: Uuid,
        /// The player's name.
        name: String,
    },
    /// A bot of the house.
    Bot {
        /// The bot's id.
        player: Uuid,
        /// The bot's name.
        name: String,
        /// From 1 to 10.
        strength: u8,
    },
    /// One who races as somebody did in a stored round.
    Ghost {
        /// The ghost's own id.
        player: Uuid,
        /// The ghost's name.
        name: String,
        /// The stored round.
        round_id: Uuid,
        /// The seat's number in it.
        seat: u8,
    },
}

impl Guest {
    /// The id of the one who is seated.
    pub fn player(&self) -> Uuid {
        match self {
            Guest::Person { player, .. } | Guest::Bot { player, .. } | Guest::Ghost { player, .. } => *player,
        }
    }
}

/// Who may sit down in a room.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Admission {
    /// Whether quick match opened the room: its rounds count on ladder and boards.
    pub matched: bool,
    /// Who was brought to it; if anybody was, nobody else may sit down.
    pub guests: Vec<Guest>,
    /// Who was sent away for good.
    pub kicked: Vec<Uuid>,
}

impl Room {
    /// Who may sit down here.
    pub fn admission(&self) -> Result<Admission, serde_json::Error> {
        Ok(Admission {
            matched: self.matched,
            guests: serde_json::from_str(&self.guests)?,
            kicked: serde_json::from_str(&self.kicked)?,
        })
    }
}
