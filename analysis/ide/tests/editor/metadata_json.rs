//! `metadata.json` and `Puppetfile`: hover and completion.

use expect_test::{Expect, expect};

use crate::at_cursor;

const OTHERS: &str = r#"
//- /modules/stdlib/metadata.json
{"name": "puppetlabs-stdlib", "version": "8.5.0", "summary": "The standard library"}
//- /modules/stdlib/manifests/init.pp
class stdlib {}
//- /modules/apache/manifests/init.pp
class apache {}
//- /modules/apache/metadata.json
"#;

fn fixture(text: &str) -> String {
    let header = "//- environment: roots=/ module_path=/modules";
    if text.contains("//-") { format!("{header}\n{text}") } else { format!("{header}{OTHERS}{text}") }
}

#[track_caller]
fn hover(text: &str, expected: Expect) {
    let shown = at_cursor(&fixture(text), |analysis, file, offset, text| {
        match analysis.hover(file, offset).expect("nothing is cancelled") {
            Some(hover) => format!("[{}]\n{}\n", &text[hover.range.as_range()], hover.markdown),
            None => "nothing\n".to_owned(),
        }
    });
    expected.assert_eq(&shown);
}

#[track_caller]
fn complete(text: &str, expected: Expect) {
    let shown = at_cursor(&fixture(text), |analysis, file, offset, text| {
        let Some(found) = analysis.completions(file, offset).expect("nothing is cancelled") else {
            return "nothing\n".to_owned();
        };
        let mut shown = format!("[{}]", &text[found.range.as_range()]);
        for item in found.items.iter().take(8) {
            let inserted = item.snippet.as_ref().unwrap_or(&item.text).replace('\n', "⏎");
            let owner = item.owner.as_deref();
            let details = analysis.completion_details(file, item.kind, &item.label, owner);
            let has_words =
                details.expect("nothing is cancelled").is_some_and(|it| it.documentation.is_some());
            shown.push_str(&format!("\n{inserted}{}", if has_words { " (documented)" } else { "" }));
        }
        format!("{shown}\nof {}\n", found.items.len())
    });
    expected.assert_eq(&shown);
}

