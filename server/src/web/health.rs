//! Whether the process lives, and whether it can acknowledge anything.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::app::App;
use crate::store::Health;

/// How long the database may take to answer.
const ANSWER: Duration = Duration::from_secs(2);

/// `GET /healthz`: the process answers.
pub(super) async fn alive() -> &'static str {
    "ok"
}

/// `GET /readyz`: the store takes commits.
pub(super) async fn ready(State(app): State<App>) -> (StatusCode, Json<Value>) {
    let not =
        |status: &str, why: String| (StatusCode::SERVICE_UNAVAILABLE, Json(json!({ "status": status, "detail": why })));
    if app.stop.is_said() {
        return not("stopping", "the server stops".to_owned());
    }
    let health = app.health.borrow().clone();
    match health {
        Health::Failed(why) => not("read_only", why),
        Health::Stalled => not("stalled", "commits are late".to_owned()),
        Health::Ok => match app.store.ping(ANSWER).await {
            Ok(()) => (StatusCode::OK, Json(json!({ "status": "ready" }))),
            Err(error) => not("unavailable", error.to_string()),
        },
    }
}
