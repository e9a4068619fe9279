//! A proxy on loopback that cuts, delays and stalls connections.
//!
//! Must never alter a byte: what arrives is what was sent, late or not at all.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::Result;
use sprint_shared::deal::Draws;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::{Instant, sleep, sleep_until};

/// The way to the server.
pub struct Proxy {
    address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    server: SocketAddr,
    calm: AtomicBool,
    open: AtomicUsize,
    /// Counts up: whatever was open before is cut.
    cuts: watch::Sender<u64>,
}

/// What happens to one connection.
#[derive(Clone, Copy, Debug, Default)]
struct Fate {
    /// Every piece arrives this much later.
    delay: Duration,
    /// It is cut after this long.
    cut_after: Option<Duration>,
    /// For this long, after that long, nothing passes.
    stall: Option<(Duration, Duration)>,
}

impl Proxy {
    /// Listens on a free port, for a server that may come and go.
    pub async fn start(server: SocketAddr, mut draws: Draws) -> Result<Proxy> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let (cuts, _) = watch::channel(0);
        let shared = Arc::new(Shared { server, calm: AtomicBool::new(false), open: AtomicUsize::new(0), cuts });
        tokio::spawn({
            let shared = shared.clone();
            async move {
                while let Ok((client, _)) = listener.accept().await {
                    let fate = match shared.calm.load(Ordering::Relaxed) {
                        true => Fate::default(),
                        false => Fate::draw(&mut draws),
                    };
                    tokio::spawn(shared.clone().carry(client, fate));
                }
            }
        });
        Ok(Proxy { address, shared })
    }

    /// Where clients connect.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Connections opened from now on meet no harm.
    pub fn calm(&self) {
        self.shared.calm.store(true, Ordering::Relaxed);
        self.cut_all();
    }

    /// Cuts every connection.
    pub fn cut_all(&self) {
        self.shared.cuts.send_modify(|cuts| *cuts += 1);
    }

    /// Lets the last words of a server that is gone arrive, then cuts what is still open.
    pub async fn drain(&self) {
        let until = Instant::now() + Duration::from_millis(500);
        while self.shared.open.load(Ordering::Relaxed) > 0 && Instant::now() < until {
            sleep(Duration::from_millis(5)).await;
        }
        self.cut_all();
    }
}

impl Fate {
    /// Half of the connections are delayed, a quarter is cut at some time, a tenth is stalled for a while.
    fn draw(draws: &mut Draws) -> Fate {
        let mut ms = |from: u64, to: u64| Duration::from_millis(from + draws.below(to - from));
        let (delay, cut, stall_after, stall_for) = (ms(1, 20), ms(300, 6_000), ms(300, 4_000), ms(500, 3_000));
        Fate {
            delay: if draws.below(2) == 0 { delay } else { Duration::ZERO },
            cut_after: (draws.below(4) == 0).then_some(cut),
            stall: (draws.below(10) == 0).then_some((stall_after, stall_for)),
        }
    }
}

impl Shared {
    async fn carry(self: Arc<Shared>, client: TcpStream, fate: Fate) {
        let mut cuts = self.cuts.subscribe();
        let Ok(server) = TcpStream::connect(self.server).await else { return };
        self.open.fetch_add(1, Ordering::Relaxed);
        // Small frames that must leave at once. A line that is gone already will say so by itself.
        let _ = (client.set_nodelay(true), server.set_nodelay(true));
        let opened = Instant::now();
        let (from_client, to_client) = client.into_split();
        let (from_server, to_server) = server.into_split();
        tokio::select! {
            () = pump(from_client, to_server, fate, opened) => {}
            () = pump(from_server, to_client, fate, opened) => {}
            () = async { sleep_until(opened + fate.cut_after.unwrap_or_default()).await }, if fate.cut_after.is_some() => {}
            _ = cuts.changed() => {}
        }
        self.open.fetch_sub(1, Ordering::Relaxed);
    }
}

async fn pump(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, fate: Fate, opened: Instant) {
    let mut bytes = vec![0; 16 * 1024];
    while let Ok(length @ 1..) = from.read(&mut bytes).await {
        if let Some((after, pause)) = fate.stall
            && (after..after + pause).contains(&opened.elapsed())
        {
            sleep_until(opened + after + pause).await;
        }
        if fate.delay > Duration::ZERO {
            sleep(fate.delay).await;
        }
        if to.write_all(&bytes[..length]).await.is_err() {
            return;
        }
    }
}
