//! Two players and a spectator at one table: what a session shows, sends again and puts right.

use sprint_client::session::{Link, Session, Update};
use sprint_client::state::{Clock, Folded, Outcome};
use sprint_shared::options::RoomOptions;
use sprint_shared::play::Act;
use sprint_shared::protocol::view::PhaseView;
use sprint_shared::protocol::{EventKind, Role, WireEvent};
use sprint_shared::time::Seat;

use crate::table::{Table, is};

/// Three transfers from harmony.
const BOARD: &str = "R2S1/S2R1/-/- 3";

async fn two_at(table: &Table, options: RoomOptions) -> (Session, Session, String) {
    let api = table.api();
    let (ada, bob) = (api.guest(Some("Ada"), false).await.expect("a guest"), api.guest(Some("Bob"), true).await);
    let bob = bob.expect("a guest");
    let room = api.create_room(&ada.token, &options).await.expect("a room");
    let server = table.server();
    let first = Session::join(&server, &room.code, &ada.token, Role::Player).await.expect("a seat");
    let second = Session::join(&server, &room.code, &bob.token, Role::Player).await.expect("a seat");
    (first, second, room.code)
}

fn blueprint(board: &str) -> RoomOptions {
    RoomOptions { blueprint: Some(board.to_owned()), ..RoomOptions::default() }
}

async fn both(ada: &mut Session, bob: &mut Session, phase: PhaseView) {
    let (ada, bob) = tokio::join!(ada.until(is(phase)), bob.until(is(phase)));
    ada.and(bob).expect("the room goes on");
}

async fn racing(table: &Table, board: &str) -> (Session, Session, String) {
    let (mut ada, mut bob, code) = two_at(table, blueprint(board)).await;
    ada.ready(true);
    bob.ready(true);
    both(&mut ada, &mut bob, PhaseView::Racing).await;
    (ada, bob, code)
}

fn first_has_moves(moves: u32) -> impl FnMut(&Folded) -> bool {
    move |room| room.racer(room.seats[0].seat).is_some_and(|r| r.moves == moves)
}

/// Waits until the second sees what it should, while the first goes on sending and listening.
async fn meanwhile(acting: &mut Session, seeing: &mut Session, is_so: impl FnMut(&Folded) -> bool) {
    tokio::select! {
        seen = seeing.until(is_so) => seen.expect("the room goes on"),
        never = acting.until(|_| false) => never.expect("the room goes on"),
    }
}

async fn finish(session: &mut Session, line: &str) {
    for transfer in sprint_shared::notation::parse_line(line).expect("a line") {
        let (from, to) = (transfer.from.number().into(), transfer.to.number().into());
        session.act(Act::Move { from, to }).expect("a legal transfer");
    }
    session.until(|room| room.own().is_some_and(|r| r.finish.is_some())).await.expect("a finish");
}

#[tokio::test]
async fn both_see_two_seats_the_same_board_and_the_result() {
    let table = Table::open().await;
    let (mut ada, mut bob, _) = two_at(&table, blueprint("R2/R1/S1/- 2")).await;
    ada.until(|room| room.seats.len() == 2 && room.seats.iter().all(|s| s.present)).await.expect("both");
    assert_eq!(ada.room.seats.len(), 2);
    assert_eq!(ada.room.seats[1].name, "Bob");
    ada.ready(true);
    bob.ready(true);
    both(&mut ada, &mut bob, PhaseView::Racing).await;
    let round = ada.room.round.as_ref().expect("a round");
    assert_eq!(round.board, bob.room.round.as_ref().expect("a round").board);
    assert!(matches!(round.clock, Clock::Running { .. }));
    assert_eq!((round.optimum, round.par), (Some(1), Some(2)));
    finish(&mut ada, "2-1").await;
    bob.until(is(PhaseView::Over)).await.expect("an end");
    let result = bob.room.round.as_ref().and_then(|r| r.result.clone()).expect("a result");
    assert_eq!(result.seats[0].name, "Ada");
    assert!(result.seats[0].crown);
    assert_eq!(bob.room.ranking.as_ref().map(|r| r[0].taken), Some(1));
}

#[tokio::test]
async fn acts_are_shown_at_once_and_several_are_under_way() {
    let table = Table::open().await;
    let (mut ada, _bob, _) = racing(&table, "R2/R1/S2/S1/- 2").await;
    ada.act(Act::Lift { peg: 4 }).expect("a lift");
    ada.act(Act::Place { peg: 3 }).expect("a place");
    ada.act(Act::Lift { peg: 2 }).expect("a lift");
    let shown = ada.shown().expect("a board");
    assert_eq!((shown.moves(), shown.held().map(|p| p.number()), shown.settled()), (1, Some(2), 3));
    assert_eq!(ada.acts.pending().len(), 3);
    assert_eq!(ada.room.own().expect("a racer").moves, 0);
    ada.until(|room| room.own().is_some_and(|r| r.play.as_ref().is_some_and(|p| p.ply() == 3))).await.expect("acks");
    assert_eq!(ada.acts.pending().len(), 0);
    assert_eq!(ada.shown(), Some(shown));
}

#[tokio::test]
async fn a_lost_line_comes_back_and_acts_under_way_are_judged_once() {
    let table = Table::open().await;
    let (mut ada, mut bob, code) = racing(&table, BOARD).await;
    // The second of three acts is judged, but the line breaks before the word of it arrives.
    table.cut_after_acts(2);
    for (from, to) in [(1, 3), (1, 4), (2, 4)] {
        ada.act(Act::Move { from, to }).expect("a transfer");
    }
    let mut links = Vec::new();
    while ada.room.own().expect("a racer").moves < 3 {
        let update = ada.next().await.expect("it comes back");
        if matches!(update, Update::Lost { .. } | Update::Back) {
            links.push(matches!(ada.link, Link::Online));
        }
    }
    assert_eq!(links, [false, true]);
    let own = ada.room.own().and_then(|r| r.play.as_ref()).expect("a board");
    assert_eq!(own.board().to_string(), "-/S2/S1/R2R1 3");
    meanwhile(&mut ada, &mut bob, first_has_moves(3)).await;
    let acted = table.events(&code).iter().filter(|e| matches!(e, sprint_shared::event::Event::Acted { .. })).count();
    assert_eq!(acted, 3);
}

