//! The page's document: the same for every address but for what previews show of it and what it loads first.
//!
//! Must never be filled with what is not escaped: whoever writes into it makes HTML.

use std::collections::HashMap;
use std::fmt::Write;

use bytes::Bytes;

/// Between these `client/web/index.html` has what previews show; a host's own page may do without.
const MARKS: (&str, &str) = ("<!--preview-->", "<!--/preview-->");

/// `index.html` with two places to fill. What was built without them is served as it is.
pub struct Document {
    /// Up to what previews show, from there to the head's end, and the rest.
    parts: [String; 3],
    /// What stands there unless something else does.
    general: String,
    /// Tags that load the files of each kind of page, by its name and language.
    preloads: HashMap<(String, String), String>,
}

/// In which language somebody reads the page, unless they have chosen another on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// `en`
    English,
    /// `de`
    German,
}

impl Document {
    /// The document in this file, and which files its pages need.
    pub fn new(html: &[u8], preloads: Option<&[u8]>) -> Document {
        let html = String::from_utf8_lossy(html);
        let marked = html.split_once(MARKS.0).and_then(|(before, rest)| Some((before, rest.split_once(MARKS.1)?)));
        let (before, (general, rest)) = marked.unwrap_or(("", ("", &html)));
        let head = rest.find("</head>").unwrap_or(0);
        let parts = [before, &rest[..head], &rest[head..]].map(str::to_owned);
        Document { parts, general: general.to_owned(), preloads: preloads.map(tags).unwrap_or_default() }
    }

    /// The document with these tags for previews, or those that stand in it, and with the files of a kind of page.
    pub fn filled(&self, preview: Option<&str>, page: &str, language: Language) -> Bytes {
        let [before, head, rest] = &self.parts;
        let preview = preview.filter(|_| self.has_preview()).unwrap_or(&self.general);
        let key = (page.to_owned(), language.name().to_owned());
        let preloads = self.preloads.get(&key).map_or("", String::as_str);
        Bytes::from([before, preview, head, preloads, rest].concat())
    }

    fn has_preview(&self) -> bool {
        !self.general.is_empty()
    }
}

impl Language {
    /// Its tag.
    pub fn name(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::German => "de",
        }
    }

    /// The first of the page's languages that `Accept-Language` names, as browsers order it.
    pub fn accepted(header: &str) -> Language {
        let named = header.split(',').filter_map(|entry| entry.split([';', '-']).next()).map(str::trim);
        let known = |name: &str| [Language::English, Language::German].into_iter().find(|known| known.name() == name);
        named.filter_map(|name| known(&name.to_ascii_lowercase())).next().unwrap_or(Language::English)
    }
}

/// `{ "room": { "en": ["assets/a.js", "assets/a.css"] } }` as tags. What is not of that form preloads nothing.
fn tags(preloads: &[u8]) -> HashMap<(String, String), String> {
    let pages: HashMap<String, HashMap<String, Vec<String>>> = match serde_json::from_slice(preloads) {
        Ok(pages) => pages,
        Err(error) => {
            tracing::warn!(%error, "which files the page loads first cannot be read: it loads them later");
            return HashMap::new();
        }
    };
    let of_page = |(page, languages): (String, HashMap<String, Vec<String>>)| {
        languages.into_iter().map(move |(language, files)| ((page.clone(), language), links(&files)))
    };
    pages.into_iter().flat_map(of_page).collect()
}

fn links(files: &[String]) -> String {
    let mut links = String::new();
    // The build names its files: they are no one's words. What could be more than a name is left out all the same.
    let is_name =
        |file: &&String| file.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '-' | '_'));
    for file in files.iter().filter(is_name) {
        let written = match file.rsplit('.').next() {
            Some("js") => write!(links, "<link rel=\"modulepreload\" crossorigin href=\"/{file}\">"),
            Some("css") => write!(links, "<link rel=\"stylesheet\" crossorigin href=\"/{file}\">"),
            Some("woff2") => write!(links, "<link rel=\"preload\" as=\"font\" crossorigin href=\"/{file}\">"),
            _ => Ok(()),
        };
        written.expect("a string takes it");
    }
    links
}

#[cfg(test)]
mod tests {
    use super::*;

    const HTML: &str =
        "<html><head><!--preview--><title>T</title><!--/preview--><script></script></head><body></body></html>";

    fn filled(document: &Document, preview: Option<&str>, page: &str, language: Language) -> String {
        String::from_utf8(document.filled(preview, page, language).to_vec()).expect("text")
    }

    #[test]
    fn the_document_has_an_addresses_own_words_and_its_files_before_the_heads_end() {
        let preloads = br#"{"room":{"en":["assets/r.js","assets/r.css","assets/x\"y.js"],"de":[]}}"#;
        let document = Document::new(HTML.as_bytes(), Some(preloads));
        assert_eq!(
            filled(&document, Some("<title>Room</title>"), "room", Language::English),
            "<html><head><title>Room</title><script></script>\
             <link rel=\"modulepreload\" crossorigin href=\"/assets/r.js\">\
             <link rel=\"stylesheet\" crossorigin href=\"/assets/r.css\"></head><body></body></html>"
        );
        let plain = "<html><head><title>T</title><script></script></head><body></body></html>";
        assert_eq!(filled(&document, None, "room", Language::German), plain);
        assert_eq!(filled(&document, None, "rules", Language::English), plain);
    }

    #[test]
    fn a_page_without_places_to_fill_is_served_as_it_is() {
        for html in ["<!doctype html><title>own</title>", "<head><!--preview--></head>", "", "<p><!--/preview--></p>"] {
            let document = Document::new(html.as_bytes(), None);
            assert_eq!(filled(&document, Some("<title>Room</title>"), "room", Language::English), html);
        }
        assert!(tags(b"[]").is_empty());
    }

    #[test]
    fn the_first_language_that_the_page_has_is_taken() {
        for (header, language) in [
            ("de-AT,de;q=0.9,en;q=0.8", Language::German),
            ("fr, DE;q=0.5", Language::German),
            ("en-GB,de;q=0.5", Language::English),
            ("fr", Language::English),
            ("", Language::English),
        ] {
            assert_eq!(Language::accepted(header), language, "{header}");
        }
    }
}
