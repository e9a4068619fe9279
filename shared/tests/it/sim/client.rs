//! A simulated player: sends acts, keeps what is unconfirmed, comes back after every cut.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use sprint_shared::deal::Draws;
use sprint_shared::play::Act;

/// A connection's number; never used twice in a run.
pub type Conn = u32;

/// What a player says.
#[derive(Clone, Debug)]
pub enum Say {
    Hello,
    Ready,
    Nonce,
    Act {
        n: u32,
        ply: Option<u32>,
        act: Act,
    },
    /// The line is broken, as the server notices it.
    Closed,
}

/// What a player hears.
#[derive(Clone, Debug)]
pub enum Hear {
    Welcome {
        n: u32,
    },
    Committed,
    Started,
    /// The act's event.
    Done {
        n: u32,
    },
    Refused {
        n: u32,
        is_judged: bool,
    },
    Over,
    Replaced,
}

#[derive(Debug)]
pub struct Client {
    pub number: u8,
    /// The connection in use; `None` while there is none.
    pub conn: Option<Conn>,
    pub welcomed: bool,
    racing: bool,
    pub over: bool,
    /// The last running number given to an act.
    n: u32,
    pending: VecDeque<(u32, Option<u32>, Act)>,
    script: VecDeque<Act>,
    /// Everything ever sent under a running number.
    pub sent: BTreeMap<u32, Vec<Act>>,
    /// Running numbers whose event was heard: acknowledged.
    pub acknowledged: BTreeSet<u32>,
}

impl Client {
    pub fn new(number: u8) -> Client {
        Client {
            number,
            conn: None,
            welcomed: false,
            racing: false,
            over: false,
            n: 0,
            pending: VecDeque::new(),
            script: VecDeque::new(),
            sent: BTreeMap::new(),
            acknowledged: BTreeSet::new(),
        }
    }

    pub fn connect(&mut self, conn: Conn) -> Say {
        self.conn = Some(conn);
        self.welcomed = false;
        Say::Hello
    }

    /// What to answer.
    pub fn hear(&mut self, hear: &Hear) -> Vec<Say> {
        match *hear {
            Hear::Welcome { n } => {
                self.welcomed = true;
                self.pending.retain(|p| p.0 > n);
                self.n = self.pending.back().map_or(n, |p| p.0);
                let again = self.pending.iter().map(|&(n, ply, act)| Say::Act { n, ply, act });
                let ready = [Say::Ready, Say::Nonce].into_iter().filter(|_| !self.racing && !self.over);
                ready.chain(again).collect()
            }
            Hear::Committed => vec![Say::Nonce],
            Hear::Started => {
                self.racing = true;
                Vec::new()
            }
            Hear::Done { n } => {
                self.acknowledged.insert(n);
                self.pending.retain(|p| p.0 > n);
                Vec::new()
            }
            Hear::Refused { n, is_judged: true } => {
                self.pending.retain(|p| p.0 > n);
                Vec::new()
            }
            Hear::Refused { .. } => Vec::new(),
            Hear::Over => {
                self.racing = false;
                self.over = true;
                self.pending.clear();
                Vec::new()
            }
            Hear::Replaced => Vec::new(),
        }
    }

    /// The next act, if it is time for one. Careless, but now and then a straight line to harmony.
    pub fn think(&mut self, draws: &mut Draws) -> Option<Say> {
        if !self.welcomed || !self.racing || self.pending.len() >= 4 {
            return None;
        }
        if self.script.is_empty() {
            self.invent(draws);
        }
        let act = self.script.pop_front()?;
        self.n += 1;
        let ply = (draws.below(5) == 0).then(|| draws.below(6) as u32);
        self.pending.push_back((self.n, ply, act));
        self.sent.entry(self.n).or_default().push(act);
        Some(Say::Act { n: self.n, ply, act })
    }

    fn invent(&mut self, draws: &mut Draws) {
        let mut peg = || draws.below(6) as u32;
        let (a, b) = (peg(), peg());
        match draws.below(12) {
            0 => self.script.extend([
                Act::Place { peg: 4 },
                Act::Reset,
                Act::Move { from: 1, to: 2 },
                Act::Lift { peg: 3 },
                Act::Place { peg: 2 },
            ]),
            1..=3 => self.script.push_back(Act::Lift { peg: a }),
            4..=6 => self.script.push_back(Act::Place { peg: b }),
            7..=9 => self.script.push_back(Act::Move { from: a, to: b }),
            10 => self.script.push_back(Act::Undo),
            _ => self.script.push_back(Act::Reset),
        }
    }
}
