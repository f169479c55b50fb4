//! Work in rounds on threads that stay.

use std::io;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use super::{BATCH, STACK_SIZE};

/// Threads that stay for several rounds of work, so that what they remember, and the memory that they hold, is theirs in the next
/// round, too. The calling thread is one of them; it needs a deep stack ([`super::on_deep_stack`]).
pub(crate) struct Crew<'w, I, C, T> {
    items: &'w [I],
    work: &'w (dyn Fn(&C, &I) -> T + Sync),
    helpers: Vec<mpsc::Sender<Round<C>>>,
    results: mpsc::Receiver<std::thread::Result<Batches<T>>>,
}

/// What a helper does until the next round.
struct Round<C> {
    context: C,
    next: Arc<AtomicUsize>,
    end: usize,
}

/// The results of some items, with the number of the first.
type Batches<T> = Vec<(usize, Vec<T>)>;

impl<C> Round<C> {
    /// The results for items that nobody else has taken.
    fn batch<I, T>(&self, items: &[I], work: &dyn Fn(&C, &I) -> T) -> Option<(usize, Vec<T>)> {
        let first = self.next.fetch_add(BATCH, Ordering::Relaxed);
        let items = items.get(first..self.end).filter(|it| !it.is_empty())?;
        Some((first, items.iter().take(BATCH).map(|item| work(&self.context, item)).collect()))
    }
}

impl<'w, I: Sync, C: Send, T: Send> Crew<'w, I, C, T> {
    /// Makes a crew of so many threads for `items`, and lets `run` lead it.
    pub(crate) fn lead<R>(
        items: &'w [I],
        threads: usize,
        work: &'w (dyn Fn(&C, &I) -> T + Sync),
        run: impl FnOnce(&Crew<'w, I, C, T>) -> R,
    ) -> io::Result<R> {
        std::thread::scope(|scope| {
            let (sender, results) = mpsc::channel();
            let mut helpers = Vec::new();
            for _ in 1..threads.min(items.len().div_ceil(BATCH)) {
                let (orders, rounds) = mpsc::channel::<Round<C>>();
                let sender = sender.clone();
                std::thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, move || {
                    for round in rounds {
                        let batches = || std::iter::from_fn(|| round.batch(items, work)).collect();
                        let found = catch_unwind(AssertUnwindSafe(batches));
                        // Whoever leads may want to be the only one who holds what it is about.
                        drop(round);
                        if sender.send(found).is_err() {
                            break;
                        }
                    }
                })?;
                helpers.push(orders);
            }
            // When the crew goes, so do the orders, and the helpers end.
            Ok(run(&Crew { items, work, helpers, results }))
        })
    }

    /// The results of the items in `range`, in their order. `start` makes what each thread works with.
    pub(crate) fn round(
        &self,
        range: Range<usize>,
        start: impl Fn() -> C,
        mut report_progress: impl FnMut(usize),
    ) -> Vec<T> {
        let next = Arc::new(AtomicUsize::new(range.start));
        let round = || Round { context: start(), next: Arc::clone(&next), end: range.end };
        let wanted = self.helpers.iter().take(range.len().div_ceil(BATCH).saturating_sub(1));
        let helpers = wanted.filter(|helper| helper.send(round()).is_ok()).count();
        let own = round();
        let mut batches = Vec::new();
        while let Some(batch) = own.batch(self.items, self.work) {
            batches.push(batch);
            report_progress(next.load(Ordering::Relaxed).min(range.end));
        }
        drop(own);
        for _ in 0..helpers {
            match self.results.recv() {
                Ok(found) => batches.extend(found.unwrap_or_else(|panic| resume_unwind(panic))),
                Err(mpsc::RecvError) => break,
            }
        }
        batches.sort_by_key(|(first, _)| *first);
        batches.into_iter().flat_map(|(_, results)| results).collect()
    }
}
