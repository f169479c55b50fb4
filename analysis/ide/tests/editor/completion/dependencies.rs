//! Completion of names from modules that `metadata.json` does not list.

use ide::SourceChange;

use crate::at_cursor;

const MODULES: &str = "\
//- environment: module_path=/m
//- /m/stdlib/metadata.json
{ \"name\": \"puppetlabs-stdlib\", \"version\": \"9.0.0\" }
//- /m/stdlib/functions/own.pp
function stdlib::own() { 1 }
//- /m/web/metadata.json
{ \"name\": \"acme-web\", \"version\": \"1.2.3\" }
//- /m/web/manifests/init.pp
class web { }
//- /m/web/manifests/site.pp
define web::site() { }
//- /m/plain/manifests/init.pp
class plain { }
//- /m/own/metadata.json
{ \"name\": \"acme-own\", \"dependencies\": [{ \"name\": \"puppetlabs/stdlib\" }] }
//- /m/own/manifests/other.pp
class own::other { }
";

/// Completed text in a module, the label of an item, and the module that the item adds to `metadata.json`.
const ITEMS: &[(&str, &str, Option<&str>)] = &[
    ("include we$0", "web", Some("web")),
    ("web::si$0", "web::site", Some("web")),
    ("$x = stdlib::o$0", "stdlib::own", None),
    ("include own::o$0", "own::other", None),
    // Nothing names the module that this class is from.
    ("include pla$0", "plain", None),
    ("fil$0", "file", None),
    ("$x = lo$0", "lookup", None),
];

#[test]
fn undeclared_modules_are_added() {
    for (text, label, expected) in ITEMS {
        let fixture = format!("{MODULES}//- /m/own/manifests/init.pp open\nclass own {{\n  {text}\n}}\n");
        let found = at_cursor(&fixture, |analysis, file, offset, _| {
            let found = analysis.completions(file, offset).expect("nothing is cancelled").expect("items");
            let item =
                found.items.into_iter().find(|it| it.label == *label).expect("the item is in the list");
            item.missing_dependency
        });
        assert_eq!(found.as_deref(), *expected, "{text}");
    }
    // Outside of modules nothing has dependencies.
    let fixture = format!("{MODULES}//- /main.pp open\ninclude we$0\n");
    let found = at_cursor(&fixture, |analysis, file, offset, _| {
        let found = analysis.completions(file, offset).expect("nothing is cancelled").expect("items");
        found.items.iter().any(|it| it.missing_dependency.is_some())
    });
    assert!(!found);
}

#[test]
fn a_dependency_is_added_once() {
    let fixture = format!("{MODULES}//- /m/own/manifests/init.pp open\nclass own {{ $0 }}\n");
    at_cursor(&fixture, |analysis, file, _, _| {
        let add = |module: &str| analysis.add_dependency(file, module).expect("nothing is cancelled");
        let SourceChange { edits, .. } = add("web").expect("a change");
        let [(_, edits)] = &edits[..] else { panic!("one file") };
        let entry = "{ \"name\": \"acme/web\", \"version_requirement\": \">= 1.2.3\" }";
        assert_eq!(edits[0].text, format!(",\n    {entry}"));
        assert_eq!([add("stdlib"), add("plain"), add("nope")], [None, None, None]);
    });
}
