//! One thread per run: watches the limits, carries out requests, reaps and tears down.

mod holdings;
mod look;
mod report;

use std::fs::File;
use std::os::fd::{AsFd as _, OwnedFd};
use std::process::ExitStatus;
use std::sync::atomic::Ordering;
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open, pidfd_send_signal};

use crate::apptainer::{Room, STARTER};
use crate::cgroup::Meter;
use crate::gpu::GpuMeter;
use crate::launch::{Launched, launch};
use crate::processes::{first_below, sample, signal, tree, written_bytes};
use crate::shared::Shared;
use crate::{Backend, Command, Ended, Limits, Notice, SandboxStartError, SandboxUsage};
use holdings::Holdings;
use report::Report;

/// How often limits are looked at.
const TICK: Duration = Duration::from_millis(50);
/// How often the writable folders are measured, at most; a slow measurement makes it rarer.
const DISK_INTERVAL: Duration = Duration::from_millis(250);
/// A measurement may take this part of the time.
const DISK_SHARE: u32 = 10;
/// The longest pause, however slow: a run that makes looks slow must not hide behind them.
const DISK_LONGEST: Duration = Duration::from_secs(2);
/// How long the teardown waits for what was killed.
const TEARDOWN: Duration = Duration::from_secs(5);
/// An engine cleans up by itself, with several processes of its own.
const TEARDOWN_OF_CONTAINER: Duration = Duration::from_secs(20);
/// How often a container that starts is looked for: what it does before it is found goes unseen.
const SEARCH: Duration = Duration::from_millis(10);

/// Body of the supervisor thread: launches, reports whether that worked, and watches to the end.
pub(crate) fn run(
    command: &Command,
    limits: &Limits,
    backend: &Backend,
    shared: &Shared,
    started: &SyncSender<Result<Vec<Notice>, SandboxStartError>>,
) {
    let mut command = command.clone();
    let launched = room(&mut command, backend)
        .and_then(|room| launch(&command, limits, backend, room))
        .and_then(|launched| Watch::new(launched, &command, limits, backend));
    // The receiver waits for exactly this message, so sending cannot fail.
    let mut watch = match launched {
        Ok(watch) => watch,
        Err(error) => {
            let _ = started.send(Err(error));
            return;
        }
    };
    let _ = started.send(Ok(watch.launched.notices(limits, backend)));
    while !watch.is_over() {
        watch.step(shared);
    }
    let (ended, usage) = watch.finish();
    shared.end(&ended, usage);
}

/// What the backend has on the disk for the command, which may write there, too.
fn room(command: &mut Command, backend: &Backend) -> Result<Option<Room>, SandboxStartError> {
    let room = matches!(backend, Backend::Apptainer(_)).then(|| Room::prepare(command)).transpose();
    room.map_err(SandboxStartError::setup("making folders for the container"))
}

struct Watch<'run> {
    launched: Launched,
    command: &'run Command,
    limits: &'run Limits,
    backend: &'run Backend,
    pidfd: OwnedFd,
    /// Where processor time and memory are read; a container's groups are known only once it runs.
    meter: Meter,
    /// First process inside, once bubblewrap or the container's groups have named it. When it is gone, so is its whole
    /// pid namespace.
    inner: Option<OwnedFd>,
    first: Option<i32>,
    /// Whether the first process is gone while the engine still cleans up.
    inner_gone: bool,
    report: Report,
    began: Instant,
    next_tick: Instant,
    next_disk: Instant,
    /// Why we ended it, once we did, and when.
    verdict: Option<(Ended, Instant)>,
    exited: bool,
    /// Whether the kernel refused a process at the limit, or the limit was seen reached where nobody counts refusals.
    crowded: bool,
    holdings: Holdings,
    gpus: Option<GpuMeter>,
    usage: SandboxUsage,
}

