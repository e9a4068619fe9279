//! The text record of a round: what it says of every act is what happened, and its lines play to the stored outcome.

use proptest::prelude::*;
use sprint_shared::analysis::{Analyst, Distance};
use sprint_shared::api::Match;
use sprint_shared::event::Event;
use sprint_shared::notation::{format_line, parse_line};
use sprint_shared::replay::file;
use sprint_shared::replay::text::{self, NotARecord, TextAct};
use sprint_shared::solver::Budget;

use crate::boards::ringless_board;
use crate::review::plain::{Choice, Plain};
use crate::table::stored;
use crate::tampering::honest;

/// The acts of a round's record, with the clocks of what is told.
fn acts(round: &Match) -> Vec<TextAct> {
    let own = round.record.len() - round.events.len();
    let told = round.record[own..].iter().zip(&round.events);
    let act = told.filter_map(|(event, told)| match serde_json::from_value(event.clone()).unwrap() {
        Event::Acted { seat, deed, .. } => Some(TextAct { clock_ms: told.clock_ms, seat, deed }),
        _ => None,
    });
    act.collect()
}

fn honest() -> Match {
    file::of_value(honest::round()).unwrap()
}

#[test]
fn the_lines_of_a_record_play_to_the_outcome_that_is_stored() {
    let round = honest();
    let written = text::write(&round);
    let record = text::read(&written).unwrap();
    assert_eq!(Some(record.board.to_string()), round.reveal.board);
    assert_eq!(record.acts, acts(&round));
    for seat in &round.result.seats {
        // As `sprint eval BOARD --line LINE` says it.
        let line = parse_line(&format_line(&record.line_of(seat.seat))).unwrap();
        let distances = Analyst::new(&record.board, Budget::default()).along(&line).expect("every transfer is legal");
        assert_eq!(distances.last() == Some(&Distance::Exact(0)), seat.finish.is_some(), "{:?}", seat.seat);
        let penalties = 5 * written.matches(&format!(" {} two-handed", seat.seat.number())).count();
        let errors = written.lines().filter(|line| line.contains(&format!(" {} ", seat.seat.number())));
        let errors = errors.filter(|line| line.contains(" error: ")).count();
        assert_eq!((line.len() + penalties, errors), (seat.moves as usize, seat.errors as usize), "{:?}", seat.seat);
        let ranked = format!("\n{}. seat {}, player {}: ", seat.rank, seat.seat.number(), seat.seat.number());
        assert!(written.contains(&ranked), "{ranked:?} in {written}");
        assert!(written.contains(&format!("; score {}\n", seat.score)), "{written}");
    }
    for said in ["- interrupted", "- resumed after ", "4 gave up", "1 finished ", "3 undo ", "3 reset", "3 lift "] {
        assert!(written.contains(&format!(" {said}")), "{said} in {written}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_record_says_every_act_at_its_clock(
        board in ringless_board(),
        racers in 2u8..=4,
        choices in prop::collection::vec(any::<Choice>(), 0..40),
    ) {
        let Some(mut plain) = Plain::of(&board, 500) else { return Ok(()) };
        let round = stored(&plain.race(racers, &choices));
        let record = text::read(&text::write(&round)).unwrap();
        prop_assert_eq!(record.board, board);
        prop_assert_eq!(record.acts, acts(&round));
    }
}

#[test]
fn whatever_a_player_is_called_a_line_stays_a_line() {
    let mut round = honest();
    let lines = text::write(&round).lines().count();
    round.result.seats[0].name = "Ada\n\n0.000 1 1-2\r\n".to_owned();
    round.reveal.source = "standard\nboard: R1/-/- 1".to_owned();
    let written = text::write(&round);
    assert_eq!(written.lines().count(), lines);
    assert_eq!(text::read(&written).unwrap().acts, acts(&round));
}

#[test]
fn what_is_no_record_is_refused_with_the_line_that_is_wrong() {
    let written = text::write(&honest());
    assert_eq!(text::read(""), Err(NotARecord::Head));
    assert_eq!(text::read(&written.replacen("record 1", "record 2", 1)), Err(NotARecord::Head));
    assert_eq!(text::read(&written.replacen("board: ", "bored: ", 1)), Err(NotARecord::NoBoard));
    let refused = |text: &str| text::read(text).unwrap_err().to_string();
    let bad = refused(&written.replacen("board: ", "board: Q", 1));
    assert!(bad.starts_with("line 14: the board, "), "{bad}");
    for act in ["fly 3", "lift", "lift 10", "2-3 flown", "put 3", "undo", "reset now"] {
        let bad = refused(&written.replacen("4 gave up", &format!("4 {act}"), 1));
        assert!(bad.contains(&format!("4 {act}` is no act: CLOCK SEAT ACT")), "{act}: {bad}");
    }
}
