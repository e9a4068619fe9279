//! Any requests in any order at any time: every room stays possible, proves its rounds and comes to an end.

use sprint_shared::deal::{Draws, Seed};
use sprint_shared::event::{Event, Nonce};
use sprint_shared::options::{Contest, Placement, RoomOptions};
use sprint_shared::play::Act;
use sprint_shared::race::{Command, Race, Viewer, Want, Whom};
use sprint_shared::replay;
use sprint_shared::time::{Millis, Seat};
use uuid::Uuid;

use crate::table::{SHORT, player, seat};

/// A room without sockets or journal, and everything that happened in it.
struct AnyRoom {
    draws: Draws,
    race: Race,
    now: Millis,
    last_at: Millis,
    log: Vec<Event>,
    stamps: Vec<Millis>,
    ids: u128,
    redeals: u32,
}

impl AnyRoom {
    fn new(number: u64) -> AnyRoom {
        let mut draws = Draws::new(&Seed::from(number));
        let options = RoomOptions {
            seats: 2 + draws.below(3) as u8,
            rounds: [1, 3, 5][draws.below(3) as usize],
            time_limit_s: Some(30),
            contest: if draws.below(4) == 0 { Contest::Fewest } else { Contest::Fastest },
            placement: if draws.below(4) == 0 { Placement::Guarded } else { Placement::Strict },
            ..RoomOptions::default()
        };
        let now = Millis(1_000_000);
        let opening = Event::RoomOpened {
            at: now,
            room: Uuid::from_u128(3),
            code: "ANY".into(),
            options,
            countdown_ms: 300,
            idle_ms: 600_000,
        };
        let race = Race::open(&opening).expect("the opening opens");
        AnyRoom { draws, race, now, last_at: now, log: vec![opening], stamps: vec![now], ids: 0, redeals: 0 }
    }

    fn apply(&mut self, events: Vec<Event>) {
        if !events.is_empty() {
            self.last_at = self.now;
        }
        let log = &mut self.log;
        self.race.step(self.now, events, |_, event| log.push(event));
        self.stamps.resize(log.len(), self.now);
    }

    fn tell(&mut self, at: Seat, command: &Command) {
        let events = self.race.decide(self.now, at, command).unwrap_or_default();
        self.apply(events);
    }

    fn one_in(&mut self, bound: u64) -> bool {
        self.draws.below(bound) == 0
    }

    fn anything(&mut self) {
        let seats = u64::from(self.race.options().seats);
        let at = seat(1 + self.draws.below(seats) as u8);
        match self.draws.below(44) {
            0..=2 => self.sit(),
            3..=5 => {
                let ready = !self.one_in(6);
                self.tell(at, &Command::Ready(ready));
            }
            6 => self.tell(at, &Command::Connect),
            7 if self.one_in(3) => self.tell(at, &Command::Disconnect),
            8 if self.one_in(6) => self.tell(at, &Command::Leave),
            9 if self.one_in(4) => self.tell(at, &Command::GiveUp),
            10..=12 => {
                let nonce = Nonce([self.draws.below(9) as u8; 16]);
                self.tell(at, &Command::Nonce(nonce));
            }
            13 if self.one_in(5) => self.crash(),
            14 => self.tell(at, &Command::Rematch),
            15..=18 => self.now = self.now.after(self.draws.below(500)),
            19 => self.now = self.now.after(self.draws.below(9_000)),
            20 if self.one_in(6) && self.log.last().is_some_and(Event::is_start) => {
                let events = self.race.replan(self.now);
                self.apply(events);
            }
            40 if self.one_in(3) => self.tell(at, &Command::Start),
            41 if self.one_in(4) => self.tell_of_another(at, Command::Kick),
            42 if self.one_in(12) => self.tell(at, &Command::Close),
            43 => self.tell_of_another(at, Command::HandOver),
            7..=20 | 40..=43 => {}
            _ => self.act(at),
        }
        self.serve();
    }

    /// A host's act on any seat, also on one that is free or the host's own.
    fn tell_of_another(&mut self, at: Seat, command: impl Fn(Whom) -> Command) {
        let other = seat(1 + self.draws.below(4) as u8);
        self.tell(at, &command(Whom::at(other)));
    }

    fn sit(&mut self) {
        let who = player(1 + self.draws.below(6) as u8);
        let Ok(events) = self.race.sit(self.now, who, "anybody", false) else { return };
        self.apply(events);
        if let Some(at) = self.race.seat_of(who)
            && !self.one_in(8)
        {
            self.tell(at, &Command::Connect);
        }
    }

