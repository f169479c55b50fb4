use super::*;

#[test]
fn bytes_are_decoded_or_identified() {
    #[track_caller]
    fn check(bytes: &[u8], expected: &str) {
        let description = match DiskState::of_bytes(bytes.to_vec()) {
            DiskState::Text(text) => format!("text {text:?}"),
            DiskState::NotUtf8(None) => "not UTF-8".to_owned(),
            DiskState::NotUtf8(Some(mark)) => mark.encoding.to_owned(),
            other => format!("{other:?}"),
        };
        assert_eq!(description, expected);
    }
    check(b"", "text \"\"");
    check(b"$a = 1", "text \"$a = 1\"");
    check(b"\xef\xbb\xbf$a", "text \"\\u{feff}$a\"");
    check(b"'\xff'", "not UTF-8");
    check(b"\xff", "not UTF-8");
    check(b"\xfe\xff", "UTF-16");
    check(b"\xff\xfe", "UTF-16");
    check(b"\xfe\xff\0$\0a", "UTF-16");
    check(b"\xff\xfe$\0a\0", "UTF-16");
    check(b"\xff\xfe\0", "UTF-16");
    check(b"\xff\xfe\0\0$\0\0\0", "UTF-32");
    check(b"\0\0\xfe\xff\0\0\0$", "UTF-32");
    check(b"\0\xfe\xff", "not UTF-8");
    check(b"\xf7dL$a", "UTF-1");
    check(b"\xddsfs$a", "UTF-EBCDIC");
    check(b"\xddsf", "not UTF-8");
    check(b"\x0e\xfe\xff$a", "SCSU");
    check(b"\xfb\xee($a", "BOCU-1");
    check(b"\x841\x953$a", "GB 18030");
}
