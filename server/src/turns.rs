//! Whose turn it is where few can work at a time. Neighbourhoods take turns: whoever asks much waits behind their own.
//!
//! Must never grow without bound, nor send anybody away while a line is longer than theirs would be.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::limits::neighbourhood;

/// Who may wait for a turn, of all.
const WAITING_MAX: usize = 256;
/// Who may wait for a turn, of one neighbourhood.
const LINE_MAX: usize = 64;

/// All turns, each with a tool that goes from one to the next. Clones share them.
pub(crate) struct Turns<T> {
    inner: Arc<Mutex<Inner<T>>>,
}

struct Inner<T> {
    /// The tools of turns that nobody has; nobody waits while there are any.
    free: Vec<T>,
    /// Who waits, by neighbourhood; the first one's turn is next. None of the lines is empty.
    lines: VecDeque<(IpAddr, Line<T>)>,
}

type Line<T> = VecDeque<oneshot::Sender<Turn<T>>>;

/// A turn; dropping it gives it, and its tool as it is then, to whoever is next.
pub(crate) struct Turn<T> {
    turns: Turns<T>,
    /// `None`: it is nobody's.
    tool: Option<T>,
}

impl<T> Turn<T> {
    /// What to work with.
    pub fn tool(&mut self) -> &mut T {
        self.tool.as_mut().expect("only a turn that is being given on has none")
    }
}

impl<T> Clone for Turns<T> {
    fn clone(&self) -> Self {
        Turns { inner: self.inner.clone() }
    }
}

impl<T> Turns<T> {
    /// As many turns at once as there are tools.
    pub fn new(tools: Vec<T>) -> Turns<T> {
        Turns { inner: Arc::new(Mutex::new(Inner { free: tools, lines: VecDeque::new() })) }
    }

    /// Waits for a turn; `None` if too many wait. Whoever goes away meanwhile takes none.
    pub async fn take(&self, from: IpAddr) -> Option<Turn<T>> {
        let turn = {
            let mut inner = self.lock();
            if let Some(tool) = inner.free.pop() {
                return Some(Turn { turns: self.clone(), tool: Some(tool) });
            }
            inner.wait(neighbourhood(from))?
        };
        turn.await.ok()
    }

    fn lock(&self) -> MutexGuard<'_, Inner<T>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Inner<T> {
    /// A place at the end of a neighbourhood's line. Where all places are taken, whoever came last to the longest line
    /// is sent away, if that is longer than this one gets.
    fn wait(&mut self, from: IpAddr) -> Option<oneshot::Receiver<Turn<T>>> {
        self.forget_gone();
        let own = self.lines.iter().find(|(other, _)| *other == from).map_or(0, |(_, line)| line.len());
        if own >= LINE_MAX {
            return None;
        }
        if self.lines.iter().map(|(_, line)| line.len()).sum::<usize>() >= WAITING_MAX {
            let (_, longest) = self.lines.iter_mut().max_by_key(|(_, line)| line.len())?;
            if longest.len() <= own + 1 {
                return None;
            }
            longest.pop_back();
        }
        let (turn, waiting) = oneshot::channel();
        match self.lines.iter_mut().find(|(other, _)| *other == from) {
            Some((_, line)) => line.push_back(turn),
            None => self.lines.push_back((from, VecDeque::from([turn]))),
        }
        Some(waiting)
    }

    fn forget_gone(&mut self) {
        self.lines.retain_mut(|(_, line)| {
            line.retain(|waiting| !waiting.is_closed());
            !line.is_empty()
        });
    }

    /// Whoever is next; that neighbourhood has its next turn after all others.
    fn next(&mut self) -> Option<oneshot::Sender<Turn<T>>> {
        let (from, mut line) = self.lines.pop_front()?;
        let first = line.pop_front();
        if !line.is_empty() {
            self.lines.push_back((from, line));
        }
        first
    }
}

impl<T> Drop for Turn<T> {
    fn drop(&mut self) {
        let Some(mut tool) = self.tool.take() else { return };
        let mut inner = self.turns.lock();
        while let Some(next) = inner.next() {
            match next.send(Turn { turns: self.turns.clone(), tool: Some(tool) }) {
                Ok(()) => return,
                // Gone meanwhile. What comes back is not given on once more.
                Err(mut turn) => tool = turn.tool.take().expect("it has just been put in"),
            }
        }
        inner.free.push(tool);
    }
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;

