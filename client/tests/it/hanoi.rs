//! `sprint hanoi` as scripts call it, and its screen at 80 by 24.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEventKind};
use sprint_client::screen::{Tale, Theme, draw_hanoi, fits_in_line, is_listed};
use sprint_shared::classic::{Method, Peg, Tower};

use crate::commands::{printed, said, sprint};
use crate::terminal;

#[tokio::test]
async fn the_list_of_moves_is_one_line_a_move_and_the_same_for_all_methods() {
    for method in ["recursive", "smallest", "cyclic", "parity"] {
        let output = sprint(&["hanoi", "--disks", "3", "--method", method, "--list"]).await;
        assert_eq!(printed(&output), "1 1-3\n2 1-2\n1 3-2\n3 1-3\n1 2-1\n2 2-3\n1 1-3\n", "{method}");
        assert_eq!((said(&output).as_str(), output.status.code()), ("", Some(0)));
    }
    let output = sprint(&["hanoi", "--disks", "2", "--from", "c", "--to", "B", "--list"]).await;
    assert_eq!(printed(&output), "1 3-1\n2 3-2\n1 1-2\n");
    let none = sprint(&["hanoi", "--disks", "0", "--list"]).await;
    assert_eq!((printed(&none).as_str(), none.status.code()), ("", Some(0)));
}

#[tokio::test]
async fn a_list_ends_quietly_when_nobody_reads_on() {
    let read = tokio::task::spawn_blocking(|| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sprint"));
        command.args(["hanoi", "--disks", "64", "--list"]).stdin(Stdio::null());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
        let lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        let first: Vec<String> = lines.take(100_000).map(|line| line.expect("text")).collect();
        // The reader is gone now.
        let status = child.wait().expect("it ends");
        let mut complaint = String::new();
        child.stderr.take().expect("piped").read_to_string(&mut complaint).expect("text");
        (first, status.code(), complaint)
    });
    let read = tokio::time::timeout(Duration::from_secs(60), read).await.expect("it ends within a minute");
    let (first, code, complaint) = read.expect("the reading thread lives");
    assert_eq!((code, complaint.as_str()), (Some(0), ""));
    let tower = Tower::new(64, Peg::ALL[0], Peg::ALL[2]).expect("the tower of the story");
    assert_eq!(first[0], "1 1-2");
    assert_eq!(first[99_999], tower.move_at(100_000).expect("in range").to_string());
}

#[tokio::test]
async fn any_move_and_position_of_64_disks_is_told_at_once() {
    let output = sprint(&["hanoi", "--disks", "64", "--at", "9223372036854775808"]).await;
    let below: Vec<String> = (1..=63).rev().map(|disk| disk.to_string()).collect();
    let expected = format!(
        "move 9223372036854775808 of 18446744073709551615: 64 1-3\npeg 1: -\npeg 2: {}\npeg 3: 64\nleft: 9223372036854775807\n",
        below.join(" ")
    );
    assert_eq!((printed(&output), output.status.code()), (expected, Some(0)));
    let output = sprint(&["hanoi", "--disks", "3", "--at", "0"]).await;
    assert_eq!(printed(&output), "move 0 of 7: none yet\npeg 1: 3 2 1\npeg 2: -\npeg 3: -\nleft: 7\n");
}

#[tokio::test]
async fn without_a_terminal_it_prints_what_the_tower_takes() {
    let output = sprint(&["hanoi", "--disks", "3", "--from", "1", "--to", "2"]).await;
    let expected = "disks 3, from peg 1 to peg 2\nmoves 7\nat one move a second 7 seconds\n\
                    disk                moves way round\n   1                    4 1-2-3\n   \
                    2                    2 1-3-2\n   3                    1 1-2-3\n";
    assert_eq!((printed(&output).as_str(), output.status.code()), (expected, Some(0)));
    let output = sprint(&["hanoi", "--disks", "64"]).await;
    let text = printed(&output);
    assert!(
        text.contains("moves 18446744073709551615\nat one move a second 585 billion years, 42 ages of the universe\n")
    );
    assert!(
        text.contains("\n   1  9223372036854775808 1-2-3\n") && text.ends_with("\n  64                    1 1-3-2\n")
    );
    let output = sprint(&["hanoi", "--disks", "0"]).await;
    assert_eq!(printed(&output), "disks 0, from peg 1 to peg 3\nmoves 0\nat one move a second 0 seconds\n");
}

