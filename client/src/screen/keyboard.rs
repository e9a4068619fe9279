//! The keyboard and the mouse, which all screens of a program read in turn.

use std::sync::OnceLock;

use crossterm::event::{Event, EventStream, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseEvent};
use futures_util::StreamExt;
use ratatui::layout::Rect;
use tokio::sync::{Mutex, MutexGuard};

use super::help::fits;
use super::unreadable;

/// What a person does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// Presses a key.
    Key(KeyEvent),
    /// Presses, moves or turns something of the mouse.
    Mouse(MouseEvent),
    /// Anything that needs no more than another picture.
    Other,
}

/// Whoever reads keys now.
pub(super) struct Keyboard(MutexGuard<'static, EventStream>);

/// The program's keys, from whoever read them before. There is one stream of them: while one still waits for a key, the
/// next would wait for it, or miss what it was woken by.
pub(super) async fn open() -> Keyboard {
    static KEYS: OnceLock<Mutex<EventStream>> = OnceLock::new();
    Keyboard(KEYS.get_or_init(|| Mutex::new(EventStream::new())).lock().await)
}

impl Keyboard {
    /// What comes next on a picture. Where the terminal is too small to show it nobody presses keys blindly but Ctrl-C.
    pub async fn on_screen(&mut self) -> Option<Result<Input, String>> {
        let input = self.next().await?;
        let fits = || crossterm::terminal::size().is_ok_and(|(width, height)| fits(Rect::new(0, 0, width, height)));
        let ends = |key: KeyEvent| key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL);
        Some(match input {
            Ok(Input::Key(key)) if !ends(key) && !fits() => Ok(Input::Other),
            Ok(Input::Mouse(_)) if !fits() => Ok(Input::Other),
            input => input,
        })
    }

    /// What comes next; `None` once nothing can come any more. The error says that the keyboard cannot be read.
    pub async fn next(&mut self) -> Option<Result<Input, String>> {
        Some(match self.0.next().await? {
            Ok(Event::Key(key)) if key.kind != KeyEventKind::Release => Ok(Input::Key(key)),
            Ok(Event::Mouse(mouse)) => Ok(Input::Mouse(mouse)),
            Ok(_) => Ok(Input::Other),
            Err(error) => Err(unreadable(&error)),
        })
    }
}
