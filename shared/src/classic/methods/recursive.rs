//! Recursion with its stack laid open: n − 1 disks to the spare peg, disk n over, the n − 1 disks after it.

use crate::classic::{Move, Peg, Tower};

/// The tasks that are still to be done, the next one last: two a disk and one more at most.
#[derive(Clone, Debug)]
pub(super) struct Recursive(Vec<Task>);

#[derive(Clone, Copy, Debug)]
enum Task {
    /// Bring the `disks` smallest disks from one peg to another.
    Tower { disks: u8, from: Peg, to: Peg },
    /// Bring one disk over.
    Disk(Move),
}

impl Recursive {
    pub(super) fn new(tower: Tower) -> Recursive {
        let whole = Task::Tower { disks: tower.disks(), from: tower.source(), to: tower.target() };
        Recursive(vec![whole])
    }
}

impl Iterator for Recursive {
    type Item = Move;

    fn next(&mut self) -> Option<Move> {
        loop {
            match self.0.pop()? {
                Task::Disk(step) => return Some(step),
                Task::Tower { disks: 0, .. } => {}
                Task::Tower { disks, from, to } => {
                    let spare = from.third(to);
                    self.0.push(Task::Tower { disks: disks - 1, from: spare, to });
                    self.0.push(Task::Disk(Move { disk: disks, from, to }));
                    self.0.push(Task::Tower { disks: disks - 1, from, to: spare });
                }
            }
        }
    }
}
