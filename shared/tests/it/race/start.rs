//! How a round begins: ready, commitment, nonces, T0 (RULES section 5).

use sprint_shared::event::Event;
use sprint_shared::fairness;
use sprint_shared::options::RoomOptions;
use sprint_shared::protocol::view::PhaseView;
use sprint_shared::race::{Command, Refusal, Viewer};

use crate::table::{COUNTDOWN_MS, SHORT, Table, seat};

fn four() -> RoomOptions {
    RoomOptions { seats: 4, ..RoomOptions::default() }
}

#[test]
fn a_round_begins_when_all_seated_players_are_ready_and_at_least_two_are() {
    let mut table = Table::open(four());
    table.sit(1);
    table.tell(1, Command::Ready(true)).unwrap();
    assert_eq!(table.phase(), PhaseView::Lobby);
    table.sit(2);
    table.sit(3);
    table.tell(2, Command::Ready(true)).unwrap();
    assert_eq!(table.phase(), PhaseView::Lobby);
    table.tell(3, Command::Ready(true)).unwrap();
    assert_eq!(table.phase(), PhaseView::Dealing);
}

#[test]
fn the_commitment_is_published_before_any_nonce_and_the_reveal_proves_the_seed() {
    let mut table = Table::racing(RoomOptions::default());
    let order = |wanted: fn(&Event) -> bool| table.log.iter().position(wanted).expect("it happened");
    assert!(order(|e| matches!(e, Event::Committed { .. })) < order(|e| matches!(e, Event::NonceGiven { .. })));
    table.finish(1);
    table.pass(100);
    let reveal = table.view(2).round.expect("a round").reveal.expect("revealed after the round");
    let nonces = std::array::from_fn(|i| reveal.nonces[i]);
    assert_eq!(reveal.seed, Some(fairness::board_seed(&reveal.server_seed, &nonces)));
    let again = fairness::commitment(reveal.deal_version, table.race.room(), 1, &reveal.source, &reveal.server_seed);
    assert_eq!(again, reveal.commitment);
    assert_eq!(reveal.nonces.iter().flatten().count(), 2);
}

#[test]
fn a_player_who_gives_no_nonce_delays_the_deal_by_a_second_at_most() {
    let mut table = Table::open(RoomOptions::default());
    table.two_get_ready();
    table.pass(999);
    assert_eq!(table.phase(), PhaseView::Dealing);
    table.pass(1);
    assert_eq!(table.phase(), PhaseView::Countdown);
}

#[test]
fn the_first_nonce_of_a_seat_stands() {
    let mut table = Table::open(RoomOptions::default());
    table.two_get_ready();
    let nonce = |byte| Command::Nonce(sprint_shared::event::Nonce([byte; 16]));
    table.tell(1, nonce(1)).unwrap();
    assert!(matches!(table.tell(1, nonce(2)), Err(Refusal::NotNow(_))));
}

#[test]
fn nobody_sees_a_board_before_t0_and_acts_before_t0_are_refused_free() {
    let mut table = Table::counting_down(RoomOptions::default());
    table.pass(COUNTDOWN_MS - 1);
    for viewer in [Viewer::Seat(seat(1)), Viewer::Spectator] {
        let round = table.race.view(table.now, viewer).round.expect("a round");
        assert_eq!((round.board, round.optimum, round.par), (None, None, None));
        assert!(round.plays.iter().all(|p| p.board.is_none() && p.settled == 0));
    }
    assert_eq!(table.go(1, 1, 2), Err(Refusal::NotStarted));
    table.pass(1);
    let round = table.view(1).round.expect("a round");
    assert_eq!(round.board.as_deref(), Some(SHORT));
    assert!(table.go(1, 1, 2).is_ok());
}

#[test]
fn every_seat_gets_the_same_board() {
    let table = Table::racing(four());
    let boards: Vec<_> = (1..=4)
        .map(|number| {
            let plays = table.view(number).round.expect("a round").plays;
            plays.into_iter().find(|p| p.seat == seat(number)).and_then(|p| p.board).expect("an own board")
        })
        .collect();
    assert!(boards.iter().all(|b| *b == SHORT));
}

#[test]
fn the_lag_credit_is_capped_at_100_ms_and_in_rated_rooms_at_60() {
    for (rated, cap) in [(false, 100), (true, 60)] {
        let mut table = Table::open(RoomOptions { rated, ..RoomOptions::default() });
        table.one_way_ms = [4_000, 30, 0, 0];
        table.two_get_ready();
        table.give_nonces();
        assert_eq!(table.view(1).round.unwrap().credit_ms, Some(cap));
        assert_eq!(table.view(2).round.unwrap().credit_ms, Some(30));
    }
}

#[test]
fn a_board_that_was_dealt_before_is_replaced_by_a_seed_that_nobody_chose() {
    let mut table = Table::open(RoomOptions::default());
    table.redeals = 2;
    table.two_get_ready();
    table.give_nonces();
    table.pass(COUNTDOWN_MS);
    table.finish(1);
    table.pass(100);
    let reveal = table.view(2).round.expect("a round").reveal.expect("revealed after the round");
    let first = fairness::board_seed(&reveal.server_seed, &std::array::from_fn(|i| reveal.nonces[i]));
    assert_eq!(reveal.redeals, 2);
    assert_eq!(reveal.seed, Some(fairness::next_seed(&fairness::next_seed(&first))));
}

#[test]
fn a_countdown_is_planned_anew_only_before_anybody_acts() {
    let mut table = Table::counting_down(RoomOptions::default());
    table.pass(COUNTDOWN_MS - 50);
    let events = table.race.replan(table.now);
    table.apply(events);
    table.pass(COUNTDOWN_MS - 1);
    assert_eq!(table.phase(), PhaseView::Countdown);
    table.pass(1);
    table.go(1, 1, 2).unwrap();
    assert_eq!(table.race.replan(table.now), []);
}
