//! The race clock as somebody keeps it who knows nothing of the race machine; milliseconds.

/// The race clock as a bystander keeps it.
#[derive(Default)]
pub struct Stopwatch {
    pub accrued_ms: i64,
    pub running_since: Option<u64>,
    pub resumed: bool,
}

impl Stopwatch {
    pub fn stop(&mut self, at: u64) {
        if let Some(since) = self.running_since.take() {
            let ran = at as i64 - since as i64;
            self.accrued_ms += if self.resumed { ran.max(0) } else { ran };
        }
    }

    pub fn reads(&self, at: u64) -> i64 {
        self.accrued_ms + self.running_since.map_or(0, |since| at as i64 - since as i64)
    }
}
