//! A review worked out from a round's events.
//!
//! Must never look at what the round says it came to, and must come out the same wherever it is worked out with the same
//! effort.

use thiserror::Error;

use super::distances::{Distances, Effort, Number, Position, Positions};
use super::{Lead, Loses, Mark, MarkCost, Pace, REVIEW_FORMAT, Review, SeatReview};
use crate::analysis::Distance;
use crate::api::Match;
use crate::event::Event;
use crate::play::Deed;
use crate::protocol::CurveView;
use crate::race::Race;
use crate::replay::Impossible;
use crate::rules::Transfer;
use crate::time::Seat;

/// Why a round has no review.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoReview {
    /// An event of its record cannot be read.
    #[error("event {number} of the record cannot be read: {why}")]
    Unreadable {
        /// Its place in the record, from 1.
        number: usize,
        /// What the reader says.
        why: String,
    },
    /// Its record could not have happened.
    #[error(transparent)]
    Impossible(#[from] Impossible),
    /// Nobody ever saw a board in it.
    #[error("no board was raced on in this round")]
    NoBoard,
}

/// The review of a round, from its record and the clocks of its events.
pub fn review(round: &Match, effort: &Effort) -> Result<Review, NoReview> {
    let story = Story::of(round)?;
    let distances = story.positions.reckoned(story.optimum, effort).ok_or(NoReview::NoBoard)?;
    let mut reckoner = Reckoner::new(distances, story.racers);
    story.steps.into_iter().for_each(|step| reckoner.follow(step));
    Ok(reckoner.ended(story.optimum))
}

/// What of a round matters to its review.
#[derive(Default)]
struct Story {
    racers: Vec<Racer>,
    optimum: Option<u32>,
    positions: Positions,
    steps: Vec<Step>,
}

/// Something that changed a distance or who may lead.
struct Step {
    /// The event's number in its room.
    seq: u32,
    /// Where the race clock stood.
    clock_ms: u64,
    seat: Seat,
    kind: Kind,
}

enum Kind {
    Transferred {
        transfer: Transfer,
        from: Number,
        to: Number,
    },
    Undone,
    Reset,
    /// Gave up or left.
    Gone,
}

impl Story {
    fn of(round: &Match) -> Result<Story, NoReview> {
        let mut race: Option<Race> = None;
        let mut story = Story::default();
        let own = round.record.len().saturating_sub(round.events.len());
        for (index, event) in round.record.iter().enumerate() {
            let event = serde_json::from_value::<Event>(event.clone())
                .map_err(|error| NoReview::Unreadable { number: index + 1, why: error.to_string() })?;
            let Some(race) = &mut race else {
                race = Some(Race::open(&event).ok_or(Impossible::NoOpening)?);
                continue;
            };
            race.admits(&event)?;
            let told = index.checked_sub(own).and_then(|number| round.events.get(number));
            let (seq, clock_ms) = told.map_or((0, 0), |told| (told.event.seq, told.clock_ms.max(0) as u64));
            let from = match &event {
                Event::Acted { seat, .. } => race.play(*seat).map(Position::of),
                _ => None,
            };
            race.evolve(&event);
            if matches!(event, Event::CountdownStarted { .. }) && story.racers.is_empty() {
                story.begin(race);
            } else if let Some((seat, kind)) = story.step(race, from, &event) {
                story.steps.push(Step { seq, clock_ms, seat, kind });
            }
        }
        story.end(race.as_ref());
        Ok(story)
    }

    /// The board is dealt, and everybody stands at its start.
    fn begin(&mut self, race: &Race) {
        self.optimum = race.optimum();
        for (seat, play) in Seat::ALL.into_iter().filter_map(|seat| Some((seat, race.play(seat)?))) {
            self.positions.meet(Position::of(play));
            self.racers.push(Racer::new(seat));
        }
    }

    /// An event that was just applied to `race`; an act came upon the position `from`.
    fn step(&mut self, race: &Race, from: Option<Position>, event: &Event) -> Option<(Seat, Kind)> {
        match event {
            Event::Acted { seat, deed, .. } => {
                let kind = match *deed {
                    Deed::Transferred { from: source, to: target } => {
                        let transfer = Transfer { from: source, to: target };
                        let from = self.positions.meet(from?);
                        Kind::Transferred { transfer, from, to: self.positions.meet(Position::of(race.play(*seat)?)) }
                    }
                    Deed::Undone { .. } => Kind::Undone,
                    Deed::Reset => Kind::Reset,
                    Deed::Lifted { .. }
                    | Deed::Erred { .. }
                    | Deed::Returned { .. }
                    | Deed::PutBack { .. }
                    | Deed::TwoHanded => return None,
                };
                Some((*seat, kind))
            }
            Event::GaveUp { seat } | Event::Left { seat } => Some((*seat, Kind::Gone)),
            _ => None,
        }
    }

