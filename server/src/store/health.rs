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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_store_stays_failed() {
        let (health, mut seen) = watch::channel(Health::Ok);
        set(&health, Health::Ok);
        assert!(!seen.has_changed().unwrap(), "watchers hear of changes only");
        set(&health, Health::Stalled);
        assert!(seen.has_changed().unwrap());
        set(&health, Health::Failed("first".to_owned()));
        for later in [Health::Ok, Health::Stalled, Health::Failed("second".to_owned())] {
            set(&health, later);
            assert_eq!(*seen.borrow_and_update(), Health::Failed("first".to_owned()));
        }
    }
}
