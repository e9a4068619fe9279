//! Pictures at 80 by 24, drawn from the views of a real room on a terminal that is only a buffer.

use std::time::{Duration, Instant};

use ratatui::buffer::Buffer;
use ratatui::style::Color;
use sprint_client::screen::{Confirm, Depth, Palette, Scene, Theme, Ui, draw};
use sprint_client::session::Link;
use sprint_client::state::{Folded, Outcome};
use sprint_shared::board::Board;
use sprint_shared::deal::Seed;
use sprint_shared::event::{Event, Nonce};
use sprint_shared::options::{Opponents, Placement, RoomOptions};
use sprint_shared::play::Act;
use sprint_shared::protocol::{Lost, Role, ServerMessage, ToGo};
use sprint_shared::race::{Command, Race, Viewer, Want};
use sprint_shared::review::{Lead, Review, SeatReview};
use sprint_shared::solver::{Budget, Outcome as Solved, solve};
use sprint_shared::time::{Millis, Seat};
use uuid::Uuid;

use crate::terminal::{lines, picture, picture_on};

pub const NINE_PEGS: &str = "R1R2R3/S1S2S3/E3E2E1/A5A4/V7V6/R7R6R5/-/-/- 7";
const NEARLY: &str = "R3R2/R1/S2S1/- 7";

/// A room of the real machine, driven by hand.
pub struct Room {
    race: Race,
    now: Millis,
}

impl Room {
    pub fn of(names: &[&str], options: RoomOptions) -> Room {
        let now = Millis(1_000);
        let code = "ABC123".to_owned();
        let options = options.checked().expect("good options");
        let opened =
            Event::RoomOpened { at: now, room: Uuid::nil(), code, options, countdown_ms: 3_000, idle_ms: 600_000 };
        let mut room = Room { race: Race::open(&opened).expect("an opening"), now };
        for (id, name) in (1..).zip(names) {
            let player = Uuid::from_u128(id);
            let events = room.race.sit(now, player, name, false).expect("a seat");
            room.step(events);
            room.say(id as usize - 1, Command::Connect);
        }
        room
    }

    fn step(&mut self, events: Vec<Event>) {
        self.race.step(self.now, events, |_, _| {});
    }

    pub fn say(&mut self, seat: usize, command: Command) {
        let events = self.race.decide(self.now, Seat::ALL[seat], &command).expect("allowed");
        self.step(events);
    }

    pub fn act(&mut self, seat: usize, act: Act) {
        let n = self.race.n(Seat::ALL[seat]) + 1;
        self.say(seat, Command::Act { n, ply: None, act });
    }

    pub fn pass(&mut self, ms: u64) {
        self.now = self.now.after(ms);
        let due = self.race.due(self.now);
        self.step(due);
    }

    /// Everybody ready, nonces given, the blueprint dealt: the countdown runs.
    pub fn count_down(&mut self, players: usize) {
        (0..players).for_each(|seat| self.say(seat, Command::Ready(true)));
        let events = self.race.commit(self.now, Uuid::from_u128(77), Seed::from(1));
        self.step(events);
        if self.race.options().solo.is_none() {
            (0..players).for_each(|seat| self.say(seat, Command::Nonce(Nonce([7; 16]))));
        }
        let Some(Want::Deal { round_id, .. }) = self.race.want(self.now) else { panic!("a deal is wanted") };
        let board = self.board();
        let events = self.race.deal(self.now, round_id, board, Some(20), [12; 4]);
        self.step(events);
    }

    pub fn race(&mut self, players: usize) {
        self.count_down(players);
        self.pass(3_000);
    }

    /// The blueprint, or one for a room that is dealt its boards.
    fn board(&self) -> Board {
        self.race.options().blueprint.as_deref().unwrap_or(NEARLY).parse().expect("a board")
    }

    /// A shortest way to harmony from the start, each transfer as from and to.
    pub fn way(&self) -> Vec<(u32, u32)> {
        let board = self.board();
        let Solved::Solved { line, .. } = solve(&board, &Budget::default()) else { panic!("{board} can be solved") };
        line.iter().map(|transfer| (transfer.from.number().into(), transfer.to.number().into())).collect()
    }

