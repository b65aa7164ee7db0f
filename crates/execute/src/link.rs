//! The thread that holds the sockets. It does nothing but move frames, because a subscriber that pauses makes the
//! kernel drop output silently, the end of a cell included; all thinking happens on the other side of a channel.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::thread::JoinHandle;
use std::time::Duration;

use bytes::Bytes;
use nbrevive_sandbox::Ended;
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use zeromq::{DealerSocket, Socket as _, SocketRecv, SocketSend as _, SubSocket, ZmqError, ZmqMessage};

use crate::connection::{Channel, Socket, Sockets};
use crate::sieve::relay;

/// Pause between two looks for the kernel's sockets.
const LOOK: Duration = Duration::from_millis(2);
/// Frames that wait to be read may hold this much; beyond it reading pauses, and the kernel drops output.
const BACKLOG_BYTES: usize = 256 << 20;
/// What a frame takes beside its bytes.
const FRAME_COST: usize = 64;
/// Pause of the reader while the backlog is full.
const BACKLOG_PAUSE: Duration = Duration::from_millis(2);
/// A channel is given up after so many broken messages in a row.
const BROKEN_MESSAGES: u32 = 100;

/// What the session hears.
#[derive(Debug)]
pub(crate) enum Event {
    /// Both channels are connected.
    Connected,
    /// A message, still sealed.
    Frames(Channel, Vec<Bytes>),
    /// A message that was too large was left out.
    Dropped,
    /// The sockets could not be used.
    Lost(String),
    /// The sandbox is over. Frames that were under way may still follow.
    Ended(Ended),
}

/// Our side of the thread. Dropping it closes the sockets and waits for the thread.
#[derive(Debug)]
pub(crate) struct Link {
    requests: UnboundedSender<Vec<Bytes>>,
    /// Ends the thread wherever it is when it is dropped: a kernel that is dead may never have answered.
    here: Option<oneshot::Sender<()>>,
    backlog: Arc<AtomicUsize>,
    thread: Option<JoinHandle<()>>,
}

impl Link {
    /// Starts the thread; it waits for the kernel's sockets by itself.
    ///
    /// Messages of more than `most` bytes are left out.
    pub(crate) fn start(sockets: Sockets, most: u64, events: Sender<Event>) -> io::Result<Self> {
        let (requests, receiver) = unbounded_channel();
        let (here, gone) = oneshot::channel::<()>();
        let backlog = Arc::new(AtomicUsize::new(0));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let counter = Arc::clone(&backlog);
        let thread = std::thread::Builder::new().name("kernel-link".into()).spawn(move || {
            let served = runtime.block_on(async {
                tokio::select! {
                    served = serve(&sockets, most, &events, &counter, receiver) => served,
                    _ = gone => Ok(()),
                }
            });
            if let Err(error) = served {
                let _ = events.send(Event::Lost(error.to_string()));
            }
            // Whatever zeromq still has in the background ends here.
            runtime.shutdown_background();
        })?;
        Ok(Self { requests, here: Some(here), backlog, thread: Some(thread) })
    }

    /// Queues a request on the shell channel.
    pub(crate) fn send(&self, frames: Vec<Bytes>) {
        // A closed channel has been announced as lost.
        let _ = self.requests.send(frames);
    }

    /// To be called for every message taken, so that reading can go on.
    pub(crate) fn taken(&self, frames: &[Bytes]) {
        self.backlog.fetch_sub(size(frames), Ordering::Relaxed);
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.here = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::warn!("the connection to a kernel broke down");
        }
    }
}

/// Memory of a message: messages of empty frames take some as well.
fn size(frames: &[Bytes]) -> usize {
    frames.iter().map(|frame| frame.len() + FRAME_COST).sum()
}

type Requests = UnboundedReceiver<Vec<Bytes>>;

