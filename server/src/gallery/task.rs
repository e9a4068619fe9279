//! A gallery's task: takes what its room shows, evolves its copy of the race, casts, and answers those who come or lag.
//!
//! Must never show an event beyond the head of the stage, and never leave one out: what did not come by the line is read
//! from the journal.

use std::cmp;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use sprint_shared::event::Event;
use sprint_shared::protocol::ServerMessage;
use sprint_shared::protocol::view::PhaseView;
use sprint_shared::time::Millis;
use tokio::sync::{broadcast, mpsc};
use tokio::time::{Instant, sleep, sleep_until};
use uuid::Uuid;

use super::at_work::AtWork;
use super::curves::Curves;
use super::delayed::Delayed;
use super::distance::{Reckoned, Reckoner};
use super::stage::Turn;
use super::{ASKS, Ask, Asks, CASTS, Cast, Gallery, NoEntry, Seen, Shown};
use crate::room::{Damaged, History, text};
use crate::store::{StoreError, StoredEvent};

/// Turns that are taken at a time.
const TURNS: usize = 64;
/// How often is looked at how many watch.
const LOOK: Duration = Duration::from_secs(2);
/// Looks in a row that find nobody before the gallery ends.
const EMPTY_LOOKS: u32 = 5;
/// Up to so many viewers, everything is cast at once.
const FEW: usize = 100;
/// The longest that messages are gathered for one cast, in milliseconds.
const GATHER_MS_MAX: u64 = 50;
/// Viewers for each of which messages are gathered a millisecond longer.
const VIEWERS_A_MS: usize = 100;
/// How often the journal is asked in vain before the gallery ends, and the pause in between.
const READS: u32 = 20;
const READ_AGAIN: Duration = Duration::from_millis(250);

/// Why a room cannot be shown.
#[derive(Debug, thiserror::Error)]
enum NotShown {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Damaged(#[from] Damaged),
    #[error("its events could not be read")]
    Unread,
}

/// A gallery that is open. Owned by its task alone.
struct Open {
    gallery: Arc<Gallery>,
    turns: mpsc::Receiver<Turn>,
    /// Whether the room's task runs.
    is_on: bool,
    asks: mpsc::Receiver<Ask>,
    delayed: Delayed,
    at_work: AtWork,
    reckoner: Reckoner,
    casts: broadcast::Sender<Cast>,
    /// What is shown next.
    shown: Shown,
    kicked: Vec<Uuid>,
    /// Who is answered next.
    waiting: Vec<Ask>,
    /// Whose player races.
    withheld: Vec<Ask>,
    /// When all that is cast, and they are answered.
    cast_at: Option<Instant>,
    look_at: Instant,
    /// How many watch who have no seat, as they were told.
    told_audience: usize,
    empty_looks: u32,
}

/// Runs a room's gallery until nobody watches, the room is closed and that is shown, or its task ends.
pub(super) async fn run(gallery: Arc<Gallery>, turns: mpsc::Receiver<Turn>, asks: mpsc::Receiver<Ask>) {
    let stop = gallery.galleries.0.stop.clone();
    let opening = async {
        let code = &*gallery.room.code;
        for _ in 0..READS {
            match open(&gallery).await {
                Ok(opened) => return Some(opened),
                Err(NotShown::Store(error)) => tracing::warn!(code, %error, "a room cannot be watched yet"),
                Err(damage) => {
                    tracing::error!(code, %damage, "a room cannot be watched");
                    return None;
                }
            }
            sleep(READ_AGAIN).await;
        }
        None
    };
    let opened = tokio::select! {
        biased;
        () = stop.said() => None,
        opened = opening => opened,
    };
    let Some((delayed, at_work)) = opened else { return };
    let open = Open {
        turns,
        is_on: true,
        asks,
        delayed,
        at_work,
        reckoner: gallery.galleries.0.reckoners.reckoner(),
        casts: broadcast::channel(CASTS).0,
        shown: Shown::default(),
        kicked: gallery.stage.kicked(),
        waiting: Vec::new(),
        withheld: Vec::new(),
        cast_at: None,
        look_at: Instant::now() + LOOK,
        told_audience: 0,
        empty_looks: 0,
        gallery: gallery.clone(),
    };
    tokio::select! {
        biased;
        () = stop.said() => {}
        () = open.run() => {}
    }
    gallery.audience.store(0, Ordering::Relaxed);
}

/// The room as it may be shown now, and who races in it, from the journal.
async fn open(gallery: &Gallery) -> Result<(Delayed, AtWork), NotShown> {
    let room = &gallery.room;
    let mut stored = gallery.galleries.read(room.room_id, 1..=i64::MAX).await?;
    stored.truncate(stored.partition_point(|event| event.seq <= i64::from(gallery.stage.head())));
    let (now, is_hostless) = (gallery.now(), room.is_hostless);
    let delay_ms = u64::from(room.options.spectator_delay_s) * 1_000;
    // A room may have raced for hours: meanwhile others are shown theirs.
    let building = gallery.galleries.0.threads.work(move || build(&stored, now, delay_ms, is_hostless));
    building.await.unwrap_or(Err(NotShown::Unread))
}

fn build(stored: &[StoredEvent], now: Millis, delay_ms: u64, is_hostless: bool) -> Result<(Delayed, AtWork), NotShown> {
    let history = History::read(stored)?;
    // What is published was decided by now, whatever this thread's look at the clock says.
    let now = now.max(history.last_at());
    let then = Millis(now.0.saturating_sub(delay_ms));
    let (mut curves, mut at_work) = (Curves::default(), AtWork::default());
    let (race, since) = history.split_at(then, |race, at, event| curves.follow(race, at, event))?;
    let race = if is_hostless { race.without_host() } else { race };
    for event in history.events() {
        at_work.follow(event);
    }
    let mut delayed = Delayed::new(delay_ms, race, then, curves);
    since.into_iter().for_each(|(at, event)| delayed.push(at, event));
    Ok((delayed, at_work))
}

impl Gallery {
    /// The room's time now.
    fn now(&self) -> Millis {
        self.galleries.0.clock.now().after(self.room.ahead_ms)
    }

