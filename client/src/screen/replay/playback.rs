//! The clock of a replay: where it stands, how fast it runs, whether it runs.

use std::time::Instant;

/// How many times as fast as it was raced.
const SPEEDS: [f64; 6] = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0];
/// The place of 1 among them.
const AS_RACED: usize = 2;

/// A clock from 0 to a length.
#[derive(Clone, Debug)]
pub struct Playback {
    length: u64,
    /// Race time in milliseconds, with its fraction.
    ms: f64,
    speed: usize,
    /// When it was last moved on; `None` while it stands.
    running: Option<Instant>,
}

impl Playback {
    /// A clock that stands at an instant.
    pub fn new(length: u64, ms: u64) -> Playback {
        Playback { length, ms: ms.min(length) as f64, speed: AS_RACED, running: None }
    }

    /// Where it stands, in milliseconds from T0.
    pub fn ms(&self) -> u64 {
        self.ms as u64
    }

    /// Where it ends.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// How many times as fast as it was raced.
    pub fn speed(&self) -> f64 {
        SPEEDS[self.speed]
    }

    /// Whether it runs.
    pub fn is_playing(&self) -> bool {
        self.running.is_some()
    }

    /// Moves it on to `now`; at its end it stands.
    pub fn advance(&mut self, now: Instant) {
        let Some(since) = self.running else { return };
        let gone_ms = now.saturating_duration_since(since).as_secs_f64() * 1_000.0;
        self.ms = (self.ms + gone_ms * self.speed()).min(self.length as f64);
        self.running = (self.ms < self.length as f64).then_some(now);
    }

    /// Runs, from the start again where it has come to its end; or stands.
    pub fn toggle(&mut self, now: Instant) {
        if self.running.take().is_none() {
            if self.ms >= self.length as f64 {
                self.ms = 0.0;
            }
            self.running = Some(now);
        }
    }

    /// Stands at an instant.
    pub fn seek(&mut self, ms: u64) {
        self.ms = ms.min(self.length) as f64;
        self.running = None;
    }

    /// The next speed up or down.
    pub fn shift(&mut self, faster: bool) {
        self.speed = if faster { (self.speed + 1).min(SPEEDS.len() - 1) } else { self.speed.saturating_sub(1) };
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn it_runs_as_fast_as_it_is_told_and_stands_at_its_end() {
        let begun = Instant::now();
        let later = |ms: u64| begun + Duration::from_millis(ms);
        let mut clock = Playback::new(10_000, 1_000);
        clock.advance(later(500));
        assert_eq!(clock.ms(), 1_000, "it stands");
        clock.toggle(later(500));
        clock.advance(later(1_500));
        assert_eq!(clock.ms(), 2_000);
        (0..9).for_each(|_| clock.shift(true));
        clock.advance(later(2_000));
        assert_eq!((clock.speed(), clock.ms()), (8.0, 6_000));
        (0..9).for_each(|_| clock.shift(false));
        clock.advance(later(3_000));
        assert_eq!((clock.speed(), clock.ms()), (0.25, 6_250));
        clock.advance(later(99_000));
        assert_eq!((clock.ms(), clock.is_playing()), (10_000, false));
        clock.toggle(later(99_000));
        assert_eq!((clock.ms(), clock.is_playing()), (0, true), "from the start again");
        clock.seek(77_000);
        assert_eq!((clock.ms(), clock.is_playing()), (10_000, false));
    }
}
