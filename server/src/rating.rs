//! Ratings by Weng and Lin: a round is one observation of its whole ranking, by the Plackett–Luce model.
//!
//! The same numbers must come out on every machine, so that a rebuild equals what was counted: only + − × ÷ √ and an
//! exponential of its own. Must never call a function of the platform's mathematics, nor let a float reach the store.
//!
//! Two things differ from algorithm 4 of the paper. `c` grows with the mean of the variances instead of their sum: a
//! gap of skill means the same in a race of two and in one of four. And γ is 1: the uncertainty shrinks by all that
//! the ranking tells.

/// The number of this formula. A change of what comes out for a round makes it greater: the server then tells its host
/// to rebuild what older ones counted.
pub const FORMULA: i64 = 1;

/// Spread of a player's form from round to round: skills are taken to differ by half as much again. More, and first
/// results carry players too far apart; who then meets none but the nearest never learns it, and certainty is false.
const BETA: f64 = 50.0 / 9.0;
/// What a player's skill may drift from round to round. Opponents of like rating err alike, as if skill had drifted: this
/// leaves room for that too.
const TAU: f64 = 0.25;
/// The least part of the variance that a round leaves.
const KAPPA: f64 = 1e-4;
/// Stored numbers are millionths.
const MICRO: f64 = 1e6;
/// Points shown for one unit of skill.
const SHOWN: i64 = 60;
/// Ratings are provisional while their shown uncertainty is greater.
const SETTLED: i64 = 180;

/// What is known of a player's skill: a mean and its standard deviation, in millionths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rating {
    /// The mean.
    pub mu: i64,
    /// The standard deviation, greater than 0.
    pub sigma: i64,
}

impl Rating {
    /// Of somebody of whom nothing is known.
    pub const fn fresh() -> Rating {
        Rating { mu: 25_000_000, sigma: 8_333_333 }
    }

    /// Of a bot of the house, from its strength alone: 1 to 10.
    pub const fn house(strength: i64) -> Rating {
        Rating { mu: 25_000_000 + (2 * strength - 11) * 800_000, ..Rating::fresh() }
    }

    /// The number that people see: 1500 for somebody new.
    pub const fn shown(self) -> i64 {
        rounded(self.mu)
    }

    /// The uncertainty that people see: 500 for somebody new.
    pub const fn uncertainty(self) -> i64 {
        rounded(self.sigma)
    }

    /// Whether too little is known for a place on the board.
    pub const fn is_provisional(self) -> bool {
        self.uncertainty() > SETTLED
    }
}

/// Millionths as points, rounded half up.
const fn rounded(micro: i64) -> i64 {
    (SHOWN * micro + 500_000).div_euclid(1_000_000)
}

/// The ratings after a round, in the order given. Each comes with its rank: 1 for the first, equal ranks are shared.
/// The same order must be given each time: ascending seats.
pub fn rate(racers: &[(Rating, i64)]) -> Vec<Rating> {
    let Model { means, variances, c, strengths } = Model::of(racers.iter().map(|(rating, _)| *rating));
    let rank = |of: usize| racers[of].1;
    let everybody = || 0..racers.len();
    let after = |i: usize| {
        let (mut gain, mut information) = (0.0, 0.0);
        for q in everybody().filter(|q| rank(*q) <= rank(i)) {
            let (mut left, mut sharing) = (0.0, 0.0);
            for s in everybody() {
                if rank(s) >= rank(q) {
                    left += strengths[s];
                }
                if rank(s) == rank(q) {
                    sharing += 1.0;
                }
            }
            let chance = strengths[i] / left;
            let won = if i == q { 1.0 } else { 0.0 };
            gain += (won - chance) / sharing;
            information += chance * (1.0 - chance) / sharing;
        }
        let mu = means[i] + variances[i] / c * gain;
        let kept = 1.0 - variances[i] / (c * c) * information;
        let sigma = (variances[i] * if kept > KAPPA { kept } else { KAPPA }).sqrt();
        Rating { mu: (mu * MICRO).round() as i64, sigma: (sigma * MICRO).round() as i64 }
    };
    everybody().map(after).collect()
}

