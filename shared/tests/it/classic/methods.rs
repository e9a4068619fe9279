//! The four methods against one another and against the puzzle itself.

use sprint_shared::classic::{Method, Tower};

use super::model::Stacks;
use super::{pairs, tower, towers};

/// Plays a tower out on the stacks; the end must be the tower on its target.
fn lawful(tower: Tower, method: Method) {
    let mut stacks = Stacks::tower(tower.disks(), tower.source());
    let mut made = 0;
    for step in tower.play_out(method) {
        stacks.make(step);
        made += 1;
        assert!(made <= tower.moves(), "{method}: {tower:?} goes on after its last move");
    }
    assert_eq!((made, stacks), (tower.moves(), Stacks::tower(tower.disks(), tower.target())), "{method}: {tower:?}");
}

#[test]
fn each_method_brings_the_tower_lawfully_to_its_target_in_2_to_the_n_less_1_moves() {
    for tower in towers(0..=16) {
        assert_eq!(tower.moves(), 2u64.pow(tower.disks().into()) - 1);
        Method::ALL.into_iter().for_each(|method| lawful(tower, method));
    }
}

#[test]
fn the_four_methods_agree_move_by_move() {
    for tower in towers(1..=16) {
        let mut others =
            [Method::Smallest, Method::Cyclic, Method::Parity].map(|method| (method, tower.play_out(method)));
        for (number, step) in (1..).zip(tower.play_out(Method::Recursive)) {
            for (method, moves) in &mut others {
                assert_eq!(moves.next(), Some(step), "{method}: {tower:?}: move {number}");
            }
            assert_eq!(tower.move_at(number), Ok(step), "{tower:?}: move {number} directly");
        }
        for (method, moves) in &mut others {
            assert_eq!(moves.next(), None, "{method}: {tower:?} goes on");
        }
    }
}

#[test]
fn a_finished_tower_has_no_further_move_however_often_it_is_asked() {
    for tower in towers(0..=4) {
        for method in Method::ALL {
            let mut moves = tower.play_out(method);
            moves.by_ref().for_each(drop);
            assert_eq!([moves.next(), moves.next(), moves.next(), moves.next()], [None; 4], "{method}: {tower:?}");
        }
    }
}

/// 64 disks, as far as anybody will wait: the methods against direct access.
#[test]
fn the_methods_begin_the_tower_of_64_as_direct_access_says() {
    for pair in pairs() {
        let tower = tower(64, pair);
        for method in Method::ALL {
            for (number, step) in (1..).zip(tower.play_out(method).take(10_000)) {
                assert_eq!(tower.move_at(number), Ok(step), "{method}: {tower:?}: move {number}");
            }
        }
    }
}

/// RULES section 8: n − i even is source, target, spare; odd the other way; disk i moves 2^(n − i) times.
#[test]
fn every_disk_moves_its_share_always_the_same_way_round() {
    for tower in towers(1..=10) {
        let (source, target, spare) = (tower.source(), tower.target(), tower.spare());
        let n = usize::from(tower.disks());
        let mut counts = vec![0u64; n + 1];
        for step in tower.play_out(Method::Recursive) {
            let disk = usize::from(step.disk);
            counts[disk] += 1;
            let way =
                if (n - disk) % 2 == 0 { [source, target, spare, source] } else { [source, spare, target, source] };
            let goes_so = way.windows(2).any(|pair| pair == [step.from, step.to]);
            assert!(goes_so, "{tower:?}: {step}");
            let is_up = matches!((step.from.number(), step.to.number()), (1, 2) | (2, 3) | (3, 1));
            assert_eq!(tower.round_of(step.disk).is_clockwise(), is_up, "{tower:?}: {step}");
        }
        for (disk, count) in (0..).zip(counts).skip(1) {
            assert_eq!(count, 1 << (n - disk), "{tower:?}: disk {disk}");
            assert_eq!(tower.moves_of(disk as u8), count);
        }
    }
    for tower in towers(64..=64) {
        let all: u128 = (1..=64).map(|disk| u128::from(tower.moves_of(disk))).sum();
        assert_eq!(all, u128::from(tower.moves()));
    }
}

/// The rulebook's example: the smallest disk goes towards the target when n is odd.
#[test]
fn the_first_move_goes_to_the_target_of_an_odd_tower_and_to_the_spare_peg_of_an_even_one() {
    for tower in towers(1..=64) {
        let first = if tower.disks() % 2 == 1 { tower.target() } else { tower.spare() };
        for method in Method::ALL {
            let step = tower.play_out(method).next().expect("a first move");
            assert_eq!((step.disk, step.from, step.to), (1, tower.source(), first), "{method}: {tower:?}");
        }
    }
}
