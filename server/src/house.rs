//! The bots of the house: ten players, one of each strength, who have no device and play inside the server.
//!
//! Their ids are the same on every server and for good, so that their ladder goes on across restarts and copies.

use sprint_shared::bot::Strength;
use uuid::Uuid;

use crate::store::{Guest, Player, Store, StoreError};

/// The ids are this and the strength.
const FIRST: u128 = 0x5350_5249_4e54_8000_8000_0000_0000_0000;

/// A bot of the house with its rating among bots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    /// How strong it is.
    pub strength: Strength,
    /// Its name.
    pub name: String,
    /// Its rating as it is shown.
    pub rating: i64,
}

/// The id of the bot of that strength.
pub fn id(strength: Strength) -> Uuid {
    Uuid::from_u128(FIRST + u128::from(strength.number()))
}

/// Whether a player is one of them.
pub fn is_one(player: Uuid) -> bool {
    Strength::ALL.into_iter().any(|strength| id(strength) == player)
}

/// The name that the bot of that strength has unless somebody had it before.
pub fn name(strength: Strength) -> String {
    format!("Automaton {strength}")
}

/// All bots of the house with their ratings as they are now, the weakest first.
pub async fn all(store: &Store) -> Result<Vec<Automaton>, StoreError> {
    let mut automata = Vec::with_capacity(Strength::ALL.len());
    for strength in Strength::ALL {
        let Some(player) = store.player(id(strength)).await? else { continue };
        let (of_bot, _) = store.rating(&player).await?;
        automata.push(Automaton { strength, name: player.name, rating: of_bot.shown() });
    }
    Ok(automata)
}

/// The bots, the nearest to a rating first.
pub fn nearest(automata: &[Automaton], rating: i64) -> Vec<Automaton> {
    let mut nearest = automata.to_vec();
    nearest.sort_by_key(|automaton| ((automaton.rating - rating).abs(), automaton.strength));
    nearest
}

/// The bots of these strengths, to be seated.
pub async fn guests(store: &Store, strengths: &[Strength]) -> Result<Vec<Guest>, StoreError> {
    let mut guests = Vec::with_capacity(strengths.len());
    for strength in strengths {
        let name = store.player(id(*strength)).await?.map_or_else(|| name(*strength), |Player { name, .. }| name);
        guests.push(Guest::Bot { player: id(*strength), name, strength: strength.number() });
    }
    Ok(guests)
}
