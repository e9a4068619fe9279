//! `sprint replay` at 80 by 24: a stored round on a terminal that is only a buffer, and what keys make of it.

use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEventKind};
use sprint_client::screen::{REPLAY_HINTS, Show, Staged, Theme, draw_replay, fits_in_line, is_listed};
use sprint_shared::api::Match;
use sprint_shared::protocol::CurveView;
use sprint_shared::protocol::{Lost, ToGo};
use sprint_shared::replay::file;
use sprint_shared::review::{Lead, Loses, Mark, MarkCost, Pace, Review, SeatReview};
use sprint_shared::solo::Solo;
use sprint_shared::time::Seat;

use crate::terminal;

/// Four racers; the first finishes in ten transfers, the last at 4.434 s.
fn round() -> Match {
    file::read(include_str!("../../../shared/data/replay-1.json")).expect("a stored round")
}

fn staged() -> Staged {
    Staged::of(round()).expect("a possible round")
}

/// Seat 1 wastes two at its first transfer, seat 3 loses the board; the distances are made up.
fn review() -> Review {
    let curve = |seat: usize, points: &[(u64, ToGo)]| CurveView { seat: Seat::ALL[seat], points: points.to_vec() };
    let mark = |seq, seat: usize, clock_ms, transfer: &str, cost| {
        let better = vec!["1-4".to_owned(), "2-5".to_owned()];
        Mark { seq, seat: Seat::ALL[seat], clock_ms, transfer: transfer.to_owned(), cost, better }
    };
    let figures = |seat: usize, lost_since_ms| SeatReview {
        seat: Seat::ALL[seat],
        transfers: 10,
        optimal: 8,
        wasteful: 2,
        wasted: 3,
        undone: 1,
        resets: 0,
        errors: 0,
        penalty_moves: 0,
        lost_since_ms,
        pace: Some(Pace { first_ms: 274, median_ms: 1_410, longest_ms: 1_830 }),
    };
    let (first_ms, first) = transfer_of(0, 0);
    let (second_ms, second) = transfer_of(2, 0);
    let start = (0, ToGo::Exact(8));
    Review {
        format: 1,
        complete: true,
        optimum: Some(8),
        curves: vec![
            curve(0, &[start, (first_ms, ToGo::Exact(4)), (4_434, ToGo::Exact(0))]),
            curve(1, &[start]),
            curve(2, &[start, (second_ms, ToGo::Lost(Lost::Lost))]),
            curve(3, &[(0, ToGo::Between(5, Some(8)))]),
        ],
        seats: (0..4).map(|seat| figures(seat, (seat == 2).then_some(second_ms))).collect(),
        marks: vec![
            mark(first, 0, first_ms, "2-4", MarkCost::Wastes(2)),
            mark(second, 2, second_ms, "3-4", MarkCost::Loses(Loses::Loses)),
        ],
        leads: vec![
            Lead { clock_ms: 274, seat: Some(Seat::ALL[0]) },
            Lead { clock_ms: 900, seat: None },
            Lead { clock_ms: 1_200, seat: Some(Seat::ALL[1]) },
        ],
    }
}

/// The instant and the number of a seat's transfer.
fn transfer_of(seat: usize, number: usize) -> (u64, u32) {
    let round = round();
    let mut transfers = round.events.iter().filter(|told| {
        let value = serde_json::to_value(&told.event).expect("plain");
        value["type"] == "transferred" && value["seat"] == seat + 1
    });
    let told = transfers.nth(number).expect("so many transfers");
    (told.clock_ms as u64, told.event.seq)
}

pub fn show(ms: u64) -> Show {
    let mut staged = staged();
    staged.review = Some(review());
    Show::new(staged, ms, Theme::plain(true))
}

fn lines(show: &Show) -> Vec<String> {
    terminal::lines(&terminal::picture(|frame| draw_replay(frame, show)))
}

fn press(show: &mut Show, code: KeyCode) -> bool {
    show.press(KeyEvent::new(code, KeyModifiers::NONE), Instant::now())
}

#[test]
fn at_t0_all_have_the_same_board_and_at_the_end_the_one_that_the_result_tells() {
    let staged = staged();
    let start = staged.at(0);
    assert_eq!(start.len(), 4);
    assert!(start.iter().all(|racer| racer.play.board() == start[0].play.board() && racer.play.moves() == 0));
    let end = staged.at(staged.length());
    for racer in &end {
        let told = staged.round.result.seats.iter().find(|seat| seat.seat == racer.seat).expect("its result");
        let own = (racer.play.moves(), racer.play.errors(), racer.play.settled(), racer.finish, racer.gave_up);
        assert_eq!(own, (told.moves, told.errors, told.settled, told.finish, told.gave_up), "{:?}", racer.seat);
    }
}

