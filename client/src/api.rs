//! The REST API from the client's side: guests, rooms, matches, leaderboards.
//!
//! Nothing here retries: a caller that wants to outlive a restart of the server says so with [`Api::patiently`].

use std::future::Future;
use std::str::FromStr;
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Method, RequestBuilder, Response, StatusCode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sprint_shared::api::{
    Board, Leaderboard, Link, LinkUse, List, Login, Match, MatchPage, MatchSummary, NewLink, NewPassword, NewPlayer,
    NewPlayerCreated, Period, Place, Player, Problem, Rename, RoomInfo,
};
use sprint_shared::day::Day;
use sprint_shared::options::RoomOptions;
use sprint_shared::preset::Preset;
use sprint_shared::replay::file::{self, NotARound};
use sprint_shared::review::Review;
use thiserror::Error;
use uuid::Uuid;

use crate::connection::Backoff;

mod solo;

/// The REST API of one server.
#[derive(Clone, Debug)]
pub struct Api {
    http: reqwest::Client,
    server: Server,
    /// Proves who asks for what is not shown to everybody: today's rounds and board of the Daily Spire.
    viewer: Option<String>,
}

/// A server's address: `http` or `https`, host, port, nothing after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    secure: bool,
    authority: String,
}

/// A text that is no server's address.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no server address {0:?}: give http://HOST:PORT or https://HOST")]
pub struct BadAddress(String);

/// Why a request came to nothing.
#[derive(Debug, Error)]
pub enum ApiError {
    /// No answer: no connection, or it broke off.
    #[error("the server does not answer: {0}")]
    Unreachable(#[source] reqwest::Error),
    /// The server says what was wrong.
    #[error("{} ({})", .0.detail, .0.code)]
    Problem(Problem),
    /// An answer without an end.
    #[error("an answer of more than {} MiB: is that a Sprint server?", BODY_MAX >> 20)]
    TooLong,
    /// A round, but not the one that was asked for.
    #[error("the answer is round {answered}, not {asked}")]
    OtherRound {
        /// Whose address it was.
        asked: Uuid,
        /// Which came.
        answered: Uuid,
    },
    /// An answer that no Sprint server gives.
    #[error("an answer that is not the API's (status {status}): is that a Sprint server?")]
    Foreign {
        /// The HTTP status.
        status: u16,
    },
    /// A round that this program cannot read.
    #[error(transparent)]
    NotARound(NotARound),
}

/// Which leaderboard.
#[derive(Clone, Copy, Debug)]
pub struct Which {
    /// What is compared.
    pub board: Board,
    /// Rounds on this kind of board alone.
    pub preset: Option<Preset>,
    /// Over which stretch of time.
    pub period: Period,
    /// Whose entries.
    pub list: List,
    /// Of the board of a stage: its number.
    pub stage: Option<u8>,
    /// Of the board of a day: which; today if `None`.
    pub day: Option<Day>,
}

/// How long one request may take.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);
/// Bytes of an answer at most. A round of four who act as fast as they may until the longest limit stays below.
pub const BODY_MAX: usize = 128 << 20;

impl Api {
    /// A client of that server and no other: it follows no redirect. One is enough for any number of players: it shares its
    /// connections.
    pub fn new(server: Server) -> Api {
        install_tls();
        let http = reqwest::Client::builder().timeout(REQUEST_TIMEOUT).redirect(Policy::none()).build();
        Api { http: http.expect("the HTTP client needs nothing that can be missing"), server, viewer: None }
    }

    /// The same, asking for rounds and leaderboards as whoever has this token.
    pub fn seen_by(self, token: Option<String>) -> Api {
        Api { viewer: token, ..self }
    }

    /// The server's address.
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// A new guest with the token that proves it.
    pub async fn guest(&self, name: Option<&str>, bot: bool) -> Result<NewPlayerCreated, ApiError> {
        let body = NewPlayer { name: name.map(str::to_owned), bot };
        self.call(self.post("players", None, &body)).await
    }

