//! Every screen, in every look: no colour where none is wanted, nothing but ASCII where there is nothing else, nothing cut
//! off on 80 by 24.

use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::style::Color;
use ratatui::text::Span;
use sprint_client::screen::{
    Alone, Confirm, Depth, Palette, Theme, Ui, What, draw, draw_almanac, draw_hanoi, draw_replay,
};
use sprint_shared::almanac::{StageNumber, almanac};
use sprint_shared::api::{DailyPromise, LessonInfo, OwnDaily, StageInfo};
use sprint_shared::deal::Seed;
use sprint_shared::lesson::{LessonNumber, lessons};
use sprint_shared::options::{Opponents, RoomOptions};
use sprint_shared::play::Act;
use sprint_shared::preset::Preset;
use sprint_shared::race::{Command, Viewer};
use sprint_shared::solo::Solo;

use crate::almanac::{session, shelf};
use crate::screen::{ADA, NINE_PEGS, Room, blueprint, with_looks};
use crate::terminal::{lines, picture_on};

/// Names as people have them: accents, letters of two columns, as long as may be.
const NAMES: [&str; 4] = ["Zoë Łukasiewicz", "塔の魔術師", "Ada of the Long Name", "Dee"];
const PALETTES: [Palette; 3] = [Palette::Dark, Palette::Light, Palette::Contrast];
const DEPTHS: [Depth; 3] = [Depth::Sixteen, Depth::Cube, Depth::True];

/// Draws what is drawn, on a terminal of its size.
struct Canvas {
    size: (u16, u16),
    drawn: Vec<(String, Buffer)>,
}

impl Canvas {
    fn draw(&mut self, name: &str, draw: impl FnOnce(&mut Frame)) {
        self.drawn.push((name.to_owned(), picture_on(self.size.0, self.size.1, draw)));
    }

    fn room(&mut self, name: &str, room: &Room, viewer: Viewer, ui: &Ui) {
        room.scene(viewer, Duration::from_millis(1_234), |scene| self.draw(name, |frame| draw(frame, scene, ui)));
    }
}

/// Every screen in a theme.
fn screens(theme: Theme, size: (u16, u16)) -> Vec<(String, Buffer)> {
    let mut canvas = Canvas { size, drawn: Vec::new() };
    races(&mut canvas, theme);
    sessions_alone(&mut canvas, theme);
    others(&mut canvas, theme);
    canvas.drawn
}

fn races(canvas: &mut Canvas, theme: Theme) {
    let ui = || with_looks(theme);
    let mut room = Room::of(&NAMES, blueprint(NINE_PEGS, 4));
    canvas.room("lobby", &room, ADA, &ui());
    canvas.room("lobby, help", &room, ADA, &Ui { help: true, ..ui() });
    canvas.room("lobby, question", &room, ADA, &Ui { confirm: Some(Confirm::Kick), ..ui() });
    room.count_down(4);
    canvas.room("countdown", &room, ADA, &ui());
    room.pass(3_000);
    room.act(0, Act::Lift { peg: 1 });
    canvas.room("race", &room, ADA, &ui());
    canvas.room("race, help", &room, ADA, &Ui { help: true, ..ui() });
    canvas.room("watching", &room, Viewer::Spectator, &ui());
    canvas.room("watching, over time", &room, Viewer::Spectator, &Ui { over_time: true, ..ui() });
    canvas.room("watching, help", &room, Viewer::Spectator, &Ui { help: true, ..ui() });
    for seat in 0..4 {
        room.say(seat, Command::GiveUp);
    }
    room.pass(100);
    canvas.room("result", &room, ADA, &ui());
    canvas.room("result, help", &room, ADA, &Ui { help: true, ..ui() });
    let options = RoomOptions { opponents: Opponents::Progress, ..blueprint(NINE_PEGS, 4) };
    let mut room = Room::of(&NAMES, options);
    room.race(4);
    canvas.room("race by progress", &room, ADA, &ui());
}

fn sessions_alone(canvas: &mut Canvas, theme: Theme) {
    let day = "2026-11-30".parse().expect("a day");
    let commitment = Seed::from(1);
    let daily = |practice| {
        let today =
            DailyPromise { day, preset: Preset::Initiate, commitment, committed_at_ms: 0, ends_at_ms: day.ends_ms() };
        let own = OwnDaily { code: None, result: None, streak: 3, streak_longest: 12 };
        (Solo::Daily { day, commitment, practice }, What::Daily { today, own })
    };
    let stage = StageInfo::from(almanac().stage(StageNumber::FIRST));
    let lesson = LessonInfo::from(&lessons()[3]);
    let solos = [
        (Solo::Stage { stage: StageNumber::FIRST }, What::Stage { stage, record: None, open: 1, stages: 50 }),
        (
            Solo::Lesson { lesson: LessonNumber::new(4).expect("a lesson") },
            What::Lesson { lesson, done: 1, lessons: 7 },
        ),
        (Solo::Shuffle { seed: Seed::from(1) }, What::Shuffle { adaptive: true }),
        daily(false),
        daily(true),
    ];
    for (solo, what) in solos {
        let mut ui = Ui { alone: Some(Alone::new(what, theme.unicode)), ..with_looks(theme) };
        let mut room = session(solo);
        canvas.room(&format!("{solo:?}"), &room, ADA, &ui);
        for (from, to) in room.way() {
            room.act(0, Act::Move { from, to });
        }
        canvas.room(&format!("{solo:?}, result"), &room, ADA, &ui);
        ui.help = true;
        canvas.room(&format!("{solo:?}, help"), &room, ADA, &ui);
    }
}

