//! The wire under the servers of our tests: HTTP on the loopback address, which can misbehave below HTTP.
//!
//! Plain threads and `httparse` instead of a server framework, because the point of these servers is to reset a connection in
//! the middle of a head, to announce more than they send, to stall. A framework hides the socket.
//!
//! ```
//! use nbrevive_loopback::{Delivery, Reply, Request, Server, Site};
//!
//! struct Greeter;
//!
//! impl Site for Greeter {
//!     type Mark = ();
//!     fn begin(&self, _: &Request) {}
//!     fn answer(&self, request: &Request) -> (Reply, Delivery) {
//!         (Reply::new(200, "text/plain", format!("you asked for {}", request.path)), Delivery::Whole)
//!     }
//!     fn note(&self, (): &(), _: u16) {}
//!     fn end(&self, (): &(), _: Option<u16>) {}
//! }
//!
//! let server = Server::start(0, Greeter)?;
//! assert!(server.url().starts_with("http://127.0.0.1:"));
//! # Ok::<(), std::io::Error>(())
//! ```

mod connection;
mod random;
mod reply;
mod request;
mod server;
mod site;

pub use random::RandomStream;
pub use reply::{Reply, ReplyBody, http_date, wrong_types};
pub use request::Request;
pub use server::{Server, lock};
pub use site::{Delivery, Site};
