//! Folding ranges.

use syntax::{LineMap, Parse, SyntaxElement, SyntaxKind, SyntaxKind::*, SyntaxNode, SyntaxToken, TextRange};

/// A foldable range; it always spans a line break.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FoldingRange {
    /// Hidden range; for brackets, the range between them.
    pub range: TextRange,
    pub kind: FoldingKind,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FoldingKind {
    Code,
    Comment,
    /// Between `#region` and `#endregion`.
    Region,
}

/// Returns the folding ranges of a file by position, without duplicates. `text` is the parsed text.
pub(crate) fn folding_ranges(parse: &Parse, text: &str) -> Vec<FoldingRange> {
    let mut folder =
        Folder { text, lines: LineMap::new(text), found: Vec::new(), regions: Vec::new(), run: None };
    for element in parse.syntax().descendants_with_tokens() {
        match element {
            SyntaxElement::Node(node) => folder.node(&node),
            SyntaxElement::Token(token) => folder.token(&token),
        }
    }
    folder.end_comment_run();
    folder.found.sort();
    folder.found.dedup_by_key(|it| it.range);
    folder.found
}

struct Folder<'a> {
    text: &'a str,
    lines: LineMap,
    found: Vec<FoldingRange>,
    /// Start offsets of the regions that are still open.
    regions: Vec<u32>,
    /// Latest run of line comments on consecutive lines.
    run: Option<TextRange>,
}

impl Folder<'_> {
    fn node(&mut self, node: &SyntaxNode) {
        match node.kind() {
            HEREDOC_BODY => {
                let (start, end) = (node.text_range().start, node.text_range().end);
                let range = TextRange::new(self.without_line_break(start), self.without_line_break(end));
                self.add(range, FoldingKind::Code);
            }
            RESOURCE_BODY => self.add_if_one_of_many(node),
            _ => self.brackets(node),
        }
    }

    fn brackets(&mut self, node: &SyntaxNode) {
        let opening = node.tokens().find(|it| is_opening(it.kind()));
        let closing = node.tokens().filter(|it| is_closing(it.kind())).last();
        if let (Some(opening), Some(closing)) = (opening, closing) {
            self.add(TextRange::new(opening.text_range().end, closing.text_range().start), FoldingKind::Code);
        }
    }

    fn add_if_one_of_many(&mut self, body: &SyntaxNode) {
        let siblings = body.parent().into_iter().flat_map(|it| it.children());
        if siblings.filter(|it| it.kind() == RESOURCE_BODY).count() < 2 {
            return;
        }
        if let Some(colon) = body.token(COLON) {
            self.add(TextRange::new(colon.text_range().end, body.text_range().end), FoldingKind::Code);
        }
    }

    fn token(&mut self, token: &SyntaxToken) {
        let range = token.text_range();
        match token.kind() {
            COMMENT => self.line_comment(token),
            BLOCK_COMMENT | EPP_COMMENT => self.add(range, FoldingKind::Comment),
            _ => {}
        }
    }

    fn line_comment(&mut self, token: &SyntaxToken) {
        let range = token.text_range();
        match region_marker(token.text()) {
            Some(RegionMarker::Start) => {
                self.end_comment_run();
                self.regions.push(range.end);
                return;
            }
            Some(RegionMarker::End) => {
                self.end_comment_run();
                if let Some(start) = self.regions.pop() {
                    self.add(TextRange::new(start, range.end), FoldingKind::Region);
                }
                return;
            }
            None => {}
        }
        let line = self.lines.line(range.start);
        let before = &self.text[self.lines.line_start(line) as usize..range.start as usize];
        if !before.trim().is_empty() {
            self.end_comment_run();
            return;
        }
        match &mut self.run {
            Some(run) if self.lines.line(run.end) + 1 == line => run.end = range.end,
            _ => {
                self.end_comment_run();
                self.run = Some(range);
            }
        }
    }

    fn end_comment_run(&mut self) {
        if let Some(run) = self.run.take() {
            self.add(run, FoldingKind::Comment);
        }
    }

    /// Returns the offset before the line break that ends at `offset`, or `offset` if there is none.
    fn without_line_break(&self, offset: u32) -> u32 {
        let before = &self.text[..offset as usize];
        let without_break = before.strip_suffix('\n').unwrap_or(before);
        without_break.strip_suffix('\r').unwrap_or(without_break).len() as u32
    }

    fn add(&mut self, range: TextRange, kind: FoldingKind) {
        if self.lines.line(range.start) < self.lines.line(range.end) {
            self.found.push(FoldingRange { range, kind });
        }
    }
}

enum RegionMarker {
    Start,
    End,
}

/// Parses `#region`, `# region name`, `#endregion` and `# endregion`.
fn region_marker(comment: &str) -> Option<RegionMarker> {
    let word = comment.trim_start_matches('#').split_whitespace().next()?;
    match word {
        "region" => Some(RegionMarker::Start),
        "endregion" => Some(RegionMarker::End),
        _ => None,
    }
}

fn is_opening(kind: SyntaxKind) -> bool {
    matches!(kind, L_BRACE | SELECTOR_BRACE | L_BRACK | LIST_START | L_PAREN | LINE_START_PAREN)
        || matches!(kind, COLLECT_START | EXPORTED_START)
}

fn is_closing(kind: SyntaxKind) -> bool {
    matches!(kind, R_BRACE | R_BRACK | R_PAREN | COLLECT_END | EXPORTED_END)
}

#[cfg(test)]
#[path = "folding_ranges_tests.rs"]
mod tests;
