//! UTC days: how the Daily Spire counts them, and how they are written.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

/// Milliseconds of a day; UTC as computers count it knows no leap seconds.
pub const DAY_MS: i64 = 86_400_000;

/// A UTC day: its number from 1970-01-01, which is 0. Written `YYYY-MM-DD`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(i32);

/// A text that is no day.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no day {0:?}: give YYYY-MM-DD, from 1970-01-01 to 9999-12-31")]
pub struct InvalidDay(pub String);

/// The last day that is written with four digits of the year.
const LAST: i32 = 2_932_896;

impl Day {
    /// The day of an instant, in milliseconds since the Unix epoch; the first or the last for one beyond them.
    pub fn of(at_ms: i64) -> Day {
        Day(at_ms.div_euclid(DAY_MS).clamp(0, LAST.into()) as i32)
    }

    /// Its number from 1970-01-01.
    pub fn number(self) -> i32 {
        self.0
    }

    /// The day of that number, if it can be written.
    pub fn new(number: i64) -> Option<Day> {
        i32::try_from(number).ok().filter(|number| (0..=LAST).contains(number)).map(Day)
    }

    /// Its first instant, in milliseconds since the Unix epoch.
    pub fn begins_ms(self) -> i64 {
        i64::from(self.0) * DAY_MS
    }

    /// The first instant after it, in milliseconds since the Unix epoch.
    pub fn ends_ms(self) -> i64 {
        self.begins_ms() + DAY_MS
    }

    /// The day after it; the last has none but itself.
    pub fn next(self) -> Day {
        Day((self.0 + 1).min(LAST))
    }

    /// The day before it; the first has none but itself.
    pub fn before(self) -> Day {
        Day((self.0 - 1).max(0))
    }

    /// Which day of its week, Monday being 0.
    pub fn weekday(self) -> u8 {
        // 1970-01-01 was a Thursday.
        ((self.0 + 3) % 7) as u8
    }

    /// Year, month and day of the month in the Gregorian calendar.
    fn civil(self) -> (i32, u32, u32) {
        // Counted from 0000-03-01, so that a leap day is the last of its year.
        let days = self.0 + 719_468;
        let (era, of_era) = (days / 146_097, days % 146_097);
        let of_years = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * of_years + of_years / 4 - of_years / 100);
        let from_march = (5 * of_year + 2) / 153;
        let day = of_year - (153 * from_march + 2) / 5 + 1;
        let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
        let year = of_years + era * 400 + i32::from(month <= 2);
        (year, month as u32, day as u32)
    }

    fn of_civil(year: i32, month: i32, day: i32) -> Option<Day> {
        let from = if month <= 2 { year - 1 } else { year };
        let (era, of_years) = (from.div_euclid(400), from.rem_euclid(400));
        let of_year = (153 * (if month > 2 { month - 3 } else { month + 9 }) + 2) / 5 + day - 1;
        let of_era = of_years * 365 + of_years / 4 - of_years / 100 + of_year;
        let found = Day::new(i64::from(era * 146_097 + of_era - 719_468))?;
        // The 31st of a shorter month comes out as another day.
        (found.civil() == (year, month as u32, day as u32)).then_some(found)
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.civil();
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

impl FromStr for Day {
    type Err = InvalidDay;
    fn from_str(text: &str) -> Result<Day, InvalidDay> {
        let read = || {
            let is_written = text.len() == 10 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
            let mut parts = text.split('-').filter(|_| is_written);
            let mut number = |digits| parts.next().filter(|part| part.len() == digits)?.parse::<i32>().ok();
            Day::of_civil(number(4)?, number(2)?, number(2)?)
        };
        read().ok_or_else(|| InvalidDay(text.to_owned()))
    }
}

impl Serialize for Day {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Day, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        // From calendars: `date -u -d @SECONDS`.
        for (number, text, weekday) in
            [(0, "1970-01-01", 3), (11_016, "2000-02-29", 1), (20_787, "2026-11-30", 0), (LAST, "9999-12-31", 4)]
        {
            let day = Day::new(number.into()).expect("a day");
            assert_eq!((day.to_string().as_str(), day.weekday()), (text, weekday));
            assert_eq!(text.parse(), Ok(day));
        }
    }

    #[test]
    fn every_day_is_read_as_it_is_written_and_follows_the_one_before() {
        let mut before: Option<Day> = None;
        for number in (0..=LAST).step_by(17) {
            let day = Day::new(number.into()).expect("a day");
            assert_eq!(day.to_string().parse(), Ok(day));
            assert!(before.is_none_or(|before| before.to_string() < day.to_string()));
            before = Some(day);
        }
    }

    #[test]
    fn what_is_no_day_is_refused_with_what_would_be_one() {
        for text in
            ["", "2026-02-29", "2026-13-01", "2026-00-10", "2026-1-01", "1969-12-31", "+026-01-01", "2026-01-01 "]
        {
            assert_eq!(text.parse::<Day>(), Err(InvalidDay(text.to_owned())), "{text}");
        }
    }

    #[test]
    fn an_instant_lies_in_its_day() {
        let day: Day = "2026-11-30".parse().expect("a day");
        assert_eq!(
            [Day::of(day.begins_ms()), Day::of(day.ends_ms() - 1), Day::of(day.ends_ms())],
            [day, day, day.next()]
        );
        assert_eq!([Day::of(i64::MIN), Day::of(i64::MAX)], [Day(0), Day(LAST)]);
        assert_eq!(day.next().before(), day);
    }
}
