//! A seat that a program inside the server plays: a bot of the house, or the ghost of somebody's stored round.
//!
//! It joins by the room's inbox, reads the very frames that a socket would carry, and says what a client would: the room
//! cannot tell it from one. Must never see more than its seat hears, and never hold up a room.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use sprint_shared::bot::{self, Call, Habit, Mind, NoStrength, Strength};
use sprint_shared::deal::{Draws, Seed};
use sprint_shared::event::Nonce;
use sprint_shared::play::Act;
use sprint_shared::protocol::view::PhaseView;
use sprint_shared::protocol::{ClientMessage, ServerMessage};
use sprint_shared::race::Command;
use sprint_shared::solver::Cancel;
use sprint_shared::time::Millis;
use thiserror::Error;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until};
use uuid::Uuid;

use crate::chance::random;
use crate::clock::Clock;
use crate::ghost;
use crate::lobby::BotPlaces;
use crate::pool::Dealers;
use crate::room::{self, ConnectionId, Ending, Inbound, Join, OUTBOX, Out, RoomHandle};
use crate::socket;
use crate::store::{GhostRow, Guest};

/// Who plays, and by what.
pub struct Bot {
    /// The player.
    pub player: Uuid,
    /// By what name.
    pub name: String,
    /// Its connection to the room.
    pub connection: ConnectionId,
    /// The clock that its acts are stamped by.
    pub clock: Clock,
    /// Who finds lines of play.
    pub dealers: Dealers,
    /// The places of its room's bots, its own among them.
    pub places: Arc<BotPlaces>,
}

/// How a bot finds its acts.
pub enum Skill {
    /// Along a line of play, at the pace of a strength.
    Strength(Strength),
    /// As somebody did: each act with its place on the race clock, in milliseconds.
    Ghost(Vec<(u64, Act)>),
}

