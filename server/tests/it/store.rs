//! The store contract: one story, told on SQLite and on Postgres.

use sprint_server::journal::{EventRow, Journal, JournalOptions, RoomChange};
use sprint_server::store::{CreateRoomError, GhostRow, ListedAfter, MatchAfter, NewPlayer, NewRoom, StoredEvent};
use uuid::Uuid;

use crate::database::{on_both, on_each};
use crate::rows::{NOON_MS, append, claim, player, room, round, seat};

on_each!(a_player_is_found_by_the_hash_of_the_token_alone, |database| {
    let store = database.open().await;
    let new = NewPlayer {
        player_id: Uuid::now_v7(),
        name: "Émile".to_owned(),
        token_hash: [7; 32],
        bot: false,
        created_at_ms: NOON_MS,
    };
    store.create_player(&new).await.unwrap();
    let found = store.player_by_token(&[7; 32]).await.unwrap().unwrap();
    assert_eq!((found.player_id, found.name.as_str(), found.bot), (new.player_id, "Émile", false));
    assert_eq!(store.player_by_token(&[8; 32]).await.unwrap(), None);
    assert!(
        store
            .create_player(&NewPlayer { player_id: Uuid::now_v7(), name: "Another".to_owned(), ..new.clone() })
            .await
            .is_err()
    );

    assert!(store.rename_player(new.player_id, "Lucas").await.unwrap());
    assert!(!store.rename_player(Uuid::now_v7(), "Nobody").await.unwrap());
    assert_eq!(store.player(new.player_id).await.unwrap().unwrap().name, "Lucas");
});

on_each!(a_room_code_is_given_once, |database| {
    let store = database.open().await;
    let new = room("AAAAAA");
    store.create_room(&new).await.unwrap();
    let again = store.create_room(&room("AAAAAA")).await;
    assert!(matches!(again, Err(CreateRoomError::CodeTaken)), "{again:?}");
    let found = store.room_by_code("AAAAAA").await.unwrap().unwrap();
    assert_eq!(found.room_id, new.room_id);
    assert_eq!((found.epoch, found.last_seq), (1, 0));
    assert_eq!(store.room_by_code("AAAAAB").await.unwrap(), None);
});

on_each!(a_room_id_is_given_once, |database| {
    let store = database.open().await;
    let new = room("AAAAAA");
    store.create_room(&new).await.unwrap();
    let before = store.room(new.room_id).await.unwrap();
    let again = NewRoom { room_id: new.room_id, owner: "there".to_owned(), ..room("BBBBBB") };
    let refused = store.create_room(&again).await;
    assert!(matches!(refused, Err(CreateRoomError::Store(_))), "another code does not help: {refused:?}");
    assert_eq!(store.room(new.room_id).await.unwrap(), before);
    assert_eq!(store.room_by_code("BBBBBB").await.unwrap(), None);
    // Nothing is left half done: the code is still free.
    store.create_room(&room("BBBBBB")).await.unwrap();
});

on_each!(a_room_is_made_together_with_its_first_events, |database| {
    let store = database.open().await;
    let (journal, _task) = Journal::start(store.clone(), JournalOptions::default());
    let mut new = room("AAAAAA");
    new.events = vec![
        EventRow { seq: 1, at_ms: NOON_MS, body: "opened".to_owned() },
        EventRow { seq: 2, at_ms: NOON_MS + 5, body: "joined".to_owned() },
    ];
    store.create_room(&new).await.unwrap();
    journal.append(append(new.room_id, 1, 3, &["ready"])).await.unwrap();
    let events = store.events(new.room_id, 2).await.unwrap();
    let expected = |seq, at_ms, body: &str| StoredEvent { seq, epoch: 1, format: 1, at_ms, body: body.to_owned() };
    assert_eq!(events, [expected(2, NOON_MS + 5, "joined"), expected(3, NOON_MS + 3, "ready")]);

    let mut gap = room("BBBBBB");
    gap.events = vec![EventRow { seq: 2, at_ms: NOON_MS, body: "late".to_owned() }];
    assert!(store.create_room(&gap).await.is_err());
    assert_eq!(store.room_by_code("BBBBBB").await.unwrap(), None);
});

