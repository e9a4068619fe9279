//! How many moves are made, how many a second are, and whether it runs.

use std::time::Instant;

/// Moves a second.
const SPEEDS: [f64; 12] = [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 1e3, 1e6, 1e9];
/// The place of 2 among them.
const AT_FIRST: usize = 2;

/// A count from 0 to a tower's moves. Whole moves are whole numbers: a fraction counts only towards the next one.
#[derive(Clone, Debug)]
pub struct Playback {
    length: u64,
    made: u64,
    /// The part of the next move that is over, below 1.
    part: f64,
    speed: usize,
    /// When it was last moved on; `None` while it stands.
    running: Option<Instant>,
}

impl Playback {
    /// Before the first move.
    pub fn new(length: u64) -> Playback {
        Playback { length, made: 0, part: 0.0, speed: AT_FIRST, running: None }
    }

    /// Moves made.
    pub fn made(&self) -> u64 {
        self.made
    }

    /// All moves.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Moves a second.
    pub fn speed(&self) -> f64 {
        SPEEDS[self.speed]
    }

    /// Whether it runs.
    pub fn is_playing(&self) -> bool {
        self.running.is_some()
    }

    /// Goes on to `now`; at the end it stands.
    pub fn advance(&mut self, now: Instant) {
        let Some(since) = self.running else { return };
        let gone = self.part + now.saturating_duration_since(since).as_secs_f64() * self.speed();
        self.part = gone.fract();
        self.made = self.made.saturating_add(gone as u64).min(self.length);
        self.running = (self.made < self.length).then_some(now);
    }

    /// Runs, from the start again where it has come to its end; or stands.
    pub fn toggle(&mut self, now: Instant) {
        let was_running = self.is_playing();
        self.seek(if self.made == self.length && !was_running { 0 } else { self.made });
        self.running = (!was_running && self.length > 0).then_some(now);
    }

    /// Stands after so many moves.
    pub fn seek(&mut self, made: u64) {
        (self.made, self.part, self.running) = (made.min(self.length), 0.0, None);
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
    fn it_makes_as_many_moves_as_its_speed_says_and_stands_at_its_end() {
        let begun = Instant::now();
        let later = |ms: u64| begun + Duration::from_millis(ms);
        let mut playback = Playback::new(31);
        playback.advance(later(5_000));
        assert_eq!(playback.made(), 0, "it stands");
        playback.toggle(later(5_000));
        for (ms, made) in [(5_400, 0), (5_500, 1), (5_900, 1), (6_000, 2), (8_000, 6)] {
            playback.advance(later(ms));
            assert_eq!(playback.made(), made, "{ms}");
        }
        playback.shift(true);
        playback.advance(later(9_000));
        assert_eq!((playback.speed(), playback.made()), (4.0, 10));
        playback.advance(later(99_000));
        assert_eq!((playback.made(), playback.is_playing()), (31, false));
        playback.toggle(later(99_000));
        assert_eq!((playback.made(), playback.is_playing()), (0, true), "from the start again");
        playback.toggle(later(99_000));
        assert!(!playback.is_playing());
        playback.seek(77);
        assert_eq!(playback.made(), 31);
    }

    #[test]
    fn the_last_moves_of_64_disks_are_counted_one_by_one() {
        let begun = Instant::now();
        let mut playback = Playback::new(u64::MAX);
        playback.seek(u64::MAX - 5);
        playback.toggle(begun);
        playback.advance(begun + Duration::from_millis(1_500));
        assert_eq!(playback.made(), u64::MAX - 2);
        (0..20).for_each(|_| playback.shift(true));
        assert_eq!(playback.speed(), 1e9);
        playback.advance(begun + Duration::from_secs(9));
        assert_eq!((playback.made(), playback.is_playing()), (u64::MAX, false));
    }

    #[test]
    fn a_tower_of_no_disks_does_not_run() {
        let mut playback = Playback::new(0);
        playback.toggle(Instant::now());
        assert!(!playback.is_playing());
    }
}
