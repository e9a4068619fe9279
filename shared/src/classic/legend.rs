//! How long it takes at one move a second: of 64 disks, the end of the world in Édouard Lucas' story of 1883.

/// The mean year of the calendar, 365.2425 days.
pub const SECONDS_IN_A_YEAR: u64 = 31_556_952;
/// The age of the universe as measured by Planck in 2018, ± 20 million years.
pub const YEARS_OF_THE_UNIVERSE: u64 = 13_787_000_000;

/// A time in seconds as people say it: `31 seconds`, `585 billion years, 42 ages of the universe`. Rounded to the nearest.
pub fn span(seconds: u64) -> String {
    let years = rounded(seconds, SECONDS_IN_A_YEAR);
    let text = match seconds {
        0..=119 => counted(seconds, "second"),
        120..=7_199 => counted(rounded(seconds, 60), "minute"),
        7_200..=172_799 => counted(rounded(seconds, 3_600), "hour"),
        _ if seconds < 2 * SECONDS_IN_A_YEAR => counted(rounded(seconds, 86_400), "day"),
        _ if years < 1_000_000 => counted(years, "year"),
        _ if years < 1_000_000_000 => format!("{} million years", rounded(years, 1_000_000)),
        _ => format!("{} billion years", rounded(years, 1_000_000_000)),
    };
    match rounded(years * 10, YEARS_OF_THE_UNIVERSE) {
        0..10 => text,
        tenths @ 10..100 => format!("{text}, {}.{} ages of the universe", tenths / 10, tenths % 10),
        tenths => format!("{text}, {} ages of the universe", rounded(tenths, 10)),
    }
}

fn counted(count: u64, unit: &str) -> String {
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

/// The quotient, rounded half up.
fn rounded(value: u64, by: u64) -> u64 {
    value / by + u64::from(value % by >= by.div_ceil(2))
}
