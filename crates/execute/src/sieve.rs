//! Stands between a kernel's socket and the library that speaks its protocol, and lets no message through that is larger than
//! anybody would keep.
//!
//! The library reads a message whole before it gives it away, and believes the length that a frame announces: a display of a
//! gigabyte would be a gigabyte of ours, and a notebook that writes to the socket itself could announce an exabyte. Here only
//! the heads of frames are read (ZMTP 3.1, section "Framing"): what comes after the limit of a message is dropped as it comes,
//! and the message ends with an empty frame, so that it does not pass as genuine.

use std::io;
use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::UnixStream;

/// Bytes that greet, before the first frame.
const GREETING: u64 = 64;
/// Flags of a frame.
const MORE: u8 = 1;
const LONG: u8 = 2;
const COMMAND: u8 = 4;
/// What a frame costs beside its bytes, at least: a message of empty frames is large as well.
const FRAME_COST: u64 = 64;
/// Bytes read at once.
const CHUNK: usize = 256 << 10;

/// Passes on what the kernel says, message by message of at most `most` bytes, until either side is gone.
///
/// Sets `dropped` when something was left out.
///
/// # Errors
/// When reading or writing fails.
pub(crate) async fn relay(kernel: UnixStream, ours: UnixStream, most: u64, dropped: Arc<AtomicBool>) -> io::Result<()> {
    let (mut from_kernel, mut to_kernel) = kernel.into_split();
    let (mut from_us, mut to_us) = ours.into_split();
    let requests = tokio::spawn(async move { tokio::io::copy(&mut from_us, &mut to_kernel).await });
    let mut sieve = Sieve::new(most);
    let (mut chunk, mut passed) = (vec![0_u8; CHUNK], Vec::with_capacity(CHUNK));
    let done = loop {
        let read = match from_kernel.read(&mut chunk).await {
            Ok(0) => break Ok(()),
            Ok(read) => read,
            Err(error) => break Err(error),
        };
        passed.clear();
        if sieve.pass(&chunk[..read], &mut passed) {
            dropped.store(true, Ordering::Relaxed);
        }
        if let Err(error) = to_us.write_all(&passed).await {
            break Err(error);
        }
    };
    requests.abort();
    done
}

/// Reads heads of frames from a stream that is cut anywhere.
pub(crate) struct Sieve {
    most: u64,
    expected: Expected,
    /// Bytes of the message so far.
    size: u64,
    /// Whether the rest of the message is dropped.
    dropping: bool,
}

/// What the next byte is.
#[derive(Clone, Copy)]
enum Expected {
    Greeting { left: u64 },
    Flags,
    Length { flags: u8, value: u64, left: u8 },
    Body { flags: u8, left: u64 },
}

impl Sieve {
    pub(crate) fn new(most: u64) -> Self {
        Self { most, expected: Expected::Greeting { left: GREETING }, size: 0, dropping: false }
    }

    /// Puts what may pass behind `out`; whether a message was cut here.
    pub(crate) fn pass(&mut self, mut bytes: &[u8], out: &mut Vec<u8>) -> bool {
        let mut cut = false;
        while let Some(&first) = bytes.first() {
            let taken = match self.expected {
                Expected::Greeting { left } => {
                    let taken = part(left, bytes);
                    out.extend_from_slice(&bytes[..taken]);
                    let left = left - taken as u64;
                    self.expected = if left == 0 { Expected::Flags } else { Expected::Greeting { left } };
                    taken
                }
                Expected::Flags => {
                    let left = if first & LONG == 0 { 1 } else { 8 };
                    self.expected = Expected::Length { flags: first, value: 0, left };
                    1
                }
                Expected::Length { flags, value, left } => {
                    let value = value << 8 | u64::from(first);
                    if left > 1 {
                        self.expected = Expected::Length { flags, value, left: left - 1 };
                    } else {
                        cut |= self.begin(flags, value, out);
                    }
                    1
                }
                Expected::Body { flags, left } => {
                    let taken = part(left, bytes);
                    if !self.dropping {
                        out.extend_from_slice(&bytes[..taken]);
                    }
                    self.body(flags, left - taken as u64);
                    taken
                }
            };
            bytes = &bytes[taken..];
        }
        cut
    }

