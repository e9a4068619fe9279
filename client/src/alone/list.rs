//! The almanac as a table for people and as JSON for programs.

use serde_json::json;
use sprint_shared::api::{Progress, StageInfo, StageRecord};

use crate::screen::{cut, stars};

/// A head and one line a stage: number, name, chapter, stars, crown, fewest moves of the optimum, par, state.
pub fn lines(stages: &[StageInfo], progress: Option<&Progress>, unicode: bool) -> Vec<String> {
    let head = format!(
        "{:>5} {:<23} {:<19} {:<5} {:<5} {:>7} {:>4} state",
        "stage", "name", "chapter", "stars", "crown", "moves", "par"
    );
    std::iter::once(head).chain(stages.iter().map(|stage| line(stage, progress, unicode))).collect()
}

fn line(stage: &StageInfo, progress: Option<&Progress>, unicode: bool) -> String {
    let record = record_of(stage, progress).filter(|record| record.solved > 0);
    let (won, crown) = record.map_or((0, false), |record| (record.stars, record.crown));
    let least = record.and_then(|record| record.moves).map_or_else(|| "-".to_owned(), |moves| moves.to_string());
    let state = match record {
        Some(_) => "solved",
        None if progress.map_or(1, |progress| progress.open) >= stage.stage => "open",
        None => "locked",
    };
    format!(
        "{:>5} {:<23} {:<19} {:<5} {:<5} {:>7} {:>4} {state}",
        stage.stage,
        cut(&stage.name, 23),
        cut(&stage.chapter, 19),
        stars(won, unicode),
        if crown { "yes" } else { "-" },
        format!("{least}/{}", stage.optimum),
        stage.par,
    )
}

/// The stages as the server tells them, each with the player's record; `open` is the last stage that is.
pub fn as_json(stages: &[StageInfo], progress: Option<&Progress>) -> String {
    let stages = stages.iter().map(|stage| {
        let mut told = serde_json::to_value(stage).expect("a stage always encodes");
        told["record"] = json!(record_of(stage, progress));
        told
    });
    json!({ "open": progress.map_or(1, |progress| progress.open), "stages": stages.collect::<Vec<_>>() }).to_string()
}

fn record_of<'a>(stage: &StageInfo, progress: Option<&'a Progress>) -> Option<&'a StageRecord> {
    progress?.stages.iter().find(|record| record.stage == stage.stage)
}
