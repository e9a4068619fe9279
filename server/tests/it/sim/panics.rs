//! Panics of the server's tasks, which tokio keeps to itself.

use std::cell::RefCell;
use std::panic::{set_hook, take_hook};
use std::sync::Once;

thread_local! {
    static SEEN: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Forgets what this thread has seen, and sees from here on.
pub fn watch() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |panic| {
            SEEN.with_borrow_mut(|seen| seen.push(panic.to_string()));
            before(panic);
        }));
    });
    SEEN.take();
}

/// The first panic on this thread since then.
pub fn first() -> Option<String> {
    SEEN.with_borrow(|seen| seen.first().cloned())
}
