//! What a run came to: counts, and times as percentiles.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::gauge::Took;

/// Bytes of a mebibyte.
const MIB: f64 = 1_048_576.0;

/// Counts and times of one room or of all.
#[derive(Debug, Default)]
pub struct Tally {
    /// Rooms played.
    pub rooms: u32,
    /// Rooms whose stored result was read back and proven.
    pub finished: u32,
    /// Rooms that have no such result.
    pub failed: u32,
    /// Acts sent.
    pub acts: u64,
    /// Own acts whose event came back.
    pub acknowledged: u64,
    /// Acts refused without effect.
    pub refused: u64,
    /// Refusals that neither the end of a round nor an interruption explains, by code.
    pub unexplained: BTreeMap<String, u64>,
    /// From sending an act to its own event or refusal.
    pub own_ack: Times,
    /// From sending an act to its event at another bot of the room.
    pub delivery: Times,
    /// What those who watch heard.
    pub viewed: Viewed,
    /// The 50th and the 99th percentile of own acknowledgements of the same rooms without viewers, in milliseconds.
    pub alone: Option<[f64; 2]>,
    /// What the server took meanwhile.
    pub server: Option<Took>,
}

/// What viewers heard.
#[derive(Debug, Default)]
pub struct Viewed {
    /// How many there were.
    pub viewers: u64,
    /// Messages heard.
    pub messages: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Events left out: none may be, unless a snapshot came in their place.
    pub missing: u64,
    /// Events told again, or out of order: none may be.
    pub doubled: u64,
    /// Snapshots in place of events.
    pub snapshots: u64,
    /// Lines that were lost before the result.
    pub lines_lost: u64,
    /// From sending an act to its event at a viewer.
    pub delivery: Times,
}

impl Viewed {
    /// Counts what is wrong with an event of this number where another one was expected.
    pub fn count(&mut self, seq: u32, expected: u32) {
        self.missing += u64::from(seq.saturating_sub(expected));
        self.doubled += u64::from(seq < expected);
    }

    /// Adds what another viewer heard.
    pub fn add(&mut self, other: Viewed) {
        self.viewers += other.viewers;
        self.messages += other.messages;
        self.bytes += other.bytes;
        self.missing += other.missing;
        self.doubled += other.doubled;
        self.snapshots += other.snapshots;
        self.lines_lost += other.lines_lost;
        self.delivery.0.extend(other.delivery.0);
    }
}

/// Durations, kept in microseconds.
#[derive(Debug, Default)]
pub struct Times(Vec<u32>);

impl Tally {
    /// Adds what another tally counted.
    pub fn add(&mut self, other: Tally) {
        self.failed += other.failed;
        self.acts += other.acts;
        self.acknowledged += other.acknowledged;
        self.refused += other.refused;
        for (code, count) in other.unexplained {
            *self.unexplained.entry(code).or_default() += count;
        }
        self.own_ack.0.extend(other.own_ack.0);
        self.delivery.0.extend(other.delivery.0);
        self.viewed.add(other.viewed);
    }

    /// Counts a refusal that needs explaining.
    pub fn unexplained(&mut self, code: &str) {
        *self.unexplained.entry(code.to_owned()).or_default() += 1;
    }

