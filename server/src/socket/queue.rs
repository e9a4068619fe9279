//! One WebSocket into the queue of quick match.
//!
//! Must never outlive its place in the queue, nor leave one behind: whoever is silent for ten seconds is gone.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{Message, WebSocket};
use sprint_shared::pairing::{Connection, Pool, Ticket};
use sprint_shared::preset::Preset;
use sprint_shared::protocol::queue::{QueueClientMessage, QueueServerMessage};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until, timeout};

use super::close::Close;
use super::hello::identify;
use super::ping::{Pings, Pong};
use super::wire::STRIKES_MAX;
use crate::app::App;
use crate::config::Limits;
use crate::limits::{Acts, Pace};
use crate::object;
use crate::queue::{Joining, OUTBOX, Said};
use crate::sessions::Session;
use crate::store::Player;

/// From ping to ping at most, in milliseconds: a client that is gone must not be paired for long.
const PING_MS_MAX: u64 = 5_000;
/// A client that was silent for this long is gone, in milliseconds, at most.
const DEAD_MS_MAX: u64 = 10_000;

/// Serves a socket to its end.
pub async fn serve(app: App, mut ws: WebSocket, address: IpAddr) {
    let joined = tokio::select! {
        biased;
        () = app.stopped() => Err(Close::RESTART),
        joined = greet(&app, &mut ws, address) => joined,
    };
    let close = match joined {
        Ok((who, pool)) => Socket::run(app.clone(), &mut ws, who, pool, address).await,
        Err(close) => close,
    };
    close.say(&mut ws, Duration::from_millis(app.limits.write_ms)).await;
}

/// Waits for the first message and looks the player up.
async fn greet(app: &App, ws: &mut WebSocket, address: IpAddr) -> Result<((Player, Session), Pool), Close> {
    let limit = Duration::from_millis(app.limits.hello_ms);
    let (token, seats, preset) = timeout(limit, first_message(ws)).await.unwrap_or(Err(Close::JOIN_LATE))?;
    if !app.addresses.may_queue(address) {
        return Err(Close::TOO_MANY_JOINS);
    }
    let who = identify(app, &token, address).await?;
    if !app.addresses.may_join(who.0.player_id) {
        return Err(Close::TOO_MANY_JOINS);
    }
    let pool = Pool { seats, preset, bots: who.0.bot };
    Ok((who, pool))
}

async fn first_message(ws: &mut WebSocket) -> Result<(String, u8, Preset), Close> {
    loop {
        return match ws.recv().await {
            Some(Ok(Message::Text(text))) => match object::read(text.as_bytes()) {
                Ok(QueueClientMessage::Join { token: Some(token), seats: seats @ 2..=4, preset }) => {
                    Ok((token, seats, preset))
                }
                Ok(QueueClientMessage::Join { token: None, .. }) => Err(Close::no_join("the token is missing")),
                Ok(QueueClientMessage::Join { seats, .. }) => Err(Close::no_join(no_such_race(seats))),
                Ok(_) => Err(Close::no_join("this is another message")),
                Err(error) => Err(Close::no_join(error)),
            },
            Some(Ok(Message::Binary(_))) => Err(Close::BINARY),
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
            Some(Ok(Message::Close(_))) | None => Err(Close::SILENT),
            Some(Err(error)) => Err(Close::of_error(&error)),
        };
    }
}

fn no_such_race(seats: u8) -> String {
    format!("seats: a race has 2 to 4 seats, not {seats}")
}

struct Socket<'a> {
    app: App,
    ws: &'a mut WebSocket,
    player: Player,
    address: IpAddr,
    connection: Connection,
    outbox: mpsc::Receiver<QueueServerMessage>,
    pings: Pings,
    acts: Acts,
    strikes: u32,
    session: Session,
}

