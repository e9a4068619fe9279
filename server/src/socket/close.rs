//! How sockets end: one place for all close codes.

use std::borrow::Cow;
use std::fmt::Display;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket};
use sprint_shared::protocol::ServerMessage;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite;

use crate::room::Ending;
use crate::sessions::Dismissal;

/// How long the other side may take to close as well.
const FAREWELL: Duration = Duration::from_secs(1);

/// The end of a socket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Close {
    /// 0 says nothing: the other side is gone or has closed.
    code: u16,
    reason: &'static str,
    /// An `error` message that goes before it.
    message: Option<Cow<'static, str>>,
}

impl Close {
    /// The other side is gone, or has closed.
    pub const SILENT: Close = Close { code: 0, reason: "", message: None };
    /// The line took nothing for too long: nothing more can be said.
    pub const STALLED: Close = Close { code: 0, reason: "stalled", message: None };
    /// The server or the room stops: come again.
    pub const RESTART: Close = Close { code: 1012, reason: "restart", message: None };
    /// A binary frame.
    pub const BINARY: Close = Close::with(1003, "binary", "only text frames are understood: one JSON object in each");
    /// Not UTF-8.
    pub const NOT_UTF8: Close = Close { code: 1007, reason: "not_utf8", message: None };
    /// Against the WebSocket protocol.
    pub const PROTOCOL: Close = Close { code: 1002, reason: "protocol", message: None };
    /// A message beyond the limit.
    pub const TOO_LONG: Close = Close::with(1009, "too_long", "a message is longer than this server takes");
    /// Three messages were not understood.
    pub const BAD_MESSAGES: Close = Close { code: 1008, reason: "bad_message", message: None };
    /// Three times the allowed number of acts.
    pub const FLOOD: Close = Close::with(1008, "rate_limited", "far too many requests at once");
    /// No hello in time.
    pub const HELLO_LATE: Close = Close::with(1008, "hello_late", "no hello came in time");
    /// No join in time.
    pub const JOIN_LATE: Close = Close::with(1008, "join_late", "no join came in time");
    /// A race is found.
    pub const MATCHED: Close = Close { code: 1000, reason: "matched", message: None };
    /// The player has left the queue.
    pub const QUEUE_LEFT: Close = Close { code: 1000, reason: "left", message: None };
    /// The player waits by a newer connection.
    pub const QUEUE_REPLACED: Close = Close { code: 4409, reason: "replaced", message: None };
    /// The client does not read.
    pub const QUEUE_TOO_SLOW: Close = Close::with(1008, "too_slow", "this connection did not keep up with the queue");
    /// Nobody has this token.
    pub const BAD_TOKEN: Close =
        Close::with(4401, "bad_token", "nobody has this token: make a player with POST /api/v1/players");
    /// The player has logged out everywhere, or this device is the oldest of too many.
    pub const LOGGED_OUT: Close =
        Close::with(4401, "logged_out", "this device has been logged out: log in again to go on");
    /// The host has shut the player out.
    pub const BANNED: Close = Close::with(4403, "banned", "the host of this server has banned this player");
    /// No room that could be joined has this code.
    pub const NO_SUCH_ROOM: Close = Close::with(4404, "no_such_room", "no open room has this code");
    /// Too many wrong codes, tokens or passwords.
    pub const TOO_MANY_FAILURES: Close =
        Close::with(4429, "rate_limited", "too many wrong codes, tokens or passwords from your address: wait a minute");
    /// Too many connections to the queue.
    pub const TOO_MANY_JOINS: Close =
        Close::with(4429, "rate_limited", "you or your address have joined the queue too often: wait a minute");
    /// The store does not answer.
    pub const UNAVAILABLE: Close =
        Close::with(1013, "unavailable", "the server cannot store anything at the moment: try again soon");

    const fn with(code: u16, reason: &'static str, message: &'static str) -> Close {
        Close { code, reason, message: Some(Cow::Borrowed(message)) }
    }

    /// The first message was no hello, and why not.
    pub fn no_hello(why: impl Display) -> Close {
        let message = format!("say hello first, with a token and a role: {why}");
        Close { message: Some(Cow::Owned(message)), ..Close::with(1008, "hello_first", "") }
    }

    /// The queue's first message was no join, and why not.
    pub fn no_join(why: impl Display) -> Close {
        let message =
            format!("say join first, with a token, seats, and a preset that GET /api/v1/presets names: {why}");
        Close { message: Some(Cow::Owned(message)), ..Close::with(1008, "join_first", "") }
    }

    /// As a room ends a connection.
    pub fn of(ending: Ending) -> Close {
        match ending {
            Ending::Closed => Close { code: 1000, reason: "closed", message: None },
            Ending::Left => Close { code: 1000, reason: "left", message: None },
            Ending::Kicked => Close::with(4403, "kicked", "the host of this room has sent you away from it"),
            Ending::Replaced => Close { code: 4409, reason: "replaced", message: None },
            Ending::NoOpponent => {
                Close::with(4410, "no_opponent", "nobody else came to this race: join the queue again")
            }
            Ending::Refused => Close { code: 4403, reason: "refused", message: None },
            Ending::Barred => Close::TOO_MANY_FAILURES,
            Ending::TooSlow => Close::with(1008, "too_slow", "this connection did not keep up with the room"),
        }
    }

    /// As a player is dismissed.
    pub fn of_dismissal(why: Dismissal) -> Close {
        match why {
            Dismissal::LoggedOut => Close::LOGGED_OUT,
            Dismissal::Banned => Close::BANNED,
        }
    }

    /// After an error of reading.
    pub fn of_error(error: &axum::Error) -> Close {
        let source = std::error::Error::source(error);
        match source.and_then(|e| e.downcast_ref::<tungstenite::Error>()) {
            Some(tungstenite::Error::Capacity(_)) => Close::TOO_LONG,
            Some(tungstenite::Error::Utf8(_)) => Close::NOT_UTF8,
            Some(tungstenite::Error::Protocol(error)) => match error {
                tungstenite::error::ProtocolError::ResetWithoutClosingHandshake => Close::SILENT,
                _ => Close::PROTOCOL,
            },
            _ => Close::SILENT,
        }
    }

    /// Says it, and waits a moment for the other side to close as well: a socket dropped with unread input would
    /// take the last words with it.
    pub async fn say(self, ws: &mut WebSocket, limit: Duration) {
        if self.code == 0 {
            return;
        }
        let saying = async {
            if let Some(message) = self.message {
                let error = ServerMessage::Error { code: self.reason.to_owned(), message: message.into_owned() };
                let text = serde_json::to_string(&error).expect("messages always encode");
                ws.send(Message::Text(text.into())).await?;
            }
            let frame = CloseFrame { code: self.code, reason: Utf8Bytes::from_static(self.reason) };
            ws.send(Message::Close(Some(frame))).await
        };
        if matches!(timeout(limit, saying).await, Ok(Ok(()))) {
            let _ = timeout(FAREWELL, async { while let Some(Ok(_)) = ws.recv().await {} }).await;
        }
    }
}
