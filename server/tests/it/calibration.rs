//! Ratings find the strengths behind results: races of players whose strength is known, and what comes of them.

use sprint_server::rating::{Rating, rate, win_chances};
use sprint_shared::pairing::window;
use sprint_shared::time::Millis;

pub const PLAYERS: usize = 200;
pub const ROUNDS: usize = 10_000;
/// Seasons of so many rounds, each with other players; what is asserted rests on all of them.
const SEASONS: u64 = 4;
/// Spread of the players' skills: about as far as new ratings assume, and a fifth less.
pub const SPREADS: [f64; 2] = [8.5, 6.7];
/// Among how many, in the order of rating, somebody's opponents are drawn.
const NEIGHBOURS: usize = 140;
const LEAVERS: f64 = 0.03;
/// Spread of a player's form, as the ratings assume it: a choice by e^(skill / c) between two is a comparison of
/// skills with Gumbel noise of scale √2 β; normal noise has the same standard deviation here.
const SCALE: f64 = 50.0 / 9.0 * std::f64::consts::SQRT_2;

/// Random numbers from a seed: PCG's multiplier, the high bits.
struct Draws(u64);

impl Draws {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.uniform() * limit as f64) as usize
    }

    fn normal(&mut self) -> f64 {
        (-2.0 * self.uniform().ln()).sqrt() * (std::f64::consts::TAU * self.uniform()).cos()
    }

    fn gumbel(&mut self) -> f64 {
        -(-self.uniform().ln()).ln()
    }
}

/// How a player's form is spread from race to race.
#[derive(Clone, Copy, Debug)]
pub enum Noise {
    Gumbel,
    Normal,
}

impl Noise {
    fn draw(self, draws: &mut Draws) -> f64 {
        match self {
            Noise::Gumbel => SCALE * draws.gumbel(),
            Noise::Normal => SCALE * std::f64::consts::PI / 6_f64.sqrt() * draws.normal(),
        }
    }
}

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pairing {
    /// Any of the nearest 140.
    Nearest,
    /// Any whom quick match would bring together at once.
    Window,
}

/// A chance that was foretold for a race of players who are settled, and whether it came so.
pub struct Foretold {
    seats: usize,
    chance: f64,
    won: f64,
}

/// Who came where in a race.
pub struct Came {
    /// The player, from 0.
    pub player: usize,
    /// Shared by equals.
    pub rank: i64,
    /// Whether the player left.
    pub has_left: bool,
}

pub struct Season {
    pub skills: Vec<f64>,
    /// At the end.
    pub ratings: Vec<Rating>,
    pub foretold: Vec<Foretold>,
    pub races: Vec<Vec<Came>>,
}

pub fn season(noise: Noise, pairing: Pairing, spread: f64, seed: u64) -> Season {
    let mut draws = Draws(seed);
    let skills: Vec<f64> = (0..PLAYERS).map(|_| 25.0 + spread * draws.normal()).collect();
    let mut ratings = vec![Rating::fresh(); PLAYERS];
    let (mut foretold, mut races) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let seats = 2 + draws.below(3);
        let field = match pairing {
            Pairing::Nearest => nearest(&ratings, seats, &mut draws),
            Pairing::Window => within_window(&ratings, seats, &mut draws),
        };
        // The best performance first; those who leave share the last rank.
        let performances: Vec<Option<f64>> = field
            .iter()
            .map(|player| (draws.uniform() >= LEAVERS).then(|| skills[*player] + noise.draw(&mut draws)))
            .collect();
        let rank = |own: Option<f64>| 1 + performances.iter().filter(|other| **other > own).count() as i64;
        let before: Vec<Rating> = field.iter().map(|player| ratings[*player]).collect();
        let ranks: Vec<i64> = performances.iter().map(|own| rank(*own)).collect();
        if before.iter().all(|rating| !rating.is_provisional()) {
            let won = ranks.iter().map(|rank| f64::from(u8::from(*rank == 1)));
            let chances = win_chances(&before).into_iter().zip(won);
            foretold.extend(chances.map(|(chance, won)| Foretold { seats, chance, won }));
        }
        let racers: Vec<(Rating, i64)> = before.into_iter().zip(ranks).collect();
        for (player, after) in field.iter().zip(rate(&racers)) {
            ratings[*player] = after;
        }
        let came = field.into_iter().zip(racers).zip(performances);
        let came = came.map(|((player, (_, rank)), form)| Came { player, rank, has_left: form.is_none() });
        races.push(came.collect());
    }
    Season { skills, ratings, foretold, races }
}

/// Somebody, and others of like rating.
fn nearest(ratings: &[Rating], seats: usize, draws: &mut Draws) -> Vec<usize> {
    let mut order: Vec<usize> = (0..ratings.len()).collect();
    order.sort_by_key(|player| (ratings[*player].mu, *player));
    let first = draws.below(order.len());
    let from = first.saturating_sub(NEIGHBOURS / 2).min(order.len() - NEIGHBOURS);
    let mut field = vec![order[first]];
    while field.len() < seats {
        let other = order[from + draws.below(NEIGHBOURS)];
        if !field.contains(&other) {
            field.push(other);
        }
    }
    field
}

