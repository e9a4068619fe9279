//! Whoever asks may go away at any moment: no connection to the database goes away with them, and none comes back in
//! the middle of a transaction.

use std::pin::pin;
use std::task::Poll;

use futures_util::future::poll_fn;
use sprint_server::journal::{EventRow, Journal, JournalOptions};
use sprint_server::store::{BoardKey, List, Span, Store, StoreOptions};
use tokio::time::timeout;
use uuid::Uuid;

use crate::database::on_both;
use crate::host::PATIENCE;
use crate::rows::{NOON_MS, append, claim, player, room};

/// More than any pool has connections: were one lost each time, none would be left.
const TIMES: usize = 6;

/// Where a caller goes away.
#[derive(Clone, Copy, Debug)]
enum Goes {
    /// As soon as the work waits for the database.
    WhileItWaits,
    /// When the database has answered and nobody has looked yet.
    OnceItIsAnswered,
}

/// Goes away at the work's `stops`th stop; true if it was done before.
async fn is_done_before(stops: usize, goes: Goes, work: impl Future<Output = ()>) -> bool {
    let (mut work, mut polls) = (pin!(work), 0);
    poll_fn(|context| {
        if polls == stops {
            return Poll::Ready(false);
        }
        polls += 1;
        match work.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(true),
            Poll::Pending if polls == stops && matches!(goes, Goes::WhileItWaits) => Poll::Ready(false),
            Poll::Pending => Poll::Pending,
        }
    })
    .await
}

/// What a request does at the store.
#[derive(Clone, Copy, Debug)]
enum Work {
    MakePlayer,
    RenamePlayer(Uuid),
    MakeRoom,
    TakeOver(Uuid),
    ListRooms,
    ReadEvents(Uuid),
    ReadBoard,
    Ping,
}

impl Work {
    /// Whatever it meets, it must not fail.
    async fn run(self, store: &Store) {
        match self {
            Work::MakePlayer => _ = player(store, &Uuid::now_v7().to_string(), false).await,
            Work::RenamePlayer(player_id) => assert!(store.rename_player(player_id, "Eve").await.unwrap()),
            Work::MakeRoom => {
                let mut new = room(&Uuid::new_v4().simple().to_string());
                new.events = vec![EventRow { seq: 1, at_ms: NOON_MS, body: "opened".to_owned() }];
                store.create_room(&new).await.unwrap();
            }
            Work::TakeOver(room_id) => {
                let epoch = store.room(room_id).await.unwrap().unwrap().epoch;
                // A claim that somebody went away from may have been faster.
                drop(store.claim(room_id, epoch, &claim("here")).await.unwrap());
            }
            Work::ListRooms => drop(store.public_rooms(None, 50).await.unwrap()),
            Work::ReadEvents(room_id) => drop(store.events(room_id, 1).await.unwrap()),
            Work::ReadBoard => {
                let board = BoardKey::points(Span::All, None);
                store.board_page(&board, List::People, None, 10).await.unwrap();
            }
            Work::Ping => store.ping(PATIENCE).await.unwrap(),
        }
    }
}

on_both!(a_caller_who_goes_away_at_any_point_takes_no_connection_along, |database| {
    // One reader: the first that is lost is missed.
    let options = StoreOptions { readers: 1, ..database.options() };
    let store = Store::open(&database.url, options).await.unwrap();
    let one = room("AAAAAA");
    store.create_room(&one).await.unwrap();
    let ada = player(&store, "Ada", false).await;
    for work in [
        Work::MakePlayer,
        Work::RenamePlayer(ada),
        Work::MakeRoom,
        Work::TakeOver(one.room_id),
        Work::ListRooms,
        Work::ReadEvents(one.room_id),
        Work::ReadBoard,
        Work::Ping,
    ] {
        for goes in [Goes::WhileItWaits, Goes::OnceItIsAnswered] {
            let (mut stops, mut done) = (0, 0);
            while done < TIMES {
                (stops, done) = (stops + 1, 0);
                for _ in 0..TIMES {
                    let gone = timeout(PATIENCE, is_done_before(stops, goes, work.run(&store))).await;
                    done += usize::from(gone.unwrap_or_else(|_| panic!("{work:?}, {goes:?}: stuck")));
                }
            }
            assert!(stops > 1, "{work:?} waits for the database");
            let last = timeout(PATIENCE, work.run(&store)).await;
            last.unwrap_or_else(|_| panic!("{work:?}, {goes:?}: a connection is missing"));
        }
    }
    // The journal's writer as well.
    let last = store.room(one.room_id).await.unwrap().unwrap();
    let (journal, _task) = Journal::start(store.clone(), JournalOptions::default());
    journal.append(append(one.room_id, last.epoch, last.last_seq + 1, &["last"])).await.unwrap();
});
