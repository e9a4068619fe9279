//! The deal's own generator: SplitMix64, a bounded draw without modulo bias, and the Fisher–Yates shuffle.
//!
//! Own, because a library's generator may change its values; these never do.

use super::Seed;

/// A stream of draws from one seed.
#[derive(Clone, Debug)]
pub struct Draws {
    state: u64,
}

impl Draws {
    /// The stream of a seed: its four words are absorbed one after the other.
    pub fn new(seed: &Seed) -> Draws {
        let mut draws = Draws { state: 0 };
        for word in seed.words() {
            draws.state ^= word;
            draws.state = draws.next_u64();
        }
        draws
    }

    /// The next 64 bits (SplitMix64).
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = self.state;
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `0..bound`, each equally likely. Panics if `bound` is 0.
    ///
    /// The high half of a product; low halves that would favour some results are drawn again.
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "there is no number below 0");
        let favoured = bound.wrapping_neg() % bound;
        loop {
            let product = u128::from(self.next_u64()) * u128::from(bound);
            if product as u64 >= favoured {
                return (product >> 64) as u64;
            }
        }
    }

    /// Shuffles, each order equally likely (Fisher–Yates, from the end).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published first outputs of SplitMix64 from state 1234567.
    #[test]
    fn the_generator_is_splitmix64() {
        let mut draws = Draws { state: 1_234_567 };
        let first: Vec<u64> = (0..5).map(|_| draws.next_u64()).collect();
        assert_eq!(
            first,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821
            ]
        );
    }

    #[test]
    fn every_word_of_the_seed_matters() {
        let mut seen = std::collections::HashSet::new();
        for byte in 0..32 {
            let mut seed = Seed([0; 32]);
            seed.0[byte] = 1;
            assert!(seen.insert(Draws::new(&seed).next_u64()), "byte {byte}");
        }
    }

    #[test]
    fn bounded_draws_reach_each_number_about_equally_often() {
        let mut draws = Draws::new(&Seed::from(7));
        let mut counts = [0_u32; 6];
        for _ in 0..60_000 {
            counts[draws.below(6) as usize] += 1;
        }
        // Six standard deviations of a binomial with n = 60,000 and p = 1/6 are 548.
        assert!(counts.iter().all(|c| c.abs_diff(10_000) < 548), "{counts:?}");
    }

    #[test]
    fn a_shuffle_keeps_the_items_and_reaches_every_order() {
        let mut draws = Draws::new(&Seed::from(1));
        let mut orders = std::collections::HashSet::new();
        for _ in 0..1_000 {
            let mut items = [0, 1, 2, 3];
            draws.shuffle(&mut items);
            orders.insert(items);
        }
        assert_eq!(orders.len(), 24);
    }
}
