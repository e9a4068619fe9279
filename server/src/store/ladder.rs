//! The ladder: how ratings follow from a round of quick match, in the transaction that stores it. Places on boards
//! follow later, in `store/show`.
//!
//! A rebuild goes the same way, round for round by `round_result.number`, into a generation of its own. Must never
//! let anything of a person follow from a round with a bot in it, nor count a round twice in one generation.

use std::collections::BTreeMap;
use std::time::Duration;

use sqlx::{FromRow, PgConnection, Postgres, QueryBuilder, Sqlite, SqliteConnection};
use tokio::time::{Instant, sleep};
use uuid::Uuid;

use super::entry::ranked;
use super::{RoundRecord, SeatRecord, Standing};
use crate::rating::{FORMULA, Rating, rate};

const DAY_MS: i64 = 86_400_000;
/// The series of ratings over all presets.
const ALL_PRESETS: &str = "";

/// Numbers the round and counts it in the generation that counts: the row of the ladder is locked first, so that
/// nodes take turns.
const NEXT_NUMBER: &str = "INSERT INTO ladder (id, generation, rounds, formula) VALUES (1, 1, 1, $1) \
     ON CONFLICT (id) DO UPDATE SET rounds = ladder.rounds + 1 RETURNING generation, rounds";
const NUMBER: &str = "UPDATE round_result SET number = $2 WHERE round_id = $1";
/// Whoever counts, shows or removes locks the row of the ladder before any entry, and waits here for whoever else does.
pub(super) const LOCK_LADDER: &str = "UPDATE ladder SET rounds = rounds WHERE id = 1 RETURNING generation, shown";
/// The longest pause between two steps.
const PAUSE_MAX: Duration = Duration::from_millis(100);

/// A round from which ratings and places may follow.
#[derive(Clone, Debug)]
pub(crate) struct CountedRound {
    pub round_id: Uuid,
    /// The preset's name; empty on a stage.
    pub preset: String,
    /// What was played alone; `None` in races.
    pub solo: Option<String>,
    /// At least 1.
    pub optimum: i64,
    /// Whether people's ratings follow from it.
    pub rated: bool,
    pub interrupted: bool,
    pub finished_at_ms: i64,
    /// In ascending order.
    pub seats: Vec<SeatRecord>,
}

impl CountedRound {
    /// Of races quick match alone counts, on boards that are dealt and whose optimum is proven, played strictly. What is
    /// played alone counts where its results are ranked: that moves no rating.
    pub fn of(round: &RoundRecord) -> Option<CountedRound> {
        let is_ranked = round.solo.as_deref().is_some_and(|solo| ranked(solo).is_some());
        let counts = (round.matched || is_ranked) && round.placement == "strict";
        let mut seats = round.seats.clone();
        seats.sort_by_key(|seat| seat.seat);
        counts.then_some(CountedRound {
            round_id: round.round_id,
            preset: if is_ranked { round.preset.clone().unwrap_or_default() } else { round.preset.clone()? },
            solo: round.solo.clone(),
            optimum: round.optimum.filter(|optimum| *optimum >= 1)?,
            rated: round.rated,
            interrupted: round.interrupted,
            finished_at_ms: round.finished_at_ms,
            seats,
        })
    }
}

/// Pauses for as long as a step took: who waits for the writer of a SQLite file asks now and then only, and must find
/// it free as often as not.
pub(crate) async fn make_way(begun: Instant) {
    sleep(begun.elapsed().min(PAUSE_MAX)).await;
}

/// What each kind of connection does for the ladder, within a transaction.
pub(crate) trait Ladder {
    /// Gives a round that was just stored its number, and counts it; `most` as in [`Ladder::count`].
    async fn enter(&mut self, round: &CountedRound, most: Option<i64>) -> Result<(), sqlx::Error>;

    /// Counts a round in a generation, unless two of its racers have met in `most` of that day already.
    async fn count(&mut self, generation: i64, round: &CountedRound, most: Option<i64>) -> Result<(), sqlx::Error>;

    /// Those of the round's players whom the store knows.
    async fn known(&mut self, round: &CountedRound) -> Result<Vec<Known>, sqlx::Error>;

