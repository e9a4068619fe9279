//! Packed positions: a few 64-bit words with bit fields.
//!
//! A key holds everything that tells two positions apart and nothing else, so equality of keys is equality of
//! positions. No key is ever hashed away to a fingerprint: proofs rest on exact comparison.

/// A packed position of `N` words. No field straddles two words: `Space` lays them out so.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Key<const N: usize>([u64; N]);

const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

impl<const N: usize> Key<N> {
    /// The key with no bit set.
    pub const ZERO: Key<N> = Key([0; N]);

    /// The field of `width` bits at `offset`.
    pub fn field(self, offset: u32, width: u32) -> u32 {
        (self.0[offset as usize / 64] >> (offset % 64)) as u32 & ((1 << width) - 1)
    }

    /// Flips the bits of `value` at `offset`; on a zero field this writes it.
    pub fn flip(mut self, offset: u32, value: u32) -> Key<N> {
        self.0[offset as usize / 64] ^= u64::from(value) << (offset % 64);
        self
    }

    /// A well-mixed 64-bit hash, another for each salt; the same on every machine.
    pub fn mix(self, salt: u64) -> u64 {
        self.0.iter().fold(salt.wrapping_mul(SPREAD), |hash, word| mix64(hash.rotate_left(29) ^ word))
    }
}

/// Mixes 64 bits so that each bit of the result depends on all; two inputs never give one result.
pub(crate) fn mix64(x: u64) -> u64 {
    let x = (x ^ (x >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let x = (x ^ (x >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    x ^ (x >> 32)
}