on_each!(what_ghosts_do_stands_with_their_room_until_that_is_over_and_compacted, |database| {
    let store = database.open().await;
    let (journal, _task) = Journal::start(store.clone(), JournalOptions::default());
    let ghost = |id, format, acts: &str| GhostRow { player_id: Uuid::from_u128(id), format, acts: acts.to_owned() };
    let long = "850:1-2 ".repeat(15_000);
    let (one, other) = (
        NewRoom { ghosts: vec![ghost(2, 1, &long), ghost(1, 2, "\u{1F47B}")], ..room("AAAAAA") },
        NewRoom { ghosts: vec![ghost(1, 1, "5:u")], ..room("BBBBBB") },
    );
    for new in [&one, &other] {
        store.create_room(new).await.unwrap();
    }
    let both = [ghost(1, 2, "\u{1F47B}"), ghost(2, 1, &long)];
    // A comparison that fails would print them.
    assert!(store.ghosts(one.room_id).await.unwrap() == both, "by id, as they were given");
    assert_eq!(store.ghosts(other.room_id).await.unwrap(), other.ghosts);

    // Of a room that is not made nothing is stored, and one does not do two things.
    let taken = NewRoom { ghosts: vec![ghost(3, 1, "5:u")], ..room("AAAAAA") };
    assert!(matches!(store.create_room(&taken).await, Err(CreateRoomError::CodeTaken)));
    let twice = NewRoom { ghosts: vec![ghost(3, 1, "5:u"), ghost(3, 1, "6:u")], ..room("CCCCCC") };
    assert!(matches!(store.create_room(&twice).await, Err(CreateRoomError::Store(_))));
    assert_eq!(store.room_by_code("CCCCCC").await.unwrap(), None);
    for room_id in [taken.room_id, twice.room_id] {
        assert_eq!(store.ghosts(room_id).await.unwrap(), []);
    }

    let mut closing = append(one.room_id, 1, 1, &["closed"]);
    closing.change.finished_at_ms = Some(NOON_MS);
    journal.append(closing).await.unwrap();
    assert_eq!(store.compact_finished(NOON_MS, 10).await.unwrap(), 0, "not before its time");
    assert!(store.ghosts(one.room_id).await.unwrap() == both);
    assert_eq!(store.compact_finished(NOON_MS + 1, 10).await.unwrap(), 1);
    assert!(store.ghosts(one.room_id).await.unwrap().is_empty(), "it is over and compacted");
    assert_eq!(store.ghosts(other.room_id).await.unwrap(), other.ghosts, "another room's stay");
});

