//! Why a method makes a move, in a sentence of at most 80 characters: what it looks at, and what follows.

use super::methods::pairs;
use super::{Method, Move, OutOfRange, Tower};

impl Method {
    /// Why this method makes move `number`, 1..=2^n − 1, of a tower.
    pub fn reason(self, tower: Tower, number: u128) -> Result<String, OutOfRange> {
        let step = tower.move_at(number)?;
        Ok(match self {
            Method::Recursive => recursive(step),
            Method::Smallest => smallest(tower, step),
            Method::Cyclic => cyclic(tower, number, step),
            Method::Parity => parity(tower, number, step),
        })
    }
}

fn recursive(Move { disk, from, to }: Move) -> String {
    let spare = from.third(to);
    match disk {
        1 => format!("Disk 1 goes {from}-{to}: nothing lies on it."),
        2 => format!("Disks 1 and 2 go {from}-{to}: 1 waits on peg {spare}, now 2 goes, then 1 follows."),
        _ => {
            let above = if disk == 3 { "1 and 2".to_owned() } else { format!("1 to {}", disk - 1) };
            format!("Disks 1 to {disk} go {from}-{to}: {above} wait on peg {spare}, now {disk} goes, then they follow.")
        }
    }
}

fn smallest(tower: Tower, Move { disk, from, to }: Move) -> String {
    if disk == 1 {
        return format!("An odd move: disk 1 goes on its round {}.", tower.round_of(1));
    }
    let (a, b) = (from.min(to), from.max(to));
    format!("An even move: disk 1 rests on peg {}; between pegs {a} and {b} only disk {disk} can go.", from.third(to))
}

fn cyclic(tower: Tower, number: u128, step: Move) -> String {
    let turn = ((number - 1) % 3) as usize;
    let (a, b) = pairs(tower)[turn];
    format!("Pair {} of 3 is pegs {a} and {b}: between them only disk {} can go.", turn + 1, step.disk)
}

fn parity(tower: Tower, number: u128, step: Move) -> String {
    let kind = if step.disk.is_multiple_of(2) { "even" } else { "odd" };
    let why = match tower.move_at(number - 1) {
        Ok(last) => format!("disk {} has just moved, and no other can", last.disk),
        Err(_) => "no other can".to_owned(),
    };
    format!("Disk {} is {kind} and goes round {}: {why}.", step.disk, tower.round_of(step.disk))
}
