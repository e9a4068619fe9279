//! The tables, and each write as one step that happens whole or not at all.
//!
//! Must never lower an epoch or a `last_seq`, nor let an append pass that does not follow the room row.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use sprint_shared::bot::Strength;
use uuid::Uuid;

use crate::house;
use crate::journal::Append;
use crate::names;
use crate::store::dialect::EventInsert;
use crate::store::event::OfRoom;
use crate::store::{Claim, DailyBoard, EVENT_FORMAT, Failure, GhostRow, ListedAfter, NewPlayer, NewRoom, Player, Room};
use crate::store::{RoundRecord, Standing, StoredEvent};

use super::{Answer, MemoryDatabase};

/// All rows.
#[derive(Default)]
pub(super) struct Tables {
    pub players: BTreeMap<Uuid, Player>,
    pub skeletons: BTreeMap<String, Uuid>,
    pub tokens: BTreeMap<[u8; 32], Uuid>,
    pub rooms: BTreeMap<Uuid, StoredRoom>,
    pub codes: BTreeMap<String, Uuid>,
    pub boards: BTreeSet<String>,
    /// In the order they were written.
    pub rounds: Vec<(Uuid, RoundRecord)>,
    pub reviews: BTreeMap<Uuid, (i64, String)>,
    pub days: BTreeMap<i64, DailyBoard>,
}

/// A room row, its events, and what its ghosts do.
pub(super) struct StoredRoom {
    pub room: Room,
    pub events: Vec<StoredEvent>,
    pub ghosts: Vec<GhostRow>,
    pub compacted: bool,
}

