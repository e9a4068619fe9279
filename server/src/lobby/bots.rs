//! The bots of a room: they come with it, whoever opens it or takes it over, each with what it plays by.
//!
//! Must never leave a seat to a bot that does not know how to play: whoever races it would wait for it.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use uuid::Uuid;

use super::places::For;
use super::{Lobby, lock};
use crate::bot::{Bot, Skill, Unskilled};
use crate::room::{ConnectionId, RoomContext, RoomHandle};
use crate::store::{Guest, StoreError};

/// The connections of bots count from here, those of sockets from 1.
const BOT_CONNECTIONS: u64 = 1 << 63;

/// A bot, and how it plays.
pub(super) type Skilled = (Guest, Result<Skill, Unskilled>);

impl Lobby {
    /// How the bots among a room's guests play. The store is asked once, and only for a room with ghosts.
    pub(super) async fn skills(&self, room_id: Uuid, guests: &[Guest]) -> Result<Vec<Skilled>, StoreError> {
        let ghosts = match guests.iter().any(|guest| matches!(guest, Guest::Ghost { .. })) {
            true => self.inner.store.ghosts(room_id).await?,
            false => Vec::new(),
        };
        let bots = guests.iter().filter(|guest| !guest.is_person());
        Ok(bots.map(|guest| (guest.clone(), Skill::of(guest, &ghosts))).collect())
    }

    /// Starts the bots of a room. One that does not know how to play leaves, if it has a seat.
    pub(super) fn seat_bots(
        &self,
        room: &RoomHandle,
        mut bots: Vec<Skilled>,
        whose: For,
        has_seat: impl Fn(Uuid) -> bool,
    ) {
        // For a room that is taken over none were taken, and from where its player came is not known any more.
        let brought = lock(&self.inner.brought).remove(&*room.code).map(Ok);
        bots.retain(|(guest, skill)| skill.is_ok() || has_seat(guest.player()));
        if bots.is_empty() {
            return;
        }
        let anew = || self.inner.places.take(bots.len() as u32, whose);
        let mut places = match brought.unwrap_or_else(anew) {
            Ok(places) => places,
            Err(error) => return tracing::warn!(code = &*room.code, %error, "a room's bots do not come"),
        };
        places.settle(&room.code);
        let places = Arc::new(places);
        for (guest, skill) in bots {
            let number = self.inner.bots_seated.fetch_add(1, Ordering::Relaxed);
            let RoomContext { clock, dealers, .. } = &self.inner.context;
            let bot = Bot {
                player: guest.player(),
                name: guest.name().to_owned(),
                connection: ConnectionId(BOT_CONNECTIONS + number),
                clock: *clock,
                dealers: dealers.clone(),
                places: places.clone(),
            };
            let room = room.clone();
            match skill {
                Ok(skill) => drop(tokio::spawn(bot.play(skill, room))),
                Err(error) => {
                    let (code, name) = (&*room.code, guest.name());
                    tracing::warn!(code, name, %error, "a bot does not know how to play: it leaves its seat");
                    drop(tokio::spawn(bot.leave(room)));
                }
            }
        }
    }
}
