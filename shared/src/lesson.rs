//! The tutorial: a few small boards, each of which teaches one law or one technique of the rulebook by doing.
//!
//! A lesson is judged like Infinite Shuffle: nothing costs anything, undo is free, the way may be shown. Its optima are proven by
//! tests, which play it as it is told, too.

use std::fmt;
use std::sync::LazyLock;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::board::Board;
use crate::play::{Deed, Play};
use crate::rules::{CannotPlace, Illegal, Transfer};

/// One lesson: a board and what is to be done on it, step by step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// Its place in the tutorial.
    pub number: LessonNumber,
    /// Its name.
    pub name: &'static str,
    /// What it teaches, in one sentence.
    pub teaches: &'static str,
    /// What is to be done, in order; the last step is harmony.
    pub steps: &'static [Step],
    /// The board at the start.
    pub board: Board,
    /// The least number of transfers to harmony, proven.
    pub optimum: u32,
}

/// The number of a lesson, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LessonNumber(u8);

/// What is to be done next in a lesson.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// What the player is told.
    pub say: &'static str,
    /// What ends it.
    pub goal: Goal,
}

/// What ends a step of a lesson.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "goal", rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum Goal {
    /// A placement is refused by this law: trying it is how the law is learnt.
    Refused {
        /// Which.
        law: Law,
    },
    /// A peg that held disks holds none.
    Emptied {},
    /// So many disks are settled (RULES section 2).
    Settled {
        /// How many.
        disks: u32,
    },
    /// Harmony, where `within` says so in no more transfers than that.
    Harmony {
        /// The most transfers of the attempt; any number will do if null.
        within: Option<u32>,
    },
}

/// A law of placing (RULES section 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum Law {
    /// No larger disk on a smaller one.
    Size,
    /// No disk on one of another spectrum.
    Spectrum,
    /// No more disks than a peg has places.
    Capacity,
}

struct Text {
    name: &'static str,
    teaches: &'static str,
    board: &'static str,
    optimum: u32,
    steps: &'static [Step],
}

const HARMONY: Goal = Goal::Harmony { within: None };

const TEXTS: [Text; 7] = [
    Text {
        name: "Small upon large",
        teaches: "One disk at a time, always the top one, and never onto a smaller disk.",
        board: "R1R3/R2/- 7",
        optimum: 3,
        steps: &[
            Step {
                say: "Only the top disk of a peg can be lifted: on peg 1 that is Ruby 3. Lift it and try to place it on \
                      peg 2, on the smaller Ruby 2.",
                goal: Goal::Refused { law: Law::Size },
            },
            Step { say: "It does not hold. An empty peg takes any disk: build one tower, 3, 2, 1.", goal: HARMONY },
        ],
    },
    Text {
        name: "Like upon like",
        teaches: "A disk rests on its own spectrum or on an empty peg, whatever the sizes.",
        board: "S3R1/R3S2/- 7",
        optimum: 3,
        steps: &[
            Step {
                say: "Ruby 1 is smaller than Sapphire 2. Lift it from peg 1 and try to place it on peg 2.",
                goal: Goal::Refused { law: Law::Spectrum },
            },
            Step {
                say: "Size is not enough, the spectrum must be the same. Set Ruby 1 aside, then bring each spectrum home.",
                goal: HARMONY,
            },
        ],
    },
    Text {
        name: "Room on a peg",
        teaches: "A peg has so many places; where they are taken nothing more goes.",
        board: "R2R1/R3/- 2,1,3",
        optimum: 4,
        steps: &[
            Step {
                say: "Peg 2 has one place, and Ruby 3 takes it. Try to place Ruby 1 there.",
                goal: Goal::Refused { law: Law::Capacity },
            },
            Step { say: "The tower needs three places: peg 3 has them. Move the base there first.", goal: HARMONY },
        ],
    },
    Text {
        name: "The empty-peg buffer",
        teaches: "An empty peg takes any disk: win one early, and keep one free.",
        board: "R2S3/S2R1/R3/S1/- 7",
        optimum: 5,
        steps: &[
            Step {
                say: "One peg is free. Spend it on Sapphire 3, and peg 1 can be cleared: empty a peg.",
                goal: Goal::Emptied {},
            },
            Step { say: "You have a buffer again. The rest falls into place.", goal: HARMONY },
        ],
    },
    Text {
        name: "Base first",
        teaches: "Settle the largest disks first: whatever is placed before them is in their way.",
        board: "R1S3R2/S1R3S2/-/- 7",
        optimum: 9,
        steps: &[
            Step {
                say: "Sapphire 3 lies under Ruby 2. Free it and set it on an empty peg: a base, settled for good.",
                goal: Goal::Settled { disks: 1 },
            },
            Step {
                say: "Sapphire 2 can follow. Now free the other base, and settle it too.",
                goal: Goal::Settled { disks: 3 },
            },
            Step { say: "On both bases build upwards.", goal: HARMONY },
        ],
    },
    Text {
        name: "Monochrome staging",
        teaches: "Hold disks of one spectrum together until their base is free: one peg serves for many.",
        board: "E1R2S3/R1S2E3/S1E2R3/-/- 7",
        optimum: 11,
        steps: &[
            Step {
                say: "Three spectra, two free pegs. Put disks of one spectrum upon each other wherever you can, so that a \
                      free peg is left. Settle four disks.",
                goal: Goal::Settled { disks: 4 },
            },
            Step { say: "Three towers are growing: finish them.", goal: HARMONY },
        ],
    },
    Text {
        name: "The reversal check",
        teaches: "Before each transfer look two ahead: one that is taken back later was wasted.",
        board: "R4S1/R2S3/S4R1/S2R3/- 7",
        optimum: 9,
        steps: &[Step {
            say: "One peg is free, and one disk is worth it. Reach harmony in nine transfers, not one wasted. Undo and \
                      reset cost nothing here, and you may be shown the way.",
            goal: Goal::Harmony { within: Some(9) },
        }],
    },
];

