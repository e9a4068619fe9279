//! What the host of the server does about a player: flags, bans, and takes either back; and what there is to see.
//!
//! Must never leave ratings and boards as they were: whatever changes who counts is followed by a rebuild.

use serde_json::{Value, json};
use thiserror::Error;
use uuid::Uuid;

use crate::clock::Clock;
use crate::fair;
use crate::rebuild::{Purpose, RebuildError, Report, rebuild};
use crate::store::{Judged, Player, Standing, Store, StoreError, Suspect};

/// What the host does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The player goes on racing, and stands apart.
    Flag,
    /// Takes a flag back.
    Unflag,
    /// The player is let in nowhere, and nothing follows from their rounds.
    Ban,
    /// Takes a ban back.
    Unban,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// Who, as they stand now.
    pub player: Player,
    /// The rebuild that followed; `None` where another one is at work that has begun after the change.
    pub rebuilt: Option<Report>,
}

/// Why nothing was done.
#[derive(Debug, Error)]
pub enum NotJudged {
    /// Nobody is called that.
    #[error("there is no player {0:?}: give an id, or the name exactly as it is shown")]
    NoSuchPlayer(String),
    /// There is nothing to take back, or a ban to take back first.
    #[error("{name} is {is}: {instead}")]
    Not {
        /// Who.
        name: String,
        /// How they stand.
        is: &'static str,
        /// What would be right.
        instead: &'static str,
    },
    /// Ratings are being rebuilt.
    #[error("the ratings are being rebuilt at this moment: try again once that has ended")]
    Busy,
    /// The rebuild came to nothing; how the player stands is changed.
    #[error(
        "how the player stands is changed, but the ratings were not rebuilt ({0}): `sprint-server ratings rebuild`"
    )]
    NotRebuilt(#[source] RebuildError),
    /// The store does not answer.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Verdict {
    /// How a player then stands; `None` if they stand so that it means nothing.
    fn from(self, standing: Standing) -> Option<Standing> {
        match (self, standing) {
            (Verdict::Flag, Standing::Fine | Standing::Flagged) => Some(Standing::Flagged),
            (Verdict::Ban, Standing::Fine | Standing::Flagged | Standing::Banned) => Some(Standing::Banned),
            (Verdict::Unflag, Standing::Flagged) | (Verdict::Unban, Standing::Banned) => Some(Standing::Fine),
            _ => None,
        }
    }

    /// What to do where a verdict means nothing.
    fn instead(self, standing: Standing) -> &'static str {
        match (self, standing) {
            (_, Standing::Deleted) => "nothing of theirs stands on a board",
            (Verdict::Flag, _) => "unban them first",
            (Verdict::Unflag, Standing::Banned) => "to let them in again, unban them",
            (Verdict::Unban, Standing::Flagged) => "to take that back, unflag them",
            _ => "there is nothing to take back",
        }
    }
}

/// Judges a player, named by id or exact name, and rebuilds ratings and boards. Judging so again rebuilds again: that
/// ends what broke off in between.
pub async fn judge(
    store: &Store,
    clock: &Clock,
    who: &str,
    verdict: Verdict,
    reason: &str,
) -> Result<Judgement, NotJudged> {
    let mut player = find(store, who).await?;
    let Some(standing) = verdict.from(player.standing) else {
        let (name, is, instead) = (player.name, standing_name(player.standing), verdict.instead(player.standing));
        return Err(NotJudged::Not { name, is, instead });
    };
    if standing != player.standing {
        let now_ms = clock.now().0 as i64;
        if !store.set_standing(player.player_id, standing, reason, now_ms).await? {
            return Err(NotJudged::Busy);
        }
        player.standing = standing;
    }
    match rebuild(store, clock, Purpose::Replace).await {
        Ok(report) => Ok(Judgement { player, rebuilt: Some(report) }),
        Err(RebuildError::Busy) => Ok(Judgement { player, rebuilt: None }),
        Err(error) => Err(NotJudged::NotRebuilt(error)),
    }
}

async fn find(store: &Store, who: &str) -> Result<Player, NotJudged> {
    if let Ok(id) = Uuid::try_parse(who)
        && let Some(player) = store.player(id).await?
    {
        return Ok(player);
    }
    store.player_named(who).await?.ok_or_else(|| NotJudged::NoSuchPlayer(who.to_owned()))
}

/// What a standing is called.
pub fn standing_name(standing: Standing) -> &'static str {
    match standing {
        Standing::Fine => "fine",
        Standing::Flagged => "flagged",
        Standing::Banned => "banned",
        Standing::Deleted => "deleted",
    }
}

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

    #[test]
    fn only_what_was_done_can_be_taken_back() {
        use Standing::{Banned, Deleted, Fine, Flagged};
        for (verdict, from, to) in [
            (Verdict::Flag, Fine, Some(Flagged)),
            (Verdict::Flag, Banned, None),
            (Verdict::Unflag, Flagged, Some(Fine)),
            (Verdict::Unflag, Fine, None),
            (Verdict::Unflag, Banned, None),
            (Verdict::Ban, Fine, Some(Banned)),
            (Verdict::Ban, Flagged, Some(Banned)),
            (Verdict::Unban, Banned, Some(Fine)),
            (Verdict::Unban, Flagged, None),
            (Verdict::Ban, Deleted, None),
            (Verdict::Unban, Deleted, None),
        ] {
            assert_eq!(verdict.from(from), to, "{verdict:?} {from:?}");
        }
    }

    #[test]
    fn what_was_done_may_be_done_again_so_that_a_broken_rebuild_is_ended() {
        assert_eq!(Verdict::Ban.from(Standing::Banned), Some(Standing::Banned));
        assert_eq!(Verdict::Flag.from(Standing::Flagged), Some(Standing::Flagged));
    }
}
