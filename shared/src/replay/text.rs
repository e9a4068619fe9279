//! A round as a text that people read: what was raced on, every act in the notation, the ranking.
//!
//! It shows a round and proves nothing: what is proven is the file. Whatever is in a round, a line stays a line.

use std::fmt::Write;

use thiserror::Error;

use crate::api::Match;
use crate::board::Board;
use crate::notation::NotationError;
use crate::peg::PegId;
use crate::play::Deed;
use crate::protocol::EventKind;
use crate::result::{Ended, FinishTimes, SeatResult};
use crate::rules::Transfer;
use crate::time::Seat;

/// How the text begins; the number is its format.
pub const HEAD: &str = "sprint-record 1";

/// What [`read`] finds in a text: the board and what was done on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextRecord {
    /// The board of every seat.
    pub board: Board,
    /// The acts that had an effect, in order.
    pub acts: Vec<TextAct>,
}

/// One act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextAct {
    /// Milliseconds from T0 on the race clock.
    pub clock_ms: i64,
    /// The seat.
    pub seat: Seat,
    /// What it did.
    pub deed: Deed,
}

/// Why a text is no record of a round.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotARecord {
    /// It begins otherwise.
    #[error("line 1: a record begins with `{HEAD}`")]
    Head,
    /// It names no board.
    #[error("no line says `board: `")]
    NoBoard,
    /// The board.
    #[error("line {line}: the board, {error}")]
    Board {
        /// Its line, from 1.
        line: usize,
        /// What is wrong with it.
        error: NotationError,
    },
    /// An act.
    #[error("line {line}: `{text}` is no act: CLOCK SEAT ACT, such as `12.345 1 2-3`")]
    Act {
        /// Its line, from 1.
        line: usize,
        /// What it says.
        text: String,
    },
}

impl TextRecord {
    /// The transfers of a seat's last attempt, without those taken back: a line of play on the board.
    pub fn line_of(&self, seat: Seat) -> Vec<Transfer> {
        let mut line = Vec::new();
        for act in self.acts.iter().filter(|act| act.seat == seat) {
            match act.deed {
                Deed::Transferred { from, to } => line.push(Transfer { from, to }),
                Deed::Undone { .. } => drop(line.pop()),
                Deed::Reset => line.clear(),
                _ => {}
            }
        }
        line
    }
}

/// Writes a round as text: lines `name: value`, an empty line, one line an act, an empty line, the ranking.
pub fn write(round: &Match) -> String {
    let mut text = format!("{HEAD}\n");
    for (name, value) in head(round) {
        let _ = writeln!(text, "{name}: {}", one_line(&value));
    }
    text.push('\n');
    for told in &round.events {
        if let Some((seat, what)) = act(&told.event.kind) {
            let seat = seat.map_or("-".to_owned(), |seat| seat.number().to_string());
            let _ = writeln!(text, "{} {seat} {}", seconds(told.clock_ms), one_line(&what));
        }
    }
    text.push('\n');
    for seat in &round.result.seats {
        let _ = writeln!(text, "{}", one_line(&ranked(seat)));
    }
    text
}

/// Reads a text that [`write()`] wrote, as far as board and acts go.
pub fn read(text: &str) -> Result<TextRecord, NotARecord> {
    let mut lines = (1..).zip(text.lines());
    if lines.next().map(|(_, line)| line) != Some(HEAD) {
        return Err(NotARecord::Head);
    }
    let mut board = None;
    for (number, line) in lines.by_ref().take_while(|(_, line)| !line.is_empty()) {
        if let Some(notation) = line.strip_prefix("board: ") {
            let read = notation.parse().map_err(|error| NotARecord::Board { line: number, error });
            board = Some(read?);
        }
    }
    let mut acts = Vec::new();
    for (number, line) in lines.take_while(|(_, line)| !line.is_empty()) {
        let read = read_act(line).ok_or_else(|| NotARecord::Act { line: number, text: line.to_owned() })?;
        acts.extend(read);
    }
    Ok(TextRecord { board: board.ok_or(NotARecord::NoBoard)?, acts })
}

