//! The lobby by itself: callers that go away, places that are limited, rooms whose store fails them.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::join_all;
use serde_json::Value;
use sprint_server::clock::Clock;
use sprint_server::ghost;
use sprint_server::journal::{Fault, Faults, Journal, JournalOptions};
use sprint_server::lobby::{Lobby, NoRoom, Party};
use sprint_server::pool::Dealers;
use sprint_server::racing::Racing;
use sprint_server::room::{ConnectionId, Ending, Inbound, Join, Line, Out, RoomContext, RoomHandle};
use sprint_server::stop::{Stop, stop};
use sprint_server::store::{Guest, Store};
use sprint_shared::options::RoomOptions;
use sprint_shared::play::Act;
use sprint_shared::preset::Preset;
use sprint_shared::race::Command;
use sprint_shared::time::Millis;
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;
use uuid::Uuid;

use crate::database::TestDatabase;
use crate::host::{PATIENCE, galleries};

struct Alone {
    lobby: Lobby,
    store: Store,
    faults: Faults,
    database: TestDatabase,
    _stop: Stop,
}

async fn lobby(rooms_max: usize) -> Alone {
    let database = TestDatabase::sqlite();
    let store = database.open().await;
    let faults = Faults::default();
    let options = JournalOptions { faults: faults.clone(), ..JournalOptions::default() };
    let (journal, _task) = Journal::start(store.clone(), options);
    let (stop, stopping) = stop();
    let clock = Clock::start();
    let galleries = galleries(clock, &store, &stopping);
    let context = RoomContext {
        clock,
        journal,
        store: store.clone(),
        dealers: Dealers::new(),
        galleries,
        countdown_ms: 100,
        idle_ms: 600_000,
        // Longer than any test waits.
        show_up_ms: 600_000,
        racing: Racing::default(),
        stop: stopping,
    };
    Alone { lobby: Lobby::new(context, rooms_max), store, faults, database, _stop: stop }
}

fn public() -> RoomOptions {
    RoomOptions { public: true, ..RoomOptions::default() }
}

/// Sits a player down without a socket; what it hears, and its end.
async fn sit(room: &RoomHandle, number: u64, name: &str) -> (mpsc::Receiver<Out>, oneshot::Receiver<Ending>) {
    sit_as(room, number, Uuid::now_v7(), name).await
}

async fn sit_as(
    room: &RoomHandle,
    number: u64,
    player: Uuid,
    name: &str,
) -> (mpsc::Receiver<Out>, oneshot::Receiver<Ending>) {
    let ((outbox, heard), (end, ended)) = (mpsc::channel(64), oneshot::channel());
    let join = Join {
        connection: ConnectionId(number),
        at: Millis(0),
        player,
        name: name.to_owned(),
        address: None,
        seated_only: false,
        bot: false,
        last_seq: None,
        line: Line { outbox, end, lost: Arc::default(), round_trip: Arc::default() },
    };
    assert!(room.inbox().send(Inbound::Join(Box::new(join))).await.is_ok());
    (heard, ended)
}

async fn say(room: &RoomHandle, number: u64, command: Command) {
    let said = Inbound::Say { connection: ConnectionId(number), at: Millis(0), command };
    assert!(room.inbox().send(said).await.is_ok());
}

/// Hears on until a message of this type.
async fn until(heard: &mut mpsc::Receiver<Out>, kind: &str) -> Value {
    loop {
        let texts = match timeout(PATIENCE, heard.recv()).await.expect("something is heard").expect("the line is open")
        {
            Out::Frame(text) => vec![text],
            Out::Frames(texts) => texts,
        };
        let messages = texts.iter().map(|text| serde_json::from_str::<Value>(text).unwrap());
        if let Some(message) = messages.into_iter().find(|message| message["type"] == kind) {
            return message;
        }
    }
}

async fn comes_true(holds: impl AsyncFn() -> bool) {
    let waiting = async {
        while !holds().await {
            tokio::task::yield_now().await;
        }
    };
    timeout(PATIENCE, waiting).await.expect("it comes true in time");
}

