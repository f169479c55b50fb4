//! Types in type sets: hover, navigation, rename and completion.

use expect_test::{Expect, expect};

use crate::at_cursor;

const MODULE: &str = "
//- environment: module_path=/m
//- /m/net/metadata.json
{ \"name\": \"x-net\", \"version\": \"1.0.0\" }
//- /m/net/types/set.pp
# What goes over the wire.
type Net::Set = TypeSet[{
  pcore_version => '1.0.0',
  version       => '1.0.0',
  types         => {
    Port => Integer[1, 65535],
    Pair => Struct[{ from => Port, to => Port }],
    Host => Object[{ attributes => { name => String } }],
  },
}]
//- /m/net/types/init_typeset.pp
type Net = TypeSet[{ pcore_version => '1.0.0', version => '1.0.0', types => { Speed => Enum['fast', 'slow'] } }]
//- /m/net/manifests/init.pp
class net(Net::Set::Port $port = 80, net::set::pair $x, Net::Speed $speed = 'fast') {
  notice($port =~ Net::Set::Port, Net::Set::Nothing)
}
";

/// Returns the module with the cursor at the bar in `before`.
fn with_cursor(before: &str) -> String {
    let (head, word) = before.rsplit_once('|').expect("a bar where the cursor is");
    let at = MODULE.find(&format!("{head}{word}")).expect("the word") + head.len();
    format!("{}$0{}", &MODULE[..at], &MODULE[at..])
}

#[track_caller]
fn hover(before: &str, expected: Expect) {
    let shown = at_cursor(&with_cursor(before), |analysis, file, offset, _| {
        let hover = analysis.hover(file, offset).expect("nothing is cancelled");
        hover.map_or_else(String::new, |it| it.markdown)
    });
    expected.assert_eq(&shown);
}

#[test]
fn hovers_expand_types_of_sets() {
    hover(
        "Net::Set::|Port $port",
        expect![[r#"
            ```puppet
            type Net::Set::Port = Integer[1, 65535]
            ```"#]],
    );
    hover(
        "    |Port => Integer",
        expect![[r#"
            ```puppet
            type Net::Set::Port = Integer[1, 65535]
            ```"#]],
    );
    hover(
        "Net::|Speed",
        expect![[r#"
            ```puppet
            type Net::Speed = Enum['fast', 'slow']
            ```"#]],
    );
}

#[test]
fn definitions_and_references_lead_through_the_set() {
    for before in ["Net::Set::|Port $port", "from => |Port", "    |Port =>", "=~ Net::Set::|Port"] {
        let (made, named) = at_cursor(&with_cursor(before), |analysis, file, offset, _| {
            let place = |file, start: u32| {
                let text = analysis.text(file).expect("not cancelled").unwrap_or_default();
                let line = text[..start as usize].matches('\n').count() + 1;
                format!("{}:{line}", analysis.path(file).file_name())
            };
            let made = analysis.definition(file, offset).expect("not cancelled").expect("a definition");
            let made: Vec<_> =
                made.targets.iter().map(|it| place(it.file.to_owned(), it.focus.start)).collect();
            let named = analysis.references(file, offset, true).expect("not cancelled").unwrap_or_default();
            (made, named.iter().map(|it| place(it.file, it.range.start)).collect::<Vec<_>>())
        });
        assert_eq!(made, ["set.pp:6"], "{before}");
        assert_eq!(named, ["init.pp:1", "init.pp:2", "set.pp:6", "set.pp:7", "set.pp:7"], "{before}");
    }
}

#[track_caller]
fn rename(before: &str, new_name: &str, expected: Expect) {
    let shown = at_cursor(&with_cursor(before), |analysis, file, offset, _| {
        let change = match analysis.rename(file, offset, new_name).expect("not cancelled") {
            Ok(change) => change,
            Err(refusal) => return format!("{refusal}\n"),
        };
        let mut lines = String::new();
        for (file, edits) in &change.edits {
            let mut text = analysis.text(*file).expect("not cancelled").unwrap_or_default().to_string();
            let old = text.clone();
            edits.iter().rev().for_each(|edit| text.replace_range(edit.range.as_range(), &edit.text));
            let changed = old.lines().zip(text.lines()).filter(|(old, new)| old != new);
            changed.for_each(|(_, new)| lines.push_str(&format!("{}\n", new.trim())));
        }
        lines
    });
    expected.assert_eq(&shown);
}

#[test]
fn renames_change_the_set_and_what_names_its_types() {
    rename(
        "from => |Port",
        "Number",
        expect![[r#"
            class net(Net::Set::Number $port = 80, net::set::pair $x, Net::Speed $speed = 'fast') {
            notice($port =~ Net::Set::Number, Net::Set::Nothing)
            Number => Integer[1, 65535],
            Pair => Struct[{ from => Number, to => Number }],
        "#]],
    );
    rename("from => |Port", "Pair", expect![["the type set already has a type `Pair`\n"]]);
    rename("from => |Port", "Net::Port", expect![["a type cannot be moved out of its type set\n"]]);
    rename(
        "type |Net::Set",
        "Net::Wire",
        expect![[r#"
            class net(Net::Wire::Port $port = 80, net::set::pair $x, Net::Speed $speed = 'fast') {
            notice($port =~ Net::Wire::Port, Net::Set::Nothing)
            type Net::Wire = TypeSet[{
        "#]],
    );
}

#[test]
fn completion_has_the_types_of_sets() {
    let text = MODULE.replace("Net::Speed $speed", "Net::$0 $speed");
    let labels = at_cursor(&text, |analysis, file, offset, _| {
        let found = analysis.completions(file, offset).expect("nothing is cancelled").expect("completions");
        found.items.into_iter().map(|it| it.label).filter(|it| it.starts_with("Net")).collect::<Vec<_>>()
    });
    for expected in ["Net::Set::Port", "Net::Set::Pair", "Net::Set::Host", "Net::Speed"] {
        assert!(labels.iter().any(|it| it == expected), "{expected} is not among {labels:?}");
    }
}
