use super::*;

/// Pattern, path, and the expected result.
const PATTERNS: &[(&str, &str, bool)] = &[
    ("*", "manifests/init.pp", true),
    ("*.pp", "manifests/init.pp", true),
    ("*.{pp,epp}", "init.epp", true),
    ("{*.rb,*.{yaml,pp}}", "init.pp", true),
    ("*.rb", "init.pp", false),
    ("manifests/*.pp", "manifests/a/b.pp", false),
    ("manifests/**.pp", "manifests/a/b.pp", true),
    ("/init.?p", "init.pp", true),
    ("{a,b", "a", false),
    ("", "a", false),
];

#[test]
fn patterns_match_paths() {
    let wrong: Vec<_> = PATTERNS.iter().filter(|it| matches(it.0, it.1) != it.2).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn later_sections_take_precedence() {
    let text = "root = true\n[*]\nindent_size = 4\nmax_line_length = 100\n# x\n[*.pp]\nindent_size=3\n[*.rb]\nindent_size = 8\n";
    let (layer, is_root) = read(text, "manifests/init.pp");
    assert!(is_root);
    assert_eq!((layer.indent, layer.width), (Some(3), Some(100)));
}
