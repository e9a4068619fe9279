//! What is played alone: one seat, no nonces, no timer to speak of; scores by the rulebook's matrix; the tutorial.

use sprint_shared::almanac::{StageNumber, almanac};
use sprint_shared::daily::{self, Revealed};
use sprint_shared::day::Day;
use sprint_shared::deal::{DEAL_VERSION, Seed, deal};
use sprint_shared::event::{CloseReason, Event};
use sprint_shared::lesson::{Goal, Law, Lesson, lessons};
use sprint_shared::options::{BadOptions, Placement, RoomOptions};
use sprint_shared::play::{Act, ActRefused, Deed, House, Play};
use sprint_shared::preset::Preset;
use sprint_shared::protocol::view::PhaseView;
use sprint_shared::race::{ALONE_ACTS_MAX, Command, Refusal};
use sprint_shared::replay::file;
use sprint_shared::result::Ended;
use sprint_shared::rules::Transfer;
use sprint_shared::solo::Solo;
use sprint_shared::solver::{Budget, Outcome, solve};
use sprint_shared::verify::{Verdict, verify, verify_daily};

use crate::table::{COUNTDOWN_MS, IDLE_MS, Table, stored};
use crate::tampering::honest::forge;

const DAY_MS: u64 = 86_400_000;

/// First Light: optimum 6, par 8.
fn first_stage() -> RoomOptions {
    RoomOptions::alone(Solo::Stage { stage: StageNumber::FIRST }, Preset::default())
}

/// The player of a solo room at T0.
fn at_start(options: RoomOptions) -> Table {
    let mut table = Table::open(options);
    match table.race.options().solo {
        Some(Solo::Shuffle { seed }) => {
            let dealt = deal(table.race.options().preset, &seed);
            (table.board, table.optimum) = (dealt.board, Some(dealt.optimum));
        }
        Some(solo) => {
            let (board, optimum) = solo.printed().expect("a stage or a lesson");
            (table.board, table.optimum) = (board.clone(), Some(optimum));
        }
        None => panic!("played alone"),
    }
    table.sit(1);
    table.tell(1, Command::Ready(true)).expect("ready");
    table.pass(COUNTDOWN_MS);
    assert_eq!(table.phase(), PhaseView::Racing, "no nonce is waited for");
    table
}

fn way(table: &Table) -> Vec<Transfer> {
    let Outcome::Solved { line, .. } = solve(&table.board, &Budget::default()) else { panic!("it can be solved") };
    line
}

fn play(table: &mut Table, line: &[Transfer]) {
    for Transfer { from, to } in line {
        table.go(1, from.number().into(), to.number().into()).expect("legal");
    }
}

/// What First Light comes to when it is solved with so many detours of two moves, at that official time, and with or
/// without an undo on the way: score, moves, stars, crown.
fn solved(detours: usize, official_ms: u64, undoes: bool) -> (u32, u32, u8, bool) {
    let mut table = at_start(first_stage());
    if undoes {
        table.go(1, 1, 3).expect("legal");
        table.act(1, Act::Undo).expect("there is a transfer to undo");
    }
    let line = way(&table);
    let ([first, rest @ ..], last) = line.split_last().map(|(last, rest)| (rest, last)).expect("some way") else {
        panic!("six transfers")
    };
    play(&mut table, &[*first]);
    // Its disk stands on one of three empty pegs: to another one and back leads nowhere.
    let here = u32::from(first.to.number());
    let there = if here == 5 { 4 } else { 5 };
    for _ in 0..detours {
        table.go(1, here, there).expect("an empty peg");
        table.go(1, there, here).expect("an empty peg");
    }
    play(&mut table, rest);
    table.pass(official_ms);
    play(&mut table, &[*last]);
    table.pass(100);
    let seat = table.of(1);
    assert_eq!(seat.finish.expect("solved").official_ms, official_ms);
    (seat.score, seat.moves, seat.stars, seat.crown)
}