#[tokio::test]
async fn who_asks_for_a_room_that_does_not_exist_takes_no_place_even_by_going_away() {
    let alone = lobby(1).await;
    for code in ["AAAAAA", "BBBBBB", "CCCCCC", "DDDDDD", "EEEEEE"] {
        // The caller goes away while the store is asked, unless that has answered at once.
        let _ = alone.lobby.open(code).now_or_never();
    }
    for code in ["FFFFFF", "GGGGGG"] {
        let both = tokio::join!(alone.lobby.open(code), alone.lobby.open(code));
        assert!(matches!(both, (Err(NoRoom::NotFound), Err(NoRoom::NotFound))));
    }
    assert!(alone.lobby.create(public()).await.is_ok(), "the one place is free");
    assert!(matches!(alone.lobby.create(public()).await, Err(NoRoom::Full)));
}

#[tokio::test]
async fn no_more_rooms_are_made_at_once_than_may_be_open() {
    let alone = lobby(3).await;
    let made = join_all((0..10).map(|_| alone.lobby.create(public()))).await;
    assert_eq!(made.iter().filter(|made| made.is_ok()).count(), 3);
    assert!(made.iter().all(|made| matches!(made, Ok(_) | Err(NoRoom::Full))));
    assert_eq!(alone.store.public_rooms(None, 100).await.unwrap().len(), 3);
}

#[tokio::test]
async fn a_room_runs_even_if_the_one_who_makes_it_goes_away() {
    let alone = lobby(10).await;
    assert!(alone.lobby.create(public()).now_or_never().is_none());
    comes_true(async || {
        let rooms = alone.store.public_rooms(None, 10).await.unwrap();
        rooms.first().is_some_and(|room| alone.lobby.running(&room.code).is_some())
    })
    .await;
}

#[tokio::test]
async fn a_room_whose_commit_is_in_doubt_is_rebuilt_without_anybody_asking() {
    let alone = lobby(10).await;
    let room = alone.lobby.create(public()).await.unwrap();
    alone.faults.next(Fault::LostReply);
    let (_heard, ended) = sit(&room, 1, "Ada").await;
    assert!(ended.await.is_err(), "the room stops without a word");
    comes_true(async || alone.lobby.running(&room.code).is_some_and(|now| !now.inbox().is_closed())).await;
    let rebuilt = alone.lobby.running(&room.code).unwrap();
    assert_eq!(rebuilt.summary().names(), ["Ada"], "what was committed is known again");
}

#[tokio::test]
async fn a_room_whose_board_cannot_be_dealt_is_closed_after_some_attempts() {
    let alone = lobby(10).await;
    let options = RoomOptions { preset: Preset::Spire, ..public() };
    let room = alone.lobby.create(options).await.unwrap();
    let (mut heard, ended) = sit(&room, 1, "Ada").await;
    let (mut also, _end) = sit(&room, 2, "Ben").await;
    for heard in [&mut heard, &mut also] {
        until(heard, "welcome").await;
    }
    say(&room, 1, Command::Ready(true)).await;
    say(&room, 2, Command::Ready(true)).await;
    let round_id = until(&mut heard, "committed").await["round_id"].as_str().unwrap().parse().unwrap();
    for number in [1, 2] {
        say(&room, number, Command::Nonce("00".repeat(16).parse().unwrap())).await;
    }
    until(&mut heard, "dealing").await;
    let failing = async {
        while room.inbox().send(Inbound::NotDealt { round_id }).await.is_ok() {
            tokio::task::yield_now().await;
        }
    };
    timeout(PATIENCE, failing).await.expect("the room gives up");
    assert!(ended.await.is_err(), "whoever was in it looks for it again");
    assert!(matches!(alone.lobby.open(&room.code).await, Err(NoRoom::NotFound)), "and it is closed");
}

