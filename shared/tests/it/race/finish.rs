//! How a round ends: first place, photo finish, timer, ranks, scores (RULES sections 4 and 5).

use sprint_shared::options::{Contest, RoomOptions};
use sprint_shared::play::Act;
use sprint_shared::protocol::view::PhaseView;
use sprint_shared::race::{Command, Refusal};
use sprint_shared::result::Ended;

use crate::table::{COUNTDOWN_MS, Table};

fn four() -> RoomOptions {
    RoomOptions { seats: 4, ..RoomOptions::default() }
}

#[test]
fn a_clean_finish_decides_and_the_result_comes_a_tenth_of_a_second_later() {
    let mut table = Table::duel();
    table.pass(5_000);
    table.finish(2);
    assert_eq!(table.results().len(), 0);
    table.pass(99);
    assert_eq!(table.results().len(), 0);
    table.pass(1);
    assert_eq!(table.result().ended, Ended::FirstDecided);
    assert_eq!(table.ranks(), [(2, 1), (1, 2)]);
    assert_eq!(table.phase(), PhaseView::Over);
}

#[test]
fn a_slower_line_with_an_earlier_official_time_still_wins() {
    let mut table = Table::open(RoomOptions::default());
    table.one_way_ms = [0, 80, 0, 0];
    table.two_get_ready();
    table.give_nonces();
    table.pass(COUNTDOWN_MS + 5_000);
    table.finish(1);
    table.pass(79);
    table.finish(2);
    assert_eq!(table.ranks(), [(2, 1), (1, 2)], "5079 - 80 is before 5000");
    let finish = table.of(2).finish.expect("finished");
    assert_eq!((finish.raw_ms, finish.credit_ms, finish.official_ms), (5_079, 80, 4_999));
}

#[test]
fn in_the_photo_finish_equal_official_times_share_the_first_rank() {
    let mut table = Table::open(RoomOptions::default());
    table.one_way_ms = [0, 50, 0, 0];
    table.two_get_ready();
    table.give_nonces();
    table.pass(COUNTDOWN_MS + 1_000);
    table.finish(1);
    table.pass(50);
    table.finish(2);
    assert_eq!(table.ranks(), [(1, 1), (2, 1)]);
}

#[test]
fn a_later_official_finish_in_the_photo_finish_stands_as_at_the_deciding_receipt() {
    let mut table = Table::duel();
    table.pass(1_000);
    table.go(2, 1, 2).unwrap();
    table.finish(1);
    table.pass(60);
    table.go(2, 3, 2).unwrap();
    assert_eq!(table.ranks(), [(1, 1), (2, 2)]);
    let second = table.of(2);
    assert_eq!((second.finish, second.moves, second.score), (None, 1, 0));
}

#[test]
fn a_finish_with_errors_waits_for_a_clean_racer() {
    let mut table = Table::duel();
    table.err(1);
    table.finish(1);
    table.pass(1_000);
    assert_eq!(table.results().len(), 0, "seat 2 may still finish clean");
    table.finish(2);
    table.pass(100);
    assert_eq!(table.ranks(), [(2, 1), (1, 2)], "clean before earlier with errors");
    assert_eq!(table.of(1).errors, 1);
}

#[test]
fn a_finish_with_errors_wins_as_soon_as_the_last_clean_racer_errs() {
    let mut table = Table::duel();
    table.err(1);
    table.finish(1);
    table.pass(1_000);
    table.err(2);
    table.pass(100);
    assert_eq!(table.ranks(), [(1, 1), (2, 2)]);
    assert_eq!(table.result().ended, Ended::FirstDecided);
}

#[test]
fn a_finish_with_errors_wins_when_the_clean_racer_gives_up() {
    let mut table = Table::duel();
    table.err(1);
    table.finish(1);
    table.tell(2, Command::GiveUp).unwrap();
    assert_eq!(table.ranks(), [(1, 1), (2, 2)], "nobody can finish any more, so nothing is waited for");
    assert!(table.of(2).gave_up);
}

#[test]
fn the_round_ends_when_nobody_can_act_any_more() {
    let mut table = Table::duel();
    table.tell(1, Command::GiveUp).unwrap();
    assert_eq!(table.results().len(), 0);
    table.tell(2, Command::GiveUp).unwrap();
    assert_eq!(table.result().ended, Ended::NobodyAtWork);
    assert_eq!(table.ranks(), [(1, 1), (2, 1)], "equal keys share a rank");
}

#[test]
fn the_timer_ends_the_round_and_the_rest_rank_by_settled_disks_then_moves() {
    let mut table = Table::racing(RoomOptions { seats: 3, time_limit_s: Some(30), ..RoomOptions::default() });
    // Seat 1 settles two Rubies in one move, seat 2 in three; seat 3 does nothing.
    table.go(1, 1, 2).unwrap();
    table.go(2, 1, 2).unwrap();
    table.act(2, Act::Lift { peg: 3 }).unwrap();
    table.act(2, Act::Lift { peg: 1 }).unwrap();
    table.pass(30_000);
    assert_eq!(table.results().len(), 0, "the limit itself still counts");
    table.pass(1);
    assert_eq!(table.result().ended, Ended::TimeUp);
    assert_eq!(table.ranks(), [(1, 1), (2, 2), (3, 3)]);
    assert_eq!(table.of(2).moves, 6, "one transfer and five penalty moves");
}

