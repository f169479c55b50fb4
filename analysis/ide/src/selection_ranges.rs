//! Growing a selection step by step: word, expression, statement, block, definition, file.

use syntax::{Parse, SyntaxKind, SyntaxKind::*, SyntaxNode, SyntaxToken, TextRange};

/// For each offset the ranges around it, innermost first, each inside the next and no two alike; the last is the file.
pub(crate) fn selection_ranges(parse: &Parse, offsets: &[u32]) -> Vec<Vec<TextRange>> {
    let root = parse.syntax();
    offsets.iter().map(|offset| ranges_around(&root, *offset)).collect()
}

fn ranges_around(root: &SyntaxNode, offset: u32) -> Vec<TextRange> {
    let offset = offset.min(root.text_range().end);
    let mut ranges = Ranges(Vec::new());
    let Some(token) = root.tokens_at(offset).max_by_key(|it| preference(it.kind())) else {
        ranges.add(root.text_range());
        return ranges.0;
    };
    token_ranges(&token, offset, &mut ranges);
    for node in token.ancestors() {
        if let Some(inside) = inside_of_brackets(&node, offset) {
            ranges.add(inside);
        }
        ranges.add(node.text_range());
    }
    ranges.0
}

struct Ranges(Vec<TextRange>);

impl Ranges {
    fn add(&mut self, range: TextRange) {
        match self.0.last() {
            Some(last) if *last == range || !range.contains_range(*last) => {}
            _ if range.is_empty() => {}
            _ => self.0.push(range),
        }
    }
}

/// Between two tokens a word is meant rather than a bracket, and a bracket rather than a blank.
fn preference(kind: SyntaxKind) -> u8 {
    match kind {
        WHITESPACE | EPP_TRIMMED => 0,
        NAME | WORD | CLASSREF | VARIABLE | NUMBER | SQ_STRING | DQ_STRING | STRING_TEXT | REGEX => 3,
        kind if kind.is_keyword() => 3,
        COMMENT | BLOCK_COMMENT | EPP_COMMENT | EPP_TEXT => 2,
        _ => 1,
    }
}

fn token_ranges(token: &SyntaxToken, offset: u32, ranges: &mut Ranges) {
    let range = token.text_range();
    match token.kind() {
        WHITESPACE | EPP_TRIMMED => {}
        STRING_TEXT | EPP_TEXT | BLOCK_COMMENT | EPP_COMMENT => {
            add_word_and_line(token, offset, ranges);
            ranges.add(range);
        }
        COMMENT => {
            add_word_and_line(token, offset, ranges);
            ranges.add(range);
            ranges.add(comment_run(token));
        }
        SQ_STRING | DQ_STRING | REGEX => {
            add_word_and_line(token, offset, ranges);
            let is_closed = token.text().len() > 1 && token.text().ends_with(['\'', '"', '/']);
            let inside = TextRange::new(range.start + 1, range.end - u32::from(is_closed));
            if inside.contains_inclusive(offset) {
                ranges.add(inside);
            }
            ranges.add(range);
        }
        _ => ranges.add(range),
    }
}

/// The word at `offset`, then its line, where they are inside the token.
fn add_word_and_line(token: &SyntaxToken, offset: u32, ranges: &mut Ranges) {
    let text = token.text();
    let start = token.text_range().start;
    let at = (offset.saturating_sub(start) as usize).min(text.len());
    if !text.is_char_boundary(at) {
        return;
    }
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let word_start = text[..at].trim_end_matches(is_word).len();
    let word_end = text.len() - text[at..].trim_start_matches(is_word).len();
    ranges.add(TextRange::new(start + word_start as u32, start + word_end as u32));
    let is_break = |c: char| c == '\n' || c == '\r';
    let line_start = text[..at].rfind(is_break).map_or(0, |it| it + 1);
    let line_end = text[at..].find(is_break).map_or(text.len(), |it| at + it);
    if text.contains(is_break) {
        let line = &text[line_start..line_end];
        let trimmed_start = line_start + (line.len() - line.trim_start().len());
        let trimmed_end = line_start + line.trim_end().len();
        ranges
            .add(TextRange::new(start + trimmed_start as u32, start + trimmed_end.max(trimmed_start) as u32));
    }
}

/// The line comments around this one, on consecutive lines.
fn comment_run(comment: &SyntaxToken) -> TextRange {
    let mut range = comment.text_range();
    let mut first = comment.clone();
    while let Some(previous) = neighbour(&first, SyntaxToken::prev_token) {
        range.start = previous.text_range().start;
        first = previous;
    }
    let mut last = comment.clone();
    while let Some(next) = neighbour(&last, SyntaxToken::next_token) {
        range.end = next.text_range().end;
        last = next;
    }
    range
}

fn neighbour(comment: &SyntaxToken, step: fn(&SyntaxToken) -> Option<SyntaxToken>) -> Option<SyntaxToken> {
    let blank = step(comment)?;
    let breaks = blank.text().matches('\n').count() + usize::from(blank.text() == "\r");
    if blank.kind() != WHITESPACE || breaks != 1 {
        return None;
    }
    step(&blank).filter(|it| it.kind() == COMMENT)
}

