//! One connection: requests in, answers out, and what goes wrong on the way.

use std::io::{self, BufWriter, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use socket2::SockRef;

use crate::reply::Reply;
use crate::request::{Reader, Request};
use crate::site::{Delivery, Site, Work};

/// How long a reset waits for what was sent before it.
const ARRIVAL: Duration = Duration::from_millis(20);
/// How often a slow body sends a piece.
const DRIP: Duration = Duration::from_millis(50);

/// Answers requests until either side ends the connection.
pub(super) fn serve<S: Site>(stream: &TcpStream, site: &S, is_stopping: &dyn Fn() -> bool) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = Reader::new(stream.try_clone()?);
    while let Some(request) = reader.next()? {
        let mut work = Work::begin(site, &request);
        let (reply, delivery) = site.answer(&request);
        let sent = send(stream, &request, &reply, (delivery, is_stopping), &mut work);
        work.end(None);
        let is_kept = sent? && !request.header("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"));
        if !is_kept {
            break;
        }
    }
    Ok(())
}

/// Sends an answer; says whether the connection can be used again.
///
/// The log's entry is completed before the last byte goes out: a client that has its answer finds it in the log, and its next
/// request is never counted as one at the same time.
fn send<S: Site>(
    stream: &TcpStream,
    request: &Request,
    reply: &Reply,
    (delivery, is_stopping): (Delivery, &dyn Fn() -> bool),
    work: &mut Work<'_, S>,
) -> io::Result<bool> {
    let head = reply.head();
    match delivery {
        Delivery::Whole => {
            let mut to = HoldingBack::new(BufWriter::new(stream));
            to.write_all(head.as_bytes())?;
            if request.method != "HEAD" {
                reply.write_body(&mut to)?;
            }
            work.end(Some(reply.status));
            to.release()?;
            return Ok(true);
        }
        Delivery::Drip(rate) => {
            let mut to = HoldingBack::new(Dripping { stream, rate: rate.max(1), is_stopping });
            (&*stream).write_all(head.as_bytes())?;
            reply.write_body(&mut to)?;
            work.end(Some(reply.status));
            to.release()?;
            return Ok(true);
        }
        Delivery::ResetInHeaders => {
            (&*stream).write_all(&head.as_bytes()[..head.len() / 2])?;
            work.end(None);
            reset(stream)?;
        }
        Delivery::ResetInBody => {
            half(stream, &head, reply)?;
            work.end(Some(reply.status));
            reset(stream)?;
        }
        Delivery::CutShort => {
            half(stream, &head, reply)?;
            work.end(Some(reply.status));
            stream.shutdown(Shutdown::Both)?;
        }
        Delivery::Stall => stall(stream)?,
        Delivery::StallInBody => {
            half(stream, &head, reply)?;
            work.set_status(reply.status);
            stall(stream)?;
        }
    }
    Ok(false)
}

/// Sends the head and about half of the body: the announced length is that of all of it.
fn half(stream: &TcpStream, head: &str, reply: &Reply) -> io::Result<()> {
    let mut to = stream;
    to.write_all(head.as_bytes())?;
    let mut limited = Limited { to: &mut to, left: (reply.body.length() / 2) as usize };
    match reply.write_body(&mut limited) {
        Err(error) if limited.left > 0 => Err(error),
        _ => Ok(()),
    }
}

/// Closes so that the client sees a reset instead of an end. What was sent is first given time to arrive, since a reset may
/// overtake it.
fn reset(stream: &TcpStream) -> io::Result<()> {
    std::thread::sleep(ARRIVAL);
    SockRef::from(stream).set_linger(Some(Duration::ZERO))
}

/// Waits until the client gives up, or until the server stops and shuts the connection down.
fn stall(stream: &TcpStream) -> io::Result<()> {
    let mut bytes = [0; 1024];
    let mut from = stream;
    while from.read(&mut bytes)? > 0 {}
    Ok(())
}

/// Keeps the last byte back until it is released.
struct HoldingBack<W: Write> {
    to: W,
    held: Option<u8>,
}

impl<W: Write> HoldingBack<W> {
    fn new(to: W) -> Self {
        Self { to, held: None }
    }

    fn release(mut self) -> io::Result<()> {
        if let Some(byte) = self.held.take() {
            self.to.write_all(&[byte])?;
        }
        self.to.flush()
    }
}

impl<W: Write> Write for HoldingBack<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some((last, rest)) = bytes.split_last() else { return Ok(0) };
        if let Some(byte) = self.held.replace(*last) {
            self.to.write_all(&[byte])?;
        }
        self.to.write_all(rest)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Writes so many bytes and then fails.
struct Limited<'a, W: Write> {
    to: &'a mut W,
    left: usize,
}

impl<W: Write> Write for Limited<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.left == 0 {
            return Err(io::Error::other("enough"));
        }
        let count = self.to.write(&bytes[..bytes.len().min(self.left)])?;
        self.left -= count;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Writes a few bytes at a time.
struct Dripping<'a> {
    stream: &'a TcpStream,
    rate: u64,
    is_stopping: &'a dyn Fn() -> bool,
}

impl Write for Dripping<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if (self.is_stopping)() {
            return Err(io::Error::other("the server stops"));
        }
        let share = self.rate as f64 * DRIP.as_secs_f64();
        let piece = (share.ceil() as usize).clamp(1, bytes.len().max(1));
        std::thread::sleep(DRIP.max(Duration::from_secs_f64(1.0 / self.rate as f64)));
        let mut stream = self.stream;
        stream.write(&bytes[..piece.min(bytes.len())])
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
