//! From a request to a socket: origin, subprotocol and the limits of frames.

use std::net::IpAddr;

use axum::Extension;
use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use sprint_shared::protocol::SUBPROTOCOL;

use super::input::Code;
use super::peer::{Address, Line};
use crate::app::App;
use crate::config::Limits;
use crate::limits::Place;
use crate::problem::ApiError;
use crate::socket;

/// Bytes that are gathered before they are written.
const WRITE_BYTES: usize = 16 * 1024;

type Asked = Result<WebSocketUpgrade, WebSocketUpgradeRejection>;

/// `GET /ws/v1/rooms/{code}`: a socket into a room.
pub(super) async fn room(
    State(app): State<App>,
    Code(code): Code,
    Address(client): Address,
    line: Option<Extension<Line>>,
    headers: HeaderMap,
    upgrade: Asked,
) -> Response {
    match Upgrade::checked(&app, client, line, &headers, upgrade) {
        Ok(Upgrade { upgrade, held }) => upgrade.on_upgrade(move |ws| async move {
            socket::serve(app, ws, code, client, held).await;
        }),
        Err(error) => error.into_response(),
    }
}

/// `GET /ws/v1/queue`: a socket into the queue of quick match.
pub(super) async fn queue(
    State(app): State<App>,
    Address(client): Address,
    line: Option<Extension<Line>>,
    headers: HeaderMap,
    upgrade: Asked,
) -> Response {
    match Upgrade::checked(&app, client, line, &headers, upgrade) {
        Ok(Upgrade { upgrade, held }) => upgrade.on_upgrade(move |ws| async move {
            let _held = held;
            socket::queue::serve(app, ws, client).await;
        }),
        Err(error) => error.into_response(),
    }
}

/// A request for a socket that may have one.
struct Upgrade {
    upgrade: WebSocketUpgrade,
    /// What is given back with the socket's end.
    held: (Option<Extension<Line>>, Option<Place>),
}

impl Upgrade {
    fn checked(
        app: &App,
        client: IpAddr,
        line: Option<Extension<Line>>,
        headers: &HeaderMap,
        upgrade: Asked,
    ) -> Result<Upgrade, ApiError> {
        let upgrade = upgrade.map_err(|rejection| {
            ApiError::BadRequest(format!("this address takes WebSockets: {}", what_is_missing(&rejection)))
        })?;
        if !is_allowed_origin(headers, &app.limits.origins) {
            return Err(ApiError::Origin);
        }
        // Behind a proxy the connection itself is the proxy's: each socket counts for its client.
        let behind_proxy = line.as_ref().is_some_and(|line| line.peer != client);
        let place = if behind_proxy { app.addresses.place(client) } else { None };
        if behind_proxy && place.is_none() {
            return Err(ApiError::TooMany);
        }
        let upgrade = limited(upgrade, &app.limits);
        if headers.contains_key(header::SEC_WEBSOCKET_PROTOCOL) && upgrade.selected_protocol().is_none() {
            return Err(ApiError::BadRequest(format!("this server speaks the subprotocol {SUBPROTOCOL}")));
        }
        if let Some(line) = &line {
            line.socket.begin();
        }
        Ok(Upgrade { upgrade, held: (line, place) })
    }
}

/// What a request lacks that asks for no WebSocket.
fn what_is_missing(rejection: &WebSocketUpgradeRejection) -> &'static str {
    match rejection {
        WebSocketUpgradeRejection::MethodNotGet(_) => "use GET",
        WebSocketUpgradeRejection::InvalidConnectionHeader(_) => "send `Connection: Upgrade`",
        WebSocketUpgradeRejection::InvalidUpgradeHeader(_) => "send `Upgrade: websocket`",
        WebSocketUpgradeRejection::InvalidWebSocketVersionHeader(_) => "send `Sec-WebSocket-Version: 13`",
        WebSocketUpgradeRejection::WebSocketKeyHeaderMissing(_) => "send a `Sec-WebSocket-Key`",
        _ => "ask by HTTP/1.1",
    }
}

fn limited(upgrade: WebSocketUpgrade, limits: &Limits) -> WebSocketUpgrade {
    upgrade
        .protocols([SUBPROTOCOL])
        .max_message_size(limits.message_bytes_max)
        .max_frame_size(limits.message_bytes_max)
        .read_buffer_size(limits.read_bytes)
        .write_buffer_size(WRITE_BYTES.min(limits.write_bytes_max / 2))
        .max_write_buffer_size(limits.write_bytes_max)
}

/// A program sends no origin; a page's must be the server's own host, or be allowed by name.
fn is_allowed_origin(headers: &HeaderMap, allowed: &[String]) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else { return true };
    let Ok(origin) = origin.to_str() else { return false };
    let own = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let host = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
    (host.is_some() && host == own) || allowed.iter().any(|a| a == origin)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(origin: &str, host: &str, list: &[&str]) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::ORIGIN, origin.parse().expect("a header"));
        headers.insert(header::HOST, host.parse().expect("a header"));
        is_allowed_origin(&headers, &list.iter().map(|o| (*o).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn only_the_own_host_and_listed_origins_may_connect() {
        assert!(allowed("https://spire.example", "spire.example", &[]));
        assert!(allowed("http://127.0.0.1:8080", "127.0.0.1:8080", &[]));
        assert!(!allowed("https://evil.example", "spire.example", &[]));
        assert!(!allowed("https://spire.example.evil.example", "spire.example", &[]));
        assert!(!allowed("https://spire.example:8443", "spire.example", &[]));
        assert!(!allowed("null", "spire.example", &[]));
        assert!(allowed("https://play.example", "spire.example", &["https://play.example"]));
        assert!(!allowed("http://play.example", "spire.example", &["https://play.example"]));
        assert!(is_allowed_origin(&HeaderMap::new(), &[]), "programs send none");
    }
}
