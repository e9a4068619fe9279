//! Seasons of rated races to store, and the numbers that come of them.

use sprint_server::rating::Rating;
use sprint_server::store::{RoundRecord, Store};
use uuid::Uuid;

use crate::rows::{NOON_MS, player, race};

const HOUR_MS: i64 = 3_600_000;

/// The same rounds every time: two to four of these players, ties and leavers among them, over many days.
pub fn season(players: &[Uuid], count: usize) -> Vec<RoundRecord> {
    let mut state = 1_u64;
    let mut draw = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let rounds = (0..count as i64).map(|index| {
        let mut left = players.to_vec();
        let order: Vec<Uuid> = (0..2 + draw(3)).map(|_| left.swap_remove(draw(left.len()))).collect();
        let mut round = race(NOON_MS + index * 5 * HOUR_MS, &order);
        if draw(4) == 0 {
            round.seats[1].rank = 1;
        }
        if draw(5) == 0 {
            let last = round.seats.last_mut().unwrap();
            (last.finished, last.official_ms, last.score) = (false, None, 0);
        }
        round.preset = Some(["standard", "expert"][draw(2)].to_owned());
        round
    });
    rounds.collect()
}

/// The same rounds as they would have been without a player: nobody stands behind who was not there.
pub fn without(rounds: &[RoundRecord], player: Uuid) -> Vec<RoundRecord> {
    let mut rounds = rounds.to_vec();
    for round in &mut rounds {
        round.seats.retain(|seat| seat.player_id != player);
        let ranks: Vec<i64> = round.seats.iter().map(|seat| seat.rank).collect();
        for seat in &mut round.seats {
            seat.rank = 1 + ranks.iter().filter(|rank| **rank < seat.rank).count() as i64;
        }
    }
    rounds
}

/// Players P0, P1 and so on.
pub async fn people(store: &Store, count: usize) -> Vec<Uuid> {
    let mut people = Vec::new();
    for index in 0..count {
        people.push(player(store, &format!("P{index}"), false).await);
    }
    people
}

/// All ratings of these players, and their movements in these rounds.
pub async fn numbers(store: &Store, players: &[Uuid], rounds: &[RoundRecord]) -> Vec<String> {
    let mut numbers = Vec::new();
    for player in players {
        numbers.push(format!("{:?}", store.ratings_of(*player).await.unwrap()));
    }
    for round in rounds {
        numbers.push(format!("{:?}", store.seat_ratings(round.round_id).await.unwrap()));
    }
    numbers
}

/// The rating over all presets and its rounds; `None` without one.
pub async fn rating(store: &Store, player: Uuid) -> Option<(Rating, i64)> {
    let rows = store.ratings_of(player).await.unwrap();
    rows.iter().find(|row| row.series.is_empty()).map(|row| (row.rating(), row.rounds))
}
