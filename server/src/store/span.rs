//! The spans of time that leaderboards cover. Days and weeks turn over at 00:00 UTC, weeks on Monday.

use std::ops::RangeInclusive;

const DAY_MS: i64 = 86_400_000;
/// No other days and weeks are written; the bounds of these can be reckoned.
const DAYS: RangeInclusive<i64> = -1_000_000..=1_000_000;

/// A day, a week, or all time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Span {
    /// From the first round on.
    All,
    /// The UTC day with this number; day 0 is 1970-01-01.
    Day(i64),
    /// The week from Monday to Sunday with this number; week 0 began on 1969-12-29.
    Week(i64),
}

impl Span {
    /// The day of this time (milliseconds since the Unix epoch).
    pub fn day_of(at_ms: i64) -> Span {
        Span::Day(at_ms.div_euclid(DAY_MS))
    }

    /// The week of this time (milliseconds since the Unix epoch).
    pub fn week_of(at_ms: i64) -> Span {
        Span::Week((at_ms.div_euclid(DAY_MS) + 3).div_euclid(7))
    }

    /// First millisecond inside and first millisecond after.
    pub fn bounds_ms(self) -> (i64, i64) {
        match self {
            Span::All => (i64::MIN, i64::MAX),
            Span::Day(day) => (day * DAY_MS, (day + 1) * DAY_MS),
            Span::Week(week) => ((week * 7 - 3) * DAY_MS, (week * 7 + 4) * DAY_MS),
        }
    }

    /// The span that [`Span::key`] wrote so.
    pub fn of_key(key: &str) -> Option<Span> {
        match key.split_at_checked(1)? {
            ("a", "ll") => Some(Span::All),
            ("d", day) => day.parse().ok().filter(|day| DAYS.contains(day)).map(Span::Day),
            ("w", week) => week.parse().ok().filter(|week| DAYS.contains(week)).map(Span::Week),
            _ => None,
        }
    }

    /// How the span is written in `board_entry.board` and in cursors.
    pub fn key(self) -> String {
        match self {
            Span::All => "all".to_owned(),
            Span::Day(day) => format!("d{day}"),
            Span::Week(week) => format!("w{week}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_read_as_it_was_written_and_nothing_else_is_one() {
        for span in [Span::All, Span::Day(20_468), Span::Week(2_924), Span::Day(-3)] {
            assert_eq!(Span::of_key(&span.key()), Some(span));
        }
        for key in ["", "a", "all ", "d", "dx", "d9223372036854775807", "m3", "é1", "20468"] {
            assert_eq!(Span::of_key(key), None, "{key}");
        }
    }

    #[test]
    fn weeks_turn_over_on_monday_at_midnight_utc() {
        // 2024-01-01T00:00:00Z was a Monday: 1 704 067 200 s by the calendar.
        let monday_ms = 1_704_067_200_000;
        assert_ne!(Span::week_of(monday_ms - 1), Span::week_of(monday_ms));
        assert_eq!(Span::week_of(monday_ms), Span::week_of(monday_ms + 7 * DAY_MS - 1));
        assert_eq!(Span::week_of(monday_ms).bounds_ms(), (monday_ms, monday_ms + 7 * DAY_MS));
        assert_eq!(Span::day_of(monday_ms).bounds_ms(), (monday_ms, monday_ms + DAY_MS));
        assert_ne!(Span::day_of(monday_ms - 1), Span::day_of(monday_ms));
    }
}
