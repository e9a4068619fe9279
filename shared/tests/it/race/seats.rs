//! Seats, leaving, rematch and series (RULES section 5).

use sprint_shared::event::{CloseReason, Event};
use sprint_shared::options::RoomOptions;
use sprint_shared::play::{Act, ActRefused};
use sprint_shared::protocol::view::PhaseView;
use sprint_shared::race::{Command, Refusal};
use sprint_shared::time::Millis;

use crate::table::{COUNTDOWN_MS, IDLE_MS, Table, seat};

fn four() -> RoomOptions {
    RoomOptions { seats: 4, ..RoomOptions::default() }
}

#[test]
fn a_lockout_leaves_only_reset_and_giving_up() {
    let mut table = Table::open(RoomOptions::default());
    table.board = "R1R2/S1S2/- 2,2,1".parse().unwrap();
    table.optimum = None;
    table.two_get_ready();
    table.give_nonces();
    table.pass(COUNTDOWN_MS);
    table.go(1, 1, 3).unwrap();
    for act in [Act::Lift { peg: 1 }, Act::Move { from: 2, to: 3 }, Act::Undo] {
        assert_eq!(table.act(1, act), Err(Refusal::Act(ActRefused::Lockout)), "{act:?}");
    }
    let play = table.view(1).round.unwrap().plays[0].clone();
    assert_eq!((play.errors, play.moves), (0, 1), "a barred act costs nothing");
    table.act(1, Act::Reset).unwrap();
    table.go(1, 1, 3).unwrap();
    table.tell(1, Command::GiveUp).unwrap();
}

#[test]
fn leaving_in_the_lobby_frees_the_seat_and_passes_the_room_on() {
    let mut table = Table::open(RoomOptions::default());
    table.sit(1);
    table.sit(2);
    assert_eq!(table.view(1).host, Some(seat(1)));
    table.tell(1, Command::Leave).unwrap();
    assert_eq!(table.view(2).host, Some(seat(2)));
    table.sit(3);
    assert_eq!(table.view(2).seats.len(), 2);
}

#[test]
fn the_last_one_to_leave_closes_the_room() {
    let mut table = Table::open(RoomOptions::default());
    table.sit(1);
    table.tell(1, Command::Leave).unwrap();
    assert_eq!(table.phase(), PhaseView::Closed);
    assert_eq!(table.tell(1, Command::Connect), Err(Refusal::Closed));
}

#[test]
fn leaving_in_a_round_is_giving_up() {
    let mut table = Table::duel();
    table.tell(1, Command::Leave).unwrap();
    table.finish(2);
    assert_eq!(table.ranks(), [(2, 1), (1, 2)]);
    assert!(table.of(1).gave_up);
    assert_eq!(table.view(2).seats.len(), 1, "the seat is free after the series");
}

#[test]
fn everybody_leaving_in_the_countdown_leaves_no_ghost() {
    let mut table = Table::counting_down(RoomOptions::default());
    table.tell(1, Command::Leave).unwrap();
    table.tell(2, Command::Leave).unwrap();
    assert_eq!(table.phase(), PhaseView::Closed);
    assert_eq!(table.results().len(), 1);
}

#[test]
fn everybody_leaving_while_the_board_is_dealt_leaves_no_ghost() {
    let mut table = Table::open(RoomOptions::default());
    table.two_get_ready();
    table.tell(1, Command::Leave).unwrap();
    table.tell(2, Command::Leave).unwrap();
    table.pass(20_000);
    assert_eq!(table.phase(), PhaseView::Closed);
}

#[test]
fn a_seat_whose_player_is_gone_from_the_lobby_is_freed_after_half_a_minute() {
    let mut table = Table::open(RoomOptions::default());
    table.sit(1);
    table.sit(2);
    table.tell(2, Command::Ready(true)).unwrap();
    table.tell(1, Command::Disconnect).unwrap();
    table.pass(29_999);
    assert_eq!(table.view(2).seats.len(), 2);
    table.pass(1);
    assert_eq!(table.view(2).seats.len(), 1);
}

#[test]
fn whoever_returns_a_millisecond_before_the_seat_is_freed_keeps_it() {
    let mut table = Table::open(RoomOptions::default());
    table.sit(1);
    table.sit(2);
    table.tell(1, Command::Disconnect).unwrap();
    table.pass(29_999);
    table.tell(1, Command::Connect).unwrap();
    table.pass(29_999);
    assert_eq!(table.view(2).seats.len(), 2);
    assert!(table.view(2).seats.iter().all(|seat| seat.present));
}

#[test]
fn dropping_and_returning_in_a_race_changes_nobodys_deadline() {
    let mut table = Table::duel();
    let deadline = table.race.next_deadline();
    assert!(deadline.is_some());
    for number in [1, 2, 1] {
        for command in [Command::Disconnect, Command::Connect] {
            table.pass(1_000);
            table.tell(number, command).unwrap();
            assert_eq!(table.race.next_deadline(), deadline);
        }
    }
}

