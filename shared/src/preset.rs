//! The presets: which boards are dealt, the band their optimum must lie in, the default timer (RULES section 6).

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A named kind of dealt board. All have capacity 7.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum Preset {
    /// 2 spectra of 4 on 5 pegs.
    Initiate,
    /// 2 spectra of 5 on 5 pegs.
    Apprentice,
    /// 3 spectra of 5 on 6 pegs: the default.
    #[default]
    Standard,
    /// 4 spectra of 5 on 7 pegs.
    Expert,
    /// 5 spectra of 5 on 9 pegs.
    Master,
    /// 5 spectra of 5 on 8 pegs.
    Grandmaster,
    /// 5 spectra of 7 on 7 pegs, full of traps: the boxed set.
    Spire,
    /// 5 spectra of 7 on 9 pegs: long.
    Marathon,
}

/// What a preset's boards are made of, and what a board must prove to be dealt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PresetSpec {
    /// Active spectra, the first of R, S, E, A, V.
    pub spectra: u8,
    /// Disks of each spectrum, sizes 1 to this.
    pub sizes: u8,
    /// Pegs on the board.
    pub pegs: u8,
    /// Pegs without a disk at the start.
    pub free: u8,
    /// The proven optimum must lie in here, in transfers.
    pub optimum: RangeInclusive<u32>,
    /// Traps that the optimal line must have at least.
    pub traps_min: u32,
    /// The timer of a round unless the room says otherwise, in seconds.
    pub time_limit_s: u32,
}

impl Preset {
    /// All presets, easiest first.
    pub const ALL: [Preset; 8] = [
        Preset::Initiate,
        Preset::Apprentice,
        Preset::Standard,
        Preset::Expert,
        Preset::Master,
        Preset::Grandmaster,
        Preset::Spire,
        Preset::Marathon,
    ];

    /// The name on the wire and the command line.
    pub fn name(self) -> &'static str {
        match self {
            Preset::Initiate => "initiate",
            Preset::Apprentice => "apprentice",
            Preset::Standard => "standard",
            Preset::Expert => "expert",
            Preset::Master => "master",
            Preset::Grandmaster => "grandmaster",
            Preset::Spire => "spire",
            Preset::Marathon => "marathon",
        }
    }

    /// The table of RULES section 6.
    pub fn spec(self) -> PresetSpec {
        let (spectra, sizes, pegs, free, optimum, traps_min, time_limit_s) = match self {
            Preset::Initiate => (2, 4, 5, 2, 8..=11, 0, 180),
            Preset::Apprentice => (2, 5, 5, 2, 13..=17, 0, 180),
            Preset::Standard => (3, 5, 6, 2, 21..=24, 0, 300),
            Preset::Expert => (4, 5, 7, 3, 27..=31, 0, 300),
            Preset::Master => (5, 5, 9, 4, 38..=43, 0, 600),
            Preset::Grandmaster => (5, 5, 8, 3, 38..=44, 0, 900),
            Preset::Spire => (5, 7, 7, 2, 45..=55, 8, 600),
            Preset::Marathon => (5, 7, 9, 4, 66..=87, 0, 1800),
        };
        PresetSpec { spectra, sizes, pegs, free, optimum, traps_min, time_limit_s }
    }
}

/// A name that is no preset.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no preset {0:?}: initiate, apprentice, standard, expert, master, grandmaster, spire or marathon")]
pub struct UnknownPreset(pub String);

impl FromStr for Preset {
    type Err = UnknownPreset;
    fn from_str(name: &str) -> Result<Preset, UnknownPreset> {
        let found = Preset::ALL.into_iter().find(|p| p.name() == name);
        found.ok_or_else(|| UnknownPreset(name.to_owned()))
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
