//! How often a seat may show something: three times at once, and once every two seconds for good.
//!
//! Must never be journaled, and never reach those who watch: a spectator with a delay would learn something early.

use sprint_shared::time::{Millis, SEATS_MAX, Seat};

/// Between two emotes of a seat in the long run, in milliseconds.
const EVERY_MS: u64 = 2_000;
/// Emotes of a seat that may come at once.
const AT_ONCE: u64 = 3;

/// The pace of each seat.
#[derive(Debug, Default)]
pub(super) struct Emotes {
    /// When a seat that shows no more is as if it had never shown anything.
    quiet_at: [Millis; SEATS_MAX],
}

impl Emotes {
    /// Counts an emote of a seat at `now`; false if it comes too soon, and then it does not count.
    pub fn allows(&mut self, seat: Seat, now: Millis) -> bool {
        let quiet_at = &mut self.quiet_at[seat.index()];
        let next = now.max(*quiet_at).after(EVERY_MS);
        let allowed = next <= now.after(AT_ONCE * EVERY_MS);
        if allowed {
            *quiet_at = next;
        }
        allowed
    }

    /// Another player has taken the seat.
    pub fn new_player(&mut self, seat: Seat) {
        self.quiet_at[seat.index()] = Millis::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_at_once_and_then_one_every_two_seconds() {
        let (mut emotes, seat, start) = (Emotes::default(), Seat::ALL[1], Millis(1_000_000));
        let shown = |emotes: &mut Emotes, after_ms| emotes.allows(seat, start.after(after_ms));
        assert_eq!([0, 0, 0, 0, 1_999].map(|ms| shown(&mut emotes, ms)), [true, true, true, false, false]);
        assert_eq!([2_000, 2_001, 4_000, 4_000].map(|ms| shown(&mut emotes, ms)), [true, false, true, false]);
        assert_eq!([10_000; 4].map(|ms| shown(&mut emotes, ms)), [true, true, true, false], "six quiet seconds");
        assert!(emotes.allows(Seat::ALL[0], start), "another seat has its own pace");
        emotes.new_player(seat);
        assert!(shown(&mut emotes, 10_000), "and so has another player in the seat");
    }
}
