//! The web page over HTTP: its files, and its document at every other address.
//!
//! Must never answer an address of the API, and never let a page be cached whose assets may change.

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};

use super::peer::{Address, Reached};
use super::preview;
use crate::app::App;
use crate::page::{Coding, File, INDEX, Language, tag_of};
use crate::problem::ApiError;

const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Technomancer Sprint</title>\
    <p>This server was built without its page. Run <code>npm run build</code> in <code>client/web</code> and build \
    the server again, or use <code>make run</code>. The terminal client plays without a page.</p></html>";

/// The file at this address; any other address is the page itself, which knows where it is.
pub(super) async fn serve(
    State(app): State<App>,
    Address(address): Address,
    Reached(reached): Reached,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    if method != Method::GET && method != Method::HEAD {
        return ApiError::MethodNotAllowed.into_response();
    }
    let name = uri.path().trim_start_matches('/');
    if app.page.file(name).is_some() {
        return file(app, name.to_owned(), &headers).await;
    }
    // A file that is not there is no page: a script would be given HTML.
    if name != INDEX && name.rsplit('/').next().is_some_and(|last| last.contains('.')) {
        return (StatusCode::NOT_FOUND, "nothing is at this address").into_response();
    }
    let Some(document) = app.page.document() else { return Html(NOT_BUILT).into_response() };
    let place = preview::Place::of(uri.path());
    let told = preview::of(&app, address, &place).await;
    let tags = told.tags(reached.as_deref(), uri.path());
    let html = document.filled(Some(&tags), place.page(), language(&headers));
    let tag = tag_of(&html);
    let mut response = match is_known(&headers, &tag) {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => {
            let coding = accepted(&headers).filter(|coding| *coding == Coding::Gzip || html.len() < QUICK);
            let packed = coding.map(|coding| Bytes::from(coding.compress(&html)));
            let mut response = sent(packed.unwrap_or(html), coding);
            response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
            response
        }
    };
    set(&mut response, header::ETAG, &tag);
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    let varies = HeaderValue::from_static("accept-encoding, accept-language");
    response.headers_mut().insert(header::VARY, varies);
    response
}

/// So small a document is compressed in no time.
const QUICK: usize = 64 * 1024;

async fn file(app: App, name: String, headers: &HeaderMap) -> Response {
    let missing = || (StatusCode::NOT_FOUND, "nothing is at this address").into_response();
    let Some(file) = app.page.file(&name) else { return missing() };
    let mut response = if is_known(headers, &file.tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let coding = accepted(headers).filter(|_| file.is_text());
        let packed = match coding {
            Some(coding) => compressed(&app, file, &name, coding).await,
            None => None,
        };
        let coding = coding.filter(|_| packed.is_some());
        sent(packed.unwrap_or_else(|| file.bytes.clone()), coding)
    };
    let cache = if file.is_immutable { "public, max-age=31536000, immutable" } else { "no-cache" };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(file.kind));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    set(&mut response, header::ETAG, &file.tag);
    response
}

/// The file compressed; done beside the threads that serve races if it is to be done for the first time.
async fn compressed(app: &App, file: &File, name: &str, coding: Coding) -> Option<Bytes> {
    if let Some(known) = file.known(coding) {
        return known.clone();
    }
    let (page, name) = (app.page.clone(), name.to_owned());
    let compressing = tokio::task::spawn_blocking(move || page.file(&name).and_then(|file| file.compressed(coding)));
    compressing.await.unwrap_or(None)
}

fn sent(bytes: Bytes, coding: Option<Coding>) -> Response {
    let mut response = Response::new(Body::from(bytes));
    if let Some(coding) = coding {
        response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding.name()));
    }
    response
}

fn set(response: &mut Response, name: header::HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(name, value);
    }
}

/// Whether the client has what bears this tag.
fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let bare = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let named = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    named.flat_map(|value| value.split(',')).any(|known| known.trim() == "*" || bare(known) == bare(tag))
}

fn accepted(headers: &HeaderMap) -> Option<Coding> {
    Coding::accepted(headers.get(header::ACCEPT_ENCODING)?.to_str().ok()?)
}

fn language(headers: &HeaderMap) -> Language {
    let named = headers.get(header::ACCEPT_LANGUAGE).and_then(|languages| languages.to_str().ok());
    Language::accepted(named.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_known_whichever_way_it_is_said() {
        let known = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::IF_NONE_MATCH, value.parse().expect("a header"));
            is_known(&headers, "W/\"abc\"")
        };
        assert!(known("W/\"abc\"") && known("\"abc\"") && known("\"x\", W/\"abc\"") && known("*"));
        assert!(!known("\"ab\"") && !known("abc") && !is_known(&HeaderMap::new(), "W/\"abc\""));
    }
}
