//! What a round writes on the boards, worked out from the round alone.
//!
//! Must never write for anybody in a race whose rating does not move: what is not worth a rating is not worth a place.

use std::collections::BTreeSet;

use sprint_shared::solo::Key;
use uuid::Uuid;

use super::ladder::{CountedRound, Field, Known, Move, Racer};
use super::{BoardKey, List, Span, Standing};
use crate::fair::STRONG;

/// The entries of a round, each sort in the order of boards, lists and players: nodes that lock the same rows do so in
/// the same order.
#[derive(Debug, Default)]
pub(crate) struct Entries {
    /// What is added to sums.
    pub points: Vec<Entry>,
    /// What replaces an entry that it beats.
    pub best: Vec<Entry>,
    /// Where players stand by rating now.
    pub ratings: Vec<RatingEntry>,
    /// Who has lost a place by rating, for want of certainty.
    pub gone: Vec<RatingEntry>,
}

/// A row of a board, as far as one round makes it.
#[derive(Debug)]
pub(crate) struct Entry {
    pub board: BoardKey,
    pub list: List,
    pub player_id: Uuid,
    pub place: i64,
    pub wins: i64,
}

/// A row of a rating board.
#[derive(Debug)]
pub(crate) struct RatingEntry {
    pub board: BoardKey,
    /// The board of sums from which its wins are taken.
    pub points: BoardKey,
    pub list: List,
    pub player_id: Uuid,
    pub place: i64,
    pub rounds: i64,
}

impl Entries {
    /// The entries of a round, given how ratings move in it, on boards of spans that end after `oldest_ms`.
    pub fn of(field: &Field<'_>, moves: &[Move<'_>], oldest_ms: i64) -> Entries {
        let mut entries = Entries::default();
        let at_ms = field.round.finished_at_ms;
        let mut spans = vec![Span::All, Span::day_of(at_ms), Span::week_of(at_ms)];
        spans.retain(|span| span.bounds_ms().1 > oldest_ms);
        for racer in &field.racers {
            if field.moves_by(racer) && racer.standing != Standing::Deleted {
                entries.add_sums(field, racer, &spans);
                entries.add_best(field, racer, &spans);
            }
        }
        for moved in moves {
            let racer = field.racers.iter().find(|racer| racer.seat.player_id == moved.player_id);
            if let Some(racer) = racer.filter(|racer| racer.standing != Standing::Deleted) {
                entries.add_rating(racer, moved);
            }
        }
        for sums in [&mut entries.points, &mut entries.best] {
            sums.sort_by(|a, b| (&a.board, a.list, a.player_id).cmp(&(&b.board, b.list, b.player_id)));
        }
        for ratings in [&mut entries.ratings, &mut entries.gone] {
            ratings.sort_by(|a, b| (&a.board, a.list, a.player_id).cmp(&(&b.board, b.list, b.player_id)));
        }
        entries
    }

    /// The entry of a round that was played alone and came to harmony; `known` is who played it.
    pub fn alone(round: &CountedRound, known: &[Known], oldest_ms: i64) -> Entries {
        let mut entries = Entries::default();
        let (Some(solo), Some(seat)) = (&round.solo, round.seats.first()) else { return entries };
        let (Some((board, ends_ms)), Some(official_ms)) = (ranked(solo), seat.official_ms) else { return entries };
        let standing = known.iter().find(|known| known.player_id == seat.player_id).map(|known| known.standing);
        // Who is not known any more, or is shut out, has no place; nor has what came to its end after its day.
        let stands = matches!(standing, Some(Standing::Fine | Standing::Flagged));
        if seat.finished && stands && round.finished_at_ms < ends_ms && ends_ms > oldest_ms {
            let list = match standing {
                _ if seat.bot => List::Bots,
                Some(Standing::Flagged) => List::Apart,
                _ if seat.suspicion & STRONG != 0 => List::Apart,
                _ => List::People,
            };
            let place = BoardKey::score_place(seat.score, official_ms);
            entries.best.push(Entry { board, list, player_id: seat.player_id, place, wins: 1 });
        }
        entries
    }

    /// The boards and the players that these entries are about, each once.
    pub fn keys(&self) -> (BTreeSet<&str>, BTreeSet<Uuid>) {
        let of_sums = [&self.points, &self.best].into_iter().flatten().map(|entry| (&entry.board, entry.player_id));
        let of_ratings = [&self.ratings, &self.gone].into_iter().flatten().map(|entry| (&entry.board, entry.player_id));
        of_sums.chain(of_ratings).map(|(board, player_id)| (board.as_str(), player_id)).unzip()
    }

    fn add_sums(&mut self, field: &Field<'_>, racer: &Racer<'_>, spans: &[Span]) {
        let preset = field.round.preset.as_str();
        for &span in spans {
            for preset in [None, Some(preset)] {
                let place = -racer.seat.score;
                self.points.push(entry(field, BoardKey::points(span, preset), racer, place));
            }
        }
    }

    fn add_best(&mut self, field: &Field<'_>, racer: &Racer<'_>, spans: &[Span]) {
        let (round, seat) = (field.round, racer.seat);
        if !seat.finished || !seat.clean {
            return;
        }
        for &span in spans {
            if let Some(official_ms) = seat.official_ms.filter(|_| !round.interrupted) {
                self.best.push(entry(field, BoardKey::fastest(span, &round.preset), racer, official_ms));
            }
            let ratio_ppm = seat.moves * 1_000_000 / round.optimum;
            self.best.push(entry(field, BoardKey::fewest(span, &round.preset), racer, ratio_ppm));
        }
    }

    fn add_rating(&mut self, racer: &Racer<'_>, moved: &Move<'_>) {
        let preset = Some(moved.series).filter(|series| !series.is_empty());
        let entry = RatingEntry {
            board: BoardKey::rating(preset),
            points: BoardKey::points(Span::All, preset),
            list: list_of(racer),
            player_id: moved.player_id,
            place: -moved.after.mu,
            rounds: moved.rounds,
        };
        match (moved.before.is_provisional(), moved.after.is_provisional()) {
            (_, false) => self.ratings.push(entry),
            (false, true) => self.gone.push(entry),
            (true, true) => {}
        }
    }
}

/// The board of what is played alone under a key, and when it takes no more entries (milliseconds since the Unix epoch);
/// `None` where results are not ranked.
pub(super) fn ranked(solo: &str) -> Option<(BoardKey, i64)> {
    match solo.parse().ok()? {
        Key::Stage(stage) => Some((BoardKey::stage(stage), i64::MAX)),
        Key::Daily(day) => Some((BoardKey::daily(day), day.ends_ms())),
        Key::Lesson(_) | Key::Shuffle | Key::Practice(_) => None,
    }
}

fn entry(field: &Field<'_>, board: BoardKey, racer: &Racer<'_>, place: i64) -> Entry {
    let seat = racer.seat;
    // A doubted result stands apart by itself; the player's others stay where they are.
    let list = match list_of(racer) {
        List::People if seat.suspicion & STRONG != 0 => List::Apart,
        list => list,
    };
    // The sole first of those who count, as a round of a series is taken: who shares a rank has not beaten everybody.
    let not_before = field.racers.iter().filter(|other| other.seat.rank <= seat.rank).count();
    let wins = i64::from(seat.finished && not_before == 1);
    Entry { board, list, player_id: seat.player_id, place, wins }
}

/// Where a player stands, whatever the result.
fn list_of(racer: &Racer<'_>) -> List {
    match racer.standing {
        _ if racer.seat.bot => List::Bots,
        Standing::Flagged => List::Apart,
        _ => List::People,
    }
}
