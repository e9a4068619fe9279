//! The spans of time that leaderboards cover. Days and weeks turn over at 00:00 UTC, weeks on Monday.

const DAY_MS: i64 = 86_400_000;

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

    /// How the span is written in `board_entry.board`.
    pub(super) fn key(self) -> String {
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
