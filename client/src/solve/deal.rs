//! `sprint deal`: seeded boards with what is proven of them.

use std::ops::RangeInclusive;
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use serde_json::json;
use sprint_shared::board::Board;
use sprint_shared::deal::{DEAL_VERSION, NotFound, Seed, Wanted, deal, search};
use sprint_shared::preset::Preset;
use sprint_shared::solver::{Budget, Cancel, Facts, Table};

use super::{DOES_NOT_HOLD, bad_call};

/// Deals boards by preset, or of a make of your own.
#[derive(Args, Clone, Debug)]
pub struct DealArgs {
    /// The preset: initiate, apprentice, standard, expert, master, grandmaster, spire or marathon.
    #[arg(long, value_name = "NAME", required_unless_present = "spectra", conflicts_with = "spectra")]
    pub preset: Option<Preset>,
    /// The seed: a number, 64 hex digits, or a range of numbers such as 1..20, both ends included.
    #[arg(long, value_name = "SEED", value_parser = seeds)]
    pub seed: Seeds,
    /// Own make: spectra, 1 to 5.
    #[arg(long, requires_all = ["sizes", "pegs", "optimum"])]
    pub spectra: Option<u8>,
    /// Own make: disks of each spectrum, 1 to 7.
    #[arg(long)]
    pub sizes: Option<u8>,
    /// Own make: pegs, 3 to 9.
    #[arg(long)]
    pub pegs: Option<u8>,
    /// Own make: pegs without a disk; as many as are beyond the spectra unless said.
    #[arg(long)]
    pub free: Option<u8>,
    /// Own make: one capacity for all, or one a peg separated by commas.
    #[arg(long, value_delimiter = ',', default_value = "7")]
    pub capacity: Vec<u8>,
    /// Own make: the optimum wanted, a number or a range such as 45..55.
    #[arg(long, value_name = "RANGE", value_parser = range)]
    pub optimum: Option<RangeInclusive<u32>>,
    /// Own make: of a thousand positions on the optimal line, how many may be traps, such as 200..400.
    #[arg(long, value_name = "RANGE", value_parser = range)]
    pub trap_share: Option<RangeInclusive<u32>>,
    /// Own make: boards to judge at most for each seed.
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub judge: u32,
    /// Prints positions, share lost, traps and transfers too, where the reachable set can be listed.
    #[arg(long)]
    pub facts: bool,
    /// Prints one JSON object a board.
    #[arg(long)]
    pub json: bool,
}

/// The seeds asked for.
#[derive(Clone, Debug)]
pub enum Seeds {
    /// One.
    One(Seed),
    /// Numbers, both ends included.
    Range(RangeInclusive<u64>),
}

fn seeds(text: &str) -> Result<Seeds, String> {
    let Some((first, last)) = text.split_once("..") else {
        return text.parse().map(Seeds::One).map_err(|error| format!("{error}, or a range such as 1..20"));
    };
    let number = |t: &str| t.parse::<u64>().map_err(|_| format!("{t:?} is no number: a range is written 1..20"));
    let (first, last) = (number(first)?, number(last.trim_start_matches('='))?);
    if first > last { Err("the lower end comes first".to_owned()) } else { Ok(Seeds::Range(first..=last)) }
}

fn range(text: &str) -> Result<RangeInclusive<u32>, String> {
    let number = |t: &str| t.parse::<u32>().map_err(|_| format!("{t:?} is no number: write 50, or 45..55"));
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let (first, last) = (number(first)?, number(last.trim_start_matches('='))?);
    if first > last { Err("the lower end comes first".to_owned()) } else { Ok(first..=last) }
}

/// One board dealt.
struct Dealt {
    board: Board,
    optimum: u32,
    traps: Option<u32>,
    judged: u32,
}

/// Runs `sprint deal`.
pub fn run(args: &DealArgs) -> ExitCode {
    let seeds: Box<dyn Iterator<Item = Seed>> = match &args.seed {
        Seeds::One(seed) => Box::new(std::iter::once(*seed)),
        Seeds::Range(range) => Box::new(range.clone().map(Seed::from)),
    };
    if !args.json {
        println!("seed\tboard\toptimum\ttraps\tdraws\tms");
    }
    for seed in seeds {
        let start = Instant::now();
        let dealt = match make(args, &seed) {
            Ok(dealt) => dealt,
            Err(error @ NotFound::Wanted(_)) => return bad_call(error),
            Err(error) => {
                eprintln!("seed {}: {error}", short(&seed));
                return ExitCode::from(DOES_NOT_HOLD);
            }
        };
        let ms = start.elapsed().as_secs_f64() * 1000.0;
        let facts = if args.facts { facts(&dealt.board) } else { None };
        print(args, &seed, &dealt, facts, ms);
    }
    ExitCode::SUCCESS
}

