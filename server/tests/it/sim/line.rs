//! Lines to the simulated server: requests and WebSockets over the simulated network.
//!
//! Nothing here waits for ever: a line that gives no answer is given up.

use std::time::Duration;

use serde_json::Value;
use sprint_shared::protocol::{ClientMessage, Role, SUBPROTOCOL, ServerMessage};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::{Instant, timeout, timeout_at};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::{WebSocketStream, client_async};
use turmoil::net::TcpStream;

use futures_util::{SinkExt, StreamExt};

/// The host's name and its port.
pub const SERVER: &str = "server";
pub const PORT: u16 = 80;

/// How long a request, a connection and a silence may last.
const ANSWER: Duration = Duration::from_millis(2_500);
const SILENCE: Duration = Duration::from_millis(2_500);

/// An open WebSocket.
pub struct Line {
    socket: WebSocketStream<TcpStream>,
    heard_at: Instant,
}

/// What a line has to tell.
#[derive(Debug)]
pub enum Heard {
    Message(String, Box<ServerMessage>),
    /// A sign of life.
    Ping,
    /// The line has ended, with a code and a reason if the server gave one.
    Ended(Option<(u16, String)>),
}

/// Posts JSON; the answer's JSON if it is a success.
pub async fn post(path: &str, token: Option<&str>, key: &str, body: &Value) -> Option<Value> {
    let body = body.to_string();
    let bearer = token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: {SERVER}\r\nConnection: close\r\nContent-Type: application/json\r\n{bearer}\
         Idempotency-Key: {key}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let asking = async {
        let mut stream = TcpStream::connect((SERVER, PORT)).await.ok()?;
        stream.write_all(request.as_bytes()).await.ok()?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.ok()?;
        String::from_utf8(answer).ok()
    };
    let answer = timeout(ANSWER, asking).await.ok()??;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let is_success = head.starts_with("HTTP/1.1 20");
    serde_json::from_str(body).ok().filter(|_| is_success)
}

impl Line {
    /// Opens a WebSocket to a room and says hello.
    pub async fn open(code: &str, token: &str, role: Role, last_seq: Option<u32>) -> Option<Line> {
        let mut request = format!("ws://{SERVER}/ws/v1/rooms/{code}").into_client_request().expect("an address");
        request.headers_mut().insert("sec-websocket-protocol", HeaderValue::from_static(SUBPROTOCOL));
        let opening = async {
            let stream = TcpStream::connect((SERVER, PORT)).await.ok()?;
            let (socket, _) = client_async(request, stream).await.ok()?;
            Some(Line { socket, heard_at: Instant::now() })
        };
        let mut line = timeout(ANSWER, opening).await.ok()??;
        line.say(&ClientMessage::Hello { token: token.to_owned(), role, last_seq }).await;
        Some(line)
    }

    /// Sends a message; what cannot be sent is noticed by listening.
    pub async fn say(&mut self, message: &ClientMessage) {
        let text = serde_json::to_string(message).expect("messages always encode");
        let _ = timeout(ANSWER, self.socket.send(Message::text(text))).await;
    }

    /// Waits for what comes next. May be dropped at any time.
    pub async fn hear(&mut self) -> Heard {
        let heard = timeout_at(self.heard_at + SILENCE, self.socket.next()).await;
        self.heard_at = Instant::now();
        match heard {
            Ok(Some(Ok(Message::Text(text)))) => {
                let message = serde_json::from_str(&text).expect("the server's messages can be read");
                Heard::Message(text.to_string(), Box::new(message))
            }
            Ok(Some(Ok(Message::Close(frame)))) => Heard::Ended(frame.map(said)),
            Ok(Some(Ok(_))) => Heard::Ping,
            Ok(Some(Err(_)) | None) | Err(_) => Heard::Ended(None),
        }
    }
}

fn said(frame: CloseFrame) -> (u16, String) {
    (frame.code.into(), frame.reason.to_string())
}
