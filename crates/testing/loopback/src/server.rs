//! The server: a thread for each connection.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use crate::connection::serve;
use crate::site::Site;

/// A running server. It stops, and all its connections end, when it is dropped.
pub struct Server<S: Site> {
    address: SocketAddr,
    shared: Arc<Shared<S>>,
    acceptor: Option<JoinHandle<()>>,
}

/// What all connections share.
struct Shared<S> {
    site: S,
    is_stopping: AtomicBool,
    connections: Mutex<HashMap<u64, TcpStream>>,
}

impl<S> Shared<S> {
    fn is_stopping(&self) -> bool {
        self.is_stopping.load(Ordering::SeqCst)
    }
}

impl<S: Site> fmt::Debug for Server<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Server").field("address", &self.address).finish_non_exhaustive()
    }
}

impl<S: Site> Server<S> {
    /// Starts a server on a port of the loopback address; 0 for any that is free.
    ///
    /// # Errors
    /// Those of the system: the port is taken, or sockets are not allowed.
    pub fn start(port: u16, site: S) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let address = listener.local_addr()?;
        let shared =
            Arc::new(Shared { site, is_stopping: AtomicBool::new(false), connections: Mutex::new(HashMap::new()) });
        let acceptor = std::thread::spawn({
            let shared = Arc::clone(&shared);
            move || accept(&listener, &shared)
        });
        Ok(Self { address, shared, acceptor: Some(acceptor) })
    }

    /// The address, without a slash at its end.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The loopback address and the port.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What answers.
    #[must_use]
    pub fn site(&self) -> &S {
        &self.shared.site
    }

    /// Waits until the server is stopped from elsewhere, which only a signal does: for programs.
    pub fn wait(mut self) {
        if let Some(acceptor) = self.acceptor.take() {
            let _ = acceptor.join();
        }
    }
}

impl<S: Site> Drop for Server<S> {
    fn drop(&mut self) {
        self.shared.is_stopping.store(true, Ordering::SeqCst);
        // The acceptor waits for a connection: this is its last.
        let _ = TcpStream::connect(self.address);
        if let Some(acceptor) = self.acceptor.take() {
            let _ = acceptor.join();
        }
        for stream in lock(&self.shared.connections).values() {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

/// What a mutex guards, also after a thread panicked that held it.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn accept<S: Site>(listener: &TcpListener, shared: &Arc<Shared<S>>) {
    for (number, stream) in listener.incoming().enumerate() {
        if shared.is_stopping() {
            return;
        }
        let Ok(stream) = stream else { continue };
        let Ok(kept) = stream.try_clone() else { continue };
        lock(&shared.connections).insert(number as u64, kept);
        let shared = Arc::clone(shared);
        std::thread::spawn(move || {
            if let Err(error) = serve(&stream, &shared.site, &|| shared.is_stopping()) {
                tracing::debug!(%error, "a connection ended");
            }
            lock(&shared.connections).remove(&(number as u64));
        });
    }
}
