//! Folding held against the room itself: after every event of many random evenings, what a viewer has folded is what a
//! snapshot would tell that viewer.

use std::time::Instant;

use sprint_client::state::{Folded, Outcome};
use sprint_shared::deal::{Draws, Seed};
use sprint_shared::event::{Event, Nonce};
use sprint_shared::options::{Opponents, RoomOptions};
use sprint_shared::play::Act;
use sprint_shared::protocol::ServerMessage;
use sprint_shared::protocol::view::PhaseView;
use sprint_shared::protocol::wire::wire;
use sprint_shared::race::{Command, Race, Viewer, Want};
use sprint_shared::solver::{Budget, Outcome as Solved, solve};
use sprint_shared::time::{Millis, Seat};
use uuid::Uuid;

const BOARD: &str = "R2S1/S2R1/-/- 3";

/// The room and those who follow it by its events alone.
struct Evening {
    race: Race,
    now: Millis,
    draws: Draws,
    followers: Vec<(Viewer, Folded)>,
    started: Option<(Uuid, Millis)>,
}

impl Evening {
    fn begin(seed: u64) -> Evening {
        let mut draws = Draws::new(&Seed::from(seed));
        let opponents = if draws.below(2) == 0 { Opponents::Boards } else { Opponents::Progress };
        let rounds = if draws.below(2) == 0 { 1 } else { 3 };
        let blueprint = Some(BOARD.to_owned());
        let options = RoomOptions { seats: 3, rounds, opponents, blueprint, ..RoomOptions::default() };
        let now = Millis(1_000);
        let (code, options) = ("ABC123".to_owned(), options.checked().expect("good options"));
        let opened =
            Event::RoomOpened { at: now, room: Uuid::nil(), code, options, countdown_ms: 3_000, idle_ms: 600_000 };
        let race = Race::open(&opened).expect("an opening");
        let followers = [Viewer::Spectator, Viewer::Seat(Seat::ALL[0]), Viewer::Seat(Seat::ALL[2])].map(|viewer| {
            let seat = match viewer {
                Viewer::Seat(seat) => Some(seat),
                Viewer::Spectator => None,
            };
            (viewer, Folded::of_view(race.seq(), seat, race.view(now, viewer), Instant::now(), false))
        });
        Evening { race, now, draws, followers: followers.to_vec(), started: None }
    }

    fn step(&mut self, events: Vec<Event>) {
        let (now, followers) = (self.now, &mut self.followers);
        self.race.step(now, events, |race, event| {
            for (viewer, folded) in followers.iter_mut() {
                let message = ServerMessage::Event(wire(race, now, &event, *viewer));
                let outcome = folded.fold(&message, Instant::now());
                assert_eq!(outcome, Outcome::Folded, "{viewer:?}: {message:?}");
                compare(folded, race, now, *viewer);
            }
        });
        self.start();
    }

    /// The frame that shows the boards, once their time has come.
    fn start(&mut self) {
        let round = self.race.view(self.now, Viewer::Spectator).round.map(|r| r.round_id);
        let due = round.zip(self.race.shown_at()).filter(|(_, at)| self.now >= *at);
        if due.is_none() || due == self.started {
            return;
        }
        self.started = due;
        for (viewer, folded) in &mut self.followers {
            let state = Box::new(self.race.view(self.now, *viewer));
            folded.fold(&ServerMessage::Start { seq: self.race.seq(), state }, Instant::now());
        }
    }

    /// Something that may happen: a request, time passing, a crash of the server.
    fn something_happens(&mut self) {
        let seat = Seat::ALL[self.draws.below(3) as usize];
        let command = match self.draws.below(20) {
            0 | 1 => {
                let player = Uuid::from_u128(u128::from(seat.number()));
                let events = self.race.sit(self.now, player, "Ada", false).unwrap_or_default();
                return self.step(events);
            }
            2 | 3 => Command::Connect,
            4 => Command::Disconnect,
            5 | 6 => Command::Ready(self.draws.below(4) > 0),
            7 => Command::Rematch,
            8 | 9 => Command::Nonce(Nonce([3; 16])),
            10 if self.draws.below(4) == 0 => Command::Leave,
            10 if self.draws.below(4) == 0 => Command::GiveUp,
            11 if self.draws.below(8) == 0 => {
                let events = self.race.own(self.now, self.now);
                return self.step(events);
            }
            12 | 13 => return self.pass(),
            _ => self.act(seat),
        };
        let events = self.race.decide(self.now, seat, &command).unwrap_or_default();
        self.step(events);
    }

