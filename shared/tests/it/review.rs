//! Reviews against what a plain count of every position says, on any race; and on boards too large to list, within bounds.

pub mod plain;

use proptest::prelude::*;
use sprint_shared::api::Match;
use sprint_shared::options::RoomOptions;
use sprint_shared::play::{Act, Deed};
use sprint_shared::preset::Preset;
use sprint_shared::protocol::{CurveView, Lost, ToGo};
use sprint_shared::review::{Effort, Lead, Mark, MarkCost, NoReview, Pace, Review, SeatReview, review};
use sprint_shared::rules::Transfer;
use sprint_shared::time::Seat;

use crate::boards::ringless_board;
use crate::table::{COUNTDOWN_MS, Table, seat, stored};
use plain::{Choice, Plain};

/// Where a curve stands at an instant.
fn at(curve: &CurveView, clock_ms: u64) -> ToGo {
    let before = curve.points.iter().take_while(|(at_ms, _)| *at_ms <= clock_ms);
    before.last().expect("every curve begins at T0").1
}

fn leader(leads: &[Lead], clock_ms: u64) -> Option<Seat> {
    leads.iter().take_while(|lead| lead.clock_ms <= clock_ms).last().and_then(|lead| lead.seat)
}

fn to_go(distance: Option<u32>) -> ToGo {
    distance.map_or(ToGo::Lost(Lost::Lost), ToGo::Exact)
}

fn is_rising(instants: impl IntoIterator<Item = u64>) -> bool {
    let instants: Vec<u64> = instants.into_iter().collect();
    instants.windows(2).all(|pair| pair[0] < pair[1])
}

/// Everything that a review says is what the plain count says.
fn check(plain: &Plain, found: &Review) -> Result<(), TestCaseError> {
    prop_assert!(found.complete, "every position is counted");
    prop_assert_eq!(found.optimum, plain.distance(&plain.start));
    for moment in &plain.moments {
        for (place, board) in moment.boards.iter().enumerate() {
            let expected = to_go(plain.distance(board));
            prop_assert_eq!(at(&found.curves[place], moment.clock_ms), expected, "at {}", moment.clock_ms);
        }
        prop_assert_eq!(leader(&found.leads, moment.clock_ms), moment.leader, "at {}", moment.clock_ms);
    }
    for curve in &found.curves {
        prop_assert!(is_rising(curve.points.iter().map(|(clock_ms, _)| *clock_ms)), "{curve:?}");
        prop_assert!(curve.points.windows(2).all(|pair| pair[0].1 != pair[1].1), "{curve:?}");
    }
    prop_assert!(is_rising(found.leads.iter().map(|lead| lead.clock_ms)), "{:?}", found.leads);
    prop_assert!(found.leads.windows(2).all(|pair| pair[0].seat != pair[1].seat), "{:?}", found.leads);
    prop_assert_eq!(found.marks.as_slice(), plain.marks());
    prop_assert_eq!(&found.seats, &plain.figures());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn a_review_says_what_a_count_of_every_position_says(
        board in ringless_board(),
        racers in 2u8..=4,
        choices in prop::collection::vec(any::<Choice>(), 0..60),
    ) {
        let Some(mut plain) = Plain::of(&board, 2_000) else { return Ok(()) };
        let table = plain.race(racers, &choices);
        let round = stored(&table);
        let found = review(&round, &Effort::default()).expect("a round that was raced");
        check(&plain, &found)?;
        let again = review(&round, &Effort::default()).expect("a round that was raced");
        prop_assert_eq!(again, found, "the same round has the same review");
    }
}

/// Three transfers from harmony: 1-3, 2-1, 3-2, or 2-3, 1-2, 3-1.
fn three_away() -> Table {
    let mut table = Table::open(RoomOptions::default());
    (table.board, table.optimum) = ("R2S1/S2R1/-/- 3".parse().unwrap(), Some(3));
    table.two_get_ready();
    table.give_nonces();
    table.pass(COUNTDOWN_MS);
    table
}

#[test]
fn a_story_has_its_figures_its_marks_and_its_leads() {
    let mut table = three_away();
    let mut pass_and_go = |ms, number, from, to| {
        table.pass(ms);
        table.go(number, from, to).unwrap()
    };
    pass_and_go(400, 1, 1, 3);
    pass_and_go(300, 2, 2, 3);
    pass_and_go(100, 2, 3, 4);
    let seq = table.log.len() as u32;
    table.pass(200);
    table.act(2, Act::Undo).unwrap();
    table.pass(500);
    table.go(1, 2, 1).unwrap();
    table.pass(50);
    assert!(matches!(table.go(2, 2, 1), Ok(Deed::Erred { .. })));
    table.pass(50);
    table.go(1, 3, 2).unwrap();
    table.pass(100);

    let found = review(&stored(&table), &Effort::default()).unwrap();
    assert_eq!((found.format, found.complete, found.optimum), (1, true, Some(3)));
    let exact = |points: &[(u64, u32)]| points.iter().map(|(at, left)| (*at, ToGo::Exact(*left))).collect::<Vec<_>>();
    assert_eq!(found.curves[0].points, exact(&[(0, 3), (400, 2), (1_500, 1), (1_600, 0)]));
    assert_eq!(found.curves[1].points, exact(&[(0, 3), (700, 2)]));
    let (cost, better) = (MarkCost::Wastes(1), vec!["1-2".to_owned()]);
    assert_eq!(found.marks, [Mark { seq, seat: seat(2), clock_ms: 800, transfer: "3-4".into(), cost, better }]);
    let lead = |clock_ms, seat| Lead { clock_ms, seat };
    assert_eq!(found.leads, [lead(400, Some(seat(1))), lead(700, None), lead(1_500, Some(seat(1)))]);
    let figures = SeatReview {
        seat: seat(1),
        transfers: 3,
        optimal: 3,
        wasteful: 0,
        wasted: 0,
        undone: 0,
        resets: 0,
        errors: 0,
        penalty_moves: 0,
        lost_since_ms: None,
        pace: Some(Pace { first_ms: 400, median_ms: 400, longest_ms: 1_100 }),
    };
    let pace = Some(Pace { first_ms: 700, median_ms: 100, longest_ms: 700 });
    let other = SeatReview {
        seat: seat(2),
        transfers: 2,
        optimal: 1,
        wasteful: 1,
        undone: 1,
        errors: 1,
        pace,
        ..figures.clone()
    };
    assert_eq!(found.seats, [figures, other]);
}

