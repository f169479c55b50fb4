use super::*;

#[test]
fn frames_are_found_behind_anything() {
    let mut input: &[u8] =
        b"garbage\r\nContent-Length: x\r\n\r\n{}\r\ncontent-length:2\r\nContent-Type: a; b\r\n\r\n[]\
            Content-Length: 4\r\n\r\nabcdContent-Length: 9\r\n\r\ncut off";
    let mut frames = Vec::new();
    while let Some(frame) = read_frame(&mut input).expect("memory can be read") {
        frames.push(String::from_utf8(frame).expect("text"));
    }
    assert_eq!(frames, ["[]", "abcd"]);
}
