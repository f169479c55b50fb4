use std::sync::Mutex;

use super::*;

/// Store that accepts all bytes, or none.
#[derive(Default)]
struct Store {
    keeps_in_memory: bool,
    takes: bool,
    kept: Mutex<Vec<Option<Vec<u8>>>>,
}

impl Store {
    fn new(takes: bool) -> Arc<Store> {
        Arc::new(Store { takes, ..Store::default() })
    }

    fn count(&self) -> usize {
        self.kept.lock().expect("lock is not poisoned").iter().flatten().count()
    }
}

impl ByteStore for Store {
    fn keeps_in_memory(&self, _: usize) -> bool {
        self.keeps_in_memory
    }

    fn keep(&self, bytes: &[u8]) -> Option<u64> {
        let mut kept = self.kept.lock().ok().filter(|_| self.takes)?;
        kept.push(Some(bytes.to_vec()));
        Some(kept.len() as u64 - 1)
    }

    fn read(&self, position: u64, length: usize) -> io::Result<Vec<u8>> {
        let kept = self.kept.lock().expect("lock is not poisoned");
        let bytes = kept[position as usize].clone().expect("not released");
        assert_eq!(bytes.len(), length);
        Ok(bytes)
    }

    fn release(&self, position: u64, _: usize) {
        self.kept.lock().expect("lock is not poisoned")[position as usize] = None;
    }
}

fn packed_in(store: &Arc<Store>, text: &str) -> Option<PackedText> {
    PackedText::of(&text.into(), &(store.clone() as Arc<dyn ByteStore>))
}

#[test]
fn compressed_contents_round_trip() {
    #[track_caller]
    fn check(text: &str, is_packed: bool, is_taken: bool) {
        let (inside, outside) = (Store::new(false), Store::new(true));
        for (store, is_kept) in [(&inside, is_packed), (&outside, is_taken)] {
            let packed = packed_in(store, text);
            assert_eq!(packed.is_some(), is_kept);
            let Some(packed) = packed else { continue };
            assert_eq!(&*packed.text(), text);
            assert_eq!(packed.len(), text.len());
            assert!(packed.size() < text.len());
            assert!(Arc::ptr_eq(&packed.text(), &packed.text()));
            assert_eq!(packed_in(&inside, text).unwrap_or(packed.clone()), packed);
            assert_eq!(packed_in(&outside, text), Some(packed.clone()));
            assert_ne!(packed_in(&outside, &text.replace(['f', 'ä'], "x")), Some(packed));
        }
        UNPACKED.take();
        assert_eq!(outside.count(), 0, "everything is released");
    }
    check("", false, false);
    check("class a { }", false, false);
    check(&"file { '/etc/motd': ensure => file }\n".repeat(10), false, true);
    check(&"file { '/etc/motd': ensure => file }\n".repeat(200), true, true);
    check(&"ä€𝄞\n".repeat(1000), true, true);
}

#[test]
fn plain_and_compressed_contents_are_equal() {
    let plain = Arc::new(Store { keeps_in_memory: true, ..Store::default() });
    let text = "file { '/etc/motd': ensure => file }\n".repeat(200);
    let kept = packed_in(&plain, &text).expect("it is long enough");
    assert_eq!(&*kept.text(), text);
    assert!(kept.size() >= text.len());
    for store in [&plain, &Store::new(false), &Store::new(true)] {
        assert_eq!(packed_in(store, &text), Some(kept.clone()));
        assert_ne!(packed_in(store, &text.replace('f', "x")), Some(kept.clone()));
    }
}

#[test]
fn decompressed_contents_are_evicted() {
    let store = Store::new(true);
    let texts: Vec<String> = (0..40).map(|number| format!("{number} ").repeat(20_000)).collect();
    let packed: Vec<PackedText> = texts.iter().filter_map(|text| packed_in(&store, text)).collect();
    assert_eq!(packed.len(), texts.len());
    for _ in 0..2 {
        for (packed, text) in packed.iter().zip(&texts) {
            assert_eq!(*packed.text(), **text);
        }
    }
    UNPACKED.with_borrow(|unpacked| assert!(unpacked.bytes <= MAX_UNPACKED_BYTES));
}
