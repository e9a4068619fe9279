//! Arbitrary boards for properties.

use std::ops::RangeInclusive;

use proptest::prelude::*;
use sprint_shared::board::Board;
use sprint_shared::disk::{Disk, Spectrum};

/// Any valid board: 3 to 9 pegs, unequal capacities, gaps in the sizes, rings and homes.
pub fn any_board() -> impl Strategy<Value = Board> {
    boards_of(3..=9, 35, 20)
}

/// Valid boards small enough for a plain search: up to 7 disks of up to 3 spectra on up to 5 pegs.
pub fn small_board() -> impl Strategy<Value = Board> {
    boards_of(3..=5, 21, 7)
}

/// Boards with pegs all alike that carry a whole tower, without rings and homes: up to 13 disks of 2 or 3 spectra, two or
/// three pegs more than spectra. Only on such boards does the solver hold that settled disks need not move; of transfers that
/// commute it follows one order on all boards without rings.
pub fn plain_board() -> impl Strategy<Value = Board> {
    let shape = (2usize..=3, 1usize..=2).prop_flat_map(|(spectra, spare)| {
        let sizes = proptest::collection::vec(2usize..=13 / spectra, spectra);
        (sizes, Just(spectra + spare))
    });
    shape.prop_flat_map(|(sizes, pegs)| {
        let disks: Vec<usize> = sizes.iter().enumerate().flat_map(|(s, n)| (0..*n).map(move |i| 7 * s + i)).collect();
        let places = proptest::collection::vec(0..pegs - 1, disks.len());
        (Just(disks).prop_shuffle(), places).prop_filter_map("valid", move |(order, places)| {
            notation(pegs, &order, &places, &vec![7; pegs], &[], &[None; 5]).parse().ok()
        })
    })
}

/// Boards without rings, with unequal capacities and some homes: up to 11 disks of 1 to 3 spectra, some pegs more than those.
pub fn ringless_board() -> impl Strategy<Value = Board> {
    let shape = (3usize..=5, proptest::collection::btree_set(0..21usize, 1..=11));
    shape.prop_flat_map(|(pegs, disks)| {
        let disks: Vec<usize> = disks.into_iter().collect();
        let places = proptest::collection::vec(0..pegs, disks.len());
        let spare = proptest::collection::vec(0usize..=4, pegs);
        let homes = proptest::collection::vec(proptest::option::weighted(0.3, 0..pegs), 5);
        (Just(disks).prop_shuffle(), places, spare, homes)
            .prop_filter_map("valid", move |(order, places, spare, homes)| {
                notation(pegs, &order, &places, &spare, &[], &homes).parse().ok()
            })
    })
}

fn boards_of(pegs: RangeInclusive<usize>, kinds: usize, disks_max: usize) -> impl Strategy<Value = Board> {
    let shape = (pegs, proptest::collection::btree_set(0..kinds, 1..=disks_max));
    shape.prop_flat_map(|(pegs, disks)| {
        let disks: Vec<usize> = disks.into_iter().collect();
        let places = proptest::collection::vec(0..pegs, disks.len());
        let order = Just(disks).prop_shuffle();
        let spare = proptest::collection::vec(0usize..=6, pegs);
        let rings = proptest::collection::vec((0..pegs, 0u8..=3, any::<bool>(), 0u16..=9), 0..=3);
        let homes = proptest::collection::vec(proptest::option::weighted(0.2, 0..pegs), 5);
        (order, places, spare, rings, homes).prop_filter_map("valid", move |(order, places, spare, rings, homes)| {
            notation(pegs, &order, &places, &spare, &rings, &homes).parse().ok()
        })
    })
}

type RingParts = (usize, u8, bool, u16);

/// Written field by field here, independently of the crate's own writer.
fn notation(
    pegs: usize,
    order: &[usize],
    places: &[usize],
    spare: &[usize],
    rings: &[RingParts],
    homes: &[Option<usize>],
) -> String {
    let mut stacks = vec![Vec::new(); pegs];
    for (&disk, &place) in order.iter().zip(places) {
        let peg = (0..pegs).map(|k| (place + k) % pegs).find(|&p| stacks[p].len() < 7).expect("20 disks on 3 pegs fit");
        stacks[peg].push(Disk::from_index(disk).expect("below 35").to_string());
    }
    let capacities: Vec<String> =
        stacks.iter().zip(spare).map(|(s, spare)| (s.len() + spare).clamp(1, 7).to_string()).collect();
    let stacks: Vec<String> =
        stacks.into_iter().map(|s| if s.is_empty() { "-".to_owned() } else { s.concat() }).collect();
    let mut sorted = rings.to_vec();
    sorted.sort_by_key(|&(peg, collars, towers, n)| (peg, collars > 0, towers, n, collars));
    let rings: Vec<String> = sorted
        .iter()
        .map(|&(peg, collars, towers, n)| {
            let kind = if collars == 0 { "s".to_owned() } else { format!("c{collars}") };
            let until = if towers { format!("t{}", n % 3) } else { format!("m{n}") };
            format!("{}{kind}@{until}", peg + 1)
        })
        .collect();
    let homes: Vec<String> = Spectrum::ALL
        .iter()
        .zip(homes)
        .filter_map(|(s, home)| home.map(|peg| format!("{}{}", s.letter(), peg + 1)))
        .collect();
    let or_dash = |list: Vec<String>| if list.is_empty() { "-".to_owned() } else { list.join(",") };
    format!("{} {} {} {}", stacks.join("/"), capacities.join(","), or_dash(rings), or_dash(homes))
}
