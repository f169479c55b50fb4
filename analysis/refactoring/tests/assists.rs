//! Refactorings at single positions, in particular where they would change the result and must not be offered.
//! `catalogs` applies them to real modules.

use expect_test::{Expect, expect};
use fixture::Fixture;
use project::testing::TestWorkspace;
use refactoring::assists;
use syntax::TextRange;

/// Compares the result of [`refactored`].
fn check(text: &str, title: &str, expected: Expect) {
    expected.assert_eq(&refactored(text, title));
}

/// Returns the text after the refactoring whose title starts with `title`, and the files that it creates. `$0` is the
/// cursor, or each end of the selection.
fn refactored(text: &str, title: &str) -> String {
    let fixture = format!(
        "//- environment: roots=/modules module_path=/modules\n//- /modules/a/manifests/init.pp\n{text}"
    );
    let workspace = TestWorkspace::new(&fixture);
    let parsed = Fixture::parse(&fixture);
    let (fixture_file, start) = (&parsed.files[0], parsed.files[0].cursors[0]);
    let end = fixture_file.cursors.get(1).copied().unwrap_or(start);
    let file = workspace.file(&fixture_file.path);
    let actions = assists(&workspace.db, file, TextRange::new(start, end));
    match actions.into_iter().find(|it| it.title.starts_with(title)) {
        Some(action) => {
            let mut edited = fixture_file.text.clone();
            for edit in action.change.edits.iter().flat_map(|(_, edits)| edits.iter().rev()) {
                edited.replace_range(edit.range.as_range(), &edit.text);
            }
            let created = action.change.creates.iter();
            edited + &created.map(|(path, text)| format!("+++ {path}\n{text}")).collect::<String>()
        }
        None => "not offered".to_owned(),
    }
}

#[test]
fn inlined_strings_do_not_continue_into_the_text_after_them() {
    let inlined = |text: &str, expected: Expect| check(text, "Inline variable", expected);
    inlined("class a ($b) { $x$0 = \"$b\" notify { \"${x}_c\": } }\n", expect!["not offered"]);
    inlined("class a ($b) { $x$0 = \"c-$b\" notify { \"${x}::c\": } }\n", expect!["not offered"]);
    inlined("class a ($b) { $x$0 = \"c$\" notify { \"${x}{b}\": } }\n", expect!["not offered"]);
    inlined("class a ($b) { $x$0 = \"c$\" notify { \"${x}b\": } }\n", expect!["not offered"]);
    inlined(
        "class a ($b) { $x$0 = \"$b\" notify { \"${x}-c\": } }\n",
        expect![[r#"
        class a ($b) { notify { "$b-c": } }
    "#]],
    );
    inlined(
        "class a ($b) { $x$0 = \"$b\" notify { \"${x} ${b}\": } }\n",
        expect![[r#"
        class a ($b) { notify { "$b ${b}": } }
    "#]],
    );
    inlined(
        "class a ($b) { $x$0 = \"$b\" notify { \"${x}\": } }\n",
        expect![[r#"
        class a ($b) { notify { "$b": } }
    "#]],
    );
    inlined(
        "class a ($b) { $x$0 = \"${b}\" notify { \"${x}_c\": } }\n",
        expect![[r#"
        class a ($b) { notify { "${b}_c": } }
    "#]],
    );
    inlined("class a ($b) { $x$0 = c notify { \"$b${x}\": } }\n", expect!["not offered"]);
    inlined("class a ($b) { $x$0 = c notify { \"$b$x\": } }\n", expect!["not offered"]);
    inlined("class a ($b) { $x$0 = 'c' notify { \"$b$x\": } }\n", expect!["not offered"]);
    inlined(
        "class a ($b) { $x$0 = $b notify { \"$x\": } }\n",
        expect![[r#"
        class a ($b) { notify { "${$b}": } }
    "#]],
    );
}

#[test]
fn inlined_expressions_have_parentheses_only_where_needed() {
    for (before, after) in [
        ("class a ($b) { $x$0 = $b + 1 notice($x) }\n", "class a ($b) { notice($b + 1) }\n"),
        ("class a ($b) { $x$0 = $b + 1 notice([$x, 2]) }\n", "class a ($b) { notice([$b + 1, 2]) }\n"),
        (
            "class a ($b) { $x$0 = $b + 1 notice({ 'k' => $x }) }\n",
            "class a ($b) { notice({ 'k' => $b + 1 }) }\n",
        ),
        ("class a ($b) { $x$0 = $b + 1 notice($x * 2) }\n", "class a ($b) { notice(($b + 1) * 2) }\n"),
        ("class a ($b) { $x$0 = $b + 1 notice(\"n ${x}\") }\n", "class a ($b) { notice(\"n ${$b + 1}\") }\n"),
        ("class a ($b) { $x$0 = 1 + $b notice(\"n ${x}\") }\n", "not offered"),
        ("class a ($b) { $x$0 = $b + 1 notice $x }\n", "class a ($b) { notice ($b + 1) }\n"),
    ] {
        assert_eq!(refactored(before, "Inline variable"), after);
    }
}

#[test]
fn resources_stay_where_code_depends_on_their_declaration() {
    let extracted = |text: &str, kind: &str, expected: Expect| {
        check(&format!("class a {{ $0package {{ 'p': }}$0 {text}"), kind, expected);
    };
    let define = |text: &str| extracted(text, "Extract to defined type", expect!["not offered"]);
    define("if !defined(Package['p']) { notify { 'n': } } }\n");
    define("ensure_packages('p') }\n");
    define("['p'].stdlib::ensure_packages() }\n");
    define("notify { 'n': message => Package['p']['ensure'] } }\n");
    define(
        "include a::b }\n//- /modules/a/manifests/b.pp\nclass a::b { include a::c }\n//- /modules/a/manifests/c.pp\nclass a::c { ensure_resource('package', 'p') }\n",
    );
    extracted(
        "include a::b }\n//- /modules/a/manifests/b.pp\nclass a::b { include a }\n",
        "Extract to defined type",
        expect![[r#"
            class a { a::extracted { 'a': } include a::b }
            +++ /modules/a/manifests/extracted.pp
            # @summary Part of `a`
            define a::extracted {
              package { 'p': }
            }
        "#]],
    );
    extracted(
        "ensure_packages('p') }\n",
        "Extract to class",
        expect![[r#"
        class a { contain a::extracted ensure_packages('p') }
        +++ /modules/a/manifests/extracted.pp
        # @summary Part of `a`
        class a::extracted {
          package { 'p': }
        }
    "#]],
    );
}
