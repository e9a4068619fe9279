//! The Spire Ledger: par, stars, score (RULES section 4).

/// Points for verified harmony.
const HARMONY: u32 = 1000;
/// Points for every move under par.
const UNDER_PAR: u32 = 50;
/// More than that no proven optimum earns: it keeps the sum of a round that never was from overflowing.
const UNDER_PAR_MAX: u32 = 1 << 30;
/// Points for an official time under two minutes.
const SPEED: u32 = 100;
/// The time that earns them, in milliseconds of official time.
pub const SPEED_MS: u64 = 120_000;

/// Par: 1.2 times the optimum, rounded up. No optimum that is proven reaches 2^16.
pub fn par(optimum: u32) -> u32 {
    optimum.saturating_mul(6).div_ceil(5)
}

/// Stars for a finish: 3 within par, 2 within one and a half times the optimum, else 1.
pub fn stars(moves: u32, optimum: u32) -> u8 {
    if moves <= par(optimum) {
        3
    } else if moves <= optimum.saturating_mul(3).div_ceil(2) {
        2
    } else {
        1
    }
}

/// What the score of verified harmony is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ledger {
    /// For harmony.
    pub harmony: u32,
    /// For the moves under par.
    pub under_par: u32,
    /// For an official time under two minutes.
    pub speed: u32,
    /// Whether the sum counts one and a half times: neither undo nor reset.
    pub flawless: bool,
}

impl Ledger {
    /// Of a finish. `par` is absent where the optimum is not proven: then nothing is earned under it.
    pub fn of(moves: u32, par: Option<u32>, official_ms: u64, flawless: bool) -> Ledger {
        let under_par = par.map_or(0, |par| par.saturating_sub(moves));
        Ledger {
            harmony: HARMONY,
            under_par: UNDER_PAR.saturating_mul(under_par).min(UNDER_PAR_MAX),
            speed: if official_ms < SPEED_MS { SPEED } else { 0 },
            flawless,
        }
    }

    /// The score.
    pub fn total(&self) -> u32 {
        let sum = self.under_par + self.harmony + self.speed;
        // All addends are even, so one and a half times the sum is an integer.
        if self.flawless { sum / 2 * 3 } else { sum }
    }
}

/// The score of verified harmony: see [`Ledger::of`].
pub fn score(moves: u32, par: Option<u32>, official_ms: u64, flawless: bool) -> u32 {
    Ledger::of(moves, par, official_ms, flawless).total()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn par_is_the_optimum_times_one_point_two_rounded_up() {
        for (optimum, expected) in [(1, 2), (5, 6), (21, 26), (22, 27), (24, 29), (25, 30), (285, 342)] {
            assert_eq!(par(optimum), expected, "optimum {optimum}");
        }
    }

    #[test]
    fn stars_fall_at_par_and_at_one_and_a_half_times_the_optimum() {
        assert_eq!([stars(26, 21), stars(27, 21), stars(32, 21), stars(33, 21)], [3, 2, 2, 1]);
    }

    #[test]
    fn the_score_adds_harmony_moves_under_par_speed_and_the_flawless_half() {
        assert_eq!(score(26, Some(26), 120_000, false), 1000);
        assert_eq!(score(26, Some(26), 119_999, false), 1100);
        assert_eq!(score(21, Some(26), 120_000, false), 1250);
        assert_eq!(score(21, Some(26), 60_000, true), 2025);
        assert_eq!(score(40, Some(26), 200_000, true), 1500);
        assert_eq!(score(3, None, 200_000, false), 1000);
    }
}
