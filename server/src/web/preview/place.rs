//! What lies at an address of the page, as far as its preview goes. The page's own reading is `client/web/src/lib/route.ts`.
//!
//! Must never ask anybody: an address alone says what it is.

use sprint_shared::almanac::{Stage, StageNumber, almanac};
use sprint_shared::day::Day;
use sprint_shared::lesson::{Lesson, LessonNumber};
use uuid::Uuid;

use super::tags::Preview;

/// What lies at an address.
#[derive(Debug, PartialEq)]
pub(in super::super) enum Place {
    /// What is always the same.
    Known(&'static Known),
    /// The room of this code, as it was typed.
    Room(String),
    /// The same, for those who watch.
    Watched(String),
    /// A round that is over; what is no id is nobody's.
    Round(Uuid),
    /// A player; likewise.
    Player(Uuid),
    /// Today's Daily Spire.
    Today,
    /// That of a day.
    Day(Day),
    /// A stage of Campaign Master.
    Stage(&'static Stage),
    /// A lesson of the tutorial.
    Lesson(&'static Lesson),
}

/// A part of the page that is the same for everybody.
#[derive(Debug, PartialEq)]
pub(in super::super) struct Known {
    /// The page's own name for it.
    page: &'static str,
    /// Its address, without the slash before it.
    path: &'static str,
    title: &'static str,
    description: &'static str,
}

/// What the game is, wherever nothing else is told.
const GAME: &str = "Two to four technomancers, one board of Tower of Hanoi Sort, one instant: race for harmony.";

const fn known(page: &'static str, path: &'static str, title: &'static str, description: &'static str) -> Known {
    Known { page, path, title, description }
}

/// The whole page.
static START: Known = known("start", "", "", GAME);
/// What is at no address.
static UNKNOWN: Known = known("unknown", "", "", GAME);

static KNOWN: [Known; 11] = [
    known(
        "leaderboard",
        "leaderboard",
        "Leaderboards",
        "The fastest, the fewest moves and the highest scores, by board and by day.",
    ),
    known("account", "me", "You", "Your name, your rounds and your devices."),
    known("link", "link", "Link this device", "Play on this device as who you are on another."),
    known("quick", "quick", "Quick match", "Race somebody of your strength now, on a board that nobody has seen."),
    known(
        "hanoi",
        "hanoi",
        "The classic tower",
        "The Tower of Hanoi, move by move, by four methods that find the same line.",
    ),
    known("watch", "watch", "Watch", "Races that are on now, with every board in view."),
    known(
        "campaign",
        "campaign",
        "Campaign Master",
        "Fifty boards in chapters, each with an idea of its own and a proven optimum.",
    ),
    known("tutorial", "tutorial", "Tutorial", "The rules by doing, a lesson at a time."),
    known(
        "shuffle",
        "shuffle",
        "Infinite Shuffle",
        "Dealt boards without end, each with a proven optimum. No clock but your own.",
    ),
    known("rules", "rules", "Rules and story", "How the Spire is restored: disks, pegs, transfers, and what counts."),
    known(
        "offline",
        "offline",
        "Offline",
        "What can be played without a network: boards alone that were loaded before.",
    ),
];

impl Place {
    /// What lies at this path.
    pub(in super::super) fn of(path: &str) -> Place {
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        let own = match parts[..] {
            [] => Some(Place::Known(&START)),
            ["daily"] => Some(Place::Today),
            ["r", code] => Some(Place::Room(code.to_owned())),
            ["watch", code] => Some(Place::Watched(code.to_owned())),
            ["m", id] => Some(Place::Round(Uuid::try_parse(id).unwrap_or_default())),
            ["p", id] => Some(Place::Player(Uuid::try_parse(id).unwrap_or_default())),
            ["daily", day] => Some(day.parse().map_or(Place::Today, Place::Day)),
            ["campaign", number] => StageNumber::new(numbered(number)).map(|n| Place::Stage(almanac().stage(n))),
            ["tutorial", number] => LessonNumber::new(numbered(number)).map(|n| Place::Lesson(n.lesson())),
            ["shuffle", _] => find("shuffle"),
            [only] => find(only),
            _ => None,
        };
        own.unwrap_or(Place::Known(&UNKNOWN))
    }

    /// The page's own name for it: `PAGES` in `client/web/src/lib/pages.ts`.
    pub(in super::super) fn page(&self) -> &'static str {
        match self {
            Place::Known(known) => known.page,
            Place::Room(_) => "room",
            Place::Watched(_) => "watching",
            Place::Round(_) => "match",
            Place::Player(_) => "player",
            Place::Today | Place::Day(_) => "daily",
            Place::Stage(_) => "stage",
            Place::Lesson(_) => "lesson",
        }
    }

    /// What is told where nothing of its own can be.
    pub(super) fn in_general(&self) -> Preview {
        match self {
            Place::Known(known) => known.preview(),
            Place::Room(_) => Preview::new("A room", format!("{GAME} Open the link to join.")),
            Place::Watched(_) => Preview::new("Watch", format!("{GAME} Open the link to watch.")),
            Place::Round(_) => Preview::new("Round result", "A round, move by move, with its boards and its proof."),
            Place::Player(_) => Preview::new("Player", "A technomancer's ratings and rounds."),
            Place::Today | Place::Day(_) => {
                Preview::new("Daily Spire", "One board a day, the same for everybody, and one rated try.")
            }
            Place::Stage(_) => Preview::new("Campaign Master", GAME),
            Place::Lesson(_) => Preview::new("Tutorial", GAME),
        }
    }
}

impl Known {
    pub(super) fn preview(&self) -> Preview {
        Preview::new(self.title, self.description)
    }
}

fn find(path: &str) -> Option<Place> {
    KNOWN.iter().find(|known| known.path == path).map(Place::Known)
}

/// A number as an address may say it, or 0, which nothing has.
fn numbered(text: &str) -> u32 {
    let is_plain = text.len() <= 3 && text.bytes().all(|digit| digit.is_ascii_digit()) && !text.starts_with('0');
    text.parse().ok().filter(|_| is_plain).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn an_address_says_what_it_is() {
        let id: Uuid = "018f3b5a-7c1e-7000-8000-000000000001".parse().expect("an id");
        let day: Day = "2026-11-29".parse().expect("a day");
        for (path, place) in [
            ("/", Place::Known(&START)),
            ("/r/7K3ABC", Place::Room("7K3ABC".to_owned())),
            ("/r//7K3ABC/", Place::Room("7K3ABC".to_owned())),
            ("/watch/7K3ABC", Place::Watched("7K3ABC".to_owned())),
            ("/m/018f3b5a-7c1e-7000-8000-000000000001", Place::Round(id)),
            ("/m/none", Place::Round(Uuid::nil())),
            ("/p/018f3b5a-7c1e-7000-8000-000000000001", Place::Player(id)),
            ("/daily", Place::Today),
            ("/daily/2026-11-29", Place::Day(day)),
            ("/daily/yesterday", Place::Today),
            ("/campaign/51", Place::Known(&UNKNOWN)),
            ("/campaign/05", Place::Known(&UNKNOWN)),
            ("/campaign/5/5", Place::Known(&UNKNOWN)),
            ("/nowhere", Place::Known(&UNKNOWN)),
        ] {
            assert_eq!(Place::of(path), place, "{path}");
        }
        for (path, page) in [
            ("/campaign", "campaign"),
            ("/campaign/50", "stage"),
            ("/tutorial/1", "lesson"),
            ("/shuffle/9f", "shuffle"),
            ("/me", "account"),
            ("/me/x", "unknown"),
        ] {
            assert_eq!(Place::of(path).page(), page, "{path}");
        }
    }

    #[test]
    fn every_page_that_the_client_knows_is_known_here() {
        let pages = concat!(env!("CARGO_MANIFEST_DIR"), "/../client/web/src/lib/pages.ts");
        let pages = std::fs::read_to_string(pages).expect("the client's pages");
        let table =
            pages.split_once("export const PAGES").and_then(|(_, rest)| rest.split_once("\n};")).expect("the table");
        let theirs: BTreeSet<&str> = table
            .0
            .lines()
            .filter_map(|line| line.strip_prefix("  ")?.split_once(": "))
            .map(|(name, _)| name)
            .collect();
        let id = Uuid::nil();
        let paths = ["/", "/nowhere", "/r/7K3ABC", "/watch/7K3ABC", "/daily", "/campaign/1", "/tutorial/1"];
        let paths = paths.map(str::to_owned).into_iter().chain([format!("/m/{id}"), format!("/p/{id}")]);
        let paths = paths.chain(KNOWN.iter().map(|known| format!("/{}", known.path)));
        let ours: BTreeSet<&str> = paths.map(|path| Place::of(&path).page()).collect();
        assert!(theirs.len() > 15 && theirs.is_subset(&ours), "{theirs:?} {ours:?}");
    }
}
