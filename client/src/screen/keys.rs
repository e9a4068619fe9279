//! From keys to intents. Reset is far from undo, and what cannot be taken back is asked first.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use sprint_shared::play::Act;
use sprint_shared::protocol::view::PhaseView;
use sprint_shared::protocol::{Emote, Role};
use sprint_shared::solo::Solo;
use sprint_shared::time::Seat;

use super::alone::Wish;
use super::scene::{Confirm, Ui};

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
}

/// What a key means. A question in `ui` is answered or dropped by it.
pub fn intent(key: KeyEvent, stage: &Stage, ui: &mut Ui) -> Intent {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return if key.code == KeyCode::Char('c') { Intent::Quit } else { Intent::Nothing };
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
    if let (Some(solo), Role::Player) = (stage.solo, stage.role) {
        return alone(key.code, stage, solo, ui);
    }
    match (key.code, stage.role) {
        (KeyCode::Char('q'), Role::Spectator) => return Intent::Leave,
        (KeyCode::Tab, _) => return Intent::NextSeat,
        (KeyCode::Char('d'), Role::Spectator) => return Intent::OverTime,
        (_, Role::Spectator) => return Intent::Nothing,
        (KeyCode::F(number @ 1..=8), _) => return Intent::Emote(Emote::ALL[usize::from(number) - 1]),
        (KeyCode::Char('m'), _) => return Intent::Mute,
        _ => {}
    }
    let outside_a_round = matches!(stage.phase, PhaseView::Lobby | PhaseView::Break | PhaseView::Over);
    if stage.is_host && outside_a_round {
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
    if ui.alone.as_ref().is_some_and(|alone| alone.showing.is_some()) {
        return Intent::Stop;
    }
    let is_over = matches!(stage.phase, PhaseView::Over | PhaseView::Break | PhaseView::Closed);
    let leads_on = !matches!(solo, Solo::Daily { .. });
    match code {
        KeyCode::Char('q') if is_over || stage.phase == PhaseView::Lobby => Intent::Leave,
        KeyCode::Char('q') => ask(ui, Confirm::Leave),
        KeyCode::Char('n') | KeyCode::Enter if is_over && leads_on => Intent::Again,
        KeyCode::Char('r') if stage.phase == PhaseView::Over && !solo.is_once() => Intent::Rematch,
        KeyCode::Char('n') if matches!(solo, Solo::Shuffle { .. }) => ask(ui, Confirm::Next),
        KeyCode::Char('h') if stage.may_act && solo.is_helped() => Intent::Ask(Wish::Hint),
        KeyCode::Char('w') if stage.may_act && solo.is_helped() => Intent::Ask(Wish::Way),
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
        Ui::new(Theme { colours: false }, String::new())
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
        let over = |solo| Stage { phase: PhaseView::Over, may_act: false, ..at(solo) };
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
            ('n', over(daily(false)), Intent::Nothing),
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