/// Why a bot does not know how to play.
#[derive(Debug, Error)]
pub enum Unskilled {
    /// A strength that there is not.
    #[error(transparent)]
    Strength(#[from] NoStrength),
    /// A ghost that does not know what to do.
    #[error(transparent)]
    Ghost(#[from] ghost::Unknown),
    /// Somebody who has to come by a connection of their own.
    #[error("a person plays for themselves")]
    Person,
}

impl Skill {
    /// How a guest plays who does not come by a connection; `ghosts` is what is stored of those of its room.
    pub fn of(guest: &Guest, ghosts: &[GhostRow]) -> Result<Skill, Unskilled> {
        Ok(match guest {
            Guest::Person { .. } => return Err(Unskilled::Person),
            Guest::Bot { strength, .. } => Skill::Strength(Strength::try_from(*strength)?),
            Guest::Ghost { player, .. } => Skill::Ghost(ghost::read(ghosts, *player)?),
        })
    }
}

/// A bot's connection to its room.
struct Line {
    heard: mpsc::Receiver<Out>,
    ended: oneshot::Receiver<Ending>,
    lost: Arc<AtomicBool>,
}

/// A bot in its seat.
struct Seated {
    bot: Bot,
    skill: Skill,
    room: RoomHandle,
    mind: Mind,
    draws: Draws,
    lost: Arc<AtomicBool>,
    resync_asked: bool,
    line: Option<Arc<bot::Line>>,
    /// The line is being looked for.
    thinking: Option<Thinking>,
    /// The next act, and when.
    planned: Option<(Instant, Act)>,
    /// Where the race clock stood at 0.
    t0: Option<Instant>,
}

/// A search that ends with whoever waits for it.
struct Thinking {
    cancel: Cancel,
    line: JoinHandle<Option<bot::Line>>,
}

impl Drop for Thinking {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

impl Bot {
    /// Plays in a room until the room lets it go.
    pub async fn play(self, skill: Skill, room: RoomHandle) {
        let Some(Line { mut heard, mut ended, lost }) = self.join(&room).await else { return };
        let connection = self.connection;
        let mut seated = Seated {
            bot: self,
            skill,
            room,
            mind: Mind::default(),
            draws: Draws::new(&Seed(random())),
            lost,
            resync_asked: false,
            line: None,
            thinking: None,
            planned: None,
            t0: None,
        };
        loop {
            let wake = seated.planned.as_ref().map(|(at, _)| *at);
            let goes_on = tokio::select! {
                biased;
                _ = &mut ended => return,
                out = heard.recv() => match out {
                    Some(out) => seated.hear(out, heard.is_empty()).await,
                    None => return,
                },
                line = async { (&mut seated.thinking.as_mut().expect("guarded").line).await }, if seated.thinking.is_some() => {
                    seated.found(line.ok().flatten());
                    true
                }
                () = async { sleep_until(wake.expect("guarded")).await }, if wake.is_some() => {
                    seated.act().await;
                    true
                }
            };
            if !goes_on {
                break;
            }
        }
        let gone = Inbound::Gone { connection, at: seated.bot.clock.now() };
        let _ = seated.room.inbox().send(gone).await;
    }

    /// Leaves its seat in a room, so that nobody waits for it there.
    pub async fn leave(self, room: RoomHandle) {
        let Some(line) = self.join(&room).await else { return };
        let leave = Inbound::Say { connection: self.connection, at: self.clock.now(), command: Command::Leave };
        if room.inbox().send(leave).await.is_ok() {
            let _ = line.ended.await;
        }
    }

    /// Says hello to a room; `None` if that has stopped.
    async fn join(&self, room: &RoomHandle) -> Option<Line> {
        let (outbox, heard) = mpsc::channel(OUTBOX);
        let (end, ended) = oneshot::channel();
        let lost = Arc::<AtomicBool>::default();
        let line = room::Line { outbox, end, lost: lost.clone(), round_trip: socket::unmeasured() };
        let (connection, player, name, at) = (self.connection, self.player, self.name.clone(), self.clock.now());
        let join =
            Join { connection, at, player, address: None, seated_only: false, name, bot: true, last_seq: None, line };
        room.inbox().send(Inbound::Join(Box::new(join))).await.ok()?;
        Some(Line { heard, ended, lost })
    }
}

impl Seated {
    /// Hears what one turn of the room has brought; false once the room is over.
    async fn hear(&mut self, out: Out, is_last: bool) -> bool {
        let texts: Vec<Utf8Bytes> = match out {
            Out::Frame(text) => vec![text],
            Out::Frames(texts) => texts,
        };
        for text in texts {
            let Ok(message) = serde_json::from_str::<ServerMessage>(&text) else { continue };
            match self.mind.hear(&message) {
                Call::Nothing => {}
                Call::Begin { clock_ms } => {
                    self.t0 = Instant::now().checked_sub(Duration::from_millis(clock_ms));
                    self.plan();
                }
                Call::Judged => self.plan(),
                Call::Everything => self.ask_for_everything().await,
                Call::End => return false,
            }
        }
        // Messages were dropped while it did not read: everything is sent anew.
        match self.lost.load(Ordering::Acquire) {
            true if is_last && !self.resync_asked => {
                self.resync_asked = true;
                self.ask_for_everything().await;
            }
            true => {}
            false => self.resync_asked = false,
        }
        if let Some(message) = self.mind.says(Nonce(random())) {
            // A ghost has raced once, and does no more.
            let again = matches!(self.skill, Skill::Ghost(_)) && self.mind.phase() != PhaseView::Dealing;
            if !again {
                self.say(message).await;
            }
        }
        true
    }

    async fn ask_for_everything(&mut self) {
        let _ = self.room.inbox().send(Inbound::Resync { connection: self.bot.connection }).await;
    }

    async fn say(&mut self, message: ClientMessage) {
        self.say_at(self.bot.clock.now(), message).await;
    }

    async fn say_at(&mut self, at: Millis, message: ClientMessage) {
        let Some(command) = socket::command(message) else { return };
        let connection = self.bot.connection;
        // A room that is gone has ended the line as well.
        let _ = self.room.inbox().send(Inbound::Say { connection, at, command }).await;
    }

    /// Decides on the next act.
    fn plan(&mut self) {
        self.planned = None;
        let Some(play) = self.mind.at_work() else { return };
        match &self.skill {
            Skill::Ghost(acts) => {
                let next = acts.get(self.mind.n() as usize).zip(self.t0);
                self.planned = next.map(|((at_ms, act), t0)| (t0 + Duration::from_millis(*at_ms), *act));
            }
            Skill::Strength(strength) => {
                let Some(start) = self.mind.start() else { return };
                match &self.line {
                    Some(line) if line.start() == start => {
                        let (act, pause_ms) = Habit::of(*strength).next(line, play, &mut self.draws);
                        self.planned = Some((Instant::now() + Duration::from_millis(pause_ms), act));
                    }
                    _ if self.thinking.is_some() => {}
                    _ => {
                        let (dealers, options, cancel) =
                            (self.bot.dealers.clone(), self.room.options.clone(), Cancel::default());
                        let (start, searched) = (start.clone(), cancel.clone());
                        let line = tokio::spawn(async move { dealers.line(&options, start, searched).await });
                        self.thinking = Some(Thinking { cancel, line });
                    }
                }
            }
        }
    }

    /// A line is found, or none is: then the bot stays where it is, and the clock ends its round.
    fn found(&mut self, line: Option<bot::Line>) {
        self.thinking = None;
        match line {
            Some(line) => {
                self.line = Some(Arc::new(line));
                self.plan();
            }
            None => tracing::warn!(room = &*self.room.code, "a bot finds no line of play"),
        }
    }

    async fn act(&mut self) {
        let Some((planned, act)) = self.planned.take().filter(|_| self.mind.at_work().is_some()) else { return };
        let mut at = self.bot.clock.now();
        if matches!(self.skill, Skill::Ghost(_)) {
            // It was then that it acted, however late this machine is.
            at = Millis(at.0.saturating_sub(planned.elapsed().as_millis() as u64));
        }
        self.say_at(at, self.mind.message(act)).await;
    }
}
