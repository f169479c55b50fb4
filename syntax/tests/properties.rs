//! Invariants for arbitrary texts: the tree equals the text, errors are within it, and nothing panics.

use proptest::prelude::*;
use syntax::{ColumnUnit, FlatElement, FlatTree, Language, LineColumn, LineMap, NodePointer};
use syntax::{Severity, SyntaxElement, SyntaxKind, SyntaxNode, TextFinding, TextRange};
use validation::{ExpectedNamespace, Strict, ValidationSettings, validate};

const LANGUAGES: [Language; 3] = [Language::Manifest, Language::Epp, Language::Plan];

/// Pieces of the generated texts: every kind of token, and pieces that change how the lexer reads the
/// following text.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    // whitespace and comments
    " ", " ", " ", "\n", "\n", "\r\n", "\r", "\t", "\u{a0}", "\u{feff}", "# comment\n", "/* comment */", "/*", "#",
    // names and literals
    "foo", "foo::bar", "::foo", "Foo", "Foo::Bar", "::Foo", "foo-bar", "_x", "a__b", "é", "日本", "$x", "$a::b", "$",
    "$1", "$_", "10", "0x1f", "017", "09", "0x", "1.5", "1e400", "1.", "'text'", "'it\\'s'", "'", "\"text\"", "\"",
    "\"a ${x} b\"", "\"${", "\"$x\"", "\\", "\\u{1F600}", "\\u", "/re+/", "/", "true", "false", "undef", "default",
    // heredocs
    "@(END)", "@(\"END\"/tn)", "@(END:json)", "@(", "  text\n", "| END\n", "|- END\n", "END\n", "- END\n", "-END", "|",
    // punctuation
    "[", "]", "{", "}", "(", ")", "=", "+=", "-=", "==", "!=", "=~", "!~", ">=", ">", "<=", "<", "=>", "+>", "<<",
    ">>", "<|", "|>", "<<|", "|>>", "+", "-", "*", "%", "!", ".", "@", "@@", ":", ",", ";", "?", "~", "->", "~>",
    "<-", "<~", "?{", "${",
    // keywords, and functions that are called without parentheses
    "case", "class", "define", "if", "elsif", "else", "inherits", "node", "and", "or", "in", "unless", "function",
    "type", "attr", "private", "plan", "apply", "import", "include", "notice", "fail", "return", "Object", "TypeSet",
    // templates
    "<%", "<%-", "<%=", "<%#", "<%%", "%>", "-%>", "%%>",
    // incomplete real code
    "class a (", "file { 'x':", "ensure => file,", "$x = ", "if $x {", "case $x {", "default: {", "$a.each |$b| {",
    "include ", "File['x']", "node 'a.b' {", "function f(Integer $x) >> String {", "type A = ",
    "User <| title == 'x' |>",
];

fn soup() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..60).prop_map(|pieces| pieces.concat())
}

/// Kind, range, depth, and number of children of an element.
type ElementShape = (SyntaxKind, TextRange, usize, usize);

/// Returns the shapes of all elements except whitespace.
fn elements(root: &SyntaxNode) -> Vec<ElementShape> {
    let is_seen = |it: &SyntaxElement| it.kind() != SyntaxKind::WHITESPACE;
    let shape = |it: SyntaxElement| {
        let depth = std::iter::successors(it.parent(), SyntaxNode::parent).count();
        let children = it.as_node().map_or(0, |it| it.children_with_tokens().filter(is_seen).count());
        (it.kind(), it.text_range(), depth, children)
    };
    root.descendants_with_tokens().filter(is_seen).map(shape).collect()
}

fn copied_elements(tree: &FlatTree) -> Vec<ElementShape> {
    let shape = |it: FlatElement<'_>| {
        let children = it.as_node().map_or(0, |it| it.children_with_tokens().count());
        (it.kind(), it.text_range(), it.depth(), children)
    };
    tree.elements().map(shape).collect()
}

