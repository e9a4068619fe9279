//! A picture for a terminal that knows nothing but ASCII: each other sign has its stand-in, of the same width.

use ratatui::buffer::Buffer;

/// Leaves no letter that is not ASCII.
pub fn keep(buf: &mut Buffer) {
    let width = usize::from(buf.area.width).max(1);
    for at in 0..buf.content.len() {
        let symbol = buf.content[at].symbol();
        if symbol.is_ascii() {
            continue;
        }
        let letter = symbol.chars().next().map_or('?', stand_in);
        // A letter of two columns leaves a hole behind itself.
        let is_wide = ratatui::text::Span::raw(symbol).width() > 1;
        buf.content[at].set_char(letter);
        if is_wide && at % width + 1 < width {
            buf.content[at + 1].set_char(letter);
        }
    }
}

/// What stands for a letter; a question mark where nothing is like it.
fn stand_in(letter: char) -> char {
    match letter {
        // Heights of a curve: the digit says which of the eight.
        '▁'..='█' => char::from_digit(letter as u32 - '▁' as u32 + 1, 10).unwrap_or('?'),
        '★' => '*',
        '☆' => '.',
        '♛' => 'C',
        '│' => '|',
        '─' | '–' | '—' | '·' => '-',
        '×' => 'x',
        '’' | '‘' => '\'',
        '“' | '”' => '"',
        _ => unaccented(letter),
    }
}

/// The letter of Latin-1 below an accent.
fn unaccented(letter: char) -> char {
    match letter {
        'À'..='Å' => 'A',
        'È'..='Ë' => 'E',
        'Ì'..='Ï' => 'I',
        'Ò'..='Ö' | 'Ø' => 'O',
        'Ù'..='Ü' => 'U',
        'Ç' => 'C',
        'Ñ' => 'N',
        'à'..='å' => 'a',
        'è'..='ë' => 'e',
        'ì'..='ï' => 'i',
        'ò'..='ö' | 'ø' => 'o',
        'ù'..='ü' => 'u',
        'ç' => 'c',
        'ñ' => 'n',
        'ß' => 's',
        _ => '?',
    }
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    use super::*;

    #[test]
    fn every_sign_has_a_stand_in_of_its_width() {
        let mut buf = Buffer::empty(Rect::new(0, 0, 12, 1));
        buf.set_string(0, 0, "Zoë塔★▁█│─x", Style::new());
        keep(&mut buf);
        let text: String = buf.content.iter().map(|cell| cell.symbol()).collect();
        assert_eq!(text, "Zoe??*18|-x ");
    }
}
