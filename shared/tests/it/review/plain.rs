//! A race of arbitrary acts, and what a plain count of every position says of it: no solver, no table, no event.

use std::collections::{HashMap, VecDeque};

use sprint_shared::board::Board;
use sprint_shared::options::{Contest, RoomOptions};
use sprint_shared::peg::Pegs;
use sprint_shared::play::{Act, Deed};
use sprint_shared::race::Command;
use sprint_shared::review::{Loses, Mark, MarkCost, Pace, SeatReview};
use sprint_shared::rules::Transfer;
use sprint_shared::time::Seat;

use crate::table::{COUNTDOWN_MS, Table, seat};

/// Whose turn, what kind of act, which one of these, and how long it takes.
pub type Choice = (u8, u8, u8, u8, u8);

/// Every position of a board and how far it is from harmony; and a race on it, moment by moment.
pub struct Plain {
    pub start: Board,
    distances: HashMap<Pegs, u32>,
    pub moments: Vec<Moment>,
    racers: Vec<Racer>,
    marks: Vec<Mark>,
}

/// Right after something happened.
pub struct Moment {
    pub clock_ms: u64,
    pub boards: Vec<Board>,
    pub leader: Option<Seat>,
}

#[derive(Clone, Default)]
struct Racer {
    /// The boards of this attempt, the last one as it stands.
    boards: Vec<Board>,
    /// When the attempt began, and when each transfer was made that led to one of its boards.
    clocks_ms: Vec<u64>,
    gone: bool,
    /// When each transfer was made, with how far the board was before and after it.
    transfers: Vec<(u64, Option<u32>, Option<u32>)>,
    undone: u32,
    resets: u32,
    errors: u32,
    penalty_moves: u32,
}

impl Plain {
    /// `None` if there are more positions than `most`, or if the board is solved.
    pub fn of(board: &Board, most: usize) -> Option<Plain> {
        let mut numbers = HashMap::from([(board.pegs().clone(), 0)]);
        let (mut positions, mut before) = (vec![board.clone()], vec![Vec::new()]);
        let mut at = 0;
        while at < positions.len() {
            for transfer in positions[at].legal_transfers(0) {
                let next = after(&positions[at], transfer);
                let fresh = positions.len();
                let number = *numbers.entry(next.pegs().clone()).or_insert(fresh);
                if number == fresh {
                    positions.push(next);
                    before.push(Vec::new());
                }
                before[number].push(at);
            }
            at += 1;
            if positions.len() > most {
                return None;
            }
        }
        let mut open: VecDeque<(usize, u32)> =
            (0..positions.len()).filter(|&at| positions[at].is_harmony()).map(|at| (at, 0)).collect();
        let mut distances: HashMap<Pegs, u32> = HashMap::new();
        while let Some((at, distance)) = open.pop_front() {
            if !distances.contains_key(positions[at].pegs()) {
                distances.insert(positions[at].pegs().clone(), distance);
                open.extend(before[at].iter().map(|&from| (from, distance + 1)));
            }
        }
        let plain = Plain { start: board.clone(), distances, moments: vec![], racers: vec![], marks: vec![] };
        (!board.is_harmony()).then_some(plain)
    }

    /// How far a position is from harmony; `None` if it is lost.
    pub fn distance(&self, board: &Board) -> Option<u32> {
        self.distances.get(board.pegs()).copied()
    }

    /// Races by these choices until the time is up.
    pub fn race(&mut self, racers: u8, choices: &[Choice]) -> Table {
        let contest = if choices.len().is_multiple_of(2) { Contest::Fewest } else { Contest::Fastest };
        let mut table = Table::open(RoomOptions { seats: racers, contest, ..RoomOptions::default() });
        (table.board, table.optimum) = (self.start.clone(), None);
        (1..=racers).for_each(|number| table.sit(number));
        (1..=racers).for_each(|number| drop(table.tell(number, Command::Ready(true)).unwrap()));
        table.give_nonces();
        table.pass(COUNTDOWN_MS);
        let t0 = table.now;
        self.racers =
            vec![Racer { boards: vec![self.start.clone()], clocks_ms: vec![0], ..Racer::default() }; racers.into()];
        self.note(0);
        for &(number, kind, one, other, wait_ms) in choices {
            table.pass(u64::from(wait_ms) + 1);
            let clock_ms = table.now.since(t0);
            let index = usize::from(number % racers);
            let number = index as u8 + 1;
            if kind % 64 == 0 {
                if table.tell(number, Command::GiveUp).is_ok() {
                    self.racers[index].gone = true;
                    self.note(clock_ms);
                }
                continue;
            }
            let act = self.act(index, kind, one.into(), other.into());
            if let Ok(deed) = table.act(number, act) {
                let acted = table.log.iter().rposition(|event| event.name() == "acted").unwrap();
                self.acted(index, deed, clock_ms, acted as u32 + 1);
                self.note(clock_ms);
            }
        }
        table.pass(400_000);
        table
    }

