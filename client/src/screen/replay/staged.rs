//! A stored round as it can be shown at any instant of its race clock. Pure.
//!
//! A round may come from a file: what cannot have happened is refused by name, never drawn.

use sprint_shared::api::Match;
use sprint_shared::board::Board;
use sprint_shared::play::{Deed, House, Play};
use sprint_shared::protocol::EventKind;
use sprint_shared::result::FinishTimes;
use sprint_shared::review::{Mark, Review};
use sprint_shared::time::Seat;

/// A round to be played again.
pub struct Staged {
    /// The round as it is stored.
    pub round: Match,
    /// Its analysis, once there is one.
    pub review: Option<Review>,
    start: Vec<Racer>,
    steps: Vec<Step>,
}

/// A racer at an instant.
#[derive(Clone, Debug, PartialEq)]
pub struct Racer {
    /// The seat.
    pub seat: Seat,
    /// The play.
    pub play: Play,
    /// The finish.
    pub finish: Option<FinishTimes>,
    /// Gave up or left.
    pub gave_up: bool,
    /// The number of the event of the last transfer, while that transfer stands.
    last: Option<u32>,
}

struct Step {
    ms: u64,
    seq: u32,
    seat: Seat,
    what: What,
}

enum What {
    Did(Deed),
    Finished(FinishTimes),
    GaveUp,
}

/// No round lasts as long, outages along: ten years.
const LONGEST_MS: u64 = 10 * 366 * 24 * 3_600_000;

impl Staged {
    /// Prepares a round. The error says which of its events cannot have happened, or that it has no board.
    pub fn of(round: Match) -> Result<Staged, String> {
        let board = round.reveal.board.as_deref().ok_or("this round ended before a board was dealt")?;
        let board: Board = board.parse().map_err(|error| format!("reveal: board: {error}"))?;
        let racer = |seat| Racer { seat, play: Play::new(board.clone()), finish: None, gave_up: false, last: None };
        let mut seats: Vec<Seat> = round.result.seats.iter().map(|seat| seat.seat).collect();
        seats.sort_unstable();
        seats.dedup();
        let start: Vec<Racer> = seats.into_iter().map(racer).collect();
        let steps = steps_of(&round);
        if let Some(step) = steps.iter().find(|step| step.ms > LONGEST_MS) {
            return Err(format!("event {}: {} ms after T0 no round is on any more", step.seq, step.ms));
        }
        let house = House { placement: round.options.placement, relaxed: false };
        let mut racers = start.clone();
        for step in &steps {
            let objection = |why: String| format!("event {}: {why}; `sprint verify` tells more", step.seq);
            let racer = racers.iter_mut().find(|racer| racer.seat == step.seat);
            let racer = racer.ok_or_else(|| objection(format!("{:?} is no racer's", step.seat)))?;
            if let What::Did(deed) = &step.what {
                racer.play.objection(deed, house).map_or(Ok(()), |why| Err(objection(why)))?;
            }
            step.apply(racer);
        }
        Ok(Staged { round, review: None, start, steps })
    }

    /// When the last thing happened, in milliseconds from T0.
    pub fn length(&self) -> u64 {
        self.steps.last().map_or(0, |step| step.ms)
    }

    /// Everybody at an instant, by seat.
    pub fn at(&self, ms: u64) -> Vec<Racer> {
        let mut racers = self.start.clone();
        for step in self.steps.iter().take_while(|step| step.ms <= ms) {
            racers.iter_mut().filter(|racer| racer.seat == step.seat).for_each(|racer| step.apply(racer));
        }
        racers
    }

    /// The next instant at which something happens, or the one before; the nearest end where there is none.
    pub fn step_from(&self, ms: u64, forwards: bool) -> u64 {
        let mut instants = self.steps.iter().map(|step| step.ms);
        if forwards {
            instants.find(|&at| at > ms).unwrap_or(self.length())
        } else {
            instants.take_while(|&at| at < ms).last().unwrap_or(0)
        }
    }

    /// The instant of the next mistake, or of the one before; `None` where there is none.
    pub fn mistake_from(&self, ms: u64, forwards: bool) -> Option<u64> {
        let mut instants = self.mistakes().map(|mark| mark.clock_ms);
        if forwards { instants.find(|&at| at > ms) } else { instants.take_while(|&at| at < ms).last() }
    }

    /// The transfers that lost the board or wasted two or more, in order.
    pub fn mistakes(&self) -> impl Iterator<Item = &Mark> {
        self.review.iter().flat_map(|review| &review.marks).filter(|mark| mark.is_mistake())
    }

    /// The mark on a racer's last transfer; none if it was a good one or does not stand.
    pub fn mark_of(&self, racer: &Racer) -> Option<&Mark> {
        let marks = &self.review.as_ref()?.marks;
        marks.iter().find(|mark| Some(mark.seq) == racer.last && mark.seat == racer.seat)
    }

    /// The name in a seat.
    pub fn name(&self, seat: Seat) -> &str {
        self.round.result.seats.iter().find(|s| s.seat == seat).map_or("?", |s| s.name.as_str())
    }
}

impl Step {
    fn apply(&self, racer: &mut Racer) {
        match &self.what {
            What::Did(deed) => {
                racer.play.apply(deed);
                match deed {
                    Deed::Transferred { .. } => racer.last = Some(self.seq),
                    Deed::Undone { .. } | Deed::Reset => racer.last = None,
                    _ => {}
                }
            }
            What::Finished(finish) => racer.finish = Some(*finish),
            What::GaveUp => racer.gave_up = true,
        }
    }
}

fn steps_of(round: &Match) -> Vec<Step> {
    let racers: Vec<Seat> = round.result.seats.iter().map(|seat| seat.seat).collect();
    let step = |clock_ms: i64, seq: u32, kind: &EventKind| {
        let ms = u64::try_from(clock_ms).unwrap_or(0);
        let (seat, what) = match kind {
            EventKind::Finished { seat, finish } => (*seat, What::Finished(*finish)),
            // Who left before the countdown is no racer; who left in it gave up.
            EventKind::GaveUp { seat } | EventKind::Left { seat } if racers.contains(seat) => (*seat, What::GaveUp),
            kind => kind.deed().map(|(seat, _, deed)| (seat, What::Did(deed)))?,
        };
        Some(Step { ms, seq, seat, what })
    };
    round.events.iter().filter_map(|told| step(told.clock_ms, told.event.seq, &told.event.kind)).collect()
}
