//! The seeded deal against its golden vectors and its bands.

use std::ops::RangeInclusive;

use serde::Deserialize;
use sprint_shared::board::Board;
use sprint_shared::deal::{DEAL_VERSION, Met, NotFound, Seed, Wanted, deal, search};
use sprint_shared::preset::Preset;
use sprint_shared::solver::{Budget, Cancel, Outcome, Table, solve};

#[derive(Deserialize)]
struct Vectors {
    deal_version: u16,
    deals: Vec<Vector>,
}

#[derive(Deserialize)]
struct Vector {
    preset: Preset,
    seed: Seed,
    board: String,
    optimum: u32,
}

#[test]
fn the_same_seed_gives_the_board_of_the_golden_vectors() {
    let vectors: Vectors = serde_json::from_str(include_str!("../../data/deals.json")).expect("golden vectors");
    assert_eq!(vectors.deal_version, DEAL_VERSION);
    for vector in &vectors.deals {
        let dealt = deal(vector.preset, &vector.seed);
        assert_eq!(dealt.board.to_string(), vector.board, "{} {}", vector.preset, vector.seed);
        assert_eq!(dealt.optimum, vector.optimum, "{} {}", vector.preset, vector.seed);
    }
}

#[test]
fn dealt_boards_keep_to_their_preset() {
    for preset in [Preset::Initiate, Preset::Apprentice, Preset::Standard, Preset::Expert] {
        let spec = preset.spec();
        for seed in 1000..1020 {
            let dealt = deal(preset, &Seed::from(seed));
            assert!(spec.optimum.contains(&dealt.optimum), "{preset} {seed}: {}", dealt.optimum);
            assert_eq!(dealt.board.pegs().len(), usize::from(spec.pegs));
            assert_eq!(dealt.board.disks().count(), usize::from(spec.spectra * spec.sizes));
            let free = dealt.board.pegs().iter().filter(|(_, peg)| peg.is_empty()).count();
            assert_eq!(free, usize::from(spec.free), "{preset} {seed}");
            assert_eq!(dealt.board.to_string().parse::<Board>().as_ref(), Ok(&dealt.board));
        }
    }
}

fn own_make(spectra: u8, sizes: u8, pegs: u8, optimum: RangeInclusive<u32>) -> Wanted {
    let capacities = vec![7; pegs.into()];
    Wanted { spectra, sizes, capacities, free: pegs - spectra, optimum, traps_permille: None, traps_min: 0 }
}

#[test]
fn boards_of_an_own_make_are_what_was_asked_for() {
    for (spectra, sizes, pegs, optimum) in
        [(2, 4, 4, 20..=24), (3, 4, 5, 24..=28), (3, 5, 7, 16..=17), (1, 7, 4, 10..=12)]
    {
        let wanted = own_make(spectra, sizes, pegs, optimum.clone());
        for seed in 1..=5 {
            let found = search(&wanted, &Seed::from(seed), 20_000, &Cancel::default()).expect("within reach");
            assert!(optimum.contains(&found.optimum), "{}", found.board);
            let Outcome::Solved { optimum, .. } = solve(&found.board, &Budget::default()) else { panic!("it can be") };
            assert_eq!(found.optimum, optimum, "{}", found.board);
            assert_eq!(found.board.disks().count(), usize::from(spectra * sizes));
            assert_eq!(
                found.board.pegs().iter().filter(|(_, peg)| peg.is_empty()).count(),
                usize::from(pegs - spectra)
            );
            let again = search(&wanted, &Seed::from(seed), found.judged, &Cancel::default());
            assert_eq!(again, Ok(found), "the same seed gives the same board");
        }
    }
}

#[test]
fn the_share_of_traps_is_counted_on_the_optimal_line() {
    let wanted = Wanted { traps_permille: Some(300..=500), ..own_make(3, 4, 5, 20..=28) };
    let found = search(&wanted, &Seed::from(1), 20_000, &Cancel::default()).expect("within reach");
    let table = Table::build(&found.board, 1_000_000, &Budget::default()).expect("a small board");
    assert_eq!(found.traps, Some(table.traps()));
    assert!((300..=500).contains(&(1000 * table.traps() / found.optimum)), "{found:?}");
}

#[test]
fn what_is_out_of_reach_is_refused_with_what_is_within() {
    // One spectrum of two disks on three pegs: R1 is on R2, so solved, or beside it, or under it.
    let refused = search(&own_make(1, 2, 3, 7..=9), &Seed::from(1), 50, &Cancel::default()).unwrap_err();
    let NotFound::OutOfReach { judged, met } = &refused else { panic!("{refused:?}") };
    assert_eq!((*judged, met.optima.clone()), (50, Some(0..=2)));
    let text = "none of 50 boards was in the band; those that can be solved need 0 to 2; try a wider band, another seed or more boards";
    assert_eq!(refused.to_string(), text);
    let none = search(&own_make(1, 2, 3, 7..=9), &Seed::from(1), 0, &Cancel::default()).unwrap_err();
    assert_eq!(none, NotFound::OutOfReach { judged: 0, met: Met::default() });
    assert!(none.to_string().starts_with("no board was judged: allow at least 1"), "{none}");
    let cancelled = Cancel::default();
    cancelled.cancel();
    assert_eq!(search(&own_make(5, 7, 9, 1..=1), &Seed::from(1), 50, &cancelled), Err(NotFound::Cancelled));
    for (wanted, text) in [
        (own_make(6, 7, 9, 1..=99), "6 spectra: 1 to 5 would be right"),
        (own_make(5, 8, 9, 1..=99), "8 sizes: 1 to 7 would be right"),
        (own_make(1, 2, 3, 0..=2), "an optimum of 0 is a solved board, which is never dealt: begin at 1"),
        (Wanted { free: 9, ..own_make(5, 7, 9, 1..=99) }, "9 free of 9 pegs: at least one must carry disks"),
        (Wanted { free: 8, ..own_make(2, 7, 9, 1..=99) }, "14 disks on 1 loaded pegs with 7 places"),
    ] {
        let refused = search(&wanted, &Seed::from(1), 50, &Cancel::default()).unwrap_err().to_string();
        assert!(refused.starts_with(text), "{refused}");
    }
}
