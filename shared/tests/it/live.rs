//! Live distances against whole tables: on walks of good transfers and bad ones, every exact value is the table's and
//! every bracket holds; and what was searched once is not searched again.

use std::collections::HashSet;

use proptest::prelude::*;
use sprint_shared::analysis::{Analyst, Cost};
use sprint_shared::board::Board;
use sprint_shared::deal::{Seed, deal};
use sprint_shared::notation::position_of;
use sprint_shared::peg::Pegs;
use sprint_shared::preset::Preset;
use sprint_shared::rules::{Transfer, Transfers};
use sprint_shared::solver::{Budget, Distance, Live, Table};

use crate::boards::{ringless_board, small_board};
use crate::labelled::{Labelled, labelled};

/// Whether what is said of a position holds.
fn holds(said: Distance, exact: Option<u32>) -> bool {
    match said {
        Distance::Exact(n) => exact == Some(n),
        Distance::Lost => exact.is_none(),
        Distance::Between { lower, upper: None } => exact.is_none_or(|d| lower <= d),
        Distance::Between { lower, upper: Some(upper) } => exact.is_some_and(|d| lower <= d && d <= upper),
    }
}

fn is_exact(said: Distance) -> bool {
    !matches!(said, Distance::Between { .. })
}

fn after(position: &Board, transfer: Transfer) -> Board {
    let mut next = position.clone();
    next.play_unchecked(transfer);
    next
}

/// One step of a walk: which transfer, whether an optimal one is taken instead where there is one, and what is asked.
type Choice = (usize, bool, u8);

