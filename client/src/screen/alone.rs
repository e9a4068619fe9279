//! Sessions alone on the screen of a race: what is played, the coach of a lesson, hints and the way, what comes next.
//!
//! One room after the other on one terminal. What a session comes to is the server's word, as in a race.

use std::time::Instant;

use ratatui::DefaultTerminal;
use sprint_shared::api::{DailyPromise, LessonInfo, OwnDaily, StageInfo, StageRecord};
use sprint_shared::play::Play;
use sprint_shared::protocol::view::PhaseView;
use sprint_shared::protocol::{EventKind, Role};
use sprint_shared::result::SeatResult;
use sprint_shared::solo::Solo;

use super::entrance::Who;
use super::reviews::Awaited;
use super::scene::Ui;
use super::{Done, Theme};
use crate::session::{Ended, Session, Update};
use crate::state::Folded;

mod almanac;
mod guide;
mod pause;
mod picture;
mod result;

pub(crate) use almanac::choose;
pub use almanac::{Choice, HINTS as ALMANAC_HINTS, Shelf, draw as draw_almanac};
pub(super) use guide::Guide;
pub use guide::{Hint, Showing, Wish};
pub(crate) use pause::try_again;
pub(super) use picture::{below, named, question, standing, title, waiting};
pub(super) use result::draw as draw_result;

/// What is played alone, and how far the person is with it.
pub struct Alone {
    /// What it is.
    pub what: What,
    /// Stars and other signs that ASCII has not.
    pub unicode: bool,
    /// The transfer that was asked for.
    pub hint: Option<Hint>,
    /// The way that is being played.
    pub showing: Option<Showing>,
    /// What the server is being asked.
    pub asked: Option<Wish>,
    /// Whether the way was shown on this board.
    pub helped: bool,
    /// What the last session came to.
    pub last: Option<SeatResult>,
}

/// What is played alone.
pub enum What {
    /// A stage of Campaign Master.
    Stage {
        /// The stage.
        stage: StageInfo,
        /// The player's record from before this session.
        record: Option<StageRecord>,
        /// The last stage that was open before this session.
        open: u8,
        /// How many stages there are.
        stages: u8,
    },
    /// A lesson.
    Lesson {
        /// The lesson.
        lesson: LessonInfo,
        /// How many of its steps are done.
        done: usize,
        /// How many lessons there are.
        lessons: u8,
    },
    /// Infinite Shuffle.
    Shuffle {
        /// Whether the level follows the player.
        adaptive: bool,
    },
    /// The Daily Spire.
    Daily {
        /// What was published of the day.
        today: DailyPromise,
        /// How the player stands, as was told last.
        own: OwnDaily,
    },
}

impl Alone {
    /// A session before its board is shown.
    pub fn new(what: What, unicode: bool) -> Alone {
        Alone { what, unicode, hint: None, showing: None, asked: None, helped: false, last: None }
    }

    /// The player's fewest moves on this board before this session.
    pub(super) fn least(&self) -> Option<u32> {
        match &self.what {
            What::Stage { record, .. } => record.as_ref()?.moves,
            _ => None,
        }
    }

    /// Whether the person may go on to another board; the error says why not.
    pub(super) fn has_next(&self, room: &Folded) -> Result<(), String> {
        match &self.what {
            What::Shuffle { .. } => Ok(()),
            What::Lesson { lesson, lessons, .. } if lesson.lesson < *lessons => Ok(()),
            What::Lesson { .. } => Err("that was the last lesson: sprint campaign goes on from here".to_owned()),
            What::Stage { stage, stages, .. } if stage.stage >= *stages => Err("that was the last stage".to_owned()),
            What::Stage { stage, open, .. } => {
                let next = stage.stage + 1;
                let is_open = *open >= next || own_result(room).is_some_and(|own| own.finish.is_some());
                is_open.then_some(()).ok_or_else(|| format!("stage {next} opens once stage {} is solved", stage.stage))
            }
            What::Daily { .. } => Err("there is one board a day".to_owned()),
        }
    }

