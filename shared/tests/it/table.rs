//! A room on a virtual clock, driven as a room task drives it, with every event kept.

use sprint_shared::api::Match;
use sprint_shared::board::Board;
use sprint_shared::deal::{Seed, deal};
use sprint_shared::event::{Event, Nonce};
use sprint_shared::options::RoomOptions;
use sprint_shared::play::{Act, Deed};
use sprint_shared::preset::Preset;
use sprint_shared::protocol::view::{PhaseView, View};
use sprint_shared::race::{Command, Race, Refusal, Viewer, Want};
use sprint_shared::replay::file::REPLAY_FORMAT;
use sprint_shared::replay::{self, told};
use sprint_shared::result::{RoundResult, SeatResult, SeriesRank};
use sprint_shared::rules::Transfer;
use sprint_shared::solver::{Budget, Outcome, solve};
use sprint_shared::time::{Millis, Seat};
use uuid::Uuid;

pub const COUNTDOWN_MS: u64 = 3_000;
pub const IDLE_MS: u64 = 600_000;

/// Two transfers from harmony, 1-2 and then 3-2; peg 4 carries a Sapphire to err with.
pub const SHORT: &str = "R2/R3/R1/S1 7";
pub const SHORT_OPTIMUM: u32 = 2;

pub struct Table {
    pub race: Race,
    pub now: Millis,
    pub log: Vec<Event>,
    pub stamps: Vec<Millis>,
    pub board: Board,
    pub optimum: Option<u32>,
    /// Half the lowest round trip of each seat, before the cap.
    pub one_way_ms: [u32; 4],
    /// How many boards are still to be found dealt before.
    pub redeals: u32,
    ids: u128,
}

pub fn seat(number: u8) -> Seat {
    Seat::try_from(number).expect("a seat of the test")
}

pub fn player(number: u8) -> Uuid {
    Uuid::from_u128(1_000 + u128::from(number))
}

impl Table {
    pub fn open(options: RoomOptions) -> Table {
        let now = Millis(1_000_000);
        let opening = Event::RoomOpened {
            at: now,
            room: Uuid::from_u128(7),
            code: "TEST42".into(),
            options: options.checked().expect("the test's options are valid"),
            countdown_ms: COUNTDOWN_MS as u32,
            idle_ms: IDLE_MS,
        };
        let race = Race::open(&opening).expect("the opening opens");
        let board = SHORT.parse().expect("the short board");
        Table {
            race,
            now,
            log: vec![opening],
            stamps: vec![now],
            board,
            optimum: Some(SHORT_OPTIMUM),
            one_way_ms: [0; 4],
            redeals: 0,
            ids: 0,
        }
    }

    /// A room of that many players, all seated, connected and ready, the countdown running.
    pub fn counting_down(options: RoomOptions) -> Table {
        let seats = options.seats;
        let mut table = Table::open(options);
        for number in 1..=seats {
            table.sit(number);
        }
        for number in 1..=seats {
            table.tell(number, Command::Ready(true)).expect("ready");
        }
        table.give_nonces();
        table
    }

    /// The same at T0.
    pub fn racing(options: RoomOptions) -> Table {
        let mut table = Table::counting_down(options);
        table.pass(COUNTDOWN_MS);
        assert_eq!(table.phase(), PhaseView::Racing);
        table
    }

    /// The same of two on the board that a seed gives, with half an hour, and a shortest way.
    pub fn dealt(preset: Preset, seed: u64) -> (Table, Vec<Transfer>) {
        let dealt = deal(preset, &Seed::from(seed));
        let mut table = Table::open(RoomOptions { preset, time_limit_s: Some(1_800), ..RoomOptions::default() });
        (table.board, table.optimum) = (dealt.board.clone(), Some(dealt.optimum));
        table.two_get_ready();
        table.give_nonces();
        table.pass(COUNTDOWN_MS);
        let Outcome::Solved { line, .. } = solve(&dealt.board, &Budget::default()) else {
            panic!("dealt boards are solved")
        };
        (table, line)
    }

    pub fn duel() -> Table {
        Table::racing(RoomOptions::default())
    }

    pub fn sit(&mut self, number: u8) {
        let events = self.race.sit(self.now, player(number), &format!("player {number}"), false).expect("a free seat");
        self.apply(events);
        let at = self.race.seat_of(player(number)).expect("seated");
        self.tell(at.number(), Command::Connect).expect("connected");
    }

    /// Two players come in and get ready: a round begins.
    pub fn two_get_ready(&mut self) {
        self.sit(1);
        self.sit(2);
        for number in 1..=2 {
            self.tell(number, Command::Ready(true)).expect("ready");
        }
    }

    pub fn give_nonces(&mut self) {
        for number in 1..=4 {
            let _ = self.tell(number, Command::Nonce(Nonce([number; 16])));
        }
    }

    pub fn tell(&mut self, number: u8, command: Command) -> Result<Vec<Event>, Refusal> {
        let before = self.log.len();
        let events = self.race.decide(self.now, seat(number), &command)?;
        self.apply(events);
        Ok(self.log[before..].to_vec())
    }

    /// An act with the right running number and no ply. The number is used up by a refusal, as in a room.
    pub fn act(&mut self, number: u8, act: Act) -> Result<Deed, Refusal> {
        let n = self.race.n(seat(number)) + 1;
        let told = self.tell(number, Command::Act { n, ply: None, act });
        match told {
            Ok(events) => match events.first() {
                Some(Event::Acted { deed, .. }) => Ok(*deed),
                other => panic!("an act is an event of its own first, not {other:?}"),
            },
            Err(refusal) => {
                if refusal.is_judged() {
                    self.race.refused(seat(number), n);
                }
                Err(refusal)
            }
        }
    }

