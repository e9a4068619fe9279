//! The room's task: drain, decide, commit, publish.
//!
//! Must never publish before the commit, and never let a deadline pass before the acts that were received before it.

use std::collections::VecDeque;
use std::pin::pin;
use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use sprint_shared::event::Event;
use sprint_shared::protocol::ServerMessage;
use sprint_shared::race::{Race, Viewer, Want};
use sprint_shared::time::{Millis, SEATS_MAX, Seat};
use tokio::sync::{mpsc, watch};
use tokio::time::sleep_until;
use uuid::Uuid;

use super::drain::{Drain, Leaver};
use super::emotes::Emotes;
use super::frames::{Frames, text};
use super::lines::Lines;
use super::outside::Outside;
use super::record::RoundMark;
use super::start::Starts;
use super::{Damaged, Dealt, Ending, History, INBOX, Inbound, KEPT, Out, RoomHandle, Summary};
use crate::chance::{new_id, random};
use crate::clock::Clock;
use crate::gallery::{Galleries, OnStage, RoomFacts, Stage};
use crate::journal::{Append, AppendError, Journal, RoomChange};
use crate::pool::Dealers;
use crate::racing::Racing;
use crate::stop::Stopping;
use crate::store::{Admission, FIRST_EPOCH, Store};

mod dealing;
mod decide;
mod guests;
mod publish;

use dealing::Dealing;

/// The least time between two looks at a deadline that brought nothing, in milliseconds.
const LOOK_MS: u64 = 20;
/// Deals in a row that may come to nothing before the room is closed.
const DEALS_FAILED_MAX: u32 = 3;

/// What rooms share.
#[derive(Clone)]
pub struct RoomContext {
    /// The one clock.
    pub clock: Clock,
    /// The one writer.
    pub journal: Journal,
    /// For the question whether a board was dealt before.
    pub store: Store,
    /// Who deals.
    pub dealers: Dealers,
    /// Where those who watch are served.
    pub galleries: Galleries,
    /// From the start signal to T0, in milliseconds, for new rooms.
    pub countdown_ms: u32,
    /// How long idle rooms stay open, in milliseconds, for new rooms.
    pub idle_ms: u64,
    /// How long guests are waited for, in milliseconds.
    pub show_up_ms: u64,
    /// Who has a rated race at work.
    pub racing: Racing,
    /// Said when the server stops.
    pub stop: Stopping,
}

/// A running room. Owned by its task alone.
pub struct Room {
    context: RoomContext,
    race: Race,
    epoch: i64,
    admission: Admission,
    /// Until when guests are waited for.
    show_up_at: Option<Millis>,
    /// The last committed event.
    committed: u32,
    /// The room's time never goes backwards, whatever the wall clock did between two starts: it is this much ahead.
    ahead_ms: u64,
    /// The instant of the last decision: nothing is judged as of an earlier one.
    last: Millis,
    /// When the clock was last looked at for deadlines.
    looked: Millis,
    lines: Lines,
    emotes: Emotes,
    /// The last events, for clients that come back.
    recent: VecDeque<Frames>,
    /// The last outcomes of each seat's acts, by running number.
    outcomes: [VecDeque<(u32, Utf8Bytes)>; SEATS_MAX],
    mark: Option<RoundMark>,
    starts: Starts,
    /// Whether the outside may have to be told something.
    untold: bool,
    /// What the room row was last told.
    stored: Option<Summary>,
    outside: Outside,
    /// Where those who watch see what is published.
    stage: OnStage,
    dealing: Option<Dealing>,
    /// Deals in a row that came to nothing.
    deals_failed: u32,
    board: Option<Box<Dealt>>,
    inbox: mpsc::Sender<Inbound>,
}

