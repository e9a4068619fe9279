//! The one-line notation of boards, transfers and lines of play (RULES section 7).
//!
//! `PEGS CAPACITY [RINGS] [HOMES]`, one canonical form a board: what [`Display`](fmt::Display) writes.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use thiserror::Error;

use crate::board::{Board, InvalidBoard, Ring, RingKind, Until, WAIT_MAX};
use crate::disk::{Disk, SPECTRA, SizeOutOfRange, Spectrum};
use crate::peg::{Peg, PegId, Pegs};
use crate::rules::Transfer;

/// A text that is no board or line of play: where, counted in characters from 1, and why.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("column {column}: {reason}")]
pub struct NotationError {
    /// The column, counted in characters from 1.
    pub column: usize,
    /// What is wrong there, and what would be right.
    pub reason: Reason,
}

/// What is wrong with a text in notation.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Reason {
    /// A character that cannot stand there.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What would be right.
        expected: &'static str,
        /// What stands there.
        found: Found,
    },
    /// A number too large for its field.
    #[error("{number} is too large: {expected}")]
    TooLarge {
        /// The digits as written.
        number: String,
        /// What would be right.
        expected: &'static str,
    },
    /// A disk's size out of range.
    #[error(transparent)]
    Size(#[from] SizeOutOfRange),
    /// More disks than any peg can carry.
    #[error("a peg carries at most 7 disks")]
    PegFull,
    /// A field in another than the canonical order, or given twice.
    #[error("{0}")]
    Order(&'static str),
    /// The text is well formed, the board is not valid.
    #[error(transparent)]
    Invalid(#[from] InvalidBoard),
}

/// What was found in place of what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// A character.
    Char(char),
    /// The end of the text.
    End,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Found::Char(c) => write!(f, "{c:?}"),
            Found::End => f.write_str("the end"),
        }
    }
}

impl FromStr for Board {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Board, NotationError> {
        let mut cursor = Cursor::new(text);
        let pegs = cursor.pegs()?;
        cursor.expect(' ', "a space and the capacity")?;
        let capacity_column = cursor.column;
        let mut capacities = cursor.capacities()?;
        if capacities.len() == 1 {
            capacities = vec![capacities[0]; pegs.len()];
        }
        let mut rings = Vec::new();
        let mut homes = [None; SPECTRA];
        let (mut rings_column, mut homes_column) = (cursor.column, cursor.column);
        if cursor.take(' ') {
            rings_column = cursor.column;
            rings = cursor.rings()?;
            if cursor.take(' ') {
                homes_column = cursor.column;
                homes = cursor.homes()?;
            }
        }
        cursor.end()?;
        Board::new(pegs, &capacities, rings, homes).map_err(|invalid| {
            let column = match invalid {
                InvalidBoard::Capacity { .. } | InvalidBoard::CapacityCount { .. } => capacity_column,
                InvalidBoard::RingPeg { .. }
                | InvalidBoard::RingCount(_)
                | InvalidBoard::Collars(_)
                | InvalidBoard::RingMoves { .. }
                | InvalidBoard::RingTowers { .. } => rings_column,
                InvalidBoard::HomePeg { .. }
                | InvalidBoard::HomeShared { .. }
                | InvalidBoard::HomeInactive(_)
                | InvalidBoard::HomeTooSmall { .. } => homes_column,
                InvalidBoard::PegCount(_) | InvalidBoard::Empty => 1,
                InvalidBoard::OverCapacity { peg, .. } => peg_column(text, peg),
                InvalidBoard::Twice { disk, .. } => second_column(text, disk),
            };
            NotationError { column, reason: Reason::Invalid(invalid) }
        })
    }
}

/// The column at which that peg begins; the text is known to be well formed.
fn peg_column(text: &str, peg: PegId) -> usize {
    let slashes = text.char_indices().filter(|&(_, c)| c == '/').map(|(i, _)| i + 2);
    std::iter::once(1).chain(slashes).nth(peg.index()).unwrap_or(1)
}

/// The column of the second mention of that disk; the text is known to be well formed.
fn second_column(text: &str, disk: Disk) -> usize {
    text.match_indices(&disk.to_string()).nth(1).map_or(1, |(i, _)| i + 1)
}

/// Reads characters, counting columns from 1.
struct Cursor<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    column: usize,
}

impl<'a> Cursor<'a> {
    fn new(text: &'a str) -> Self {
        Cursor { rest: text.chars().peekable(), column: 1 }
    }

    fn peek(&mut self) -> Option<char> {
        self.rest.peek().copied()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.rest.next();
        self.column += usize::from(c.is_some());
        c
    }

