//! Bots that play wave after wave through everything that happens, as `sprint load` in programs of their own.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use serde_json::Value;
use tokio::process::Command;
use tokio::task::JoinSet;

/// The loads that are at work.
pub struct Load {
    enough: Arc<AtomicBool>,
    tasks: JoinSet<Result<Played>>,
}

/// What bots have seen.
#[derive(Debug, Default)]
pub struct Played {
    /// Rooms that were asked for.
    pub rooms: u64,
    /// Rooms whose stored result was read back and proven.
    pub finished: u64,
    /// Acts sent.
    pub acts: u64,
    /// Refusals that neither the end of a round nor an interruption explains, by code.
    pub unexplained: BTreeMap<String, u64>,
    /// What bots said of rooms that failed.
    pub complaints: Vec<String>,
}

/// How long a room may take in all, in seconds: longer than harm is done and healing may take together, so that a room
/// counts as unfinished only if it does not end although nothing harms it any more.
const PATIENCE_S: &str = "3600";

impl Load {
    /// Starts so many loads.
    pub fn start(sprint: &Path, server: SocketAddr, ledger: &Path, loads: u8, rooms: u16) -> Load {
        let enough = Arc::new(AtomicBool::new(false));
        let mut tasks = JoinSet::new();
        for number in 0..loads {
            let wave = Wave {
                sprint: sprint.to_path_buf(),
                server: format!("http://{server}"),
                ledger: ledger.to_path_buf(),
                players: 2 + number % 3,
                rooms,
            };
            tasks.spawn(wave.after_wave(enough.clone()));
        }
        Load { enough, tasks }
    }

    /// Begins no wave any more and waits for those at work.
    pub async fn finish(mut self) -> Result<Played> {
        self.enough.store(true, Ordering::Relaxed);
        let mut all = Played::default();
        while let Some(played) = self.tasks.join_next().await {
            all.add(played??);
        }
        Ok(all)
    }
}

struct Wave {
    sprint: PathBuf,
    server: String,
    ledger: PathBuf,
    players: u8,
    rooms: u16,
}

impl Wave {
    async fn after_wave(self, enough: Arc<AtomicBool>) -> Result<Played> {
        let mut all = Played::default();
        while !enough.load(Ordering::Relaxed) {
            all.add(self.play().await?);
        }
        Ok(all)
    }

    async fn play(&self) -> Result<Played> {
        let mut command = Command::new(&self.sprint);
        command.args(["load", "--json", "--server", &self.server, "--preset", "initiate", "--rate", "6"]);
        command.args(["--rooms", &self.rooms.to_string(), "--players", &self.players.to_string()]);
        command.args(["--errors", "0.02", "--spectators", "1", "--patience", PATIENCE_S, "--ledger"]).arg(&self.ledger);
        let output = command.kill_on_drop(true).output().await.context("sprint load")?;
        let printed = String::from_utf8_lossy(&output.stdout);
        let said = String::from_utf8_lossy(&output.stderr);
        let figures: Value = serde_json::from_str(printed.trim()).with_context(|| format!("sprint load: {said}"))?;
        let number = |name: &str| figures[name].as_u64().with_context(|| format!("sprint load: {name} in {figures}"));
        let unexplained = figures["unexplained"].as_object().into_iter().flatten();
        Ok(Played {
            rooms: number("rooms")?,
            finished: number("finished")?,
            acts: number("acts")?,
            unexplained: unexplained.map(|(code, count)| (code.clone(), count.as_u64().unwrap_or(0))).collect(),
            complaints: said.lines().map(str::to_owned).collect(),
        })
    }
}

impl Played {
    fn add(&mut self, other: Played) {
        self.rooms += other.rooms;
        self.finished += other.finished;
        self.acts += other.acts;
        for (code, count) in other.unexplained {
            *self.unexplained.entry(code).or_default() += count;
        }
        self.complaints.extend(other.complaints);
    }
}
