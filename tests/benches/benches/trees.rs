//! Cost of trees: building, traversing, and storing them, and reparsing after a keystroke. All
//! measurements use the same real files; each figure is a ratio to the time of a plain pass over
//! their bytes in the same round, so that figures of two versions are comparable across machines.
//!
//! `cargo bench -p benches --bench trees [-- ROUNDS]`

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use benches::{CorpusFile, read_corpus};

const ROUNDS: usize = 7;

/// Allocator that counts the bytes in use.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);

#[allow(unsafe_code)]
// SAFETY: every call is forwarded to the system allocator; only sizes are counted.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        IN_USE.fetch_add(layout.size(), Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() {
    let rounds = std::env::args().skip(1).find_map(|it| it.parse().ok()).unwrap_or(ROUNDS).max(1);
    match read_corpus() {
        Ok(corpus) => benches::on_deep_stack(|| measure(&corpus, rounds)),
        Err(error) => println!("trees: not measured: {error}"),
    }
}

fn measure(corpus: &[CorpusFile], rounds: usize) {
    let bytes: usize = corpus.iter().map(|it| it.text.len()).sum();
    let before = IN_USE.load(Ordering::Relaxed);
    let trees: Vec<_> = corpus.iter().map(|it| syntax::parse(&it.text, it.language)).collect();
    let kept = IN_USE.load(Ordering::Relaxed) - before;
    let elements: usize = trees.iter().map(|it| it.syntax().descendants_with_tokens().count()).sum();
    println!(
        "{} files, {:.2} MB of text, {elements} elements, {rounds} rounds",
        corpus.len(),
        bytes as f64 / 1e6
    );
    println!(
        "stored: {:.2} MB including sources, {:.1} bytes per element",
        kept as f64 / 1e6,
        (kept - bytes) as f64 / elements as f64
    );
    let edits: Vec<(usize, Arc<str>)> =
        corpus.iter().enumerate().filter_map(|(at, it)| Some((at, edited(&it.text)?))).collect();
    let mut rows: Vec<(&str, Vec<f64>, Vec<Duration>)> =
        ["parse", "walk", "notation", "keystroke"].map(|name| (name, Vec::new(), Vec::new())).into();
    for _ in 0..rounds {
        let unit = timed(|| corpus.iter().map(|it| it.text.bytes().map(u64::from).sum::<u64>()).sum::<u64>());
        let times = [
            timed(|| {
                corpus.iter().map(|it| syntax::parse(&it.text, it.language).errors().len() as u64).sum()
            }),
            timed(|| trees.iter().map(|it| it.syntax().descendants_with_tokens().count() as u64).sum()),
            timed(|| trees.iter().map(|it| syntax::pn::to_pn(it).len() as u64).sum()),
            timed(|| edits.iter().map(|(at, text)| trees[*at].edited(text).errors().len() as u64).sum()),
        ];
        for (row, time) in rows.iter_mut().zip(times) {
            row.1.push(time.as_secs_f64() / unit.as_secs_f64());
            row.2.push(time);
        }
    }
    for (name, mut ratios, mut times) in rows {
        ratios.sort_by(f64::total_cmp);
        times.sort();
        let middle = ratios.len() / 2;
        println!(
            "{name:<12}{:>10.2} ms{:>10.1} times a run over the bytes",
            times[middle].as_secs_f64() * 1e3,
            ratios[middle]
        );
    }
}

/// Returns the source with one more letter in the middle of a word near its middle.
fn edited(text: &str) -> Option<Arc<str>> {
    let middle = text.len() / 2;
    let at = middle
        + text.as_bytes()[middle..].windows(3).position(|it| it.iter().all(u8::is_ascii_lowercase))?
        + 1;
    Some([&text[..at], "x", &text[at..]].concat().into())
}

fn timed(work: impl FnOnce() -> u64) -> Duration {
    let started = Instant::now();
    black_box(work());
    started.elapsed()
}
