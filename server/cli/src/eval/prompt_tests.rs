use super::*;

#[test]
fn detects_incomplete_code() {
    for code in [
        "$a = [1,",
        "1 +",
        "function f() {",
        "'text",
        "f(1",
        "\"${x",
        "@(END)\ntext",
        "[1].map |$x| {",
        "$x.",
    ] {
        assert!(is_incomplete(code), "{code}");
    }
    for code in ["1", "[1, 2]", "1 + 'a'", "$x = )", "f(1))", "if true { 1 }", "1 +\n", "'a' 'b'"] {
        assert!(!is_incomplete(code), "{code}");
    }
}
