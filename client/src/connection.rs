//! One WebSocket, to a room or to the queue, that comes back by itself: open, lost, waiting, open again.
//!
//! It knows frames and time, not what they mean, and it never gives up unless the server says that trying again is of
//! no use. Everything happens inside [`Connection::next`], which may be dropped at any time without losing anything.

use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use futures_util::{Sink, Stream};
use serde::Serialize;
use sprint_shared::protocol::queue::QueueServerMessage;
use sprint_shared::protocol::{EventKind, SUBPROTOCOL, ServerMessage, WireEvent};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// A connection to one room, or to whatever else says such messages.
pub struct Connection<M = ServerMessage> {
    address: String,
    phase: Phase,
    /// Frames that wait for the socket; whoever sends bounds what is under way.
    outbox: VecDeque<Message>,
    backoff: Backoff,
    heard_at: Instant,
    silence: Pin<Box<Sleep>>,
    told: PhantomData<fn() -> M>,
}

/// What a server says on a socket.
pub trait Told: Sized {
    /// Reads a frame; `None` for what this client does not know.
    fn parse(text: &str) -> Option<Self>;
}

/// What a connection has to tell.
#[derive(Debug)]
pub enum Heard<M = ServerMessage> {
    /// The socket is open: say hello.
    Opened,
    /// The server said something.
    Message(Box<M>),
    /// The socket is lost; it is tried again after the pause.
    Lost {
        /// The pause before the next try.
        retry_in: Duration,
    },
    /// The server closed the connection for good, or refused it.
    Ended {
        /// Why, for a person.
        why: String,
    },
}

/// Pauses between tries: doubling from 0.25 s to 8 s, each drawn between half and all of it, so that the clients of a
/// server that restarts do not all come back in the same instant.
#[derive(Clone, Debug, Default)]
pub struct Backoff {
    tries: u32,
}

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;
type Opening = Pin<Box<dyn Future<Output = Result<Socket, Error>> + Send>>;

enum Phase {
    Opening(Opening),
    Open(Box<Socket>),
    Waiting(Pin<Box<Sleep>>),
    Ended,
}

/// After this long without a frame the line is taken for dead: a server pings every 10 s.
const SILENCE: Duration = Duration::from_secs(25);
/// How long opening a socket may take.
const OPENING: Duration = Duration::from_secs(10);
/// Bytes that are read at once. The library's own 128 KiB are filled with zeros on every read.
const READ_BYTES: usize = 4 * 1024;
const PAUSE_MIN: Duration = Duration::from_millis(250);
const DOUBLINGS_MAX: u32 = 5;
/// The close code of a server that has had too much of an address or a player for now.
const RATE_LIMITED: u16 = 4429;

impl<M: Told> Connection<M> {
    /// A connection to a WebSocket address (`ws://` or `wss://`), opened by the first [`Connection::next`].
    pub fn new(address: String) -> Connection<M> {
        let phase = Phase::Opening(opening(&address));
        let (backoff, heard_at) = (Backoff::default(), Instant::now());
        let silence = Box::pin(tokio::time::sleep(SILENCE));
        Connection { address, phase, outbox: VecDeque::new(), backoff, heard_at, silence, told: PhantomData }
    }

    /// Sends a message with the next [`Connection::next`]. What is sent while the socket is not open is dropped: after
    /// the next hello the server tells what it knows.
    pub fn send(&mut self, message: &impl Serialize) {
        if matches!(self.phase, Phase::Open(_)) {
            let text = serde_json::to_string(message).expect("a client message is plain JSON");
            self.outbox.push_back(Message::text(text));
        }
    }

    /// Whether the socket is open.
    pub fn is_open(&self) -> bool {
        matches!(self.phase, Phase::Open(_))
    }

    /// The server took this client in: the next loss is tried again at once.
    pub fn settled(&mut self) {
        self.backoff = Backoff::default();
    }

