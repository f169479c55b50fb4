//! Results of the layouts at positions where Puppet depends on layout.

use layouts::{Layout, Source};
use syntax::Language;

/// Layout, source, and expected result: empty if the source has errors.
const MANIFESTS: &[(Layout, &str, &str)] = &[
    (Layout::Minimal, "$a  =  1 # x\n$b = 2", "$a=1$b=2"),
    (Layout::Minimal, "class a::b { include c }", "class a::b{include c}"),
    (Layout::Minimal, "$a - $b\n$c -b - c", "$a-$b$c-b -c"),
    (Layout::Minimal, "a ::b", "a ::b"),
    (Layout::Minimal, "a { b : c => ::d }", "a{b:c=>::d}"),
    (Layout::Minimal, "$a ? { b => 1 }", "$a?{b=>1}"),
    (Layout::Minimal, "case $a { ::b: { } }", "case$a{::b:{}}"),
    (Layout::Minimal, "$x ? { a => ::b }", "$x?{a=>::b}"),
    (Layout::Minimal, "$a < - 1", "$a< -1"),
    (Layout::Minimal, "1 / *$a", "1/ *$a"),
    (Layout::Minimal, "@ @a { b: }", "@ @a{b:}"),
    (Layout::Minimal, "$a.f |$b| >> C { }", "$a.f|$b| >>C{}"),
    (Layout::Minimal, "A <| |> > 1", "A<||> >1"),
    (Layout::Minimal, "node 1 . 2 { }", "node 1 . 2{}"),
    (Layout::Minimal, "$a = \"${b}\" $c = \"d\" $e = ''", "$a=\"${b}\" $c=\"d\"$e=''"),
    (Layout::Minimal, "f($a) [0]", "f($a) [0]"),
    (Layout::Minimal, "f($a)[0]", "f($a)[0]"),
    (Layout::Minimal, "$a = [0]", "$a=[0]"),
    (Layout::Minimal, "$a = f\n(1)", "$a=f\n(1)"),
    (Layout::Minimal, "f(@(A), 1)\n  a\n  | A\n", "f(@(A),1)\n  a\n  | A\n"),
    (Layout::Minimal, "f(@(A), 'b\nc')", ""),
    (Layout::Minimal, "f(@(A)\na\nA\n, 'b\nc')", "f(@(A),\na\nA\n'b\nc')"),
    (Layout::TokenPerLine, "f(1)", "\nf(\n1\n)\n"),
    (Layout::TokenPerLine, "f(@(A), @(B))\na\nA\nb\nB", "\nf(\n@(A)\na\nA\n,\n@(B)\nb\nB\n)\n"),
    (Layout::LoneCr, "f(1) # x\n$a [0]", "f(1)\r\r$a\r[0]"),
    (
        Layout::ReversedIndentation,
        "class a {\n  b { c:\n    d => 1,\n  }\n}",
        "class a {\n                      b { c:\n                    d => 1,\n                      }\n                        }",
    ),
    (Layout::ClosersAtColumn0, "a { 'b': c => [1] }", "a { 'b': c => [1\n] \n}"),
];

const TEMPLATES: &[(Layout, &str, &str)] = &[
    (Layout::Minimal, "a <% -1 -%>\n b", "a <% -1-%>\n b"),
    (Layout::Minimal, "<%= $a %> b <%- | $c | %>", ""),
    (Layout::Minimal, "<%- | $c | -%>\n<%= $c %> ", "<%-|$c|-%>\n<%=$c%> "),
    (Layout::Minimal, "<% %>", "<% %>"),
];

fn check(language: Language, layout: Layout, text: &str, expected: &str) -> Option<String> {
    let laid = Source::read(text, language).map(|it| it.lay(layout, 1)).unwrap_or_default();
    (laid != expected).then(|| format!("{} of {text:?}: {laid:?}, and not {expected:?}", layout.name()))
}

#[test]
fn layouts_preserve_significant_whitespace() {
    let manifests = MANIFESTS
        .iter()
        .filter_map(|(layout, text, expected)| check(Language::Manifest, *layout, text, expected));
    let templates =
        TEMPLATES.iter().filter_map(|(layout, text, expected)| check(Language::Epp, *layout, text, expected));
    let wrong: Vec<String> = manifests.chain(templates).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
