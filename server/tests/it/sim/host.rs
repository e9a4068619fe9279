//! The real server as a host of the simulation, and its sudden ends.
//!
//! When a host crashes, its tasks are dropped in an order that does not follow from the seed. So what is dropped then
//! sends nothing: the sockets are kept, and closed in order afterwards, by the system that outlives a killed process, or
//! not at all, as when a machine loses power.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::serve::Listener;
use sprint_server::clock::Clock;
use sprint_server::config::Serve;
use sprint_server::gallery::Threads;
use sprint_server::journal::{Faults, JournalOptions};
use sprint_server::page::Page;
use sprint_server::pool::Dealers;
use sprint_server::server::{Ground, Server};
use sprint_server::store::Store;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use turmoil::Sim;
use turmoil::net::{TcpListener, TcpStream};

use super::line::{PORT, SERVER};
use super::world::World;

/// Longer than any run.
const IDLE_MS: u64 = 3_600_000;

/// What is left of a server's sockets when it ends suddenly.
#[derive(Clone, Default)]
pub struct Remains {
    is_ending: Arc<AtomicBool>,
    sockets: Arc<Mutex<Vec<TcpStream>>>,
}

/// Ends the server as `kill -9` does (the system closes its connections) or as a loss of power does (nobody does).
pub fn crash(sim: &mut Sim<'_>, world: &World, has_power: bool) {
    let remains = &world.remains;
    remains.is_ending.store(true, Ordering::Relaxed);
    sim.crash(SERVER);
    if has_power {
        world.serves.set(false);
        sim.bounce(SERVER);
    } else {
        remains.sockets.lock().unwrap().clear();
    }
    remains.is_ending.store(false, Ordering::Relaxed);
}

/// Starts the server again.
pub fn start(sim: &mut Sim<'_>, world: &World) {
    world.serves.set(true);
    world.remains.is_ending.store(true, Ordering::Relaxed);
    sim.bounce(SERVER);
    world.remains.is_ending.store(false, Ordering::Relaxed);
}

/// What runs on the host: the server, or only the system under it.
pub async fn run(world: Rc<World>) -> turmoil::Result {
    let mut sockets = std::mem::take(&mut *world.remains.sockets.lock().unwrap());
    sockets.sort_by_key(|socket| socket.peer_addr().expect("it was connected"));
    drop(sockets);
    if !world.serves.get() {
        return std::future::pending().await;
    }
    let listener = TcpListener::bind((Ipv4Addr::UNSPECIFIED, PORT)).await?;
    let address = listener.local_addr()?;
    let faults = Faults::default();
    world.faults.replace(faults.clone());
    // A stall of the database is given up as unknown sooner than in earnest, so that runs stay short.
    let (stalled_after, unknown_after) = (Duration::from_millis(300), Duration::from_millis(1_500));
    let wall_ms = turmoil::since_epoch().expect("this is a host").as_millis() as u64;
    let ground = Ground {
        listener: Listening { listener, remains: world.remains.clone() },
        address,
        store: Store::in_memory(&world.memory),
        journal: JournalOptions { faults, stalled_after, unknown_after, ..JournalOptions::default() },
        clock: Clock::anchored(Duration::from_millis(wall_ms.saturating_add_signed(world.skew_ms.get()))),
        dealers: Dealers::on_the_spot(),
        threads: Threads::on_the_spot(),
        // Their boards take the time of many rounds.
        page: Page::built_in(),
        keeps_days: false,
    };
    let server = Server::start_on(ground, settings()).await?;
    server.run_until(world.stop.notified()).await;
    Ok(())
}

fn settings() -> Serve {
    let mut settings = Serve::standard();
    (settings.countdown_ms, settings.idle_ms) = (200, IDLE_MS);
    let limits = &mut settings.limits;
    (limits.ping_ms, limits.dead_ms, limits.hello_ms, limits.write_ms) = (1_000, 3_000, 2_000, 1_500);
    // These rates are counted by the machine's clock.
    (limits.guests_per_min, limits.rooms_per_min, limits.connections_max) = (0, 0, 1_000);
    settings
}

/// The simulated listener under the server's own accept loop.
struct Listening {
    listener: TcpListener,
    remains: Remains,
}

impl Listener for Listening {
    type Io = Socket;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Socket, SocketAddr) {
        let (stream, peer) = self.listener.accept().await.expect("a simulated listener takes every connection");
        (Socket { stream: Some(stream), remains: self.remains.clone() }, peer)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// The server's end of a connection.
struct Socket {
    /// There until the drop.
    stream: Option<TcpStream>,
    remains: Remains,
}

impl Socket {
    fn stream(&mut self) -> Pin<&mut TcpStream> {
        Pin::new(self.stream.as_mut().expect("it is there until the drop"))
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        if self.remains.is_ending.load(Ordering::Relaxed) {
            self.remains.sockets.lock().unwrap().extend(self.stream.take());
        }
    }
}

impl AsyncRead for Socket {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        self.stream().poll_read(cx, buf)
    }
}

impl AsyncWrite for Socket {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        self.stream().poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream().poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream().poll_shutdown(cx)
    }
}
