//! Quick match over REST: how many wait. Joining is by WebSocket.

use axum::Json;
use axum::extract::State;
use sprint_shared::api::{PoolInfo, QueueInfo};
use sprint_shared::pairing::Pool;

use crate::app::App;

/// How many wait for a quick match, by kind of race.
#[utoipa::path(
    get, path = "/queue", tag = "queue",
    responses((status = 200, description = "kinds for which nobody waits are left out", body = QueueInfo))
)]
pub(super) async fn waiting(State(app): State<App>) -> Json<QueueInfo> {
    let pools = app.queue.counts().into_iter().map(|(Pool { seats, preset, bots }, waiting)| PoolInfo {
        seats,
        preset,
        bots,
        waiting: waiting as u32,
    });
    Json(QueueInfo { pools: pools.collect() })
}
