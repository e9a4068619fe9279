//! A gallery beside a room that is played by hand: its events are all stored, and published as a test says.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use serde_json::Value;
use sprint_shared::event::{CloseReason, Event};
use sprint_shared::options::RoomOptions;
use sprint_shared::time::{Millis, Seat};
use tempfile::TempDir;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::timeout;
use uuid::Uuid;

use super::*;
use crate::journal::EventRow;
use crate::stop::{Stop, stop};
use crate::store::{NewRoom, StoreOptions};

const EVENTS: u32 = 400;
const VIEWER: Uuid = Uuid::from_u128(2);
const PATIENCE: Duration = Duration::from_secs(20);

struct Hall {
    events: Vec<Event>,
    room: OnStage,
    gallery: Arc<Gallery>,
    _held: (TempDir, Stop),
}

impl Hall {
    /// A room of which `head` events are published.
    async fn open(head: u32) -> Hall {
        Hall::open_with(head, 0).await
    }

    /// The same, shown so many seconds later.
    async fn open_with(head: u32, spectator_delay_s: u8) -> Hall {
        let directory = TempDir::new().expect("a directory");
        let url = format!("sqlite://{}", directory.path().join("hall.sqlite").display());
        let store = Store::open(&url, StoreOptions::default()).await.expect("a database");
        let (room_id, seat, at) = (Uuid::from_u128(7), Seat::ALL[0], Millis(1_000));
        let options = RoomOptions { spectator_delay_s, ..RoomOptions::default() };
        let (code, name) = ("HALL01".to_owned(), "Ada".to_owned());
        let opened = Event::RoomOpened {
            at,
            room: room_id,
            code: code.clone(),
            options: options.clone(),
            countdown_ms: 100,
            idle_ms: 600_000,
        };
        let taken = Event::SeatTaken { seat, player: Uuid::from_u128(1), name, bot: false, at };
        // Ada cannot make up her mind.
        let readied = (0..).map(|n| Event::Readied { seat, ready: n % 2 == 0, at });
        let first = [opened, taken, Event::Connected { seat, at }];
        let events: Vec<Event> = first.into_iter().chain(readied).take(EVENTS as usize).collect();
        let encode = |event: &Event| serde_json::to_string(event).expect("plain");
        let rows = events.iter().zip(1..).map(|(event, seq)| EventRow { seq, at_ms: 1_000, body: encode(event) });
        let new = NewRoom {
            room_id,
            code: code.clone(),
            public: true,
            options: serde_json::to_string(&options).expect("plain"),
            listing: "{}".to_owned(),
            state: "lobby".to_owned(),
            owner: "single".to_owned(),
            lease_until_ms: None,
            created_at_ms: 1_000,
            matched: false,
            guests: "[]".to_owned(),
            ghosts: Vec::new(),
            seated: Vec::new(),
            try_of: None,
            events: rows.collect(),
        };
        store.create_room(&new).await.expect("it is new");
        let (stop, stopping) = stop();
        let bounds = Bounds { room_max: 10, all_max: 10, distance_bytes_max: 0 };
        let galleries = Galleries::new(Threads::here(), Clock::start(), store, stopping, bounds);
        let (room, stage) = Stage::new(head, &[]);
        let (code, options) = (code.into(), Arc::new(options));
        let facts = RoomFacts { room_id, code, options, ahead_ms: 0, is_hostless: false };
        let gallery = galleries.of_room(stage, facts);
        Hall { events, room, gallery, _held: (directory, stop) }
    }

    /// Publishes up to an event; of them those from `from` on come by the line.
    fn publish(&self, from: u32, head: u32) {
        let turn = (from..=head).map(|seq| {
            let event = self.events[seq as usize - 1].clone();
            Told { seq, at: Millis(1_000), event }
        });
        self.room.publish(head, turn.collect());
    }

    async fn ask(&self, place: &Place, asks: Asks) -> Answer {
        timeout(PATIENCE, place.ask(asks)).await.expect("an answer").expect("the gallery goes on")
    }
}

fn seqs(texts: &[Utf8Bytes]) -> Vec<u64> {
    texts.iter().filter_map(|text| serde_json::from_str::<Value>(text).expect("JSON")["seq"].as_u64()).collect()
}

/// The numbers of the events that are cast, until one of them.
async fn until(casts: &mut broadcast::Receiver<Cast>, last: u64) -> Vec<u64> {
    let mut heard = Vec::new();
    while heard.last() != Some(&last) {
        let cast = timeout(PATIENCE, casts.recv()).await.unwrap_or_else(|_| panic!("{last} is not heard: {heard:?}"));
        heard.extend(seqs(&cast.expect("it keeps up").texts));
    }
    heard
}

