//! `sprint verify`: stored rounds proven from their own events, their boards dealt again, their commitments kept.
//!
//! It believes nothing that the server says about itself; everything is worked out again here.

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};
use sprint_shared::api::Match;
use sprint_shared::daily::Revealed;
use sprint_shared::day::Day;
use sprint_shared::deal::Seed;
use sprint_shared::event::Event;
use sprint_shared::replay;
use sprint_shared::replay::file::NotARound;
use sprint_shared::solo::Solo;
use sprint_shared::verify::{Difference, Verdict, verify, verify_daily};
use uuid::Uuid;

use crate::api::{Api, ApiError, BODY_MAX, Server};
use crate::screen::Place;
use crate::solve::{BAD_CALL, DOES_NOT_HOLD, bad_call};
use crate::text::{complain, say};

/// Proves stored rounds: replays their events by the rules, works out times, ranks and scores again, deals their boards
/// again, checks commitment, seed and chain.
#[derive(Args, Clone, Debug)]
pub struct VerifyArgs {
    /// A file with a round as `GET /api/v1/matches/ID` answers it, that address or the one of its page, or its id; several of
    /// them, too.
    #[arg(value_name = "FILE, URL or ID", required_unless_present = "all")]
    pub rounds: Vec<String>,
    /// The server of ids, http://HOST:PORT.
    #[arg(long, value_name = "URL", env = "SPRINT_URL", default_value = "http://127.0.0.1:8080")]
    pub server: Server,
    /// Who asks, by the name played under on this machine: rounds of today's Daily Spire are shown to who has had their try.
    #[arg(long, conflicts_with = "all")]
    pub name: Option<String>,
    /// Every race that a server shows, http://HOST:PORT.
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
    verdict: Verdict,
}

/// A round as it was read, with what its day has revealed where it is one of the Daily Spire.
struct Told {
    round: Match,
    revealed: Option<Revealed>,
}

impl Outcome {
    fn of(place: String, read: Result<Told, String>, chain: Option<Seed>) -> Outcome {
        let read = read.map(|Told { round, revealed }| {
            let mut verdict = match revealed {
                Some(revealed) => verify_daily(&round, &revealed),
                None => verify(&round),
            };
            let noted = chain.filter(|noted| Some(*noted) != round.reveal.chain);
            verdict.differences.extend(noted.map(|noted| other_chain(&noted)));
            Checked { round_id: round.round_id, verdict }
        });
        Outcome { place, read }
    }

    fn is_verified(&self) -> bool {
        self.read.as_ref().is_ok_and(|checked| checked.verdict.differences.is_empty())
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
        complain(reason);
        return ExitCode::from(BAD_CALL);
    }
    for place in &args.rounds {
        outcomes.push(Outcome::of(place.clone(), read(place, args).await, args.chain));
    }
    match outcomes.as_slice() {
        _ if args.json => say(as_json(&outcomes)),
        [one] if args.all.is_none() => print_one(one),
        several => print_several(several, args.all.is_none()),
    }
    if outcomes.iter().any(|outcome| outcome.read.is_err()) {
        return ExitCode::from(BAD_CALL);
    }
    if outcomes.iter().all(Outcome::is_verified) { ExitCode::SUCCESS } else { ExitCode::from(DOES_NOT_HOLD) }
}

