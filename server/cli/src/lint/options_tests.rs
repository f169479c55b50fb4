use super::matches;

#[test]
fn patterns_of_paths() {
    let cases = [
        ("vendor/**/*.pp", "vendor/a/b.pp", true),
        ("vendor/**/*.pp", "vendor/a/b/c.pp", true),
        ("vendor/**/*.pp", "vendor/b.pp", false),
        ("stdlib/*", "stdlib/manifests/init.pp", true),
        ("*.pp", "a/b.pp", true),
        ("a?c", "abc", true),
        ("a[b-d]e", "ace", true),
        ("a[!b-d]e", "ace", false),
        ("", "a", false),
        ("*a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false),
    ];
    for (pattern, path, expected) in cases {
        assert_eq!(matches(pattern.as_bytes(), path.as_bytes()), expected, "{pattern} {path}");
    }
}
