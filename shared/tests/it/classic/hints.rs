//! Hints and moves left from any position, against a search of all positions.

use proptest::prelude::*;
use sprint_shared::classic::{Illegal, Peg, Position};

use super::model::{Stacks, distances};
use super::peg;

#[test]
fn from_every_position_the_hint_comes_one_nearer_and_moves_left_is_the_distance() {
    for disks in 0..=7u8 {
        for target in Peg::ALL {
            let distances = distances(disks, target);
            assert_eq!(distances.len(), 3usize.pow(disks.into()), "all positions can be reached");
            let farthest = distances.values().max().copied();
            assert_eq!(farthest, Some(2u64.pow(disks.into()) - 1), "no position is farther than a whole tower");
            for (stacks, distance) in &distances {
                let position = Position::of(&stacks.pegs(disks)).expect("seven at most");
                assert_eq!(position.moves_left(target), *distance, "{stacks:?} to {target}");
                match position.hint(target) {
                    None => assert_eq!(*distance, 0, "{stacks:?} to {target}: no hint"),
                    Some(step) => {
                        let mut next = stacks.clone();
                        next.make(step);
                        assert_eq!(distances[&next], distance - 1, "{stacks:?} to {target}: {step}");
                    }
                }
            }
        }
    }
}

proptest! {
    /// Followed to the end from anywhere, hints take as many moves as were left: at most 2^n − 1.
    #[test]
    fn hints_lead_from_any_position_to_the_tower(pegs in prop::collection::vec(0..3usize, 0..=12), target in 0..3usize) {
        let pegs: Vec<Peg> = pegs.into_iter().map(|index| Peg::ALL[index]).collect();
        let (mut position, target) = (Position::of(&pegs).unwrap(), Peg::ALL[target]);
        let left = position.moves_left(target);
        prop_assert!(left < 1 << pegs.len());
        for number in 0..left {
            let step = position.hint(target).expect("a move is left");
            prop_assert_eq!(position.play(step.from, step.to), Ok(step));
            prop_assert_eq!(position.moves_left(target), left - number - 1);
        }
        prop_assert!(position.is_tower_on(target) && position.hint(target).is_none());
    }

    #[test]
    fn from_any_position_of_64_disks_the_hint_leaves_one_move_fewer(pegs in prop::collection::vec(0..3usize, 64), target in 0..3usize) {
        let pegs: Vec<Peg> = pegs.into_iter().map(|index| Peg::ALL[index]).collect();
        let (mut position, target) = (Position::of(&pegs).unwrap(), Peg::ALL[target]);
        let left = position.moves_left(target);
        if let Some(step) = position.hint(target) {
            prop_assert_eq!(position.play(step.from, step.to), Ok(step));
            prop_assert_eq!(position.moves_left(target), left - 1);
        }
    }
}

#[test]
fn what_the_rules_forbid_is_refused_by_name_and_changes_nothing() {
    let start = Position::of(&[peg(1), peg(3), peg(3)]).unwrap();
    for (from, to, refused, words) in [
        (2, 1, Illegal::Empty(peg(2)), "peg 2 is empty: lift a disk from another one"),
        (1, 1, Illegal::SamePeg(1, peg(1)), "disk 1 is on peg 1 already: place it on another peg"),
        (
            3,
            1,
            Illegal::Smaller { disk: 2, below: 1 },
            "disk 2 cannot rest on disk 1: place it on an empty peg or on a larger disk",
        ),
    ] {
        let mut position = start;
        assert_eq!(position.play(peg(from), peg(to)), Err(refused));
        assert_eq!(refused.to_string(), words);
        assert_eq!(position, start);
    }
    assert!(Position::of(&[peg(1); 64]).is_ok());
    assert_eq!(Position::of(&[peg(1); 65]).unwrap_err().to_string(), "a classic tower has 0 to 64 disks, not 65");
}

#[test]
fn a_tower_stands_only_where_all_of_its_disks_are() {
    let all = Stacks::tower(3, peg(2));
    let position = Position::of(&all.pegs(3)).unwrap();
    assert_eq!(Peg::ALL.map(|peg| position.is_tower_on(peg)), [false, true, false]);
    let none = Position::of(&[]).unwrap();
    assert_eq!(Peg::ALL.map(|peg| none.is_tower_on(peg)), [true; 3]);
    assert_eq!(Position::of(&[peg(1); 64]).unwrap().moves_left(peg(3)), u64::MAX);
}
