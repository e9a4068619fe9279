//! Rooms of guests on virtual time: what takes a minute there takes no time here, if nobody wakes without a reason.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc;
use std::time::Duration;

use sprint_server::clock::Clock;
use sprint_server::ghost;
use sprint_server::journal::{Journal, JournalOptions};
use sprint_server::lobby::{Lobby, Party};
use sprint_server::pool::Dealers;
use sprint_server::racing::Racing;
use sprint_server::room::{ConnectionId, Ending, Inbound, Join, Line, Out, RoomContext, RoomHandle};
use sprint_server::stop::{Stop, stop};
use sprint_server::store::{Guest, MemoryDatabase, StandsFor, Store};
use sprint_shared::options::RoomOptions;
use sprint_shared::play::Act;
use sprint_shared::preset::Preset;
use sprint_shared::protocol::{EventKind, ServerMessage};
use sprint_shared::race::RETURN_MS;
use sprint_shared::result::RoundResult;
use uuid::Uuid;

use crate::host::galleries;

/// A server's rooms; what tells them to stop, too.
fn lobby(memory: &MemoryDatabase, clock: Clock) -> (Lobby, Stop) {
    let store = Store::in_memory(memory);
    let (journal, _writer) = Journal::start(store.clone(), JournalOptions::default());
    let (stop, stopping) = stop();
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
    (Lobby::new(context, 10), stop)
}

/// Who sits in a room and hears of it.
struct Ear {
    heard: tokio::sync::mpsc::Receiver<Out>,
    /// Heard, and not looked at yet.
    happened: VecDeque<EventKind>,
    _ended: tokio::sync::oneshot::Receiver<Ending>,
}

/// A person who was brought there sits down.
async fn sit(room: &RoomHandle, clock: Clock, player: Uuid) -> Ear {
    let ((outbox, heard), (end, _ended)) = (tokio::sync::mpsc::channel(64), tokio::sync::oneshot::channel());
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
    Ear { heard, happened: VecDeque::new(), _ended }
}

impl Ear {
    /// Hears on until something is found in what happens.
    async fn until<T>(&mut self, mut find: impl FnMut(EventKind) -> Option<T>) -> T {
        loop {
            while let Some(kind) = self.happened.pop_front() {
                if let Some(found) = find(kind) {
                    return found;
                }
            }
            let texts = match self.heard.recv().await.expect("the room goes on") {
                Out::Frame(text) => vec![text],
                Out::Frames(texts) => texts,
            };
            self.happened.extend(texts.iter().filter_map(|text| match serde_json::from_str(text) {
                Ok(ServerMessage::Event(event)) => Some(event.kind),
                _ => None,
            }));
        }
    }

    async fn until_over(&mut self) -> RoundResult {
        self.until(|kind| match kind {
            EventKind::RoundOver { result, .. } => Some(result),
            _ => None,
        })
        .await
    }
}

/// What a future comes to on virtual time, which goes on only while everybody sleeps: a task that is always awake would
/// hold it up for good.
fn on_virtual_time<T: Send + 'static, F: Future<Output = T>>(run: impl FnOnce() -> F + Send + 'static) -> T {
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build();
        tell.send(runtime.unwrap().block_on(run())).unwrap();
    });
    told.recv_timeout(Duration::from_secs(30)).expect("time goes on")
}

/// A person sits down beside the weakest bot and watches it come to harmony; how long that took, and the result.
async fn watched() -> (Duration, RoundResult) {
    let clock = Clock::start();
    let (lobby, _stop) = lobby(&MemoryDatabase::new(StandsFor::File), clock);
    let [player, bot] = [1, 2].map(Uuid::from_u128);
    let guests = vec![
        Guest::Person { player, name: "Ada".to_owned(), bot: false },
        Guest::Bot { player: bot, name: "Automaton 1".to_owned(), strength: 1 },
    ];
    let options = RoomOptions { preset: Preset::Initiate, ..RoomOptions::default() };
    let room = lobby.create_for(options, Party { guests, ..Party::default() }).await.unwrap();
    let mut ear = sit(&room, clock, player).await;
    let began = tokio::time::Instant::now();
    let result = ear.until_over().await;
    (began.elapsed(), result)
}

