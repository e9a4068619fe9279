//! A second opinion on a round's result, from the kept events by plain counting; shares no code with the machine.

use std::collections::BTreeMap;

use sprint_shared::event::Event;
use sprint_shared::play::Deed;

#[derive(Clone, Debug, Default)]
struct Tally {
    pegs: Vec<Vec<String>>,
    line: Vec<(usize, usize)>,
    penalties: u32,
    errors: u32,
    official_ms: Option<u64>,
    gave_up: bool,
    present: bool,
}

impl Tally {
    fn fresh(board: &str) -> Vec<Vec<String>> {
        let pegs = board.split(' ').next().expect("the PEGS field");
        let disks = |peg: &str| {
            let chars: Vec<char> = peg.chars().filter(|c| *c != '-').collect();
            chars.chunks(2).map(|c| c.iter().collect()).collect()
        };
        pegs.split('/').map(disks).collect()
    }

    fn shift(&mut self, from: usize, to: usize) {
        let disk = self.pegs[from].pop().expect("a disk to move");
        self.pegs[to].push(disk);
    }

    fn does(&mut self, deed: &Deed, board: &str) {
        match *deed {
            Deed::Transferred { from, to } => {
                self.shift(from.index(), to.index());
                self.line.push((from.index(), to.index()));
            }
            Deed::Erred { .. } => self.errors += 1,
            Deed::TwoHanded => self.penalties += 5,
            Deed::Undone { .. } => {
                let (from, to) = self.line.pop().expect("a transfer to undo");
                self.shift(to, from);
            }
            Deed::Reset => {
                self.pegs = Tally::fresh(board);
                self.line.clear();
            }
            Deed::Lifted { .. } | Deed::Returned { .. } | Deed::PutBack { .. } => {}
        }
    }

    fn moves(&self) -> u32 {
        self.line.len() as u32 + self.penalties
    }

    /// Pegs of the simulated board carry any tower; no homes.
    fn settled(&self) -> usize {
        let mut all: BTreeMap<char, Vec<&str>> = BTreeMap::new();
        for disk in self.pegs.iter().flatten() {
            all.entry(disk.chars().next().expect("a letter")).or_default().push(disk);
        }
        for sizes in all.values_mut() {
            sizes.sort_unstable_by(|a, b| b.cmp(a));
        }
        let on = |peg: &Vec<String>| {
            let wanted = peg.first().map(|base| &all[&base.chars().next().expect("a letter")]);
            wanted.map_or(0, |w| peg.iter().zip(w).take_while(|(have, want)| have.as_str() == **want).count())
        };
        self.pegs.iter().map(on).sum()
    }

    /// Whether this one stands strictly better than `other` at the end.
    fn beats(&self, other: &Tally) -> bool {
        let class = |t: &Tally| match (t.official_ms, t.errors) {
            (Some(_), 0) => 0,
            (Some(_), _) => 1,
            (None, _) if t.gave_up || !t.present => 3,
            (None, _) => 2,
        };
        let (mine, theirs) = (class(self), class(other));
        if mine != theirs {
            return mine < theirs;
        }
        match mine {
            0 | 1 => self.official_ms < other.official_ms,
            2 if self.settled() != other.settled() => self.settled() > other.settled(),
            2 => self.moves() < other.moves(),
            _ => false,
        }
    }
}

/// (seat, rank) by seat, of the first round in these events.
pub fn ranks(events: &[Event], board: &str) -> Vec<(u8, u8)> {
    let mut seats: BTreeMap<u8, Tally> = BTreeMap::new();
    let mut frozen: Option<BTreeMap<u8, Tally>> = None;
    for event in events {
        match event {
            Event::SeatTaken { seat, .. } => drop(seats.insert(seat.number(), Tally::default())),
            Event::Connected { seat, .. } => seats.get_mut(&seat.number()).expect("seated").present = true,
            Event::Disconnected { seat, .. } => seats.get_mut(&seat.number()).expect("seated").present = false,
            Event::Owned { .. } => seats.values_mut().for_each(|t| t.present = false),
            Event::BoardDealt { .. } => seats.values_mut().for_each(|t| t.pegs = Tally::fresh(board)),
            Event::Acted { seat, deed, .. } => seats.get_mut(&seat.number()).expect("seated").does(deed, board),
            Event::Finished { seat, official_ms, .. } => {
                seats.get_mut(&seat.number()).expect("seated").official_ms = Some(*official_ms);
            }
            Event::Left { seat } => seats.get_mut(&seat.number()).expect("seated").gave_up = true,
            Event::GaveUp { seat } => seats.get_mut(&seat.number()).expect("seated").gave_up = true,
            Event::FirstDecided { .. } => frozen = Some(seats.clone()),
            Event::RoundOver { .. } => break,
            _ => {}
        }
    }
    if let Some(frozen) = frozen {
        let class = |t: &Tally| (t.errors > 0, t.official_ms);
        let leader = frozen.values().filter(|t| t.official_ms.is_some()).min_by_key(|t| class(t));
        let deciding = leader.and_then(|t| t.official_ms).expect("somebody decided");
        for (seat, then) in frozen {
            let now = seats.get_mut(&seat).expect("seated");
            // Later finishes than the deciding one do not count; all else stands as it did.
            if now.official_ms.is_none_or(|ms| ms > deciding) {
                *now = then;
            }
        }
    }
    let rank = |tally: &Tally| seats.values().filter(|other| other.beats(tally)).count() as u8 + 1;
    seats.iter().map(|(seat, tally)| (*seat, rank(tally))).collect()
}