static LESSONS: LazyLock<Vec<Lesson>> = LazyLock::new(|| {
    let lesson = |(number, text): (u8, &Text)| {
        let board = text.board.parse().expect("a test reads every lesson");
        let Text { name, teaches, optimum, steps, .. } = *text;
        Lesson { number: LessonNumber(number), name, teaches, steps, board, optimum }
    };
    (1..).zip(&TEXTS).map(lesson).collect()
});

/// All lessons in order.
pub fn lessons() -> &'static [Lesson] {
    &LESSONS
}

impl LessonNumber {
    /// The lesson of that number; `None` if there is none.
    pub fn new(number: u32) -> Option<LessonNumber> {
        let number = u8::try_from(number).ok()?;
        (1..=TEXTS.len()).contains(&number.into()).then_some(LessonNumber(number))
    }

    /// The number, from 1.
    pub fn number(self) -> u8 {
        self.0
    }

    /// The lesson.
    pub fn lesson(self) -> &'static Lesson {
        &LESSONS[usize::from(self.0) - 1]
    }
}

impl fmt::Display for LessonNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for LessonNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.0)
    }
}

impl<'de> Deserialize<'de> for LessonNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<LessonNumber, D::Error> {
        let number = u32::deserialize(deserializer)?;
        let unknown = || serde::de::Error::custom(format!("a lesson is 1 to {}, not {number}", TEXTS.len()));
        LessonNumber::new(number).ok_or_else(unknown)
    }
}

impl Law {
    /// The law by which a placement is refused; none where it is legal, or a ring forbids it.
    pub fn of(board: &Board, transfer: Transfer, transfers: u32) -> Option<Law> {
        match board.check(transfer, transfers) {
            Err(Illegal::Place(CannotPlace::Size { .. })) => Some(Law::Size),
            Err(Illegal::Place(CannotPlace::Spectrum { .. })) => Some(Law::Spectrum),
            Err(Illegal::Place(CannotPlace::Full(_))) => Some(Law::Capacity),
            _ => None,
        }
    }
}

impl Goal {
    /// Whether a deed reached it, of which `before` and `after` are the play before and after.
    pub fn is_reached(&self, before: &Play, deed: &Deed, after: &Play) -> bool {
        match *self {
            Goal::Refused { law } => match *deed {
                Deed::Returned { from, to } | Deed::Erred { from, to } => {
                    Law::of(before.board(), Transfer { from, to }, before.transfers()) == Some(law)
                }
                _ => false,
            },
            Goal::Emptied {} => match *deed {
                Deed::Transferred { from, .. } => {
                    after.board().pegs().iter().any(|(id, peg)| id == from && peg.is_empty())
                }
                _ => false,
            },
            Goal::Settled { disks } => after.settled() >= disks,
            Goal::Harmony { within } => after.is_harmony() && within.is_none_or(|most| after.transfers() <= most),
        }
    }
}
