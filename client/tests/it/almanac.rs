//! The almanac and sessions alone at 80 by 24, on a terminal that is only a buffer.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::style::Color;
use sprint_client::screen::{
    ALMANAC_HINTS, Alone, Choice, Hint, Shelf, Theme, Ui, What, draw_almanac, fits_in_line, is_listed,
};
use sprint_shared::almanac::{StageNumber, almanac};
use sprint_shared::api::{LessonInfo, Progress, StageInfo, StageRecord};
use sprint_shared::lesson::{LessonNumber, lessons};
use sprint_shared::options::RoomOptions;
use sprint_shared::play::Act;
use sprint_shared::preset::Preset;
use sprint_shared::solo::Solo;

use crate::screen::{ADA, Room, plain, with_looks};
use crate::terminal::{lines, picture};

pub fn shelf(unicode: bool) -> Shelf {
    let record = |stage, stars, crown, moves| StageRecord {
        stage,
        tries: 3,
        solved: 2,
        stars,
        crown,
        score: 1_500,
        moves: Some(moves),
        official_ms: Some(65_432),
        round_id: None,
    };
    let stages = vec![record(1, 3, true, 6), record(2, 2, false, 11)];
    let progress = Progress { stages, open: 3, ..Progress::default() };
    Shelf::new(almanac().stages().iter().map(StageInfo::from).collect(), progress, Theme::plain(unicode), unicode)
}

fn press(shelf: &mut Shelf, code: KeyCode) -> Choice {
    shelf.press(KeyEvent::new(code, KeyModifiers::NONE))
}

fn shown(shelf: &Shelf) -> Vec<String> {
    lines(&picture(|frame| draw_almanac(frame, shelf)))
}

#[test]
fn the_almanac_lists_stages_by_chapter_with_stars_crown_moves_and_par_and_shows_the_chosen_board() {
    let mut almanac = shelf(true);
    let page = shown(&almanac);
    let text = page.join("\n");
    assert!(page[0].starts_with("CAMPAIGN MASTER") && page[0].ends_with("2 of 50 solved, 5 stars, 1 crown"), "{text}");
    let row = |at: usize| page[at].split('│').next().expect("a list").split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(row(2), "Novice Apprentice");
    assert_eq!(row(3), "1 First Light ★★★ ♛ 6/6 8");
    assert_eq!(row(4), "2 Two Lanterns ★★☆ 11/8 10");
    assert_eq!(row(5), "> 3 Foundation Stone ☆☆☆ -/7 9", "the last one that is open is chosen");
    assert_eq!(row(6), "4 No Room to Rest lock -/6 8");
    assert_eq!(row(9), "Lamplit Journeyman");
    assert!(text.contains("Base first:") && text.contains("best 7, par 9"), "{text}");
    press(&mut almanac, KeyCode::Up);
    press(&mut almanac, KeyCode::Up);
    let first = shown(&almanac).join("\n");
    assert!(first.contains("you: 6 moves, 1:05.432") && first.contains("solved 2 of 3"), "{first}");
    // First Light: R2S1S2/R1R3S3/-/-/-.
    for disk in ["R2", "S1", "S2", "R1", "R3", "S3"] {
        assert_eq!(first.matches(disk).count(), 1, "{disk}: {first}");
    }
}

#[test]
fn in_ascii_the_almanac_has_the_same_figures_and_without_colour_no_cell_has_one() {
    let page = picture(|frame| draw_almanac(frame, &shelf(false)));
    let text = lines(&page).join("\n");
    assert!(text.is_ascii(), "{text}");
    assert!(text.contains("***") && text.contains("**.") && text.contains(" C "), "{text}");
    assert!(page.content.iter().all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset));
}

#[test]
fn every_stage_fits_beside_the_list() {
    let mut almanac = shelf(true);
    for stage in 1..=50 {
        almanac.choose(stage);
        let text = shown(&almanac).join("\n");
        let info = &almanac.stages[almanac.chosen];
        assert!(text.contains(&format!("best {}, par {}", info.optimum, info.par)), "{text}");
        let last = info.idea.split_whitespace().last().expect("an idea");
        assert!(text.contains(last), "the whole idea: {last}: {text}");
        let disks = info.board.parse::<sprint_shared::board::Board>().expect("a board").disks().count();
        let drawn = text.split_whitespace().filter(|word| {
            let mut letters = word.chars();
            letters.next().is_some_and(|letter| "RSEAV".contains(letter)) && letters.as_str().parse::<u8>().is_ok()
        });
        assert_eq!(drawn.count(), disks, "{text}");
    }
}

