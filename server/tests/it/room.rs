//! A room's task by itself, told by its inbox, with receipts of the test's choosing and commits that wait for it.

use std::sync::Arc;

use serde_json::Value;
use sprint_server::clock::Clock;
use sprint_server::journal::{Fault, Faults, Gate, Journal, JournalOptions};
use sprint_server::lobby::Lobby;
use sprint_server::pool::Dealers;
use sprint_server::racing::Racing;
use sprint_server::room::{ConnectionId, Ending, Inbound, Join, Line, Out, RoomContext, RoomHandle, RoundTrip};
use sprint_server::stop::{Stop, stop};
use sprint_shared::event::Nonce;
use sprint_shared::options::RoomOptions;
use sprint_shared::play::Act;
use sprint_shared::race::Command;
use sprint_shared::time::Millis;
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;
use uuid::Uuid;

use crate::database::TestDatabase;
use crate::host::{PATIENCE, SMALL, galleries, solution};

/// A room of two at T0.
struct Table {
    room: RoomHandle,
    clock: Clock,
    faults: Faults,
    players: Vec<Uuid>,
    ears: Vec<mpsc::Receiver<Out>>,
    line: Vec<(u64, u64)>,
    _held: (TestDatabase, Lobby, Stop, Vec<oneshot::Receiver<Ending>>),
}

impl Table {
    /// The second player's shortest round trip, in microseconds, is as given.
    async fn at_t0(round_trip_us: u32) -> Table {
        let database = TestDatabase::sqlite();
        let store = database.open().await;
        let faults = Faults::default();
        let options = JournalOptions { faults: faults.clone(), ..JournalOptions::default() };
        let (journal, _) = Journal::start(store.clone(), options);
        let (stopping, stop) = stop();
        let (clock, dealers) = (Clock::start(), Dealers::new());
        let galleries = galleries(clock, &store, &stop);
        let context = RoomContext {
            clock,
            journal,
            store,
            dealers,
            galleries,
            countdown_ms: 50,
            idle_ms: 600_000,
            show_up_ms: 15_000,
            racing: Racing::default(),
            stop,
        };
        let lobby = Lobby::new(context, 10);
        let options = RoomOptions { blueprint: Some(SMALL.to_owned()), ..RoomOptions::default() };
        let room = lobby.create(options).await.unwrap();
        let (players, line) = (vec![Uuid::now_v7(), Uuid::now_v7()], solution(SMALL));
        let held = (database, lobby, stopping, Vec::new());
        let mut table = Table { room, clock, faults, players, ears: Vec::new(), line, _held: held };
        for number in [1, 2] {
            table.join(number, number, if number == 2 { round_trip_us } else { 0 }).await;
        }
        for number in [1, 2] {
            table.until(number, "welcome").await;
        }
        for command in [Command::Ready(true), Command::Nonce(Nonce([7; 16]))] {
            let heard = if matches!(command, Command::Ready(_)) { "committed" } else { "start" };
            for number in [1, 2] {
                table.say(number, table.clock.now(), command.clone()).await;
            }
            table.until(1, heard).await;
        }
        table
    }

    /// A player comes by a connection of this number; the connections count from 1.
    async fn join(&mut self, player: usize, connection: usize, round_trip_us: u32) {
        let (outbox, ear) = mpsc::channel(64);
        let (end, ended) = oneshot::channel();
        let round_trip = Arc::new(RoundTrip::default());
        round_trip.saw(round_trip_us);
        let join = Join {
            connection: ConnectionId(connection as u64),
            at: self.clock.now(),
            player: self.players[player - 1],
            name: format!("Player {player}"),
            address: None,
            seated_only: false,
            bot: false,
            last_seq: None,
            line: Line { outbox, end, lost: Arc::default(), round_trip },
        };
        self.room.inbox().send(Inbound::Join(Box::new(join))).await.unwrap();
        self.ears.push(ear);
        self._held.3.push(ended);
    }

    async fn say(&self, number: u64, at: Millis, command: Command) {
        self.room.inbox().send(Inbound::Say { connection: ConnectionId(number), at, command }).await.unwrap();
    }

    /// The transfer of this number on the best line of play.
    fn transfer(&self, n: usize) -> Command {
        let (from, to) = self.line[n - 1];
        Command::Act { n: n as u32, ply: None, act: Act::Move { from: from as u32, to: to as u32 } }
    }

