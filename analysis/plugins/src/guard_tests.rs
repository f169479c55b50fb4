use super::*;

#[test]
fn long_runs_are_hostile() {
    let table = [
        ("!".repeat(200), false),
        ("!".repeat(201), true),
        ("not ".repeat(201), true),
        ("! not -".repeat(100), true),
        ("# ------\n".repeat(100), false),
        (format!("x{}", "!(".repeat(200)), true),
        (format!("x{}", "!(x)".repeat(200)), false),
    ];
    for (text, expected) in table {
        assert_eq!(is_hostile(&text), expected, "{text}");
    }
}
