//! The mouse in a room: pegs are touched where they are drawn.

use std::time::Duration;

use crossterm::event::{MouseButton, MouseEventKind};
use ratatui::layout::Rect;
use sprint_client::screen::{Confirm, Intent, Ui, touched};
use sprint_shared::options::RoomOptions;
use sprint_shared::play::Act;
use sprint_shared::race::Viewer;
use sprint_shared::time::Seat;

use crate::screen::{ADA, NINE_PEGS, Room, blueprint, plain};
use crate::terminal::{lines, mouse};

const AREA: Rect = Rect::new(0, 0, 80, 24);
const DOWN: MouseEventKind = MouseEventKind::Down(MouseButton::Left);
const UP: MouseEventKind = MouseEventKind::Up(MouseButton::Left);

fn touch(room: &Room, viewer: Viewer, ui: &mut Ui, kind: MouseEventKind, at: (u16, u16)) -> Intent {
    room.scene(viewer, Duration::ZERO, |scene| touched(mouse(kind, at.0, at.1), AREA, scene, ui))
}

/// Where a peg's number is drawn.
fn number_of(room: &Room, peg: u32) -> (u16, u16) {
    let page = lines(&room.picture(ADA, &plain(), Duration::ZERO));
    (page[10].find(&peg.to_string()).expect("its number") as u16, 10)
}

#[test]
fn a_click_on_a_peg_lifts_and_another_places_wherever_it_is_drawn() {
    let mut room = Room::of(&["Ada", "Bob"], blueprint(NINE_PEGS, 2));
    room.race(2);
    let mut ui = plain();
    for peg in 1..=9 {
        let (x, y) = number_of(&room, peg);
        for at in [(x, y), (x, 1), (x, 8)] {
            assert_eq!(touch(&room, ADA, &mut ui, DOWN, at), Intent::Act(Act::Lift { peg }), "{at:?}");
        }
    }
    assert_eq!(touch(&room, ADA, &mut ui, DOWN, (79, 5)), Intent::Nothing, "the tracker");
    assert_eq!(touch(&room, ADA, &mut ui, DOWN, (5, 15)), Intent::Nothing, "somebody else's board");
    room.act(0, Act::Lift { peg: 1 });
    let (own, other) = (number_of(&room, 1), number_of(&room, 9));
    assert_eq!(touch(&room, ADA, &mut ui, DOWN, other), Intent::Act(Act::Place { peg: 9 }));
    assert_eq!(touch(&room, ADA, &mut ui, DOWN, own), Intent::Act(Act::Place { peg: 1 }), "the rules judge it");
}

#[test]
fn a_drag_places_where_the_button_is_let_go_and_a_click_alone_does_not_place() {
    let mut room = Room::of(&["Ada", "Bob"], blueprint(NINE_PEGS, 2));
    room.race(2);
    let mut ui = plain();
    let (from, to) = (number_of(&room, 1), number_of(&room, 7));
    assert_eq!(touch(&room, ADA, &mut ui, DOWN, from), Intent::Act(Act::Lift { peg: 1 }));
    room.act(0, Act::Lift { peg: 1 });
    let drag = MouseEventKind::Drag(MouseButton::Left);
    assert_eq!(touch(&room, ADA, &mut ui, drag, to), Intent::Nothing);
    assert_eq!(touch(&room, ADA, &mut ui, UP, to), Intent::Act(Act::Place { peg: 7 }));
    assert_eq!(touch(&room, ADA, &mut ui, UP, to), Intent::Nothing, "once");
    ui.dragged = Some(1);
    assert_eq!(
        touch(&room, ADA, &mut ui, UP, from),
        Intent::Nothing,
        "let go where it was lifted, it stays in the hand"
    );
    ui.dragged = Some(1);
    assert_eq!(touch(&room, ADA, &mut ui, UP, (79, 5)), Intent::Nothing, "let go beside the board");
}

#[test]
fn the_entries_of_the_last_line_a_seat_that_is_asked_for_and_a_small_board_are_clicked() {
    let mut room = Room::of(&["Ada", "Bob"], RoomOptions { seats: 3, ..blueprint(NINE_PEGS, 3) });
    let mut ui = plain();
    let entry = |room: &Room, ui: &Ui, viewer, text: &str| {
        let page = lines(&room.picture(viewer, ui, Duration::ZERO));
        (page[23].find(text).unwrap_or_else(|| panic!("{text}: {}", page[23])) as u16, 23)
    };
    let at = entry(&room, &ui, ADA, "Enter ready");
    assert_eq!(touch(&room, ADA, &mut ui, DOWN, at), Intent::Ready);
    let at = entry(&room, &ui, ADA, "K send away");
    touch(&room, ADA, &mut ui, DOWN, at);
    assert_eq!(ui.confirm, Some(Confirm::Kick));
    let page = lines(&room.picture(ADA, &ui, Duration::ZERO));
    let row = page.iter().position(|line| line.contains("2  Bob")).expect("a seat") as u16;
    assert_eq!(touch(&room, ADA, &mut ui, DOWN, (6, row)), Intent::Kick(Seat::ALL[1]));
    let at = entry(&room, &ui, ADA, "? help");
    touch(&room, ADA, &mut ui, DOWN, at);
    assert!(ui.help);
    assert_eq!((touch(&room, ADA, &mut ui, DOWN, (1, 1)), ui.help), (Intent::Nothing, false), "a click puts it away");
    room.race(2);
    let at = entry(&room, &ui, Viewer::Spectator, "q leave");
    assert_eq!(touch(&room, Viewer::Spectator, &mut ui, DOWN, at), Intent::Leave);
    assert_eq!(touch(&room, Viewer::Spectator, &mut ui, DOWN, (3, 15)), Intent::Nothing);
    let page = lines(&room.picture(Viewer::Spectator, &ui, Duration::ZERO));
    assert!(page[11].contains("above: Bob") && page[12].contains("1 Ada"), "{}", page.join("\n"));
}