#[test]
fn the_ledger_scores_a_stage_by_the_rulebooks_matrix() {
    // By hand: (1000 + 50 a move under par 8 + 100 under two minutes), and half as much again if flawless.
    assert_eq!(solved(0, 119_999, false), (1_800, 6, 3, true), "(1000 + 2 × 50 + 100) × 1.5");
    assert_eq!(solved(0, 120_000, false), (1_650, 6, 3, true), "(1000 + 2 × 50) × 1.5");
    assert_eq!(solved(0, 119_999, true), (1_200, 6, 3, true), "1000 + 2 × 50 + 100");
    assert_eq!(solved(0, 120_000, true), (1_100, 6, 3, true), "1000 + 2 × 50");
    assert_eq!(solved(1, 119_999, false), (1_650, 8, 3, false), "at par: (1000 + 100) × 1.5");
    assert_eq!(solved(1, 120_000, true), (1_000, 8, 3, false), "at par: 1000");
    assert_eq!(solved(2, 119_999, false), (1_650, 10, 1, false), "over par: (1000 + 100) × 1.5");
    assert_eq!(solved(2, 120_000, false), (1_500, 10, 1, false), "over par: 1000 × 1.5");
    assert_eq!(solved(2, 119_999, true), (1_100, 10, 1, false), "over par: 1000 + 100");
    assert_eq!(solved(2, 120_000, true), (1_000, 10, 1, false), "over par: 1000");
}

#[test]
fn a_stage_is_solved_by_one_player_and_proven_without_a_search() {
    let mut table = at_start(first_stage());
    let line = way(&table);
    play(&mut table, &line);
    table.pass(100);
    let result = table.result();
    assert_eq!((result.ended, result.optimum, result.par), (Ended::FirstDecided, Some(6), Some(8)));
    assert_eq!(table.phase(), PhaseView::Over);
    assert_eq!(verify(&stored(&table)), Verdict::default(), "nothing is left unchecked: the optimum is printed");
    table.tell(1, Command::Rematch).expect("another session");
    assert_ne!(table.phase(), PhaseView::Over);
}

/// A round whose record and all that follows from it say that something else was played.
fn told_otherwise(table: &Table, solo: Solo) -> Vec<String> {
    let mut round = serde_json::to_value(stored(table)).expect("plain");
    let solo = serde_json::to_value(solo).expect("plain");
    round["options"]["solo"] = solo.clone();
    round["record"][0]["options"]["solo"] = solo;
    forge(&mut round);
    let verdict = verify(&file::of_value(round).expect("a round"));
    verdict.differences.iter().map(|difference| difference.place.clone()).collect()
}

#[test]
fn a_board_that_is_not_the_one_printed_under_its_number_is_named() {
    let mut table = at_start(first_stage());
    let line = way(&table);
    play(&mut table, &line);
    table.pass(100);
    let stage = |number| Solo::Stage { stage: StageNumber::new(number).expect("a stage") };
    assert_eq!(told_otherwise(&table, stage(1)), [""; 0]);
    assert_eq!(told_otherwise(&table, stage(50)), ["chain", "board", "optimum"]);
}

#[test]
fn a_session_has_no_timer_but_ends_when_its_player_stays_away() {
    let mut table = at_start(first_stage());
    table.pass(DAY_MS);
    assert_eq!(table.phase(), PhaseView::Racing);
    table.pass(1);
    assert_eq!(table.result().ended, Ended::TimeUp, "but it does not stay open for ever");
    let mut other = at_start(first_stage());
    other.tell(1, Command::Disconnect).expect("seated");
    other.pass(IDLE_MS - 1);
    assert_eq!(other.phase(), PhaseView::Racing, "a seat is kept");
    other.tell(1, Command::Connect).expect("back");
    other.pass(10 * IDLE_MS);
    assert_eq!(other.phase(), PhaseView::Racing, "who is there has not left");
    other.tell(1, Command::Disconnect).expect("seated");
    other.pass(IDLE_MS);
    assert_eq!(other.result().ended, Ended::NobodyAtWork);
    assert!(matches!(other.log.last(), Some(Event::Closed { reason: CloseReason::Empty, .. })));
}

#[test]
fn leaving_ends_the_session_and_the_room() {
    let mut table = at_start(first_stage());
    table.tell(1, Command::Leave).expect("seated");
    assert!(table.of(1).gave_up && table.of(1).score == 0);
    assert!(table.race.is_closed());
}

#[test]
fn a_crash_pauses_a_session_like_any_round() {
    let mut table = at_start(first_stage());
    let line = way(&table);
    play(&mut table, &line[..3]);
    table.pass(1_000);
    table.crash(5_000);
    assert_eq!(table.phase(), PhaseView::Paused);
    table.tell(1, Command::Connect).expect("back");
    table.pass(COUNTDOWN_MS);
    play(&mut table, &line[3..]);
    let seat = table.of(1);
    assert_eq!(seat.finish.expect("solved").official_ms, 1_000, "the outage is added");
    table.pass(100);
    assert!(verify(&stored(&table)).differences.is_empty());
}