/// Proves every round of a server, newest first, one after the other; the error says why they could not be listed. A
/// list that tells of a round twice would never come to an end, or count one honest round for many.
async fn of_server(server: &Server, outcomes: &mut Vec<Outcome>) -> Result<(), String> {
    let api = Api::new(server.clone());
    let (mut after, mut listed_before) = (None, HashSet::new());
    loop {
        let listing = api.patiently(PATIENCE, || api.rounds(after.as_deref())).await;
        let page = listing.map_err(|error| format!("{}: {error}", server.http("")))?;
        if page.rounds.is_empty() && page.next.is_some() {
            return Err(format!("{}: the list goes on after an empty page", server.http("")));
        }
        for listed in page.rounds {
            if !listed_before.insert(listed.round_id) {
                return Err(format!("{}: the list has round {} twice", server.http(""), listed.round_id));
            }
            let found = api.patiently(PATIENCE, || api.round(listed.round_id)).await;
            let mut read = found.map_err(|error| error.to_string());
            if read.as_ref().is_ok_and(|round| round.result != listed.result) {
                read = Err("the list shows another result than the round has".to_owned());
            }
            // Races alone are listed, which no day has to reveal anything of.
            let read = read.map(|round| Told { round, revealed: None });
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
        Err(reason) => complain(format_args!("{}: {reason}", outcome.place)),
        Ok(Checked { verdict, .. }) if verdict.differences.is_empty() => say(verified(verdict)),
        Ok(Checked { verdict, .. }) => verdict.differences.iter().for_each(say),
    }
}

/// `verified`, and what there was nothing to check by.
fn verified(verdict: &Verdict) -> String {
    match verdict.not_checked.as_slice() {
        [] => "verified".to_owned(),
        unchecked => format!("verified, but not checked: {}", unchecked.join(", ")),
    }
}

/// One line a round, or a line for each that is not verified, and how many are.
fn print_several(outcomes: &[Outcome], each: bool) {
    for Outcome { place, read } in outcomes {
        match read {
            Err(reason) => complain(format_args!("{place}: {reason}")),
            Ok(Checked { verdict, .. }) => match verdict.differences.as_slice() {
                [] if each => say(format_args!("{place}: {}", verified(verdict))),
                [] => {}
                [one] => say(format_args!("{place}: {one}")),
                [first, others @ ..] => say(format_args!("{place}: {first} (and {} more)", others.len())),
            },
        }
    }
    let verified = outcomes.iter().filter(|outcome| outcome.is_verified());
    let mut unchecked: BTreeMap<&str, usize> = BTreeMap::new();
    for of in verified.clone().filter_map(|outcome| outcome.read.as_ref().ok()) {
        of.verdict.not_checked.iter().for_each(|what| *unchecked.entry(what).or_default() += 1);
    }
    say(format_args!("verified {} of {}", verified.count(), outcomes.len()));
    unchecked.iter().for_each(|(what, rounds)| say(format_args!("not checked: {what} of {rounds}")));
}

fn as_json(outcomes: &[Outcome]) -> Value {
    let one = |Outcome { place, read }: &Outcome| match read {
        Err(reason) => json!({ "place": place, "verified": false, "error": reason }),
        Ok(Checked { round_id, verdict: Verdict { differences, not_checked } }) => {
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

/// A round that was kept in a file.
pub fn of_file(path: &Path) -> Result<Match, String> {
    let mut text = String::new();
    let file = File::open(path).map_err(|error| error.to_string())?;
    file.take(BODY_MAX as u64 + 1).read_to_string(&mut text).map_err(|error| error.to_string())?;
    if text.len() > BODY_MAX {
        return Err(format!("more than {} MiB: no round is as long", BODY_MAX >> 20));
    }
    replay::file::read(&text).map_err(|error| match error {
        NotARound::Unreadable(_) if text.starts_with(replay::text::HEAD) => {
            "this is the text record, which proves nothing: give the replay, from GET /api/v1/matches/ID/replay"
                .to_owned()
        }
        error => error.to_string(),
    })
}

async fn read(place: &str, args: &VerifyArgs) -> Result<Told, String> {
    let place = Place::of(place, &args.server)?;
    let api = place.api(args.name.as_deref())?.unwrap_or_else(|| Api::new(args.server.clone()));
    let round = match place {
        Place::File(path) => of_file(&path)?,
        Place::Server { id, .. } => api.round(id).await.map_err(|error| error.to_string())?,
    };
    let revealed = match round.options.solo {
        Some(Solo::Daily { day, .. }) => revealed(&api, day).await,
        _ => None,
    };
    Ok(Told { round, revealed })
}

/// What a day has revealed; says why, where nothing is known of that.
async fn revealed(api: &Api, day: Day) -> Option<Revealed> {
    match api.past_daily(day).await {
        Ok(past) => return Some(Revealed::from(&past)),
        Err(ApiError::Problem(problem)) if problem.code == "hidden" => {
            complain(format_args!(
                "{day} is not over (UTC): that its board was dealt by its seed can be checked after it"
            ));
        }
        Err(error) => {
            complain(format_args!("what {day} has revealed is not known, so its deal is not checked: {error}"))
        }
    }
    None
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
