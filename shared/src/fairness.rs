//! How a board's seed comes about so that nobody chose it (RULES section 5): commit, nonces, reveal.

use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::deal::Seed;
use crate::event::Nonce;
use crate::time::SEATS_MAX;

/// What the server publishes before any nonce is given.
///
/// SHA-256 over the fields `"sprint-deal"`, deal version (2 bytes), room id (16 bytes), round (4 bytes), source,
/// server seed (32 bytes), each preceded by its length in 4 bytes; numbers big endian. The source is the preset's
/// name, or `blueprint ` and the board's notation; of a solo room see [`RoomOptions::source`](crate::options::RoomOptions::source).
pub fn commitment(deal_version: u16, room: Uuid, round: u32, source: &str, server_seed: &Seed) -> Seed {
    let (version, round) = (deal_version.to_be_bytes(), round.to_be_bytes());
    hash_of(&[b"sprint-deal", &version, room.as_bytes(), &round, source.as_bytes(), &server_seed.0])
}

/// SHA-256 over fields, each preceded by its length in 4 bytes, big endian.
pub(crate) fn hash_of(fields: &[&[u8]]) -> Seed {
    let mut hash = Sha256::new();
    for field in fields {
        hash.update((field.len() as u32).to_be_bytes());
        hash.update(field);
    }
    Seed(hash.finalize().into())
}

/// The seed that follows a seed whose board was dealt before: its SHA-256.
pub fn next_seed(seed: &Seed) -> Seed {
    Seed(Sha256::digest(seed.0).into())
}

/// The board's seed: SHA-256 over the server seed and the nonces that were given, by seat.
pub fn board_seed(server_seed: &Seed, nonces: &[Option<Nonce>; SEATS_MAX]) -> Seed {
    let mut hash = Sha256::new();
    hash.update(server_seed.0);
    for nonce in nonces.iter().flatten() {
        hash.update(nonce.0);
    }
    Seed(hash.finalize().into())
}
