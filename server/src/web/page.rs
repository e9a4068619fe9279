//! The web page's files over HTTP.
//!
//! Must never answer an address of the API, and never let a page be cached whose assets may change.

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use bytes::Bytes;

use crate::app::App;
use crate::page::{INDEX, Page};
use crate::problem::ApiError;

const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Technomancer Sprint</title>\
    <p>This server was built without its page. Run <code>npm run build</code> in <code>client/web</code> and build \
    the server again, or use <code>make run</code>. The terminal client plays without a page.</p></html>";

/// The file at this address; any other address is the page itself, which knows where it is.
pub(super) async fn serve(State(app): State<App>, method: Method, uri: Uri) -> Response {
    respond(&app.page, &method, &uri)
}

fn respond(page: &Page, method: &Method, uri: &Uri) -> Response {
    if *method != Method::GET && *method != Method::HEAD {
        return ApiError::MethodNotAllowed.into_response();
    }
    let name = uri.path().trim_start_matches('/');
    if let Some(bytes) = page.file(name) {
        return answer(name, bytes);
    }
    // A file that is not there is no page: a script would be given HTML.
    if name.rsplit('/').next().is_some_and(|last| last.contains('.')) {
        return (StatusCode::NOT_FOUND, "nothing is at this address").into_response();
    }
    match page.file(INDEX) {
        Some(bytes) => answer(INDEX, bytes),
        None => Html(NOT_BUILT).into_response(),
    }
}

fn answer(name: &str, bytes: &Bytes) -> Response {
    let mut response = Response::new(Body::from(bytes.clone()));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type(name)));
    // The build puts a hash into the name of every asset.
    let cache = if name.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    response
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rooms_are_the_page_and_missing_assets_are_not() {
        let page = Page::built_in();
        let get = |path: &'static str| respond(&page, &Method::GET, &Uri::from_static(path));
        for path in ["/", "/r/7K3ABC", "/about"] {
            let response = get(path);
            assert_eq!(response.status(), StatusCode::OK, "{path}");
            assert_eq!(response.headers()[header::CONTENT_TYPE], "text/html; charset=utf-8");
        }
        assert_eq!(get("/assets/gone.js").status(), StatusCode::NOT_FOUND);
        assert_eq!(respond(&page, &Method::POST, &Uri::from_static("/")).status(), StatusCode::METHOD_NOT_ALLOWED);
    }
}
