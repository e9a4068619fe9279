//! Whoever asks may go away at any moment: no connection to the database goes away with them, and none comes back in
//! the middle of a transaction.

use std::pin::{Pin, pin};
use std::task::Poll;
use std::time::Duration;

use futures_util::future::{join_all, poll_fn};
use serde_json::json;
use sprint_server::journal::{EventRow, Journal, JournalOptions};
use sprint_server::store::{NewRoom, Span, Store, StoreOptions};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::timeout;
use uuid::Uuid;

use crate::database::on_both;
use crate::host::{Host, PATIENCE};
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

type Work<'a> = Pin<Box<dyn Future<Output = ()> + 'a>>;

/// Every kind of work that a request does at the store, by name; whatever it meets, it must not fail.
fn work<'a>(store: &'a Store, one: &'a NewRoom, ada: Uuid) -> [(&'static str, Box<dyn Fn() -> Work<'a> + 'a>); 8] {
    let fresh_room = || {
        let mut new = room(&Uuid::new_v4().simple().to_string());
        new.events = vec![EventRow { seq: 1, at_ms: NOON_MS, body: "opened".to_owned() }];
        new
    };
    [
        ("a player is made", Box::new(|| Box::pin(async { _ = player(store, "Ben", false).await }))),
        (
            "a player is renamed",
            Box::new(move || {
                Box::pin(async move {
                    assert!(store.rename_player(ada, "Eve").await.unwrap());
                })
            }),
        ),
        ("a room is made", Box::new(move || Box::pin(async move { store.create_room(&fresh_room()).await.unwrap() }))),
        (
            "a room is taken over",
            Box::new(|| {
                Box::pin(async {
                    let epoch = store.room(one.room_id).await.unwrap().unwrap().epoch;
                    // A claim that somebody went away from may have been faster.
                    drop(store.claim(one.room_id, epoch, &claim("here")).await.unwrap());
                })
            }),
        ),
        ("rooms are listed", Box::new(|| Box::pin(async { drop(store.public_rooms(None, 50).await.unwrap()) }))),
        ("events are read", Box::new(|| Box::pin(async { drop(store.events(one.room_id, 1).await.unwrap()) }))),
        (
            "points are read",
            Box::new(|| {
                Box::pin(async {
                    drop(store.sprint_points(Span::All, None, false, None, 10).await.unwrap());
                })
            }),
        ),
        ("the database is asked for an answer", Box::new(|| Box::pin(async { store.ping(PATIENCE).await.unwrap() }))),
    ]
}

on_both!(a_caller_who_goes_away_at_any_point_takes_no_connection_along, |database| {
    // One reader: the first that is lost is missed.
    let options = StoreOptions { readers: 1, ..database.options() };
    let store = Store::open(&database.url, options).await.unwrap();
    let one = room("AAAAAA");
    store.create_room(&one).await.unwrap();
    let ada = player(&store, "Ada", false).await;
    for (name, work) in work(&store, &one, ada) {
        for goes in [Goes::WhileItWaits, Goes::OnceItIsAnswered] {
            let mut stops = 0;
            loop {
                stops += 1;
                let mut done = 0;
                for _ in 0..TIMES {
                    let gone = is_done_before(stops, goes, work());
                    done += usize::from(timeout(PATIENCE, gone).await.unwrap_or_else(|_| panic!("{name}: stuck")));
                }
                if done == TIMES {
                    break;
                }
            }
            assert!(stops > 1, "{name}: it waited for the database");
            timeout(PATIENCE, work()).await.unwrap_or_else(|_| panic!("{name}, {goes:?}: a connection is missing"));
        }
    }
    // The journal's one writer as well.
    let last = store.room(one.room_id).await.unwrap().unwrap();
    let (journal, _task) = Journal::start(store.clone(), JournalOptions::default());
    journal.append(append(one.room_id, last.epoch, last.last_seq + 1, &["last"])).await.unwrap();
});

on_both!(a_storm_of_requests_that_nobody_waits_for_leaves_the_server_as_it_was, |database| {
    let host = Host::start_with(|settings| settings.database.database = Some(database.url.clone())).await;
    let ada = host.guest("Ada").await;
    let code = host.room(&ada, json!({ "preset": "initiate", "public": true })).await;
    let bearer = ada.bearer();
    let requests = [
        ("GET", "/api/v1/rooms".to_owned(), ""),
        ("GET", format!("/api/v1/rooms/{code}"), ""),
        ("GET", "/api/v1/leaderboards/sprint".to_owned(), ""),
        ("PATCH", "/api/v1/players/me".to_owned(), r#"{"name":"Eve"}"#),
    ];
    for _ in 0..40 {
        for (method, path, body) in &requests {
            let mut line = TcpStream::connect(host.address).await.unwrap();
            let head = format!("{method} {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: {bearer}\r\n", host.address);
            line.write_all(format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes()).await.unwrap();
        }
    }
    let headers = [("authorization", bearer.as_str())];
    let (host, headers) = (&host, &headers);
    let answers = requests
        .iter()
        .flat_map(|request| [request; 8])
        .map(|(method, path, body)| async move { (path, host.request(method, path, headers, body).await.status) });
    let answers = timeout(PATIENCE + Duration::from_secs(5), join_all(answers)).await.expect("all are answered");
    assert!(answers.iter().all(|(_, status)| *status == 200), "{answers:?}");
});