    /// What an update means for it. `before` is the own play before the update.
    pub(super) fn heed(&mut self, room: &Folded, before: Option<&Play>, update: &Update) {
        let Update::Event(event) = update else { return };
        match &event.kind {
            EventKind::Committed { .. } => self.begin_anew(),
            EventKind::RoundOver { result, .. } => {
                (self.hint, self.showing) = (None, None);
                self.last = result.seats.first().cloned();
            }
            kind => {
                let (Some((_, _, deed)), Some(before)) = (kind.deed(), before) else { return };
                let Some(after) = room.own().and_then(|own| own.play.as_ref()) else { return };
                if let What::Lesson { lesson, done, .. } = &mut self.what {
                    let reached =
                        lesson.steps[*done..].iter().take_while(|step| step.goal.is_reached(before, &deed, after));
                    *done += reached.count();
                }
            }
        }
    }

    /// The same board again: what the last session came to is part of the record now.
    fn begin_anew(&mut self) {
        (self.hint, self.showing, self.asked, self.helped) = (None, None, None, false);
        let last = self.last.take();
        match &mut self.what {
            What::Lesson { done, .. } => *done = 0,
            What::Stage { stage, record, open, .. } => {
                if let Some(last) = last {
                    if last.finish.is_some() {
                        *open = (*open).max(stage.stage + 1);
                    }
                    *record = Some(with(record.take(), stage.stage, &last));
                }
            }
            What::Shuffle { .. } | What::Daily { .. } => {}
        }
    }
}

/// A record with a session more. It is what the server will tell, but for the round to be seen again.
fn with(record: Option<StageRecord>, stage: u8, own: &SeatResult) -> StageRecord {
    let mut record = record.unwrap_or(StageRecord {
        stage,
        tries: 0,
        solved: 0,
        stars: 0,
        crown: false,
        score: 0,
        moves: None,
        official_ms: None,
        round_id: None,
    });
    record.tries += 1;
    if let Some(finish) = own.finish {
        record.solved += 1;
        record.stars = record.stars.max(own.stars);
        record.crown |= own.crown;
        record.score = record.score.max(own.score);
        record.moves = Some(record.moves.map_or(own.moves, |least| least.min(own.moves)));
        let official_ms = finish.official_ms;
        record.official_ms = Some(record.official_ms.map_or(official_ms, |least| least.min(official_ms)));
    }
    record
}

/// The own result of the room's last round, once it is over.
pub(super) fn own_result(room: &Folded) -> Option<&SeatResult> {
    room.round.as_ref()?.result.as_ref()?.seats.first()
}

/// Whether the room's rated try of a day is over.
pub(super) fn is_tried(room: &Folded) -> bool {
    room.options.solo.is_some_and(|solo| solo.is_once()) && own_result(room).is_some()
}

/// Stars, three places wide: those that are won, and what is left of three.
pub fn stars(won: u8, unicode: bool) -> String {
    let (full, empty) = if unicode { ('★', '☆') } else { ('*', '.') };
    let won = usize::from(won.min(3));
    std::iter::repeat_n(full, won).chain(std::iter::repeat_n(empty, 3 - won)).collect()
}

/// How a person has done with a session, and with what was shown in it.
pub(crate) struct Left {
    /// What comes next.
    pub done: Done,
    /// Whether the way was shown on the last board.
    pub helped: bool,
}

/// Sits in a session alone until the person is done with it.
pub(crate) async fn sit(
    terminal: &mut DefaultTerminal,
    who: &Who,
    session: Session,
    alone: Alone,
    theme: Theme,
) -> Result<Left, Ended> {
    let mut ui = Ui { alone: Some(alone), ..Ui::new(theme, who.api().server().http("")) };
    let api = who.api().clone().seen_by(who.token().map(str::to_owned));
    let guide = Guide::new(api.clone(), who.token());
    let done = super::run(session, &mut ui, Awaited::new(api), guide, terminal).await?;
    Ok(Left { done, helped: ui.alone.is_some_and(|alone| alone.helped) })
}

/// Joins a room that was opened to play alone in.
pub(crate) async fn join(who: &Who, code: &str) -> Result<Session, Ended> {
    let token = who.token().expect("whoever opened a room is known");
    Session::join(who.api().server(), code, token, Role::Player).await
}

/// Whether the way may be asked for: with an empty hand, while a board is on; the error says why not.
pub(super) fn may_ask(session: &Session, ui: &Ui) -> Result<(), String> {
    let solo: Option<Solo> = session.room.options.solo;
    if !solo.is_some_and(|solo| solo.is_helped()) || session.room.phase != PhaseView::Racing {
        return Err("no way is shown here".to_owned());
    }
    if session.shown().is_some_and(|play| play.held().is_some()) {
        return Err("place the held disk first".to_owned());
    }
    match ui.alone.as_ref().and_then(|alone| alone.asked) {
        Some(_) => Err("the server is looking for the way".to_owned()),
        None => Ok(()),
    }
}