    /// What counts in the end.
    fn end(&mut self, race: Option<&Race>) {
        for racer in &mut self.racers {
            if let Some(play) = race.and_then(|race| race.play(racer.figures.seat)) {
                racer.figures.errors = play.errors();
                racer.figures.penalty_moves = play.moves() - play.transfers();
            }
        }
    }
}

struct Reckoner {
    distances: Distances,
    racers: Vec<Racer>,
    marks: Vec<Mark>,
    leads: Vec<Lead>,
    /// Who came to harmony first.
    home: Option<Seat>,
}

/// One racer's round so far.
struct Racer {
    figures: SeatReview,
    points: Vec<(u64, Distance)>,
    /// Whether harmony or a way to it is still sought, or found.
    is_in: bool,
    start: Distance,
    /// When the attempt began.
    begun_ms: u64,
    /// The attempt's transfers that are not taken back.
    line: Vec<Made>,
    /// When each transfer was made.
    times: Vec<u64>,
}

/// A transfer of an attempt.
struct Made {
    clock_ms: u64,
    cost: Option<MarkCost>,
    left: Distance,
}

impl Reckoner {
    fn new(distances: Distances, mut racers: Vec<Racer>) -> Reckoner {
        racers.iter_mut().for_each(|racer| racer.begin(distances.of(0)));
        let mut reckoner = Reckoner { distances, racers, marks: Vec::new(), leads: Vec::new(), home: None };
        reckoner.lead(0);
        reckoner
    }

    fn follow(&mut self, step: Step) {
        let Some(index) = self.racers.iter().position(|r| r.figures.seat == step.seat) else { return };
        match step.kind {
            Kind::Transferred { transfer, from, to } => {
                let cost = self.transferred(index, step.clock_ms, from, to);
                if let Some(cost) = cost.filter(|cost| *cost != MarkCost::Wastes(0)) {
                    self.mark(&step, transfer, from, cost);
                }
            }
            Kind::Undone => self.racers[index].undone(step.clock_ms),
            Kind::Reset => self.racers[index].reset(step.clock_ms),
            Kind::Gone => self.racers[index].is_in = false,
        }
        self.lead(step.clock_ms);
    }

    fn transferred(&mut self, index: usize, clock_ms: u64, from: Number, to: Number) -> Option<MarkCost> {
        let (from, to) = (self.distances.of(from), self.distances.of(to));
        let cost = cost(from, to);
        let racer = &mut self.racers[index];
        racer.transferred(clock_ms, to, cost);
        racer.figures.wasteful += u32::from(from == Distance::Lost);
        if to == Distance::Exact(0) {
            self.home = self.home.or(Some(racer.figures.seat));
        }
        cost
    }

    fn mark(&mut self, step: &Step, transfer: Transfer, from: Number, cost: MarkCost) {
        let Step { seq, clock_ms, seat, .. } = *step;
        let mut mark = Mark { seq, seat, clock_ms, transfer: transfer.to_string(), cost, better: Vec::new() };
        // Where positions are searched for, only mistakes are worth it.
        if mark.is_mistake() || self.distances.are_listed() {
            mark.better = self.distances.better(from).iter().map(Transfer::to_string).collect();
        }
        self.marks.push(mark);
    }

    /// Notes who leads from here on, if that has changed.
    fn lead(&mut self, clock_ms: u64) {
        let seat = self.home.or_else(|| self.nearest());
        // What changes within a millisecond has not changed twice.
        self.leads.pop_if(|lead| lead.clock_ms == clock_ms);
        if self.leads.last().and_then(|lead| lead.seat) != seat {
            self.leads.push(Lead { clock_ms, seat });
        }
    }

    /// Who is surely nearer to harmony than all others.
    fn nearest(&self) -> Option<Seat> {
        let racing = || self.racers.iter().filter(|r| r.is_in && r.left() != Distance::Lost);
        let (most, seat) = racing().filter_map(|r| Some((upper(r.left())?, r.figures.seat))).min()?;
        let others = racing().filter(|r| r.figures.seat != seat);
        others.map(|r| lower(r.left())).all(|least| most < least).then_some(seat)
    }

