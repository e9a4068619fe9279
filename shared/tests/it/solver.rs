//! The solver against a plain search with named pegs, written here from the rules alone, and against mathematics.

use std::collections::{HashMap, VecDeque};

use proptest::prelude::*;
use sprint_shared::analysis::{Analyst, Cost, Distance};
use sprint_shared::board::{Board, Until};
use sprint_shared::rules::{Transfer, Transfers};
use sprint_shared::solver::{Budget, Live, Outcome, Table, least_needed, solve, solve_from};

use crate::boards::{plain_board, ringless_board, small_board};

/// Every position that can be reached, pegs named, with its distance to harmony; `None`: lost.
struct Reachable {
    positions: Vec<(Board, Transfers)>,
    next: Vec<Vec<(Transfer, usize)>>,
    distance: Vec<Option<u32>>,
}

/// Lists the reachable set breadth first and then reckons the distances by going round until nothing changes. `None` if
/// the set has more than `most` positions.
fn plain_search(board: &Board, most: usize) -> Option<Reachable> {
    let waits = board.rings().iter().map(|r| if let Until::Moves(n) = r.until { n.into() } else { 0 });
    let cap = waits.max().unwrap_or(0);
    let mut number = HashMap::from([((board.pegs().clone(), 0), 0)]);
    let mut positions = vec![(board.clone(), 0)];
    let mut next: Vec<Vec<(Transfer, usize)>> = Vec::new();
    while next.len() < positions.len() {
        let (position, made) = positions[next.len()].clone();
        let mut after = Vec::new();
        for transfer in position.legal_transfers(made) {
            let mut reached = position.clone();
            reached.play(transfer, made).unwrap();
            let made = (made + 1).min(cap);
            let id = *number.entry((reached.pegs().clone(), made)).or_insert_with(|| {
                positions.push((reached, made));
                positions.len() - 1
            });
            after.push((transfer, id));
        }
        next.push(after);
        if positions.len() > most {
            return None;
        }
    }
    let mut before = vec![Vec::new(); positions.len()];
    for (from, after) in next.iter().enumerate() {
        after.iter().for_each(|(_, to)| before[*to].push(from));
    }
    let mut distance: Vec<Option<u32>> = positions.iter().map(|(p, _)| p.is_harmony().then_some(0)).collect();
    let mut queue: VecDeque<usize> = (0..positions.len()).filter(|&i| distance[i].is_some()).collect();
    while let Some(at) = queue.pop_front() {
        for &from in &before[at] {
            if distance[from].is_none() {
                distance[from] = distance[at].map(|d| d + 1);
                queue.push_back(from);
            }
        }
    }
    Some(Reachable { positions, next, distance })
}

/// Of all optimal lines the first by source and then by target, and the positions on it where some transfer loses.
fn first_line(plain: &Reachable) -> (Vec<Transfer>, u32) {
    let (mut at, mut line, mut traps) = (0, Vec::new(), 0);
    while let Some(left) = plain.distance[at].filter(|d| *d > 0) {
        let next = &plain.next[at];
        traps += u32::from(next.iter().any(|(_, to)| plain.distance[*to].is_none()));
        let nearer = next.iter().filter(|(_, to)| plain.distance[*to] == Some(left - 1));
        let (transfer, to) = nearer.min_by_key(|(t, _)| (t.from, t.to)).expect("some transfer comes nearer");
        line.push(*transfer);
        at = *to;
    }
    (line, traps)
}