    fn moment(&self, at: Millis) -> Instant {
        self.galleries.0.clock.moment(Millis(at.0.saturating_sub(self.room.ahead_ms)))
    }
}

impl Open {
    async fn run(mut self) {
        let mut turns = Vec::with_capacity(TURNS);
        loop {
            let wake = self.wake();
            let mut reckoned = Reckoned::new();
            let mut is_behind = false;
            tokio::select! {
                biased;
                () = self.gallery.stage.missed() => is_behind = true,
                told = self.turns.recv_many(&mut turns, TURNS), if self.is_on => self.is_on = told > 0,
                _ = self.asks.recv_many(&mut self.waiting, ASKS), if self.waiting.len() < ASKS => {}
                done = self.reckoner.done() => reckoned = done,
                () = sleep_until(wake) => {}
            }
            while is_behind && let Ok(turn) = self.turns.try_recv() {
                turns.push(turn);
            }
            let is_told = is_behind;
            let is_whole = turns.drain(..).all(|turn| self.take(turn));
            let is_behind =
                !is_whole || ((is_behind || !self.is_on) && self.delayed.known() < self.gallery.stage.head());
            if is_behind && !self.catch_up().await {
                return;
            }
            if is_told {
                self.look_for_kicked();
            }
            self.take_distances(reckoned);
            if self.show() {
                return;
            }
        }
    }

    /// When there is something to do that nobody brings.
    fn wake(&self) -> Instant {
        let next = self.delayed.next().map(|at| self.gallery.moment(at));
        [next, self.cast_at, Some(self.look_at)].into_iter().flatten().min().expect("it is always looked at")
    }

    /// Takes a turn of the room; false if events before it are missing.
    fn take(&mut self, turn: Turn) -> bool {
        turn.into_iter().all(|told| match told.seq.cmp(&(self.delayed.known() + 1)) {
            cmp::Ordering::Less => true,
            cmp::Ordering::Equal => {
                self.take_event(told.at, told.event);
                true
            }
            cmp::Ordering::Greater => false,
        })
    }