#[test]
fn every_instant_shows_what_had_happened_by_then_whatever_was_shown_before() {
    let staged = staged();
    let (ms, _) = transfer_of(0, 0);
    let moves = |ms| staged.at(ms)[0].play.transfers();
    assert_eq!((moves(ms - 1), moves(ms), moves(99_999), moves(ms - 1)), (0, 1, 10, 0));
    let mut instants = vec![0];
    while *instants.last().expect("one") < staged.length() {
        instants.push(staged.step_from(*instants.last().expect("one"), true));
    }
    let back: Vec<u64> = instants.iter().skip(1).map(|&ms| staged.step_from(ms, false)).collect();
    assert_eq!(back, instants[..instants.len() - 1], "each step has its way back");
    assert_eq!((staged.step_from(0, false), staged.step_from(99_999, true)), (0, staged.length()));
}

#[test]
fn a_round_that_cannot_have_happened_is_refused_by_its_event() {
    let mut round = round();
    let text = serde_json::to_string(&round).expect("plain").replacen("\"transferred\"", "\"put_back\"", 1);
    assert!(file::read(&text).is_err() || Staged::of(file::read(&text).expect("read")).is_err());
    let (_, seq) = transfer_of(0, 0);
    round.events.retain(|told| told.event.seq != seq);
    let refused = Staged::of(round).err().expect("refused");
    assert!(refused.starts_with("event ") && refused.ends_with("`sprint verify` tells more"), "{refused}");
}

#[test]
fn a_round_without_a_board_has_nothing_to_show_and_says_so() {
    let mut round = round();
    round.reveal.board = None;
    assert_eq!(Staged::of(round).err().as_deref(), Some("this round ended before a board was dealt"));
}

#[test]
fn four_boards_stand_side_by_side_on_one_clock_with_distances_and_the_board_as_text() {
    let (ms, _) = transfer_of(0, 0);
    let lines = lines(&show(ms));
    let text = lines.join("\n");
    assert!(lines[0].starts_with("TECHNOMANCER SPRINT  replay  initiate"), "{text}");
    assert!(lines[0].ends_with("paused  1x  0:00.2 / 0:04.4"), "{text}");
    for name in [">1 player 1", " 2 player 2", " 3 player 3", " 4 player 4"] {
        assert!(lines[1].contains(name), "{name}: {text}");
    }
    assert!(lines[2].contains("1 mv 0 err 1/8"), "{text}");
    for disk in ["S4", "R4", "R1"] {
        assert_eq!(lines[3..11].join("\n").matches(disk).count(), 4, "{disk}: {text}");
    }
    assert!(
        lines[13].ends_with("4 to go") && lines[14].ends_with("8 to go") && lines[16].ends_with("5-8 to go"),
        "{text}"
    );
    assert!(lines[13].contains('█') && lines[13].contains('▄'), "{text}");
    assert_eq!(lines[17].matches('!').count(), 1, "the clock stands on the first mistake: {text}");
    assert_eq!(lines[18], "player 1: 2-4 cost 2 transfers; better 1-4 or 2-5");
    assert_eq!(lines[19], staged().at(ms)[0].play.board().to_string());
    assert_eq!(lines[20], "2-4");
}

#[test]
fn keys_step_jump_to_mistakes_and_their_racer_and_say_where_there_is_none() {
    let mut show = show(0);
    let ((first, _), (second, _)) = (transfer_of(0, 0), transfer_of(2, 0));
    assert!(first < second);
    assert!(!press(&mut show, KeyCode::Char('n')));
    assert_eq!((show.playback.ms(), show.focus), (first, 0));
    press(&mut show, KeyCode::Char('n'));
    assert_eq!((show.playback.ms(), show.focus), (second, 2));
    assert!(lines(&show)[18].starts_with("player 3: 3-4 lost the board"), "{:?}", lines(&show));
    press(&mut show, KeyCode::Char('n'));
    assert_eq!((show.playback.ms(), show.notice.as_deref()), (second, Some("no later mistake")));
    press(&mut show, KeyCode::Char('p'));
    assert_eq!(show.playback.ms(), first);
    press(&mut show, KeyCode::Left);
    assert_eq!(show.playback.ms(), show.staged.step_from(first, false));
    press(&mut show, KeyCode::End);
    press(&mut show, KeyCode::Right);
    assert_eq!(show.playback.ms(), 4_434);
    press(&mut show, KeyCode::Char(','));
    assert_eq!(show.playback.ms(), 3_434);
    press(&mut show, KeyCode::PageUp);
    assert_eq!(show.playback.ms(), 0);
    press(&mut show, KeyCode::Char(' '));
    show.playback.advance(Instant::now() + Duration::from_secs(60));
    assert_eq!((show.playback.ms(), show.playback.is_playing()), (4_434, false));
    assert!(press(&mut show, KeyCode::Char('q')));
}

