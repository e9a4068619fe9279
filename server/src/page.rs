//! The web page's files: those that are built in, or a host's own from a folder.
//!
//! Must never read a file after the start: what is served is what was there then.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use thiserror::Error;

mod built_in {
    include!(concat!(env!("OUT_DIR"), "/page_files.rs"));
}

/// The file that every address of the page answers with.
pub const INDEX: &str = "index.html";
/// What a page can be at most: a folder that holds more was given by a slip of the hand.
const FILES_MAX: usize = 2_000;
const MIB_MAX: u64 = 64;

/// The page's files by name, such as `assets/index-1a2b.js`; clones share them.
#[derive(Clone, Debug)]
pub struct Page(Arc<BTreeMap<Cow<'static, str>, Bytes>>);

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
        Page(Arc::new(files.collect()))
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
        Ok(Page(Arc::new(files)))
    }

    /// The file of this name.
    pub fn file(&self, name: &str) -> Option<&Bytes> {
        self.0.get(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_a_page_with_what_lies_deeper_and_without_what_is_hidden() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, name).expect("written");
        };
        ["index.html", "assets/a.js", ".env", ".git/config", ".well-known/assetlinks.json"].map(write);
        let page = Page::read(folder.path()).expect("a page");
        let names: Vec<_> = page.0.keys().map(Cow::as_ref).collect();
        assert_eq!(names, [".well-known/assetlinks.json", "assets/a.js", "index.html"]);
        assert_eq!(page.file("assets/a.js").map(|bytes| &bytes[..]), Some(&b"assets/a.js"[..]));
    }

    #[test]
    fn a_folder_that_is_no_page_is_refused_with_what_would_be_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let none = Page::read(folder.path()).expect_err("no index.html").to_string();
        assert!(none.contains("no index.html is in it; give the folder"), "{none}");
        fs::write(folder.path().join(INDEX), "<!doctype html>").expect("written");
        fs::create_dir(folder.path().join("loop")).expect("made");
        std::os::unix::fs::symlink(folder.path(), folder.path().join("loop/again")).expect("linked");
        let endless = Page::read(folder.path()).expect_err("without end").to_string();
        assert!(endless.contains("symbolic links"), "{endless}");
    }
}