    use futures_util::FutureExt;

    use super::*;

    type Waiting = Pin<Box<dyn Future<Output = Option<Turn<()>>>>>;

    fn two() -> Turns<()> {
        Turns::new(vec![(); 2])
    }

    /// Asks for a turn from an address.
    fn ask(turns: &Turns<()>, from: &str) -> Waiting {
        let (turns, from) = (turns.clone(), from.parse().expect("an address"));
        Box::pin(async move { turns.take(from).await })
    }

    fn ask_all(turns: &Turns<()>, froms: impl Iterator<Item = String>) -> Vec<Waiting> {
        froms.map(|from| ask(turns, &from)).collect()
    }

    /// What has come of it so far.
    fn look(waiting: &mut Waiting) -> Option<Option<Turn<()>>> {
        waiting.as_mut().now_or_never()
    }

    /// Both turns are somebody's.
    fn both(turns: &Turns<()>) -> [Turn<()>; 2] {
        ["192.0.2.1", "192.0.2.2"].map(|from| look(&mut ask(turns, from)).expect("at once").expect("a turn"))
    }

    #[test]
    fn whoever_fills_the_line_of_a_neighbourhood_keeps_nobody_out_elsewhere() {
        for neighbourhood in [|n: u32| format!("203.0.113.{}", n % 20), |n: u32| format!("2001:db8:1:{:x}::5", n % 256)]
        {
            let turns = two();
            let [first, second] = both(&turns);
            let mut guessing = ask_all(&turns, (0..1_000).map(neighbourhood));
            guessing.retain_mut(|waiting| look(waiting).is_none());
            assert_eq!(guessing.len(), 64, "the others are sent away");
            let mut elsewhere = ask(&turns, "198.51.100.7");
            assert!(look(&mut elsewhere).is_none(), "it waits for its turn");
            drop((first, second));
            assert!(look(&mut elsewhere).is_some_and(|turn| turn.is_some()), "after one of the guesses");
            assert!(look(&mut guessing[0]).is_some_and(|turn| turn.is_some()), "which are served as well");
        }
    }

    #[test]
    fn where_all_places_are_taken_the_longest_line_gives_one_to_a_shorter() {
        let turns = two();
        let _both = both(&turns);
        let mut four = ask_all(&turns, (0..256).map(|n| format!("203.0.{}.7", n % 4)));
        assert!(four.iter_mut().all(|waiting| look(waiting).is_none()));
        let mut others = ask_all(&turns, (0..252).map(|n| format!("198.51.{n}.7")));
        assert!(others.iter_mut().all(|waiting| look(waiting).is_none()));
        four.retain_mut(|waiting| look(waiting).is_none());
        assert_eq!(four.len(), 4, "one of each is left");
        let refused = look(&mut ask(&turns, "192.0.2.1"));
        assert!(refused.is_some_and(|turn| turn.is_none()), "nobody's line is longer than one");
    }

    #[test]
    fn forty_log_ins_of_one_address_are_all_served_and_nothing_is_left_over() {
        let turns = two();
        let mut asked = ask_all(&turns, (0..40).map(|_| "203.0.113.5".to_owned()));
        let mut served = 0;
        while served < 40 {
            let turns: Vec<Turn<()>> = asked.iter_mut().filter_map(look).map(|turn| turn.expect("a turn")).collect();
            assert_eq!(turns.len(), 2, "two at a time");
            asked.drain(..2);
            served += turns.len();
        }
        let inner = turns.lock();
        assert_eq!((inner.free.len(), inner.lines.len()), (2, 0));
    }

    #[test]
    fn whoever_goes_away_takes_no_turn() {
        let turns = two();
        let held = both(&turns);
        let mut waiting = ask_all(&turns, (0..64).map(|_| "203.0.113.5".to_owned()));
        assert!(waiting.iter_mut().all(|waiting| look(waiting).is_none()));
        waiting.truncate(1);
        let mut late = ask(&turns, "203.0.113.5");
        assert!(look(&mut late).is_none(), "the places are free again");
        drop(waiting);
        drop(held);
        // It is theirs already, though they have not looked.
        drop(late);
        let inner = turns.lock();
        assert_eq!((inner.free.len(), inner.lines.len()), (2, 0));
    }
}
