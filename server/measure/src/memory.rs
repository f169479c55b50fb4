//! How much of what was allocated in a span is still there.

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

/// What was allocated in the spans of one name, and is still there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Share {
    /// The innermost span at the time; `None`: in no span.
    pub span: Option<&'static str>,
    pub allocations: usize,
    /// What was asked for.
    pub bytes: usize,
    /// The same as jemalloc rounds it up: to one of four sizes between two powers of two.
    pub rounded_bytes: usize,
}

/// Counts from now on what is allocated, and where: nothing before that is known. Every allocation takes longer then.
pub fn count() {
    // Fails when spans are looked at already, as in a test.
    let _ = tracing_subscriber::registry().with(SpanLayer).try_init();
    IS_COUNTING.store(true, Ordering::Relaxed);
}

/// What is there of all that was allocated since [`count`], the largest share first. Of small allocations one in [`SAMPLED`] is
/// looked at.
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

/// Of allocations below [`LARGE`] bytes one in so many is looked at.
const SAMPLED: usize = 16;

const LARGE: usize = 4096;

static IS_COUNTING: AtomicBool = AtomicBool::new(false);

/// What was looked at and is there, by its address.
static LIVE: Mutex<Option<FxHashMap<usize, Allocation>>> = Mutex::new(None);

struct Allocation {
    span: Option<&'static str>,
    bytes: usize,
}

thread_local! {
    static SPAN: Cell<Option<&'static str>> = const { Cell::new(None) };
    /// The thread is busy with the counting itself.
    static IS_BUSY: Cell<bool> = const { Cell::new(false) };
}

fn weight(bytes: usize) -> usize {
    if bytes < LARGE { SAMPLED } else { 1 }
}

/// By the address alone, so that what is freed needs no search where it was not looked at.
fn is_looked_at(address: usize, bytes: usize) -> bool {
    bytes >= LARGE
        || BuildHasherDefault::<FxHasher>::default().hash_one(address).is_multiple_of(SAMPLED as u64)
}

/// Runs `work`, which may allocate, without counting what it does. Does nothing on a thread that is in here already, or ends.
fn uncounted(work: impl FnOnce()) {
    let entered = IS_BUSY.try_with(|it| !it.replace(true)).unwrap_or(false);
    if entered {
        work();
        let _ = IS_BUSY.try_with(|it| it.set(false));
    }
}

fn note(address: usize, bytes: usize) {
    if !is_looked_at(address, bytes) {
        return;
    }
    uncounted(|| {
        let span = SPAN.try_with(Cell::get).unwrap_or(None);
        let mut live = LIVE.lock().unwrap_or_else(PoisonError::into_inner);
        live.get_or_insert_default().insert(address, Allocation { span, bytes });
    });
}

fn forget(address: usize, bytes: usize) {
    if !is_looked_at(address, bytes) {
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
fn counted(layout: Layout, allocate: impl FnOnce(Layout) -> *mut u8) -> *mut u8 {
    let pointer = allocate(layout);
    note(pointer.addr(), layout.size());
    pointer
}

#[cold]
#[inline(never)]
fn forgotten<T>(pointer: *mut u8, layout: Layout, release: impl FnOnce(*mut u8) -> T) -> T {
    forget(pointer.addr(), layout.size());
    release(pointer)
}

/// An allocator that counts when it is asked to ([`count`]); until then it costs the look at a flag.
pub struct Counted<A>(pub A);

// All memory comes from the allocator within, with the layouts as they were given; addresses are only noted.
#[allow(unsafe_code)]
unsafe impl<A: GlobalAlloc> GlobalAlloc for Counted<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if IS_COUNTING.load(Ordering::Relaxed) {
            return counted(layout, move |layout| unsafe { self.0.alloc(layout) });
        }
        unsafe { self.0.alloc(layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if IS_COUNTING.load(Ordering::Relaxed) {
            return counted(layout, move |layout| unsafe { self.0.alloc_zeroed(layout) });
        }
        unsafe { self.0.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        if IS_COUNTING.load(Ordering::Relaxed) {
            // Before another thread may get the same address.
            return forgotten(pointer, layout, move |pointer| unsafe { self.0.dealloc(pointer, layout) });
        }
        unsafe { self.0.dealloc(pointer, layout) };
    }

    #[inline]
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if IS_COUNTING.load(Ordering::Relaxed) {
            let moved =
                forgotten(pointer, layout, move |pointer| unsafe { self.0.realloc(pointer, layout, size) });
            match moved.is_null() {
                true => note(pointer.addr(), layout.size()),
                false => note(moved.addr(), size),
            }
            return moved;
        }
        unsafe { self.0.realloc(pointer, layout, size) }
    }
}

/// Tells the allocator in which span a thread is.
struct SpanLayer;

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for SpanLayer {
    fn on_enter(&self, id: &Id, context: Context<'_, S>) {
        SPAN.set(context.span(id).map(|span| span.name()));
    }

    fn on_exit(&self, id: &Id, context: Context<'_, S>) {
        SPAN.set(context.span(id).and_then(|span| Some(span.parent()?.name())));
    }
}
