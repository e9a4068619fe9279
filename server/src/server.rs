//! The running server: everything opened in order, and ended in order.
//!
//! Must never end a room's journal before the room, nor the process before what was acknowledged is on disk.

use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use axum::serve::{Listener, ListenerExt};
use socket2::SockRef;
use sprint_shared::review::Effort;
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;

use crate::app::{App, Shared};
use crate::clock::Clock;
use crate::config::{Limits, Serve, without_password};
use crate::daily::Days;
use crate::erase::keep_erasing;
use crate::gallery::{Bounds, Galleries, Threads};
use crate::journal::{Faults, Journal, JournalOptions};
use crate::limits::{Addresses, Logins};
use crate::lobby::Lobby;
use crate::page::Page;
use crate::password::Passwords;
use crate::pool::Dealers;
use crate::proofs::Proofs;
use crate::queue;
use crate::racing::Racing;
use crate::review::Reviewers;
use crate::room::RoomContext;
use crate::sessions::{Sessions, keep_dismissing};
use crate::shuffle::Shuffles;
use crate::stop::{Stop, stop};
use crate::store::{Health, Store, StoreError, StoreOptions};
use crate::way::Ways;
use crate::web;

/// How long rooms may take to end.
const ROOMS_END: Duration = Duration::from_secs(8);
/// How often idle addresses are forgotten.
const FORGET: Duration = Duration::from_secs(60);
/// Bytes that the system may hold for a line: a client that does not read is noticed, and costs no memory.
const SEND_BYTES: usize = 64 * 1024;
/// How long a server whose disk failed still says so before it ends.
const LAST_WORDS: Duration = Duration::from_secs(3);

/// A server that runs until it is told to stop.
pub struct Server {
    address: SocketAddr,
    stop: Stop,
    health: watch::Receiver<Health>,
    faults: Faults,
    task: JoinHandle<()>,
}

/// What a server stands on: the machine's, or its twins in a simulation.
pub struct Ground<L> {
    /// Where connections come from.
    pub listener: L,
    /// The address that the listener has.
    pub address: SocketAddr,
    /// The database.
    pub store: Store,
    /// How the journal behaves.
    pub journal: JournalOptions,
    /// The one clock.
    pub clock: Clock,
    /// Who deals.
    pub dealers: Dealers,
    /// Where those who watch are served.
    pub threads: Threads,
    /// The web page.
    pub page: Page,
    /// Whether the boards of days are dealt ahead.
    pub keeps_days: bool,
}

/// Why a server did not start.
#[derive(Debug, Error)]
pub enum StartError {
    /// The address is taken or not ours.
    #[error("--listen {address}: {error}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        error: io::Error,
    },
    /// The state directory.
    #[error(transparent)]
    State(#[from] io::Error),
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A setting.
    #[error("{0}")]
    Setting(String),
}

impl Server {
    /// Opens the database, takes over unfinished rooms, and listens.
    pub async fn start(settings: Serve) -> Result<Server, StartError> {
        let faults: Faults = settings.faults.parse().map_err(StartError::Setting)?;
        let Limits { ping_ms, dead_ms, .. } = settings.limits;
        if dead_ms <= ping_ms {
            let why =
                format!("--dead-ms {dead_ms}: a client that is only pinged every {ping_ms} ms would be dead before");
            return Err(StartError::Setting(format!("{why}; give more than --ping-ms")));
        }
        let page = match &settings.page_dir {
            Some(folder) => Page::read(folder).map_err(|bad| StartError::Setting(format!("--page-dir {bad}")))?,
            None => Page::built_in(),
        };
        let listener = TcpListener::bind(settings.listen)
            .await
            .map_err(|error| StartError::Listen { address: settings.listen, error })?;
        let address = listener.local_addr()?;
        let listener = listener.tap_io(|line| {
            let sized = SockRef::from(&*line).set_send_buffer_size(SEND_BYTES);
            if let Err(error) = line.set_nodelay(true).and(sized) {
                tracing::debug!(%error, "a connection keeps the system's settings");
            }
        });
        let durability = settings.durability.into();
        let options = StoreOptions { durability, ..settings.counted.options() };
        let url = settings.database.url()?;
        let store = Store::open(&url, options).await?;
        tracing::info!(database = without_password(&url), "opened");
        let journal = JournalOptions { faults, ..JournalOptions::default() };
        let (clock, dealers, threads) = (Clock::start(), Dealers::new(), Threads::own()?);
        let ground = Ground { listener, address, store, journal, clock, dealers, threads, page, keeps_days: true };
        Server::start_on(ground, settings).await
    }

