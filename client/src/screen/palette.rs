//! The colours of a theme, as a terminal of so many colours can show them. Pure.

use ratatui::style::Color;
use sprint_shared::disk::Spectrum;

/// Which colours there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Palette {
    /// Light letters on a night sky.
    Dark,
    /// Dark letters on paper.
    Light,
    /// White on black, and nothing faint.
    Contrast,
}

/// How many colours a terminal shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Depth {
    /// The sixteen of old, whose tones are the terminal's own.
    #[value(name = "16")]
    Sixteen,
    /// The cube of 6 × 6 × 6 and the greys.
    #[value(name = "256")]
    Cube,
    /// All of 24 bits.
    #[value(name = "truecolor")]
    True,
}

/// Red, green, blue.
pub type Rgb = (u8, u8, u8);

/// What a colour is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Behind everything.
    Ground,
    /// Of plain letters.
    Ink,
    /// Of frames and headings.
    Brass,
    /// Of what matters least.
    Faint,
    /// Of what must not be missed.
    Alarm,
    /// A disk.
    Jewel(Spectrum),
    /// The letters on a disk.
    OnJewel(Spectrum),
}

const BLACK: Rgb = (0, 0, 0);
const WHITE: Rgb = (255, 255, 255);

impl Palette {
    /// A tone in 24 bits.
    pub fn rgb(self, tone: Tone) -> Rgb {
        match (tone, self) {
            (Tone::Jewel(spectrum), _) => jewel(spectrum),
            (Tone::OnJewel(Spectrum::Ruby | Spectrum::Sapphire), _) => WHITE,
            (Tone::OnJewel(_), _) => BLACK,
            (Tone::Ground, Palette::Dark) => (0x14, 0x16, 0x1f),
            (Tone::Ink, Palette::Dark) => (0xe8, 0xe2, 0xd3),
            (Tone::Brass, Palette::Dark) => (0xd9, 0xab, 0x55),
            (Tone::Faint, Palette::Dark) => (0x98, 0x94, 0x8c),
            (Tone::Alarm, Palette::Dark) => (0xff, 0x8a, 0x9d),
            (Tone::Ground, Palette::Light) => (0xf6, 0xf0, 0xe3),
            (Tone::Ink, Palette::Light) => (0x22, 0x1d, 0x16),
            (Tone::Brass, Palette::Light) => (0x7a, 0x53, 0x10),
            (Tone::Faint, Palette::Light) => (0x66, 0x5f, 0x54),
            (Tone::Alarm, Palette::Light) => (0xa3, 0x0d, 0x3c),
            (Tone::Ground, Palette::Contrast) => BLACK,
            (Tone::Brass, Palette::Contrast) => (0xff, 0xe1, 0x4d),
            (Tone::Ink | Tone::Faint | Tone::Alarm, Palette::Contrast) => WHITE,
        }
    }

    /// A tone as a terminal shows it.
    pub fn colour(self, tone: Tone, depth: Depth) -> Color {
        let rgb = self.rgb(tone);
        match depth {
            Depth::True => Color::Rgb(rgb.0, rgb.1, rgb.2),
            // The nearest one would be too dark for a dark ground.
            Depth::Cube if tone == Tone::Jewel(Spectrum::Ruby) => Color::Indexed(161),
            Depth::Cube => Color::Indexed(nearest(rgb)),
            Depth::Sixteen => self.of_sixteen(tone),
        }
    }

    fn of_sixteen(self, tone: Tone) -> Color {
        match (tone, self) {
            (Tone::Jewel(Spectrum::Ruby), _) => Color::Red,
            (Tone::Jewel(Spectrum::Sapphire), _) => Color::Blue,
            (Tone::Jewel(Spectrum::Emerald), _) => Color::LightGreen,
            (Tone::Jewel(Spectrum::Amber), _) => Color::Yellow,
            (Tone::Jewel(Spectrum::Violet), _) => Color::LightMagenta,
            (Tone::OnJewel(Spectrum::Ruby | Spectrum::Sapphire), _) => Color::White,
            (Tone::OnJewel(_), _) => Color::Black,
            (Tone::Ground, Palette::Light) => Color::White,
            (Tone::Ink, Palette::Light) => Color::Black,
            (Tone::Brass, Palette::Light) => Color::Blue,
            (Tone::Faint, Palette::Light) => Color::DarkGray,
            (Tone::Alarm, Palette::Light) => Color::Red,
            (Tone::Ground, _) => Color::Black,
            (Tone::Brass, Palette::Dark) => Color::Yellow,
            (Tone::Brass, Palette::Contrast) => Color::LightYellow,
            (Tone::Faint, Palette::Dark) => Color::Gray,
            (Tone::Alarm, Palette::Dark) => Color::LightRed,
            (Tone::Ink | Tone::Faint | Tone::Alarm, _) => Color::White,
        }
    }
}