    /// What a viewer sees, `later` after it was told.
    pub fn picture(&self, viewer: Viewer, ui: &Ui, later: Duration) -> Buffer {
        self.scene(viewer, later, |scene| picture(|frame| draw(frame, scene, ui)))
    }

    /// Does something with what a picture is made of.
    pub fn scene<T>(&self, viewer: Viewer, later: Duration, deed: impl FnOnce(&Scene) -> T) -> T {
        let at = Instant::now();
        let seat = match viewer {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Spectator => None,
        };
        let room = Folded::of_view(self.race.seq(), seat, self.race.view(self.now, viewer), at, true);
        let shown = room.own().and_then(|r| r.play.clone());
        let role = if seat.is_some() { Role::Player } else { Role::Spectator };
        let now = at + later;
        deed(&Scene { room: &room, shown: shown.as_ref(), pending: 0, link: Link::Online, role, now })
    }

    fn lines(&self, viewer: Viewer) -> Vec<String> {
        lines(&self.picture(viewer, &plain(), Duration::ZERO))
    }
}

pub fn plain() -> Ui {
    with_looks(Theme::plain(false))
}

pub fn with_looks(theme: Theme) -> Ui {
    Ui::new(theme, "http://127.0.0.1:8080".to_owned())
}

pub fn blueprint(board: &str, seats: u8) -> RoomOptions {
    RoomOptions { seats, blueprint: Some(board.to_owned()), ..RoomOptions::default() }
}

pub const ADA: Viewer = Viewer::Seat(Seat::ALL[0]);

#[test]
fn the_race_shows_every_disk_of_the_own_board_and_of_three_others_on_nine_pegs() {
    let mut room = Room::of(&["Ada", "Bob", "Cy", "Dee"], blueprint(NINE_PEGS, 4));
    room.race(4);
    let lines = room.lines(ADA);
    let text = lines.join("\n");
    for name in ["2 Bob", "3 Cy", "4 Dee"] {
        assert!(lines[12].contains(name), "{text}");
    }
    let disks = ["R1", "R2", "R3", "S1", "S2", "S3", "E3", "E2", "E1", "A5", "A4", "V7", "V6", "R7", "R6", "R5"];
    for disk in disks {
        assert_eq!(text.matches(disk).count(), 4, "{disk}:\n{text}");
    }
    for peg in 1..=9 {
        assert!(lines[10].contains(&peg.to_string()) && lines[21].contains(&peg.to_string()), "{text}");
    }
    assert!(lines[5].contains("par") && lines[5].ends_with("24") && lines[6].ends_with("20"), "{text}");
    assert_eq!(lines[23], "1-9 lift, place   Esc put back   u undo   R reset   g give up   q leave   ? help");
}

#[test]
fn a_held_disk_hangs_above_its_source_and_is_gone_from_the_stack() {
    let mut room = Room::of(&["Ada", "Bob"], blueprint(NEARLY, 2));
    room.race(2);
    let before = room.lines(ADA);
    assert_eq!(before[1].trim(), "time     0:00.0", "nothing hangs there yet");
    room.act(0, Act::Lift { peg: 3 });
    let after = room.lines(ADA);
    assert!(after[1].trim_start().starts_with("(S1)"), "{}", after.join("\n"));
    assert!(before[7].contains("(S1)") && !after[7].contains("(S1)"), "{}", after.join("\n"));
    let other = room.lines(Viewer::Seat(Seat::ALL[1])).join("\n");
    assert!(other.contains("s1"), "{other}");
}

#[test]
fn nothing_of_the_board_is_shown_before_the_start_and_the_countdown_counts() {
    let mut room = Room::of(&["Ada", "Bob"], blueprint(NEARLY, 2));
    room.count_down(2);
    let three = lines(&room.picture(ADA, &plain(), Duration::ZERO));
    let one = lines(&room.picture(ADA, &plain(), Duration::from_millis(2_500)));
    assert!(!three.join("\n").contains("R3"), "{}", three.join("\n"));
    let digit = |lines: &[String]| lines[3..8].iter().map(|l| l[..56].trim().to_owned()).collect::<Vec<_>>();
    assert_eq!(digit(&three), ["#####", "#", "####", "#", "#####"]);
    assert_eq!(digit(&one), ["#", "##", "#", "#", "###"]);
}

