//! The checker of certificates: a second, simple program that believes nothing but the rules.
//!
//! A certificate names a board, its optimum with a line of play, and every position of a set with its distance to
//! harmony. The checker plays the line, and then holds for every position of the set: every legal transfer leads to a
//! position of the set (closed); it is harmony exactly where its distance is 0; no transfer brings harmony nearer by more
//! than one, and some transfer by exactly one; from a lost position every transfer leads to lost ones. From that it
//! follows that each distance is exact: a line of that length exists step by step, a shorter one would have to skip.
//!
//! It shares no code with the solver, and must not: only boards, notation and the laws of transfer.
//!
//! The text is one line each: a header, `board`, `optimum` (a number or `unsolvable`), `line` if there is one, then
//! `PEGS[@TRANSFERS] DISTANCE` for each position, up to the order of pegs of equal capacity, rings and home
//! (`@TRANSFERS` where a ring waits for transfers), and `sha256` over all before it.

use std::collections::HashMap;

use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::board::{Board, Until};
use crate::disk::Spectrum;
use crate::notation::{parse_line, position_of};
use crate::peg::{PegId, Pegs};
use crate::rules::Transfers;

/// The first line of every certificate.
pub const HEADER: &str = "sprint certificate 1";

/// Greater distances are refused unread: no certificate that can be written out has any, and sums with them stay sums.
const DISTANCE_MAX: u32 = 1_000_000_000;

/// What an accepted certificate proves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proven {
    /// The board.
    pub board: Board,
    /// Its optimum; `None`: it cannot be solved.
    pub optimum: Option<u32>,
    /// Positions checked.
    pub positions: usize,
}

/// Why a certificate is refused: the line of its text, from 1, and the reason.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {reason}")]
pub struct Refused {
    /// The line of the text, counted from 1.
    pub line: usize,
    /// What does not hold there.
    pub reason: String,
}

/// Checks a certificate by the rules alone.
pub fn check(text: &str) -> Result<Proven, Refused> {
    let body = check_seal(text)?;
    let lines: Vec<&str> = body.lines().collect();
    if lines.first() != Some(&HEADER) {
        return refuse(1, format!("expected {HEADER:?}"));
    }
    let board_text = field(&lines, 1, "board ")?;
    let board: Board = board_text.parse().or_else(|e| refuse(2, format!("the board, {e}")))?;
    let optimum = match field(&lines, 2, "optimum ")? {
        "unsolvable" => None,
        number => Some(number.parse().or_else(|_| refuse(3, "expected a number or \"unsolvable\"".to_owned()))?),
    };
    let mut first = 3;
    if let Some(optimum) = optimum {
        check_line(&board, field(&lines, 3, "line")?.trim_start(), optimum)?;
        first = 4;
    }
    let set = Set::read(&board, &lines, first)?;
    set.check()?;
    match set.distance.get(&canonical(&set.kinds, board.pegs(), 0)) {
        Some((distance, _)) if *distance == optimum => Ok(Proven { positions: set.distance.len(), board, optimum }),
        Some((_, line)) => refuse(*line, "the board's own distance is not the optimum".to_owned()),
        None => refuse(lines.len(), "the board's own position is not in the set".to_owned()),
    }
}

/// The text with its last line, the hash over all before.
pub(crate) fn sealed(text: String) -> String {
    let hash = hex::encode(Sha256::digest(text.as_bytes()));
    text + "sha256 " + &hash + "\n"
}

fn check_seal(text: &str) -> Result<&str, Refused> {
    let last = text.lines().count();
    let Some((body, hash)) = text.rfind("sha256 ").map(|at| text.split_at(at)) else {
        return refuse(last, "expected sha256 and 64 hex digits as the last line".to_owned());
    };
    let found = hash.trim_start_matches("sha256 ").trim_end();
    if found == hex::encode(Sha256::digest(body.as_bytes())) {
        Ok(body)
    } else {
        refuse(last, "the hash is not that of the lines above: the text was altered or cut".to_owned())
    }
}

fn refuse<T>(line: usize, reason: String) -> Result<T, Refused> {
    Err(Refused { line, reason })
}

fn field<'a>(lines: &[&'a str], index: usize, name: &str) -> Result<&'a str, Refused> {
    let found = lines.get(index).and_then(|line| line.strip_prefix(name));
    found.ok_or_else(|| Refused { line: index + 1, reason: format!("expected {:?}", name.trim_end()) })
}

/// The line is legal, of that length, and ends in harmony: so the optimum is no larger.
fn check_line(board: &Board, text: &str, optimum: u32) -> Result<(), Refused> {
    let line = parse_line(text).or_else(|e| refuse(4, format!("the line of play, {e}")))?;
    if line.len() != optimum as usize {
        return refuse(4, format!("{} transfers, but the optimum is given as {optimum}", line.len()));
    }
    let mut board = board.clone();
    for (made, transfer) in (0..).zip(line) {
        board.play(transfer, made).or_else(|e| refuse(4, format!("transfer {}, {transfer}: {e}", made + 1)))?;
    }
    if board.is_harmony() { Ok(()) } else { refuse(4, "the line of play does not end in harmony".to_owned()) }
}

