//! Rounds and leaderboards of the twin, worked out from the stored rounds each time.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use uuid::Uuid;

use super::tables::Tables;
use super::{Answer, MemoryDatabase};
use crate::store::round::points_of;
use crate::store::{BestAfter, BestRow, MatchAfter, PlayerMatch, PointsAfter, PointsRow};
use crate::store::{RoundRecord, RoundResult, SeatRecord, SeatResult, Span};

impl MemoryDatabase {
    pub(crate) async fn round(&self, round_id: Uuid) -> Answer<Option<RoundResult>> {
        Ok(self.tables().round(round_id).map(result))
    }

    pub(crate) async fn seats(&self, round_id: Uuid) -> Answer<Vec<SeatResult>> {
        let tables = self.tables();
        let seats = tables.round(round_id).into_iter().flat_map(|(_, round)| &round.seats);
        let mut seats: Vec<SeatResult> = seats
            .map(|seat| {
                let player = tables.players.get(&seat.player_id);
                let name = player.map(|player| player.name.clone()).unwrap_or_default();
                SeatResult { seat: seat.clone(), name, bot: player.is_some_and(|player| player.bot) }
            })
            .collect();
        seats.sort_by_key(|seat| seat.seat.seat);
        Ok(seats)
    }

    pub(crate) async fn rounds_of_room(&self, room_id: Uuid) -> Answer<Vec<RoundResult>> {
        let tables = self.tables();
        let mut rounds: Vec<RoundResult> = tables.rounds.iter().filter(|(of, _)| *of == room_id).map(result).collect();
        rounds.sort_by_key(|round| (round.round, round.round_id));
        Ok(rounds)
    }

    pub(crate) async fn rounds(&self, after: MatchAfter, limit: i64) -> Answer<Vec<RoundResult>> {
        let mut rounds: Vec<RoundResult> = self.tables().rounds.iter().map(result).collect();
        rounds.retain(|round| place(round) < (after.finished_at_ms, after.round_id));
        rounds.sort_by_key(|round| Reverse(place(round)));
        rounds.truncate(limit as usize);
        Ok(rounds)
    }

    pub(crate) async fn matches_of(&self, player_id: Uuid, after: MatchAfter, limit: i64) -> Answer<Vec<PlayerMatch>> {
        let rounds = self.rounds(after, i64::MAX).await?;
        let tables = self.tables();
        let own = rounds.into_iter().filter_map(|round| {
            let (_, record) = tables.round(round.round_id)?;
            let seat = record.seats.iter().find(|seat| seat.player_id == player_id)?;
            Some(PlayerMatch { round, seat: seat.seat, rank: seat.rank, score: seat.score })
        });
        Ok(own.take(limit as usize).collect())
    }

    pub(crate) async fn rounds_by_preset(&self) -> Answer<Vec<(String, i64)>> {
        let mut counts: BTreeMap<String, i64> = BTreeMap::new();
        for (_, round) in &self.tables().rounds {
            if let Some(preset) = &round.preset {
                *counts.entry(preset.clone()).or_default() += 1;
            }
        }
        Ok(counts.into_iter().collect())
    }

    pub(crate) async fn sprint_points(
        &self,
        span: Span,
        preset: Option<&str>,
        bots: bool,
        after: PointsAfter,
        limit: i64,
    ) -> Answer<Vec<PointsRow>> {
        let (tables, span) = (self.tables(), span.key());
        let mut sums: BTreeMap<Uuid, PointsRow> = BTreeMap::new();
        for (_, round) in &tables.rounds {
            for (_, _, player_id, seat) in
                points_of(round).into_iter().filter(|row| row.0 == span && row.1 == preset.unwrap_or(""))
            {
                let Some(player) = tables.players.get(&player_id).filter(|player| player.bot == bots) else { continue };
                let empty = || empty_points(player_id, &player.name, round.finished_at_ms);
                add(sums.entry(player_id).or_insert_with(empty), round, seat);
            }
        }
        let place = |row: &PointsRow| (Reverse(row.points), row.reached_at_ms, row.player_id);
        let mut rows: Vec<PointsRow> = sums.into_values().collect();
        rows.retain(|row| place(row) > (Reverse(after.points), after.reached_at_ms, after.player_id));
        rows.sort_by_key(place);
        rows.truncate(limit as usize);
        Ok(rows)
    }

