//! One file of the page: what it is, and how it is sent.
//!
//! Must never be compressed again for a later request.

use std::io::Write;
use std::sync::OnceLock;

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

/// Less than this is not worth compressing.
const SMALL: usize = 512;
/// Brotli's thoroughness, of 11: the last two cost ten times as much and save little.
const BROTLI_QUALITY: u32 = 9;
/// Brotli's window, as a power of two: no file of the page is larger.
const BROTLI_WINDOW: u32 = 22;

/// A file of the page.
pub struct File {
    /// Its content.
    pub bytes: Bytes,
    /// Its `Content-Type`.
    pub kind: &'static str,
    /// Its `ETag`.
    pub tag: String,
    /// Whether its name tells its content, so that it never has to be asked for again.
    pub is_immutable: bool,
    gzip: OnceLock<Option<Bytes>>,
    brotli: OnceLock<Option<Bytes>>,
}

/// How a file can be compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coding {
    /// RFC 7932.
    Brotli,
    /// RFC 1952.
    Gzip,
}

impl File {
    /// A file of this name and content.
    pub fn new(name: &str, bytes: Bytes) -> File {
        // The build puts a hash into the name of every asset.
        let is_immutable = name.starts_with("assets/");
        let (gzip, brotli) = (OnceLock::new(), OnceLock::new());
        File { tag: tag_of(&bytes), kind: kind_of(name), is_immutable, bytes, gzip, brotli }
    }

    /// Whether it is text, which compresses.
    pub fn is_text(&self) -> bool {
        let text = ["text/", "application/json", "application/manifest+json", "image/svg+xml"];
        self.bytes.len() >= SMALL && text.iter().any(|text| self.kind.starts_with(text))
    }

    /// The content compressed if it was before; the first who asks has to do it.
    pub fn known(&self, coding: Coding) -> Option<&Option<Bytes>> {
        self.slot(coding).get()
    }

    /// The content compressed, once for all; `None` where that saves nothing. Takes milliseconds the first time.
    pub fn compressed(&self, coding: Coding) -> Option<Bytes> {
        let compress = || {
            let compressed = coding.compress(&self.bytes);
            (compressed.len() < self.bytes.len()).then(|| Bytes::from(compressed))
        };
        self.slot(coding).get_or_init(compress).clone()
    }

    fn slot(&self, coding: Coding) -> &OnceLock<Option<Bytes>> {
        match coding {
            Coding::Brotli => &self.brotli,
            Coding::Gzip => &self.gzip,
        }
    }
}

impl Coding {
    /// Its name in headers.
    pub fn name(self) -> &'static str {
        match self {
            Coding::Brotli => "br",
            Coding::Gzip => "gzip",
        }
    }

    /// The best one that `Accept-Encoding` allows.
    pub fn accepted(header: &str) -> Option<Coding> {
        let allows = |coding: &Coding| {
            header.split(',').any(|entry| {
                let (name, quality) = entry.split_once(';').unwrap_or((entry, ""));
                let quality = quality.trim().strip_prefix("q=").map_or(Some(1.0), |q| q.trim().parse::<f32>().ok());
                name.trim().eq_ignore_ascii_case(coding.name()) && quality.is_some_and(|quality| quality > 0.0)
            })
        };
        [Coding::Brotli, Coding::Gzip].into_iter().find(allows)
    }

    /// Compresses.
    pub fn compress(self, bytes: &[u8]) -> Vec<u8> {
        let into_memory = "memory takes everything";
        match self {
            Coding::Brotli => {
                let mut writer = brotli::CompressorWriter::new(Vec::new(), 4_096, BROTLI_QUALITY, BROTLI_WINDOW);
                writer.write_all(bytes).expect(into_memory);
                writer.into_inner()
            }
            Coding::Gzip => {
                let mut writer = GzEncoder::new(Vec::new(), Compression::best());
                writer.write_all(bytes).expect(into_memory);
                writer.finish().expect(into_memory)
            }
        }
    }
}

/// What names this content, as an `ETag`. A weak one: the same for all codings.
pub fn tag_of(content: &[u8]) -> String {
    let hash = hex::encode(Sha256::digest(content));
    format!("W/\"{}\"", &hash[..24])
}

fn kind_of(name: &str) -> &'static str {
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
    use std::io::Read;

    use super::*;

    #[test]
    fn a_file_is_compressed_once_and_reads_the_same() {
        let text = "const harmony = 'R1 on S2';\n".repeat(200);
        let file = File::new("assets/a.js", Bytes::from(text.clone()));
        let (mut gzip, mut brotli) = (String::new(), String::new());
        let packed = file.compressed(Coding::Gzip).expect("it is shorter");
        flate2::read::GzDecoder::new(&packed[..]).read_to_string(&mut gzip).expect("gzip");
        let tight = file.compressed(Coding::Brotli).expect("it is shorter");
        brotli::Decompressor::new(&tight[..], 4_096).read_to_string(&mut brotli).expect("brotli");
        assert_eq!((&gzip, &brotli), (&text, &text));
        assert_eq!(file.compressed(Coding::Gzip).expect("the same").as_ptr(), packed.as_ptr(), "not compressed again");
    }

    #[test]
    fn what_compressing_makes_longer_is_sent_as_it_is() {
        let noise: Vec<u8> = (0..64_u64).flat_map(|n| Sha256::digest(n.to_le_bytes())).collect();
        let file = File::new("a.txt", Bytes::from(noise));
        assert_eq!((file.compressed(Coding::Gzip), file.compressed(Coding::Brotli)), (None, None));
        assert!(!File::new("icon.png", Bytes::from(vec![0; 9_000])).is_text(), "compressed by itself");
    }

    #[test]
    fn the_best_coding_that_is_allowed_is_taken() {
        for (header, coding) in [
            ("gzip, deflate, br, zstd", Some(Coding::Brotli)),
            ("GZIP;q=1.0, br;q=0", Some(Coding::Gzip)),
            ("gzip;q=0.5", Some(Coding::Gzip)),
            ("gzip;q=much", None),
            ("identity", None),
            ("xgzip, brr", None),
            ("", None),
        ] {
            assert_eq!(Coding::accepted(header), coding, "{header}");
        }
    }
}
