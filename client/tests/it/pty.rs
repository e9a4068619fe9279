//! The program on a terminal of its own, against the real server.

use std::process::Stdio;
use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::process::{Child, ChildStdout, Command};
use tokio::time::timeout;

use crate::real::Host;

/// No wait of these tests takes longer unless something is wrong.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A terminal of 80 by 24 in which the program runs; both end with it.
pub struct Terminal {
    child: Child,
    output: ChildStdout,
    shown: String,
}

impl Terminal {
    pub fn run(host: &Host, home: &tempfile::TempDir, args: &str) -> Terminal {
        let program = env!("CARGO_BIN_EXE_sprint");
        let line = format!("stty cols 80 rows 24; exec {program} {args} --server {}", host.url());
        let mut command = Command::new("script");
        command.args(["-qec", &line, "/dev/null"]).env("XDG_STATE_HOME", home.path()).env("TERM", "xterm");
        command.env("LC_ALL", "C.UTF-8").env_remove("SPRINT_URL");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn().expect("script makes a terminal");
        let output = child.stdout.take().expect("it is piped");
        Terminal { child, output, shown: String::new() }
    }

    /// Waits until the program has shown this since the last wait.
    pub async fn until(&mut self, expected: &str) {
        let reading = async {
            while !self.shown.contains(expected) {
                let mut bytes = [0; 4_096];
                let read = self.output.read(&mut bytes).await.expect("the terminal can be read");
                assert!(read > 0, "it ended without {expected:?}: {}", self.shown);
                self.shown += &String::from_utf8_lossy(&bytes[..read]);
            }
        };
        if timeout(PATIENCE, reading).await.is_err() {
            panic!("{expected:?} is never shown: {}", self.shown);
        }
        let end = self.shown.find(expected).expect("it was found") + expected.len();
        self.shown.drain(..end);
    }

    pub async fn press(&mut self, keys: &str) {
        use tokio::io::AsyncWriteExt;
        let stdin = self.child.stdin.as_mut().expect("it is piped");
        stdin.write_all(keys.as_bytes()).await.expect("the program reads");
    }

    pub async fn end(mut self) -> Option<i32> {
        let ended = timeout(PATIENCE, self.child.wait()).await.expect("it ends").expect("it can be waited for");
        ended.code()
    }
}