impl Tables {
    /// False if the name is taken.
    pub fn create_player(&mut self, new: &NewPlayer) -> Result<bool, &'static str> {
        let skeleton = names::skeleton(&new.name);
        if self.skeletons.contains_key(&skeleton) {
            return Ok(false);
        }
        if self.players.contains_key(&new.player_id) || self.tokens.contains_key(&new.token_hash) {
            return Err("a player with this id or token is stored already");
        }
        let NewPlayer { player_id, ref name, token_hash, bot, created_at_ms } = *new;
        let (name, strength, standing) = (name.clone(), None, Standing::Fine);
        self.players.insert(player_id, Player { player_id, name, bot, strength, standing, created_at_ms });
        self.tokens.insert(token_hash, player_id);
        self.skeletons.insert(skeleton, player_id);
        Ok(true)
    }

    /// Who has such a name keeps it: a bot whose name is taken has none that could be compared.
    pub fn furnish_house(&mut self, created_at_ms: i64) {
        for strength in Strength::ALL {
            let (player_id, name) = (house::id(strength), house::name(strength));
            let skeleton = names::skeleton(&name);
            let (strength, standing) = (Some(i64::from(strength.number())), Standing::Fine);
            let bot = Player { player_id, name, bot: true, strength, standing, created_at_ms };
            self.players.entry(player_id).or_insert(bot);
            self.skeletons.entry(skeleton).or_insert(player_id);
        }
    }

    /// `None` if the name is taken.
    pub fn rename_player(&mut self, player_id: Uuid, name: &str) -> Option<bool> {
        let Some(player) = self.players.get_mut(&player_id) else { return Some(false) };
        let (old, new) = (names::skeleton(&player.name), names::skeleton(name));
        if self.skeletons.get(&new).is_some_and(|owner| *owner != player_id) {
            return None;
        }
        self.skeletons.remove(&old);
        self.skeletons.insert(new, player_id);
        name.clone_into(&mut player.name);
        Some(true)
    }

    /// False if the code is taken.
    pub fn create_room(&mut self, new: &NewRoom) -> Result<bool, &'static str> {
        if self.codes.contains_key(&new.code) {
            return Ok(false);
        }
        if self.rooms.contains_key(&new.room_id) {
            return Err("a room with this id is stored already");
        }
        let mut ghosts = new.ghosts.clone();
        ghosts.sort_by_key(|ghost| ghost.player_id);
        if ghosts.windows(2).any(|pair| pair[0].player_id == pair[1].player_id) {
            return Err("a ghost of this room is stored already");
        }
        let room = Room {
            room_id: new.room_id,
            code: new.code.clone(),
            public: new.public,
            options: new.options.clone(),
            listing: new.listing.clone(),
            state: new.state.clone(),
            format: EVENT_FORMAT,
            epoch: 1,
            last_seq: new.events.len() as i64,
            owner: new.owner.clone(),
            lease_until_ms: new.lease_until_ms,
            created_at_ms: new.created_at_ms,
            finished_at_ms: None,
            matched: new.matched,
            guests: new.guests.clone(),
            kicked: "[]".to_owned(),
        };
        let events = new.events.iter().map(|event| event.insert(new.room_id, 1).into()).collect();
        self.codes.insert(new.code.clone(), new.room_id);
        self.rooms.insert(new.room_id, StoredRoom { room, events, ghosts, compacted: false });
        Ok(true)
    }

    pub fn claim(&mut self, room_id: Uuid, epoch: i64, claim: &Claim) -> Option<Room> {
        let stored = self.rooms.get_mut(&room_id).filter(|stored| stored.room.epoch == epoch)?;
        stored.is_claimable().then(|| stored.take_over(claim))
    }

    pub fn claim_unfinished(&mut self, claim: &Claim) -> Vec<Room> {
        let is_left = |room: &Room| {
            room.owner == claim.owner || room.lease_until_ms.is_none_or(|lease_until_ms| lease_until_ms < claim.at_ms)
        };
        let left = self.rooms.values_mut().filter(|stored| stored.is_claimable() && is_left(&stored.room));
        left.map(|stored| stored.take_over(claim)).collect()
    }

    pub fn compact(&mut self, room_id: Uuid) {
        if let Some(stored) = self.rooms.get_mut(&room_id) {
            stored.compacted = true;
            stored.ghosts.clear();
        }
    }

    pub fn commit(&mut self, appends: &[Append]) -> Result<Vec<Uuid>, Failure> {
        let accepted: Vec<&Append> = appends.iter().filter(|append| self.passes(append)).collect();
        let mut shown = BTreeSet::new();
        let mut dealt = accepted.iter().flat_map(|append| &append.dealt).filter(|dealt| !dealt.again);
        if dealt.any(|dealt| self.boards.contains(&dealt.board) || !shown.insert(&dealt.board)) {
            return Err(Failure::BoardTaken);
        }
        for append in &accepted {
            self.append(append);
        }
        Ok(accepted.into_iter().map(|append| append.room_id).collect())
    }

    /// The fence.
    fn passes(&self, append: &Append) -> bool {
        self.rooms
            .get(&append.room_id)
            .is_some_and(|StoredRoom { room, .. }| room.epoch == append.epoch && room.last_seq == append.first_seq - 1)
    }

    fn append(&mut self, append: &Append) {
        let Some(stored) = self.rooms.get_mut(&append.room_id) else { return };
        let (room, change) = (&mut stored.room, append.change.clone());
        room.last_seq += append.events.len() as i64;
        room.format = room.format.max(EVENT_FORMAT);
        room.state = change.state.unwrap_or_else(|| room.state.clone());
        room.listing = change.listing.unwrap_or_else(|| room.listing.clone());
        room.kicked = change.kicked.unwrap_or_else(|| room.kicked.clone());
        room.finished_at_ms = change.finished_at_ms.or(room.finished_at_ms);
        let rows = append.events.iter().map(|event| event.insert(append.room_id, append.epoch).into());
        stored.events.extend(rows);
        self.boards.extend(append.dealt.iter().map(|dealt| dealt.board.clone()));
        for round in &append.outcomes {
            if self.round(round.round_id).is_none() {
                self.rounds.push((append.room_id, round.clone()));
            }
        }
    }

    fn unfinished(&self) -> impl Iterator<Item = &StoredRoom> {
        self.rooms.values().filter(|stored| stored.room.finished_at_ms.is_none())
    }

    pub fn round(&self, round_id: Uuid) -> Option<&(Uuid, RoundRecord)> {
        self.rounds.iter().find(|(_, round)| round.round_id == round_id)
    }
}

impl StoredRoom {
    fn is_claimable(&self) -> bool {
        self.room.finished_at_ms.is_none() && self.room.format <= EVENT_FORMAT
    }

    fn take_over(&mut self, claim: &Claim) -> Room {
        self.room.epoch += 1;
        self.room.last_seq += 1;
        self.room.owner.clone_from(&claim.owner);
        self.room.lease_until_ms = claim.lease_until_ms;
        self.events.push(claim.event_in(&self.room).into());
        self.room.clone()
    }
}

impl From<EventInsert<'_>> for StoredEvent {
    fn from(row: EventInsert<'_>) -> StoredEvent {
        let EventInsert { seq, epoch, format, at_ms, body, .. } = row;
        StoredEvent { seq, epoch, format, at_ms, body: body.to_owned() }
    }
}