    /// Counts the meetings of these players; false, and nothing counted, if two of them have met in `most` rounds of
    /// that day already.
    async fn meet(&mut self, generation: i64, field: &Field<'_>, most: Option<i64>) -> Result<bool, sqlx::Error>;

    /// The ratings of these players in both series of the round, as far as they have any.
    async fn ratings(&mut self, generation: i64, field: &Field<'_>) -> Result<Vec<Rated>, sqlx::Error>;

    /// Writes how ratings move.
    async fn write_moves(
        &mut self,
        generation: i64,
        round: &CountedRound,
        moves: &[Move<'_>],
    ) -> Result<(), sqlx::Error>;
}

/// A player as the store knows it.
#[derive(FromRow)]
pub(crate) struct Known {
    pub player_id: Uuid,
    pub standing: Standing,
    strength: Option<i64>,
}

/// A stored rating.
#[derive(FromRow)]
pub(crate) struct Rated {
    series: String,
    player_id: Uuid,
    mu: i64,
    sigma: i64,
    rounds: i64,
}

/// Those of a round who count: the banned are left out, as if they had never sat there.
pub(crate) struct Field<'a> {
    pub round: &'a CountedRound,
    pub racers: Vec<Racer<'a>>,
    /// Whether people's ratings move; if not, bots' do.
    people_move: bool,
}

pub(crate) struct Racer<'a> {
    pub seat: &'a SeatRecord,
    pub standing: Standing,
    strength: Option<i64>,
}

/// How a rating moves.
pub(crate) struct Move<'a> {
    pub series: &'a str,
    pub seat: i64,
    pub player_id: Uuid,
    pub before: Rating,
    pub after: Rating,
    /// Rounds of this series, this one included.
    pub rounds: i64,
}

impl<'a> Field<'a> {
    /// `None` if nobody's rating follows from the round.
    pub fn of(round: &'a CountedRound, known: &[Known]) -> Option<Field<'a>> {
        let racers = round.seats.iter().filter_map(|seat| {
            let known = known.iter().find(|known| known.player_id == seat.player_id);
            let (strength, standing) = known.map_or_else(Default::default, |known| (known.strength, known.standing));
            let counts = !matches!(standing, Standing::Banned | Standing::DeletedAndBanned);
            counts.then_some(Racer { seat, standing, strength })
        });
        let racers: Vec<Racer<'_>> = racers.collect();
        // A bot that is left out now had its part in how the race went.
        let people_move = round.rated && round.seats.iter().all(|seat| !seat.bot);
        let anybody_moves = people_move || racers.iter().any(|racer| racer.seat.bot);
        (racers.len() >= 2 && anybody_moves).then_some(Field { round, racers, people_move })
    }

    /// Whether this racer's rating moves.
    pub fn moves_by(&self, racer: &Racer<'_>) -> bool {
        self.people_move || racer.seat.bot
    }

    /// Whether all are people, or all are bots of others than the house: how often these meet is limited, since some
    /// of them may be one owner's.
    fn is_of_equals(&self) -> bool {
        self.people_move || self.racers.iter().all(|racer| racer.seat.bot && racer.strength.is_none())
    }

    fn players(&self) -> Vec<Uuid> {
        self.racers.iter().map(|racer| racer.seat.player_id).collect()
    }

    /// Everybody with everybody, the smaller id first, sorted: nodes that lock the same rows do so in the same order.
    fn pairs(&self) -> Vec<(Uuid, Uuid)> {
        let mut players = self.players();
        players.sort_unstable();
        let with_later = |(index, one): (usize, &Uuid)| {
            let one = *one;
            players[index + 1..].iter().map(move |other| (one, *other)).collect::<Vec<_>>()
        };
        players.iter().enumerate().flat_map(with_later).collect()
    }

    /// The UTC day's number.
    fn day(&self) -> i64 {
        self.round.finished_at_ms.div_euclid(DAY_MS)
    }

    /// How ratings move in both series, given what is stored.
    fn moves(&self, stored: &[Rated]) -> Vec<Move<'a>> {
        let stored: BTreeMap<(&str, Uuid), &Rated> =
            stored.iter().map(|rated| ((rated.series.as_str(), rated.player_id), rated)).collect();
        let mut moves = Vec::new();
        for series in [ALL_PRESETS, self.round.preset.as_str()] {
            let before = self.racers.iter().map(|racer| match stored.get(&(series, racer.seat.player_id)) {
                Some(rated) => (Rating { mu: rated.mu, sigma: rated.sigma }, rated.rounds),
                None => (racer.strength.map_or(Rating::fresh(), Rating::house), 0),
            });
            let before: Vec<(Rating, i64)> = before.collect();
            let ranked: Vec<(Rating, i64)> =
                before.iter().zip(&self.racers).map(|((rating, _), racer)| (*rating, racer.seat.rank)).collect();
            for ((racer, (before, rounds)), after) in self.racers.iter().zip(before).zip(rate(&ranked)) {
                let SeatRecord { seat, player_id, .. } = *racer.seat;
                if self.moves_by(racer) {
                    moves.push(Move { series, seat, player_id, before, after, rounds: rounds + 1 });
                }
            }
        }
        moves.sort_by_key(|moved| (moved.series, moved.player_id));
        moves
    }
}

