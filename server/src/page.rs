//! The web page's files: those that are built in, or a host's own from a folder.
//!
//! Must never read a file after the start, nor compress one twice: what is served is what was there then.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use thiserror::Error;

mod document;
mod file;

pub use document::{Document, Language};
pub use file::{Coding, File, tag_of};

mod built_in {
    include!(concat!(env!("OUT_DIR"), "/page_files.rs"));
}

/// The file that every address of the page answers with.
pub const INDEX: &str = "index.html";
/// Which files each address of the page needs: `client/web/preloads.ts` writes it.
const PRELOADS: &str = ".vite/preloads.json";
/// What a page can be at most: a folder that holds more was given by a slip of the hand.
const FILES_MAX: usize = 2_000;
const MIB_MAX: u64 = 64;

/// The page's files by name, such as `assets/index-1a2b.js`; clones share them.
#[derive(Clone)]
pub struct Page(Arc<Files>);

struct Files {
    files: BTreeMap<Cow<'static, str>, File>,
    document: Option<Document>,
}

/// Why a folder is no page.
#[derive(Debug, Error)]
pub enum NoPage {
    /// It does not hold what begins the page.
    #[error("{0}: no index.html is in it; give the folder that `npm run build` has made, such as client/web/dist")]
    NoIndex(PathBuf),
    /// A file or folder that cannot be read.
    #[error("{0}: {1}")]
    Unreadable(PathBuf, std::io::Error),
    /// It holds more than a page.
    #[error("{0}: more than {FILES_MAX} files or {MIB_MAX} MiB are in it; give the folder of the page alone")]
    TooLarge(PathBuf),
}

impl Page {
    /// The page that was there when the program was built; empty if there was none.
    pub fn built_in() -> Page {
        let files = built_in::FILES.iter().map(|(name, bytes)| (Cow::Borrowed(*name), Bytes::from_static(bytes)));
        Page::of(files.collect())
    }

    /// The page in this folder. Hidden files are left out, but for what lies in `.well-known`.
    pub fn read(folder: &Path) -> Result<Page, NoPage> {
        if !folder.join(INDEX).is_file() {
            return Err(NoPage::NoIndex(folder.to_owned()));
        }
        let (mut files, mut bytes) = (BTreeMap::new(), 0);
        let mut folders = vec![(String::new(), folder.to_owned())];
        while let Some((prefix, inner)) = folders.pop() {
            let unreadable = |error| NoPage::Unreadable(inner.clone(), error);
            for entry in fs::read_dir(&inner).map_err(unreadable)? {
                let entry = entry.map_err(unreadable)?;
                let (path, last) = (entry.path(), entry.file_name());
                let last = last.to_string_lossy();
                if last.starts_with('.') && last != ".well-known" {
                    continue;
                }
                let name = format!("{prefix}{last}");
                let about = fs::metadata(&path).map_err(|error| NoPage::Unreadable(path.clone(), error))?;
                bytes += about.len();
                if bytes > MIB_MAX << 20 || files.len() + folders.len() >= FILES_MAX {
                    return Err(NoPage::TooLarge(folder.to_owned()));
                }
                if about.is_dir() {
                    folders.push((name + "/", path));
                } else {
                    let content = fs::read(&path).map_err(|error| NoPage::Unreadable(path, error))?;
                    files.insert(Cow::Owned(name), Bytes::from(content));
                }
            }
        }
        if let Ok(preloads) = fs::read(folder.join(PRELOADS)) {
            files.insert(PRELOADS.into(), preloads.into());
        }
        Ok(Page::of(files))
    }

    fn of(mut files: BTreeMap<Cow<'static, str>, Bytes>) -> Page {
        // Told in the document, and no file of the page.
        let preloads = files.remove(PRELOADS);
        let document = files.remove(INDEX).map(|html| Document::new(&html, preloads.as_deref()));
        let files = files.into_iter().map(|(name, bytes)| {
            let file = File::new(&name, bytes);
            (name, file)
        });
        Page(Arc::new(Files { files: files.collect(), document }))
    }

    /// The file of this name; the document is none.
    pub fn file(&self, name: &str) -> Option<&File> {
        self.0.files.get(name)
    }

    /// What the page's addresses answer with; `None` if the program was built without a page.
    pub fn document(&self) -> Option<&Document> {
        self.0.document.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, content) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("it lies in one")).expect("made");
            fs::write(path, content).expect("written");
        }
        folder
    }

    #[test]
    fn a_folder_is_a_page_with_what_lies_deeper_and_without_what_is_hidden() {
        let names =
            ["index.html", "assets/a.js", ".env", ".git/config", ".well-known/assetlinks.json", ".vite/preloads.json"];
        let folder = written(&names.map(|name| (name, name)));
        let page = Page::read(folder.path()).expect("a page");
        let served: Vec<_> = page.0.files.keys().map(Cow::as_ref).collect();
        assert_eq!(served, [".well-known/assetlinks.json", "assets/a.js"]);
        assert_eq!(page.file("assets/a.js").map(|file| &file.bytes[..]), Some(&b"assets/a.js"[..]));
        assert!(page.document().is_some());
    }

    #[test]
    fn a_folder_that_is_no_page_is_refused_with_what_would_be_one() {
        let folder = written(&[("inner/a.js", "")]);
        let none = Page::read(folder.path()).err().expect("no index.html").to_string();
        assert!(none.contains("no index.html is in it; give the folder"), "{none}");
        fs::write(folder.path().join(INDEX), "<!doctype html>").expect("written");
        std::os::unix::fs::symlink(folder.path(), folder.path().join("inner/again")).expect("linked");
        let endless = Page::read(folder.path()).err().expect("without end").to_string();
        assert!(endless.contains("symbolic links"), "{endless}");
    }
}
