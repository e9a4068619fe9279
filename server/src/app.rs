//! What requests and sockets share.

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::{Notify, watch};

use crate::clock::Clock;
use crate::config::Limits;
use crate::daily::Days;
use crate::gallery::Galleries;
use crate::limits::{Addresses, Logins};
use crate::lobby::Lobby;
use crate::page::Page;
use crate::password::Passwords;
use crate::proofs::Proofs;
use crate::queue::QueueHandle;
use crate::review::Reviewers;
use crate::room::ConnectionId;
use crate::sessions::Sessions;
use crate::shuffle::Shuffles;
use crate::stop::Stopping;
use crate::store::{Health, Store};
use crate::way::Ways;
use crate::web::{Answers, Counts, Keys, Live, Previews};

/// A handle on the running server; clones share it.
#[derive(Clone)]
pub struct App(Arc<Shared>);

/// What is shared.
pub struct Shared {
    /// The one clock.
    pub clock: Clock,
    /// The database.
    pub store: Store,
    /// The rooms.
    pub lobby: Lobby,
    /// Where those who watch are served.
    pub galleries: Galleries,
    /// The queue of quick match.
    pub queue: QueueHandle,
    /// The web page's files.
    pub page: Page,
    /// Who looks something up for the preview of a link.
    pub previews: Previews,
    /// The limits.
    pub limits: Limits,
    /// What each address does.
    pub addresses: Addresses,
    /// How often names are logged in to.
    pub logins: Logins,
    /// Who hashes passwords.
    pub passwords: Passwords,
    /// Whose sockets are open.
    pub sessions: Sessions,
    /// Told when a player was deleted.
    pub deleted: Notify,
    /// How the store is.
    pub health: watch::Receiver<Health>,
    /// Said when the server stops.
    pub stop: Stopping,
    /// What can be watched.
    pub live: Live,
    /// Answers to requests that may be sent twice.
    pub keys: Keys,
    /// Who may prove a stored round that somebody asks for.
    pub proofs: Proofs,
    /// Long answers that are under way.
    pub answers: Answers,
    /// The boards of days.
    pub days: Days,
    /// Which boards of Infinite Shuffle come next.
    pub shuffles: Shuffles,
    /// Who searches for ways to harmony.
    pub ways: Ways,
    /// Who works out reviews.
    pub reviewers: Reviewers,
    /// Who counts places on a leaderboard.
    pub counts: Counts,
    /// The last connection's number.
    pub connections: AtomicU64,
}

impl App {
    /// Shares it.
    pub fn new(shared: Shared) -> App {
        App(Arc::new(shared))
    }

    /// A number for a connection.
    pub fn next_connection(&self) -> ConnectionId {
        ConnectionId(self.connections.fetch_add(1, Ordering::Relaxed))
    }

    /// Returns once the server stops.
    pub async fn stopped(&self) {
        self.stop.said().await;
    }

    /// Whether commits go through.
    pub fn is_healthy(&self) -> bool {
        *self.health.borrow() == Health::Ok
    }
}

impl Deref for App {
    type Target = Shared;
    fn deref(&self) -> &Shared {
        &self.0
    }
}
