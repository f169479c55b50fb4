//! Threads that do the work, so that the main loop never has to.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Deep trees are walked, and dropped, by recursion, and evaluation nests as programs do: every thread that parses,
/// evaluates or drops has this much stack.
pub(super) const STACK_SIZE: usize = ide::STACK_SIZE;

type Job = Box<dyn FnOnce() + Send>;

/// A fixed number of threads that take jobs in the order they come. Threads start with the first jobs; when the pool is
/// dropped they finish what they are at.
pub(super) struct Pool {
    name: &'static str,
    size: usize,
    started: usize,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    work: Condvar,
}

#[derive(Default)]
struct Queue {
    jobs: VecDeque<Job>,
    idle: usize,
    is_closed: bool,
}

impl Pool {
    pub(super) fn new(name: &'static str, size: usize) -> Pool {
        Pool { name, size: size.max(1), started: 0, shared: Arc::default() }
    }

    /// Puts a job at the end of the queue.
    pub(super) fn run(&mut self, job: impl FnOnce() + Send + 'static) {
        let mut queue = self.shared.lock();
        queue.jobs.push_back(Box::new(job));
        let needs_thread = queue.idle < queue.jobs.len() && self.started < self.size;
        drop(queue);
        self.shared.work.notify_one();
        if needs_thread {
            self.start_thread();
        }
    }

    fn start_thread(&mut self) {
        let shared = self.shared.clone();
        let builder = std::thread::Builder::new().name(self.name.to_owned()).stack_size(STACK_SIZE);
        match builder.spawn(move || shared.work()) {
            Ok(_) => self.started += 1,
            Err(error) => tracing::error!("cannot start a thread: {error}"),
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let mut queue = self.shared.lock();
        queue.is_closed = true;
        queue.jobs.clear();
        drop(queue);
        self.shared.work.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        // No job runs while the queue is locked, so a panic cannot leave it half-changed.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self) {
        while let Some(job) = self.next_job() {
            if let Err(report) = crate::panics::catch(job) {
                tracing::error!("a job has panicked: {report}");
            }
        }
    }

    fn next_job(&self) -> Option<Job> {
        let mut queue = self.lock();
        loop {
            if queue.is_closed {
                return None;
            }
            if let Some(job) = queue.jobs.pop_front() {
                return Some(job);
            }
            queue.idle += 1;
            queue = self.work.wait(queue).unwrap_or_else(PoisonError::into_inner);
            queue.idle -= 1;
        }
    }
}

#[cfg(test)]
#[path = "pool_tests.rs"]
mod tests;
