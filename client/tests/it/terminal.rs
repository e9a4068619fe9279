//! A terminal that is only a buffer, of 80 by 24 unless said.

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

/// A picture's rows without their colours.
pub fn lines(picture: &Buffer) -> Vec<String> {
    let width = usize::from(picture.area.width);
    let symbols: Vec<&str> = picture.content.iter().map(|cell| cell.symbol()).collect();
    symbols.chunks(width).map(|row| row.concat().trim_end().to_owned()).collect()
}
