//! The keys of a screen, as data: the line at the bottom, which can be clicked, and the overlay that says more.
//!
//! Must never know what a key does: each screen says so, and its tests hold it to that.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use super::Theme;
use super::draw::{SMALLEST, line, put};

/// A key of a screen, or several that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The keys.
    pub codes: &'static [KeyCode],
    /// How they are called.
    pub label: &'static str,
    /// What they do, in the line at the bottom; empty where it stands in the overlay alone.
    pub short: &'static str,
    /// What they do.
    pub long: &'static str,
}

/// Shows the overlay, and puts it away.
pub const HELP: Hint = Hint { codes: &[KeyCode::Char('?')], label: "?", short: "help", long: "these keys" };

impl Hint {
    /// The key that a click on it presses: of several that do different things there is none.
    pub fn press(&self) -> Option<KeyCode> {
        (!self.label.contains(['-', ' ', ',']) && self.label != "arrows").then(|| self.codes.first().copied()).flatten()
    }

    fn text(&self) -> String {
        format!("{} {}", self.label, self.short)
    }
}

/// Whether one of them is this key.
pub fn is_listed(hints: &[Hint], code: KeyCode) -> bool {
    hints.iter().any(|hint| hint.codes.contains(&code))
}

fn in_line(hints: &[Hint]) -> impl Iterator<Item = &Hint> {
    hints.iter().filter(|hint| !hint.short.is_empty())
}

/// Whether all that belongs in the line at the bottom fits on the smallest screen.
pub fn fits_in_line(hints: &[Hint]) -> bool {
    places(hints, SMALLEST.0).len() == in_line(hints).count()
}

/// Where the entries of the line at the bottom begin: as many as fit, and always the last one.
fn places(hints: &[Hint], width: u16) -> Vec<(u16, &Hint)> {
    let mut shown: Vec<&Hint> = in_line(hints).collect();
    let length = |shown: &[&Hint], gap: usize| {
        shown.iter().map(|hint| hint.text().len()).sum::<usize>() + gap * shown.len().saturating_sub(1)
    };
    while shown.len() > 1 && length(&shown, 2) > width.into() {
        shown.remove(shown.len() - 2);
    }
    let gap = if length(&shown, 3) > width.into() { 2 } else { 3 };
    let mut x = 0;
    let place = |hint| {
        let at = x;
        x += (Hint::text(hint).len() + gap) as u16;
        (at, hint)
    };
    shown.into_iter().map(place).collect()
}

/// Draws the line at the bottom of `area`.
pub fn draw_line(buf: &mut Buffer, area: Rect, hints: &[Hint], theme: Theme) {
    let bottom = line(area, area.height - 1);
    for (x, hint) in places(hints, area.width) {
        put(buf, bottom, x, 0, &hint.text(), theme.faint());
        put(buf, bottom, x, 0, hint.label, theme.strong());
    }
}

/// The key that a click on the line at the bottom presses.
pub fn clicked(mouse: MouseEvent, area: Rect, hints: &[Hint]) -> Option<KeyEvent> {
    let (x, y) = pressed(mouse)?;
    if y + 1 != area.height || !fits(area) {
        return None;
    }
    let (_, hint) = places(hints, area.width)
        .into_iter()
        .find(|(from, hint)| (*from..from + hint.text().len() as u16).contains(&x))?;
    Some(KeyEvent::new(hint.press()?, KeyModifiers::NONE))
}

/// Where the first button went down.
pub fn pressed(mouse: MouseEvent) -> Option<(u16, u16)> {
    (mouse.kind == MouseEventKind::Down(MouseButton::Left)).then_some((mouse.column, mouse.row))
}

/// Whether a place is in an area.
pub fn is_in(area: Rect, (x, y): (u16, u16)) -> bool {
    area.contains(Position { x, y })
}

/// Whether a screen is large enough for a picture.
pub fn fits(area: Rect) -> bool {
    area.width >= SMALLEST.0 && area.height >= SMALLEST.1
}

