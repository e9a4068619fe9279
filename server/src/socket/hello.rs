//! The first message: who connects, to which room, as what.
//!
//! Must never tell a wrong code from one that may not be joined.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use axum::extract::ws::{Message, WebSocket};
use sprint_shared::protocol::{ClientMessage, Role};
use sprint_shared::time::Millis;
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;
use uuid::Uuid;

use super::{Close, unmeasured};
use crate::app::App;
use crate::auth::token_hash;
use crate::code;
use crate::limits::Deed;
use crate::lobby::NoRoom;
use crate::object;
use crate::room::{self, ConnectionId, Ending, Inbound, Join, OUTBOX, Out, RoomHandle, RoundTrip};
use crate::sessions::Session;
use crate::store::Player;

/// Somebody who has said hello, and as what: with a line to the room for who plays, without one for who watches.
pub(super) struct Hello {
    pub who: Who,
    pub role: Option<Line>,
}

/// Who has come to which room.
pub(super) struct Who {
    pub player: Uuid,
    pub room: RoomHandle,
    pub session: Session,
}

/// The socket's end of a connection that its room has been told of.
pub(super) struct Line {
    pub connection: ConnectionId,
    pub outbox: mpsc::Receiver<Out>,
    pub end: oneshot::Receiver<Ending>,
    pub lost: Arc<AtomicBool>,
    pub round_trip: Arc<RoundTrip>,
}

/// Waits for the hello, and joins the room for who plays.
pub(super) async fn greet(app: &App, ws: &mut WebSocket, code: &str, address: IpAddr) -> Result<Hello, Close> {
    let limit = Duration::from_millis(app.limits.hello_ms);
    let (token, role, last_seq) = timeout(limit, first_message(ws)).await.unwrap_or(Err(Close::HELLO_LATE))?;
    let at = app.clock.now();
    let (player, session) = identify(app, &token, address).await?;
    // A token is no bar to guessing codes: whoever guessed too often learns of none whether it is right. Who has a seat
    // in that room guesses nothing.
    let barred = app.addresses.is_barred(address);
    if barred && role == Role::Spectator {
        return Err(Close::TOO_MANY_FAILURES);
    }
    let failure = |close| failure(app, address, close);
    let Some(code) = code::read(code) else { return Err(failure(Close::NO_SUCH_ROOM)) };
    let came = async {
        let player_id = player.player_id;
        let (room, role) = match role {
            Role::Player => {
                let (room, line) = join(app, &code, (address, barred), player, last_seq, at).await?;
                (room, Some(line))
            }
            Role::Spectator => (open(app, &code).await?, None),
        };
        Ok(Hello { who: Who { player: player_id, room, session }, role })
    };
    came.await.map_err(|close| if close == Close::NO_SUCH_ROOM { failure(close) } else { close })
}

/// The player of a token, entered among the open sockets: from here on a log-out reaches this one.
pub(super) async fn identify(app: &App, token: &str, address: IpAddr) -> Result<(Player, Session), Close> {
    let hash = token_hash(token);
    let player = look_up(app, &hash).await?.ok_or_else(|| failure(app, address, Close::BAD_TOKEN))?;
    let session = app.sessions.register(player.player_id, hash);
    // Whoever logged out before this socket was entered has taken the token away by now.
    let player = look_up(app, &hash).await?.ok_or(Close::LOGGED_OUT)?;
    if player.standing.is_let_in() { Ok((player, session)) } else { Err(Close::BANNED) }
}

async fn look_up(app: &App, hash: &[u8; 32]) -> Result<Option<Player>, Close> {
    app.store.player_by_token(hash).await.map_err(|error| {
        tracing::error!(%error, "a token could not be looked up");
        Close::UNAVAILABLE
    })
}

/// Counts a wrong code or token.
fn failure(app: &App, address: IpAddr, close: Close) -> Close {
    if app.addresses.allows(Deed::Failure, address) { close } else { Close::TOO_MANY_FAILURES }
}

async fn first_message(ws: &mut WebSocket) -> Result<(String, Role, Option<u32>), Close> {
    loop {
        return match ws.recv().await {
            Some(Ok(Message::Text(text))) => match object::read(text.as_bytes()) {
                Ok(ClientMessage::Hello { token, role, last_seq }) => Ok((token, role, last_seq)),
                Ok(_) => Err(Close::no_hello("this is another message")),
                Err(error) => Err(Close::no_hello(error)),
            },
            Some(Ok(Message::Binary(_))) => Err(Close::BINARY),
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
            Some(Ok(Message::Close(_))) | None => Err(Close::SILENT),
            Some(Err(error)) => Err(Close::of_error(&error)),
        };
    }
}

/// The room with this code.
async fn open(app: &App, code: &str) -> Result<RoomHandle, Close> {
    app.lobby.open(code).await.map_err(|why| match why {
        NoRoom::NotFound => Close::NO_SUCH_ROOM,
        NoRoom::Stopping => Close::RESTART,
        NoRoom::Full | NoRoom::NoPlace(_) | NoRoom::Tried => Close::UNAVAILABLE,
        NoRoom::Store(error) => {
            tracing::error!(%error, "a room could not be opened");
            Close::UNAVAILABLE
        }
    })
}

async fn join(
    app: &App,
    code: &str,
    (address, seated_only): (IpAddr, bool),
    player: Player,
    last_seq: Option<u32>,
    at: Millis,
) -> Result<(RoomHandle, Line), Close> {
    let connection = app.next_connection();
    let (sender, outbox) = mpsc::channel(OUTBOX);
    let (ender, end) = oneshot::channel();
    let (lost, round_trip) = (Arc::<AtomicBool>::default(), unmeasured());
    let line = room::Line { outbox: sender, end: ender, lost: lost.clone(), round_trip: round_trip.clone() };
    let (player, name, bot) = (player.player_id, player.name, player.bot);
    let address = Some(address);
    let mut message =
        Inbound::Join(Box::new(Join { connection, at, player, address, seated_only, name, bot, last_seq, line }));
    loop {
        let room = open(app, code).await?;
        match room.inbox().send(message).await {
            Ok(()) => return Ok((room, Line { connection, outbox, end, lost, round_trip })),
            // The room ended in between: it is looked for again.
            Err(mpsc::error::SendError(unsent)) => message = unsent,
        }
    }
}
