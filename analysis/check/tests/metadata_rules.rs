//! Findings in `metadata.json`.

use check::{Tier, diagnostics};
use expect_test::{Expect, expect};
use project::testing::TestWorkspace;

const OTHERS: &str = r#"
//- /modules/stdlib/metadata.json
{"name": "puppetlabs-stdlib", "version": "8.5.0"}
//- /modules/stdlib/manifests/init.pp
class stdlib {}
"#;

/// Checks the findings in the file, each with the text of its range.
fn check(path: &str, text: &str, expected: Expect) {
    let fixture = format!("//- environment: roots=/ module_path=/modules{OTHERS}//- {path}\n{text}");
    let workspace = TestWorkspace::new(&fixture);
    let found = diagnostics(&workspace.db, workspace.file(path), Tier::Names);
    let lines = found.iter().map(|it| {
        let about = text[it.range.as_range()].lines().next().unwrap_or_default();
        format!("{:?} {} `{about}`: {}\n", it.severity(), it.code, codes::single_line(&it.message))
    });
    expected.assert_eq(&lines.collect::<String>());
}

fn metadata(text: &str, expected: Expect) {
    check("/modules/apache/metadata.json", text, expected);
}

/// Returns a valid file with `rest` inserted at its end.
fn with(rest: &str) -> String {
    format!(
        r#"{{"name": "a-apache", "version": "1.2.3", "author": "a", "license": "MIT", "source": "", {rest}}}"#
    )
}