    /// Prints the figures on standard output, as one JSON object or for a person.
    pub fn print(mut self, as_json: bool) {
        let (own, seen) = (self.own_ack.percentiles(), self.viewed.delivery.percentiles());
        let deliveries = self.viewed.delivery.0.len();
        // To others: bots and viewers alike.
        self.delivery.0.append(&mut self.viewed.delivery.0);
        let delivery = self.delivery.percentiles();
        let ratio = self.alone.map(|alone| [0, 1].map(|index| own[index] / alone[index]));
        let viewed = &self.viewed;
        if !as_json {
            println!("rooms {} finished {}", self.rooms, self.finished);
            println!("acts {} acknowledged {} refused {}", self.acts, self.acknowledged, self.refused);
            println!("own acknowledgement ms: p50 {} p99 {}", own[0], own[1]);
            println!("delivery to others ms: p50 {} p99 {}", delivery[0], delivery[1]);
            if viewed.viewers > 0 {
                let Viewed { viewers, messages, bytes, missing, doubled, snapshots, lines_lost, .. } = viewed;
                println!("viewers {viewers} messages {messages} bytes {bytes} deliveries {deliveries}");
                println!("missing {missing} doubled {doubled} snapshots {snapshots} lines lost {lines_lost}");
                println!("delivery to viewers ms: p50 {} p99 {}", seen[0], seen[1]);
            }
            if let (Some(alone), Some(ratio)) = (self.alone, ratio) {
                println!("own acknowledgement without viewers ms: p50 {} p99 {}", alone[0], alone[1]);
                println!("with viewers, as a ratio: p50 {:.2} p99 {:.2}", ratio[0], ratio[1]);
            }
            if let Some(Took { cpu_ms, memory_before_bytes, memory_bytes }) = self.server {
                let [before, after] = [memory_before_bytes, memory_bytes].map(|bytes| bytes as f64 / MIB);
                println!(
                    "server: {cpu_ms} ms of processor time, {before:.1} MiB when play began, {after:.1} MiB at its end"
                );
                if deliveries > 0 {
                    println!(
                        "server time a delivery, all else included: {:.2} us",
                        cpu_ms * 1_000.0 / deliveries as f64
                    );
                }
            }
            for (code, count) in &self.unexplained {
                println!("unexplained refusals: {code} {count}");
            }
            return;
        }
        let mut object = Map::new();
        object.insert("rooms".into(), self.rooms.into());
        object.insert("finished".into(), self.finished.into());
        object.insert("acts".into(), self.acts.into());
        object.insert("acknowledged".into(), self.acknowledged.into());
        object.insert("refused".into(), self.refused.into());
        object.insert("own_ack_ms".into(), json!({"p50": own[0], "p99": own[1]}));
        object.insert("delivery_ms".into(), json!({"p50": delivery[0], "p99": delivery[1]}));
        if viewed.viewers > 0 {
            let Viewed { viewers, messages, bytes, missing, doubled, snapshots, lines_lost, .. } = viewed;
            let told = json!({
                "viewers": viewers, "messages": messages, "bytes": bytes, "deliveries": deliveries, "missing": missing, "doubled": doubled,
                "snapshots": snapshots, "lines_lost": lines_lost, "delivery_ms": {"p50": seen[0], "p99": seen[1]},
            });
            object.insert("watched".into(), told);
        }
        if let (Some(alone), Some(ratio)) = (self.alone, ratio) {
            object.insert("own_ack_alone_ms".into(), json!({"p50": alone[0], "p99": alone[1]}));
            object.insert("own_ack_ratio".into(), json!({"p50": ratio[0], "p99": ratio[1]}));
        }
        if let Some(Took { cpu_ms, memory_before_bytes, memory_bytes }) = self.server {
            let memory = json!({"before": memory_before_bytes, "after": memory_bytes});
            object.insert("server".into(), json!({"cpu_ms": cpu_ms, "memory_bytes": memory}));
        }
        if !self.unexplained.is_empty() {
            object.insert("unexplained".into(), json!(self.unexplained));
        }
        println!("{}", Value::Object(object));
    }
}

impl Times {
    /// Keeps one.
    pub fn push(&mut self, time: Duration) {
        self.0.push(u32::try_from(time.as_micros()).unwrap_or(u32::MAX));
    }

    /// Keeps those that were measured.
    pub fn extend(&mut self, times: impl IntoIterator<Item = Duration>) {
        times.into_iter().for_each(|time| self.push(time));
    }

    /// The 50th and the 99th percentile in milliseconds by nearest rank; 0 where nothing was measured.
    pub fn percentiles(&mut self) -> [f64; 2] {
        self.0.sort_unstable();
        [50, 99].map(|percent| {
            let rank = (self.0.len() * percent).div_ceil(100);
            self.0.get(rank.saturating_sub(1)).map_or(0.0, |us| f64::from(*us) / 1000.0)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_of_the_nearest_rank() {
        let mut times = Times::default();
        (1..=200).rev().for_each(|ms| times.push(Duration::from_millis(ms)));
        assert_eq!(times.percentiles(), [100.0, 198.0]);
        assert_eq!(Times::default().percentiles(), [0.0, 0.0]);
    }
}
