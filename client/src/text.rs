//! Texts of others on a terminal: names, reasons, fields of files.
//!
//! Whatever they hold must never steer the terminal, nor look as if it stood elsewhere in the line.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::process::exit;

use crate::solve::DOES_NOT_HOLD;

/// A text with escapes such as `\u{1b}` for what is no letter: controls, ends of lines, changes of the direction of
/// writing.
pub fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                plain.extend(letter.escape_unicode());
            }
            letter if letter.is_control() => plain.extend(letter.escape_default()),
            letter => plain.push(letter),
        }
    }
    plain
}

/// Prints one line on standard output. Who reads no further, such as `head`, has got what they wanted: then the program ends.
pub fn say(line: impl Display) {
    match writeln!(io::stdout().lock(), "{}", plain(&line.to_string())) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::BrokenPipe => exit(0),
        Err(error) => {
            complain(format_args!("standard output: {error}"));
            exit(DOES_NOT_HOLD.into());
        }
    }
}

/// Prints one line on standard error; where nobody reads it, it is lost.
pub fn complain(line: impl Display) {
    let _ = writeln!(io::stderr(), "{}", plain(&line.to_string()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_steers_a_terminal_gets_through() {
        for (text, expected) in [
            ("Ada Łukasiewicz ẞ 塔", "Ada Łukasiewicz ẞ 塔"),
            ("\u{1b}]0;title\u{7}", "\\u{1b}]0;title\\u{7}"),
            ("verified\r\nverified\u{7f}", "verified\\r\\nverified\\u{7f}"),
            ("\u{9b}2J", "\\u{9b}2J"),
            ("a\u{202e}b\u{2066}c\u{200f}", "a\\u{202e}b\\u{2066}c\\u{200f}"),
        ] {
            assert_eq!(plain(text), expected);
        }
    }
}
