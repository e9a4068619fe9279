//! Disks: one spectrum and one size, the pieces of RULES section 1.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A disk, packed as `spectrum * 7 + size - 1`, so 0..=34.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Disk(u8);

/// The colour of a disk (RULES section 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Spectrum {
    /// `R`, serrated rim.
    Ruby,
    /// `S`, smooth circular rim.
    Sapphire,
    /// `E`, hexagonal rim.
    Emerald,
    /// `A`, square-notched rim.
    Amber,
    /// `V`, scalloped rim.
    Violet,
}

/// The greatest size of a disk.
pub const SIZE_MAX: u8 = 7;
/// The number of spectra.
pub const SPECTRA: usize = 5;
/// The number of different disks: every spectrum in every size.
pub const DISKS_MAX: usize = SPECTRA * SIZE_MAX as usize;

/// A size outside 1..=7.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a disk's size is 1 to 7, not {0}")]
pub struct SizeOutOfRange(pub u8);

impl Disk {
    /// The disk of that spectrum and size; an error if the size is not 1..=7.
    pub fn new(spectrum: Spectrum, size: u8) -> Result<Disk, SizeOutOfRange> {
        if (1..=SIZE_MAX).contains(&size) {
            Ok(Disk(spectrum as u8 * SIZE_MAX + size - 1))
        } else {
            Err(SizeOutOfRange(size))
        }
    }

    /// The disk with that packed number; `None` above 34.
    pub fn from_index(index: usize) -> Option<Disk> {
        (index < DISKS_MAX).then_some(Disk(index as u8))
    }

    /// The packed number, 0..=34.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The disk's colour.
    pub fn spectrum(self) -> Spectrum {
        Spectrum::ALL[usize::from(self.0 / SIZE_MAX)]
    }

    /// The disk's size, 1..=7.
    pub fn size(self) -> u8 {
        self.0 % SIZE_MAX + 1
    }

    /// Whether this disk may rest on `below` after a transfer: the same spectrum and smaller (RULES section 2).
    pub fn fits_on(self, below: Disk) -> bool {
        self.0 < below.0 && self.0 / SIZE_MAX == below.0 / SIZE_MAX
    }
}

impl Spectrum {
    /// All spectra in the order of the notation: R, S, E, A, V.
    pub const ALL: [Spectrum; SPECTRA] =
        [Spectrum::Ruby, Spectrum::Sapphire, Spectrum::Emerald, Spectrum::Amber, Spectrum::Violet];

    /// The letter of the notation.
    pub fn letter(self) -> char {
        ['R', 'S', 'E', 'A', 'V'][self as usize]
    }

    /// The spectrum of a letter of the notation.
    pub fn from_letter(letter: char) -> Option<Spectrum> {
        Spectrum::ALL.into_iter().find(|s| s.letter() == letter)
    }

    /// The place in [`Spectrum::ALL`], 0..=4.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The name a person reads.
    pub fn name(self) -> &'static str {
        ["Ruby", "Sapphire", "Emerald", "Amber", "Violet"][self as usize]
    }
}

impl fmt::Display for Disk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.spectrum().letter(), self.size())
    }
}

impl fmt::Debug for Disk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_fits_only_on_a_larger_one_of_its_spectrum() {
        for a in (0..DISKS_MAX).filter_map(Disk::from_index) {
            for b in (0..DISKS_MAX).filter_map(Disk::from_index) {
                let lawful = a.spectrum() == b.spectrum() && a.size() < b.size();
                assert_eq!(a.fits_on(b), lawful, "{a} on {b}");
            }
        }
    }

    #[test]
    fn sizes_outside_one_to_seven_are_refused() {
        assert_eq!(Disk::new(Spectrum::Ruby, 0), Err(SizeOutOfRange(0)));
        assert_eq!(Disk::new(Spectrum::Violet, 8), Err(SizeOutOfRange(8)));
    }
}