/// The positions of a certificate by canonical form, with distance (`None`: lost) and line of the text.
struct Set<'a> {
    board: &'a Board,
    kinds: Vec<usize>,
    positions: Vec<(Board, Transfers, usize)>,
    distance: HashMap<Box<[u8]>, (Option<u32>, usize)>,
}

impl<'a> Set<'a> {
    fn read(board: &'a Board, lines: &[&str], first: usize) -> Result<Set<'a>, Refused> {
        let mut set = Set { board, kinds: kinds(board), positions: Vec::new(), distance: HashMap::new() };
        for (index, text) in lines.iter().enumerate().skip(first) {
            let line = index + 1;
            let malformed = || Refused { line, reason: "expected PEGS[@TRANSFERS] DISTANCE".to_owned() };
            let (place, distance) = text.split_once(' ').ok_or_else(malformed)?;
            let (pegs, made) = place.split_once('@').unwrap_or((place, "0"));
            let made: Transfers = made.parse().map_err(|_| malformed())?;
            let waits = waits_until(board);
            if made > waits {
                return refuse(line, format!("no ring waits for {made} transfers: at most {waits} are told apart"));
            }
            let distance = match distance {
                "lost" => None,
                number => Some(number.parse().map_err(|_| malformed())?),
            };
            if distance.is_some_and(|d| d > DISTANCE_MAX) {
                return refuse(line, format!("a distance is at most {DISTANCE_MAX}"));
            }
            let position = position_of(board, pegs).or_else(|e| refuse(line, format!("the position, {e}")))?;
            let key = canonical(&set.kinds, position.pegs(), made);
            if set.distance.insert(key, (distance, line)).is_some() {
                return refuse(line, "a position that stands above already".to_owned());
            }
            set.positions.push((position, made, line));
        }
        Ok(set)
    }

    fn check(&self) -> Result<(), Refused> {
        for (position, made, line) in &self.positions {
            let here = self.distance[&canonical(&self.kinds, position.pegs(), *made)].0;
            if position.is_harmony() != (here == Some(0)) {
                return refuse(*line, "harmony and distance 0 go together".to_owned());
            }
            let mut comes_nearer = here.is_none_or(|d| d == 0);
            for transfer in position.legal_transfers(*made) {
                let mut next = position.clone();
                next.play_unchecked(transfer);
                let after = (made + 1).min(waits_until(self.board));
                let Some((there, _)) = self.distance.get(&canonical(&self.kinds, next.pegs(), after)) else {
                    return refuse(*line, format!("{transfer} leads out of the set"));
                };
                match (here, there) {
                    (None, Some(_)) => return refuse(*line, format!("{transfer} leads from lost to not lost")),
                    (Some(here), Some(there)) if here > there + 1 => {
                        return refuse(*line, format!("{transfer} comes nearer by more than one"));
                    }
                    (Some(here), Some(there)) => comes_nearer |= here == there + 1,
                    (_, None) => {}
                }
            }
            if !comes_nearer {
                return refuse(*line, "no transfer comes nearer by one".to_owned());
            }
        }
        Ok(())
    }
}

/// Transfers above this number make no difference to any ring.
fn waits_until(board: &Board) -> Transfers {
    let waits = board.rings().iter().map(|ring| match ring.until {
        Until::Moves(n) => n.into(),
        Until::Towers(_) => 0,
    });
    waits.max().unwrap_or(0)
}

/// For each peg, a number that pegs of equal capacity, rings and home share.
fn kinds(board: &Board) -> Vec<usize> {
    let kind = |peg: PegId| {
        let rings: Vec<_> = board.rings().iter().filter(|r| r.peg == peg).map(|r| (r.kind, r.until)).collect();
        let home = Spectrum::ALL.into_iter().find(|&s| board.home(s) == Some(peg));
        (board.capacity(peg), rings, home)
    };
    let all: Vec<_> = board.pegs().ids().map(kind).collect();
    all.iter().map(|k| all.iter().position(|other| other == k).expect("it is one of them")).collect()
}

/// A position with pegs of one kind in the order of what they carry, so that their order makes no difference.
fn canonical(kinds: &[usize], pegs: &Pegs, made: Transfers) -> Box<[u8]> {
    let mut order: Vec<PegId> = pegs.ids().collect();
    order.sort_by_key(|&id| (kinds[id.index()], pegs[id].disks()));
    let mut bytes = made.to_le_bytes().to_vec();
    for id in order {
        bytes.extend(pegs[id].disks().iter().map(|disk| disk.index() as u8));
        bytes.push(u8::MAX);
    }
    bytes.into()
}
