//! The program on a terminal of its own, against the real server.

use std::path::PathBuf;
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
        Terminal::of(home, &format!("exec {program} {args} --server {}", host.url()))
    }

    /// A terminal that outlives the program: it tells the program's number first, and last how it ended and how it has
    /// left the terminal. `ended` in `home` holds the exit code, for whoever cannot look at the terminal any more.
    pub fn watched(home: &tempfile::TempDir, command: &str) -> Terminal {
        let ended = ended(home);
        let ended = ended.display();
        // A signal that the shell heeds is heeded afresh by the program.
        Terminal::of(
            home,
            &format!(
                "trap : HUP TERM; sh -c 'echo number $$.; exec {command}'; code=$?; echo $code > {ended}.new; \
                 mv {ended}.new {ended}; echo left $code; stty -a; echo done"
            ),
        )
    }

    fn of(home: &tempfile::TempDir, line: &str) -> Terminal {
        let line = format!("stty cols 80 rows 24; {line}");
        let mut command = Command::new("script");
        command.args(["-qec", &line, "/dev/null"]).env("XDG_STATE_HOME", home.path()).env("TERM", "xterm");
        command.env("LC_ALL", "C.UTF-8").env("SHELL", "/bin/sh").env_remove("SPRINT_URL").env_remove("NO_COLOR");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn().expect("script makes a terminal");
        let output = child.stdout.take().expect("it is piped");
        Terminal { child, output, shown: String::new() }
    }

    /// Waits until the program has shown this since the last wait; what was shown before it.
    pub async fn until(&mut self, expected: &str) -> String {
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
        let mut before: String = self.shown.drain(..end).collect();
        before.truncate(before.len() - expected.len());
        before
    }

    /// The program's number, of a terminal that is watched.
    pub async fn number(&mut self) -> i32 {
        self.until("number ").await;
        self.until(".").await.parse().expect("a number")
    }

    pub async fn press(&mut self, keys: &str) {
        use tokio::io::AsyncWriteExt;
        let stdin = self.child.stdin.as_mut().expect("it is piped");
        stdin.write_all(keys.as_bytes()).await.expect("the program reads");
    }

    /// Takes the terminal away from under the program.
    pub async fn tear_away(mut self) {
        self.child.kill().await.expect("it runs");
    }

    pub async fn end(mut self) -> Option<i32> {
        let ended = timeout(PATIENCE, self.child.wait()).await.expect("it ends").expect("it can be waited for");
        ended.code()
    }
}

/// Where the exit code of a program in a watched terminal is told.
pub fn ended(home: &tempfile::TempDir) -> PathBuf {
    home.path().join("ended")
}
