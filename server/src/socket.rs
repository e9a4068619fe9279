//! One WebSocket: reads, limits and stamps what a client says, writes what its room has published.
//!
//! Must never judge an act, and never hold up a room: what a room says is taken as it comes or lost.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use futures_util::SinkExt;
use sprint_shared::protocol::{ClientMessage, ServerMessage};
use sprint_shared::race::{Command, Whom};
use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio::time::{Instant, sleep_until, timeout};

use crate::app::App;
use crate::limits::{Acts, Pace};
use crate::room::{Cast, ConnectionId, Ending, Inbound, OUTBOX, Out, RoundTrip};
use crate::sessions::Session;

mod close;
mod hello;
mod ping;
pub mod queue;

use close::Close;
use hello::Hello;
use ping::{Pings, Pong};

/// Messages that are not understood before the socket is closed.
const STRIKES_MAX: u32 = 3;
/// Bytes that are fed to a line before it is flushed.
const FLUSH_BYTES: usize = 24 * 1024;

/// Serves a socket to its end. `code` is the room's code as it stood in the address.
pub async fn serve(app: App, mut ws: WebSocket, code: String, address: IpAddr) {
    let hello = tokio::select! {
        biased;
        () = app.stopped() => Err(Close::RESTART),
        hello = hello::greet(&app, &mut ws, &code, address) => hello,
    };
    let close = match hello {
        Ok(hello) => Socket::run(app.clone(), &mut ws, hello).await,
        Err(close) => close,
    };
    close.say(&mut ws, Duration::from_millis(app.limits.write_ms)).await;
}

struct Socket<'a> {
    app: App,
    ws: &'a mut WebSocket,
    connection: ConnectionId,
    inbox: mpsc::Sender<Inbound>,
    outbox: mpsc::Receiver<Out>,
    watched: Option<broadcast::Receiver<Cast>>,
    lost: Arc<AtomicBool>,
    resync_asked: bool,
    pings: Pings,
    acts: Acts,
    strikes: u32,
    session: Session,
}