#[tokio::test]
async fn refusals_for_speed_lose_nothing_and_cost_nothing() {
    let table = Table::open().await;
    let (mut ada, mut bob, _) = racing(&table, BOARD).await;
    table.refuse_for_speed(2);
    for (from, to) in [(1, 3), (1, 4), (2, 4)] {
        ada.act(Act::Move { from, to }).expect("a transfer");
    }
    meanwhile(&mut ada, &mut bob, first_has_moves(3)).await;
    ada.until(|room| room.own().is_some_and(|r| (r.errors, r.moves) == (0, 3))).await.expect("her own events");
}

#[tokio::test]
async fn what_the_server_refuses_is_taken_back() {
    let table = Table::open().await;
    let (mut ada, _bob, _) = racing(&table, "R2/R1/S2/S1/- 2").await;
    let error = ada.act(Act::Lift { peg: 5 }).expect_err("nothing lies there");
    assert_eq!(error.to_string(), "peg 5 is empty");
    // An illegal placement is sent: it is the server's to judge, and the guess shows the error at once.
    ada.act(Act::Move { from: 4, to: 1 }).expect("it goes to the server");
    assert_eq!(ada.shown().map(|p| p.errors()), Some(1));
    ada.act(Act::Move { from: 4, to: 3 }).expect("it builds on the board as it was");
    ada.until(|room| room.own().is_some_and(|r| (r.errors, r.moves) == (1, 1))).await.expect("both");
}

#[tokio::test]
async fn an_undo_after_a_reconnect_is_followed_though_the_snapshot_does_not_tell_the_line() {
    let table = Table::open().await;
    let (mut ada, mut bob, code) = racing(&table, BOARD).await;
    ada.act(Act::Move { from: 1, to: 3 }).expect("a transfer");
    meanwhile(&mut ada, &mut bob, first_has_moves(1)).await;
    let token_again = table.api().guest(None, false).await.expect("a guest");
    let mut watcher =
        Session::join(&table.server(), &code, &token_again.token, Role::Spectator).await.expect("a place to watch");
    assert_eq!(watcher.room.seat, None);
    ada.act(Act::Undo).expect("an undo");
    let undone = |room: &Folded| room.racer(room.seats[0].seat).is_some_and(|r| !r.flawless);
    meanwhile(&mut ada, &mut watcher, undone).await;
    let board = watcher.room.round.as_ref().and_then(|r| r.racers[0].play.as_ref()).map(|p| p.board().to_string());
    assert_eq!(board.as_deref(), Some(BOARD));
}

#[tokio::test]
async fn where_nobody_sits_nobody_is_kicked_or_made_the_host() {
    let table = Table::open().await;
    let (mut ada, bob, _) = two_at(&table, RoomOptions { seats: 3, ..blueprint(BOARD) }).await;
    let [_, second, third, _] = Seat::ALL;
    ada.until(|room| room.sitter(second).is_some()).await.expect("Bob comes");
    ada.kick(third);
    ada.hand_over(third);
    ada.kick(second);
    while ada.room.sitter(second).is_some() {
        let update = ada.next().await.expect("the room goes on");
        assert!(!matches!(update, Update::Refused { .. }), "{update:?}");
    }
    drop(bob);
}

#[tokio::test]
async fn a_gap_in_the_events_is_closed_by_asking_anew() {
    let table = Table::open().await;
    let (ada, _bob, _) = racing(&table, BOARD).await;
    let mut room = ada.room.clone();
    let later = WireEvent { seq: room.seq + 2, kind: EventKind::Hidden {} };
    let message = sprint_shared::protocol::ServerMessage::Event(later);
    assert_eq!(room.fold(&message, std::time::Instant::now()), Outcome::Gap);
}

#[tokio::test]
async fn an_older_snapshot_is_a_gap_to_a_seat_and_what_is_shown_to_one_that_was_taken_over() {
    let table = Table::open().await;
    let (mut ada, mut bob, code) = racing(&table, BOARD).await;
    let token = table.api().guest(None, false).await.expect("a guest").token;
    let joined = Session::join(&table.server(), &code, &token, Role::Spectator).await;
    let before = joined.expect("a place to watch").room;
    ada.act(Act::Move { from: 1, to: 3 }).expect("a transfer");
    meanwhile(&mut ada, &mut bob, first_has_moves(1)).await;
    let view = table.view(&code);
    let message = sprint_shared::protocol::ServerMessage::Snapshot { seq: before.seq, state: Box::new(view) };
    let (mut room, at) = (bob.room.clone(), std::time::Instant::now());
    assert!(before.seq < room.seq);
    assert_eq!(room.clone().fold(&message, at), Outcome::Gap);
    room.seat = None;
    assert_eq!((room.fold(&message, at), room.seq), (Outcome::Folded, before.seq));
}

#[tokio::test]
async fn a_token_that_nobody_has_ends_the_joining_with_the_reason() {
    let table = Table::open().await;
    let (_ada, _bob, code) = two_at(&table, RoomOptions::default()).await;
    let ended = Session::join(&table.server(), &code, "nobody", Role::Player).await.err().expect("no seat");
    assert_eq!(ended.to_string(), "no player has this token");
}