/// What is between the brackets of a node, its outer blanks left out, when `offset` is there.
fn inside_of_brackets(node: &SyntaxNode, offset: u32) -> Option<TextRange> {
    let is_opening = |kind| {
        matches!(
            kind,
            L_BRACE | SELECTOR_BRACE | L_BRACK | LIST_START | L_PAREN | LINE_START_PAREN | PIPE | DQ_START
        ) || matches!(kind, INTERPOLATION_START | COLLECT_START | EXPORTED_START)
    };
    let is_closing = |kind| {
        matches!(kind, R_BRACE | R_BRACK | R_PAREN | PIPE | DQ_END)
            || matches!(kind, INTERPOLATION_END | COLLECT_END | EXPORTED_END)
    };
    let elements: Vec<_> = node.children_with_tokens().collect();
    let opening = elements.iter().position(|it| is_opening(it.kind()))?;
    let closing = elements.iter().rposition(|it| is_closing(it.kind()))?;
    let inside = elements.get(opening + 1..closing)?;
    let mut solid = inside.iter().filter(|it| it.kind() != WHITESPACE).map(|it| it.text_range());
    let first = solid.next()?;
    let range = solid.fold(first, TextRange::cover);
    range.contains_inclusive(offset).then_some(range)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use syntax::Language;

    use super::*;

    /// `text` has a `^` where the cursor is.
    fn check(language: Language, text: &str, expected: Expect) {
        let offset = text.find('^').expect("a cursor");
        let text = text.replacen('^', "", 1);
        let parse = syntax::parse(&text, language);
        let ranges = selection_ranges(&parse, &[offset as u32]).remove(0);
        for pair in ranges.windows(2) {
            assert!(pair[1].contains_range(pair[0]) && pair[0] != pair[1], "{ranges:?}");
        }
        assert_eq!(ranges.last().copied(), Some(parse.syntax().text_range()));
        let found: String = ranges.iter().map(|it| format!("{:?}\n", &text[it.as_range()])).collect();
        expected.assert_eq(&found);
    }

    #[test]
    fn from_the_word_to_the_file() {
        check(
            Language::Manifest,
            "class a {\n  file { '/etc/mo^td': mode => '1' }\n}\n",
            expect![[r#"
                "motd"
                "/etc/motd"
                "'/etc/motd'"
                "'/etc/motd': mode => '1'"
                "file { '/etc/motd': mode => '1' }"
                "{\n  file { '/etc/motd': mode => '1' }\n}"
                "class a {\n  file { '/etc/motd': mode => '1' }\n}"
                "class a {\n  file { '/etc/motd': mode => '1' }\n}\n"
            "#]],
        );
        check(
            Language::Manifest,
            "$x = f(1, [$^y + 2, 3])",
            expect![[r#"
                "$y"
                "$y + 2"
                "$y + 2, 3"
                "[$y + 2, 3]"
                "1, [$y + 2, 3]"
                "(1, [$y + 2, 3])"
                "f(1, [$y + 2, 3])"
                "$x = f(1, [$y + 2, 3])"
            "#]],
        );
    }

    #[test]
    fn inside_texts_and_comments() {
        check(
            Language::Manifest,
            "$x = \"one ${tw^o} three\"",
            expect![[r#"
                "two"
                "${two}"
                "one ${two} three"
                "\"one ${two} three\""
                "$x = \"one ${two} three\""
            "#]],
        );
        check(
            Language::Manifest,
            "$a = 1\n# first wo^rd\n# second\n\n# third\n",
            expect![[r##"
                "word"
                "# first word"
                "# first word\n# second"
                "$a = 1\n# first word\n# second\n\n# third\n"
            "##]],
        );
        check(
            Language::Manifest,
            "$x = @(\"E\")\n  a ${b} c^c\n  | E\n",
            expect![[r#"
                "cc"
                " cc\n"
                "  a ${b} cc\n  | E\n"
                "$x = @(\"E\")\n  a ${b} cc\n  | E\n"
            "#]],
        );
        check(
            Language::Epp,
            "one\ntw^o three\n<%= $x %>",
            expect![[r#"
                "two"
                "two three"
                "one\ntwo three\n"
                "one\ntwo three\n<%= $x %>"
            "#]],
        );
    }

    #[test]
    fn between_tokens_and_in_broken_files() {
        check(
            Language::Manifest,
            "f($x)^",
            expect![[r#"
                ")"
                "($x)"
                "f($x)"
            "#]],
        );
        check(
            Language::Manifest,
            "class a {\n ^ \n  $x = \n",
            expect![[r#"
                "{\n  \n  $x ="
                "class a {\n  \n  $x ="
                "class a {\n  \n  $x = \n"
            "#]],
        );
        check(
            Language::Manifest,
            "'abc\u{e4}^",
            expect![[r#"
                "abcä"
                "'abcä"
            "#]],
        );
    }
}
