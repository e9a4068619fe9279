//! The modes that one player plays alone (RULES section 8): which board it is, and how it is judged.
//!
//! A solo room is a room with one seat: the same acts, the same journal, the same proof.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::almanac::{StageNumber, almanac};
use crate::board::Board;
use crate::day::Day;
use crate::deal::Seed;
use crate::lesson::LessonNumber;

/// What is played alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "mode", rename_all = "snake_case", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum Solo {
    /// A stage of Campaign Master.
    Stage {
        /// Its number in the almanac, 1 to 50.
        #[cfg_attr(feature = "schema", schemars(with = "u8"), schema(value_type = u8))]
        #[cfg_attr(test, ts(as = "u8"))]
        stage: StageNumber,
    },
    /// A lesson of the tutorial.
    Lesson {
        /// Its number, from 1.
        #[cfg_attr(feature = "schema", schemars(with = "u8"), schema(value_type = u8))]
        #[cfg_attr(test, ts(as = "u8"))]
        lesson: LessonNumber,
    },
    /// A board of Infinite Shuffle: the one that the room's preset gives for this seed.
    Shuffle {
        /// 64 hex digits.
        #[cfg_attr(feature = "schema", schemars(with = "String"), schema(value_type = String))]
        #[cfg_attr(test, ts(as = "String"))]
        seed: Seed,
    },
    /// The Daily Spire.
    Daily {
        /// The UTC day, `YYYY-MM-DD`.
        #[cfg_attr(feature = "schema", schemars(with = "String"), schema(value_type = String))]
        #[cfg_attr(test, ts(as = "String"))]
        day: Day,
        /// What the server published the day before: see [`daily::commitment`](crate::daily::commitment).
        #[cfg_attr(feature = "schema", schemars(with = "String"), schema(value_type = String))]
        #[cfg_attr(test, ts(as = "String"))]
        commitment: Seed,
        /// Whether it is practice after the one rated try.
        practice: bool,
    },
}

impl Solo {
    /// What stored rounds are found by.
    pub fn key(&self) -> Key {
        match *self {
            Solo::Stage { stage } => Key::Stage(stage),
            Solo::Lesson { lesson } => Key::Lesson(lesson),
            Solo::Shuffle { .. } => Key::Shuffle,
            Solo::Daily { day, practice: false, .. } => Key::Daily(day),
            Solo::Daily { day, practice: true, .. } => Key::Practice(day),
        }
    }

    /// The board and its proven optimum where everybody may know them beforehand.
    pub fn printed(&self) -> Option<(&'static Board, u32)> {
        match self {
            Solo::Stage { stage } => {
                let stage = almanac().stage(*stage);
                Some((&stage.board, stage.optimum))
            }
            Solo::Lesson { lesson } => {
                let lesson = lesson.lesson();
                Some((&lesson.board, lesson.optimum))
            }
            Solo::Shuffle { .. } | Solo::Daily { .. } => None,
        }
    }

    /// Whether nothing costs anything: no errors, no penalty moves, undo out of a lockout.
    pub fn is_relaxed(&self) -> bool {
        matches!(self, Solo::Shuffle { .. } | Solo::Lesson { .. })
    }

    /// Whether the way may be asked for: never where a result counts.
    pub fn is_helped(&self) -> bool {
        self.is_relaxed() || matches!(self, Solo::Daily { practice: true, .. })
    }

    /// Whether it is played once.
    pub fn is_once(&self) -> bool {
        matches!(self, Solo::Daily { practice: false, .. })
    }

    /// Whether its results stand on a leaderboard.
    pub fn is_ranked(&self) -> bool {
        matches!(self, Solo::Stage { .. }) || self.is_once()
    }
}

/// What stored rounds are found by: `stage/12`, `lesson/3`, `shuffle`, `daily/2026-11-30`, `practice/2026-11-30`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// A stage.
    Stage(StageNumber),
    /// A lesson.
    Lesson(LessonNumber),
    /// Infinite Shuffle.
    Shuffle,
    /// The rated try of a day.
    Daily(Day),
    /// Practice of a day.
    Practice(Day),
}

/// A text that is no key.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is no key of what is played alone")]
pub struct InvalidKey(pub String);

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Key::Stage(stage) => write!(f, "stage/{stage}"),
            Key::Lesson(lesson) => write!(f, "lesson/{lesson}"),
            Key::Shuffle => f.write_str("shuffle"),
            Key::Daily(day) => write!(f, "daily/{day}"),
            Key::Practice(day) => write!(f, "practice/{day}"),
        }
    }
}

impl FromStr for Key {
    type Err = InvalidKey;
    fn from_str(text: &str) -> Result<Key, InvalidKey> {
        let read = || match text.split_once('/') {
            None => (text == "shuffle").then_some(Key::Shuffle),
            Some(("stage", number)) => StageNumber::new(number.parse().ok()?).map(Key::Stage),
            Some(("lesson", number)) => LessonNumber::new(number.parse().ok()?).map(Key::Lesson),
            Some(("daily", day)) => day.parse().ok().map(Key::Daily),
            Some(("practice", day)) => day.parse().ok().map(Key::Practice),
            Some(_) => None,
        };
        read().filter(|key| key.to_string() == text).ok_or_else(|| InvalidKey(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_is_never_to_be_had_where_a_result_counts() {
        let (day, commitment) = (Day::of(0), Seed::from(1));
        let stage = Solo::Stage { stage: StageNumber::FIRST };
        let lesson = Solo::Lesson { lesson: LessonNumber::new(1).expect("a lesson") };
        let [rated, practice] = [false, true].map(|practice| Solo::Daily { day, commitment, practice });
        let all = [stage, lesson, Solo::Shuffle { seed: commitment }, rated, practice];
        assert_eq!(all.map(|solo| solo.is_ranked()), [true, false, false, true, false]);
        assert!(all.iter().all(|solo| !(solo.is_ranked() && (solo.is_helped() || solo.is_relaxed()))));
        let keys = ["stage/1", "lesson/1", "shuffle", "daily/1970-01-01", "practice/1970-01-01"];
        assert_eq!(all.map(|solo| solo.key().to_string()), keys);
        assert_eq!(keys.map(str::parse), all.map(|solo| Ok(solo.key())), "and are read again");
        for wrong in
            ["", "stage", "stage/0", "stage/01", "stage/+1", "shuffle/", "daily/2026-11-31", "weekly/2026-11-30"]
        {
            assert_eq!(wrong.parse::<Key>(), Err(InvalidKey(wrong.to_owned())));
        }
    }

    #[test]
    fn a_solo_mode_is_read_as_it_was_written_and_knows_no_other_fields() {
        let text = r#"{"mode":"stage","stage":12}"#;
        let stage = StageNumber::new(12).expect("a stage");
        let solo: Solo = serde_json::from_str(text).expect("it is one");
        assert_eq!(solo, Solo::Stage { stage });
        assert_eq!(serde_json::to_string(&solo).expect("it encodes"), text);
        for wrong in
            [r#"{"mode":"stage","stage":51}"#, r#"{"mode":"stage","stage":1,"seed":""}"#, r#"{"mode":"sprint"}"#]
        {
            assert!(serde_json::from_str::<Solo>(wrong).is_err(), "{wrong}");
        }
    }
}
