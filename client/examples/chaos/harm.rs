//! What is done to the server, its database and its lines, one thing after the other, while bots play.
//!
//! Must never do the next thing before play has gone on after the last: a server that never comes back is a failure.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use sprint_shared::deal::Draws;
use tokio::time::{Instant, sleep, timeout};

use crate::cluster::Cluster;
use crate::proxy::Proxy;
use crate::server::Program;

/// How long it may take at most until play goes on.
const PATIENCE: Duration = Duration::from_secs(60);

/// Everything that harm can be done to.
pub struct Chaos {
    /// The server.
    pub server: Program,
    /// Its database, where that is a program of its own.
    pub cluster: Option<Cluster>,
    /// The lines to it.
    pub proxy: Proxy,
    /// Chance.
    pub draws: Draws,
    /// The countdown before a race goes on.
    pub countdown: Duration,
    /// Where bots write what they are told: it grows while play goes on.
    pub ledger: PathBuf,
    /// What was done so far.
    pub done: Done,
}

/// What was done, and how long it took until the first acknowledgement after it.
#[derive(Debug, Default)]
pub struct Done {
    /// kill -9 of the server.
    pub server_kills: u32,
    /// kill -9 of the database.
    pub database_kills: u32,
    /// SIGSTOP of the server for a while.
    pub pauses: u32,
    /// Every line cut at once.
    pub cuts: u32,
    /// Failures ordered from the journal.
    pub faults: u32,
    /// The server ended by itself because its disk failed, as ordered.
    pub disk_ends: u32,
    /// The server ended by itself although its disk had not failed, or did not stop when told.
    pub ended_badly: u32,
    /// From a start of the server until it listens, with every unfinished room taken over.
    pub starts: Vec<Duration>,
    /// From a start of the server to the first acknowledged act, the countdown not counted.
    pub server_restarts: Vec<Duration>,
    /// The same where commits were ordered to fail or to stall.
    pub faulty_restarts: Vec<Duration>,
    /// The same from a start of the database.
    pub database_restarts: Vec<Duration>,
}

impl Done {
    /// What `--kills` counts: times that something was killed.
    fn kills(&self) -> u32 {
        self.server_kills + self.database_kills
    }
}

impl Chaos {
    /// Does harm until so many kills are done.
    pub async fn harm(&mut self, kills: u32) -> Result<()> {
        let mut disk_fails = false;
        heard_since(&self.ledger, self.words()?).await.context("at the beginning")?;
        while self.done.kills() < kills {
            let until = Instant::now() + self.ms(50, 900);
            let ended = timeout(until - Instant::now(), self.server.ended()).await.is_ok();
            if ended {
                self.count_end(disk_fails);
                disk_fails = self.restart_server().await?;
                continue;
            }
            match self.draws.below(10) {
                0 => {
                    self.done.pauses += 1;
                    let pause = self.ms(300, 2_500);
                    self.server.pause(pause).await?;
                }
                1 => {
                    self.done.cuts += 1;
                    self.proxy.cut_all();
                }
                _ if disk_fails && self.draws.below(2) == 0 => {
                    // It gets the time to meet the failure and to end by itself.
                    match timeout(Duration::from_secs(10), self.server.ended()).await {
                        Ok(()) => self.done.disk_ends += 1,
                        Err(_) => self.kill_server().await?,
                    }
                    disk_fails = self.restart_server().await?;
                }
                2..=4 if self.cluster.is_some() => {
                    let with_server = self.draws.below(3) == 0;
                    disk_fails = self.kill_database(with_server, disk_fails).await?;
                }
                _ => {
                    self.kill_server().await?;
                    disk_fails = self.restart_server().await?;
                }
            }
        }
        Ok(())
    }

    async fn kill_server(&mut self) -> Result<()> {
        self.done.server_kills += 1;
        self.server.kill().await?;
        // What it had said before may still arrive; what arrives later is the next one's word.
        self.proxy.drain().await;
        Ok(())
    }

    /// Starts the server, perhaps with failures ordered, until play goes on; whether a failing disk is ordered.
    async fn restart_server(&mut self) -> Result<bool> {
        loop {
            let (faults, disk_fails) = self.draw_faults();
            let words = self.words()?;
            let before = self.server.start_again(&faults).await?;
            self.done.starts.push(before.elapsed());
            let Chaos { server, ledger, .. } = self;
            tokio::select! {
                heard = heard_since(ledger, words) => {
                    heard.with_context(|| format!("after a start with the faults {faults:?}"))?;
                    let took = before.elapsed().saturating_sub(self.countdown);
                    match faults.is_empty() {
                        true => self.done.server_restarts.push(took),
                        false => self.done.faulty_restarts.push(took),
                    }
                    return Ok(disk_fails);
                }
                () = server.ended() => self.count_end(disk_fails),
            }
        }
    }

    /// The server has ended by itself.
    fn count_end(&mut self, disk_fails: bool) {
        match disk_fails {
            true => self.done.disk_ends += 1,
            false => self.done.ended_badly += 1,
        }
    }

    /// Kills the database and starts it again, with the server or under it.
    async fn kill_database(&mut self, with_server: bool, disk_fails: bool) -> Result<bool> {
        let Some(cluster) = &self.cluster else { return Ok(disk_fails) };
        self.done.database_kills += 1;
        cluster.kill().await?;
        if with_server {
            self.done.server_kills += 1;
            self.server.kill().await?;
            self.proxy.drain().await;
            cluster.start().await?;
            return self.restart_server().await;
        }
        // Away for a while; sometimes for longer than a batch is tried again.
        let away = if self.draws.below(5) == 0 { self.ms(4_000, 8_000) } else { self.ms(0, 1_000) };
        sleep(away).await;
        let words = self.words()?;
        let Some(cluster) = &self.cluster else { return Ok(disk_fails) };
        let before = cluster.start().await?;
        let Chaos { server, ledger, .. } = self;
        tokio::select! {
            heard = heard_since(ledger, words) => heard.context("after a start of the database")?,
            () = server.ended() => {
                self.count_end(disk_fails);
                return self.restart_server().await;
            }
        }
        self.done.database_restarts.push(before.elapsed().saturating_sub(self.countdown));
        Ok(disk_fails)
    }

    fn draw_faults(&mut self) -> (String, bool) {
        let at = 5 + self.draws.below(60);
        let (fault, disk_fails) = match self.draws.below(16) {
            0 => (format!("eio@{at}"), true),
            1 => (format!("enospc@{at}"), true),
            2 | 3 => (format!("busy@{at},busy@{},stall:{}@{}", at + 1, 100 + 10 * at, at + 9), false),
            4 => (format!("stall:{}@{at}", 1_200 + 10 * at), false),
            5 => (format!("lost-reply@{at}"), false),
            6 => (format!("lost-request@{at}"), false),
            _ => return (String::new(), false),
        };
        self.done.faults += 1;
        (fault, disk_fails)
    }

    /// How much bots have been told so far.
    fn words(&self) -> Result<u64> {
        Ok(std::fs::metadata(&self.ledger)?.len())
    }

    fn ms(&mut self, from: u64, to: u64) -> Duration {
        Duration::from_millis(from + self.draws.below(to - from))
    }
}

/// Waits until a bot is told something that it had not been told before.
async fn heard_since(ledger: &Path, words: u64) -> Result<()> {
    let until = Instant::now() + PATIENCE;
    while std::fs::metadata(ledger)?.len() <= words {
        ensure!(Instant::now() < until, "no act was acknowledged for {} s", PATIENCE.as_secs());
        sleep(Duration::from_millis(3)).await;
    }
    Ok(())
}
