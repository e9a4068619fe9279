//! The seeded deal against its golden vectors and its bands.

use serde::Deserialize;
use sprint_shared::board::Board;
use sprint_shared::deal::{DEAL_VERSION, Seed, deal};
use sprint_shared::preset::Preset;

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
