//! Long answers. They are held in memory until whoever asked has taken them, so they are bounded in sum.
//!
//! Must never let one neighbourhood that takes its answers slowly keep long ones from all others.

use std::collections::HashMap;
use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::{Body, Bytes};
use futures_util::stream;

use crate::limits::neighbourhood;
use crate::problem::ApiError;

/// Bytes of an answer that is not counted: a connection may hold as much in its buffers.
const SHORT: usize = 256 << 10;
/// Bytes of all long answers that are under way, at most.
const SUM_MAX: usize = 128 << 20;
/// The same of one neighbourhood, unless it is a single answer.
const SHARE_MAX: usize = SUM_MAX / 4;
/// Bytes that are handed to a connection at a time.
const PART: usize = 64 << 10;

/// Who holds how much. Clones share it.
#[derive(Clone, Default)]
pub struct Answers(Arc<Mutex<HashMap<IpAddr, usize>>>);

/// An answer under way; dropping it gives its place back.
struct Held {
    answers: Answers,
    neighbourhood: IpAddr,
    text: String,
    /// Bytes that are handed on.
    taken: usize,
}

impl Answers {
    /// The body of an answer to an address.
    pub fn body(&self, to: IpAddr, text: String) -> Result<Body, ApiError> {
        if text.len() <= SHORT {
            return Ok(Body::from(text));
        }
        let neighbourhood = neighbourhood(to);
        if !self.take(neighbourhood, text.len()) {
            return Err(ApiError::Busy("too many long answers are under way: try again in a few seconds"));
        }
        let held = Held { answers: self.clone(), neighbourhood, text, taken: 0 };
        // Parts are copied: what a connection still has of the last one must not hold the whole.
        let parts = stream::unfold(held, |mut held| async move {
            let rest = &held.text.as_bytes()[held.taken..];
            let part = Bytes::copy_from_slice(&rest[..rest.len().min(PART)]);
            held.taken += part.len();
            (!part.is_empty()).then_some((Ok::<_, Infallible>(part), held))
        });
        Ok(Body::from_stream(parts))
    }

    fn take(&self, neighbourhood: IpAddr, bytes: usize) -> bool {
        let mut held = self.lock();
        let own = held.get(&neighbourhood).copied().unwrap_or(0);
        let sum: usize = held.values().sum();
        let fits = (own == 0 || own + bytes <= SHARE_MAX) && (sum == 0 || sum + bytes <= SUM_MAX);
        if fits {
            held.insert(neighbourhood, own + bytes);
        }
        fits
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut held = self.answers.lock();
        if let Some(own) = held.get_mut(&self.neighbourhood) {
            *own -= self.text.len();
            if *own == 0 {
                held.remove(&self.neighbourhood);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: usize = usize::MAX;

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    fn long(mb: usize) -> String {
        "x".repeat(mb << 20)
    }

    #[tokio::test]
    async fn an_answer_arrives_whole_and_gives_its_place_back() {
        let answers = Answers::default();
        let text: String = (0..200_000).map(|n| format!("{n} ")).collect();
        for text in ["short".to_owned(), String::new(), text] {
            let body = answers.body(address("203.0.113.5"), text.clone()).expect("there is room");
            let read = axum::body::to_bytes(body, ALL).await.expect("it is read");
            assert!(read == text.as_bytes(), "{} bytes of {}", read.len(), text.len());
        }
        assert!(answers.lock().is_empty());
    }

    #[test]
    fn a_neighbourhood_holds_a_quarter_and_all_together_the_sum() {
        let answers = Answers::default();
        let ask = |of: &str, mb| answers.body(address(of), long(mb));
        let _first = ask("203.0.113.5", 20).expect("there is room");
        assert!(matches!(ask("203.0.113.77", 13), Err(ApiError::Busy(_))), "its neighbourhood has 12 MiB left");
        let second = ask("203.0.113.77", 12).expect("which it may have");
        let _others = ["198.51.100.1", "192.0.2.1", "198.18.0.1"].map(|of| ask(of, 32).expect("there is room"));
        assert!(matches!(ask("192.88.99.1", 1), Err(ApiError::Busy(_))), "all is taken");
        assert!(ask("192.88.99.1", 0).is_ok(), "short ones are not counted");
        drop(second);
        let _late = ask("192.88.99.1", 12).expect("what was dropped half read is free again");
    }

    #[test]
    fn an_answer_that_is_longer_than_any_share_is_given_alone() {
        let answers = Answers::default();
        let huge = answers.body(address("203.0.113.5"), long(130)).expect("there is nothing else");
        assert!(matches!(answers.body(address("198.51.100.1"), long(1)), Err(ApiError::Busy(_))));
        drop(huge);
        let _own = answers.body(address("198.51.100.1"), long(1)).expect("there is room");
        assert!(answers.body(address("203.0.113.5"), long(100)).is_ok(), "above its share, but its only one");
    }
}
