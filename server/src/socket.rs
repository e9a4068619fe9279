//! One WebSocket: reads, limits and stamps what a client says, writes what its room has published.
//!
//! Must never judge an act, and never hold up a room: what a room says is taken as it comes or lost.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use sprint_shared::protocol::ClientMessage;
use sprint_shared::race::{Command, Whom};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep_until};

use crate::app::App;
use crate::gallery::Asks;
use crate::room::{ConnectionId, Ending, Inbound, OUTBOX, Out, RoundTrip};
use crate::sessions::Session;

mod close;
mod hello;
mod ping;
pub mod queue;
mod watch;
mod wire;

use close::Close;
use hello::{Hello, Line, Who};
use ping::Pings;
use watch::Guest;
use wire::{Heard, Wire};

/// Serves a socket to its end. `code` is the room's code as it stood in the address; `held` is given back at the end.
pub async fn serve(app: App, mut ws: WebSocket, code: String, address: IpAddr, held: impl Send + 'static) {
    let limit = Duration::from_millis(app.limits.write_ms);
    let hello = tokio::select! {
        biased;
        () = app.stopped() => Err(Close::RESTART),
        hello = hello::greet(&app, &mut ws, &code, address) => hello,
    };
    let (who, role) = match hello {
        Ok(Hello { who, role }) => (who, role),
        Err(close) => return close.say(&mut ws, limit).await,
    };
    let (who, asks) = match role {
        Some(line) => match Socket::run(app.clone(), &mut ws, who, line).await {
            Leaves::Closes(close) => return close.say(&mut ws, limit).await,
            Leaves::Watches(who) => (who, Asks::ToGoOn),
        },
        None => (who, Asks::ToEnter),
    };
    // Whoever watches is served where galleries run, away from rooms and racers.
    let galleries = app.galleries.clone();
    galleries.spawn(async move {
        let _held = held;
        let close = look_on(app, &mut ws, who, asks).await;
        close.say(&mut ws, limit).await;
    });
}

/// Lets somebody watch a room.
async fn look_on(app: App, ws: &mut WebSocket, who: Who, asks: Asks) -> Close {
    let Who { player, room, session } = who;
    match room.gallery().place(player) {
        Ok(place) => watch::serve(app, ws, Guest { player, place, session, asks }).await,
        Err(_) if asks == Asks::ToGoOn => Close::of(Ending::Replaced),
        Err(refusal) => {
            let pings = Pings::unhurried(&app.limits, Instant::now());
            watch::refuse(&mut Wire::new(app, ws, pings), refusal).await
        }
    }
}

/// The socket of a seat.
struct Socket<'a> {
    wire: Wire<'a>,
    connection: ConnectionId,
    inbox: mpsc::Sender<Inbound>,
    outbox: mpsc::Receiver<Out>,
    lost: Arc<AtomicBool>,
    resync_asked: bool,
    session: Session,
}

/// How somebody leaves a seat.
enum Leaves {
    /// The socket ends.
    Closes(Close),
    /// A newer connection has the seat.
    Watches(Who),
}

impl Socket<'_> {
    async fn run(app: App, ws: &mut WebSocket, who: Who, line: Line) -> Leaves {
        let Who { player, room, session } = who;
        let Line { connection, outbox, end, lost, round_trip } = line;
        let pings = Pings::new(&app.limits, round_trip, Instant::now());
        let wire = Wire::new(app, ws, pings);
        let inbox = room.inbox().clone();
        let mut socket = Socket { wire, connection, inbox, outbox, lost, resync_asked: false, session };
        let ended = socket.serve(end).await;
        let gone = Inbound::Gone { connection, at: socket.wire.app.clock.now() };
        // The room takes from its inbox whatever happens, so this cannot hang; a room that is gone needs no telling.
        let _ = socket.inbox.send(gone).await;
        match ended {
            Ok(Some(Ending::Replaced)) => Leaves::Watches(Who { player, room, session: socket.session }),
            Ok(ending) => Leaves::Closes(ending.map_or(Close::RESTART, Close::of)),
            Err(close) => Leaves::Closes(close),
        }
    }

    /// Serves the seat until the room ends the line, and tells why; `None` if the room has stopped.
    async fn serve(&mut self, mut end: oneshot::Receiver<Ending>) -> Result<Option<Ending>, Close> {
        let mut outs = Vec::with_capacity(OUTBOX);
        loop {
            let wake = self.wire.pings.wake();
            tokio::select! {
                biased;
                why = self.session.dismissed() => return Err(Close::of_dismissal(why)),
                ending = &mut end => {
                    while let Ok(out) = self.outbox.try_recv() {
                        outs.push(out);
                    }
                    self.write(&mut outs).await?;
                    return Ok(ending.ok());
                }
                received = self.outbox.recv_many(&mut outs, OUTBOX), if !self.outbox.is_closed() || !self.outbox.is_empty() => {
                    if received > 0 {
                        self.write(&mut outs).await?;
                    }
                }
                received = self.wire.ws.recv() => self.hear(received).await?,
                () = sleep_until(wake) => self.wire.ping().await?,
            }
        }
    }

    /// Sends all that waits in one write.
    async fn write(&mut self, outs: &mut Vec<Out>) -> Result<(), Close> {
        let mut texts: Vec<Utf8Bytes> = Vec::with_capacity(outs.len());
        for out in outs.drain(..) {
            match out {
                Out::Frame(text) => texts.push(text),
                Out::Frames(more) => texts.extend(more),
            }
        }
        self.wire.send(texts).await?;
        match self.lost.load(Ordering::Acquire) {
            true if !self.resync_asked && self.outbox.is_empty() => {
                // Messages are missing: the room sends a snapshot and goes on from there.
                self.resync_asked = true;
                let _ = self.inbox.send(Inbound::Resync { connection: self.connection }).await;
            }
            true => {}
            false => self.resync_asked = false,
        }
        Ok(())
    }

    async fn hear(&mut self, received: Option<Result<Message, axum::Error>>) -> Result<(), Close> {
        let Some(Heard { at, is_too_fast, message }) = self.wire.hear(received).await? else { return Ok(()) };
        let n = message.act().map(|(n, ..)| n);
        let connection = self.connection;
        let inbound = match message {
            ClientMessage::Emote { emote } => Inbound::Emote { connection, at, emote },
            message => match command(message) {
                Some(command) => Inbound::Say { connection, at, command },
                None => return self.wire.strike_hello().await,
            },
        };
        if is_too_fast {
            return self.wire.refuse_too_fast(n).await;
        }
        if !self.wire.app.is_healthy() {
            let message = "the server cannot store anything at the moment: try again soon";
            return self.wire.refuse(n, "unavailable", message).await;
        }
        match self.inbox.try_send(inbound) {
            // If the room is gone, the end of the line says so.
            Ok(()) | Err(TrySendError::Closed(_)) => Ok(()),
            Err(TrySendError::Full(_)) => {
                self.wire.refuse(n, "busy", "the room is busy: try again; this request was not judged").await
            }
        }
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
