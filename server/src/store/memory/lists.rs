//! Rounds of the twin. It knows no ladder and no boards: nothing that is simulated rests on them.

use std::cmp::Reverse;

use uuid::Uuid;

use super::{Answer, MemoryDatabase};
use crate::store::{MatchAfter, PlayerMatch, RatingRow, RoundRecord, RoundResult, SeatRatingRow, SeatResult};

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
                SeatResult { seat: seat.clone(), name }
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
        let mut rounds = self.newest(after);
        rounds.retain(|round| round.solo.is_none());
        rounds.truncate(limit as usize);
        Ok(rounds)
    }

    fn newest(&self, after: MatchAfter) -> Vec<RoundResult> {
        let mut rounds: Vec<RoundResult> = self.tables().rounds.iter().map(result).collect();
        rounds.retain(|round| place(round) < (after.finished_at_ms, after.round_id));
        rounds.sort_by_key(|round| Reverse(place(round)));
        rounds
    }

    pub(crate) async fn round_keys(&self, after: MatchAfter, limit: i64) -> Answer<Vec<(i64, Uuid)>> {
        Ok(self.newest(after).iter().take(limit as usize).map(place).collect())
    }

    pub(crate) async fn room_ids(&self, after: Uuid, limit: i64) -> Answer<Vec<Uuid>> {
        let mut ids: Vec<Uuid> = self.tables().rooms.keys().copied().filter(|id| *id > after).collect();
        ids.sort_unstable();
        ids.truncate(limit as usize);
        Ok(ids)
    }

    pub(crate) async fn round_ids_of_room(&self, room_id: Uuid) -> Answer<Vec<Uuid>> {
        Ok(self.rounds_of_room(room_id).await?.iter().map(|round| round.round_id).collect())
    }

    /// None: the twin keeps a seat's columns with its round.
    pub(crate) async fn seats_unlike_their_round(&self, _round_id: Uuid) -> Answer<i64> {
        Ok(0)
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

    pub(crate) async fn review(&self, round_id: Uuid, format: i64) -> Answer<Option<String>> {
        let tables = self.tables();
        Ok(tables.reviews.get(&round_id).filter(|(of, _)| *of == format).map(|(_, body)| body.clone()))
    }

    pub(crate) async fn put_review(&self, round_id: Uuid, format: i64, body: &str) -> Answer<()> {
        self.write(|tables| tables.reviews.insert(round_id, (format, body.to_owned()))).await;
        Ok(())
    }

    /// None: the twin knows no ladder.
    pub(crate) async fn ratings_of(&self, _: Uuid) -> Answer<Vec<RatingRow>> {
        Ok(Vec::new())
    }

    /// None: the twin knows no ladder.
    pub(crate) async fn seat_ratings(&self, _: Uuid) -> Answer<Vec<SeatRatingRow>> {
        Ok(Vec::new())
    }

    /// None: the twin knows no ladder.
    pub(crate) async fn ratings_since_shown(&self) -> Answer<Vec<RatingRow>> {
        Ok(Vec::new())
    }

    /// None: the twin knows no boards.
    pub(crate) async fn round_to_show(&self) -> Answer<Option<i64>> {
        Ok(None)
    }

    /// None: the twin knows no ladder.
    pub(crate) async fn generation(&self) -> Answer<Option<i64>> {
        Ok(None)
    }
}

fn place(round: &RoundResult) -> (i64, Uuid) {
    (round.finished_at_ms, round.round_id)
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
        matched: round.matched,
        interrupted: round.interrupted,
        started_at_ms: round.started_at_ms,
        finished_at_ms: round.finished_at_ms,
        solo: round.solo,
        body: round.body,
    }
}
