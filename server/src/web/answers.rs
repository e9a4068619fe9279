//! Long answers. They are held in memory until whoever asked has taken them, so they are bounded in sum.
//!
//! Must never let one neighbourhood that takes its answers slowly have more than a share of that.

use std::collections::HashMap;
use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::{Body, Bytes};
use axum::http::header::CONTENT_LENGTH;
use axum::response::{IntoResponse, IntoResponseParts, Response};
use futures_util::{StreamExt, stream};

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

const BUSY: ApiError = ApiError::Busy("too many long answers are under way: try again in a few seconds");

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
    /// Whether an answer to an address may be worked out, which may turn out to be a long one.
    pub fn expect(&self, to: IpAddr) -> Result<(), ApiError> {
        let held = self.lock();
        let own = held.get(&neighbourhood(to)).copied().unwrap_or(0);
        if own < SHARE_MAX && held.values().sum::<usize>() < SUM_MAX { Ok(()) } else { Err(BUSY) }
    }

    /// An answer to an address.
    pub fn give(&self, to: IpAddr, headers: impl IntoResponseParts, text: String) -> Result<Response, ApiError> {
        if text.len() <= SHORT {
            return Ok((headers, text).into_response());
        }
        let neighbourhood = neighbourhood(to);
        if !self.take(neighbourhood, text.len()) {
            return Err(BUSY);
        }
        // Said beforehand, so that nobody takes what was cut off for the whole.
        let length = [(CONTENT_LENGTH, text.len())];
        let held = Held { answers: self.clone(), neighbourhood, text, taken: 0 };
        // Parts are copied: what a connection still has of the last one must not hold the whole. Whoever compresses them asks
        // once more after the end.
        let parts = stream::unfold(held, |mut held| async move {
            let rest = &held.text.as_bytes()[held.taken..];
            let part = Bytes::copy_from_slice(&rest[..rest.len().min(PART)]);
            held.taken += part.len();
            (!part.is_empty()).then_some((Ok::<_, Infallible>(part), held))
        });
        Ok((headers, length, Body::from_stream(parts.fuse())).into_response())
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
    use axum::Router;
    use axum::http::Request;
    use axum::routing::get;
    use tower::ServiceExt;
    use tower_http::compression::CompressionLayer;

    use super::*;

    const ALL: usize = usize::MAX;

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    fn ask(answers: &Answers, of: &str, mb: usize) -> Result<Response, ApiError> {
        answers.give(address(of), [("x-kind", "long")], "x".repeat(mb << 20))
    }

    #[tokio::test]
    async fn an_answer_arrives_whole_and_gives_its_place_back() {
        let answers = Answers::default();
        let text: String = (0..200_000).map(|n| format!("{n} ")).collect();
        for text in ["short".to_owned(), String::new(), text] {
            let answer = answers.give(address("203.0.113.5"), [("x-kind", "text")], text.clone());
            let (head, body) = answer.expect("there is room").into_parts();
            assert_eq!(head.headers["x-kind"], "text");
            if text.len() > SHORT {
                assert_eq!(head.headers[CONTENT_LENGTH], text.len().to_string());
                assert!(!answers.lock().is_empty());
            }
            let read = axum::body::to_bytes(body, ALL).await.expect("it is read");
            assert!(read == text.as_bytes(), "{} bytes of {}", read.len(), text.len());
            assert!(answers.lock().is_empty());
        }
    }

    #[tokio::test]
    async fn a_compressed_answer_arrives_whole_as_well() {
        let answers = Answers::default();
        let text: String = (0..200_000).map(|n| format!("{n} ")).collect();
        let bytes = text.len();
        let held = answers.clone();
        let give = || async move { held.give(address("203.0.113.5"), [("content-type", "text/plain")], text) };
        let app: Router = Router::new().route("/", get(give)).layer(CompressionLayer::new());
        let request = Request::get("/").header("accept-encoding", "gzip").body(Body::empty()).expect("it is one");
        let (head, body) = app.oneshot(request).await.expect("an answer").into_parts();
        assert_eq!(head.headers["content-encoding"], "gzip");
        assert!(head.headers.get(CONTENT_LENGTH).is_none(), "it is not as long as the text");
        let read = axum::body::to_bytes(body, ALL).await.expect("it is read");
        // The last four bytes say how much was compressed.
        let [.., a, b, c, d] = read[..] else { panic!("{} bytes", read.len()) };
        assert_eq!(u32::from_le_bytes([a, b, c, d]) as usize, bytes);
        assert!(answers.lock().is_empty());
    }

    #[test]
    fn a_neighbourhood_holds_a_quarter_and_all_together_the_sum() {
        let answers = Answers::default();
        let _first = ask(&answers, "203.0.113.5", 20).expect("there is room");
        assert!(
            matches!(ask(&answers, "203.0.113.77", 13), Err(ApiError::Busy(_))),
            "its neighbourhood has 12 MiB left"
        );
        let second = ask(&answers, "203.0.113.77", 12).expect("which it may have");
        assert!(answers.expect(address("203.0.113.99")).is_err(), "nothing need be worked out");
        let others = ["198.51.100.1", "192.0.2.1", "198.18.0.1"];
        let _others = others.map(|of| {
            answers.expect(address(of)).expect("there is room");
            ask(&answers, of, 32).expect("there is room")
        });
        assert!(matches!(ask(&answers, "192.88.99.1", 1), Err(ApiError::Busy(_))), "all is taken");
        assert!(answers.expect(address("192.88.99.1")).is_err());
        assert!(ask(&answers, "192.88.99.1", 0).is_ok(), "short ones are not counted");
        drop(second);
        answers.expect(address("192.88.99.1")).expect("what was dropped half read is free again");
        let _late = ask(&answers, "192.88.99.1", 12).expect("as much as there was");
    }

    #[test]
    fn an_answer_that_is_longer_than_any_share_is_given_alone() {
        let answers = Answers::default();
        let huge = ask(&answers, "203.0.113.5", 130).expect("there is nothing else");
        assert!(matches!(ask(&answers, "198.51.100.1", 1), Err(ApiError::Busy(_))));
        drop(huge);
        let _own = ask(&answers, "198.51.100.1", 1).expect("there is room");
        assert!(ask(&answers, "203.0.113.5", 100).is_ok(), "above its share, but its only one");
    }
}
