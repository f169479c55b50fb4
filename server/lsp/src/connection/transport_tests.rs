use super::*;

#[test]
fn frames_are_found_after_garbage() {
    let mut input: &[u8] =
        b"garbage\r\nContent-Length: x\r\n\r\n{}\r\ncontent-length:2\r\nContent-Type: a; b\r\n\r\n[]\
            Content-Length: 4\r\n\r\nabcdContent-Length: 9\r\n\r\ncut off";
    let mut frames = Vec::new();
    while let Some(frame) = read_frame(&mut input).expect("memory can be read") {
        frames.push(String::from_utf8(frame).expect("text"));
    }
    assert_eq!(frames, ["[]", "abcd"]);
}

#[test]
fn invalid_lengths_end_the_session() {
    for length in ["-5", "268435457", "9000000000000000000", "99999999999999999999999"] {
        let text = format!("Content-Length: {length}\r\n\r\n{{}}Content-Length: 2\r\n\r\n[]");
        let error = read_frame(&mut text.as_bytes()).expect_err(length);
        assert!(error.to_string().contains(length), "{error}");
    }
    let header = "x".repeat(1 << 20);
    let text = format!("{header}\r\nContent-Length: 2\r\n\r\n[]");
    assert_eq!(read_frame(&mut text.as_bytes()).expect("a frame").as_deref(), Some(&b"[]"[..]));
}
