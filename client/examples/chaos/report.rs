//! What a run comes to: one line a figure, and whether everything held.

use std::time::Duration;

use crate::harm::Done;
use crate::load::Played;

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
    /// Prints the figures; whether nothing was lost, doubled or left behind.
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
        for (code, count) in &self.played.unexplained {
            println!("unexplained refusals: {code} {count}");
        }
        for line in self.played.complaints.iter().chain(&self.log).take(50) {
            eprintln!("{line}");
        }
        lost + duplicated + double_results + unfinished + u64::from(ended_badly) == 0 && self.log.is_empty()
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
