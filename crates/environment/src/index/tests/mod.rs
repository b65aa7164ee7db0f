//! The index against a loopback server: one that answers from a script, and one that serves files.

mod histories;
mod metadata;
mod snapshots;
mod sources;

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use super::*;

/// What the server writes as one answer: status line, headers, body.
type Answer = (String, String, Vec<u8>);

/// A request: its path, and its headers in lower case.
struct Request {
    path: String,
    headers: Vec<String>,
}

impl Request {
    fn read(stream: &TcpStream) -> Self {
        let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
        let first = lines.next().unwrap_or_default();
        let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
        Self { path, headers: lines.take_while(|line| !line.is_empty()).map(|line| line.to_lowercase()).collect() }
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    /// The path with what was asked conditionally or in part.
    fn told(&self) -> String {
        let told =
            ["if-none-match", "range"].iter().filter_map(|name| Some(format!(" {name}: {}", self.header(name)?)));
        format!("{}{}", self.path, told.collect::<String>())
    }
}

/// Answers each request by the function, until it has no more; tells of each request.
fn serve(mut answers: impl FnMut(&Request) -> Option<Answer> + Send + 'static) -> (IndexAddress, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = IndexAddress::given(&format!("http://{}/simple", listener.local_addr().unwrap()));
    let (sender, receiver): (Sender<String>, _) = channel();
    std::thread::spawn(move || {
        while let Ok((stream, _)) = listener.accept() {
            let request = Request::read(&stream);
            let Some(answer) = answers(&request) else { return };
            let _ = sender.send(request.told());
            write(stream, &answer);
        }
    });
    (address, receiver)
}

fn write(mut stream: TcpStream, (status, headers, body): &Answer) {
    let length =
        if headers.contains("content-length") { String::new() } else { format!("content-length: {}\r\n", body.len()) };
    let _ = write!(stream, "HTTP/1.1 {status}\r\nconnection: close\r\n{length}{headers}\r\n");
    let _ = stream.write_all(body);
}

/// An index on loopback with a cache of its own.
struct Scene {
    folder: tempfile::TempDir,
    requests: Receiver<String>,
    settings: IndexSettings,
}

impl Scene {
    fn of((address, requests): (IndexAddress, Receiver<String>)) -> Self {
        let retry = Patience { attempts: 3, delay: Duration::from_millis(1), ..patience() };
        let settings =
            IndexSettings { address: Some(address), retry, fresh_for: Duration::ZERO, ..IndexSettings::default() };
        Self { folder: tempfile::tempdir().unwrap(), requests, settings }
    }

    /// One that answers from a script, then is gone.
    fn scripted(answers: Vec<(&'static str, &'static str, &'static str)>) -> Self {
        let mut answers = answers.into_iter();
        Self::of(serve(move |_| {
            let (status, headers, body) = answers.next()?;
            Some((status.to_owned(), headers.to_owned(), body.into()))
        }))
    }

    /// With an empty memory, as another process would have.
    fn index(&self) -> Index {
        Index::at(self.folder.path().to_owned(), self.settings.clone())
    }

    fn ask(&self, name: &str) -> Result<Lookup, IndexError> {
        self.index().history(name)
    }

    fn seen(&self) -> Vec<String> {
        self.requests.try_iter().collect()
    }
}

/// What a server of files does with requests for parts.
#[derive(Clone, Copy, PartialEq)]
enum Parts {
    Given,
    /// The whole file comes, with status 200.
    Ignored,
    /// Status 501.
    Refused,
    /// Status 206 with other bytes than those asked for.
    Wrong,
}

/// Serves files by path, in parts where asked and able.
fn file_server(files: HashMap<String, Vec<u8>>, parts: Parts) -> (IndexAddress, Receiver<String>) {
    let files = Arc::new(files);
    serve(move |request| {
        let Some(body) = files.get(&request.path) else {
            return Some(("404 Not Found".into(), String::new(), Vec::new()));
        };
        let whole = || Some(("200 OK".to_owned(), String::new(), body.clone()));
        let Some(range) = request.header("range") else { return whole() };
        match parts {
            Parts::Ignored => whole(),
            Parts::Refused => Some(("501 Not Implemented".into(), String::new(), Vec::new())),
            Parts::Wrong => Some(("206 Partial".into(), "content-range: bytes 0-0/7\r\n".into(), vec![0])),
            Parts::Given => {
                let (first, last) = range.strip_prefix("bytes=").unwrap().split_once('-').unwrap();
                let (first, last) = match first {
                    "" => (body.len().saturating_sub(last.parse().unwrap()), body.len() - 1),
                    first => (first.parse().unwrap(), last.parse::<usize>().unwrap().min(body.len() - 1)),
                };
                let headers = format!("content-range: bytes {first}-{last}/{}\r\n", body.len());
                Some(("206 Partial Content".into(), headers, body[first..=last].to_vec()))
            }
        }
    })
}
