use super::*;

#[test]
fn a_text_is_what_it_was() {
    #[track_caller]
    fn check(text: &str, is_packed: bool) {
        let packed = PackedText::of(text);
        assert_eq!(packed.is_some(), is_packed);
        let Some(packed) = packed else { return };
        assert_eq!(&*packed.text(), text);
        assert_eq!(packed.len(), text.len());
        assert!(packed.size() < text.len());
        assert!(Arc::ptr_eq(&packed.text(), &packed.text()));
        assert_eq!(PackedText::of(text), Some(packed));
    }
    check("", false);
    check("class a { }", false);
    check(&"file { '/etc/motd': ensure => file }\n".repeat(200), true);
    check(&"ä€𝄞\n".repeat(1000), true);
}

#[test]
fn a_thread_forgets_texts() {
    let texts: Vec<String> = (0..40).map(|number| format!("{number} ").repeat(20_000)).collect();
    let packed: Vec<PackedText> = texts.iter().filter_map(|text| PackedText::of(text)).collect();
    assert_eq!(packed.len(), texts.len());
    for _ in 0..2 {
        for (packed, text) in packed.iter().zip(&texts) {
            assert_eq!(*packed.text(), **text);
        }
    }
    UNPACKED.with_borrow(|unpacked| assert!(unpacked.bytes <= MOST_UNPACKED));
}
