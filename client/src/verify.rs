//! `sprint verify`: a stored round proven from its own events, its board dealt again, its commitment kept.
//!
//! It believes nothing that the server says about itself; everything is worked out again here.

use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use sprint_shared::api::Match;
use sprint_shared::board::Board;
use sprint_shared::deal::{DEAL_VERSION, Seed, deal};
use sprint_shared::event::Event;
use sprint_shared::fairness;
use sprint_shared::preset::Preset;
use sprint_shared::protocol::EventKind;
use sprint_shared::protocol::wire::wire;
use sprint_shared::race::Viewer;
use sprint_shared::replay;
use sprint_shared::time::{Millis, SEATS_MAX};
use uuid::Uuid;

use crate::api::{Api, Server};
use crate::solve::{DOES_NOT_HOLD, bad_call};

/// Proves a stored round: replays its events, deals its board again, checks commitment and seed.
#[derive(Args, Clone, Debug)]
pub struct VerifyArgs {
    /// A file with a round as `GET /api/v1/matches/ID` answers it, or that address itself.
    #[arg(value_name = "FILE or URL")]
    pub round: String,
}

/// Runs `sprint verify`.
pub async fn run(args: &VerifyArgs) -> ExitCode {
    let round = match read(&args.round).await {
        Ok(round) => round,
        Err(reason) => return bad_call(reason),
    };
    let mut differences = check_record(&round).err().into_iter().collect::<Vec<_>>();
    differences.extend(check_told(&round));
    differences.extend(check_deal(&round));
    if differences.is_empty() {
        println!("verified");
        return ExitCode::SUCCESS;
    }
    for difference in differences {
        println!("{difference}");
    }
    ExitCode::from(DOES_NOT_HOLD)
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

/// What is told beside the record must be what the record says: options, instant of the end, and the events as
/// spectators saw them. Only how far ahead a countdown was when it was told is not in the record.
fn check_told(round: &Match) -> Vec<String> {
    let events = round.record.iter().filter_map(|event| serde_json::from_value::<Event>(event.clone()).ok());
    let events: Vec<Event> = events.collect();
    let (mut differences, mut told, mut begun) = (Vec::new(), round.events.iter(), false);
    let rebuilt = replay::rebuild(&events, |race, event| {
        begun |= matches!(event, Event::Committed { .. });
        if !begun {
            return;
        }
        let mut expected = wire(race, Millis(0), event, Viewer::Spectator).kind;
        let mut found = told.next().map(|t| t.event.kind.clone());
        untimed(&mut expected);
        found.iter_mut().for_each(untimed);
        if found.as_ref() != Some(&expected) && differences.is_empty() {
            differences.push(format!("events: the record says {expected:?}, told is {found:?}"));
        }
        if let Event::RoundOver { at, .. } = event
            && round.finished_at_ms != at.0 as i64
        {
            differences.push("finished_at_ms: it is not the instant of the record's last event".to_owned());
        }
    });
    if told.next().is_some() && differences.is_empty() {
        differences.push("events: more are told than the record has".to_owned());
    }
    if rebuilt.is_ok_and(|race| *race.options() != round.options) {
        differences.push("options: they are not the record's".to_owned());
    }
    differences
}

fn untimed(kind: &mut EventKind) {
    if let EventKind::CountdownStarted { in_ms, .. } | EventKind::Resumed { in_ms, .. } = kind {
        *in_ms = 0;
    }
}

/// Everything that was secret, worked out again: what differs, one line each.
fn check_deal(round: &Match) -> Vec<String> {
    let reveal = &round.reveal;
    let mut differences = Vec::new();
    let mut expect = |what: &str, holds: bool| {
        if !holds {
            differences.push(what.to_owned());
        }
    };
    let (version, number) = (reveal.deal_version, round.result.round);
    let commitment = fairness::commitment(version, round.room_id, number, &reveal.source, &reveal.server_seed);
    expect("commitment: it is not the hash of what was revealed", commitment == reveal.commitment);
    let source = match &round.options.blueprint {
        Some(board) => format!("blueprint {board}"),
        None => round.options.preset.name().to_owned(),
    };
    expect("source: it is not what the room's options ask for", source == reveal.source);
    expect("record: the reveal is not what its events tell", tells_the_same(round));
    let mut nonces = [None; SEATS_MAX];
    nonces.iter_mut().zip(&reveal.nonces).for_each(|(slot, nonce)| *slot = *nonce);
    if let Some(seed) = &reveal.seed {
        let first = fairness::board_seed(&reveal.server_seed, &nonces);
        let expected = (0..reveal.redeals).fold(first, |seed, _| fairness::next_seed(&seed));
        expect("seed: it does not follow from the server's seed and the players' nonces", expected == *seed);
    }
    if let (Some(seed), Some(board)) = (&reveal.seed, &reveal.board) {
        match deal_again(round, seed) {
            Ok((again, optimum)) => {
                let same = board.parse::<Board>().as_ref() == Ok(&again);
                expect(&format!("board: the deal gives {again}"), same);
                if let Some(optimum) = optimum {
                    let what = format!("optimum: the deal proves {optimum}");
                    expect(&what, round.result.optimum == Some(optimum));
                }
            }
            Err(reason) => expect(&reason, false),
        }
    }
    differences
}

/// Whether the events of the record hold the same secrets as the reveal.
fn tells_the_same(round: &Match) -> bool {
    let reveal = &round.reveal;
    let mut events = round.record.iter().filter_map(|event| serde_json::from_value::<Event>(event.clone()).ok());
    events.all(|event| match event {
        Event::Committed { round_id, commitment, server_seed, deal_version, .. } => {
            round_id == round.round_id
                && (commitment, server_seed, deal_version)
                    == (reveal.commitment, reveal.server_seed, reveal.deal_version)
        }
        Event::NonceGiven { seat, nonce } => reveal.nonces.get(seat.index()) == Some(&Some(nonce)),
        Event::SeedFixed { seed } => reveal.redeals > 0 || reveal.seed == Some(seed),
        Event::BoardDealt { board, .. } => reveal.board.as_deref() == Some(board.to_string().as_str()),
        _ => true,
    })
}

fn deal_again(round: &Match, seed: &Seed) -> Result<(Board, Option<u32>), String> {
    let source = &round.reveal.source;
    if let Some(text) = source.strip_prefix("blueprint ") {
        return Ok((text.parse().map_err(|error| format!("source: {error}"))?, None));
    }
    if round.reveal.deal_version != DEAL_VERSION {
        let version = round.reveal.deal_version;
        return Err(format!("deal_version: this program deals version {DEAL_VERSION}, the round version {version}"));
    }
    let preset: Preset = source.parse().map_err(|error| format!("source: {error}"))?;
    let dealt = deal(preset, seed);
    Ok((dealt.board, Some(dealt.optimum)))
}
