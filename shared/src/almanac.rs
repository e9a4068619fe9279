//! The almanac of Campaign Master: 50 named stages with their proven optima (RULES section 8).
//!
//! The stages are data: `data/almanac.txt`, which people read too. It is read here and nothing is solved: that its optima
//! are right, its difficulty grows and no stage is another in other colours is proven by tests. `docs/almanac.md` is
//! the table of it; `examples/almanac` found the boards.

mod difficulty;
mod form;
mod read;

use std::fmt;
use std::sync::LazyLock;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::board::{Board, RingKind};
use crate::score;

pub use difficulty::{difficulty_s, target_s};
pub use form::{Form, form};
pub use read::{Damaged, Reason};

/// The stages of Campaign Master, by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Almanac {
    stages: Vec<Stage>,
}

/// One stage: a board with a name and an idea.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// Its place in the almanac.
    pub number: StageNumber,
    /// Its name, which no other stage has.
    pub name: String,
    /// The name of its chapter.
    pub chapter: String,
    /// What it teaches or tests, in one sentence.
    pub idea: String,
    /// The board at the start.
    pub board: Board,
    /// The least number of transfers to harmony, proven.
    pub optimum: u32,
    /// The optimum of the same board without its rings and homes, proven; of a board without any, the optimum.
    pub bare_optimum: u32,
}

/// The number of stages.
pub const STAGES: u8 = 50;

/// The number of a stage, 1 to 50.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StageNumber(u8);

/// What a stage's board is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features {
    /// Active spectra.
    pub spectra: usize,
    /// Disks of each spectrum; of unequal ones, the most.
    pub sizes: usize,
    /// Pegs on the board.
    pub pegs: usize,
    /// Pegs without a disk at the start.
    pub free: usize,
    /// Places that collars take off at the start.
    pub collars: usize,
    /// Seals.
    pub seals: usize,
    /// Spectra with a home.
    pub homes: usize,
}

static ALMANAC: LazyLock<Almanac> = LazyLock::new(|| {
    Almanac::read(include_str!("../data/almanac.txt")).expect("a test reads the almanac that is built in")
});

/// The almanac that is built in.
pub fn almanac() -> &'static Almanac {
    &ALMANAC
}

impl Almanac {
    /// All stages in order.
    pub fn stages(&self) -> &[Stage] {
        &self.stages
    }

    /// One stage.
    pub fn stage(&self, number: StageNumber) -> &Stage {
        &self.stages[usize::from(number.0) - 1]
    }

    /// The stages of each chapter, in order; a chapter has at least one.
    pub fn chapters(&self) -> impl Iterator<Item = &[Stage]> {
        self.stages.chunk_by(|stage, next| stage.chapter == next.chapter)
    }
}

impl Stage {
    /// Par: 1.2 times the optimum, rounded up (RULES section 4).
    pub fn par(&self) -> u32 {
        score::par(self.optimum)
    }

    /// The difficulty D of RULES section 6: roughly the seconds of a casual player. See [`difficulty_s`].
    pub fn difficulty_s(&self) -> f64 {
        difficulty_s(&self.board, self.optimum, self.bare_optimum)
    }

    /// What the board is made of.
    pub fn features(&self) -> Features {
        Features::of(&self.board)
    }
}

impl StageNumber {
    /// The first stage, which is open to everybody.
    pub const FIRST: StageNumber = StageNumber(1);

    /// The stage of that number; `None` if there is none.
    pub fn new(number: u32) -> Option<StageNumber> {
        let number = u8::try_from(number).ok()?;
        (1..=STAGES).contains(&number).then_some(StageNumber(number))
    }

    /// The number, 1 to 50.
    pub fn number(self) -> u8 {
        self.0
    }

    /// The stage that opens when this one is solved; `None` after the last.
    pub fn next(self) -> Option<StageNumber> {
        StageNumber::new(u32::from(self.0) + 1)
    }
}

impl fmt::Display for StageNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for StageNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.0)
    }
}

impl<'de> Deserialize<'de> for StageNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<StageNumber, D::Error> {
        let number = u32::deserialize(deserializer)?;
        StageNumber::new(number)
            .ok_or_else(|| serde::de::Error::custom(format!("a stage is 1 to {STAGES}, not {number}")))
    }
}

impl Features {
    /// What a board is made of.
    pub fn of(board: &Board) -> Features {
        let disks = board.disks();
        let collars = board.rings().iter().map(|ring| match ring.kind {
            RingKind::Collars(places) => places.into(),
            RingKind::Seal => 0,
        });
        Features {
            spectra: disks.spectra().count(),
            sizes: disks.spectra().map(|s| disks.of(s).count()).max().unwrap_or(0),
            pegs: board.pegs().len(),
            free: board.pegs().iter().filter(|(_, peg)| peg.is_empty()).count(),
            collars: collars.sum(),
            seals: board.rings().iter().filter(|ring| ring.kind == RingKind::Seal).count(),
            homes: disks.spectra().filter(|s| board.home(*s).is_some()).count(),
        }
    }
}

/// Such as `3 × 4, 6 pegs, 2 free, 4 collars, 1 seal, 2 homes`; what there is none of is left out.
impl fmt::Display for Features {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} × {}, {} pegs, {} free", self.spectra, self.sizes, self.pegs, self.free)?;
        for (count, what) in [(self.collars, "collar"), (self.seals, "seal"), (self.homes, "home")] {
            match count {
                0 => {}
                1 => write!(f, ", 1 {what}")?,
                _ => write!(f, ", {count} {what}s")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_number_is_one_to_fifty_and_leads_to_the_next() {
        let all: Vec<u8> = (0..=300).filter_map(StageNumber::new).map(StageNumber::number).collect();
        assert_eq!(all, (1..=50).collect::<Vec<u8>>());
        assert_eq!(StageNumber::FIRST.next(), StageNumber::new(2));
        assert_eq!(StageNumber(50).next(), None);
        assert_eq!(serde_json::from_str::<StageNumber>("50").expect("a stage"), StageNumber(50));
        let refused = serde_json::from_str::<StageNumber>("51").expect_err("no stage").to_string();
        assert!(refused.starts_with("a stage is 1 to 50, not 51"), "{refused}");
    }

    #[test]
    fn features_count_what_is_on_the_board() {
        let board: Board = "S2S3R1/R3S1/R2/-/- 7 3s@m4,4c2@t1,5c1@m3 R1".parse().expect("a board");
        let features = Features::of(&board);
        let counts = [features.spectra, features.sizes, features.pegs, features.free];
        assert_eq!(counts, [2, 3, 5, 2]);
        assert_eq!([features.collars, features.seals, features.homes], [3, 1, 1]);
        assert_eq!(features.to_string(), "2 × 3, 5 pegs, 2 free, 3 collars, 1 seal, 1 home");
    }
}
