//! Work limit of a run, independent of the number of threads.

use std::sync::{Mutex, PoisonError};

/// Counter for the work of tasks that run on several threads. Work is summed in task order: the first task
/// whose predecessors exceed the limit is left out, and so are all after it, even if they have already run.
pub struct WorkMeter {
    limit: u64,
    state: Mutex<MeterState>,
}

#[derive(Default)]
struct MeterState {
    /// Work of each task, if it is done.
    done: Vec<Option<u64>>,
    /// Number of leading tasks that are all done, and their work.
    first: usize,
    sum: u64,
}

impl WorkMeter {
    pub fn new(limit: u64) -> WorkMeter {
        WorkMeter { limit, state: Mutex::default() }
    }

    /// Runs the task, unless it is certain to be left out; then returns `None`. `work` returns its result and
    /// its amount of work.
    pub fn run<T, E>(&self, task: usize, work: impl FnOnce() -> Result<(T, u64), E>) -> Result<Option<T>, E> {
        if self.is_beyond() {
            return Ok(None);
        }
        let (result, amount) = work()?;
        self.note(task, amount);
        Ok(Some(result))
    }

    /// Returns how many of the first `tasks` tasks are within the limit.
    pub fn counted(&self, tasks: usize) -> usize {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let mut sum = 0;
        (0..tasks)
            .find(|task| {
                let is_beyond = sum > self.limit;
                sum += state.done.get(*task).copied().flatten().unwrap_or_default();
                is_beyond
            })
            .unwrap_or(tasks)
    }

    fn is_beyond(&self) -> bool {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).sum > self.limit
    }

    fn note(&self, task: usize, amount: u64) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.done.len() <= task {
            state.done.resize(task + 1, None);
        }
        state.done[task] = Some(amount);
        while let Some(Some(amount)) = state.done.get(state.first).copied() {
            state.sum += amount;
            state.first += 1;
        }
    }
}

#[cfg(test)]
#[path = "work_tests.rs"]
mod tests;
