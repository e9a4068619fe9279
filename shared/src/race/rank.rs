//! Who stands where: the ranking of a round.

use super::{Decided, Race, Racer, Round};
use crate::options::Contest;
use crate::play::Play;
use crate::result::{Ended, FinishTimes, RoundResult, SeatResult};
use crate::score;
use crate::time::{SEATS_MAX, Seat};

/// How a racer stands at an instant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Standing {
    pub finish: Option<FinishTimes>,
    pub settled: u32,
    pub moves: u32,
    pub errors: u32,
    pub flawless: bool,
    pub gave_up: bool,
    /// Not connected.
    pub away: bool,
}

impl Standing {
    fn of(racer: &Racer, away: bool) -> Standing {
        let play = racer.play.as_ref();
        Standing {
            finish: racer.finish,
            settled: play.map_or(0, Play::settled),
            moves: play.map_or(0, Play::moves),
            errors: play.map_or(0, Play::errors),
            flawless: play.is_none_or(Play::is_flawless),
            gave_up: racer.gave_up && racer.finish.is_none(),
            away: away && racer.finish.is_none(),
        }
    }

    /// What ranks: clean finishers, finishers with errors, the rest, those who gave up or are absent; smaller is
    /// better, equal keys share a rank.
    fn key(&self, contest: Contest) -> (u8, u64, u64) {
        match (self.finish, contest) {
            (Some(finish), Contest::Fastest) => (u8::from(self.errors > 0), finish.official_ms, 0),
            (Some(finish), Contest::Fewest) => (0, self.moves.into(), finish.official_ms),
            (None, _) if self.gave_up || self.away => (3, 0, 0),
            (None, _) => (2, u64::MAX - u64::from(self.settled), self.moves.into()),
        }
    }
}

impl Race {
    /// How everybody stands now.
    pub(super) fn standings(&self) -> [Option<Standing>; SEATS_MAX] {
        Seat::ALL.map(|seat| {
            let racer = self.round.as_ref()?.racers[seat.index()].as_ref()?;
            Some(Standing::of(racer, !self.is_present(seat)))
        })
    }
}

impl Round {
    /// How a racer, who stands so now, stands in the result. Once first place is decided, everybody stands as they
    /// did then, but for a finish on a slower line that is officially no later than the deciding one.
    fn final_standing(&self, seat: Seat, now: Standing, contest: Contest) -> Standing {
        let Some(Decided { standings, .. }) = &self.decided else { return now };
        let Some(then) = standings[seat.index()] else { return now };
        let leader = standings.iter().flatten().filter_map(|s| Some((s.key(contest), s.finish?.official_ms)));
        let deciding_ms = leader.min().map(|(_, official_ms)| official_ms);
        match (now.finish, deciding_ms) {
            (Some(finish), Some(deciding)) if finish.official_ms <= deciding => now,
            _ => then,
        }
    }
}

impl Race {
    /// The result of the round as its events stand. `None` outside a round.
    pub fn result(&self, ended: Ended) -> Option<RoundResult> {
        let round = self.round.as_ref()?;
        let contest = self.options.contest;
        let par = round.optimum.map(score::par);
        let mut ranked: Vec<_> = round
            .racers()
            .map(|(seat, racer)| {
                let now = Standing::of(racer, !self.is_present(seat));
                let standing = round.final_standing(seat, now, contest);
                (standing.key(contest), seat, racer, standing)
            })
            .collect();
        ranked.sort_by_key(|&(key, seat, ..)| (key, seat));
        let keys: Vec<_> = ranked.iter().map(|&(key, ..)| key).collect();
        let seats = ranked.into_iter().map(|(key, seat, racer, standing)| {
            let rank = keys.iter().filter(|&&other| other < key).count() as u8 + 1;
            seat_result(seat, racer, standing, rank, round.optimum, par)
        });
        Some(RoundResult {
            round: round.number,
            round_id: round.id,
            ended,
            interrupted: round.interrupted,
            optimum: round.optimum,
            par,
            seats: seats.collect(),
        })
    }
}

fn seat_result(
    seat: Seat,
    racer: &Racer,
    standing: Standing,
    rank: u8,
    optimum: Option<u32>,
    par: Option<u32>,
) -> SeatResult {
    let Standing { finish, settled, moves, errors, flawless, gave_up, away } = standing;
    SeatResult {
        seat,
        player: racer.player,
        name: racer.name.clone(),
        bot: racer.bot,
        rank,
        finish,
        gave_up,
        absent: away,
        settled,
        moves,
        errors,
        flawless,
        score: finish.map_or(0, |f| score::score(moves, par, f.official_ms, flawless)),
        stars: finish.and(optimum).map_or(0, |optimum| score::stars(moves, optimum)),
        crown: finish.is_some() && optimum == Some(moves),
    }
}
