//! The journal and the store under many hands at once.

use std::time::Instant;

use sprint_server::journal::{Journal, JournalOptions};
use sprint_server::store::{RoomEvents, StoreOptions};
use uuid::Uuid;

use crate::database::on_both;
use crate::rows::{append, claim, player, room};

/// Rooms that append at once.
const WRITERS: usize = 64;
/// Appends of each, one event each.
const APPENDS: i64 = 40;

on_both!(many_writers_readers_and_checkpoints_never_find_the_database_locked, |database| {
    // A small log makes a checkpoint happen every few batches.
    let options = StoreOptions { wal_bytes_soft: 64 << 10, ..database.options() };
    let store = sprint_server::store::Store::open(&database.url, options).await.unwrap();
    let (journal, _task) = Journal::start(store.clone(), JournalOptions::default());
    let mut rooms = Vec::new();
    for index in 0..WRITERS {
        let new = room(&format!("ROOM{index:02}"));
        store.create_room(&new).await.unwrap();
        rooms.push(new.room_id);
    }
    let started = Instant::now();
    let writers: Vec<_> = rooms
        .iter()
        .map(|&room_id| {
            let journal = journal.clone();
            tokio::spawn(async move {
                for seq in 1..=APPENDS {
                    journal.append(append(room_id, 1, seq, &["{\"lifted\":{\"seat\":1,\"peg\":3}}"])).await.unwrap();
                }
            })
        })
        .collect();
    let readers: Vec<_> = (0..4)
        .map(|_| {
            let (store, rooms) = (store.clone(), rooms.clone());
            tokio::spawn(async move {
                for room_id in rooms {
                    store.events(room_id, 1).await.unwrap();
                    store.public_rooms(None, 50).await.unwrap();
                }
            })
        })
        .collect();
    let others = {
        let store = store.clone();
        tokio::spawn(async move {
            for index in 0..20 {
                player(&store, &format!("P{index}"), false).await;
            }
        })
    };
    for task in writers {
        task.await.unwrap();
    }
    let elapsed = started.elapsed();
    for task in readers {
        task.await.unwrap();
    }
    others.await.unwrap();
    for room_id in rooms {
        assert_eq!(store.events(room_id, 1).await.unwrap().len() as i64, APPENDS);
    }
    let events = WRITERS as f64 * APPENDS as f64;
    println!("{WRITERS} rooms: {:.0} events/s beside readers and other writers", events / elapsed.as_secs_f64());
});

on_both!(ten_thousand_unfinished_rooms_are_claimed_at_once_and_read_page_by_page, |database| {
    const ROOMS: usize = 10_000;
    let store = database.open().await;
    let mut expected: Vec<Uuid> = Vec::new();
    // Made by SQL, as a host's many rooms would be found: one statement for all.
    let (numbers, id) = match store.is_sqlite() {
        true => ("json_each('[' || rtrim(replace(hex(zeroblob(5000)), '0', '0,'), ',') || ']')", "randomblob(16)"),
        false => ("generate_series(0, 9999) e(key)", "gen_random_uuid()"),
    };
    let yes = if store.is_sqlite() { "1" } else { "true" };
    database
        .execute(&format!(
            "INSERT INTO room (room_id, code, public, options, listing, state, format, epoch, last_seq, owner, \
               created_at_ms) SELECT {id}, 'R' || key, {yes}, '{{}}', '{{}}', 'racing', 1, 1, 3, 'here', 0 FROM {numbers}"
        ))
        .await;
    let steps = if store.is_sqlite() { "json_each('[1,2,3]')" } else { "unnest(ARRAY[1,2,3]) s(value)" };
    database
        .execute(&format!(
            "INSERT INTO room_event (room_id, seq, epoch, format, at_ms, body) \
             SELECT room_id, value, 1, 1, 0, '{{\"lifted\":{{\"seat\":1,\"peg\":3}}}}' FROM room, {steps}"
        ))
        .await;

    let started = Instant::now();
    let claimed = store.claim_unfinished(&claim("here")).await.unwrap();
    let claim_ms = started.elapsed().as_millis();
    assert_eq!(claimed.len(), ROOMS);
    assert!(claimed.iter().all(|room| (room.epoch, room.last_seq) == (2, 4)));
    expected.extend(claimed.iter().map(|room| room.room_id));

    let started = Instant::now();
    let mut seen = Vec::new();
    let mut after = None;
    loop {
        let page = store.unfinished_rooms(after, 500).await.unwrap();
        let Some(last) = page.last() else { break };
        after = Some(last.room.room_id);
        for RoomEvents { room, events } in page {
            assert_eq!(events.iter().map(|event| event.seq).collect::<Vec<_>>(), [1, 2, 3, 4]);
            seen.push(room.room_id);
        }
    }
    assert_eq!(seen, expected);
    println!("{ROOMS} rooms: claimed in {claim_ms} ms, read in {} ms", started.elapsed().as_millis());
});
