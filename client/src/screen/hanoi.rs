//! The screen of `sprint hanoi`: the classic tower played out by a method, at any speed and from any move, or by hand.
//!
//! No move is stored: what is shown is reckoned from the number of moves made.

use std::process::ExitCode;
use std::time::Instant;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::DefaultTerminal;
use ratatui::layout::Rect;
use sprint_shared::classic::{Method, Peg, Position, Tower};

use super::help::{Hint, clicked, pressed as pressed_at};
use super::keyboard::{self, Input};
use super::{Looks, TICK, Theme, ended, failed, on_screen, undrawable};
use crate::hanoi::number;
use crate::session::Ended;

mod hand;
mod hints;
mod picture;
mod playback;

pub use picture::draw as draw_hanoi;

use hand::Hand;
use playback::Playback;

/// What a picture of the classic tower is made of.
pub struct Tale {
    /// The tower.
    pub tower: Tower,
    /// The method that is told of.
    pub method: Method,
    /// How many moves are made, and how fast it goes on.
    pub playback: Playback,
    /// A person's own try, while there is one.
    pub hand: Option<Hand>,
    /// The number that is being typed, while one is.
    pub typed: Option<String>,
    /// Whether each disk's share is shown instead of the pegs.
    pub shares: bool,
    /// The last thing said.
    pub notice: Option<String>,
    /// Looks.
    pub theme: Theme,
    /// The overlay that lists the keys is shown.
    pub help: bool,
    /// The peg that a mouse button lifted from and was not let go since.
    dragged: Option<Peg>,
}

impl Tale {
    /// A tower before its first move.
    pub fn new(tower: Tower, method: Method, theme: Theme) -> Tale {
        let playback = Playback::new(tower.moves());
        let (hand, typed, notice, dragged) = (None, None, None, None);
        Tale { tower, method, playback, hand, typed, shares: false, notice, theme, help: false, dragged }
    }

