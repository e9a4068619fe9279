//! `sprint verify`: stored rounds proven from their own events, their boards dealt again, their commitments kept.
//!
//! It believes nothing that the server says about itself; everything is worked out again here.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

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
    #[arg(value_name = "FILE or URL", required_unless_present = "all")]
    pub rounds: Vec<String>,
    /// Every round that a server shows, http://HOST:PORT.
    #[arg(long, value_name = "URL", conflicts_with = "rounds")]
    pub all: Option<Server>,
    /// The chain that the round must have, as `round_over` told it: 64 hex digits. For one round.
    #[arg(long, value_name = "HEX", conflicts_with = "all")]
    pub chain: Option<Seed>,
    /// Prints one JSON object, with what could not be checked.
    #[arg(long)]
    pub json: bool,
}

/// How long a server that is busy is asked again.
const PATIENCE: Duration = Duration::from_secs(30);

/// What came of one place.
struct Outcome {
    place: String,
    /// What was found out about the round, or why there is none.
    read: Result<Checked, String>,
}

/// A round that was read.
struct Checked {
    round_id: Uuid,
    differences: Vec<Difference>,
    not_checked: Vec<&'static str>,
}

impl Outcome {
    fn of(place: String, read: Result<Match, String>, chain: Option<Seed>) -> Outcome {
        let read = read.map(|round| {
            let mut differences = differences(&round);
            let noted = chain.filter(|noted| Some(*noted) != round.reveal.chain);
            differences.extend(noted.map(|noted| other_chain(&noted)));
            Checked { round_id: round.round_id, differences, not_checked: not_checked(&round) }
        });
        Outcome { place, read }
    }

    fn is_verified(&self) -> bool {
        self.read.as_ref().is_ok_and(|checked| checked.differences.is_empty())
    }
}

/// Runs `sprint verify`.
pub async fn run(args: &VerifyArgs) -> ExitCode {
    if args.chain.is_some() && args.rounds.len() > 1 {
        return bad_call("--chain: it is that of one round, so give one");
    }
    let mut outcomes = Vec::new();
    if let Some(server) = &args.all
        && let Err(reason) = of_server(server, &mut outcomes).await
    {
        eprintln!("{reason}");
        return ExitCode::from(BAD_CALL);
    }
    for place in &args.rounds {
        outcomes.push(Outcome::of(place.clone(), read(place).await, args.chain));
    }
    match outcomes.as_slice() {
        _ if args.json => println!("{}", as_json(&outcomes)),
        [one] if args.all.is_none() => print_one(one),
        several => print_several(several, args.all.is_none()),
    }
    if outcomes.iter().any(|outcome| outcome.read.is_err()) {
        return ExitCode::from(BAD_CALL);
    }
    if outcomes.iter().all(Outcome::is_verified) { ExitCode::SUCCESS } else { ExitCode::from(DOES_NOT_HOLD) }
}

/// Proves every round of a server, newest first, one after the other; the error says why they could not be listed.
async fn of_server(server: &Server, outcomes: &mut Vec<Outcome>) -> Result<(), String> {
    let api = Api::new(server.clone());
    let mut after = None;
    loop {
        let listing = api.patiently(PATIENCE, || api.rounds(after.as_deref())).await;
        let page = listing.map_err(|error| format!("{}: {error}", server.http("")))?;
        for listed in page.rounds {
            let found = api.patiently(PATIENCE, || api.round(listed.round_id)).await;
            let mut read = found.map_err(|error| error.to_string());
            if read.as_ref().is_ok_and(|round| round.result != listed.result) {
                read = Err("the list shows another result than the round has".to_owned());
            }
            outcomes.push(Outcome::of(listed.round_id.to_string(), read, None));
        }
        match page.next {
            Some(next) => after = Some(next),
            None => return Ok(()),
        }
    }
}

fn other_chain(noted: &Seed) -> Difference {
    Difference { place: "chain".to_owned(), what: format!("not {noted}, which was to be expected") }
}

fn print_one(outcome: &Outcome) {
    match &outcome.read {
        Err(reason) => eprintln!("{}: {reason}", outcome.place),
        Ok(Checked { differences, .. }) if differences.is_empty() => println!("verified"),
        Ok(Checked { differences, .. }) => differences.iter().for_each(|difference| println!("{difference}")),
    }
}

/// One line a round, or a line for each that is not verified, and how many are.
fn print_several(outcomes: &[Outcome], each: bool) {
    for Outcome { place, read } in outcomes {
        match read {
            Err(reason) => eprintln!("{place}: {reason}"),
            Ok(Checked { differences, .. }) => match differences.as_slice() {
                [] if each => println!("{place}: verified"),
                [] => {}
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
        Ok(Checked { round_id, differences, not_checked }) => {
            let found = |d: &Difference| json!({ "place": d.place, "what": d.what });
            json!({
                "place": place,
                "round_id": round_id,
                "verified": differences.is_empty(),
                "differences": differences.iter().map(found).collect::<Vec<_>>(),
                "not_checked": not_checked,
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
        let text = std::fs::read_to_string(Path::new(place)).map_err(|error| error.to_string())?;
        return replay::file::read(&text).map_err(|error| error.to_string());
    }
    let expected = || "give http://HOST:PORT/api/v1/matches/ID".to_owned();
    let (server, id) = place.split_once("/api/v1/matches/").ok_or_else(expected)?;
    let server: Server = server.parse().map_err(|error| format!("{error}"))?;
    let id: Uuid = id.parse().map_err(|error| format!("{id:?} is no round's id: {error}"))?;
    Api::new(server).round(id).await.map_err(|error| error.to_string())
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
