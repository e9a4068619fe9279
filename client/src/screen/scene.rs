//! What a picture is made of: the room, the own play as it is shown, and what the person is doing with the screen.

use std::time::{Duration, Instant};

use sprint_shared::play::Play;
use sprint_shared::protocol::Role;
use sprint_shared::protocol::view::SeatView;
use sprint_shared::review::Review;
use sprint_shared::time::Seat;
use uuid::Uuid;

use super::Theme;
use super::alone::Alone;
use crate::session::Link;
use crate::state::{Folded, Racer, Round};

/// Everything that a picture shows of the game.
pub struct Scene<'a> {
    /// The room.
    pub room: &'a Folded,
    /// The own play with what is under way; `None` for a spectator, or before a board is shown.
    pub shown: Option<&'a Play>,
    /// Acts that the server has not judged yet.
    pub pending: usize,
    /// How the line stands.
    pub link: Link,
    /// To play or to watch.
    pub role: Role,
    /// The instant of the picture.
    pub now: Instant,
}

/// What the person is doing with the screen.
pub struct Ui {
    /// Looks.
    pub theme: Theme,
    /// The server's address, to be told to others.
    pub server: String,
    /// A question that waits for `y`.
    pub confirm: Option<Confirm>,
    /// The last thing said, and when.
    pub notice: Option<(String, Instant)>,
    /// A spectator's choice of the large board.
    pub focus: usize,
    /// The person has left; the end of the line is no error.
    pub leaving: bool,
    /// The others' emotes are left out.
    pub muted: bool,
    /// A spectator's choice of the distances over time instead of the other boards.
    pub over_time: bool,
    /// The room was found by the queue, which can be gone back to.
    pub quick: bool,
    /// The person has left to look for another race, or for the next board alone.
    pub again: bool,
    /// The analysis of a round that is over, once the server has it.
    pub review: Option<(Uuid, Review)>,
    /// What is played alone, where somebody plays alone.
    pub alone: Option<Alone>,
    /// The overlay that lists the keys is shown.
    pub help: bool,
    /// The peg, from 1, that a mouse button lifted from and was not let go since.
    pub dragged: Option<u32>,
}

/// What cannot be taken back is asked first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confirm {
    /// A new attempt from the start board.
    Reset,
    /// Giving the round up.
    GiveUp,
    /// Leaving the room.
    Leave,
    /// Of the host: taking a seat away; which one is asked.
    Kick,
    /// Of the host: making another player the host; which one is asked.
    HandOver,
    /// Of the host: sending everybody away.
    Close,
    /// Leaving a board that is played alone for the next one.
    Next,
}

/// How long a notice stands.
const NOTICE: Duration = Duration::from_secs(6);

impl Ui {
    /// A fresh screen.
    pub fn new(theme: Theme, server: String) -> Ui {
        Ui {
            theme,
            server,
            confirm: None,
            notice: None,
            focus: 0,
            leaving: false,
            muted: false,
            over_time: false,
            quick: false,
            again: false,
            review: None,
            alone: None,
            help: false,
            dragged: None,
        }
    }

    /// Whether a way is being played, which any key stops.
    pub fn shows_the_way(&self) -> bool {
        self.alone.as_ref().is_some_and(|alone| alone.showing.is_some())
    }

    /// Says something in the message line.
    pub fn say(&mut self, text: String) {
        self.notice = Some((text, Instant::now()));
    }

    /// What stands in the message line at `now`.
    pub fn notice_at(&self, now: Instant) -> Option<&str> {
        let (text, at) = self.notice.as_ref()?;
        (now.saturating_duration_since(*at) < NOTICE).then_some(text.as_str())
    }
}

impl<'a> Scene<'a> {
    /// The round at work or the last one.
    pub fn round(&self) -> Option<&'a Round> {
        self.room.round.as_ref()
    }

    /// The racer whose board is the large one: the own, or the one that a spectator has chosen.
    pub fn focused(&self, ui: &Ui) -> Option<&'a Racer> {
        let racers = &self.round()?.racers;
        let chosen = || racers.get(ui.focus % racers.len().max(1));
        self.room.own().or_else(chosen)
    }

    /// The play of the large board.
    pub fn large(&self, ui: &Ui) -> Option<&'a Play> {
        match self.shown {
            Some(play) if self.room.seat.is_some() => Some(play),
            _ => self.focused(ui)?.play.as_ref(),
        }
    }

    /// The name in a seat; in a round it may be of somebody who has left.
    pub fn name(&self, seat: Seat) -> &'a str {
        self.room.sitter(seat).map_or("(left)", |s: &SeatView| s.name.as_str())
    }
}
