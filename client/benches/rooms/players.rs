//! Players in a closed loop: the top disk of peg 1 to peg 9 and back, the next move when the last one is confirmed.

use std::cell::Cell;
use std::rc::Rc;

use futures_util::{SinkExt, StreamExt};
use sprint_client::api::{Api, Server};
use sprint_shared::options::RoomOptions;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{WebSocketStream, client_async};

type Socket = WebSocketStream<TcpStream>;

/// Ruby 5 rests on Ruby 6 and goes to the empty peg 9 and back; Ruby 4 lies elsewhere, so harmony never comes.
const BOARD: &str = "R7R6R5/R4/S7/E7/A7/V7/S6/E6/- 7";
const SEATS: u8 = 4;

/// Which server is talked to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// The real one.
    Sprint,
    /// The bare broadcaster.
    Bare,
}

/// All players of a run.
pub struct Players {
    confirmed: Rc<Cell<u64>>,
}

impl Players {
    /// Fills the rooms and starts to play in all of them.
    pub async fn connect(kind: Kind, address: &str, rooms: usize) -> Players {
        let confirmed = Rc::new(Cell::new(0));
        for room in 0..rooms {
            let sockets = match kind {
                Kind::Sprint => race(address).await,
                Kind::Bare => bare(address, room).await,
            };
            for (seat, socket) in (1..=SEATS).zip(sockets) {
                tokio::task::spawn_local(play(kind, seat, socket, confirmed.clone()));
            }
        }
        Players { confirmed }
    }

    /// Moves that were confirmed to the players who made them.
    pub fn confirmed(&self) -> u64 {
        self.confirmed.get()
    }
}

async fn dial(address: &str, path: &str, subprotocol: Option<&'static str>) -> Socket {
    let stream = TcpStream::connect(address).await.expect("the server listens");
    stream.set_nodelay(true).expect("a TCP socket");
    let mut request = format!("ws://{address}{path}").into_client_request().expect("an address");
    if let Some(name) = subprotocol {
        request.headers_mut().insert("sec-websocket-protocol", name.parse().expect("a header"));
    }
    client_async(request, stream).await.expect("a WebSocket").0
}

async fn bare(address: &str, room: usize) -> Vec<Socket> {
    let mut sockets = Vec::new();
    for _ in 0..SEATS {
        sockets.push(dial(address, &format!("/{room}"), None).await);
    }
    sockets
}

/// A room of the real server, brought to T0.
async fn race(address: &str) -> Vec<Socket> {
    let server: Server = format!("http://{address}").parse().expect("an address");
    let api = Api::new(server);
    let mut tokens = Vec::new();
    for _ in 0..SEATS {
        tokens.push(api.guest(None, true).await.expect("a guest").token);
    }
    let blueprint = Some(BOARD.to_owned());
    let options = RoomOptions { seats: SEATS, blueprint, time_limit_s: Some(1_800), ..RoomOptions::default() };
    let code = api.create_room(&tokens[0], &options).await.expect("a room").code;
    let mut sockets = Vec::new();
    for token in &tokens {
        let mut socket = dial(address, &format!("/ws/v1/rooms/{code}"), Some("sprint.v1")).await;
        say(&mut socket, format!(r#"{{"type":"hello","token":"{token}","role":"player"}}"#)).await;
        hear(&mut socket, r#""type":"welcome""#).await;
        sockets.push(socket);
    }
    for socket in &mut sockets {
        say(socket, r#"{"type":"ready","ready":true}"#.to_owned()).await;
    }
    for socket in &mut sockets {
        hear(socket, r#""type":"committed""#).await;
        say(socket, r#"{"type":"nonce","nonce":"00112233445566778899aabbccddeeff"}"#.to_owned()).await;
    }
    for socket in &mut sockets {
        hear(socket, r#""type":"start""#).await;
    }
    sockets
}

async fn say(socket: &mut Socket, text: String) {
    socket.send(Message::text(text)).await.expect("the line holds");
}

async fn hear(socket: &mut Socket, wanted: &str) {
    loop {
        let message = socket.next().await.expect("the line holds").expect("the line holds");
        if message.to_text().is_ok_and(|text| text.contains(wanted)) {
            return;
        }
    }
}

async fn play(kind: Kind, seat: u8, mut socket: Socket, confirmed: Rc<Cell<u64>>) {
    let mut n = 0u32;
    loop {
        n += 1;
        let (from, to) = if n % 2 == 1 { (1, 9) } else { (9, 1) };
        let text = format!(r#"{{"type":"move","n":{n},"ply":{},"from":{from},"to":{to}}}"#, n - 1);
        // Without seats the bare server's players tell themselves apart by the seat in `ply`'s place.
        let text = if kind == Kind::Bare {
            text.replace(&format!(r#""ply":{}"#, n - 1), &format!(r#""ply":{seat}"#))
        } else {
            text
        };
        if socket.send(Message::text(text)).await.is_err() {
            return;
        }
        let own = match kind {
            Kind::Sprint => format!(r#""seat":{seat},"n":{n},"#),
            Kind::Bare => format!(r#""n":{n},"ply":{seat},"#),
        };
        loop {
            let Some(Ok(message)) = socket.next().await else { return };
            let Ok(text) = message.to_text() else { continue };
            assert!(!text.contains(r#""type":"refused""#), "{text}");
            if text.contains(&own) {
                confirmed.set(confirmed.get() + 1);
                break;
            }
        }
    }
}
