//! Proves everything that is stored of rounds again, from their events alone: what is told of them, and what the columns
//! say that ratings, boards and histories are made from.
//!
//! Must hold no transaction over a page: the host may be racing meanwhile. Must not end on what it cannot read.

use std::collections::{BTreeMap, HashSet};

use serde_json::Value;
use sprint_shared::daily::Revealed;
use sprint_shared::day::Day;
use sprint_shared::solo::Key;
use sprint_shared::verify::{verify, verify_daily};
use uuid::Uuid;

use crate::room::{Damaged, record_of};
use crate::store::{MatchAfter, RoundRecord, RoundResult, SeatResult, Store, StoreError, StoredEvent};
use crate::web::{as_told, decoded};

/// Rounds or rooms of a page.
const PAGE: i64 = 100;

/// What came of it.
#[derive(Debug, Default)]
pub struct Report {
    /// Rounds of which everything follows from their events.
    pub verified: u64,
    /// The others, each with everything that differs.
    pub differing: Vec<(Uuid, Vec<String>)>,
    /// Days of the Daily Spire whose board does not follow from their seed, a line each.
    pub differing_days: Vec<String>,
    /// Of how many verified rounds something could not be checked, by what: `chain`, `deal`, `optimum`.
    pub not_checked: BTreeMap<&'static str, u64>,
}

/// Proves every stored round: its events by the rules, its times, its result, its deal, its chain, its columns; and that
/// every result that a room's events hold is stored.
pub async fn all(store: &Store) -> Result<Report, StoreError> {
    let mut report = Report::default();
    let mut after = None;
    loop {
        let keys = store.round_keys(after, PAGE).await?;
        let Some(last) = keys.last() else { break };
        after = Some(*last);
        for MatchAfter { round_id, .. } in keys {
            match checked(store, round_id).await {
                Ok(proof) => report.add(round_id, proof),
                Err(error) => report.differing.push((round_id, vec![format!("it cannot be read: {error}")])),
            }
        }
    }
    missing(store, &mut report).await?;
    days(store, &mut report).await?;
    Ok(report)
}

/// What came of one round.
#[derive(Default)]
struct Proof {
    lines: Vec<String>,
    not_checked: Vec<&'static str>,
}

impl Report {
    fn add(&mut self, round_id: Uuid, proof: Proof) {
        if !proof.lines.is_empty() {
            return self.differing.push((round_id, proof.lines));
        }
        self.verified += 1;
        proof.not_checked.iter().for_each(|what| *self.not_checked.entry(what).or_default() += 1);
    }
}

async fn checked(store: &Store, round_id: Uuid) -> Result<Proof, StoreError> {
    let Some((round, seats)) = store.round(round_id).await? else { return Ok(Proof::default()) };
    let rows = store.replay(&round).await?;
    let day = day_of(&round);
    let stored = match day {
        Some(day) => store.daily(day).await?,
        None => None,
    };
    let revealed = stored.map(|stored| stored.revealed()).transpose();
    let mut proof = match proven(&round, &seats, &rows, revealed.as_ref().ok().and_then(Option::as_ref)) {
        Ok(proof) => proof,
        Err(damage) => Proof { lines: vec![damage.to_string()], ..Proof::default() },
    };
    tried(store, &round, &seats, &mut proof.lines).await?;
    match (day, revealed) {
        (Some(day), Ok(None)) => proof.lines.push(format!("day: no board of {day} is stored")),
        (_, Err(error)) => proof.lines.push(format!("day: {error}")),
        _ => {}
    }
    let room = store.room(round.room_id).await?;
    match room {
        None => proof.lines.push(format!("room: {} is not stored", round.room_id)),
        Some(room) if room.matched != round.matched => {
            proof.lines.push(format!("column matched: {}, its room says {}", round.matched, room.matched));
        }
        Some(_) => {}
    }
    let unlike = store.seats_unlike_their_round(round_id).await?;
    if unlike > 0 {
        proof.lines.push(format!("seats: {unlike} of them repeat another preset, end, ratio or interruption"));
    }
    Ok(proof)
}

/// A rated try must be the one that its player was given.
async fn tried(
    store: &Store,
    round: &RoundResult,
    seats: &[SeatResult],
    lines: &mut Vec<String>,
) -> Result<(), StoreError> {
    let Some(Ok(Key::Daily(day))) = round.solo.as_deref().map(str::parse) else { return Ok(()) };
    for seat in seats {
        let given = store.daily_try(day, seat.seat.player_id).await?.map(|(room_id, _)| room_id);
        if given != Some(round.room_id) {
            lines.push(format!("try: the rated try of {day} was in another room, or in none: {given:?}"));
        }
    }
    Ok(())
}

/// Deals every stored day again.
async fn days(store: &Store, report: &mut Report) -> Result<(), StoreError> {
    let mut after = None;
    while let Some(stored) = store.daily_after(after).await? {
        after = Some(stored.day);
        let proven = stored.revealed().map_err(|error| error.to_string()).and_then(|revealed| revealed.proven());
        let why = match proven {
            Ok(deal) if deal.board.to_string() != stored.board => format!("the deal gives {}", deal.board),
            Ok(deal) if i64::from(deal.optimum) != stored.optimum => format!("the deal proves {}", deal.optimum),
            Ok(_) => continue,
            Err(why) => why,
        };
        report.differing_days.push(format!("day {}: {why}", stored.day));
    }
    Ok(())
}

