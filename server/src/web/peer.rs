//! From which address a request comes.
//!
//! Must never believe a header of anybody but a trusted proxy.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use axum::extract::{FromRequestParts, Request, State};
use axum::http::HeaderMap;
use axum::http::header::HOST;
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::Response;
use tokio::sync::OwnedSemaphorePermit;

use super::paced::Socket;
use crate::app::App;
use crate::limits::Place;

/// What a connection holds as long as it, or a socket that came out of it, lives.
#[derive(Clone)]
pub(super) struct Line {
    /// The other end.
    pub peer: IpAddr,
    /// Told when it becomes a WebSocket's.
    pub socket: Socket,
    /// The places that it takes among all connections and among those of its address.
    pub _held: Arc<(OwnedSemaphorePermit, Option<Place>)>,
}

/// The client's address.
#[derive(Clone, Copy, Debug)]
pub(super) struct Address(pub IpAddr);

/// Where the client has reached this server, as `http://HOST:PORT`; nothing where its request does not say.
pub(super) struct Reached(pub Option<String>);

impl FromRequestParts<App> for Reached {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Reached, Infallible> {
        let proxies = &app.limits.trusted_proxies;
        let is_proxied = parts.extensions.get::<Line>().is_some_and(|line| proxies.contains(&line.peer));
        let forwarded = parts.headers.get("x-forwarded-proto").filter(|_| is_proxied);
        let scheme = if forwarded.is_some_and(|scheme| scheme == "https") { "https" } else { "http" };
        let host = parts.headers.get(HOST).and_then(|host| host.to_str().ok());
        Ok(Reached(host.map(|host| format!("{scheme}://{host}"))))
    }
}

/// Finds the client's address behind trusted proxies, for all that follows.
pub(super) async fn find(State(app): State<App>, mut request: Request, next: Next) -> Response {
    if let Some(line) = request.extensions().get::<Line>() {
        let address = client(line.peer, request.headers(), &app.limits.trusted_proxies);
        request.extensions_mut().insert(Address(address));
    }
    next.run(request).await
}

/// The last address that no trusted proxy stands for.
fn client(peer: IpAddr, headers: &HeaderMap, trusted: &[IpAddr]) -> IpAddr {
    let mut address = peer.to_canonical();
    let forwarded = headers.get_all("x-forwarded-for");
    let hops: Vec<&str> = forwarded.iter().filter_map(|v| v.to_str().ok()).flat_map(|v| v.split(',')).collect();
    for hop in hops.into_iter().rev() {
        if !trusted.contains(&address) {
            break;
        }
        match address_of(hop) {
            Some(hop) => address = hop.to_canonical(),
            // The proxy says that somebody is there, and not who: all of those share one address, and it is not the
            // proxy's own, which may be exempt from the limits.
            None => return UNKNOWN,
        }
    }
    address
}

/// Whom a trusted proxy does not name: an address that nobody has (RFC 6666).
const UNKNOWN: IpAddr = IpAddr::V6(Ipv6Addr::new(0x100, 0, 0, 0, 0, 0, 0, 0));

/// The address of a hop, with a port or without.
fn address_of(hop: &str) -> Option<IpAddr> {
    let hop = hop.trim();
    let bracketed = || hop.strip_prefix('[')?.strip_suffix(']')?.parse().ok();
    let with_port = || hop.parse::<SocketAddr>().ok().map(|address| address.ip());
    hop.parse().ok().or_else(bracketed).or_else(with_port)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(peer: &str, forwarded: &str, trusted: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        headers.insert("x-forwarded-for", forwarded.parse().expect("a header"));
        let trusted: Vec<IpAddr> = trusted.iter().map(|t| t.parse().expect("an address")).collect();
        client(peer.parse().expect("an address"), &headers, &trusted).to_string()
    }

    #[test]
    fn only_trusted_proxies_are_believed() {
        assert_eq!(seen("203.0.113.5", "198.51.100.1", &[]), "203.0.113.5");
        assert_eq!(seen("10.0.0.1", "198.51.100.1", &["10.0.0.1"]), "198.51.100.1");
        assert_eq!(seen("10.0.0.1", "192.0.2.66, 198.51.100.1", &["10.0.0.1"]), "198.51.100.1", "a forged first hop");
        assert_eq!(seen("10.0.0.1", "198.51.100.1, 10.0.0.2", &["10.0.0.1", "10.0.0.2"]), "198.51.100.1");
        assert_eq!(seen("198.51.100.7", "nonsense", &["10.0.0.1"]), "198.51.100.7");
    }

    #[test]
    fn a_hop_may_have_a_port_and_whoever_is_not_named_is_not_the_proxy() {
        for hop in ["198.51.100.1:5555", " 198.51.100.1 ", "::ffff:198.51.100.1"] {
            assert_eq!(seen("127.0.0.1", hop, &["127.0.0.1"]), "198.51.100.1", "{hop}");
        }
        for hop in ["2001:db8::1", "[2001:db8::1]", "[2001:db8::1]:443"] {
            assert_eq!(seen("127.0.0.1", hop, &["127.0.0.1"]), "2001:db8::1", "{hop}");
        }
        for hop in ["unknown", "_hidden", "", "198.51.100.1 198.51.100.2"] {
            assert_eq!(seen("127.0.0.1", hop, &["127.0.0.1"]), "100::", "{hop}");
        }
    }
}
