//! From keys to intents. Reset is far from undo, and what cannot be taken back is asked first.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use sprint_shared::play::Act;
use sprint_shared::protocol::view::PhaseView;
use sprint_shared::protocol::{Emote, Role};
use sprint_shared::solo::Solo;
use sprint_shared::time::Seat;

use super::alone::Wish;
use super::scene::{Confirm, Scene, Ui};

/// What a key means at this moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intent {
    /// Nothing to do but draw.
    Nothing,
    /// An act on the board.
    Act(Act),
    /// Ready, or not any more.
    Ready,
    /// A vote for a rematch.
    Rematch,
    /// Give the round up.
    GiveUp,
    /// Leave the room and end.
    Leave,
    /// Leave the room, and look for another quick match; alone, go on to the next board.
    Again,
    /// Alone: the next transfer of a shortest way, or all of it.
    Ask(Wish),
    /// Stop showing the way.
    Stop,
    /// End at once and keep the seat.
    Quit,
    /// The next racer's board in large.
    NextSeat,
    /// The distances over time instead of the other boards, or the boards again.
    OverTime,
    /// Of the host: start with those who are connected.
    Start,
    /// Of the host: take that seat away.
    Kick(Seat),
    /// Of the host: make that player the host.
    HandOver(Seat),
    /// Of the host: send everybody away.
    Close,
    /// Show the others something.
    Emote(Emote),
    /// Leave the others' emotes out, or show them again.
    Mute,
}

/// What keys are read against.
#[derive(Clone, Copy, Debug)]
pub struct Stage {
    /// What the room is doing.
    pub phase: PhaseView,
    /// The source of the held disk as it is shown.
    pub held: Option<u8>,
    /// Whether the own seat may act.
    pub may_act: bool,
    /// To play or to watch.
    pub role: Role,
    /// Whether the own seat is the host's.
    pub is_host: bool,
    /// Whether the race is rated: such a one is raced once.
    pub is_rated: bool,
    /// What is played alone, if anything is.
    pub solo: Option<Solo>,
    /// Whether there is a board to go on to for who plays alone.
    pub has_next: bool,
}

impl Stage {
    /// As the room stands in a scene.
    pub fn of(scene: &Scene, ui: &Ui) -> Stage {
        let room = scene.room;
        Stage {
            phase: room.phase,
            held: scene.shown.and_then(|play| play.held()).map(|peg| peg.number()),
            may_act: room.may_act(),
            role: scene.role,
            is_host: room.seat.is_some() && room.seat == room.host,
            is_rated: room.options.rated,
            solo: room.options.solo,
            has_next: ui.alone.as_ref().is_some_and(|alone| alone.has_next(room).is_ok()),
        }
    }

    /// Whether keys move disks.
    pub fn acts(&self) -> bool {
        self.may_act && self.role == Role::Player
    }

    /// Whether no round is on any more.
    pub fn is_over(&self) -> bool {
        matches!(self.phase, PhaseView::Over | PhaseView::Break | PhaseView::Closed)
    }

    /// Whether the host may do what only the host may. After a rated race there is nothing left to do.
    pub fn is_host_at_rest(&self) -> bool {
        let is_over = self.phase == PhaseView::Over && !self.is_rated;
        self.is_host && (is_over || matches!(self.phase, PhaseView::Lobby | PhaseView::Break))
    }
}

