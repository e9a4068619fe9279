//! What a room is opened with: the options of RULES section 5 and what makes them valid.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::board::Board;
use crate::notation::NotationError;
use crate::preset::Preset;
use crate::solo::Solo;

/// A room's options. Fields left out take their defaults; [`RoomOptions::checked`] makes them consistent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RoomOptions {
    /// Seats, 2 to 4.
    pub seats: u8,
    /// The kind of board that is dealt; without meaning where a blueprint is given.
    pub preset: Preset,
    /// A fixed board in notation instead of a dealt one. Everybody may know it beforehand.
    pub blueprint: Option<String>,
    /// The timer of a round in seconds, 30 to 1800; the preset's own if left out, 300 for a blueprint.
    pub time_limit_s: Option<u32>,
    /// Best of 1, 3 or 5 rounds.
    pub rounds: u8,
    /// What decides a round.
    pub contest: Contest,
    /// What an illegal placement costs.
    pub placement: Placement,
    /// Whether rounds count for ratings: always strict, opponents as progress, spectators delayed.
    pub rated: bool,
    /// Whether the room is listed for everybody.
    pub public: bool,
    /// What racers see of each other.
    pub opponents: Opponents,
    /// Whether people may watch.
    pub spectators: bool,
    /// How far behind spectators are, in seconds, 0 to 60; at least 15 in a rated room.
    pub spectator_delay_s: u8,
    /// What one player plays alone here. The server opens such rooms when it is asked for the mode.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub solo: Option<Solo>,
}

/// What decides a round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum Contest {
    /// The first clean finish ends the round.
    #[default]
    Fastest,
    /// Everybody plays to the end; fewest moves, then official time.
    Fewest,
}

/// What an illegal placement costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum Placement {
    /// A placement error: the rulebook.
    #[default]
    Strict,
    /// Nothing; clients may show legal targets.
    Guarded,
}

/// What racers see of each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum Opponents {
    /// Their boards.
    #[default]
    Boards,
    /// Settled disks, moves and errors only.
    Progress,
}

/// The shortest timer, in seconds.
pub const TIME_LIMIT_S_MIN: u32 = 30;
/// The longest timer, in seconds.
pub const TIME_LIMIT_S_MAX: u32 = 1800;
/// The timer of a blueprint room unless it says otherwise, in seconds.
pub const BLUEPRINT_TIME_LIMIT_S: u32 = 300;
/// How long a solo session may last, in seconds: it has no timer, but its room does not stay open for ever.
pub const SOLO_LIMIT_S: u32 = 86_400;
/// The least delay of spectators of a rated race, in seconds.
pub const RATED_DELAY_S_MIN: u8 = 15;

/// Why options are refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BadOptions {
    /// Seats out of range.
    #[error("seats: a room has 2 to 4 seats, not {0}")]
    Seats(u8),
    /// Timer out of range.
    #[error("time_limit_s: a round lasts 30 to 1800 seconds, not {0}")]
    TimeLimit(u32),
    /// Rounds out of range.
    #[error("rounds: best of 1, 3 or 5, not {0}")]
    Rounds(u8),
    /// Delay out of range.
    #[error("spectator_delay_s: 0 to 60, not {0}")]
    SpectatorDelay(u8),
    /// The blueprint is no valid board.
    #[error("blueprint: {0}")]
    Blueprint(#[from] NotationError),
    /// The blueprint is solved already.
    #[error("blueprint: the board starts in harmony, there is nothing to race for")]
    Solved,
    /// The blueprint starts without a legal transfer.
    #[error("blueprint: no transfer is legal at its start, so nobody could ever solve it")]
    Lockout,
    /// A blueprint cannot be rated: its players may know it.
    #[error("rated: a blueprint room is unrated; rated rooms race on dealt boards")]
    RatedBlueprint,
    /// What is played alone has no options of its own.
    #[error(
        "solo: one player alone has a room of one seat, unlisted, unwatched and unrated, on a blueprint for a stage or a \
         lesson, else on a dealt board; nothing else can be chosen"
    )]
    Solo,
    /// A rated room is strict.
    #[error("placement: rated play is strict")]
    RatedGuarded,
}

