//! Acts in a race: their order, what is refused, and who sees what.

use sprint_shared::event::Event;
use sprint_shared::options::{Opponents, RoomOptions};
use sprint_shared::play::{Act, Deed};
use sprint_shared::protocol::{EventKind, wire};
use sprint_shared::race::{Command, Refusal, Viewer};
use sprint_shared::time::Millis;

use crate::table::{COUNTDOWN_MS, SHORT, Table, seat};

#[test]
fn a_dropped_player_comes_back_into_the_running_race() {
    let mut table = Table::duel();
    table.act(1, Act::Lift { peg: 1 }).unwrap();
    table.tell(1, Command::Disconnect).unwrap();
    table.pass(20_000);
    table.tell(1, Command::Connect).unwrap();
    let round = table.view(1).round.expect("the round goes on");
    assert_eq!(round.clock_ms, Some(20_000));
    assert_eq!(round.plays[0].held, Some(1));
    table.act(1, Act::Place { peg: 2 }).unwrap();
}

#[test]
fn acts_are_judged_once_each_in_their_order() {
    let mut table = Table::duel();
    let act = |n, from, to| Command::Act { n, ply: None, act: Act::Move { from, to } };
    assert_eq!(table.tell(1, act(2, 1, 2)), Err(Refusal::OutOfOrder { n: 2, next: 1 }));
    table.tell(1, act(1, 1, 2)).unwrap();
    assert_eq!(table.tell(1, act(1, 1, 2)), Err(Refusal::AlreadyJudged { n: 1 }));
    table.tell(1, act(2, 3, 2)).unwrap();
}

#[test]
fn acts_queued_behind_a_refused_one_are_stale_and_cost_nothing() {
    let mut table = Table::duel();
    let act = |n, ply, act| Command::Act { n, ply: Some(ply), act };
    table.tell(1, act(1, 0, Act::Move { from: 4, to: 2 })).unwrap();
    assert_eq!(table.tell(1, act(2, 1, Act::Lift { peg: 1 })), Err(Refusal::Stale { ply: 0 }));
    table.race.refused(seat(1), 2);
    assert_eq!(table.tell(1, act(3, 2, Act::Place { peg: 4 })), Err(Refusal::Stale { ply: 0 }));
    let play = table.view(1).round.unwrap().plays[0].clone();
    assert_eq!((play.errors, play.moves), (1, 0), "only the first act erred");
}

#[test]
fn nothing_is_judged_after_a_finish_or_after_giving_up() {
    let mut table = Table::racing(RoomOptions { seats: 3, ..RoomOptions::default() });
    table.err(1);
    table.finish(1);
    assert_eq!(table.go(1, 4, 1), Err(Refusal::Finished));
    assert_eq!(table.tell(1, Command::GiveUp), Err(Refusal::Finished));
    table.tell(2, Command::GiveUp).unwrap();
    assert_eq!(table.go(2, 4, 1), Err(Refusal::GaveUp));
    table.finish(3);
    table.pass(100);
    assert_eq!(table.go(3, 1, 2), Err(Refusal::NotRacing));
}

#[test]
fn opponents_of_a_rated_race_see_progress_and_no_board() {
    let mut table = Table::racing(RoomOptions { rated: true, ..RoomOptions::default() });
    assert_eq!(table.race.options().opponents, Opponents::Progress);
    let before = table.race.clone();
    table.go(1, 1, 2).unwrap();
    let event = table.log.iter().rfind(|e| matches!(e, Event::Acted { .. })).cloned().expect("an act");
    let mut after = before;
    after.evolve(&event);
    let seen = |viewer| wire::wire(&after, table.now, &event, viewer).kind;
    assert!(matches!(seen(Viewer::Seat(seat(1))), EventKind::Transferred { from: 1, to: 2, .. }));
    assert!(matches!(seen(Viewer::Seat(seat(2))), EventKind::Progress { settled: 3, moves: 1, errors: 0, .. }));
    assert!(!wire::is_alike_for_all(&after, &event));
    let plays = table.view(2).round.unwrap().plays;
    assert_eq!((plays[0].board.clone(), plays[0].held), (None, None));
}

#[test]
fn the_secret_seed_is_on_no_wire_before_the_round_is_over() {
    let mut table = Table::open(RoomOptions::default());
    table.two_get_ready();
    table.give_nonces();
    table.pass(COUNTDOWN_MS);
    table.finish(1);
    let mut race = sprint_shared::race::Race::open(&table.log[0]).unwrap();
    let hidden: Vec<String> = table.log.iter().flat_map(secrets).collect();
    for event in &table.log[1..] {
        race.evolve(event);
        let before_t0 = !table.log.iter().take(race.seq() as usize).any(|e| matches!(e, Event::Acted { .. }));
        // The earliest instant at which this event can be told.
        let now = Millis(0);
        for viewer in [Viewer::Seat(seat(2)), Viewer::Spectator] {
            let said = serde_json::to_string(&wire::wire(&race, now, event, viewer)).unwrap();
            let shown = serde_json::to_string(&race.view(now, viewer)).unwrap();
            for secret in &hidden {
                assert!(!said.contains(secret) && !shown.contains(secret), "{said} {shown}");
            }
            if before_t0 {
                assert!(!said.contains(SHORT) && !shown.contains(SHORT) && !said.contains("optimum"), "{said}");
            }
        }
    }
}

/// What is in an event and must stay hidden while the round is on.
fn secrets(event: &Event) -> Vec<String> {
    match event {
        Event::Committed { server_seed, .. } => vec![server_seed.to_string()],
        Event::SeedFixed { seed } => vec![seed.to_string()],
        Event::NonceGiven { nonce, .. } => vec![serde_json::to_string(nonce).unwrap()],
        _ => Vec::new(),
    }
}

#[test]
fn deeds_are_events_and_the_finish_follows_its_transfer_at_once() {
    let mut table = Table::duel();
    table.go(1, 1, 2).unwrap();
    let n = table.race.n(seat(1)) + 1;
    let events = table.tell(1, Command::Act { n, ply: None, act: Act::Move { from: 3, to: 2 } }).unwrap();
    assert!(matches!(
        events[..],
        [Event::Acted { deed: Deed::Transferred { .. }, .. }, Event::Finished { .. }, Event::FirstDecided { .. }]
    ));
}

#[test]
fn progress_of_an_opponent_is_the_same_in_events_and_snapshots_and_says_no_more() {
    let mut table = Table::racing(RoomOptions { rated: true, ..RoomOptions::default() });
    table.err(1);
    table.act(1, Act::Reset).unwrap();
    let event = table.log.last().expect("a reset").clone();
    let seen = wire::wire(&table.race, table.now, &event, Viewer::Seat(seat(2))).kind;
    let play = table.view(2).round.unwrap().plays[0].clone();
    // R3 and S1 lie where they belong from the start.
    assert!(matches!(seen, EventKind::Progress { settled: 2, moves: 0, errors: 1, .. }));
    assert_eq!((play.settled, play.moves, play.errors), (2, 0, 1));
    assert!(play.flawless, "an undo or a reset of an opponent is not told before the result");
    table.finish(1);
    table.err(2);
    table.pass(100);
    assert!(!table.of(1).flawless);
}