async fn serve(
    sockets: &Sockets,
    most: u64,
    events: &Sender<Event>,
    backlog: &Arc<AtomicUsize>,
    mut requests: Requests,
) -> Result<(), ZmqError> {
    // The descriptors must live as long as the connections: their numbers are the addresses.
    let found = find(sockets).await?;
    let [shell, iopub] = &found;
    let dropped = Arc::new(AtomicBool::new(false));
    let mut subscriber = SubSocket::new();
    subscriber.connect(&sieved(sockets, iopub, most, &dropped)?).await?;
    subscriber.subscribe("").await?;
    let mut dealer = DealerSocket::new();
    dealer.connect(&sieved(sockets, shell, most, &dropped)?).await?;
    let (mut sender, receiver) = dealer.split();
    let reader = |channel| {
        let (events, backlog, dropped) = (events.clone(), Arc::clone(backlog), Arc::clone(&dropped));
        Reader { channel, events, backlog, dropped }
    };
    tokio::spawn(reader(Channel::Iopub).read(subscriber));
    tokio::spawn(reader(Channel::Shell).read(receiver));
    let _ = events.send(Event::Connected);
    while let Some(frames) = requests.recv().await {
        let Ok(message) = ZmqMessage::try_from(frames) else { continue };
        if let Err(error) = sender.send(message).await {
            tracing::debug!(%error, "cannot send to the kernel");
        }
    }
    Ok(())
}

/// The address of a door of our own, behind which a sieve stands before the kernel's socket.
///
/// One connection is made to the kernel, before any code of the notebook runs, and never a second one.
fn sieved(sockets: &Sockets, socket: &Socket, most: u64, dropped: &Arc<AtomicBool>) -> io::Result<String> {
    let door = sockets.door(socket.channel());
    let listener = UnixListener::bind(&door)?;
    let (address, dropped) = (socket.address(), Arc::clone(dropped));
    tokio::spawn(async move {
        let passed = async {
            let (ours, _) = listener.accept().await?;
            relay(connected(&address).await?, ours, most, dropped).await
        };
        if let Err(error) = passed.await {
            tracing::debug!(%error, "a channel of the kernel is closed");
        }
    });
    Ok(format!("ipc://{}", door.display()))
}

/// Connects to a socket that is there, but perhaps not listened to yet.
async fn connected(address: &Path) -> io::Result<UnixStream> {
    loop {
        match UnixStream::connect(address).await {
            Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => tokio::time::sleep(LOOK).await,
            answer => return answer,
        }
    }
}

/// Waits for both sockets.
async fn find(sockets: &Sockets) -> Result<[Socket; 2], ZmqError> {
    loop {
        let open = |channel| sockets.open(channel).map_err(ZmqError::from);
        if let (Some(shell), Some(iopub)) = (open(Channel::Shell)?, open(Channel::Iopub)?) {
            return Ok([shell, iopub]);
        }
        tokio::time::sleep(LOOK).await;
    }
}

struct Reader {
    channel: Channel,
    events: Sender<Event>,
    backlog: Arc<AtomicUsize>,
    dropped: Arc<AtomicBool>,
}

impl Reader {
    async fn read(self, mut socket: impl SocketRecv + Send) {
        let mut broken = 0;
        while broken < BROKEN_MESSAGES {
            match socket.recv().await {
                Ok(message) => {
                    broken = 0;
                    if !self.pass_on(message.into_vec()).await {
                        return;
                    }
                }
                Err(error) => {
                    broken += 1;
                    tracing::debug!(%error, channel = ?self.channel, "broken message from the kernel");
                }
            }
        }
    }

    async fn pass_on(&self, frames: Vec<Bytes>) -> bool {
        if self.dropped.swap(false, Ordering::Relaxed) {
            // A closed channel shows itself below.
            let _ = self.events.send(Event::Dropped);
        }
        self.backlog.fetch_add(size(&frames), Ordering::Relaxed);
        if self.events.send(Event::Frames(self.channel, frames)).is_err() {
            return false;
        }
        while self.backlog.load(Ordering::Relaxed) > BACKLOG_BYTES {
            tokio::time::sleep(BACKLOG_PAUSE).await;
        }
        true
    }
}
