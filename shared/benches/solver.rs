//! `cargo bench -p sprint-shared --bench solver`: what the solver and its tables cost, with every answer checked.
//!
//! Prints one line a measurement: the median and the greatest time, positions a second, and bytes a position for tables.
//! Ends with an error if an answer is wrong. Times are of one thread unless the line says otherwise.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::{Duration, Instant};

use sprint_shared::board::Board;
use sprint_shared::deal::{Seed, deal};
use sprint_shared::preset::Preset;
use sprint_shared::rules::Transfers;
use sprint_shared::solver::{Budget, Distance, Live, Outcome, Table, solve};

fn main() {
    solve_labelled();
    build_tables();
    query_table();
    live_games();
    deal_presets();
}

fn labelled() -> BTreeMap<String, Vec<(Board, Option<u32>)>> {
    let mut classes: BTreeMap<String, Vec<(Board, Option<u32>)>> = BTreeMap::new();
    for row in include_str!("../data/labelled.tsv").lines().skip(1) {
        let fields: Vec<&str> = row.split('\t').collect();
        let board = fields[1].parse().expect("a board of the labelled file");
        classes.entry(fields[0].to_owned()).or_default().push((board, fields[2].parse().ok()));
    }
    classes
}

/// Every class but the deals of 35 disks on 9 pegs with fewer than four free, which take minutes.
fn solve_labelled() {
    for (class, boards) in labelled() {
        if class.starts_with("c5s7p9") && !class.ends_with("deal4") && !class.ends_with("scr") {
            continue;
        }
        let mut times = Vec::new();
        let mut met = 0;
        for (board, label) in &boards {
            let start = Instant::now();
            let outcome = solve(board, &Budget::default());
            times.push(start.elapsed());
            let (optimum, positions) = match outcome {
                Outcome::Solved { optimum, positions, .. } => (Some(optimum), positions),
                Outcome::Unsolvable { positions } => (None, positions),
                Outcome::Exceeded { .. } => panic!("{board}: 2 GiB were not enough"),
            };
            assert_eq!(optimum, *label, "{board}");
            met += positions;
        }
        report(&format!("solve {class}"), times, met, None);
    }
}

/// The largest reachable set of 35 disks on 8 pegs among the labelled boards, and a standard board.
fn build_tables() {
    let standard = deal(Preset::Standard, &Seed::from(1));
    table("table standard", &standard.board, Some(standard.optimum), 1);
    let classes = labelled();
    let eight = classes.iter().filter(|(class, _)| class.starts_with("c5s7p8")).flat_map(|(_, boards)| boards);
    let positions =
        |board: &Board| Table::build(board, 8_000_000, &Budget::default()).map_or(0, |table| table.facts().positions);
    let (board, label) = eight.max_by_key(|(board, _)| positions(board)).expect("boards on 8 pegs");
    table("table largest on 8 pegs", board, *label, 1);
    table("table largest on 8 pegs, 2 threads", board, *label, 2);
}

fn table(name: &str, board: &Board, optimum: Option<u32>, threads: usize) {
    let mut times = Vec::new();
    let mut facts = (0, 0.0);
    for _ in 0..5 {
        let start = Instant::now();
        let table = Table::build(board, u64::MAX, &Budget { threads, ..Budget::default() }).expect("it fits");
        times.push(start.elapsed());
        assert_eq!(table.optimum(), optimum, "{board}");
        let positions = table.facts().positions;
        facts = (positions, table.bytes() as f64 / positions as f64);
    }
    report(name, times, facts.0 * 5, Some(facts.1));
}

fn query_table() {
    let dealt = deal(Preset::Standard, &Seed::from(2));
    let table = Table::build(&dealt.board, u64::MAX, &Budget::default()).expect("a standard board is small");
    let line = table.line().expect("dealt boards can be solved");
    let mut positions = vec![dealt.board.clone()];
    for transfer in &line {
        let mut next = positions[positions.len() - 1].clone();
        next.play_unchecked(*transfer);
        positions.push(next);
    }
    let rounds = 20_000;
    let start = Instant::now();
    for _ in 0..rounds {
        for (made, position) in (0..).zip(&positions) {
            let distance = black_box(&table).distance(black_box(position), made);
            assert_eq!(distance, Some(dealt.optimum - made));
        }
    }
    let each = start.elapsed() / (rounds * positions.len() as u32);
    println!("query standard\t{} ns each", each.as_nanos());
}