#[tokio::test]
async fn a_bad_call_says_what_would_be_right_and_exits_2() {
    let calls: [(&[&str], &str); 9] = [
        (&["--disks", "65"], "a classic tower has 0 to 64 disks, not 65"),
        (&["--disks", "many"], "give a whole number from 0 to 64"),
        (&["--from", "4"], "the classic tower has no peg \"4\": its pegs are 1, 2 and 3, or A, B and C"),
        (&["--from", "3"], "peg 3 is both source and target: a tower goes to another peg"),
        (&["--method", "magic"], "no method \"magic\": there are recursive, smallest, cyclic and parity"),
        (&["--disks", "3", "--at", "8"], "--at: the tower is never after 8 moves: it stands on its target after 7"),
        (&["--disks", "64", "--at", "18446744073709551616"], "it stands on its target after 18446744073709551615"),
        (&["--at", "-1"], "-1"),
        (&["--list", "--at", "1"], "cannot be used with"),
    ];
    for (args, reason) in calls {
        let output = sprint(&[&["hanoi"], args].concat()).await;
        assert_eq!((output.status.code(), printed(&output).as_str()), (Some(2), ""), "{args:?}");
        assert!(said(&output).contains(reason), "{args:?}: {}", said(&output));
    }
}

pub fn tale(disks: u64) -> Tale {
    let tower = Tower::new(disks, Peg::ALL[0], Peg::ALL[2]).expect("a tower of the test");
    Tale::new(tower, Method::Recursive, Theme::plain(false))
}

fn lines(tale: &Tale) -> Vec<String> {
    terminal::lines(&terminal::picture(|frame| draw_hanoi(frame, tale)))
}

fn press(tale: &mut Tale, codes: &[KeyCode]) {
    for &code in codes {
        assert!(!tale.press(KeyEvent::new(code, KeyModifiers::NONE), Instant::now()), "{code:?} does not end it");
    }
}

fn type_in(tale: &mut Tale, text: &str) {
    text.chars().for_each(|letter| press(tale, &[KeyCode::Char(letter)]));
}

#[test]
fn the_picture_shows_the_pegs_how_far_it_is_and_why_the_last_move_was_made() {
    let mut tale = tale(3);
    assert_eq!(lines(&tale)[18], "Nothing has moved yet.");
    press(&mut tale, &[KeyCode::Right; 4]);
    let shown = lines(&tale);
    assert!(shown[0].starts_with("THE CLASSIC TOWER  3 disks from 1 to 3 "), "{}", shown[0]);
    assert!(shown[0].ends_with(" paused  2 a second  recursive"), "{}", shown[0]);
    assert!(shown[12].trim().starts_with('|') && shown[12].contains("[1]"), "{}", shown.join("\n"));
    assert!(shown[13].contains("(-----2-----)") && shown[13].contains("[###########3###########]"), "{}", shown[13]);
    assert_eq!(shown[15].split_whitespace().collect::<Vec<_>>().join(" "), "1 from, empty 2, 2 disks 3 to, 1 disk");
    assert!(shown[16].ends_with("- 4 of 7"), "{}", shown[16]);
    assert_eq!(shown[17], "Disk 3 from peg 1 to peg 3.");
    assert_eq!(shown[18], "Disks 1 to 3 go 1-3: 1 and 2 wait on peg 2, now 3 goes, then they follow.");
    press(&mut tale, &[KeyCode::Char('m'), KeyCode::Left]);
    assert_eq!(lines(&tale)[18], "An odd move: disk 1 goes on its round 1-3-2.");
    press(&mut tale, &[KeyCode::End]);
    assert!(lines(&tale)[16].ends_with("O 7 of 7"), "{}", lines(&tale)[16]);
    assert!(tale.press(KeyEvent::new(KeyCode::Char('q'), KeyModifiers::NONE), Instant::now()));
}

