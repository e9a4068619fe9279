//! `sprint account` as a person uses it on two machines, against the real server.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use tokio::io::AsyncWriteExt;

use crate::commands::{printed, said};
use crate::real::Host;

/// A machine: a home of its own, where tokens are kept.
struct Machine<'a> {
    home: tempfile::TempDir,
    host: &'a Host,
}

impl Machine<'_> {
    fn of(host: &Host) -> Machine<'_> {
        Machine { home: tempfile::tempdir().expect("a folder"), host }
    }

    /// Runs the command with these lines typed.
    async fn account(&self, args: &[&str], typed: &str) -> Output {
        let mut command = tokio::process::Command::from(Command::new(env!("CARGO_BIN_EXE_sprint")));
        command.arg("account").args(args).arg("--server").arg(self.host.url());
        command.env("XDG_STATE_HOME", self.home.path()).env_remove("SPRINT_URL");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let mut stdin = child.stdin.take().expect("it is piped");
        // A call that asks nothing may be over already.
        let _ = stdin.write_all(typed.as_bytes()).await;
        drop(stdin);
        child.wait_with_output().await.expect("it ends")
    }

    async fn says(&self, args: &[&str], typed: &str) -> String {
        let output = self.account(args, typed).await;
        assert!(output.status.success(), "{args:?}: {}", said(&output));
        printed(&output).trim_end().to_owned()
    }

    fn kept(&self) -> String {
        let place: &Path = self.home.path();
        std::fs::read_to_string(place.join("technomancer-sprint/players.json")).unwrap_or_default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_goes_to_another_machine_by_code_and_by_password_and_is_deleted_from_there() {
    let host = Host::start().await;
    let ada = host.api().guest(Some("Ada"), false).await.expect("a guest");
    let (one, other) = (Machine::of(&host), Machine::of(&host));
    let first = host.api().open_link(&ada.token, &host.url()).await.expect("a code").code;
    assert_eq!(one.says(&["use", &first.to_lowercase()], "").await, "Ada");
    let again = one.account(&["use", &first], "").await;
    assert_eq!((again.status.code(), said(&again).contains("works once")), (Some(1), true), "{}", said(&again));

    let code = one.says(&["--name", "Ada", "link"], "").await;
    assert_eq!(code.len(), 11, "a pipe gets the code alone: {code}");
    assert_eq!(other.says(&["use", &code], "").await, "Ada");
    assert_eq!(one.says(&["rename", "Ada Lovelace", "--name", "Ada"], "").await, "Ada Lovelace");
    assert!(one.kept().contains("Ada Lovelace") && !one.kept().contains("Ada\""), "{}", one.kept());
    one.says(&["password", "--name", "Ada Lovelace"], "\ncorrect horse\n").await;
    let wrong = one.account(&["password", "--name", "Ada Lovelace"], "wrong horse\nbattery staple\n").await;
    assert_eq!(wrong.status.code(), Some(1), "{}", said(&wrong));

    assert_eq!(one.says(&["logout", "--name", "Ada Lovelace"], "").await, "Ada Lovelace is logged out everywhere");
    assert!(!one.kept().contains("Ada"), "{}", one.kept());
    let gone = other.account(&["link", "--name", "Ada"], "").await;
    assert_eq!(gone.status.code(), Some(1), "the other machine is logged out too: {}", said(&gone));
    assert_eq!(other.says(&["login", "ada lovelace"], "correct horse\n").await, "Ada Lovelace");
    let unsure = other.account(&["delete", "--name", "Ada Lovelace"], "ada\n").await;
    assert_eq!(unsure.status.code(), Some(2), "{}", said(&unsure));
    assert_eq!(other.says(&["delete", "--name", "Ada Lovelace"], "Ada Lovelace\n").await, "Ada Lovelace is deleted");
    assert!(host.api().guest(Some("Ada Lovelace"), false).await.is_ok(), "the name is free");
    host.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_says_nobody_known_here_is_a_bad_call() {
    let host = Host::start().await;
    let machine = Machine::of(&host);
    for args in [&["link"][..], &["link", "--name", "Nobody"], &["logout", "--name", "Nobody"]] {
        let output = machine.account(args, "").await;
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(said(&output).contains("--name"), "{}", said(&output));
    }
    host.stop().await;
}
