//! Best of 1, 3 or 5: when a series is over, and who is Master Technomancer.

use uuid::Uuid;

use super::Race;
use crate::result::{RoundResult, SeriesRank};
use crate::time::{SEATS_MAX, Seat};

/// What a round adds to its series.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Record {
    entries: [Option<Entry>; SEATS_MAX],
    taken_by: Option<(Seat, Uuid)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    player: Uuid,
    name: String,
    rank: u32,
    official_ms: u64,
}

impl Record {
    pub(super) fn of(result: &RoundResult, limit_ms: u64) -> Record {
        let mut entries = [const { None }; SEATS_MAX];
        for seat in &result.seats {
            let official_ms = seat.finish.map_or(limit_ms, |f| f.official_ms);
            let entry = Entry { player: seat.player, name: seat.name.clone(), rank: seat.rank.into(), official_ms };
            entries[seat.seat.index()] = Some(entry);
        }
        let mut first = result.seats.iter().filter(|s| s.rank == 1);
        let taken_by = first.next().filter(|_| first.next().is_none()).map(|s| (s.seat, s.player));
        Record { entries, taken_by }
    }
}

impl Race {
    /// Rounds of the series that a player has taken in that seat.
    pub(super) fn taken(&self, seat: Seat, player: Uuid) -> u32 {
        self.series.iter().filter(|r| r.taken_by == Some((seat, player))).count() as u32
    }

    /// Rounds that the last player left takes, because the others are last in all that remain.
    fn walkovers(&self) -> Option<(Uuid, u32)> {
        let mut remaining = self.remaining();
        let (_, last) = remaining.next().filter(|_| remaining.next().is_none())?;
        Some((last.player, u32::from(self.options.rounds).saturating_sub(self.series.len() as u32)))
    }

    /// Somebody has more than half of the rounds, or all are played, or one player is left.
    pub(super) fn is_series_over(&self) -> bool {
        self.series.len() >= usize::from(self.options.rounds) || self.has_majority() || self.remaining().count() < 2
    }

    fn has_majority(&self) -> bool {
        let takers = self.series.iter().filter_map(|r| r.taken_by);
        takers.into_iter().any(|(seat, player)| self.taken(seat, player) * 2 > u32::from(self.options.rounds))
    }

    /// Ranked by rounds taken, then by the sum of ranks, then by total official time. Who left is last in the rounds
    /// that remained.
    pub(super) fn series_ranking(&self) -> Vec<SeriesRank> {
        let Some(first) = self.series.first() else { return Vec::new() };
        let last_rank = first.entries.iter().flatten().count() as u32;
        let limit_ms = self.limit_ms();
        let walkovers = self.walkovers().filter(|_| !self.has_majority());
        let entered = Seat::ALL.into_iter().filter_map(|seat| Some((seat, first.entries[seat.index()].as_ref()?)));
        let mut ranking: Vec<SeriesRank> = entered
            .map(|(seat, entry)| {
                let rounds = || self.series.iter().map(move |r| r.entries[seat.index()].as_ref());
                let (won, lost) = match walkovers {
                    Some((player, unplayed)) if player == entry.player => (unplayed, 0),
                    Some((_, unplayed)) => (0, unplayed),
                    None => (0, 0),
                };
                let unplayed_ms = u64::from(won + lost) * limit_ms;
                SeriesRank {
                    seat,
                    player: entry.player,
                    name: entry.name.clone(),
                    rank: 0,
                    taken: self.taken(seat, entry.player) + won,
                    ranks: rounds().map(|e| e.map_or(last_rank, |e| e.rank)).sum::<u32>() + won + lost * last_rank,
                    official_ms: rounds()
                        .map(|e| e.map_or(limit_ms, |e| e.official_ms))
                        .fold(unplayed_ms, u64::saturating_add),
                }
            })
            .collect();
        let key = |r: &SeriesRank| (u32::MAX - r.taken, r.ranks, r.official_ms);
        ranking.sort_by_key(|r| (key(r), r.seat));
        let keys: Vec<_> = ranking.iter().map(key).collect();
        for entry in &mut ranking {
            entry.rank = keys.iter().filter(|&&other| other < key(entry)).count() as u8 + 1;
        }
        ranking
    }
}