/// What a key means. A question in `ui` is answered or dropped by it.
pub fn intent(key: KeyEvent, stage: &Stage, ui: &mut Ui) -> Intent {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return if key.code == KeyCode::Char('c') { Intent::Quit } else { Intent::Nothing };
    }
    if ui.help {
        ui.help = false;
        return Intent::Nothing;
    }
    if let Some(confirm) = ui.confirm.take() {
        return match (key.code, confirm) {
            (KeyCode::Char('y' | 'Y'), Confirm::Reset) => Intent::Act(Act::Reset),
            (KeyCode::Char('y' | 'Y'), Confirm::GiveUp) => Intent::GiveUp,
            (KeyCode::Char('y' | 'Y'), Confirm::Leave) => Intent::Leave,
            (KeyCode::Char('y' | 'Y'), Confirm::Close) => Intent::Close,
            (KeyCode::Char('y' | 'Y'), Confirm::Next) => Intent::Again,
            (KeyCode::Char(digit), Confirm::Kick) => seat(digit).map_or(Intent::Nothing, Intent::Kick),
            (KeyCode::Char(digit), Confirm::HandOver) => seat(digit).map_or(Intent::Nothing, Intent::HandOver),
            _ => Intent::Nothing,
        };
    }
    if stage.role == Role::Player && ui.shows_the_way() {
        return Intent::Stop;
    }
    if key.code == KeyCode::Char('?') {
        ui.help = true;
        return Intent::Nothing;
    }
    if let (Some(solo), Role::Player) = (stage.solo, stage.role) {
        return alone(key.code, stage, solo, ui);
    }
    match (key.code, stage.role) {
        (KeyCode::Char('q'), Role::Spectator) => return Intent::Leave,
        (KeyCode::Tab, Role::Spectator) => return Intent::NextSeat,
        (KeyCode::Char('d'), Role::Spectator) => return Intent::OverTime,
        (_, Role::Spectator) => return Intent::Nothing,
        (KeyCode::Char('q'), _) if stage.phase == PhaseView::Closed => return Intent::Leave,
        _ if stage.phase == PhaseView::Closed => return Intent::Nothing,
        (KeyCode::F(number @ 1..=8), _) => return Intent::Emote(Emote::ALL[usize::from(number) - 1]),
        (KeyCode::Char('m'), _) => return Intent::Mute,
        _ => {}
    }
    if stage.is_host_at_rest() {
        match key.code {
            KeyCode::Char('S') if stage.phase != PhaseView::Break => return Intent::Start,
            KeyCode::Char('K') => return ask(ui, Confirm::Kick),
            KeyCode::Char('H') => return ask(ui, Confirm::HandOver),
            KeyCode::Char('C') => return ask(ui, Confirm::Close),
            _ => {}
        }
    }
    let in_round = matches!(
        stage.phase,
        PhaseView::Dealing | PhaseView::Countdown | PhaseView::Racing | PhaseView::Paused | PhaseView::Break
    );
    match key.code {
        KeyCode::Char('q') if in_round => ask(ui, Confirm::Leave),
        KeyCode::Char('q') => Intent::Leave,
        KeyCode::Enter | KeyCode::Char(' ') => match stage.phase {
            PhaseView::Lobby | PhaseView::Break => Intent::Ready,
            PhaseView::Over if !stage.is_rated => Intent::Rematch,
            PhaseView::Over if ui.quick => Intent::Again,
            _ => Intent::Nothing,
        },
        _ if stage.may_act => act(key.code, stage.held, ui),
        _ => Intent::Nothing,
    }
}

/// What a key means to who plays alone.
fn alone(code: KeyCode, stage: &Stage, solo: Solo, ui: &mut Ui) -> Intent {
    let is_over = stage.is_over();
    match code {
        KeyCode::Char('q') if is_over || stage.phase == PhaseView::Lobby => Intent::Leave,
        KeyCode::Char('q') => ask(ui, Confirm::Leave),
        KeyCode::Char('n') | KeyCode::Enter if is_over && stage.has_next => Intent::Again,
        KeyCode::Char('r') if stage.phase == PhaseView::Over && !solo.is_once() => Intent::Rematch,
        KeyCode::Char('n') if matches!(solo, Solo::Shuffle { .. }) && !is_over => ask(ui, Confirm::Next),
        KeyCode::Char('h') if stage.may_act && solo.is_helped() => Intent::Ask(Wish::Hint),
        KeyCode::Char('w') if stage.may_act && solo.is_helped() => Intent::Ask(Wish::Way),
        // Who is helped has nothing to give up.
        KeyCode::Char('g') if solo.is_helped() => Intent::Nothing,
        code if stage.may_act => act(code, stage.held, ui),
        _ => Intent::Nothing,
    }
}

fn act(code: KeyCode, held: Option<u8>, ui: &mut Ui) -> Intent {
    match code {
        KeyCode::Char(digit @ '1'..='9') => {
            let peg = u32::from(digit) - u32::from('0');
            Intent::Act(if held.is_some() { Act::Place { peg } } else { Act::Lift { peg } })
        }
        KeyCode::Esc => held.map_or(Intent::Nothing, |peg| Intent::Act(Act::Place { peg: peg.into() })),
        KeyCode::Char('u') => Intent::Act(Act::Undo),
        KeyCode::Char('R') => ask(ui, Confirm::Reset),
        KeyCode::Char('g') => ask(ui, Confirm::GiveUp),
        _ => Intent::Nothing,
    }
}

/// The seat of a digit that is typed.
fn seat(digit: char) -> Option<Seat> {
    Seat::try_from(u8::try_from(digit.to_digit(10)?).ok()?).ok()
}

