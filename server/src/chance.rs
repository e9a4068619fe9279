//! Where chance comes from: random bytes of the operating system, and ids that are made of them.
//!
//! Must never deal a board: that follows from its seed alone.

use sprint_shared::time::Millis;
use uuid::{Builder, Uuid};

/// Random bytes from the operating system.
pub fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    #[cfg(feature = "simulation")]
    if crate::simulation::fill(&mut bytes) {
        return bytes;
    }
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    bytes
}

/// A new id of version 7: the instant it is made at, and chance.
pub fn new_id(at: Millis) -> Uuid {
    Builder::from_unix_timestamp_millis(at.0, &random()).into_uuid()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_of_version_7_tell_their_instant_and_no_two_are_alike() {
        let at = Millis(1_704_067_200_123);
        let (one, other) = (new_id(at), new_id(at));
        assert_eq!(one.get_version_num(), 7);
        assert_eq!(one.get_timestamp().map(|at| at.to_unix()), Some((1_704_067_200, 123_000_000)));
        assert_ne!(one, other);
        assert!(new_id(at.after(1)) > one, "later ids sort behind");
    }
}