impl<'run> Watch<'run> {
    fn new(
        mut launched: Launched,
        command: &'run Command,
        limits: &'run Limits,
        backend: &'run Backend,
    ) -> Result<Self, SandboxStartError> {
        let pid = i32::try_from(launched.child.id()).ok().and_then(Pid::from_raw);
        let opened = pid.ok_or(rustix::io::Errno::SRCH).and_then(|pid| pidfd_open(pid, PidfdFlags::empty()));
        let pidfd = match opened {
            Ok(pidfd) => pidfd,
            Err(error) => {
                let _ = launched.child.kill();
                let _ = launched.child.wait();
                return Err(SandboxStartError::setup("watching the sandbox")(error.into()));
            }
        };
        let now = Instant::now();
        let usage = SandboxUsage::default();
        let (report, verdict) = (Report::default(), None);
        let meter = launched.groups.meter().clone();
        let first = (*backend == Backend::None).then(|| i32::try_from(launched.child.id()).ok()).flatten();
        let (began, next_tick, next_disk) = (now, now, now + DISK_INTERVAL);
        Ok(Self {
            launched,
            command,
            limits,
            backend,
            pidfd,
            meter,
            inner: None,
            first,
            inner_gone: false,
            report,
            began,
            next_tick,
            next_disk,
            verdict,
            exited: false,
            crowded: false,
            holdings: Holdings::new(command, backend),
            gpus: GpuMeter::of(&limits.gpu_ids),
            usage,
        })
    }

    fn is_over(&self) -> bool {
        let stuck = self.verdict.as_ref().is_some_and(|(_, since)| since.elapsed() > self.patience());
        self.exited || stuck
    }

    /// How long the teardown waits for what was killed.
    fn patience(&self) -> Duration {
        if self.launched.container.is_some() { TEARDOWN_OF_CONTAINER } else { TEARDOWN }
    }

    fn step(&mut self, shared: &Shared) {
        self.sleep(shared);
        self.launched.log.pump();
        self.listen();
        self.obey(shared);
        self.execute_verdict();
        if Instant::now() >= self.next_tick {
            self.next_tick = Instant::now() + TICK;
            self.look();
            shared.update(&self.usage);
        }
    }

