//! Tests of position queries and of the SCIP index on the example repository.

use std::fs;

use protobuf::Message;
use scip::types::{Document, Index, SymbolRole};

use crate::folders::{self, Folder, example};

/// Runs the program in the example repository and returns exit code, standard output and standard error.
fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    folders::run(&example(), arguments)
}

const WEB: &str = "site-modules/profile/manifests/web.pp";

#[test]
fn position_queries() {
    let at = |place: &str| format!("{WEB}:{place}");
    for (question, code, expected) in [
        // A parameter, on its sigil and in its name.
        (
            &["definition", &at("7:13")][..],
            0,
            "site-modules/profile/manifests/web.pp:7:14: String[1] $service_name,
data/os/Debian.yaml:4:1: profile::web::service_name: apache2
data/os/RedHat.yaml:2:1: profile::web::service_name: httpd
",
        ),
        (
            &["definition", &at("16:25")],
            0,
            "site-modules/profile/manifests/web.pp:7:14: String[1] $service_name,\n",
        ),
        (
            &["references", &at("7:16")],
            0,
            "data/os/Debian.yaml:4:1: profile::web::service_name: apache2
data/os/RedHat.yaml:2:1: profile::web::service_name: httpd
site-modules/profile/manifests/web.pp:4:10: # @param service_name Name of the service on this platform.
site-modules/profile/manifests/web.pp:7:14: String[1] $service_name,
site-modules/profile/manifests/web.pp:11:16: name   => $service_name,
site-modules/profile/manifests/web.pp:16:19: name      => $service_name,
",
        ),
        // A comment without any information.
        (&["hover", &at("2:1")], 1, ""),
        (&["hover", "--format", "json", &at("2:1")], 1, "null\n"),
        (&["definition", &at("2:1")], 1, ""),
        (&["references", "--format", "json", &at("2:1")], 1, "[]\n"),
        // Columns beyond the end of a line are clamped.
        (&["definition", &at("2:999")], 1, ""),
        (
            &["symbols", "prweb"],
            0,
            "site-modules/profile/manifests/web.pp:5:7: class profile::web
site-modules/profile/manifests/web/check.pp:4:8: defined type profile::web::check
site-modules/profile/manifests/web/vhost.pp:6:8: defined type profile::web::vhost
site-modules/profile/plans/restart_web.pp:5:6: plan profile::restart_web
",
        ),
        (
            &["symbols", "--path", "site-modules/role"],
            0,
            "site-modules/role/manifests/database.pp:2:7: class role::database
site-modules/role/manifests/webserver.pp:2:7: class role::webserver
",
        ),
        (&["symbols", "nothing has this name"], 1, ""),
        (&["symbols", "--format", "json", "nothing has this name"], 1, "[]\n"),
    ] {
        assert_eq!(run(question), (Some(code), expected.to_owned(), String::new()), "{question:?}");
    }
}

#[test]
fn json_answers_have_complete_ranges() {
    let answer = |arguments: &[&str]| -> serde_json::Value {
        let (code, output, errors) = run(arguments);
        assert_eq!(code, Some(0), "{arguments:?}: {errors}");
        serde_json::from_str(&output).expect("JSON")
    };
    let place = format!("{WEB}:16:25");
    let parameter =
        serde_json::json!({ "file": WEB, "line": 7, "column": 14, "endLine": 7, "endColumn": 26 });
    assert_eq!(answer(&["definition", "--format", "json", &place]), serde_json::json!([parameter]));

    let references = answer(&["references", "--format", "json", &place]);
    let accesses: Vec<_> = references.as_array().expect("an array").iter().map(|it| &it["access"]).collect();
    assert_eq!(accesses, ["write", "write", "documentation", "declaration", "read", "read"]);

    let hover = answer(&["hover", "--format", "json", &place]);
    assert_eq!((&hover["line"], &hover["column"]), (&16.into(), &18.into()));
    let (code, text, _) = run(&["hover", &place]);
    assert!(
        code == Some(0)
            && hover["markdown"].as_str().is_some_and(|it| text == format!("{}\n", it.trim_end()))
    );
    assert!(hover["markdown"].as_str().is_some_and(|it| it.contains("String[1]")), "{hover}");

    let found = answer(&["symbols", "--format", "json", "role_name"]);
    assert_eq!((&found[0]["name"], &found[0]["kind"]), (&"profile::role_name".into(), &"function".into()));
    assert_eq!((&found[0]["container"], &found[0]["endColumn"]), (&"profile".into(), &28.into()));
}

#[test]
fn invalid_queries_have_exit_code_2() {
    let beyond_end = format!("{WEB}:999:1");
    for arguments in [
        &["hover"][..],
        &["hover", WEB],
        &["hover", "x.pp:0:1"],
        &["hover", "x.pp:1:0"],
        &["hover", "x.pp:1:1x"],
        &["hover", ":1:1"],
        &["definition", "missing.pp:1:1"],
        &["references", &beyond_end],
        &["references", "README.md:1:1"],
        &["symbols", "--path", "missing"],
        &["symbols", "--root", "missing"],
        &["scip", "--root", "missing"],
        &["scip", "--output", "missing/index.scip"],
    ] {
        let (code, output, errors) = run(arguments);
        assert_eq!((code, output.as_str()), (Some(2), ""), "{arguments:?}: {errors}");
        assert!(!errors.is_empty(), "{arguments:?}");
    }
}

