//! Places for bots: so many play at once, a part of them is kept for quick match, and nobody brings too many.
//!
//! Must never give more places than there are, nor to rooms that players open for themselves what is kept.

use std::collections::{HashMap, HashSet};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;
use tokio::sync::watch;
use tokio::time::timeout;
use uuid::Uuid;

use crate::limits::{neighbourhood, network};
use crate::store::Guest;

/// Bots that play at once at most.
const BOTS_MAX: u32 = 200;
/// Of them in rooms that players open for themselves, for practice or against ghosts: the rest is kept for quick match.
const OWN_MAX: u32 = 150;
/// Of them against players of one address, in whatever rooms: fewer than are kept for quick match.
const ADDRESS_MAX: u32 = 48;
/// The same of one neighbourhood: a household may have many addresses.
const NEIGHBOURHOOD_MAX: u32 = 96;

/// All places. Clones share them.
#[derive(Clone, Default)]
pub(super) struct Places {
    held: Arc<watch::Sender<Held>>,
}

#[derive(Default)]
struct Held {
    all: u32,
    own: u32,
    by_address: HashMap<IpAddr, u32>,
    by_neighbourhood: HashMap<IpAddr, u32>,
    /// The rooms where bots race each player.
    rooms: HashMap<Uuid, Vec<BotRoom>>,
    /// For whom a room is being opened.
    opening: HashSet<Uuid>,
}

#[derive(Clone, PartialEq, Eq)]
struct BotRoom {
    code: Arc<str>,
    bots: u32,
    address: Option<IpAddr>,
    matched: bool,
}

/// Why there is no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NoPlace {
    /// As many bots play as may.
    #[error("as many bots play as may")]
    Full,
    /// As many play against players of this address as may.
    #[error("as many bots race players of your address as may: try again when one of these races is over")]
    OfAddress,
    /// Another room with bots is being opened for the player, or the last one does not close.
    #[error("another room with bots is being opened for you: try again in a moment")]
    OneAtATime,
}

/// For whom places are taken.
#[derive(Clone, Copy)]
pub(super) struct For {
    /// The person whom the bots race.
    pub player: Option<Uuid>,
    /// From where; `None` where nobody knows any more.
    pub address: Option<IpAddr>,
    /// Whether quick match brings them together.
    pub matched: bool,
}

impl For {
    /// The one person among these guests.
    pub fn person_of(guests: &[Guest], matched: bool, address: Option<IpAddr>) -> For {
        let player = guests.iter().find(|guest| guest.is_person()).map(Guest::player);
        For { player, address: address.filter(|address| !address.is_loopback()).map(network), matched }
    }
}

/// The right to open a room for a player; while it lasts nobody else has it.
pub(super) struct Opening {
    places: Places,
    player: Uuid,
}

/// The places of one room's bots; the last of them who goes gives them back.
pub struct BotPlaces {
    places: Places,
    bots: u32,
    whose: For,
    room: Option<BotRoom>,
}

impl Places {
    /// The right to open a room with bots for this player.
    pub fn open(&self, player: Uuid) -> Result<Opening, NoPlace> {
        let mut is_first = false;
        self.held.send_if_modified(|held| {
            is_first = held.opening.insert(player);
            is_first
        });
        is_first.then(|| Opening { places: self.clone(), player }).ok_or(NoPlace::OneAtATime)
    }

    /// So many places. Those of the player's own rooms count as given back: they are to be left before bots come to these.
    pub fn take(&self, bots: u32, whose: For) -> Result<BotPlaces, NoPlace> {
        let mut taken = Ok(());
        self.held.send_if_modified(|held| {
            taken = held.take(bots, whose);
            taken.is_ok()
        });
        taken.map(|()| BotPlaces { places: self.clone(), bots, whose, room: None })
    }
}

