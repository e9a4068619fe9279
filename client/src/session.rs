//! A client in a room: one connection that comes back by itself, the room's state, and the own acts under way.
//!
//! [`Session::next`] does all the work and may be dropped at any time; everything else only puts something in its way.

use std::time::Duration;

use sprint_shared::event::Nonce;
use sprint_shared::play::{Act, Play};
use sprint_shared::protocol::view::PhaseView;
use sprint_shared::protocol::{ClientMessage, Emote, EventKind, Role, ServerMessage, WireEvent};
use sprint_shared::time::Seat;
use thiserror::Error;
use tokio::time::Instant;
use uuid::Uuid;

use crate::api::Server;
use crate::connection::{Connection, Heard};
use crate::state::acts::{Acts, NotSent, Pending};
use crate::state::{Folded, Outcome};

/// A player or a spectator in a room.
pub struct Session {
    /// The room as the server has told it.
    pub room: Folded,
    /// The own acts that the server has not judged yet.
    pub acts: Acts,
    /// Whether the line to the server stands.
    pub link: Link,
    connection: Connection,
    token: String,
    role: Role,
    /// The round and the part of its seed that this client drew.
    nonce: Option<(Uuid, Nonce)>,
    /// What the server said last before it closes the connection: it tells why better than a close code.
    last_error: Option<(String, String)>,
    /// Set while the server refuses for speed: the next act leaves then, and the others one by one.
    held_until: Option<Instant>,
}

/// How the line stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// The server takes part.
    Online,
    /// The line is lost; it is being tried again.
    Reconnecting {
        /// Since when.
        since: Instant,
    },
}

/// What happened, after it was folded in.
#[derive(Clone, Debug, PartialEq)]
pub enum Update {
    /// An event of the room.
    Event(WireEvent),
    /// Everything is known anew: after a reconnect, or where single events would have been too many.
    Snapshot,
    /// Go: T0, or the end of an interruption.
    Started,
    /// An act or a request changed nothing.
    Refused {
        /// The act's running number, for an act.
        n: Option<u32>,
        /// The stable code.
        code: String,
        /// What was wrong, for a person.
        message: String,
    },
    /// A newer connection has the seat; this one watches now.
    Replaced,
    /// A player shows something.
    Emote {
        /// Who.
        seat: Seat,
        /// What.
        emote: Emote,
    },
    /// A distance, or how many watch: told to those who watch alone.
    Aside,
    /// The line is lost and is being tried again.
    Lost {
        /// The pause before the next try.
        retry_in: Duration,
    },
    /// The line is back. Acts that were under way are sent again.
    Back,
}

/// The server does not want this client, or not any more.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{why}")]
pub struct Ended {
    /// The server's stable code, where it gave one.
    pub code: Option<String>,
    /// Why, for a person.
    pub why: String,
}

/// Between acts while the server refuses for speed: what it allows, and a little more.
const HELD: Duration = Duration::from_millis(80);

impl Session {
    /// Joins a room and waits for its state. Tries for as long as the server does not answer.
    pub async fn join(server: &Server, code: &str, token: &str, role: Role) -> Result<Session, Ended> {
        let mut connection = Connection::new(server.ws(&format!("/ws/v1/rooms/{code}")));
        loop {
            match connection.next().await {
                Heard::Opened => connection.send(&hello(token, role, None)),
                Heard::Message(message) => match *message {
                    ServerMessage::Welcome { seq, seat, n, state: Some(state) } => {
                        connection.settled();
                        let room = Folded::of_view(seq, seat, *state, Instant::now().into_std(), false);
                        let token = token.to_owned();
                        let mut session = Session {
                            room,
                            acts: Acts::default(),
                            link: Link::Online,
                            connection,
                            token,
                            role,
                            nonce: None,
                            last_error: None,
                            held_until: None,
                        };
                        session.acts.welcomed(n);
                        session.give_nonce();
                        return Ok(session);
                    }
                    ServerMessage::Refused { code, message, .. } | ServerMessage::Error { code, message }
                        if !is_passing(&code) =>
                    {
                        return Err(Ended { code: Some(code), why: message });
                    }
                    _ => {}
                },
                Heard::Lost { .. } => {}
                Heard::Ended { why } => return Err(Ended { code: None, why }),
            }
        }
    }

    /// Waits for the next thing that happens, folds it in, and answers what wants an answer.
    pub async fn next(&mut self) -> Result<Update, Ended> {
        loop {
            self.send_acts();
            let held = self.held_until.filter(|_| self.acts.has_unsent());
            let heard = tokio::select! {
                heard = self.connection.next() => heard,
                () = until(held) => continue,
            };
            match heard {
                Heard::Opened => self.say_hello(),
                Heard::Message(message) => {
                    if let Some(update) = self.hear(*message)? {
                        return Ok(update);
                    }
                }
                Heard::Lost { retry_in } => {
                    self.last_error = None;
                    if self.link == Link::Online {
                        self.link = Link::Reconnecting { since: Instant::now() };
                    }
                    return Ok(Update::Lost { retry_in });
                }
                Heard::Ended { why } => {
                    let (code, why) = self.last_error.take().map_or((None, why), |(code, why)| (Some(code), why));
                    return Err(Ended { code, why });
                }
            }
        }
    }

