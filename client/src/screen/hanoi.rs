//! The screen of `sprint hanoi`: the classic tower played out by a method, at any speed and from any move, or by hand.
//!
//! No move is stored: what is shown is reckoned from the number of moves made.

use std::process::ExitCode;
use std::time::Instant;

use crossterm::event::{Event, EventStream, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use futures_util::StreamExt;
use ratatui::DefaultTerminal;
use sprint_shared::classic::{Method, Peg, Position, Tower};

use super::{TICK, Theme, failed, undrawable, unreadable};
use crate::hanoi::number;

mod hand;
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
}

impl Tale {
    /// A tower before its first move.
    pub fn new(tower: Tower, method: Method, theme: Theme) -> Tale {
        let playback = Playback::new(tower.moves());
        Tale { tower, method, playback, hand: None, typed: None, shares: false, notice: None, theme }
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
pub async fn hanoi(tower: Tower, method: Method, no_color: bool) -> ExitCode {
    let mut tale = Tale::new(tower, method, Theme::of(no_color));
    let shown = match ratatui::try_init() {
        Ok(mut terminal) => {
            let shown = show(&mut tale, &mut terminal).await;
            ratatui::restore();
            shown
        }
        Err(error) => Err(undrawable(&error)),
    };
    shown.map_or_else(|reason| failed(&reason), |()| ExitCode::SUCCESS)
}

async fn show(tale: &mut Tale, terminal: &mut DefaultTerminal) -> Result<(), String> {
    let mut keys = EventStream::new();
    let mut tick = tokio::time::interval(TICK);
    loop {
        tale.playback.advance(Instant::now());
        terminal.draw(|frame| draw_hanoi(frame, tale)).map_err(|error| undrawable(&error))?;
        tokio::select! {
            key = keys.next() => match key {
                Some(Ok(Event::Key(key))) if key.kind != KeyEventKind::Release => {
                    tale.playback.advance(Instant::now());
                    if tale.press(key, Instant::now()) {
                        return Ok(());
                    }
                }
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(unreadable(&error)),
                None => return Ok(()),
            },
            _ = tick.tick() => {}
        }
    }
}
