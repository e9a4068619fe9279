//! Direct access up to 64 disks, against three other ways to reckon it.

use proptest::prelude::*;
use sprint_shared::classic::{Method, Move, Peg, Position, Tower};

use super::model::Stacks;
use super::{pairs, tower, towers};

/// By halving: before its middle a tower's largest disk has not moved, after it it never moves again.
fn halved(disks: u8, from: Peg, to: Peg, made: u128, pegs: &mut Vec<Peg>) {
    if disks == 0 {
        return;
    }
    let (spare, middle) = (from.third(to), 1u128 << (disks - 1));
    if made < middle {
        halved(disks - 1, from, spare, made, pegs);
        pegs.push(from);
    } else {
        halved(disks - 1, spare, to, made - middle, pegs);
        pegs.push(to);
    }
}

fn by_halving(tower: Tower, made: u128) -> Position {
    let mut pegs = Vec::new();
    halved(tower.disks(), tower.source(), tower.target(), made, &mut pegs);
    Position::of(&pegs).expect("as many as the tower has")
}

/// By recursion towards the one move: in the first half, in the middle, or in the second half.
fn searched(disks: u8, from: Peg, to: Peg, number: u128) -> Move {
    let (spare, middle) = (from.third(to), 1u128 << (disks - 1));
    match number.cmp(&middle) {
        std::cmp::Ordering::Less => searched(disks - 1, from, spare, number),
        std::cmp::Ordering::Equal => Move { disk: disks, from, to },
        std::cmp::Ordering::Greater => searched(disks - 1, spare, to, number - middle),
    }
}

/// By the bits of the number: from peg (k & (k − 1)) mod 3 to peg ((k | (k − 1)) + 1) mod 3, pegs counted so that an even
/// tower goes from 0 to 1, an odd one from 0 to 2. The disk is the bit in which the Gray codes of k − 1 and k differ.
fn by_bits(tower: Tower, number: u128) -> Move {
    let far = [tower.target(), tower.spare()];
    let [one, two] = if tower.disks().is_multiple_of(2) { far } else { [far[1], far[0]] };
    let pegs = [tower.source(), one, two];
    let gray = |k: u128| k ^ (k >> 1);
    let changed = gray(number) ^ gray(number - 1);
    assert_eq!(changed.count_ones(), 1, "Gray codes of neighbours differ in one bit");
    Move {
        disk: changed.trailing_zeros() as u8 + 1,
        from: pegs[((number & (number - 1)) % 3) as usize],
        to: pegs[(((number | (number - 1)) + 1) % 3) as usize],
    }
}

fn agree(tower: Tower, number: u128) {
    let step = tower.move_at(number).expect("in range");
    assert_eq!(searched(tower.disks(), tower.source(), tower.target(), number), step, "{tower:?}: {number} searched");
    assert_eq!(by_bits(tower, number), step, "{tower:?}: {number} by bits");
    let mut position = tower.after(number - 1).expect("in range");
    assert_eq!(position, by_halving(tower, number - 1), "{tower:?}: after {}", number - 1);
    assert_eq!(
        position.moves_left(tower.target()),
        (u128::from(tower.moves()) - number + 1) as u64,
        "{tower:?}: {number}"
    );
    assert_eq!(position.hint(tower.target()), Some(step), "{tower:?}: {number} by hint");
    assert_eq!(position.play(step.from, step.to), Ok(step), "{tower:?}: {number} is lawful");
    assert_eq!(tower.after(number), Ok(position), "{tower:?}: after {number}");
}

#[test]
fn every_move_and_position_of_small_towers_is_reckoned_alike_in_all_ways() {
    for tower in towers(0..=9) {
        let mut stacks = Stacks::tower(tower.disks(), tower.source());
        stacks.expect(&tower.after(0).unwrap(), "at the start");
        assert_eq!(tower.start(), tower.after(0).unwrap());
        for (number, step) in (1..).zip(tower.play_out(Method::Recursive)) {
            agree(tower, number);
            stacks.make(step);
            stacks.expect(&tower.after(number).unwrap(), &format!("{tower:?} after {number}"));
        }
    }
}

#[test]
fn moves_about_every_power_of_two_of_64_disks_are_reckoned_alike_in_all_ways() {
    for pair in pairs() {
        let tower = tower(64, pair);
        for bit in 0..64 {
            for number in [(1u128 << bit) - 1, 1 << bit, (1 << bit) + 1, (1u128 << 64) - (1 << bit)] {
                if number > 0 {
                    agree(tower, number);
                }
            }
        }
        assert!(tower.after(u64::MAX.into()).unwrap().is_tower_on(tower.target()));
    }
}

/// The move in the very middle is the only one of the largest disk.
#[test]
fn the_middle_move_of_64_disks_brings_the_largest_from_source_to_target() {
    for pair in pairs() {
        let tower = tower(64, pair);
        let step = tower.move_at(1 << 63).unwrap();
        assert_eq!(step, Move { disk: 64, from: pair.0, to: pair.1 });
        let after = tower.after(1 << 63).unwrap();
        assert_eq!(after.on(tower.spare()).count(), 63);
        assert_eq!(after.on(pair.1).collect::<Vec<_>>(), [64]);
    }
}

fn any_tower(disks: std::ops::RangeInclusive<u64>) -> impl Strategy<Value = Tower> {
    (disks, 0..6usize).prop_map(|(disks, pair)| tower(disks, pairs().nth(pair).expect("six pairs")))
}

proptest! {
    #[test]
    fn the_position_after_k_moves_is_what_k_moves_lead_to(tower in any_tower(0..=12), share in 0.0..=1.0f64, method in 0..4usize) {
        let made = (tower.moves() as f64 * share) as usize;
        let mut stacks = Stacks::tower(tower.disks(), tower.source());
        tower.play_out(Method::ALL[method]).take(made).for_each(|step| stacks.make(step));
        stacks.expect(&tower.after(made as u128).unwrap(), &format!("{tower:?} after {made}"));
    }

    #[test]
    fn any_move_of_any_tower_is_reckoned_alike_in_all_ways(tower in any_tower(1..=64), chance in any::<u64>()) {
        agree(tower, u128::from(chance % tower.moves()) + 1);
    }
}
