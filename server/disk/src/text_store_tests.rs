use super::*;

fn text(number: usize) -> Vec<u8> {
    format!("{number} ").repeat(100 + number % 300).into_bytes()
}

#[test]
fn stored_bytes_are_unchanged() {
    let store = TextStore::new(1000);
    assert_eq!([600, 500, 400, 1].map(|length| store.keeps_in_memory(length)), [true, false, true, false]);
    let places: Vec<_> = (0..200).map(|number| store.keep(&text(number)).expect("a place outside")).collect();
    for (number, place) in places.iter().enumerate().rev() {
        let text = text(number);
        assert_eq!(store.read(*place, text.len()).expect("what was kept"), text);
    }
}

#[test]
fn freed_space_is_reused() {
    let store = TextStore::new(0);
    for _ in 0..50 {
        let places: Vec<_> =
            (0..40).map(|number| store.keep(&text(number)).expect("a place outside")).collect();
        for (number, place) in places.iter().enumerate() {
            assert_eq!(store.read(*place, text(number).len()).expect("what was kept"), text(number));
            store.release(*place, text(number).len());
        }
    }
    let once: usize = (0..40).map(|number| text(number).len().div_ceil(UNIT) * UNIT).sum();
    assert_eq!(store.allocation().end, once as u64);
}

#[test]
fn missing_bytes_are_errors() {
    let store = TextStore::new(0);
    assert!(store.read(0, 1).is_err());
    let place = store.keep(b"some bytes").expect("a place outside");
    assert!(store.read(place, 1000).is_err());
}

/// Checks concurrent writes, reads and releases.
#[test]
fn concurrent_access() {
    let store = TextStore::new(0);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let store = &store;
            scope.spawn(move || {
                for round in 0..500 {
                    let text = text(thread * 1000 + round);
                    let place = store.keep(&text).expect("a place outside");
                    assert_eq!(store.read(place, text.len()).expect("what was kept"), text);
                    if round % 3 > 0 {
                        store.release(place, text.len());
                    }
                }
            });
        }
    });
}
