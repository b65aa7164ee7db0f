//! A loopback server that answers by a function, well or badly, and a scene with a raw store beside it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use proptest::prelude::{Just, Strategy, any, prop_oneof};
use serde_json::Value;

use crate::api::{Api, ApiSettings, Endpoint};
use crate::budget::{Budget, Clock, Manners, Patience};
use crate::raw::{Belief, JournalEntry, RawStore};
use crate::secret::{Access, Credentials, Secret};

/// What came in.
#[derive(Debug, Clone, Default)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) authorization: String,
    pub(crate) body: String,
}

impl Request {
    /// A parameter of the query.
    pub(crate) fn parameter(&self, name: &str) -> Option<String> {
        let query = self.path.split_once('?')?.1;
        query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('=')).map(str::to_owned)
    }
}

/// How an answer goes out.
#[derive(Debug, Clone)]
pub(crate) enum Manner {
    Whole,
    /// With the length of the whole, but only this many bytes of it.
    Cut(usize),
    /// Without a length, ended by closing.
    Unmeasured,
    /// The connection is reset before anything is said.
    Reset,
    /// Nothing is said for a while.
    Stall(Duration),
    /// A byte, a pause, a byte …
    Drip(Duration),
}

#[derive(Debug, Clone)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: String,
    pub(crate) body: Vec<u8>,
    pub(crate) manner: Manner,
}

impl Reply {
    #[expect(clippy::needless_pass_by_value, reason = "tests give JSON values and texts as they make them")]
    pub(crate) fn json(body: impl ToString) -> Self {
        Self::status(200, body.to_string())
    }

    #[expect(clippy::needless_pass_by_value, reason = "tests give JSON values and texts as they make them")]
    pub(crate) fn status(status: u16, body: impl ToString) -> Self {
        Self { status, headers: String::new(), body: body.to_string().into_bytes(), manner: Manner::Whole }
    }

    pub(crate) fn header(mut self, line: &str) -> Self {
        self.headers = format!("{}{line}\r\n", self.headers);
        self
    }

    pub(crate) fn manner(mut self, manner: Manner) -> Self {
        self.manner = manner;
        self
    }
}

type Answer = dyn Fn(&Request, usize) -> Reply + Send + Sync;

/// A server that runs until the process ends.
pub(crate) struct Server {
    pub(crate) host: String,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    /// Answers each request by the function, which is told how many came before.
    pub(crate) fn start(answer: impl Fn(&Request, usize) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let host = listener.local_addr().unwrap().to_string();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (answer, log): (Arc<Answer>, _) = (Arc::new(answer), Arc::clone(&requests));
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (answer, log) = (Arc::clone(&answer), Arc::clone(&log));
                std::thread::spawn(move || serve(stream, &*answer, &log));
            }
        });
        Self { host, requests }
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }

    pub(crate) fn paths(&self) -> Vec<String> {
        self.requests().into_iter().map(|request| request.path).collect()
    }
}

fn serve(mut stream: TcpStream, answer: &Answer, log: &Mutex<Vec<Request>>) {
    let Some(request) = read(&stream) else { return };
    let before = {
        let mut log = log.lock().unwrap();
        log.push(request.clone());
        log.len() - 1
    };
    let reply = answer(&request, before);
    let length = match reply.manner {
        Manner::Unmeasured => String::new(),
        _ => format!("content-length: {}\r\n", reply.body.len()),
    };
    let head = format!("HTTP/1.1 {} X\r\nconnection: close\r\n{length}{}\r\n", reply.status, reply.headers);
    let sent = match reply.manner {
        // Bytes that nobody reads make the kernel reset the connection.
        Manner::Reset => return,
        Manner::Stall(time) => {
            std::thread::sleep(time);
            return;
        }
        Manner::Cut(length) => &reply.body[..length.min(reply.body.len())],
        Manner::Whole | Manner::Unmeasured | Manner::Drip(_) => &reply.body,
    };
    let _ = stream.write_all(head.as_bytes());
    if let Manner::Drip(pause) = reply.manner {
        for byte in sent {
            let _ = stream.write_all(&[*byte]).and_then(|()| stream.flush());
            std::thread::sleep(pause);
        }
        return;
    }
    let _ = stream.write_all(sent);
}

fn read(stream: &TcpStream) -> Option<Request> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut words = line.split_whitespace().map(str::to_owned);
    let mut request = Request { method: words.next()?, path: words.next()?, ..Request::default() };
    let mut length = 0;
    loop {
        line.clear();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        match name.to_ascii_lowercase().as_str() {
            "authorization" => request.authorization = value.to_owned(),
            "content-length" => length = value.parse().ok()?,
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    request.body = String::from_utf8(body).ok()?;
    Some(request)
}

/// A key that no test may find anywhere.
pub(crate) const KEY: &str = "hunter2hunter2hunter2";

/// Settings without long pauses.
pub(crate) fn quick() -> ApiSettings {
    let patience = Patience {
        attempts: 4,
        delay: Duration::from_millis(1),
        ceiling: Duration::from_millis(5),
        ..Patience::default()
    };
    let belief = Belief { apart: Duration::ZERO, ..Belief::default() };
    ApiSettings { patience, belief, ..ApiSettings::default() }
}

/// Manners that do not slow a test down.
pub(crate) fn hasty() -> Manners {
    Manners { rate: f64::INFINITY, longest_wait: Duration::from_secs(30), ..Manners::default() }
}

/// A server and a raw store.
pub(crate) struct Scene {
    pub(crate) server: Server,
    pub(crate) folder: tempfile::TempDir,
    pub(crate) settings: ApiSettings,
    pub(crate) manners: Manners,
    pub(crate) clock: Clock,
    pub(crate) base: &'static str,
}

impl Scene {
    pub(crate) fn new(answer: impl Fn(&Request, usize) -> Reply + Send + Sync + 'static) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (server, settings, manners) = (Server::start(answer), quick(), hasty());
        Self { server, folder, settings, manners, clock: Clock::System, base: "api/v1" }
    }

    pub(crate) fn modern(mut self) -> Self {
        self.base = "v1";
        self
    }

    pub(crate) fn store(&self) -> Arc<RawStore> {
        Arc::new(RawStore::open(&self.folder.path().join("raw")).unwrap())
    }

    /// The API as a new process would open it.
    pub(crate) fn api(&self) -> Api {
        let endpoint = Endpoint::given(&format!("http://{}/{}", self.server.host, self.base), "a test").unwrap();
        let access = match self.base {
            "v1" => Access::Token(Secret::new(KEY)),
            _ => Access::Key { username: "ada".into(), key: Secret::new(KEY) },
        };
        let budget = Budget::open(&self.folder.path().join("budget"), self.manners, self.clock.clone()).unwrap();
        Api::online(self.store(), endpoint, &Credentials::given(access), budget, self.settings).unwrap()
    }

    /// Status and fault of every request in the journal.
    pub(crate) fn journal(&self) -> Vec<(Option<u16>, Option<String>)> {
        let entries = self.store().journal().unwrap();
        entries
            .into_iter()
            .filter_map(|entry| match entry {
                JournalEntry::Exchange(exchange) => Some((exchange.status, exchange.fault)),
                JournalEntry::Holding(_) | JournalEntry::Removal(_) => None,
            })
            .collect()
    }
}

/// Any JSON, with the names that a parser looks for and texts of the kinds that it meets, both as regular expressions.
pub(crate) fn any_answer(names: &'static str, texts: &'static str) -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        texts.prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map(names, inner, 0..6)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}