/// Reading players, rooms and events.
impl MemoryDatabase {
    pub(crate) async fn player_by_token(&self, token_hash: &[u8; 32]) -> Answer<Option<Player>> {
        let tables = self.tables();
        Ok(tables.tokens.get(token_hash).and_then(|player_id| tables.players.get(player_id)).cloned())
    }

    /// Nobody is banned or deleted here.
    pub(crate) async fn players_to_erase(&self) -> Answer<Vec<(Uuid, i64)>> {
        Ok(Vec::new())
    }

    /// Nobody is banned or deleted here.
    pub(crate) async fn standings_since(&self, _since_ms: i64) -> Answer<Vec<(Uuid, Standing)>> {
        Ok(Vec::new())
    }

    pub(crate) async fn player(&self, player_id: Uuid) -> Answer<Option<Player>> {
        Ok(self.tables().players.get(&player_id).cloned())
    }

    pub(crate) async fn room(&self, room_id: Uuid) -> Answer<Option<Room>> {
        Ok(self.tables().rooms.get(&room_id).map(|stored| stored.room.clone()))
    }

    pub(crate) async fn ghosts(&self, room_id: Uuid) -> Answer<Vec<GhostRow>> {
        Ok(self.tables().rooms.get(&room_id).map_or_else(Vec::new, |stored| stored.ghosts.clone()))
    }

    pub(crate) async fn room_by_code(&self, code: &str) -> Answer<Option<Room>> {
        let tables = self.tables();
        let stored = tables.codes.get(code).and_then(|room_id| tables.rooms.get(room_id));
        Ok(stored.map(|stored| stored.room.clone()))
    }

    pub(crate) async fn public_rooms(&self, after: ListedAfter, limit: i64) -> Answer<Vec<Room>> {
        let place = |room: &Room| (room.created_at_ms, room.room_id);
        let tables = self.tables();
        let open = tables.rooms.values().map(|stored| &stored.room).filter(|room| {
            room.public && room.finished_at_ms.is_none() && place(room) < (after.created_at_ms, after.room_id)
        });
        let mut rooms: Vec<Room> = open.cloned().collect();
        rooms.sort_by_key(|room| std::cmp::Reverse(place(room)));
        rooms.truncate(limit as usize);
        Ok(rooms)
    }

    pub(crate) async fn events(&self, room_id: Uuid, range: &RangeInclusive<i64>) -> Answer<Vec<StoredEvent>> {
        let tables = self.tables();
        let events = tables.rooms.get(&room_id).into_iter().flat_map(|stored| &stored.events);
        Ok(events.filter(|event| range.contains(&event.seq)).cloned().collect())
    }

    /// None: compacted events stay where they are.
    pub(crate) async fn replays(&self) -> Answer<Vec<String>> {
        Ok(Vec::new())
    }

    pub(crate) async fn unfinished_rooms(&self, after: Uuid, limit: i64) -> Answer<Vec<Room>> {
        let tables = self.tables();
        let rooms = tables.unfinished().filter(|stored| stored.room.room_id > after).take(limit as usize);
        Ok(rooms.map(|stored| stored.room.clone()).collect())
    }

    pub(in crate::store) async fn events_of_unfinished(&self, first: Uuid, last: Uuid) -> Answer<Vec<OfRoom>> {
        let tables = self.tables();
        let rooms = tables.unfinished().filter(|stored| (first..=last).contains(&stored.room.room_id));
        let events = rooms.flat_map(|StoredRoom { room, events, .. }| events.iter().map(|event| (room.room_id, event)));
        Ok(events.map(|(room_id, event)| OfRoom { room_id, event: event.clone() }).collect())
    }

    pub(crate) async fn count_board(&self, board: &str) -> Answer<i64> {
        Ok(self.tables().boards.contains(board).into())
    }

    pub(crate) async fn rooms_to_compact(&self, before_ms: i64, rooms_max: i64) -> Answer<Vec<Uuid>> {
        let tables = self.tables();
        let resting = tables.rooms.values().filter(|stored| !stored.compacted);
        let finished = resting.filter_map(|stored| Some((stored.room.finished_at_ms?, stored.room.room_id)));
        let mut rooms: Vec<_> = finished.filter(|(finished_at_ms, _)| *finished_at_ms < before_ms).collect();
        rooms.sort_unstable();
        Ok(rooms.into_iter().take(rooms_max as usize).map(|(_, room_id)| room_id).collect())
    }
}