impl Socket<'_> {
    async fn run(
        app: App,
        ws: &mut WebSocket,
        (player, session): (Player, Session),
        pool: Pool,
        address: IpAddr,
    ) -> Close {
        let (now, connection) = (Instant::now(), Connection(app.next_connection().0));
        let limits = Limits {
            ping_ms: app.limits.ping_ms.min(PING_MS_MAX),
            dead_ms: app.limits.dead_ms.min(DEAD_MS_MAX),
            ..app.limits.clone()
        };
        let (sender, outbox) = mpsc::channel(OUTBOX);
        let pings = Pings::new(&limits, Arc::default(), now);
        let acts = Acts::new(&limits, now);
        let mut socket = Socket { app, ws, player, address, connection, outbox, pings, acts, strikes: 0, session };
        let close = socket.serve(pool, sender).await.unwrap_or_else(|close| close);
        let left = Said::Leave { player: socket.player.player_id, connection };
        // The queue takes from its inbox whatever happens; one that has ended needs no telling.
        let _ = socket.app.queue.inbox().send(left).await;
        close
    }

    async fn serve(&mut self, pool: Pool, outbox: mpsc::Sender<QueueServerMessage>) -> Result<Close, Close> {
        self.join(pool, Some(outbox)).await?;
        let stop = self.app.stop.clone();
        loop {
            let wake = self.pings.wake();
            tokio::select! {
                biased;
                () = stop.said() => return Ok(Close::RESTART),
                why = self.session.dismissed() => return Ok(Close::of_dismissal(why)),
                message = self.outbox.recv() => match message {
                    Some(message) => {
                        self.send(&message).await?;
                        match message {
                            QueueServerMessage::Matched { .. } => return Ok(Close::MATCHED),
                            QueueServerMessage::Replaced {} => return Ok(Close::QUEUE_REPLACED),
                            _ => {}
                        }
                    }
                    None => return Ok(Close::QUEUE_TOO_SLOW),
                },
                message = self.ws.recv() => match message {
                    Some(Ok(message)) => if let Some(close) = self.hear(message).await? {
                        return Ok(close);
                    },
                    Some(Err(error)) => return Err(Close::of_error(&error)),
                    None => return Ok(Close::SILENT),
                },
                () = sleep_until(wake) => self.ping().await?,
            }
        }
    }

    /// Asks the queue for a race, with the rating as it is now.
    async fn join(&mut self, pool: Pool, outbox: Option<mpsc::Sender<QueueServerMessage>>) -> Result<(), Close> {
        let player = self.player.player_id;
        // After a restart it is only known that there was a race: the room itself says whether it still is.
        if let Some(code) = self.app.lobby.racing().code_of(player) {
            let _ = self.app.lobby.open(&code).await;
        }
        let rating = match self.app.store.rating(&self.player).await {
            Ok((rating, _)) => rating,
            Err(error) => {
                tracing::error!(%error, "a rating could not be read");
                return Err(Close::UNAVAILABLE);
            }
        };
        let (rating, uncertainty) = (rating.shown(), rating.uncertainty().max(0) as u32);
        let ticket = Ticket { player, connection: self.connection, pool, rating, uncertainty };
        let joining = Joining { ticket, name: self.player.name.clone(), address: self.address, outbox };
        self.say(Said::Join(Box::new(joining))).await
    }

    async fn say(&mut self, said: Said) -> Result<(), Close> {
        self.app.queue.inbox().send(said).await.map_err(|_| Close::RESTART)
    }

    async fn hear(&mut self, message: Message) -> Result<Option<Close>, Close> {
        self.pings.heard(Instant::now());
        match message {
            Message::Text(text) => return self.hear_text(&text).await,
            Message::Binary(_) => return Err(Close::BINARY),
            Message::Close(_) => return Err(Close::SILENT),
            Message::Pong(nonce) => match self.pings.pong(&nonce, Instant::now()) {
                // How long the line is matters to nobody here.
                Pong::PingAgain | Pong::Taken => {}
                Pong::Unasked => drop(self.count_frame()?),
            },
            Message::Ping(_) => drop(self.count_frame()?),
        }
        Ok(None)
    }

    fn count_frame(&mut self) -> Result<Pace, Close> {
        match self.acts.count(Instant::now()) {
            Pace::Flood => Err(Close::FLOOD),
            pace => Ok(pace),
        }
    }

    async fn hear_text(&mut self, text: &str) -> Result<Option<Close>, Close> {
        let pace = self.count_frame()?;
        let (player, connection) = (self.player.player_id, self.connection);
        let said = match object::read::<QueueClientMessage>(text.as_bytes()) {
            _ if pace == Pace::TooFast => {
                let (code, message) = ("rate_limited".to_owned(), "too many requests at once: slow down".to_owned());
                self.send(&QueueServerMessage::Refused { code, message }).await?;
                return Ok(None);
            }
            Ok(QueueClientMessage::Leave {}) => return Ok(Some(Close::QUEUE_LEFT)),
            Ok(QueueClientMessage::Accept {}) => Said::Accept { player, connection },
            Ok(QueueClientMessage::Join { seats: 2..=4, .. }) if !self.app.addresses.may_join(player) => {
                let (code, message) =
                    ("rate_limited", "you have joined too often: you wait on as before; wait a minute");
                let (code, message) = (code.to_owned(), message.to_owned());
                self.send(&QueueServerMessage::Refused { code, message }).await?;
                return Ok(None);
            }
            Ok(QueueClientMessage::Join { seats: seats @ 2..=4, preset, .. }) => {
                self.join(Pool { seats, preset, bots: self.player.bot }, None).await?;
                return Ok(None);
            }
            Ok(QueueClientMessage::Join { seats, .. }) => {
                self.strike(&no_such_race(seats)).await?;
                return Ok(None);
            }
            Err(error) => {
                self.strike(&error.to_string()).await?;
                return Ok(None);
            }
        };
        self.say(said).await?;
        Ok(None)
    }

    async fn strike(&mut self, why: &str) -> Result<(), Close> {
        self.strikes += 1;
        let message = format!("{why}; message {} of {STRIKES_MAX} that is not understood", self.strikes);
        self.send(&QueueServerMessage::Error { code: "bad_message".to_owned(), message }).await?;
        if self.strikes >= STRIKES_MAX { Err(Close::BAD_MESSAGES) } else { Ok(()) }
    }

    async fn send(&mut self, message: &QueueServerMessage) -> Result<(), Close> {
        let text = serde_json::to_string(message).expect("messages always encode");
        self.write(Message::Text(text.into())).await
    }

    async fn ping(&mut self) -> Result<(), Close> {
        let now = Instant::now();
        if self.pings.is_dead(now) {
            return Err(Close::SILENT);
        }
        let Some(nonce) = self.pings.ping(now) else { return Ok(()) };
        self.write(Message::Ping(nonce)).await
    }

    async fn write(&mut self, message: Message) -> Result<(), Close> {
        let limit = Duration::from_millis(self.app.limits.write_ms);
        match timeout(limit, self.ws.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(Close::SILENT),
            Err(_) => Err(Close::STALLED),
        }
    }
}
