//! Rooms of guests on virtual time: what takes a minute there takes no time here, if nobody wakes without a reason.

use std::sync::Arc;
use std::sync::mpsc;
use std::time::Duration;

use sprint_server::clock::Clock;
use sprint_server::journal::{Journal, JournalOptions};
use sprint_server::lobby::{Lobby, Party};
use sprint_server::pool::Dealers;
use sprint_server::racing::Racing;
use sprint_server::room::{ConnectionId, Inbound, Join, Line, Out, RoomContext};
use sprint_server::stop::stop;
use sprint_server::store::{Guest, MemoryDatabase, StandsFor, Store};
use sprint_shared::options::RoomOptions;
use sprint_shared::preset::Preset;
use sprint_shared::protocol::{EventKind, ServerMessage};
use sprint_shared::result::RoundResult;
use uuid::Uuid;

use crate::host::galleries;

/// A person sits down beside the weakest bot and watches it come to harmony; how long that took, and the result.
async fn watched() -> (Duration, RoundResult) {
    let store = Store::in_memory(&MemoryDatabase::new(StandsFor::File));
    let (journal, _writer) = Journal::start(store.clone(), JournalOptions::default());
    let (_stop, stopping) = stop();
    let clock = Clock::start();
    let galleries = galleries(clock, &store, &stopping);
    let context = RoomContext {
        clock,
        journal,
        store,
        dealers: Dealers::on_the_spot(),
        galleries,
        countdown_ms: 3_000,
        idle_ms: 600_000,
        show_up_ms: 15_000,
        racing: Racing::default(),
        stop: stopping,
    };
    let lobby = Lobby::new(context, 10);
    let [player, bot] = [1, 2].map(Uuid::from_u128);
    let guests = vec![
        Guest::Person { player, name: "Ada".to_owned(), bot: false },
        Guest::Bot { player: bot, name: "Automaton 1".to_owned(), strength: 1 },
    ];
    let options = RoomOptions { preset: Preset::Initiate, ..RoomOptions::default() };
    let room = lobby.create_for(options, Party { guests, ..Party::default() }).await.unwrap();
    let ((outbox, mut heard), (end, _ended)) = (tokio::sync::mpsc::channel(64), tokio::sync::oneshot::channel());
    let join = Join {
        connection: ConnectionId(1),
        at: clock.now(),
        player,
        address: None,
        seated_only: false,
        name: "Ada".to_owned(),
        bot: false,
        last_seq: None,
        line: Line { outbox, end, lost: Arc::default(), round_trip: Arc::default() },
    };
    assert!(room.inbox().send(Inbound::Join(Box::new(join))).await.is_ok());
    let began = tokio::time::Instant::now();
    loop {
        let texts = match heard.recv().await.expect("the room goes on") {
            Out::Frame(text) => vec![text],
            Out::Frames(texts) => texts,
        };
        for text in texts {
            if let Ok(ServerMessage::Event(event)) = serde_json::from_str(&text)
                && let EventKind::RoundOver { result, .. } = event.kind
            {
                return (began.elapsed(), result);
            }
        }
    }
}

#[test]
fn a_room_of_guests_sleeps_between_what_happens_in_it() {
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build();
        tell.send(runtime.unwrap().block_on(watched())).unwrap();
    });
    // Virtual time goes on only while everybody sleeps: a task that is always awake would hold it up for good.
    let (took, result) = told.recv_timeout(Duration::from_secs(30)).expect("time goes on");
    assert!(took > Duration::from_secs(20), "longer than guests are waited for: {took:?}");
    let first = &result.seats[0];
    assert!(first.bot && first.finish.is_some(), "{result:?}");
}