    /// What a connection hears next of this type.
    async fn until(&mut self, number: usize, kind: &str) -> Value {
        self.all_until(number, kind).await.pop().expect("it is the last")
    }

    /// What a connection hears until this type, the last of it.
    async fn all_until(&mut self, number: usize, kind: &str) -> Vec<Value> {
        let mut heard: Vec<Value> = Vec::new();
        loop {
            let next = timeout(PATIENCE, self.ears[number - 1].recv()).await;
            let next = next.unwrap_or_else(|_| panic!("no {kind} is heard"));
            let texts = match next.expect("the room goes on") {
                Out::Frame(text) => vec![text],
                Out::Frames(texts) => texts,
            };
            for text in texts {
                heard.push(serde_json::from_str(&text).unwrap());
                if heard.last().is_some_and(|message| message["type"] == kind) {
                    return heard;
                }
            }
        }
    }

    /// Both play all but the last transfer, the last of those being held in its commit.
    async fn almost_done(&mut self) -> Gate {
        let before = self.line.len() - 1;
        let gate = Gate::default();
        for n in 1..=before {
            self.say(1, self.clock.now(), self.transfer(n)).await;
            self.until(1, "transferred").await;
            if n == before {
                self.faults.next(Fault::Hold(gate.clone()));
            }
            self.say(2, self.clock.now(), self.transfer(n)).await;
            if n < before {
                self.until(1, "transferred").await;
            }
        }
        gate.reached().await;
        gate
    }

    fn ranks(result: &Value) -> Vec<(u64, u64)> {
        let seats = result["result"]["seats"].as_array().unwrap();
        seats.iter().map(|seat| (seat["seat"].as_u64().unwrap(), seat["rank"].as_u64().unwrap())).collect()
    }
}

#[tokio::test]
async fn acts_of_two_players_are_judged_by_their_receipt_and_not_by_their_place_in_the_inbox() {
    let mut table = Table::at_t0(0).await;
    let gate = table.almost_done().await;
    let (last, now) = (table.line.len(), table.clock.now());
    table.say(2, now.after(5), table.transfer(last)).await;
    table.say(1, now, table.transfer(last)).await;
    gate.open();
    assert_eq!(Table::ranks(&table.until(1, "round_over").await), [(1, 1), (2, 2)]);
}

#[tokio::test]
async fn a_finish_that_was_received_in_the_photo_finish_counts_though_the_commit_took_longer() {
    let mut table = Table::at_t0(160_000).await;
    let gate = table.almost_done().await;
    gate.open();
    table.until(1, "transferred").await;
    let (last, gate) = (table.line.len(), Gate::default());
    table.faults.next(Fault::Hold(gate.clone()));
    let deciding = table.clock.now();
    table.say(1, deciding, table.transfer(last)).await;
    gate.reached().await;
    table.say(2, deciding.after(50), table.transfer(last)).await;
    // The tenth of a second is over before the room gets round to it.
    while table.clock.now() < deciding.after(150) {
        tokio::task::yield_now().await;
    }
    gate.open();
    let over = table.until(1, "round_over").await;
    // Received 50 ms later, on a line that is 80 ms slower.
    assert_eq!(Table::ranks(&over), [(2, 1), (1, 2)]);
}

#[tokio::test]
async fn who_is_replaced_while_acts_are_sent_again_hears_no_event_without_those_before_it() {
    let mut table = Table::at_t0(0).await;
    let gate = Gate::default();
    table.faults.next(Fault::Hold(gate.clone()));
    table.say(2, table.clock.now(), table.transfer(1)).await;
    gate.reached().await;
    // One turn: two acts with another player's between them, both sent again, and a newer connection.
    for (number, n) in [(1, 1), (2, 2), (1, 2), (1, 1), (1, 2)] {
        table.say(number, table.clock.now(), table.transfer(n)).await;
    }
    table.join(1, 3, 0).await;
    gate.open();
    let held = table.until(1, "transferred").await;
    let rest = table.all_until(1, "replaced").await;
    let mut last = held["seq"].as_u64().unwrap();
    for seq in rest.iter().filter_map(|m| m["seq"].as_u64()) {
        assert_eq!(seq, last + 1, "{rest:?}");
        last = seq;
    }
    assert_eq!(table.until(3, "welcome").await["n"], 2);
}
