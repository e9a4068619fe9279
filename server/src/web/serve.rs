//! The accept loop: HTTP/1.1, one task a connection, bounded in number, in the time of its headers, and in how slowly its
//! other end may take answers.
//!
//! Must never wait for one connection before taking the next.

use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use axum::serve::Listener;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Semaphore;
use tower::ServiceExt;

use super::paced::{Paced, Socket};
use super::peer::Line;
use crate::app::App;

/// How long a connection may take to end once the server stops.
const FAREWELL: Duration = Duration::from_secs(3);
/// Bytes that the head of a request may have.
const HEAD_BYTES_MAX: usize = 16 * 1024;

/// Serves connections until the server stops; returns once all have ended or their time is over.
pub async fn serve<L: Listener<Addr = SocketAddr>>(mut listener: L, app: App, router: Router, connections_max: u32) {
    let places = Arc::new(Semaphore::new(connections_max as usize));
    loop {
        let accepted = async {
            let place = places.clone().acquire_owned().await.expect("the places are never closed");
            (place, listener.accept().await)
        };
        let (place, (io, peer)) = tokio::select! {
            biased;
            () = app.stopped() => break,
            accepted = accepted => accepted,
        };
        let address = peer.ip().to_canonical();
        let of_address = if app.limits.trusted_proxies.contains(&address) {
            None
        } else {
            match app.addresses.place(address) {
                Some(place) => Some(place),
                // Dropping it closes it: whoever has that many connections gets no answer on another.
                None => continue,
            }
        };
        let line = Line { peer: address, socket: Socket::default(), _held: Arc::new((place, of_address)) };
        tokio::spawn(connection(app.clone(), router.clone(), io, line));
    }
    drop(listener);
    // Requests end with their connections; sockets say goodbye by themselves.
    if tokio::time::timeout(2 * FAREWELL, places.acquire_many(connections_max)).await.is_err() {
        tracing::warn!("some connections did not end in time");
    }
}

async fn connection<I>(app: App, router: Router, io: I, line: Line)
where
    I: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let io = Paced::new(io, Duration::from_millis(app.limits.answer_ms), line.socket.clone());
    let service = service_fn(|mut request: Request<Incoming>| {
        request.extensions_mut().insert(line.clone());
        router.clone().oneshot(request.map(Body::new))
    });
    let serving = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(Duration::from_millis(app.limits.hello_ms))
        .max_buf_size(HEAD_BYTES_MAX)
        .serve_connection(TokioIo::new(io), service)
        .with_upgrades();
    let mut serving = pin!(serving);
    let outcome = tokio::select! {
        biased;
        outcome = serving.as_mut() => outcome,
        () = app.stopped() => {
            serving.as_mut().graceful_shutdown();
            // Who does not take the last answer holds nothing up for longer; dropping it closes the line.
            let Ok(outcome) = tokio::time::timeout(FAREWELL, serving).await else { return };
            outcome
        }
    };
    if let Err(error) = outcome {
        tracing::debug!(%error, "a connection ended");
    }
}