impl Default for RoomOptions {
    fn default() -> Self {
        RoomOptions {
            seats: 2,
            preset: Preset::Standard,
            blueprint: None,
            time_limit_s: None,
            rounds: 1,
            contest: Contest::Fastest,
            placement: Placement::Strict,
            rated: false,
            public: false,
            opponents: Opponents::Boards,
            spectators: true,
            spectator_delay_s: 0,
            solo: None,
        }
    }
}

impl RoomOptions {
    /// The room in which one player plays alone; the preset is what is dealt, where anything is. A stage or a lesson names
    /// the board that is printed under its number, so that its rooms are replayed without the almanac.
    pub fn alone(solo: Solo, preset: Preset) -> RoomOptions {
        let blueprint = solo.printed().map(|(board, _)| board.to_string());
        RoomOptions { seats: 1, preset, blueprint, spectators: false, solo: Some(solo), ..RoomOptions::default() }
    }

    /// The options made consistent: the blueprint in canonical form, the rated room's rules enforced.
    /// The error names the field.
    pub fn checked(mut self) -> Result<RoomOptions, BadOptions> {
        if self.solo.is_some() {
            return self.checked_alone();
        }
        if !(2..=4).contains(&self.seats) {
            return Err(BadOptions::Seats(self.seats));
        }
        if ![1, 3, 5].contains(&self.rounds) {
            return Err(BadOptions::Rounds(self.rounds));
        }
        if self.spectator_delay_s > 60 {
            return Err(BadOptions::SpectatorDelay(self.spectator_delay_s));
        }
        let limit = self.time_limit_s();
        if !(TIME_LIMIT_S_MIN..=TIME_LIMIT_S_MAX).contains(&limit) {
            return Err(BadOptions::TimeLimit(limit));
        }
        if let Some(text) = &self.blueprint {
            let board: Board = text.parse()?;
            if board.is_harmony() {
                return Err(BadOptions::Solved);
            }
            if board.is_lockout(0) {
                return Err(BadOptions::Lockout);
            }
            self.blueprint = Some(board.to_string());
        }
        if self.rated {
            if self.blueprint.is_some() {
                return Err(BadOptions::RatedBlueprint);
            }
            if self.placement == Placement::Guarded {
                return Err(BadOptions::RatedGuarded);
            }
            self.opponents = Opponents::Progress;
            self.spectator_delay_s = self.spectator_delay_s.max(RATED_DELAY_S_MIN);
        }
        Ok(self)
    }

    fn checked_alone(self) -> Result<RoomOptions, BadOptions> {
        let blueprint = match &self.blueprint {
            Some(text) => Some(text.parse::<Board>()?.to_string()),
            None => None,
        };
        let solo = self.solo.filter(|solo| solo.printed().is_some() == blueprint.is_some()).ok_or(BadOptions::Solo)?;
        let alone = RoomOptions { blueprint, ..RoomOptions::alone(solo, self.preset) };
        if alone == self { Ok(self) } else { Err(BadOptions::Solo) }
    }

    /// What the deal draws from, as commitments name it: the preset's name, or `blueprint ` and the board; alone also
    /// `daily 2026-11-30`, and `shuffle ` with the preset's name and the seed.
    pub fn source(&self) -> String {
        match (&self.blueprint, &self.solo) {
            (Some(board), _) => format!("blueprint {board}"),
            (None, Some(Solo::Shuffle { seed })) => format!("shuffle {} {seed}", self.preset),
            (None, Some(Solo::Daily { day, .. })) => format!("daily {day}"),
            (None, _) => self.preset.name().to_owned(),
        }
    }

    /// The fewest players of a round.
    pub fn racers_min(&self) -> usize {
        if self.solo.is_some() { 1 } else { 2 }
    }

    /// The timer of a round in seconds.
    pub fn time_limit_s(&self) -> u32 {
        if self.solo.is_some() {
            return SOLO_LIMIT_S;
        }
        self.time_limit_s.unwrap_or(match self.blueprint {
            Some(_) => BLUEPRINT_TIME_LIMIT_S,
            None => self.preset.spec().time_limit_s,
        })
    }

    /// The cap on the lag credit, in milliseconds.
    pub fn credit_ms_max(&self) -> u32 {
        let counts = self.rated || self.solo.is_some_and(|solo| solo.is_once());
        if counts { 60 } else { 100 }
    }
}