/// The spectra as the page shows them: told apart by people of every colour vision.
fn jewel(spectrum: Spectrum) -> Rgb {
    match spectrum {
        Spectrum::Ruby => (0xc1, 0x1e, 0x51),
        Spectrum::Sapphire => (0x0d, 0x5f, 0xf1),
        Spectrum::Emerald => (0x00, 0xff, 0xc2),
        Spectrum::Amber => (0xe8, 0x9b, 0x17),
        Spectrum::Violet => (0xd6, 0xc0, 0xed),
    }
}

/// The nearest of the colours 16 to 255, which are the same on every terminal.
fn nearest(rgb: Rgb) -> u8 {
    let far = |index: &u8| {
        let (r, g, b) = indexed(*index);
        [(r, rgb.0), (g, rgb.1), (b, rgb.2)].map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).iter().sum::<u32>()
    };
    (16..=255).min_by_key(far).expect("there are 240 of them")
}

/// What a colour from 16 on looks like: a cube of six steps an edge, then 24 greys.
fn indexed(index: u8) -> Rgb {
    const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    match index.checked_sub(232) {
        Some(grey) => (8 + 10 * grey, 8 + 10 * grey, 8 + 10 * grey),
        None => {
            let at = usize::from(index.saturating_sub(16));
            (STEPS[at / 36], STEPS[at / 6 % 6], STEPS[at % 6])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PALETTES: [Palette; 3] = [Palette::Dark, Palette::Light, Palette::Contrast];

    /// The contrast of WCAG 2.2, from 1 to 21.
    fn contrast(a: Rgb, b: Rgb) -> f64 {
        let linear = |part: u8| {
            let part = f64::from(part) / 255.0;
            if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        let luminance = |(r, g, b): Rgb| 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// As a terminal of that depth shows it; of the sixteen nobody knows the tones.
    fn seen(palette: Palette, tone: Tone, depth: Depth) -> Rgb {
        match palette.colour(tone, depth) {
            Color::Rgb(r, g, b) => (r, g, b),
            Color::Indexed(index) => indexed(index),
            other => panic!("{other} has no known tone"),
        }
    }

    #[test]
    fn letters_are_read_on_the_ground_and_on_every_disk() {
        for (palette, depth) in PALETTES.into_iter().flat_map(|p| [(p, Depth::True), (p, Depth::Cube)]) {
            for tone in [Tone::Ink, Tone::Brass, Tone::Faint, Tone::Alarm] {
                let told = contrast(seen(palette, tone, depth), seen(palette, Tone::Ground, depth));
                assert!(told >= 4.5, "{palette:?} {depth:?} {tone:?}: {told:.2}");
            }
            for spectrum in Spectrum::ALL {
                let on = seen(palette, Tone::OnJewel(spectrum), depth);
                let told = contrast(on, seen(palette, Tone::Jewel(spectrum), depth));
                assert!(told >= 4.5, "{palette:?} {depth:?} {spectrum:?}: {told:.2}");
            }
        }
    }

    #[test]
    fn disks_stand_out_of_a_dark_ground() {
        for (palette, depth) in
            [Palette::Dark, Palette::Contrast].into_iter().flat_map(|p| [(p, Depth::True), (p, Depth::Cube)])
        {
            for spectrum in Spectrum::ALL {
                let told = contrast(seen(palette, Tone::Jewel(spectrum), depth), seen(palette, Tone::Ground, depth));
                assert!(told >= 3.0, "{palette:?} {depth:?} {spectrum:?}: {told:.2}");
            }
        }
    }

    #[test]
    fn the_five_spectra_have_five_colours_at_every_depth() {
        for (palette, depth) in
            PALETTES.into_iter().flat_map(|p| [Depth::Sixteen, Depth::Cube, Depth::True].map(|d| (p, d)))
        {
            let colours = Spectrum::ALL.map(|spectrum| palette.colour(Tone::Jewel(spectrum), depth));
            for (at, colour) in colours.iter().enumerate() {
                assert!(!colours[..at].contains(colour), "{palette:?} {depth:?}: {colours:?}");
                assert_ne!(*colour, palette.colour(Tone::Ground, depth));
            }
        }
    }

    #[test]
    fn a_colour_of_the_cube_is_its_own_nearest() {
        for (rgb, index) in
            [((0, 0, 0), 16), ((255, 255, 255), 231), ((0, 95, 255), 27), ((8, 8, 8), 232), ((238, 238, 238), 255)]
        {
            assert_eq!((nearest(rgb), indexed(index)), (index, rgb));
        }
    }
}