#[test]
fn a_finish_counts_if_its_official_time_is_within_the_limit() {
    let within = |late_ms| {
        let mut table = Table::open(RoomOptions { time_limit_s: Some(30), ..RoomOptions::default() });
        table.one_way_ms = [70, 0, 0, 0];
        table.two_get_ready();
        table.give_nonces();
        table.pass(COUNTDOWN_MS + 30_000 + late_ms);
        table.go(1, 1, 2).and_then(|_| table.go(1, 3, 2))
    };
    assert!(within(70).is_ok());
    assert!(within(71).is_err());
}

#[test]
fn acts_after_the_own_time_limit_are_refused_while_slower_lines_still_play() {
    let mut table = Table::open(RoomOptions { time_limit_s: Some(30), ..RoomOptions::default() });
    table.one_way_ms = [0, 90, 0, 0];
    table.two_get_ready();
    table.give_nonces();
    table.pass(COUNTDOWN_MS + 30_050);
    assert_eq!(table.go(1, 1, 2), Err(Refusal::TimeUp));
    assert!(table.go(2, 1, 2).is_ok());
}

#[test]
fn who_gave_up_or_is_absent_at_the_end_is_last() {
    let mut table = Table::racing(four());
    table.tell(3, Command::GiveUp).unwrap();
    table.tell(4, Command::Disconnect).unwrap();
    table.pass(1_000);
    table.finish(1);
    table.pass(100);
    assert_eq!(table.ranks(), [(1, 1), (2, 2), (3, 3), (4, 3)]);
    assert!(table.of(4).absent && !table.of(2).absent);
}

#[test]
fn a_finisher_who_loses_the_connection_keeps_the_rank() {
    let mut table = Table::duel();
    table.err(1);
    table.finish(1);
    table.tell(1, Command::Disconnect).unwrap();
    table.err(2);
    table.pass(100);
    assert_eq!(table.ranks(), [(1, 1), (2, 2)]);
    assert!(!table.of(1).absent);
}

#[test]
fn in_a_contest_for_fewest_moves_all_play_on_and_moves_rank_before_time() {
    let mut table = Table::racing(RoomOptions { contest: Contest::Fewest, ..RoomOptions::default() });
    table.go(1, 1, 2).unwrap();
    table.act(1, Act::Lift { peg: 3 }).unwrap();
    table.act(1, Act::Lift { peg: 3 }).unwrap();
    table.act(1, Act::Place { peg: 2 }).unwrap();
    table.pass(60_000);
    assert_eq!(table.results().len(), 0);
    table.finish(2);
    assert_eq!(table.ranks(), [(2, 1), (1, 2)], "two moves, later, beat seven");
    assert!(table.of(2).crown && !table.of(1).crown);
}

#[test]
fn the_score_of_a_finish_follows_the_ledger() {
    let mut table = Table::duel();
    table.pass(119_999);
    table.go(1, 1, 2).unwrap();
    table.act(1, Act::Undo).unwrap();
    table.finish(1);
    table.pass(100);
    // Optimum 2, par 3: one move under par, under two minutes, not flawless.
    assert_eq!(table.of(1).score, 1000 + 50 + 100);
    assert_eq!((table.of(1).stars, table.of(1).crown, table.of(1).flawless), (3, true, false));
    assert_eq!(table.of(2).score, 0);
}

#[test]
fn a_finish_at_two_minutes_earns_no_speed_bonus() {
    let mut table = Table::duel();
    table.pass(120_000);
    table.finish(1);
    table.pass(100);
    assert_eq!(table.of(1).score, (1000 + 50) / 2 * 3);
}

#[test]
fn an_unproven_board_has_no_par_no_stars_and_no_crown() {
    let mut table = Table::open(RoomOptions::default());
    table.optimum = None;
    table.two_get_ready();
    table.give_nonces();
    table.pass(COUNTDOWN_MS + 1);
    table.finish(1);
    table.pass(100);
    let winner = table.of(1);
    assert_eq!((table.result().par, winner.stars, winner.crown, winner.score), (None, 0, false, 1650));
}

#[test]
fn what_others_do_in_the_photo_finish_does_not_change_how_they_stand() {
    let stands_second = |then: fn(&mut Table)| {
        let mut table = Table::racing(RoomOptions { seats: 3, ..RoomOptions::default() });
        table.pass(1_000);
        table.go(2, 1, 2).unwrap();
        table.finish(1);
        table.pass(50);
        then(&mut table);
        table.pass(60_000);
        assert_eq!(table.ranks(), [(1, 1), (2, 2), (3, 3)]);
    };
    stands_second(|table| drop(table.tell(2, Command::Leave).unwrap()));
    stands_second(|table| drop(table.tell(2, Command::GiveUp).unwrap()));
    stands_second(|table| drop(table.tell(2, Command::Disconnect).unwrap()));
    stands_second(|table| table.crash(5_000));
}

#[test]
fn in_a_contest_for_fewest_moves_errors_do_not_rank() {
    let mut table = Table::racing(RoomOptions { contest: Contest::Fewest, ..RoomOptions::default() });
    table.err(1);
    table.finish(1);
    table.act(2, Act::Lift { peg: 3 }).unwrap();
    table.act(2, Act::Lift { peg: 3 }).unwrap();
    table.act(2, Act::Place { peg: 2 }).unwrap();
    table.act(2, Act::Undo).unwrap();
    table.finish(2);
    assert_eq!(table.ranks(), [(1, 1), (2, 2)], "two moves and an error before seven moves");
}
