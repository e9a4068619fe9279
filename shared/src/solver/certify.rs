//! Writes certificates: the whole reachable set with every distance, for `certificate.rs` to check.

use std::fmt::Write;

use super::space::Space;
use super::table::{Graph, LOST};
use super::{Budget, NoTable};
use crate::board::Board;
use crate::certificate::{HEADER, sealed};
use crate::notation::{PegsNotation, format_line};
use crate::solver::Table;

/// Writes the certificate of a board's optimum, or that it cannot be solved: a text that
/// [`certificate::check`](crate::certificate::check) accepts. At most `positions_max` positions.
pub fn certify(board: &Board, positions_max: u64, budget: &Budget) -> Result<String, NoTable> {
    let table = Table::build(board, positions_max, budget)?;
    let space = Space::new(board);
    let mut text = format!("{HEADER}\nboard {board}\n");
    match table.line() {
        Some(line) => text += &format!("optimum {}\nline {}\n", line.len(), format_line(&line)),
        None => text += "optimum unsolvable\n",
    }
    match space.words() {
        1 => list::<1>(&space, positions_max, budget, &mut text)?,
        2 => list::<2>(&space, positions_max, budget, &mut text)?,
        _ => list::<3>(&space, positions_max, budget, &mut text)?,
    }
    Ok(sealed(text))
}

fn list<const N: usize>(space: &Space, positions_max: u64, budget: &Budget, text: &mut String) -> Result<(), NoTable> {
    let graph = Graph::<N>::list(space, positions_max, budget, None)?;
    let distances = graph.distances()?;
    for (key, distance) in graph.into_keys().into_iter().zip(distances) {
        let pegs = space.pegs_of(key);
        let made = space.made(key);
        let at = if made > 0 { format!("@{made}") } else { String::new() };
        let distance = if distance == LOST { "lost".to_owned() } else { distance.to_string() };
        writeln!(text, "{}{at} {distance}", PegsNotation(&pegs)).expect("a string takes every text");
    }
    Ok(())
}
