//! Thread pools for the work that the main loop must not do itself.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Stack size of every thread that parses, evaluates or drops trees: deep trees are walked and dropped
/// recursively, and evaluation nests as deeply as the program.
pub(super) const STACK_SIZE: usize = ide::STACK_SIZE;

type Job = Box<dyn FnOnce() + Send>;

/// A pool with a fixed maximum number of threads that run jobs in FIFO order. Threads are started on demand;
/// when the pool is dropped, running jobs are completed.
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

    /// Adds a job to the end of the queue.
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
        // No job runs while the queue is locked, so a panic cannot leave it in an inconsistent state.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self) {
        while let Some(job) = self.next_job() {
            if let Err(report) = crate::panics::catch(job) {
                tracing::error!("job panicked: {report}");
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
