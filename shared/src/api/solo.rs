//! What is played alone: the almanac, the tutorial, Infinite Shuffle, the Daily Spire, and how far a player has come.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::almanac::{Features, Stage};
use crate::daily::Revealed;
use crate::day::Day;
use crate::deal::Seed;
use crate::lesson::{Goal, Lesson};
use crate::preset::Preset;
use crate::score;

/// `GET /campaign`: the almanac of Campaign Master.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Campaign {
    /// All stages in order.
    pub stages: Vec<StageInfo>,
}

/// One stage of the almanac.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct StageInfo {
    /// Its number, 1 to 50.
    pub stage: u8,
    /// Its name.
    pub name: String,
    /// The name of its chapter.
    pub chapter: String,
    /// What it teaches or tests, in one sentence.
    pub idea: String,
    /// The board, in notation.
    pub board: String,
    /// The least number of transfers to harmony, proven.
    pub optimum: u32,
    /// Par.
    pub par: u32,
    /// The difficulty: roughly the seconds of a casual player.
    pub difficulty_s: u32,
    /// Active spectra.
    pub spectra: u8,
    /// Disks of each spectrum; of unequal ones, the most.
    pub sizes: u8,
    /// Pegs.
    pub pegs: u8,
    /// Pegs without a disk at the start.
    pub free: u8,
    /// Places that collars take off at the start.
    pub collars: u8,
    /// Seals.
    pub seals: u8,
    /// Spectra with a home.
    pub homes: u8,
}

/// `GET /tutorial`: its lessons.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Tutorial {
    /// All lessons in order.
    pub lessons: Vec<LessonInfo>,
}

/// One lesson of the tutorial.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LessonInfo {
    /// Its number, from 1.
    pub lesson: u8,
    /// Its name.
    pub name: String,
    /// What it teaches, in one sentence.
    pub teaches: String,
    /// The board, in notation.
    pub board: String,
    /// The least number of transfers to harmony, proven.
    pub optimum: u32,
    /// What is to be done, in order.
    pub steps: Vec<StepInfo>,
}

/// One step of a lesson.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct StepInfo {
    /// What the player is told.
    pub say: String,
    /// What ends it.
    pub goal: Goal,
}

/// `GET /players/me/solo`: how far a player has come alone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Progress {
    /// The stages that were tried, in order.
    pub stages: Vec<StageRecord>,
    /// The last stage that is open: each opens when the one before it is solved.
    pub open: u8,
    /// The lessons that were solved, in order.
    pub lessons: Vec<u8>,
    /// Days in a row on which the Daily Spire was restored, today or yesterday the last of them.
    pub streak: u32,
    /// The longest of such rows.
    pub streak_longest: u32,
}

/// A player's record on a stage. Each figure is the best one; they need not be of one session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct StageRecord {
    /// The stage's number.
    pub stage: u8,
    /// Sessions that ended, solved or not.
    pub tries: u32,
    /// Those of them that were solved.
    pub solved: u32,
    /// Most stars, 1 to 3; 0 if it was never solved.
    pub stars: u8,
    /// Whether it was solved in the optimum.
    pub crown: bool,
    /// The highest score.
    pub score: u32,
    /// The fewest moves of a solve; null without one.
    pub moves: Option<u32>,
    /// The shortest official time of a solve, in milliseconds.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub official_ms: Option<u64>,
    /// The round with the highest score, to be seen again.
    pub round_id: Option<Uuid>,
}

/// `POST /shuffle`: the next board of Infinite Shuffle.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NewShuffle {
    /// The kind of board; null follows the player: harder after a board that was restored, easier after one that was left.
    pub preset: Option<Preset>,
    /// The seed, 64 hex digits or a decimal number below 2^64; null draws one.
    pub seed: Option<String>,
    /// Whether the last board was restored by being shown the way: then it says nothing of the player.
    pub helped: bool,
}

/// `GET /rooms/{code}/way`: a way to harmony from where the caller's board stands, the shortest that was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Way {
    /// The accepted acts behind the position that it begins at: the way is stale once the seat has another `ply`.
    pub ply: u32,
    /// Transfers such as `1-3`, first to last; null where harmony can no longer be reached: undo, or reset.
    pub transfers: Option<Vec<String>>,
}