    fn take(&mut self, wanted: char) -> bool {
        let hit = self.peek() == Some(wanted);
        if hit {
            self.next();
        }
        hit
    }

    fn expected<T>(&mut self, expected: &'static str) -> Result<T, NotationError> {
        let found = self.peek().map_or(Found::End, Found::Char);
        self.fail(Reason::Expected { expected, found })
    }

    fn fail<T>(&self, reason: impl Into<Reason>) -> Result<T, NotationError> {
        Err(NotationError { column: self.column, reason: reason.into() })
    }

    fn expect(&mut self, wanted: char, expected: &'static str) -> Result<(), NotationError> {
        if self.take(wanted) { Ok(()) } else { self.expected(expected) }
    }

    fn end(&mut self) -> Result<(), NotationError> {
        if self.peek().is_none() { Ok(()) } else { self.expected("the end") }
    }

    /// A decimal number without leading zeros, at most `max`.
    fn number(&mut self, max: u32, expected: &'static str) -> Result<u32, NotationError> {
        let column = self.column;
        let mut digits = String::new();
        while let Some(c) = self.peek().filter(char::is_ascii_digit) {
            digits.push(c);
            self.next();
        }
        let fail = |reason| Err(NotationError { column, reason });
        match digits.parse::<u32>() {
            Ok(_) if digits.len() > 1 && digits.starts_with('0') => {
                fail(Reason::Order("a number is written without leading zeros"))
            }
            Ok(n) if n <= max => Ok(n),
            _ if digits.is_empty() => self.expected(expected),
            _ => fail(Reason::TooLarge { number: digits, expected }),
        }
    }

    fn peg_id(&mut self) -> Result<PegId, NotationError> {
        let column = self.column;
        let number = self.number(9, "a peg number, 1 to 9")?;
        PegId::new(number).ok_or(NotationError {
            column,
            reason: Reason::Expected { expected: "a peg number, 1 to 9", found: Found::Char('0') },
        })
    }

    fn pegs(&mut self) -> Result<Pegs, NotationError> {
        let mut pegs = Pegs::default();
        loop {
            let column = self.column;
            let peg = self.peg()?;
            if pegs.push(peg).is_err() {
                let reason = InvalidBoard::PegCount(10).into();
                return Err(NotationError { column, reason });
            }
            if !self.take('/') {
                return Ok(pegs);
            }
        }
    }

    fn peg(&mut self) -> Result<Peg, NotationError> {
        const DISK: &str = "a disk such as R7, or - for an empty peg";
        let mut peg = Peg::default();
        if self.take('-') {
            return Ok(peg);
        }
        while let Some(spectrum) = self.peek().and_then(Spectrum::from_letter) {
            let column = self.column;
            self.next();
            let Some(size) = self.peek().and_then(|c| c.to_digit(10)) else {
                return self.expected("a size, 1 to 7");
            };
            let disk = Disk::new(spectrum, size as u8).or_else(|e| self.fail(e))?;
            self.next();
            if peg.push(disk).is_err() {
                return Err(NotationError { column, reason: Reason::PegFull });
            }
        }
        if peg.is_empty() || !matches!(self.peek(), None | Some('/' | ' ')) {
            return self.expected(DISK);
        }
        Ok(peg)
    }

    fn capacities(&mut self) -> Result<Vec<u8>, NotationError> {
        let mut capacities = Vec::new();
        loop {
            capacities.push(self.number(99, "a capacity, 1 to 7")? as u8);
            if !self.take(',') {
                return Ok(capacities);
            }
        }
    }

    fn rings(&mut self) -> Result<Vec<Ring>, NotationError> {
        let mut rings = Vec::new();
        if self.take('-') {
            return Ok(rings);
        }
        loop {
            rings.push(self.ring()?);
            if !self.take(',') {
                return Ok(rings);
            }
        }
    }

    fn ring(&mut self) -> Result<Ring, NotationError> {
        let peg = self.peg_id()?;
        let kind = if self.take('s') {
            RingKind::Seal
        } else if self.take('c') {
            RingKind::Collars(self.number(10, "a number of collars, 1 to 10")? as u8)
        } else {
            return self.expected("s for a seal or c for collars");
        };
        self.expect('@', "@ and a condition")?;
        let until = if self.take('m') {
            Until::Moves(self.number(WAIT_MAX.into(), "a number of transfers, at most 9999")? as u16)
        } else if self.take('t') {
            Until::Towers(self.number(u8::MAX.into(), "a number of towers")? as u8)
        } else {
            return self.expected("m for transfers or t for towers");
        };
        Ok(Ring { peg, kind, until })
    }

