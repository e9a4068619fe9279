//! Rows to store: rooms, appends, rounds.

use sprint_server::journal::{Append, EventRow, Journal, JournalOptions};
use sprint_server::store::{Claim, NewPlayer, NewRoom, RoundRecord, SeatRecord, Store};
use uuid::Uuid;

/// Noon of 2026-01-15 UTC, a Thursday, by the calendar: 20,468 days and 12 hours.
pub const NOON_MS: i64 = 20_468 * 86_400_000 + 12 * 3_600_000;

/// A public room without events.
pub fn room(code: &str) -> NewRoom {
    NewRoom {
        room_id: Uuid::now_v7(),
        code: code.to_owned(),
        public: true,
        options: r#"{"preset":"standard"}"#.to_owned(),
        listing: "{}".to_owned(),
        state: "lobby".to_owned(),
        owner: "here".to_owned(),
        lease_until_ms: None,
        created_at_ms: NOON_MS,
        matched: false,
        guests: "[]".to_owned(),
        ghosts: Vec::new(),
        seated: Vec::new(),
        try_of: None,
        events: Vec::new(),
    }
}

/// An append of events whose bodies say who wrote them.
pub fn append(room_id: Uuid, epoch: i64, first_seq: i64, bodies: &[&str]) -> Append {
    let events = bodies
        .iter()
        .zip(first_seq..)
        .map(|(body, seq)| EventRow { seq, at_ms: NOON_MS + seq, body: (*body).to_owned() })
        .collect();
    Append { room_id, epoch, first_seq, events, ..Append::default() }
}

/// A claim by this node.
pub fn claim(owner: &str) -> Claim {
    Claim { owner: owner.to_owned(), lease_until_ms: None, at_ms: NOON_MS, body: "owned".to_owned() }
}

/// A stored player with a token of its own.
pub async fn player(store: &Store, name: &str, bot: bool) -> Uuid {
    let player_id = Uuid::now_v7();
    let token_hash = first_device(player_id);
    let player = NewPlayer { player_id, name: name.to_owned(), token_hash, bot, created_at_ms: NOON_MS };
    store.create_player(&player).await.expect("a player is stored");
    player_id
}

/// The device that a player made by [`player`] began on, by the hash of its token.
pub fn first_device(player_id: Uuid) -> [u8; 32] {
    let mut token_hash = [0; 32];
    token_hash[..16].copy_from_slice(player_id.as_bytes());
    token_hash
}

/// A standard round with optimum 20 that ended at `finished_at_ms` and covers the events 1 to `last_seq`.
pub fn round(finished_at_ms: i64, last_seq: i64, seats: Vec<SeatRecord>) -> RoundRecord {
    RoundRecord {
        round_id: Uuid::now_v7(),
        round: 1,
        first_seq: 1,
        last_seq,
        preset: Some("standard".to_owned()),
        board: format!("board {finished_at_ms}"),
        optimum: Some(20),
        par: Some(24),
        seed: "00".to_owned(),
        deal_version: 1,
        contest: "fastest".to_owned(),
        placement: "strict".to_owned(),
        rated: false,
        matched: false,
        interrupted: false,
        started_at_ms: finished_at_ms - 60_000,
        finished_at_ms,
        solo: None,
        body: "{}".to_owned(),
        seats,
    }
}

/// A clean finish.
pub fn seat(seat: i64, player_id: Uuid, official_ms: i64, moves: i64, score: i64) -> SeatRecord {
    SeatRecord {
        seat,
        player_id,
        rank: seat + 1,
        finished: true,
        clean: true,
        moves,
        errors: 0,
        raw_ms: Some(official_ms + 20),
        credit_ms: Some(20),
        official_ms: Some(official_ms),
        score,
        stars: Some(3),
        flawless: true,
        crown: moves == 20,
        bot: false,
        suspicion: 0,
    }
}

/// A rated standard round of quick match: everybody finished, in this order.
pub fn race(finished_at_ms: i64, order: &[Uuid]) -> RoundRecord {
    let finish = |(place, player): (i64, &Uuid)| seat(place, *player, 40_000 + 1_000 * place, 22, 1_500 - 100 * place);
    let seats = (0..).zip(order).map(finish).collect();
    RoundRecord { matched: true, rated: true, ..round(finished_at_ms, 1, seats) }
}

/// Stores rounds in a room of their own, one after another, and shows them on the boards as if their delay were over.
pub async fn store_rounds(store: &Store, rounds: &[RoundRecord]) {
    store_unshown(store, rounds).await;
    show_rounds(store).await;
}

/// Stores rounds in a room of their own, one after another; they stand on no board yet.
pub async fn store_unshown(store: &Store, rounds: &[RoundRecord]) {
    let (journal, _task) = Journal::start(store.clone(), JournalOptions::default());
    let new = room(&Uuid::now_v7().simple().to_string());
    store.create_room(&new).await.expect("a room is made");
    for (result, seq) in rounds.iter().zip(1..) {
        let mut ending = append(new.room_id, 1, seq, &["over"]);
        ending.outcomes = vec![result.clone()];
        journal.append(ending).await.expect("a round is stored");
    }
}

/// Shows all rounds on the boards as if their delay were over. Whoever writes beside it may be in the way: then it is
/// tried again, as a server does.
pub async fn show_rounds(store: &Store) {
    let mut tries = 0;
    loop {
        match store.show_rounds(i64::MAX).await {
            Ok(true) => tries = 0,
            Ok(false) => return,
            Err(error) if tries == 5 => panic!("the boards cannot be written: {error}"),
            Err(_) => tries += 1,
        }
    }
}