#[test]
fn in_shuffle_nothing_costs_anything_and_the_board_is_the_seeds() {
    let shuffle = RoomOptions::alone(Solo::Shuffle { seed: Seed::from(5) }, Preset::Initiate);
    let mut table = at_start(shuffle);
    let line = way(&table);
    let Transfer { from, .. } = line[0];
    table.act(1, Act::Lift { peg: from.number().into() }).expect("its first disk");
    let refused = table.act(1, Act::Lift { peg: from.number().into() });
    assert_eq!(refused, Err(Refusal::Act(ActRefused::HandFull)), "two hands, and no penalty");
    table.act(1, Act::Place { peg: line[0].to.number().into() }).expect("legal");
    table.act(1, Act::Undo).expect("as often as wanted");
    play(&mut table, &line);
    table.pass(100);
    let seat = table.of(1);
    assert_eq!((seat.moves, seat.errors, seat.crown), (line.len() as u32, 0, true));
    assert_eq!(verify(&stored(&table)), Verdict::default(), "the board is dealt again");
    let other = told_otherwise(&table, Solo::Shuffle { seed: Seed::from(6) });
    assert!(other.contains(&"board".to_owned()), "another seed gives another board: {other:?}");
}

#[test]
fn a_daily_round_is_proven_by_what_its_day_reveals() {
    let day: Day = "2026-11-30".parse().expect("a day");
    let (preset, server_seed) = (daily::preset(day), Seed([9; 32]));
    let commitment = daily::commitment(DEAL_VERSION, day, preset, &server_seed);
    let revealed = Revealed { day, preset, deal_version: DEAL_VERSION, commitment, server_seed, redeals: 0 };
    let dealt = revealed.proven().expect("as it was made");
    let mut table = Table::open(RoomOptions::alone(Solo::Daily { day, commitment, practice: false }, preset));
    (table.board, table.optimum) = (dealt.board, Some(dealt.optimum));
    table.sit(1);
    table.tell(1, Command::Ready(true)).expect("ready");
    table.pass(COUNTDOWN_MS);
    let line = way(&table);
    play(&mut table, &line);
    table.pass(100);
    let round = stored(&table);
    assert_eq!(verify(&round), Verdict { differences: vec![], not_checked: vec!["deal"] }, "while the day is on");
    assert_eq!(verify_daily(&round, &revealed), Verdict::default());
    let said = |revealed: Revealed| -> Vec<String> {
        verify_daily(&round, &revealed).differences.iter().map(|difference| difference.place.clone()).collect()
    };
    assert_eq!(said(Revealed { server_seed: Seed([8; 32]), ..revealed }), ["deal"]);
    assert_eq!(said(Revealed { redeals: 1, ..revealed })[0], "board");
    let other = Preset::Apprentice;
    let commitment = daily::commitment(DEAL_VERSION, day, other, &server_seed);
    let places = said(Revealed { preset: other, commitment, ..revealed });
    assert!(places.contains(&"preset".to_owned()), "{places:?}");
    let next = day.next();
    let commitment = daily::commitment(DEAL_VERSION, next, preset, &server_seed);
    assert_eq!(said(Revealed { day: next, commitment, ..revealed }), ["day", "commitment of the day"]);
}

#[test]
fn solo_rooms_have_no_options_of_their_own() {
    let alone = first_stage();
    assert_eq!(alone.clone().checked().as_ref(), Ok(&alone));
    for other in [
        RoomOptions { seats: 2, ..alone.clone() },
        RoomOptions { rated: true, ..alone.clone() },
        RoomOptions { public: true, ..alone.clone() },
        RoomOptions { spectators: true, ..alone.clone() },
        RoomOptions { time_limit_s: Some(60), ..alone.clone() },
        RoomOptions { placement: Placement::Guarded, ..alone.clone() },
        RoomOptions { blueprint: None, ..alone.clone() },
        RoomOptions {
            blueprint: alone.blueprint.clone(),
            ..RoomOptions::alone(Solo::Shuffle { seed: Seed::from(1) }, Preset::Initiate)
        },
        RoomOptions { seats: 1, ..RoomOptions::default() },
    ] {
        let refused = other.clone().checked().expect_err("no room has these");
        assert!(matches!(refused, BadOptions::Solo | BadOptions::Seats(1)), "{other:?}: {refused}");
    }
}

