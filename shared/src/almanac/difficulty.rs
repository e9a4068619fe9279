//! How hard a stage is: difficulty D of RULES section 6, with what rings and homes add.

use super::{Features, STAGES, StageNumber};
use crate::board::{Board, RingKind, Until};
use crate::peg::PegId;

/// Difficulty D: roughly the seconds that a casual player takes.
///
/// Without rings and homes it is the formula of RULES section 6, 0.102 × optimum^2.66 × e^(−0.43 × min(pegs − spectra, 4)).
/// With them there are two estimates, of which the greater counts: the formula with the board's own `optimum`, and the formula
/// with `bare_optimum`, that of the board without them, times the ratios measured on such pairs of boards. The first alone would
/// make a seal cheap that costs no transfer, the second alone a home that costs twenty.
pub fn difficulty_s(board: &Board, optimum: u32, bare_optimum: u32) -> f64 {
    let features = Features::of(board);
    plain_s(&features, optimum).max(plain_s(&features, bare_optimum) * ratio(board, &features))
}

/// The difficulty that a stage should have: from 4 s to 1,200 s, each 12.3 % more than the one before.
pub fn target_s(number: StageNumber) -> f64 {
    const FIRST_S: f64 = 4.0;
    const LAST_S: f64 = 1200.0;
    let way = f64::from(number.number() - 1) / f64::from(STAGES - 1);
    FIRST_S * (LAST_S / FIRST_S).powf(way)
}

fn plain_s(features: &Features, optimum: u32) -> f64 {
    let spare = features.pegs.saturating_sub(features.spectra).min(4);
    0.102 * f64::from(optimum).powf(2.66) * (-0.43 * spare as f64).exp()
}

/// The middle of what was measured of boards with a peg that collars leave one place, and the square root of the middle of
/// those with two pegs left two places.
const NARROW: f64 = 1.5;
/// Places that make no difference to a peg's use.
const ROOM_ENOUGH: u8 = 3;
const SEAL_UNTIL_MOVES: f64 = 1.65;
const SEAL_UNTIL_TOWERS: f64 = 2.5;
const ONE_HOME: f64 = 1.7;
const ALL_HOMES: f64 = 4.0;

/// The ratios of RULES section 6, multiplied; between one home and all, in equal steps of ratio.
fn ratio(board: &Board, features: &Features) -> f64 {
    let narrow = board.pegs().ids().filter(|&peg| is_narrow(board, peg)).count();
    let seals = board.rings().iter().filter(|ring| ring.kind == RingKind::Seal).map(|seal| match seal.until {
        Until::Moves(_) => SEAL_UNTIL_MOVES,
        Until::Towers(_) => SEAL_UNTIL_TOWERS,
    });
    let homes = match features.homes {
        0 => 1.0,
        1 => ONE_HOME,
        homes => {
            let way = (homes - 1) as f64 / (features.spectra - 1) as f64;
            ONE_HOME * (ALL_HOMES / ONE_HOME).powf(way)
        }
    };
    NARROW.powf(narrow as f64) * seals.product::<f64>() * homes
}

/// Whether collars leave fewer places than a peg needs to be of use, for they were put on it.
fn is_narrow(board: &Board, peg: PegId) -> bool {
    let is_collared = board.rings().iter().any(|r| r.peg == peg && matches!(r.kind, RingKind::Collars(_)));
    is_collared && board.room(peg, 0) < ROOM_ENOUGH
}

#[cfg(test)]
mod tests {
    use super::*;

    fn factor(board: &str) -> f64 {
        let board: Board = board.parse().expect("a board");
        ratio(&board, &Features::of(&board))
    }

    /// Worked out with a calculator: 0.102 × 22^2.66 × e^(−1.29) and 0.102 × 10^2.66 × e^(−1.72).
    #[test]
    fn difficulty_is_the_formula_where_there_are_no_rings_and_homes() {
        let standard: Board = "R1S1E1R2S2E2/R3S3E3/R4S4E4/R5S5E5/-/- 7".parse().expect("a board");
        assert!((difficulty_s(&standard, 22, 22) - 104.5).abs() < 0.1, "{}", difficulty_s(&standard, 22, 22));
        let wide: Board = "R1S1/S2R2/-/-/-/-/- 7".parse().expect("a board");
        assert!((difficulty_s(&wide, 10, 10) - 8.347).abs() < 0.01, "{}", difficulty_s(&wide, 10, 10));
    }

    #[test]
    fn rings_and_homes_cost_what_was_measured() {
        let near = |board: &str, expected: f64| {
            let found = factor(board);
            assert!((found - expected).abs() < 0.01, "{board}: {found}");
        };
        near("R1S1/S2R2/-/- 7", 1.0);
        near("R1S1/S2R2/-/- 7 4c4@t1", 1.0);
        near("R1S1/S2R2/-/- 7 4c6@t1", 1.5);
        near("R1S1/S2R2/-/- 7 3c5@t1,4c5@t1", 2.25);
        near("R1S1/S2R2/-/- 7 1s@m20", 1.65);
        near("R1S1/S2R2/-/- 7 4s@t1", 2.5);
        near("R1S1/S2R2/-/- 7 - R1", 1.7);
        near("R1S1/S2R2/-/- 7 - R1,S2", 4.0);
        near("R1S1E1/S2R2/-/- 7 - R1,S2", 2.61);
        near("R1S1/S2R2/-/- 7 4s@t1 R1", 4.25);
    }

    #[test]
    fn the_greater_of_two_estimates_counts() {
        let board: Board = "R1S1/S2R2/-/- 7 - R1".parse().expect("a board");
        let plain: Board = "R1S1/S2R2/-/- 7".parse().expect("a board");
        let by_ratio = 1.7 * difficulty_s(&plain, 6, 6);
        assert!((difficulty_s(&board, 7, 6) - by_ratio).abs() < 1e-9);
        assert!((difficulty_s(&board, 9, 6) - difficulty_s(&plain, 9, 9)).abs() < 1e-9);
    }

    #[test]
    fn the_target_grows_evenly_from_four_seconds_to_twenty_minutes() {
        let at = |number| target_s(StageNumber::new(number).expect("a stage"));
        assert!((at(1) - 4.0).abs() < 1e-9 && (at(50) - 1200.0).abs() < 1e-6);
        assert!((2..=50).all(|number| (at(number) / at(number - 1) - 1.1235).abs() < 1e-4));
    }
}
