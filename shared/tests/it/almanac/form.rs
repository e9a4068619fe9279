//! The form of a board against trying every exchange, written here from the notation alone.

use proptest::prelude::*;
use sprint_shared::almanac::form;
use sprint_shared::board::Board;
use sprint_shared::disk::Spectrum;
use sprint_shared::notation::PegsNotation;
use sprint_shared::peg::PegId;

use crate::boards::{any_board, small_board};

/// The board with spectrum `i` as spectrum `spectra[i]`, and peg `pegs[i]` in place `i`.
fn exchanged(board: &Board, spectra: &[usize], pegs: &[usize]) -> Board {
    let letter = |s: Spectrum| Spectrum::ALL[spectra[s.index()]].letter();
    let id = |index: usize| PegId::new(index as u32 + 1).unwrap();
    let place = |peg: PegId| pegs.iter().position(|&p| id(p) == peg).unwrap() + 1;
    let renamed: String =
        PegsNotation(board.pegs()).to_string().chars().map(|c| Spectrum::from_letter(c).map_or(c, letter)).collect();
    let stacks: Vec<&str> = renamed.split('/').collect();
    let stacks: Vec<&str> = pegs.iter().map(|&p| stacks[p]).collect();
    let capacities: Vec<String> = pegs.iter().map(|&p| board.capacity(id(p)).to_string()).collect();
    let rings: Vec<String> = board.rings().iter().map(|r| format!("{}{}", place(r.peg), &r.to_string()[1..])).collect();
    let mut homes: Vec<(usize, String)> = board
        .disks()
        .spectra()
        .filter_map(|s| board.home(s).map(|peg| (spectra[s.index()], format!("{}{}", letter(s), place(peg)))))
        .collect();
    homes.sort();
    let homes: Vec<String> = homes.into_iter().map(|(_, home)| home).collect();
    let or_dash = |list: Vec<String>| if list.is_empty() { "-".to_owned() } else { list.join(",") };
    let text = format!("{} {} {} {}", stacks.join("/"), capacities.join(","), or_dash(rings), or_dash(homes));
    text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn orders(items: usize) -> Vec<Vec<usize>> {
    if items == 0 {
        return vec![Vec::new()];
    }
    let shorter = orders(items - 1);
    shorter.iter().flat_map(|order| (0..items).map(|at| [&order[..at], &[items - 1], &order[at..]].concat())).collect()
}

fn is_same_by_trial(one: &Board, other: &Board) -> bool {
    // Spectra 4 and 5 are not on small boards.
    let spectra: Vec<Vec<usize>> = orders(3).into_iter().map(|order| [order, vec![3, 4]].concat()).collect();
    let pegs = orders(one.pegs().len());
    spectra.iter().any(|spectra| pegs.iter().any(|pegs| exchanged(one, spectra, pegs) == *other))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_board_with_spectra_and_pegs_exchanged_has_the_same_form(
        board in any_board(),
        spectra in Just(vec![0, 1, 2, 3, 4]).prop_shuffle(),
        order in Just((0..9).collect::<Vec<usize>>()).prop_shuffle(),
    ) {
        let pegs: Vec<usize> = order.into_iter().filter(|p| *p < board.pegs().len()).collect();
        let other = exchanged(&board, &spectra, &pegs);
        prop_assert_eq!(form(&board), form(&other), "{} and {}", board, other);
    }

    #[test]
    fn forms_are_equal_exactly_where_some_exchange_makes_one_board_the_other(
        board in small_board(),
        spectra in Just(vec![0, 1, 2]).prop_shuffle(),
        order in Just((0..5).collect::<Vec<usize>>()).prop_shuffle(),
        swap in any::<(bool, prop::sample::Index, prop::sample::Index)>(),
    ) {
        let pegs: Vec<usize> = order.into_iter().filter(|p| *p < board.pegs().len()).collect();
        let mut other = exchanged(&board, &[spectra, vec![3, 4]].concat(), &pegs);
        let (swaps, first, second) = swap;
        if swaps {
            let disks = board.disks().count();
            other = other.with_swapped(first.index(disks), second.index(disks));
        }
        prop_assert_eq!(form(&board) == form(&other), is_same_by_trial(&board, &other), "{} and {}", board, other);
    }
}

#[test]
fn what_belongs_to_a_peg_goes_with_it() {
    let form_of = |text: &str| form(&text.parse::<Board>().unwrap());
    assert_eq!(form_of("R2S1/S2R1/- 7,7,5 3s@t1 R1"), form_of("-/R2S1/S2R1 5,7,7 1s@t1 S3"));
    assert_ne!(form_of("R2S1/S2R1/- 7 3s@t1 R1"), form_of("R2S1/S2R1/- 7 3s@t2 R1"));
    assert_ne!(form_of("R2S1R1/S2/- 7 - R1"), form_of("R2S1R1/S2/- 7 - S1"));
    assert_ne!(form_of("R2S1/S2R1/- 7"), form_of("R2S1/S2R1/- 7,7,5"));
}
