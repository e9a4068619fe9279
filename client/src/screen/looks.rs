//! How a screen looks and whether it heeds the mouse: flags, and where they say nothing, the environment.

use clap::Args;

use super::Theme;
use super::palette::{Depth, Palette};

/// Flags of everything that is drawn.
#[derive(Args, Clone, Debug, Default)]
pub struct Looks {
    /// Colours: dark, light or contrast; without it dark, or light where COLORFGBG tells of a light terminal.
    #[arg(long, value_name = "THEME", env = "SPRINT_THEME", value_enum, hide_possible_values = true)]
    pub theme: Option<Palette>,
    /// How many colours the terminal shows: 16, 256 or truecolor; without it as COLORTERM and TERM say.
    #[arg(long, value_name = "N", value_enum, hide_possible_values = true)]
    pub colors: Option<Depth>,
    /// No colours; letters and rims tell disks apart all the same. NO_COLOR in the environment does so too.
    #[arg(long)]
    pub no_color: bool,
    /// Nothing but ASCII, as in a locale without UTF-8.
    #[arg(long)]
    pub ascii: bool,
    /// Leaves the mouse to the terminal, so that text can be selected.
    #[arg(long)]
    pub no_mouse: bool,
}

impl Looks {
    /// The theme that flags and the environment ask for.
    pub fn theme(&self) -> Theme {
        self.of(|name| std::env::var(name).ok())
    }

    /// Whether there are signs that ASCII has not.
    pub fn unicode(&self) -> bool {
        self.theme().unicode
    }

    fn of(&self, variable: impl Fn(&str) -> Option<String>) -> Theme {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        let term = set("TERM").unwrap_or_default();
        let has_none = self.no_color || set("NO_COLOR").is_some() || term == "dumb" || term.starts_with("vt");
        let locale = set("LC_ALL").or_else(|| set("LC_CTYPE")).or_else(|| set("LANG"));
        let unicode = !self.ascii && is_utf8(locale.as_deref());
        // Whoever names a number of colours has them.
        if has_none && (self.colors.is_none() || self.no_color) {
            return Theme::plain(unicode);
        }
        let palette = self.theme.unwrap_or_else(|| match set("COLORFGBG") {
            Some(told) if matches!(told.rsplit(';').next(), Some("7" | "15")) => Palette::Light,
            _ => Palette::Dark,
        });
        let depth = self.colors.unwrap_or_else(|| depth(&set("COLORTERM").unwrap_or_default(), &term));
        Theme { colours: Some((palette, depth)), unicode }
    }
}

fn depth(colorterm: &str, term: &str) -> Depth {
    match () {
        () if colorterm.contains("truecolor") || colorterm.contains("24bit") || term.ends_with("-direct") => {
            Depth::True
        }
        () if term.contains("256color") || !colorterm.is_empty() => Depth::Cube,
        () => Depth::Sixteen,
    }
}

/// Whether a language is written in UTF-8.
fn is_utf8(locale: Option<&str>) -> bool {
    locale.is_some_and(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn theme(looks: &Looks, environment: &[(&str, &str)]) -> Theme {
        looks.of(|name| environment.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn the_environment_says_how_many_colours_there_are_and_on_what_ground() {
        let dark = |depth| Some((Palette::Dark, depth));
        for (environment, expected) in [
            (&[("TERM", "xterm")][..], dark(Depth::Sixteen)),
            (&[("TERM", "linux")], dark(Depth::Sixteen)),
            (&[("TERM", "screen-256color")], dark(Depth::Cube)),
            (&[("TERM", "xterm-256color"), ("COLORTERM", "truecolor")], dark(Depth::True)),
            (&[("TERM", "xterm-direct")], dark(Depth::True)),
            (&[("TERM", "xterm"), ("COLORFGBG", "0;15")], Some((Palette::Light, Depth::Sixteen))),
            (&[("TERM", "xterm"), ("COLORFGBG", "15;0")], dark(Depth::Sixteen)),
            (&[("TERM", "dumb"), ("COLORTERM", "truecolor")], None),
            (&[("TERM", "xterm"), ("NO_COLOR", "1")], None),
            (&[("TERM", "xterm"), ("NO_COLOR", "")], dark(Depth::Sixteen)),
        ] {
            assert_eq!(theme(&Looks::default(), environment).colours, expected, "{environment:?}");
        }
    }

    #[test]
    fn a_flag_says_more_than_the_environment_but_no_colour_is_no_colour() {
        let light = Looks { theme: Some(Palette::Light), colors: Some(Depth::True), ..Looks::default() };
        let expected = Some((Palette::Light, Depth::True));
        assert_eq!(theme(&light, &[("TERM", "xterm"), ("COLORFGBG", "15;0")]).colours, expected);
        assert_eq!(theme(&light, &[("TERM", "xterm"), ("NO_COLOR", "1")]).colours, expected, "colours are asked for");
        assert_eq!(theme(&Looks { no_color: true, ..light }, &[("TERM", "xterm")]).colours, None);
    }

    #[test]
    fn letters_beyond_ascii_need_a_locale_that_has_them() {
        for (locale, expected) in [
            (None, false),
            (Some("C"), false),
            (Some("C.UTF-8"), true),
            (Some("de_DE.utf8"), true),
            (Some("POSIX"), false),
        ] {
            let environment: Vec<_> = locale.iter().map(|locale| ("LANG", *locale)).collect();
            assert_eq!(theme(&Looks::default(), &environment).unicode, expected, "{locale:?}");
        }
        let utf8 = [("LANG", "C.UTF-8")];
        assert!(!theme(&Looks { ascii: true, ..Looks::default() }, &utf8).unicode);
        assert!(!theme(&Looks::default(), &[("LC_ALL", "C"), utf8[0]]).unicode, "LC_ALL says more");
    }
}