/// What each has of winning a race against the others; they sum up to 1.
pub fn win_chances(ratings: &[Rating]) -> Vec<f64> {
    let Model { strengths, .. } = Model::of(ratings.iter().copied());
    let sum: f64 = strengths.iter().sum();
    strengths.into_iter().map(|strength| strength / sum).collect()
}

/// The racers of a round as the model sees them, after the drift since their last one.
struct Model {
    means: Vec<f64>,
    variances: Vec<f64>,
    c: f64,
    /// e to the mean over c.
    strengths: Vec<f64>,
}

impl Model {
    fn of(ratings: impl Iterator<Item = Rating>) -> Model {
        let (mut means, mut variances) = (Vec::new(), Vec::new());
        for Rating { mu, sigma } in ratings {
            let sigma = sigma as f64 / MICRO;
            means.push(mu as f64 / MICRO);
            variances.push(sigma * sigma + TAU * TAU);
        }
        let mut sum = 0.0;
        for variance in &variances {
            sum += variance + BETA * BETA;
        }
        let c = (2.0 / means.len() as f64 * sum).sqrt();
        // Only differences count, and those to the best can neither overflow nor all vanish.
        let best = means.iter().copied().fold(f64::NEG_INFINITY, |best, mean| if mean > best { mean } else { best });
        let strengths = means.iter().map(|mean| exp((mean - best) / c)).collect();
        Model { means, variances, c, strengths }
    }
}

