//! The least that an axum server could do: whatever a player says goes to everybody in the room, unread but for its
//! JSON. No judging, no storing, no limits.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::response::Response;
use axum::routing::any;
use axum::serve::ListenerExt;
use futures_util::{SinkExt, StreamExt};
use sprint_shared::protocol::ClientMessage;
use tokio::sync::mpsc;

type Rooms = Arc<Mutex<HashMap<u32, Vec<mpsc::UnboundedSender<Utf8Bytes>>>>>;

/// Serves until the process is killed; the first line says where.
pub fn serve() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        println!("listening on http://{}", listener.local_addr().expect("bound"));
        let app = Router::new().route("/{room}", any(upgrade)).with_state(Rooms::default());
        let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
        axum::serve(listener, app).await.expect("served");
    });
}

async fn upgrade(Path(room): Path<u32>, State(rooms): State<Rooms>, ws: WebSocketUpgrade) -> Response {
    // The same buffers as the real server's.
    ws.read_buffer_size(2_048).on_upgrade(move |socket| talk(socket, room, rooms))
}

async fn talk(socket: WebSocket, room: u32, rooms: Rooms) {
    let (out, mut told) = mpsc::unbounded_channel::<Utf8Bytes>();
    rooms.lock().unwrap_or_else(PoisonError::into_inner).entry(room).or_default().push(out);
    let (mut write, mut read) = socket.split();
    loop {
        tokio::select! {
            said = read.next() => {
                let Some(Ok(message)) = said else { return };
                let Message::Text(text) = message else { continue };
                if serde_json::from_str::<ClientMessage>(&text).is_ok() {
                    for other in rooms.lock().unwrap_or_else(PoisonError::into_inner).entry(room).or_default() {
                        drop(other.send(text.clone()));
                    }
                }
            }
            text = told.recv() => {
                let mut next = text;
                while let Some(text) = next {
                    if write.feed(Message::Text(text)).await.is_err() {
                        return;
                    }
                    next = told.try_recv().ok();
                }
                if write.flush().await.is_err() {
                    return;
                }
            }
        }
    }
}
