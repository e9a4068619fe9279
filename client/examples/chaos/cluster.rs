//! The throw-away Postgres cluster of `scripts/with-postgres`: killed with all its processes, and started again.
//!
//! Must never touch a cluster that `scripts/with-postgres` did not start for this run.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use tokio::process::Command;
use tokio::time::{Instant, sleep, timeout};

/// How long a start, with its own recovery, may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// A cluster that is thrown away afterwards.
pub struct Cluster {
    data: PathBuf,
    start: PathBuf,
}

impl Cluster {
    /// The cluster that this run was started beside.
    pub fn from_environment() -> Result<Cluster> {
        let path = |name: &str| {
            let value = std::env::var_os(name);
            value.map(PathBuf::from).with_context(|| format!("{name} is not set: run scripts/chaos postgres"))
        };
        Ok(Cluster { data: path("TEST_POSTGRES_DATA")?, start: path("TEST_POSTGRES_START")? })
    }

    /// kill -9 of the postmaster and of everything that it has started.
    pub async fn kill(&self) -> Result<()> {
        let file = self.data.join("postmaster.pid");
        let text = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        let postmaster: u32 = text.lines().next().unwrap_or_default().trim().parse().context("the postmaster's pid")?;
        let mut pids = vec![postmaster];
        pids.extend(children(postmaster)?);
        let pids: Vec<String> = pids.iter().map(u32::to_string).collect();
        // One that has ended meanwhile is no failure.
        Command::new("kill").arg("-KILL").args(&pids).stderr(std::process::Stdio::null()).status().await?;
        Ok(())
    }

    /// Starts it again; the moment before. Returns once it takes connections.
    pub async fn start(&self) -> Result<Instant> {
        let give_up = Instant::now() + PATIENCE;
        loop {
            let before = Instant::now();
            let status = timeout(PATIENCE, Command::new(&self.start).status()).await.context("Postgres hangs")??;
            if status.success() {
                return Ok(before);
            }
            // It refuses for as long as anything of the killed one is still there.
            ensure!(Instant::now() < give_up, "{} failed", self.start.display());
            sleep(Duration::from_millis(50)).await;
        }
    }
}

fn children(parent: u32) -> Result<Vec<u32>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc")? {
        let entry = entry?;
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else { continue };
        // PID (NAME) STATE PARENT …; the name may hold anything.
        let after = stat.rsplit_once(')').map_or("", |(_, after)| after);
        if after.split_whitespace().nth(1).and_then(|p| p.parse().ok()) == Some(parent) {
            found.push(pid);
        }
    }
    Ok(found)
}