#[test]
fn an_idle_lobby_closes() {
    let mut table = Table::open(RoomOptions::default());
    table.sit(1);
    table.pass(IDLE_MS);
    assert_eq!(table.phase(), PhaseView::Closed);
}

/// Has the same thing done again and again, each time just before the room were idle, until it is closed; when that was.
fn closed_while(table: &mut Table, mut act: impl FnMut(&mut Table, u64)) -> Millis {
    let closed = |table: &Table| match table.log.last() {
        Some(Event::Closed { at, reason: CloseReason::Idle }) => Some(*at),
        _ => None,
    };
    (0..100)
        .find_map(|times| {
            act(table, times);
            table.pass(IDLE_MS - 1);
            closed(table)
        })
        .expect("nothing keeps a room open for ever")
}

#[test]
fn nothing_but_a_round_keeps_a_lobby_open_for_more_than_six_times_its_idle_time() {
    let lobby = || {
        let mut table = Table::open(RoomOptions { seats: 3, ..RoomOptions::default() });
        table.sit(1);
        let closes = table.now.after(6 * IDLE_MS);
        (table, closes)
    };
    let (mut table, closes) = lobby();
    let flips = closed_while(&mut table, |table, times| drop(table.tell(1, Command::Ready(times % 2 == 0)).unwrap()));
    assert_eq!(flips, closes);
    let (mut table, closes) = lobby();
    let lost_lines = closed_while(&mut table, |table, _| {
        table.tell(1, Command::Disconnect).unwrap();
        table.tell(1, Command::Connect).unwrap();
    });
    assert_eq!(lost_lines, closes);
    let (mut table, closes) = lobby();
    let guests = closed_while(&mut table, |table, _| {
        table.sit(2);
        table.tell(2, Command::Leave).unwrap();
    });
    assert_eq!(guests, closes);
    let (mut table, closes) = lobby();
    let dropped_rounds = closed_while(&mut table, |table, _| {
        table.sit(2);
        table.tell(1, Command::Start).unwrap();
        table.tell(2, Command::Leave).unwrap();
    });
    assert_eq!(dropped_rounds, closes);
}

#[test]
fn a_room_in_which_rounds_are_raced_stays_open_and_votes_keep_it_open_no_longer() {
    let mut table = Table::racing(RoomOptions::default());
    for _ in 0..20 {
        table.finish(1);
        table.pass(100);
        assert_eq!(table.phase(), PhaseView::Over);
        table.pass(IDLE_MS - 1);
        table.tell(1, Command::Rematch).unwrap();
        table.tell(2, Command::Rematch).unwrap();
        table.give_nonces();
        table.pass(COUNTDOWN_MS);
    }
    table.finish(1);
    table.pass(100);
    let closes = table.now.after(6 * IDLE_MS);
    let votes = closed_while(&mut table, |table, times| drop(table.tell(1, Command::Ready(times % 2 == 0)).unwrap()));
    assert_eq!(votes, closes);
}

#[test]
fn a_rematch_needs_the_vote_of_every_remaining_player_and_simultaneous_votes_make_one() {
    let mut table = Table::racing(RoomOptions { seats: 3, ..RoomOptions::default() });
    table.finish(1);
    table.pass(100);
    assert_eq!(table.phase(), PhaseView::Over);
    table.tell(1, Command::Rematch).unwrap();
    table.tell(2, Command::Rematch).unwrap();
    assert_eq!(table.tell(2, Command::Rematch), Ok(vec![]), "a second click changes nothing");
    assert_eq!(table.phase(), PhaseView::Over);
    table.tell(3, Command::Leave).unwrap();
    assert_eq!(table.phase(), PhaseView::Dealing, "those who remain have all voted");
    let rounds = table.log.iter().filter(|e| matches!(e, Event::Committed { .. })).count();
    assert_eq!(rounds, 2);
}

#[test]
fn a_series_ends_when_somebody_has_more_than_half_of_its_rounds() {
    let mut table = Table::racing(RoomOptions { rounds: 3, ..RoomOptions::default() });
    table.finish(2);
    table.pass(100);
    assert_eq!(table.phase(), PhaseView::Break);
    table.pass(10_000);
    table.give_nonces();
    table.pass(COUNTDOWN_MS);
    table.finish(2);
    table.pass(100);
    assert_eq!(table.phase(), PhaseView::Over);
    let ranking = table.ranking().expect("a ranking");
    assert_eq!((ranking[0].seat, ranking[0].rank, ranking[0].taken), (seat(2), 1, 2));
    assert_eq!((ranking[1].rank, ranking[1].ranks), (2, 4));
}

#[test]
fn the_next_round_begins_early_when_all_are_ready() {
    let mut table = Table::racing(RoomOptions { rounds: 3, ..RoomOptions::default() });
    table.finish(1);
    table.pass(100);
    table.tell(1, Command::Ready(true)).unwrap();
    assert_eq!(table.phase(), PhaseView::Break);
    table.tell(2, Command::Ready(true)).unwrap();
    assert_eq!(table.phase(), PhaseView::Dealing);
}

