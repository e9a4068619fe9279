//! What a stage's board must be like: one line of `slots.txt` each.

use std::ops::RangeInclusive;

use sprint_shared::almanac::StageNumber;

/// The band of a number; `None`: as it comes.
pub type Wanted = Option<RangeInclusive<u32>>;

/// What a board is made of, and what must be proven of it.
#[derive(Clone, Debug)]
pub struct Slot {
    pub stage: StageNumber,
    pub seed: u64,
    pub spectra: u8,
    /// Disks of each spectrum, sizes 1 to this.
    pub sizes: u8,
    pub pegs: u8,
    /// Pegs without a disk at the start, the last ones.
    pub free: u8,
    /// As in the notation.
    pub rings: String,
    /// As in the notation.
    pub homes: String,
    /// `None`: as the difficulty has it, which then lies within 6 % of the stage's target.
    pub optimum: Wanted,
    /// What rings and homes must add to the optimum, at least.
    pub adds: u32,
    /// Disks that are settled at the start.
    pub settled: Wanted,
    /// Transfers of an optimal line beyond one for each disk that is not settled.
    pub detours: Wanted,
    /// Disks on the first peg.
    pub first: Wanted,
    /// Homes that carry the base of another spectrum with a home.
    pub crossed: Wanted,
    /// First transfers that begin an optimal line.
    pub best: Wanted,
    /// First transfers onto a disk that do not.
    pub lures: Wanted,
    /// Traps on the optimal line.
    pub traps: Wanted,
    /// Lost positions of a thousand.
    pub lost: Wanted,
    /// Placings onto a disk that is not settled, on the optimal line with the fewest of them.
    pub staged: Wanted,
}

/// Reads all slots. Panics at a line that is none: they are part of this program.
pub fn read(text: &str) -> Vec<Slot> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| slot(line).unwrap_or_else(|part| panic!("{line}: {part:?} is nothing that a slot asks for")))
        .collect()
}

/// The slot of a line, or the part of it that is wrong.
fn slot(line: &str) -> Result<Slot, &str> {
    let (number, rest) = line.split_once(' ').ok_or(line)?;
    let stage = number.parse().ok().and_then(StageNumber::new).ok_or(number)?;
    let mut slot = Slot {
        stage,
        seed: 1,
        spectra: 0,
        sizes: 0,
        pegs: 0,
        free: 0,
        rings: "-".to_owned(),
        homes: "-".to_owned(),
        optimum: None,
        adds: 0,
        settled: None,
        detours: None,
        first: None,
        crossed: None,
        best: None,
        lures: None,
        traps: None,
        lost: None,
        staged: None,
    };
    rest.split(' ').try_for_each(|word| take(&mut slot, word).ok_or(word))?;
    Ok(slot)
}

/// Takes a `KEY=VALUE` into the slot; `None` if it is none.
fn take(slot: &mut Slot, word: &str) -> Option<()> {
    let (key, value) = word.split_once('=')?;
    match key {
        "seed" => slot.seed = value.parse().ok()?,
        "spectra" => slot.spectra = value.parse().ok()?,
        "sizes" => slot.sizes = value.parse().ok()?,
        "pegs" => slot.pegs = value.parse().ok()?,
        "free" => slot.free = value.parse().ok()?,
        "rings" => slot.rings = value.to_owned(),
        "homes" => slot.homes = value.to_owned(),
        "adds" => slot.adds = value.parse().ok()?,
        _ => {
            let wanted = match key {
                "optimum" => &mut slot.optimum,
                "settled" => &mut slot.settled,
                "detours" => &mut slot.detours,
                "first" => &mut slot.first,
                "crossed" => &mut slot.crossed,
                "best" => &mut slot.best,
                "lures" => &mut slot.lures,
                "traps" => &mut slot.traps,
                "lost" => &mut slot.lost,
                "staged" => &mut slot.staged,
                _ => return None,
            };
            *wanted = Some(range(value)?);
        }
    }
    Some(())
}

/// `LEAST..MOST`, `LEAST..` or one number.
fn range(text: &str) -> Option<RangeInclusive<u32>> {
    let (least, most) = text.split_once("..").unwrap_or((text, text));
    let most = if most.is_empty() { u32::MAX } else { most.parse().ok()? };
    Some(least.parse().ok()?..=most)
}