impl Room {
    /// The room that these stored events make, owned at `epoch`, with its inbox and the handle that reaches it.
    pub fn new(
        context: RoomContext,
        history: &History,
        epoch: i64,
        admission: Admission,
    ) -> Result<(Room, mpsc::Receiver<Inbound>, RoomHandle), Damaged> {
        let ahead_ms = history.last_at().since(context.clock.now());
        let now = context.clock.now().after(ahead_ms);
        let mut mark = None;
        let mut outcomes = [const { VecDeque::new() }; SEATS_MAX];
        // Nobody of those who were brought together is to rule the others.
        let is_hostless = !admission.guests.is_empty();
        let race = history.rebuild(|race, at, event| {
            RoundMark::follow(&mut mark, race, at, event);
            if let Event::Acted { seat, n, .. } = event {
                let frame = Frames::of(race, at, event).for_seat(*seat).clone();
                keep_last(&mut outcomes[seat.index()], (*n, frame));
            }
        })?;
        let race = if is_hostless { race.without_host() } else { race };
        let (outside, summary) = known_outside(history, &race, now)?;
        let (inbox, inbound) = mpsc::channel(INBOX);
        let (room_id, code, options) = (race.room(), Arc::<str>::from(race.code()), Arc::new(race.options().clone()));
        let (stage, shown) = Stage::new(race.seq(), &admission.kicked);
        let facts = RoomFacts { room_id, code: code.clone(), options: options.clone(), ahead_ms, is_hostless };
        let gallery = context.galleries.of_room(shown, facts);
        let handle = RoomHandle { room_id, code, options, inbox: inbox.clone(), summary, gallery };
        let mut room = Room {
            context,
            committed: race.seq(),
            race,
            epoch,
            admission,
            show_up_at: None,
            ahead_ms,
            last: now,
            looked: now,
            lines: Lines::new(),
            emotes: Emotes::default(),
            recent: VecDeque::new(),
            outcomes,
            mark,
            starts: Starts::default(),
            untold: false,
            stored: None,
            outside,
            stage,
            dealing: None,
            deals_failed: 0,
            board: None,
            inbox,
        };
        room.show_up_at = room.waits_until(now);
        if epoch > FIRST_EPOCH {
            // Of a room just made nobody has heard: whoever tells its players tells that they race.
            room.tell_racing();
        }
        Ok((room, inbound, handle))
    }

    /// Runs the room until it is closed, the server stops, or its journal fails; then its connections are told to
    /// come again by the end of their lines. True if the room is to be rebuilt: it is not over, and nobody else runs it.
    pub async fn run(mut self, mut inbound: mpsc::Receiver<Inbound>) -> bool {
        let stop = self.context.stop.clone();
        let mut batch = Vec::with_capacity(INBOX);
        loop {
            let wake = self.wake();
            tokio::select! {
                biased;
                () = stop.said() => return false,
                _ = inbound.recv_many(&mut batch, INBOX) => {}
                () = async { sleep_until(wake.expect("guarded")).await }, if wake.is_some() => {
                    // What was received before the deadline is judged before it.
                    while batch.len() < INBOX && let Ok(message) = inbound.try_recv() {
                        batch.push(message);
                    }
                }
            }
            match self.turn(batch.drain(..)).await {
                Ok(true) => {}
                Ok(false) => return false,
                Err(error) => {
                    let rebuild = matches!(error, AppendError::Unavailable(_) | AppendError::Unknown(_));
                    self.failed(error).await;
                    return rebuild;
                }
            }
        }
    }

    /// One turn; false once the room is over.
    async fn turn(&mut self, batch: impl Iterator<Item = Inbound>) -> Result<bool, AppendError> {
        let mut batch: Vec<Inbound> = batch.collect();
        batch.sort_by_key(Inbound::at);
        let mut waiting = VecDeque::from(batch);
        loop {
            let mut drain = Drain::default();
            // Nothing is judged after a start before it is committed: it may be planned anew.
            while !drain.has_start
                && let Some(message) = waiting.pop_front()
            {
                self.take(message, &mut drain);
            }
            if waiting.is_empty() {
                self.let_time_pass(&mut drain);
            }
            self.settle(drain).await?;
            if waiting.is_empty() {
                break;
            }
        }
        if let Some(board) = self.board.take() {
            self.deal(*board).await?;
        }
        if self.deals_failed >= DEALS_FAILED_MAX {
            return Err(AppendError::Malformed("no board can be dealt for its round"));
        }
        self.ask_for_a_board();
        self.send_starts();
        if std::mem::take(&mut self.untold) {
            self.tell_summary();
        }
        self.outside.release(self.now());
        if !self.race.is_closed() {
            return Ok(true);
        }
        self.lines.end_all(Ending::Closed);
        // Nor may anybody see from outside that it is over before those who watch do.
        Ok(self.outside.next().is_some())
    }