    fn act(&mut self, seat: Seat) -> Command {
        let peg = |draws: &mut Draws| draws.below(4) as u32 + 1;
        let act = match self.draws.below(10) {
            0 => Act::Undo,
            1 if self.draws.below(4) == 0 => Act::Reset,
            2 | 3 => Act::Lift { peg: peg(&mut self.draws) },
            4 | 5 => Act::Place { peg: peg(&mut self.draws) },
            _ => Act::Move { from: peg(&mut self.draws), to: peg(&mut self.draws) },
        };
        Command::Act { n: self.race.n(seat) + 1, ply: None, act }
    }

    fn pass(&mut self) {
        self.now = self.now.after([1, 120, 1_100, 3_100][self.draws.below(4) as usize]);
        let due = self.race.due(self.now);
        self.step(due);
        match self.race.want(self.now) {
            Some(Want::Commit) => {
                let id = Uuid::from_u128(u128::from(self.draws.next_u64()));
                let events = self.race.commit(self.now, id, Seed::from(9));
                self.step(events);
            }
            Some(Want::Deal { round_id, .. }) => {
                let board = BOARD.parse().expect("a board");
                let Solved::Solved { optimum, .. } = solve(&board, &Budget::default()) else { panic!("it can be") };
                let events = self.race.deal(self.now, round_id, board, Some(optimum), [7, 8, 9, 10]);
                self.step(events);
            }
            None => {}
        }
    }
}

fn compare(folded: &Folded, race: &Race, now: Millis, viewer: Viewer) {
    let told = race.view(now, viewer);
    assert_eq!((folded.seq, &folded.seats, folded.host), (race.seq(), &told.seats, told.host), "{viewer:?}");
    assert_eq!(folded.ranking, told.ranking);
    // Before the frame that shows the boards a client still counts down.
    let counts_down = folded.phase == PhaseView::Countdown && told.phase == PhaseView::Racing;
    assert!(folded.phase == told.phase || counts_down, "{:?} {:?}", folded.phase, told.phase);
    assert_eq!(folded.round.as_ref().map(|r| r.id), told.round.as_ref().map(|r| r.round_id));
    let (Some(folded_round), Some(round)) = (&folded.round, &told.round) else { return };
    assert_eq!((&folded_round.result, &folded_round.reveal), (&round.result, &round.reveal));
    assert_eq!((folded_round.number, folded_round.interrupted), (round.round, round.interrupted));
    let seats = |plays: &mut dyn Iterator<Item = Seat>| plays.collect::<Vec<_>>();
    assert_eq!(
        seats(&mut folded_round.racers.iter().map(|r| r.seat)),
        seats(&mut round.plays.iter().map(|p| p.seat)),
        "{viewer:?}"
    );
    for (racer, play) in folded_round.racers.iter().zip(&round.plays) {
        assert_eq!((racer.finish, racer.gave_up), (play.finish, play.gave_up), "{viewer:?} {:?}", racer.seat);
        if told.phase != PhaseView::Racing || counts_down {
            continue;
        }
        let counters = (racer.moves, racer.errors, racer.settled);
        assert_eq!(counters, (play.moves, play.errors, play.settled), "{viewer:?} {:?}", racer.seat);
        let shown = racer.play.as_ref();
        assert_eq!(shown.map(|p| p.board().to_string()), play.board);
        assert_eq!(shown.and_then(|p| p.held()).map(|p| p.number()), play.held);
        assert_eq!((shown.map(|p| p.ply()), shown.map(|p| p.transfers())), (play.ply, play.transfers));
    }
}

#[test]
fn what_is_folded_from_events_is_what_a_snapshot_would_tell() {
    let mut ended = 0;
    for seed in 0..300 {
        let mut evening = Evening::begin(seed);
        for _ in 0..400 {
            if evening.race.is_closed() {
                break;
            }
            evening.something_happens();
        }
        ended += u32::from(evening.followers[0].1.round.as_ref().is_some_and(|r| r.result.is_some()));
    }
    assert!(ended > 30, "only {ended} evenings ended with a result: they prove too little");
}
