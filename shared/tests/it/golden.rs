//! Golden journals: every committed event format must be read for good.
//!
//! `data/journal-1.jsonl` holds one room's events in format 1, every kind of event among them. The file is never
//! rewritten; a new format gets a new file and an upcaster.

use std::collections::BTreeSet;

use sprint_shared::event::{EVENT_FORMAT, Event};
use sprint_shared::options::RoomOptions;
use sprint_shared::play::Act;
use sprint_shared::race::Command;
use sprint_shared::replay;
use sprint_shared::result::Ended;

use crate::table::{COUNTDOWN_MS, Table};

/// Everything that can happen in a room, in one story.
fn story() -> Table {
    let mut table = Table::counting_down(RoomOptions { seats: 3, rounds: 3, ..RoomOptions::default() });
    table.pass(1_000);
    table.crash(2_000);
    for number in 1..=3 {
        table.tell(number, Command::Connect).unwrap();
    }
    table.pass(2 * COUNTDOWN_MS);
    table.act(1, Act::Lift { peg: 1 }).unwrap();
    table.act(1, Act::Lift { peg: 2 }).unwrap();
    table.act(1, Act::Place { peg: 2 }).unwrap();
    table.act(1, Act::Undo).unwrap();
    table.act(1, Act::Reset).unwrap();
    table.err(2);
    table.tell(3, Command::GiveUp).unwrap();
    table.tell(2, Command::Disconnect).unwrap();
    table.finish(1);
    table.pass(100);
    table.tell(1, Command::Leave).unwrap();
    table.tell(2, Command::Leave).unwrap();
    table.tell(3, Command::Leave).unwrap();
    table
}

fn stored() -> Vec<Event> {
    let text = include_str!("../../data/journal-1.jsonl");
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{line}: {e}"))).collect()
}

#[test]
fn the_first_format_is_still_read_and_written_as_it_was() {
    let text = include_str!("../../data/journal-1.jsonl");
    let written: Vec<String> = stored().iter().map(|e| serde_json::to_string(e).unwrap()).collect();
    assert_eq!(EVENT_FORMAT, 1);
    assert_eq!(written, text.lines().collect::<Vec<_>>());
}

#[test]
fn the_first_format_still_proves_its_result() {
    let results = replay::results(&stored()).unwrap();
    let ranks: Vec<_> = results[0].seats.iter().map(|s| (s.seat.number(), s.rank)).collect();
    assert_eq!(ranks, [(1, 1), (2, 2), (3, 2)], "seat 2 was away and seat 3 had given up");
    assert_eq!(results[0].seats[0].moves, 7, "two transfers and a two-handed penalty");
}

#[test]
fn the_golden_journal_tells_the_same_story_as_today() {
    let kind = |e: &Event| serde_json::to_value(e).unwrap()["type"].as_str().unwrap().to_owned();
    let today: Vec<String> = story().log.iter().map(kind).collect();
    let then: Vec<String> = stored().iter().map(kind).collect();
    assert_eq!(then, today);
    assert!(BTreeSet::from_iter(today).len() >= 19, "most kinds of events");
}

#[test]
fn an_event_with_an_unknown_field_or_type_is_refused() {
    for text in [
        r#"{"type":"gave_up","seat":1,"why":"bored"}"#,
        r#"{"type":"flew_away","seat":1}"#,
        r#"{"type":"gave_up","seat":5}"#,
        r#"{"type":"gave_up"}"#,
    ] {
        assert!(serde_json::from_str::<Event>(text).is_err(), "{text}");
    }
}

#[test]
fn a_torn_or_impossible_list_is_refused_with_its_place() {
    let whole = story().log;
    assert!(replay::rebuild(&[], |_, _| {}).is_err());
    assert!(replay::rebuild(&whole[1..], |_, _| {}).is_err(), "without its opening");
    let acted: Vec<usize> = (0..whole.len()).filter(|&i| matches!(whole[i], Event::Acted { .. })).collect();
    let mut refused = 0;
    for &gap in &acted {
        let mut torn = whole.clone();
        torn.remove(gap);
        // A gap that changes nothing in the end (an undo before a reset) shows only in the journal's numbers.
        match replay::results(&torn) {
            Err(_) => refused += 1,
            Ok(results) => assert_eq!(results, replay::results(&whole).unwrap(), "without event {}", gap + 1),
        }
    }
    assert!(refused >= acted.len() - 2, "{refused} of {}", acted.len());
    for &twice in &acted {
        let mut doubled = whole.clone();
        doubled.insert(twice, whole[twice].clone());
        assert!(replay::rebuild(&doubled, |_, _| {}).is_err(), "event {} twice", twice + 1);
    }
}

#[test]
fn a_stored_result_that_the_events_do_not_prove_is_refused() {
    let mut events = story().log;
    for event in &mut events {
        if let Event::RoundOver { result, .. } = event {
            result.seats[0].score += 1;
        }
    }
    assert_eq!(replay::results(&events), Err(replay::Impossible::Result { round: 1 }));
}

#[test]
fn what_could_not_be_timed_or_ended_so_is_refused() {
    let whole = story().log;
    let altered = |change: fn(&mut Event)| {
        let mut events = whole.clone();
        events.iter_mut().for_each(change);
        assert_ne!(events, whole, "the change changes something");
        assert!(replay::rebuild(&events, |_, _| {}).is_err());
    };
    altered(|e| {
        if let Event::Finished { official_ms, .. } = e {
            *official_ms += 1;
        }
    });
    altered(|e| {
        if let Event::Finished { raw_ms, official_ms, .. } = e {
            (*raw_ms, *official_ms) = (9_999_999, 9_999_999);
        }
    });
    altered(|e| {
        if let Event::Finished { raw_ms, credit_ms, .. } = e {
            (*raw_ms, *credit_ms) = (*raw_ms + 5, *credit_ms + 5);
        }
    });
    altered(|e| {
        if let Event::CountdownStarted { credits_ms, .. } = e {
            credits_ms[1] = 60_000;
        }
    });
    altered(|e| {
        if let Event::RoundOver { result, .. } = e {
            result.ended = Ended::TimeUp;
        }
    });
    let twice = |wanted: fn(&Event) -> bool| {
        let at = whole.iter().position(wanted).expect("it happens in the story");
        let mut events = whole.clone();
        events.insert(at + 1, whole[at].clone());
        assert!(replay::rebuild(&events, |_, _| {}).is_err(), "{:?} twice", whole[at]);
    };
    twice(|e| matches!(e, Event::Finished { .. }));
    twice(|e| matches!(e, Event::RoundOver { .. }));
    twice(|e| matches!(e, Event::BoardDealt { .. }));
    twice(|e| matches!(e, Event::Committed { .. }));
    twice(|e| matches!(e, Event::SeatTaken { .. }));
    let late = whole.iter().position(|e| matches!(e, Event::Finished { .. })).expect("a finish");
    let countdown = whole.iter().find(|e| matches!(e, Event::CountdownStarted { .. })).expect("a countdown");
    let mut events = whole.clone();
    events.insert(late, countdown.clone());
    assert!(replay::rebuild(&events, |_, _| {}).is_err(), "a second start in mid-race");
}