/// Above as many disks as there are lines for, neighbours in size share one; the rest is counted.
#[test]
fn sixty_four_disks_fit_in_any_position_and_are_all_accounted_for() {
    let mut tale = tale(64);
    for made in ["0", "9223372036854775808", "12297829382473034410", "6148914691236517205", "9407839477591871323"] {
        type_in(&mut tale, "g");
        assert!(lines(&tale)[22].starts_with("after which move? 0 to 18446744073709551615: _"));
        type_in(&mut tale, made);
        press(&mut tale, &[KeyCode::Enter]);
        let shown = lines(&tale);
        assert!(shown[16].ends_with(&format!(" {made} of 18446744073709551615")), "{}", shown[16]);
        let position = tale.position();
        for peg in Peg::ALL {
            let column: Vec<String> =
                shown[2..14].iter().map(|row| row.chars().skip(26 * peg.index()).take(26).collect()).collect();
            let disks: usize = column.iter().map(|row| counted(row)).sum();
            assert_eq!(disks, position.on(peg).count(), "{made}: peg {peg}:\n{}", shown.join("\n"));
        }
    }
    type_in(&mut tale, "g99999999999999999999");
    press(&mut tale, &[KeyCode::Enter]);
    assert!(
        lines(&tale)[22].starts_with("the tower is never after 99999999999999999999 moves: it stands on its target")
    );
    press(&mut tale, &[KeyCode::Char('g'), KeyCode::Enter]);
    assert_eq!(lines(&tale)[22], "give a whole number of moves from 0 to 2^N - 1");
}

/// The disks that a line of a peg stands for: `[== 12 to 9 ==]`, `(-6-)`, `and 7 below`, `|`.
fn counted(row: &str) -> usize {
    let words: Vec<usize> = row.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect();
    match (words.as_slice(), row.contains(" to "), row.contains("below")) {
        ([large, small], true, false) => large - small + 1,
        ([count], false, true) => *count,
        ([_], false, false) => 1,
        ([], false, false) => 0,
        _ => panic!("no line of a peg: {row:?}"),
    }
}

#[test]
fn by_hand_a_person_lifts_places_errs_and_is_led_to_the_end_by_hints() {
    let mut tale = tale(3);
    press(&mut tale, &[KeyCode::Right, KeyCode::Char('h')]);
    assert!(lines(&tale)[0].ends_with("by hand"));
    assert_eq!(lines(&tale)[16], "moves 0   left at best 6");
    type_in(&mut tale, "13");
    assert_eq!(lines(&tale)[22], "disk 2 cannot rest on disk 1: place it on an empty peg or on a larger disk");
    assert_eq!(lines(&tale)[17], "In the hand: the top disk of peg 1.");
    press(&mut tale, &[KeyCode::Esc, KeyCode::Char('2')]);
    assert_eq!(lines(&tale)[22], "peg 2 is empty: lift a disk from another one");
    press(&mut tale, &[KeyCode::Char('b')]);
    assert_eq!(lines(&tale)[17], "Hint: disk 2 from peg 1 to peg 2.");
    type_in(&mut tale, "12");
    assert_eq!(lines(&tale)[16], "moves 1   left at best 5");
    press(&mut tale, &[KeyCode::Enter; 5]);
    assert_eq!(lines(&tale)[22], "The tower stands on peg 3 after 6 moves, the fewest there are.");
    assert!(tale.position().is_tower_on(Peg::ALL[2]));
    press(
        &mut tale,
        &[KeyCode::Char('R'), KeyCode::Char('1'), KeyCode::Char('2'), KeyCode::Char('2'), KeyCode::Char('1')],
    );
    (0..7).for_each(|_| press(&mut tale, &[KeyCode::Enter]));
    assert_eq!(lines(&tale)[22], "The tower stands on peg 3 after 9 moves, 2 more than needed.");
    press(&mut tale, &[KeyCode::Char('h')]);
    assert!(lines(&tale)[16].ends_with(" 1 of 7"), "back where it was watched: {}", lines(&tale)[16]);
}

#[test]
fn it_plays_scrubs_and_stands_at_both_ends() {
    let mut tale = tale(10);
    let begun = Instant::now();
    tale.press(KeyEvent::new(KeyCode::Char(' '), KeyModifiers::NONE), begun);
    tale.playback.advance(begun + Duration::from_secs(5));
    assert!(lines(&tale)[16].ends_with(" 10 of 1023") && lines(&tale)[0].contains("playing"), "{}", lines(&tale)[0]);
    for (code, made) in [
        (KeyCode::PageDown, 112),
        (KeyCode::Char('.'), 122),
        (KeyCode::Char(','), 112),
        (KeyCode::PageUp, 10),
        (KeyCode::PageUp, 0),
        (KeyCode::Left, 0),
        (KeyCode::End, 1_023),
        (KeyCode::Right, 1_023),
        (KeyCode::Home, 0),
    ] {
        press(&mut tale, &[code]);
        assert!(lines(&tale)[16].ends_with(&format!(" {made} of 1023")), "{code:?}: {}", lines(&tale)[16]);
        assert!(lines(&tale)[0].contains("paused"));
    }
}

