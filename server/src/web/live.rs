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
/// How long a rating is good, and how many are kept: those of the players of one list, and of the last ones.
const RATING_KEPT: Duration = Duration::from_secs(60);
const RATINGS_KEPT: usize = 2_000;

/// The list, made anew when somebody asks for it and it is old.
#[derive(Default)]
pub struct Live(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    /// Encoded once for all who ask.
    list: Option<(Instant, Bytes)>,
    ratings: HashMap<Uuid, (Instant, Option<i32>)>,
}

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

async fn make(app: &App, ratings: &mut HashMap<Uuid, (Instant, Option<i32>)>, now: Instant) -> Vec<LiveMatch> {
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
    found.truncate(LISTED_MAX);
    let mut listed = Vec::with_capacity(found.len());
    for (room, summary, viewers) in found {
        let mut players = Vec::with_capacity(summary.players.len());
        for Seated { player, name, bot } in summary.players {
            players.push(LivePlayer { name, bot, rating: rating(&app.store, ratings, player, now).await });
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
    listed.sort_by_key(|room| {
        let rated: i64 = room.players.iter().filter_map(|player| player.rating).map(i64::from).sum();
        let is_racing = room.phase == PhaseView::Racing;
        (!is_racing, !room.options.rated, Reverse(room.viewers), Reverse(rated), room.room_id)
    });
    if let Some(first) = listed.first_mut() {
        first.featured = true;
    }
    listed
}

/// The player's rating over all presets, where there is one that everybody may know: a race whose delay is not over is still
/// listed, and what it did to ratings would tell who won it.
async fn rating(
    store: &Store,
    kept: &mut HashMap<Uuid, (Instant, Option<i32>)>,
    player: Uuid,
    now: Instant,
) -> Option<i32> {
    if let Some((_, rating)) = kept.get(&player).filter(|(read, _)| now < *read + RATING_KEPT) {
        return *rating;
    }
    if kept.len() >= RATINGS_KEPT {
        kept.clear();
    }
    let rows = match store.ratings_shown(player).await {
        Ok(rows) => rows,
        Err(error) => {
            tracing::warn!(%error, "a rating could not be looked up for the list of races");
            return None;
        }
    };
    let rating = rows.iter().find(|row| row.series.is_empty()).map(|row| row.rating().shown() as i32);
    kept.insert(player, (now, rating));
    rating
}

fn is_under_way(phase: PhaseView) -> bool {
    match phase {
        PhaseView::Dealing | PhaseView::Countdown | PhaseView::Racing | PhaseView::Paused | PhaseView::Break => true,
        PhaseView::Lobby | PhaseView::Over | PhaseView::Closed => false,
    }
}
