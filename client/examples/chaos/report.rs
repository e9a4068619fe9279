//! What a run comes to: one line a figure, and whether everything held.

use std::time::Duration;

use crate::harm::Done;
use crate::load::Played;

/// Refusals that the harm itself explains, whenever they come: while a store stalls as ordered, or a restart takes a room
/// back to another phase, requests are turned away. That an act is out of order, or void, or against the rules is no
/// outage's doing: bots play by the rules and number their acts.
const EXPLAINED: [&str; 3] = ["unavailable", "busy", "not_now"];

/// The figures of a run.
pub struct Report {
    /// How long it took.
    pub seconds: u64,
    /// What was done.
    pub done: Done,
    /// What bots have seen.
    pub played: Played,
    /// Acknowledged, lost, duplicated, double results, unfinished.
    pub audit: [u64; 5],
    /// What `verify --all` says.
    pub verified: String,
    /// Lines of the server's log that must not be there.
    pub log: Vec<String>,
}

impl Report {
    /// Prints the figures; whether nothing was lost, doubled or left behind, and no act refused without a reason.
    pub fn print(mut self) -> bool {
        let Done { server_kills, database_kills, pauses, cuts, faults, disk_ends, ended_badly, .. } = self.done;
        let [acknowledged, lost, duplicated, double_results, unaudited] = self.audit;
        let unfinished = unaudited + (self.played.rooms - self.played.finished);
        println!("seconds {}", self.seconds);
        println!("kills {}", server_kills + database_kills);
        println!("server_kills {server_kills}");
        println!("database_kills {database_kills}");
        println!("pauses {pauses}");
        println!("cuts {cuts}");
        println!("faults_ordered {faults}");
        println!("ends_by_failed_disk {disk_ends}");
        println!("rooms {}", self.played.rooms);
        println!("acts {}", self.played.acts);
        println!("acknowledged {acknowledged}");
        println!("lost {lost}");
        println!("duplicated {duplicated}");
        println!("double_results {double_results}");
        println!("unfinished {unfinished}");
        println!("ended_badly {ended_badly}");
        println!("complaints {}", self.log.len());
        println!("{}", self.verified);
        println!("listening_ms {}", percentiles(&mut self.done.starts));
        println!("restart_ms {}", percentiles(&mut self.done.server_restarts));
        println!("restart_ms with ordered faults {}", percentiles(&mut self.done.faulty_restarts));
        if !self.done.database_restarts.is_empty() {
            println!("database_restart_ms {}", percentiles(&mut self.done.database_restarts));
        }
        let mut unexplained = 0;
        for (code, count) in &self.played.unexplained {
            let is_explained = EXPLAINED.contains(&code.as_str());
            unexplained += if is_explained { 0 } else { *count };
            println!("{} {code} {count}", if is_explained { "turned away:" } else { "unexplained refusals:" });
        }
        for line in self.played.complaints.iter().chain(&self.log).take(50) {
            eprintln!("{line}");
        }
        let wrong = lost + duplicated + double_results + unfinished + unexplained + u64::from(ended_badly);
        wrong == 0 && self.log.is_empty()
    }
}

/// 50th and 99th percentile by nearest rank, and the greatest, in milliseconds.
fn percentiles(times: &mut [Duration]) -> String {
    times.sort_unstable();
    let rank = |percent: usize| {
        let at = (times.len() * percent).div_ceil(100).saturating_sub(1);
        times.get(at).map_or(0, Duration::as_millis)
    };
    format!("p50 {} p99 {} max {}", rank(50), rank(99), rank(100))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(refusals: &[(&str, u64)]) -> bool {
        let unexplained = refusals.iter().map(|(code, count)| ((*code).to_owned(), *count)).collect();
        let played = Played { rooms: 3, finished: 3, unexplained, ..Played::default() };
        let (done, verified, log) = (Done::default(), "3 of 3".to_owned(), Vec::new());
        Report { seconds: 1, done, played, audit: [9, 0, 0, 0, 0], verified, log }.print()
    }

    #[test]
    fn a_refusal_that_no_outage_explains_fails_the_run() {
        assert!(holds(&[]));
        assert!(holds(&[("unavailable", 2), ("busy", 1), ("not_now", 1)]));
        for code in ["out_of_order", "illegal_placement", "touch_and_move", "stale", "not_seated"] {
            assert!(!holds(&[("unavailable", 2), (code, 1)]), "{code}");
        }
    }
}
