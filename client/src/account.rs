//! `sprint account`: the player on this machine, other devices, a password, the ways out.
//!
//! Data goes to standard output, messages and questions to standard error; exit 0, 1 (the server says no) or 2 (a bad
//! call). Must never take a secret from the command line, where others could read it.

use std::fmt::Write as _;
use std::io::{BufRead, IsTerminal, Write as _};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers, read};
use crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use sprint_shared::api::NewPlayerCreated;

use crate::api::{Api, Server};
use crate::screen::{forget_token, keep_token, known_token};
use crate::solve::{DOES_NOT_HOLD, bad_call};
use crate::text::{complain, say};

/// Takes a player to other devices, renames, logs out, deletes.
#[derive(Args, Clone, Debug)]
pub struct AccountArgs {
    /// What to do.
    #[command(subcommand)]
    pub deed: Deed,
    /// Whom it concerns: the name that you play under on this machine.
    #[arg(long, global = true)]
    pub name: Option<String>,
    /// The server, http://HOST:PORT.
    #[arg(long, global = true, value_name = "URL", env = "SPRINT_URL", default_value = "http://127.0.0.1:8080")]
    pub server: Server,
}

/// What can be done.
#[derive(Subcommand, Clone, Debug)]
pub enum Deed {
    /// Shows a code that logs one other device in, once and within five minutes.
    Link,
    /// Logs this machine in by a code that another device shows.
    Use {
        /// The code, however it is typed.
        code: String,
    },
    /// Logs this machine in by name and password; the password is asked for.
    Login {
        /// The player's name.
        player: String,
    },
    /// Gives the player another name.
    Rename {
        /// The new name.
        to: String,
    },
    /// Gives the player a password, or another one; both are asked for.
    Password,
    /// Logs the player out on all devices.
    Logout,
    /// Deletes the player for good; the name is asked for.
    Delete,
}

/// Why it was not done.
enum Failed {
    BadCall(String),
    Refused(String),
}

impl<E: std::error::Error> From<E> for Failed {
    fn from(error: E) -> Failed {
        Failed::Refused(error.to_string())
    }
}

/// Runs `sprint account`.
pub async fn run(args: &AccountArgs) -> ExitCode {
    match done(args).await {
        Ok(text) => {
            text.lines().for_each(say);
            ExitCode::SUCCESS
        }
        Err(Failed::BadCall(reason)) => bad_call(reason),
        Err(Failed::Refused(reason)) => {
            complain(reason);
            ExitCode::from(DOES_NOT_HOLD)
        }
    }
}

async fn done(args: &AccountArgs) -> Result<String, Failed> {
    let (api, server) = (Api::new(args.server.clone()), &args.server);
    match &args.deed {
        Deed::Use { code } => taken_in(server, &api.use_link(code).await?),
        Deed::Login { player } => {
            let password = asked("Password: ")?;
            taken_in(server, &api.log_in(player, &password).await?)
        }
        Deed::Link => {
            let link = api.open_link(&who(args)?.1, &server.http("")).await?;
            if !std::io::stdout().is_terminal() {
                return Ok(link.code);
            }
            let (minutes, page) = (link.expires_in_s / 60, server.http("/link"));
            Ok(format!(
                "{}\n{}\n\nWorks once, for {minutes} minutes: photograph it, or type it at {page} or after `sprint account use`.",
                half_blocks(&link.qr),
                link.code
            ))
        }
        Deed::Rename { to } => {
            let (name, token) = who(args)?;
            let player = api.rename(&token, to).await?;
            forget_token(server, &name)?;
            keep_token(server, &player.name, &token)?;
            Ok(player.name)
        }
        Deed::Password => {
            let (_, token) = who(args)?;
            let old = asked("Password so far (nothing if there is none): ")?;
            let new = asked("New password, 8 to 128 bytes: ")?;
            api.set_password(&token, &new, Some(old).filter(|old| !old.is_empty())).await?;
            Ok("the password is set".to_owned())
        }
        Deed::Logout => {
            let (name, token) = who(args)?;
            api.log_out(&token).await?;
            forget_token(server, &name)?;
            Ok(format!("{name} is logged out everywhere"))
        }
        Deed::Delete => {
            let (name, token) = who(args)?;
            let typed = typed(&format!(
                "This is for good: name, devices, password, places on the boards. Type {name} to confirm: "
            ))?;
            if typed.trim() != name {
                return Err(Failed::BadCall("nothing was deleted: that is not the name".to_owned()));
            }
            api.delete_player(&token).await?;
            forget_token(server, &name)?;
            Ok(format!("{name} is deleted"))
        }
    }
}

