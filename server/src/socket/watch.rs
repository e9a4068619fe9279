//! The socket of somebody who watches: writes what the room's gallery casts.
//!
//! Must never reach the room, and never show its player anything of a race that the player is in.

use std::collections::VecDeque;
use std::pin::pin;
use std::time::Duration;

use axum::extract::ws::{Utf8Bytes, WebSocket};
use sprint_shared::protocol::ClientMessage;
use sprint_shared::race::Refusal;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use tokio::time::{Instant, sleep_until};
use uuid::Uuid;

use super::close::Close;
use super::ping::Pings;
use super::wire::{Heard, Wire};
use crate::app::App;
use crate::gallery::{Answer, Asks, Cast, NoEntry, Place, Question};
use crate::room::Ending;
use crate::sessions::Session;

/// Messages that are written at once at most, about.
const AT_ONCE: usize = 64;
/// Snapshots that somebody who lags gets in `LAG_WITHIN`; the next time the line is closed.
const LAGS_MAX: usize = 3;
const LAG_WITHIN: Duration = Duration::from_secs(30);
/// Galleries that may end in a row under a question before the viewer is to come again.
const ENDED_MAX: u32 = 3;

/// Somebody who may have a look.
pub(super) struct Guest {
    pub player: Uuid,
    pub place: Place,
    pub session: Session,
    /// Whether the player has just come; else a newer connection has the seat.
    pub asks: Asks,
}

struct Viewer<'a> {
    wire: Wire<'a>,
    guest: Guest,
    casts: Option<broadcast::Receiver<Cast>>,
    question: Option<Question>,
    /// Galleries that ended under the question.
    ended: u32,
    /// When it lagged.
    lags: VecDeque<Instant>,
}

/// Serves a viewer to the end of its socket.
pub(super) async fn serve(app: App, ws: &mut WebSocket, guest: Guest) -> Close {
    let pings = Pings::unhurried(&app.limits, Instant::now());
    let wire = Wire::new(app, ws, pings);
    let asks = guest.asks;
    let mut viewer = Viewer { wire, guest, casts: None, question: None, ended: 0, lags: VecDeque::new() };
    viewer.serve(asks).await.unwrap_or_else(|close| close)
}