#[test]
fn a_stage_is_chosen_by_arrows_and_by_its_number_and_begins_only_if_it_is_open() {
    let mut almanac = shelf(true);
    assert_eq!(press(&mut almanac, KeyCode::Enter), Choice::Begin(3));
    press(&mut almanac, KeyCode::Char('1'));
    press(&mut almanac, KeyCode::Char('2'));
    assert_eq!(almanac.stages[almanac.chosen].name, "Tri-Color Cascade");
    assert_eq!(press(&mut almanac, KeyCode::Enter), Choice::Nothing);
    assert_eq!(almanac.notice.as_deref(), Some("stage 12 opens once stage 11 is solved"));
    press(&mut almanac, KeyCode::Char('5'));
    press(&mut almanac, KeyCode::Char('1'));
    assert_eq!(almanac.stages[almanac.chosen].stage, 1, "there is no 51");
    press(&mut almanac, KeyCode::Up);
    assert_eq!(almanac.stages[almanac.chosen].stage, 1);
    press(&mut almanac, KeyCode::End);
    press(&mut almanac, KeyCode::Down);
    assert_eq!(almanac.stages[almanac.chosen].stage, 50);
    let text = shown(&almanac).join("\n");
    assert!(text.contains("> 50 ") && text.contains("Grandmaster Spire"), "it scrolls: {text}");
    press(&mut almanac, KeyCode::PageUp);
    assert_eq!(almanac.stages[almanac.chosen].stage, 40);
    assert_eq!(press(&mut almanac, KeyCode::Char('q')), Choice::Quit);
}

/// A session alone that has begun.
pub fn session(solo: Solo) -> Room {
    let mut room = Room::of(&["Ada"], RoomOptions::alone(solo, Preset::Initiate));
    room.race(1);
    room
}

fn stage(open: u8) -> (Room, Ui) {
    let number = StageNumber::FIRST;
    let info = StageInfo::from(almanac().stage(number));
    let what = What::Stage { stage: info, record: None, open, stages: 50 };
    (
        session(Solo::Stage { stage: number }),
        Ui { alone: Some(Alone::new(what, true)), ..with_looks(Theme::plain(true)) },
    )
}

#[test]
fn a_stage_shows_time_against_two_minutes_moves_par_and_best_and_no_rival_timer_or_code() {
    let (mut room, ui) = stage(1);
    room.pass(60_000);
    let page = lines(&room.picture(ADA, &ui, Duration::ZERO));
    let text = page.join("\n");
    assert!(page[0].starts_with("TECHNOMANCER SPRINT  stage 1  First Light"), "{text}");
    assert!(text.contains("[██████░░░░░░]") && text.contains("best") && text.contains("errors"), "{text}");
    for alien in ["limit", "room ABC123", "optimum ", "rival", "credit  0"] {
        assert!(!text.contains(alien), "{alien}: {text}");
    }
    assert!(text.contains("An empty peg takes any disk") && text.contains("not played yet"), "{text}");
    assert_eq!(page[23], "1-9 lift, place   Esc put back   u undo   R reset   g give up   q leave   ? help");
}

#[test]
fn a_result_is_the_ledgers_sum_and_says_what_is_open() {
    let (mut room, ui) = stage(1);
    for (from, to) in room.way() {
        room.pass(1_000);
        room.act(0, Act::Move { from, to });
    }
    let page = lines(&room.picture(ADA, &ui, Duration::ZERO));
    let text = page.join("\n");
    let sums: Vec<String> =
        page[6..11].iter().map(|line| line.split_whitespace().last().unwrap_or_default().to_owned()).collect();
    // The test's room tells an optimum of 20, par 24: 18 moves under par with 6.
    assert_eq!(sums, ["1000", "900", "100", "1.5", "3000"], "{text}");
    assert!(text.contains("★★★") && text.contains("Stage 2 is open."), "{text}");
    assert!(page[23].starts_with("n next stage   r again   q the almanac"), "{text}");
}

#[test]
fn what_comes_after_the_last_one_is_not_offered() {
    for (number, offered) in [(6, true), (7, false)] {
        let solo = Solo::Lesson { lesson: LessonNumber::new(number).expect("a lesson") };
        let info = LessonInfo::from(&lessons()[number as usize - 1]);
        let what = What::Lesson { lesson: info, done: 0, lessons: 7 };
        let ui = Ui { alone: Some(Alone::new(what, true)), ..plain() };
        let mut room = session(solo);
        for (from, to) in room.way() {
            room.act(0, Act::Move { from, to });
        }
        let page = lines(&room.picture(ADA, &ui, Duration::ZERO));
        assert_eq!(page[23].contains("n next lesson"), offered, "{}", page.join("\n"));
        assert!(page[23].ends_with("r again   q leave   ? help"), "{}", page.join("\n"));
    }
}

