//! Reads the text of an almanac, and says by line what is damaged.
//!
//! `chapter NAME` begins a chapter. A stage is `NUMBER NAME` and then, a line each and in this order, `idea`, `board`, `optimum`
//! and, where the board has rings or homes, `bare`: the optimum without them. Empty lines and lines that begin with `#` say
//! nothing.

use thiserror::Error;

use super::{Almanac, Features, STAGES, Stage, StageNumber};
use crate::board::Board;
use crate::notation::NotationError;

/// A text that is no almanac: where, and why.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {reason}")]
pub struct Damaged {
    /// The line, counted from 1; one after the last where something is missing at the end.
    pub line: usize,
    /// What is wrong there, and what would be right.
    pub reason: Reason,
}

/// What is wrong with the text of an almanac.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Reason {
    /// Another line should stand there.
    #[error("expected {expected}, found {found:?}")]
    Expected {
        /// What would be right.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// Stages are numbered one after the other.
    #[error("expected stage {expected}, found stage {found}")]
    Number {
        /// The number that comes next.
        expected: u8,
        /// The number that stands there.
        found: u32,
    },
    /// A name was used before.
    #[error("stage {0} has that name already")]
    Named(StageNumber),
    /// The board is not in the notation.
    #[error("the board, {0}")]
    Board(#[from] NotationError),
    /// The board is in the notation, but not in its canonical form.
    #[error("the canonical form of that board is {0}")]
    NotCanonical(Box<Board>),
    /// The board needs no transfer.
    #[error("that board is solved: a stage needs at least one transfer")]
    Solved,
    /// Rings and homes take ways away and give none.
    #[error("{bare} transfers without rings and homes, but {optimum} with them: no more would be right")]
    Bare {
        /// The optimum without rings and homes.
        bare: u32,
        /// The optimum.
        optimum: u32,
    },
    /// The number of stages is not 50.
    #[error("{0} stages: an almanac has {STAGES}")]
    Count(usize),
}

impl Almanac {
    /// Reads the text of an almanac. What it says of optima is believed.
    pub fn read(text: &str) -> Result<Almanac, Damaged> {
        let mut lines = Lines { all: says(text), next: 0, end: text.lines().count() + 1 };
        let mut stages: Vec<Stage> = Vec::new();
        let mut chapter = lines.field("chapter ", "a chapter and its name")?;
        while let Some(line) = lines.peek() {
            match line.strip_prefix("chapter ") {
                Some(_) => chapter = lines.field("chapter ", "a chapter and its name")?,
                None => {
                    let stage = stage(&mut lines, chapter, &stages)?;
                    stages.push(stage);
                }
            }
        }
        if stages.len() == usize::from(STAGES) {
            Ok(Almanac { stages })
        } else {
            lines.refuse(Reason::Count(stages.len()))
        }
    }
}

/// Reads one stage; `before` are those that stand above it.
fn stage(lines: &mut Lines<'_>, chapter: &str, before: &[Stage]) -> Result<Stage, Damaged> {
    let (number, name) = title(lines, before)?;
    let idea = lines.field("idea ", "the stage's idea")?;
    let written = lines.field("board ", "the stage's board")?;
    let board: Board = written.parse().or_else(|e: NotationError| lines.refuse_last(e.into()))?;
    if board.to_string() != written {
        return lines.refuse_last(Reason::NotCanonical(Box::new(board)));
    }
    if board.is_harmony() {
        return lines.refuse_last(Reason::Solved);
    }
    let optimum = lines.count("optimum ", "the stage's optimum, a number from 1")?;
    let features = Features::of(&board);
    let has_bare = features.collars + features.seals + features.homes > 0;
    let bare_optimum =
        if has_bare { lines.count("bare ", "the optimum without rings and homes, a number from 1")? } else { optimum };
    if bare_optimum > optimum {
        return lines.refuse_last(Reason::Bare { bare: bare_optimum, optimum });
    }
    let (name, chapter, idea) = (name.to_owned(), chapter.to_owned(), idea.to_owned());
    Ok(Stage { number, name, chapter, idea, board, optimum, bare_optimum })
}

fn title<'a>(lines: &mut Lines<'a>, before: &[Stage]) -> Result<(StageNumber, &'a str), Damaged> {
    const TITLE: &str = "a stage's number and name, or a chapter and its name";
    let line = lines.take(TITLE)?;
    let (number, name) = line.split_once(' ').filter(|(_, name)| !name.is_empty()).unwrap_or((line, ""));
    let Ok(found) = number.parse::<u32>() else { return lines.expected(TITLE, line) };
    if name.is_empty() {
        return lines.expected(TITLE, line);
    }
    let next = before.last().map_or(Some(StageNumber::FIRST), |stage| stage.number.next());
    let Some(next) = next else { return lines.refuse_last(Reason::Count(before.len() + 1)) };
    if found != u32::from(next.number()) {
        return lines.refuse_last(Reason::Number { expected: next.number(), found });
    }
    match before.iter().find(|stage| stage.name == name) {
        Some(stage) => lines.refuse_last(Reason::Named(stage.number)),
        None => Ok((next, name)),
    }
}

/// The lines that say something, with their numbers from 1.
fn says(text: &str) -> Vec<(usize, &str)> {
    let numbered = (1..).zip(text.lines());
    numbered.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).collect()
}

struct Lines<'a> {
    all: Vec<(usize, &'a str)>,
    next: usize,
    /// One after the last line of the text.
    end: usize,
}

impl<'a> Lines<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.all.get(self.next).map(|(_, line)| *line)
    }

    fn take(&mut self, expected: &'static str) -> Result<&'a str, Damaged> {
        let Some(line) = self.peek() else {
            return self.refuse(Reason::Expected { expected, found: "the end".to_owned() });
        };
        self.next += 1;
        Ok(line)
    }

    /// What follows the key on the next line; something must.
    fn field(&mut self, key: &str, expected: &'static str) -> Result<&'a str, Damaged> {
        let line = self.take(expected)?;
        let value = line.strip_prefix(key).filter(|value| !value.trim().is_empty());
        value.map_or_else(|| self.expected(expected, line), Ok)
    }

    fn count(&mut self, key: &str, expected: &'static str) -> Result<u32, Damaged> {
        let text = self.field(key, expected)?;
        let number = text.parse().ok().filter(|number: &u32| *number > 0 && number.to_string() == text);
        number.map_or_else(|| self.expected(expected, text), Ok)
    }

    fn expected<T>(&self, expected: &'static str, found: &str) -> Result<T, Damaged> {
        self.refuse_last(Reason::Expected { expected, found: found.to_owned() })
    }

    /// Something is wrong with the line that was taken last.
    fn refuse_last<T>(&self, reason: Reason) -> Result<T, Damaged> {
        let line = self.next.checked_sub(1).map_or(1, |last| self.all[last].0);
        Err(Damaged { line, reason })
    }

    /// Something is missing where the next line stands, or at the end.
    fn refuse<T>(&self, reason: Reason) -> Result<T, Damaged> {
        let line = self.all.get(self.next).map_or(self.end, |(line, _)| *line);
        Err(Damaged { line, reason })
    }
}