    /// What the clock brings, and the start of a round that everybody is ready for.
    fn let_time_pass(&mut self, drain: &mut Drain) {
        let now = self.now();
        self.looked = now;
        while !drain.has_start {
            let mut events = self.race.due(now);
            if events.is_empty() && self.receive_guests(now, drain) {
                continue;
            }
            if events.is_empty() && self.race.want(now) == Some(Want::Commit) {
                events = self.race.commit(now, new_id(now), sprint_shared::deal::Seed(random()));
            }
            if events.is_empty() {
                return;
            }
            self.apply(now, events, drain);
        }
    }

    /// Applies events and what follows from them.
    fn apply(&mut self, now: Millis, events: Vec<Event>, drain: &mut Drain) {
        if !events.is_empty() {
            self.last = self.last.max(now);
        }
        let (mark, is_watched, rounds) = (&mut self.mark, self.stage.is_watched(), drain.outcomes.len());
        self.race.step(now, events, |race, event| drain.take(race, now, event, mark, is_watched));
        if drain.outcomes.len() > rounds {
            self.outside.round_over(now);
        }
        drain.outcomes[rounds..].iter_mut().for_each(|round| self.lines.report_networks(&mut round.seats));
        for seat in drain.left.drain(..) {
            let (frames, ending) = (drain.frames.len(), Ending::Left);
            let connection = self.lines.leave(seat);
            drain.leavers.extend(connection.map(|connection| Leaver { connection, seat, frames, ending }));
        }
    }

    /// Commits a turn and publishes it. A start that was committed too late is planned anew before anybody is
    /// told.
    async fn settle(&mut self, mut drain: Drain) -> Result<(), AppendError> {
        while !drain.rows.is_empty() {
            let append = self.append(&mut drain);
            self.commit(append).await?;
            let now = self.now();
            let shown_at = self.race.shown_at().filter(|_| drain.has_start);
            if shown_at.is_some_and(|shown_at| now.after(self.race.start_margin_ms()) > shown_at) {
                // Told together with what it follows: whoever joined in this turn is welcomed to both.
                let events = self.race.replan(now);
                self.apply(now, events, &mut drain);
            }
        }
        self.publish(drain);
        Ok(())
    }

    fn append(&mut self, drain: &mut Drain) -> Append {
        // What is over is in no list: its last state is stored at once, whatever those who watch have seen.
        let is_delayed = self.race.options().spectator_delay_s > 0 && drain.closed_at.is_none();
        let summary = drain.tells.then(|| match is_delayed {
            true => self.outside.told(),
            false => Summary::of(&self.race, self.now()),
        });
        let changed = summary.filter(|summary| self.stored.as_ref() != Some(summary));
        if changed.is_some() {
            self.stored.clone_from(&changed);
        }
        let mut outcomes = std::mem::take(&mut drain.outcomes);
        outcomes.iter_mut().for_each(|round| round.matched = self.admission.matched);
        Append {
            room_id: self.race.room(),
            epoch: self.epoch,
            first_seq: i64::from(self.committed) + 1,
            events: std::mem::take(&mut drain.rows),
            change: RoomChange {
                state: changed.as_ref().map(Summary::state),
                listing: changed.as_ref().map(Summary::listing),
                finished_at_ms: drain.closed_at.map(|at| at.0 as i64),
                kicked: (!drain.kicked.is_empty())
                    .then(|| serde_json::to_string(&self.admission.kicked).expect("ids always encode")),
            },
            dealt: std::mem::take(&mut drain.dealt),
            seated: std::mem::take(&mut drain.seated),
            outcomes,
        }
    }

    /// Waits for the commit. Start frames, which are committed already, leave meanwhile.
    async fn commit(&mut self, append: Append) -> Result<(), AppendError> {
        let events = append.events.len() as u32;
        let journal = self.context.journal.clone();
        let mut done = pin!(journal.append(append));
        loop {
            let wake = self.starts.next().map(|at| self.moment(at));
            tokio::select! {
                biased;
                outcome = &mut done => {
                    outcome?;
                    self.committed += events;
                    return Ok(());
                }
                () = async { sleep_until(wake.expect("guarded")).await }, if wake.is_some() => self.send_starts(),
            }
        }
    }

    fn send_starts(&mut self) {
        let now = self.now();
        for (seat, frame) in self.starts.due(now) {
            self.lines.send_to_seat(seat, Out::Frame(frame));
        }
        // Not told at once: while a commit is under way, the race is ahead of what may be known.
        self.untold |= self.starts.are_all_shown(now);
    }