#[test]
fn a_series_ends_when_one_player_is_left_and_the_leaver_is_last_in_the_rounds_that_remain() {
    let mut table = Table::racing(RoomOptions { rounds: 3, ..RoomOptions::default() });
    table.finish(2);
    table.pass(100);
    table.tell(2, Command::Leave).unwrap();
    assert_eq!(table.phase(), PhaseView::Over);
    let ranking = table.ranking().expect("a ranking");
    let facts: Vec<_> = ranking.iter().map(|r| (r.seat.number(), r.rank, r.taken, r.ranks)).collect();
    // Seat 2 took one round and is last in two; seat 1 takes those two.
    assert_eq!(facts, [(1, 1, 2, 2 + 1 + 1), (2, 2, 1, 1 + 2 + 2)]);
}

#[test]
fn a_leaver_of_three_is_last_in_the_rounds_that_the_others_still_play() {
    let mut table = Table::racing(RoomOptions { seats: 3, rounds: 3, ..RoomOptions::default() });
    table.finish(3);
    table.pass(100);
    table.tell(3, Command::Leave).unwrap();
    for _ in 0..2 {
        table.pass(10_000);
        table.give_nonces();
        table.pass(COUNTDOWN_MS);
        table.finish(1);
        table.pass(100);
    }
    let ranking = table.ranking().expect("a ranking");
    let facts: Vec<_> = ranking.iter().map(|r| (r.seat.number(), r.rank, r.taken, r.ranks)).collect();
    // In round 1 seats 1 and 2 share rank 2; later the one who left has rank 3 of 3.
    assert_eq!(facts, [(1, 1, 2, 2 + 1 + 1), (3, 2, 1, 1 + 3 + 3), (2, 3, 0, 2 + 2 + 2)]);
}

#[test]
fn whoever_does_something_keeps_a_lobby_open() {
    let mut table = Table::open(RoomOptions::default());
    table.sit(1);
    table.pass(IDLE_MS - 1);
    table.sit(2);
    table.pass(IDLE_MS - 1);
    table.tell(2, Command::Ready(true)).unwrap();
    table.pass(IDLE_MS - 1);
    assert_eq!(table.phase(), PhaseView::Lobby);
    table.pass(1);
    assert_eq!(table.phase(), PhaseView::Closed);
}

#[test]
fn leaving_before_the_countdown_drops_the_round_if_fewer_than_two_are_left() {
    let mut table = Table::open(RoomOptions::default());
    table.two_get_ready();
    assert_eq!(table.phase(), PhaseView::Dealing);
    table.tell(1, Command::Leave).unwrap();
    assert_eq!(table.phase(), PhaseView::Lobby);
    assert_eq!(table.view(2).seats.len(), 1);
    table.sit(3);
    table.tell(1, Command::Ready(true)).unwrap();
    table.tell(2, Command::Ready(true)).unwrap();
    table.give_nonces();
    table.pass(COUNTDOWN_MS);
    assert_eq!(table.phase(), PhaseView::Racing);
}

#[test]
fn of_three_one_may_leave_before_the_countdown_and_the_others_race() {
    let mut table = Table::open(four());
    for number in 1..=3 {
        table.sit(number);
    }
    for number in 1..=3 {
        table.tell(number, Command::Ready(true)).unwrap();
    }
    table.tell(2, Command::Leave).unwrap();
    table.give_nonces();
    table.pass(COUNTDOWN_MS);
    table.finish(3);
    table.pass(100);
    assert_eq!(table.ranks(), [(3, 1), (1, 2)], "who left was no racer");
}

#[test]
fn who_is_not_connected_holds_no_round_up_and_is_drawn_into_none() {
    let mut table = Table::open(RoomOptions::default());
    table.sit(1);
    table.sit(2);
    table.tell(1, Command::Ready(true)).unwrap();
    table.crash(1_000);
    table.tell(2, Command::Connect).unwrap();
    table.tell(2, Command::Ready(true)).unwrap();
    assert_eq!(table.phase(), PhaseView::Lobby, "seat 1 was ready but is away");
    table.tell(1, Command::Connect).unwrap();
    assert_eq!(table.phase(), PhaseView::Dealing);
}

#[test]
fn no_round_begins_in_a_series_that_everybody_walked_away_from() {
    let mut table = Table::racing(RoomOptions { rounds: 5, ..RoomOptions::default() });
    table.tell(2, Command::Disconnect).unwrap();
    table.finish(1);
    table.pass(100);
    table.tell(1, Command::Disconnect).unwrap();
    table.pass(60_000);
    assert_eq!(table.results().len(), 1);
    assert_eq!(table.phase(), PhaseView::Closed);
}

#[test]
fn a_newcomer_has_taken_no_rounds() {
    let mut table = Table::duel();
    table.finish(1);
    table.pass(100);
    table.tell(1, Command::Leave).unwrap();
    table.sit(5);
    assert!(table.view(2).seats.iter().all(|s| s.taken == 0), "the winner has left");
}
