//! The real server as a program of its own: started on one port, killed, paused, started again.
//!
//! Must never signal a process that it did not start.

use std::fs::OpenOptions;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::time::{Instant, timeout};

/// How long a start or an orderly end may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// How the server is started.
pub struct Settings {
    /// The program.
    pub program: PathBuf,
    /// Its database.
    pub database: String,
    /// Its countdown.
    pub countdown_ms: u32,
    /// Where its messages go.
    pub log: PathBuf,
}

/// The server, running or not.
pub struct Program {
    settings: Settings,
    address: SocketAddr,
    child: Option<Child>,
}

impl Program {
    /// Starts it on a free port.
    pub async fn start(settings: Settings, faults: &str) -> Result<Program> {
        let (child, address) = spawn(&settings, "127.0.0.1:0", faults).await?;
        Ok(Program { settings, address, child: Some(child) })
    }

    /// Where it listens, always.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its address without anything between.
    pub fn http(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Starts it again on its port and its database; the moment before.
    pub async fn start_again(&mut self, faults: &str) -> Result<Instant> {
        let before = Instant::now();
        let (child, _) = spawn(&self.settings, &self.address.to_string(), faults).await?;
        self.child = Some(child);
        Ok(before)
    }

    /// kill -9.
    pub async fn kill(&mut self) -> Result<()> {
        if let Some(mut child) = self.child.take() {
            child.kill().await.context("kill -9")?;
        }
        Ok(())
    }

    /// SIGSTOP, and after the pause SIGCONT.
    pub async fn pause(&mut self, pause: Duration) -> Result<()> {
        let pid = self.pid()?;
        signal(pid, "STOP").await?;
        tokio::time::sleep(pause).await;
        signal(pid, "CONT").await
    }

    /// Returns once it has ended by itself.
    pub async fn ended(&mut self) {
        match &mut self.child {
            Some(child) => drop(child.wait().await),
            None => std::future::pending().await,
        }
        self.child = None;
    }

    /// Starts it if it does not run, without faults.
    pub async fn ensure_runs(&mut self) -> Result<()> {
        let ended = match &mut self.child {
            Some(child) => child.try_wait()?.is_some(),
            None => true,
        };
        // Faults that have not struck yet must not strike any more.
        self.kill().await?;
        self.start_again("").await.map(drop).with_context(|| format!("healing, after it had ended: {ended}"))
    }

    /// SIGTERM; whether it ended in time with exit code 0.
    pub async fn stop(&mut self) -> Result<bool> {
        signal(self.pid()?, "TERM").await?;
        let Some(mut child) = self.child.take() else { return Ok(false) };
        match timeout(PATIENCE, child.wait()).await {
            Ok(status) => Ok(status?.success()),
            Err(_) => Ok(false),
        }
    }

    fn pid(&self) -> Result<u32> {
        self.child.as_ref().and_then(Child::id).context("the server does not run")
    }
}

async fn spawn(settings: &Settings, listen: &str, faults: &str) -> Result<(Child, SocketAddr)> {
    let log = OpenOptions::new().create(true).append(true).open(&settings.log)?;
    let mut child = Command::new(&settings.program)
        .args(["serve", "--listen", listen, "--database", &settings.database, "--acts-per-s", "0"])
        .args(["--countdown-ms", &settings.countdown_ms.to_string(), "--idle-ms", "180000"])
        .env("SPRINT_FAULTS", faults)
        .env("RUST_LOG", "warn")
        .stdout(Stdio::piped())
        .stderr(log)
        .kill_on_drop(true)
        .spawn()
        .with_context(|| settings.program.display().to_string())?;
    let out = child.stdout.take().context("its output is piped")?;
    let mut lines = BufReader::new(out).lines();
    let first = timeout(PATIENCE, lines.next_line()).await.context("the server did not start in time")??;
    let address = first.as_deref().and_then(|line| line.strip_prefix("listening on http://"));
    let address = address.with_context(|| format!("the server did not start; see {}", settings.log.display()))?;
    Ok((child, address.parse()?))
}

async fn signal(pid: u32, name: &str) -> Result<()> {
    let status = Command::new("kill").args([&format!("-{name}"), &pid.to_string()]).status().await?;
    ensure!(status.success(), "kill -{name} {pid}");
    Ok(())
}

/// Lines of the server's log that must not be there: panics, and rooms whose events could not be believed or stored. That a
/// room cannot be rebuilt while its database is away is none of them: it is tried again, and must come to its result.
pub fn complaints(log: &Path) -> Result<Vec<String>> {
    let text = std::fs::read_to_string(log)?;
    let is_bad =
        |line: &&str| ["panicked", "cannot be believed", "cannot be stored"].iter().any(|bad| line.contains(bad));
    Ok(text.lines().filter(is_bad).map(str::to_owned).collect())
}
