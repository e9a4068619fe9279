//! A preview as tags of HTML.
//!
//! Must never write a word that is not escaped: names and addresses are whatever somebody has made them.

use std::fmt::Write;

use super::super::account::checked_base;

/// The site's name, which every title ends with.
pub(super) const SITE: &str = "Technomancer Sprint";
/// What the picture shows, for those who do not see it.
const PICTURE: &str = "Jewelled disks on brass pegs under a night sky, and the words Technomancer Sprint";

/// What is told of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Preview {
    /// Its title, without the site's name; empty for the site itself.
    pub title: String,
    /// A sentence or two.
    pub description: String,
}

impl Preview {
    /// A preview of these words.
    pub(super) fn new(title: impl Into<String>, description: impl Into<String>) -> Preview {
        Preview { title: title.into(), description: description.into() }
    }

    /// The tags, escaped. `base` is where the client has reached the server; without one, nothing is told that needs a whole
    /// address.
    pub(in super::super) fn tags(&self, base: Option<&str>, path: &str) -> String {
        let base = base.and_then(|base| checked_base(base).ok());
        let title = if self.title.is_empty() { SITE } else { &self.title };
        let page_title = if self.title.is_empty() { SITE.to_owned() } else { format!("{title} · {SITE}") };
        let mut tags = format!("<title>{}</title>", escaped(&page_title));
        let mut meta = |key: &str, name: &str, content: &str| {
            write!(tags, "<meta {key}=\"{name}\" content=\"{}\">", escaped(content)).expect("a string takes it");
        };
        meta("name", "description", &self.description);
        meta("property", "og:type", "website");
        meta("property", "og:site_name", SITE);
        meta("property", "og:title", title);
        meta("property", "og:description", &self.description);
        if let Some(base) = base {
            meta("property", "og:url", &format!("{base}{path}"));
            meta("property", "og:image", &format!("{base}/preview.png"));
            meta("property", "og:image:type", "image/png");
            meta("property", "og:image:width", "1200");
            meta("property", "og:image:height", "630");
            meta("property", "og:image:alt", PICTURE);
            meta("name", "twitter:card", "summary_large_image");
        } else {
            meta("name", "twitter:card", "summary");
        }
        tags
    }
}

/// A text in HTML, inside a tag's quotes or outside.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // No line of a preview has any, and HTML may not.
            letter if letter.is_control() => escaped.push(' '),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Reads tags as a browser would, as far as these go: every tag's attributes, and the title's text.
    fn read(html: &str) -> Vec<(String, String)> {
        let mut read = Vec::new();
        let mut rest = html;
        while let Some(inner) = rest.strip_prefix('<') {
            let (name, after) = inner.split_at(inner.find([' ', '>']).expect("a tag's name ends"));
            if name == "title" {
                let (text, after) = after.strip_prefix('>').expect("no attribute").split_once('<').expect("an end");
                read.push(("title".to_owned(), plain(text)));
                rest = after.strip_prefix("/title>").expect("the title's end");
                continue;
            }
            assert_eq!(name, "meta", "{html}");
            let mut parts = after.splitn(5, '"');
            let (key, value) = (parts.nth(1).expect("a name"), parts.nth(1).expect("a content"));
            read.push((key.to_owned(), plain(value)));
            rest = parts.next().expect("the tag's end").strip_prefix('>').expect("nothing else is in the tag");
        }
        assert_eq!(rest, "", "text that is in no tag: {html}");
        read
    }

    fn plain(text: &str) -> String {
        assert!(!text.contains(['<', '>', '"', '\'']), "{text}");
        let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'");
        text.replace("&amp;", "&")
    }

    fn found<'a>(tags: &'a [(String, String)], name: &str) -> Option<&'a str> {
        tags.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    #[test]
    fn a_preview_has_the_words_the_address_and_the_picture() {
        let preview = Preview::new("Room 7K3ABC", "Ada & Bo");
        let tags = read(&preview.tags(Some("https://spire.example"), "/r/7K3ABC"));
        for (name, value) in [
            ("title", "Room 7K3ABC · Technomancer Sprint"),
            ("description", "Ada & Bo"),
            ("og:title", "Room 7K3ABC"),
            ("og:description", "Ada & Bo"),
            ("og:url", "https://spire.example/r/7K3ABC"),
            ("og:image", "https://spire.example/preview.png"),
            ("twitter:card", "summary_large_image"),
        ] {
            assert_eq!(found(&tags, name), Some(value), "{name}");
        }
        for base in [None, Some("http://a\"b"), Some("http://a b"), Some("http://")] {
            let tags = read(&preview.tags(base, "/r/7K3ABC"));
            assert_eq!((found(&tags, "og:url"), found(&tags, "og:image")), (None, None), "{base:?}");
        }
    }

    proptest! {
        #[test]
        fn whatever_is_told_stays_text(
            title in "\\PC{0,40}|[<>\"'& /a-z]{0,40}",
            description in "\\PC{0,40}",
            path in "/[ -~]{0,40}",
        ) {
            let tags = read(&Preview::new(title.clone(), description.clone()).tags(Some("http://127.0.0.1:80"), &path));
            let titled = if title.is_empty() { SITE } else { &title };
            prop_assert_eq!(found(&tags, "og:title"), Some(titled));
            prop_assert_eq!(found(&tags, "description"), Some(description.as_str()));
            let url = format!("http://127.0.0.1:80{path}");
            prop_assert_eq!(found(&tags, "og:url"), Some(url.as_str()));
        }
    }
}
