//! When two boards are the same puzzle: one is the other with spectra renamed and pegs in another order.
//!
//! Capacities, rings and homes go with their pegs, so pegs of unequal kinds may change places too.

use crate::board::{Board, RingKind, Until};
use crate::disk::{Disk, SPECTRA, Spectrum};

/// Equal for two boards exactly where they are the same puzzle.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Form(Vec<PegForm>);

/// A peg with everything that belongs to it; spectra as numbers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct PegForm {
    disks: Vec<(usize, u8)>,
    capacity: u8,
    rings: Vec<(RingKind, Until)>,
    home_of: Option<usize>,
}

/// The form of a board: of all ways to number its spectra the one whose pegs, sorted, come first.
pub fn form(board: &Board) -> Form {
    let active: Vec<Spectrum> = board.disks().spectra().collect();
    let forms = orders(active.len()).into_iter().map(|order| {
        let mut numbers = [0; SPECTRA];
        active.iter().zip(order).for_each(|(spectrum, number)| numbers[spectrum.index()] = number);
        numbered(board, &numbers)
    });
    forms.min().expect("there is at least one order")
}

fn numbered(board: &Board, numbers: &[usize; SPECTRA]) -> Form {
    let number = |disk: &Disk| (numbers[disk.spectrum().index()], disk.size());
    let pegs = board.pegs().iter().map(|(id, peg)| PegForm {
        disks: peg.disks().iter().map(number).collect(),
        capacity: board.capacity(id),
        rings: board.rings().iter().filter(|ring| ring.peg == id).map(|ring| (ring.kind, ring.until)).collect(),
        home_of: board.disks().spectra().find(|s| board.home(*s) == Some(id)).map(|s| numbers[s.index()]),
    });
    let mut pegs: Vec<PegForm> = pegs.collect();
    pegs.sort();
    Form(pegs)
}

/// All orders of the numbers below `count`.
fn orders(count: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for number in 0..count {
        let with = |order: Vec<usize>| {
            (0..=order.len()).map(move |at| {
                let mut longer = order.clone();
                longer.insert(at, number);
                longer
            })
        };
        all = all.into_iter().flat_map(with).collect();
    }
    all
}
