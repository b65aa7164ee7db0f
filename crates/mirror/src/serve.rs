//! Serves a folder on loopback: what is in its list and nothing else.

use std::collections::BTreeMap;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use nbrevive_files::Folder;

use crate::request::{FileRequest, read};
use crate::{MirrorError, about};

/// Connections at a time; others are closed.
const MOST_CONNECTIONS: usize = 64;
/// How long a client may take for its request, and for each part of what it reads.
const PATIENCE: Duration = Duration::from_secs(30);
/// What comes out of a folder of files.
const TYPES: [(&str, &str); 3] = [
    (".html", "text/html; charset=utf-8"),
    (".json", "application/vnd.pypi.simple.v1+json"),
    (".metadata", "text/plain; charset=utf-8"),
];

/// A folder that is served.
#[derive(Debug)]
pub struct MirrorServer {
    listener: TcpListener,
    served: Arc<Served>,
}

#[derive(Debug)]
struct Served {
    folder: Folder,
    /// Length by path.
    files: BTreeMap<String, u64>,
    connections: AtomicUsize,
}

impl MirrorServer {
    /// Holds a folder against its list, and listens on loopback; at port 0, on one that is free.
    ///
    /// # Errors
    /// When the folder is not what its list says, or nothing can listen there.
    pub fn open(folder: &Path, port: u16) -> Result<Self, MirrorError> {
        let (_, listing) = about(folder)?;
        let files = listing.files.into_iter().map(|file| (file.path, file.bytes)).collect();
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let failed = |source| MirrorError::Serve { address: address.to_string(), source };
        let listener = TcpListener::bind(address).map_err(failed)?;
        let served = Served { folder: Folder::open(folder)?, files, connections: AtomicUsize::new(0) };
        Ok(Self { listener, served: Arc::new(served) })
    }

    /// The address of its Simple API, for an installer.
    #[must_use]
    pub fn address(&self) -> String {
        let port = self.listener.local_addr().map_or(0, |address| address.port());
        format!("http://127.0.0.1:{port}/simple")
    }

    /// Serves until the program ends.
    pub fn serve(&self) {
        for stream in self.listener.incoming() {
            match stream {
                Ok(stream) => Served::answer_in_thread(&self.served, stream),
                Err(error) => {
                    tracing::debug!(%error, "a connection was not made");
                    // Such as no file left: others may end meanwhile.
                    std::thread::sleep(Duration::from_millis(50));
                }
            }
        }
    }
}

impl Served {
    fn answer_in_thread(this: &Arc<Self>, stream: TcpStream) {
        if this.connections.fetch_add(1, Ordering::Relaxed) >= MOST_CONNECTIONS {
            this.connections.fetch_sub(1, Ordering::Relaxed);
            return;
        }
        let served = Arc::clone(this);
        std::thread::spawn(move || {
            if let Err(error) = served.answer(stream) {
                tracing::debug!(%error, "an answer did not reach its client");
            }
            served.connections.fetch_sub(1, Ordering::Relaxed);
        });
    }

    fn answer(&self, mut stream: TcpStream) -> io::Result<()> {
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        match read(&mut stream)? {
            Some(request) => self.give(&request, &mut stream),
            None => head(&mut stream, "400 Bad Request", "text/plain", 0, ""),
        }
    }

    fn give(&self, request: &FileRequest, stream: &mut impl Write) -> io::Result<()> {
        let Some((path, length)) = self.found(request) else {
            return head(stream, "404 Not Found", "text/plain", 0, "");
        };
        let kind = TYPES.iter().find(|(ending, _)| path.ends_with(ending));
        let kind = kind.map_or("application/octet-stream", |(_, kind)| kind);
        let (from, until) = match request.range {
            None => (0, length),
            Some((Some(first), last)) => (first, last.map_or(length, |last| last.saturating_add(1)).min(length)),
            Some((None, last)) => (length.saturating_sub(last.unwrap_or(0)), length),
        };
        if from >= until && request.range.is_some() {
            return head(stream, "416 Range Not Satisfiable", kind, 0, &format!("Content-Range: bytes */{length}\r\n"));
        }
        let (status, more) = match request.range {
            None => ("200 OK", String::new()),
            Some(_) => ("206 Partial Content", format!("Content-Range: bytes {from}-{}/{length}\r\n", until - 1)),
        };
        let mut file = self.folder.open_file(Path::new(&path)).map_err(io::Error::from)?;
        file.seek(SeekFrom::Start(from))?;
        head(stream, status, kind, until - from, &more)?;
        if !request.is_head {
            io::copy(&mut file.take(until - from), stream)?;
        }
        stream.flush()
    }

    /// The file that is meant, and its length. A folder stands for its page.
    fn found(&self, request: &FileRequest) -> Option<(String, u64)> {
        let page = if request.wants_json { "index.json" } else { "index.html" };
        let path = match request.path.strip_suffix('/') {
            Some(folder) => format!("{folder}/{page}"),
            None => request.path.clone(),
        };
        self.files.get(&path).map(|length| (path, *length))
    }
}

/// The head of an answer. A connection has one answer.
fn head(stream: &mut impl Write, status: &str, kind: &str, length: u64, more: &str) -> io::Result<()> {
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nAccept-Ranges: bytes\r\nConnection: close\r\n{more}\r\n"
    )
}