    /// Each player's best clean finish: the fastest that no outage fell into, or the one with the fewest moves.
    pub(crate) async fn best(
        &self,
        is_fastest: bool,
        span: Span,
        preset: &str,
        bots: bool,
        after: BestAfter,
        limit: i64,
    ) -> Answer<Vec<BestRow>> {
        let tables = self.tables();
        let (from_ms, to_ms) = span.bounds_ms();
        let place = |row: &BestRow| (row.value, row.finished_at_ms, row.round_id, row.player_id);
        let counts = |round: &&(Uuid, RoundRecord)| {
            round.1.preset.as_deref() == Some(preset)
                && (from_ms..to_ms).contains(&round.1.finished_at_ms)
                && !(is_fastest && round.1.interrupted)
        };
        let mut best: BTreeMap<Uuid, BestRow> = BTreeMap::new();
        for (_, round) in tables.rounds.iter().filter(counts) {
            for seat in round.seats.iter().filter(|seat| seat.finished && seat.clean) {
                let Some(row) = best_row(&tables, round, seat, is_fastest, bots) else { continue };
                if best.get(&seat.player_id).is_none_or(|before| place(&row) < place(before)) {
                    best.insert(seat.player_id, row);
                }
            }
        }
        let mut rows: Vec<BestRow> = best.into_values().collect();
        rows.retain(|row| place(row) > (after.value, after.finished_at_ms, after.round_id, after.player_id));
        rows.sort_by_key(place);
        rows.truncate(limit as usize);
        Ok(rows)
    }
}

fn place(round: &RoundResult) -> (i64, Uuid) {
    (round.finished_at_ms, round.round_id)
}

fn empty_points(player_id: Uuid, name: &str, reached_at_ms: i64) -> PointsRow {
    let name = name.to_owned();
    let (best_raw_ms, best_credit_ms, best_official_ms) = (None, None, None);
    PointsRow {
        player_id,
        name,
        points: 0,
        rounds: 0,
        wins: 0,
        best_raw_ms,
        best_credit_ms,
        best_official_ms,
        reached_at_ms,
    }
}

fn add(row: &mut PointsRow, round: &RoundRecord, seat: &SeatRecord) {
    row.points += seat.score;
    row.rounds += 1;
    row.wins += i64::from(seat.finished && seat.rank == 1);
    if seat.score > 0 {
        row.reached_at_ms = row.reached_at_ms.max(round.finished_at_ms);
    }
    let is_better = seat.official_ms.is_some_and(|new| row.best_official_ms.is_none_or(|best| new < best));
    if is_better && seat.finished && seat.clean && !round.interrupted {
        (row.best_raw_ms, row.best_credit_ms, row.best_official_ms) = (seat.raw_ms, seat.credit_ms, seat.official_ms);
    }
}

fn best_row(tables: &Tables, round: &RoundRecord, seat: &SeatRecord, is_fastest: bool, bots: bool) -> Option<BestRow> {
    let player = tables.players.get(&seat.player_id).filter(|player| player.bot == bots)?;
    let ratio_ppm = round.optimum.filter(|optimum| *optimum > 0).map(|optimum| seat.moves * 1_000_000 / optimum);
    Some(BestRow {
        player_id: seat.player_id,
        name: player.name.clone(),
        value: if is_fastest { seat.official_ms? } else { ratio_ppm? },
        round_id: round.round_id,
        moves: seat.moves,
        optimum: round.optimum,
        official_ms: seat.official_ms,
        score: seat.score,
        flawless: seat.flawless,
        finished_at_ms: round.finished_at_ms,
    })
}

fn result((room_id, round): &(Uuid, RoundRecord)) -> RoundResult {
    let round = round.clone();
    RoundResult {
        round_id: round.round_id,
        room_id: *room_id,
        round: round.round,
        first_seq: round.first_seq,
        last_seq: round.last_seq,
        preset: round.preset,
        board: round.board,
        optimum: round.optimum,
        par: round.par,
        seed: round.seed,
        deal_version: round.deal_version,
        contest: round.contest,
        placement: round.placement,
        rated: round.rated,
        interrupted: round.interrupted,
        started_at_ms: round.started_at_ms,
        finished_at_ms: round.finished_at_ms,
        body: round.body,
    }
}
