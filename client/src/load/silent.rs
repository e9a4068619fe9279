//! Viewers of a load that never read: what they cost is what the server keeps for them.
//!
//! Must never let the system take for them what the server would have to keep.

use futures_util::{SinkExt, StreamExt};
use sprint_shared::protocol::{ClientMessage, Role, SUBPROTOCOL};
use tokio::net::{TcpSocket, lookup_host};
use tokio_tungstenite::client_async;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::{Error, Message};

/// Bytes that the system takes for one of them at most.
const TAKEN_BYTES_MAX: u32 = 4 * 1024;

/// Says hello to a room (`ws://HOST:PORT/…`), reads the welcome, drops `coming`, and reads nothing more until it is dropped.
pub async fn stay<T>(address: String, token: String, coming: T) {
    match enter(&address, token).await {
        Ok(socket) => {
            drop(coming);
            let _held = socket;
            std::future::pending().await
        }
        Err(error) => eprintln!("a viewer that reads nothing was not let in: {error}"),
    }
}

async fn enter(address: &str, token: String) -> Result<impl Sized, Error> {
    let mut request = address.into_client_request()?;
    request.headers_mut().insert("sec-websocket-protocol", HeaderValue::from_static(SUBPROTOCOL));
    let host = request.uri().authority().map(ToString::to_string).unwrap_or_default();
    let unknown = || Error::Io(std::io::Error::other(format!("{host} is no address")));
    let to = lookup_host(&host).await?.next().ok_or_else(unknown)?;
    let line = if to.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    line.set_recv_buffer_size(TAKEN_BYTES_MAX)?;
    let (mut socket, _) = client_async(request, line.connect(to).await?).await?;
    let hello = ClientMessage::Hello { token, role: Role::Spectator, last_seq: None };
    socket.send(Message::text(serde_json::to_string(&hello).expect("a client message is plain JSON"))).await?;
    loop {
        match socket.next().await.transpose()? {
            Some(Message::Text(text)) if text.contains(r#""type":"welcome""#) => return Ok(socket),
            Some(Message::Text(text)) if text.contains(r#""type":"refused""#) => {
                return Err(Error::Io(std::io::Error::other(text.to_string())));
            }
            Some(_) => {}
            None => return Err(Error::ConnectionClosed),
        }
    }
}