    /// The keys at this moment.
    pub fn hints(&self) -> &'static [Hint] {
        match (&self.typed, &self.hand) {
            (Some(_), _) => hints::TYPED,
            (None, Some(_)) => hints::BY_HAND,
            (None, None) => hints::WATCHED,
        }
    }

    /// The position to be shown.
    pub fn position(&self) -> Position {
        let played = || self.tower.after(self.playback.made().into()).expect("the clock keeps to the tower's moves");
        self.hand.as_ref().map_or_else(played, Hand::position)
    }

    /// Does what a key asks for; true if the program ends.
    pub fn press(&mut self, key: KeyEvent, now: Instant) -> bool {
        if key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL) {
            return true;
        }
        self.notice = None;
        if std::mem::take(&mut self.help) {
            return false;
        }
        if key.code == KeyCode::Char('?') {
            self.help = true;
            return false;
        }
        if self.typed.is_some() {
            self.type_on(key.code);
            return false;
        }
        match key.code {
            KeyCode::Char('q') => return true,
            KeyCode::Char('t') => self.shares = !self.shares,
            KeyCode::Char('h') => self.take_over(),
            code => match &mut self.hand {
                Some(hand) => self.notice = hand.press(code),
                None => self.run(code, now),
            },
        }
        false
    }

    /// Does what the mouse asks for on a screen of that size; true if the program ends.
    pub fn touch(&mut self, mouse: MouseEvent, area: Rect, now: Instant) -> bool {
        let key = |code| KeyEvent::new(code, KeyModifiers::NONE);
        let is_down = pressed_at(mouse).is_some();
        if self.help {
            return is_down && self.press(key(KeyCode::Null), now);
        }
        if let Some(key) = clicked(mouse, area, self.hints()) {
            return self.press(key, now);
        }
        let at = (mouse.column, mouse.row);
        match (&self.hand, mouse.kind) {
            (None, _) => {
                let made = pressed_at(mouse).and_then(|at| picture::move_at(area, self, at));
                made.into_iter().for_each(|made| self.playback.seek(made));
            }
            (Some(_), _) if self.shares => {}
            (Some(hand), MouseEventKind::Down(MouseButton::Left)) => {
                let peg = picture::peg_at(area, at);
                self.dragged = peg.filter(|_| hand.held().is_none());
                self.touch_peg(peg, now);
            }
            (Some(hand), MouseEventKind::Up(MouseButton::Left)) => {
                let held = hand.held();
                let from = self.dragged.take().filter(|&from| held == Some(from));
                self.touch_peg(picture::peg_at(area, at).filter(|&peg| from.is_some_and(|from| from != peg)), now);
            }
            _ => {}
        }
        false
    }

    fn touch_peg(&mut self, peg: Option<Peg>, now: Instant) {
        if let Some(digit) = peg.and_then(|peg| peg.to_string().chars().next()) {
            self.press(KeyEvent::new(KeyCode::Char(digit), KeyModifiers::NONE), now);
        }
    }

    /// What keys do to the playback.
    fn run(&mut self, code: KeyCode, now: Instant) {
        let playback = &mut self.playback;
        let (made, moves) = (playback.made(), playback.length());
        let share = |parts: u64| (moves / parts).max(1);
        match code {
            KeyCode::Char(' ') => playback.toggle(now),
            KeyCode::Right => playback.seek(made.saturating_add(1)),
            KeyCode::Left => playback.seek(made.saturating_sub(1)),
            KeyCode::Char('.') => playback.seek(made.saturating_add(share(100))),
            KeyCode::Char(',') => playback.seek(made.saturating_sub(share(100))),
            KeyCode::PageDown => playback.seek(made.saturating_add(share(10))),
            KeyCode::PageUp => playback.seek(made.saturating_sub(share(10))),
            KeyCode::Home => playback.seek(0),
            KeyCode::End => playback.seek(u64::MAX),
            KeyCode::Char('+' | '=') => playback.shift(true),
            KeyCode::Char('-') => playback.shift(false),
            KeyCode::Char('m') => self.method = after(self.method),
            KeyCode::Char('g') => {
                playback.seek(made);
                self.typed = Some(String::new());
            }
            _ => {}
        }
    }

    /// From playing to a try by hand at the position shown, and back to where the playback stood.
    fn take_over(&mut self) {
        self.hand = match self.hand {
            None => Some(Hand::new(self.tower, self.position())),
            Some(_) => None,
        };
        self.playback.seek(self.playback.made());
    }

    fn type_on(&mut self, code: KeyCode) {
        let Some(typed) = &mut self.typed else { return };
        match code {
            // 2^64 - 1 has 20 digits.
            KeyCode::Char(digit) if digit.is_ascii_digit() && typed.len() < 20 => typed.push(digit),
            KeyCode::Backspace => drop(typed.pop()),
            KeyCode::Enter => {
                let told = number(typed).and_then(|made| match self.tower.after(made) {
                    Ok(_) => Ok(made as u64),
                    Err(error) => Err(error.to_string()),
                });
                match told {
                    Ok(made) => self.playback.seek(made),
                    Err(why) => self.notice = Some(why),
                }
                self.typed = None;
            }
            KeyCode::Esc => self.typed = None,
            _ => {}
        }
    }
}

/// The next of the four.
fn after(method: Method) -> Method {
    let at = Method::ALL.iter().position(|&other| other == method).unwrap_or(0);
    Method::ALL[(at + 1) % Method::ALL.len()]
}

/// The peg of a number key.
fn pressed(code: KeyCode) -> Option<Peg> {
    let KeyCode::Char(digit) = code else { return None };
    Peg::new(digit.to_digit(10)?).ok()
}

/// Runs the screen until the person leaves it.
pub async fn hanoi(tower: Tower, method: Method, looks: &Looks) -> ExitCode {
    let mut tale = Tale::new(tower, method, looks.theme());
    let shown = on_screen(!looks.no_mouse, async |terminal| show(&mut tale, terminal).await).await;
    shown.map_or_else(|ended| failed(&ended.why), |()| ExitCode::SUCCESS)
}

async fn show(tale: &mut Tale, terminal: &mut DefaultTerminal) -> Result<(), Ended> {
    let mut keys = keyboard::open().await;
    let mut tick = tokio::time::interval(TICK);
    loop {
        tale.playback.advance(Instant::now());
        terminal.draw(|frame| draw_hanoi(frame, tale)).map_err(|error| ended(undrawable(&error)))?;
        tokio::select! {
            input = keys.on_screen() => {
                let now = Instant::now();
                tale.playback.advance(now);
                let is_over = match input {
                    Some(Ok(Input::Key(key))) => tale.press(key, now),
                    Some(Ok(Input::Mouse(mouse))) => tale.touch(mouse, terminal.get_frame().area(), now),
                    Some(Ok(Input::Other)) => false,
                    Some(Err(why)) => return Err(ended(why)),
                    None => true,
                };
                if is_over {
                    return Ok(());
                }
            }
            _ = tick.tick() => {}
        }
    }
}
