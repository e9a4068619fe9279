//! Looks: jewel tones where there are colours, and for every spectrum a letter and a rim that need none.

use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier, Style};
use sprint_shared::disk::{Disk, Spectrum};

use super::ascii;
use super::palette::{Depth, Palette, Tone};

/// Colours, if any, and the letters that there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    /// Which colours, and how many the terminal shows; `None` for no colour at all.
    pub colours: Option<(Palette, Depth)>,
    /// Whether there are signs that ASCII has not.
    pub unicode: bool,
}

impl Theme {
    /// Without any colour.
    pub const fn plain(unicode: bool) -> Theme {
        Theme { colours: None, unicode }
    }

    /// The style of a spectrum's disks.
    pub fn jewel(self, spectrum: Spectrum) -> Style {
        let style = Style::new().add_modifier(Modifier::BOLD);
        match self.colours {
            None => style,
            Some(_) => style.fg(self.colour(Tone::OnJewel(spectrum))).bg(self.colour(Tone::Jewel(spectrum))),
        }
    }

    /// Brass: frames and headings.
    pub fn brass(self) -> Style {
        Style::new().fg(self.colour(Tone::Brass))
    }

    /// What matters least.
    pub fn faint(self) -> Style {
        Style::new().fg(self.colour(Tone::Faint))
    }

    /// What must not be missed.
    pub fn alarm(self) -> Style {
        Style::new().fg(self.colour(Tone::Alarm)).add_modifier(Modifier::BOLD | Modifier::REVERSED)
    }

    /// What stands out.
    pub fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    fn colour(self, tone: Tone) -> Color {
        self.colours.map_or(Color::Reset, |(palette, depth)| palette.colour(tone, depth))
    }

    /// What a picture is given last: the ground and the ink where nothing else was said, and no letter that is not there.
    pub fn finish(self, buf: &mut Buffer) {
        let (ground, ink) = (self.colour(Tone::Ground), self.colour(Tone::Ink));
        for cell in &mut buf.content {
            if cell.bg == Color::Reset {
                cell.bg = ground;
            }
            if cell.fg == Color::Reset {
                cell.fg = ink;
            }
        }
        if !self.unicode {
            ascii::keep(buf);
        }
    }

    /// An empty place of a peg.
    pub fn peg(self) -> &'static str {
        self.wall()
    }

    /// What a peg stands on, so many characters of it.
    pub fn base(self, width: u16) -> String {
        if self.unicode { "▀" } else { "=" }.repeat(width.into())
    }

    /// A line across, so many characters of it.
    pub fn rule(self, width: u16) -> String {
        if self.unicode { "─" } else { "-" }.repeat(width.into())
    }

    /// A line between two columns.
    pub fn wall(self) -> &'static str {
        if self.unicode { "│" } else { "|" }
    }

    /// How much of a whole is used up: `[####----]`.
    pub fn bar(self, part: u64, whole: u64, width: u64) -> String {
        let full = (part.saturating_mul(width) / whole.max(1)).min(width);
        let (done, left) = if self.unicode { ("█", "░") } else { ("#", "-") };
        format!("[{}{}]", done.repeat(full as usize), left.repeat((width - full) as usize))
    }
}

/// A disk of that width in characters, at least 4: rims, the letter, the size.
pub fn disk(disk: Disk, width: usize) -> String {
    plate(disk.spectrum(), &disk.to_string(), width)
}

/// A disk with any label between the rims of a spectrum: of that width in characters, or as wide as its label needs.
pub fn plate(spectrum: Spectrum, label: &str, width: usize) -> String {
    let (left, fill, right) = rim(spectrum);
    let room = width.saturating_sub(label.chars().count() + 2);
    let before: String = std::iter::repeat_n(fill, room / 2).collect();
    let after: String = std::iter::repeat_n(fill, room - room / 2).collect();
    format!("{left}{before}{label}{after}{right}")
}

/// Ruby serrated, Sapphire smooth, Emerald hexagonal, Amber square-notched, Violet scalloped.
fn rim(spectrum: Spectrum) -> (char, char, char) {
    match spectrum {
        Spectrum::Ruby => ('^', '^', '^'),
        Spectrum::Sapphire => ('(', '-', ')'),
        Spectrum::Emerald => ('<', '=', '>'),
        Spectrum::Amber => ('[', '#', ']'),
        Spectrum::Violet => ('{', '~', '}'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spectrum_has_its_own_rim_and_every_disk_its_letter_and_size() {
        let drawn: Vec<String> = Spectrum::ALL.map(|s| disk(Disk::new(s, 5).expect("a size"), 8)).into_iter().collect();
        assert_eq!(drawn, ["^^^R5^^^", "(--S5--)", "<==E5==>", "[##A5##]", "{~~V5~~}"]);
        assert_eq!(disk(Disk::new(Spectrum::Ruby, 1).expect("a size"), 4), "^R1^");
    }

    #[test]
    fn a_bar_is_full_at_its_end_and_no_fuller() {
        let plain = Theme::plain(false);
        assert_eq!([0, 3, 6, 9].map(|part| plain.bar(part, 6, 4)), ["[----]", "[##--]", "[####]", "[####]"]);
        assert_eq!(plain.bar(1, 0, 2), "[##]", "of nothing");
    }
}