/// Checks the invariants for `text`.
fn check(text: &str) -> Result<(), TestCaseError> {
    for language in LANGUAGES {
        let parse = syntax::parse(text, language);
        let root = parse.syntax();
        prop_assert_eq!(root.text(), text, "the tree is not the text, as {:?}", language);
        prop_assert_eq!(root.text_range(), TextRange::new(0, text.len() as u32));

        // Tokens are adjacent, and nodes are found by their pointers.
        let mut end = 0;
        let mut last = None;
        for element in root.descendants_with_tokens() {
            match element {
                SyntaxElement::Token(token) => {
                    let range = token.text_range();
                    let touching: Vec<_> = last.into_iter().chain([token.clone()]).collect();
                    prop_assert_eq!(root.tokens_at(range.start).collect::<Vec<_>>(), touching);
                    let inside = root.tokens_at(range.end - 1).last();
                    prop_assert_eq!(inside.as_ref(), Some(&token));
                    last = Some(token.clone());
                    prop_assert_eq!(range.start, end);
                    prop_assert_eq!(token.text(), &text[range.as_range()]);
                    prop_assert!(!range.is_empty(), "empty token {:?}", token);
                    end = range.end;
                }
                SyntaxElement::Node(node) => {
                    let found = NodePointer::new(&node).to_node(&root);
                    prop_assert_eq!(found.map(|it| it.kind()), Some(node.kind()));
                }
            }
        }
        prop_assert_eq!(end, text.len() as u32);
        prop_assert_eq!(copied_elements(&parse.flat_tree()), elements(&root));
        let parsed = FlatTree::parse(text, language).map(|it| copied_elements(&it));
        let is_valid = parse.errors().iter().all(|it| it.severity() != Severity::Error);
        prop_assert_eq!(parsed, is_valid.then(|| elements(&root)));

        check_ranges(text, parse.errors())?;
        prop_assert!(parse.errors().is_sorted_by_key(|it| it.range.start), "errors out of order");
        prop_assert!(syntax::parse(text, language) == parse, "two parses differ");

        for strict in [Strict::Off, Strict::Error] {
            for location in [
                ExpectedNamespace::Free,
                ExpectedNamespace::Misplaced,
                ExpectedNamespace::Module { namespace: "foo::bar".into() },
            ] {
                let settings = ValidationSettings { strict, location, ..Default::default() };
                check_ranges(text, &validate(&parse, &settings))?;
            }
        }
    }
    Ok(())
}

fn check_ranges(text: &str, diagnostics: &[TextFinding]) -> Result<(), TestCaseError> {
    for diagnostic in diagnostics {
        let related = diagnostic.related.iter().map(|(range, _)| *range);
        for range in related.chain([diagnostic.range]) {
            prop_assert!(range.end as usize <= text.len(), "{:?} outside of the text", diagnostic);
            prop_assert!(text.is_char_boundary(range.start as usize), "{:?} inside a character", diagnostic);
            prop_assert!(text.is_char_boundary(range.end as usize), "{:?} inside a character", diagnostic);
        }
        prop_assert!(!diagnostic.message.is_empty());
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn arbitrary_token_sequences_are_parsed(text in soup()) {
        check(&text)?;
    }

    #[test]
    fn arbitrary_sources_are_parsed(text in any::<String>()) {
        check(&text)?;
    }

    #[test]
    fn arbitrary_special_characters_are_parsed(text in "[\\$\\{\\}\"'@()|/<%=>\\\\ \n\r-#a-cA:,.0-9é]{0,80}") {
        check(&text)?;
    }

    #[test]
    fn columns_lead_back_to_their_offset(text in any::<String>()) {
        let lines = LineMap::new(&text);
        for unit in [ColumnUnit::Utf8, ColumnUnit::Utf16, ColumnUnit::Utf32] {
            for (offset, _) in text.char_indices() {
                let position = lines.line_column(&text, offset as u32, unit);
                let back = lines.offset(&text, position, unit);
                // An offset inside a line break maps back to the start of the break.
                let in_break = text[..offset].ends_with('\r') && text[offset..].starts_with('\n');
                prop_assert_eq!(back, offset as u32 - u32::from(in_break), "{:?} in {:?}", position, unit);
            }
            let following = LineColumn { line: lines.line_count(), column: 0 };
            prop_assert_eq!(lines.offset(&text, following, unit), text.len() as u32);
        }
    }
}

/// File with nearly every construct.
const EVERYTHING: &str = include_str!("everything.pp");
const TEMPLATE: &str = "<%- | String $a = 'x', Integer *$b | -%>\n<%# note %>\nText <%= $a %> and <%% more\n\
    <% $b.each |$c| { -%>\n  <%= \"${c}\" -%>\n<% } -%>\n";

#[test]
fn the_complete_samples_have_no_errors() {
    assert_eq!(syntax::parse(EVERYTHING, Language::Manifest).errors(), []);
    assert_eq!(syntax::parse(TEMPLATE, Language::Epp).errors(), []);
}

#[test]
fn every_truncation_is_parsed() {
    for text in [EVERYTHING, TEMPLATE] {
        for (end, _) in text.char_indices() {
            if let Err(error) = check(&text[..end]) {
                panic!("truncated at byte {end}: {error}");
            }
        }
    }
}

#[test]
fn every_deletion_of_a_token_is_parsed() {
    for (text, language) in [(EVERYTHING, Language::Manifest), (TEMPLATE, Language::Epp)] {
        let tree = syntax::parse(text, language).syntax();
        for token in tree.descendants_with_tokens().filter_map(|it| it.into_token()) {
            let mut less = text.to_owned();
            less.replace_range(token.text_range().as_range(), "");
            if let Err(error) = check(&less) {
                panic!("without {token:?}: {error}");
            }
        }
    }
}
