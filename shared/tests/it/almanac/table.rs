//! `docs/almanac.md`: the table of the stages, written from the data and the solver and held up to date by a test.

use std::fmt::Write;
use std::path::Path;

use sprint_shared::almanac::{Stage, almanac};
use sprint_shared::solver::{Budget, Table};

const HEADER: &str = "# The almanac

The fifty stages of Campaign Master, written from `shared/data/almanac.txt`. Do not edit: run
`UPDATE_ALMANAC=1 cargo test -p sprint-shared --test it almanac`.

Every *optimum* is the least number of transfers, proven in the tests; *par* is 1.2 times that, rounded up. *D* is the difficulty,
roughly the seconds of a casual player: it grows by about 12 % a stage. *Positions* are those that can be reached, pegs of equal
kind interchangeable, and *lost* is the share of them from which harmony can no longer be reached; \"unknown\" where there are
more than two millions. The features are spectra × sizes, pegs, pegs free at the start, then places that collars take off, seals and
homes.
";

/// Larger reachable sets are not listed here.
const LISTED_MAX: u64 = 2_000_000;

fn composed() -> String {
    let mut text = HEADER.to_owned();
    for stages in almanac().chapters() {
        write!(text, "\n## {}\n", stages[0].chapter).expect("a string takes all");
        text += "| stage | name | idea | optimum | par | D s | positions | lost | features |\n";
        text += "|---|---|---|---|---|---|---|---|---|\n";
        stages.iter().for_each(|stage| text += &row(stage));
    }
    text
}

fn row(stage: &Stage) -> String {
    let listed = Table::build(&stage.board, LISTED_MAX, &Budget::default()).map(|table| table.facts());
    let (positions, lost) = listed.map_or_else(
        |_| ("unknown".to_owned(), "unknown".to_owned()),
        |facts| (grouped(facts.positions), percent(facts.lost, facts.positions)),
    );
    let Stage { number, name, idea, optimum, .. } = stage;
    let (par, d, features) = (stage.par(), seconds(stage.difficulty_s()), stage.features());
    format!("| {number} | {name} | {idea} | {optimum} | {par} | {d} | {positions} | {lost} | {features} |\n")
}

fn seconds(d: f64) -> String {
    if d < 10.0 { format!("{d:.1}") } else { format!("{d:.0}") }
}

fn grouped(number: u64) -> String {
    if number < 1000 { number.to_string() } else { format!("{},{:03}", grouped(number / 1000), number % 1000) }
}

/// Nothing is told as 0 % but 0.
fn percent(part: u64, whole: u64) -> String {
    let tenths = 1000 * part / whole;
    match (part, tenths) {
        (0, _) => "0 %".to_owned(),
        (_, 0) => "< 0.1 %".to_owned(),
        (_, 1..=99) => format!("{}.{} %", tenths / 10, tenths % 10),
        _ => format!("{} %", tenths / 10),
    }
}

#[test]
fn the_table_of_the_almanac_is_up_to_date() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/almanac.md");
    let expected = composed();
    if std::env::var_os("UPDATE_ALMANAC").is_some() {
        std::fs::write(&file, &expected).expect("the docs folder can be written");
    }
    let found = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        found == expected,
        "docs/almanac.md is out of date: run UPDATE_ALMANAC=1 cargo test -p sprint-shared --test it almanac"
    );
}

#[test]
fn shares_and_large_numbers_are_written_for_people() {
    assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    assert_eq!(
        [(0, 7), (1, 5000), (37, 1000), (542, 1000)].map(|(p, w)| percent(p, w)),
        ["0 %", "< 0.1 %", "3.7 %", "54 %"]
    );
}
