//! The wait for a quick match, in plain lines before the screen is drawn: how long, who else, and the bot on offer.

use std::io::Write;
use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use sprint_shared::preset::Preset;
use sprint_shared::protocol::queue::QueueServerMessage;

use super::keyboard::{self, Input};
use super::terminal::Keys;
use crate::api::Server;
use crate::queue::{News, Waiting};
use crate::session::Ended;
use crate::text::plain;

/// Between two looks at the clock.
const TICK: Duration = Duration::from_secs(1);

/// Waits until a race is found; its code.
pub async fn wait(server: &Server, token: &str, seats: u8, preset: Preset) -> Result<String, Ended> {
    let _single = single_keys()?;
    let mut waiting = Waiting::new(server, token, seats, preset);
    let (mut keys, mut tick) = (keyboard::open().await, tokio::time::interval(TICK));
    let mut wait = Wait { since: Instant::now(), others: 0, offer: None, line: String::new() };
    say(&format!("Looking for a race of {seats} on {preset} boards, rated. Press q to leave the queue."));
    loop {
        tokio::select! {
            news = waiting.next() => match news? {
                News::Told(QueueServerMessage::Matched { code, .. }) => {
                    say("A race is found.");
                    return Ok(code);
                }
                News::Told(told) => wait.heed(told),
                News::Lost { why, .. } => wait.say(&why.unwrap_or("The connection is lost; trying again.".to_owned())),
            },
            key = keys.next() => match key {
                Some(Ok(Input::Key(key))) => match pressed(key) {
                    Pressed::Leave => return Err(left()),
                    Pressed::Accept if wait.offer.is_some() => {
                        say("Opening the race.");
                        waiting.accept();
                    }
                    Pressed::Accept | Pressed::Other => {}
                },
                Some(Ok(_)) => {}
                Some(Err(why)) => return Err(failed(why)),
                None => return Err(left()),
            },
            _ = tick.tick() => wait.show(),
        }
    }
}

/// What is to be done after the end of a quick match that is no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WayOn {
    /// Back into the queue at once: it was nobody's wish.
    LookOn,
    /// Back into the queue if the player wants to.
    Ask,
    /// None: the program ends.
    None,
}

impl WayOn {
    /// After this end.
    pub fn after(ended: &Ended) -> WayOn {
        match ended.code.as_deref() {
            Some("no_opponent") => WayOn::LookOn,
            Some("no_such_room" | "closed" | "no_seat" | "kicked") => WayOn::Ask,
            _ => WayOn::None,
        }
    }
}

/// Says what has become of the race, and waits for the wish to look for another.
pub async fn wants_another(ended: &Ended) -> Result<bool, Ended> {
    let why = ended.why.trim_end_matches('.');
    enter_or_leave(&[&format!("{why}. Press Enter to look for another race, q to end.")]).await
}

/// Says some lines, and waits for Enter (true) or q.
pub(crate) async fn enter_or_leave(lines: &[&str]) -> Result<bool, Ended> {
    let _single = single_keys()?;
    let mut keys = keyboard::open().await;
    lines.iter().for_each(|line| say(line));
    loop {
        match keys.next().await {
            Some(Ok(Input::Key(key))) => match pressed(key) {
                Pressed::Accept => return Ok(true),
                Pressed::Leave => return Ok(false),
                Pressed::Other => {}
            },
            Some(Ok(_)) => {}
            Some(Err(why)) => return Err(failed(why)),
            None => return Ok(false),
        }
    }
}

/// The player wants no race any more.
fn left() -> Ended {
    Ended { code: Some(LEFT.to_owned()), why: "you have left the queue".to_owned() }
}

/// The code of [`wait`]'s end by the player's own wish.
pub const LEFT: &str = "left";

/// Keys one by one for as long as it lives.
fn single_keys() -> Result<Keys, Ended> {
    Keys::take().map_err(|error| failed(format!("the terminal gives no single keys: {error}")))
}

enum Pressed {
    Leave,
    Accept,
    Other,
}

fn pressed(key: KeyEvent) -> Pressed {
    match key.code {
        KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => Pressed::Leave,
        KeyCode::Char('q') | KeyCode::Esc => Pressed::Leave,
        KeyCode::Enter => Pressed::Accept,
        _ => Pressed::Other,
    }
}

/// What is known of the wait.
struct Wait {
    since: Instant,
    others: u32,
    /// The name of the bot on offer.
    offer: Option<String>,
    /// What the last line says.
    line: String,
}

impl Wait {
    fn heed(&mut self, told: QueueServerMessage) {
        match told {
            QueueServerMessage::Waiting { waiting, since_ms, .. } => {
                self.others = waiting.saturating_sub(1);
                self.since = Instant::now().checked_sub(Duration::from_millis(since_ms)).unwrap_or(self.since);
            }
            QueueServerMessage::Offer { name, rating, .. } => {
                self.say(&format!("Nobody yet. Enter: race {name}, a bot rated {rating}, unrated. Or wait on."));
                self.offer = Some(name);
            }
            QueueServerMessage::Back {} => self.say("That race came to nothing; you wait on, as long as before."),
            QueueServerMessage::Refused { message, .. } => self.say(&message),
            _ => {}
        }
        self.show();
    }

    /// A line of its own; the one that is written over comes again below it.
    fn say(&mut self, text: &str) {
        say(text);
        self.line.clear();
    }

    /// The time waited and the others, on one line that is written over.
    fn show(&mut self) {
        let waited = self.since.elapsed().as_secs();
        let others = match self.others {
            0 => "nobody else waits".to_owned(),
            1 => "one other waits".to_owned(),
            others => format!("{others} others wait"),
        };
        let line = format!("{}:{:02}  {others}", waited / 60, waited % 60);
        if line != self.line {
            print!("\r\x1b[K{line}");
            let _ = std::io::stdout().flush();
            self.line = line;
        }
    }
}

fn failed(why: String) -> Ended {
    Ended { code: None, why }
}

/// A line of its own, where lines do not end by themselves.
fn say(text: &str) {
    print!("\r\x1b[K{}\r\n", plain(text));
    let _ = std::io::stdout().flush();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_race_that_is_gone_leads_on_and_a_player_who_may_not_race_does_not() {
        let after = |code: &str| WayOn::after(&Ended { code: Some(code.to_owned()), why: String::new() });
        assert_eq!(after("no_opponent"), WayOn::LookOn);
        for gone in ["no_such_room", "closed", "no_seat", "kicked"] {
            assert_eq!(after(gone), WayOn::Ask, "{gone}");
        }
        for end in ["logged_out", "banned", "bad_token", LEFT] {
            assert_eq!(after(end), WayOn::None, "{end}");
        }
        assert_eq!(WayOn::after(&failed("the terminal is gone".to_owned())), WayOn::None);
    }
}