    fn act(&mut self, at: Seat) {
        let n = self.race.n(at) + 1;
        let begun = self.race.play(at).is_some_and(|p| !p.line().is_empty());
        let mut peg = || self.draws.below(6) as u32;
        let (a, b) = (peg(), peg());
        let act = match self.draws.below(10) {
            0 => Act::Lift { peg: a },
            1 => Act::Place { peg: b },
            2 => Act::Move { from: a, to: b },
            3 => Act::Undo,
            4 => Act::Reset,
            _ if begun => Act::Move { from: 3, to: 2 },
            _ => Act::Move { from: 1, to: 2 },
        };
        match self.race.decide(self.now, at, &Command::Act { n, ply: None, act }) {
            Ok(events) => self.apply(events),
            Err(refusal) if refusal.is_judged() => self.race.refused(at, n),
            Err(_) => {}
        }
    }

    fn crash(&mut self) {
        let rebuilt = replay::rebuild_at(&self.log, &self.stamps, |_, _, _| {});
        self.race = rebuilt.expect("what happened is possible");
        self.now = self.now.after(self.draws.below(20_000));
        let events = self.race.own(self.now, self.last_at);
        self.apply(events);
    }

    /// Deadlines and wants; a deal may keep the room waiting, or be of a board that was shown before.
    fn serve(&mut self) {
        loop {
            let mut events = self.race.due(self.now);
            if events.is_empty() {
                events = match self.race.want(self.now) {
                    Some(Want::Commit) => {
                        self.ids += 1;
                        self.race.commit(self.now, Uuid::from_u128(self.ids), Seed([self.ids as u8; 32]))
                    }
                    Some(Want::Deal { round_id, .. }) => match self.draws.below(4) {
                        0 => {
                            self.redeals += 1;
                            self.race.redeal(self.now, round_id)
                        }
                        1 => return,
                        _ => {
                            let one_way_ms = [self.draws.below(200) as u32, 3, 70, 0];
                            self.race.deal(self.now, round_id, SHORT.parse().expect("a board"), Some(2), one_way_ms)
                        }
                    },
                    None => return,
                };
            }
            if events.is_empty() {
                return;
            }
            self.apply(events);
        }
    }

    /// Everybody stays away: the room must close by itself.
    fn is_closed_in_the_end(&mut self) -> bool {
        for at in Seat::ALL {
            self.tell(at, &Command::Disconnect);
        }
        for _ in 0..2_000 {
            self.serve();
            if self.race.is_closed() {
                return true;
            }
            if let Some(deadline) = self.race.next_deadline() {
                self.now = self.now.max(deadline);
            }
        }
        false
    }

    /// The events alone, through their text, give the room; and each round is proven by its own events.
    fn prove(&self) -> usize {
        let text = self.log.iter().map(|e| serde_json::to_string(e).expect("events are written"));
        let read: Vec<Event> = text.map(|t| serde_json::from_str(&t).expect("and read")).collect();
        assert_eq!(read, self.log);
        let mut record: Option<Vec<Event>> = None;
        let mut proven = 0;
        let rebuilt = replay::rebuild_at(&read, &self.stamps, |race, _, event| {
            if let Event::Committed { at, .. } = event {
                // As in a room: what came before the round, and then the round's own events.
                record = Some(prologue_before(&read, race.seq(), *at));
            }
            record.iter_mut().for_each(|r| r.push(event.clone()));
            if let Event::RoundOver { result, .. } = event {
                let own = record.take().expect("a round that is over was begun");
                assert_eq!(replay::results(&own).as_deref(), Ok(std::slice::from_ref(result)));
                proven += 1;
            }
        });
        let rebuilt = rebuilt.expect("what happened is possible");
        for viewer in [Viewer::Spectator, Viewer::Seat(seat(1)), Viewer::Seat(seat(4))] {
            assert_eq!(rebuilt.view(self.now, viewer), self.race.view(self.now, viewer));
        }
        proven
    }
}

fn prologue_before(events: &[Event], seq: u32, at: Millis) -> Vec<Event> {
    let before = replay::rebuild(&events[..seq as usize - 1], |_, _| {}).expect("a part of what is possible");
    before.prologue(at)
}

#[test]
fn any_room_stays_possible_proves_its_rounds_and_comes_to_an_end() {
    let (mut rounds, mut redeals) = (0, 0);
    for number in 0..1_500 {
        let mut room = AnyRoom::new(number);
        for _ in 0..80 + room.draws.below(300) {
            room.anything();
        }
        rounds += room.prove();
        redeals += room.redeals;
        assert!(room.is_closed_in_the_end(), "room {number} is stuck in {:?}", room.race.phase_view(room.now));
        room.prove();
    }
    assert!(rounds > 500 && redeals > 300, "{rounds} rounds, {redeals} redeals");
}
