//! The sprint's laws, each as a short story on a virtual clock (RULES section 5).

use sprint_shared::event::Event;
use sprint_shared::fairness;
use sprint_shared::options::{Contest, Opponents, RoomOptions};
use sprint_shared::play::{Act, ActRefused, Deed};
use sprint_shared::protocol::view::PhaseView;
use sprint_shared::protocol::{EventKind, wire};
use sprint_shared::race::{Command, Refusal, Viewer};
use sprint_shared::result::Ended;

use crate::table::{COUNTDOWN_MS, IDLE_MS, Table, seat};

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
    table.sit(1);
    table.sit(2);
    table.tell(1, Command::Ready(true)).unwrap();
    table.tell(2, Command::Ready(true)).unwrap();
    table.pass(999);
    assert_eq!(table.phase(), PhaseView::Dealing);
    table.pass(1);
    assert_eq!(table.phase(), PhaseView::Countdown);
}

#[test]
fn the_first_nonce_of_a_seat_stands() {
    let mut table = Table::open(RoomOptions::default());
    table.sit(1);
    table.sit(2);
    table.tell(1, Command::Ready(true)).unwrap();
    table.tell(2, Command::Ready(true)).unwrap();
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
    assert_eq!(round.board.as_deref(), Some(crate::table::SHORT));
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
    assert!(boards.iter().all(|b| *b == crate::table::SHORT));
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
    table.sit(1);
    table.sit(2);
    table.tell(1, Command::Ready(true)).unwrap();
    table.tell(2, Command::Ready(true)).unwrap();
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
    table.sit(1);
    table.sit(2);
    table.tell(1, Command::Ready(true)).unwrap();
    table.tell(2, Command::Ready(true)).unwrap();
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
fn the_lag_credit_is_capped_at_100_ms_and_in_rated_rooms_at_60() {
    for (rated, cap) in [(false, 100), (true, 60)] {
        let mut table = Table::open(RoomOptions { rated, ..RoomOptions::default() });
        table.one_way_ms = [4_000, 30, 0, 0];
        table.sit(1);
        table.sit(2);
        table.tell(1, Command::Ready(true)).unwrap();
        table.tell(2, Command::Ready(true)).unwrap();
        table.give_nonces();
        assert_eq!(table.view(1).round.unwrap().credit_ms, Some(cap));
        assert_eq!(table.view(2).round.unwrap().credit_ms, Some(30));
    }
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
        table.sit(1);
        table.sit(2);
        table.tell(1, Command::Ready(true)).unwrap();
        table.tell(2, Command::Ready(true)).unwrap();
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
    table.sit(1);
    table.sit(2);
    table.tell(1, Command::Ready(true)).unwrap();
    table.tell(2, Command::Ready(true)).unwrap();
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
    table.sit(1);
    table.sit(2);
    table.tell(1, Command::Ready(true)).unwrap();
    table.tell(2, Command::Ready(true)).unwrap();
    table.give_nonces();
    table.pass(COUNTDOWN_MS + 1);
    table.finish(1);
    table.pass(100);
    let winner = table.of(1);
    assert_eq!((table.result().par, winner.stars, winner.crown, winner.score), (None, 0, false, 1650));
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
fn a_lockout_leaves_only_reset_and_giving_up() {
    let mut table = Table::open(RoomOptions::default());
    table.board = "R1R2/S1S2/- 2,2,1".parse().unwrap();
    table.optimum = None;
    table.sit(1);
    table.sit(2);
    table.tell(1, Command::Ready(true)).unwrap();
    table.tell(2, Command::Ready(true)).unwrap();
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
    table.sit(1);
    table.sit(2);
    table.tell(1, Command::Ready(true)).unwrap();
    table.tell(2, Command::Ready(true)).unwrap();
    table.give_nonces();
    table.pass(COUNTDOWN_MS);
    table.finish(1);
    let mut race = sprint_shared::race::Race::open(&table.log[0]).unwrap();
    for event in &table.log[1..] {
        race.evolve(event);
        let said = serde_json::to_string(&wire::wire(&race, table.now, event, Viewer::Seat(seat(2)))).unwrap();
        let view = serde_json::to_string(&race.view(table.now, Viewer::Spectator)).unwrap();
        for secret in table.log.iter().filter_map(|e| match e {
            Event::Committed { server_seed, .. } => Some(server_seed.to_string()),
            Event::SeedFixed { seed } => Some(seed.to_string()),
            _ => None,
        }) {
            assert!(!said.contains(&secret) && !view.contains(&secret), "{said}");
        }
    }
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
    table.sit(1);
    table.sit(2);
    table.tell(1, Command::Ready(true)).unwrap();
    table.tell(2, Command::Ready(true)).unwrap();
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
fn an_idle_lobby_closes() {
    let mut table = Table::open(RoomOptions::default());
    table.sit(1);
    table.pass(IDLE_MS);
    assert_eq!(table.phase(), PhaseView::Closed);
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
fn a_series_ends_when_one_player_is_left_and_the_leaver_is_last() {
    let mut table = Table::racing(RoomOptions { rounds: 5, ..RoomOptions::default() });
    table.finish(2);
    table.pass(100);
    table.tell(2, Command::Leave).unwrap();
    assert_eq!(table.phase(), PhaseView::Over);
    let ranking = table.ranking().expect("a ranking");
    assert_eq!(ranking.len(), 2);
    assert_eq!(ranking[0].seat, seat(2), "the rounds that were played stand");
}

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
