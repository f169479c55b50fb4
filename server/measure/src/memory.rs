//! Live memory by the span that allocated it.

use std::alloc::{GlobalAlloc, Layout};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::hash::{BuildHasher, BuildHasherDefault};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use rustc_hash::{FxHashMap, FxHasher};
use tracing::Subscriber;
use tracing::span::Id;
use tracing_subscriber::Layer;
use tracing_subscriber::layer::{Context, SubscriberExt};
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt;

/// Live allocations of all spans with the same name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Share {
    /// Innermost span at the time of the allocation; `None` outside of spans.
    pub span: Option<&'static str>,
    pub allocations: usize,
    /// Requested bytes.
    pub bytes: usize,
    /// Bytes rounded up to jemalloc's size classes: four per power of two.
    pub rounded_bytes: usize,
}

/// Starts counting allocations; earlier ones are not known. Every allocation takes longer from then on.
pub fn count() {
    // Fails if a subscriber is already installed, as in a test.
    let _ = tracing_subscriber::registry().with(SpanLayer).try_init();
    IS_COUNTING.store(true, Ordering::Relaxed);
}

/// Returns the live memory allocated since [`count`], the largest share first. Small allocations are sampled:
/// one in `SAMPLE_INTERVAL` is counted.
pub fn shares() -> Vec<Share> {
    let mut shares: BTreeMap<Option<&'static str>, Share> = BTreeMap::new();
    uncounted(|| {
        let live = LIVE.lock().unwrap_or_else(PoisonError::into_inner);
        for allocation in live.iter().flat_map(FxHashMap::values) {
            let weight = weight(allocation.bytes);
            let empty = || Share { span: allocation.span, allocations: 0, bytes: 0, rounded_bytes: 0 };
            let share = shares.entry(allocation.span).or_insert_with(empty);
            share.allocations += weight;
            share.bytes += weight * allocation.bytes;
            share.rounded_bytes += weight * rounded(allocation.bytes);
        }
    });
    let mut shares: Vec<Share> = shares.into_values().collect();
    shares.sort_by_key(|share| std::cmp::Reverse(share.bytes));
    shares
}

fn rounded(bytes: usize) -> usize {
    const MIN_STEP: usize = 16;
    bytes.next_multiple_of((bytes.next_power_of_two() / 8).max(MIN_STEP))
}

/// Sampling interval of allocations smaller than [`LARGE_ALLOCATION`] bytes.
const SAMPLE_INTERVAL: usize = 16;

const LARGE_ALLOCATION: usize = 4096;

static IS_COUNTING: AtomicBool = AtomicBool::new(false);

/// Sampled live allocations by address.
static LIVE: Mutex<Option<FxHashMap<usize, Allocation>>> = Mutex::new(None);

struct Allocation {
    span: Option<&'static str>,
    bytes: usize,
}

thread_local! {
    static SPAN: Cell<Option<&'static str>> = const { Cell::new(None) };
    /// True while the thread is inside the counting code itself.
    static IS_BUSY: Cell<bool> = const { Cell::new(false) };
}

fn weight(bytes: usize) -> usize {
    if bytes < LARGE_ALLOCATION { SAMPLE_INTERVAL } else { 1 }
}

/// Returns whether an allocation is sampled. Small ones are selected by address alone, so that freeing one
/// that is not sampled needs no lookup.
fn is_sampled(address: usize, bytes: usize) -> bool {
    bytes >= LARGE_ALLOCATION
        || BuildHasherDefault::<FxHasher>::default().hash_one(address).is_multiple_of(SAMPLE_INTERVAL as u64)
}

/// Runs `work` without counting its allocations. Does nothing if the thread is already inside, or is exiting.
fn uncounted(work: impl FnOnce()) {
    let entered = IS_BUSY.try_with(|it| !it.replace(true)).unwrap_or(false);
    if entered {
        work();
        let _ = IS_BUSY.try_with(|it| it.set(false));
    }
}

fn record(address: usize, bytes: usize) {
    if !is_sampled(address, bytes) {
        return;
    }
    uncounted(|| {
        let span = SPAN.try_with(Cell::get).unwrap_or(None);
        let mut live = LIVE.lock().unwrap_or_else(PoisonError::into_inner);
        live.get_or_insert_default().insert(address, Allocation { span, bytes });
    });
}

fn remove(address: usize, bytes: usize) {
    if !is_sampled(address, bytes) {
        return;
    }
    uncounted(|| {
        if let Some(live) = LIVE.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            live.remove(&address);
        }
    });
}

#[cold]
#[inline(never)]
fn allocated(layout: Layout, allocate: impl FnOnce(Layout) -> *mut u8) -> *mut u8 {
    let pointer = allocate(layout);
    record(pointer.addr(), layout.size());
    pointer
}

#[cold]
#[inline(never)]
fn released<T>(pointer: *mut u8, layout: Layout, release: impl FnOnce(*mut u8) -> T) -> T {
    remove(pointer.addr(), layout.size());
    release(pointer)
}

/// An allocator that counts allocations once enabled by [`count`]; until then the overhead is one flag check.
pub struct Counted<A>(pub A);

// SAFETY: all memory comes from the inner allocator with unchanged layouts; addresses are only recorded.
#[allow(unsafe_code)]
unsafe impl<A: GlobalAlloc> GlobalAlloc for Counted<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if IS_COUNTING.load(Ordering::Relaxed) {
            return allocated(layout, move |layout| unsafe { self.0.alloc(layout) });
        }
        unsafe { self.0.alloc(layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if IS_COUNTING.load(Ordering::Relaxed) {
            return allocated(layout, move |layout| unsafe { self.0.alloc_zeroed(layout) });
        }
        unsafe { self.0.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        if IS_COUNTING.load(Ordering::Relaxed) {
            // Must happen before another thread can get the same address.
            return released(pointer, layout, move |pointer| unsafe { self.0.dealloc(pointer, layout) });
        }
        unsafe { self.0.dealloc(pointer, layout) };
    }

    #[inline]
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if IS_COUNTING.load(Ordering::Relaxed) {
            let moved =
                released(pointer, layout, move |pointer| unsafe { self.0.realloc(pointer, layout, size) });
            if moved.is_null() {
                record(pointer.addr(), layout.size())
            } else {
                record(moved.addr(), size)
            }
            return moved;
        }
        unsafe { self.0.realloc(pointer, layout, size) }
    }
}

/// Tracks the current span of each thread for the allocator.
struct SpanLayer;

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for SpanLayer {
    fn on_enter(&self, id: &Id, context: Context<'_, S>) {
        SPAN.set(context.span(id).map(|span| span.name()));
    }

    fn on_exit(&self, id: &Id, context: Context<'_, S>) {
        SPAN.set(context.span(id).and_then(|span| Some(span.parent()?.name())));
    }
}
