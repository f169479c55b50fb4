use super::*;

#[test]
fn modules_are_read() {
    let text = "forge 'https://forge.puppet.com' # x\n\nmod 'puppetlabs/stdlib', '9.0.0'\nmod \"puppet-nginx\", :latest\n\
                    mod('a-b')\nmod 'ntp',\n  :git => 'https://x.org/a,b#c.git',\n  # a comment\n  tag: 'v1'\nmodd 'x-y'\nmod\n";
    let found = read(text);
    let shown: Vec<String> = found
        .modules
        .iter()
        .map(|it| {
            let version = it.version.as_ref().map_or("-", |it| &it.text);
            assert!(text[it.name.range.as_range()].contains(it.name.text.as_str()));
            format!("{} {} {version} {:?}", it.name.text, it.module(), it.options)
        })
        .collect();
    assert_eq!(
        shown,
        [
            "puppetlabs/stdlib stdlib 9.0.0 []",
            "puppet-nginx nginx latest []",
            "a-b b - []",
            "ntp ntp - [(\"git\", \"'https://x.org/a,b#c.git'\"), (\"tag\", \"'v1'\")]",
        ]
    );
    let words: Vec<&str> = found.other_words.iter().map(|it| it.text.as_str()).collect();
    assert_eq!(words, ["forge", "modd"]);
}

#[test]
fn malformed_files_do_not_panic() {
    for text in
        ["mod '", "mod ''", "mod 'a',,,", "mod \"ä\" , 'ö", "'", "mod \u{2028}'x'", "  =>", "mod('a-b', 'c"]
    {
        for module in read(text).modules {
            let found = text.get(module.range.as_range());
            assert!(
                found.is_some_and(|it| it.starts_with(['\'', '"']) && it.contains(&*module.name.text)),
                "{text}"
            );
        }
    }
}
