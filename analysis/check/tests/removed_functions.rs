//! Fixes for calls of removed functions.

use check::{Code, FixData, Tier, diagnostics};
use project::testing::TestWorkspace;

const METADATA: &str = r#"{ "name": "me-a", "version": "1.0.0", "author": "me", "license": "MIT", "source": "",
"dependencies": [{ "name": "puppetlabs-stdlib", "version_requirement": ">= 9.0.0 < 10.0.0" }] }"#;

/// Applies the fix of the only removed function in a text; `None` if there is no fix.
fn fixed(text: &str) -> Option<(String, bool)> {
    let fixture = format!("//- /a/metadata.json\n{METADATA}\n//- /a/manifests/init.pp\n{text}");
    let workspace = TestWorkspace::new(&fixture);
    let found = diagnostics(&workspace.db, workspace.file("/a/manifests/init.pp"), Tier::Names);
    let mut found = found.iter().filter(|it| it.code == Code::RemovedFunction);
    let (first, second) = (found.next(), found.next());
    assert!(first.is_some() && second.is_none(), "one finding expected in:\n{text}");
    let (edits, is_safe) = match first.and_then(|it| it.data.clone())? {
        FixData::ReplaceWith { range, text } => (vec![(range, text)], false),
        FixData::Edits { edits, is_safe } => (edits, is_safe),
        other => panic!("unexpected fix {other:?}"),
    };
    let mut new = text.to_owned();
    for (range, replacement) in edits.iter().rev() {
        new.replace_range(range.as_range(), replacement);
    }
    Some((new, is_safe))
}

/// Checks the fix of a statement or expression in a class.
#[track_caller]
fn check(before: &str, after: &str) {
    let class = |code: &str| format!("class a($x, $h, $o = undef) {{\n  {code}\n}}\n");
    let found = fixed(&class(before)).map(|(text, _)| text);
    assert_eq!(found.as_deref(), Some(class(after)).as_deref(), "{before}");
}

#[test]
fn expressions() {
    check("$y = is_string($x)", "$y = $x =~ String");
    check("if is_array($x) { }", "if $x =~ Array { }");
    check("if !is_hash($x) { }", "if !($x =~ Hash) { }");
    check("$y = $x.is_bool()", "$y = $x =~ Boolean");
    check("$y = has_key($h, 'k')", "$y = 'k' in $h");
    check("if $h.has_key('k') and $x { }", "if 'k' in $h and $x { }");
    check("$y = has_key($h, 'k') ? { default => 1 }", "$y = ('k' in $h) ? { default => 1 }");
    check("$y = has_key($h, 'k') == $x", "$y = ('k' in $h) == $x");
    check("$y = dig44($h, ['a', 'b'])", "$y = dig($h, 'a', 'b')");
    check("$y = dig44($h, ['a', 0, 'b'], 'd')", "$y = get($h, 'a.0.b', 'd')");
    check("$y = sprintf_hash('%<a>s', $h)", "$y = sprintf('%<a>s', $h)");
}

#[test]
fn lookups() {
    check("$y = hiera('k')", "$y = lookup('k')");
    check("$y = hiera('k', 1)", "$y = lookup('k', { 'default_value' => 1 })");
    check("$y = hiera_array('k')", "$y = lookup('k', { 'merge' => 'unique' })");
    check("$y = hiera_hash('k', {})", "$y = lookup('k', { 'merge' => 'hash', 'default_value' => {} })");
    check("hiera_include('k')", "lookup('k', { 'merge' => 'unique' }).include");
}

#[test]
fn checks_of_values() {
    check("validate_string($h['a'])", "assert_type(String, $h['a'])");
    check("validate_bool($y, $z)", "assert_type(Boolean, $y)\n  assert_type(Boolean, $z)");
    check("validate_re($y, '^a\\.b$')", "assert_type(Pattern[/^a\\.b$/], $y)");
    check("validate_re($y, ['^a$', '^b$'], 'm')", "assert_type(Pattern[/^a$/, /^b$/], $y)");
    check("validate_re($y, '^a/b\\/c$')", "assert_type(Pattern[/^a\\/b\\/c$/], $y)");
    check("validate_slength($y, 8)", "assert_type(String[0, 8], $y)");
    check("validate_integer($y, 10, 1)", "assert_type(Integer[1, 10], $y)");
    check("validate_integer($y, 10)", "assert_type(Integer[default, 10], $y)");
    check("validate_numeric($y, undef, 1.5)", "assert_type(Numeric[1.5, default], $y)");
    check("if $x { validate_hash($x) }", "if $x { assert_type(Hash, $x) }");
}

#[test]
fn checks_of_parameters_become_types() {
    let cases = [
        ("class a($x) {\n  validate_string($x)\n}\n", "class a(String $x) {\n}\n"),
        ("class a($x = undef) {\n  validate_array($x)\n}\n", "class a(Optional[Array] $x = undef) {\n}\n"),
        ("class a($x, $y) {\n  validate_bool($x, $y)\n}\n", "class a(Boolean $x, Boolean $y) {\n}\n"),
        (
            "class a(String $x) {\n  validate_re($x, '^a')\n}\n",
            "class a(String $x) {\n  assert_type(Pattern[/^a/], $x)\n}\n",
        ),
    ];
    for (before, after) in cases {
        assert_eq!(fixed(before), Some((after.to_owned(), false)), "{before}");
    }
}

#[test]
fn exact_fixes_are_safe() {
    let is_safe = |code: &str| fixed(&format!("class a($x) {{\n  $y = {code}\n}}\n")).map(|it| it.1);
    assert_eq!(is_safe("is_array($x)"), Some(true));
    assert_eq!(is_safe("is_string($x)"), Some(false));
    // Without a fix.
    assert_eq!(is_safe("type3x($x)"), None);
    assert_eq!(is_safe("hiera('a') |$k| { 1 }"), None);
    assert_eq!(is_safe("hiera('a', 1, 'b')"), None);
    assert_eq!(is_safe("dig44($x, $y)"), None);
    assert_eq!(is_safe("dig44($x, ['a.b'], 1)"), None);
}
