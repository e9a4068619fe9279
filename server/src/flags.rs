//! What the command line tells of flags, bans and signs: lines of text, or one document for programs.
//!
//! Must never let what somebody wrote break a line in two.

use serde_json::{Value, json};

use crate::fair;
use crate::judge::standing_name;
use crate::store::{Judged, Suspect};

/// A line for people: when, how the player stands, who, why.
pub fn judged_line(judged: &Judged) -> String {
    let Judged { player_id, name, standing, standing_at_ms, reason } = judged;
    let reason = reason.replace(|c: char| c.is_control(), " ");
    [&utc(*standing_at_ms), standing_name(*standing), &player_id.to_string(), name, &reason].join("\t")
}

/// A line for people: when, which signs, who and how they stand, in which round, and what the result was.
pub fn suspect_line(suspect: &Suspect) -> String {
    let result = match (suspect.official_ms, suspect.optimum) {
        (Some(ms), Some(optimum)) => format!("{} moves of {optimum} in {ms} ms", suspect.moves),
        (Some(ms), None) => format!("{} moves in {ms} ms", suspect.moves),
        (None, _) => format!("{} moves, not finished", suspect.moves),
    };
    let kind = if suspect.matched { "quick match" } else { "room" };
    let board = suspect.preset.as_deref().unwrap_or("blueprint");
    let (signs, standing) = (fair::names(suspect.suspicion).join(","), standing_name(suspect.standing));
    let (player, round) = (suspect.player_id.to_string(), suspect.round_id.to_string());
    [&utc(suspect.finished_at_ms), &signs, &player, &suspect.name, standing, &round, kind, board, &result].join("\t")
}

/// All of it for programs.
pub fn as_json(judged: &[Judged], suspects: &[Suspect]) -> Value {
    let judged = judged.iter().map(|judged| {
        json!({
            "player_id": judged.player_id, "name": judged.name, "standing": standing_name(judged.standing),
            "at_ms": judged.standing_at_ms, "reason": judged.reason,
        })
    });
    let suspects = suspects.iter().map(|suspect| {
        json!({
            "round_id": suspect.round_id, "finished_at_ms": suspect.finished_at_ms, "matched": suspect.matched,
            "preset": suspect.preset, "seat": suspect.seat, "player_id": suspect.player_id, "name": suspect.name,
            "standing": standing_name(suspect.standing), "signs": fair::names(suspect.suspicion),
            "moves": suspect.moves, "optimum": suspect.optimum, "official_ms": suspect.official_ms,
        })
    });
    json!({ "standings": judged.collect::<Vec<_>>(), "suspicions": suspects.collect::<Vec<_>>() })
}

/// An instant as `2026-01-15 12:00:00Z`.
fn utc(ms: i64) -> String {
    let (mut days, second) = (ms.div_euclid(86_400_000), ms.rem_euclid(86_400_000) / 1_000);
    // Years that begin in March end with the leap day: eras of 400 years are all alike.
    days += 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let from_march = (5 * day + 2) / 153;
    let (day, month) = (day - (153 * from_march + 2) / 5 + 1, (from_march + 2) % 12 + 1);
    let year = era * 400 + year + i64::from(month <= 2);
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_read_as_the_calendar_says() {
        for (ms, text) in [
            (0, "1970-01-01 00:00:00Z"),
            (951_782_399_999, "2000-02-28 23:59:59Z"),
            (951_782_400_000, "2000-02-29 00:00:00Z"),
            (951_868_800_000, "2000-03-01 00:00:00Z"),
            (1_709_164_800_000, "2024-02-29 00:00:00Z"),
            (1_735_689_599_000, "2024-12-31 23:59:59Z"),
            (1_768_478_400_000, "2026-01-15 12:00:00Z"),
            (4_107_542_400_000, "2100-03-01 00:00:00Z"),
            (-1, "1969-12-31 23:59:59Z"),
        ] {
            assert_eq!(utc(ms), text);
        }
    }
}
