//! Which sockets are whose, so that a player who logs out everywhere, or is shown out, is gone at once.
//!
//! A socket registers first and has its token looked up after that: whoever logs out in between either finds the socket
//! here or has taken the token away already. Must never keep a socket's entry longer than the socket.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;
use uuid::Uuid;

use crate::app::App;
use crate::store::{DeviceHash, Standing};

/// How often players are looked for who were banned or deleted elsewhere.
const OFTEN: Duration = Duration::from_secs(5);
/// How far back is looked: more than any two machines' clocks differ.
const BACK_MS: u64 = 600_000;

/// The sockets of this process by player. Clones share them.
#[derive(Clone, Default)]
pub struct Sessions(Arc<Mutex<Open>>);

#[derive(Default)]
struct Open {
    last: u64,
    /// In an order that follows from nothing but the players: who is told first must not hang on chance.
    sockets: BTreeMap<(Uuid, u64), Socket>,
}

struct Socket {
    device: DeviceHash,
    dismissed: oneshot::Sender<Dismissal>,
}

/// Why a player's sockets are closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dismissal {
    /// The player has logged out everywhere, or on more devices in than may be, so that this one is out.
    LoggedOut,
    /// The host has banned the player.
    Banned,
}

/// A socket's entry; dropping it takes it away.
pub struct Session {
    sessions: Sessions,
    key: (Uuid, u64),
    dismissed: oneshot::Receiver<Dismissal>,
}

impl Sessions {
    /// Enters a socket of a player's device. Only after that may its token be believed.
    pub fn register(&self, player: Uuid, device: DeviceHash) -> Session {
        let (sender, receiver) = oneshot::channel();
        let mut open = self.open();
        open.last += 1;
        let key = (player, open.last);
        open.sockets.insert(key, Socket { device, dismissed: sender });
        Session { sessions: self.clone(), key, dismissed: receiver }
    }

    /// Closes all sockets of a player.
    pub fn dismiss(&self, player: Uuid, why: Dismissal) {
        self.dismiss_where(player, why, |_| true);
    }

    /// Closes the sockets of those devices of a player that were logged out.
    pub fn dismiss_devices(&self, player: Uuid, devices: &[DeviceHash]) {
        self.dismiss_where(player, Dismissal::LoggedOut, |device| devices.contains(device));
    }

    fn dismiss_where(&self, player: Uuid, why: Dismissal, gone: impl Fn(&DeviceHash) -> bool) {
        let mut open = self.open();
        let of_player = open.sockets.range((player, 0)..=(player, u64::MAX));
        let keys: Vec<_> = of_player.filter(|(_, socket)| gone(&socket.device)).map(|(key, _)| *key).collect();
        for key in keys {
            if let Some(socket) = open.sockets.remove(&key) {
                let _ = socket.dismissed.send(why);
            }
        }
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Session {
    /// Returns once the player is to be gone; to be asked no more after that.
    pub async fn dismissed(&mut self) -> Dismissal {
        match (&mut self.dismissed).await {
            Ok(why) => why,
            // Nothing but this entry's end takes the sender away.
            Err(_) => std::future::pending().await,
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.sessions.open().sockets.remove(&self.key);
    }
}

/// Shows those out whom another process has banned or deleted, for as long as it is left to run.
pub async fn keep_dismissing(app: App) {
    let mut often = tokio::time::interval(OFTEN);
    loop {
        often.tick().await;
        let since_ms = app.clock.now().0.saturating_sub(BACK_MS) as i64;
        match app.store.standings_since(since_ms).await {
            Ok(changed) => {
                for (player, standing) in changed {
                    match standing {
                        Standing::Banned => app.sessions.dismiss(player, Dismissal::Banned),
                        Standing::Deleted | Standing::DeletedAndBanned => {
                            app.sessions.dismiss(player, Dismissal::LoggedOut)
                        }
                        Standing::Fine | Standing::Flagged => {}
                    }
                }
            }
            Err(error) => tracing::warn!(%error, "it could not be looked up who was banned; trying again"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_player_is_dismissed_from_all_sockets_and_nobody_else_is() {
        let (sessions, ada, ben) = (Sessions::default(), Uuid::from_u128(1), Uuid::from_u128(2));
        let enter = |player| sessions.register(player, [0; 32]);
        let (mut one, mut other, mut bens) = (enter(ada), enter(ada), enter(ben));
        sessions.dismiss(ada, Dismissal::LoggedOut);
        assert_eq!(one.dismissed().await, Dismissal::LoggedOut);
        assert_eq!(other.dismissed().await, Dismissal::LoggedOut);
        sessions.dismiss(ben, Dismissal::Banned);
        assert_eq!(bens.dismissed().await, Dismissal::Banned);
        let mut later = enter(ada);
        sessions.dismiss(ada, Dismissal::Banned);
        assert_eq!(later.dismissed().await, Dismissal::Banned);
    }

    #[tokio::test]
    async fn a_device_that_is_logged_out_is_dismissed_and_no_other_is() {
        let (sessions, ada, ben) = (Sessions::default(), Uuid::from_u128(1), Uuid::from_u128(2));
        let (mut phone, mut desk) = (sessions.register(ada, [1; 32]), sessions.register(ada, [2; 32]));
        let mut bens = sessions.register(ben, [1; 32]);
        sessions.dismiss_devices(ada, &[[1; 32], [3; 32]]);
        assert_eq!(phone.dismissed().await, Dismissal::LoggedOut);
        sessions.dismiss(ada, Dismissal::Banned);
        assert_eq!(desk.dismissed().await, Dismissal::Banned, "it was not dismissed before");
        sessions.dismiss(ben, Dismissal::Banned);
        assert_eq!(bens.dismissed().await, Dismissal::Banned);
    }

    #[test]
    fn a_socket_that_ends_leaves_no_entry() {
        let (sessions, ada) = (Sessions::default(), Uuid::from_u128(1));
        let (one, other) = (sessions.register(ada, [1; 32]), sessions.register(ada, [1; 32]));
        drop(one);
        assert_eq!(sessions.open().sockets.len(), 1);
        sessions.dismiss(ada, Dismissal::LoggedOut);
        drop(other);
        assert!(sessions.open().sockets.is_empty());
    }
}
