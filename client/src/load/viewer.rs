//! Those who watch the rooms of a load: each hears every frame and understands as little as it must, so that thousands
//! fit beside the bots, on threads of their own.

use std::sync::Arc;

use serde::Deserialize;
use sprint_shared::protocol::{ClientMessage, Role};
use sprint_shared::time::Seat;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{Semaphore, mpsc};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::Instant;

use super::room::Shared;
use super::silent;
use super::tally::Viewed;
use crate::connection::{Connection, Heard, Told};

/// Viewers that come at the same time.
const DOOR: usize = 64;
/// How much later than the bots the system serves the viewers: what is measured is the server.
const NICE: i32 = 5;
/// Files that this program opens besides its sockets, with some to spare.
const OTHER_FILES: u64 = 256;

/// What a viewer takes from a frame.
#[derive(Debug, Deserialize)]
pub struct Glance {
    #[serde(rename = "type")]
    kind: String,
    seq: Option<u32>,
    seat: Option<Seat>,
    n: Option<u32>,
    #[serde(skip)]
    bytes: usize,
}

impl Told for Glance {
    fn parse(text: &str) -> Option<Glance> {
        let glance: Glance = serde_json::from_str(text).ok()?;
        Some(Glance { bytes: text.len(), ..glance })
    }
}

/// Where viewers run.
pub struct Crowd {
    /// There until the drop.
    runtime: Option<Runtime>,
    door: Arc<Semaphore>,
}

impl Crowd {
    /// A thread for viewers.
    pub fn new() -> std::io::Result<Crowd> {
        let step_back = || {
            // Where the system does not allow it, viewers and bots are served alike.
            let _ = rustix::process::nice(NICE);
        };
        let runtime = Builder::new_multi_thread().worker_threads(1).on_thread_start(step_back).enable_all().build()?;
        Ok(Crowd { runtime: Some(runtime), door: Arc::new(Semaphore::new(DOOR)) })
    }

    /// Brings a viewer to a room; it drops `here` once it is let in, or will not be.
    pub fn bring(
        &self,
        address: String,
        token: String,
        shared: Arc<Shared>,
        here: mpsc::Sender<()>,
    ) -> JoinHandle<Viewed> {
        let door = self.door.clone();
        let runtime = self.runtime.as_ref().expect("it is there until the drop");
        runtime.spawn(async move {
            let turn = door.acquire_owned().await;
            watch(address, token, &shared, (turn, here)).await
        })
    }

    /// Brings viewers to a room that never read; each drops its `here` once it is let in. They stay until what is returned
    /// is dropped.
    pub fn bring_silent(&self, count: u32, address: &str, token: &str, here: &mpsc::Sender<()>) -> JoinSet<()> {
        let runtime = self.runtime.as_ref().expect("it is there until the drop");
        let mut silent = JoinSet::new();
        for _ in 0..count {
            let (door, here) = (self.door.clone(), here.clone());
            let (address, token) = (address.to_owned(), token.to_owned());
            let staying = async move {
                let turn = door.acquire_owned().await;
                silent::stay(address, token, (turn, here)).await;
            };
            silent.spawn_on(staying, runtime.handle());
        }
        silent
    }
}

impl Drop for Crowd {
    fn drop(&mut self) {
        self.runtime.take().into_iter().for_each(Runtime::shutdown_background);
    }
}

/// Watches a round to its result, or until the server lets go.
async fn watch<T>(address: String, token: String, shared: &Shared, coming: T) -> Viewed {
    let (mut viewed, mut coming) = (Viewed { viewers: 1, ..Viewed::default() }, Some(coming));
    let mut connection = Connection::<Glance>::new(address);
    let mut last: Option<u32> = None;
    loop {
        match connection.next().await {
            Heard::Opened => {
                let role = Role::Spectator;
                connection.send(&ClientMessage::Hello { token: token.clone(), role, last_seq: None });
            }
            Heard::Message(glance) => {
                let now = Instant::now();
                viewed.messages += 1;
                viewed.bytes += glance.bytes as u64;
                match (glance.kind.as_str(), glance.seq) {
                    ("welcome" | "snapshot", Some(seq)) => {
                        viewed.snapshots += u64::from(glance.kind == "snapshot");
                        last = Some(seq);
                        connection.settled();
                        coming = None;
                    }
                    // It has no number of its own.
                    ("start", Some(seq)) => viewed.count(seq, last.replace(seq).unwrap_or(seq)),
                    (_, Some(seq)) => {
                        viewed.count(seq, last.replace(seq).map_or(seq, |last| last + 1));
                        let sent = glance.seat.zip(glance.n).and_then(|(seat, n)| shared.sent_at(seat, n));
                        viewed.delivery.extend(sent.map(|at| now - at));
                        if glance.kind == "round_over" {
                            return viewed;
                        }
                    }
                    _ => {}
                }
            }
            Heard::Lost { .. } => {
                viewed.lines_lost += 1;
                last = None;
            }
            Heard::Ended { why } => {
                if coming.is_some() {
                    eprintln!("a viewer was not let in: {why}");
                }
                viewed.lines_lost += 1;
                return viewed;
            }
        }
    }
}

/// Makes sure that this program may open so many sockets.
pub fn allow_sockets(sockets: u64) -> Result<(), String> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let wanted = sockets + OTHER_FILES;
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current.is_none_or(|current| current >= wanted) {
        return Ok(());
    }
    let raised = Rlimit { current: Some(wanted), maximum };
    if maximum.is_none_or(|maximum| maximum >= wanted) && setrlimit(Resource::Nofile, raised).is_ok() {
        return Ok(());
    }
    let allowed = maximum.or(current).unwrap_or_default();
    Err(format!(
        "{sockets} sockets need {wanted} open files, and this shell allows {allowed}: raise it (ulimit -n {wanted}) here and \
         where the server runs, or take fewer spectators"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glance_takes_what_is_needed_and_counts_the_bytes() {
        let text = r#"{"seq":15,"type":"lifted","seat":1,"n":2,"peg":1}"#;
        let glance = Glance::parse(text).expect("an event");
        assert_eq!(
            (glance.kind.as_str(), glance.seq, glance.n, glance.bytes),
            ("lifted", Some(15), Some(2), text.len())
        );
        assert_eq!(glance.seat, Some(Seat::ALL[0]));
        let told = Glance::parse(r#"{"type":"distance","seat":2,"clock_ms":12,"to_go":[3,null]}"#).expect("no event");
        assert_eq!((told.seq, told.n), (None, None));
    }

    #[test]
    fn more_sockets_than_the_system_allows_are_refused_with_what_would_be_right() {
        let refused = allow_sockets(u64::MAX / 2).expect_err("nobody has so many");
        assert!(refused.contains("ulimit -n"), "{refused}");
        assert_eq!(allow_sockets(1), Ok(()));
    }
}
