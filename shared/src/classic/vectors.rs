//! What other implementations of the classic tower are held to: `data/classic.json`.
//!
//! What is right is tested elsewhere; here the file is kept equal to what this module says. Numbers beyond 2^53 are
//! texts.

use std::path::Path;

use serde_json::{Value, json};

use super::{DISKS_MAX, Illegal, Method, Peg, Position, Tower, span};

/// Every source and target.
fn pairs() -> impl Iterator<Item = (Peg, Peg)> {
    Peg::ALL.into_iter().flat_map(|a| Peg::ALL.into_iter().filter(move |&b| a != b).map(move |b| (a, b)))
}

fn tower(disks: u8, (source, target): (Peg, Peg)) -> Tower {
    Tower::new(disks.into(), source, target).expect("at most 64 disks, different pegs")
}

/// The pegs of disks 1, 2, 3… as digits.
fn digits(position: &Position) -> String {
    (1..=position.disks()).map(|disk| position.peg_of(disk).to_string()).collect()
}

/// The move with that number, its reasons by method, and the position after it.
fn step(tower: Tower, number: u128) -> Value {
    let reasons: Vec<_> = Method::ALL.map(|method| method.reason(tower, number).expect("in range")).into();
    json!({
        "number": number.to_string(),
        "move": tower.move_at(number).expect("in range").to_string(),
        "after": digits(&tower.after(number).expect("in range")),
        "reasons": reasons,
    })
}

fn whole(tower: Tower, numbers: impl Iterator<Item = u128>) -> Value {
    let disks =
        (1..=tower.disks()).map(|disk| json!([tower.moves_of(disk).to_string(), tower.round_of(disk).to_string()]));
    json!({
        "disks": tower.disks(), "source": tower.source().number(), "target": tower.target().number(),
        "moves": tower.moves().to_string(), "of_disks": disks.collect::<Vec<_>>(),
        "steps": numbers.map(|number| step(tower, number)).collect::<Vec<_>>(),
    })
}

/// The first and the last moves, those about the powers of two, and some by a step that shares no factor with them.
fn samples(moves: u64) -> Vec<u128> {
    let moves = u128::from(moves);
    let powers = (0..64).step_by(7).flat_map(|bit| [(1u128 << bit) - 1, 1 << bit, (1 << bit) + 1]);
    let strewn = (1..8u128).map(|i| i * 2_305_843_009_213_693_951);
    let mut numbers: Vec<u128> = powers.chain(strewn).chain([moves - 1, moves]).collect();
    numbers.retain(|number| (1..=moves).contains(number));
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

fn verdict(position: &Position, from: Peg, to: Peg) -> String {
    match position.check(from, to) {
        Ok(step) => step.disk.to_string(),
        Err(illegal @ (Illegal::Empty(_) | Illegal::SamePeg(..) | Illegal::Smaller { .. })) => illegal.to_string(),
    }
}

/// A position of three disks: what may be moved, and the shortest way to each peg.
fn position(number: usize) -> Value {
    let pegs: Vec<Peg> = [1, 3, 9].map(|weight| Peg::ALL[number / weight % 3]).into();
    let position = Position::of(&pegs).expect("three disks");
    let verdicts = Peg::ALL.map(|from| Peg::ALL.map(|to| verdict(&position, from, to)));
    let ways = Peg::ALL.map(|target| {
        let hint = position.hint(target).map(|step| step.to_string());
        json!([position.moves_left(target).to_string(), hint])
    });
    json!({ "pegs": digits(&position), "verdicts": verdicts, "ways": ways })
}

fn composed() -> String {
    let small = (0..=3).flat_map(|disks| pairs().map(move |pair| tower(disks, pair)));
    let small = small.map(|tower| whole(tower, 1..=tower.moves().into()));
    let large = [(63, 0), (64, 1), (64, 4)];
    let large = large.map(|(disks, pair)| tower(disks, pairs().nth(pair).expect("one of six"))).into_iter();
    let large = large.map(|tower| whole(tower, samples(tower.moves()).into_iter()));
    let spans = (0..=DISKS_MAX).map(|disks| span(tower(disks, (Peg::ALL[0], Peg::ALL[2])).moves()));
    let parts = [
        ("towers", small.chain(large).collect::<Vec<_>>()),
        ("positions", (0..27).map(position).collect()),
        ("spans", spans.map(Value::from).collect()),
    ];
    let parts = parts.map(|(name, rows)| {
        let rows: Vec<String> = rows.iter().map(Value::to_string).collect();
        format!("{name:?}: [\n{}\n]", rows.join(",\n"))
    });
    format!("{{\n{}\n}}\n", parts.join(",\n"))
}

#[test]
fn the_vectors_of_the_classic_tower_are_up_to_date() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/classic.json");
    let expected = composed();
    if std::env::var_os("UPDATE_VECTORS").is_some() {
        std::fs::write(&file, &expected).expect("the data folder can be written");
    }
    let found = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(found == expected, "data/classic.json is out of date: run UPDATE_VECTORS=1 cargo test -p sprint-shared");
}

#[test]
fn every_reason_fits_on_a_line_of_80_characters() {
    for (source, target) in pairs() {
        let tower = tower(DISKS_MAX, (source, target));
        for number in samples(tower.moves()) {
            for method in Method::ALL {
                let reason = method.reason(tower, number).expect("in range");
                assert!(reason.len() <= 80, "{} characters: {reason}", reason.len());
            }
        }
    }
}