    fn homes(&mut self) -> Result<[Option<PegId>; SPECTRA], NotationError> {
        let mut homes = [None; SPECTRA];
        if self.take('-') {
            return Ok(homes);
        }
        loop {
            let Some(spectrum) = self.peek().and_then(Spectrum::from_letter) else {
                return self.expected("a home such as R1");
            };
            if homes[spectrum.index()..].iter().any(Option::is_some) {
                return self.fail(Reason::Order("homes stand in the order R, S, E, A, V, each once"));
            }
            self.next();
            homes[spectrum.index()] = Some(self.peg_id()?);
            if !self.take(',') {
                return Ok(homes);
            }
        }
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", PegsNotation(self.pegs()))?;
        let capacities = self.capacities();
        if capacities.iter().all(|c| *c == capacities[0]) {
            write!(f, "{}", capacities[0])?;
        } else {
            joined(f, capacities.iter())?;
        }
        let homes = self.disks().spectra().filter_map(|s| self.home(s).map(|peg| format!("{}{peg}", s.letter())));
        let homes: Vec<String> = homes.collect();
        if !self.rings().is_empty() {
            f.write_char(' ')?;
            joined(f, self.rings().iter())?;
        } else if !homes.is_empty() {
            f.write_str(" -")?;
        }
        if !homes.is_empty() {
            f.write_char(' ')?;
            joined(f, homes.iter())?;
        }
        Ok(())
    }
}

/// The PEGS field alone.
pub struct PegsNotation<'a>(pub &'a Pegs);

impl fmt::Display for PegsNotation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (id, peg) in self.0.iter() {
            if id.index() > 0 {
                f.write_char('/')?;
            }
            if peg.is_empty() {
                f.write_char('-')?;
            }
            for disk in peg.disks() {
                write!(f, "{disk}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Ring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.peg)?;
        match self.kind {
            RingKind::Seal => f.write_char('s')?,
            RingKind::Collars(n) => write!(f, "c{n}")?,
        }
        match self.until {
            Until::Moves(n) => write!(f, "@m{n}"),
            Until::Towers(k) => write!(f, "@t{k}"),
        }
    }
}

fn joined(f: &mut fmt::Formatter<'_>, items: impl Iterator<Item = impl fmt::Display>) -> fmt::Result {
    for (i, item) in items.enumerate() {
        if i > 0 {
            f.write_char(',')?;
        }
        write!(f, "{item}")?;
    }
    Ok(())
}

/// Reads the PEGS field alone, as another position of `board`; the disks must be the board's own, within capacities.
pub fn position_of(board: &Board, text: &str) -> Result<Board, NotationError> {
    let mut cursor = Cursor::new(text);
    let pegs = cursor.pegs()?;
    cursor.end()?;
    let homes = Spectrum::ALL.map(|s| board.home(s));
    let checked = Board::new(pegs.clone(), board.capacities(), board.rings().to_vec(), homes)
        .map_err(|invalid| NotationError { column: 1, reason: invalid.into() })?;
    if checked.disks() != board.disks() {
        let reason = Reason::Order("a position has the disks of its board, no others");
        return Err(NotationError { column: 1, reason });
    }
    Ok(checked)
}

impl FromStr for Transfer {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Transfer, NotationError> {
        let mut cursor = Cursor::new(text);
        let transfer = transfer(&mut cursor)?;
        cursor.end()?;
        Ok(transfer)
    }
}

fn transfer(cursor: &mut Cursor<'_>) -> Result<Transfer, NotationError> {
    let from = cursor.peg_id()?;
    cursor.expect('-', "- between two pegs")?;
    let to = cursor.peg_id()?;
    Ok(Transfer { from, to })
}

/// Reads a line of play, transfers separated by single spaces; the empty text is the empty line.
pub fn parse_line(text: &str) -> Result<Vec<Transfer>, NotationError> {
    let mut line = Vec::new();
    let mut cursor = Cursor::new(text);
    while cursor.peek().is_some() {
        if !line.is_empty() {
            cursor.expect(' ', "a space between transfers")?;
        }
        line.push(transfer(&mut cursor)?);
    }
    Ok(line)
}

/// Writes a line of play, transfers separated by single spaces.
pub fn format_line(line: &[Transfer]) -> String {
    line.iter().map(Transfer::to_string).collect::<Vec<_>>().join(" ")
}

impl fmt::Display for Transfer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.from, self.to)
    }
}

impl serde::Serialize for Board {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for Board {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Board, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