fn head(round: &Match) -> Vec<(String, String)> {
    let (result, reveal) = (&round.result, &round.reveal);
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    let nonces = reveal.nonces.iter().map(|nonce| or_dash(nonce.map(|nonce| hex::encode(nonce.0))));
    let mut lines: Vec<(&str, String)> = vec![
        ("round", round.round_id.to_string()),
        ("room", format!("{}, round {}", round.room_id, result.round)),
        ("ended", format!("{}, {}", date(round.finished_at_ms), ended(result.ended))),
        ("options", serde_json::to_string(&round.options).expect("options always encode")),
        ("source", reveal.source.clone()),
        ("deal version", reveal.deal_version.to_string()),
        ("commitment", reveal.commitment.to_string()),
        ("server seed", reveal.server_seed.to_string()),
        ("nonces", nonces.collect::<Vec<_>>().join(" ")),
        ("redeals", reveal.redeals.to_string()),
        ("seed", or_dash(reveal.seed.map(|seed| seed.to_string()))),
        ("chain", or_dash(reveal.chain.map(|chain| chain.to_string()))),
        ("board", or_dash(reveal.board.clone())),
        ("optimum", or_dash(result.optimum.map(|optimum| optimum.to_string()))),
        ("par", or_dash(result.par.map(|par| par.to_string()))),
    ];
    if result.interrupted {
        lines.push(("interrupted", "yes".to_owned()));
    }
    let mut seats: Vec<&SeatResult> = result.seats.iter().collect();
    seats.sort_by_key(|seat| seat.seat);
    let players = seats.into_iter().map(|seat| {
        let kind = if seat.bot { "bot" } else { "person" };
        (format!("seat {}", seat.seat.number()), format!("{} ({kind} {})", seat.name, seat.player))
    });
    lines.into_iter().map(|(name, value)| (name.to_owned(), value)).chain(players).collect()
}

/// What a line says of an event, and of which seat; nothing of what is no part of the race.
fn act(kind: &EventKind) -> Option<(Option<Seat>, String)> {
    let (seat, what) = match kind {
        EventKind::Lifted { seat, peg, .. } => (*seat, format!("lift {peg}")),
        EventKind::Transferred { seat, from, to, .. } => (*seat, format!("{from}-{to}")),
        EventKind::Erred { seat, from, to, message, .. } => (*seat, format!("{from}-{to} error: {message}")),
        EventKind::Returned { seat, from, to, message, .. } => (*seat, format!("{from}-{to} returned: {message}")),
        EventKind::PutBack { seat, peg, .. } => (*seat, format!("put back {peg}")),
        EventKind::TwoHanded { seat, .. } => (*seat, "two-handed: 5 penalty moves".to_owned()),
        EventKind::Undone { seat, from, to, .. } => (*seat, format!("undo {from}-{to}")),
        EventKind::Reset { seat, .. } => (*seat, "reset".to_owned()),
        EventKind::Finished { seat, finish } => (*seat, format!("finished {}", times(finish))),
        EventKind::GaveUp { seat } => (*seat, "gave up".to_owned()),
        EventKind::Left { seat } => (*seat, "left".to_owned()),
        EventKind::Connected { seat } => (*seat, "connected".to_owned()),
        EventKind::Disconnected { seat } => (*seat, "disconnected".to_owned()),
        EventKind::Paused {} => return Some((None, "interrupted".to_owned())),
        EventKind::Resumed { outage_ms, .. } => {
            return Some((None, format!("resumed after {}", seconds(*outage_ms as i64))));
        }
        EventKind::FirstDecided {} => return Some((None, "first place decided".to_owned())),
        EventKind::RoundOver { .. } => return Some((None, "over".to_owned())),
        _ => return None,
    };
    Some((Some(seat), what))
}

/// Reads a line of the acts; `Some(None)` if it says something that is no act.
fn read_act(line: &str) -> Option<Option<TextAct>> {
    let mut parts = line.splitn(3, ' ');
    let clock_ms = read_seconds(parts.next()?)?;
    let seat = parts.next()?;
    let what = parts.next()?;
    if seat == "-" {
        return Some(None);
    }
    let seat = Seat::try_from(seat.parse::<u8>().ok()?).ok()?;
    let peg = |text: &str| text.parse::<u32>().ok().and_then(PegId::new);
    let transfer = |text: &str| text.parse::<Transfer>().ok();
    let (first, rest) = what.split_once(' ').unwrap_or((what, ""));
    let deed = match (first, rest) {
        ("lift", rest) => Deed::Lifted { peg: peg(rest)? },
        ("put", rest) => Deed::PutBack { peg: peg(rest.strip_prefix("back ")?)? },
        ("two-handed:", _) => Deed::TwoHanded,
        ("undo", rest) => {
            let Transfer { from, to } = transfer(rest)?;
            Deed::Undone { from, to }
        }
        ("reset", "") => Deed::Reset,
        ("finished" | "gave" | "left" | "connected" | "disconnected", _) => return Some(None),
        (first, rest) => {
            let Transfer { from, to } = transfer(first)?;
            match rest.split_once(' ').map_or(rest, |(word, _)| word) {
                "" => Deed::Transferred { from, to },
                "error:" => Deed::Erred { from, to },
                "returned:" => Deed::Returned { from, to },
                _ => return None,
            }
        }
    };
    Some(Some(TextAct { clock_ms, seat, deed }))
}