#[tokio::test]
async fn a_room_that_nobody_wants_closes_at_once() {
    let alone = lobby(10).await;
    let players = [1, 2].map(Uuid::from_u128);
    let guests = players.map(|player| Guest::Person { player, name: format!("player {player}"), bot: false });
    let options = RoomOptions { rated: true, ..RoomOptions::default() }.checked().unwrap();
    let room = {
        let party = Party { guests: guests.to_vec(), matched: true, ..Party::default() };
        alone.lobby.create_for(options, party).await.unwrap()
    };
    // The queue says who races there, once it has told them.
    let nobody_races = || players.iter().all(|player| alone.lobby.racing().code_of(*player).is_none());
    assert!(nobody_races());
    assert!(room.inbox().send(Inbound::Abandon).await.is_ok());
    timeout(PATIENCE, room.inbox().closed()).await.expect("its task ends");
    let stored = alone.store.room_by_code(&room.code).await.unwrap().unwrap();
    assert!(stored.finished_at_ms.is_some());
    assert!(nobody_races());
}

#[tokio::test]
async fn a_room_with_bots_closes_at_once_if_the_one_who_asks_for_it_goes_away() {
    let alone = lobby(10).await;
    let [ada, bot] = [1, 2].map(Uuid::from_u128);
    let guests = vec![
        Guest::Person { player: ada, name: "Ada".to_owned(), bot: false },
        Guest::Bot { player: bot, name: "Automaton 1".to_owned(), strength: 1 },
    ];
    let party = Party { guests, ..Party::default() };
    assert!(alone.lobby.create_for(RoomOptions::default(), party).now_or_never().is_none());
    comes_true(async || alone.database.count("room WHERE finished_at_ms IS NOT NULL").await == 1).await;
}

#[tokio::test]
async fn a_ghost_comes_by_what_is_stored_with_its_room_and_leaves_where_that_is_nothing() {
    let alone = lobby(10).await;
    let [ada, ben, known, unknown] = [1, 2, 3, 4].map(Uuid::from_u128);
    let ghost = |player| Guest::Ghost { player, name: "Ghost of Ada".to_owned(), round_id: Uuid::nil(), seat: 1 };
    let person = |player, name: &str| Guest::Person { player, name: name.to_owned(), bot: false };
    // Of a round that is not there: whoever looked for it would find nothing.
    let guests = vec![person(ada, "Ada"), person(ben, "Ben"), ghost(known), ghost(unknown)];
    let ghosts = vec![ghost::row(known, &[(1_000, Act::Move { from: 1, to: 2 })])];
    let party = Party { guests, ghosts, ..Party::default() };
    let options = RoomOptions { seats: 4, ..RoomOptions::default() }.checked().unwrap();
    let room = alone.lobby.create_for(options, party).await.unwrap();
    let told = async |beginning: &str| {
        let events = alone.store.events(room.room_id, 1).await.unwrap();
        events.iter().filter(|event| event.body.starts_with(beginning)).count()
    };
    comes_true(async || {
        told(r#"{"type":"connected","seat":3"#).await > 0 && told(r#"{"type":"left","seat":4"#).await > 0
    })
    .await;
    assert_eq!(told(r#"{"type":"left""#).await, 1, "nobody else leaves");

    // The room is rebuilt: who has left does not come again.
    alone.faults.next(Fault::LostReply);
    let (_heard, ended) = sit_as(&room, 1, ada, "Ada").await;
    assert!(ended.await.is_err(), "the room stops without a word");
    comes_true(async || alone.lobby.running(&room.code).is_some_and(|now| !now.inbox().is_closed())).await;
    let rebuilt = alone.lobby.running(&room.code).unwrap();
    let _lines = (sit_as(&rebuilt, 2, ada, "Ada").await, sit_as(&rebuilt, 3, ben, "Ben").await);
    comes_true(async || told(r#"{"type":"committed""#).await > 0).await;
    assert_eq!(told(r#"{"type":"seat_taken","seat":4"#).await, 1);
}
