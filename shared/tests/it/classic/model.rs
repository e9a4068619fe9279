//! The puzzle on real stacks of real numbers, as a child would play it; and its shortest ways by search.

use std::collections::{HashMap, VecDeque};

use sprint_shared::classic::{Move, Peg, Position};

/// Three stacks, bottom first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stacks(pub [Vec<u8>; 3]);

impl Stacks {
    pub fn tower(disks: u8, on: Peg) -> Stacks {
        let mut stacks = Stacks(Default::default());
        stacks.0[on.index()] = (1..=disks).rev().collect();
        stacks
    }

    /// Makes a move that names its disk; panics where the rules forbid it.
    pub fn make(&mut self, step: Move) {
        let disk = self.0[step.from.index()].pop();
        assert_eq!(disk, Some(step.disk), "{step}: on top of its source is another disk");
        let target = &mut self.0[step.to.index()];
        assert!(target.last().is_none_or(|&below| below > step.disk), "{step}: on a smaller disk");
        target.push(step.disk);
    }

    /// Holds a position to be the same.
    pub fn expect(&self, position: &Position, what: &str) {
        for peg in Peg::ALL {
            let on: Vec<u8> = position.on(peg).collect();
            assert_eq!(on, self.0[peg.index()], "{what}: peg {peg}");
            assert_eq!(position.top(peg), on.last().copied(), "{what}: the top of peg {peg}");
        }
    }

    /// All positions that one move leads to.
    fn neighbours(&self) -> Vec<Stacks> {
        let mut found = Vec::new();
        for from in 0..3 {
            for to in 0..3 {
                let (Some(disk), below) = (self.0[from].last(), self.0[to].last()) else { continue };
                if from != to && below.is_none_or(|below| below > disk) {
                    let mut next = self.clone();
                    let disk = next.0[from].pop().expect("there is a top disk");
                    next.0[to].push(disk);
                    found.push(next);
                }
            }
        }
        found
    }

    /// The pegs of disks 1, 2, 3…
    pub fn pegs(&self, disks: u8) -> Vec<Peg> {
        let on = |disk| Peg::ALL.into_iter().find(|peg| self.0[peg.index()].contains(&disk));
        (1..=disks).map(|disk| on(disk).expect("every disk is somewhere")).collect()
    }
}

/// The distance of every position to the tower on a peg, breadth first.
pub fn distances(disks: u8, target: Peg) -> HashMap<Stacks, u64> {
    let end = Stacks::tower(disks, target);
    let mut found = HashMap::from([(end.clone(), 0)]);
    let mut queue = VecDeque::from([end]);
    while let Some(at) = queue.pop_front() {
        let distance = found[&at] + 1;
        for next in at.neighbours() {
            if !found.contains_key(&next) {
                found.insert(next.clone(), distance);
                queue.push_back(next);
            }
        }
    }
    found
}
