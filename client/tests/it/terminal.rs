//! A terminal that is only a buffer, of 80 by 24 unless said.

use crossterm::event::{KeyCode, KeyModifiers, MouseEvent, MouseEventKind};
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::{Frame, Terminal};

/// What is drawn on it.
pub fn picture(draw: impl FnOnce(&mut Frame)) -> Buffer {
    picture_on(80, 24, draw)
}

/// What is drawn on one of another size.
pub fn picture_on(width: u16, height: u16, draw: impl FnOnce(&mut Frame)) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a buffer");
    terminal.draw(draw).expect("drawn");
    terminal.backend().buffer().clone()
}

/// Something that the mouse does.
pub fn mouse(kind: MouseEventKind, column: u16, row: u16) -> MouseEvent {
    MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }
}

/// All that a keyboard has, but for keys held with Control.
pub fn keyboard() -> Vec<KeyCode> {
    let named = [KeyCode::Enter, KeyCode::Esc, KeyCode::Tab, KeyCode::Backspace, KeyCode::Delete, KeyCode::Insert];
    let moving = [KeyCode::Up, KeyCode::Down, KeyCode::Left, KeyCode::Right, KeyCode::Home, KeyCode::End];
    let paging = [KeyCode::PageUp, KeyCode::PageDown, KeyCode::BackTab];
    let mut codes: Vec<KeyCode> = (' '..='~').map(KeyCode::Char).collect();
    codes.extend((1..=12).map(KeyCode::F));
    codes.extend(named.into_iter().chain(moving).chain(paging));
    codes
}

/// A picture's rows without their colours.
pub fn lines(picture: &Buffer) -> Vec<String> {
    let width = usize::from(picture.area.width);
    let symbols: Vec<&str> = picture.content.iter().map(|cell| cell.symbol()).collect();
    symbols.chunks(width).map(|row| row.concat().trim_end().to_owned()).collect()
}
