//! What the host of the server does about a player: flags, bans, and takes either back.
//!
//! Must never leave ratings and boards as they were: whatever changes who counts is followed by a rebuild.

use thiserror::Error;
use uuid::Uuid;

use crate::clock::Clock;
use crate::house;
use crate::rebuild::{Purpose, RebuildError, Report, rebuild_as};
use crate::store::{Player, Standing, Store, StoreError};

/// What the host does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The person goes on racing, and stands apart.
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
    /// The rebuild that followed; `None` where another command has taken it over, and counts this too.
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
    /// The rebuild came to nothing; how the player stands is changed.
    #[error(
        "how the player stands is changed, but the ratings were not rebuilt ({0}): once that is mended, say so again"
    )]
    NotRebuilt(#[source] RebuildError),
    /// The store does not answer.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Verdict {
    /// How a player then stands; `None` if they stand so that it means nothing. Bots stand apart as it is.
    fn from(self, standing: Standing, bot: bool) -> Option<Standing> {
        use Standing::{Banned, Deleted, DeletedAndBanned, Fine, Flagged};
        match (self, standing) {
            (Verdict::Flag, Fine | Flagged) if !bot => Some(Flagged),
            (Verdict::Ban, Fine | Flagged | Banned) => Some(Banned),
            // Whoever is gone has raced all the same, and others' ratings rest on it.
            (Verdict::Ban, Deleted | DeletedAndBanned) => Some(DeletedAndBanned),
            (Verdict::Unban, DeletedAndBanned) => Some(Deleted),
            (Verdict::Unflag, Flagged) | (Verdict::Unban, Banned) => Some(Fine),
            _ => None,
        }
    }

    /// What to do where a verdict means nothing.
    fn instead(self, standing: Standing, bot: bool) -> &'static str {
        match (self, standing) {
            (Verdict::Flag, _) if bot => "bots stand on a list of their own; ban it if it is to stand on none",
            (Verdict::Flag, Standing::Deleted | Standing::DeletedAndBanned) => {
                "nothing of theirs stands on a board; what others lost to them goes with a ban"
            }
            (Verdict::Flag, _) => "unban them first",
            (Verdict::Unflag, Standing::Banned) => "to let them in again, unban them",
            (Verdict::Unban, Standing::Flagged) => "to take that back, unflag them",
            _ => "there is nothing to take back",
        }
    }
}

/// Judges a player, named by id or exact name, and rebuilds ratings and boards, in place of whoever was rebuilding
/// them. Judging so again rebuilds again: that ends what broke off in between.
pub async fn judge(
    store: &Store,
    clock: &Clock,
    who: &str,
    verdict: Verdict,
    reason: &str,
) -> Result<Judgement, NotJudged> {
    let (player, building) = loop {
        let mut player = find(store, who).await?;
        let Player { player_id, standing: was, bot, .. } = player;
        if verdict == Verdict::Ban && house::is_one(player_id) {
            let instead = "everybody may race it, and what it wins stands on the bots' own list";
            return Err(NotJudged::Not { name: player.name, is: "a bot of the house", instead });
        }
        let Some(is) = verdict.from(was, bot) else {
            let is = if verdict == Verdict::Flag && bot { "a bot" } else { standing_name(was) };
            let (name, instead) = (player.name, verdict.instead(was, bot));
            return Err(NotJudged::Not { name, is, instead });
        };
        // Whoever stands otherwise by now, judged by another or gone, is looked at again.
        if let Some(building) = store.set_standing(player_id, (was, is), reason, clock.now().0 as i64).await? {
            player.standing = is;
            break (player, building);
        }
    };
    match rebuild_as(store, clock, Purpose::Replace, building).await {
        Ok(report) => Ok(Judgement { player, rebuilt: Some(report) }),
        Err(RebuildError::Lost) => Ok(Judgement { player, rebuilt: None }),
        Err(error) => Err(NotJudged::NotRebuilt(error)),
    }
}

async fn find(store: &Store, who: &str) -> Result<Player, NotJudged> {
    if let Ok(id) = Uuid::try_parse(who)
        && let Some(player) = store.player(id).await?
    {
        return Ok(player);
    }
    // A name that was copied from the page may stand apart there from what is beside it.
    let name = who.trim_matches(['\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}']);
    store.player_named(name).await?.ok_or_else(|| NotJudged::NoSuchPlayer(who.to_owned()))
}

/// What a standing is called.
pub fn standing_name(standing: Standing) -> &'static str {
    match standing {
        Standing::Fine => "fine",
        Standing::Flagged => "flagged",
        Standing::Banned => "banned",
        Standing::Deleted => "deleted",
        Standing::DeletedAndBanned => "deleted and banned",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_done_can_be_taken_back() {
        use Standing::{Banned, Deleted, DeletedAndBanned, Fine, Flagged};
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
            (Verdict::Ban, Deleted, Some(DeletedAndBanned)),
            (Verdict::Unban, DeletedAndBanned, Some(Deleted)),
            (Verdict::Unban, Deleted, None),
            (Verdict::Flag, Deleted, None),
        ] {
            assert_eq!(verdict.from(from, false), to, "{verdict:?} {from:?}");
            let of_bot = to.filter(|_| verdict != Verdict::Flag);
            assert_eq!(verdict.from(from, true), of_bot, "{verdict:?} {from:?} of a bot");
        }
    }

    #[test]
    fn what_was_done_may_be_done_again_so_that_a_broken_rebuild_is_ended() {
        assert_eq!(Verdict::Ban.from(Standing::Banned, false), Some(Standing::Banned));
        let gone = Standing::DeletedAndBanned;
        assert_eq!(Verdict::Ban.from(gone, false), Some(gone));
        assert_eq!(Verdict::Flag.from(Standing::Flagged, false), Some(Standing::Flagged));
    }
}
