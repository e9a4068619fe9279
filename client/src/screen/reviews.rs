//! The analysis of a round that is over: had from the server, which works it out, and put into words.

use std::time::Duration;

use sprint_shared::protocol::Role;
use sprint_shared::review::{Review, SeatReview};
use sprint_shared::time::Seat;
use tokio::task::JoinHandle;
use uuid::Uuid;

use super::draw::{clock, cut};
use crate::api::Api;
use crate::session::Session;

/// A server is asked so often for an analysis.
const TRIES_MAX: u32 = 20;
const BETWEEN_TRIES: Duration = Duration::from_secs(1);

/// `None` if the server has none, or lets one wait for too long.
pub(super) async fn from_server(api: &Api, id: Uuid) -> Option<Review> {
    for _ in 0..TRIES_MAX {
        match api.review(id).await {
            Ok(Some(review)) => return Some(review),
            Ok(None) => {}
            Err(error) if error.is_passing() => {}
            Err(_) => return None,
        }
        tokio::time::sleep(BETWEEN_TRIES).await;
    }
    None
}

/// The analysis of a room's last round, asked for once that is over.
pub(super) struct Awaited {
    api: Api,
    round: Option<Uuid>,
    answer: Option<JoinHandle<Option<Review>>>,
}

impl Awaited {
    /// Of rooms of that server.
    pub fn new(api: Api) -> Awaited {
        Awaited { api, round: None, answer: None }
    }

    /// Asks for the analysis of the session's round, if that is over and was not asked for yet.
    pub fn follow(&mut self, session: &Session) {
        let round = session.room.round.as_ref().filter(|round| round.result.is_some()).map(|round| round.id);
        let Some(id) = round.filter(|id| self.round != Some(*id)) else { return };
        // Who watches is as late as the rounds on the server; a racer is not. The second is for clocks that differ.
        let late_s = match (session.role(), session.room.options.spectator_delay_s) {
            (Role::Spectator, _) | (_, 0) => 0,
            (Role::Player, delay_s) => u64::from(delay_s) + 1,
        };
        let api = self.api.clone();
        self.stop();
        self.round = Some(id);
        self.answer = Some(tokio::spawn(async move {
            tokio::time::sleep(Duration::from_secs(late_s)).await;
            from_server(&api, id).await
        }));
    }

    /// The analysis and its round; waits for ever where there is none.
    pub async fn next(&mut self) -> (Uuid, Review) {
        if let (Some(id), Some(answer)) = (self.round, &mut self.answer) {
            let review = answer.await.ok().flatten();
            self.answer = None;
            if let Some(review) = review {
                return (id, review);
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

impl Drop for Awaited {
    fn drop(&mut self) {
        self.stop();
    }
}

/// What a racer wasted or lost.
pub(super) fn waste(seat: &SeatReview) -> String {
    match (seat.lost_since_ms, seat.transfers, seat.wasted) {
        (Some(ms), ..) => format!("lost the board at {}", clock(ms)),
        (None, 0, _) => "made no transfer".to_owned(),
        // Where bounds leave it open, a transfer is neither one nor the other.
        (None, made, 0) if seat.optimal + seat.wasteful < made => "wasted nothing that is known".to_owned(),
        (None, _, 0) => "wasted nothing".to_owned(),
        (None, _, 1) => "wasted 1 transfer".to_owned(),
        (None, _, wasted) => format!("wasted {wasted} transfers"),
    }
}

/// Who led alone, one after the other, each from an instant on.
pub(super) fn leaders(review: &Review) -> Vec<(u64, Seat)> {
    let mut leaders: Vec<(u64, Seat)> =
        review.leads.iter().filter_map(|lead| Some((lead.clock_ms, lead.seat?))).collect();
    leaders.dedup_by_key(|(_, seat)| *seat);
    leaders
}

/// Where the lead changed for the last time; `None` if it never did.
pub(super) fn last_change<'a>(review: &Review, name: impl Fn(Seat) -> &'a str) -> Option<String> {
    let leaders = leaders(review);
    let (_, changes) = leaders.split_first()?;
    let (ms, seat) = changes.last()?;
    let times = if changes.len() == 1 { "once".to_owned() } else { format!("{} times", changes.len()) };
    Some(format!("The lead changed hands {times}, last at {} to {}.", clock(*ms), cut(name(*seat), 20)))
}