fn others(canvas: &mut Canvas, theme: Theme) {
    let mut almanac = shelf(theme.unicode);
    almanac.theme = theme;
    canvas.draw("almanac", |frame| draw_almanac(frame, &almanac));
    almanac.help = true;
    canvas.draw("almanac, help", |frame| draw_almanac(frame, &almanac));
    let mut tale = crate::hanoi::tale(64);
    tale.theme = theme;
    for (name, key) in [("watched", ' '), ("help", '?'), ("shares", 't'), ("by hand", 'h')] {
        tale.press(KeyEvent::new(KeyCode::Char(key), KeyModifiers::NONE), Instant::now());
        canvas.draw(&format!("tower, {name}"), |frame| draw_hanoi(frame, &tale));
        (tale.help, tale.shares) = (false, false);
    }
    let mut show = crate::replay::show(1_000);
    show.theme = theme;
    canvas.draw("replay", |frame| draw_replay(frame, &show));
    show.analysis = true;
    canvas.draw("replay, table", |frame| draw_replay(frame, &show));
    show.help = true;
    canvas.draw("replay, help", |frame| draw_replay(frame, &show));
}

#[test]
fn without_colour_no_cell_of_any_screen_has_one() {
    for (name, page) in screens(Theme::plain(true), (80, 24)) {
        let bare = page.content.iter().all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset);
        assert!(bare, "{name}");
    }
}

#[test]
fn in_ascii_no_screen_has_another_letter_and_each_stands_where_it_does_in_unicode() {
    let theme = |unicode| Theme { colours: Some((Palette::Dark, Depth::True)), unicode };
    for ((name, page), (_, full)) in screens(theme(false), (80, 24)).into_iter().zip(screens(theme(true), (80, 24))) {
        let text = lines(&page).join("\n");
        assert!(text.is_ascii(), "{name}: {text}");
        let same = |(a, b): (&ratatui::buffer::Cell, &ratatui::buffer::Cell)| {
            !b.symbol().is_ascii() || b.symbol() == a.symbol() || b.symbol() == " " || a.symbol() == "?"
        };
        // What is said at the end of a line may be one sign longer or shorter.
        let differ = page.content.iter().zip(&full.content).filter(|pair| !same(*pair)).count();
        assert!(differ <= 80, "{name}: {differ} cells\n{text}\n{}", lines(&full).join("\n"));
    }
}

#[test]
fn in_every_theme_each_cell_has_a_ground_and_an_ink_and_the_letters_are_the_same() {
    let bare: Vec<_> = screens(Theme::plain(true), (80, 24)).iter().map(|(_, page)| lines(page)).collect();
    for (palette, depth) in PALETTES.into_iter().flat_map(|palette| DEPTHS.map(|depth| (palette, depth))) {
        let theme = Theme { colours: Some((palette, depth)), unicode: true };
        for ((name, page), bare) in screens(theme, (80, 24)).into_iter().zip(&bare) {
            // The second half of a letter of two columns is none of its own.
            let is_half = |at: usize| at > 0 && Span::raw(page.content[at - 1].symbol()).width() > 1;
            for (at, cell) in page.content.iter().enumerate().filter(|(at, _)| !is_half(*at)) {
                let unseen = cell.fg == Color::Reset || cell.bg == Color::Reset || cell.fg == cell.bg;
                assert!(!unseen, "{palette:?} {depth:?} {name}: {at}: {cell:?}");
            }
            assert_eq!(lines(&page), *bare, "{palette:?} {depth:?} {name}");
        }
    }
}

/// What is said on a large screen stands on the smallest one, too.
#[test]
fn no_word_of_any_screen_is_cut_off_on_the_smallest_one() {
    let large = screens(Theme::plain(false), (200, 60));
    let pages = screens(Theme::plain(false), (80, 24)).into_iter().zip(large);
    // What the overlay covers can be read without it; the almanac is scrolled.
    for ((name, page), (_, large)) in pages.filter(|((name, _), _)| !name.ends_with("help") && name != "almanac") {
        let small = lines(&page).join("\n");
        let has = |word: &str| small.split_whitespace().any(|known| known == word);
        // Rules, pegs and disks grow with the screen.
        let is_text = |word: &&str| word.chars().all(|c| c.is_ascii_alphanumeric() || ".,:;?!'/&()".contains(c));
        // A curve may look like a word, and a long one.
        let is_text = |word: &&str| is_text(word) && word.len() < 40 && word.chars().any(|c| c.is_ascii_alphabetic());
        let text = lines(&large).join("\n");
        let missing: Vec<&str> = text.split_whitespace().filter(is_text).filter(|word| !has(word)).collect();
        assert!(missing.is_empty(), "{name}: {missing:?}\n{small}");
    }
}

#[test]
fn every_overlay_of_keys_stands_whole_on_the_smallest_screen() {
    let pages = screens(Theme::plain(false), (80, 24));
    for (name, page) in pages.into_iter().filter(|(name, _)| name.ends_with("help")) {
        let lines = lines(&page);
        let text = lines.join("\n");
        let top = lines.iter().position(|line| line.contains("+- Keys -")).unwrap_or_else(|| panic!("{name}: {text}"));
        let (left, right) = (lines[top].find("+-").expect("a corner"), lines[top].rfind("-+").expect("a corner") + 1);
        assert!(left > 0 && right < 79, "{name}: {text}");
        let rows: Vec<&String> = lines[top + 1..].iter().take_while(|line| line.as_bytes()[left] == b'|').collect();
        let has_room = |row: &&String| row.as_bytes()[right] == b'|' && row.as_bytes()[right - 1] == b' ';
        assert!(rows.iter().all(has_room), "{name}: {text}");
        assert!(lines[top + rows.len() + 1].contains("any key closes -+"), "{name}: {text}");
        assert!(rows.last().is_some_and(|row| row.contains("to select text")), "{name}: {text}");
    }
}