    fn take_event(&mut self, at: Millis, event: Event) {
        if self.at_work.follow(&event) {
            if matches!(event, Event::Committed { .. }) {
                self.shown.racing.extend(self.at_work.players());
            }
            let at_work = &self.at_work;
            self.waiting.extend(self.withheld.extract_if(.., |ask| !at_work.races(ask.player)));
        }
        self.delayed.push(at, event);
    }

    /// Reads what did not come by the line; false if it cannot be had.
    async fn catch_up(&mut self) -> bool {
        for _ in 0..READS {
            let missing = i64::from(self.delayed.known()) + 1..=i64::from(self.gallery.stage.head());
            if missing.is_empty() {
                return true;
            }
            let code = &*self.gallery.room.code;
            let stored = self.gallery.galleries.read(self.gallery.room.room_id, missing.clone()).await;
            let read = stored.map_err(NotShown::from).and_then(|rows| Ok(History::read_part(missing, &rows)?));
            match read {
                Ok(history) => {
                    tracing::debug!(code, "a gallery has caught up from the journal");
                    history.iter().for_each(|(at, event)| self.take_event(at, event.clone()));
                    return true;
                }
                Err(error) => tracing::warn!(code, %error, "a gallery is behind its room"),
            }
            sleep(READ_AGAIN).await;
        }
        false
    }

    fn look_for_kicked(&mut self) {
        let kicked = self.gallery.stage.kicked();
        if kicked != self.kicked {
            self.shown.kicked.extend(kicked.iter().filter(|player| !self.kicked.contains(player)));
            self.kicked = kicked;
            self.waiting.append(&mut self.withheld);
        }
    }

    fn take_distances(&mut self, reckoned: Reckoned) {
        for (position, to_go) in reckoned {
            let told = self.delayed.curves.take(&position, to_go);
            self.shown.texts.extend(told.map(|message| text(&message)));
        }
    }

    /// Brings the picture up to now, and casts what it is time for; true once there is nothing more to show.
    fn show(&mut self) -> bool {
        let now = self.gallery.now();
        self.reckoner.keep_to(self.delayed.curves.round());
        self.shown.texts.extend(self.delayed.release(now));
        self.shown.is_last = self.delayed.is_closed();
        // A room that has ended without being closed is rebuilt: whoever watches comes again.
        let is_over = !self.is_on && !self.delayed.is_closing();
        self.reckoner.keep_to(self.delayed.curves.round());
        self.reckon(now);
        let instant = Instant::now();
        if self.look_at <= instant && self.look(instant) {
            return true;
        }
        if self.has_to_cast() {
            let viewers = self.gallery.viewers();
            let cast_at = *self.cast_at.get_or_insert(instant + gather(viewers));
            if cast_at <= instant || self.shown.is_last || is_over {
                self.cast(now);
            }
        }
        self.delayed.is_closed() || is_over
    }

    fn has_to_cast(&self) -> bool {
        let Shown { texts, racing, kicked, is_last } = &self.shown;
        !(texts.is_empty() && racing.is_empty() && kicked.is_empty() && self.waiting.is_empty()) || *is_last
    }

