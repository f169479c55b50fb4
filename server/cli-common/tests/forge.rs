//! Snapshots of the Forge.

use std::path::Path;

use cli_common::forge::ForgeSnapshot;

const SNAPSHOT: &str = r#"{ "format": "puppet-analyzer-forge", "version": 1, "modules": {
  "puppetlabs-stdlib": ["9.4.1", "9.6.0", "10.0.0-rc1", "8.6.0"], "me/empty": [] } }"#;

/// Returns the findings in a file, each with its text, and the unknown modules.
fn findings(path: &str, text: &str) -> Vec<String> {
    let snapshot = ForgeSnapshot::parse(SNAPSHOT).expect("a snapshot");
    let found = snapshot.check(Path::new(path), text);
    let shown = found.diagnostics.iter().map(|it| {
        format!("{} `{}`: {}", it.code, &text[it.range.as_range()], codes::single_line(&it.message))
    });
    shown.chain(found.unknown.iter().map(|it| format!("unknown {it}"))).collect()
}

#[test]
fn versions_that_do_not_exist() {
    let puppetfile = "mod 'puppetlabs/stdlib', '9.5.0'\nmod 'puppetlabs-stdlib', '9.6.0'\nmod 'Me/Empty', '1.0.0'\n\
                      mod 'x/other', '1.0.0'\nmod 'puppetlabs/stdlib', :latest\nmod 'puppetlabs/stdlib'\nmod 'stdlib', '1.0.0'\n\
                      mod 'puppetlabs/stdlib', git: 'https://x/y.git', tag: 'v1.0.0'\nmod 'puppetlabs/stdlib', '10.0.0-rc1'\n";
    assert_eq!(
        findings("x/Puppetfile", puppetfile),
        [
            "puppetfile-version `'9.5.0'`: module `puppetlabs-stdlib` has no release `9.5.0` (help: the newest release is `9.6.0`)",
            "puppetfile-version `'1.0.0'`: module `me-empty` has no release `1.0.0`",
            "unknown x-other",
        ]
    );
    let metadata = r#"{ "dependencies": [
        { "name": "puppetlabs/stdlib", "version_requirement": ">= 9.0.0 < 10.0.0" },
        { "name": "puppetlabs/stdlib", "version_requirement": ">= 11.0.0" },
        { "name": "puppetlabs/stdlib", "version_requirement": "9.5.0" },
        { "name": "puppetlabs/stdlib", "version_requirement": "no range" },
        { "name": "puppetlabs/stdlib" }, { "name": "x/other", "version_requirement": "1.x" }, 1 ] }"#;
    assert_eq!(
        findings("metadata.json", metadata),
        [
            "metadata-version `\">= 11.0.0\"`: no release of module `puppetlabs-stdlib` satisfies `>= 11.0.0` (help: the newest release is `9.6.0`)",
            "metadata-version `\"9.5.0\"`: module `puppetlabs-stdlib` has no release `9.5.0` (help: the newest release is `9.6.0`)",
            "unknown x-other",
        ]
    );
    assert!(findings("other.json", metadata).is_empty() && findings("metadata.json", "{").is_empty());
}

#[test]
fn malformed_snapshots() {
    for (text, message) in [
        ("[]", "invalid length 0"),
        ("{\"format\": \"x\", \"version\": 1, \"modules\": {}}", "its format is `x`"),
        (&SNAPSHOT.replace("1, \"modules\"", "2, \"modules\""), "its version is 2"),
        (&SNAPSHOT.replace("me/empty", "empty"), "`empty` is not a name"),
        (&SNAPSHOT.replace("me/empty", "puppetlabs/stdlib"), "occurs more than once"),
        (&SNAPSHOT.replace("9.4.1", "9"), "`9` is not a version"),
    ] {
        let error = ForgeSnapshot::parse(text).expect_err("malformed");
        assert!(format!("{error:#}").contains(message), "{text}: {error:#}");
    }
}