    /// Whose token it is.
    pub async fn me(&self, token: &str) -> Result<Player, ApiError> {
        self.call(self.get("players/me").bearer_auth(token)).await
    }

    /// A code that logs one other device in; its QR code leads to the page at `base`.
    pub async fn open_link(&self, token: &str, base: &str) -> Result<Link, ApiError> {
        let body = NewLink { base: Some(base.to_owned()) };
        self.call(self.post("players/me/link", Some(token), &body)).await
    }

    /// Logs in by a code that another device shows.
    pub async fn use_link(&self, code: &str) -> Result<NewPlayerCreated, ApiError> {
        self.call(self.post("players/link", None, &LinkUse { code: code.to_owned() })).await
    }

    /// Logs in by name and password.
    pub async fn log_in(&self, name: &str, password: &str) -> Result<NewPlayerCreated, ApiError> {
        let body = Login { name: name.to_owned(), password: password.to_owned() };
        self.call(self.post("players/login", None, &body)).await
    }

    /// Another name.
    pub async fn rename(&self, token: &str, name: &str) -> Result<Player, ApiError> {
        let request = self.request(Method::PATCH, "players/me", token).json(&Rename { name: name.to_owned() });
        self.call(request).await
    }

    /// A password, or another one.
    pub async fn set_password(&self, token: &str, password: &str, old: Option<String>) -> Result<(), ApiError> {
        let body = NewPassword { password: password.to_owned(), old };
        self.done(self.request(Method::PUT, "players/me/password", token).json(&body)).await
    }

    /// Logs the player out on all devices.
    pub async fn log_out(&self, token: &str) -> Result<(), ApiError> {
        self.done(self.request(Method::POST, "players/me/logout", token)).await
    }

    /// Deletes the player for good.
    pub async fn delete_player(&self, token: &str) -> Result<(), ApiError> {
        self.done(self.request(Method::DELETE, "players/me", token)).await
    }

    /// Opens a room.
    pub async fn create_room(&self, token: &str, options: &RoomOptions) -> Result<RoomInfo, ApiError> {
        self.call(self.post("rooms", Some(token), options)).await
    }

    /// Looks a room up.
    pub async fn room(&self, code: &str) -> Result<RoomInfo, ApiError> {
        self.call(self.get(&format!("rooms/{code}"))).await
    }

    /// The public rooms.
    pub async fn rooms(&self) -> Result<Vec<RoomInfo>, ApiError> {
        self.call(self.get("rooms")).await
    }

    /// A round that is over.
    pub async fn round(&self, round_id: Uuid) -> Result<Match, ApiError> {
        let value = self.call(self.look(&format!("matches/{round_id}"))).await?;
        let round = file::of_value(value).map_err(ApiError::NotARound)?;
        if round.round_id != round_id {
            return Err(ApiError::OtherRound { asked: round_id, answered: round.round_id });
        }
        Ok(round)
    }

    /// A round's analysis; `None` while it is still being worked out: ask again in a second.
    pub async fn review(&self, round_id: Uuid) -> Result<Option<Review>, ApiError> {
        let answer = self.look(&format!("matches/{round_id}/review")).send().await.map_err(ApiError::Unreachable)?;
        if answer.status() == StatusCode::ACCEPTED {
            return Ok(None);
        }
        self.read(answer).await.map(Some)
    }

    /// A player's latest rounds, newest first, at most 50.
    pub async fn rounds_of(&self, player: Uuid) -> Result<Vec<MatchSummary>, ApiError> {
        let page: MatchPage = self.call(self.get(&format!("matches?player={player}"))).await?;
        Ok(page.rounds)
    }

    /// A page of all rounds, newest first, from the `next` of the page before on.
    pub async fn rounds(&self, after: Option<&str>) -> Result<MatchPage, ApiError> {
        let after = after.map(|after| format!("&after={after}")).unwrap_or_default();
        self.call(self.get(&format!("matches?limit=100{after}"))).await
    }

