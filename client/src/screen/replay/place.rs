//! Where a round is: on a server, by id or address, or in a file.

use std::path::PathBuf;

use uuid::Uuid;

use crate::api::{Api, Server};
use crate::screen::known_token;

/// Where a round is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a file.
    File(PathBuf),
    /// On a server.
    Server {
        /// Which.
        server: Server,
        /// The round's id.
        id: Uuid,
        /// The instant that the address names, in milliseconds from T0.
        at_ms: Option<u64>,
    },
}

impl Place {
    /// Reads a place as people give it; an id alone is on `server`. The error says what would be right.
    pub fn of(text: &str, server: &Server) -> Result<Place, String> {
        if let Ok(id) = text.parse() {
            return Ok(Place::Server { server: server.clone(), id, at_ms: None });
        }
        if !text.contains("://") {
            return Ok(Place::File(PathBuf::from(text)));
        }
        let expected = || format!("{text}: give http://HOST:PORT/m/ID or http://HOST:PORT/api/v1/matches/ID");
        let (address, query) = text.split_once('?').unwrap_or((text, ""));
        let parted = address.split_once("/m/").or_else(|| address.split_once("/api/v1/matches/"));
        let (server, id) = parted.ok_or_else(expected)?;
        let server = server.parse().map_err(|error| format!("{text}: {error}"))?;
        let id = id.trim_end_matches('/');
        // The file and the record of a round stand below it.
        let id = id.strip_suffix("/replay").or_else(|| id.strip_suffix("/record")).unwrap_or(id);
        let id = id.parse().map_err(|error| format!("{text}: {id:?} is no round's id: {error}"))?;
        let seconds = query.split('&').find_map(|field| field.strip_prefix("t="));
        let seconds = seconds.and_then(|seconds| seconds.parse::<f64>().ok()).filter(|seconds| *seconds > 0.0);
        Ok(Place::Server { server, id, at_ms: seconds.map(|seconds| (seconds * 1_000.0).round() as u64) })
    }

    /// The server's API as whoever plays under a name on this machine asks it; `None` for a file. The error says that nobody
    /// is known by the name.
    pub(crate) fn api(&self, name: Option<&str>) -> Result<Option<Api>, String> {
        let Place::Server { server, .. } = self else { return Ok(None) };
        let token = name.map(|name| known_token(server, "--name", name)).transpose()?;
        Ok(Some(Api::new(server.clone()).seen_by(token)))
    }

    /// The instant that the place names, in milliseconds from T0.
    pub fn at_ms(&self) -> Option<u64> {
        match self {
            Place::File(_) => None,
            Place::Server { at_ms, .. } => *at_ms,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0190b000-0000-7000-8000-000000000001";

    fn server(address: &str) -> Server {
        address.parse().expect("an address")
    }

    #[test]
    fn a_round_is_named_by_id_address_or_file() {
        let here = server("http://127.0.0.1:8080");
        let on = |server: &Server, at_ms| {
            Ok(Place::Server { server: server.clone(), id: ID.parse().expect("an id"), at_ms })
        };
        let there = server("https://spire.example");
        assert_eq!(Place::of(ID, &here), on(&here, None));
        assert_eq!(Place::of(&format!("https://spire.example/m/{ID}"), &here), on(&there, None));
        assert_eq!(Place::of(&format!("https://spire.example/m/{ID}?t=12.3"), &here), on(&there, Some(12_300)));
        assert_eq!(Place::of(&format!("https://spire.example/m/{ID}?t=soon"), &here), on(&there, None));
        assert_eq!(Place::of(&format!("https://spire.example/api/v1/matches/{ID}"), &here), on(&there, None));
        for below in ["replay", "record", "replay/"] {
            let address = format!("https://spire.example/api/v1/matches/{ID}/{below}");
            assert_eq!(Place::of(&address, &here), on(&there, None));
        }
        assert_eq!(Place::of("round.json", &here), Ok(Place::File("round.json".into())));
    }

    #[test]
    fn what_is_no_place_is_refused_with_what_would_be_right() {
        let here = server("http://127.0.0.1:8080");
        let refused = |text: &str| Place::of(text, &here).expect_err("no place");
        assert!(refused("http://spire.example/r/ABC").contains("give http://HOST:PORT/m/ID"));
        assert!(refused("http://spire.example/m/7").contains("\"7\" is no round's id"));
        assert!(refused("ftp://spire.example/m/7").contains("no server address"));
    }
}
