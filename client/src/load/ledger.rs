//! The ledger: every acknowledgement that a bot received, written before anything else is done with it.
//!
//! One JSON line each, each handed to the operating system at once, so that it outlives this program.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;

use serde::{Deserialize, Serialize};
use sprint_shared::time::Seat;
use uuid::Uuid;

/// One acknowledgement.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Entry {
    /// The room's code.
    pub room: String,
    /// The round's id.
    pub round_id: Uuid,
    /// The player's id.
    pub player: Uuid,
    /// The seat that acted.
    pub seat: Seat,
    /// The act's running number.
    pub n: u32,
    /// The event's type on the wire.
    pub kind: String,
    /// The event's number in its room.
    pub seq: u32,
}

/// A ledger that is being written.
pub struct Ledger(Mutex<File>);

impl Ledger {
    /// Opens a ledger for appending.
    pub fn open(path: &Path) -> Result<Ledger, String> {
        let file = OpenOptions::new().create(true).append(true).open(path);
        file.map(|file| Ledger(Mutex::new(file))).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Writes an entry. A ledger that cannot be written is worth nothing, so that ends the program.
    pub fn write(&self, entry: &Entry) {
        let mut line = serde_json::to_string(entry).expect("an entry is plain JSON");
        line.push('\n');
        let mut file = self.0.lock().expect("no writer panics");
        if let Err(error) = file.write_all(line.as_bytes()) {
            eprintln!("the ledger cannot be written: {error}");
            std::process::exit(1);
        }
    }
}

/// Reads a ledger. A last line that was cut off by the end of its writer is left out.
pub fn read(path: &Path) -> Result<Vec<Entry>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let lines = whole.lines().zip(1..);
    lines
        .map(|(line, number)| {
            serde_json::from_str(line).map_err(|error| format!("{} line {number}: {error}", path.display()))
        })
        .collect()
}
