//! A real server on a port of its own, and the smallest clients that can talk to it. Waits are for conditions.

use std::net::SocketAddr;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use sprint_server::clock::Clock;
use sprint_server::config::{Durability, Serve};
use sprint_server::gallery::{Bounds, Galleries, Threads};
use sprint_server::journal::Faults;
use sprint_server::server::Server;
use sprint_server::stop::Stopping;
use sprint_server::store::Store;
use sprint_shared::board::Board;
use sprint_shared::solver::{Budget, Outcome, solve};
use sqlx::{Connection, SqliteConnection};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::handshake::client::Request;

/// How long a condition may take to come true.
pub const PATIENCE: Duration = Duration::from_secs(20);
/// A blueprint of four disks: quick to race.
pub const SMALL: &str = "R1S2/S1R2/-/- 4";

/// A server with a database of its own; it stops when it is dropped.
pub struct Host {
    server: Option<Server>,
    pub address: SocketAddr,
    settings: Serve,
    _directory: Option<TempDir>,
}

impl Host {
    pub async fn start() -> Host {
        Host::start_with(|_| {}).await
    }

    pub async fn start_with(change: impl FnOnce(&mut Serve)) -> Host {
        let directory = TempDir::new().unwrap();
        let mut settings = Serve::standard();
        settings.listen = "127.0.0.1:0".parse().unwrap();
        settings.database.database = Some(format!("sqlite://{}", directory.path().join("host.sqlite").display()));
        settings.durability = Durability::Process;
        settings.countdown_ms = 100;
        change(&mut settings);
        let server = Server::start(settings.clone()).await.unwrap();
        let address = server.address();
        Host { server: Some(server), address, settings, _directory: Some(directory) }
    }

    /// A server that runs elsewhere.
    pub fn at(address: SocketAddr) -> Host {
        Host { server: None, address, settings: Serve::standard(), _directory: None }
    }

    /// The database's address.
    pub fn database(&self) -> String {
        self.settings.database.database.clone().unwrap()
    }

    /// A statement that another process makes.
    pub async fn execute(&self, sql: &str) {
        let mut connection = SqliteConnection::connect(&self.database()).await.unwrap();
        sqlx::raw_sql(sqlx::AssertSqlSafe(sql.to_owned())).execute(&mut connection).await.unwrap();
    }

    /// Where failures of commits are ordered.
    pub fn faults(&self) -> &Faults {
        self.server.as_ref().unwrap().faults()
    }

    pub async fn stop(&mut self) {
        self.server.take().unwrap().stop().await;
    }

    /// Starts another server on the same database.
    pub async fn start_again(&mut self) {
        let server = Server::start(self.settings.clone()).await.unwrap();
        self.address = server.address();
        self.server = Some(server);
    }

    pub async fn restart(&mut self) {
        self.stop().await;
        self.start_again().await;
    }