    fn listen(&mut self) {
        self.report.read(self.launched.status.as_mut());
        if self.inner.is_some() {
            return;
        }
        self.first = match (&mut self.launched.container, self.backend) {
            (Some(container), _) => container.first_process(),
            (None, Backend::None) => return,
            (None, Backend::Apptainer(_)) => {
                i32::try_from(self.launched.child.id()).ok().and_then(|pid| first_below(pid, STARTER))
            }
            (None, _) => self.report.child,
        };
        let pid = self.first.and_then(Pid::from_raw);
        self.inner = pid.and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok());
        if let (Some(container), Some(first)) = (&mut self.launched.container, self.first) {
            self.meter = container.id().map(|id| Meter::of_container(id, first)).unwrap_or_default();
        }
    }

    /// Until something happens or the next look at the limits is due.
    fn sleep(&mut self, shared: &Shared) {
        let mut left = self.next_tick.saturating_duration_since(Instant::now());
        let names_itself = matches!(self.backend, Backend::Bubblewrap | Backend::None);
        if !names_itself && self.inner.is_none() {
            left = left.min(SEARCH);
        }
        let timeout = Timespec { tv_sec: 0, tv_nsec: left.subsec_nanos().into() };
        let mut watched = vec![PollFd::new(&self.pidfd, PollFlags::IN), PollFd::new(&shared.bell, PollFlags::IN)];
        let log = self.launched.log.pollable();
        watched.extend(log.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        let status = self.launched.status.as_ref().filter(|_| self.report.open).map(File::as_fd);
        watched.extend(status.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        // The groups of a container go with it, long before the engine ends: their last word is read at once.
        let inner = self.inner.as_ref().filter(|_| self.launched.container.is_some() && !self.inner_gone);
        watched.extend(inner.map(|inner| PollFd::new(inner, PollFlags::IN)));
        if poll(&mut watched, Some(&timeout)).is_ok_and(|ready| ready > 0) {
            self.exited = !watched[0].revents().is_empty();
            let gone = inner.is_some() && watched.last().is_some_and(|last| !last.revents().is_empty());
            drop(watched);
            if gone {
                self.inner_gone = true;
                self.next_tick = Instant::now();
            }
        }
        let mut drained = [0_u8; 8];
        let _ = rustix::io::read(&shared.bell, &mut drained);
    }

    fn obey(&mut self, shared: &Shared) {
        if shared.kill.swap(false, Ordering::Acquire) {
            self.condemn(Ended::Killed);
        }
        if shared.is_due() {
            self.condemn(Ended::WallClock);
        }
        if shared.interrupt.swap(false, Ordering::Acquire) && self.verdict.is_none() && !self.interrupt() {
            // Kept until it can be heard: a container's command may run before we have found it.
            shared.interrupt.store(true, Ordering::Release);
        }
    }

    /// Whether a command was there to be interrupted.
    fn interrupt(&self) -> bool {
        let Some(root) = self.first else { return false };
        // In a sandbox the command is the first child of the first process inside, which is the backend's own.
        let mut processes = tree(root).into_iter();
        let isolated = self.backend.isolates();
        let Some(target) = processes.find(|process| !isolated || process.parent == root) else { return false };
        let sent = Pid::from_raw(target.group).map(|group| kill_process_group(group, Signal::INT));
        if !matches!(sent, Some(Ok(()))) {
            signal(target.pid, Signal::INT);
        }
        true
    }

    /// Ends the run for a reason; the first reason counts.
    fn condemn(&mut self, why: Ended) {
        if self.verdict.is_none() {
            self.verdict = Some((why, Instant::now()));
        }
    }

    /// Kills what was condemned.
    fn execute_verdict(&mut self) {
        let Some((_, since)) = &self.verdict else { return };
        let waited = since.elapsed();
        if !self.backend.isolates() {
            for process in self.first.map(tree).unwrap_or_default() {
                signal(process.pid, Signal::KILL);
            }
            return;
        }
        // Killing bubblewrap before it has named its child could leave that child alone in the world; killing the
        // child first takes the whole pid namespace, and bubblewrap follows.
        if let Some(inner) = &self.inner {
            let _ = pidfd_send_signal(inner, Signal::KILL);
        }
        if waited > TEARDOWN / 5 {
            match (&mut self.launched.container, &self.inner) {
                // Its client's end would not end it.
                (Some(container), Some(_)) => container.dismiss(),
                // Still being made: without its client it is never started, and can be removed.
                _ => drop(self.launched.child.kill()),
            }
        }
    }

    fn finish(mut self) -> (Ended, SandboxUsage) {
        if !self.backend.isolates() {
            // Background processes of a plain run would outlive it.
            if let Some(group) = self.first.and_then(Pid::from_raw) {
                let _ = kill_process_group(group, Signal::KILL);
            }
        }
        if let (Ok(pid), None) = (i32::try_from(self.launched.child.id()), &self.launched.container) {
            // Not reaped yet, it still shows the time of all it waited for.
            self.usage.cpu_seconds = self.usage.cpu_seconds.max(sample(pid).cpu_seconds);
            self.usage.written_bytes = self.usage.written_bytes.max(written_bytes([pid]));
        }
        let status = if self.exited { self.launched.child.wait().ok() } else { None };
        // One last measurement, so that what was over the limit at the end is so whenever the last tick was.
        self.next_disk = Instant::now();
        self.look();
        self.launched.log.pump();
        self.listen();
        if let Some(inner) = &self.inner {
            let timeout = Timespec { tv_sec: TEARDOWN.as_secs().cast_signed(), tv_nsec: 0 };
            let _ = poll(&mut [PollFd::new(inner, PollFlags::IN)], Some(&timeout));
        }
        self.launched.groups.remove(TEARDOWN);
        self.usage.log_bytes = self.launched.log.seen;
        let ended = self.verdict.take().map_or_else(|| self.end_of_its_own(status), |(why, _)| why);
        if let Some(container) = &mut self.launched.container {
            container.remove();
            // A client that still waits has nothing left to wait for.
            let _ = self.launched.child.kill();
            let _ = self.launched.child.wait();
        }
        (ended, self.usage)
    }

    /// How it ended, when we did not end it.
    fn end_of_its_own(&self, status: Option<ExitStatus>) -> Ended {
        let ended = match &self.launched.container {
            Some(container) => report::of_container(container, status, &self.command.log),
            None if matches!(self.backend, Backend::Apptainer(_)) => {
                report::of_apptainer(self.inner.is_some(), status, &self.command.log)
            }
            None => self.report.ended(self.backend, status, &self.command.log),
        };
        match ended {
            Ended::Exited(1..) | Ended::Signalled(_) if self.crowded => Ended::Processes,
            ended => ended,
        }
    }
}
