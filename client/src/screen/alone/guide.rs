//! The server asked aside while a session is on: for the way, and for how the player stands after a day's try.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use sprint_shared::api::{Daily, Way};
use sprint_shared::play::Act;
use sprint_shared::rules::Transfer;
use tokio::task::JoinHandle;

use super::{Alone, What};
use crate::api::{Api, ApiError};
use crate::session::Session;

/// Between two transfers of a way that is shown.
const PACE: Duration = Duration::from_millis(700);

/// What the server is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// The next transfer of a shortest way.
    Hint,
    /// All of it.
    Way,
    /// How the player stands on the day.
    Daily,
}

/// The first transfer of a way that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The accepted acts behind the position that it is for.
    pub ply: u32,
    /// The transfer.
    pub transfer: Transfer,
}

/// A way that is being played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Showing {
    /// The accepted acts behind the position that the next transfer is for.
    pub ply: u32,
    /// What is left of it.
    pub left: VecDeque<Transfer>,
    /// When the next transfer is due.
    pub next_at: Instant,
}

/// An answer.
pub(in crate::screen) enum Answer {
    Way(Wish, Result<Way, ApiError>),
    Daily(Result<Daily, ApiError>),
}

/// Asks the server one thing at a time.
pub(in crate::screen) struct Guide {
    api: Api,
    token: String,
    answer: Option<JoinHandle<Answer>>,
}

impl Guide {
    /// As this player.
    pub fn new(api: Api, token: Option<&str>) -> Guide {
        Guide { api, token: token.unwrap_or_default().to_owned(), answer: None }
    }

    /// Asks; an older question is dropped.
    pub fn ask(&mut self, code: &str, wish: Wish) {
        self.stop();
        let (api, token, code) = (self.api.clone(), self.token.clone(), code.to_owned());
        self.answer = Some(tokio::spawn(async move {
            match wish {
                Wish::Hint | Wish::Way => Answer::Way(wish, api.way(&token, &code).await),
                Wish::Daily => Answer::Daily(api.daily(&token).await),
            }
        }));
    }

    /// The answer; waits for ever where nothing was asked.
    pub async fn next(&mut self) -> Answer {
        if let Some(answer) = &mut self.answer {
            let told = answer.await;
            self.answer = None;
            if let Ok(told) = told {
                return told;
            }
        }
        std::future::pending().await
    }

    fn stop(&mut self) {
        if let Some(answer) = self.answer.take() {
            answer.abort();
        }
    }
}

impl Drop for Guide {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Alone {
    /// Takes an answer in; what is to be said of it.
    pub(in crate::screen) fn told(&mut self, session: &Session, answer: Answer, now: Instant) -> Option<String> {
        self.asked = None;
        match answer {
            Answer::Daily(daily) => {
                if let (What::Daily { own, .. }, Ok(Daily { own: Some(told), .. })) = (&mut self.what, daily) {
                    *own = told;
                }
                None
            }
            Answer::Way(_, Err(ApiError::Problem(problem))) => Some(problem.detail),
            Answer::Way(_, Err(error)) => Some(error.to_string()),
            Answer::Way(wish, Ok(way)) => {
                let ply = session.shown().map(|play| play.ply());
                self.shown_the_way(wish, &way, ply, now)
            }
        }
    }

    /// `ply` is that of the own board as it is shown now.
    fn shown_the_way(&mut self, wish: Wish, way: &Way, ply: Option<u32>, now: Instant) -> Option<String> {
        if ply != Some(way.ply) {
            return Some("the board has moved on since you asked: ask again".to_owned());
        }
        let Some(transfers) = &way.transfers else {
            return Some("harmony cannot be reached from here any more: u takes a move back, R starts over".to_owned());
        };
        let left: Option<VecDeque<Transfer>> = transfers.iter().map(|transfer| transfer.parse().ok()).collect();
        let Some((left, first)) = left.and_then(|left| left.front().copied().map(|first| (left, first))) else {
            return Some("the server's way cannot be read".to_owned());
        };
        let count = left.len();
        match wish {
            Wish::Way => {
                self.showing = Some(Showing { ply: way.ply, left, next_at: now });
                self.hint = None;
                None
            }
            Wish::Hint | Wish::Daily => {
                self.hint = Some(Hint { ply: way.ply, transfer: first });
                Some(match count {
                    1 => format!("hint: {} to {}, and that is harmony", first.from, first.to),
                    _ => format!("hint: {} to {}; {count} to go with it", first.from, first.to),
                })
            }
        }
    }
}

impl Showing {
    /// The next transfer as an act, if the board still stands where the way leads on from; `None` at its end.
    pub(super) fn next(&mut self, ply: Option<u32>, now: Instant) -> Result<Option<Act>, String> {
        let Some(Transfer { from, to }) = self.left.front().copied() else { return Ok(None) };
        if ply != Some(self.ply) {
            return Err("the board has moved on: the way is shown no further".to_owned());
        }
        self.left.pop_front();
        self.ply += 1;
        self.next_at = now + PACE;
        Ok(Some(Act::Move { from: from.number().into(), to: to.number().into() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alone() -> Alone {
        Alone::new(What::Shuffle { adaptive: true }, true)
    }

    fn way(ply: u32, transfers: Option<&[&str]>) -> Way {
        Way { ply, transfers: transfers.map(|all| all.iter().map(|one| (*one).to_owned()).collect()) }
    }

    #[test]
    fn a_hint_is_the_first_transfer_and_the_way_all_of_them_where_the_board_still_stands_so() {
        let now = Instant::now();
        let mut alone = alone();
        let said = alone.shown_the_way(Wish::Hint, &way(4, Some(&["1-3", "2-1"])), Some(4), now);
        assert_eq!(said.as_deref(), Some("hint: 1 to 3; 2 to go with it"));
        let first: Transfer = "1-3".parse().expect("a transfer");
        assert_eq!((alone.hint, alone.showing.is_none()), (Some(Hint { ply: 4, transfer: first }), true));
        assert_eq!(alone.shown_the_way(Wish::Way, &way(4, Some(&["1-3", "2-1"])), Some(4), now), None);
        let mut showing = alone.showing.take().expect("it is shown");
        assert_eq!(alone.hint, None);
        assert_eq!(showing.next(Some(4), now), Ok(Some(Act::Move { from: 1, to: 3 })));
        assert_eq!(showing.next_at, now + PACE);
        assert!(showing.clone().next(Some(4), now).is_err(), "the transfer came to nothing");
        assert!(showing.clone().next(Some(6), now).is_err(), "somebody acted between");
        assert_eq!(showing.next(Some(5), now), Ok(Some(Act::Move { from: 2, to: 1 })));
        assert_eq!(showing.next(Some(6), now), Ok(None));
    }

    #[test]
    fn a_way_that_is_stale_or_does_not_exist_is_said_and_not_shown() {
        let now = Instant::now();
        for (told, ply, named) in [
            (way(4, Some(&["1-3"])), Some(5), "moved on"),
            (way(4, None), Some(4), "cannot be reached"),
            (way(4, Some(&["1>3"])), Some(4), "cannot be read"),
            (way(4, Some(&[])), Some(4), "cannot be read"),
        ] {
            for wish in [Wish::Hint, Wish::Way] {
                let mut alone = alone();
                let said = alone.shown_the_way(wish, &told, ply, now).expect("something is said");
                assert!(said.contains(named), "{said}");
                assert_eq!((alone.hint, alone.showing), (None, None));
            }
        }
    }
}