    /// A leaderboard from the top, so many entries of it.
    pub async fn leaderboard(&self, which: &Which, limit: u32) -> Result<Leaderboard, ApiError> {
        self.call(self.look(&format!("{}&limit={limit}", which.path("")))).await
    }

    /// The own place on a leaderboard, with the neighbours on either side.
    pub async fn own_place(&self, token: &str, which: &Which) -> Result<Place, ApiError> {
        self.call(self.get(&which.path("/me")).bearer_auth(token)).await
    }

    /// Makes a request again, with backoff, for as long as the server does not answer or is overloaded, at most
    /// `patience` in all.
    pub async fn patiently<T, F>(&self, patience: Duration, request: impl Fn() -> F) -> Result<T, ApiError>
    where
        F: Future<Output = Result<T, ApiError>>,
    {
        let until = tokio::time::Instant::now() + patience;
        let mut backoff = Backoff::default();
        loop {
            match request().await {
                Err(error) if error.is_passing() && tokio::time::Instant::now() < until => {
                    tokio::time::sleep(backoff.next_pause()).await;
                }
                settled => return settled,
            }
        }
    }

    fn get(&self, path: &str) -> RequestBuilder {
        self.http.request(Method::GET, self.server.http(&format!("/api/v1/{path}")))
    }

    fn look(&self, path: &str) -> RequestBuilder {
        match &self.viewer {
            Some(token) => self.get(path).bearer_auth(token),
            None => self.get(path),
        }
    }

    fn post(&self, path: &str, token: Option<&str>, body: &impl Serialize) -> RequestBuilder {
        let request = self.http.request(Method::POST, self.server.http(&format!("/api/v1/{path}")));
        let request = request.header("Idempotency-Key", Uuid::new_v4().to_string()).json(body);
        match token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }

    fn request(&self, method: Method, path: &str, token: &str) -> RequestBuilder {
        self.http.request(method, self.server.http(&format!("/api/v1/{path}"))).bearer_auth(token)
    }

    /// A request whose answer says no more than that it was done.
    async fn done(&self, request: RequestBuilder) -> Result<(), ApiError> {
        let answer = request.send().await.map_err(ApiError::Unreachable)?;
        let status = answer.status();
        if status.is_success() {
            return Ok(());
        }
        let body = whole(answer).await?;
        Err(serde_json::from_slice(&body).map_or(ApiError::Foreign { status: status.as_u16() }, ApiError::Problem))
    }

    async fn call<T: DeserializeOwned>(&self, request: RequestBuilder) -> Result<T, ApiError> {
        let answer = request.send().await.map_err(ApiError::Unreachable)?;
        self.read(answer).await
    }

    async fn read<T: DeserializeOwned>(&self, answer: Response) -> Result<T, ApiError> {
        let status = answer.status();
        let body = whole(answer).await?;
        let foreign = ApiError::Foreign { status: status.as_u16() };
        if status.is_success() {
            return serde_json::from_slice(&body).map_err(|_| foreign);
        }
        Err(serde_json::from_slice(&body).map_or(foreign, ApiError::Problem))
    }
}

/// The body of an answer.
async fn whole(mut answer: Response) -> Result<Vec<u8>, ApiError> {
    let mut body = Vec::new();
    while let Some(piece) = answer.chunk().await.map_err(ApiError::Unreachable)? {
        if body.len() + piece.len() > BODY_MAX {
            return Err(ApiError::TooLong);
        }
        body.extend_from_slice(&piece);
    }
    Ok(body)
}

impl Which {
    /// Its address, `part` of it, with the choice.
    fn path(&self, part: &str) -> String {
        let preset = self.preset.map(|preset| format!("&preset={preset}")).unwrap_or_default();
        let stage = self.stage.map(|stage| format!("&stage={stage}")).unwrap_or_default();
        let day = self.day.map(|day| format!("&day={day}")).unwrap_or_default();
        let (board, period, list) = (word(self.board), word(self.period), word(self.list));
        format!("leaderboards/{board}{part}?period={period}&list={list}{preset}{stage}{day}")
    }
}

/// What a choice is called on the wire.
fn word(choice: impl Serialize) -> String {
    match serde_json::to_value(choice) {
        Ok(serde_json::Value::String(word)) => word,
        other => unreachable!("choices encode as words: {other:?}"),
    }
}

impl ApiError {
    /// Whether the same request may succeed in a moment: no answer, overload, or a restart.
    pub fn is_passing(&self) -> bool {
        match self {
            ApiError::Unreachable(_) => true,
            ApiError::Problem(problem) => problem.status == 429 || problem.status >= 500,
            ApiError::Foreign { status } => *status >= 500,
            ApiError::TooLong | ApiError::OtherRound { .. } | ApiError::NotARound(_) => false,
        }
    }