fn ranked(seat: &SeatResult) -> String {
    let came_to = match &seat.finish {
        Some(finish) => format!("harmony {}", times(finish)),
        None if seat.gave_up => "gave up".to_owned(),
        None if seat.absent => "absent".to_owned(),
        None => "no harmony".to_owned(),
    };
    let SeatResult { rank, settled, moves, errors, score, stars, .. } = seat;
    let flawless = if seat.flawless { ", flawless" } else { "" };
    let crown = if seat.crown { ", crown" } else { "" };
    let number = seat.seat.number();
    let counts = format!("moves {moves}, errors {errors}, settled {settled}{flawless}, stars {stars}{crown}");
    format!("{rank}. seat {number}, {}: {came_to}; {counts}; score {score}", seat.name)
}

fn times(finish: &FinishTimes) -> String {
    let [official, raw, credit] = [finish.official_ms, finish.raw_ms, finish.credit_ms.into()];
    format!("{} = {} - {}", seconds(official as i64), seconds(raw as i64), seconds(credit as i64))
}

fn ended(ended: Ended) -> &'static str {
    match ended {
        Ended::FirstDecided => "first place decided",
        Ended::NobodyAtWork => "nobody at work",
        Ended::TimeUp => "time up",
    }
}

/// Seconds with three digits behind the point.
fn seconds(ms: i64) -> String {
    let sign = if ms < 0 { "-" } else { "" };
    format!("{sign}{}.{:03}", ms.unsigned_abs() / 1_000, ms.unsigned_abs() % 1_000)
}

fn read_seconds(text: &str) -> Option<i64> {
    let (sign, text) = text.strip_prefix('-').map_or((1, text), |text| (-1, text));
    let (whole, part) = text.split_once('.').filter(|(_, part)| part.len() == 3)?;
    let digits =
        |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<i64>().ok()).flatten();
    Some(sign * digits(whole)?.checked_mul(1_000)?.checked_add(digits(part)?)?)
}

/// An instant by the Gregorian calendar, in UTC.
fn date(at_ms: i64) -> String {
    let (days, ms) = (at_ms.div_euclid(86_400_000), at_ms.rem_euclid(86_400_000));
    // Years begin in March here, so that the day that leap years have more comes last; 400 years are an era.
    let day = days + 719_468;
    let (era, of_era) = (day.div_euclid(146_097), day.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * march + 2) / 5 + 1;
    let month = if march < 10 { march + 3 } else { march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let (hours, minutes, seconds) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1_000 % 60);
    format!("{year:04}-{month:02}-{of_month:02} {hours:02}:{minutes:02}:{seconds:02}.{:03} UTC", ms % 1_000)
}

/// A round says what it likes, but never begins another line.
fn one_line(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_told_by_the_calendar() {
        // By `date -u -d @SECONDS`.
        for (at_ms, expected) in [
            (0, "1970-01-01 00:00:00.000 UTC"),
            (951_782_399_999, "2000-02-28 23:59:59.999 UTC"),
            (951_782_400_000, "2000-02-29 00:00:00.000 UTC"),
            (951_868_800_000, "2000-03-01 00:00:00.000 UTC"),
            (1_735_689_599_001, "2024-12-31 23:59:59.001 UTC"),
            (4_107_542_400_000, "2100-03-01 00:00:00.000 UTC"),
            (-1, "1969-12-31 23:59:59.999 UTC"),
        ] {
            assert_eq!(date(at_ms), expected);
        }
    }

    #[test]
    fn clocks_are_written_and_read_in_seconds() {
        for (ms, text) in [(0, "0.000"), (7, "0.007"), (61_250, "61.250"), (-5, "-0.005"), (-1_200, "-1.200")] {
            assert_eq!((seconds(ms).as_str(), read_seconds(text)), (text, Some(ms)));
        }
        for text in ["", "1", "1.2", "1.2345", "+1.000", "1.+00", "1e3.000", "99999999999999999999.000"] {
            assert_eq!(read_seconds(text), None, "{text}");
        }
    }
}
