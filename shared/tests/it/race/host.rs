//! What the host of a room may do, and what nobody else may.

use sprint_shared::event::{CloseReason, Event};
use sprint_shared::options::RoomOptions;
use sprint_shared::protocol::view::PhaseView;
use sprint_shared::protocol::{EventKind, wire};
use sprint_shared::race::{Command, Refusal, Viewer, Whom};

use crate::table::{COUNTDOWN_MS, Table, player, seat};

const BY_THE_HOST: [Command; 4] =
    [Command::Start, Command::Kick(Whom::at(OTHER)), Command::Close, Command::HandOver(Whom::at(OTHER))];
const OTHER: sprint_shared::time::Seat = sprint_shared::time::Seat::ALL[1];

/// A room for four in which seats 1 to `players` are taken and connected; seat 1 is the host.
fn lobby(players: u8) -> Table {
    let mut table = Table::open(RoomOptions { seats: 4, ..RoomOptions::default() });
    (1..=players).for_each(|number| table.sit(number));
    assert_eq!(table.view(1).host, Some(seat(1)));
    table
}

fn seated(table: &Table) -> Vec<u8> {
    table.view(1).seats.iter().map(|s| s.seat.number()).collect()
}

#[test]
fn the_host_starts_with_those_who_are_there() {
    let mut table = lobby(4);
    table.tell(2, Command::Ready(true)).unwrap();
    table.tell(3, Command::Disconnect).unwrap();
    table.tell(1, Command::Start).unwrap();
    assert_eq!(table.phase(), PhaseView::Dealing);
    assert_eq!(seated(&table), [1, 2, 4], "who is away has lost the seat");
    let readied: Vec<_> = table.log.iter().filter(|e| matches!(e, Event::Readied { .. })).collect();
    assert_eq!(readied.len(), 3, "each once, who was ready is not asked again");
    table.give_nonces();
    table.pass(COUNTDOWN_MS);
    table.finish(4);
    table.pass(100);
    assert_eq!(table.ranks(), [(4, 1), (1, 2), (2, 2)]);
}

#[test]
fn a_host_alone_or_with_people_who_are_away_starts_nothing() {
    let mut table = lobby(2);
    table.tell(2, Command::Disconnect).unwrap();
    assert!(matches!(table.tell(1, Command::Start), Err(Refusal::NotNow(_))));
    assert_eq!(seated(&table), [1, 2], "nobody lost a seat over it");
}

#[test]
fn a_start_after_the_series_is_a_rematch_for_all_who_are_there() {
    let mut table = Table::duel();
    table.finish(1);
    table.pass(100);
    assert_eq!(table.phase(), PhaseView::Over);
    table.tell(1, Command::Start).unwrap();
    assert_eq!(table.phase(), PhaseView::Dealing);
}

#[test]
fn between_the_rounds_of_a_series_nothing_is_to_be_started() {
    let mut table = Table::racing(RoomOptions { rounds: 3, ..RoomOptions::default() });
    table.finish(1);
    table.pass(100);
    assert_eq!(table.phase(), PhaseView::Break);
    assert!(matches!(table.tell(1, Command::Start), Err(Refusal::NotNow(_))));
}

#[test]
fn an_idle_host_blocks_nobody() {
    let mut gone = lobby(3);
    gone.tell(1, Command::Disconnect).unwrap();
    gone.pass(30_000);
    assert_eq!(gone.view(2).host, Some(seat(2)), "the seat was freed and the room passed on");
    gone.tell(2, Command::Start).unwrap();
    assert_eq!(gone.phase(), PhaseView::Dealing);

    let mut asleep = lobby(3);
    asleep.tell(2, Command::Ready(true)).unwrap();
    asleep.pass(120_000);
    assert_eq!(asleep.view(2).host, Some(seat(1)), "somebody else is not ready either");
    asleep.tell(3, Command::Ready(true)).unwrap();
    asleep.pass(59_999);
    assert_eq!(asleep.view(2).host, Some(seat(1)));
    asleep.pass(1);
    assert_eq!(asleep.view(2).host, Some(seat(2)), "a minute is enough");
    asleep.tell(2, Command::Kick(Whom::at(seat(1)))).unwrap();
    assert_eq!(asleep.phase(), PhaseView::Dealing);
}

#[test]
fn nobody_else_can_start_kick_close_or_hand_over() {
    let mut table = lobby(3);
    for command in BY_THE_HOST {
        assert_eq!(table.tell(3, command.clone()), Err(Refusal::NotHost), "{command:?}");
    }
    assert_eq!(table.tell(4, Command::Start), Err(Refusal::NotSeated));
    assert_eq!(seated(&table), [1, 2, 3]);
}

#[test]
fn a_round_cannot_be_kicked_out_of_nor_closed() {
    let mut dealing = Table::open(RoomOptions::default());
    dealing.two_get_ready();
    for mut table in [dealing, Table::counting_down(RoomOptions::default()), Table::duel()] {
        for command in BY_THE_HOST {
            assert!(matches!(table.tell(1, command.clone()), Err(Refusal::NotNow(_))), "{command:?}");
        }
        table.crash(1_000);
        table.tell(1, Command::Connect).unwrap();
        for command in BY_THE_HOST {
            assert!(matches!(table.tell(1, command.clone()), Err(Refusal::NotNow(_))), "paused: {command:?}");
        }
    }
}

