//! Every row of RULES section 3: the hand, errors and penalties, undo and reset.

use proptest::prelude::*;
use sprint_shared::options::Placement;
use sprint_shared::play::{Act, ActRefused, Deed, House, Play};
use sprint_shared::rules::CannotLift;

use crate::boards::any_board;

const STRICT: House = House { placement: Placement::Strict, relaxed: false };
const GUARDED: House = House { placement: Placement::Guarded, relaxed: false };
const SHUFFLE: House = House { placement: Placement::Guarded, relaxed: true };

/// Ruby 2 may go on Ruby 3 or the empty peg, Sapphire only on the empty peg.
const BOARD: &str = "R2/R3/S1/- 7";

fn play() -> Play {
    Play::new(BOARD.parse().unwrap())
}

fn holding(house: House) -> Play {
    let mut play = play();
    act(&mut play, Act::Lift { peg: 1 }, house).unwrap();
    play
}

fn act(play: &mut Play, act: Act, house: House) -> Result<Deed, ActRefused> {
    let deed = play.judge(&act, house)?;
    play.apply(&deed);
    Ok(deed)
}

/// (moves, errors, whether something is held)
fn counters(play: &Play) -> (u32, u32, bool) {
    (play.moves(), play.errors(), play.held().is_some())
}

#[test]
fn a_lifted_disk_is_held_and_still_counts_as_on_its_source() {
    let play = holding(STRICT);
    assert_eq!(counters(&play), (0, 0, true));
    assert_eq!(play.board().to_string(), BOARD);
}

#[test]
fn lifting_from_an_empty_or_sealed_peg_is_refused_free() {
    let mut empty = play();
    let refused = act(&mut empty, Act::Lift { peg: 4 }, STRICT).unwrap_err();
    assert_eq!((refused.code(), counters(&empty)), ("empty_peg", (0, 0, false)));
    let mut sealed = Play::new("R2/R3/S1/- 7 1s@m1".parse().unwrap());
    for tried in [Act::Lift { peg: 1 }, Act::Move { from: 1, to: 4 }] {
        assert!(matches!(act(&mut sealed, tried, STRICT), Err(ActRefused::CannotLift(CannotLift::Sealed(_)))));
    }
    assert_eq!(counters(&sealed), (0, 0, false));
}

#[test]
fn lifting_or_moving_while_holding_costs_five_moves_and_keeps_the_hand() {
    for house in [STRICT, GUARDED] {
        for tried in [Act::Lift { peg: 1 }, Act::Lift { peg: 2 }, Act::Lift { peg: 4 }, Act::Move { from: 2, to: 4 }] {
            let mut play = holding(house);
            assert_eq!(act(&mut play, tried, house), Ok(Deed::TwoHanded));
            assert_eq!(counters(&play), (5, 0, true));
        }
    }
}

#[test]
fn in_shuffle_a_second_lift_is_refused_free() {
    let mut play = holding(SHUFFLE);
    assert_eq!(act(&mut play, Act::Lift { peg: 2 }, SHUFFLE), Err(ActRefused::HandFull));
    assert_eq!(counters(&play), (0, 0, true));
}

#[test]
fn a_legal_placement_is_a_transfer_and_counts_one() {
    let mut play = holding(STRICT);
    assert!(matches!(act(&mut play, Act::Place { peg: 2 }, STRICT), Ok(Deed::Transferred { .. })));
    assert_eq!(counters(&play), (1, 0, false));
    assert_eq!(play.board().to_string(), "-/R3R2/S1/- 7");
}

#[test]
fn an_illegal_placement_returns_the_disk_and_is_an_error_in_a_strict_room() {
    let mut play = holding(STRICT);
    assert!(matches!(act(&mut play, Act::Place { peg: 3 }, STRICT), Ok(Deed::Erred { .. })));
    assert_eq!(counters(&play), (0, 1, false));
    assert_eq!(play.board().to_string(), BOARD);
}

#[test]
fn an_illegal_placement_in_a_guarded_room_returns_the_disk_at_no_cost() {
    for house in [GUARDED, SHUFFLE] {
        let mut play = holding(house);
        assert!(matches!(act(&mut play, Act::Place { peg: 3 }, house), Ok(Deed::Returned { .. })));
        assert_eq!(counters(&play), (0, 0, false));
    }
}

