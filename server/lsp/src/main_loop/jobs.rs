//! Work that the main loop starts on other threads, and how much of it is active.

use tokio::sync::oneshot;

use super::events::{Events, LoopEvent, Work};
use super::pool::Pool;

/// Threads that a job runs on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Threads {
    /// Several, for requests.
    Interactive,
    /// One, for reading from disk.
    Background,
    /// One, for the diagnostics of open files. Its jobs hold a snapshot, but end soon after a write arrives.
    Diagnostics,
    /// One, for compiles.
    Catalogs,
}

/// Thread pools and the number of active pieces of work.
pub(super) struct Jobs {
    pub(super) events: Events,
    interactive: Pool,
    background: Pool,
    diagnostics: Pool,
    catalogs: Pool,
    /// Number of active pieces of work.
    active: usize,
    /// Number of those that read or search folders.
    reading: usize,
    /// Number of those that handle latency-sensitive requests.
    latency_sensitive: usize,
    /// Requests to be responded to when nothing is active.
    waiters: Vec<oneshot::Sender<()>>,
}

impl Jobs {
    /// Creates the pools for a machine with a number of cores.
    pub(super) fn new(events: Events, cores: usize) -> Jobs {
        Jobs {
            events,
            interactive: Pool::new("interactive", cores.saturating_sub(1).max(2)),
            background: Pool::new("background", 1),
            diagnostics: Pool::new("diagnostics", 1),
            catalogs: Pool::new("catalogs", 1),
            active: 0,
            reading: 0,
            latency_sensitive: 0,
            waiters: Vec::new(),
        }
    }

    /// Returns whether no work is active.
    pub(super) fn is_idle(&self) -> bool {
        self.active == 0
    }

    /// Returns whether folders are being read or searched.
    pub(super) fn is_reading(&self) -> bool {
        self.reading > 0
    }

    /// Returns whether a latency-sensitive request is being handled.
    pub(super) fn is_latency_sensitive(&self) -> bool {
        self.latency_sensitive > 0
    }

    /// Counts a piece of work; dropping the returned guard sends [`LoopEvent::Finished`].
    pub(super) fn start(&mut self, work: Work) -> FinishedOnDrop {
        self.active += 1;
        if let Some(count) = self.count(work) {
            *count += 1;
        }
        FinishedOnDrop { events: self.events.clone(), work }
    }

    /// Uncounts a piece of work that has ended.
    pub(super) fn finished(&mut self, work: Work) {
        self.active -= 1;
        if let Some(count) = self.count(work) {
            *count -= 1;
        }
    }

    fn count(&mut self, work: Work) -> Option<&mut usize> {
        match work {
            Work::Reading => Some(&mut self.reading),
            Work::LatencySensitive => Some(&mut self.latency_sensitive),
            Work::Other => None,
        }
    }

    /// Runs a counted job. It ends once everything that the job holds is dropped.
    pub(super) fn run(&mut self, threads: Threads, work: Work, job: impl FnOnce(&Events) + Send + 'static) {
        let finished = self.start(work);
        self.spawn(threads, move || {
            job(&finished.events);
            drop(finished);
        });
    }

    /// Runs a job that is not counted.
    pub(super) fn spawn(&mut self, threads: Threads, job: impl FnOnce() + Send + 'static) {
        let pool = match threads {
            Threads::Interactive => &mut self.interactive,
            Threads::Background => &mut self.background,
            Threads::Diagnostics => &mut self.diagnostics,
            Threads::Catalogs => &mut self.catalogs,
        };
        pool.run(job);
    }

    /// Counts a request for a response when nothing is active.
    pub(super) fn wait(&mut self, waiter: oneshot::Sender<()>) {
        self.waiters.push(waiter);
    }

    /// Returns the requests to respond to now.
    pub(super) fn take_waiters(&mut self) -> Vec<oneshot::Sender<()>> {
        if self.is_idle() { std::mem::take(&mut self.waiters) } else { Vec::new() }
    }
}

/// Guard of a counted piece of work.
pub(super) struct FinishedOnDrop {
    events: Events,
    work: Work,
}

impl Drop for FinishedOnDrop {
    fn drop(&mut self) {
        self.events.send(LoopEvent::Finished(self.work));
    }
}

#[cfg(test)]
#[path = "jobs_tests.rs"]
mod tests;
