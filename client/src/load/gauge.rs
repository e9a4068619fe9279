//! What a server's process on this machine takes, read from where the system tells it.

use std::sync::OnceLock;

/// Milliseconds of a tick in which the system tells processor time.
const TICK_MS: f64 = 10.0;
/// Bytes of a page.
const PAGE_BYTES: u64 = 4_096;

/// A process that is looked at twice: when play begins and when it has ended.
pub struct Gauge {
    pid: u32,
    begun: OnceLock<Option<Took>>,
}

/// What a process took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Took {
    /// User and system time, in milliseconds.
    pub cpu_ms: f64,
    /// Memory that it held when play began, in bytes.
    pub memory_before_bytes: u64,
    /// Memory that it holds, in bytes.
    pub memory_bytes: u64,
}

impl Gauge {
    /// For the process of this number.
    pub fn new(pid: u32) -> Gauge {
        Gauge { pid, begun: OnceLock::new() }
    }

    /// Play begins; only the first time counts.
    pub fn begin(&self) {
        self.begun.get_or_init(|| took(self.pid));
    }

    /// The processor time since play began, and the memory now; `None` where the system does not tell.
    pub fn read(&self) -> Option<Took> {
        let (begun, now) = ((*self.begun.get()?)?, took(self.pid)?);
        Some(Took { cpu_ms: now.cpu_ms - begun.cpu_ms, memory_before_bytes: begun.memory_bytes, ..now })
    }
}

fn took(pid: u32) -> Option<Took> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    parse(&stat)
}

/// Fields 14, 15 and 24 of the file; the second one is a name that may hold anything.
fn parse(stat: &str) -> Option<Took> {
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    let number = |field: usize| fields.get(field)?.parse::<u64>().ok();
    let ticks = number(11)? + number(12)?;
    let memory_bytes = number(21)? * PAGE_BYTES;
    Some(Took { cpu_ms: ticks as f64 * TICK_MS, memory_before_bytes: memory_bytes, memory_bytes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_and_memory_are_read_whatever_the_process_is_called() {
        let stat =
            "17 (a ) b) S 1 17 17 0 -1 4194560 2000 0 0 0 250 50 0 0 20 0 9 0 1000 90000000 2048 18446744073709551615";
        let took = Took { cpu_ms: 3_000.0, memory_before_bytes: 8 << 20, memory_bytes: 8 << 20 };
        assert_eq!(parse(stat), Some(took));
        assert_eq!(parse("17 (cut"), None);
    }
}