#[tokio::test]
async fn what_does_not_come_by_the_line_is_read_from_the_journal_and_nothing_beyond_the_head_is_shown() {
    let hall = Hall::open(10).await;
    let place = hall.gallery.place(VIEWER).expect("there is room");
    let Seen { texts, mut casts } = hall.ask(&place, Asks::ToEnter).await.expect("nobody races");
    assert_eq!(seqs(&texts), [10], "390 more are stored, and not published");
    hall.publish(11, 12);
    assert_eq!(until(&mut casts, 12).await, [11, 12]);
    hall.publish(21, 20);
    assert_eq!(until(&mut casts, 20).await, (13..=20).collect::<Vec<_>>(), "nothing came by the line");
    hall.publish(30, 30);
    assert_eq!(until(&mut casts, 30).await, (21..=30).collect::<Vec<_>>(), "one came, behind a gap");
    hall.publish(25, 31);
    assert_eq!(until(&mut casts, 31).await, [31], "what is known is not told again");
}

#[tokio::test]
async fn a_viewer_that_lags_gets_a_snapshot_and_goes_on_from_just_there() {
    let hall = Hall::open(10).await;
    let place = hall.gallery.place(VIEWER).expect("there is room");
    let seen = hall.ask(&place, Asks::ToEnter).await.expect("nobody races");
    let mut slow = seen.casts;
    let mut quick = slow.resubscribe();
    for seq in 11..=200 {
        hall.publish(seq, seq);
        until(&mut quick, seq.into()).await;
    }
    assert!(matches!(slow.recv().await, Err(RecvError::Lagged(_))), "no more than {CASTS} are kept");
    let Seen { texts, mut casts } = hall.ask(&place, Asks::ToGoOn).await.expect("nobody races");
    assert_eq!(seqs(&texts), [200]);
    assert!(texts[0].contains(r#""type":"snapshot""#), "{}", texts[0]);
    hall.publish(201, 201);
    assert_eq!(until(&mut casts, 201).await, [201]);
}

#[tokio::test]
async fn the_end_of_the_rooms_task_ends_its_gallery_and_who_was_sent_away_is_told() {
    let hall = Hall::open(10).await;
    let place = hall.gallery.place(VIEWER).expect("there is room");
    let Seen { mut casts, .. } = hall.ask(&place, Asks::ToEnter).await.expect("nobody races");
    hall.room.kick(&[VIEWER]);
    let cast = timeout(PATIENCE, casts.recv()).await.expect("it is told").expect("it goes on");
    assert_eq!(cast.kicked, [VIEWER]);
    assert_eq!(hall.ask(&place, Asks::ToEnter).await.err(), Some(NoEntry::Kicked));
    let Hall { room, gallery, .. } = hall;
    drop(room);
    let ended = async { while !matches!(casts.recv().await, Err(RecvError::Closed)) {} };
    timeout(PATIENCE, ended).await.expect("the gallery ends");
    assert_eq!(place.ask(Asks::ToEnter).await.and_then(Result::err), Some(NoEntry::Stopped));
    drop(place);
    assert_eq!(gallery.viewers(), 0);
}

#[tokio::test]
async fn a_room_with_a_delay_is_shown_to_its_end_though_its_task_has_ended() {
    let hall = Hall::open_with(10, 1).await;
    let place = hall.gallery.place(VIEWER).expect("there is room");
    let Seen { mut casts, .. } = hall.ask(&place, Asks::ToEnter).await.expect("nobody races");
    let at = hall.gallery.shown_at().after(1_000);
    let (readied, closed) = (hall.events[10].clone(), Event::Closed { at, reason: CloseReason::Empty });
    let turn = (11..).zip([readied, closed]).map(|(seq, event)| Told { seq, at, event });
    hall.room.publish(12, turn.collect());
    let Hall { room, gallery, _held, .. } = hall;
    drop(room);
    let cast = timeout(PATIENCE, casts.recv()).await.expect("it is told").expect("the gallery goes on");
    assert!(gallery.shown_at() >= at, "no sooner than the room says");
    assert_eq!((seqs(&cast.texts), cast.is_last), (vec![11, 12], true));
    let ended = timeout(PATIENCE, casts.recv()).await.expect("the gallery ends");
    assert!(matches!(ended, Err(RecvError::Closed)));
}

#[tokio::test]
async fn a_question_that_finds_no_room_waits_and_is_taken_back_when_it_is_dropped() {
    let hall = Hall::open(10).await;
    let place = hall.gallery.place(VIEWER).expect("there is room");
    // Nothing is read: the gallery opens once it is.
    let reading = hall.gallery.galleries.0.readers.acquire_many(READERS as u32).await.expect("it is never closed");
    let mut asked: Vec<_> = (0..ASKS + 9).map(|_| place.ask(Asks::ToEnter)).collect();
    for question in &mut asked {
        assert!(question.now_or_never().is_none());
    }
    let last = asked.split_off(ASKS);
    drop(asked);
    drop(reading);
    for question in last {
        let answer = timeout(PATIENCE, question).await.expect("an answer").expect("the gallery goes on");
        assert_eq!(seqs(&answer.expect("nobody races").texts), [10]);
    }
}