    /// Whether the server says that there is no such thing.
    pub fn is_not_found(&self) -> bool {
        matches!(self, ApiError::Problem(problem) if problem.status == 404)
    }
}

impl Server {
    /// The HTTP address of a path.
    pub fn http(&self, path: &str) -> String {
        format!("http{}://{}{path}", if self.secure { "s" } else { "" }, self.authority)
    }

    /// The WebSocket address of a path.
    pub fn ws(&self, path: &str) -> String {
        format!("ws{}://{}{path}", if self.secure { "s" } else { "" }, self.authority)
    }
}

impl FromStr for Server {
    type Err = BadAddress;
    fn from_str(text: &str) -> Result<Server, BadAddress> {
        let bad = || BadAddress(text.to_owned());
        let (scheme, rest) = text.split_once("://").ok_or_else(bad)?;
        let secure = match scheme {
            "http" => false,
            "https" => true,
            _ => return Err(bad()),
        };
        let authority = rest.strip_suffix('/').unwrap_or(rest);
        let parsed = reqwest::Url::parse(&format!("{scheme}://{authority}")).map_err(|_| bad())?;
        let bare = parsed.path() == "/" && parsed.query().is_none() && parsed.fragment().is_none();
        if !bare || authority.is_empty() || !parsed.username().is_empty() || !parsed.has_host() {
            return Err(bad());
        }
        Ok(Server { secure, authority: authority.to_owned() })
    }
}

/// TLS needs its cryptography named once a process; a second call changes nothing.
fn install_tls() {
    drop(rustls::crypto::ring::default_provider().install_default());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leaderboard_has_an_address_that_holds_the_whole_choice() {
        let which = |preset| Which {
            board: Board::Fewest,
            preset,
            period: Period::Week,
            list: List::Apart,
            stage: None,
            day: None,
        };
        assert_eq!(which(None).path(""), "leaderboards/fewest?period=week&list=apart");
        assert_eq!(
            which(Some(Preset::Spire)).path("/me"),
            "leaderboards/fewest/me?period=week&list=apart&preset=spire"
        );
    }

    #[test]
    fn an_address_is_a_scheme_and_a_host_with_nothing_after_it() {
        let server: Server = "http://127.0.0.1:8080/".parse().expect("an address");
        assert_eq!(server.http("/api"), "http://127.0.0.1:8080/api");
        assert_eq!(server.ws("/ws"), "ws://127.0.0.1:8080/ws");
        let server: Server = "https://[::1]:1".parse().expect("an address");
        assert_eq!(server.ws("/ws"), "wss://[::1]:1/ws");
        for bad in ["127.0.0.1:80", "ftp://host", "http://", "http://host/path", "http://a?b", "http://u@h", "ws://h"] {
            assert_eq!(bad.parse::<Server>(), Err(BadAddress(bad.to_owned())), "{bad}");
        }
    }
}