impl Viewer<'_> {
    async fn serve(&mut self, asks: Asks) -> Result<Close, Close> {
        self.ask(asks);
        let mut timer = pin!(sleep_until(self.wire.pings.wake()));
        loop {
            // Set anew only when it changes: with thousands of viewers each cast would cost as many timers.
            let wake = self.wire.pings.wake();
            if timer.deadline() != wake {
                timer.as_mut().reset(wake);
            }
            tokio::select! {
                biased;
                why = self.guest.session.dismissed() => return Ok(Close::of_dismissal(why)),
                // Before what is cast: however much that is, pongs are heard.
                received = self.wire.ws.recv() => self.hear(received).await?,
                answer = answered(&mut self.question) => self.take_answer(answer).await?,
                cast = next(&mut self.casts) => match cast {
                    Ok(cast) => self.show(cast).await?,
                    Err(RecvError::Lagged(_)) => self.lag()?,
                    // The gallery has ended, and so has the room, or the server stops.
                    Err(RecvError::Closed) => return Ok(Close::RESTART),
                },
                () = &mut timer => self.wire.ping().await?,
            }
        }
    }

    /// Asks the gallery for everything.
    fn ask(&mut self, asks: Asks) {
        self.casts = None;
        self.question = Some(self.guest.place.ask(asks));
    }

    async fn take_answer(&mut self, answer: Option<Answer>) -> Result<(), Close> {
        self.question = None;
        match answer {
            Some(Ok(seen)) => {
                // From now on it goes on, whatever it came for.
                (self.guest.asks, self.ended, self.casts) = (Asks::ToGoOn, 0, Some(seen.casts));
                self.wire.send(seen.texts).await
            }
            Some(Err(NoEntry::Stopped)) => Err(Close::RESTART),
            Some(Err(NoEntry::Closed)) if self.guest.asks == Asks::ToGoOn => Err(Close::of(Ending::Closed)),
            Some(Err(NoEntry::Kicked)) if self.guest.asks == Asks::ToGoOn => Err(Close::of(Ending::Kicked)),
            Some(Err(refusal)) => Err(refuse(&mut self.wire, refusal).await),
            // The gallery ended under the question.
            None if self.ended == ENDED_MAX => Err(Close::RESTART),
            None => {
                self.ended += 1;
                self.ask(self.guest.asks);
                Ok(())
            }
        }
    }

    /// Writes a cast, and those that have come meanwhile, in one write.
    async fn show(&mut self, first: Cast) -> Result<(), Close> {
        let mut texts: Vec<Utf8Bytes> = Vec::with_capacity(first.texts.len());
        let (mut next, mut then) = (Some(first), Then::GoesOn);
        while let Some(cast) = next {
            then = self.take_cast(&cast, &mut texts);
            next = None;
            if matches!(then, Then::GoesOn)
                && texts.len() < AT_ONCE
                && let Some(casts) = &mut self.casts
            {
                match casts.try_recv() {
                    Ok(cast) => next = Some(cast),
                    Err(TryRecvError::Lagged(_)) => then = Then::Lags,
                    Err(TryRecvError::Empty | TryRecvError::Closed) => {}
                }
            }
        }
        if !texts.is_empty() {
            self.wire.send(texts).await?;
        }
        match then {
            Then::GoesOn => Ok(()),
            Then::Lags => self.lag(),
            // Everything anew, once its player's race is over.
            Then::Races => {
                self.wire.refuse(None, NoEntry::Racing.code(), &NoEntry::Racing.to_string()).await?;
                self.ask(Asks::ToGoOn);
                Ok(())
            }
            Then::Ends(ending) => Err(Close::of(ending)),
        }
    }

    fn take_cast(&self, cast: &Cast, texts: &mut Vec<Utf8Bytes>) -> Then {
        let player = &self.guest.player;
        if cast.kicked.contains(player) {
            return Then::Ends(Ending::Kicked);
        }
        if cast.racing.contains(player) {
            return Then::Races;
        }
        texts.extend(cast.texts.iter().cloned());
        if cast.is_last { Then::Ends(Ending::Closed) } else { Then::GoesOn }
    }

    /// It is too far behind: everything anew, unless that happens again and again.
    fn lag(&mut self) -> Result<(), Close> {
        let now = Instant::now();
        self.lags.push_back(now);
        self.lags.retain(|at| *at + LAG_WITHIN > now);
        if self.lags.len() > LAGS_MAX {
            tracing::info!(player = %self.guest.player, "somebody who watches did not keep up");
            return Err(Close::of(Ending::TooSlow));
        }
        self.ask(Asks::ToGoOn);
        Ok(())
    }

    async fn hear(&mut self, received: Option<Result<axum::extract::ws::Message, axum::Error>>) -> Result<(), Close> {
        let Some(Heard { is_too_fast, message, .. }) = self.wire.hear(received).await? else { return Ok(()) };
        if matches!(message, ClientMessage::Hello { .. }) {
            return self.wire.strike_hello().await;
        }
        let n = message.act().map(|(n, ..)| n);
        if is_too_fast {
            return self.wire.refuse_too_fast(n).await;
        }
        let refusal = Refusal::NotSeated;
        self.wire.refuse(n, refusal.code(), &refusal.to_string()).await
    }
}

/// What a cast means for a viewer.
enum Then {
    GoesOn,
    Lags,
    /// Its player races from here on.
    Races,
    Ends(Ending),
}

/// Says why somebody may not watch; how the line ends then.
pub(super) async fn refuse(wire: &mut Wire<'_>, refusal: NoEntry) -> Close {
    if refusal == NoEntry::Stopped {
        return Close::RESTART;
    }
    match wire.refuse(None, refusal.code(), &refusal.to_string()).await {
        Ok(()) if refusal == NoEntry::Kicked => Close::of(Ending::Kicked),
        Ok(()) => Close::of(Ending::Refused),
        Err(close) => close,
    }
}

/// The answer of the gallery; waits for ever where nothing was asked.
async fn answered(question: &mut Option<Question>) -> Option<Answer> {
    match question {
        Some(question) => question.await,
        None => std::future::pending().await,
    }
}

/// The next cast; waits for ever where nothing is shown.
async fn next(casts: &mut Option<broadcast::Receiver<Cast>>) -> Result<Cast, RecvError> {
    match casts {
        Some(casts) => casts.recv().await,
        None => std::future::pending().await,
    }
}
