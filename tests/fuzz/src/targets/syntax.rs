//! Puppet code and EPP templates: the lexer, the grammar and its recovery, the static rules.

use syntax::{Language, SyntaxElement, TextFinding};
use validation::{ValidationSettings, validate};

use crate::text_of_pieces;

/// Checks arbitrary bytes as a source in each language, which exercises the lexer with odd
/// characters, quotes, and heredocs.
pub(crate) fn any_text(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for language in [Language::Manifest, Language::Plan, Language::Epp] {
        check(&text, language);
    }
}

/// Checks pieces of code in any order, as manifests and plans.
pub(crate) fn pieces(bytes: &[u8]) {
    let text = text_of_pieces(bytes);
    check(&text, Language::Manifest);
    check(&text, Language::Plan);
}

/// Checks templates: raw bytes, and pieces of code between tags.
pub(crate) fn templates(bytes: &[u8]) {
    check(&String::from_utf8_lossy(bytes), Language::Epp);
    check(&text_of_pieces(bytes), Language::Epp);
}

/// Asserts that the tree reproduces the source and that findings are inside it.
fn check(text: &str, language: Language) {
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
    assert_eq!(end as usize, text.len(), "the tree ends before the source");
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
