//! The terminal, taken for a while and given back on every path: the end of a deed, a panic, a signal.
//!
//! Must never print while a picture is on it: what is to be said comes after.

use std::io::{self, Write, stdin, stdout};
use std::panic;
use std::process::exit;
use std::sync::Once;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use crossterm::cursor::Show;
use crossterm::execute;
use crossterm::style::Print;
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use ratatui::backend::CrosstermBackend;
use ratatui::{DefaultTerminal, Terminal};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use tokio::signal::unix::{SignalKind, signal};

use super::{ended, undrawable};
use crate::session::Ended;
use crate::text::complain;

/// Presses, releases and drags of the mouse, with places that are not limited; not every move of it.
const MOUSE_ON: &str = "\x1b[?1000h\x1b[?1002h\x1b[?1006h";
const MOUSE_OFF: &str = "\x1b[?1006l\x1b[?1002l\x1b[?1000l";
/// A terminal that takes no more output does not hold the end of the program up for longer.
const PATIENCE: Duration = Duration::from_secs(1);
/// The exit code after a panic, as the language has it.
const PANICKED: i32 = 101;

/// What is taken of the terminal.
static TAKEN: AtomicU8 = AtomicU8::new(NOTHING);
const NOTHING: u8 = 0;
/// Single keys.
const KEYS: u8 = 1;
/// Single keys and the whole picture.
const SCREEN: u8 = 2;

/// Single keys for as long as it lives.
pub(super) struct Keys;

impl Keys {
    /// Takes single keys.
    pub fn take() -> io::Result<Keys> {
        take(KEYS)?;
        Ok(Keys)
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        give_back();
    }
}

/// Does something with the whole terminal, which is given back afterwards whatever came of it.
pub async fn on_screen<T>(
    mouse: bool,
    deed: impl AsyncFnOnce(&mut DefaultTerminal) -> Result<T, Ended>,
) -> Result<T, Ended> {
    let taken = || {
        let keys = take(SCREEN).map(|()| Keys)?;
        execute!(stdout(), EnterAlternateScreen, Print(if mouse { MOUSE_ON } else { "" }))?;
        Ok((keys, Terminal::new(CrosstermBackend::new(stdout()))?))
    };
    let (keys, terminal) = taken().map_err(|error| ended(undrawable(&error)))?;
    // Its own farewell is a complaint on standard error where the terminal is gone; what is to be done is done here.
    let mut terminal = std::mem::ManuallyDrop::new(terminal);
    let done = deed(&mut terminal).await;
    drop(keys);
    done
}

fn take(what: u8) -> io::Result<()> {
    static HEED: Once = Once::new();
    HEED.call_once(|| {
        heed_panics();
        heed_signals();
        heed_hangup();
    });
    enable_raw_mode()?;
    TAKEN.store(what, Ordering::SeqCst);
    Ok(())
}

/// Whoever gives it back first does; where the terminal is gone there is nobody to tell.
fn give_back() {
    let taken = TAKEN.swap(NOTHING, Ordering::SeqCst);
    if taken == NOTHING {
        return;
    }
    if taken == SCREEN {
        let _ = execute!(stdout(), Print(MOUSE_OFF), LeaveAlternateScreen, Show);
    }
    let _ = disable_raw_mode();
}

/// A panic on whatever thread ends the program: it could not be read, and what goes on without the thread could not be trusted.
fn heed_panics() {
    let told = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let was_taken = TAKEN.load(Ordering::SeqCst) != NOTHING;
        give_back();
        told(info);
        if was_taken {
            exit(PANICKED);
        }
    }));
}

/// From now on the signals that end a program give the terminal back first.
fn heed_signals() {
    for (kind, name) in
        [(SignalKind::terminate(), "SIGTERM"), (SignalKind::hangup(), "SIGHUP"), (SignalKind::interrupt(), "SIGINT")]
    {
        // Where there is no heeding it, it ends the program as ever.
        let Ok(mut arrived) = signal(kind) else { continue };
        tokio::spawn(async move {
            if arrived.recv().await.is_some() {
                end(128 + kind.as_raw_value(), name);
            }
        });
    }
}

/// A terminal that is gone is not always told by a signal, and whoever reads keys from it would read nothing for ever.
fn heed_hangup() {
    std::thread::spawn(|| {
        let keys = stdin();
        // Keys that are there to be read wake nobody here.
        let mut gone = [PollFd::new(&keys, PollFlags::empty())];
        while let Err(Errno::INTR) = poll(&mut gone, None) {}
        if gone[0].revents().intersects(PollFlags::HUP | PollFlags::ERR) {
            end(128 + SignalKind::hangup().as_raw_value(), "the loss of its terminal");
        }
    });
}

/// Ends the program as a shell knows it of that signal. A seat is kept for as long as the room keeps it.
fn end(code: i32, name: &str) -> ! {
    std::thread::spawn(move || {
        std::thread::sleep(PATIENCE);
        exit(code);
    });
    // Nobody draws after that.
    let mut out = stdout().lock();
    let was_taken = TAKEN.load(Ordering::SeqCst) != NOTHING;
    give_back();
    let _ = out.flush();
    if was_taken {
        complain(format_args!("ended by {name}"));
    }
    exit(code);
}
