//! The program itself, as a host runs it.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Output, Stdio};

use crate::host::Host;

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
        let mut child = Command::new(env!("CARGO_BIN_EXE_sprint-server"))
            .args(["serve", "--listen", "127.0.0.1:0", "--countdown-ms", "100", "--database", database])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
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
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