impl Socket<'_> {
    async fn run(app: App, ws: &mut WebSocket, hello: Hello) -> Close {
        let Hello { connection, inbox, outbox, end, lost, round_trip, session } = hello;
        let now = Instant::now();
        let mut socket = Socket {
            pings: Pings::new(&app.limits, round_trip, now),
            acts: Acts::new(&app.limits, now),
            ws,
            connection,
            inbox,
            outbox,
            watched: None,
            lost,
            resync_asked: false,
            strikes: 0,
            session,
            app,
        };
        let close = socket.serve(end).await.unwrap_or_else(|close| close);
        let gone = Inbound::Gone { connection, at: socket.app.clock.now() };
        // The room takes from its inbox whatever happens, so this cannot hang; a room that is gone needs no telling.
        let _ = socket.inbox.send(gone).await;
        close
    }

    async fn serve(&mut self, mut end: oneshot::Receiver<Ending>) -> Result<Close, Close> {
        let mut outs = Vec::with_capacity(OUTBOX);
        loop {
            let wake = self.pings.wake();
            tokio::select! {
                biased;
                why = self.session.dismissed() => return Ok(Close::of_dismissal(why)),
                ending = &mut end => {
                    while let Ok(out) = self.outbox.try_recv() {
                        outs.push(out);
                    }
                    self.write(&mut outs, None).await?;
                    return Ok(ending.map_or(Close::RESTART, Close::of));
                }
                received = self.outbox.recv_many(&mut outs, OUTBOX), if !self.outbox.is_closed() || !self.outbox.is_empty() => {
                    if received > 0 {
                        self.write(&mut outs, None).await?;
                    }
                }
                cast = next(&mut self.watched) => match cast {
                    Ok(cast) => self.write(&mut outs, Some(cast)).await?,
                    Err(RecvError::Lagged(_)) => self.ask_for_everything().await,
                    Err(RecvError::Closed) => self.watched = None,
                },
                message = self.ws.recv() => match message {
                    Some(Ok(message)) => self.hear(message).await?,
                    Some(Err(error)) => return Err(Close::of_error(&error)),
                    None => return Ok(Close::SILENT),
                },
                () = sleep_until(wake) => self.ping().await?,
            }
        }
    }

    /// Sends all that waits in one write.
    async fn write(&mut self, outs: &mut Vec<Out>, cast: Option<Cast>) -> Result<(), Close> {
        let mut texts: Vec<Utf8Bytes> = cast.iter().flat_map(|cast| cast.iter().cloned()).collect();
        for out in outs.drain(..) {
            match out {
                Out::Frame(text) => texts.push(text),
                Out::Frames(more) => texts.extend(more),
                Out::Watch(text, receiver) => {
                    texts.push(text);
                    self.watched = Some(receiver);
                }
            }
        }
        let mut lagged = false;
        if let Some(watched) = &mut self.watched {
            while texts.len() < OUTBOX {
                match watched.try_recv() {
                    Ok(cast) => texts.extend(cast.iter().cloned()),
                    Err(TryRecvError::Lagged(_)) => {
                        lagged = true;
                        break;
                    }
                    Err(TryRecvError::Empty | TryRecvError::Closed) => break,
                }
            }
        }
        self.send(texts).await?;
        if lagged {
            self.ask_for_everything().await;
        }
        match self.lost.load(Ordering::Acquire) {
            true if !self.resync_asked && self.outbox.is_empty() => {
                self.resync_asked = true;
                self.ask_for_everything().await;
            }
            true => {}
            false => self.resync_asked = false,
        }
        Ok(())
    }

    async fn send(&mut self, texts: Vec<Utf8Bytes>) -> Result<(), Close> {
        let limit = Duration::from_millis(self.app.limits.write_ms);
        let ws = &mut *self.ws;
        let sending = async {
            let mut fed = 0;
            for text in texts {
                fed += text.len();
                ws.feed(Message::Text(text)).await?;
                if fed > FLUSH_BYTES {
                    ws.flush().await?;
                    fed = 0;
                }
            }
            ws.flush().await
        };
        match timeout(limit, sending).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(Close::SILENT),
            Err(_) => Err(Close::STALLED),
        }
    }

    async fn tell(&mut self, message: &ServerMessage) -> Result<(), Close> {
        let text = serde_json::to_string(message).expect("messages always encode");
        self.send(vec![text.into()]).await
    }

    /// This socket has missed messages: the room sends a snapshot and goes on from there.
    async fn ask_for_everything(&mut self) {
        self.watched = None;
        let _ = self.inbox.send(Inbound::Resync { connection: self.connection }).await;
    }

    async fn hear(&mut self, message: Message) -> Result<(), Close> {
        self.pings.heard(Instant::now());
        match message {
            Message::Text(text) => self.hear_text(&text).await,
            Message::Binary(_) => Err(Close::BINARY),
            Message::Pong(nonce) => match self.pings.pong(&nonce, Instant::now()) {
                Pong::PingAgain => self.ping().await,
                Pong::Taken => Ok(()),
                // It counts like any other frame.
                Pong::Unasked => self.count_frame().map(drop),
            },
            Message::Ping(_) => {
                self.count_frame()?;
                self.send(Vec::new()).await
            }
            Message::Close(_) => Err(Close::SILENT),
        }
    }

    fn count_frame(&mut self) -> Result<Pace, Close> {
        match self.acts.count(Instant::now()) {
            Pace::Flood => Err(Close::FLOOD),
            pace => Ok(pace),
        }
    }

    async fn hear_text(&mut self, text: &str) -> Result<(), Close> {
        let at = self.app.clock.now();
        let pace = self.count_frame()?;
        let message = match serde_json::from_str::<ClientMessage>(text) {
            Ok(message) => message,
            Err(error) => return self.strike(&error.to_string()).await,
        };
        let n = message.act().map(|(n, ..)| n);
        let connection = self.connection;
        let inbound = match message {
            ClientMessage::Emote { emote } => Inbound::Emote { connection, at, emote },
            message => match command(message) {
                Some(command) => Inbound::Say { connection, at, command },
                None => return self.strike("hello was said: it comes once, as the first message").await,
            },
        };
        if pace == Pace::TooFast {
            let message = "too many requests at once: slow down; this one was not judged";
            return self.refuse(n, "rate_limited", message).await;
        }
        if !self.app.is_healthy() {
            let message = "the server cannot store anything at the moment: try again soon";
            return self.refuse(n, "unavailable", message).await;
        }
        match self.inbox.try_send(inbound) {
            // If the room is gone, the end of the line says so.
            Ok(()) | Err(TrySendError::Closed(_)) => Ok(()),
            Err(TrySendError::Full(_)) => {
                self.refuse(n, "busy", "the room is busy: try again; this request was not judged").await
            }
        }
    }

    async fn refuse(&mut self, n: Option<u32>, code: &str, message: &str) -> Result<(), Close> {
        self.tell(&ServerMessage::Refused { n, next: None, code: code.to_owned(), message: message.to_owned() }).await
    }

    async fn strike(&mut self, why: &str) -> Result<(), Close> {
        self.strikes += 1;
        let message = format!("{why}; message {} of {STRIKES_MAX} that is not understood", self.strikes);
        self.tell(&ServerMessage::Error { code: "bad_message".to_owned(), message }).await?;
        if self.strikes >= STRIKES_MAX { Err(Close::BAD_MESSAGES) } else { Ok(()) }
    }

    async fn ping(&mut self) -> Result<(), Close> {
        let now = Instant::now();
        if self.pings.is_dead(now) {
            return Err(Close::SILENT);
        }
        let Some(nonce) = self.pings.ping(now) else { return Ok(()) };
        let limit = Duration::from_millis(self.app.limits.write_ms);
        match timeout(limit, self.ws.send(Message::Ping(nonce))).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(Close::SILENT),
            Err(_) => Err(Close::STALLED),
        }
    }
}

/// The next message for spectators; waits for ever where there is nothing to watch.
async fn next(watched: &mut Option<broadcast::Receiver<Cast>>) -> Result<Cast, RecvError> {
    match watched {
        Some(watched) => watched.recv().await,
        None => std::future::pending().await,
    }
}

/// What a client asks of its room; `None` for another hello.
pub(crate) fn command(message: ClientMessage) -> Option<Command> {
    if let Some((n, ply, act)) = message.act() {
        return Some(Command::Act { n, ply, act });
    }
    match message {
        ClientMessage::Ready { ready } => Some(Command::Ready(ready)),
        ClientMessage::Nonce { nonce } => Some(Command::Nonce(nonce)),
        ClientMessage::GiveUp {} => Some(Command::GiveUp),
        ClientMessage::Leave {} => Some(Command::Leave),
        ClientMessage::Rematch {} => Some(Command::Rematch),
        ClientMessage::Start {} => Some(Command::Start),
        ClientMessage::Kick { seat, player } => Some(Command::Kick(Whom { seat, player })),
        ClientMessage::Close {} => Some(Command::Close),
        ClientMessage::HandOver { seat, player } => Some(Command::HandOver(Whom { seat, player })),
        _ => None,
    }
}

/// The round trip of a new connection.
pub(crate) fn unmeasured() -> Arc<RoundTrip> {
    Arc::default()
}