/// Draws the overlay in the middle of `area`: one line a key, then what the mouse does.
pub fn draw(buf: &mut Buffer, area: Rect, hints: &[Hint], mouse: &[&str], theme: Theme) {
    let widest = hints.iter().map(|hint| hint.label.len()).max().unwrap_or(0);
    let mut rows: Vec<(String, Style)> =
        hints.iter().map(|hint| (format!("{:>widest$}  {}", hint.label, hint.long), Style::new())).collect();
    if !mouse.is_empty() {
        rows.push((String::new(), Style::new()));
        let told = mouse.iter().chain(&["--no-mouse leaves it to the terminal, to select text"]);
        rows.extend(told.map(|told| (format!("Mouse: {told}"), theme.faint())));
    }
    let width = rows.iter().map(|(row, _)| row.len()).max().unwrap_or(0) as u16 + 4;
    let height = rows.len() as u16 + 2;
    let place = Rect {
        x: area.x + area.width.saturating_sub(width) / 2,
        y: area.y + area.height.saturating_sub(height) / 2,
        width: width.min(area.width),
        height: height.min(area.height),
    };
    let corner = if theme.unicode { ["╭", "╮", "╰", "╯"] } else { ["+"; 4] };
    let rule = theme.rule(place.width.saturating_sub(2));
    for y in 0..place.height {
        let text = match y {
            0 => format!("{}{rule}{}", corner[0], corner[1]),
            y if y + 1 == place.height => format!("{}{rule}{}", corner[2], corner[3]),
            _ => format!("{0}{1}{0}", theme.wall(), " ".repeat(usize::from(place.width).saturating_sub(2))),
        };
        let at = (place.x, place.y + y);
        for x in 0..place.width {
            buf[(at.0 + x, at.1)].reset();
        }
        put(buf, place, 0, y, &text, theme.brass());
    }
    put(buf, place, 2, 0, " Keys ", theme.brass());
    put(buf, place, place.width.saturating_sub(18), place.height.saturating_sub(1), " any key closes ", theme.faint());
    for (y, (row, style)) in (1..).zip(&rows) {
        put(buf, place, 2, y, row, *style);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn hint(codes: &'static [KeyCode], label: &'static str, short: &'static str) -> Hint {
        Hint { codes, label, short, long: "long" }
    }

    const HINTS: [Hint; 4] = [
        hint(&[KeyCode::Char('1'), KeyCode::Char('2')], "1-2", "lift"),
        hint(&[KeyCode::Char('u')], "u", "undo"),
        hint(&[KeyCode::F(1)], "F1", ""),
        HELP,
    ];

    fn click(x: u16, y: u16, width: u16) -> Option<KeyCode> {
        let kind = MouseEventKind::Down(MouseButton::Left);
        let mouse = MouseEvent { kind, column: x, row: y, modifiers: KeyModifiers::NONE };
        clicked(mouse, Rect::new(0, 0, width, 24), &HINTS).map(|key| key.code)
    }

    #[test]
    fn a_click_on_an_entry_presses_its_key_and_between_them_none() {
        // 1-2 lift   u undo   ? help
        assert_eq!(
            [0, 11, 16, 17, 20, 25].map(|x| click(x, 23, 80)),
            [
                None,
                Some(KeyCode::Char('u')),
                Some(KeyCode::Char('u')),
                None,
                Some(KeyCode::Char('?')),
                Some(KeyCode::Char('?')),
            ]
        );
        assert_eq!((click(11, 22, 80), click(40, 23, 80)), (None, None));
        assert_eq!(click(11, 23, 79), None, "too small for a picture");
    }

    #[test]
    fn help_is_always_in_the_line_however_narrow_it_is() {
        let labels = |width| places(&HINTS, width).iter().map(|(x, hint)| (*x, hint.label)).collect::<Vec<_>>();
        assert_eq!(labels(80), [(0, "1-2"), (11, "u"), (20, "?")]);
        assert_eq!(labels(25), [(0, "1-2"), (10, "u"), (18, "?")]);
        assert_eq!(labels(16), [(0, "1-2"), (10, "?")]);
        assert_eq!(labels(8), [(0, "?")]);
    }
}