    /// Takes over unfinished rooms, and listens.
    pub async fn start_on<L>(ground: Ground<L>, settings: Serve) -> Result<Server, StartError>
    where
        L: Listener<Addr = SocketAddr>,
    {
        let Ground { listener, address, store, journal, clock, dealers, threads, page, keeps_days } = ground;
        let health = store.health();
        let faults = journal.faults.clone();
        store.furnish_house(clock.now().0 as i64).await?;
        let told = |players| tracing::info!(players, "names from before they were unique are being made so");
        store.give_skeletons(told).await?;
        if !store.follows_formula().await? {
            tracing::warn!(
                "ratings follow an older formula in part: run `sprint-server ratings rebuild` once, while this server runs"
            );
        }
        let (journal, writer) = Journal::start(store.clone(), journal);
        let (stop, stopping) = stop();
        let bounds = Bounds {
            room_max: settings.limits.spectators_max,
            all_max: settings.limits.spectators_all_max,
            distance_bytes_max: (settings.limits.distance_mb_max as usize) << 20,
        };
        let galleries = Galleries::new(threads, clock, store.clone(), stopping.clone(), bounds);
        let context = RoomContext {
            clock,
            journal,
            store: store.clone(),
            dealers,
            galleries: galleries.clone(),
            countdown_ms: settings.countdown_ms,
            idle_ms: settings.idle_ms,
            show_up_ms: settings.show_up_ms,
            racing: Racing::default(),
            stop: stopping.clone(),
        };
        let lobby = Lobby::new(context, settings.limits.rooms_max);
        let recovered = lobby.recover().await?;
        if recovered > 0 {
            tracing::info!(rooms = recovered, "unfinished rooms are taken over");
        }
        let connections_max = connections_max(&settings.limits);
        let ground = queue::Ground { clock, lobby: lobby.clone(), store: store.clone(), stop: stopping.clone() };
        let queue = queue::start(ground, settings.offer_ms);
        let effort = Effort::within(settings.limits.review_mb_max << 20);
        let app = App::new(Shared {
            clock,
            store: store.clone(),
            lobby: lobby.clone(),
            galleries,
            queue,
            page,
            previews: web::Previews::default(),
            addresses: Addresses::new(&settings.limits),
            logins: Logins::new(),
            passwords: Passwords::default(),
            sessions: Sessions::default(),
            deleted: Notify::new(),
            limits: settings.limits,
            health: health.clone(),
            stop: stopping,
            live: web::Live::default(),
            keys: web::Keys::default(),
            proofs: Proofs::new(store.clone()),
            answers: web::Answers::default(),
            days: Days::new(store.clone(), lobby.dealers().clone(), clock),
            shuffles: Shuffles::default(),
            ways: Ways::default(),
            reviewers: Reviewers::new(store.clone(), effort),
            counts: web::Counts::default(),
            connections: AtomicU64::new(1),
        });
        let running = Running { app, store, lobby, writer, connections_max, keeps_days };
        let task = tokio::spawn(running.until_stopped(listener));
        Ok(Server { address, stop, health, faults, task })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where tests order failures of commits.
    pub fn faults(&self) -> &Faults {
        &self.faults
    }

    /// Runs until `signal` or until the disk fails; false in the latter case.
    pub async fn run_until(mut self, signal: impl Future<Output = ()>) -> bool {
        let failed = tokio::select! {
            biased;
            () = signal => false,
            _ = self.health.wait_for(|health| matches!(health, Health::Failed(_))) => true,
        };
        if failed {
            tracing::error!("the store has failed: nothing is acknowledged any more, and the server ends");
            tokio::time::sleep(LAST_WORDS).await;
        }
        self.stop().await;
        !failed
    }

    /// Stops: rooms end, sockets are told to come again, what was acknowledged is on disk.
    pub async fn stop(self) {
        self.stop.say();
        let _ = self.task.await;
    }
}

struct Running {
    app: App,
    store: Store,
    lobby: Lobby,
    writer: JoinHandle<()>,
    connections_max: u32,
    keeps_days: bool,
}

impl Running {
    async fn until_stopped<L: Listener<Addr = SocketAddr>>(self, listener: L) {
        let Running { app, store, lobby, writer, connections_max, keeps_days } = self;
        let forgetting = tokio::spawn({
            let app = app.clone();
            async move {
                let mut often = tokio::time::interval(FORGET);
                loop {
                    often.tick().await;
                    app.addresses.forget_idle();
                    app.logins.forget_idle();
                }
            }
        });
        let compacting = tokio::spawn({
            let (app, store) = (app.clone(), store.clone());
            async move { store.keep_compacting(|| app.clock.now().0 as i64).await }
        });
        let showing = tokio::spawn({
            let (app, store) = (app.clone(), store.clone());
            async move { store.keep_showing(|| app.clock.now().0 as i64).await }
        });
        let sweeping = tokio::spawn({
            let (app, store) = (app.clone(), store.clone());
            async move { store.keep_sweeping(|| app.clock.now().0 as i64).await }
        });
        let dealing = tokio::spawn({
            let days = app.days.clone();
            async move {
                if keeps_days {
                    days.keep().await;
                }
            }
        });
        let dismissing = tokio::spawn(keep_dismissing(app.clone()));
        let erasing = tokio::spawn(keep_erasing(app.clone()));
        let router = web::router(app.clone());
        let reviewers = app.reviewers.clone();
        web::serve(listener, app, router, connections_max).await;
        reviewers.stop();
        forgetting.abort();
        compacting.abort();
        showing.abort();
        sweeping.abort();
        dealing.abort();
        dismissing.abort();
        erasing.abort();
        let _ = (forgetting.await, compacting.await, showing.await, sweeping.await);
        let _ = (dealing.await, dismissing.await, erasing.await);
        if tokio::time::timeout(ROOMS_END, lobby.ended()).await.is_err() {
            tracing::error!("some rooms did not end in time; they are rebuilt from the journal at the next start");
        }
        drop(lobby);
        if tokio::time::timeout(ROOMS_END, writer).await.is_err() {
            tracing::error!("the journal did not end in time");
        }
        store.close().await;
    }
}

/// As many connections as the limit of open files leaves room for, unless a number was given.
fn connections_max(limits: &Limits) -> u32 {
    if limits.connections_max > 0 {
        return limits.connections_max;
    }
    let files = open_files_max(Path::new("/proc/self/limits")).unwrap_or(1_024);
    // The database, the journal and the process itself need some.
    files.saturating_sub(64).clamp(16, 100_000)
}

fn open_files_max(limits: &Path) -> Option<u32> {
    let limits = std::fs::read_to_string(limits).ok()?;
    let line = limits.lines().find(|line| line.starts_with("Max open files"))?;
    line.split_whitespace().nth(3)?.parse().ok()
}
