//! Packed positions: one unsigned integer wide enough for the board, with bit fields.
//!
//! A key holds everything that tells two positions apart and nothing else, so equality of keys is equality of
//! positions. No key is ever hashed away to a fingerprint: proofs rest on exact comparison.

use std::fmt::Debug;
use std::hash::Hash;

/// A packed position.
pub(crate) trait Key: Copy + Eq + Hash + Debug + Send + Sync + 'static {
    /// The key with no bit set.
    const ZERO: Self;
    /// The field of `width` bits at `offset`.
    fn field(self, offset: u32, width: u32) -> u32;
    /// Flips the bits of `value` at `offset`; on a zero field this writes it.
    fn flip(self, offset: u32, value: u32) -> Self;
    /// A well-mixed 64-bit hash, another for each salt; the same on every machine.
    fn mix(self, salt: u64) -> u64;
}

pub(crate) fn mix64(x: u64) -> u64 {
    let x = (x ^ (x >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let x = (x ^ (x >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    x ^ (x >> 32)
}

const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

impl Key for u64 {
    const ZERO: u64 = 0;
    fn field(self, offset: u32, width: u32) -> u32 {
        (self >> offset) as u32 & ((1 << width) - 1)
    }
    fn flip(self, offset: u32, value: u32) -> u64 {
        self ^ u64::from(value) << offset
    }
    fn mix(self, salt: u64) -> u64 {
        mix64(self ^ salt.wrapping_mul(SPREAD))
    }
}

impl Key for u128 {
    const ZERO: u128 = 0;
    fn field(self, offset: u32, width: u32) -> u32 {
        (self >> offset) as u32 & ((1 << width) - 1)
    }
    fn flip(self, offset: u32, value: u32) -> u128 {
        self ^ u128::from(value) << offset
    }
    fn mix(self, salt: u64) -> u64 {
        mix64(self as u64 ^ mix64((self >> 64) as u64 ^ salt.wrapping_mul(SPREAD)).rotate_left(17))
    }
}

/// For boards whose pegs all differ and whose rings count transfers: up to 192 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Wide(u128, u64);

impl Key for Wide {
    // A field never straddles the two parts: fields are at most 16 bits wide, and `Layout` starts none between
    // `SPLIT` and 128.
    const ZERO: Wide = Wide(0, 0);
    fn field(self, offset: u32, width: u32) -> u32 {
        if offset < 128 { self.0.field(offset, width) } else { self.1.field(offset - 128, width) }
    }
    fn flip(self, offset: u32, value: u32) -> Wide {
        if offset < 128 {
            Wide(self.0.flip(offset, value), self.1)
        } else {
            Wide(self.0, self.1.flip(offset - 128, value))
        }
    }
    fn mix(self, salt: u64) -> u64 {
        mix64(self.0.mix(salt) ^ mix64(self.1 ^ salt).rotate_left(29))
    }
}