#[test]
fn rivals_are_bars_where_only_progress_may_be_seen() {
    let options = RoomOptions { opponents: Opponents::Progress, ..blueprint(NEARLY, 2) };
    let mut room = Room::of(&["Ada", "Bob"], options);
    room.race(2);
    room.act(1, Act::Move { from: 3, to: 4 });
    let text = room.lines(ADA).join("\n");
    assert!(text.contains("moves 1 errors 0"), "{text}");
    assert!(text.contains("3 of 5") && text.contains("[############--------]"), "{text}");
}

#[test]
fn a_guarded_room_marks_the_legal_targets_of_the_held_disk_and_a_strict_one_does_not() {
    for (placement, expected) in
        [(Placement::Guarded, vec!["[1]", "2", "3", "[4]"]), (Placement::Strict, vec!["1", "2", "3", "4"])]
    {
        let mut room = Room::of(&["Ada", "Bob"], RoomOptions { placement, ..blueprint(NEARLY, 2) });
        room.race(2);
        room.act(0, Act::Lift { peg: 2 });
        let numbers: Vec<String> = room.lines(ADA)[10].split_whitespace().take(4).map(str::to_owned).collect();
        assert_eq!(numbers, expected);
    }
}

#[test]
fn rings_and_homes_stand_beside_the_pegs_number() {
    let board = "R2/R1/S2S1/-/- 7 4s@m12,5c2@t1 R1";
    let mut room = Room::of(&["Ada", "Bob"], blueprint(board, 2));
    room.race(2);
    let numbers: Vec<String> = room.lines(ADA)[10].split_whitespace().take(5).map(str::to_owned).collect();
    // One tower stands, so the collars of peg 5 are open from the start.
    assert_eq!(numbers, ["1=R", "2", "3", "4#", "5"]);
}

#[test]
fn the_result_shows_ranks_raw_and_official_time_credit_and_score_and_who_wants_a_rematch() {
    let mut room = Room::of(&["Ada", "Bob"], blueprint(NEARLY, 2));
    room.race(2);
    room.pass(61_234);
    room.act(0, Act::Move { from: 2, to: 1 });
    room.pass(100);
    room.say(1, Command::Rematch);
    let lines = room.lines(ADA);
    let text = lines.join("\n");
    assert!(lines[2].contains("Spire Restored! Ada is first"), "{text}");
    let ada: Vec<&str> = lines[5].split_whitespace().collect();
    // Credit 12 ms; a single move, 23 under par of 24, within two minutes, flawless: (1000 + 1150 + 100) * 1.5.
    assert_eq!(ada, ["1", "Ada", "1:01.222", "1:01.234", "12", "ms", "1", "0", "3375", "***"], "{text}");
    assert!(text.contains("Ada is Master Technomancer") && text.contains("[ ] Ada  [x] Bob"), "{text}");
    assert!(text.contains("http://127.0.0.1:8080/api/v1/matches/00000000-0000-0000-0000-00000000004d"), "{text}");
}

