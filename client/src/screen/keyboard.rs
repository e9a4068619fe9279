//! The keyboard, which all screens of a program read in turn.

use std::sync::OnceLock;

use crossterm::event::EventStream;
use tokio::sync::{Mutex, MutexGuard};

/// The program's keys, from whoever read them before. There is one stream of them: while one still waits for a key, the
/// next would wait for it, or miss what it was woken by.
pub(super) async fn open() -> MutexGuard<'static, EventStream> {
    static KEYS: OnceLock<Mutex<EventStream>> = OnceLock::new();
    KEYS.get_or_init(|| Mutex::new(EventStream::new())).lock().await
}
