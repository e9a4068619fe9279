//! Looks: jewel tones where there are colours, and for every spectrum a letter and a rim that need none.

use ratatui::style::{Color, Modifier, Style};
use sprint_shared::disk::{Disk, Spectrum};

/// With colours or without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    /// Whether colours are used at all.
    pub colours: bool,
}

impl Theme {
    /// With colours, unless a flag or the environment says otherwise.
    pub fn of(no_color: bool) -> Theme {
        let said_so = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Theme { colours: !no_color && !said_so }
    }

    /// The style of a spectrum.
    pub fn jewel(self, spectrum: Spectrum) -> Style {
        let colour = match spectrum {
            Spectrum::Ruby => Color::LightRed,
            Spectrum::Sapphire => Color::LightBlue,
            Spectrum::Emerald => Color::LightGreen,
            Spectrum::Amber => Color::Yellow,
            Spectrum::Violet => Color::LightMagenta,
        };
        self.toned(colour).add_modifier(Modifier::BOLD)
    }

    /// Brass: frames and headings.
    pub fn brass(self) -> Style {
        self.toned(Color::Yellow)
    }

    /// What matters least.
    pub fn faint(self) -> Style {
        self.toned(Color::DarkGray)
    }

    /// What must not be missed.
    pub fn alarm(self) -> Style {
        self.toned(Color::LightRed).add_modifier(Modifier::BOLD | Modifier::REVERSED)
    }

    /// What stands out.
    pub fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    fn toned(self, colour: Color) -> Style {
        if self.colours { Style::new().fg(colour) } else { Style::new() }
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
}
