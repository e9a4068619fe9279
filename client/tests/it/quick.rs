//! `sprint play --quick` on a terminal of its own, against the real server.

use futures_util::{SinkExt, StreamExt};
use sprint_client::queue::Waiting;
use sprint_shared::preset::Preset;
use sprint_shared::protocol::SUBPROTOCOL;
use sprint_shared::protocol::queue::QueueServerMessage;
use tokio::net::TcpListener;
use tokio::time::timeout;
use tokio_tungstenite::accept_hdr_async;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::server::{Request, Response};
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;

use crate::pty::{PATIENCE, Terminal};
use crate::real::Host;

/// The code of the next race that the queue finds for somebody who goes to none.
async fn next_race(host: &Host, token: &str, last: Option<&String>) -> String {
    let looking = async {
        loop {
            let mut waiting = Waiting::new(host.api().server(), token, 2, Preset::Initiate);
            let code = waiting.matched().await.expect("a race is found");
            // Until the last one is off, the queue sends back to it.
            if Some(&code) != last {
                return code;
            }
        }
    };
    timeout(PATIENCE, looking).await.expect("a race is found in time")
}

#[tokio::test(flavor = "multi_thread")]
async fn who_looks_for_a_race_without_a_name_stays_the_same_guest_when_nobody_comes() {
    let host = Host::start_with(|settings| settings.show_up_ms = 200).await;
    let ben = host.api().guest(Some("Ben"), false).await.expect("a guest");
    let home = tempfile::tempdir().expect("a folder");
    let mut terminal = Terminal::run(&host, &home, "play --quick --preset initiate");
    let (mut last, mut codes) = (None, Vec::new());
    for _ in 0..3 {
        let code = next_race(&host, &ben.token, last.as_ref()).await;
        terminal.until("Nobody else came to that race.").await;
        codes.push(code.clone());
        last = Some(code);
    }
    terminal.until("Looking for a race of 2").await;
    terminal.press("q").await;
    terminal.until("you have left the queue").await;
    assert_eq!(terminal.end().await, Some(0));
    let brought = host.stop_and_read_guests(&codes).await;
    assert!(brought.iter().all(|players| players.len() == 2 && *players == brought[0]), "{brought:?}");
}

/// Says one message to whoever joins the queue, and closes.
#[expect(clippy::result_large_err, reason = "the handshake's own answer")]
async fn answer(listener: &TcpListener, says: &QueueServerMessage, code: u16) {
    let (stream, _) = listener.accept().await.expect("somebody joins");
    let spoken = |_: &Request, mut response: Response| {
        response.headers_mut().insert("sec-websocket-protocol", HeaderValue::from_static(SUBPROTOCOL));
        Ok(response)
    };
    let mut socket = accept_hdr_async(stream, spoken).await.expect("a WebSocket");
    let joins = socket.next().await.expect("a join").expect("a message");
    assert!(joins.to_text().expect("a text").contains("\"join\""), "{joins}");
    let says = serde_json::to_string(says).expect("messages always encode");
    socket.send(Message::text(says)).await.expect("it is heard");
    let frame = CloseFrame { code: code.into(), reason: "".into() };
    socket.close(Some(frame)).await.expect("it closes");
    while socket.next().await.is_some_and(|message| message.is_ok()) {}
}

#[tokio::test]
async fn who_joins_the_queue_too_often_waits_a_while_and_joins_again() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let server = format!("http://{}", listener.local_addr().expect("it is bound")).parse().expect("an address");
    let queue = async {
        let why = "you or your address have joined the queue too often: wait a minute".to_owned();
        answer(&listener, &QueueServerMessage::Error { code: "rate_limited".to_owned(), message: why }, 4429).await;
        answer(&listener, &QueueServerMessage::Matched { code: "7H20QK8R3WZC".to_owned(), bots: false }, 1000).await;
    };
    let mut waiting = Waiting::new(&server, "a1adb152", 2, Preset::Initiate);
    let both = async {
        tokio::select! {
            matched = waiting.matched() => matched,
            () = queue => panic!("who is matched holds the line"),
        }
    };
    let matched = timeout(PATIENCE, both).await.expect("a race is found in time");
    assert_eq!(matched.expect("a race"), "7H20QK8R3WZC");
}