    /// Casts what is to be shown, and answers everybody who waits from the one snapshot right behind it.
    fn cast(&mut self, now: Millis) {
        self.cast_at = None;
        let shown = std::mem::take(&mut self.shown);
        let is_last = shown.is_last;
        if !(shown.texts.is_empty() && shown.racing.is_empty() && shown.kicked.is_empty()) || is_last {
            let _ = self.casts.send(Arc::new(shown));
        }
        let mut waiting = std::mem::take(&mut self.waiting);
        if is_last {
            waiting.append(&mut self.withheld);
        }
        // Nobody waits for these any more: their sockets are gone.
        self.withheld.retain(|ask| !ask.reply.is_closed());
        let (mut welcome, mut snapshot): (Option<Utf8Bytes>, Option<Utf8Bytes>) = (None, None);
        let mut audience = None;
        for ask in waiting {
            if self.kicked.contains(&ask.player) {
                let _ = ask.reply.send(Err(NoEntry::Kicked));
            } else if is_last {
                let _ = ask.reply.send(Err(NoEntry::Closed));
            } else if self.at_work.races(ask.player) {
                match ask.asks {
                    Asks::ToEnter => drop(ask.reply.send(Err(NoEntry::Racing))),
                    Asks::ToGoOn => self.withheld.push(ask),
                }
            } else {
                let first = match ask.asks {
                    Asks::ToEnter => welcome.get_or_insert_with(|| self.everything(now, ask.asks)),
                    Asks::ToGoOn => snapshot.get_or_insert_with(|| self.everything(now, ask.asks)),
                };
                let audience = *audience.get_or_insert_with(|| self.count());
                let texts = vec![first.clone(), watching(audience)];
                let _ = ask.reply.send(Ok(Seen { texts, casts: self.casts.subscribe() }));
            }
        }
    }

    fn everything(&self, now: Millis, asks: Asks) -> Utf8Bytes {
        let (seq, state) = self.delayed.view(now);
        let state = Box::new(state);
        text(&match asks {
            Asks::ToEnter => ServerMessage::Welcome { seq, seat: None, n: 0, state: Some(state) },
            Asks::ToGoOn => ServerMessage::Snapshot { seq, state },
        })
    }

    /// Has distances reckoned that are wanted, if nothing is reckoned at the moment.
    fn reckon(&mut self, now: Millis) {
        self.reckoner.is_watched_by(self.gallery.audience());
        // Not for those alone who may not see it.
        if !self.reckoner.is_idle() || self.casts.receiver_count() == 0 {
            return;
        }
        if self.delayed.curves.is_wanting() {
            let positions = self.delayed.curves.wanted();
            if let Some(start) = self.delayed.start_board() {
                self.reckoner.begin(start, positions);
            }
        } else if matches!(self.delayed.phase(now), PhaseView::Lobby | PhaseView::Break | PhaseView::Over) {
            self.reckoner.rest();
        }
    }

    /// Looks at how many watch; true if nobody has for some time.
    fn look(&mut self, instant: Instant) -> bool {
        self.look_at = instant + LOOK;
        let audience = self.count();
        if audience != self.told_audience {
            self.shown.texts.push(watching(audience));
        }
        self.told_audience = audience;
        self.empty_looks = if self.gallery.viewers() > 0 { 0 } else { self.empty_looks + 1 };
        self.empty_looks >= EMPTY_LOOKS && self.leave()
    }

    /// Counts those who watch and have no seat here.
    fn count(&self) -> usize {
        let players = self.gallery.players();
        let audience =
            players.iter().filter(|(player, _)| !self.at_work.sits(**player)).map(|(_, places)| places).sum();
        drop(players);
        self.gallery.audience.store(audience, Ordering::Relaxed);
        audience
    }

    /// Ends the gallery, unless somebody comes just now.
    fn leave(&mut self) -> bool {
        let mut door = self.gallery.door();
        let is_empty = self.gallery.viewers() == 0 && self.asks.is_empty();
        if is_empty {
            *door = None;
        }
        is_empty
    }
}

/// How long messages are gathered for one cast: a write costs the system more than a message does, so that with many
/// viewers a little patience saves much.
fn gather(viewers: usize) -> Duration {
    let many = viewers.saturating_sub(FEW);
    Duration::from_millis(((many / VIEWERS_A_MS) as u64).min(GATHER_MS_MAX))
}

fn watching(audience: usize) -> Utf8Bytes {
    text(&ServerMessage::Watching { viewers: audience as u32 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_viewers_wait_for_nothing_and_many_for_a_twentieth_of_a_second_at_most() {
        let ms = |viewers| gather(viewers).as_millis();
        assert_eq!([0, 1, 100, 199, 200, 1_100, 5_100, 100_000].map(ms), [0, 0, 0, 0, 1, 10, 50, 50]);
    }
}