fn optimum(board: &Board) -> Option<u32> {
    match solve(board, &Budget::default()) {
        Outcome::Solved { optimum, line, .. } => {
            let mut end = board.clone();
            for (made, transfer) in (0..).zip(&line) {
                end.play(*transfer, made).unwrap();
            }
            assert!(end.is_harmony(), "{board}: the line does not end in harmony");
            assert_eq!(line.len(), optimum as usize, "{board}");
            Some(optimum)
        }
        Outcome::Unsolvable { .. } => None,
        Outcome::Exceeded { .. } => panic!("{board}: 2 GiB were not enough"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn solver_and_table_agree_with_a_plain_search_on_every_position(board in small_board()) {
        let Some(plain) = plain_search(&board, 4_000) else { return Ok(()) };
        prop_assert_eq!(optimum(&board), plain.distance[0], "{}", board);
        let table = Table::build(&board, u64::MAX, &Budget::default()).unwrap();
        for ((position, made), expected) in plain.positions.iter().zip(&plain.distance) {
            prop_assert_eq!(table.distance(position, *made), *expected, "{} in {} after {}", position, board, made);
            if let Some(distance) = expected {
                prop_assert!(least_needed(position) <= *distance, "{}", position);
            }
        }
        let facts = table.facts();
        prop_assert!(facts.positions <= plain.positions.len() as u64);
        prop_assert_eq!(facts.lost == 0, plain.distance.iter().all(Option::is_some));
        let most = plain.next.iter().map(Vec::len).max().unwrap_or(0);
        prop_assert_eq!(facts.transfers_max as usize, most);
        let (line, traps) = first_line(&plain);
        prop_assert_eq!(table.line(), plain.distance[0].map(|_| line), "{}", board);
        prop_assert_eq!(facts.traps, traps, "{}", board);
    }

    #[test]
    fn distances_fall_by_one_along_the_line_and_never_by_more(board in small_board()) {
        let Ok(table) = Table::build(&board, 50_000, &Budget::default()) else { return Ok(()) };
        let mut position = board.clone();
        let mut made = 0;
        let line = table.line();
        prop_assert_eq!(line.as_ref().map(|l| l.len() as u32), table.optimum());
        for transfer in line.unwrap_or_default() {
            let here = table.distance(&position, made).unwrap();
            for other in position.legal_transfers(made) {
                let mut next = position.clone();
                next.play_unchecked(other);
                let there = table.distance(&next, made + 1);
                prop_assert!(there.is_none_or(|d| here <= d + 1), "{} {}", position, other);
                let back = Transfer { from: other.to, to: other.from };
                if board.rings().is_empty() && next.check(back, made + 1).is_ok() {
                    prop_assert!(there.is_some_and(|d| d.abs_diff(here) <= 1), "{} {}", position, other);
                }
            }
            position.play(transfer, made).unwrap();
            made += 1;
            prop_assert_eq!(table.distance(&position, made), Some(here - 1));
        }
        prop_assert!(table.optimum().is_none() || position.is_harmony());
    }

    #[test]
    fn a_lost_board_stays_lost_after_any_transfer(board in small_board(), choices in proptest::collection::vec(0usize..40, 0..12)) {
        let Ok(table) = Table::build(&board, 50_000, &Budget::default()) else { return Ok(()) };
        let (mut position, mut lost) = (board.clone(), table.optimum().is_none());
        for (made, choice) in (0..).zip(choices) {
            let legal = position.legal_transfers(made);
            let Some(transfer) = legal.get(choice % legal.len().max(1)) else { break };
            position.play(*transfer, made).unwrap();
            let distance = table.distance(&position, made + 1);
            prop_assert!(!lost || distance.is_none(), "{} came back at {}", board, position);
            lost = distance.is_none();
            let fresh = match solve_from(&position, made + 1, &Budget::default()) {
                Outcome::Solved { optimum, .. } => Some(optimum),
                _ => None,
            };
            prop_assert_eq!(fresh, distance, "{} in {}", position, board);
        }
    }

    #[test]
    fn costs_are_what_the_distances_say(board in small_board()) {
        let mut analyst = Analyst::new(&board, Budget::default());
        let here = analyst.distance(&board, 0);
        for (transfer, cost) in analyst.costs(&board, 0) {
            let mut next = board.clone();
            next.play(transfer, 0).unwrap();
            let expected = match (here, analyst.distance(&next, 1)) {
                (_, Distance::Lost) => Cost::Loses,
                (Distance::Exact(from), Distance::Exact(to)) => Cost::Wastes(to + 1 - from),
                other => panic!("{other:?}"),
            };
            prop_assert_eq!(cost, expected);
        }
        let has_best = !analyst.best(&board, 0).is_empty();
        prop_assert_eq!(has_best, matches!(here, Distance::Exact(1..)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// The table leaves nothing out and has no bound.
    #[test]
    fn what_the_search_leaves_out_on_plain_boards_is_never_needed(board in plain_board()) {
        let Ok(table) = Table::build(&board, 30_000, &Budget::default()) else { return Ok(()) };
        prop_assert_eq!(optimum(&board), table.optimum(), "{}", board);
    }

    /// Nor where capacities differ and spectra have homes.
    #[test]
    fn what_the_search_leaves_out_on_boards_without_rings_is_never_needed(board in ringless_board()) {
        let Ok(table) = Table::build(&board, 30_000, &Budget::default()) else { return Ok(()) };
        prop_assert_eq!(optimum(&board), table.optimum(), "{}", board);
    }
}

/// `2^n - 1` transfers on three pegs, and the Frame–Stewart numbers on four, with a home on the last peg.
#[test]
fn classic_towers_need_what_mathematics_says() {
    const FOUR_PEGS: [u32; 7] = [1, 3, 5, 9, 13, 17, 25];
    for n in 1..=7_u8 {
        let tower: String = (1..=n).rev().map(|size| format!("R{size}")).collect();
        let three: Board = format!("{tower}/-/- 7 - R3").parse().unwrap();
        assert_eq!(optimum(&three), Some((1 << n) - 1), "{three}");
        let four: Board = format!("{tower}/-/-/- 7 - R4").parse().unwrap();
        assert_eq!(optimum(&four), Some(FOUR_PEGS[usize::from(n) - 1]), "{four}");
    }
}

#[test]
fn a_settled_disk_moves_where_capacities_force_it_to() {
    // R2 is settled on peg 1 by any rule that overlooks capacities; peg 1 holds one disk only.
    assert_eq!(optimum(&"R2/R1/- 1,7,7".parse().unwrap()), Some(2));
    assert_eq!(optimum(&"R2/R1/- 7".parse().unwrap()), Some(1));
}

/// A disk that covers the tangle, whose tower waits for it, and that tower are two places to park on: sent home at once, it
/// would make some of these boards longer, and others impossible to solve.
#[test]
fn a_disk_with_two_smaller_ones_elsewhere_does_not_always_go_home_at_once() {
    let boards = [
        ("S2R3S3R2S4/R5/R1S1R4/- 7", Some(16)),
        ("S1/R4S2R3/R1R2S3/S4 7", Some(12)),
        ("S3R3S2/R2S1R4/R5/R1 7", Some(13)),
        ("R3S2/R1R2S3R4/R5S4S1/- 7", Some(14)),
    ];
    for (text, expected) in boards {
        let board: Board = text.parse().unwrap();
        assert_eq!(plain_search(&board, 400_000).expect("a small board").distance[0], expected, "{board}");
        assert_eq!(optimum(&board), expected, "{board}");
    }
}

#[test]
fn a_waiting_transfer_counts_where_a_seal_waits_for_transfers() {
    // Peg 1 opens after three transfers; until then only S1 can pass the time between its two pegs.
    assert_eq!(optimum(&"R2/R1/S1/- 7 1s@m3".parse().unwrap()), Some(4));
    assert_eq!(optimum(&"R2/R1/S1/- 7 1s@m0".parse().unwrap()), Some(1));
}

/// Peg 1 opens after 9,999 transfers, the most that a ring may wait for; the transfer after those is the last one.
#[test]
fn the_longest_wait_of_a_ring_is_counted_to_its_end_everywhere() {
    let board: Board = "R2/R1/S1/- 7 1s@m9999".parse().unwrap();
    assert_eq!(optimum(&board), Some(10_000));
    let table = Table::build(&board, u64::MAX, &Budget::default()).unwrap();
    assert_eq!(table.optimum(), Some(10_000));
    assert_eq!(Live::new(&board, Budget::default()).distance(&board, 0), Distance::Exact(10_000));
    // No transfer is left to wait with: the same wait without end.
    let stuck: Board = "R2/R1/S1R3 7 1s@m9999,3s@m9999".parse().unwrap();
    assert_eq!(optimum(&stuck), None);
}

#[test]
fn boards_that_cannot_be_solved_are_proven_so() {
    for text in ["R1R2/S1R3/S2 7", "R2R1/S2S1/R3 2", "R1S1/S2R2/- 7 3s@t2"] {
        assert_eq!(optimum(&text.parse().unwrap()), None, "{text}");
    }
}

#[test]
fn lost_since_names_the_transfer_that_lost_the_board() {
    let board: Board = "R2S2R1/S1/- 7".parse().unwrap();
    let plain = plain_search(&board, 10_000).unwrap();
    let mut analyst = Analyst::new(&board, Budget::default());
    for (start, first) in &plain.next[0] {
        let line = [*start];
        let expected =
            if plain.distance[0].is_none() { Some(0) } else { plain.distance[*first].is_none().then_some(1) };
        assert_eq!(analyst.lost_since(&line), Ok(expected), "{start}");
    }
    assert!(analyst.lost_since(&["1-1".parse().unwrap()]).is_err());
}

#[test]
fn a_search_ends_when_told_to_and_keeps_to_its_memory() {
    // A hard board: 35 disks on 9 pegs, optimum 70.
    let board: Board =
        "V3A6E1R5V6R2A3/E5E7S2R1V7A4R4/S4A2V2A7V5V4S7/E2R6S5S6A1S1E6/E3S3V1A5R7E4R3/-/-/-/- 7".parse().unwrap();
    let budget = Budget::default();
    budget.cancel.cancel();
    assert!(matches!(solve(&board, &budget), Outcome::Exceeded { .. }));
    assert!(Table::build(&board, u64::MAX, &budget).is_err());
    let small = Budget { memory: 1 << 20, ..Budget::default() };
    match solve(&board, &small) {
        Outcome::Exceeded { lower, upper, positions, .. } => {
            assert!(lower <= 70 && upper.is_none_or(|u| u >= 70), "{lower} {upper:?}");
            // 16 bytes of key (85 bits), 8 of its way, and at three quarters full an index of 8 bytes a slot.
            assert!(positions > 10_000 && positions * (16 + 8 + 10) < 1 << 20, "{positions}");
        }
        other => panic!("{other:?}"),
    }
    assert!(Table::build(&board, 1_000, &Budget::default()).is_err());
}

#[test]
fn a_table_is_refused_where_its_distances_would_not_fit_beside_the_graph() {
    // Every peg is of its own kind, so each legal transfer is one of the graph; and one ring makes all of them one-way.
    let board: Board = "R3S4R1S2/S3E1R4E4/E2R2/S1E3/-/- 7,6,5,4,3,2 5c1@m1".parse().unwrap();
    let facts = Table::build(&board, u64::MAX, &Budget::default()).unwrap().facts();
    let (positions, transfers) = (facts.positions as f64, facts.transfers_mean * facts.positions as f64);
    assert!(positions > 100_000.0, "{positions}");
    // A key, an index of 8 bytes a slot at most three quarters full, two offsets, a distance, a place in the queue; and
    // each transfer forwards and backwards.
    let least = positions * (8.0 + 32.0 / 3.0 + 4.0 + 4.0 + 2.0 + 4.0) + transfers * (4.0 + 4.0);
    let with = |memory: f64| Table::build(&board, u64::MAX, &Budget { memory: memory as usize, ..Budget::default() });
    assert!(with(least).is_err());
    assert!(with(2.0 * least).is_ok());
}