#[test]
fn who_is_kicked_loses_the_seat_and_it_can_be_taken_again() {
    let mut table = lobby(4);
    assert_eq!(table.tell(1, Command::Kick(Whom::at(seat(2)))).unwrap(), [Event::Left { seat: seat(2) }]);
    assert_eq!(table.race.seat_of(player(2)), None);
    assert!(matches!(table.tell(1, Command::Kick(Whom::at(seat(2)))), Err(Refusal::NotNow(_))), "nobody sits there");
    assert!(
        matches!(table.tell(1, Command::Kick(Whom::at(seat(1)))), Err(Refusal::NotNow(_))),
        "a host leaves, if need be"
    );
    table.sit(5);
    assert_eq!(table.race.seat_of(player(5)), Some(seat(2)));
}

#[test]
fn a_closed_room_has_sent_everybody_away() {
    let mut table = lobby(3);
    table.tell(3, Command::Disconnect).unwrap();
    let events = table.tell(1, Command::Close).unwrap();
    assert_eq!(events.iter().filter(|e| matches!(e, Event::Left { .. })).count(), 3);
    assert!(matches!(events.last(), Some(Event::Closed { reason: CloseReason::Empty, .. })), "{events:?}");
    assert_eq!(table.tell(1, Command::Close), Err(Refusal::Closed));
}

#[test]
fn a_room_is_closed_between_two_rounds_and_what_was_played_stands() {
    let mut table = Table::racing(RoomOptions { rounds: 5, ..RoomOptions::default() });
    table.finish(2);
    table.pass(100);
    table.tell(1, Command::Close).unwrap();
    assert_eq!(table.phase(), PhaseView::Closed);
    assert_eq!(table.ranks(), [(2, 1), (1, 2)]);
}

#[test]
fn the_room_is_handed_to_somebody_who_is_there() {
    let mut table = lobby(3);
    table.tell(2, Command::Disconnect).unwrap();
    assert!(
        matches!(table.tell(1, Command::HandOver(Whom::at(seat(2)))), Err(Refusal::NotNow(_))),
        "who is away is no host"
    );
    assert!(
        matches!(table.tell(1, Command::HandOver(Whom::at(seat(4)))), Err(Refusal::NotNow(_))),
        "nobody sits there"
    );
    table.tell(1, Command::HandOver(Whom::at(seat(3)))).unwrap();
    assert_eq!(table.view(1).host, Some(seat(3)));
    assert_eq!(table.tell(1, Command::Kick(Whom::at(seat(3)))), Err(Refusal::NotHost), "and it is not taken back");
    table.tell(3, Command::Kick(Whom::at(seat(1)))).unwrap();
}

#[test]
fn who_sits_down_meanwhile_is_not_taken_for_the_one_who_was_meant() {
    let mut table = lobby(3);
    let ben = |seat| Whom { seat, player: Some(player(2)) };
    // Ben leaves and another takes his seat before the host's request arrives.
    table.tell(2, Command::Leave).unwrap();
    assert!(matches!(table.tell(1, Command::Kick(ben(seat(2)))), Err(Refusal::NotNow(_))), "nobody sits there");
    table.sit(5);
    assert_eq!(table.race.seat_of(player(5)), Some(seat(2)));
    for command in [Command::Kick(ben(seat(2))), Command::HandOver(ben(seat(2)))] {
        assert_eq!(table.tell(1, command), Err(Refusal::SomebodyElse));
    }
    assert_eq!(table.view(1).host, Some(seat(1)));
    let other = Whom { seat: seat(2), player: Some(player(5)) };
    assert_eq!(table.tell(1, Command::Kick(other)).unwrap(), [Event::Left { seat: seat(2) }]);
}

#[test]
fn kick_and_ready_in_one_turn_leave_no_ghost() {
    // Whichever of the two comes first, nobody waits for a seat that nobody holds.
    for kick_first in [true, false] {
        let mut table = lobby(3);
        table.tell(1, Command::Ready(true)).unwrap();
        table.tell(3, Command::Ready(true)).unwrap();
        if kick_first {
            table.tell(1, Command::Kick(Whom::at(seat(2)))).unwrap();
            assert_eq!(table.tell(2, Command::Ready(true)), Err(Refusal::NotSeated));
        } else {
            table.tell(2, Command::Ready(true)).unwrap();
            assert!(
                matches!(table.tell(1, Command::Kick(Whom::at(seat(2)))), Err(Refusal::NotNow(_))),
                "the round is on"
            );
        }
        assert_eq!(table.phase(), PhaseView::Dealing);
        let racers = if kick_first { vec![1, 3] } else { vec![1, 2, 3] };
        assert_eq!(seated(&table), racers);
        table.give_nonces();
        table.pass(COUNTDOWN_MS);
        assert_eq!(table.view(1).round.unwrap().plays.len(), racers.len());
    }
}

#[test]
fn kicking_the_one_who_is_not_ready_starts_the_others() {
    let mut table = lobby(3);
    table.tell(1, Command::Ready(true)).unwrap();
    table.tell(2, Command::Ready(true)).unwrap();
    table.tell(1, Command::Kick(Whom::at(seat(3)))).unwrap();
    assert_eq!(table.phase(), PhaseView::Dealing);
}

#[test]
fn a_room_without_a_host_obeys_nobody_and_starts_with_those_who_are_there() {
    let mut table = lobby(3);
    table.race = table.race.clone().without_host();
    assert_eq!(table.race.host(), None);
    for command in BY_THE_HOST {
        let refused = table.race.decide(table.now, seat(1), &command);
        assert!(matches!(refused, Err(Refusal::NotNow(_))), "{command:?}");
    }
    let told = wire::wire(&table.race, table.now, &Event::HostChanged { seat: seat(1) }, Viewer::Spectator);
    assert_eq!(told.kind, EventKind::Hidden {});
    assert_eq!(table.race.begin(table.now).unwrap().len(), 3);
}
