//! `sprint audit`: what bots were told, held against what the server stores.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use sprint_shared::api::Match;
use sprint_shared::time::Seat;
use uuid::Uuid;

use super::ledger::{Entry, read};
use crate::api::{Api, ApiError, Server};
use crate::solve::{DOES_NOT_HOLD, bad_call};
use crate::verify;

/// Compares a ledger of acknowledgements with what the server stores.
#[derive(Args, Clone, Debug)]
pub struct AuditArgs {
    /// The ledger that `sprint load --ledger` wrote.
    #[arg(long, value_name = "FILE")]
    pub ledger: PathBuf,
    /// The server, http://HOST:PORT.
    #[arg(long, value_name = "URL")]
    pub server: Server,
}

/// What an audit found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// Acts whose acknowledgement is in the ledger.
    pub acknowledged: usize,
    /// Acknowledged acts that the stored round does not hold.
    pub lost: usize,
    /// Acts that the stored round holds, or that were acknowledged, more than once.
    pub duplicated: usize,
    /// Rounds with more than one result.
    pub double_results: usize,
    /// Rounds that have acknowledged acts and no stored result.
    pub unfinished: usize,
}

/// How long a server may take to come back.
const PATIENCE: Duration = Duration::from_secs(30);

/// Runs `sprint audit`.
pub async fn run(args: &AuditArgs) -> ExitCode {
    let entries = match read(&args.ledger) {
        Ok(entries) => entries,
        Err(reason) => return bad_call(format!("--ledger: {reason}")),
    };
    match audit(&Api::new(args.server.clone()), &entries).await {
        Ok(found) => {
            let Findings { acknowledged, lost, duplicated, double_results, unfinished } = found;
            println!(
                "acknowledged {acknowledged} lost {lost} duplicated {duplicated} double_results {double_results} \
                 unfinished {unfinished}"
            );
            let holds = lost + duplicated + double_results + unfinished == 0;
            if holds { ExitCode::SUCCESS } else { ExitCode::from(DOES_NOT_HOLD) }
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(DOES_NOT_HOLD)
        }
    }
}

/// Holds the entries against the server's stored rounds.
pub async fn audit(api: &Api, entries: &[Entry]) -> Result<Findings, ApiError> {
    let mut rounds: BTreeMap<Uuid, Vec<&Entry>> = BTreeMap::new();
    for entry in entries {
        rounds.entry(entry.round_id).or_default().push(entry);
    }
    let mut found = Findings::default();
    let mut results: HashMap<Uuid, usize> = HashMap::new();
    let players: HashSet<Uuid> = entries.iter().map(|e| e.player).collect();
    for player in players {
        let listed = api.patiently(PATIENCE, || api.rounds_of(player)).await?;
        let mut own: HashMap<Uuid, usize> = HashMap::new();
        listed.iter().for_each(|round| *own.entry(round.round_id).or_default() += 1);
        for (round, count) in own {
            let most = results.entry(round).or_default();
            *most = count.max(*most);
        }
    }
    for (round_id, entries) in rounds {
        found.acknowledged += entries.iter().map(|e| (e.seat, e.n)).collect::<HashSet<_>>().len();
        match api.patiently(PATIENCE, || api.round(round_id)).await {
            Ok(stored) => {
                let (lost, duplicated) = compare(&entries, &stored);
                found.lost += lost;
                found.duplicated += duplicated;
                let listed = results.get(&round_id).copied().unwrap_or(0);
                found.double_results += usize::from(listed > 1 || results_in(&stored) > 1);
                if let Err(difference) = verify::check_record(&stored) {
                    eprintln!("round {round_id}: {difference}");
                    found.lost += 1;
                }
            }
            Err(error) if error.is_not_found() => {
                eprintln!("round {round_id} of room {}: no stored result", entries[0].room);
                found.unfinished += 1;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}

/// Acknowledged acts that the stored round lacks, and acts that it holds or that were acknowledged twice.
pub fn compare(entries: &[&Entry], stored: &Match) -> (usize, usize) {
    let mut kept: HashMap<(Seat, u32), Vec<(u32, String)>> = HashMap::new();
    for timed in &stored.events {
        if let Some((seat, n, _)) = timed.event.kind.deed() {
            kept.entry((seat, n)).or_default().push((timed.event.seq, kind_name(&timed.event.kind)));
        }
    }
    let told: HashSet<(Seat, u32, u32, &str)> = entries.iter().map(|e| (e.seat, e.n, e.seq, e.kind.as_str())).collect();
    let mut acknowledged: HashMap<(Seat, u32), usize> = HashMap::new();
    let mut lost = 0;
    for &(seat, n, seq, kind) in &told {
        *acknowledged.entry((seat, n)).or_default() += 1;
        let is_kept = kept.get(&(seat, n)).is_some_and(|kept| kept.iter().any(|(s, k)| *s == seq && k == kind));
        if !is_kept {
            eprintln!("round {}: act {n} of {seat:?} ({kind}, event {seq}) is not stored", stored.round_id);
            lost += 1;
        }
    }
    let twice_kept = kept.values().filter(|kept| kept.len() > 1).count();
    let twice_told =
        acknowledged.iter().filter(|(act, count)| **count > 1 && kept.get(act).is_none_or(|k| k.len() < 2));
    (lost, twice_kept + twice_told.count())
}

fn results_in(stored: &Match) -> usize {
    stored.record.iter().filter(|event| event["type"] == "round_over").count()
}

/// The type of an event on the wire.
pub fn kind_name(kind: &sprint_shared::protocol::EventKind) -> String {
    let value = serde_json::to_value(kind).expect("an event is plain JSON");
    value["type"].as_str().unwrap_or_default().to_owned()
}