    /// Drops the socket and opens another: what the client holds no longer fits what the server says.
    pub fn reopen(&mut self) {
        self.outbox.clear();
        self.phase = Phase::Opening(opening(&self.address));
    }

    /// Drops the socket and opens another after a pause, which is returned: the server will let this client in later.
    pub fn retreat(&mut self) -> Duration {
        self.outbox.clear();
        let retry_in = self.backoff.next_pause();
        self.phase = Phase::Waiting(Box::pin(tokio::time::sleep(retry_in)));
        retry_in
    }

    /// Waits for what happens next, sending meanwhile. Never ends by itself after [`Heard::Ended`].
    pub async fn next(&mut self) -> Heard<M> {
        poll_fn(|cx| self.poll(cx)).await
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Heard<M>> {
        loop {
            match &mut self.phase {
                Phase::Opening(opening) => match ready!(opening.as_mut().poll(cx)) {
                    Ok(socket) => {
                        self.phase = Phase::Open(Box::new(socket));
                        self.heard_at = Instant::now();
                        self.silence.as_mut().reset(self.heard_at + SILENCE);
                        return Poll::Ready(Heard::Opened);
                    }
                    Err(error) => return Poll::Ready(self.failed(&error)),
                },
                Phase::Open(_) => return self.poll_open(cx),
                Phase::Waiting(pause) => {
                    ready!(pause.as_mut().poll(cx));
                    self.phase = Phase::Opening(opening(&self.address));
                }
                Phase::Ended => return Poll::Pending,
            }
        }
    }

    fn poll_open(&mut self, cx: &mut Context<'_>) -> Poll<Heard<M>> {
        loop {
            let Phase::Open(socket) = &mut self.phase else { return Poll::Pending };
            if let Poll::Ready(Err(error)) = poll_send(socket, &mut self.outbox, cx) {
                return Poll::Ready(self.failed(&error));
            }
            match Pin::new(&mut **socket).poll_next(cx) {
                Poll::Ready(Some(Ok(message))) => {
                    self.heard_at = Instant::now();
                    match message {
                        Message::Text(text) => {
                            if let Some(message) = M::parse(&text) {
                                return Poll::Ready(Heard::Message(Box::new(message)));
                            }
                        }
                        Message::Close(frame) => return Poll::Ready(self.closed(frame)),
                        _ => {}
                    }
                }
                Poll::Ready(Some(Err(error))) => return Poll::Ready(self.failed(&error)),
                Poll::Ready(None) => return Poll::Ready(self.lost()),
                Poll::Pending => return self.poll_silence(cx),
            }
        }
    }

    fn poll_silence(&mut self, cx: &mut Context<'_>) -> Poll<Heard<M>> {
        while self.silence.as_mut().poll(cx).is_ready() {
            let dead_at = self.heard_at + SILENCE;
            if Instant::now() >= dead_at {
                return Poll::Ready(self.lost());
            }
            self.silence.as_mut().reset(dead_at);
        }
        Poll::Pending
    }

    fn failed(&mut self, error: &Error) -> Heard<M> {
        match error {
            Error::Http(answer) if answer.status().is_client_error() && !may_pass(answer.status().as_u16()) => {
                let problem = answer.body().as_deref().and_then(|body| serde_json::from_slice(body).ok());
                let why = problem.map_or_else(
                    || format!("the server refused the connection with status {}", answer.status().as_u16()),
                    |problem: sprint_shared::api::Problem| problem.detail,
                );
                self.end(why)
            }
            Error::Url(_) | Error::HttpFormat(_) => self.end(error.to_string()),
            _ => self.lost(),
        }
    }

    fn closed(&mut self, frame: Option<CloseFrame>) -> Heard<M> {
        let Some(CloseFrame { code, reason }) = frame else { return self.lost() };
        let is_final = match code {
            CloseCode::Policy => reason.as_str() != "too_slow",
            // It passes by itself.
            CloseCode::Library(RATE_LIMITED) => false,
            // Left or closed, a fault of this client, or a refusal that trying again does not change.
            CloseCode::Normal
            | CloseCode::Protocol
            | CloseCode::Unsupported
            | CloseCode::Invalid
            | CloseCode::Size
            | CloseCode::Library(_) => true,
            _ => false,
        };
        if is_final { self.end(format!("the server closed the connection: {reason}")) } else { self.lost() }
    }

    fn lost(&mut self) -> Heard<M> {
        Heard::Lost { retry_in: self.retreat() }
    }

    fn end(&mut self, why: String) -> Heard<M> {
        self.outbox.clear();
        self.phase = Phase::Ended;
        Heard::Ended { why }
    }
}

impl Backoff {
    /// The pause before the next try.
    pub fn next_pause(&mut self) -> Duration {
        let whole = PAUSE_MIN * (1 << self.tries.min(DOUBLINGS_MAX));
        self.tries += 1;
        whole / 2 + whole.mul_f64(f64::from(random_u32()) / f64::from(u32::MAX) / 2.0)
    }
}

/// A number from the operating system's generator.
pub fn random_u32() -> u32 {
    getrandom::u32().expect("the operating system gives random numbers")
}

fn may_pass(status: u16) -> bool {
    status == 408 || status == 429
}

fn opening(address: &str) -> Opening {
    let address = address.to_owned();
    Box::pin(async move {
        let mut request = address.into_client_request()?;
        request.headers_mut().insert("sec-websocket-protocol", HeaderValue::from_static(SUBPROTOCOL));
        let config = WebSocketConfig::default().read_buffer_size(READ_BYTES);
        // Small frames that must leave at once.
        let opened = tokio_tungstenite::connect_async_with_config(request, Some(config), true);
        match tokio::time::timeout(OPENING, opened).await {
            Ok(opened) => opened.map(|(socket, _)| socket),
            Err(_) => Err(Error::Io(std::io::ErrorKind::TimedOut.into())),
        }
    })
}

fn poll_send(socket: &mut Socket, outbox: &mut VecDeque<Message>, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
    let mut socket = Pin::new(socket);
    while !outbox.is_empty() {
        ready!(socket.as_mut().poll_ready(cx))?;
        if let Some(message) = outbox.pop_front() {
            socket.as_mut().start_send(message)?;
        }
    }
    socket.poll_flush(cx)
}

impl Told for ServerMessage {
    /// An event that this client does not know still counts.
    fn parse(text: &str) -> Option<ServerMessage> {
        #[derive(serde::Deserialize)]
        struct Numbered {
            seq: u32,
        }
        serde_json::from_str(text).ok().or_else(|| {
            let Numbered { seq } = serde_json::from_str(text).ok()?;
            Some(ServerMessage::Event(WireEvent { seq, kind: EventKind::Hidden {} }))
        })
    }
}

impl Told for QueueServerMessage {
    fn parse(text: &str) -> Option<QueueServerMessage> {
        serde_json::from_str(text).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_eight_seconds_and_are_spread() {
        let mut backoff = Backoff::default();
        for whole_ms in [250, 500, 1000, 2000, 4000, 8000, 8000, 8000] {
            let pause = backoff.next_pause().as_millis();
            assert!((whole_ms / 2..=whole_ms).contains(&pause), "{pause} of {whole_ms}");
        }
    }

    #[test]
    fn an_event_of_a_later_version_keeps_the_count_and_other_unknown_frames_are_left_out() {
        let event = ServerMessage::parse(r#"{"type":"comet_seen","seq":7,"tail":3}"#);
        let hidden = ServerMessage::Event(WireEvent { seq: 7, kind: EventKind::Hidden {} });
        assert_eq!(event, Some(hidden));
        assert_eq!(ServerMessage::parse(r#"{"type":"weather"}"#), None);
        let known = ServerMessage::parse(r#"{"type":"gave_up","seq":8,"seat":2,"mood":"low"}"#);
        assert!(matches!(known, Some(ServerMessage::Event(WireEvent { seq: 8, kind: EventKind::GaveUp { .. } }))));
    }
}