/// The day whose board a round was played on, by its column.
fn day_of(round: &RoundResult) -> Option<Day> {
    match round.solo.as_deref()?.parse().ok()? {
        Key::Daily(day) | Key::Practice(day) => Some(day),
        Key::Stage(_) | Key::Lesson(_) | Key::Shuffle => None,
    }
}

/// What differs of one round, a line each. Of a daily one the host knows the seed before everybody else.
fn proven(
    round: &RoundResult,
    seats: &[SeatResult],
    rows: &[StoredEvent],
    revealed: Option<&Revealed>,
) -> Result<Proof, Damaged> {
    let (stored, history) = decoded(round, rows)?;
    let prologue = stored.prologue.clone();
    let told = as_told(round, stored, &history)?;
    let verdict = revealed.map_or_else(|| verify(&told), |revealed| verify_daily(&told, revealed));
    let mut lines: Vec<String> = verdict.differences.iter().map(ToString::to_string).collect();
    // Not before it is known that all of them are possible.
    if let Some(record) = record_of(&prologue, history.iter()) {
        columns(round, seats, &record, &mut lines);
    }
    Ok(Proof { lines, not_checked: verdict.not_checked })
}

/// Names every column of `$stored` that is not as `$proven` has it.
macro_rules! differing {
    ($lines:ident, $place:expr, $stored:expr, $proven:expr, [$($column:ident),*]) => {
        $(if $stored.$column != $proven.$column {
            let (stored, proven) = (&$stored.$column, &$proven.$column);
            $lines.push(format!("{} {}: {stored:?}, the events prove {proven:?}", $place, stringify!($column)));
        })*
    };
}

/// Holds columns against what the events prove. Suspicion is left out: what is suspected may change with the program.
fn columns(round: &RoundResult, seats: &[SeatResult], proven: &RoundRecord, lines: &mut Vec<String>) {
    differing!(
        lines,
        "column",
        round,
        proven,
        [
            round_id,
            round,
            preset,
            board,
            optimum,
            par,
            seed,
            deal_version,
            contest,
            placement,
            rated,
            interrupted,
            solo,
            started_at_ms,
            finished_at_ms
        ]
    );
    let numbers = |of: &mut dyn Iterator<Item = i64>| {
        let mut numbers: Vec<i64> = of.collect();
        numbers.sort_unstable();
        numbers
    };
    let stored = numbers(&mut seats.iter().map(|seat| seat.seat.seat));
    let raced = numbers(&mut proven.seats.iter().map(|seat| seat.seat));
    if stored != raced {
        lines.push(format!("seats: {stored:?} are stored, the events prove {raced:?}"));
    }
    for proven in &proven.seats {
        let Some(SeatResult { seat: stored, .. }) = seats.iter().find(|of| of.seat.seat == proven.seat) else {
            continue;
        };
        differing!(
            lines,
            format_args!("seat {}: column", proven.seat),
            stored,
            proven,
            [
                player_id,
                rank,
                finished,
                clean,
                moves,
                errors,
                raw_ms,
                credit_ms,
                official_ms,
                score,
                stars,
                flawless,
                crown,
                bot
            ]
        );
    }
}

/// Results that events hold, and no round is stored of.
async fn missing(store: &Store, report: &mut Report) -> Result<(), StoreError> {
    let mut after = None;
    loop {
        let rooms = store.room_ids(after, PAGE).await?;
        let Some(last) = rooms.last() else { return Ok(()) };
        after = Some(*last);
        for room_id in rooms {
            let events = match store.events(room_id, 1).await {
                Ok(events) => events,
                Err(error) => {
                    report.differing.push((room_id, vec![format!("the room's events cannot be read: {error}")]));
                    continue;
                }
            };
            let ended: Vec<(i64, Uuid)> = events.iter().filter_map(|event| Some((event.seq, ended(event)?))).collect();
            if ended.is_empty() {
                continue;
            }
            // Read after the events: what ended in between is stored by then.
            let stored: HashSet<Uuid> = store.round_ids_of_room(room_id).await?.into_iter().collect();
            for (seq, round_id) in ended.into_iter().filter(|(_, round_id)| !stored.contains(round_id)) {
                let line = format!("event {seq} of room {room_id} (round_over) holds its result, and none is stored");
                report.differing.push((round_id, vec![line]));
            }
        }
    }
}

/// The round that ends with an event.
fn ended(event: &StoredEvent) -> Option<Uuid> {
    // Most events end no round, and need not be read for that.
    let event: Value = event.body.contains("round_over").then(|| serde_json::from_str(&event.body).ok())??;
    (event["type"] == "round_over").then(|| serde_json::from_value(event["result"]["round_id"].clone()).ok())?
}