/// e to the x, for x from -60 to 60; beyond, as at the limit.
fn exp(x: f64) -> f64 {
    const LN_2_HIGH: f64 = 0.693_147_180_369_123_8;
    const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    let x = x.clamp(-60.0, 60.0);
    let twos = (x / std::f64::consts::LN_2).round();
    let rest = x - twos * LN_2_HIGH - twos * LN_2_LOW;
    let mut sum = 1.0;
    for degree in (1..=13).rev() {
        sum = 1.0 + sum * rest / f64::from(degree);
    }
    sum * f64::from_bits(((1023 + twos as i64) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use skillratings::Outcomes;
    use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin};

    use super::*;

    fn rating(mu: f64, sigma: f64) -> Rating {
        Rating { mu: (mu * MICRO) as i64, sigma: (sigma * MICRO) as i64 }
    }

    /// The factor of a change of the mean when all four racers are alike: variance over c, with c² = 2 (σ² + β²).
    fn unit(before: Rating) -> f64 {
        let variance = (before.sigma as f64 / MICRO).powi(2) + TAU * TAU;
        variance / (2.0 * (variance + BETA * BETA)).sqrt() * MICRO
    }

    #[test]
    fn two_players_move_as_another_implementation_moves_them() {
        let drifted = |r: Rating| WengLinRating {
            rating: r.mu as f64 / MICRO,
            uncertainty: ((r.sigma as f64 / MICRO).powi(2) + TAU * TAU).sqrt(),
        };
        let config = WengLinConfig { beta: BETA, uncertainty_tolerance: KAPPA };
        for (one, two) in [
            (Rating::fresh(), Rating::fresh()),
            (rating(31.0, 2.0), rating(22.0, 8.0)),
            (rating(12.5, 1.2), rating(38.0, 1.4)),
        ] {
            for (ranks, outcome) in [((1, 2), Outcomes::WIN), ((2, 1), Outcomes::LOSS), ((1, 1), Outcomes::DRAW)] {
                let ours = rate(&[(one, ranks.0), (two, ranks.1)]);
                let theirs = weng_lin(&drifted(one), &drifted(two), &outcome, &config);
                for (ours, theirs) in ours.iter().zip([theirs.0, theirs.1]) {
                    let gap = ours.mu as f64 / MICRO - theirs.rating;
                    assert!(gap.abs() < 1e-6, "{outcome:?}: {ours:?}, {theirs:?}");
                }
            }
        }
    }

    #[test]
    fn a_tie_moves_equals_nowhere_and_draws_unequals_together() {
        let tied = rate(&[(Rating::fresh(), 1), (Rating::fresh(), 1)]);
        assert_eq!((tied[0].mu, tied[1].mu), (25_000_000, 25_000_000));
        assert!(tied[0].sigma < 8_333_333, "a tie tells something too");
        let (strong, weak) = (rating(30.0, 3.0), rating(20.0, 3.0));
        let tied = rate(&[(strong, 1), (weak, 1)]);
        assert!(tied[0].mu < strong.mu && tied[1].mu > weak.mu);
    }

    #[test]
    fn equals_who_share_a_rank_stay_equal() {
        let after = rate(&[(Rating::fresh(), 2), (rating(31.0, 2.0), 1), (Rating::fresh(), 2), (Rating::fresh(), 2)]);
        assert_eq!((after[0], after[2]), (after[2], after[3]));
        assert!(after[0].mu < 25_000_000, "behind somebody");
    }

    #[test]
    fn the_order_of_seats_changes_nothing_but_rounding() {
        let racers = [(rating(31.0, 2.0), 2), (rating(22.0, 8.0), 1), (Rating::fresh(), 4), (rating(19.0, 1.5), 2)];
        let after = rate(&racers);
        for turn in 1..racers.len() {
            let mut turned = racers;
            turned.rotate_left(turn);
            let mut back = rate(&turned);
            back.rotate_right(turn);
            for (one, other) in after.iter().zip(&back) {
                assert!((one.mu - other.mu).abs() <= 1 && (one.sigma - other.sigma).abs() <= 1, "{one:?} {other:?}");
            }
        }
    }

    #[test]
    fn a_race_of_four_says_no_more_than_one_observation() {
        // The slope of the logarithm of the chance of this ranking, for four who are alike: who is placed takes part
        // in one choice among four, one among three, one among two.
        let slopes = [3.0 / 4.0, 5.0 / 12.0, -1.0 / 12.0, -13.0 / 12.0];
        let fresh = Rating::fresh();
        let after = rate(&[(fresh, 1), (fresh, 2), (fresh, 3), (fresh, 4)]);
        for (after, slope) in after.iter().zip(slopes) {
            let gap = (after.mu - fresh.mu) as f64 - unit(fresh) * slope;
            assert!(gap.abs() <= 1.0, "{after:?}: {gap}");
        }
        let duel = rate(&[(fresh, 1), (fresh, 2)]);
        let three_duels = 3 * (duel[0].mu - fresh.mu);
        assert!(after[0].mu - fresh.mu < three_duels * 6 / 10, "first of four is not three duels won");
    }

    #[test]
    fn the_own_exponential_agrees_to_1e_15() {
        for step in -60_000..=60_000 {
            let x = f64::from(step) / 1_000.0;
            let gap = exp(x) / x.exp() - 1.0;
            assert!(gap.abs() <= 1e-15, "exp({x}) is off by {gap:e}");
        }
    }

    #[test]
    fn what_people_see_begins_at_1500_and_500() {
        let fresh = Rating::fresh();
        assert_eq!((fresh.shown(), fresh.uncertainty(), fresh.is_provisional()), (1500, 500, true));
        assert!(!rating(25.0, 3.0).is_provisional(), "180 is settled");
        assert_eq!(Rating::house(1).shown(), 1068);
        assert_eq!(Rating::house(10).shown(), 1932);
    }

    #[test]
    fn chances_sum_up_to_one_and_follow_skill() {
        let chances = win_chances(&[rating(30.0, 1.0), Rating::fresh(), rating(20.0, 1.0)]);
        assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(chances[0] > chances[1] && chances[1] > chances[2]);
    }

    proptest! {
        #[test]
        fn sigma_stays_positive_and_no_number_is_lost(
            racers in prop::collection::vec((-200_000_000_i64..200_000_000, 1_i64..9_000_000, 1_i64..5), 2..=4),
        ) {
            let racers: Vec<_> = racers.into_iter().map(|(mu, sigma, rank)| (Rating { mu, sigma }, rank)).collect();
            for (after, (before, _)) in rate(&racers).into_iter().zip(racers) {
                // A round cannot move anybody further than four choices lost, each worth variance over c.
                let variance = (before.sigma as f64 / MICRO).powi(2) + TAU * TAU;
                prop_assert!(((after.mu - before.mu) as f64).abs() <= 4.0 * variance / BETA * MICRO + 1.0);
                prop_assert!(after.sigma > 0 && after.sigma as f64 <= variance.sqrt() * MICRO + 1.0);
            }
        }
    }
}