fn make(args: &DealArgs, seed: &Seed) -> Result<Dealt, NotFound> {
    if let Some(preset) = args.preset {
        let dealt = deal(preset, seed);
        return Ok(Dealt { board: dealt.board, optimum: dealt.optimum, traps: dealt.traps, judged: dealt.draws });
    }
    let (spectra, sizes, pegs) = (args.spectra.unwrap_or(0), args.sizes.unwrap_or(0), args.pegs.unwrap_or(0));
    let capacities = match args.capacity[..] {
        [one] => vec![one; pegs.into()],
        _ => args.capacity.clone(),
    };
    if capacities.len() != usize::from(pegs) {
        let text = format!("{} capacities for {pegs} pegs: give one for all, or one a peg", capacities.len());
        return Err(NotFound::Wanted(text));
    }
    let wanted = Wanted {
        spectra,
        sizes,
        capacities,
        free: args.free.unwrap_or(pegs.saturating_sub(spectra)),
        optimum: args.optimum.clone().unwrap_or(1..=u32::MAX),
        traps_permille: args.trap_share.clone(),
        traps_min: 0,
    };
    let found = search(&wanted, seed, args.judge, &Cancel::default())?;
    Ok(Dealt { board: found.board, optimum: found.optimum, traps: found.traps, judged: found.judged })
}

fn facts(board: &Board) -> Option<Facts> {
    Table::build(board, 4_000_000, &Budget::default()).ok().map(|table| table.facts())
}

/// A number where the seed is one, else its hex digits.
fn short(seed: &Seed) -> String {
    let [first, rest @ ..] = seed.words();
    if rest == [0; 3] { first.to_string() } else { seed.to_string() }
}

fn print(args: &DealArgs, seed: &Seed, dealt: &Dealt, facts: Option<Facts>, ms: f64) {
    let traps = dealt.traps.or(facts.map(|f| f.traps));
    if args.json {
        let facts = facts.map(|f| {
            json!({
                "positions": f.positions, "lost_share": f.lost_share(), "traps": f.traps,
                "transfers_mean": f.transfers_mean, "transfers_max": f.transfers_max,
            })
        });
        let object = json!({
            "deal_version": DEAL_VERSION, "preset": args.preset, "seed": seed.to_string(),
            "board": dealt.board.to_string(), "optimum": dealt.optimum, "traps": traps, "draws": dealt.judged,
            "facts": facts, "ms": ms,
        });
        println!("{object}");
        return;
    }
    let traps = traps.map_or("-".to_owned(), |t| t.to_string());
    print!("{}\t{}\t{}\t{traps}\t{}\t{ms:.1}", short(seed), dealt.board, dealt.optimum, dealt.judged);
    match facts {
        Some(f) => println!(
            "\tpositions {} lost {:.3} transfers mean {:.2} greatest {}",
            f.positions,
            f.lost_share(),
            f.transfers_mean,
            f.transfers_max
        ),
        None if args.facts => println!("\tpositions unknown"),
        None => println!(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_one_or_a_range_with_both_ends() {
        assert!(matches!(seeds("7"), Ok(Seeds::One(seed)) if seed == Seed::from(7)));
        assert!(matches!(seeds("1..20"), Ok(Seeds::Range(range)) if range == (1..=20)));
        assert!(matches!(seeds("1..=20"), Ok(Seeds::Range(range)) if range == (1..=20)));
        for text in ["", "x", "20..1", "1..x", "-1"] {
            assert!(seeds(text).is_err(), "{text}");
        }
    }

    #[test]
    fn optima_are_a_number_or_a_range() {
        assert_eq!(range("50"), Ok(50..=50));
        assert_eq!(range("45..55"), Ok(45..=55));
        assert!(range("55..45").is_err());
        assert!(range("many").is_err());
    }
}