/// The name and the token that it concerns.
fn who(args: &AccountArgs) -> Result<(String, String), Failed> {
    let name =
        args.name.clone().ok_or_else(|| Failed::BadCall("--name: say who, as in `sprint play --name`".to_owned()))?;
    let token = known_token(&args.server, "--name", &name).map_err(Failed::BadCall)?;
    Ok((name, token))
}

fn taken_in(server: &Server, player: &NewPlayerCreated) -> Result<String, Failed> {
    keep_token(server, &player.name, &player.token)?;
    Ok(player.name.clone())
}

/// A line that is typed, or the next one of what is piped in.
fn typed(question: &str) -> Result<String, Failed> {
    eprint!("{question}");
    std::io::stderr().flush()?;
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

/// A secret: it is not shown while it is typed.
fn asked(question: &str) -> Result<String, Failed> {
    if !std::io::stdin().is_terminal() {
        return typed(question);
    }
    eprint!("{question}");
    std::io::stderr().flush()?;
    enable_raw_mode()?;
    let secret = unseen();
    disable_raw_mode()?;
    eprintln!();
    secret
}

fn unseen() -> Result<String, Failed> {
    let mut secret = String::new();
    loop {
        let Event::Key(key) = read()? else { continue };
        match key.code {
            _ if key.kind == KeyEventKind::Release => {}
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => {
                return Err(Failed::Refused("nothing was done".to_owned()));
            }
            KeyCode::Enter => return Ok(secret),
            KeyCode::Backspace => _ = secret.pop(),
            KeyCode::Char(letter) => secret.push(letter),
            _ => {}
        }
    }
}

/// A QR code two modules a line, dark on light whatever the terminal's colours, with its quiet zone of four modules.
fn half_blocks(rows: &[String]) -> String {
    const QUIET: usize = 4;
    let is_dark = |x: usize, y: usize| {
        let row = y.checked_sub(QUIET).and_then(|y| rows.get(y));
        row.zip(x.checked_sub(QUIET)).is_some_and(|(row, x)| row.as_bytes().get(x) == Some(&b'1'))
    };
    let size = rows.len() + 2 * QUIET;
    let mut text = String::new();
    for y in (0..size).step_by(2) {
        text.push_str("\x1b[30;107m");
        for x in 0..size {
            text.push(match (is_dark(x, y), is_dark(x, y + 1)) {
                (true, true) => '█',
                (true, false) => '▀',
                (false, true) => '▄',
                (false, false) => ' ',
            });
        }
        writeln!(text, "\x1b[0m").expect("a string takes it");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_drawn_two_modules_a_line_on_a_light_ground() {
        let rows = ["101", "110", "001"].map(str::to_owned);
        let text = half_blocks(&rows);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 6, "three rows, and four above and below, two a line");
        let bare = |line: &str| line.trim_start_matches("\x1b[30;107m").trim_end_matches("\x1b[0m").to_owned();
        assert_eq!(bare(lines[0]), " ".repeat(11));
        assert_eq!(bare(lines[2]), format!("{}█▄▀{}", " ".repeat(4), " ".repeat(4)));
        assert_eq!(bare(lines[3]), format!("{}  ▀{}", " ".repeat(4), " ".repeat(4)));
    }
}