/// Plays the next transfer of the way that is being shown, once it is time.
pub(super) fn play_on(session: &mut Session, ui: &mut Ui, now: Instant) {
    let Some(showing) = ui.alone.as_mut().and_then(|alone| alone.showing.as_mut()) else { return };
    if now < showing.next_at || session.acts.pending().len() > 0 {
        return;
    }
    let ply = session.room.own().and_then(|own| own.play.as_ref()).map(Play::ply);
    let next = showing.next(ply, now);
    let goes_on = matches!(next, Ok(Some(_)));
    let acted = match next {
        Ok(Some(act)) => session.act(act).map(drop).map_err(|why| why.to_string()),
        Ok(None) => Ok(()),
        Err(why) => Err(why),
    };
    if let Some(alone) = &mut ui.alone {
        alone.helped |= goes_on && acted.is_ok();
        if acted.is_err() || !goes_on {
            alone.showing = None;
        }
    }
    if let Err(why) = acted {
        ui.say(why);
    }
}

#[cfg(test)]
pub(in crate::screen) mod tests {
    use sprint_shared::lesson::lessons;
    use sprint_shared::result::FinishTimes;
    use sprint_shared::time::Seat;
    use uuid::Uuid;

    use super::*;

    fn own(moves: u32, official_ms: Option<u64>, score: u32, stars: u8) -> SeatResult {
        SeatResult {
            seat: Seat::ALL[0],
            player: Uuid::nil(),
            name: "Ada".to_owned(),
            bot: false,
            rank: 1,
            finish: official_ms.map(|official_ms| FinishTimes { raw_ms: official_ms, credit_ms: 0, official_ms }),
            gave_up: official_ms.is_none(),
            absent: false,
            settled: 0,
            moves,
            errors: 0,
            flawless: true,
            score,
            stars,
            crown: false,
        }
    }

    #[test]
    fn a_record_keeps_the_best_of_each_figure_and_counts_what_was_not_solved() {
        let first = with(None, 3, &own(9, None, 0, 0));
        assert_eq!((first.tries, first.solved, first.moves, first.stars), (1, 0, None, 0));
        let second = with(Some(first), 3, &own(9, Some(60_000), 1_200, 2));
        let third = with(Some(second), 3, &own(8, Some(70_000), 1_100, 3));
        assert_eq!((third.tries, third.solved, third.moves, third.official_ms), (3, 2, Some(8), Some(60_000)));
        assert_eq!((third.score, third.stars, third.stage), (1_200, 3, 3));
    }

    #[test]
    fn stars_have_three_places_in_letters_that_the_terminal_has() {
        assert_eq!([0, 2, 3, 9].map(|won| stars(won, true)), ["☆☆☆", "★★☆", "★★★", "★★★"]);
        assert_eq!([0, 2, 3].map(|won| stars(won, false)), ["...", "**.", "***"]);
    }

    #[test]
    fn a_lesson_without_a_following_one_and_a_stage_that_is_not_solved_lead_no_further() {
        let alone = |lesson: usize| {
            let lesson = LessonInfo::from(&lessons()[lesson]);
            Alone::new(What::Lesson { lesson, done: 0, lessons: lessons().len() as u8 }, true)
        };
        let room = room();
        assert!(alone(0).has_next(&room).is_ok());
        assert!(alone(lessons().len() - 1).has_next(&room).is_err());
        let stage = |number: usize, open| {
            let stage = StageInfo::from(&sprint_shared::almanac::almanac().stages()[number - 1]);
            Alone::new(What::Stage { stage, record: None, open, stages: 50 }, true).has_next(&room)
        };
        assert_eq!(stage(3, 3).expect_err("closed"), "stage 4 opens once stage 3 is solved");
        assert!(stage(3, 4).is_ok());
        assert!(stage(50, 50).is_err());
    }

    /// A room before its first round.
    pub fn room() -> Folded {
        use sprint_shared::options::RoomOptions;
        Folded {
            seq: 1,
            seat: None,
            code: String::new(),
            options: RoomOptions::default(),
            phase: PhaseView::Lobby,
            host: None,
            seats: Vec::new(),
            round: None,
            ranking: None,
            closed: None,
            curves: Vec::new(),
            viewers: None,
        }
    }
}