    fn act(&self, index: usize, kind: u8, one: usize, other: usize) -> Act {
        let board = self.racers[index].boards.last().unwrap();
        let pegs = board.pegs().len();
        let peg = |number: usize| (number % pegs + 1) as u32;
        match kind % 16 {
            0 => Act::Lift { peg: peg(one) },
            1 | 2 => Act::Place { peg: peg(one) },
            3 => Act::Move { from: peg(one), to: peg(other) },
            4 | 5 => Act::Undo,
            6 if one < 64 => Act::Reset,
            kind => {
                let mut legal = board.legal_transfers(0).to_vec();
                // Every other one is among the best.
                legal.sort_by_key(|transfer| self.distance(&after(board, *transfer)).unwrap_or(u32::MAX));
                let among = if kind % 2 == 0 { 1 } else { legal.len() };
                let chosen = legal.get(other % among.max(1)).map(|t| (t.from.number().into(), t.to.number().into()));
                let (from, to) = chosen.unwrap_or((1, 2));
                Act::Move { from, to }
            }
        }
    }

    fn acted(&mut self, index: usize, deed: Deed, clock_ms: u64, seq: u32) {
        let board = self.racers[index].boards.last().unwrap().clone();
        if let Deed::Transferred { from, to } = deed {
            self.mark(index, &board, Transfer { from, to }, clock_ms, seq);
        }
        let racer = &mut self.racers[index];
        match deed {
            Deed::Lifted { .. } | Deed::Returned { .. } | Deed::PutBack { .. } | Deed::Transferred { .. } => {}
            Deed::Erred { .. } => racer.errors += 1,
            Deed::TwoHanded => racer.penalty_moves += 5,
            Deed::Undone { .. } => {
                racer.undone += 1;
                racer.boards.pop();
                racer.clocks_ms.pop();
            }
            Deed::Reset => {
                racer.resets += 1;
                racer.boards.truncate(1);
                racer.clocks_ms = vec![clock_ms];
            }
        }
    }

    fn mark(&mut self, index: usize, board: &Board, transfer: Transfer, clock_ms: u64, seq: u32) {
        let next = after(board, transfer);
        let (from, to) = (self.distance(board), self.distance(&next));
        let cost = match (from, to) {
            (None, _) => None,
            (Some(_), None) => Some(MarkCost::Loses(Loses::Loses)),
            (Some(from), Some(to)) if to < from => None,
            (Some(from), Some(to)) => Some(MarkCost::Wastes(1 + to - from)),
        };
        if let Some(cost) = cost {
            let is_better = |t: &Transfer| self.distance(&after(board, *t)).is_some_and(|d| Some(d) < from);
            let better = board.legal_transfers(0).into_iter().filter(is_better).map(|t| t.to_string()).collect();
            let seat = seat(index as u8 + 1);
            self.marks.push(Mark { seq, seat, clock_ms, transfer: transfer.to_string(), cost, better });
        }
        let racer = &mut self.racers[index];
        racer.transfers.push((clock_ms, from, to));
        racer.boards.push(next);
        racer.clocks_ms.push(clock_ms);
    }

    fn note(&mut self, clock_ms: u64) {
        let boards: Vec<Board> = self.racers.iter().map(|racer| racer.boards.last().unwrap().clone()).collect();
        let home = self.moments.last().and_then(|moment| {
            let is_home = moment.leader.is_some_and(|leader| moment.boards[leader.index()].is_harmony());
            moment.leader.filter(|_| is_home)
        });
        let leader = home.or_else(|| {
            let at = |index: usize| self.distance(&boards[index]).filter(|_| !self.racers[index].gone);
            let leads = |index: &usize| {
                let others = (0..boards.len()).filter(|other| other != index);
                at(*index).is_some_and(|own| others.filter_map(at).all(|other| own < other))
            };
            (0..boards.len()).find(leads).map(|index| Seat::ALL[index])
        });
        self.moments.push(Moment { clock_ms, boards, leader });
    }

    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    pub fn figures(&self) -> Vec<SeatReview> {
        let numbered = (1..).zip(&self.racers);
        numbered.map(|(number, racer)| self.figures_of(seat(number), racer)).collect()
    }

    fn figures_of(&self, seat: Seat, racer: &Racer) -> SeatReview {
        let optimal = racer.transfers.iter().filter(|(_, from, to)| to.is_some() && *from == to.map(|to| to + 1));
        let optimal = optimal.count() as u32;
        let transfers = racer.transfers.len() as u32;
        // As far as the attempt was not lost: its transfers less the way that they came nearer.
        let standing: Vec<Option<u32>> = racer.boards.iter().map(|board| self.distance(board)).collect();
        let lost = standing.iter().position(Option::is_none);
        let last = lost.unwrap_or(standing.len()).checked_sub(1);
        let nearer = |last: usize| standing[0].unwrap() as i64 - standing[last].unwrap() as i64;
        let ends_lost = standing.last().unwrap().is_none();
        let mut took: Vec<u64> = Vec::new();
        let mut before = 0;
        for (clock_ms, ..) in &racer.transfers {
            took.push(clock_ms - before);
            before = *clock_ms;
        }
        let mut sorted = took.clone();
        sorted.sort_unstable();
        SeatReview {
            seat,
            transfers,
            optimal,
            wasteful: transfers - optimal,
            wasted: last.map_or(0, |last| (last as i64 - nearer(last)) as u32),
            undone: racer.undone,
            resets: racer.resets,
            errors: racer.errors,
            penalty_moves: racer.penalty_moves,
            lost_since_ms: lost.filter(|_| ends_lost).map(|lost| racer.clocks_ms[lost]),
            pace: took.first().map(|&first_ms| Pace {
                first_ms,
                median_ms: sorted[(sorted.len() - 1) / 2],
                longest_ms: *sorted.last().unwrap(),
            }),
        }
    }
}

fn after(board: &Board, transfer: Transfer) -> Board {
    let mut next = board.clone();
    next.play_unchecked(transfer);
    next
}
