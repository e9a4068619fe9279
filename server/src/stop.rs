//! The word that the server stops: said once, heard by everybody who waits for it.
//!
//! Must never be missed by who begins to wait after it was said. It is heard in the order of waiting, so that a
//! simulated server stops the same way every time.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

/// Who can say it. Dropping it says it too.
pub struct Stop(Arc<Word>);

/// Who can hear it. Clones hear the same word.
#[derive(Clone)]
pub struct Stopping(Arc<Word>);

#[derive(Default)]
struct Word {
    is_said: AtomicBool,
    waiting: Notify,
}

/// A word that is not said yet.
pub fn stop() -> (Stop, Stopping) {
    let word = Arc::<Word>::default();
    (Stop(word.clone()), Stopping(word))
}

impl Stop {
    /// Says it; saying it again does nothing.
    pub fn say(&self) {
        self.0.is_said.store(true, Ordering::Release);
        self.0.waiting.notify_waiters();
    }
}

impl Drop for Stop {
    fn drop(&mut self) {
        self.say();
    }
}

impl Stopping {
    /// Whether it was said.
    pub fn is_said(&self) -> bool {
        self.0.is_said.load(Ordering::Acquire)
    }

    /// Returns once it is said.
    pub async fn said(&self) {
        let mut word = pin!(self.0.waiting.notified());
        // In the queue before the look: what is said in between is not missed.
        word.as_mut().enable();
        if !self.is_said() {
            word.await;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[tokio::test]
    async fn the_word_is_heard_by_who_waits_in_the_order_of_waiting_and_by_who_comes_later() {
        let (stop, stopping) = stop();
        let heard = Arc::<Mutex<Vec<u32>>>::default();
        let waiting: Vec<_> = (0..20)
            .map(|number| {
                let (stopping, heard) = (stopping.clone(), heard.clone());
                tokio::spawn(async move {
                    stopping.said().await;
                    heard.lock().unwrap().push(number);
                })
            })
            .collect();
        tokio::task::yield_now().await;
        assert!(!stopping.is_said() && heard.lock().unwrap().is_empty());
        stop.say();
        for task in waiting {
            task.await.unwrap();
        }
        assert!(heard.lock().unwrap().iter().copied().eq(0..20), "{heard:?}");
        stopping.said().await;
        assert!(stopping.is_said());
    }

    #[tokio::test]
    async fn it_is_said_when_nobody_is_left_to_say_it() {
        let (stop, stopping) = stop();
        drop(stop);
        stopping.said().await;
    }
}