    fn ended(self, optimum: Option<u32>) -> Review {
        let proven = match self.distances.of(0) {
            Distance::Exact(proven) => Some(proven),
            _ => None,
        };
        Review {
            format: REVIEW_FORMAT,
            complete: self.distances.are_exact(),
            optimum: optimum.or(proven),
            curves: self.racers.iter().map(Racer::curve).collect(),
            seats: self.racers.into_iter().map(Racer::ended).collect(),
            marks: self.marks,
            leads: self.leads,
        }
    }
}

impl Racer {
    fn new(seat: Seat) -> Racer {
        let figures = SeatReview {
            seat,
            transfers: 0,
            optimal: 0,
            wasteful: 0,
            wasted: 0,
            undone: 0,
            resets: 0,
            errors: 0,
            penalty_moves: 0,
            lost_since_ms: None,
            pace: None,
        };
        let (points, line, times) = (Vec::new(), Vec::new(), Vec::new());
        Racer { figures, points, is_in: true, start: Distance::Lost, begun_ms: 0, line, times }
    }

    fn begin(&mut self, start: Distance) {
        self.start = start;
        self.point(0, start);
    }

    fn transferred(&mut self, clock_ms: u64, left: Distance, cost: Option<MarkCost>) {
        self.figures.transfers += 1;
        match cost {
            Some(MarkCost::Wastes(0)) => self.figures.optimal += 1,
            Some(_) => self.figures.wasteful += 1,
            None => {}
        }
        self.times.push(clock_ms);
        self.line.push(Made { clock_ms, cost, left });
        self.point(clock_ms, left);
    }

    /// The distance now.
    fn left(&self) -> Distance {
        self.line.last().map_or(self.start, |made| made.left)
    }

    fn undone(&mut self, clock_ms: u64) {
        self.line.pop();
        self.figures.undone += 1;
        self.point(clock_ms, self.left());
    }

    fn reset(&mut self, clock_ms: u64) {
        self.line.clear();
        self.begun_ms = clock_ms;
        self.figures.resets += 1;
        self.point(clock_ms, self.start);
    }

    /// The distance from here on.
    fn point(&mut self, clock_ms: u64, left: Distance) {
        self.points.pop_if(|(at_ms, _)| *at_ms == clock_ms);
        if self.points.last().is_none_or(|(_, last)| *last != left) {
            self.points.push((clock_ms, left));
        }
    }

    fn curve(&self) -> CurveView {
        let points = self.points.iter().map(|(clock_ms, left)| (*clock_ms, (*left).into()));
        CurveView { seat: self.figures.seat, points: points.collect() }
    }

    fn ended(mut self) -> SeatReview {
        self.figures.pace = pace(&self.times);
        let lost = self.line.iter().find(|made| made.left == Distance::Lost).map(|made| made.clock_ms);
        self.figures.lost_since_ms = if self.start == Distance::Lost { Some(self.begun_ms) } else { lost };
        let wasted = self.line.iter().map(|made| match made.cost {
            Some(MarkCost::Wastes(transfers)) => transfers,
            _ => 0,
        });
        self.figures.wasted = wasted.sum();
        self.figures
    }
}

/// What a transfer cost; `None` where that is not known, and on a lost board.
fn cost(from: Distance, to: Distance) -> Option<MarkCost> {
    match (from, to) {
        (Distance::Exact(from), Distance::Exact(to)) => Some(MarkCost::Wastes((to + 1).saturating_sub(from))),
        // Where no way is known the board may have been lost before.
        (Distance::Exact(_) | Distance::Between { upper: Some(_), .. }, Distance::Lost) => {
            Some(MarkCost::Loses(Loses::Loses))
        }
        _ => None,
    }
}

fn upper(left: Distance) -> Option<u32> {
    match left {
        Distance::Exact(transfers) => Some(transfers),
        Distance::Between { upper, .. } => upper,
        Distance::Lost => None,
    }
}

fn lower(left: Distance) -> u32 {
    match left {
        Distance::Exact(transfers) => transfers,
        Distance::Between { lower, .. } => lower,
        Distance::Lost => u32::MAX,
    }
}

fn pace(times: &[u64]) -> Option<Pace> {
    let before = [0].into_iter().chain(times.iter().copied());
    let mut took: Vec<u64> = times.iter().zip(before).map(|(at, before)| at.saturating_sub(before)).collect();
    let first_ms = *took.first()?;
    took.sort_unstable();
    Some(Pace { first_ms, median_ms: took[(took.len() - 1) / 2], longest_ms: took[took.len() - 1] })
}