/// Games on 35 disks and 9 pegs, where no table fits: an optimal line with a mistake every tenth transfer, each position
/// asked about as it comes up; and for the first board of each class, a search of its own for each position.
fn live_games() {
    let classes = labelled();
    for class in ["c5s7p9k7-scr", "c5s7p9k7-deal4"] {
        for (number, (board, label)) in classes[class].iter().enumerate() {
            let start = Instant::now();
            let mut live = Live::new(board, Budget::default());
            assert_eq!(live.distance(board, 0), label.map_or(Distance::Lost, Distance::Exact), "{board}");
            let (first, first_time) = (live.expanded(), start.elapsed());
            let start = Instant::now();
            let (game, slowest) = game(board, &mut live);
            let (more, more_time) = (live.expanded() - first, start.elapsed());
            println!(
                "live {class}\tfirst {first} expanded {first_time:?}\t{} more positions {more} expanded {more_time:?}, \
                 slowest {slowest:?}",
                game.len() - 1
            );
            if number == 0 {
                search_anew(class, board, &game);
            }
        }
    }
}

fn search_anew(class: &str, board: &Board, game: &[(Board, Transfers, u32)]) {
    let start = Instant::now();
    let mut expanded = 0;
    for (position, made, distance) in game {
        let mut fresh = Live::new(board, Budget::default());
        assert_eq!(fresh.distance(position, *made), Distance::Exact(*distance), "{board}: {position}");
        expanded += fresh.expanded();
    }
    println!("live {class}\tthe same positions anew {expanded} expanded {:?}", start.elapsed());
}

/// The positions of a game with their distances, and the longest time that one of them took.
fn game(board: &Board, live: &mut Live) -> (Vec<(Board, Transfers, u32)>, Duration) {
    let mut position = board.clone();
    let mut game = Vec::new();
    let mut slowest = Duration::ZERO;
    for made in 0.. {
        let start = Instant::now();
        let Distance::Exact(left) = live.distance(&position, made) else { panic!("{position}: not known") };
        slowest = slowest.max(start.elapsed());
        game.push((position.clone(), made, left));
        if left == 0 {
            break;
        }
        let mut best = None;
        let mut bad = Vec::new();
        for transfer in position.legal_transfers(made) {
            let mut next = position.clone();
            next.play_unchecked(transfer);
            match live.bounds(&next, made + 1) {
                Distance::Exact(there) if there + 1 == left => best = best.or(Some(next)),
                Distance::Exact(_) | Distance::Between { upper: Some(_), .. } => bad.push(next),
                Distance::Between { upper: None, .. } | Distance::Lost => {}
            }
        }
        let mistake = (made % 10 == 9 && !bad.is_empty()).then(|| bad.swap_remove(made as usize / 10 % bad.len()));
        position = mistake.or(best).expect("the known line goes on");
    }
    (game, slowest)
}

fn deal_presets() {
    for preset in Preset::ALL {
        if preset == Preset::Marathon {
            continue;
        }
        let mut times = Vec::new();
        let mut judged = 0;
        for seed in 1..=10 {
            let start = Instant::now();
            let dealt = deal(preset, &Seed::from(seed));
            times.push(start.elapsed());
            assert!(preset.spec().optimum.contains(&dealt.optimum), "{preset} {seed}");
            judged += dealt.draws;
        }
        times.sort();
        println!(
            "deal {preset}\tmedian {:?}\tgreatest {:?}\t{:.1} boards judged each",
            times[5],
            times[9],
            f64::from(judged) / 10.0
        );
    }
}

fn report(name: &str, mut times: Vec<Duration>, positions: u64, bytes: Option<f64>) {
    times.sort();
    let total: Duration = times.iter().sum();
    let rate = positions as f64 / total.as_secs_f64() / 1e6;
    let (median, greatest) = (times[times.len() / 2], times[times.len() - 1]);
    print!("{name}\tmedian {median:?}\tgreatest {greatest:?}\t{rate:.2} M positions/s");
    match bytes {
        Some(bytes) => println!("\t{} positions\t{bytes:.2} bytes/position", positions / times.len() as u64),
        None => println!(),
    }
}
