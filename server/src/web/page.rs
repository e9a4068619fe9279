//! The web page, embedded in the program.
//!
//! Must never answer an address of the API, and never let a page be cached whose assets may change.

use axum::body::Body;
use axum::http::{HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};

use crate::problem::ApiError;

mod files {
    include!(concat!(env!("OUT_DIR"), "/page_files.rs"));
}

const INDEX: &str = "index.html";
const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Technomancer Sprint</title>\
    <p>This server was built without its page. Run <code>npm run build</code> in <code>client/web</code> and build \
    the server again, or use <code>make run</code>. The terminal client plays without a page.</p></html>";

/// The file at this address; any other address is the page itself, which knows where it is.
pub(super) async fn serve(method: Method, uri: Uri) -> Response {
    if method != Method::GET && method != Method::HEAD {
        return ApiError::MethodNotAllowed.into_response();
    }
    let name = uri.path().trim_start_matches('/');
    if let Some(bytes) = file(name) {
        return answer(name, bytes);
    }
    // A file that is not there is no page: a script would be given HTML.
    if name.rsplit('/').next().is_some_and(|last| last.contains('.')) {
        return (StatusCode::NOT_FOUND, "nothing is at this address").into_response();
    }
    match file(INDEX) {
        Some(bytes) => answer(INDEX, bytes),
        None => Html(NOT_BUILT).into_response(),
    }
}

fn file(name: &str) -> Option<&'static [u8]> {
    let index = files::FILES.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
    Some(files::FILES[index].1)
}

fn answer(name: &str, bytes: &'static [u8]) -> Response {
    let mut response = Response::new(Body::from(bytes));
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

    #[tokio::test]
    async fn rooms_are_the_page_and_missing_assets_are_not() {
        let get = |path: &'static str| serve(Method::GET, Uri::from_static(path));
        for path in ["/", "/r/7K3ABC", "/about"] {
            let response = get(path).await;
            assert_eq!(response.status(), StatusCode::OK, "{path}");
            assert_eq!(response.headers()[header::CONTENT_TYPE], "text/html; charset=utf-8");
        }
        assert_eq!(get("/assets/gone.js").await.status(), StatusCode::NOT_FOUND);
        assert_eq!(serve(Method::POST, Uri::from_static("/")).await.status(), StatusCode::METHOD_NOT_ALLOWED);
    }
}