fn walk(table: &Table, live: &mut Live, choices: &[Choice], must_end: bool) -> Result<(), TestCaseError> {
    let mut position = table.board().clone();
    for (made, &(choice, optimal, asked)) in (0..).zip(choices) {
        let exact = table.distance(&position, made);
        if asked & 1 == 1 {
            let said = live.bounds(&position, made);
            prop_assert!(holds(said, exact), "{} in {}: {:?}, not {:?}", position, table.board(), said, exact);
        }
        if asked & 2 == 2 {
            let said = live.distance(&position, made);
            prop_assert!(holds(said, exact), "{} in {}: {:?}, not {:?}", position, table.board(), said, exact);
            prop_assert!(is_exact(said) || !must_end, "{} in {}: {:?}", position, table.board(), said);
            // What is known exactly is known at once from then on, where there is room for it.
            prop_assert!(is_exact(live.bounds(&position, made)) || !is_exact(said) || !must_end);
        }
        let legal = position.legal_transfers(made);
        if asked & 4 == 4 {
            for &transfer in &legal {
                let said = live.bounds(&after(&position, transfer), made + 1);
                let there = table.after(&position, transfer, made);
                prop_assert!(holds(said, there), "{} {}: {:?}, not {:?}", position, transfer, said, there);
            }
        }
        let best = legal.iter().find(|t| exact.is_some_and(|d| table.after(&position, **t, made) == d.checked_sub(1)));
        let Some(&any) = legal.get(choice % legal.len().max(1)) else { break };
        position.play_unchecked(*best.filter(|_| optimal).unwrap_or(&any));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn exact_values_are_the_tables_and_brackets_hold_on_any_walk(
        board in small_board(),
        choices in prop::collection::vec((0usize..40, any::<bool>(), 0u8..8), 1..50),
    ) {
        let Ok(table) = Table::build(&board, 50_000, &Budget::default()) else { return Ok(()) };
        walk(&table, &mut Live::new(&board, Budget::default()), &choices, true)?;
    }

    #[test]
    fn brackets_hold_where_memory_is_short_and_what_was_known_is_forgotten(
        board in small_board(),
        choices in prop::collection::vec((0usize..40, any::<bool>(), 0u8..8), 1..50),
        kib in 1usize..64,
    ) {
        let Ok(table) = Table::build(&board, 50_000, &Budget::default()) else { return Ok(()) };
        let short = Budget { memory: kib << 10, ..Budget::default() };
        let mut live = Live::new(&board, short);
        walk(&table, &mut live, &choices, false)?;
        // Whatever the budget: the table of the board's bound, 256 positions, and an index of 256 slots.
        prop_assert!(live.bytes() <= (kib << 10).max(24 << 10), "{} of {} KiB", live.bytes(), kib);
    }
}

/// The boards with one disk pulled out of its stack from anywhere and put on another: hardly any can be reached.
fn one_pulled_out(board: &Board) -> Vec<Board> {
    let stacks: Vec<Vec<String>> =
        board.pegs().iter().map(|(_, peg)| peg.disks().iter().map(ToString::to_string).collect()).collect();
    let mut boards = Vec::new();
    for (from, height) in (0..stacks.len()).flat_map(|from| (0..stacks[from].len()).map(move |height| (from, height))) {
        for to in (0..stacks.len()).filter(|to| *to != from) {
            let mut stacks = stacks.clone();
            let disk = stacks[from].remove(height);
            stacks[to].push(disk);
            let pegs: Vec<String> =
                stacks.iter().map(|s| if s.is_empty() { "-".to_owned() } else { s.concat() }).collect();
            boards.extend(position_of(board, &pegs.join("/")));
        }
    }
    boards
}

/// Every position that can be reached on a board without rings, pegs named; `None` if there are more than `most`.
fn within_reach(board: &Board, most: usize) -> Option<HashSet<Pegs>> {
    let mut met = HashSet::from([board.pegs().clone()]);
    let mut open = vec![board.clone()];
    while let Some(position) = open.pop() {
        for next in position.legal_transfers(0).into_iter().map(|transfer| after(&position, transfer)) {
            if met.insert(next.pegs().clone()) {
                open.push(next);
            }
        }
        if met.len() > most {
            return None;
        }
    }
    Some(met)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn questions_about_positions_out_of_reach_spoil_no_answer(board in ringless_board()) {
        let Some(within_reach) = within_reach(&board, 3_000) else { return Ok(()) };
        let table = Table::build(&board, 3_000, &Budget::default()).expect("no more positions than with pegs named");
        let mut live = Live::new(&board, Budget::default());
        for position in one_pulled_out(&board) {
            live.bounds(&position, 1);
            for next in position.legal_transfers(1).into_iter().map(|transfer| after(&position, transfer)) {
                if within_reach.contains(next.pegs()) {
                    let (said, exact) = (live.bounds(&next, 2), table.distance(&next, 2));
                    prop_assert!(holds(said, exact), "{} in {}: {:?}, not {:?}", next, board, said, exact);
                }
            }
        }
    }
}

/// R5 may come to lie under S1 only as it did at the start: on R3 on R6. Taken for the tangle of the start, the position asked
/// about first would be held to be three transfers away, and so the next one two, which is one.
#[test]
fn a_tangle_on_other_disks_than_at_the_start_is_not_that_of_the_start() {
    let board: Board = "R6R3R5S1/-/-/- 7".parse().unwrap();
    let at = |pegs| position_of(&board, pegs).unwrap();
    let mut live = Live::new(&board, Budget::default());
    live.bounds(&at("R6R5S1/R3/-/-"), 4);
    assert_eq!(live.distance(&at("R6R5/R3/S1/-"), 4), Distance::Exact(1));
}

/// Larger boards with whole tables: labelled ones of several makes and dealt ones, many of them full of traps.
fn listed() -> Vec<Table> {
    let classes = ["c3s7p6", "c4s7p7", "c5s6p8", "c5s7p7"];
    let is_one =
        |row: &Labelled| classes.iter().any(|class| row.class.starts_with(class)) && !row.class.ends_with("scr");
    let rows = labelled().into_iter().filter(|row| is_one(row) && row.optimum.is_some()).map(|row| row.board);
    let dealt = (1..=5).flat_map(|seed| {
        let seed = Seed::from(seed);
        [Preset::Standard, Preset::Expert].map(|preset| deal(preset, &seed).board)
    });
    rows.chain(dealt).filter_map(|board| Table::build(&board, 250_000, &Budget::default()).ok()).collect()
}

/// An optimal line with a mistake every tenth transfer, another one each time: positions and transfers made.
fn game(table: &Table) -> Vec<(Board, Transfers)> {
    let mut position = table.board().clone();
    let mut game = vec![(position.clone(), 0)];
    for made in 0..400 {
        let Some(left) = table.distance(&position, made).filter(|d| *d > 0) else { break };
        let legal = position.legal_transfers(made);
        let is_best = |t: &&Transfer| table.after(&position, **t, made) == Some(left - 1);
        let is_mistake = |t: &&Transfer| table.after(&position, **t, made).is_some_and(|d| d >= left);
        let bad = legal.iter().filter(is_mistake).nth(made as usize / 10 % 3);
        let chosen =
            bad.filter(|_| made % 10 == 9).or_else(|| legal.iter().find(is_best)).expect("some transfer is best");
        position.play_unchecked(*chosen);
        game.push((position.clone(), made + 1));
    }
    game
}

#[test]
fn a_game_with_mistakes_costs_far_fewer_expansions_than_searching_anew() {
    let (mut reused, mut anew, mut boards) = (0, 0, 0);
    for table in listed() {
        let mut live = Live::new(table.board(), Budget::default());
        assert_eq!(
            live.distance(table.board(), 0),
            Distance::Exact(table.optimum().expect("solvable")),
            "{}",
            table.board()
        );
        for (number, (position, made)) in game(&table).into_iter().enumerate() {
            let exact = table.distance(&position, made);
            assert_eq!(live.distance(&position, made), exact.map_or(Distance::Lost, Distance::Exact), "{position}");
            // Every third is enough to tell.
            if number % 3 == 0 {
                let mut fresh = Live::new(table.board(), Budget::default());
                fresh.distance(&position, made);
                anew += fresh.expanded();
            }
        }
        reused += live.expanded();
        boards += 1;
    }
    assert!(boards >= 10, "{boards}");
    assert!(reused * 4 < anew, "{reused} of {anew}");
}

#[test]
fn what_is_held_keeps_to_the_budget_and_is_forgotten_when_that_is_full() {
    const MEMORY: usize = 1 << 20;
    let mut forgotten = 0;
    for table in listed().into_iter().take(8) {
        let mut live = Live::new(table.board(), Budget { memory: MEMORY, ..Budget::default() });
        let mut before = 0;
        for (position, made) in game(&table) {
            for transfer in position.legal_transfers(made) {
                let reached = after(&position, transfer);
                let exact = table.distance(&reached, made + 1);
                for said in [live.bounds(&reached, made + 1), live.distance(&reached, made + 1)] {
                    assert!(holds(said, exact), "{reached} in {}: {said:?}, not {exact:?}", table.board());
                    assert!(live.bytes() <= MEMORY, "{}: {}", table.board(), live.bytes());
                }
                forgotten += u32::from(live.bytes() < before);
                before = live.bytes();
            }
        }
    }
    assert!(forgotten > 0);
}

#[test]
fn along_an_optimal_line_nothing_is_searched_and_beside_it_the_bracket_is_narrow_at_once() {
    for table in listed() {
        let optimum = table.optimum().expect("solvable");
        let mut live = Live::new(table.board(), Budget::default());
        live.distance(table.board(), 0);
        let first = live.expanded();
        let mut position = table.board().clone();
        for made in 0..optimum {
            let here = optimum - made;
            let mut next = None;
            for transfer in position.legal_transfers(made) {
                let reached = after(&position, transfer);
                let back = Transfer { from: transfer.to, to: transfer.from };
                let said = live.bounds(&reached, made + 1);
                assert!(holds(said, table.distance(&reached, made + 1)), "{reached}: {said:?}");
                let (lower, upper) = match said {
                    Distance::Exact(n) => (n, Some(n)),
                    Distance::Between { lower, upper } => (lower, upper),
                    Distance::Lost => continue,
                };
                assert!(lower + 1 >= here, "{reached}: {said:?} beside {here}");
                if reached.check(back, made + 1).is_ok() {
                    assert!(upper.is_some_and(|u| u <= here + 1), "{reached}: {said:?} beside {here}");
                }
                next = next.or((said == Distance::Exact(here - 1)).then_some(reached));
            }
            position = next.expect("the known line goes on");
        }
        assert!(position.is_harmony());
        assert_eq!(live.expanded(), first, "{}", table.board());
    }
}

#[test]
fn a_cancelled_search_leaves_a_bracket_that_holds() {
    for table in listed().into_iter().take(6) {
        let budget = Budget::default();
        budget.cancel.cancel();
        let mut live = Live::new(table.board(), budget);
        assert!(holds(live.distance(table.board(), 0), table.optimum()), "{}", table.board());
        assert_eq!(live.expanded(), 0);
    }
}

#[test]
fn thirty_five_disks_on_nine_pegs_are_analysed_without_a_table() {
    for row in labelled().iter().filter(|row| row.class == "c5s7p9k7-scr") {
        let optimum = row.optimum.expect("scrambled boards can be solved");
        let mut analyst = Analyst::new(&row.board, Budget::default());
        assert!(analyst.table().is_none());
        assert!(holds(analyst.bounds(&row.board, 0), row.optimum), "{}", row.board);
        let costs = analyst.costs(&row.board, 0);
        assert_eq!(costs.len(), row.board.legal_transfers(0).len());
        for (transfer, cost) in &costs {
            let expected = match analyst.distance(&after(&row.board, *transfer), 1) {
                Distance::Exact(there) => Cost::Wastes(there + 1 - optimum),
                Distance::Lost => Cost::Loses,
                between @ Distance::Between { .. } => panic!("{between:?}"),
            };
            assert_eq!(*cost, expected, "{}: {transfer}", row.board);
        }
        let mut line = Vec::new();
        let mut position = row.board.clone();
        while let Some(&best) = analyst.best(&position, line.len() as Transfers).first() {
            position.play(best, line.len() as Transfers).expect("legal");
            line.push(best);
        }
        assert!(position.is_harmony());
        assert_eq!(line.len() as u32, optimum, "{}", row.board);
        assert_eq!(analyst.lost_since(&line), Ok(None));
    }
}