impl Held {
    fn take(&mut self, bots: u32, For { player, address, matched }: For) -> Result<(), NoPlace> {
        let rooms = player.and_then(|player| self.rooms.get(&player)).into_iter().flatten();
        let own: Vec<&BotRoom> = rooms.filter(|room| !room.matched).collect();
        let leaving =
            |of: &dyn Fn(&BotRoom) -> bool| -> u32 { own.iter().filter(|room| of(room)).map(|room| room.bots).sum() };
        if let Some(address) = address {
            let near = neighbourhood(address);
            let of_address = self.by_address.get(&address).copied().unwrap_or_default();
            let of_neighbourhood = self.by_neighbourhood.get(&near).copied().unwrap_or_default();
            let here = leaving(&|room| room.address == Some(address));
            let around = leaving(&|room| room.address.map(neighbourhood) == Some(near));
            if of_address + bots > ADDRESS_MAX + here || of_neighbourhood + bots > NEIGHBOURHOOD_MAX + around {
                return Err(NoPlace::OfAddress);
            }
        }
        let all = leaving(&|_| true);
        if self.all + bots > BOTS_MAX + all || (!matched && self.own + bots > OWN_MAX + all) {
            return Err(NoPlace::Full);
        }
        self.all += bots;
        self.own += if matched { 0 } else { bots };
        if let Some(address) = address {
            *self.by_address.entry(address).or_default() += bots;
            *self.by_neighbourhood.entry(neighbourhood(address)).or_default() += bots;
        }
        Ok(())
    }

    fn give_back(&mut self, bots: u32, For { player, address, matched }: For, room: Option<&BotRoom>) {
        self.all -= bots;
        self.own -= if matched { 0 } else { bots };
        if let Some(address) = address {
            less(&mut self.by_address, address, bots);
            less(&mut self.by_neighbourhood, neighbourhood(address), bots);
        }
        if let Some((player, rooms)) = player.and_then(|player| Some((player, self.rooms.get_mut(&player)?))) {
            if let Some(at) = rooms.iter().position(|other| Some(other) == room) {
                rooms.swap_remove(at);
            }
            if rooms.is_empty() {
                self.rooms.remove(&player);
            }
        }
    }

    /// Whether bots race the player in a room of their own.
    fn has_own_room(&self, player: Uuid) -> bool {
        self.rooms.get(&player).is_some_and(|rooms| rooms.iter().any(|room| !room.matched))
    }
}

/// Takes so many away, and forgets whom nothing is left of.
fn less(held: &mut HashMap<IpAddr, u32>, whose: IpAddr, bots: u32) {
    if let Some(of_whom) = held.get_mut(&whose) {
        *of_whom -= bots;
        if *of_whom == 0 {
            held.remove(&whose);
        }
    }
}

impl Opening {
    /// The codes of the rooms where bots race the player.
    pub fn older(&self) -> Vec<Arc<str>> {
        let held = self.places.held.borrow();
        held.rooms.get(&self.player).into_iter().flatten().map(|room| room.code.clone()).collect()
    }

    /// Waits until the player's own rooms have given their places back. A quick match that is on goes on without the
    /// player, and is not waited for.
    pub async fn are_given_back(&self, patience: Duration) -> Result<(), NoPlace> {
        let mut held = self.places.held.subscribe();
        let given_back = held.wait_for(|held| !held.has_own_room(self.player));
        timeout(patience, given_back).await.map(drop).map_err(|_| NoPlace::OneAtATime)
    }
}

impl Drop for Opening {
    fn drop(&mut self) {
        self.places.held.send_modify(|held| _ = held.opening.remove(&self.player));
    }
}

impl BotPlaces {
    /// The room in which they are.
    pub(super) fn settle(&mut self, code: &Arc<str>) {
        let For { address, matched, .. } = self.whose;
        let room = BotRoom { code: code.clone(), bots: self.bots, address, matched };
        if let Some(player) = self.whose.player {
            self.places.held.send_modify(|held| held.rooms.entry(player).or_default().push(room.clone()));
        }
        self.room = Some(room);
    }
}

