//! One thread per run: watches the limits, carries out requests, reaps and tears down.

mod look;
mod report;

use std::fs::File;
use std::os::fd::{AsFd as _, OwnedFd};
use std::sync::atomic::Ordering;
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open, pidfd_send_signal};

use crate::launch::{Launched, launch};
use crate::processes::{sample, signal, tree, written_bytes};
use crate::running::Shared;
use crate::{Backend, Command, Ended, Limits, Notice, StartError, Usage};
use report::Report;

/// How often limits are looked at.
const TICK: Duration = Duration::from_millis(50);
/// How often the writable folders are measured, at most; a slow measurement makes it rarer.
const DISK_INTERVAL: Duration = Duration::from_millis(250);
/// A measurement may take this part of the time.
const DISK_SHARE: u32 = 10;
/// How long the teardown waits for what was killed.
const TEARDOWN: Duration = Duration::from_secs(5);

/// Body of the supervisor thread: launches, reports whether that worked, and watches to the end.
pub(crate) fn run(
    command: &Command,
    limits: &Limits,
    backend: Backend,
    shared: &Shared,
    started: &SyncSender<Result<Vec<Notice>, StartError>>,
) {
    let launched = launch(command, limits, backend).and_then(|launched| Watch::new(launched, command, limits, backend));
    // The receiver waits for exactly this message, so sending cannot fail.
    let mut watch = match launched {
        Ok(watch) => watch,
        Err(error) => {
            let _ = started.send(Err(error));
            return;
        }
    };
    let _ = started.send(Ok(watch.launched.groups.notices()));
    while !watch.is_over() {
        watch.step(shared);
    }
    let (ended, usage) = watch.finish();
    shared.end(&ended, usage);
}

struct Watch<'run> {
    launched: Launched,
    command: &'run Command,
    limits: &'run Limits,
    backend: Backend,
    pidfd: OwnedFd,
    /// First process inside, once bubblewrap has named it. When it is gone, so is its whole pid namespace.
    inner: Option<OwnedFd>,
    report: Report,
    began: Instant,
    next_tick: Instant,
    next_disk: Instant,
    /// Why we ended it, once we did, and when.
    verdict: Option<(Ended, Instant)>,
    exited: bool,
    /// Whether the kernel refused a process at the limit, or the limit was seen reached where nobody counts refusals.
    crowded: bool,
    usage: Usage,
}

impl<'run> Watch<'run> {
    fn new(
        mut launched: Launched,
        command: &'run Command,
        limits: &'run Limits,
        backend: Backend,
    ) -> Result<Self, StartError> {
        let pid = i32::try_from(launched.child.id()).ok().and_then(Pid::from_raw);
        let opened = pid.ok_or(rustix::io::Errno::SRCH).and_then(|pid| pidfd_open(pid, PidfdFlags::empty()));
        let pidfd = match opened {
            Ok(pidfd) => pidfd,
            Err(error) => {
                let _ = launched.child.kill();
                let _ = launched.child.wait();
                return Err(StartError::setup("watching the sandbox")(error.into()));
            }
        };
        let now = Instant::now();
        let usage = Usage::default();
        let (report, verdict) = (Report::default(), None);
        let (began, next_tick, next_disk) = (now, now, now + DISK_INTERVAL);
        Ok(Self {
            launched,
            command,
            limits,
            backend,
            pidfd,
            inner: None,
            report,
            began,
            next_tick,
            next_disk,
            verdict,
            exited: false,
            crowded: false,
            usage,
        })
    }

    fn is_over(&self) -> bool {
        let stuck = self.verdict.as_ref().is_some_and(|(_, since)| since.elapsed() > TEARDOWN);
        self.exited || stuck
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
        if self.inner.is_none() {
            let pid = self.report.child.and_then(Pid::from_raw);
            self.inner = pid.and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok());
        }
    }

    /// Until something happens or the next look at the limits is due.
    fn sleep(&mut self, shared: &Shared) {
        let left = self.next_tick.saturating_duration_since(Instant::now());
        let timeout = Timespec { tv_sec: 0, tv_nsec: left.subsec_nanos().into() };
        let mut watched = vec![PollFd::new(&self.pidfd, PollFlags::IN), PollFd::new(&shared.bell, PollFlags::IN)];
        let log = self.launched.log.pollable();
        watched.extend(log.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        let status = self.launched.status.as_ref().filter(|_| self.report.open).map(File::as_fd);
        watched.extend(status.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        if poll(&mut watched, Some(&timeout)).is_ok_and(|ready| ready > 0) {
            self.exited = !watched[0].revents().is_empty();
        }
        let mut drained = [0_u8; 8];
        let _ = rustix::io::read(&shared.bell, &mut drained);
    }

    fn obey(&mut self, shared: &Shared) {
        if shared.kill.swap(false, Ordering::Acquire) {
            self.condemn(Ended::Killed);
        }
        if shared.interrupt.swap(false, Ordering::Acquire) && self.verdict.is_none() {
            self.interrupt();
        }
    }

    /// First process inside: the child of bubblewrap, or the plain process itself.
    fn root(&self) -> Option<i32> {
        match self.backend {
            Backend::Bubblewrap => self.report.child,
            Backend::None => i32::try_from(self.launched.child.id()).ok(),
        }
    }

    fn interrupt(&self) {
        let Some(root) = self.root() else { return };
        // Behind bubblewrap the command is the only child of the first process inside.
        let target = match self.backend {
            Backend::Bubblewrap => tree(root).into_iter().find(|process| process.parent == root),
            Backend::None => tree(root).into_iter().next(),
        };
        let Some(target) = target else { return };
        let sent = Pid::from_raw(target.group).map(|group| kill_process_group(group, Signal::INT));
        if !matches!(sent, Some(Ok(()))) {
            signal(target.pid, Signal::INT);
        }
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
        if self.backend == Backend::None {
            for process in self.root().map(tree).unwrap_or_default() {
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
            let _ = self.launched.child.kill();
        }
    }

    fn finish(mut self) -> (Ended, Usage) {
        if self.backend == Backend::None {
            // Background processes of a plain run would outlive it.
            if let Some(group) = self.root().and_then(Pid::from_raw) {
                let _ = kill_process_group(group, Signal::KILL);
            }
        }
        if let Ok(pid) = i32::try_from(self.launched.child.id()) {
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
        let ended = match self.verdict {
            Some((why, _)) => why,
            None => match self.report.ended(self.backend, status, &self.command.log) {
                Ended::Exited(1..) | Ended::Signalled(_) if self.crowded => Ended::Processes,
                ended => ended,
            },
        };
        (ended, self.usage)
    }
}
