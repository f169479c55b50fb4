use scalars::pattern_example::example_of;

#[test]
fn patterns_have_examples() {
    for (pattern, expected) in [
        (r"^web\d+\.example\.com$", Some("web1.example.com")),
        (r"^(db|cache)\d{2}$", None),
        (r"^db[0-9]+", Some("db0")),
        (r"\Awww\d*\.x", Some("www1.x")),
        (r"(?!x)", None),
    ] {
        assert_eq!(example_of(pattern).as_deref(), expected, "{pattern}");
    }
}
