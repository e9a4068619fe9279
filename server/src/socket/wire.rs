//! What every socket does, whoever it serves: reads within limits, answers pings, writes within its time.
//!
//! Must never wait for a line longer than the limit, nor take more from one than its pace allows.

use std::time::Duration;

use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use futures_util::SinkExt;
use sprint_shared::protocol::{ClientMessage, ServerMessage};
use sprint_shared::time::Millis;
use tokio::time::{Instant, timeout};

use super::close::Close;
use super::ping::{Pings, Pong};
use crate::app::App;
use crate::limits::{Acts, Pace};
use crate::object;

/// Messages that are not understood before the socket is closed.
pub(super) const STRIKES_MAX: u32 = 3;
/// Bytes that are fed to a line before it is flushed.
const FLUSH_BYTES: usize = 24 * 1024;

/// A line with its limits.
pub(super) struct Wire<'a> {
    pub app: App,
    pub ws: &'a mut WebSocket,
    pub pings: Pings,
    acts: Acts,
    strikes: u32,
}

/// A message of the client that was understood.
pub(super) struct Heard {
    /// Its receipt.
    pub at: Millis,
    /// Whether it comes too soon after those before it, and is not to be judged.
    pub is_too_fast: bool,
    /// The message.
    pub message: ClientMessage,
}

impl Wire<'_> {
    pub fn new(app: App, ws: &mut WebSocket, pings: Pings) -> Wire<'_> {
        let acts = Acts::new(&app.limits, Instant::now());
        Wire { app, ws, pings, acts, strikes: 0 }
    }

    /// Takes what was received; the message in it, if it is one for the room.
    pub async fn hear(&mut self, received: Option<Result<Message, axum::Error>>) -> Result<Option<Heard>, Close> {
        let message = match received {
            Some(Ok(message)) => message,
            Some(Err(error)) => return Err(Close::of_error(&error)),
            None => return Err(Close::SILENT),
        };
        self.pings.heard(Instant::now());
        match message {
            Message::Text(text) => return self.hear_text(&text).await,
            Message::Binary(_) => return Err(Close::BINARY),
            Message::Pong(nonce) => match self.pings.pong(&nonce, Instant::now()) {
                Pong::PingAgain => self.ping().await?,
                Pong::Taken => {}
                // It counts like any other frame.
                Pong::Unasked => drop(self.count_frame()?),
            },
            Message::Ping(_) => {
                self.count_frame()?;
                self.send(Vec::new()).await?;
            }
            Message::Close(_) => return Err(Close::SILENT),
        }
        Ok(None)
    }

    async fn hear_text(&mut self, text: &str) -> Result<Option<Heard>, Close> {
        let at = self.app.clock.now();
        let is_too_fast = self.count_frame()? == Pace::TooFast;
        match object::read::<ClientMessage>(text.as_bytes()) {
            Ok(message) => Ok(Some(Heard { at, is_too_fast, message })),
            Err(error) => self.strike(&error.to_string()).await.map(|()| None),
        }
    }

    fn count_frame(&mut self) -> Result<Pace, Close> {
        match self.acts.count(Instant::now()) {
            Pace::Flood => Err(Close::FLOOD),
            pace => Ok(pace),
        }
    }

    /// Sends all of it, in as few writes as may be.
    pub async fn send(&mut self, texts: Vec<Utf8Bytes>) -> Result<(), Close> {
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

    /// Refuses a request, which is act `n` if it is one.
    pub async fn refuse(&mut self, n: Option<u32>, code: &str, message: &str) -> Result<(), Close> {
        self.tell(&ServerMessage::Refused { n, next: None, code: code.to_owned(), message: message.to_owned() }).await
    }

    /// Refuses a request that came too soon.
    pub async fn refuse_too_fast(&mut self, n: Option<u32>) -> Result<(), Close> {
        self.refuse(n, "rate_limited", "too many requests at once: slow down; this one was not judged").await
    }

    /// Says what was not understood, and closes the third time.
    pub async fn strike(&mut self, why: &str) -> Result<(), Close> {
        self.strikes += 1;
        let message = format!("{why}; message {} of {STRIKES_MAX} that is not understood", self.strikes);
        self.tell(&ServerMessage::Error { code: "bad_message".to_owned(), message }).await?;
        if self.strikes >= STRIKES_MAX { Err(Close::BAD_MESSAGES) } else { Ok(()) }
    }

    /// Another hello, where one was said.
    pub async fn strike_hello(&mut self) -> Result<(), Close> {
        self.strike("hello was said: it comes once, as the first message").await
    }

    /// Pings, if a ping is due, unless the client has been silent for too long.
    pub async fn ping(&mut self) -> Result<(), Close> {
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
