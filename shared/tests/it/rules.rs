//! The laws of transfer against an independent reading of them: stacks of plain pairs (RULES section 2).

use proptest::prelude::*;
use sprint_shared::board::{Board, RingKind, Until};
use sprint_shared::disk::Spectrum;
use sprint_shared::peg::PegId;
use sprint_shared::rules::Transfer;

use crate::boards::any_board;

/// A board as the rulebook speaks of it: stacks of (letter, size), read from the notation.
struct Plain {
    stacks: Vec<Vec<(char, u8)>>,
}

impl Plain {
    fn of(board: &Board) -> Plain {
        let text = board.to_string();
        let pegs = text.split(' ').next().expect("the PEGS field");
        let stack = |peg: &str| {
            let chars: Vec<char> = peg.chars().filter(|c| *c != '-').collect();
            chars.chunks(2).map(|c| (c[0], c[1].to_digit(10).expect("a size") as u8)).collect()
        };
        Plain { stacks: pegs.split('/').map(stack).collect() }
    }

    fn tower_size(&self, letter: char) -> usize {
        self.stacks.iter().flatten().filter(|d| d.0 == letter).count()
    }

    fn letters(&self) -> Vec<char> {
        "RSEAV".chars().filter(|&l| self.tower_size(l) > 0).collect()
    }

    fn complete(&self, board: &Board, letter: char) -> bool {
        let spectrum = Spectrum::from_letter(letter).expect("a letter");
        self.stacks.iter().enumerate().any(|(i, stack)| {
            stack.len() == self.tower_size(letter)
                && stack.iter().all(|d| d.0 == letter)
                && stack.windows(2).all(|w| w[0].1 > w[1].1)
                && board.home(spectrum).is_none_or(|home| home.index() == i)
        })
    }

    fn legal(&self, board: &Board, from: usize, to: usize, made: u32) -> bool {
        let towers = self.letters().into_iter().filter(|&l| self.complete(board, l)).count();
        let open = |until| match until {
            Until::Moves(n) => made >= u32::from(n),
            Until::Towers(k) => towers >= usize::from(k),
        };
        let held: Vec<_> = board.rings().iter().filter(|r| !open(r.until)).collect();
        let sealed = |peg: usize| held.iter().any(|r| r.peg.index() == peg && r.kind == RingKind::Seal);
        let collars: usize = held
            .iter()
            .filter(|r| r.peg.index() == to)
            .map(|r| if let RingKind::Collars(n) = r.kind { usize::from(n) } else { 0 })
            .sum();
        let Some(&disk) = self.stacks[from].last() else { return false };
        let fits = self.stacks[to].last().is_none_or(|below| below.0 == disk.0 && below.1 > disk.1);
        from != to
            && !sealed(from)
            && !sealed(to)
            && self.stacks[to].len() + collars < usize::from(board.capacities()[to])
            && fits
    }
}

proptest! {
    #[test]
    fn a_transfer_is_legal_exactly_when_every_law_allows_it(board in any_board(), made in 0u32..12) {
        let plain = Plain::of(&board);
        let legal = board.legal_transfers(made);
        for from in 0..board.pegs().len() {
            for to in 0..board.pegs().len() {
                let transfer = Transfer {
                    from: PegId::from_index(from).unwrap(),
                    to: PegId::from_index(to).unwrap(),
                };
                let expected = plain.legal(&board, from, to, made);
                prop_assert_eq!(board.check(transfer, made).is_ok(), expected, "{} {}", board, transfer);
                prop_assert_eq!(legal.contains(&transfer), expected);
            }
        }
    }

    #[test]
    fn a_legal_transfer_moves_one_disk_and_taking_it_back_restores_the_board(board in any_board(), made in 0u32..12) {
        for transfer in board.legal_transfers(made) {
            let mut after = board.clone();
            after.play(transfer, made).unwrap();
            prop_assert_eq!(after.disks(), board.disks());
            prop_assert_eq!(after.peg(transfer.to).top(), board.peg(transfer.from).top());
            prop_assert_eq!(after.peg(transfer.from).len() + 1, board.peg(transfer.from).len());
            after.play_unchecked(Transfer { from: transfer.to, to: transfer.from });
            prop_assert_eq!(&after, &board);
        }
    }

    #[test]
    fn an_illegal_transfer_changes_nothing(board in any_board(), from in 1u32..=9, to in 1u32..=9, made in 0u32..12) {
        let transfer = Transfer { from: PegId::new(from).unwrap(), to: PegId::new(to).unwrap() };
        let mut after = board.clone();
        if after.play(transfer, made).is_err() {
            prop_assert_eq!(after, board);
        }
    }

    #[test]
    fn towers_and_harmony_are_what_the_stacks_show(board in any_board()) {
        let plain = Plain::of(&board);
        let complete = plain.letters().into_iter().filter(|&l| plain.complete(&board, l)).count();
        prop_assert_eq!(board.towers(), complete);
        prop_assert_eq!(board.is_harmony(), complete == plain.letters().len());
    }

    #[test]
    fn in_harmony_every_disk_is_settled_and_only_then(board in any_board()) {
        // Except where a tower stands on a peg that is not its home: settled disks ask for the home too.
        prop_assert_eq!(board.settled().count() == board.disks().count(), board.is_harmony());
    }
}