/// Writes an index of the example repository and reads it.
fn index(test: &str) -> (Vec<u8>, Index) {
    let name = format!("puppet-analyzer-scip-{}-{test}.scip", std::process::id());
    let path = std::env::temp_dir().join(name);
    let (code, _, errors) = run(&["scip", "--output", &path.to_string_lossy()]);
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    let bytes = fs::read(&path).expect("an index");
    let _ = fs::remove_file(&path);
    let index = Index::parse_from_bytes(&bytes).expect("the format");
    (bytes, index)
}

/// Returns the occurrences of a symbol: document, line and columns from 0, roles.
fn places<'i>(index: &'i Index, symbol: &str) -> Vec<(&'i str, &'i [i32], i32)> {
    let of_document = |document: &'i Document| {
        let occurrences = document.occurrences.iter().filter(|it| it.symbol == symbol);
        occurrences.map(|it| (document.relative_path.as_str(), it.range.as_slice(), it.symbol_roles))
    };
    index.documents.iter().flat_map(of_document).collect()
}

#[test]
fn index_has_definitions_and_references() {
    let (_, index) = index("places");
    let (made, read, written) =
        (SymbolRole::Definition as i32, SymbolRole::ReadAccess as i32, SymbolRole::WriteAccess as i32);

    let parameter = "puppet-analyzer puppet profile . class/`profile::web`#service_name.";
    let expected = [
        ("data/os/Debian.yaml", &[3, 0, 26][..], written),
        ("data/os/RedHat.yaml", &[1, 0, 26], written),
        (WEB, &[3, 9, 21], 0),
        (WEB, &[6, 13, 25], made),
        (WEB, &[10, 15, 27], read),
        (WEB, &[15, 18, 30], read),
    ];
    assert_eq!(places(&index, parameter), expected);

    let web = index.documents.iter().find(|it| it.relative_path == WEB).expect("exists");
    let information = web.symbols.iter().find(|it| it.symbol == parameter).expect("is described");
    assert_eq!(information.display_name, "service_name");
    assert_eq!(information.documentation, ["Name of the service on this platform."]);
    assert_eq!(information.signature_documentation.text, "String[1] $service_name");

    let function = "puppet-analyzer puppet profile . function/`profile::role_name`().";
    let roles: Vec<i32> = places(&index, function).into_iter().map(|(_, _, roles)| roles).collect();
    assert_eq!(roles, [made, read]);
}

#[test]
fn index_symbols_are_well_formed() {
    let (bytes, index) = index("names");
    assert_eq!(bytes, self::index("again").0, "the same code gives the same index");
    let mut made: Vec<&str> = Vec::new();
    for document in &index.documents {
        assert!(example().join(&document.relative_path).is_file(), "{}", document.relative_path);
        let occurrences = document.occurrences.iter();
        let definitions = occurrences.filter(|it| it.symbol_roles & SymbolRole::Definition as i32 != 0);
        made.extend(definitions.map(|it| it.symbol.as_str()));
        for it in &document.symbols {
            assert!(made.contains(&it.symbol.as_str()), "{} in {}", it.symbol, document.relative_path);
        }
    }
    for it in index.documents.iter().flat_map(|it| &it.occurrences) {
        let symbol = scip::symbol::parse_symbol(&it.symbol);
        assert!(symbol.is_ok(), "{}", it.symbol);
        // Symbols of workspace modules are defined in the workspace.
        let is_of_module = it.symbol.starts_with("local ")
            || symbol.is_ok_and(|it| it.package.as_ref().is_some_and(|it| !it.name.is_empty()));
        assert!(!is_of_module || made.contains(&it.symbol.as_str()), "{}", it.symbol);
    }
}

#[test]
fn hover_shows_values_by_platform() {
    let metadata = r#"{ "name": "x-m", "operatingsystem_support": [{ "operatingsystem": "Debian", "operatingsystemrelease": ["12"] }, { "operatingsystem": "RedHat", "operatingsystemrelease": ["9"] }] }"#;
    let code = "class m {\n  $a = $facts['os']['family'] ? { 'Debian' => 'x1', default => 'x2' }\n  notify { $a: }\n}\n";
    let folder = Folder::new("m", &[("metadata.json", metadata), ("manifests/init.pp", code)]);
    let ran = folder.run(&["hover", "manifests/init.pp:3:13"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for text in ["Debian 12", "RedHat 9", "'x1'", "'x2'"] {
        assert!(ran.stdout.contains(text), "{text}: {ran:?}");
    }
}

#[test]
fn html_pages_show_defaults_by_platform() {
    let metadata = r#"{ "name": "x-m", "operatingsystem_support": [{ "operatingsystem": "Debian", "operatingsystemrelease": ["12"] }, { "operatingsystem": "RedHat", "operatingsystemrelease": ["9"] }] }"#;
    let code = "# @param a Package\nclass m(\n  String $a = $facts['os']['family'] ? { 'Debian' => 'x1', default => 'x2' },\n  String $b = 'same',\n) { }\n";
    let folder = Folder::new("m", &[("metadata.json", metadata), ("manifests/init.pp", code)]);
    let ran = folder.run(&["docs", "--format", "html"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "REFERENCE.html: 1 class\n"), "{ran:?}");
    let page = folder.run(&["docs", "--format", "html", "--output", "-"]).stdout;
    let sentence = "By platform: <code>'x1'</code> (Debian 12), <code>'x2'</code> (RedHat 9)";
    assert!(page.contains(sentence) && page.contains("<h1>x-m</h1>"), "{page}");
    assert_eq!(page.matches("By platform").count(), 1, "{page}");
    let markdown = folder.run(&["docs", "--output", "-"]).stdout;
    assert!(!markdown.contains("By platform"), "{markdown}");
}