#[test]
fn keys_have_documentation() {
    hover(
        r#"{ "odd": 1, "dep$0endencies": [] }"#,
        expect![[r#"
        ["dependencies"]
        `dependencies`

        Required modules, with compatible versions. Must be present, but may be empty.
    "#]],
    );
    hover(
        r#"{ "operatingsystem_support": [{"$0operatingsystem": "Debian"}] }"#,
        expect![[r#"
        ["operatingsystem"]
        `operatingsystem`

        Name as in the fact `os.name`: `Debian`, `RedHat`, `windows`.
    "#]],
    );
    hover(
        r#"{ "od$0d": [], "version": 1 }"#,
        expect![[r#"
        nothing
    "#]],
    );
}

#[test]
fn dependencies_show_installed_versions() {
    hover(
        r#"{ "dependencies": [{"name": "puppetlabs/std$0lib", "version_requirement": ">= 9.0.0 < 10.0.0"}] }"#,
        expect![[r#"
            ["puppetlabs/stdlib"]
            `puppetlabs/stdlib`

            The standard library

            Version 8.5.0 is installed, **outside the required range**. In `/modules/stdlib`.
        "#]],
    );
    hover(
        r#"{ "dependencies": [{"name": "puppetlabs/stdlib", "version_requirement": ">= 4$0.0.0 < 9.0.0"}] }"#,
        expect![[r#"
            [">= 4.0.0 < 9.0.0"]
            `>=4.0.0 <9.0.0`

            Version 8.5.0 is installed, within the required range.
        "#]],
    );
    hover(
        r#"{ "dependencies": [{"name": "puppetlabs/con$0cat"}] }"#,
        expect![[r#"
        ["puppetlabs/concat"]
        `puppetlabs/concat`

        Module `concat` not found.
    "#]],
    );
    hover(
        r#"{ "requirements": [{"name": "puppet", "version_requirement": "7.$0x"}] }"#,
        expect![[r#"
        ["7.x"]
        `>=7.0.0 <8.0.0`
    "#]],
    );
}

#[test]
fn missing_keys_are_completed() {
    complete(
        r#"{ "name": "a-b", "de$0" }"#,
        expect![[r#"
        [de]
        dependencies (documented)
        pdk-version (documented)
        of 2
    "#]],
    );
    complete(
        "{ \"name\": \"a-b\",\n  $0\n}",
        expect![[r#"
        []
        "version": "$0" (documented)
        "author": "$0" (documented)
        "license": "$0" (documented)
        "summary": "$0" (documented)
        "source": "$0" (documented)
        "project_page": "$0" (documented)
        "issues_url": "$0" (documented)
        "dependencies": [⏎  {$0}⏎] (documented)
        of 16
    "#]],
    );
    complete(
        r#"{ "dependencies": [{"name": "x-y", "$0"}] }"#,
        expect![[r#"
        []
        version_requirement (documented)
        repository (documented)
        of 2
    "#]],
    );
    complete(
        r#"{ "dependencies": [{"x": { "$0"}}] }"#,
        expect![[r#"
        []
        of 0
    "#]],
    );
}

#[test]
fn values() {
    complete(
        r#"{ "license": "Ap$0" }"#,
        expect![[r#"
        [Ap]
        Apache-2.0
        AGPL-3.0-only
        of 2
    "#]],
    );
    complete(
        r#"{ "license": $0 }"#,
        expect![[r#"
        []
        "AGPL-3.0-only"
        "Apache-2.0"
        "BSD-2-Clause"
        "BSD-3-Clause"
        "EUPL-1.2"
        "GPL-2.0-only"
        "GPL-2.0-or-later"
        "GPL-3.0-only"
        of 13
    "#]],
    );
    complete(
        r#"{ "dependencies": [{"name": "$0"}] }"#,
        expect![[r#"
        []
        puppetlabs/stdlib (documented)
        of 1
    "#]],
    );
    complete(
        r#"{ "dependencies": [{"name": "puppetlabs/stdlib", "version_requirement": "$0"}] }"#,
        expect![[r#"
        []
        >= 8.5.0 < 9.0.0
        of 1
    "#]],
    );
    complete(
        r#"{ "requirements": [{"name": "$0"}] }"#,
        expect![[r#"
        []
        puppet
        openvox
        of 2
    "#]],
    );
    complete(
        r#"{ "operatingsystem_support": [{"operatingsystem": "De$0"}] }"#,
        expect![[r#"
        [De]
        Debian
        Devuan
        of 2
    "#]],
    );
    complete(
        r#"{ "operatingsystem_support": [{"operatingsystem": "Rocky", "operatingsystemrelease": ["8", "$0"]}] }"#,
        expect![[r#"
            []
            9
            10
            of 2
        "#]],
    );
    complete(
        r#"{ "summary": "$0" }"#,
        expect![[r#"
        []
        of 0
    "#]],
    );
}

#[test]
fn puppetfiles() {
    let puppetfile = |text: &str| {
        let others = OTHERS.trim_end_matches("//- /modules/apache/metadata.json\n").trim_start();
        format!("{others}//- /Puppetfile\n{text}")
    };
    hover(
        &puppetfile("mod 'puppetlabs/std$0lib', '8.5.0'\n"),
        expect![[r#"
        ['puppetlabs/stdlib']
        `puppetlabs/stdlib`

        The standard library

        Version 8.5.0 is installed, within the required range. In `/modules/stdlib`.
    "#]],
    );
    hover(
        &puppetfile("mod 'puppetlabs/stdlib', '9.$00.0'\n"),
        expect![[r#"
        nothing
    "#]],
    );
    hover(
        &puppetfile("mod 'puppetlabs$0/ntp'\n"),
        expect![[r#"
        ['puppetlabs/ntp']
        `puppetlabs/ntp`

        Module `ntp` not found.
    "#]],
    );
}