    /// A request with these headers; the status, the head and the body.
    pub async fn request(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut line = TcpStream::connect(self.address).await.unwrap();
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", self.address);
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str(&format!("Content-Length: {}\r\n\r\n{body}", body.len()));
        line.write_all(head.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        timeout(PATIENCE, line.read_to_end(&mut answer)).await.expect("an answer").unwrap();
        let answer = String::from_utf8(answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answer { status, head: head.to_lowercase(), body: body.to_owned() }
    }

    pub async fn get(&self, path: &str) -> Value {
        let answer = self.request("GET", path, &[], "").await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        answer.json()
    }

    pub async fn guest(&self, name: &str) -> Guest {
        let answer = self.request("POST", "/api/v1/players", &[], &json!({ "name": name }).to_string()).await;
        assert_eq!(answer.status, 201, "{}", answer.body);
        let made = answer.json();
        Guest { token: made["token"].as_str().unwrap().into() }
    }

    /// A room; its code.
    pub async fn room(&self, guest: &Guest, options: Value) -> String {
        let bearer = guest.bearer();
        let headers = [("authorization", bearer.as_str())];
        let answer = self.request("POST", "/api/v1/rooms", &headers, &options.to_string()).await;
        assert_eq!(answer.status, 201, "{}", answer.body);
        answer.json()["code"].as_str().unwrap().to_owned()
    }

    pub async fn socket(&self, code: &str) -> Socket {
        self.socket_with(code, &[]).await.expect("the upgrade is accepted")
    }

    pub async fn socket_with(&self, code: &str, headers: &[(&'static str, &str)]) -> Result<Socket, u16> {
        let mut request = format!("ws://{}/ws/v1/rooms/{code}", self.address).into_client_request().unwrap();
        request.headers_mut().insert("sec-websocket-protocol", "sprint.v1".parse().unwrap());
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().unwrap());
        }
        let line = TcpStream::connect(self.address).await.unwrap();
        self.upgrade(request, line).await
    }

    /// A socket whose system takes only a few KiB that are not read.
    pub async fn small_socket(&self, code: &str) -> Socket {
        let mut request = format!("ws://{}/ws/v1/rooms/{code}", self.address).into_client_request().unwrap();
        request.headers_mut().insert("sec-websocket-protocol", "sprint.v1".parse().unwrap());
        let line = TcpSocket::new_v4().unwrap();
        line.set_recv_buffer_size(4_096).unwrap();
        let line = line.connect(self.address).await.unwrap();
        self.upgrade(request, line).await.expect("the upgrade is accepted")
    }

    async fn upgrade(&self, request: Request, line: TcpStream) -> Result<Socket, u16> {
        match tokio_tungstenite::client_async(request, line).await {
            Ok((line, _)) => Ok(Socket { line, heard: Vec::new(), n: 0, seat: Value::Null }),
            Err(tokio_tungstenite::tungstenite::Error::Http(answer)) => Err(answer.status().as_u16()),
            Err(error) => panic!("no socket: {error}"),
        }
    }

    /// A socket into the queue that has said nothing.
    pub async fn queue_socket(&self) -> Socket {
        self.queue_socket_with(&[]).await
    }

    pub async fn queue_socket_with(&self, headers: &[(&'static str, &str)]) -> Socket {
        let mut request = format!("ws://{}/ws/v1/queue", self.address).into_client_request().unwrap();
        request.headers_mut().insert("sec-websocket-protocol", "sprint.v1".parse().unwrap());
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().unwrap());
        }
        let line = TcpStream::connect(self.address).await.unwrap();
        self.upgrade(request, line).await.expect("the upgrade is accepted")
    }

    /// A player who waits for a race of that many seats on initiate boards.
    pub async fn queue(&self, guest: &Guest, seats: u8) -> Socket {
        let mut socket = self.queue_socket().await;
        socket.join_queue(guest, seats).await;
        socket
    }

    /// A player who is in the room.
    pub async fn seat(&self, code: &str, guest: &Guest) -> Socket {
        let mut socket = self.socket(code).await;
        socket.hello(guest, "player").await;
        socket
    }
}

pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

#[derive(Clone)]
pub struct Guest {
    pub token: String,
}

impl Guest {
    pub fn bearer(&self) -> String {
        format!("Bearer {}", self.token)
    }
}

/// A connection to a room that keeps all it has heard.
pub struct Socket {
    pub line: WebSocketStream<TcpStream>,
    pub heard: Vec<Value>,
    /// The last act sent.
    pub n: u64,
    seat: Value,
}

impl Socket {
    pub async fn say(&mut self, message: Value) {
        self.say_text(message.to_string()).await;
    }

    pub async fn say_text(&mut self, text: impl Into<String>) {
        self.line.send(Message::text(text.into())).await.expect("the line is open");
    }

    /// The next message; `Err` with the close code once the line ends.
    pub async fn hear(&mut self) -> Result<Value, Option<u16>> {
        let next = async {
            loop {
                match self.line.next().await {
                    Some(Ok(Message::Text(text))) => return Ok(serde_json::from_str::<Value>(&text).unwrap()),
                    Some(Ok(Message::Close(frame))) => return Err(frame.map(|f| f.code.into())),
                    Some(Ok(_)) => {}
                    Some(Err(_)) | None => return Err(None),
                }
            }
        };
        // Pings alone are no news.
        let Ok(message) = timeout(PATIENCE, next).await else { panic!("nothing is heard; so far {:#?}", self.heard) };
        let message = message?;
        self.heard.push(message.clone());
        Ok(message)
    }

    /// Hears on until a message of this type.
    pub async fn until(&mut self, kind: &str) -> Value {
        self.until_that(kind, |_| true).await
    }

    pub async fn until_that(&mut self, kind: &str, holds: impl Fn(&Value) -> bool) -> Value {
        loop {
            match self.hear().await {
                Ok(message) if message["type"] == kind && holds(&message) => {
                    // A start leaves ahead of T0 by the lag credit, what arrives before T0 is refused, and no message
                    // says that it has come: a client can only wait for the instant that was announced.
                    if kind == "start" {
                        let credit_ms = message["state"]["round"]["credit_ms"].as_u64().unwrap_or(0);
                        tokio::time::sleep(Duration::from_millis(credit_ms)).await;
                    }
                    return message;
                }
                Ok(_) => {}
                Err(code) => panic!("closed with {code:?} while waiting for {kind}; heard {:#?}", self.heard),
            }
        }
    }

    /// Hears on until the line ends; the close code.
    pub async fn until_closed(&mut self) -> Option<u16> {
        loop {
            if let Err(code) = self.hear().await {
                return code;
            }
        }
    }

    pub async fn hello(&mut self, guest: &Guest, role: &str) -> Value {
        self.say(json!({ "type": "hello", "token": guest.token, "role": role })).await;
        let welcome = self.until("welcome").await;
        self.n = welcome["n"].as_u64().unwrap();
        self.seat = welcome["seat"].clone();
        welcome
    }

    pub async fn join_queue(&mut self, guest: &Guest, seats: u8) {
        let (token, preset) = (&guest.token, "initiate");
        self.say(json!({ "type": "join", "token": token, "seats": seats, "preset": preset })).await;
    }

    /// Waits for the race that the queue has found; the room's code.
    pub async fn matched(&mut self) -> String {
        let code = self.until("matched").await["code"].as_str().unwrap().to_owned();
        assert_eq!(self.until_closed().await, Some(1000));
        code
    }

    /// Sends a move; its running number.
    pub async fn send_move(&mut self, from: u64, to: u64) -> u64 {
        self.n += 1;
        self.say(json!({ "type": "move", "n": self.n, "from": from, "to": to })).await;
        self.n
    }

    /// Sends a move and waits for its own outcome.
    pub async fn play(&mut self, (from, to): (u64, u64)) -> Value {
        let n = self.send_move(from, to).await;
        self.outcome(n).await
    }

    pub async fn outcome(&mut self, n: u64) -> Value {
        loop {
            let message = self.hear().await.expect("the line is open");
            if message["n"] == n && (message["type"] == "refused" || message["seat"] == self.seat) {
                return message;
            }
        }
    }

    /// Ready, nonce, and the wait for the boards; the start message.
    pub async fn reach_start(&mut self) -> Value {
        self.say(json!({ "type": "ready", "ready": true })).await;
        self.until("committed").await;
        self.say(json!({ "type": "nonce", "nonce": "00112233445566778899aabbccddeeff" })).await;
        self.until("start").await
    }
}

/// Galleries for rooms without a server: a few viewers, and no memory for distances.
pub fn galleries(clock: Clock, store: &Store, stop: &Stopping) -> Galleries {
    let bounds = Bounds { room_max: 10, all_max: 10, distance_bytes_max: 0 };
    Galleries::new(Threads::here(), clock, store.clone(), stop.clone(), bounds)
}

/// The best line of play of a board in notation, as peg numbers.
pub fn solution(board: &str) -> Vec<(u64, u64)> {
    let board: Board = board.parse().unwrap();
    let Outcome::Solved { line, .. } = solve(&board, &Budget::default()) else { panic!("{board} is solvable") };
    line.iter().map(|t| (t.from.number().into(), t.to.number().into())).collect()
}

/// A guest comes to a room that was opened for them: nobody has to say that they are ready.
pub async fn reach_quick_start(socket: &mut Socket) -> Value {
    // Who comes last is welcomed to a round that has begun.
    if socket.heard[0]["state"]["phase"] != "dealing" {
        socket.until("committed").await;
    }
    socket.say(json!({ "type": "nonce", "nonce": "00112233445566778899aabbccddeeff" })).await;
    socket.until("start").await
}

/// Two guests in a new room at T0; the sockets, the code and the board.
pub async fn race_of_two(host: &Host, options: Value) -> (Socket, Socket, String, String) {
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let code = host.room(&ada, options).await;
    let (mut one, mut other) = (host.seat(&code, &ada).await, host.seat(&code, &ben).await);
    let (start, _) = tokio::join!(one.reach_start(), other.reach_start());
    let board = start["state"]["round"]["board"].as_str().unwrap().to_owned();
    (one, other, code, board)
}
