//! One connection: requests in, answers out, and what goes wrong on the way.

use std::io::{self, BufWriter, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use socket2::SockRef;

use crate::faults::Delivery;
use crate::server::Shared;
use crate::server::reply::Reply;
use crate::server::request::{Reader, Request};

/// How often a stalled connection looks whether the client or the server has gone.
const LOOK: Duration = Duration::from_millis(20);
/// How often a slow body sends a piece.
const DRIP: Duration = Duration::from_millis(50);

/// Answers requests until either side ends the connection.
pub(super) fn serve(stream: &TcpStream, shared: &Shared) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = Reader::new(stream.try_clone()?);
    while let Some(request) = reader.next()? {
        let work = shared.begin(&request);
        let (reply, delivery) = shared.answer(&request);
        let sent = send(stream, &request, &reply, delivery, shared);
        let has_head = !matches!(delivery, Delivery::Stall | Delivery::ResetInHeaders);
        work.end((has_head && sent.is_ok()).then_some(reply.status));
        let is_kept = sent? && !request.header("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"));
        if !is_kept {
            break;
        }
    }
    Ok(())
}

/// Sends an answer; says whether the connection can be used again.
fn send(stream: &TcpStream, request: &Request, reply: &Reply, delivery: Delivery, shared: &Shared) -> io::Result<bool> {
    let head = reply.head();
    match delivery {
        Delivery::Whole => {
            let mut to = BufWriter::new(stream);
            to.write_all(head.as_bytes())?;
            if request.method != "HEAD" {
                reply.write_body(&mut to)?;
            }
            to.flush()?;
            return Ok(true);
        }
        Delivery::ResetInHeaders => {
            (&*stream).write_all(&head.as_bytes()[..head.len() / 2])?;
            reset(stream)?;
        }
        Delivery::ResetInBody => {
            half(stream, &head, reply)?;
            reset(stream)?;
        }
        Delivery::CutShort => {
            half(stream, &head, reply)?;
            stream.shutdown(Shutdown::Both)?;
        }
        Delivery::Stall => stall(stream, shared)?,
        Delivery::StallInBody => {
            half(stream, &head, reply)?;
            stall(stream, shared)?;
        }
        Delivery::Drip(rate) => {
            (&*stream).write_all(head.as_bytes())?;
            reply.write_body(&mut Dripping { stream, rate, shared })?;
            return Ok(true);
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
    std::thread::sleep(LOOK);
    SockRef::from(stream).set_linger(Some(Duration::ZERO))
}

/// Waits until the client gives up or the server stops.
fn stall(stream: &TcpStream, shared: &Shared) -> io::Result<()> {
    stream.set_read_timeout(Some(LOOK))?;
    let mut byte = [0];
    while !shared.is_stopping() {
        match (&*stream).read(&mut byte) {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
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
    shared: &'a Shared,
}

impl Write for Dripping<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.shared.is_stopping() {
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