/// Somebody, and others whom the window of quick match lets in: as it stands at once, wider only where nobody is.
fn within_window(ratings: &[Rating], seats: usize, draws: &mut Draws) -> Vec<usize> {
    let first = draws.below(ratings.len());
    let spread = |one: Rating, other: Rating| (one.shown() - other.shown()).abs();
    for waited_s in 0.. {
        let allowed = |one: Rating, other: Rating| {
            let uncertainty = (one.uncertainty() + other.uncertainty()) / 2;
            window(Millis(0), Millis(1_000 * waited_s))
                .is_none_or(|window| spread(one, other) <= i64::from(window) + uncertainty)
        };
        let near = |player: &usize| *player != first && allowed(ratings[*player], ratings[first]);
        let mut left: Vec<usize> = (0..ratings.len()).filter(near).collect();
        let mut field = vec![first];
        while field.len() < seats && !left.is_empty() {
            let other = left.swap_remove(draws.below(left.len()));
            if field.iter().all(|player| allowed(ratings[*player], ratings[other])) {
                field.push(other);
            }
        }
        if field.len() == seats {
            return field;
        }
    }
    unreachable!("after half a minute anybody will do")
}

/// Spearman's correlation of ranks.
pub fn spearman(one: &[f64], other: &[f64]) -> f64 {
    let ranks = |values: &[f64]| {
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
        let mut ranks = vec![0.0; values.len()];
        order.into_iter().enumerate().for_each(|(rank, index)| ranks[index] = rank as f64);
        ranks
    };
    let n = one.len() as f64;
    let squares: f64 = ranks(one).iter().zip(ranks(other)).map(|(a, b)| (a - b).powi(2)).sum();
    1.0 - 6.0 * squares / (n * (n * n - 1.0))
}

/// How many players' true skill lies within two standard deviations of their rating.
fn near(season: &Season) -> usize {
    let means: Vec<f64> = season.ratings.iter().map(|rating| rating.mu as f64 / 1e6).collect();
    // Results tell differences of skill alone: the middle of both scales is the same by agreement.
    let middle = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let shift = middle(&season.skills) - middle(&means);
    let gaps = means.iter().zip(&season.skills).map(|(mean, skill)| (mean + shift - skill).abs());
    gaps.zip(&season.ratings).filter(|(gap, rating)| *gap <= 2.0 * rating.sigma as f64 / 1e6).count()
}

#[test]
fn ratings_find_known_strengths() {
    for pairing in [Pairing::Nearest, Pairing::Window] {
        for spread in SPREADS {
            for noise in [Noise::Gumbel, Noise::Normal] {
                find_strengths(noise, pairing, spread);
            }
        }
    }
}

fn find_strengths(noise: Noise, pairing: Pairing, spread: f64) {
    let case = format!("{pairing:?}, skills spread by {:.0}, {noise:?} noise", 60.0 * spread);
    let seasons: Vec<Season> = (1..=SEASONS).map(|seed| season(noise, pairing, spread, seed)).collect();
    let order = |season: &Season| {
        let means: Vec<f64> = season.ratings.iter().map(|rating| rating.mu as f64).collect();
        spearman(&season.skills, &means)
    };
    let order = seasons.iter().map(order).fold(1.0, f64::min);
    let near = seasons.iter().map(near).sum::<usize>() as f64 / (PLAYERS * seasons.len()) as f64;
    let foretold: Vec<Foretold> = seasons.into_iter().flat_map(|season| season.foretold).collect();
    let brier = foretold.iter().map(|f| (f.chance - f.won).powi(2)).sum::<f64>() / foretold.len() as f64;
    println!("{case}: Spearman {order:.3} or more, Brier {brier:.4}, truth within 2 sigma {near:.3}");
    assert!(order >= 0.96, "{case}: Spearman {order}");
    assert!(near >= 0.88, "{case}: truth within 2 sigma for {near}");
    for seats in 2..=4 {
        println!("  {seats} seats, foretold/came so: {}", deciles(&foretold, seats));
    }
}

/// What was foretold and what came so, by decile; held to each other where there are enough of them.
fn deciles(foretold: &[Foretold], seats: usize) -> String {
    let mut line = Vec::new();
    for decile in 0..10 {
        let inside = |f: &&Foretold| f.seats == seats && (f.chance * 10.0).min(9.0) as i32 == decile;
        let inside: Vec<&Foretold> = foretold.iter().filter(inside).collect();
        if inside.len() < 300 {
            continue;
        }
        let count = inside.len() as f64;
        let chance = inside.iter().map(|f| f.chance).sum::<f64>() / count;
        let won = inside.iter().map(|f| f.won).sum::<f64>() / count;
        assert!((chance - won).abs() <= 0.06, "{seats} seats: {chance} foretold, {won} came so");
        line.push(format!("{chance:.3}/{won:.3} ({})", inside.len()));
    }
    assert!(
        !line.is_empty(),
        "{seats} seats: no decile has 300 of {} chances: nothing was held to anything",
        foretold.len()
    );
    line.join(" ")
}

#[test]
#[should_panic(expected = "nothing was held to anything")]
fn too_few_chances_are_no_proof() {
    let few = |_| Foretold { seats: 2, chance: 0.5, won: 1.0 };
    deciles(&(0..299).map(few).collect::<Vec<_>>(), 2);
}
