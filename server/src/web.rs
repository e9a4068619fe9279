//! Everything over HTTP: the REST API, the way to the WebSocket, health, the page.
//!
//! Must never reach into a room: requests see what rooms tell everybody.

use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};
use tower_http::compression::CompressionLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::problem::ApiError;

mod account;
mod alone;
mod answers;
mod caller;
mod daily;
mod ghosts;
mod health;
mod input;
mod keys;
mod leaderboards;
mod live;
mod matches;
mod paced;
mod page;
mod peer;
mod players;
mod practice;
mod presets;
mod preview;
mod queue;
mod ratings;
mod reviews;
mod rooms;
mod serve;
mod shuffle;
mod upgrade;

pub use answers::Answers;
pub use keys::Keys;
pub use leaderboards::Counts;
pub use live::Live;
pub use matches::{as_stored, as_told, decoded, proven};
pub use preview::Previews;
pub use serve::serve;

/// How long a request may take.
const REQUEST: Duration = Duration::from_secs(10);
/// Nothing is loaded from elsewhere, nothing inline runs, nobody frames the page.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; \
    frame-ancestors 'none'";
/// The page shares by the clipboard, keeps a race's screen awake and shows a spectator's in full; nothing else is asked of
/// a device.
const PERMISSIONS: &str = "accelerometer=(), autoplay=(self), browsing-topics=(), camera=(), \
    clipboard-write=(self), display-capture=(), fullscreen=(self), geolocation=(), gyroscope=(), \
    hid=(), idle-detection=(), magnetometer=(), microphone=(), midi=(), payment=(), publickey-credentials-get=(), \
    screen-wake-lock=(self), serial=(), usb=(), xr-spatial-tracking=()";

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Technomancer Sprint",
        description = "Players, rooms, stored rounds and leaderboards. Errors are application/problem+json. \
            POST requests may carry an Idempotency-Key: the same key and request get the first answer again."
    ),
    // Not found by itself where it stands in a pair.
    components(schemas(sprint_shared::api::Problem, sprint_shared::protocol::ToGo, sprint_shared::protocol::Lost))
)]
struct Document;

/// The REST API's document.
pub fn openapi() -> utoipa::openapi::OpenApi {
    api().split_for_parts().1
}

fn api() -> OpenApiRouter<App> {
    let v1 = OpenApiRouter::new()
        .routes(routes!(players::create))
        .routes(routes!(players::me, players::rename, account::delete))
        .routes(routes!(account::open_link))
        .routes(routes!(account::use_link))
        .routes(routes!(account::set_password))
        .routes(routes!(account::login))
        .routes(routes!(account::log_out))
        .routes(routes!(rooms::list, rooms::create))
        .routes(routes!(rooms::look_up))
        .routes(routes!(live::list))
        .routes(routes!(matches::list))
        .routes(routes!(matches::look_up))
        .routes(routes!(matches::replay))
        .routes(routes!(matches::record))
        .routes(routes!(reviews::look_up))
        .routes(routes!(leaderboards::page))
        .routes(routes!(leaderboards::own_place))
        .routes(routes!(presets::list))
        .routes(routes!(ratings::profile))
        .routes(routes!(ratings::of_match))
        .routes(routes!(queue::waiting))
        .routes(routes!(practice::create))
        .routes(routes!(ghosts::create))
        .routes(routes!(alone::campaign))
        .routes(routes!(alone::begin_stage))
        .routes(routes!(alone::tutorial))
        .routes(routes!(alone::begin_lesson))
        .routes(routes!(alone::progress))
        .routes(routes!(alone::way))
        .routes(routes!(shuffle::create))
        .routes(routes!(daily::today, daily::begin))
        .routes(routes!(daily::past));
    OpenApiRouter::with_openapi(Document::openapi()).nest("/api/v1", v1)
}

/// All routes.
pub fn router(app: App) -> Router {
    let (api, document) = api().split_for_parts();
    let document = document.to_json().expect("the document always encodes");
    let json = [(header::CONTENT_TYPE, "application/json")];
    let api = api
        .route("/api/v1/openapi.json", get(move || async move { (json, document) }))
        .route("/api/{*rest}", any(no_such_address))
        .method_not_allowed_fallback(no_such_method)
        .layer(from_fn_with_state(app.clone(), keys::once))
        .layer(SetResponseHeaderLayer::if_not_present(header::CACHE_CONTROL, HeaderValue::from_static("no-store")));
    let plain = Router::new()
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .merge(api)
        .layer(CompressionLayer::new())
        // Its files are compressed once and for all.
        .fallback(page::serve)
        .layer(from_fn(in_time));
    let set = |name: &'static str, value: &'static str| {
        SetResponseHeaderLayer::overriding(HeaderName::from_static(name), HeaderValue::from_static(value))
    };
    plain
        .route("/ws/v1/rooms/{code}", get(upgrade::room))
        .route("/ws/v1/queue", get(upgrade::queue))
        .route("/ws/{*rest}", any(no_such_address))
        .method_not_allowed_fallback(no_such_method)
        .layer(set("content-security-policy", POLICY))
        .layer(set("permissions-policy", PERMISSIONS))
        .layer(set("x-content-type-options", "nosniff"))
        // For browsers that do not know `frame-ancestors`.
        .layer(set("x-frame-options", "DENY"))
        // Whoever opens the page, or is opened by it, has no hold on its window.
        .layer(set("cross-origin-opener-policy", "same-origin"))
        .layer(set("referrer-policy", "same-origin"))
        .layer(from_fn_with_state(app.clone(), peer::find))
        .with_state(app)
}

async fn no_such_method() -> ApiError {
    ApiError::MethodNotAllowed
}

async fn no_such_address() -> ApiError {
    ApiError::NotFound("nothing is at this address: see /api/v1/openapi.json")
}

/// Bounds every request in time, bodies that trickle included.
async fn in_time(request: Request, next: Next) -> Response {
    match tokio::time::timeout(REQUEST, next.run(request)).await {
        Ok(response) => response,
        Err(_) => ApiError::Timeout.into_response(),
    }
}