    /// When the room must look at the clock again.
    fn wake(&self) -> Option<tokio::time::Instant> {
        let deadline = self.race.next_deadline().map(|at| at.max(self.looked.after(LOOK_MS)));
        let next = [deadline, self.starts.next(), self.outside.next(), self.show_up_at].into_iter().flatten().min();
        next.map(|at| self.moment(at))
    }

    fn moment(&self, at: Millis) -> tokio::time::Instant {
        self.context.clock.moment(Millis(at.0.saturating_sub(self.ahead_ms)))
    }

    /// The room's time now. Reading it decides nothing: what was received before is still judged by its receipt.
    fn now(&self) -> Millis {
        self.time_of(self.context.clock.now())
    }

    /// The room's time at a receipt.
    fn time_of(&self, at: Millis) -> Millis {
        self.last.max(at.after(self.ahead_ms))
    }

    async fn failed(&self, error: AppendError) {
        let room = self.race.code();
        match &error {
            AppendError::Rejected(_) | AppendError::Malformed(_) => {
                tracing::error!(room, %error, "the room cannot be stored and is closed");
                let at = self.context.clock.now().after(self.ahead_ms);
                let last_seq = i64::from(self.committed);
                let closed = close_damaged(&self.context.journal, self.race.room(), self.epoch, last_seq, at).await;
                if let Err(error) = closed {
                    tracing::error!(room, %error, "it could not be closed either");
                }
            }
            _ => tracing::warn!(room, %error, "the room stops"),
        }
    }
}

/// What may be known from outside of a room that begins to run, and who can look.
fn known_outside(history: &History, race: &Race, now: Millis) -> Result<(Outside, watch::Receiver<Summary>), Damaged> {
    let delay_ms = u64::from(race.options().spectator_delay_s) * 1_000;
    if delay_ms == 0 {
        return Ok(Outside::new(0, Summary::of(race, now)));
    }
    let then = Millis(now.0.saturating_sub(delay_ms));
    let (mut before, since) = history.split_at(then, |_, _, _| {})?;
    let (mut outside, seen) = Outside::new(delay_ms, Summary::of(&before, then));
    // One after the other: a round that began and ended since is still to be seen.
    for (at, event) in since {
        before.evolve_at(at, &event);
        if matches!(event, Event::RoundOver { .. }) {
            outside.round_over(at);
        }
        outside.tell(at, Summary::of(&before, at));
    }
    outside.tell(now, Summary::of(race, now));
    Ok((outside, seen))
}

/// Closes a room whose events cannot be believed or stored.
pub(crate) async fn close_damaged(
    journal: &Journal,
    room_id: Uuid,
    epoch: i64,
    last_seq: i64,
    at: Millis,
) -> Result<(), AppendError> {
    let event = Event::Closed { at, reason: super::DAMAGED };
    let body = serde_json::to_string(&event).expect("events always encode");
    let at_ms = at.0 as i64;
    let events = vec![crate::journal::EventRow { seq: last_seq + 1, at_ms, body }];
    let state = Some("closed".to_owned());
    let change = RoomChange { state, finished_at_ms: Some(at_ms), ..RoomChange::default() };
    journal.append(Append { room_id, epoch, first_seq: last_seq + 1, events, change, ..Append::default() }).await
}

impl Inbound {
    /// Messages of one connection keep their order; those of different ones are judged by their receipt.
    fn at(&self) -> Millis {
        match self {
            Inbound::Join(join) => join.at,
            Inbound::Say { at, .. } | Inbound::Emote { at, .. } | Inbound::Gone { at, .. } => *at,
            Inbound::Abandon
            | Inbound::Resync { .. }
            | Inbound::Ask { .. }
            | Inbound::Dealt(_)
            | Inbound::NotDealt { .. } => Millis(u64::MAX),
        }
    }
}

fn keep_last<T>(list: &mut VecDeque<T>, item: T) {
    if list.len() == KEPT {
        list.pop_front();
    }
    list.push_back(item);
}

/// A start or snapshot message.
fn snapshot(race: &Race, now: Millis, seat: Seat) -> Utf8Bytes {
    text(&ServerMessage::Snapshot { seq: race.seq(), state: Box::new(race.view(now, Viewer::Seat(seat))) })
}
