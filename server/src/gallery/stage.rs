//! What a room shows its gallery: committed events, a turn at a time, without waiting.
//!
//! Must never cost a room that nobody watches more than a look, nor make one wait: what finds no room in the line is left
//! to the journal.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sprint_shared::event::Event;
use sprint_shared::time::Millis;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{Notify, mpsc};
use uuid::Uuid;

/// Turns that may wait for a gallery.
const TURNS: usize = 256;

/// A room's side and its gallery's side of what is shown.
pub(crate) struct Stage {
    /// The last event that the room has published: a gallery shows none beyond it.
    head: AtomicU32,
    is_watched: AtomicBool,
    line: Mutex<Line>,
    /// Told when something was left out of the line, or somebody was sent away.
    missed: Notify,
    kicked: Mutex<Vec<Uuid>>,
}

enum Line {
    Idle,
    Watched(mpsc::Sender<Turn>),
    /// The room's task has ended.
    Over,
}

/// The events of one turn of a room, in order; perhaps not all of them.
pub(super) type Turn = Vec<Told>;

/// A committed event.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    /// Its number in the room.
    pub seq: u32,
    /// The instant of its decision.
    pub at: Millis,
    /// The event.
    pub event: Event,
}

/// The room's hold of its stage. Dropping it says that the room's task has ended.
pub(crate) struct OnStage(Arc<Stage>);

impl Stage {
    /// The stage of a room whose events up to `head` are told, and of whom its host has sent away.
    pub fn new(head: u32, kicked: &[Uuid]) -> (OnStage, Arc<Stage>) {
        let stage = Arc::new(Stage {
            head: AtomicU32::new(head),
            is_watched: AtomicBool::new(false),
            line: Mutex::new(Line::Idle),
            missed: Notify::new(),
            kicked: Mutex::new(kicked.to_vec()),
        });
        (OnStage(stage.clone()), stage)
    }

    /// The last event that was published.
    pub(super) fn head(&self) -> u32 {
        self.head.load(Ordering::SeqCst)
    }

    /// Begins to watch: from here on turns come by this line, until it is dropped. `None` once the room's task has ended.
    pub(super) fn watch(&self) -> Option<mpsc::Receiver<Turn>> {
        // Made and dropped outside the lock: the room takes it too, and must not wait for a thread that is served late.
        let (turns, told) = mpsc::channel(TURNS);
        let before = {
            let mut line = self.line();
            if matches!(*line, Line::Over) {
                return None;
            }
            std::mem::replace(&mut *line, Line::Watched(turns))
        };
        drop(before);
        self.is_watched.store(true, Ordering::SeqCst);
        Some(told)
    }

    /// Returns once something was left out of the line, or somebody was sent away.
    pub(super) async fn missed(&self) {
        self.missed.notified().await;
    }

    /// Whom the host has sent away.
    pub(super) fn kicked(&self) -> Vec<Uuid> {
        self.kicked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OnStage {
    /// Whether events are worth keeping for a turn.
    pub fn is_watched(&self) -> bool {
        self.0.is_watched.load(Ordering::SeqCst)
    }

    /// Shows a committed turn that brought the room to `head`.
    pub fn publish(&self, head: u32, turn: Vec<Told>) {
        if self.0.head.swap(head, Ordering::SeqCst) == head || !self.is_watched() {
            return;
        }
        let mut line = self.0.line();
        let Line::Watched(turns) = &*line else { return };
        // Somebody may have begun to watch within the turn: then the line is behind the head.
        match if turn.is_empty() { Err(TrySendError::Full(turn)) } else { turns.try_send(turn) } {
            Ok(()) => {}
            Err(TrySendError::Full(_)) => self.0.missed.notify_one(),
            Err(TrySendError::Closed(_)) => {
                *line = Line::Idle;
                self.0.is_watched.store(false, Ordering::SeqCst);
            }
        }
    }

    /// The host has sent somebody away; `kicked` are all who are.
    pub fn kick(&self, kicked: &[Uuid]) {
        *self.0.kicked.lock().unwrap_or_else(PoisonError::into_inner) = kicked.to_vec();
        self.0.missed.notify_one();
    }
}

impl Drop for OnStage {
    fn drop(&mut self) {
        // The line's end tells the gallery.
        *self.0.line() = Line::Over;
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn told(seq: u32) -> Vec<Told> {
        let event = Event::RoundDropped { at: Millis(1) };
        vec![Told { seq, at: Millis(1), event }]
    }

    #[test]
    fn a_room_that_nobody_watches_shows_nothing_and_one_whose_gallery_is_behind_says_so() {
        let (room, stage) = Stage::new(4, &[]);
        room.publish(5, Vec::new());
        assert_eq!((stage.head(), stage.missed().now_or_never()), (5, None));
        let mut line = stage.watch().expect("the room runs");
        for seq in 6..6 + TURNS as u32 {
            room.publish(seq, told(seq));
        }
        assert_eq!(stage.missed().now_or_never(), None, "as many as may wait");
        room.publish(1_000, told(1_000));
        assert_eq!(stage.missed().now_or_never(), Some(()), "one more finds no room");
        assert_eq!((stage.head(), line.len()), (1_000, TURNS));
        assert_eq!(line.try_recv().expect("it waits")[0].seq, 6);
    }

    #[test]
    fn the_end_of_a_room_ends_its_line_and_nobody_watches_it_after_that() {
        let (room, stage) = Stage::new(1, &[]);
        let mut line = stage.watch().expect("the room runs");
        room.publish(2, told(2));
        drop(room);
        assert_eq!(line.try_recv().expect("it was told")[0].seq, 2);
        assert_eq!(line.try_recv().err(), Some(mpsc::error::TryRecvError::Disconnected));
        assert!(stage.watch().is_none());
    }

    #[test]
    fn a_gallery_that_has_ended_costs_one_more_turn_and_another_one_may_begin() {
        let (room, stage) = Stage::new(1, &[]);
        drop(stage.watch().expect("the room runs"));
        assert!(room.is_watched());
        room.publish(2, told(2));
        assert!(!room.is_watched());
        let mut line = stage.watch().expect("the room runs");
        room.publish(3, told(3));
        assert_eq!(line.try_recv().expect("it was told")[0].seq, 3);
    }
}
