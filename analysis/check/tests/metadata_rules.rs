//! What is said of `metadata.json` and `Puppetfile`.

use check::{Tier, diagnostics};
use expect_test::{Expect, expect};
use project::testing::TestWorkspace;

const OTHERS: &str = r#"
//- /modules/stdlib/metadata.json
{"name": "puppetlabs-stdlib", "version": "8.5.0"}
//- /modules/stdlib/manifests/init.pp
class stdlib {}
"#;

/// The findings in the file, each with the text it is about.
fn check(path: &str, text: &str, expected: Expect) {
    let fixture = format!("//- environment: roots=/ module_path=/modules{OTHERS}//- {path}\n{text}");
    let workspace = TestWorkspace::new(&fixture);
    let found = diagnostics(&workspace.db, workspace.file(path), Tier::Names);
    let lines = found.iter().map(|it| {
        let about = text[it.range.as_range()].lines().next().unwrap_or_default();
        format!("{:?} {} `{about}`: {}\n", it.severity(), it.code, it.message)
    });
    expected.assert_eq(&lines.collect::<String>());
}

fn metadata(text: &str, expected: Expect) {
    check("/modules/apache/metadata.json", text, expected);
}

/// A file with which all is well, but for what is put at its end.
fn with(rest: &str) -> String {
    format!(
        r#"{{"name": "a-apache", "version": "1.2.3", "author": "a", "license": "MIT", "source": "", {rest}}}"#
    )
}

#[test]
fn all_is_well() {
    let text = with(
        r#""summary": "x", "dependencies": [
            {"name": "puppetlabs/stdlib", "version_requirement": ">= 4.0.0 < 9.0.0"},
            {"name": "x-y", "version_requirement": "1.x"}, {"name": "x-z"}],
        "operatingsystem_support": [{"operatingsystem": "Debian", "operatingsystemrelease": ["12"]}],
        "requirements": [{"name": "puppet", "version_requirement": ">= 7.0.0"}], "pdk-version": "3.0.0""#,
    );
    metadata(&text, expect![""]);
    metadata(
        "{}",
        expect![[r#"
        Warning metadata-missing-key `{`: 'name' is missing: AUTHOR-MODULE
    "#]],
    );
}

#[test]
fn what_puppet_needs_is_missing() {
    metadata(
        r#"{"name": "a-apache", "version": "1.2.3"}"#,
        expect![[r#"
            Error metadata-missing-key `{`: Puppet leaves the module out as long as these keys are missing: source, author, license, dependencies
        "#]],
    );
}

#[test]
fn json_that_is_none() {
    metadata(
        "{\"name\": \"a-apache\",\n \"version\" \"1\",\n}",
        expect![[r#"
        Error metadata-syntax `"`: ':' is missing behind the key
        Error metadata-syntax `,`: no ',' may stand behind the last value
        Warning metadata-version `"1"`: '1' is no semantic version such as 1.2.3
    "#]],
    );
    metadata(
        "[]",
        expect![[r#"
        Warning metadata-value `[]`: a hash in { } is expected here
    "#]],
    );
    metadata(
        &with(r#""dependencies": [], "summary": "x", "summary": "y""#),
        expect![[r#"
        Warning metadata-duplicate `"summary"`: the key 'summary' stands twice; the last one wins
    "#]],
    );
}

#[test]
fn names_versions_keys_and_values() {
    metadata(
        &with(
            r#""dependencies": [{"name": "stdlib"}, {"name": "a-b/c"}, {"name": "a_b/c"}, {"name": "a-1"}, {"nam": "a-b"}]"#,
        ),
        expect![[r#"
            Hint metadata-unknown-key `"nam"`: nothing reads the key 'nam'; did you mean 'name'?
            Warning metadata-missing-key `{`: 'name' is missing
            Warning metadata-name `"stdlib"`: 'stdlib' is no full name of a module: AUTHOR-MODULE
            Warning metadata-name `"a-b/c"`: the name 'b/c' may only have letters, digits and '_'
            Warning metadata-name `"a_b/c"`: the author 'a_b' may only have letters and digits
            Warning metadata-name `"a-1"`: the name of a module begins with a letter, unlike '1'
        "#]],
    );
    metadata(
        &with(r#""dependencies": [{"name": "a-b"}, {"name": "a/b"}, {"name": "c-b"}, {"name": "a/apache"}]"#),
        expect![[r#"
            Warning metadata-duplicate `"a/b"`: the module 'b' is required twice
            Warning metadata-name `"a/apache"`: a module does not depend on itself
        "#]],
    );
    metadata(
        &with(r#""dependencies": [{"name": "puppetlabs-stdlib", "version_requirement": ">= 9.0.0"}]"#),
        expect![[r#"
            Hint metadata-other-version `">= 9.0.0"`: 'stdlib' is here in version 8.5.0, which is not in this range
        "#]],
    );
    metadata(
        &with(r#""dependencies": [{"name": "a-b", "version_requirement": "junk", "version_range": "1"}]"#),
        expect![[r#"
            Hint metadata-unknown-key `"version_range"`: nothing reads the key 'version_range'
            Warning metadata-version `"junk"`: 'junk' is no range of versions; write '>= 1.2.0 < 2.0.0', '1.x' or '1.2.3'
        "#]],
    );
    metadata(
        &with(r#""dependencies": {}, "summary": 5, "operatingsystem_support": ["Debian"]"#),
        expect![[r#"
            Error metadata-value `{}`: 'dependencies' must be a list in [ ]
            Warning metadata-value `5`: 'summary' must be a text in quotes
            Warning metadata-value `"Debian"`: each of 'operatingsystem_support' must be a hash in { }
        "#]],
    );
    metadata(
        &with(r#""dependencies": [5], "sumary": "x", "nothing_like_it": 1"#),
        expect![[r#"
        Hint metadata-unknown-key `"sumary"`: nothing reads the key 'sumary'; did you mean 'summary'?
        Hint metadata-unknown-key `"nothing_like_it"`: nothing reads the key 'nothing_like_it'
        Error metadata-value `5`: each of 'dependencies' must be a hash in { }
    "#]],
    );
    metadata(
        r#"{"name": "apache", "version": "1.2", "author": "a", "license": "MIT", "source": "", "dependencies": []}"#,
        expect![[r#"
            Warning metadata-name `"apache"`: 'apache' is no full name of a module: AUTHOR-MODULE
            Warning metadata-version `"1.2"`: '1.2' is no semantic version such as 1.2.3
        "#]],
    );
}

#[test]
fn puppetfiles() {
    check(
        "/Puppetfile",
        "forge 'https://forge.puppet.com'\nmod 'a-b', '1.0.0'\nmodd 'a-c'\nmdo 'a-c'\nmod 'c'\nmod 'd', :git => 'x'\nif true\nend\n",
        expect![[r#"
            Hint puppetfile-unknown-word `modd`: 'modd' is no word of a Puppetfile; did you mean 'mod'?
            Hint puppetfile-unknown-word `mdo`: 'mdo' is no word of a Puppetfile; did you mean 'mod'?
            Warning puppetfile-name `'c'`: 'c' is no full name of a module: AUTHOR-MODULE
        "#]],
    );
}
