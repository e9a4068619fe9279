//! A connection whose other end has to take what it is sent.
//!
//! Must never wait for ever: who does not read, or hardly, is not served any more.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

/// Bytes a second that the other end has to take at least while more waits for it.
const LEAST_PER_S: u128 = 32 << 10;

/// A line that fails once the other end takes too little for too long.
pub(super) struct Paced<I> {
    line: I,
    limit: Duration,
    /// Open while something waits to be taken.
    window: Option<Window>,
}

/// What the other end took within a limit's time.
struct Window {
    taken: u128,
    end: Pin<Box<Sleep>>,
}

impl<I> Paced<I> {
    /// Within each `limit` the other end has to take its share.
    pub fn new(line: I, limit: Duration) -> Paced<I> {
        Paced { line, limit, window: None }
    }

    /// Looks at what came of writing so many bytes.
    fn judge(&mut self, cx: &mut Context<'_>, asked: usize, wrote: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        let taken = match wrote {
            Poll::Ready(Ok(taken)) if taken < asked => taken,
            Poll::Pending => 0,
            _ => {
                self.window = None;
                return wrote;
            }
        };
        let limit = self.limit;
        let window = self.window.get_or_insert_with(|| Window::new(limit));
        window.taken += taken as u128;
        while window.end.as_mut().poll(cx).is_ready() {
            if window.taken * 1_000 < LEAST_PER_S * limit.as_millis() {
                return Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the other end does not read")));
            }
            *window = Window::new(limit);
        }
        wrote
    }
}

impl Window {
    fn new(limit: Duration) -> Window {
        Window { taken: 0, end: Box::pin(sleep_until(Instant::now() + limit)) }
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

    const LIMIT: Duration = Duration::from_secs(5);

    /// A line that holds 1,000 bytes, and its other end.
    fn line() -> (Paced<DuplexStream>, DuplexStream) {
        let (near, far) = duplex(1_000);
        (Paced::new(near, LIMIT), far)
    }

    /// Takes so many bytes every second, for as long as there are any.
    async fn reads(mut far: DuplexStream, per_s: usize) -> usize {
        let (mut buffer, mut read) = (vec![0; per_s], 0);
        loop {
            sleep(Duration::from_secs(1)).await;
            match far.read_exact(&mut buffer).await {
                Ok(_) => read += per_s,
                Err(_) => return read,
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn who_does_not_read_is_given_up_after_the_limit() {
        let (mut near, _far) = line();
        let begun = Instant::now();
        near.write_all(&[0; 1_000]).await.expect("it has room");
        let error = near.write_all(&[0; 1]).await.expect_err("nobody takes it");
        assert_eq!((error.kind(), begun.elapsed()), (io::ErrorKind::TimedOut, LIMIT));
    }

    #[tokio::test(start_paused = true)]
    async fn who_hardly_reads_is_given_up_and_who_reads_slowly_is_not() {
        for (per_s, is_served) in [(100, false), (16 << 10, false), (40 << 10, true)] {
            let (mut near, far) = line();
            let reading = tokio::spawn(reads(far, per_s));
            let long = vec![0; 100 * per_s];
            let outcome = near.write_all(&long).await;
            assert_eq!(outcome.is_ok(), is_served, "{per_s} bytes a second: {outcome:?}");
            drop(near);
            assert_eq!(reading.await.expect("it reads to the end") == long.len(), is_served);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_line_on_which_nothing_waits_may_be_idle() {
        let (mut near, mut far) = line();
        for _ in 0..5 {
            near.write_all(&[0; 500]).await.expect("it has room");
            sleep(10 * LIMIT).await;
            far.read_exact(&mut [0; 500]).await.expect("it is there");
        }
        near.write_all(&[0; 1_000]).await.expect("it has room");
        let (wrote, _) = tokio::join!(near.write_all(&[0; 500]), async {
            sleep(LIMIT / 2).await;
            far.read_exact(&mut [0; 600]).await
        });
        wrote.expect("it was taken in time");
    }
}