#[test]
fn the_analysis_is_a_table_of_all_racers_and_who_led() {
    let mut show = show(0);
    press(&mut show, KeyCode::Char('a'));
    let lines = lines(&show);
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words(&lines[13]).join(" "), "racer made optimal wasted undone resets err median longest lost");
    assert_eq!(words(&lines[14]).join(" "), "player 1 10 8 3 1 0 0 1.41 s 1.83 s never");
    assert!(lines[16].ends_with("0:00.9") || lines[16].contains("0:0"), "{}", lines[16]);
    assert_eq!(lines[18], "led: player 1 from 0:00.2, player 2 from 0:01.2");
}

#[test]
fn without_an_analysis_the_race_is_shown_all_the_same() {
    let mut show = Show::new(staged(), 0, Theme::plain(true));
    press(&mut show, KeyCode::Char('a'));
    assert_eq!((show.analysis, show.notice.as_deref()), (false, Some("the analysis of this round is not here (yet)")));
    let lines = lines(&show);
    assert!(lines[13].starts_with("1 player 1") && lines[22].starts_with("the analysis"), "{}", lines.join("\n"));
}

#[test]
fn a_round_alone_is_called_by_what_it_was() {
    let number = |number| sprint_shared::almanac::StageNumber::new(number).expect("a stage");
    let day = "2026-11-30".parse().expect("a day");
    let seed = sprint_shared::deal::Seed::from(1);
    let lesson = sprint_shared::lesson::LessonNumber::new(4).expect("a lesson");
    for (solo, expected) in [
        (Solo::Stage { stage: number(12) }, "replay  stage 12  Tri-Color Cascade"),
        (Solo::Lesson { lesson }, "replay  lesson 4  The empty-peg buffer"),
        (Solo::Shuffle { seed }, "replay  infinite shuffle  initiate"),
        (Solo::Daily { day, commitment: seed, practice: false }, "replay  daily spire 2026-11-30  initiate"),
        (Solo::Daily { day, commitment: seed, practice: true }, "replay  daily spire 2026-11-30  initiate  practice"),
    ] {
        let mut show = show(0);
        show.staged.round.options.solo = Some(solo);
        let title = lines(&show)[0].clone();
        let words = title.strip_prefix("TECHNOMANCER SPRINT  ").unwrap_or(&title);
        assert!(words.starts_with(&format!("{expected}  ")), "{title}");
    }
}

#[test]
fn help_lists_exactly_the_keys_of_a_replay() {
    let (first, _) = transfer_of(0, 0);
    assert!(fits_in_line(REPLAY_HINTS));
    for code in terminal::keyboard() {
        let mut show = show(first + 100);
        let before = lines(&show);
        let does = press(&mut show, code) || lines(&show) != before;
        assert_eq!(is_listed(REPLAY_HINTS, code), does, "{code:?}");
    }
}

#[test]
fn a_click_chooses_a_racer_by_the_board_or_the_name_or_an_instant_among_the_distances() {
    let mut show = show(0);
    let area = ratatui::layout::Rect::new(0, 0, 80, 24);
    let down = MouseEventKind::Down(MouseButton::Left);
    let click = |show: &mut Show, x, y| show.touch(terminal::mouse(down, x, y), area, Instant::now());
    let third = lines(&show)[1].find("3 player 3").expect("its board") as u16;
    click(&mut show, third, 6);
    assert!(lines(&show)[1].contains(">3 player 3"), "{}", lines(&show)[1]);
    click(&mut show, 2, 14);
    assert!(lines(&show)[1].contains(">2 player 2"), "{}", lines(&show)[1]);
    // The distances are on 51 columns, from T0 at 15 to the end at 65.
    for (x, ms) in [(65, 4_434), (15, 0), (40, 2_217)] {
        click(&mut show, x, 15);
        assert_eq!(show.playback.ms(), ms);
    }
    let quit = lines(&show)[23].find("q leave").expect("an entry") as u16;
    assert!(click(&mut show, quit, 23));
}
