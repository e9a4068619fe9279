//! Four ways to find the moves of a tower, one after the other. Each is its own algorithm and knows nothing of the
//! others nor of the direct formulas; all give the same moves (RULES section 8).

mod cyclic;
mod parity;
mod recursive;
mod smallest;

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{Move, Tower};
pub(super) use cyclic::pairs;

/// A way to find the moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Out of the way with the smaller ones, the largest over, the smaller ones after it.
    Recursive,
    /// The smallest disk goes round at every other move; between, the only other move there is.
    Smallest,
    /// Three pairs of pegs in turn: between two pegs only one move is allowed.
    Cyclic,
    /// Odd disks go one way round, even disks the other, and no disk moves twice running.
    Parity,
}

/// A text that names no method.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no method {0:?}: there are recursive, smallest, cyclic and parity")]
pub struct NoMethod(pub String);

impl Method {
    /// All four.
    pub const ALL: [Method; 4] = [Method::Recursive, Method::Smallest, Method::Cyclic, Method::Parity];

    /// The name on command lines and in addresses.
    pub fn name(self) -> &'static str {
        ["recursive", "smallest", "cyclic", "parity"][self as usize]
    }
}

impl FromStr for Method {
    type Err = NoMethod;

    fn from_str(text: &str) -> Result<Method, NoMethod> {
        Method::ALL.into_iter().find(|method| method.name() == text).ok_or_else(|| NoMethod(text.to_owned()))
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The moves of a tower as one method finds them, in memory for the disks alone.
#[derive(Clone, Debug)]
pub struct Moves(Inner);

#[derive(Clone, Debug)]
enum Inner {
    Recursive(recursive::Recursive),
    Smallest(smallest::Smallest),
    Cyclic(cyclic::Cyclic),
    Parity(parity::Parity),
}

impl Moves {
    pub(super) fn new(tower: Tower, method: Method) -> Moves {
        Moves(match method {
            Method::Recursive => Inner::Recursive(recursive::Recursive::new(tower)),
            Method::Smallest => Inner::Smallest(smallest::Smallest::new(tower)),
            Method::Cyclic => Inner::Cyclic(cyclic::Cyclic::new(tower)),
            Method::Parity => Inner::Parity(parity::Parity::new(tower)),
        })
    }
}

impl Iterator for Moves {
    type Item = Move;

    fn next(&mut self) -> Option<Move> {
        match &mut self.0 {
            Inner::Recursive(moves) => moves.next(),
            Inner::Smallest(moves) => moves.next(),
            Inner::Cyclic(moves) => moves.next(),
            Inner::Parity(moves) => moves.next(),
        }
    }
}
