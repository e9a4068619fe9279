//! A connection whose other end has to take the answers that it asked for.
//!
//! Must never wait for ever: who does not read, or hardly, is not served any more. Sockets have limits of their own.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

/// Bytes a second that the other end has to take at least while more waits for it.
const LEAST_PER_S: f64 = (16 << 10) as f64;

/// Whether a line is held to the pace of answers. Clones are the same.
#[derive(Clone, Default)]
pub(super) struct Socket(Arc<AtomicBool>);

/// A line that fails once the other end has been waited for too long.
pub(super) struct Paced<I> {
    line: I,
    /// How long it may be waited for beyond what it takes at the least pace.
    grace: Duration,
    state: State,
    socket: Socket,
}

/// How it stands with the other end.
enum State {
    /// It took everything at an instant, when so much of the grace was left.
    Even { since: Instant, left: Duration },
    /// Something waits for it, and it has until then.
    Behind(Pin<Box<Sleep>>),
}

impl Socket {
    /// The line is one of a WebSocket from here on.
    pub fn begin(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn has_begun(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl<I> Paced<I> {
    /// A line on which answers leave, until its socket begins.
    pub fn new(line: I, grace: Duration, socket: Socket) -> Paced<I> {
        Paced { line, grace, state: State::Even { since: Instant::now(), left: grace }, socket }
    }

    /// Looks at what came of writing so many bytes. What the other end takes, and every moment in which nothing waits for
    /// it, gives back of its grace.
    fn judge(&mut self, cx: &mut Context<'_>, asked: usize, wrote: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        let (taken, now) = (if let Poll::Ready(Ok(taken)) = wrote { taken } else { 0 }, Instant::now());
        let earned = Duration::from_secs_f64(taken as f64 / LEAST_PER_S);
        let ends = match &self.state {
            State::Even { since, left } => now + (*left + now.duration_since(*since) + earned).min(self.grace),
            State::Behind(end) => (end.deadline() + earned).min(now + self.grace),
        };
        if !wrote.is_pending() && taken == asked || self.socket.has_begun() {
            self.state = State::Even { since: now, left: ends.saturating_duration_since(now) };
            return wrote;
        }
        let is_over = match &mut self.state {
            State::Behind(end) => {
                end.as_mut().reset(ends);
                end.as_mut().poll(cx).is_ready()
            }
            State::Even { .. } => {
                let mut end = Box::pin(sleep_until(ends));
                let is_over = end.as_mut().poll(cx).is_ready();
                self.state = State::Behind(end);
                is_over
            }
        };
        if is_over && wrote.is_pending() {
            return Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the other end hardly reads")));
        }
        wrote
    }
}

impl<I: AsyncRead + Unpin> AsyncRead for Paced<I> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.line).poll_read(cx, buf)
    }
}

impl<I: AsyncWrite + Unpin> AsyncWrite for Paced<I> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let wrote = Pin::new(&mut self.line).poll_write(cx, buf);
        self.judge(cx, buf.len(), wrote)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let wrote = Pin::new(&mut self.line).poll_write_vectored(cx, bufs);
        self.judge(cx, bufs.iter().map(|buf| buf.len()).sum(), wrote)
    }

    fn is_write_vectored(&self) -> bool {
        self.line.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.line).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.line).poll_shutdown(cx)
    }
}

/// Time is the test's own: it passes when everybody waits.
#[cfg(all(test, feature = "simulation"))]
mod simulation {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
    use tokio::time::sleep;

    use super::*;

    const GRACE: Duration = Duration::from_secs(60);

    /// A line that holds so many bytes, and its other end.
    fn line(bytes: usize) -> (Paced<DuplexStream>, DuplexStream, Socket) {
        let ((near, far), socket) = (duplex(bytes), Socket::default());
        (Paced::new(near, GRACE, socket.clone()), far, socket)
    }

    /// Takes so many bytes at a time, so often, for as long as there are any; returns how many there were.
    async fn reads(mut far: DuplexStream, bytes: usize, every: Duration) -> usize {
        let (mut buffer, mut read) = (vec![0; bytes], 0);
        loop {
            sleep(every).await;
            match far.read_exact(&mut buffer).await {
                Ok(_) => read += bytes,
                Err(_) => return read,
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn who_does_not_read_is_given_up_after_the_grace() {
        let (mut near, _far, _) = line(1_000);
        let begun = Instant::now();
        near.write_all(&[0; 1_000]).await.expect("it has room");
        let error = near.write_all(&[0; 1]).await.expect_err("nobody takes it");
        assert_eq!((error.kind(), begun.elapsed()), (io::ErrorKind::TimedOut, GRACE));
    }

    #[tokio::test(start_paused = true)]
    async fn who_hardly_reads_is_given_up_and_who_reads_slowly_is_not() {
        let second = Duration::from_secs(1);
        // The last take a lot at a time, as a system with large buffers tells it of who reads evenly.
        for (bytes, every, is_served) in [
            (100, second, false),
            (8 << 10, second, false),
            (20 << 10, second, true),
            (400 << 10, 36 * second, false),
            (2 << 20, 40 * second, true),
        ] {
            // More than the line holds, in one piece, and in the parts of a long answer, one after the other.
            let all = bytes * 100.max((1 << 20) / bytes);
            for part in [all, 64 << 10] {
                let (mut near, far, _) = line(64 << 10);
                let reading = tokio::spawn(reads(far, bytes, every));
                let mut left = all;
                let mut served = true;
                while left > 0 && served {
                    let next = part.min(left);
                    served = near.write_all(&vec![0; next]).await.is_ok();
                    left -= next;
                }
                assert_eq!(served, is_served, "{bytes} bytes every {every:?} in parts of {part}");
                drop(near);
                assert_eq!(reading.await.expect("it reads to the end") == all, is_served);
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_line_on_which_nothing_waits_may_be_idle() {
        let (mut near, mut far, _) = line(1_000);
        for _ in 0..5 {
            near.write_all(&[0; 500]).await.expect("it has room");
            sleep(10 * GRACE).await;
            far.read_exact(&mut [0; 500]).await.expect("it is there");
            // Waited for nearly as long as may be, each time anew.
            near.write_all(&[0; 1_000]).await.expect("it has room");
            let (wrote, _) = tokio::join!(near.write_all(&[0; 500]), async {
                sleep(GRACE - Duration::from_secs(1)).await;
                far.read_exact(&mut [0; 1_500]).await
            });
            wrote.expect("it was taken in time");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_socket_is_held_to_limits_of_its_own() {
        let (mut near, mut far, socket) = line(1_000);
        socket.begin();
        near.write_all(&[0; 1_000]).await.expect("it has room");
        let (wrote, _) = tokio::join!(near.write_all(&[0; 500]), async {
            sleep(10 * GRACE).await;
            far.read_exact(&mut [0; 1_500]).await
        });
        wrote.expect("nobody but the socket gives it up");
    }
}