on_each!(the_public_list_shows_open_public_rooms_newest_first_page_by_page, |database| {
    let store = database.open().await;
    let (journal, _task) = Journal::start(store.clone(), JournalOptions::default());
    let mut rooms = Vec::new();
    for (index, code) in ["OLDEST", "HIDDEN", "MIDDLE", "CLOSED", "NEWEST"].iter().enumerate() {
        let mut new = room(code);
        new.public = *code != "HIDDEN";
        new.created_at_ms = NOON_MS + index as i64;
        store.create_room(&new).await.unwrap();
        rooms.push(new);
    }
    let mut closing = append(rooms[3].room_id, 1, 1, &["closed"]);
    closing.change = RoomChange { finished_at_ms: Some(NOON_MS + 9), ..RoomChange::default() };
    journal.append(closing).await.unwrap();
    let mut filling = append(rooms[4].room_id, 1, 1, &["joined"]);
    filling.change.state = Some("countdown".to_owned());
    filling.change.listing = Some(r#"{"seated":2}"#.to_owned());
    journal.append(filling).await.unwrap();

    let first = store.public_rooms(None, 2).await.unwrap();
    let codes: Vec<&str> = first.iter().map(|room| room.code.as_str()).collect();
    assert_eq!(codes, ["NEWEST", "MIDDLE"]);
    assert_eq!((first[0].state.as_str(), first[0].listing.as_str()), ("countdown", r#"{"seated":2}"#));
    assert_eq!((first[1].state.as_str(), first[1].listing.as_str()), ("lobby", "{}"));
    let after = ListedAfter { created_at_ms: first[1].created_at_ms, room_id: first[1].room_id };
    let second = store.public_rooms(Some(after), 2).await.unwrap();
    assert_eq!(second.iter().map(|room| room.code.as_str()).collect::<Vec<_>>(), ["OLDEST"]);
});

on_each!(a_room_is_claimed_by_one_node_only_and_not_once_it_is_finished, |database| {
    let store = database.open().await;
    let (journal, _task) = Journal::start(store.clone(), JournalOptions::default());
    let new = room("AAAAAA");
    store.create_room(&new).await.unwrap();
    let (here, there) = (claim("here"), claim("there"));
    let (one, other) = tokio::join!(store.claim(new.room_id, 1, &here), store.claim(new.room_id, 1, &there));
    let taken: Vec<_> = [one.unwrap(), other.unwrap()].into_iter().flatten().collect();
    assert_eq!(taken.len(), 1);
    assert_eq!((taken[0].epoch, taken[0].last_seq), (2, 1));

    let mut closing = append(new.room_id, 2, 2, &["closed"]);
    closing.change.finished_at_ms = Some(NOON_MS);
    journal.append(closing).await.unwrap();
    assert_eq!(store.claim(new.room_id, 2, &here).await.unwrap(), None);
});

on_each!(at_start_a_node_claims_its_own_rooms_and_those_without_a_living_owner, |database| {
    let store = database.open().await;
    let leased = |code, owner: &str, lease_until_ms| {
        let mut new = room(code);
        new.owner = owner.to_owned();
        new.lease_until_ms = lease_until_ms;
        new
    };
    let rooms = [
        leased("MINE01", "here", Some(NOON_MS + 1000)),
        leased("FREE01", "there", None),
        leased("GONE01", "there", Some(NOON_MS - 1)),
        leased("LIVES1", "there", Some(NOON_MS + 1)),
    ];
    for new in &rooms {
        store.create_room(new).await.unwrap();
    }
    let claimed = store.claim_unfinished(&claim("here")).await.unwrap();
    let mut codes: Vec<_> = claimed.iter().map(|room| (room.code.as_str(), room.epoch, room.last_seq)).collect();
    codes.sort_unstable();
    assert_eq!(codes, [("FREE01", 2, 1), ("GONE01", 2, 1), ("MINE01", 2, 1)]);
    assert!(claimed.is_sorted_by_key(|room| room.room_id));
    let events = store.events(rooms[0].room_id, 1).await.unwrap();
    let expected = StoredEvent { seq: 1, epoch: 2, format: 1, at_ms: NOON_MS, body: "owned".to_owned() };
    assert_eq!(events, [expected]);
    assert_eq!(store.events(rooms[3].room_id, 1).await.unwrap(), []);
});

on_both!(a_room_of_an_event_format_from_the_future_is_left_alone, |database| {
    let new = room("AAAAAA");
    let store = database.open().await;
    store.create_room(&new).await.unwrap();
    database.execute("UPDATE room SET format = 2").await;
    assert_eq!(store.claim_unfinished(&claim("here")).await.unwrap(), []);
    assert_eq!(store.claim(new.room_id, 1, &claim("here")).await.unwrap(), None);
});

on_each!(a_round_is_stored_once_whatever_ends_it, |database| {
    let store = database.open().await;
    let (journal, _task) = Journal::start(store.clone(), JournalOptions::default());
    let new = room("AAAAAA");
    store.create_room(&new).await.unwrap();
    let (ada, bob) = (player(&store, "Ada", false).await, player(&store, "Bob", false).await);
    let result = round(NOON_MS, 2, vec![seat(0, ada, 40_000, 22, 1650), seat(1, bob, 50_000, 25, 1100)]);
    let mut ending = append(new.room_id, 1, 1, &["move", "over"]);
    ending.outcomes = vec![result.clone()];
    journal.append(ending).await.unwrap();

    // The timer fires too: the same round again, with other figures.
    let mut again = append(new.room_id, 1, 3, &["over"]);
    let mut other = result.clone();
    other.seats[0].score = 9;
    other.body = "another".to_owned();
    again.outcomes = vec![other];
    journal.append(again).await.unwrap();

    let (stored, seats) = store.round(result.round_id).await.unwrap().unwrap();
    assert_eq!((stored.room_id, stored.body.as_str(), stored.optimum), (new.room_id, "{}", Some(20)));
    assert_eq!(seats.iter().map(|seat| seat.seat.clone()).collect::<Vec<_>>(), result.seats);
    assert_eq!(seats.iter().map(|seat| seat.name.as_str()).collect::<Vec<_>>(), ["Ada", "Bob"]);
    assert_eq!(store.rounds_of_room(new.room_id).await.unwrap().len(), 1);
    assert_eq!(store.round(Uuid::now_v7()).await.unwrap(), None);
});

on_each!(a_zombie_cannot_store_a_round, |database| {
    let store = database.open().await;
    let (journal, _task) = Journal::start(store.clone(), JournalOptions::default());
    let new = room("AAAAAA");
    store.create_room(&new).await.unwrap();
    store.claim(new.room_id, 1, &claim("there")).await.unwrap().unwrap();
    let mut ending = append(new.room_id, 1, 1, &["over"]);
    let result = round(NOON_MS, 1, vec![seat(0, Uuid::now_v7(), 1, 20, 1000)]);
    ending.outcomes = vec![result.clone()];
    assert!(journal.append(ending).await.is_err());
    assert_eq!(store.round(result.round_id).await.unwrap(), None);
    assert_eq!(store.rounds(None, 10).await.unwrap(), []);
});

on_each!(a_players_history_is_newest_first_and_paged_without_gaps, |database| {
    let store = database.open().await;
    let (journal, _task) = Journal::start(store.clone(), JournalOptions::default());
    let new = room("AAAAAA");
    store.create_room(&new).await.unwrap();
    let ada = player(&store, "Ada", false).await;
    let mut expected = Vec::new();
    for index in 0..5 {
        // Two of the five end in the same millisecond.
        let result = round(NOON_MS + index / 2, 1, vec![seat(3, ada, 40_000, 22, 1000 + index)]);
        let mut ending = append(new.room_id, 1, index + 1, &["over"]);
        expected.insert(0, (result.round_id, 1000 + index));
        ending.outcomes = vec![result];
        journal.append(ending).await.unwrap();
    }
    let mut seen = Vec::new();
    let mut after = None;
    loop {
        let page = store.matches_of(ada, after, 2).await.unwrap();
        let Some(last) = page.last() else { break };
        after = Some(MatchAfter { finished_at_ms: last.round.finished_at_ms, round_id: last.round.round_id });
        seen.extend(page.iter().map(|row| (row.round.round_id, row.score)));
    }
    assert_eq!(seen, expected);
});

on_each!(a_review_is_kept_until_one_of_another_format_takes_its_place, |database| {
    let store = database.open().await;
    let (round, other) = (Uuid::now_v7(), Uuid::now_v7());
    assert_eq!(store.review(round, 1).await.unwrap(), None);
    store.put_review(round, 1, "first").await.unwrap();
    store.put_review(other, 1, "other").await.unwrap();
    assert_eq!(store.review(round, 1).await.unwrap().as_deref(), Some("first"));
    assert_eq!(store.review(round, 2).await.unwrap(), None, "it is of an older format");
    store.put_review(round, 2, "second").await.unwrap();
    assert_eq!(store.review(round, 1).await.unwrap(), None);
    assert_eq!(store.review(round, 2).await.unwrap().as_deref(), Some("second"));
    assert_eq!(store.review(other, 1).await.unwrap().as_deref(), Some("other"));
});
