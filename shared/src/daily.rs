//! The Daily Spire: one board a UTC day, dealt from a seed that the server binds itself to the day before and reveals
//! after (RULES section 8).

use crate::day::Day;
use crate::deal::{DEAL_VERSION, Deal, Seed, deal};
use crate::event::Nonce;
use crate::fairness;
use crate::preset::Preset;
use crate::time::SEATS_MAX;

/// The preset of a day: the week grows from Monday to Sunday.
pub fn preset(day: Day) -> Preset {
    match day.weekday() {
        0 => Preset::Initiate,
        1 => Preset::Apprentice,
        2 | 3 => Preset::Standard,
        4 | 5 => Preset::Expert,
        _ => Preset::Master,
    }
}

/// What is published before the day begins.
///
/// SHA-256 over the fields `"sprint-daily"`, deal version (2 bytes), the day as `YYYY-MM-DD`, the preset's name, server
/// seed (32 bytes), each preceded by its length in 4 bytes; numbers big endian.
pub fn commitment(deal_version: u16, day: Day, preset: Preset, server_seed: &Seed) -> Seed {
    let (version, day) = (deal_version.to_be_bytes(), day.to_string());
    fairness::hash_of(&[b"sprint-daily", &version, day.as_bytes(), preset.name().as_bytes(), &server_seed.0])
}

/// The seed of the day's board: SHA-256 of the server seed, and again for every board that was shown before.
pub fn board_seed(server_seed: &Seed, redeals: u32) -> Seed {
    const NO_NONCES: [Option<Nonce>; SEATS_MAX] = [None; SEATS_MAX];
    let first = fairness::board_seed(server_seed, &NO_NONCES);
    (0..redeals).fold(first, |seed, _| fairness::next_seed(&seed))
}

/// Days in a row among `days` (ascending), of which the last is today or yesterday; and the longest such row of all.
pub fn streaks(days: &[Day], today: Day) -> (u32, u32) {
    let rows = || days.chunk_by(|day, next| day.next() == *next);
    let is_on = |row: &&[Day]| row.last().is_some_and(|last| [today, today.before()].contains(last));
    let length = |row: &[Day]| row.len() as u32;
    (rows().find(is_on).map_or(0, length), rows().map(length).max().unwrap_or(0))
}

/// Redeals at most: a day that tells of more was never dealt.
pub const REDEALS_MAX: u32 = 1_000;

/// What a day reveals once it is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Revealed {
    /// The day.
    pub day: Day,
    /// The preset that it was dealt by.
    pub preset: Preset,
    /// The version of the deal.
    pub deal_version: u16,
    /// What was published before.
    pub commitment: Seed,
    /// What was secret.
    pub server_seed: Seed,
    /// How many boards of the seed were shown before.
    pub redeals: u32,
}

impl Revealed {
    /// The board that was dealt that day, or why what is revealed cannot be believed.
    pub fn proven(&self) -> Result<Deal, String> {
        let Revealed { day, preset, deal_version, commitment: published, server_seed, redeals } = self;
        let expected = commitment(*deal_version, *day, *preset, server_seed);
        if expected != *published {
            return Err(format!("the commitment of {day} is not the hash of what was revealed, which is {expected}"));
        }
        if *deal_version != DEAL_VERSION {
            return Err(format!("this program deals version {DEAL_VERSION}, {day} is of {deal_version}"));
        }
        if *redeals > REDEALS_MAX {
            return Err(format!("{redeals} redeals on {day}: no day has more than {REDEALS_MAX}"));
        }
        Ok(deal(*preset, &board_seed(server_seed, *redeals)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn revealed() -> Revealed {
        let day: Day = "2026-11-30".parse().expect("a day");
        let (preset, server_seed) = (preset(day), Seed([7; 32]));
        let commitment = commitment(DEAL_VERSION, day, preset, &server_seed);
        Revealed { day, preset, deal_version: DEAL_VERSION, commitment, server_seed, redeals: 0 }
    }

    #[test]
    fn a_commitment_is_the_hash_of_its_fields_with_their_lengths() {
        // Reckoned apart from this program: the fields, each behind its length in four bytes, into SHA-256.
        let expected = "29bc358c4ccaa71baecf5f934a11536a67c3c5ad9d06307b02b6c35179212fd2";
        assert_eq!(revealed().commitment.to_string(), expected);
    }

    #[test]
    fn a_day_proves_its_board_and_nothing_else_passes_for_it() {
        let day = revealed();
        let deal = day.proven().expect("it is as it was made");
        assert_eq!(deal.preset, Preset::Initiate, "it is a Monday");
        assert_ne!(Revealed { redeals: 1, ..day }.proven().expect("another board").board, deal.board);
        for (what, other) in [
            ("another seed", Revealed { server_seed: Seed([8; 32]), ..day }),
            ("another day", Revealed { day: day.day.next(), ..day }),
            ("another preset", Revealed { preset: Preset::Standard, ..day }),
            ("another version", Revealed { deal_version: DEAL_VERSION + 1, ..day }),
            ("more redeals than there are", Revealed { redeals: REDEALS_MAX + 1, ..day }),
        ] {
            assert!(other.proven().is_err(), "{what}");
        }
    }

    #[test]
    fn a_streak_is_a_row_of_days_that_is_not_broken_off() {
        let today: Day = "2026-11-30".parse().expect("a day");
        let ago = |days: i64| Day::new(i64::from(today.number()) - days).expect("a day");
        assert_eq!(streaks(&[], today), (0, 0));
        assert_eq!(streaks(&[today], today), (1, 1));
        assert_eq!(streaks(&[ago(2), ago(1)], today), (2, 2), "today is not over");
        assert_eq!(streaks(&[ago(3), ago(2)], today), (0, 2), "yesterday was missed");
        assert_eq!(streaks(&[ago(9), ago(8), ago(7), ago(1), today], today), (2, 3));
    }

    #[test]
    fn a_week_grows_from_monday_to_sunday() {
        let monday: Day = "2026-11-30".parse().expect("a day");
        let week: Vec<Preset> =
            std::iter::successors(Some(monday), |day| Some(day.next())).take(7).map(preset).collect();
        assert!(week.is_sorted() && week[0] == Preset::Initiate && week[6] == Preset::Master);
        assert!(week.iter().all(|preset| *preset < Preset::Grandmaster), "a day's board is for an evening");
    }
}
