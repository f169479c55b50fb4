//! Parallel map over slices.

use std::thread;

/// Maximum number of threads.
const MAX_THREADS: usize = 4;

/// Minimum number of items for more than one thread.
const MIN_PARALLEL_ITEMS: usize = 256;

/// Applies `run` to chunks of `things` in parallel and concatenates the results in order.
pub(crate) fn map<T: Sync, R: Send>(things: &[T], run: impl Fn(&[T]) -> Vec<R> + Sync) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, |it| it.get()).min(MAX_THREADS);
    if threads == 1 || things.len() < MIN_PARALLEL_ITEMS {
        return run(things);
    }
    let run = &run;
    let parts = || things.chunks(things.len().div_ceil(threads));
    thread::scope(|scope| {
        let running: Vec<_> = parts().map(|part| scope.spawn(move || run(part))).collect();
        // A chunk whose thread panicked is processed again on this thread.
        running
            .into_iter()
            .zip(parts())
            .flat_map(|(it, part)| it.join().unwrap_or_else(|_| run(part)))
            .collect()
    })
}
