//! What can be watched now, the one to show first at the top.
//!
//! Must never tell more of a room than those who watch it have been shown.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::time::Duration;

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use bytes::Bytes;
use sprint_shared::api::{LiveMatch, LivePlayer};
use sprint_shared::protocol::view::PhaseView;
use tokio::sync::Mutex;
use tokio::time::Instant;
use uuid::Uuid;

use crate::app::App;
use crate::room::{RoomHandle, Seated, Summary};
use crate::store::Store;

/// Rooms that are listed at most.
const LISTED_MAX: usize = 100;
/// How long a list is good.
const LIST_KEPT: Duration = Duration::from_secs(1);
/// How long a rating is good, and how many are kept.
const RATING_KEPT: Duration = Duration::from_secs(60);
const RATINGS_KEPT: usize = 20_000;
/// Ratings that are looked up for one list at most: where more are wanted, the next lists know better.
const LOOKED_UP_MAX: usize = 4 * LISTED_MAX;

/// The list, made anew when somebody asks for it and it is old.
#[derive(Default)]
pub struct Live(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    /// Encoded once for all who ask.
    list: Option<(Instant, Bytes)>,
    ratings: Ratings,
}

/// Ratings as everybody may know them, and when they were looked up.
#[derive(Default)]
struct Ratings(HashMap<Uuid, (Instant, Option<i32>)>);

/// Races that can be watched: those of public rooms and rated ones, with spectators on, as those who watch know them. First
/// those that are racing, rated before others, then by viewers, the sum of the ratings, and age. The first one is featured.
#[utoipa::path(
    get, path = "/live", tag = "rooms",
    responses((status = 200, description = "at most 100 races", body = Vec<LiveMatch>))
)]
pub(super) async fn list(State(app): State<App>) -> impl IntoResponse {
    let mut kept = app.live.0.lock().await;
    let now = Instant::now();
    let list = match &kept.list {
        Some((made, list)) if now < *made + LIST_KEPT => list.clone(),
        _ => {
            let list = make(&app, &mut kept.ratings, now).await;
            let list = Bytes::from(serde_json::to_vec(&list).expect("lists always encode"));
            kept.list = Some((now, list.clone()));
            list
        }
    };
    ([(CONTENT_TYPE, "application/json")], list)
}

async fn make(app: &App, ratings: &mut Ratings, now: Instant) -> Vec<LiveMatch> {
    let mut found: Vec<(RoomHandle, Summary, usize)> = app
        .lobby
        .all_running()
        .into_iter()
        .filter(|room| room.options.spectators && (room.options.public || room.options.rated))
        .map(|room| (room.summary(), room))
        .filter(|(summary, _)| is_under_way(summary.phase))
        .map(|(summary, room)| {
            let viewers = room.gallery().audience();
            (room, summary, viewers)
        })
        .collect();
    let place = |(room, summary, viewers): &(RoomHandle, Summary, usize)| {
        (summary.phase != PhaseView::Racing, !room.options.rated, Reverse(*viewers), room.room_id)
    };
    found.sort_by_key(place);
    let (mut listed, mut lookups) = (Vec::with_capacity(found.len()), LOOKED_UP_MAX);
    for (room, summary, viewers) in found {
        let mut players = Vec::with_capacity(summary.players.len());
        for Seated { player, name, bot } in summary.players {
            players.push(LivePlayer { name, bot, rating: ratings.of(&app.store, player, now, &mut lookups).await });
        }
        listed.push(LiveMatch {
            code: room.code.to_string(),
            room_id: room.room_id,
            options: (*room.options).clone(),
            phase: summary.phase,
            players,
            viewers: viewers as u32,
            clock_ms: summary.zero.map(|zero| room.gallery().shown_at().since(zero)),
            featured: false,
        });
    }
    ranked(listed)
}

/// Those that are listed, in order, the first one featured.
fn ranked(mut listed: Vec<LiveMatch>) -> Vec<LiveMatch> {
    listed.sort_by_key(|room| {
        let rated: i64 = room.players.iter().filter_map(|player| player.rating).map(i64::from).sum();
        let is_racing = room.phase == PhaseView::Racing;
        (!is_racing, !room.options.rated, Reverse(room.viewers), Reverse(rated), room.room_id)
    });
    // No sooner: of rooms that as many watch, those whose ratings are lower are left out.
    listed.truncate(LISTED_MAX);
    if let Some(first) = listed.first_mut() {
        first.featured = true;
    }
    listed
}

impl Ratings {
    /// The player's rating over all presets, where there is one that everybody may know: a race whose delay is not over is
    /// still listed, and what it did to ratings would tell who won it. What is known counts once `lookups` are used up.
    async fn of(&mut self, store: &Store, player: Uuid, now: Instant, lookups: &mut usize) -> Option<i32> {
        let known = self.0.get(&player).copied();
        if let Some((read_at, rating)) = known
            && (now < read_at + RATING_KEPT || *lookups == 0)
        {
            return rating;
        }
        *lookups = lookups.checked_sub(1)?;
        if self.0.len() >= RATINGS_KEPT {
            self.0.clear();
        }
        let rating = match store.ratings_shown(player).await {
            Ok(rows) => rows.iter().find(|row| row.series.is_empty()).map(|row| row.rating().shown() as i32),
            Err(error) => {
                tracing::warn!(%error, "a rating could not be looked up for the list of races");
                *lookups = 0;
                return known.and_then(|(_, rating)| rating);
            }
        };
        self.0.insert(player, (now, rating));
        rating
    }
}

fn is_under_way(phase: PhaseView) -> bool {
    match phase {
        PhaseView::Dealing | PhaseView::Countdown | PhaseView::Racing | PhaseView::Paused | PhaseView::Break => true,
        PhaseView::Lobby | PhaseView::Over | PhaseView::Closed => false,
    }
}

#[cfg(test)]
mod tests {
    use sprint_shared::options::RoomOptions;

    use super::*;

    fn racing(number: u128, rating: i32) -> LiveMatch {
        LiveMatch {
            code: format!("ROOM{number}"),
            room_id: Uuid::from_u128(number),
            options: RoomOptions::default(),
            phase: PhaseView::Racing,
            players: vec![LivePlayer { name: "Ada".to_owned(), bot: false, rating: Some(rating) }],
            viewers: 0,
            clock_ms: None,
            featured: false,
        }
    }

    #[test]
    fn of_more_races_than_are_listed_the_best_rated_are_however_old_they_are() {
        let all = (1..=2 * LISTED_MAX as u128).map(|number| racing(number, 1_000 + number as i32)).collect();
        let listed = ranked(all);
        let shown: Vec<u128> = listed.iter().map(|room| room.room_id.as_u128()).collect();
        assert_eq!(shown, (101..=200).rev().collect::<Vec<_>>());
        assert!(listed[0].featured && !listed[1].featured);
    }
}
