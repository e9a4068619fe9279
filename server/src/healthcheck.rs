//! Asks a running server whether it is ready, as containers do.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use thiserror::Error;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// How long an answer may take.
const ANSWER: Duration = Duration::from_secs(5);
/// Bytes of an answer that are read.
const ANSWER_BYTES_MAX: u64 = 16 * 1024;

/// Why a server is not ready.
#[derive(Debug, Error)]
pub enum NotReady {
    /// Nobody answers.
    #[error("no answer from {0}: {1}")]
    NoAnswer(SocketAddr, io::Error),
    /// It says so itself.
    #[error("{0}")]
    Says(String),
}

/// What the server at this address says of itself, if it is ready. Port and address are those of `--listen`; an
/// unspecified address means this machine.
pub async fn ask(listen: SocketAddr) -> Result<String, NotReady> {
    let mut address = listen;
    if address.ip().is_unspecified() {
        address.set_ip(std::net::Ipv4Addr::LOCALHOST.into());
    }
    let asking = async {
        let mut line = TcpStream::connect(address).await?;
        line.write_all(format!("GET /readyz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").as_bytes())
            .await?;
        let mut answer = Vec::new();
        line.take(ANSWER_BYTES_MAX).read_to_end(&mut answer).await?;
        Ok(String::from_utf8_lossy(&answer).into_owned())
    };
    let answer = match timeout(ANSWER, asking).await {
        Ok(answer) => answer.map_err(|error| NotReady::NoAnswer(address, error))?,
        Err(_) => return Err(NotReady::NoAnswer(address, io::ErrorKind::TimedOut.into())),
    };
    let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body).trim().to_owned();
    if answer.starts_with("HTTP/1.1 200") { Ok(body) } else { Err(NotReady::Says(body)) }
}
