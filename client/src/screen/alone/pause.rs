//! A board that could not be begun: why, and whether to try again. Nobody is thrown out of the program for a server that is
//! away for a moment.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::{DefaultTerminal, Frame};

use super::picture::flow;
use crate::screen::draw::{is_too_small, put};
use crate::screen::help::{self, HELP, Hint, clicked, pressed};
use crate::screen::keyboard::{self, Input};
use crate::screen::{Theme, ended, undrawable};
use crate::session::Ended;

/// The keys are waited for; a terminal that changes its size is drawn anew that often.
const TICK: Duration = Duration::from_millis(250);

/// The keys of the pause.
const HINTS: [Hint; 4] = [
    Hint { codes: &[KeyCode::Enter], label: "Enter", short: "try again", long: "ask for the board again" },
    Hint { codes: &[KeyCode::Char('q'), KeyCode::Esc], label: "q", short: "leave", long: "leave; so does Esc" },
    Hint { codes: &[], label: "Ctrl-C", short: "", long: "leave" },
    HELP,
];

/// A board that is waited for.
pub struct Pause {
    why: String,
    theme: Theme,
    /// The overlay that lists the keys is shown.
    help: bool,
}

impl Pause {
    /// Because of this.
    pub fn new(why: String, theme: Theme) -> Pause {
        Pause { why, theme, help: false }
    }

    /// Does what a key asks for; whether to try again, once that is said.
    pub fn press(&mut self, key: KeyEvent) -> Option<bool> {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return (key.code == KeyCode::Char('c')).then_some(false);
        }
        if std::mem::take(&mut self.help) {
            return None;
        }
        match key.code {
            KeyCode::Enter => return Some(true),
            KeyCode::Char('q') | KeyCode::Esc => return Some(false),
            KeyCode::Char('?') => self.help = true,
            _ => {}
        }
        None
    }
}

/// Says why the next board is not there; whether the person wants to ask for it again.
pub(crate) async fn try_again(terminal: &mut DefaultTerminal, theme: Theme, why: &Ended) -> Result<bool, Ended> {
    let mut keys = keyboard::open().await;
    let mut tick = tokio::time::interval(TICK);
    let mut pause = Pause::new(why.to_string(), theme);
    loop {
        terminal.draw(|frame| draw(frame, &pause)).map_err(|error| ended(undrawable(&error)))?;
        tokio::select! {
            input = keys.on_screen() => {
                let key = match input {
                    Some(Ok(Input::Key(key))) => Some(key),
                    Some(Ok(Input::Mouse(mouse))) if pause.help => {
                        pressed(mouse).map(|_| KeyEvent::new(KeyCode::Null, KeyModifiers::NONE))
                    }
                    Some(Ok(Input::Mouse(mouse))) => clicked(mouse, terminal.get_frame().area(), &HINTS),
                    Some(Ok(Input::Other)) => None,
                    Some(Err(why)) => return Err(ended(why)),
                    None => return Ok(false),
                };
                if let Some(again) = key.and_then(|key| pause.press(key)) {
                    return Ok(again);
                }
            }
            _ = tick.tick() => {}
        }
    }
}

/// Draws the reason, and the keys below it.
pub fn draw(frame: &mut Frame, pause: &Pause) {
    let area = frame.area();
    let (buf, theme) = (frame.buffer_mut(), pause.theme);
    if is_too_small(buf, area, theme) {
        return;
    }
    put(buf, area, 0, 0, "The next board is not there yet.", theme.brass());
    flow(buf, Rect { y: area.y + 2, height: area.height - 3, ..area }, &pause.why, Style::new());
    help::draw_line(buf, area, &HINTS, theme);
    if pause.help {
        help::draw(buf, area, &HINTS, &[], theme);
    }
    theme.finish(buf);
}

#[cfg(test)]
mod tests {
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    use super::*;

    const WHY: &str = "too many of these from your address: try again in a minute (rate_limited)";

    #[test]
    fn the_reason_is_told_whole_and_so_are_the_keys() {
        let mut terminal = Terminal::new(TestBackend::new(80, 24)).expect("it is in memory");
        let pause = Pause::new(WHY.to_owned(), Theme::plain(true));
        terminal.draw(|frame| draw(frame, &pause)).expect("it is in memory");
        let text: String = terminal.backend().buffer().content().iter().map(|cell| cell.symbol()).collect();
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(WHY) && words.ends_with("Enter try again q leave ? help"), "{words}");
    }

    #[test]
    fn help_lists_exactly_the_keys_that_do_something() {
        let codes = (' '..='~').map(KeyCode::Char).chain([KeyCode::Enter, KeyCode::Esc, KeyCode::Tab, KeyCode::Up]);
        for code in codes {
            let mut pause = Pause::new(WHY.to_owned(), Theme::plain(true));
            let does = pause.press(KeyEvent::new(code, KeyModifiers::NONE)).is_some() || pause.help;
            assert_eq!(help::is_listed(&HINTS, code), does, "{code:?}");
        }
    }
}
