//! The one clock of the process: the wall clock at its start, carried on by the monotonic clock.
//!
//! Must never be read by rules: instants are handed to the race as arguments.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sprint_shared::time::Millis;
use tokio::time::Instant;

/// Reads race-server instants. Copies tell the same time.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    anchor_wall: Duration,
    anchor: Instant,
}

impl Clock {
    /// Takes the wall clock's time now as the anchor.
    pub fn start() -> Clock {
        Clock::anchored(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default())
    }

    /// Takes this time since the Unix epoch as the anchor.
    pub fn anchored(wall: Duration) -> Clock {
        Clock { anchor_wall: wall, anchor: Instant::now() }
    }

    /// The instant now. Never goes backwards.
    pub fn now(&self) -> Millis {
        Millis((self.anchor_wall + self.anchor.elapsed()).as_millis() as u64)
    }

    /// The first moment at which [`Clock::now`] says at least `at`; for timers.
    pub fn moment(&self, at: Millis) -> Instant {
        self.anchor + Duration::from_millis(at.0).saturating_sub(self.anchor_wall)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timer_set_for_an_instant_ends_when_the_clock_says_that_instant_and_not_before() {
        let clock = Clock::start();
        let at = clock.now().after(1_234);
        let moment = clock.moment(at);
        let says = |moment: Instant| (clock.anchor_wall + (moment - clock.anchor)).as_millis() as u64;
        assert_eq!(says(moment), at.0);
        assert_eq!(says(moment - Duration::from_nanos(1)), at.0 - 1);
    }
}
