//! Waiting for a quick match: one connection to the queue that comes back by itself, until a race is found.
//!
//! [`Waiting::next`] does all the work and may be dropped at any time.

use std::time::Duration;

use sprint_shared::preset::Preset;
use sprint_shared::protocol::Role;
use sprint_shared::protocol::queue::{QueueClientMessage, QueueServerMessage};

use crate::api::Server;
use crate::connection::{Connection, Heard};
use crate::session::{Ended, Session};

/// Goes to the race that was found. One that is gone by then is as one to which nobody else came: it is `no_opponent`.
pub async fn go_to(server: &Server, code: &str, token: &str) -> Result<Session, Ended> {
    Session::join(server, code, token, Role::Player).await.map_err(came_to_nothing)
}

fn came_to_nothing(ended: Ended) -> Ended {
    match ended.code.as_deref() {
        Some("no_such_room" | "no_seat" | "closed") => Ended { code: Some("no_opponent".to_owned()), ..ended },
        _ => ended,
    }
}

/// A place in the queue.
pub struct Waiting {
    connection: Connection<QueueServerMessage>,
    token: String,
    seats: u8,
    preset: Preset,
    /// What was said last before the connection ended: it tells why better than a close code.
    last_error: Option<(String, String)>,
}

/// What has come of waiting so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// What the queue says. After `Matched` nothing follows.
    Told(QueueServerMessage),
    /// The line is lost and is being tried again; the place in the queue is lost with it.
    Lost {
        /// The pause before the next try.
        retry_in: Duration,
        /// Why, where the queue said so.
        why: Option<String>,
    },
}

impl Waiting {
    /// Wants a race of that many seats on boards of a preset.
    pub fn new(server: &Server, token: &str, seats: u8, preset: Preset) -> Waiting {
        let connection = Connection::new(server.ws("/ws/v1/queue"));
        Waiting { connection, token: token.to_owned(), seats, preset, last_error: None }
    }

    /// Waits for the next news.
    pub async fn next(&mut self) -> Result<News, Ended> {
        loop {
            match self.connection.next().await {
                Heard::Opened => {
                    let (token, seats, preset) = (Some(self.token.clone()), self.seats, self.preset);
                    self.connection.send(&QueueClientMessage::Join { token, seats, preset });
                }
                Heard::Message(message) => match *message {
                    QueueServerMessage::Error { code, message } => self.last_error = Some((code, message)),
                    QueueServerMessage::Replaced {} => {
                        let why = "you wait by a newer connection".to_owned();
                        return Err(Ended { code: Some("replaced".to_owned()), why });
                    }
                    told => {
                        self.connection.settled();
                        return Ok(News::Told(told));
                    }
                },
                Heard::Lost { retry_in } => {
                    let why = self.last_error.take().map(|(_, why)| why);
                    return Ok(News::Lost { retry_in, why });
                }
                Heard::Ended { why } => {
                    let (code, why) = self.last_error.take().map_or((None, why), |(code, why)| (Some(code), why));
                    return Err(Ended { code, why });
                }
            }
        }
    }

    /// Takes the bot that was offered.
    pub fn accept(&mut self) {
        self.connection.send(&QueueClientMessage::Accept {});
    }

    /// Waits until a race is found, and takes no bot; the room's code.
    pub async fn matched(&mut self) -> Result<String, Ended> {
        loop {
            if let News::Told(QueueServerMessage::Matched { code, .. }) = self.next().await? {
                return Ok(code);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_race_that_is_gone_before_one_comes_to_it_is_one_without_an_opponent() {
        let after = |code: Option<&str>| {
            came_to_nothing(Ended { code: code.map(str::to_owned), why: "no open room has this code".to_owned() })
        };
        for gone in ["no_such_room", "no_seat", "closed", "no_opponent"] {
            let ended = after(Some(gone));
            assert_eq!(ended.code.as_deref(), Some("no_opponent"), "{gone}");
            assert_eq!(ended.why, "no open room has this code");
        }
        for end in [Some("kicked"), Some("banned"), Some("logged_out"), Some("bad_token"), Some("rate_limited"), None] {
            assert_eq!(after(end).code.as_deref(), end);
        }
    }
}