#[test]
fn a_click_chooses_a_stage_another_one_begins_it_and_the_wheel_goes_through_them() {
    use crossterm::event::{MouseButton, MouseEventKind};
    let area = ratatui::layout::Rect::new(0, 0, 80, 24);
    let mut almanac = shelf(true);
    let mouse = |kind, column, row| crate::terminal::mouse(kind, column, row);
    let down = MouseEventKind::Down(MouseButton::Left);
    assert_eq!(almanac.touch(mouse(down, 8, 4), area), Choice::Nothing);
    assert_eq!(almanac.stages[almanac.chosen].name, "Two Lanterns");
    assert_eq!(almanac.touch(mouse(down, 8, 4), area), Choice::Begin(2));
    assert_eq!(almanac.touch(mouse(down, 8, 2), area), Choice::Nothing, "a chapter's name");
    assert_eq!(almanac.touch(mouse(down, 60, 3), area), Choice::Nothing, "beside the list");
    assert_eq!(almanac.stages[almanac.chosen].stage, 2);
    for (kind, expected) in [(MouseEventKind::ScrollDown, 3), (MouseEventKind::ScrollUp, 2)] {
        almanac.touch(mouse(kind, 0, 0), area);
        assert_eq!(almanac.stages[almanac.chosen].stage, expected);
    }
    // Far down the list has moved on: the click is on what is seen.
    almanac.choose(40);
    let page = shown(&almanac);
    let row = page.iter().position(|line| line.starts_with("  38 ")).expect("it is seen");
    almanac.touch(mouse(down, 8, row as u16), area);
    assert_eq!(almanac.stages[almanac.chosen].stage, 38);
    let quit = page[23].find("q leave").expect("an entry") as u16;
    assert_eq!(almanac.touch(mouse(down, quit, 23), area), Choice::Quit);
}

#[test]
fn help_lists_exactly_the_keys_of_the_almanac() {
    assert!(fits_in_line(&ALMANAC_HINTS));
    for code in crate::terminal::keyboard() {
        // In the middle every direction leads elsewhere; a nought is the end of a number.
        let does = [None, Some('2')].into_iter().any(|typed| {
            let mut almanac = shelf(true);
            almanac.choose(20);
            typed.into_iter().for_each(|digit| assert_eq!(press(&mut almanac, KeyCode::Char(digit)), Choice::Nothing));
            let before = shown(&almanac);
            press(&mut almanac, code) != Choice::Nothing || shown(&almanac) != before
        });
        assert_eq!(is_listed(&ALMANAC_HINTS, code), does, "{code:?}");
    }
}

#[test]
fn the_coach_says_one_step_after_the_other_and_a_lesson_shows_no_errors_and_no_clock() {
    let number = LessonNumber::new(4).expect("a lesson");
    let what = |done| What::Lesson { lesson: LessonInfo::from(&lessons()[3]), done, lessons: 7 };
    let room = session(Solo::Lesson { lesson: number });
    let page = |done| {
        let ui = Ui { alone: Some(Alone::new(what(done), true)), ..plain() };
        lines(&room.picture(ADA, &ui, Duration::ZERO)).join("\n")
    };
    let (first, second) = (page(0), page(1));
    assert!(first.contains("lesson 4 of 7  The empty-peg buffer") && first.contains("[ ] One peg is free."), "{first}");
    assert!(!first.contains("buffer again") && first.contains("one more step"), "{first}");
    assert!(second.contains("[x] One peg is free.") && second.contains("[ ] You have a buffer again."), "{second}");
    for alien in ["errors", "2:00", "time ", "flawless"] {
        assert!(!first.contains(alien), "{alien}: {first}");
    }
}

#[test]
fn a_hint_marks_where_from_and_where_to_until_the_board_is_another() {
    let mut room = session(Solo::Lesson { lesson: LessonNumber::new(4).expect("a lesson") });
    let hint = Hint { ply: 0, transfer: "1-5".parse().expect("a transfer") };
    let what = What::Lesson { lesson: LessonInfo::from(&lessons()[3]), done: 0, lessons: 7 };
    let ui = Ui { alone: Some(Alone { hint: Some(hint), ..Alone::new(what, true) }), ..plain() };
    let numbers = |room: &Room| {
        let page = lines(&room.picture(ADA, &ui, Duration::ZERO));
        page[10].split_whitespace().take(5).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(numbers(&room), ["^1", "2", "3", "4", "v5"]);
    room.act(0, Act::Lift { peg: 1 });
    assert_eq!(numbers(&room), ["^1", "2", "3", "4", "v5"], "half of it is done");
    room.act(0, Act::Place { peg: 5 });
    assert_eq!(numbers(&room), ["1", "2", "3", "4", "5"]);
}