    /// Waits until the room is as wished.
    pub async fn until(&mut self, mut is_so: impl FnMut(&Folded) -> bool) -> Result<(), Ended> {
        while !is_so(&self.room) {
            self.next().await?;
        }
        Ok(())
    }

    /// Puts an act under way and shows it at once; the number it got, or why it is not sent.
    pub fn act(&mut self, act: Act) -> Result<u32, NotSent> {
        let own = self.room.own().filter(|_| self.room.may_act()).ok_or(NotSent::NotNow)?;
        let confirmed = own.play.as_ref().ok_or(NotSent::NotNow)?;
        let n = self.acts.push(act, confirmed, self.room.house())?.n;
        self.send_acts();
        Ok(n)
    }

    /// The own play with everything that is under way.
    pub fn shown(&self) -> Option<Play> {
        let confirmed = self.room.own()?.play.as_ref()?;
        Some(self.acts.shown(confirmed, self.room.house()))
    }

    /// Ready for the round, or not any more.
    pub fn ready(&mut self, ready: bool) {
        self.connection.send(&ClientMessage::Ready { ready });
    }

    /// Gives the round up and keeps the seat.
    pub fn give_up(&mut self) {
        self.connection.send(&ClientMessage::GiveUp {});
    }

    /// Leaves the room.
    pub fn leave(&mut self) {
        self.connection.send(&ClientMessage::Leave {});
    }

    /// Votes for a rematch.
    pub fn rematch(&mut self) {
        self.connection.send(&ClientMessage::Rematch {});
    }

    /// The host starts with those who are connected.
    pub fn start(&mut self) {
        self.connection.send(&ClientMessage::Start {});
    }

    /// The host takes a player's seat away for good.
    pub fn kick(&mut self, seat: Seat) {
        if let Some(player) = self.room.sitter(seat).map(|sitter| sitter.player) {
            self.connection.send(&ClientMessage::Kick { seat, player: Some(player) });
        }
    }

    /// The host sends everybody away.
    pub fn close(&mut self) {
        self.connection.send(&ClientMessage::Close {});
    }

    /// The host makes another player the host.
    pub fn hand_over(&mut self, seat: Seat) {
        if let Some(player) = self.room.sitter(seat).map(|sitter| sitter.player) {
            self.connection.send(&ClientMessage::HandOver { seat, player: Some(player) });
        }
    }

    /// Shows the others at the table something.
    pub fn emote(&mut self, emote: Emote) {
        self.connection.send(&ClientMessage::Emote { emote });
    }

    /// Drops the line as if it had broken; it comes back by itself.
    pub fn cut(&mut self) {
        self.connection.reopen();
        self.link = Link::Reconnecting { since: Instant::now() };
    }

    /// The role of this connection: a player that was replaced has become a spectator.
    pub fn role(&self) -> Role {
        self.role
    }

    fn say_hello(&mut self) {
        // Boards are shown by a frame that is no event: without one in hand, everything is asked for anew.
        let follows = matches!(self.room.phase, PhaseView::Lobby | PhaseView::Racing | PhaseView::Over);
        let last_seq = (follows && self.role == Role::Player).then_some(self.room.seq);
        self.connection.send(&hello(&self.token, self.role, last_seq));
    }

    fn hear(&mut self, message: ServerMessage) -> Result<Option<Update>, Ended> {
        let at = Instant::now().into_std();
        match message {
            ServerMessage::Welcome { seq, seat, n, state } => {
                self.connection.settled();
                self.link = Link::Online;
                self.held_until = None;
                self.room.seat = seat;
                self.acts.welcomed(n);
                if let Some(state) = state {
                    let given = self.room.round.as_ref().filter(|r| r.nonce_given).map(|r| r.id);
                    self.room = Folded::of_view(seq, seat, *state, at, false);
                    self.room.round.iter_mut().for_each(|r| r.nonce_given = given == Some(r.id));
                }
                self.give_nonce();
                Ok(Some(Update::Back))
            }
            // Whoever was replaced and has lost the line may not watch the own race by this one: that passes with the race.
            ServerMessage::Refused { n: None, code, .. } | ServerMessage::Error { code, .. }
                if self.link != Link::Online && code == "racing" =>
            {
                Ok(Some(Update::Lost { retry_in: self.connection.retreat() }))
            }
            // A refusal of the hello: the line is of no use.
            ServerMessage::Refused { n: None, code, message, .. } | ServerMessage::Error { code, message }
                if self.link != Link::Online && !is_passing(&code) =>
            {
                Err(Ended { code: Some(code), why: message })
            }
            ServerMessage::Refused { n, next, code, message } => {
                self.refused(n, next, &code);
                Ok(Some(Update::Refused { n, code, message }))
            }
            ServerMessage::Error { code, message } => {
                self.last_error = Some((code.clone(), message.clone()));
                Ok(Some(Update::Refused { n: None, code, message }))
            }
            ServerMessage::Replaced {} => {
                self.role = Role::Spectator;
                self.room.seat = None;
                self.acts.clear();
                Ok(Some(Update::Replaced))
            }
            ServerMessage::Emote { seat, emote } => Ok(Some(Update::Emote { seat, emote })),
            told => Ok(self.fold(told, at)),
        }
    }