/// `GET /daily`: the board of the day, and the promise of the next one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Daily {
    /// Today.
    pub today: DailyPromise,
    /// Tomorrow: its seed is fixed already.
    pub tomorrow: DailyPromise,
    /// How the caller stands today; null without a token.
    pub own: Option<OwnDaily>,
}

/// What is published of a day before it is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DailyPromise {
    /// The UTC day, `YYYY-MM-DD`.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    #[cfg_attr(test, ts(as = "String"))]
    pub day: Day,
    /// The kind of board.
    pub preset: Preset,
    /// The hash of the seed and what it is for, 64 hex digits.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    #[cfg_attr(test, ts(as = "String"))]
    pub commitment: Seed,
    /// When the server bound itself, in milliseconds since the Unix epoch.
    #[cfg_attr(test, ts(type = "number"))]
    pub committed_at_ms: i64,
    /// When the day is over.
    #[cfg_attr(test, ts(type = "number"))]
    pub ends_at_ms: i64,
}

/// How a player stands on the day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OwnDaily {
    /// The room of the one rated try while it is open; null before and after it.
    pub code: Option<String>,
    /// What the rated try came to; null until it is over.
    pub result: Option<DailyResult>,
    /// Days in a row on which the Daily Spire was restored, today or yesterday the last of them.
    pub streak: u32,
    /// The longest of such rows.
    pub streak_longest: u32,
}

/// What a rated try came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DailyResult {
    /// The round.
    pub round_id: Uuid,
    /// Whether harmony was reached.
    pub finished: bool,
    /// Official moves.
    pub moves: u32,
    /// Placement errors.
    pub errors: u32,
    /// The optimum of the board.
    pub optimum: u32,
    /// 1 to 3; 0 without harmony.
    pub stars: u8,
    /// Whether it was solved in the optimum.
    pub crown: bool,
    /// Neither undo nor reset.
    pub flawless: bool,
    /// The score.
    pub score: u32,
    /// The official time in milliseconds; null without harmony.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub official_ms: Option<u64>,
}

/// `POST /daily`: the room of the rated try, or of practice after it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NewDaily {
    /// Practice: as often as wanted, once the rated try is over.
    pub practice: bool,
}

/// `GET /daily/{day}`: a day that is over, with everything needed to deal its board again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PastDaily {
    /// What was published before.
    pub promise: DailyPromise,
    /// The version of the deal.
    pub deal_version: u16,
    /// What was secret, 64 hex digits.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    #[cfg_attr(test, ts(as = "String"))]
    pub server_seed: Seed,
    /// How many boards of the seed were shown before in a race.
    pub redeals: u32,
    /// The board, in notation.
    pub board: String,
    /// Its optimum, proven.
    pub optimum: u32,
    /// Its par.
    pub par: u32,
}

impl From<&PastDaily> for Revealed {
    fn from(past: &PastDaily) -> Revealed {
        let PastDaily {
            promise: DailyPromise { day, preset, commitment, .. }, deal_version, server_seed, redeals, ..
        } = *past;
        Revealed { day, preset, deal_version, commitment, server_seed, redeals }
    }
}

impl From<&Stage> for StageInfo {
    fn from(stage: &Stage) -> StageInfo {
        let Features { spectra, sizes, pegs, free, collars, seals, homes } = stage.features();
        let [spectra, sizes, pegs, free, collars, seals, homes] =
            [spectra, sizes, pegs, free, collars, seals, homes].map(|count| count as u8);
        StageInfo {
            stage: stage.number.number(),
            name: stage.name.clone(),
            chapter: stage.chapter.clone(),
            idea: stage.idea.clone(),
            board: stage.board.to_string(),
            optimum: stage.optimum,
            par: score::par(stage.optimum),
            difficulty_s: stage.difficulty_s().round() as u32,
            spectra,
            sizes,
            pegs,
            free,
            collars,
            seals,
            homes,
        }
    }
}

impl From<&Lesson> for LessonInfo {
    fn from(lesson: &Lesson) -> LessonInfo {
        let steps = lesson.steps.iter().map(|step| StepInfo { say: step.say.to_owned(), goal: step.goal });
        LessonInfo {
            lesson: lesson.number.number(),
            name: lesson.name.to_owned(),
            teaches: lesson.teaches.to_owned(),
            board: lesson.board.to_string(),
            optimum: lesson.optimum,
            steps: steps.collect(),
        }
    }
}
