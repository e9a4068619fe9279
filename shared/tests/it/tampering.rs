//! Tampering: whatever is changed in a stored round is noticed, and named by its place.

use std::sync::LazyLock;

use proptest::prelude::*;
use serde_json::{Value, json};
use sprint_shared::replay::file;
use sprint_shared::verify::{Verdict, verify};

use honest::prologue;
use kinds::{DEAL, ORDER, OUTCOME, PLAY, TIMES};

pub mod honest;
mod kinds;

static HONEST: LazyLock<Value> = LazyLock::new(honest::round);

/// What `sprint verify` prints of a round.
fn said(round: &Value) -> Vec<String> {
    match file::of_value(round.clone()) {
        Ok(round) => verify(&round).differences.iter().map(ToString::to_string).collect(),
        Err(error) => vec![error.to_string()],
    }
}

/// Whether a line begins so; `#` stands for any number.
fn begins(line: &str, pattern: &str) -> bool {
    let mut rest = line;
    for (index, part) in pattern.split('#').enumerate() {
        if index > 0 {
            rest = rest.trim_start_matches('-').trim_start_matches(|c: char| c.is_ascii_digit());
        }
        match rest.strip_prefix(part) {
            Some(after) => rest = after,
            None => return false,
        }
    }
    true
}

#[test]
fn an_honest_round_has_no_difference() {
    assert_eq!(said(&HONEST), Vec::<String>::new());
    let round = file::of_value(HONEST.clone()).unwrap();
    assert_eq!(verify(&round), Verdict::default());
    assert!(round.result.interrupted && round.result.seats.iter().any(|s| s.gave_up));
    assert_eq!(round.result.seats.iter().map(|s| s.rank).collect::<Vec<_>>(), [1, 2, 3, 4]);
}

#[test]
fn every_kind_of_tampering_is_named() {
    let all = [TIMES, ORDER, PLAY, OUTCOME, DEAL].concat();
    assert!(all.len() >= 44, "{} kinds", all.len());
    let mut unnamed = Vec::new();
    for (what, tamper, expected) in all {
        let mut round = HONEST.clone();
        tamper(&mut round);
        assert_ne!(round, *HONEST, "{what}");
        let lines = said(&round);
        match lines.iter().find(|line| begins(line, expected)) {
            Some(line) => println!("{what}: {line}"),
            None => unnamed.push(format!("{what}: not {expected:?} in {lines:#?}")),
        }
    }
    assert!(unnamed.is_empty(), "{}", unnamed.join("\n"));
}

/// `UPDATE_DOCS=1` writes it.
#[test]
fn the_list_of_tamperings_is_up_to_date() {
    let mut expected = String::from(
        "# What `sprint verify` says of a round that was tampered with\n\n\
         Every kind is tried on one honest round of four racers, with errors, an undo, a reset, a two-handed act, a giving up and an\n\
         interruption (`shared/tests/it/tampering.rs`). \"Everywhere\" is a careful forger: result, told events and reveal are made to\n\
         fit, all but the chain, which those who were there have noted. Beside these, any single number, text or flag of the round\n\
         is changed at random, and must be noticed.\n\n\
         What no round proves: names; how far ahead a countdown was when it was told, how long countdowns and idleness last in the\n\
         room, and when it stood as it did before the round; how long after the last decision the end was written. A server that\n\
         makes a whole round up, chain included, makes an honest one as far as anybody can tell: `--chain` holds a round against\n\
         the chain that its racers were told at its end. A round on a blueprint has no deal, and its optimum is solved again,\n\
         but for a stage's and a lesson's, which are printed. A shuffled board is dealt again, a daily one once its day has revealed its\n\
         seed. Where a search takes too much, the day is on, or a round is from before there were chains, the verdict says what was not\n\
         checked.\n\n\
         | what was changed | how a line begins that names it |\n|---|---|\n",
    );
    for (what, _, said) in [TIMES, ORDER, PLAY, OUTCOME, DEAL].concat() {
        let what = what.split_once(' ').expect("a number and a text").1;
        expected.push_str(&format!("| {what} | `{}` |\n", said.trim_end().replace('#', "N")));
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/tampering.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path, &expected).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap(), expected, "UPDATE_DOCS=1 writes it anew");
}

#[test]
fn a_round_of_the_first_format_is_still_proven_but_for_its_chain() {
    let round = file::read(include_str!("../../data/replay-0.json")).expect("read for good");
    let verdict = verify(&round);
    assert_eq!(verdict, Verdict { differences: vec![], not_checked: vec!["chain"] });
}

/// `data/replay-1.json` is never rewritten: what it holds must be read, proven and written as it was, its chain with it.
#[test]
fn format_1_is_read_and_written_as_it_was() {
    let text = include_str!("../../data/replay-1.json");
    let round = file::read(text).expect("read for good");
    assert_eq!(verify(&round), Verdict::default());
    assert_eq!(serde_json::to_string(&round).unwrap(), text.trim_end());
}

/// Every number, string and flag of a JSON, by its path.
fn leaves(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, of)| leaves(of, &format!("{path}/{name}"), found)),
        Value::Array(items) => items.iter().enumerate().for_each(|(at, of)| leaves(of, &format!("{path}/{at}"), found)),
        Value::Null => {}
        _ => found.push(path.to_owned()),
    }
}

/// What a round does not prove: names, how far ahead a countdown was when it was told, and when and under which patience
/// the room stood before the round.
fn is_unproven(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').skip(1).collect();
    let in_prologue = parts[0] == "record" && parts[1].parse().is_ok_and(|at: usize| at < prologue(&HONEST));
    let last = parts[parts.len() - 1];
    matches!(last, "name" | "in_ms" | "countdown_ms" | "idle_ms") || (in_prologue && last == "at")
}

fn changed(leaf: &Value, by: u32) -> Value {
    match leaf {
        Value::Bool(flag) => json!(!flag),
        Value::Number(number) => {
            let more = i64::from(by) - 500;
            json!(number.as_i64().expect("all are integers") + if more == 0 { 1 } else { more })
        }
        text => {
            let mut text: Vec<char> = text.as_str().expect("text").chars().collect();
            let at = by as usize % text.len().max(1);
            match text.get_mut(at) {
                Some(letter) => *letter = if *letter == '0' { '1' } else { '0' },
                None => text.push('0'),
            }
            json!(text.into_iter().collect::<String>())
        }
    }
}

static LEAVES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut found = Vec::new();
    leaves(&HONEST, "", &mut found);
    found.retain(|path| !is_unproven(path));
    found
});

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]
    #[test]
    fn any_changed_leaf_of_a_round_is_noticed(leaf in any::<prop::sample::Index>(), by in 0..1000_u32) {
        let path = leaf.get(&LEAVES);
        let mut round = HONEST.clone();
        let value = round.pointer_mut(path).expect("a path of the round");
        *value = changed(value, by);
        prop_assert!(!said(&round).is_empty(), "{path} can be made {value} unseen", value = round.pointer(path).unwrap());
    }
}