    fn fold(&mut self, told: ServerMessage, at: std::time::Instant) -> Option<Update> {
        match self.room.fold(&told, at) {
            Outcome::Known => return None,
            Outcome::Gap => {
                // Whatever is missing, a fresh hello without `last_seq` brings everything.
                self.room.phase = PhaseView::Paused;
                self.cut();
                return Some(Update::Lost { retry_in: Duration::ZERO });
            }
            Outcome::Folded => {}
        }
        match told {
            ServerMessage::Event(event) => {
                self.heed(&event.kind);
                Some(Update::Event(event))
            }
            ServerMessage::Start { .. } => Some(Update::Started),
            ServerMessage::Distance { .. } | ServerMessage::Watching { .. } => Some(Update::Aside),
            _ => {
                self.give_nonce();
                Some(Update::Snapshot)
            }
        }
    }

    /// What an event means for the own acts and for what is to be answered.
    fn heed(&mut self, kind: &EventKind) {
        if let Some((seat, n, _)) = kind.deed()
            && self.room.seat == Some(seat)
        {
            self.acts.judged(n);
        }
        match kind {
            EventKind::Committed { .. } => {
                self.acts.clear();
                self.give_nonce();
            }
            EventKind::RoundOver { .. } | EventKind::Closed { .. } => self.acts.clear(),
            _ => {}
        }
    }

    fn refused(&mut self, n: Option<u32>, next: Option<u32>, code: &str) {
        match (n, next) {
            (Some(n), _) if code == "already_judged" => self.acts.judged(n),
            (Some(_), Some(next)) => self.acts.expected(next),
            // Refused before the room saw it: the number is still good.
            (Some(n), None) if is_passing(code) => {
                self.acts.unsent(n);
                self.held_until = Some(Instant::now() + HELD);
            }
            (Some(n), None) => self.acts.judged(n),
            (None, _) => {}
        }
    }

    fn send_acts(&mut self) {
        if !self.room.may_act() || self.link != Link::Online {
            return;
        }
        while self.held_until.is_none_or(|until| Instant::now() >= until) {
            let Some(Pending { n, ply, act, .. }) = self.acts.send_next() else {
                // Everything is under way: speed is no matter until the server says so again.
                self.held_until = None;
                return;
            };
            self.connection.send(&ClientMessage::of_act(n, Some(ply), act));
            self.held_until = self.held_until.map(|_| Instant::now() + HELD);
        }
    }

    /// Gives this client's part of the seed, once a round; the same one again if the line broke before it arrived. Nobody
    /// else shares a board that is played alone: none is waited for there.
    fn give_nonce(&mut self) {
        let Some(round) = self.room.round.as_ref().filter(|r| !r.nonce_given) else { return };
        if self.room.phase != PhaseView::Dealing || self.room.seat.is_none() || self.room.options.solo.is_some() {
            return;
        }
        let nonce = match self.nonce {
            Some((id, nonce)) if id == round.id => nonce,
            _ => {
                let mut bytes = [0; 16];
                getrandom::fill(&mut bytes).expect("the operating system gives random numbers");
                Nonce(bytes)
            }
        };
        self.nonce = Some((round.id, nonce));
        self.connection.send(&ClientMessage::Nonce { nonce });
    }
}

fn hello(token: &str, role: Role, last_seq: Option<u32>) -> ClientMessage {
    ClientMessage::Hello { token: token.to_owned(), role, last_seq }
}

/// Refusals that pass by themselves: of speed, of a moment's overload, of a restart.
fn is_passing(code: &str) -> bool {
    matches!(code, "rate_limited" | "unavailable" | "overloaded" | "busy" | "shutting_down")
}

async fn until(instant: Option<Instant>) {
    match instant {
        Some(instant) => tokio::time::sleep_until(instant).await,
        None => std::future::pending().await,
    }
}
