//! `sprint verify`: stored rounds proven from their own events, their boards dealt again, their commitments kept.
//!
//! It believes nothing that the server says about itself; everything is worked out again here.

use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use serde_json::{Value, json};
use sprint_shared::api::Match;
use sprint_shared::deal::Seed;
use sprint_shared::event::Event;
use sprint_shared::replay;
use sprint_shared::verify::{Difference, differences, not_checked};
use uuid::Uuid;

use crate::api::{Api, Server};
use crate::solve::{BAD_CALL, DOES_NOT_HOLD, bad_call};

/// Proves stored rounds: replays their events by the rules, works out times, ranks and scores again, deals their boards
/// again, checks commitment, seed and chain.
#[derive(Args, Clone, Debug)]
pub struct VerifyArgs {
    /// A file with a round as `GET /api/v1/matches/ID` answers it, or that address itself; several of them, too.
    #[arg(value_name = "FILE or URL", required = true)]
    pub rounds: Vec<String>,
    /// The chain that the round must have, as `round_over` told it: 64 hex digits. For one round.
    #[arg(long, value_name = "HEX")]
    pub chain: Option<Seed>,
    /// Prints one JSON object, with what could not be checked.
    #[arg(long)]
    pub json: bool,
}

/// What came of one place.
struct Outcome {
    place: String,
    /// The round with what differs, or why there is none.
    read: Result<(Match, Vec<Difference>), String>,
}

impl Outcome {
    fn is_verified(&self) -> bool {
        self.read.as_ref().is_ok_and(|(_, differences)| differences.is_empty())
    }
}

/// Runs `sprint verify`.
pub async fn run(args: &VerifyArgs) -> ExitCode {
    if args.chain.is_some() && args.rounds.len() > 1 {
        return bad_call("--chain: it is that of one round, so give one");
    }
    let mut outcomes = Vec::new();
    for place in &args.rounds {
        let read = read(place).await.map(|round| {
            let mut found = differences(&round);
            found
                .extend(args.chain.filter(|noted| Some(*noted) != round.reveal.chain).map(|noted| other_chain(&noted)));
            (round, found)
        });
        outcomes.push(Outcome { place: place.clone(), read });
    }
    match outcomes.as_slice() {
        _ if args.json => println!("{}", as_json(&outcomes)),
        [one] => print_one(one),
        several => print_several(several),
    }
    if outcomes.iter().any(|outcome| outcome.read.is_err()) {
        return ExitCode::from(BAD_CALL);
    }
    if outcomes.iter().all(Outcome::is_verified) { ExitCode::SUCCESS } else { ExitCode::from(DOES_NOT_HOLD) }
}

fn other_chain(noted: &Seed) -> Difference {
    Difference { place: "chain".to_owned(), what: format!("not {noted}, which was to be expected") }
}

fn print_one(outcome: &Outcome) {
    match &outcome.read {
        Err(reason) => eprintln!("{reason}"),
        Ok((_, differences)) if differences.is_empty() => println!("verified"),
        Ok((_, differences)) => differences.iter().for_each(|difference| println!("{difference}")),
    }
}

fn print_several(outcomes: &[Outcome]) {
    for Outcome { place, read } in outcomes {
        match read {
            Err(reason) => eprintln!("{reason}"),
            Ok((_, differences)) => match differences.as_slice() {
                [] => println!("{place}: verified"),
                [one] => println!("{place}: {one}"),
                [first, others @ ..] => println!("{place}: {first} (and {} more)", others.len()),
            },
        }
    }
    let verified = outcomes.iter().filter(|outcome| outcome.is_verified()).count();
    println!("verified {verified} of {}", outcomes.len());
}

fn as_json(outcomes: &[Outcome]) -> Value {
    let one = |Outcome { place, read }: &Outcome| match read {
        Err(reason) => json!({ "place": place, "verified": false, "error": reason }),
        Ok((round, differences)) => {
            let found = |d: &Difference| json!({ "place": d.place, "what": d.what });
            json!({
                "place": place,
                "round_id": round.round_id,
                "verified": differences.is_empty(),
                "differences": differences.iter().map(found).collect::<Vec<_>>(),
                "not_checked": not_checked(round),
            })
        }
    };
    let verified = outcomes.iter().filter(|outcome| outcome.is_verified()).count();
    json!({
        "verified": verified,
        "of": outcomes.len(),
        "rounds": outcomes.iter().map(one).collect::<Vec<_>>(),
    })
}

async fn read(place: &str) -> Result<Match, String> {
    if !place.contains("://") {
        let text = std::fs::read_to_string(Path::new(place)).map_err(|error| format!("{place}: {error}"))?;
        return replay::file::read(&text).map_err(|error| format!("{place}: {error}"));
    }
    let expected = || format!("{place}: give http://HOST:PORT/api/v1/matches/ID");
    let (server, id) = place.split_once("/api/v1/matches/").ok_or_else(expected)?;
    let server: Server = server.parse().map_err(|error| format!("{place}: {error}"))?;
    let id: Uuid = id.parse().map_err(|error| format!("{place}: {id:?} is no round's id: {error}"))?;
    Api::new(server).round(id).await.map_err(|error| format!("{place}: {error}"))
}

/// Replays the record; the result that it proves must be the stored one. The error says what differs.
pub fn check_record(round: &Match) -> Result<(), String> {
    let events: Result<Vec<Event>, _> = round.record.iter().cloned().map(serde_json::from_value).collect();
    let events = events.map_err(|error| format!("record: an event that cannot be read: {error}"))?;
    let results = replay::results(&events).map_err(|error| format!("record: {error}"))?;
    let [proven] = results.as_slice() else {
        return Err(format!("record: {} results in a record of one round", results.len()));
    };
    if *proven != round.result || round.result.round_id != round.round_id {
        return Err("result: the stored result is not the one that the record proves".to_owned());
    }
    Ok(())
}