#[test]
fn size_spectrum_capacity_and_ring_all_make_a_placement_illegal() {
    for (board, from, to) in [
        ("R3/R2/- 7", 1, 2),
        ("R1/S2/- 7", 1, 2),
        ("R1/R3R2/- 7,2,7", 1, 2),
        ("R1/R2/- 7 2s@m9", 1, 2),
        ("R1/R2/- 7 2c6@m9", 1, 2),
    ] {
        let mut play = Play::new(board.parse().unwrap());
        let deed = act(&mut play, Act::Move { from, to }, STRICT);
        assert!(matches!(deed, Ok(Deed::Erred { .. })), "{board}: {deed:?}");
        assert_eq!(counters(&play), (0, 1, false));
    }
}

#[test]
fn a_refused_move_leaves_the_hand_empty() {
    let mut play = play();
    assert_eq!(act(&mut play, Act::Move { from: 3, to: 2 }, GUARDED).unwrap_err().code(), "illegal_placement");
    assert_eq!(counters(&play), (0, 0, false));
}

#[test]
fn a_touched_disk_cannot_be_put_back_while_some_peg_would_take_it() {
    let mut play = holding(STRICT);
    assert_eq!(act(&mut play, Act::Place { peg: 1 }, STRICT), Err(ActRefused::TouchAndMove));
    assert_eq!(counters(&play), (0, 0, true));
}

#[test]
fn a_disk_that_no_peg_would_take_is_put_back_free() {
    let mut play = Play::new("R2/R1/S1 7".parse().unwrap());
    act(&mut play, Act::Lift { peg: 3 }, STRICT).unwrap();
    assert!(matches!(act(&mut play, Act::Place { peg: 3 }, STRICT), Ok(Deed::PutBack { .. })));
    assert_eq!(counters(&play), (0, 0, false));
}

#[test]
fn placing_with_an_empty_hand_and_moving_nowhere_are_refused_free() {
    let mut play = play();
    assert_eq!(act(&mut play, Act::Place { peg: 4 }, STRICT), Err(ActRefused::HandEmpty));
    assert_eq!(act(&mut play, Act::Move { from: 1, to: 1 }, STRICT), Err(ActRefused::SamePeg));
    assert_eq!(counters(&play), (0, 0, false));
}

#[test]
fn a_peg_that_is_not_there_is_refused_free_even_while_holding() {
    for number in [0, 5, 99, u32::MAX] {
        for mut play in [play(), holding(STRICT)] {
            let before = play.clone();
            for tried in [
                Act::Lift { peg: number },
                Act::Place { peg: number },
                Act::Move { from: number, to: 1 },
                Act::Move { from: 1, to: number },
            ] {
                assert_eq!(act(&mut play, tried, STRICT), Err(ActRefused::NoSuchPeg { number, pegs: 4 }));
            }
            assert_eq!(play, before);
        }
    }
}

#[test]
fn undo_takes_back_transfers_and_their_count_to_the_start_of_the_attempt() {
    let mut play = play();
    act(&mut play, Act::Move { from: 1, to: 2 }, STRICT).unwrap();
    act(&mut play, Act::Move { from: 3, to: 4 }, STRICT).unwrap();
    act(&mut play, Act::Undo, STRICT).unwrap();
    assert_eq!((play.moves(), play.board().to_string().as_str()), (1, "-/R3R2/S1/- 7"));
    act(&mut play, Act::Undo, STRICT).unwrap();
    assert_eq!((play.moves(), play.board().to_string().as_str()), (0, BOARD));
    assert_eq!(act(&mut play, Act::Undo, STRICT), Err(ActRefused::NothingToUndo));
    assert!(!play.is_flawless());
}

#[test]
fn undo_is_not_judged_by_the_rings() {
    // After the transfer the Sapphire tower is broken and the seal on peg 4 holds again.
    let mut play = Play::new("R1/R2/S2S1/- 7 4s@t1".parse().unwrap());
    act(&mut play, Act::Move { from: 3, to: 4 }, STRICT).unwrap();
    act(&mut play, Act::Undo, STRICT).unwrap();
    assert_eq!(play.board().to_string(), "R1/R2/S2S1/- 7 4s@t1");
}

