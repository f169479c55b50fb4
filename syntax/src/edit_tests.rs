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
    let (new, tokens) = edited(&old, None, &after).expect("an independent run");
    assert!(tokens < 400, "{tokens} tokens were lexed for {typed:?} after {location:?}");
    assert_eq!(new, crate::parse(&after, Language::Manifest));
    let (back, tokens) = edited(&new, None, old.tree.text()).expect("an independent run");
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

/// Names and strings in the head of a class, which is not parsed again as a whole.
#[test]
fn an_edit_in_a_long_list_of_parameters_lexes_one_token() {
    let parameters: String = (0..5_000).map(|it| format!("  String $p{it} = 'a b',\n")).collect();
    let before = format!("class a (\n{parameters}) {{\n  notice($p1, \"${{p2}} $p3\")\n}}\n");
    for (location, typed, expected) in
        [("$p4000", "x", 1), ("$p400", "_", 1), ("'a", "{", 1), ("'a b", " #", 1)]
    {
        let at = before[before.len() / 2..].find(location).expect("the location");
        let at = before.len() / 2 + at + location.len();
        let after: Arc<str> = [&before[..at], typed, &before[at..]].concat().into();
        let old = crate::parse(&before, Language::Manifest);
        let (new, tokens) = edited(&old, None, &after).expect("an independent token");
        assert_eq!((tokens, &new), (expected, &crate::parse(&after, Language::Manifest)), "{location:?}");
        let (back, tokens) = edited(&new, None, old.tree.text()).expect("an independent token");
        assert_eq!((tokens, back), (expected, old), "{location:?}");
    }
}

#[test]
fn edits_that_change_the_kind_of_a_token() {
    for (before, after) in [
        ("notice($a)\n", "notice($)\n"),
        ("notice($a)\n", "notice($::a)\n"),
        ("notice($a)\n", "notice($a::b)\n"),
        ("notice($a)\n", "notice($A)\n"),
        ("notice($a)\n", "notice($1)\n"),
        ("notice($a)\n", "notice($a b)\n"),
        ("notice($a)\n", "notice($a-b)\n"),
        ("notice($a1)\n", "notice($1)\n"),
        ("notice(\"$a x\")\n", "notice(\"$ab x\")\n"),
        ("notice(\"${a}\")\n", "notice(\"${ab}\")\n"),
        ("notice(\"${$a}\")\n", "notice(\"${$ab}\")\n"),
        ("notice(@(\"E\"))\n  $a\n  | E\n", "notice(@(\"E\"))\n  $ab\n  | E\n"),
        ("notice('a')\n", "notice('a\\')\n"),
        ("notice('a')\n", "notice('a'')\n"),
        ("notice('a')\n", "notice('')\n"),
        ("notice('a\n  b')\n", "notice('ac\n  b')\n"),
        ("notice('a', 'b')\n", "notice('a, 'b')\n"),
        ("notice('a, 'b')\n", "notice('a => 'b')\n"),
        ("notice('a, 'b', 'c')\n", "notice('a,, 'b', 'c')\n"),
        ("$x = 'a\n b' + 'c'\n", "$x = 'a\n b' + 'c,'\n"),
        ("# a\n", "x# a\n"),
        ("# a\n", "# ab\n"),
    ] {
        check_edited(before, after);
        check_edited(after, before);
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