    pub fn go(&mut self, number: u8, from: u32, to: u32) -> Result<Deed, Refusal> {
        self.act(number, Act::Move { from, to })
    }

    /// Plays the short board to harmony.
    pub fn finish(&mut self, number: u8) {
        self.go(number, 1, 2).expect("legal");
        self.go(number, 3, 2).expect("legal");
    }

    /// A placement error on the short board.
    pub fn err(&mut self, number: u8) {
        assert!(matches!(self.go(number, 4, 2), Ok(Deed::Erred { .. })));
    }

    /// Lets time pass; deadlines fire on the way, each at its own instant.
    pub fn pass(&mut self, ms: u64) {
        let end = self.now.after(ms);
        while let Some(deadline) = self.race.next_deadline().filter(|d| *d <= end) {
            self.now = self.now.max(deadline);
            let (seq, events) = (self.race.seq(), self.race.due(self.now));
            self.apply(events);
            if self.race.seq() == seq {
                break;
            }
        }
        self.now = end;
    }

    pub fn apply(&mut self, events: Vec<Event>) {
        let log = &mut self.log;
        self.race.step(self.now, events, |_, event| log.push(event));
        self.stamp();
        self.serve();
        self.check();
    }

    /// Gives the room what it wants, as a room task does.
    fn serve(&mut self) {
        while let Some(want) = self.race.want(self.now) {
            self.ids += 1;
            let events = match want {
                Want::Commit => self.race.commit(self.now, Uuid::from_u128(self.ids), Seed([self.ids as u8; 32])),
                Want::Deal { round_id, .. } if self.redeals > 0 => {
                    self.redeals -= 1;
                    self.race.redeal(self.now, round_id)
                }
                Want::Deal { round_id, .. } => {
                    self.race.deal(self.now, round_id, self.board.clone(), self.optimum, self.one_way_ms)
                }
            };
            let log = &mut self.log;
            self.race.step(self.now, events, |_, event| log.push(event));
            self.stamp();
        }
    }

    /// What was logged since was decided now.
    fn stamp(&mut self) {
        self.stamps.resize(self.log.len(), self.now);
    }

    /// The room made again from its log.
    fn rebuilt(&self) -> Race {
        replay::rebuild_at(&self.log, &self.stamps, |_, _, _| {}).expect("what happened is possible")
    }

    /// The kept events alone give the same room, and each of them was possible.
    fn check(&self) {
        let rebuilt = self.rebuilt();
        for viewer in [Viewer::Spectator, Viewer::Seat(seat(1)), Viewer::Seat(seat(2))] {
            assert_eq!(rebuilt.view(self.now, viewer), self.race.view(self.now, viewer));
        }
    }

    /// The process dies and another one takes the room over, `outage_ms` later.
    pub fn crash(&mut self, outage_ms: u64) {
        let last_at = self.now;
        self.race = self.rebuilt();
        self.now = self.now.after(outage_ms);
        let events = self.race.own(self.now, last_at);
        self.apply(events);
    }

    pub fn phase(&self) -> PhaseView {
        self.race.phase_view(self.now)
    }

    pub fn view(&self, number: u8) -> View {
        self.race.view(self.now, Viewer::Seat(seat(number)))
    }

    pub fn results(&self) -> Vec<RoundResult> {
        replay::results(&self.log).expect("what happened is possible")
    }

    /// The result of the only round so far.
    pub fn result(&self) -> RoundResult {
        let mut results = self.results();
        assert_eq!(results.len(), 1, "one round has one result");
        results.remove(0)
    }

    pub fn of(&self, number: u8) -> SeatResult {
        self.result().seats.into_iter().find(|s| s.seat == seat(number)).expect("a racer")
    }

    pub fn ranks(&self) -> Vec<(u8, u8)> {
        self.result().seats.iter().map(|s| (s.seat.number(), s.rank)).collect()
    }

    pub fn ranking(&self) -> Option<Vec<SeriesRank>> {
        self.view(1).ranking
    }
}

/// The round that is over at a table, its first, as the server stores and answers it.
pub fn stored(table: &Table) -> Match {
    let begun = table.log.iter().position(|e| matches!(e, Event::Committed { .. })).expect("a round");
    let over = table.log.iter().position(|e| matches!(e, Event::RoundOver { .. })).expect("a result");
    let before = replay::rebuild(&table.log[..begun], |_, _| {}).expect("possible");
    let own = &table.log[begun..=over];
    let record: Vec<Event> = before.prologue(table.stamps[begun]).into_iter().chain(own.iter().cloned()).collect();
    let told = told(&record, begun as u32 + 1, &table.stamps[begun..=over]).expect("possible");
    let Event::RoundOver { at, result } = &table.log[over] else { panic!("found as one") };
    Match {
        format: REPLAY_FORMAT,
        round_id: result.round_id,
        room_id: told.race.room(),
        finished_at_ms: at.0 as i64,
        options: told.race.options().clone(),
        result: result.clone(),
        reveal: told.race.revealed().expect("over"),
        events: told.events,
        record: record.iter().map(|event| serde_json::to_value(event).expect("plain")).collect(),
    }
}
