//! A package index on loopback with distributions made up here.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Cursor, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use nbrevive_environment::index::IndexAddress;
use nbrevive_environment::{BuildSettings, Pinned, PinnedFile};
use zip::write::SimpleFileOptions;

/// Files by name, and how the index behaves.
#[derive(Default)]
pub(crate) struct Shop {
    files: BTreeMap<String, Vec<u8>>,
    /// Requests that are refused with status 503 before the index works.
    refusals: AtomicU32,
    /// Pause before a file is served.
    delay: Duration,
}

/// A running index.
pub(crate) struct Loopback {
    address: String,
}

impl Shop {
    /// Adds a wheel that holds one module with the given text, and its metadata under the name and version given.
    pub(crate) fn wheel(mut self, name: &str, version: &str, text: &str) -> Self {
        self.files.insert(format!("{name}-{version}-py2.py3-none-any.whl"), wheel(name, version, text));
        self
    }

    /// Adds a file.
    pub(crate) fn file(mut self, name: &str, bytes: Vec<u8>) -> Self {
        self.files.insert(name.to_owned(), bytes);
        self
    }

    /// Adds a source archive that is its own build backend: `prepare` is code that runs first.
    pub(crate) fn source(mut self, name: &str, version: &str, prepare: &str) -> Self {
        self.files.insert(format!("{name}-{version}.tar.gz"), source(name, version, prepare));
        self
    }

    pub(crate) fn refusing(mut self, requests: u32) -> Self {
        self.refusals = AtomicU32::new(requests);
        self
    }

    pub(crate) fn slow(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    pub(crate) fn open(self) -> Loopback {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let shop = Arc::new(self);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shop = Arc::clone(&shop);
                std::thread::spawn(move || shop.answer(stream));
            }
        });
        Loopback { address }
    }

    fn answer(&self, mut stream: TcpStream) -> Option<()> {
        let mut reader = BufReader::new(stream.try_clone().ok()?);
        let mut request = String::new();
        reader.read_line(&mut request).ok()?;
        let mut header = String::new();
        while reader.read_line(&mut header).ok()? > 2 {
            header.clear();
        }
        let path = request.split(' ').nth(1)?.trim_end_matches('/');
        let refused =
            self.refusals.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok();
        let (status, extra, body) = if refused {
            ("503 Busy", String::new(), Vec::new())
        } else if path == "/simple/pip" {
            // The one real distribution that is needed: where the configured index has it.
            let real = IndexAddress::find().unwrap();
            ("302 Found", format!("Location: {real}/pip/\r\n"), Vec::new())
        } else if let Some(name) = path.strip_prefix("/simple/") {
            self.page(name).map_or(("404 Not Found", String::new(), Vec::new()), |page| {
                ("200 OK", "Content-Type: text/html\r\n".into(), page.into_bytes())
            })
        } else {
            std::thread::sleep(self.delay);
            let file = self.files.get(path.strip_prefix("/files/")?);
            file.map_or(("404 Not Found", String::new(), Vec::new()), |file| ("200 OK", String::new(), file.clone()))
        };
        write!(stream, "HTTP/1.1 {status}\r\n{extra}Content-Length: {}\r\nConnection: close\r\n\r\n", body.len())
            .ok()?;
        if !request.starts_with("HEAD") {
            stream.write_all(&body).ok()?;
        }
        Some(())
    }

    fn page(&self, name: &str) -> Option<String> {
        let of = |file: &&String| file.starts_with(&format!("{name}-"));
        let links: Vec<String> =
            self.files.keys().filter(of).map(|file| format!("<a href=\"/files/{file}\">{file}</a>")).collect();
        (!links.is_empty()).then(|| format!("<!DOCTYPE html><html><body>{}</body></html>", links.join("\n")))
    }
}

impl Loopback {
    pub(crate) fn settings(&self) -> BuildSettings {
        let index = Some(IndexAddress::given(&self.simple()));
        let mut settings = BuildSettings { index, ..BuildSettings::default() };
        settings.retry.delay = Duration::from_millis(10);
        settings
    }

    /// For a process of its own.
    pub(crate) fn simple(&self) -> String {
        format!("{}/simple", self.address)
    }
}

/// A pin of a wheel of the shop; with `digest` when its file is to be checked.
pub(crate) fn pin(name: &str, version: &str, digest: Option<&str>) -> Pinned {
    let file = digest.map(|digest| PinnedFile {
        name: format!("{name}-{version}-py2.py3-none-any.whl"),
        sha256: Some(digest.parse().unwrap()),
    });
    Pinned { file, ..Pinned::new(name, version.parse().unwrap()) }
}

/// A pin of a source archive of the shop.
pub(crate) fn source_pin(name: &str, version: &str) -> Pinned {
    let file = PinnedFile { name: format!("{name}-{version}.tar.gz"), sha256: None };
    Pinned { file: Some(file), ..Pinned::new(name, version.parse().unwrap()) }
}

pub(crate) fn wheel(name: &str, version: &str, text: &str) -> Vec<u8> {
    let folder = format!("{name}-{version}.dist-info");
    let entries = [
        (format!("{name}.py"), text.to_owned()),
        (format!("{folder}/METADATA"), format!("Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")),
        (
            format!("{folder}/WHEEL"),
            "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py2-none-any\nTag: py3-none-any\n".into(),
        ),
        (
            format!("{folder}/RECORD"),
            format!("{name}.py,,\n{folder}/METADATA,,\n{folder}/WHEEL,,\n{folder}/RECORD,,\n"),
        ),
    ];
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (path, text) in entries {
        archive.start_file(path, SimpleFileOptions::default()).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// A backend in the archive itself (PEP 517): it needs nothing from the index, and fails where `prepare` does.
fn source(name: &str, version: &str, prepare: &str) -> Vec<u8> {
    let backend = format!(
        r#"
import os, zipfile
{prepare}
FOLDER = "{name}-{version}.dist-info"
FILES = [("{name}.py", "built = 1\n"), (FOLDER + "/METADATA", "Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"),
    (FOLDER + "/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"),
    (FOLDER + "/RECORD", "{name}.py,,\n" + FOLDER + "/METADATA,,\n" + FOLDER + "/WHEEL,,\n" + FOLDER + "/RECORD,,\n")]
def build_wheel(folder, config_settings=None, metadata_directory=None):
    wheel = "{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(folder, wheel), "w") as archive:
        for path, text in FILES:
            archive.writestr(path, text)
    return wheel
"#
    );
    let pyproject = "[build-system]\nrequires = []\nbuild-backend = \"backend\"\nbackend-path = [\".\"]\n";
    let metadata = format!("Metadata-Version: 1.0\nName: {name}\nVersion: {version}\n");
    let mut archive = tar::Builder::new(flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast()));
    for (path, text) in [("backend.py", backend.as_str()), ("pyproject.toml", pyproject), ("PKG-INFO", &metadata)] {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, format!("{name}-{version}/{path}"), text.as_bytes()).unwrap();
    }
    archive.into_inner().unwrap().finish().unwrap()
}
