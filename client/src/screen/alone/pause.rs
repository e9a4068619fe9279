//! A board that could not be begun: why, and whether to try again. Nobody is thrown out of the program for a server that is
//! away for a moment.

use std::time::Duration;

use crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers};
use futures_util::StreamExt;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::{DefaultTerminal, Frame};

use super::picture::flow;
use crate::screen::draw::{line, put};
use crate::screen::{Theme, ended, keyboard, undrawable, unreadable};
use crate::session::Ended;

/// The keys are waited for; a terminal that changes its size is drawn anew that often.
const TICK: Duration = Duration::from_millis(250);

/// Says why the next board is not there; whether the person wants to ask for it again.
pub(crate) async fn try_again(terminal: &mut DefaultTerminal, theme: Theme, why: &Ended) -> Result<bool, Ended> {
    let mut keys = keyboard::open().await;
    let mut tick = tokio::time::interval(TICK);
    let why = why.to_string();
    loop {
        terminal.draw(|frame| draw(frame, theme, &why)).map_err(|error| ended(undrawable(&error)))?;
        tokio::select! {
            key = keys.next() => match key {
                Some(Ok(Event::Key(key))) if key.kind != KeyEventKind::Release => match key.code {
                    KeyCode::Enter => return Ok(true),
                    KeyCode::Char('q') | KeyCode::Esc => return Ok(false),
                    KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => return Ok(false),
                    _ => {}
                },
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(ended(unreadable(&error))),
                None => return Ok(false),
            },
            _ = tick.tick() => {}
        }
    }
}

/// Draws the reason, and the two keys below it.
pub fn draw(frame: &mut Frame, theme: Theme, why: &str) {
    let area = frame.area();
    let buf = frame.buffer_mut();
    if area.height < 4 {
        return;
    }
    put(buf, area, 0, 0, "The next board is not there yet.", theme.brass());
    flow(buf, Rect { y: area.y + 2, height: area.height - 3, ..area }, why, Style::new());
    put(buf, line(area, area.height - 1), 0, 0, "Enter try again   q leave", theme.faint());
}

#[cfg(test)]
mod tests {
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    use super::*;

    #[test]
    fn the_reason_is_told_whole_and_so_are_the_keys() {
        let mut terminal = Terminal::new(TestBackend::new(60, 12)).expect("it is in memory");
        let why = "too many of these from your address: try again in a minute (rate_limited)";
        terminal.draw(|frame| draw(frame, Theme::of(true), why)).expect("it is in memory");
        let text: String = terminal.backend().buffer().content().iter().map(|cell| cell.symbol()).collect();
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(why) && words.ends_with("Enter try again q leave"), "{words}");
    }
}
