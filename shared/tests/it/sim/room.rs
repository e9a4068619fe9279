//! The room task as the server runs it, without its sockets and its journal.

use std::collections::{BTreeMap, VecDeque};

use sprint_shared::event::Event;
use sprint_shared::play::Act;
use sprint_shared::race::{Command, Race, Refusal};
use sprint_shared::time::{Millis, Seat};

use super::client::{Conn, Hear, Say};
use crate::table::player;

/// The room task's own state: gone with the process.
pub struct Room {
    pub race: Race,
    /// The controlling connection of each seat, and whose it is.
    pub control: [Option<Conn>; 4],
    pub inbox: VecDeque<(Millis, Conn, usize, Say)>,
    /// Decided, sent to the journal, not committed yet.
    pub batch: Vec<(Event, Millis)>,
    pub committing: bool,
    pub unpublished: Vec<(usize, Conn, Hear)>,
    /// Outcomes by seat and running number, for acts that are sent again.
    pub outcomes: BTreeMap<(Seat, u32), Hear>,
    pub last_now: Millis,
    pub replanned_at: Millis,
}

impl Room {
    pub fn of(race: Race, now: Millis) -> Room {
        Room {
            race,
            control: [None; 4],
            inbox: VecDeque::new(),
            batch: Vec::new(),
            committing: false,
            unpublished: Vec::new(),
            outcomes: BTreeMap::new(),
            last_now: now,
            replanned_at: Millis(0),
        }
    }

    /// Whether the batch plans a start, and so must be committed before anything else is judged.
    pub fn starts(&self) -> bool {
        self.batch.iter().any(|(event, _)| event.is_start())
    }

    pub fn decide(&mut self, now: Millis, at: Seat, command: &Command, players: usize) {
        if let Ok(events) = self.race.decide(now, at, command) {
            self.apply(now, events, players);
        }
    }

    pub fn act(&mut self, now: Millis, at: Seat, n: u32, ply: Option<u32>, act: Act, players: usize) -> Hear {
        match self.race.decide(now, at, &Command::Act { n, ply, act }) {
            Ok(events) => {
                self.apply(now, events, players);
                self.outcomes.insert((at, n), Hear::Done { n });
                Hear::Done { n }
            }
            Err(Refusal::AlreadyJudged { n }) => {
                self.outcomes.get(&(at, n)).cloned().unwrap_or(Hear::Refused { n, is_judged: true })
            }
            Err(refusal) => {
                let hear = Hear::Refused { n, is_judged: refusal.is_judged() };
                if refusal.is_judged() {
                    self.race.refused(at, n);
                    self.outcomes.insert((at, n), hear.clone());
                }
                hear
            }
        }
    }

    pub fn apply(&mut self, now: Millis, events: Vec<Event>, players: usize) {
        assert!(now >= self.last_now, "time at the room never goes backwards");
        self.last_now = now;
        let Room { race, batch, unpublished, control, .. } = self;
        race.step(now, events, |race, event| {
            let hear = match event {
                Event::Committed { .. } => Some(Hear::Committed),
                Event::CountdownStarted { .. } => Some(Hear::Started),
                Event::RoundOver { .. } => Some(Hear::Over),
                _ => None,
            };
            for number in 1..=players as u8 {
                let at = race.seat_of(player(number));
                let conn = at.and_then(|at| control[at.index()]);
                if let (Some(conn), Some(hear)) = (conn, &hear) {
                    unpublished.push((usize::from(number) - 1, conn, hear.clone()));
                }
            }
            batch.push((event, now));
        });
    }
}
