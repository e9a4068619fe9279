//! Idempotency keys: a POST that is sent again gets the first answer again.
//!
//! Must never hand an answer to another caller or for another request, and never grow without bound. The answers are
//! kept in memory: after a restart a key is new again.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};
use tokio::sync::OnceCell;

use super::peer::Address;
use crate::app::App;
use crate::problem::ApiError;

/// Answers that are kept.
const KEPT: usize = 10_000;
/// Bytes of a request's body and of an answer at most.
const BODY_BYTES_MAX: usize = 64 * 1024;
/// Characters of a key at most.
const KEY_LEN_MAX: usize = 255;

/// Answers by caller and key.
#[derive(Default)]
pub struct Keys(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    answers: HashMap<[u8; 32], Arc<Slot>>,
    order: VecDeque<[u8; 32]>,
}

struct Slot {
    request: [u8; 32],
    answer: OnceCell<Answer>,
}

type Answer = (StatusCode, Option<HeaderValue>, Bytes);

impl Keys {
    fn slot(&self, key: [u8; 32], request: [u8; 32]) -> Arc<Slot> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(slot) = kept.answers.get(&key) {
            return slot.clone();
        }
        if kept.order.len() >= KEPT
            && let Some(oldest) = kept.order.pop_front()
        {
            kept.answers.remove(&oldest);
        }
        let slot = Arc::new(Slot { request, answer: OnceCell::new() });
        kept.answers.insert(key, slot.clone());
        kept.order.push_back(key);
        slot
    }

    /// Forgets a slot that has come to no answer and that nobody else waits for: what was refused takes no place from
    /// answers that were given.
    fn give_back(&self, key: &[u8; 32], slot: &Arc<Slot>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // One is the table's, one is the caller's; more are only made under the lock.
        let is_free =
            |now: &Arc<Slot>| Arc::ptr_eq(now, slot) && Arc::strong_count(now) == 2 && !now.answer.initialized();
        if kept.answers.get(key).is_some_and(is_free) {
            kept.answers.remove(key);
            if let Some(place) = kept.order.iter().rposition(|other| other == key) {
                kept.order.remove(place);
            }
        }
    }
}

/// Answers a POST with a key once; any other request passes.
pub(super) async fn once(State(app): State<App>, request: Request, next: Next) -> Response {
    let Some(key) = request.headers().get("idempotency-key").filter(|_| request.method() == Method::POST) else {
        return next.run(request).await;
    };
    if key.is_empty() || key.len() > KEY_LEN_MAX {
        return ApiError::BadRequest(format!("Idempotency-Key: 1 to {KEY_LEN_MAX} characters")).into_response();
    }
    let key = key.clone();
    let (parts, body) = request.into_parts();
    let Ok(body) = to_bytes(body, BODY_BYTES_MAX).await else {
        return ApiError::BadRequest(format!("the body is longer than {BODY_BYTES_MAX} bytes")).into_response();
    };
    let address = parts.extensions.get::<Address>().map(|Address(address)| address.to_string());
    let caller = caller(&parts.headers).or(address).unwrap_or_default();
    let asked = fingerprint(&[parts.uri.path().as_bytes(), &body]);
    let key = fingerprint(&[caller.as_bytes(), key.as_bytes()]);
    let slot = app.keys.slot(key, asked);
    if slot.request != asked {
        return ApiError::KeyReused.into_response();
    }
    // What is begun is ended and kept even if the client's line breaks: it will ask again with the same key.
    let answering = tokio::spawn(async move {
        let request = Request::from_parts(parts, Body::from(body));
        let answered = slot.answer.get_or_try_init(|| answer(request, next)).await.cloned();
        if answered.is_err() {
            app.keys.give_back(&key, &slot);
        }
        answered
    });
    match answering.await {
        Ok(Ok((status, content_type, body))) => {
            let mut response = (status, body).into_response();
            if let Some(content_type) = content_type {
                response.headers_mut().insert(header::CONTENT_TYPE, content_type);
            }
            response
        }
        Ok(Err(response)) => response,
        Err(error) => ApiError::Internal(error.to_string()).into_response(),
    }
}

/// The answer to be kept; what failed may be tried again with the same key.
async fn answer(request: Request, next: Next) -> Result<Answer, Response> {
    let response = next.run(request).await;
    if !response.status().is_success() {
        return Err(response);
    }
    let (parts, body) = response.into_parts();
    let content_type = parts.headers.get(header::CONTENT_TYPE).cloned();
    match to_bytes(body, BODY_BYTES_MAX).await {
        Ok(body) => Ok((parts.status, content_type, body)),
        Err(error) => Err(ApiError::Internal(error.to_string()).into_response()),
    }
}

fn caller(headers: &HeaderMap) -> Option<String> {
    headers.get(header::AUTHORIZATION)?.to_str().ok().map(str::to_owned)
}

fn fingerprint(parts: &[&[u8]]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_refused_takes_no_place_from_an_answer_that_was_given() {
        let (keys, request) = (Keys::default(), [0; 32]);
        let key = |number: u32| fingerprint(&[&number.to_be_bytes()]);
        let given = keys.slot(key(0), request);
        given.answer.set((StatusCode::CREATED, None, Bytes::new())).expect("the first answer");
        for number in 1..=KEPT as u32 {
            let refused = keys.slot(key(number), request);
            keys.give_back(&key(number), &refused);
        }
        assert!(Arc::ptr_eq(&keys.slot(key(0), request), &given));
        keys.give_back(&key(0), &given);
        assert!(Arc::ptr_eq(&keys.slot(key(0), request), &given), "an answer is no refusal");
        let waited_for = keys.slot(key(1), request);
        let waiting = keys.slot(key(1), request);
        keys.give_back(&key(1), &waiting);
        assert!(Arc::ptr_eq(&keys.slot(key(1), request), &waited_for), "somebody else asks with it");
        for number in 2..=KEPT as u32 {
            keys.slot(key(number), request);
        }
        assert!(!Arc::ptr_eq(&keys.slot(key(0), request), &given), "the oldest of too many goes");
    }
}
