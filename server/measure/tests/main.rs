//! Live memory is attributed to the span that allocated it.

fn bytes_of(span: Option<&str>) -> usize {
    measure::memory::shares().iter().filter(|share| share.span == span).map(|share| share.bytes).sum()
}

#[global_allocator]
static ALLOCATOR: measure::Counted<std::alloc::System> = measure::Counted(std::alloc::System);

/// Allocates blocks of 64 bytes, enough of them for sampling to estimate the total.
fn allocations(count: usize) -> Vec<Box<[u8]>> {
    (0..count).map(|_| Box::from([1; 64])).collect()
}

#[test]
fn allocations_are_attributed_to_the_innermost_span() {
    measure::memory::count();
    let outer = tracing::info_span!("outer").entered();
    let large = vec![1u8; 100_000];
    let mut grown = Vec::with_capacity(5_000);
    let small = {
        let _inner = tracing::info_span!("inner").entered();
        let passing = vec![1u8; 1_000_000];
        grown.resize(300_000, 1u8);
        std::hint::black_box(&passing);
        allocations(100_000)
    };
    let after = vec![1u8; 50_000];
    drop(outer);

    let outer = bytes_of(Some("outer"));
    assert!((150_000..190_000).contains(&outer), "{outer}");
    let inner = bytes_of(Some("inner")) - 300_000 - small.capacity() * size_of::<Box<[u8]>>();
    assert!((5_800_000..7_000_000).contains(&inner), "{inner}");

    drop((large, after, grown, small));
    assert_eq!(bytes_of(Some("outer")), 0);
    assert!(bytes_of(Some("inner")) == 0);
}

#[test]
fn memory_can_be_freed_on_another_thread() {
    measure::memory::count();
    let made = {
        let _span = tracing::info_span!("handed over").entered();
        allocations(10_000)
    };
    assert!(bytes_of(Some("handed over")) > 500_000);
    std::thread::spawn(move || drop(made)).join().expect("the thread ends well");
    assert_eq!(bytes_of(Some("handed over")), 0);
}

#[test]
fn unwritable_profiles_are_errors() {
    let error = measure::profile::write(std::path::Path::new("/nowhere/at all")).err().expect("an error");
    assert_eq!(error.to_string(), "cannot write /nowhere/at all");
}