fn board(text: &str) -> Board {
    text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn settled(text: &str) -> String {
    board(text).settled().iter().map(|d| d.to_string()).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_disk_is_settled_with_all_larger_ones_and_nothing_else_below_it() {
    for (text, expected) in [
        ("R3R2/R1/- 7", "R2 R3"),
        ("R3R1/R2/- 7", "R3"),
        ("R2R1/R3/- 7", "R3"),
        ("S1R3/R2R1/- 7", "S1"),
        ("R3R2S1/R1/- 7", "R2 R3"),
        // Gaps in the sizes: 5 is the largest active one, 2 comes next.
        ("R5R2/R1/- 7", "R2 R5"),
        // A peg that cannot carry the whole tower settles nothing.
        ("R3R2/R1/- 2,7,7", ""),
        // The home, if named, and no other peg.
        ("R3R2/R1/- 7 - R1", "R2 R3"),
        ("R3R2/R1/- 7 - R3", ""),
    ] {
        assert_eq!(settled(text), expected, "{text}");
    }
}

#[test]
fn a_tower_ring_opens_with_the_tower_and_closes_again_with_it() {
    let mut ringed = board("R1/R2/S2S1/- 7 4s@t1");
    let there = "1-4".parse().unwrap();
    assert!(ringed.check(there, 0).is_ok(), "one tower stands: Sapphire");
    ringed.play("3-4".parse().unwrap(), 0).unwrap();
    assert!(ringed.check(there, 1).is_err(), "the tower is broken, the seal holds");
    assert!(ringed.check("4-3".parse().unwrap(), 1).is_err(), "and nothing is lifted from the peg");
}

#[test]
fn a_collar_judges_placing_alone() {
    let collared = board("R3R2/R1/S1/- 7 1c6@m2");
    assert!(collared.check("1-4".parse().unwrap(), 0).is_ok(), "disks above a collar may leave");
    assert!(collared.check("2-1".parse().unwrap(), 0).is_err());
    assert!(collared.check("2-1".parse().unwrap(), 2).is_ok());
}

#[test]
fn several_rings_on_a_peg_act_independently() {
    let ringed = board("R2/R1/-/- 7 1s@m3,1c4@m5,1c2@m9");
    let open: Vec<u32> = (0..12).filter(|&m| ringed.check("2-1".parse().unwrap(), m).is_ok()).collect();
    assert_eq!(open, [5, 6, 7, 8, 9, 10, 11]);
    assert_eq!([0, 4, 5, 8, 9].map(|m| ringed.room(PegId::new(1).unwrap(), m)), [1, 1, 5, 5, 7]);
}

#[test]
fn a_lockout_is_a_board_without_a_legal_transfer_that_is_not_solved() {
    assert!(board("R1/S1R2/S2 1,2,1").is_lockout(0));
    assert!(!board("R1/S1/E1 1").is_lockout(0), "harmony is no lockout");
    assert!(!board("R1/S1R2/- 7").is_lockout(0));
    assert!(board("R1/S1R2/- 7 2s@m4,3s@m4").is_lockout(0), "rings by transfers never open without one");
}