#[test]
fn a_room_of_one_takes_no_more_acts_than_it_may() {
    let mut table = at_start(first_stage());
    table.race.refused(sprint_shared::time::Seat::ALL[0], ALONE_ACTS_MAX - 1);
    table.go(1, 1, 3).expect("the last one");
    assert_eq!(table.act(1, Act::Undo), Err(Refusal::UsedUp));
    table.tell(1, Command::GiveUp).expect("that is always possible");
    let mut duel = Table::duel();
    duel.race.refused(sprint_shared::time::Seat::ALL[0], ALONE_ACTS_MAX);
    duel.go(1, 1, 2).expect("a race ends by its timer");
}

#[test]
fn options_of_races_are_written_as_before() {
    let written = serde_json::to_value(RoomOptions::default()).expect("plain");
    assert!(written.get("solo").is_none(), "or the chains of old rounds would break");
}

/// Plays a lesson as it is told: each law is tried before it is kept, then the shortest way; returns how many steps it led through.
fn follow(lesson: &Lesson) -> usize {
    let house = House { placement: Placement::Strict, relaxed: true };
    let mut play = Play::new(lesson.board.clone());
    let mut done = 0;
    let mut act = |play: &mut Play, act: Act| {
        let deed = play.judge(&act, house).expect("possible");
        let before = play.clone();
        play.apply(&deed);
        while lesson.steps.get(done).is_some_and(|step| step.goal.is_reached(&before, &deed, play)) {
            done += 1;
        }
    };
    if let Goal::Refused { law } = lesson.steps[0].goal {
        let pegs = || (1..=lesson.board.pegs().len() as u32).map(|n| sprint_shared::peg::PegId::new(n).expect("a peg"));
        let mut all = pegs().flat_map(|from| pegs().map(move |to| Transfer { from, to }));
        let by_law = |t: &Transfer| t.from != t.to && Law::of(&lesson.board, *t, 0) == Some(law);
        let Transfer { from, to } = all.find(by_law).expect("the law can be tried at once");
        act(&mut play, Act::Lift { peg: from.number().into() });
        act(&mut play, Act::Place { peg: to.number().into() });
    }
    let Outcome::Solved { line, .. } = solve(&lesson.board, &Budget::default()) else { panic!("it can be solved") };
    for Transfer { from, to } in line {
        act(&mut play, Act::Move { from: from.number().into(), to: to.number().into() });
    }
    assert!(play.is_harmony());
    done
}

#[test]
fn every_lesson_has_its_proven_optimum_and_its_shortest_way_does_what_it_asks_for() {
    for lesson in lessons() {
        let Outcome::Solved { optimum, .. } = solve(&lesson.board, &Budget::default()) else {
            panic!("{} can be solved", lesson.name)
        };
        assert_eq!(optimum, lesson.optimum, "{}", lesson.name);
        assert_eq!(follow(lesson), lesson.steps.len(), "{}", lesson.name);
        assert!(matches!(lesson.steps.last().expect("a step").goal, Goal::Harmony { .. }), "{}", lesson.name);
    }
}

#[test]
fn the_tutorial_teaches_the_laws_and_the_techniques_on_boards_that_are_no_stage() {
    let goals: Vec<Goal> = lessons().iter().flat_map(|lesson| lesson.steps).map(|step| step.goal).collect();
    for law in [Law::Size, Law::Spectrum, Law::Capacity] {
        assert!(goals.contains(&Goal::Refused { law }), "{law:?}");
    }
    assert!(goals.contains(&Goal::Emptied {}));
    for lesson in lessons() {
        assert!(almanac().stages().iter().all(|stage| stage.board != lesson.board), "{}", lesson.name);
    }
}

#[test]
fn a_law_is_named_only_where_it_forbids() {
    let board = "R2R1/R3/- 2,1,3".parse().expect("a board");
    let peg = |number| sprint_shared::peg::PegId::new(number).expect("a peg");
    assert_eq!(Law::of(&board, Transfer { from: peg(1), to: peg(2) }, 0), Some(Law::Capacity));
    assert_eq!(Law::of(&board, Transfer { from: peg(1), to: peg(3) }, 0), None);
    let deed = Deed::Returned { from: peg(1), to: peg(2) };
    let play = Play::new(board);
    let goal = |law| Goal::Refused { law };
    assert!(goal(Law::Capacity).is_reached(&play, &deed, &play) && !goal(Law::Size).is_reached(&play, &deed, &play));
}
