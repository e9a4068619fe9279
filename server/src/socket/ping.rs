//! Pings with random nonces: they show that a client is there, and how long its line is.
//!
//! Must never take a pong for an answer whose nonce was not the last one sent.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tokio::time::Instant;

use crate::chance::random;
use crate::config::Limits;
use crate::room::RoundTrip;

/// Pings right after the hello, each as soon as the one before is answered.
const AT_ONCE: u32 = 4;

/// The pings of one socket.
pub(super) struct Pings {
    every: Duration,
    dead_after: Duration,
    round_trip: Arc<RoundTrip>,
    waiting: Option<(Bytes, Instant)>,
    at_once: u32,
    next: Instant,
    heard: Instant,
}

impl Pings {
    pub fn new(limits: &Limits, round_trip: Arc<RoundTrip>, now: Instant) -> Pings {
        Pings {
            every: Duration::from_millis(limits.ping_ms),
            dead_after: Duration::from_millis(limits.dead_ms),
            round_trip,
            waiting: None,
            at_once: AT_ONCE,
            next: now,
            heard: now,
        }
    }

    /// Pings that only show that the client is there.
    pub fn unhurried(limits: &Limits, now: Instant) -> Pings {
        Pings {
            at_once: 1,
            next: now + Duration::from_millis(limits.ping_ms),
            ..Pings::new(limits, Arc::default(), now)
        }
    }

    /// When to look again.
    pub fn wake(&self) -> Instant {
        self.next.min(self.heard + self.dead_after)
    }

    /// The client gave a sign of life.
    pub fn heard(&mut self, now: Instant) {
        self.heard = now;
    }

    /// Whether the client has been silent for too long.
    pub fn is_dead(&self, now: Instant) -> bool {
        now >= self.heard + self.dead_after
    }

    /// The nonce of a ping that is due.
    pub fn ping(&mut self, now: Instant) -> Option<Bytes> {
        if now < self.next {
            return None;
        }
        self.next = now + self.every;
        let nonce = Bytes::copy_from_slice(&random::<8>());
        self.waiting = Some((nonce.clone(), now));
        Some(nonce)
    }

    /// Takes a pong.
    pub fn pong(&mut self, nonce: &Bytes, now: Instant) -> Pong {
        let Some((_, sent)) = self.waiting.take_if(|(expected, _)| expected == nonce) else { return Pong::Unasked };
        let us = now.duration_since(sent).as_micros();
        self.round_trip.saw(u32::try_from(us).unwrap_or(u32::MAX - 1));
        self.at_once = self.at_once.saturating_sub(1);
        if self.at_once == 0 {
            return Pong::Taken;
        }
        self.next = now;
        Pong::PingAgain
    }
}

/// What a pong was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pong {
    /// No ping waits for it.
    Unasked,
    /// The answer to the last ping.
    Taken,
    /// The same, and the next ping is due at once.
    PingAgain,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Serve;

    #[test]
    fn only_the_last_nonce_is_an_answer_and_the_shortest_round_trip_counts() {
        let (start, round_trip) = (Instant::now(), Arc::<RoundTrip>::default());
        let mut pings = Pings::new(&Serve::standard().limits, round_trip.clone(), start);
        let first = pings.ping(start).expect("due at once");
        assert_eq!(pings.pong(&Bytes::from_static(b"guessed!"), start), Pong::Unasked);
        assert_eq!(round_trip.lowest_us(), None);
        assert_eq!(pings.pong(&first, start + Duration::from_millis(80)), Pong::PingAgain);
        assert_eq!(round_trip.lowest_us(), Some(80_000));
        assert_eq!(pings.pong(&first, start + Duration::from_millis(81)), Pong::Unasked, "answered already");
        let later = start + Duration::from_millis(80);
        let second = pings.ping(later).expect("due at once");
        assert_eq!(pings.pong(&second, later + Duration::from_millis(30)), Pong::PingAgain);
        let third = pings.ping(later + Duration::from_millis(30)).expect("due at once");
        pings.pong(&third, later + Duration::from_millis(500));
        assert_eq!(round_trip.lowest_us(), Some(30_000));
    }

    #[test]
    fn a_client_that_is_silent_for_25_seconds_is_dead() {
        let start = Instant::now();
        let mut pings = Pings::new(&Serve::standard().limits, Arc::default(), start);
        assert!(!pings.is_dead(start + Duration::from_millis(24_999)));
        assert!(pings.is_dead(start + Duration::from_secs(25)));
        pings.heard(start + Duration::from_secs(20));
        assert!(!pings.is_dead(start + Duration::from_secs(25)));
    }
}
