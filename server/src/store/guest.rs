//! Who was brought to a room, and who was sent away from it: what its events cannot say stands on the room row.

use serde::{Deserialize, Serialize};
use sprint_shared::event::Event;
use sprint_shared::time::{Millis, Seat};
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
        /// Whether a program plays.
        #[serde(default)]
        bot: bool,
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

    /// The name of the one who is seated.
    pub fn name(&self) -> &str {
        match self {
            Guest::Person { name, .. } | Guest::Bot { name, .. } | Guest::Ghost { name, .. } => name,
        }
    }

    /// The event that seats them.
    pub fn seat_taken(&self, seat: Seat, at: Millis) -> Event {
        let bot = !matches!(self, Guest::Person { bot: false, .. });
        Event::SeatTaken { seat, player: self.player(), name: self.name().to_owned(), bot, at }
    }

    /// Whether somebody has to come by a connection of their own.
    pub fn is_person(&self) -> bool {
        matches!(self, Guest::Person { .. })
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

impl Admission {
    /// Those who have to come by connections of their own.
    pub fn people(&self) -> impl Iterator<Item = Uuid> {
        self.guests.iter().filter(|guest| guest.is_person()).map(Guest::player)
    }
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