    /// A frame begins; whether the message is cut by it.
    fn begin(&mut self, flags: u8, length: u64, out: &mut Vec<u8>) -> bool {
        self.size = self.size.saturating_add(length).saturating_add(FRAME_COST);
        let cut = !self.dropping && self.size > self.most;
        if cut {
            self.dropping = true;
            // The end of the message, for the reader.
            out.extend_from_slice(&[flags & COMMAND, 0]);
        } else if !self.dropping {
            out.push(flags);
            let length_bytes = length.to_be_bytes();
            out.extend_from_slice(if flags & LONG == 0 { &length_bytes[7..] } else { &length_bytes });
        }
        self.body(flags, length);
        cut
    }

    fn body(&mut self, flags: u8, left: u64) {
        if left > 0 {
            self.expected = Expected::Body { flags, left };
            return;
        }
        self.expected = Expected::Flags;
        if flags & MORE == 0 {
            self.size = 0;
            let _ = mem::take(&mut self.dropping);
        }
    }
}

/// How many of the bytes belong to what is left.
fn part(left: u64, bytes: &[u8]) -> usize {
    usize::try_from(left).map_or(bytes.len(), |left| left.min(bytes.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: u64 = 1000;

    /// A frame as it is on the wire.
    fn frame(flags: u8, body: &[u8]) -> Vec<u8> {
        let length = body.len() as u64;
        let head = match u8::try_from(length) {
            Ok(short) => vec![flags, short],
            Err(_) => [vec![flags | LONG], length.to_be_bytes().to_vec()].concat(),
        };
        [head, body.to_vec()].concat()
    }

    /// What passes of greeting and `wire`, given in pieces of `piece` bytes, and how often something was cut.
    fn passed(wire: &[u8], piece: usize) -> (Vec<u8>, usize) {
        let whole = [vec![0xff; 64], wire.to_vec()].concat();
        let (mut sieve, mut out) = (Sieve::new(MOST), Vec::new());
        let cuts = whole.chunks(piece).filter(|chunk| sieve.pass(chunk, &mut out)).count();
        (out.split_off(64), cuts)
    }

    #[test]
    fn what_is_small_passes_as_it_is_however_it_is_cut() {
        let wire = [frame(COMMAND, b"\x05READY"), frame(MORE, b""), frame(MORE, &[7; 300]), frame(0, b"end")].concat();
        for piece in 1..wire.len() + 64 {
            assert_eq!(passed(&wire, piece), (wire.clone(), 0));
        }
    }

    #[test]
    fn a_message_that_grows_too_large_ends_early_and_the_next_one_passes() {
        let large = [frame(MORE, b"a"), frame(MORE, &[1; 5000]), frame(MORE, b"b"), frame(0, b"c")].concat();
        let next = frame(0, b"next");
        let expected = [frame(MORE, b"a"), frame(0, b""), next.clone()].concat();
        for piece in [1, 2, 3, 64, 1000, 10_000] {
            assert_eq!(passed(&[large.clone(), next.clone()].concat(), piece), (expected.clone(), 1));
        }
    }

    #[test]
    fn an_announced_exabyte_and_endless_empty_frames_are_nothing() {
        let claim = [vec![LONG], u64::MAX.to_be_bytes().to_vec(), vec![0; 100_000]].concat();
        assert_eq!(passed(&claim, 4096), (frame(0, b""), 1));
        let (out, cuts) = passed(&frame(MORE, b"").repeat(100_000), 4096);
        assert!(out.len() < 100 && cuts == 1, "{} bytes", out.len());
    }
}