#[test]
fn the_story_fits_whole_beside_every_tower_and_so_do_all_shares() {
    for disks in 0..=64 {
        let mut tale = tale(disks);
        let shown = lines(&tale);
        let story = shown[19..22].join(" ");
        assert!(story.contains("64 golden disks") && story.contains("585 billion years, 42 ages of the universe."));
        assert!(story.ends_with('.') && shown[22].is_empty(), "{disks} disks:\n{}", shown.join("\n"));
        assert_eq!(story.contains("This tower: "), disks < 64);
        press(&mut tale, &[KeyCode::Char('t')]);
        let table = lines(&tale)[2..16].join(" ");
        let shares: Vec<&str> = table.split_whitespace().collect();
        for disk in 1..=disks {
            let share = tale.tower.moves_of(disk as u8).to_string();
            let is_told = shares.chunks_exact(2).any(|pair| pair == [disk.to_string(), share.clone()]);
            assert!(is_told, "disk {disk} of {disks}: {share}\n{}", lines(&tale).join("\n"));
        }
    }
}

#[test]
fn a_terminal_that_is_too_small_is_told_so() {
    let small = terminal::picture_on(60, 20, |frame| draw_hanoi(frame, &tale(3)));
    assert!(terminal::lines(&small)[0].starts_with("60x20 is too small: this needs 80x24"));
}

#[test]
fn help_lists_exactly_the_keys_of_the_tower_watched_by_hand_and_while_a_number_is_typed() {
    let watched: &[KeyCode] = &[KeyCode::Right, KeyCode::Right, KeyCode::Right];
    let by_hand = [watched, &[KeyCode::Char('h'), KeyCode::Enter]].concat();
    let holding = [by_hand.as_slice(), &[KeyCode::Char('3')]].concat();
    let typed = [watched, &[KeyCode::Char('g'), KeyCode::Char('1')]].concat();
    for (states, place) in
        [(vec![watched.to_vec()], "watched"), (vec![by_hand, holding], "by hand"), (vec![typed], "typed")]
    {
        for code in terminal::keyboard() {
            let mut listed = false;
            let does = states.iter().any(|keys| {
                let mut tale = tale(7);
                press(&mut tale, keys);
                assert!(fits_in_line(tale.hints()));
                listed = is_listed(tale.hints(), code);
                let before = lines(&tale);
                tale.press(KeyEvent::new(code, KeyModifiers::NONE), Instant::now()) || lines(&tale) != before
            });
            assert_eq!(listed, does, "{place}: {code:?}");
        }
    }
}

#[test]
fn the_mouse_moves_disks_by_hand_and_the_clock_while_it_is_watched() {
    let area = ratatui::layout::Rect::new(0, 0, 80, 24);
    let (down, up) = (MouseEventKind::Down(MouseButton::Left), MouseEventKind::Up(MouseButton::Left));
    let touch =
        |tale: &mut Tale, kind, column, row| tale.touch(terminal::mouse(kind, column, row), area, Instant::now());
    let mut tale = tale(3);
    let bar = lines(&tale)[16].find(' ').expect("the words behind the line") as u16;
    for (x, made) in [(bar - 1, 7), (0, 0), ((bar - 1) / 7 * 2 + 1, 2)] {
        touch(&mut tale, down, x, 16);
        assert_eq!(tale.playback.made(), made, "{x}");
    }
    touch(&mut tale, down, 0, 16);
    press(&mut tale, &[KeyCode::Char('h')]);
    // A click lifts, another places.
    touch(&mut tale, down, 5, 10);
    touch(&mut tale, up, 5, 10);
    assert!(tale.hand.as_ref().is_some_and(|hand| hand.held() == Some(Peg::ALL[0])), "it is held");
    touch(&mut tale, down, 70, 10);
    touch(&mut tale, up, 70, 10);
    assert_eq!(lines(&tale)[16], "moves 1   left at best 6");
    // A drag does both at once.
    touch(&mut tale, down, 5, 10);
    touch(&mut tale, MouseEventKind::Drag(MouseButton::Left), 20, 10);
    touch(&mut tale, up, 30, 10);
    assert_eq!(lines(&tale)[16], "moves 2   left at best 5");
    let quit = lines(&tale)[23].find("q leave").expect("an entry") as u16;
    assert!(touch(&mut tale, down, quit, 23));
}
