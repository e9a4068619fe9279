//! The program itself, as a host runs it.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use crate::host::{Host, PATIENCE};

/// Runs the program to its end.
pub fn program(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sprint-server")).args(args).output().unwrap()
}

/// The real program on a database that outlives it.
pub struct Process {
    pub child: Child,
    pub host: Host,
}

impl Process {
    pub fn start(database: &str) -> Process {
        Process::start_with(database, &[])
    }

    pub fn start_with(database: &str, flags: &[&str]) -> Process {
        Process::begin(Process::command(database).args(flags).stderr(Stdio::null()))
    }

    /// With a log of what `filter` lets through.
    pub fn start_telling(database: &str, filter: &str, log: &Path) -> Process {
        let log = File::create(log).unwrap();
        // The throw-away cluster of the tests keeps nothing through a loss of power.
        let mut command = Process::command(database);
        Process::begin(
            command.args(["--durability", "process"]).env("RUST_LOG", filter).env("NO_COLOR", "1").stderr(log),
        )
    }

    fn command(database: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sprint-server"));
        command.args(["serve", "--listen", "127.0.0.1:0", "--countdown-ms", "100", "--database", database]);
        command
    }

    fn begin(command: &mut Command) -> Process {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut first = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        let address = first.trim().strip_prefix("listening on http://").expect("the address").parse().unwrap();
        Process { child, host: Host::at(address) }
    }

    /// kill -9.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    pub fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args([&format!("-{name}"), &pid]).status().unwrap().success());
    }

    /// Waits for its end; the exit code.
    pub async fn ended(mut self) -> Option<i32> {
        tokio::task::spawn_blocking(move || self.child.wait().unwrap()).await.unwrap().code()
    }

    /// Memory that it holds, in bytes.
    pub fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a running process");
        1_024 * line.trim().trim_end_matches(" kB").parse::<u64>().unwrap()
    }

    /// Files and sockets that it holds open.
    pub fn open_files(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/fd", self.child.id())).unwrap().count()
    }

    /// Sockets that it holds open, its own listening one among them.
    pub fn sockets(&self) -> usize {
        let open = std::fs::read_dir(format!("/proc/{}/fd", self.child.id())).unwrap();
        // What is closed between the listing and the look is none.
        let links = open.filter_map(|entry| std::fs::read_link(entry.unwrap().path()).ok());
        links.filter(|link| link.to_string_lossy().starts_with("socket:")).count()
    }

    /// Waits until it holds so many sockets open.
    pub async fn until_sockets(&self, expected: usize) {
        let closing = async {
            while self.sockets() != expected {
                tokio::task::yield_now().await;
            }
        };
        let waited = tokio::time::timeout(PATIENCE, closing).await;
        waited.unwrap_or_else(|_| panic!("{} sockets are open in the end, not {expected}", self.sockets()));
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