#[test]
fn the_result_sums_the_round_up_once_its_analysis_is_there() {
    let mut room = Room::of(&["Ada", "Bob"], blueprint(NEARLY, 2));
    room.race(2);
    room.pass(61_234);
    room.act(0, Act::Move { from: 2, to: 1 });
    room.pass(100);
    let figures = |seat: usize, transfers, optimal, wasteful, wasted, lost_since_ms| SeatReview {
        seat: Seat::ALL[seat],
        transfers,
        optimal,
        wasteful,
        wasted,
        undone: 0,
        resets: 0,
        errors: 0,
        penalty_moves: 0,
        lost_since_ms,
        pace: None,
    };
    let of = |ada: SeatReview, bob: SeatReview, leads: &[(u64, Option<usize>)]| Review {
        format: 1,
        complete: true,
        optimum: Some(20),
        curves: Vec::new(),
        seats: vec![ada, bob],
        marks: Vec::new(),
        leads: leads.iter().map(|(clock_ms, s)| Lead { clock_ms: *clock_ms, seat: s.map(|s| Seat::ALL[s]) }).collect(),
    };
    let cases = [
        (
            of(figures(0, 1, 1, 0, 0, None), figures(1, 3, 2, 1, 1, None), &[]),
            ["wasted nothing", "wasted 1 transfer"],
            None,
        ),
        (
            of(
                figures(0, 4, 2, 2, 3, None),
                figures(1, 2, 1, 1, 0, Some(12_345)),
                &[(0, None), (900, Some(1)), (1_500, None), (2_000, Some(0))],
            ),
            ["wasted 3 transfers", "lost the board at 0:12.3"],
            Some("The lead changed hands once, last at 0:02.0 to Ada."),
        ),
        (
            of(
                figures(0, 4, 1, 0, 0, None),
                figures(1, 0, 0, 0, 0, None),
                &[(900, Some(1)), (1_000, None), (1_500, Some(1))],
            ),
            ["wasted nothing that is known", "made no transfer"],
            None,
        ),
    ];
    let round = Uuid::from_u128(77);
    for (review, wasted, lead) in cases {
        let of_another = Ui { review: Some((Uuid::nil(), review.clone())), ..plain() };
        let text = lines(&room.picture(ADA, &of_another, Duration::ZERO)).join("\n");
        assert!(!text.contains("wasted") && !text.contains("The lead"), "another round's: {text}");
        let ui = Ui { review: Some((round, review)), ..plain() };
        let lines = lines(&room.picture(ADA, &ui, Duration::ZERO));
        assert!(lines[6].ends_with(&format!(", {}", wasted[0])), "{}", lines.join("\n"));
        assert!(lines[8].ends_with(wasted[1]), "{}", lines.join("\n"));
        assert_eq!(lines[10].trim(), lead.unwrap_or_default(), "{}", lines.join("\n"));
    }
}

#[test]
fn the_lobby_tells_how_to_join_what_is_played_and_who_is_ready() {
    let mut room = Room::of(&["Ada", "Bob"], RoomOptions { seats: 3, ..RoomOptions::default() });
    room.say(1, Command::Ready(true));
    let text = room.lines(ADA).join("\n");
    assert!(text.contains("sprint play --server http://127.0.0.1:8080 --room ABC123"), "{text}");
    assert!(text.contains("http://127.0.0.1:8080/r/ABC123"), "{text}");
    assert!(text.contains("standard: 3 spectra of 5 on 6 pegs, solved in 21 to 24 moves at best"), "{text}");
    let seats: Vec<String> =
        text.lines().skip(13).take(3).map(|l| l.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(seats, ["1 Ada [ ] you, host", "2 Bob [x] ready", "3 (free)"]);
    assert!(text.contains("F1 Hello!") && text.contains("F8 Thanks!  m mute the others"), "{text}");
    assert!(text.contains("S start   K send away   H hand over   C close"), "a host's keys: {text}");
    let of_bob = room.lines(Viewer::Seat(Seat::ALL[1])).join("\n");
    assert!(!of_bob.contains("K send away"), "nobody else's: {of_bob}");
}

#[test]
fn without_colour_no_cell_has_one_and_with_colour_the_letters_are_the_same() {
    let mut room = Room::of(&["Ada", "Bob"], blueprint(NINE_PEGS, 2));
    room.race(2);
    let bare = room.picture(ADA, &plain(), Duration::ZERO);
    assert!(bare.content.iter().all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset));
    let theme = Theme { colours: Some((Palette::Dark, Depth::True)), ..Theme::plain(false) };
    let ui = with_looks(theme);
    let jewelled = room.picture(ADA, &ui, Duration::ZERO);
    assert!(jewelled.content.iter().any(|cell| cell.fg != Color::Reset));
    assert_eq!(lines(&bare), lines(&jewelled));
}

#[test]
fn a_question_and_a_lost_line_cannot_be_overlooked() {
    let mut room = Room::of(&["Ada", "Bob"], blueprint(NEARLY, 2));
    room.race(2);
    let mut ui = plain();
    ui.confirm = Some(Confirm::Reset);
    let asked = lines(&room.picture(ADA, &ui, Duration::ZERO));
    assert!(asked[22].starts_with("Back to the start board"), "{}", asked[22]);
    let folded =
        Folded::of_view(room.race.seq(), Some(Seat::ALL[0]), room.race.view(room.now, ADA), Instant::now(), true);
    let since = tokio::time::Instant::now();
    let now = since.into_std() + Duration::from_secs(4);
    let link = Link::Reconnecting { since };
    let scene = Scene { room: &folded, shown: None, pending: 0, link, role: Role::Player, now };
    assert!(lines(&picture(|frame| draw(frame, &scene, &plain())))[0].ends_with("RECONNECTING 4 s"));
}