#[test]
fn reset_starts_a_new_attempt_and_keeps_errors_and_penalties() {
    let mut play = holding(STRICT);
    act(&mut play, Act::Lift { peg: 2 }, STRICT).unwrap();
    act(&mut play, Act::Place { peg: 3 }, STRICT).unwrap();
    act(&mut play, Act::Move { from: 1, to: 2 }, STRICT).unwrap();
    assert_eq!(counters(&play), (6, 1, false));
    act(&mut play, Act::Reset, STRICT).unwrap();
    assert_eq!(counters(&play), (5, 1, false));
    assert_eq!(play.board().to_string(), BOARD);
    assert!(!play.is_flawless());
    assert_eq!(act(&mut play, Act::Undo, STRICT), Err(ActRefused::NothingToUndo), "undo ends at the attempt's start");
}

#[test]
fn neither_undo_nor_reset_while_holding() {
    let mut play = holding(STRICT);
    assert_eq!(act(&mut play, Act::Undo, STRICT), Err(ActRefused::Holding));
    assert_eq!(act(&mut play, Act::Reset, STRICT), Err(ActRefused::Holding));
}

#[test]
fn rings_by_moves_count_transfers_and_not_penalties() {
    let mut play = Play::new("R2/R3/S1/- 7 4s@m5".parse().unwrap());
    act(&mut play, Act::Lift { peg: 1 }, STRICT).unwrap();
    act(&mut play, Act::Lift { peg: 1 }, STRICT).unwrap();
    act(&mut play, Act::Place { peg: 2 }, STRICT).unwrap();
    assert_eq!(play.moves(), 6);
    assert!(matches!(act(&mut play, Act::Move { from: 3, to: 4 }, STRICT), Ok(Deed::Erred { .. })));
}

#[test]
fn in_shuffle_undo_leads_out_of_a_lockout() {
    let mut play = Play::new("R1R2/S1S2/- 2,2,1".parse().unwrap());
    act(&mut play, Act::Move { from: 1, to: 3 }, SHUFFLE).unwrap();
    assert!(play.is_lockout());
    assert_eq!(act(&mut play, Act::Lift { peg: 1 }, SHUFFLE), Err(ActRefused::Lockout));
    act(&mut play, Act::Undo, SHUFFLE).unwrap();
    assert!(!play.is_lockout());
}

fn any_act() -> impl Strategy<Value = Act> {
    prop_oneof![
        4 => (0u32..=10).prop_map(|peg| Act::Lift { peg }),
        4 => (0u32..=10).prop_map(|peg| Act::Place { peg }),
        6 => (0u32..=10, 0u32..=10).prop_map(|(from, to)| Act::Move { from, to }),
        1 => Just(Act::Undo),
        1 => Just(Act::Reset),
    ]
}

proptest! {
    #[test]
    fn whatever_is_done_counters_and_board_agree_with_the_line(
        board in any_board(),
        acts in proptest::collection::vec(any_act(), 0..60),
        house in prop_oneof![Just(STRICT), Just(GUARDED), Just(SHUFFLE)],
    ) {
        let mut play = Play::new(board.clone());
        let (mut errors, mut penalties, mut accepted) = (0, 0, 0);
        for tried in acts {
            let before = play.clone();
            match act(&mut play, tried, house) {
                Ok(deed) => {
                    prop_assert!(before.is_possible(&deed, house));
                    errors += u32::from(matches!(deed, Deed::Erred { .. }));
                    penalties += 5 * u32::from(deed == Deed::TwoHanded);
                    accepted += u32::from(deed.is_accepted());
                }
                Err(_) => prop_assert_eq!(&play, &before, "a refusal changes nothing"),
            }
            // The line alone, replayed by the laws, gives the board.
            let mut replayed = board.clone();
            for (made, transfer) in play.line().iter().enumerate() {
                replayed.play(*transfer, made as u32).unwrap();
            }
            prop_assert_eq!(&replayed, play.board());
            prop_assert_eq!((play.errors(), play.ply()), (errors, accepted));
            prop_assert_eq!(play.moves(), play.line().len() as u32 + penalties);
            if house.relaxed || house.placement == Placement::Guarded {
                prop_assert_eq!(play.errors(), 0);
            }
        }
    }
}