#[test]
fn valid_metadata_have_no_findings() {
    let text = with(
        r#""summary": "x", "dependencies": [
            {"name": "puppetlabs/stdlib", "version_requirement": ">= 4.0.0 < 9.0.0"},
            {"name": "x-y", "version_requirement": "1.x"}],
        "operatingsystem_support": [
            {"operatingsystem": "Debian", "operatingsystemrelease": ["12", "stretch/sid", "8.5"]},
            {"operatingsystem": "OpenSuSE", "operatingsystemrelease": ["42", "42.3", "15"]},
            {"operatingsystem": "SLES", "operatingsystemrelease": ["11 SP1", "12-SP2"]},
            {"operatingsystem": "Ubuntu", "operatingsystemrelease": ["18.04", "6.06", "24.10"]},
            {"operatingsystem": "windows", "operatingsystemrelease": ["2012 R2", "Server 2016"]}],
        "requirements": [{"name": "puppet", "version_requirement": ">= 7.0.0"}], "pdk-version": "3.0.0""#,
    );
    metadata(&text, expect![""]);
    metadata(
        "{}",
        expect![[r#"
            Warning metadata-missing-key `{`: missing key `name` (help: add `"name": "AUTHOR-MODULE"`)
        "#]],
    );
}

#[test]
fn missing_keys_required_by_puppet() {
    metadata(
        r#"{"name": "a-apache", "version": "1.2.3"}"#,
        expect![[r#"
            Error metadata-missing-key `{`: missing keys `source`, `author`, `license`, `dependencies`; Puppet ignores the module
            Warning metadata-missing-key `{`: missing key `summary` (help: add `"summary": "..."`)
        "#]],
    );
}

#[test]
fn invalid_json() {
    metadata(
        "{\"name\": \"a-apache\",\n \"version\" \"1\",\n}",
        expect![[r#"
        Error metadata-syntax `"`: expected `:` after the key
        Error metadata-syntax `,`: unexpected trailing comma
        Warning metadata-version `"1"`: `1` is not a semantic version (help: use a version such as `1.2.3`)
    "#]],
    );
    metadata(
        "[]",
        expect![[r#"
        Warning metadata-value `[]`: expected a JSON object
    "#]],
    );
    metadata(
        &with(r#""dependencies": [], "summary": "x", "summary": "y""#),
        expect![[r#"
        Warning metadata-duplicate `"summary"`: duplicate key `summary`; the last value wins
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
            Hint metadata-unknown-key `"nam"`: unknown key `nam` (help: did you mean `name`?)
            Warning metadata-missing-key `{`: missing key `name`
            Warning metadata-name `"stdlib"`: invalid module name `stdlib`; expected `AUTHOR-MODULE`
            Warning metadata-name `"a-b/c"`: invalid module name `b/c`; only letters, digits and `_` are allowed
            Warning metadata-name `"a_b/c"`: invalid author `a_b`; only letters and digits are allowed
            Warning metadata-name `"a-1"`: invalid module name `1`; it must begin with a letter
            Warning metadata-missing-key `{`: missing key `summary` (help: add `"summary": "..."`)
            Warning metadata-open-range `{"name": "stdlib"}`: no upper limit for the version of `stdlib` (help: exclude the next major version, such as `>= 9.0.0 < 10.0.0`)
            Warning metadata-open-range `{"name": "a-b/c"}`: no upper limit for the version of `a-b/c` (help: exclude the next major version, such as `>= 9.0.0 < 10.0.0`)
            Warning metadata-open-range `{"name": "a_b/c"}`: no upper limit for the version of `a_b/c` (help: exclude the next major version, such as `>= 9.0.0 < 10.0.0`)
            Warning metadata-open-range `{"name": "a-1"}`: no upper limit for the version of `a-1` (help: exclude the next major version, such as `>= 9.0.0 < 10.0.0`)
        "#]],
    );
    metadata(
        &with(r#""dependencies": [{"name": "a-b"}, {"name": "a/b"}, {"name": "c-b"}, {"name": "a/apache"}]"#),
        expect![[r#"
            Warning metadata-duplicate `"a/b"`: duplicate dependency `b`
            Warning metadata-name `"a/apache"`: module depends on itself
            Warning metadata-missing-key `{`: missing key `summary` (help: add `"summary": "..."`)
            Warning metadata-open-range `{"name": "a-b"}`: no upper limit for the version of `a-b` (help: exclude the next major version, such as `>= 9.0.0 < 10.0.0`)
            Warning metadata-open-range `{"name": "a/b"}`: no upper limit for the version of `a/b` (help: exclude the next major version, such as `>= 9.0.0 < 10.0.0`)
            Warning metadata-open-range `{"name": "c-b"}`: no upper limit for the version of `c-b` (help: exclude the next major version, such as `>= 9.0.0 < 10.0.0`)
            Warning metadata-open-range `{"name": "a/apache"}`: no upper limit for the version of `a/apache` (help: exclude the next major version, such as `>= 9.0.0 < 10.0.0`)
        "#]],
    );
    metadata(
        &with(r#""dependencies": [{"name": "puppetlabs-stdlib", "version_requirement": ">= 9.0.0"}]"#),
        expect![[r#"
            Hint metadata-other-version `">= 9.0.0"`: installed version 8.5.0 of `stdlib` is not in this range
            Warning metadata-missing-key `{`: missing key `summary` (help: add `"summary": "..."`)
            Warning metadata-open-range `">= 9.0.0"`: no upper limit for the version of `puppetlabs-stdlib` (help: exclude the next major version, such as `>= 9.0.0 < 10.0.0`)
        "#]],
    );
    metadata(
        &with(r#""dependencies": [{"name": "a-b", "version_requirement": "junk", "version_range": "1"}]"#),
        expect![[r#"
            Warning metadata-version `"junk"`: invalid version range `junk` (help: use a form such as `>= 1.2.0 < 2.0.0`, `1.x` or `1.2.3`)
            Warning metadata-missing-key `{`: missing key `summary` (help: add `"summary": "..."`)
            Warning metadata-obsolete `"version_range"`: `version_range` is obsolete; nothing reads it (help: write `version_requirement`)
        "#]],
    );
    metadata(
        &with(r#""dependencies": {}, "summary": 5, "operatingsystem_support": ["Debian"]"#),
        expect![[r#"
            Error metadata-value `{}`: `dependencies` must be an array
            Warning metadata-value `5`: `summary` must be a string
            Warning metadata-value `"Debian"`: each element of `operatingsystem_support` must be an object
        "#]],
    );
    metadata(
        &with(r#""dependencies": [5], "sumary": "x", "nothing_like_it": 1"#),
        expect![[r#"
            Hint metadata-unknown-key `"sumary"`: unknown key `sumary` (help: did you mean `summary`?)
            Hint metadata-unknown-key `"nothing_like_it"`: unknown key `nothing_like_it`
            Error metadata-value `5`: each element of `dependencies` must be an object
            Warning metadata-missing-key `{`: missing key `summary` (help: add `"summary": "..."`)
        "#]],
    );
    metadata(
        r#"{"name": "apache", "version": "1.2", "author": "a", "license": "MIT", "source": "", "dependencies": []}"#,
        expect![[r#"
            Warning metadata-name `"apache"`: invalid module name `apache`; expected `AUTHOR-MODULE`
            Warning metadata-version `"1.2"`: `1.2` is not a semantic version (help: use a version such as `1.2.3`)
            Warning metadata-missing-key `{`: missing key `summary` (help: add `"summary": "..."`)
        "#]],
    );
}

#[test]
fn quality() {
    let base = r#""name": "a-apache", "version": "1.2.3", "author": "a", "source": """#;
    metadata(
        &format!(
            r#"{{{base}, "license": "Apache License, Version 2.0", "summary": "{}", "types": [], "dependencies": [
                {{"name": "puppetlabs-stdlib", "version_requirement": ">= 1.0.0"}}, {{"name": "x-z"}},
                {{"name": "x-y", "version_requirement": "1.x"}}]}}"#,
            "x".repeat(145)
        ),
        expect![[r#"
            Warning metadata-license `"Apache License, Version 2.0"`: `Apache License, Version 2.0` is not an SPDX license identifier (help: did you mean `Apache-2.0`?)
            Warning metadata-value `"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"`: `summary` has 145 characters; the Forge accepts 144
            Warning metadata-obsolete `"types"`: `types` is obsolete; nothing reads it
            Warning metadata-open-range `">= 1.0.0"`: no upper limit for the version of `puppetlabs-stdlib` (help: exclude the next major version, such as `>= 9.0.0 < 10.0.0`)
            Warning metadata-open-range `{"name": "x-z"}`: no upper limit for the version of `x-z` (help: exclude the next major version, such as `>= 9.0.0 < 10.0.0`)
        "#]],
    );
    metadata(
        &format!(
            r#"{{{base}, "license": "Foo", "dependencies": [], "requirements": [
                {{"name": "pe", "version_requirement": ">= 3.0.0"}}, {{"name": "puppet"}}, {{"name": "Puppet"}}],
                "operatingsystem_support": [{{"operatingsystem": "Redhat", "operatingsystemrelease": ["7", 8]}}]}}"#
        ),
        expect![[r#"
            Warning metadata-license `"Foo"`: `Foo` is not an SPDX license identifier (help: use an identifier such as `Apache-2.0`, or `proprietary`)
            Warning metadata-missing-key `{`: missing key `summary` (help: add `"summary": "..."`)
            Warning metadata-obsolete `"pe"`: the requirement `pe` is obsolete; the Forge ignores it (help: remove it, and require a version of `puppet`)
            Warning metadata-duplicate `"Puppet"`: duplicate requirement `puppet`
            Warning metadata-value `"Redhat"`: unknown operating system `Redhat` (help: did you mean `RedHat`?)
            Warning metadata-value `8`: a release must be a string (help: put it in quotes)
        "#]],
    );
    metadata(
        &format!(
            r#"{{{base}, "license": "AGPL-3.0", "summary": "x", "dependencies": [],
                "operatingsystem_support": [{{"operatingsystem": "Haiku", "operatingsystemrelease": []}}]}}"#
        ),
        expect![""],
    );
}
