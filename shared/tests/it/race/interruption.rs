//! The server was interrupted: clocks stand still, for all alike (RULES section 5).

use sprint_shared::options::RoomOptions;
use sprint_shared::play::Act;
use sprint_shared::protocol::view::PhaseView;
use sprint_shared::race::{Command, Refusal};

use crate::table::{COUNTDOWN_MS, Table};

#[test]
fn after_a_crash_the_clocks_stand_still_and_go_on_alike_for_all() {
    let mut table = Table::duel();
    table.pass(10_000);
    table.act(1, Act::Lift { peg: 1 }).unwrap();
    table.crash(7_000);
    assert_eq!(table.phase(), PhaseView::Paused);
    assert!(table.view(1).round.unwrap().plays.iter().all(|p| p.board.is_none()), "boards are hidden");
    assert_eq!(table.view(1).round.unwrap().clock_ms, Some(10_000));
    table.tell(1, Command::Connect).unwrap();
    assert_eq!(table.act(1, Act::Place { peg: 2 }), Err(Refusal::Paused));
    table.pass(2_000);
    table.tell(2, Command::Connect).unwrap();
    assert_eq!(table.phase(), PhaseView::Countdown);
    table.pass(COUNTDOWN_MS);
    let round = table.view(1).round.unwrap();
    assert_eq!((round.clock_ms, round.plays[0].held), (Some(10_000), Some(1)));
    table.act(1, Act::Place { peg: 2 }).unwrap();
    table.pass(500);
    table.go(1, 3, 2).unwrap();
    table.pass(100);
    assert_eq!(table.of(1).finish.map(|f| f.raw_ms), Some(10_500));
    assert!(table.result().interrupted);
}

#[test]
fn play_resumes_without_those_who_stay_away_after_fifteen_seconds() {
    let mut table = Table::duel();
    table.crash(1_000);
    table.tell(1, Command::Connect).unwrap();
    table.pass(14_999);
    assert_eq!(table.phase(), PhaseView::Paused);
    table.pass(1);
    assert_eq!(table.phase(), PhaseView::Countdown);
}

#[test]
fn crashes_on_crashes_add_up_to_no_race_time() {
    let mut table = Table::duel();
    table.pass(4_000);
    table.crash(1_000);
    table.pass(3_000);
    table.crash(5_000);
    table.tell(1, Command::Connect).unwrap();
    table.tell(2, Command::Connect).unwrap();
    // A third one in the countdown of the resumption.
    table.pass(1_500);
    table.crash(20_000);
    table.tell(1, Command::Connect).unwrap();
    table.tell(2, Command::Connect).unwrap();
    table.pass(COUNTDOWN_MS);
    assert_eq!(table.view(1).round.unwrap().clock_ms, Some(4_000));
    assert_eq!(table.phase(), PhaseView::Racing);
}

#[test]
fn a_crash_in_the_photo_finish_does_not_close_it_early() {
    let mut table = Table::duel();
    table.pass(1_000);
    table.finish(1);
    table.pass(40);
    table.crash(30_000);
    table.tell(2, Command::Connect).unwrap();
    table.pass(COUNTDOWN_MS + 59);
    assert_eq!(table.results().len(), 0);
    table.pass(1);
    assert_eq!(table.ranks(), [(1, 1), (2, 2)]);
}

#[test]
fn a_crash_before_t0_plans_it_anew() {
    let mut table = Table::counting_down(RoomOptions::default());
    table.pass(1_000);
    table.crash(60_000);
    table.tell(1, Command::Connect).unwrap();
    table.tell(2, Command::Connect).unwrap();
    table.pass(COUNTDOWN_MS + 1_999);
    assert_eq!(table.phase(), PhaseView::Countdown);
    table.pass(1);
    assert_eq!(table.phase(), PhaseView::Racing);
    assert_eq!(table.view(1).round.unwrap().clock_ms, Some(0));
}

#[test]
fn votes_for_a_rematch_survive_a_crash_of_the_others() {
    let mut table = Table::duel();
    table.finish(1);
    table.pass(100);
    table.tell(1, Command::Rematch).unwrap();
    table.crash(1_000);
    table.tell(1, Command::Connect).unwrap();
    table.tell(2, Command::Connect).unwrap();
    table.tell(2, Command::Rematch).unwrap();
    assert_eq!(table.phase(), PhaseView::Dealing, "the vote of seat 1 stands");
}

#[test]
fn race_time_stands_still_until_the_countdown_of_a_resumption_is_over() {
    let mut table = Table::duel();
    table.pass(1_000);
    table.act(1, Act::Lift { peg: 1 }).unwrap();
    table.crash(2_000);
    let reads = |table: &Table| (table.view(1).round.unwrap().clock_ms, table.race.clock_ms(table.now));
    assert_eq!(reads(&table), (Some(1_000), Some(1_000)));
    table.tell(1, Command::Connect).unwrap();
    table.tell(2, Command::Connect).unwrap();
    for _ in 0..COUNTDOWN_MS / 500 {
        assert_eq!(reads(&table), (Some(1_000), Some(1_000)));
        table.pass(500);
    }
    table.pass(1);
    assert_eq!(reads(&table), (Some(1_001), Some(1_001)));
}

#[test]
fn a_crash_while_nonces_are_gathered_or_the_board_is_dealt_waits_for_the_players() {
    let mut table = Table::open(RoomOptions::default());
    table.two_get_ready();
    table.crash(5_000);
    assert_eq!(table.phase(), PhaseView::Paused);
    table.pass(5_000);
    table.tell(1, Command::Connect).unwrap();
    table.tell(2, Command::Connect).unwrap();
    assert_eq!(table.phase(), PhaseView::Dealing);
    table.give_nonces();
    assert_eq!(table.phase(), PhaseView::Countdown);
}

#[test]
fn who_gives_up_or_leaves_in_a_pause_is_waited_for_no_longer() {
    for command in [Command::GiveUp, Command::Leave] {
        let mut table = Table::duel();
        table.crash(1_000);
        table.tell(1, Command::Connect).unwrap();
        assert_eq!(table.phase(), PhaseView::Paused);
        table.tell(2, Command::Connect).ok();
        table.tell(2, Command::Disconnect).ok();
        table.tell(2, command).unwrap();
        assert_eq!(table.phase(), PhaseView::Countdown);
    }
}

#[test]
fn a_resumption_that_is_planned_anew_adds_its_delay_for_all_alike() {
    let mut table = Table::duel();
    table.pass(4_000);
    table.crash(1_000);
    table.tell(1, Command::Connect).unwrap();
    table.tell(2, Command::Connect).unwrap();
    table.pass(COUNTDOWN_MS - 10);
    let events = table.race.replan(table.now);
    table.apply(events);
    table.pass(COUNTDOWN_MS - 1);
    assert_eq!(table.phase(), PhaseView::Countdown);
    table.pass(1);
    assert_eq!(table.view(1).round.unwrap().clock_ms, Some(4_000));
}
