//! However the program ends, the terminal is as it was, and the exit code says how it ended.

use std::time::Duration;

use sprint_client::screen::on_screen;
use tokio::time::timeout;

use crate::pty::{PATIENCE, Terminal, ended};
use crate::real::Host;

const HANOI: &str = concat!(env!("CARGO_BIN_EXE_sprint"), " hanoi");

fn home() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

fn play(host: &Host) -> String {
    format!("{} play --server {}", env!("CARGO_BIN_EXE_sprint"), host.url())
}

/// Sends a signal by its name to the one process of that number.
async fn send(signal: &str, number: i32) {
    let sent = tokio::process::Command::new("kill").arg(format!("-{signal}")).arg(number.to_string()).status().await;
    assert!(sent.expect("there is a kill").success(), "{signal}");
}

/// Waits for the end of the program, and for the terminal to be as it was: the picture gone, the cursor seen, the mouse let
/// go, letters echoed. What the program has said after the picture, and its exit code.
async fn is_given_back(terminal: &mut Terminal) -> (String, String) {
    let farewell = terminal.until("\x1b[?1049l").await;
    for mode in ["1006", "1002", "1000"] {
        assert!(farewell.contains(&format!("\x1b[?{mode}l")), "the mouse is let go: {farewell:?}");
    }
    let said = terminal.until("left ").await;
    assert!(said.contains("\x1b[?25h"), "the cursor is shown: {said:?}");
    let code = terminal.until("\r\n").await;
    let modes = terminal.until("done").await;
    let has = |mode: &str| modes.split([' ', ';', '\r', '\n']).any(|word| word == mode);
    assert!(has("icanon") && has("echo") && has("isig") && has("opost"), "{modes}");
    (said.replace("\x1b[?25h", "").trim().to_owned(), code)
}

#[tokio::test(flavor = "multi_thread")]
async fn by_its_own_key_by_control_c_and_by_every_signal_the_terminal_is_given_back() {
    for (key, signal, code, said) in [
        ("q", "", "0", ""),
        ("\u{3}", "", "0", ""),
        ("", "TERM", "143", "ended by SIGTERM"),
        ("", "HUP", "129", "ended by SIGHUP"),
        ("", "INT", "130", "ended by SIGINT"),
    ] {
        let home = home();
        let mut terminal = Terminal::watched(&home, HANOI);
        let number = terminal.number().await;
        terminal.until("Nothing has moved yet.").await;
        match signal {
            "" => terminal.press(key).await,
            signal => send(signal, number).await,
        }
        assert_eq!(is_given_back(&mut terminal).await, (said.to_owned(), code.to_owned()), "{key:?} {signal}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn while_a_quick_match_is_waited_for_a_signal_gives_single_keys_back() {
    let host = Host::start().await;
    let home = home();
    let mut terminal = Terminal::watched(&home, &format!("{} --quick --preset initiate", play(&host)));
    let number = terminal.number().await;
    terminal.until("Looking for a race").await;
    terminal.until("nobody else waits").await;
    send("TERM", number).await;
    terminal.until("ended by SIGTERM").await;
    terminal.until("left 143").await;
    let modes = terminal.until("done").await;
    assert!(modes.contains(" icanon") && modes.contains(" echo "), "{modes}");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_mouse_it_is_left_to_the_terminal() {
    for (args, is_taken) in [("", true), (" --no-mouse", false)] {
        let home = home();
        let mut terminal = Terminal::watched(&home, &format!("{HANOI}{args}"));
        let shown = terminal.until("Nothing has moved yet.").await;
        assert_eq!(shown.contains("\x1b[?1000h"), is_taken, "{args}");
        terminal.press("q").await;
        terminal.until("left 0").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_click_is_heard_through_the_terminal() {
    let home = home();
    let mut terminal = Terminal::watched(&home, HANOI);
    terminal.until(" help").await;
    // The last line: Space play   arrows step …; a press and a release of the first button on its first entry.
    terminal.press("\x1b[<0;2;24M\x1b[<0;2;24m").await;
    terminal.until("Disk").await;
    terminal.press("q").await;
    terminal.until("left 0").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_gone_for_good_holds_nobody() {
    let host = Host::start().await;
    let home = home();
    let mut terminal = Terminal::watched(&home, &play(&host));
    terminal.until("Invite").await;
    drop(host);
    terminal.until("RECONNECTING").await;
    terminal.press("q").await;
    assert_eq!(is_given_back(&mut terminal).await, (String::new(), "0".to_owned()));
}

/// Waits until the program in a terminal that is gone has ended; its exit code.
async fn end_of(home: &tempfile::TempDir) -> String {
    let told = async {
        let mut look = tokio::time::interval(Duration::from_millis(20));
        loop {
            look.tick().await;
            if let Ok(code) = std::fs::read_to_string(ended(home)) {
                return code.trim().to_owned();
            }
        }
    };
    timeout(PATIENCE, told).await.expect("it ends in time")
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_terminal_under_it_the_program_ends() {
    // Whether it reads or draws first is chance.
    for _ in 0..5 {
        let home = home();
        let mut terminal = Terminal::watched(&home, HANOI);
        terminal.until("Nothing has moved yet.").await;
        // The shell above it outlives the terminal: the program is told by nobody.
        terminal.tear_away().await;
        let code = end_of(&home).await;
        assert!(["1", "129"].contains(&code.as_str()), "{code}");
    }
}

/// Set for the program that is to panic: this test's own, run again.
const TO_PANIC: &str = "SPRINT_TEST_TO_PANIC";

#[tokio::test(flavor = "multi_thread")]
async fn a_panic_on_any_thread_gives_the_terminal_back_and_is_told() {
    if let Ok(place) = std::env::var(TO_PANIC) {
        let panicked = on_screen(true, async |_| {
            match place.as_str() {
                "here" => panic!("as the test wants it"),
                _ => drop(tokio::spawn(async { panic!("as the test wants it") }).await),
            }
            std::future::pending::<Result<(), _>>().await
        });
        let _ = panicked.await;
        return;
    }
    let program = std::env::current_exe().expect("the tests have a program");
    let name = "quits::a_panic_on_any_thread_gives_the_terminal_back_and_is_told";
    for place in ["here", "elsewhere"] {
        let home = home();
        let command = format!("env {TO_PANIC}={place} {} --exact {name} --nocapture", program.display());
        let mut terminal = Terminal::watched(&home, &command);
        let (said, code) = is_given_back(&mut terminal).await;
        assert!(said.contains("as the test wants it"), "{place}: {said}");
        assert_eq!(code, "101", "{place}");
    }
}