fn ask(ui: &mut Ui, confirm: Confirm) -> Intent {
    ui.confirm = Some(confirm);
    Intent::Nothing
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::Theme;

    fn ui() -> Ui {
        Ui::new(Theme::plain(true), String::new())
    }

    fn press(code: KeyCode, stage: &Stage, ui: &mut Ui) -> Intent {
        intent(KeyEvent::new(code, KeyModifiers::NONE), stage, ui)
    }

    const RACING: Stage = Stage {
        phase: PhaseView::Racing,
        held: None,
        may_act: true,
        role: Role::Player,
        is_host: true,
        is_rated: false,
        solo: None,
        has_next: false,
    };

    #[test]
    fn a_digit_lifts_with_an_empty_hand_and_places_with_a_full_one() {
        let holding = Stage { held: Some(2), ..RACING };
        assert_eq!(press(KeyCode::Char('7'), &RACING, &mut ui()), Intent::Act(Act::Lift { peg: 7 }));
        assert_eq!(press(KeyCode::Char('7'), &holding, &mut ui()), Intent::Act(Act::Place { peg: 7 }));
        assert_eq!(press(KeyCode::Esc, &holding, &mut ui()), Intent::Act(Act::Place { peg: 2 }));
        assert_eq!(press(KeyCode::Esc, &RACING, &mut ui()), Intent::Nothing);
        assert_eq!(press(KeyCode::Char('u'), &RACING, &mut ui()), Intent::Act(Act::Undo));
    }

    #[test]
    fn reset_giving_up_and_leaving_a_round_are_asked_first() {
        let cases = [('R', Intent::Act(Act::Reset)), ('g', Intent::GiveUp), ('q', Intent::Leave)];
        for (key, expected) in cases {
            let mut ui = ui();
            assert_eq!(press(KeyCode::Char(key), &RACING, &mut ui), Intent::Nothing);
            assert_eq!(press(KeyCode::Char('y'), &RACING, &mut ui), expected);
            press(KeyCode::Char(key), &RACING, &mut ui);
            assert_eq!(press(KeyCode::Char('n'), &RACING, &mut ui), Intent::Nothing);
            assert_eq!(ui.confirm, None);
        }
        assert_eq!(press(KeyCode::Char('r'), &RACING, &mut ui()), Intent::Nothing);
    }

    #[test]
    fn a_host_names_a_seat_before_anybody_is_sent_away_or_made_host() {
        let lobby = Stage { phase: PhaseView::Lobby, may_act: false, ..RACING };
        let (second, mut ui) = (Seat::ALL[1], ui());
        assert_eq!(press(KeyCode::Char('S'), &lobby, &mut ui), Intent::Start);
        for (key, expected) in [('K', Intent::Kick(second)), ('H', Intent::HandOver(second))] {
            assert_eq!(press(KeyCode::Char(key), &lobby, &mut ui), Intent::Nothing);
            assert_eq!(press(KeyCode::Char('2'), &lobby, &mut ui), expected);
            press(KeyCode::Char(key), &lobby, &mut ui);
            assert_eq!(press(KeyCode::Char('y'), &lobby, &mut ui), Intent::Nothing, "no seat, nothing done");
            assert_eq!(press(KeyCode::Char('2'), &lobby, &mut ui), Intent::Nothing, "and no question left");
        }
        press(KeyCode::Char('C'), &lobby, &mut ui);
        assert_eq!(press(KeyCode::Char('y'), &lobby, &mut ui), Intent::Close);
        let guest = Stage { is_host: false, ..lobby };
        for key in ['S', 'K', 'H', 'C'] {
            assert_eq!(press(KeyCode::Char(key), &guest, &mut ui), Intent::Nothing);
            assert_eq!(press(KeyCode::Char(key), &RACING, &mut ui), Intent::Nothing, "in a round");
            assert_eq!(ui.confirm, None);
        }
    }

    #[test]
    fn enter_asks_for_a_rematch_and_after_a_rated_race_for_another_opponent() {
        let over = Stage { phase: PhaseView::Over, may_act: false, is_host: false, ..RACING };
        let rated = Stage { is_rated: true, ..over };
        let in_queue = || Ui { quick: true, ..ui() };
        assert_eq!(press(KeyCode::Enter, &over, &mut ui()), Intent::Rematch);
        assert_eq!(press(KeyCode::Enter, &over, &mut in_queue()), Intent::Rematch, "against a bot");
        assert_eq!(press(KeyCode::Enter, &rated, &mut in_queue()), Intent::Again);
        assert_eq!(press(KeyCode::Enter, &rated, &mut ui()), Intent::Nothing, "came by the code");
    }

    #[test]
    fn alone_a_key_leads_on_asks_for_the_way_or_begins_the_same_board_again_where_that_is_allowed() {
        use crate::screen::alone::{Alone, Showing, What};
        let shuffle = Solo::Shuffle { seed: sprint_shared::deal::Seed::from(1) };
        let day = "2026-11-30".parse().expect("a day");
        let daily = |practice| Solo::Daily { day, commitment: sprint_shared::deal::Seed::from(1), practice };
        let stage = Solo::Stage { stage: sprint_shared::almanac::StageNumber::FIRST };
        let at = |solo| Stage { solo: Some(solo), ..RACING };
        let over = |solo| Stage { phase: PhaseView::Over, may_act: false, has_next: true, ..at(solo) };
        let last = Stage { has_next: false, ..over(stage) };
        for (key, on, expected) in [
            ('h', at(shuffle), Intent::Ask(Wish::Hint)),
            ('w', at(shuffle), Intent::Ask(Wish::Way)),
            ('w', at(daily(true)), Intent::Ask(Wish::Way)),
            ('w', at(daily(false)), Intent::Nothing),
            ('h', at(stage), Intent::Nothing),
            ('n', at(stage), Intent::Nothing),
            ('n', over(stage), Intent::Again),
            ('r', over(stage), Intent::Rematch),
            ('r', over(daily(true)), Intent::Rematch),
            ('r', over(daily(false)), Intent::Nothing),
            ('n', last, Intent::Nothing),
            ('q', over(stage), Intent::Leave),
            ('2', at(stage), Intent::Act(Act::Lift { peg: 2 })),
            ('u', at(daily(false)), Intent::Act(Act::Undo)),
        ] {
            assert_eq!(press(KeyCode::Char(key), &on, &mut ui()), expected, "{key} {on:?}");
        }
        for (key, on, expected) in [('n', at(shuffle), Intent::Again), ('q', at(daily(false)), Intent::Leave)] {
            let mut ui = ui();
            assert_eq!(press(KeyCode::Char(key), &on, &mut ui), Intent::Nothing, "it is asked first");
            assert_eq!(press(KeyCode::Char('y'), &on, &mut ui), expected);
        }
        for key in ['S', 'K', 'H', 'C', 'm'] {
            let mut ui = ui();
            assert_eq!(press(KeyCode::Char(key), &over(stage), &mut ui), Intent::Nothing, "there is no host");
            assert_eq!(ui.confirm, None);
        }
        let showing = Showing { ply: 0, left: Default::default(), next_at: std::time::Instant::now() };
        let shown = Alone { showing: Some(showing), ..Alone::new(What::Shuffle { adaptive: true }, true) };
        let mut ui = Ui { alone: Some(shown), ..ui() };
        assert_eq!(press(KeyCode::Char('1'), &at(shuffle), &mut ui), Intent::Stop, "any key stops");
    }

    #[test]
    fn the_function_keys_show_emotes_at_any_time_but_not_to_spectators() {
        let watching = Stage { role: Role::Spectator, may_act: false, ..RACING };
        assert_eq!(press(KeyCode::F(1), &RACING, &mut ui()), Intent::Emote(Emote::Hello));
        assert_eq!(press(KeyCode::F(8), &RACING, &mut ui()), Intent::Emote(Emote::Thanks));
        assert_eq!(press(KeyCode::F(9), &RACING, &mut ui()), Intent::Nothing);
        assert_eq!(press(KeyCode::Char('m'), &RACING, &mut ui()), Intent::Mute);
        assert_eq!(press(KeyCode::F(1), &watching, &mut ui()), Intent::Nothing);
    }

    /// All that a keyboard has, but for keys held with Control.
    fn keyboard() -> Vec<KeyCode> {
        let named = [KeyCode::Enter, KeyCode::Esc, KeyCode::Tab, KeyCode::Backspace, KeyCode::Delete, KeyCode::Insert];
        let moving = [KeyCode::Up, KeyCode::Down, KeyCode::Left, KeyCode::Right, KeyCode::Home, KeyCode::End];
        let paging = [KeyCode::PageUp, KeyCode::PageDown, KeyCode::BackTab];
        let mut codes: Vec<KeyCode> = (' '..='~').map(KeyCode::Char).collect();
        codes.extend((1..=12).map(KeyCode::F));
        codes.extend(named.into_iter().chain(moving).chain(paging));
        codes
    }

    /// Every state of a room that keys can be pressed in.
    fn stages() -> Vec<Stage> {
        let seed = sprint_shared::deal::Seed::from(1);
        let daily = |practice| Solo::Daily { day: "2026-11-30".parse().expect("a day"), commitment: seed, practice };
        let solos = [
            None,
            Some(Solo::Stage { stage: sprint_shared::almanac::StageNumber::FIRST }),
            Some(Solo::Lesson { lesson: sprint_shared::lesson::LessonNumber::new(1).expect("a lesson") }),
            Some(Solo::Shuffle { seed }),
            Some(daily(false)),
            Some(daily(true)),
        ];
        let phases = [
            PhaseView::Lobby,
            PhaseView::Dealing,
            PhaseView::Countdown,
            PhaseView::Racing,
            PhaseView::Paused,
            PhaseView::Break,
            PhaseView::Over,
            PhaseView::Closed,
        ];
        let mut stages = Vec::new();
        for (solo, phase) in solos.into_iter().flat_map(|solo| phases.map(|phase| (solo, phase))) {
            for bits in 0..16 {
                let [is_host, is_rated, has_next, may_act] = [1, 2, 4, 8].map(|bit| bits & bit != 0);
                let may_act = may_act && phase == PhaseView::Racing;
                let has_next = has_next && solo.is_some_and(|solo| !matches!(solo, Solo::Daily { .. }));
                let player =
                    Stage { phase, held: None, may_act, role: Role::Player, is_host, is_rated, solo, has_next };
                stages.extend([player, Stage { role: Role::Spectator, may_act: false, ..player }]);
            }
        }
        stages
    }

    #[test]
    fn help_lists_exactly_the_keys_that_do_something_in_every_state_of_a_room() {
        use crate::screen::help::{fits_in_line, is_listed};
        use crate::screen::hints::hints;
        for (stage, quick) in stages().into_iter().flat_map(|stage| [(stage, false), (stage, true)]) {
            let fresh = || Ui { quick, ..ui() };
            let listed = hints(&stage, &fresh());
            assert!(fits_in_line(&listed), "{stage:?}");
            for code in keyboard() {
                // A key that needs a disk in the hand does something with one.
                let does = [None, Some(2)].into_iter().any(|held| {
                    let mut ui = fresh();
                    let intent = press(code, &Stage { held, ..stage }, &mut ui);
                    intent != Intent::Nothing || ui.confirm.is_some() || ui.help
                });
                assert_eq!(is_listed(&listed, code), does, "{code:?} {stage:?} quick {quick}");
            }
        }
    }

    #[test]
    fn a_question_lists_its_answers_and_the_overlay_is_put_away_by_any_key_unheard() {
        use crate::screen::help::is_listed;
        use crate::screen::hints::hints;
        let questions = [
            Confirm::Reset,
            Confirm::GiveUp,
            Confirm::Leave,
            Confirm::Kick,
            Confirm::HandOver,
            Confirm::Close,
            Confirm::Next,
        ];
        for (confirm, code) in questions.into_iter().flat_map(|asked| keyboard().into_iter().map(move |c| (asked, c))) {
            let asked = || Ui { confirm: Some(confirm), ..ui() };
            let (mut ui, listed) = (asked(), hints(&RACING, &asked()));
            let answers = press(code, &RACING, &mut ui) != Intent::Nothing;
            let refuses = code == KeyCode::Char('n');
            assert_eq!((is_listed(&listed, code), ui.confirm), (answers || refuses, None), "{confirm:?} {code:?}");
        }
        for code in keyboard() {
            let mut ui = Ui { help: true, ..ui() };
            assert_eq!(
                (press(code, &RACING, &mut ui), ui.help, ui.confirm),
                (Intent::Nothing, false, None),
                "{code:?}"
            );
        }
        let quits = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        assert_eq!(intent(quits, &RACING, &mut Ui { help: true, ..ui() }), Intent::Quit);
    }

    #[test]
    fn a_spectator_and_a_racer_who_is_done_cannot_act() {
        let done = Stage { may_act: false, ..RACING };
        let watching = Stage { role: Role::Spectator, may_act: false, ..RACING };
        for key in [KeyCode::Char('1'), KeyCode::Char('u'), KeyCode::Char('R'), KeyCode::Char('g'), KeyCode::Esc] {
            assert_eq!(press(key, &done, &mut ui()), Intent::Nothing);
            assert_eq!(press(key, &watching, &mut ui()), Intent::Nothing);
        }
        assert_eq!(press(KeyCode::Tab, &watching, &mut ui()), Intent::NextSeat);
        assert_eq!(press(KeyCode::Char('d'), &watching, &mut ui()), Intent::OverTime);
        assert_eq!(press(KeyCode::Char('d'), &RACING, &mut ui()), Intent::Nothing, "a racer may know no distance");
    }
}