/// The statements are the same on both databases; what differs are the types that they are prepared for.
macro_rules! ladder {
    ($connection:ty, $database:ty) => {
        impl Ladder for $connection {
            async fn enter(&mut self, round: &CountedRound, most: Option<i64>) -> Result<(), sqlx::Error> {
                let (generation, number): (i64, i64) =
                    sqlx::query_as(NEXT_NUMBER).bind(FORMULA).fetch_one(&mut *self).await?;
                sqlx::query(NUMBER).bind(round.round_id).bind(number).execute(&mut *self).await?;
                self.count(generation, round, most).await
            }

            async fn count(
                &mut self,
                generation: i64,
                round: &CountedRound,
                most: Option<i64>,
            ) -> Result<(), sqlx::Error> {
                if round.solo.is_some() {
                    return Ok(());
                }
                let known = self.known(round).await?;
                let Some(field) = Field::of(round, &known) else { return Ok(()) };
                if field.is_of_equals() && !self.meet(generation, &field, most).await? {
                    return Ok(());
                }
                let moves = field.moves(&self.ratings(generation, &field).await?);
                self.write_moves(generation, round, &moves).await
            }

            async fn known(&mut self, round: &CountedRound) -> Result<Vec<Known>, sqlx::Error> {
                let mut known =
                    QueryBuilder::<$database>::new("SELECT player_id, standing, strength FROM player WHERE player_id");
                among(&mut known, round.seats.iter().map(|seat| seat.player_id));
                known.build_query_as().fetch_all(&mut *self).await
            }

            async fn meet(
                &mut self,
                generation: i64,
                field: &Field<'_>,
                most: Option<i64>,
            ) -> Result<bool, sqlx::Error> {
                if let Some(most) = most {
                    let mut full = QueryBuilder::<$database>::new("SELECT count(*) FROM pair_day WHERE rounds >= ");
                    full.push_bind(most).push(" AND generation = ").push_bind(generation);
                    full.push(" AND day = ").push_bind(field.day()).push(" AND player_a");
                    among(&mut full, field.players());
                    among(full.push(" AND player_b"), field.players());
                    let full: i64 = full.build_query_scalar().fetch_one(&mut *self).await?;
                    if full > 0 {
                        return Ok(false);
                    }
                }
                let mut pairs = QueryBuilder::<$database>::new(
                    "INSERT INTO pair_day (generation, day, player_a, player_b, rounds) ",
                );
                pairs.push_values(field.pairs(), |mut row, (one, other)| {
                    row.push_bind(generation).push_bind(field.day()).push_bind(one).push_bind(other).push("1");
                });
                pairs.push(
                    " ON CONFLICT (generation, day, player_a, player_b) DO UPDATE SET rounds = pair_day.rounds + 1",
                );
                pairs.build().execute(&mut *self).await?;
                Ok(true)
            }

            async fn ratings(&mut self, generation: i64, field: &Field<'_>) -> Result<Vec<Rated>, sqlx::Error> {
                let mut stored = QueryBuilder::<$database>::new(
                    "SELECT series, player_id, mu, sigma, rounds FROM rating WHERE generation = ",
                );
                stored.push_bind(generation).push(" AND series IN (").push_bind(ALL_PRESETS).push(", ");
                stored.push_bind(field.round.preset.as_str()).push(") AND player_id");
                among(&mut stored, field.players());
                stored.build_query_as().fetch_all(&mut *self).await
            }

            async fn write_moves(
                &mut self,
                generation: i64,
                round: &CountedRound,
                moves: &[Move<'_>],
            ) -> Result<(), sqlx::Error> {
                let mut ratings = QueryBuilder::<$database>::new(
                    "INSERT INTO rating (generation, series, player_id, mu, sigma, rounds, last_at_ms) ",
                );
                ratings.push_values(moves, |mut row, moved| {
                    row.push_bind(generation).push_bind(moved.series).push_bind(moved.player_id);
                    row.push_bind(moved.after.mu).push_bind(moved.after.sigma).push_bind(moved.rounds);
                    row.push_bind(round.finished_at_ms);
                });
                ratings.push(
                    " ON CONFLICT (generation, series, player_id) DO UPDATE SET mu = excluded.mu, \
                      sigma = excluded.sigma, rounds = excluded.rounds, last_at_ms = excluded.last_at_ms",
                );
                ratings.build().execute(&mut *self).await?;
                let mut seats = QueryBuilder::<$database>::new(
                    "INSERT INTO seat_rating (generation, round_id, series, seat, player_id, mu_before, sigma_before, \
                       mu_after, sigma_after, rounds) ",
                );
                seats.push_values(moves, |mut row, moved| {
                    row.push_bind(generation).push_bind(round.round_id).push_bind(moved.series);
                    row.push_bind(moved.seat).push_bind(moved.player_id);
                    row.push_bind(moved.before.mu).push_bind(moved.before.sigma);
                    row.push_bind(moved.after.mu).push_bind(moved.after.sigma).push_bind(moved.rounds);
                });
                seats.build().execute(&mut *self).await?;
                Ok(())
            }
        }
    };
}
ladder!(SqliteConnection, Sqlite);
ladder!(PgConnection, Postgres);

/// Writes `IN (…)` with these ids.
pub(super) fn among<DB>(query: &mut QueryBuilder<DB>, ids: impl IntoIterator<Item = Uuid>)
where
    DB: sqlx::Database,
    Uuid: for<'q> sqlx::Encode<'q, DB> + sqlx::Type<DB>,
{
    let mut list = query.push(" IN (").separated(", ");
    for id in ids {
        list.push_bind(id);
    }
    query.push(")");
}