impl Drop for BotPlaces {
    fn drop(&mut self) {
        self.places.held.send_modify(|held| held.give_back(self.bots, self.whose, self.room.as_ref()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(player: u128, address: &str) -> For {
        let guests = [Guest::Person { player: Uuid::from_u128(player), name: String::new(), bot: false }];
        For::person_of(&guests, false, Some(address.parse().expect("an address")))
    }

    /// Each in a neighbourhood of its own.
    fn from(n: u128) -> String {
        format!("198.51.{n}.7")
    }

    #[test]
    fn what_is_kept_for_quick_match_goes_to_no_room_of_ones_own() {
        let places = Places::default();
        let all = |bots, matched| -> Vec<_> {
            (0..).map_while(|n| places.take(bots, For { matched, ..own(n, &from(n)) }).ok()).collect()
        };
        let own_rooms = all(3, false);
        assert_eq!(own_rooms.len(), 50);
        assert_eq!(places.take(1, own(99, &from(99))).err(), Some(NoPlace::Full));
        let matched = all(3, true);
        assert_eq!(matched.len(), 16, "50 are kept");
        drop(own_rooms);
        assert_eq!(all(3, true).len(), 50, "what nobody else wants goes to quick match as well");
        drop(matched);
        assert_eq!((places.held.borrow().all, places.held.borrow().by_address.len()), (0, 0), "all are given back");
    }

    #[test]
    fn one_address_brings_48_bots_and_loopback_as_many_as_there_are() {
        let places = Places::default();
        let taken = |address: &str, matched| -> Vec<_> {
            (0..).map_while(|n| places.take(3, For { matched, ..own(n, address) }).ok()).collect()
        };
        let home = taken("2001:db8:1:2::5", false);
        assert_eq!(home.len(), 16);
        let next_door = places.take(1, For { matched: true, ..own(1, "2001:db8:1:2::6") });
        assert_eq!(next_door.err(), Some(NoPlace::OfAddress), "the same household, by quick match too");
        assert_eq!(taken("203.0.113.9", true).len(), 16);
        let other_room = taken("2001:db8:1:3::5", false);
        assert_eq!(other_room.len(), 16);
        let cellar = places.take(1, own(1, "2001:db8:1:4::5"));
        assert_eq!(cellar.err(), Some(NoPlace::OfAddress), "96 of one site, however many networks it has");
        drop((home, other_room));
        assert_eq!(taken("127.0.0.1", false).len(), 50);
        let held = places.held.borrow();
        assert!(held.by_address.is_empty() && held.by_neighbourhood.is_empty());
    }

    #[test]
    fn who_changes_rooms_needs_no_more_places_than_the_new_one_has() {
        let places = Places::default();
        let mut rooms: Vec<_> = (0..50).map(|n| places.take(3, own(n, &from(n))).expect("a place")).collect();
        rooms.iter_mut().zip(0..).for_each(|(room, n)| room.settle(&format!("ROOM{n}").into()));
        assert_eq!(places.take(1, own(99, &from(99))).err(), Some(NoPlace::Full));
        let next = places.take(3, own(7, &from(7))).expect("three are given back for it");
        assert_eq!(places.take(1, own(99, &from(99))).err(), Some(NoPlace::Full), "and for nobody else");
        drop(rooms.remove(7));
        assert_eq!((places.held.borrow().all, places.held.borrow().own), (150, 150));
        drop(next);
        assert!(places.take(3, own(99, &from(99))).is_ok());
    }

    #[tokio::test]
    async fn who_opens_a_room_opens_no_second_meanwhile_and_waits_for_the_places_of_the_first() {
        let (places, ada) = (Places::default(), Uuid::from_u128(1));
        let first = places.open(ada).expect("nobody opens one");
        assert_eq!(places.open(ada).err(), Some(NoPlace::OneAtATime));
        assert!(places.open(Uuid::from_u128(2)).is_ok(), "others do");
        let mut practice = places.take(3, own(1, "203.0.113.9")).expect("a place");
        practice.settle(&"ABCDEF".into());
        let mut matched = places.take(1, For { matched: true, ..own(1, "203.0.113.9") }).expect("a place");
        matched.settle(&"GHJKMN".into());
        drop(first);
        let second = places.open(ada).expect("the first is open");
        assert_eq!(second.older(), ["ABCDEF".into(), "GHJKMN".into()]);
        let soon = second.are_given_back(Duration::ZERO).await;
        assert_eq!(soon, Err(NoPlace::OneAtATime), "the room does not close");
        let (waited, ()) = tokio::join!(second.are_given_back(Duration::MAX), async { drop(practice) });
        assert_eq!(waited, Ok(()), "and a quick match is not waited for");
        assert_eq!(second.older(), ["GHJKMN".into()]);
        drop((second, matched));
        let held = places.held.borrow();
        assert!(held.rooms.is_empty() && held.opening.is_empty(), "nothing is left over");
    }
}
