use super::*;

/// Returns a manifest with many classes, or with a single class of the same total length.
fn manifest(is_one: bool) -> String {
    let resource = "  file { '/x':\n    ensure => file, # as it is\n    mode   => '0644',\n  }\n";
    let class = |number: usize, resources: usize| {
        format!("class a::b{number} (\n  $x = 1,\n) {{\n{}}}\n\n", resource.repeat(resources))
    };
    if is_one { class(0, 2_500) } else { (0..400).map(|number| class(number, 5)).collect() }
}

/// Inserts `typed` after `location` in the middle of a file of 10,000 lines and checks that only its
/// surroundings are lexed.
fn check(is_one: bool, location: &str, typed: &str) {
    let before = manifest(is_one);
    assert!(before.lines().count() >= 10_000);
    let middle = before.len() / 2;
    let at = middle + before[middle..].find(location).expect("the location") + location.len();
    let after: Arc<str> = [&before[..at], typed, &before[at..]].concat().into();
    let old = crate::parse(&before, Language::Manifest);
    let (new, tokens) = edited(&old, &after).expect("an independent run");
    assert!(tokens < 400, "{tokens} tokens were lexed for {typed:?} after {location:?}");
    assert_eq!(new, crate::parse(&after, Language::Manifest));
    let (back, tokens) = edited(&new, old.tree.text()).expect("an independent run");
    assert!(tokens < 400, "{tokens} tokens were lexed when {typed:?} was removed");
    assert_eq!(back, old);
}

#[test]
fn an_edit_in_a_large_file_lexes_only_its_surroundings() {
    for is_one in [false, true] {
        check(is_one, "# as", "x");
        check(is_one, "ensu", "x");
        check(is_one, "'/x", "y");
        check(is_one, "  }\n", "  {\n");
        check(is_one, "=> file", " {");
        check(is_one, "  }\n", "  $x = ,\n");
    }
}

/// Checks that the result for an edit equals that of parsing the new text.
fn check_edited(before: &str, after: &str) {
    let old = crate::parse(before, Language::Manifest);
    assert_eq!(
        old.edited(&after.into()),
        crate::parse(after, Language::Manifest),
        "{before:?} became {after:?}"
    );
}

#[test]
fn edits_inside_a_line_break() {
    check_edited("# a\rb\nclass c { }\n", "# a\r\nclass c { }\n");
    check_edited("# a\r\nclass c { }\n", "# a\rb\nclass c { }\n");
    check_edited("# a\r\nclass c { }\n", "# a\nclass c { }\n");
}
