//! What is stored of a round that is over, in the transaction of its last event.
//!
//! Must be enough to prove the result from the round's own events alone.

use serde::{Deserialize, Serialize};
use sprint_shared::event::Event;
use sprint_shared::options::{Contest, Placement, RoomOptions};
use sprint_shared::protocol::Reveal;
use sprint_shared::race::Race;
use sprint_shared::result::{RoundResult, SeatResult};
use sprint_shared::solo::Solo;
use sprint_shared::time::{Millis, SEATS_MAX};

use crate::fair::{self, Pace};
use crate::store::{RoundRecord, SeatRecord};

/// The encoded part of a stored round.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StoredRound {
    /// The room's options.
    pub options: RoomOptions,
    /// The result.
    pub result: RoundResult,
    /// What was secret.
    pub reveal: Reveal,
    /// What the round's own events are preceded by, so that they prove the result.
    pub prologue: Vec<Event>,
}

/// What is to be stored of a round, worked out from its record: a prologue, and the round's own events with the instants
/// of their decisions. `None` if no round ends in it. Its numbers of events count from the prologue's first.
pub fn record_of<'a>(prologue: &[Event], own: impl Iterator<Item = (Millis, &'a Event)>) -> Option<RoundRecord> {
    let (first, rest) = prologue.split_first()?;
    let mut race = Race::open(first)?;
    rest.iter().for_each(|event| race.evolve(event));
    let mut mark = None;
    for (now, event) in own {
        race.evolve_at(now, event);
        RoundMark::follow(&mut mark, &race, now, event);
        if let Event::RoundOver { at, result } = event {
            return mark?.record(&race, *at, result);
        }
    }
    None
}

/// Where the round at work began.
#[derive(Clone, Debug)]
pub(super) struct RoundMark {
    first_seq: u32,
    started_at: Millis,
    prologue: Vec<Event>,
    paces: [Pace; SEATS_MAX],
}

impl RoundMark {
    /// Follows the room's events, each right after it was applied, with the instant at which it was decided.
    pub fn follow(mark: &mut Option<RoundMark>, race: &Race, now: Millis, event: &Event) {
        match event {
            Event::Committed { at, .. } => {
                let (prologue, paces) = (race.prologue(*at), Default::default());
                *mark = Some(RoundMark { first_seq: race.seq(), started_at: *at, prologue, paces });
            }
            Event::RoundDropped { .. } => *mark = None,
            Event::CountdownStarted { t0, .. } => {
                if let Some(mark) = mark {
                    mark.started_at = *t0;
                }
            }
            Event::Acted { seat, deed, .. } => {
                if let Some(mark) = mark {
                    mark.paces[seat.index()].saw(race.clock_ms(now).unwrap_or_default(), deed);
                }
            }
            _ => {}
        }
    }

    /// The record of the round that `race` has just ended at `at`.
    pub fn record(&self, race: &Race, at: Millis, result: &RoundResult) -> Option<RoundRecord> {
        let reveal = race.revealed()?;
        let options = race.options().clone();
        let seats = result.seats.iter().map(|seat| self.seat_record(seat, &options, result.optimum)).collect();
        Some(RoundRecord {
            round_id: result.round_id,
            round: result.round.into(),
            first_seq: self.first_seq.into(),
            last_seq: race.seq().into(),
            preset: options.blueprint.is_none().then(|| options.preset.name().to_owned()),
            solo: options.solo.map(|solo| solo.key().to_string()),
            board: reveal.board.clone().unwrap_or_default(),
            optimum: result.optimum.map(i64::from),
            par: result.par.map(i64::from),
            seed: reveal.seed.map(|seed| seed.to_string()).unwrap_or_default(),
            deal_version: reveal.deal_version.into(),
            contest: match options.contest {
                Contest::Fastest => "fastest",
                Contest::Fewest => "fewest",
            }
            .to_owned(),
            placement: match options.placement {
                Placement::Strict => "strict",
                Placement::Guarded => "guarded",
            }
            .to_owned(),
            rated: options.rated,
            matched: false,
            interrupted: result.interrupted,
            started_at_ms: self.started_at.0 as i64,
            finished_at_ms: at.0 as i64,
            body: {
                let round = StoredRound { options, result: result.clone(), reveal, prologue: self.prologue.clone() };
                serde_json::to_string(&round).expect("rounds always encode")
            },
            seats,
        })
    }

    fn seat_record(&self, seat: &SeatResult, options: &RoomOptions, optimum: Option<u32>) -> SeatRecord {
        SeatRecord {
            seat: seat.seat.number().into(),
            player_id: seat.player,
            rank: seat.rank.into(),
            finished: seat.finish.is_some(),
            clean: seat.errors == 0,
            moves: seat.moves.into(),
            errors: seat.errors.into(),
            raw_ms: seat.finish.map(|f| f.raw_ms as i64),
            credit_ms: seat.finish.map(|f| f.credit_ms.into()),
            official_ms: seat.finish.map(|f| f.official_ms as i64),
            score: seat.score.into(),
            stars: (seat.stars > 0).then_some(seat.stars.into()),
            flawless: seat.flawless,
            crown: seat.crown,
            bot: seat.bot,
            suspicion: self.suspicion(seat, options.solo, optimum),
        }
    }

    /// The signs that no person played a seat. Bots give none: nobody takes them for people. Nor is there any where nothing
    /// counts: there the server itself may have shown the way.
    fn suspicion(&self, seat: &SeatResult, solo: Option<Solo>, optimum: Option<u32>) -> i64 {
        if seat.bot || solo.is_some_and(|solo| !solo.is_ranked()) {
            return 0;
        }
        // On a board that everybody may know by heart an optimum that is played fast is none.
        let optimum = optimum.filter(|_| solo.is_none_or(|solo| solo.printed().is_none()));
        let transfers_ms = self.paces[seat.seat.index()].transfers_ms();
        let official_ms = seat.finish.map(|f| f.official_ms as i64);
        fair::suspicion(transfers_ms, seat.moves.into(), optimum.map(i64::from), official_ms)
    }
}