/// A racer with an error is home first, another one later and clean: the first stays in the lead that he had.
#[test]
fn nobody_takes_the_lead_from_who_has_come_to_harmony() {
    let mut table = Table::duel();
    table.pass(10);
    table.err(1);
    table.finish(1);
    table.pass(10);
    table.finish(2);
    table.pass(100);
    let round = stored(&table);
    assert_eq!(round.result.seats[0].seat, seat(2), "who is clean wins");
    let found = review(&round, &Effort::default()).unwrap();
    assert_eq!(found.leads, [Lead { clock_ms: 10, seat: Some(seat(1)) }]);
}

/// A racer's way on a dealt board with some slips, while another gives up.
fn raced(preset: Preset) -> Match {
    let (mut table, line) = Table::dealt(preset, 3);
    for (number, transfer) in line.iter().enumerate() {
        table.pass(900);
        if number % 5 == 4 {
            let legal = table.race.play(seat(1)).unwrap().board().legal_transfers(number as u32);
            let slip = legal.iter().rev().find(|other| **other != *transfer).copied();
            if let Some(Transfer { from, to }) = slip {
                table.go(1, from.number().into(), to.number().into()).unwrap();
                table.pass(300);
                table.act(1, Act::Undo).unwrap();
            }
        }
        table.go(1, transfer.from.number().into(), transfer.to.number().into()).unwrap();
    }
    table.pass(100);
    stored(&table)
}

#[test]
fn a_shortest_way_wastes_nothing_on_any_board_that_is_listed() {
    for preset in [Preset::Initiate, Preset::Apprentice, Preset::Standard, Preset::Expert, Preset::Spire] {
        let round = raced(preset);
        let found = review(&round, &Effort::default()).unwrap();
        assert!(found.complete, "{preset}");
        let optimum = found.optimum.expect("dealt boards have one");
        assert_eq!(Some(optimum), round.result.optimum, "{preset}");
        let racer = &found.seats[0];
        assert_eq!((racer.wasted, racer.lost_since_ms), (0, None), "{preset}");
        assert_eq!(racer.transfers - racer.undone, optimum, "{preset}");
        assert!(racer.optimal >= optimum && racer.undone > 0, "{preset}: {racer:?}");
        assert_eq!(found.curves[0].points.last().unwrap().1, ToGo::Exact(0), "{preset}");
        assert_eq!(found.marks.len() as u32, racer.wasteful, "{preset}");
        assert!(found.marks.iter().all(|mark| !mark.better.is_empty()), "{preset}: {:?}", found.marks);
    }
}

/// Whatever the effort, what is said holds; and it is the same each time.
#[test]
fn a_review_whose_effort_ends_first_says_so_and_holds_all_the_same() {
    let round = raced(Preset::Master);
    let optimum = round.result.optimum.unwrap();
    let mut complete = Vec::new();
    for positions in [0, 1_000, 20_000] {
        let effort = Effort { positions, ..Effort::default() };
        let found = review(&round, &effort).unwrap();
        assert_eq!(review(&round, &effort).unwrap(), found, "{positions}");
        complete.push(found.complete);
        assert_eq!(found.optimum, Some(optimum));
        for (_, left) in &found.curves[1].points {
            assert!(left.lower() <= Some(optimum) && left.upper().is_none_or(|upper| upper >= optimum), "{left:?}");
        }
        let last = found.curves[0].points.last().unwrap().1;
        assert_eq!(last, ToGo::Exact(0), "harmony is seen without a search");
        assert!(found.seats[0].optimal + found.seats[0].wasteful <= found.seats[0].transfers);
    }
    assert!(!complete[0], "no search, no distance");
}

#[test]
fn a_round_that_is_none_has_no_review_and_what_is_wrong_is_named() {
    let mut table = Table::duel();
    table.finish(1);
    table.pass(100);
    let whole = stored(&table);
    let mut cut = whole.clone();
    cut.record.truncate(5);
    cut.events.clear();
    assert_eq!(review(&cut, &Effort::default()), Err(NoReview::NoBoard));
    let mut torn = whole.clone();
    torn.record[6] = serde_json::json!({ "type": "flown" });
    let why = review(&torn, &Effort::default()).unwrap_err().to_string();
    assert!(why.starts_with("event 7 of the record cannot be read: unknown variant `flown`"), "{why}");
    let mut impossible = whole;
    let acted = impossible.record.iter().position(|event| event["type"] == "acted").unwrap();
    impossible.record[acted]["deed"]["from"] = 2.into();
    impossible.record[acted]["deed"]["to"] = 1.into();
    let why = review(&impossible, &Effort::default()).unwrap_err().to_string();
    assert!(why.contains("(acted): R3 cannot rest on R2"), "{why}");
}
