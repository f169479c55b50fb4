use super::*;

#[test]
fn errors_contain_the_line_number() {
    for (text, error) in [
        ("a\n   b", "line 2: wrong indentation"),
        ("a\n    b", "line 2: wrong indentation"),
        ("| x", "line 1: documentation of nothing"),
        ("a\n  b\n  | x", "line 3: documentation comes first"),
    ] {
        assert_eq!(read(text), Err(error.to_owned()), "{text}");
    }
}

#[test]
fn indented_lines_are_children() {
    let entries = read("# c\na b c\n  | x\n  |\n  | y\n  d\n    e f\n\ng\n").expect("it is well-formed");
    let [a, g] = entries.as_slice() else { panic!("{entries:?}") };
    assert_eq!((a.word, a.rest, a.documentation.as_str(), a.line), ("a", "b c", "x\n\ny", 2));
    assert_eq!(a.name_and_rest(), ("b", "c"));
    assert_eq!(a.below[0].get("e"), Some("f"));
    assert_eq!((g.word, g.line), ("g", 9));
}
