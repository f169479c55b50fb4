//! What the fuzz targets share: texts made of bytes, and what must hold for any text.

use syntax::{Language, SyntaxElement, TextFinding};
use validation::{ValidationSettings, validate};

/// Pieces of Puppet code: with them, a fuzzer finds its way into the grammar sooner than with single bytes.
const PIECES: &[&str] = &[
    " ", "\n", "\r\n", "# c\n", "/*", "*/", "foo", "foo::bar", "::foo", "Foo", "Foo::Bar", "foo-bar", "$x", "$a::b", "$",
    "1", "0x1f", "017", "1.5e3", "'t'", "'", "\"t\"", "\"", "\"a ${x} b\"", "\"${", "}", "\\", "/re/", "/", "true",
    "undef", "default", "@(E)", "@(\"E\":json/L)", "| E\n", "|- E\n", "E\n", "[", "]", "{", "(", ")", "=", "+=", "==",
    "=~", "!~", ">=", ">", "<", "=>", "+>", "<<", ">>", "<|", "|>", "<<|", "|>>", "+", "-", "*", "%", "!", ".", "@",
    "@@", ":", ",", ";", "?", "~", "->", "~>", "<-", "<~", "|", "${", "case ", "class ", "define ", "if ", "elsif ",
    "else ", " inherits ", "node ", " and ", " or ", " in ", "unless ", "function ", "type ", "attr", "private", "plan ",
    "apply", "import ", "include ", "Object", "TypeSet", "<%", "<%-", "<%=", "<%#", "<%%", "%>", "-%>", "file { 'x':",
    "ensure => file,", "$x = ", "é", "\u{feff}", "\u{a0}", "😀",
];

/// A text with a piece for each byte; bytes behind the table stand for themselves.
pub fn text_of_pieces(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in bytes {
        match PIECES.get(*byte as usize) {
            Some(piece) => text.push_str(piece),
            None => text.push((b' ' + (byte % 95)) as char),
        }
    }
    text
}

/// The tree is the text, findings lie inside it, nothing panics.
pub fn check(text: &str, language: Language) {
    let parse = syntax::parse(text, language);
    let root = parse.syntax();
    let mut end = 0;
    for element in root.descendants_with_tokens() {
        if let SyntaxElement::Token(token) = element {
            let range = token.text_range();
            assert_eq!(range.start, end, "a gap before {token:?}");
            assert_eq!(token.text(), &text[range.as_range()]);
            end = range.end;
        }
    }
    assert_eq!(end as usize, text.len(), "the tree ends before the text");
    check_places(text, parse.errors());
    check_places(text, &validate(&parse, &ValidationSettings::default()));
}

fn check_places(text: &str, findings: &[TextFinding]) {
    for finding in findings {
        for range in finding.related.iter().map(|it| it.0).chain([finding.range]) {
            assert!(text.get(range.as_range()).is_some(), "{finding:?} is not in the text");
        }
    }
}
