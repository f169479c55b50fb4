use super::*;

#[test]
fn modules_are_read() {
    let text = "forge 'https://forge.puppet.com' # x\n\nmod 'puppetlabs/stdlib', '9.0.0'\nmod \"puppet-nginx\", :latest\n\
                    mod('a-b')\nmod 'ntp',\n  :git => 'https://x.org/a,b#c.git',\n  # a comment\n  tag: 'v1'\nmodd 'x-y'\nmod\n";
    let found = lines::read(text);
    let shown: Vec<String> = found
        .modules
        .iter()
        .map(|it| {
            let version = it.version.as_ref().map_or("-", |it| &it.text);
            assert!(text[it.name_range.as_range()].contains(it.name.as_str()));
            let options: Vec<_> = it.options.iter().map(|it| (&it.name, &it.value.written)).collect();
            format!("{} {version} {options:?}", it.name)
        })
        .collect();
    assert_eq!(
        shown,
        [
            "puppetlabs/stdlib 9.0.0 []",
            "puppet-nginx latest []",
            "a-b - []",
            "ntp - [(\"git\", \"'https://x.org/a,b#c.git'\"), (\"tag\", \"'v1'\")]",
        ]
    );
    let words: Vec<&str> = found.words.iter().map(|it| it.text.as_str()).collect();
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
                found.is_some_and(|it| it.starts_with(['\'', '"']) && it.contains(&*module.name)),
                "{text}"
            );
        }
    }
}

/// Describes a program: its modules, other calls, and the syntax error.
fn describe(text: &str) -> String {
    let found = read(text);
    let mut lines = Vec::new();
    for it in &found.modules {
        assert_eq!(text[it.name_range.as_range()].trim_matches(['\'', '"']), it.name);
        let condition = if it.is_unconditional { "" } else { " (conditional)" };
        let version = it.version.iter().map(|it| format!(" {:?} {}", it.kind, it.text));
        let options = it.options.iter().map(|it| {
            let key = if it.is_symbol { it.name.to_string() } else { format!("{:?}", it.name) };
            assert!(text[it.name_range.as_range()].contains(it.name.as_str()));
            assert_eq!(text[it.value.range.as_range()], *it.value.written);
            format!(" {key}={:?} {}", it.value.kind, it.value.text)
        });
        let more = if it.has_unknown_options { " ..." } else { "" };
        let excess = if it.excess_argument.is_some() { " excess" } else { "" };
        let parts: String = version.chain(options).collect();
        lines.push(format!("{}{parts}{more}{excess}{condition}", it.name));
    }
    lines.extend(found.words.iter().map(|it| {
        assert_eq!(text[it.range.as_range()], *it.text);
        let condition = if it.is_unconditional { "" } else { " (conditional)" };
        format!("call {}{condition}", it.text)
    }));
    lines.extend(found.runs_other_code.then(|| "other code".to_owned()));
    lines.extend(found.syntax_error.map(|(message, _)| format!("error {message}")));
    lines.join("\n")
}

#[test]
fn programs_are_read() {
    let cases = [
        ("mod 'a-b', '1.0.0'", "a-b String 1.0.0"),
        ("mod 'a-b', :latest # x", "a-b Symbol latest"),
        ("mod 'a-b', 1.2", "a-b Number 1.2"),
        ("mod 'b', git: 'u', tag: v", "b git=String u tag=Computed v\ncall v"),
        ("mod 'b', { 'git' => 'u', :local => true }", "b \"git\"=String u local=Boolean true"),
        ("mod('b', **defaults, ref: :x)", "b ref=Symbol x ...\ncall defaults"),
        ("mod 'b', '1.0.0', git: 'u'", "b String 1.0.0 git=String u excess"),
        ("mod 'b' if true", "b (conditional)"),
        ("%w[a b].each { |it| mod it }\nmod 'c'", "c"),
        ("['x'].each do |it|\n  mod 'c', git: it\nend", "c git=Computed it (conditional)"),
        ("def at(x) = nope\nmod 'b', ref: at(1)", "b ref=Computed at(1)"),
        ("require_relative 'x'\nforge 'u'", "call require_relative\ncall forge\nother code"),
        ("raise 'no'", "call raise"),
        ("x = 1\nmod 'b', x", "b Computed x"),
        ("mod\nmod()\nmod 1\nmod \"a#{1}\"", ""),
    ];
    for (text, expected) in cases {
        assert_eq!(describe(text), expected, "{text}");
    }
    assert_eq!(describe("mod 'a-b', '1.0.0'\n}\n"), "a-b String 1.0.0\nerror unexpected '}', ignoring it");
}

#[test]
fn syntax_errors_begin_at_the_comma() {
    for (text, expected) in [
        ("mod 'a-b', '1.2.3',\nmod 'c-d', '1.2.3'\n", "0 `,` unexpected `,` after the last argument"),
        (
            "mod 'x-y'\nmod 'a'\n  :git => 'https://x',\n  :ref => 'main'\nmod 'b-c', '1.0.0'\n",
            "10 `'` missing `,` before the next option",
        ),
        (
            "mod 'a', # x\n  git: 'https://x' # y\n\n  ref: 'main'\n",
            "0 `'` missing `,` before the next option",
        ),
        ("mod 'a'\nmod 'i', git: 'x' ref: 'v1'\n", "8 `ref` "),
        ("mod 'a', ö\n  ref: 'main',\n  :x => => 'y'\n", "0 `ö` missing `,` before the next option"),
    ] {
        let found = read(text);
        let (message, range) = found.syntax_error.expect("an error");
        let message = if message.contains("`,`") { message } else { String::new() };
        let start = found.broken_from.expect("a start");
        assert_eq!(format!("{start} `{}` {message}", &text[range.as_range()]), expected, "{text}");
    }
}