#[test]
fn a_room_of_guests_sleeps_between_what_happens_in_it() {
    let (took, result) = on_virtual_time(watched);
    assert!(took > Duration::from_secs(20), "longer than guests are waited for: {took:?}");
    let first = &result.seats[0];
    assert!(first.bot && first.finish.is_some(), "{result:?}");
}

/// When each ghost of a room comes to harmony, in milliseconds of the race clock.
const HARMONIES_MS: [u64; 3] = [9_000, 9_040, 9_077];
/// Their board is two moves from it: the second disk goes onto the third, and the first onto both.
const TWO_MOVES: &str = "R2/R3/R1/S1 7";

/// Two rooms of ghosts; the server ends in the middle of both races, and another takes them over. How long each race
/// took from there, and when its ghosts came to harmony.
async fn taken_over() -> Vec<(Duration, Vec<u64>)> {
    let (memory, clock) = (MemoryDatabase::new(StandsFor::File), Clock::anchored(Duration::from_secs(1_800_000_000)));
    let ghosts = [11, 12, 13].map(Uuid::from_u128);
    let people = [1, 2].map(Uuid::from_u128);
    let (former, stop) = lobby(&memory, clock);
    let mut rooms = Vec::new();
    for player in people {
        let person = Guest::Person { player, name: "Ada".to_owned(), bot: false };
        // No round is stored: nobody could prove it.
        let ghost = |player| Guest::Ghost { player, name: "Ghost of Ada".to_owned(), round_id: Uuid::nil(), seat: 1 };
        let moves = |at_ms| [(3_000, Act::Move { from: 1, to: 2 }), (at_ms, Act::Move { from: 3, to: 2 })];
        let rows = ghosts.iter().zip(HARMONIES_MS).map(|(ghost, at_ms)| ghost::row(*ghost, &moves(at_ms)));
        let guests = [person].into_iter().chain(ghosts.map(ghost)).collect();
        let party = Party { guests, ghosts: rows.collect(), ..Party::default() };
        let options = RoomOptions { seats: 4, blueprint: Some(TWO_MOVES.to_owned()), ..RoomOptions::default() };
        rooms.push((former.create_for(options.checked().unwrap(), party).await.unwrap().code, player));
    }
    let all_sit = async |lobby: &Lobby| {
        let mut ears = Vec::new();
        for (code, player) in &rooms {
            ears.push(sit(&lobby.open(code).await.unwrap(), clock, *player).await);
        }
        ears
    };
    let mut ears = all_sit(&former).await;
    for ear in &mut ears {
        for _ in ghosts {
            ear.until(|kind| matches!(kind, EventKind::Transferred { .. }).then_some(())).await;
        }
    }
    stop.say();
    former.ended().await;
    drop((former, ears));
    tokio::time::sleep(Duration::from_secs(60)).await;

    let (lobby, _stop) = lobby(&memory, clock);
    assert_eq!(lobby.recover().await.unwrap(), 2);
    let began = tokio::time::Instant::now();
    let mut over = Vec::new();
    for mut ear in all_sit(&lobby).await {
        // The others' do not count for the round once it is decided, and are told all the same.
        let mut official_ms = Vec::new();
        for _ in ghosts {
            official_ms.push(
                ear.until(|kind| match kind {
                    EventKind::Finished { finish, .. } => Some(finish.official_ms),
                    _ => None,
                })
                .await,
            );
        }
        over.push((began.elapsed(), official_ms));
    }
    over
}

#[test]
fn ghosts_of_rooms_that_are_taken_over_are_there_at_once_and_come_to_harmony_at_their_own_time() {
    for (took, official_ms) in on_virtual_time(taken_over) {
        assert!(took < Duration::from_millis(RETURN_MS), "nobody waits for them: {took:?}");
        assert_eq!(official_ms, HARMONIES_MS);
    }
}
