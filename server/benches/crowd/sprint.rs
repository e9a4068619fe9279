//! Two protocols for the load generator that `scripts/crowd` measures with: this server's, and that of the bare
//! broadcaster with messages as long as this server's. It is built with that generator, not with this workspace.
use super::*;
use futures_util::{SinkExt, StreamExt};
use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    time::Duration,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

/// Peg 1 and peg 9 take each other's top disk for ever.
const BOARD: &str = "S1R2R1/R3/S2/-/-/-/-/-/- 7";
const PLAYERS: u8 = 4;
const READY: &str = r#"{"type":"ready","ready":true}"#;
const NONCE: &str = r#"{"type":"nonce","nonce":"00112233445566778899aabbccddeeff"}"#;

/// This server: a room of four by REST, all ready once the fourth has come, moves once the race has begun.
#[derive(Default)]
pub struct Sprint {
    rooms: RefCell<HashMap<u32, Room>>,
    /// Whether the race of the only room that is measured has begun.
    is_racing: Cell<bool>,
    /// How far the generator's numbers are ahead of the acts of each seat: it counts what it does before the race too.
    ahead: RefCell<[Option<u32>; PLAYERS as usize]>,
}

#[derive(Clone, Default)]
struct Room {
    code: String,
    /// Whoever watches does so by one token.
    watching: String,
    seated: u8,
}

impl Proto for Sprint {
    fn connect<'a>(&'a self, addr: SocketAddr, room: u32, role: Role) -> Fut<'a, Res<Ws>> {
        Box::pin(async move {
            if role == Some(0) {
                self.open(addr, room).await?;
            }
            let Room { code, watching, .. } = self.seat_is_next(room, role).await;
            let (token, says) = match role {
                Some(_) => (guest(addr).await?, "player"),
                None => (watching, "spectator"),
            };
            let mut ws = dial_as(addr, &format!("/ws/v1/rooms/{code}")).await?;
            ws.send(Message::text(format!(r#"{{"type":"hello","token":"{token}","role":"{says}"}}"#))).await?;
            until_welcome(&mut ws).await?;
            if let Some(seat) = role {
                if seat + 1 == PLAYERS {
                    ws.send(Message::text(READY)).await?;
                }
                self.rooms.borrow_mut().entry(room).or_default().seated = seat + 1;
            }
            Ok(ws)
        })
    }
    fn encode_move(&self, _: u32, p: u8, seq: u32, _: u8, _: u8) -> Message {
        if !self.is_racing.get() {
            return Message::Ping(Default::default());
        }
        let n = seq - *self.ahead.borrow_mut()[p as usize].get_or_insert(seq - 1);
        let (from, to) = if n % 2 == 1 { (1, 9) } else { (9, 1) };
        Message::text(format!(r#"{{"type":"move","n":{n},"from":{from},"to":{to}}}"#))
    }
    fn on_message(&self, m: &Message, out: &mut Vec<(u8, u32)>) -> Option<Message> {
        let Message::Text(text) = m else { return None };
        let bytes = text.as_bytes();
        let kind = |kind: &str| {
            let head = &bytes[..bytes.len().min(64)];
            memchr::memmem::find(head, format!(r#""type":"{kind}""#).as_bytes()).is_some()
        };
        if kind("transferred") {
            if let (Some(seat), Some(n)) = (num_after(bytes, br#""seat":"#), num_after(bytes, br#""n":"#)) {
                let ahead = self.ahead.borrow().get(seat as usize - 1).copied().flatten().unwrap_or_default();
                out.push((seat as u8 - 1, n + ahead));
            }
        } else if kind("connected") && num_after(bytes, br#""seat":"#) == Some(PLAYERS.into()) {
            return Some(Message::text(READY));
        } else if kind("committed") {
            return Some(Message::text(NONCE));
        } else if kind("start") {
            self.is_racing.set(true);
        }
        None
    }
}

impl Sprint {
    async fn open(&self, addr: SocketAddr, room: u32) -> Res<()> {
        let options = format!(r#"{{"seats":{PLAYERS},"blueprint":"{BOARD}","time_limit_s":1800}}"#);
        let opened = post(addr, "/api/v1/rooms", &guest(addr).await?, &options).await?;
        let (code, watching) = (field(&opened, "code")?, guest(addr).await?);
        self.rooms.borrow_mut().insert(room, Room { code, watching, seated: 0 });
        Ok(())
    }
    /// Seats are taken in order.
    async fn seat_is_next(&self, room: u32, role: Role) -> Room {
        loop {
            let open = self.rooms.borrow().get(&room).cloned();
            if let Some(open) = open.filter(|open| role.is_none_or(|seat| open.seated == seat)) {
                return open;
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }
}

async fn guest(addr: SocketAddr) -> Res<String> {
    field(&post(addr, "/api/v1/players", "", r#"{"bot":true}"#).await?, "token")
}

async fn post(addr: SocketAddr, path: &str, token: &str, body: &str) -> Res<String> {
    let mut stream = TcpStream::connect(addr).await?;
    let bearer = if token.is_empty() { String::new() } else { format!("Authorization: Bearer {token}\r\n") };
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: {addr}\r\nConnection: close\r\nContent-Type: application/json\r\n{bearer}Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    Ok(answer)
}

/// The text of a field of a flat JSON object.
fn field(answer: &str, name: &str) -> Res<String> {
    let key = format!(r#""{name}":""#);
    let at = answer.find(&key).ok_or_else(|| format!("no {name} in {answer}"))? + key.len();
    Ok(answer[at..].split('"').next().unwrap_or_default().to_owned())
}

/// As `dial`, with the subprotocol.
async fn dial_as(addr: SocketAddr, path: &str) -> Res<Ws> {
    let stream = TcpStream::connect(addr).await?;
    stream.set_nodelay(true)?;
    let config = WebSocketConfig::default().read_buffer_size(4096).write_buffer_size(0).max_write_buffer_size(1 << 20);
    let mut request = format!("ws://{addr}{path}").into_client_request()?;
    request.headers_mut().insert("sec-websocket-protocol", "sprint.v1".parse()?);
    Ok(client_async_with_config(request, stream, Some(config)).await?.0)
}

async fn until_welcome(ws: &mut Ws) -> Res<()> {
    loop {
        let message = ws.next().await.ok_or("closed before the welcome")??;
        match message.to_text() {
            Ok(text) if text.contains(r#""type":"welcome""#) => return Ok(()),
            Ok(text) if text.contains(r#""type":"refused""#) => return Err(text.into()),
            _ => {}
        }
    }
}

/// The bare broadcaster, with as many bytes a message as this server sends of a transfer.
pub struct Wide;

const FILL: &str = "....................................";

impl Proto for Wide {
    fn connect<'a>(&'a self, addr: SocketAddr, room: u32, role: Role) -> Fut<'a, Res<Ws>> {
        raw::Raw.connect(addr, room, role)
    }
    fn encode_move(&self, _: u32, p: u8, seq: u32, from: u8, to: u8) -> Message {
        Message::text(format!(r#"{{"t":"m","p":{p},"s":{seq},"f":{from},"o":{to},"x":"{FILL}"}}"#))
    }
    fn on_message(&self, m: &Message, out: &mut Vec<(u8, u32)>) -> Option<Message> {
        raw::Raw.on_message(m, out)
    }
}
