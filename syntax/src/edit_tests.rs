use super::*;

/// Many classes, or one as long as they are together.
fn manifest(is_one: bool) -> String {
    let resource = "  file { '/x':\n    ensure => file, # as it is\n    mode   => '0644',\n  }\n";
    let class = |number: usize, resources: usize| {
        format!("class a::b{number} (\n  $x = 1,\n) {{\n{}}}\n\n", resource.repeat(resources))
    };
    match is_one {
        true => class(0, 2_500),
        false => (0..400).map(|number| class(number, 5)).collect(),
    }
}

/// Types `typed` behind `place`, in the middle of a file of 10,000 lines: only what stands around it may be read.
fn check(is_one: bool, place: &str, typed: &str) {
    let before = manifest(is_one);
    assert!(before.lines().count() >= 10_000);
    let middle = before.len() / 2;
    let at = middle + before[middle..].find(place).expect("the place") + place.len();
    let after: Arc<str> = [&before[..at], typed, &before[at..]].concat().into();
    let old = crate::parse(&before, Language::Manifest);
    let (new, tokens) = edited(&old, &after).expect("a run that stands alone");
    assert!(tokens < 400, "{tokens} tokens were read for {typed:?} behind {place:?}");
    assert_eq!(new, crate::parse(&after, Language::Manifest));
    let (back, tokens) = edited(&new, old.tree.text()).expect("a run that stands alone");
    assert!(tokens < 400, "{tokens} tokens were read when {typed:?} was taken away");
    assert_eq!(back, old);
}

#[test]
fn a_letter_in_a_large_file_reads_what_it_touches() {
    for is_one in [false, true] {
        check(is_one, "# as", "x");
        check(is_one, "ensu", "x");
        check(is_one, "'/x", "y");
        check(is_one, "  }\n", "  {\n");
        check(is_one, "=> file", " {");
        check(is_one, "  }\n", "  $x = ,\n");
    }
}

/// A text and its edit: what is read of the edit is what is read of the new text alone.
fn check_edited(before: &str, after: &str) {
    let old = crate::parse(before, Language::Manifest);
    assert_eq!(
        old.edited(&after.into()),
        crate::parse(after, Language::Manifest),
        "{before:?} became {after:?}"
    );
}

#[test]
fn an_edit_at_half_a_line_break() {
    check_edited("# a\rb\nclass c { }\n", "# a\r\nclass c { }\n");
    check_edited("# a\r\nclass c { }\n", "# a\rb\nclass c { }\n");
    check_edited("# a\r\nclass c { }\n", "# a\nclass c { }\n");
}
