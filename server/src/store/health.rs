//! How the store is. Must never turn from failed back to anything else.

use tokio::sync::watch;

/// What readiness, sockets and the process's exit follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Health {
    /// Commits go through.
    Ok,
    /// A commit is late or is being tried again: nothing is acknowledged for now.
    Stalled,
    /// The disk failed or is full: nothing will be acknowledged any more, reading may go on, the process should end.
    Failed(String),
}

/// Moves to `next` unless the store has failed; tells watchers only of a change.
pub(super) fn set(health: &watch::Sender<Health>, next: Health) {
    health.send_if_modified(|now| {
        if *now == next || matches!(now, Health::Failed(_)) {
            return false;
        }
        if let Health::Failed(reason) = &next {
            tracing::error!(reason, "the store is read-only from here on");
        }
        *now = next;
        true
    });
}
