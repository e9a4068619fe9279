//! What a race does to ratings, held to an independent computation.

use sprint_server::rating::{Rating, rate};

/// A racer of a hand-made race, and what an independent computation makes of its rating.
#[derive(serde::Deserialize)]
struct Computed {
    mu: i64,
    sigma: i64,
    rank: i64,
    mu_after: String,
    sigma_after: String,
    stored: [i64; 2],
}

/// The file was computed apart from this program, in decimals of 50 digits, from the sums of Weng and Lin's paper (their
/// algorithm 4, with γ = 1 and c² = 2 Σ(σ² + β²) / n, and σ² + τ² for each σ² before): exponentials and roots are Python's
/// `decimal`, no code is shared. No value there is nearer than 0.009 of a millionth to where rounding turns, so that the
/// stored millionths must come out exactly.
#[test]
fn hand_made_races_move_ratings_as_an_independent_computation_says() {
    #[derive(serde::Deserialize)]
    struct Race {
        case: String,
        racers: Vec<Computed>,
    }
    let races: Vec<Race> = serde_json::from_str(include_str!("../data/ratings-1.json")).unwrap();
    let seats: Vec<usize> = races.iter().map(|race| race.racers.len()).collect();
    assert!((2..=4).all(|of| seats.iter().filter(|seats| **seats == of).count() >= 3), "{seats:?}");
    for Race { case, racers } in races {
        let before: Vec<_> = racers.iter().map(|r| (Rating { mu: r.mu, sigma: r.sigma }, r.rank)).collect();
        for (after, expected) in rate(&before).into_iter().zip(&racers) {
            assert_eq!([after.mu, after.sigma], expected.stored, "{case}");
            let exact = [&expected.mu_after, &expected.sigma_after].map(|text| text.parse::<f64>().unwrap() * 1e6);
            for (stored, exact) in expected.stored.into_iter().zip(exact) {
                assert!((stored as f64 - exact).abs() <= 0.5, "{case}: half a millionth, not more");
            }
        }
    }
}