#[test]
fn a_spectator_sees_a_racer_in_large_and_can_choose_another() {
    let mut room = Room::of(&["Ada", "Bob"], blueprint(NEARLY, 2));
    room.race(2);
    let first = room.lines(Viewer::Spectator);
    assert!(first[11].contains("above: Ada") && first[12].contains("2 Bob"), "{}", first.join("\n"));
    let mut ui = plain();
    ui.focus = 1;
    let second = lines(&room.picture(Viewer::Spectator, &ui, Duration::ZERO));
    assert!(second[11].contains("above: Bob") && second[12].contains("1 Ada"), "{}", second.join("\n"));
}

#[test]
fn a_spectator_is_told_how_far_everybody_is_how_late_it_is_and_how_many_watch() {
    let options = RoomOptions { spectator_delay_s: 15, rounds: 3, ..blueprint(NEARLY, 2) };
    let mut room = Room::of(&["Ada", "Bob"], options);
    room.race(2);
    let view = room.race.view(room.now, Viewer::Spectator);
    let at = Instant::now();
    let mut folded = Folded::of_view(room.race.seq(), None, view, at, true);
    let distance = |seat: usize, clock_ms, to_go| ServerMessage::Distance { seat: Seat::ALL[seat], clock_ms, to_go };
    for told in [
        distance(0, 0, ToGo::Exact(8)),
        distance(0, 9_000, ToGo::Exact(4)),
        distance(1, 9_000, ToGo::Lost(Lost::Lost)),
        // Out of order: it is history.
        distance(1, 0, ToGo::Exact(8)),
        ServerMessage::Watching { viewers: 12 },
    ] {
        assert_eq!(folded.fold(&told, at), Outcome::Folded);
    }
    let drawn = |over_time: bool| {
        let ui = Ui { over_time, ..with_looks(Theme::plain(true)) };
        let (link, role, now) = (Link::Online, Role::Spectator, at + Duration::from_secs(18));
        let scene = Scene { room: &folded, shown: None, pending: 0, link, role, now };
        lines(&picture(|frame| draw(frame, &scene, &ui)))
    };
    let boards = drawn(false);
    let title = boards[0].split_once("  watching  ").map(|(what, late)| (what, late.trim()));
    assert_eq!(title, Some(("room ABC123  blueprint  round 1, best of 3", "12 viewers, 15 s late")));
    assert!(boards[10].ends_with("harmony  4 to go"), "the large board: {}", boards.join("\n"));
    assert!(boards[12].starts_with("2 Bob") && boards[13].starts_with("0 mv 0 err, lost"), "{}", boards.join("\n"));
    let over_time = drawn(true);
    assert!(over_time[13].starts_with("1 Ada") && over_time[13].ends_with("4 to go"), "{}", over_time.join("\n"));
    assert!(over_time[13].contains("██▄▄") && over_time[15].contains("██xx"), "{}", over_time.join("\n"));
    let of_racer = room.lines(ADA).join("\n");
    assert!(!of_racer.contains("harmony") && !of_racer.contains("to go"), "{of_racer}");
}

#[test]
fn a_screen_that_is_too_small_says_so() {
    let room = Room::of(&["Ada"], RoomOptions::default());
    let folded = Folded::of_view(1, None, room.race.view(room.now, ADA), Instant::now(), true);
    let now = Instant::now();
    let scene = Scene { room: &folded, shown: None, pending: 0, link: Link::Online, role: Role::Player, now };
    for (width, height) in [(60, 20), (79, 24), (80, 23), (20, 8)] {
        let small = lines(&picture_on(width, height, |frame| draw(frame, &scene, &plain())));
        let words = small.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
        let expected = "is too small: this needs 80x24 Make it larger to go on. Ctrl-C quits.";
        assert_eq!(words, format!("{width}x{height} {expected}"));
    }
    for (width, height) in [(1, 1), (3, 1), (1, 40), (0, 0)] {
        picture_on(width, height, |frame| draw(frame, &scene, &plain()));
    }
}
