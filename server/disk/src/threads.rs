//! The same work on many things, several at a time.

use std::thread;

/// How many threads look at files at a time.
const MAX_COUNT: usize = 4;

/// Fewer things are not shared out.
const MIN_COUNT: usize = 256;

/// What `run` makes of things, in their order. It is given some of them at a time.
pub(crate) fn map<T: Sync, R: Send>(things: &[T], run: impl Fn(&[T]) -> Vec<R> + Sync) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, |it| it.get()).min(MAX_COUNT);
    if threads == 1 || things.len() < MIN_COUNT {
        return run(things);
    }
    let run = &run;
    let parts = || things.chunks(things.len().div_ceil(threads));
    thread::scope(|scope| {
        let running: Vec<_> = parts().map(|part| scope.spawn(move || run(part))).collect();
        // One that has ended early has done nothing that cannot be done here.
        running
            .into_iter()
            .zip(parts())
            .flat_map(|(it, part)| it.join().unwrap_or_else(|_| run(part)))
            .collect()
    })
}
