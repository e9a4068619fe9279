//! `sprint hanoi`: the classic tower as lines for scripts, or played in this terminal. Needs no server.
//!
//! Data goes to standard output, messages to standard error; exit 0, 1 (it cannot be written) or 2 (a bad call).

use std::io::{self, BufWriter, ErrorKind, Write};
use std::process::ExitCode;

use clap::Args;
use sprint_shared::classic::{Method, NoTower, OutOfRange, Peg, Tower, span};

use crate::screen;
use crate::solve::{DOES_NOT_HOLD, bad_call};
use crate::text::complain;

/// Plays the classic tower: n disks, three pegs, 2^n - 1 moves. Where there is no terminal, prints what it takes.
#[derive(Args, Clone, Debug)]
pub struct HanoiArgs {
    /// Disks, 0 to 64.
    #[arg(long, value_name = "N", default_value = "7", value_parser = disks)]
    pub disks: u64,
    /// How the moves are found: recursive, smallest, cyclic or parity. All find the same.
    #[arg(long, value_name = "METHOD", default_value = "recursive")]
    pub method: Method,
    /// The peg on which the tower stands: 1, 2 or 3, or A, B or C.
    #[arg(long, value_name = "PEG", default_value = "1")]
    pub from: Peg,
    /// The peg to which it is brought.
    #[arg(long, value_name = "PEG", default_value = "3")]
    pub to: Peg,
    /// Prints every move, one a line: `disk from-to`.
    #[arg(long, conflicts_with = "at")]
    pub list: bool,
    /// Prints move K and the position after K moves, at once: each peg's disks from the bottom up.
    #[arg(long, value_name = "K", value_parser = number)]
    pub at: Option<u128>,
    /// Looks.
    #[command(flatten)]
    pub looks: screen::Looks,
}

/// Reads a number of disks. Whether there is such a tower is judged with the rest.
fn disks(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "give a whole number from 0 to 64".to_owned())
}

/// Reads a number of moves that a person typed.
pub(crate) fn number(text: &str) -> Result<u128, String> {
    text.parse().map_err(|_| "give a whole number of moves from 0 to 2^N - 1".to_owned())
}

impl HanoiArgs {
    /// The tower that is meant.
    pub fn tower(&self) -> Result<Tower, NoTower> {
        Tower::new(self.disks, self.from, self.to)
    }
}

/// Runs `sprint hanoi`.
pub async fn run(args: HanoiArgs) -> ExitCode {
    let tower = match args.tower() {
        Ok(tower) => tower,
        Err(error) => return bad_call(error),
    };
    if args.list {
        return printed(|out| list(tower, args.method, out));
    }
    match args.at.map(|made| at(tower, made)) {
        Some(Ok(lines)) => printed(|out| out.write_all(lines.as_bytes())),
        Some(Err(error)) => bad_call(format!("--at: {error}")),
        None if screen::on_a_terminal().is_ok() => screen::hanoi(tower, args.method, &args.looks).await,
        None => printed(|out| out.write_all(summary(tower).as_bytes())),
    }
}

/// Writes to standard output; who reads no further, such as `head`, has got what they wanted.
fn printed(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> ExitCode {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {
            // What is left in the buffer has nobody to go to either.
            let _ = out.into_parts();
            ExitCode::SUCCESS
        }
        Err(error) => {
            complain(format!("standard output: {error}"));
            ExitCode::from(DOES_NOT_HOLD)
        }
    }
}

/// Every move, one a line, as long as it takes: the memory is that of one move.
fn list(tower: Tower, method: Method, out: &mut dyn Write) -> io::Result<()> {
    tower.play_out(method).try_for_each(|step| writeln!(out, "{step}"))
}

/// Move `made` and the position after so many.
fn at(tower: Tower, made: u128) -> Result<String, OutOfRange> {
    let position = tower.after(made)?;
    let step = tower.move_at(made).map_or_else(|_| "none yet".to_owned(), |step| step.to_string());
    let mut lines = format!("move {made} of {}: {step}\n", tower.moves());
    for peg in Peg::ALL {
        let on: Vec<String> = position.on(peg).map(|disk| disk.to_string()).collect();
        lines += &format!("peg {peg}: {}\n", if on.is_empty() { "-".to_owned() } else { on.join(" ") });
    }
    Ok(lines + &format!("left: {}\n", position.moves_left(tower.target())))
}

/// What a tower takes: all moves, the time at one a second, each disk's share and its way round.
fn summary(tower: Tower) -> String {
    let (disks, moves) = (tower.disks(), tower.moves());
    let mut lines = format!(
        "disks {disks}, from peg {} to peg {}\nmoves {moves}\nat one move a second {}\n",
        tower.source(),
        tower.target(),
        span(moves)
    );
    if disks > 0 {
        lines += &format!("{:>4} {:>20} way round\n", "disk", "moves");
    }
    for disk in 1..=disks {
        lines += &format!("{disk:>4} {:>20} {}\n", tower.moves_of(disk), tower.round_of(disk));
    }
    lines
}
