use super::cursor;

/// Checks the position at `$0`: the path, the kind and the typed text, then the other keys.
#[test]
fn positions() {
    let cases = [
        ("$0", " key [] "),
        ("a: $0", "a value [] "),
        ("a: b$0", "a value [] b"),
        ("a::b: 'x$0y'", "a::b value [] 'x"),
        ("a: 'x'$0", "none"),
        ("a: b # $0", "none"),
        ("# a$0", "none"),
        ("a: |\n  b: $0", "none"),
        ("a: |\n  b: c\nd: $0", "d value [] "),
        ("a:\n  b$0\n  c: 1\nd: 1", "a key [c] b"),
        ("a:\n- b$0", "a/* key [] b"),
        ("a:\n  - b: 1\n    c: $0", "a/*/c value [] "),
        ("a:\n  - b: 1\n    $0\n    d: 1\n  - e: 1", "a/* key [b d] "),
        ("a:\n  - b: 1\n  - $0\n    d: 1", "a/* key [d] "),
        ("a:\n  - b: 1\n    c:\n      - 'x\n      - $0", "a/*/c/* key [] "),
        ("a:\n  - b: 1\nc: [x, $0]", "c/* value [] "),
        ("a: { b: $0 }", "none"),
        ("a: b\n  c$0", "none"),
        ("---\na: 1\n\n# note\n$0\nb: 1", " key [a b] "),
        ("a:\n  'b c': $0", "a/b c value [] "),
        ("a::$0", " key [] a::"),
        ("a:\n  b:\n    c: 1\n  $0", "a key [b] "),
    ];
    for (text, expected) in cases {
        let offset = text.find("$0").expect("a cursor");
        let text = text.replace("$0", "");
        let shown = match cursor(&text, offset) {
            Some(it) => {
                let kind = if it.is_value { "value" } else { "key" };
                let quote = it.quote.map(String::from).unwrap_or_default();
                format!("{} {kind} [{}] {quote}{}", it.steps().join("/"), it.given.join(" "), it.typed)
            }
            None => "none".to_owned(),
        };
        assert_eq!(shown, expected, "{text:?}");
    }
}
