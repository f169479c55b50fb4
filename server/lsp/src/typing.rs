//! Diagnostics that are withheld while the user types.
//!
//! [`Unfinished::is_withheld`] is the whole rule: a new diagnostic of a statement that contains the cursor, or
//! one that such a statement causes elsewhere, is not published until the cursor leaves the statement, the
//! file is saved, or [`PAUSE`] passes without a keystroke. **A diagnostic of a completed statement is never
//! delayed, and a published one stays as long as it is reported, or an incomplete statement hides its code.**

use std::time::Duration;

use codes::Code;
use ide::{Cancellable, Diagnostic, FilePath, Tier};
use syntax::{Parse, SyntaxKind, SyntaxKind::*, SyntaxNode, SyntaxToken, TextRange};

use super::documents::TypedEdit;
use super::published_diagnostic::ShownDiagnostic;
use super::reads::Snapshot;

/// Time without a keystroke after which everything is published.
pub(super) const PAUSE: Duration = Duration::from_millis(600);

/// Edits of a file without a pause between them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Typing {
    pub(super) path: FilePath,
    /// Location of the cursor in the newest text.
    pub(super) cursor: u32,
    /// Smallest range around all that was typed.
    typed: TextRange,
    /// Text that the last edits inserted; all typed text if they are not at the cursor.
    last: TextRange,
    /// Time at which the pause after the last keystroke ends.
    pub(super) deadline: Duration,
}

impl Typing {
    /// Returns the state after the edits of a new version; `None` if they do not show the cursor.
    pub(super) fn after(
        before: Option<Typing>,
        path: &FilePath,
        edits: Option<&[TypedEdit]>,
        now: Duration,
    ) -> Option<Typing> {
        let edits = edits?;
        let before = before.filter(|it| it.path == *path);
        let mut typing = match (before, edits) {
            (Some(before), _) => before,
            (None, [edit]) => {
                let typed = TextRange::empty(edit.start);
                Typing { path: path.clone(), cursor: edit.start, typed, last: typed, deadline: now }
            }
            (None, _) => return None,
        };
        let is_at_cursor = |edit: &TypedEdit| edit.start <= typing.cursor && typing.cursor <= edit.old_end;
        let has_moved = !edits.iter().all(is_at_cursor);
        let mut last: Option<TextRange> = None;
        for edit in edits {
            // Several edits at once are those of a tool or of several cursors.
            typing.cursor = if edits.len() == 1 { edit.cursor } else { edit.moved(typing.cursor) };
            typing.typed.start = typing.typed.start.min(edit.start);
            typing.typed.end = edit.moved(typing.typed.end).max(edit.new_end);
            let inserted = TextRange::new(edit.start, edit.new_end);
            last = Some(last.map_or(inserted, |it| it.cover(inserted)));
        }
        typing.last = if has_moved { typing.typed } else { last.unwrap_or(typing.last) };
        typing.deadline = now + PAUSE;
        Some(typing)
    }

    /// Returns the state after the cursor has moved.
    pub(super) fn at(&self, cursor: u32) -> Typing {
        Typing { cursor, ..self.clone() }
    }
}

/// The statements at the cursor while the user types.
pub(super) struct Unfinished {
    path: FilePath,
    /// The tree, if the file has one.
    root: Option<SyntaxNode>,
    cursor: u32,
    typed: TextRange,
    last: TextRange,
    /// Statements that contain the cursor, innermost first.
    statements: Vec<TextRange>,
    /// Innermost statement with the rest of its lines; the cursor's line if the cursor is between statements.
    current: TextRange,
    /// Start of the `;` before the cursor, after which another statement must follow.
    separator: Option<u32>,
    /// True if the cursor is between two statements: none but their blocks are incomplete.
    is_between: bool,
}

impl Unfinished {
    /// Returns the statements at the cursor, if the user is typing.
    pub(super) fn at_cursor(snapshot: &Snapshot) -> Cancellable<Option<Unfinished>> {
        let Some(typing) = snapshot.typing.as_deref() else { return Ok(None) };
        let Some(file) = snapshot.analysis.file_id(&typing.path) else { return Ok(None) };
        let Some(text) = snapshot.analysis.text(file)? else { return Ok(None) };
        let has_tree = typing.path.is_opaque() || matches!(typing.path.extension(), Some("pp" | "epp"));
        Ok(Some(if has_tree {
            Unfinished::in_manifest(&snapshot.analysis.parse(file)?, typing)
        } else {
            Unfinished::in_data(&text, typing)
        }))
    }

    fn new(typing: &Typing, text: &str) -> Unfinished {
        let cursor = typing.cursor.min(text.len() as u32);
        Unfinished {
            path: typing.path.clone(),
            root: None,
            cursor,
            typed: typing.typed,
            last: typing.last,
            statements: Vec::new(),
            current: line_around(text, cursor),
            separator: None,
            is_between: true,
        }
    }

    /// Returns the statements at the cursor in a manifest or template.
    fn in_manifest(parse: &Parse, typing: &Typing) -> Unfinished {
        let root = parse.syntax();
        let text = root.text();
        let mut unfinished = Unfinished { root: Some(root.clone()), ..Unfinished::new(typing, text) };
        let cursor = unfinished.cursor;
        if let Some(comment) = comment_at(&root, cursor) {
            unfinished.current = comment.text_range();
            return unfinished;
        }
        let next =
            root.tokens_at(cursor).find(|it| it.text_range().start == cursor && !it.kind().is_trivia());
        for node in next.into_iter().flat_map(|it| it.ancestors()).filter(is_statement) {
            if node.text_range().start == cursor && node.kind() != SOURCE_FILE {
                unfinished.add(node, text);
            }
        }
        let Some(last) = token_before(&root, cursor) else { return unfinished };
        unfinished.separator =
            (last.kind() == SEMICOLON && is_between_statements(&last)).then_some(last.text_range().start);
        for node in last.ancestors() {
            if unfinished.statements.is_empty() && is_block_around(&node, &last, cursor) {
                unfinished.add_around(&node, &last, text);
                return unfinished;
            }
            if is_statement(&node) && contains_cursor(&node, &last, text, cursor) {
                unfinished.add(node, text);
            }
        }
        unfinished
    }

    /// Returns the line at the cursor in a file of data.
    fn in_data(text: &str, typing: &Typing) -> Unfinished {
        let mut unfinished = Unfinished::new(typing, text);
        unfinished.is_between = text[unfinished.current.as_range()].trim().is_empty();
        unfinished.statements.push(unfinished.current);
        unfinished
    }

    fn add(&mut self, node: SyntaxNode, text: &str) {
        let range = node.text_range();
        if self.statements.is_empty() {
            self.is_between = false;
            // Code that is broken in a line may be several nodes.
            let mut first = node;
            while let Some(before) = first.prev_sibling().filter(|it| is_same_line(text, it, &first)) {
                first = before;
            }
            self.current = self.current.cover(range).cover(first.text_range());
        }
        if !self.statements.contains(&range) {
            self.statements.push(range);
        }
    }

    /// Adds the statements around the block that the cursor is in.
    fn add_around(&mut self, block: &SyntaxNode, last: &SyntaxToken, text: &str) {
        for node in block.ancestors().filter(is_statement) {
            if contains_cursor(&node, last, text, self.cursor) {
                self.statements.push(node.text_range());
            }
        }
    }

    /// Returns whether a diagnostic that is not shown yet exists only because of what is being typed.
    fn is_withheld(&self, path: &FilePath, tier: Tier, found: &Diagnostic) -> bool {
        if *path != self.path {
            return !self.is_between;
        }
        let range = found.range;
        // The header of an enclosing statement, or its opening brace.
        let owner = self.root.as_ref().and_then(|root| statement_at(root, range.start));
        let is_around = owner.is_some_and(|it| self.statements.contains(&it));
        // The text after the cursor was not typed.
        let is_after = tier == Tier::Syntax
            && match self.separator {
                Some(separator) => range.end >= separator,
                None => range.start >= self.cursor && !self.statements.is_empty(),
            };
        // An error in a completed statement would be shown already.
        let cause = if tier == Tier::Syntax && found.code.is_fixed() { self.last } else { self.typed };
        let is_consequence = !self.is_between && !range.intersects_or_touches(cause);
        let depends_on_rest = match found.code {
            Code::UnusedVariable | Code::UnusedParameter => {
                self.statements.iter().any(|it| it.contains_range(range))
            }
            Code::UnknownParamTag => true,
            _ => false,
        };
        self.is_in_current(range) || is_around || is_after || is_consequence || depends_on_rest
    }

    fn is_in_current(&self, range: TextRange) -> bool {
        !self.is_between && range.intersects_or_touches(self.current)
    }

    /// Removes withheld diagnostics from those found in a file that are not shown yet, and returns them.
    /// `is_shown` has an element for each found one.
    pub(super) fn withhold(
        &self,
        path: &FilePath,
        tier: Tier,
        found: &mut Vec<Diagnostic>,
        is_shown: &[bool],
    ) -> Vec<Diagnostic> {
        let mut is_shown = is_shown.iter();
        found
            .extract_if(.., |it| is_shown.next() != Some(&true) && self.is_withheld(path, tier, it))
            .collect()
    }

    /// Returns whether a shown diagnostic that is not found any more stays because the statement at the cursor
    /// has a syntax error: one about other code than what is being typed.
    pub(super) fn keeps(&self, path: &FilePath, shown: &ShownDiagnostic<'_>) -> bool {
        *path != self.path
            || if shown.published.diagnostic.code.is_fixed() {
                !self.is_in_current(shown.range)
            } else {
                !self.is_typed(shown.range)
            }
    }

    /// Returns whether a shown diagnostic that is not found any more, about code that was not typed, stays although
    /// the text may be valid: the incomplete statement contains code on later lines that was separate before
    /// (`$x.` before a call), or may use any variable (a call of an unknown function).
    pub(super) fn hides(&self, path: &FilePath, shown: &ShownDiagnostic<'_>) -> bool {
        let Some(root) = self.root.as_ref().filter(|_| *path == self.path && !self.is_between) else {
            return false;
        };
        let part = |range: TextRange| root.text().get(range.as_range()).unwrap_or_default();
        match shown.published.diagnostic.code {
            Code::UnusedVariable | Code::UnusedParameter => {
                !mentions(part(self.current), part(shown.range).trim_start_matches('$'))
            }
            _ => self.is_in_current(shown.range) && self.is_after_statement(root.text(), shown.range.start),
        }
    }

    /// Returns whether a line between the cursor and an offset after it, or that of the offset, is indented like a
    /// statement after the one at the cursor.
    fn is_after_statement(&self, text: &str, offset: u32) -> bool {
        let Some(following) = text.get(self.cursor as usize..) else { return false };
        let own = indentation(&text[line_around(text, self.current.start).as_range()]);
        let length = offset.saturating_sub(self.cursor) as usize;
        let line_breaks = following.match_indices('\n').map(|(at, _)| at + 1).take_while(|at| *at <= length);
        line_breaks.map(|at| following[at..].lines().next().unwrap_or_default()).any(|line| {
            let code = line.trim_start();
            let continues = code.starts_with(['}', ')', ']', '#']) || code.starts_with("els");
            !code.is_empty() && !continues && indentation(line) <= own
        })
    }

    /// Returns whether something in this range was typed.
    pub(super) fn is_typed(&self, range: TextRange) -> bool {
        range.intersects_or_touches(self.typed) || range.contains_inclusive(self.cursor)
    }

    /// Returns whether the user is typing in a file.
    pub(super) fn is_in(&self, path: &FilePath) -> bool {
        *path == self.path
    }

    /// Returns whether the cursor is between two statements.
    pub(super) fn is_between(&self) -> bool {
        self.is_between
    }

    /// Returns whether a shown diagnostic and a found one are about the same problem. Within the statement at
    /// the cursor, the location may have changed.
    pub(super) fn is_same(&self, shown: &ShownDiagnostic<'_>, found: &Diagnostic) -> bool {
        shown.is_similar_to(found)
            || (shown.published.diagnostic.code == found.code
                && self.is_in_current(shown.range)
                && self.is_in_current(found.range))
    }
}

/// Returns the innermost statement at an offset.
fn statement_at(root: &SyntaxNode, offset: u32) -> Option<TextRange> {
    let token = root.tokens_at(offset).last()?;
    let found = token.ancestors().find(|it| is_statement(it) && it.kind() != SOURCE_FILE);
    found.map(|it| it.text_range())
}

/// Returns whether a node is an element of a list of statements.
fn is_statement(node: &SyntaxNode) -> bool {
    node.kind() != BLOCK && node.parent().is_some_and(|it| matches!(it.kind(), SOURCE_FILE | BLOCK))
}

/// Returns whether a `;` separates statements, and not the bodies of a resource.
fn is_between_statements(semicolon: &SyntaxToken) -> bool {
    let owner = semicolon.ancestors().find(|it| it.kind() != ERROR);
    owner.is_some_and(|it| matches!(it.kind(), SOURCE_FILE | BLOCK))
}

/// Returns whether the cursor is between the statements of a node, or before the first or after the last one.
fn is_block_around(node: &SyntaxNode, last: &SyntaxToken, cursor: u32) -> bool {
    node.kind() == BLOCK && (cursor < node.text_range().end || is_open(node, last))
}

/// Returns whether a statement that begins before the cursor contains it; `last` is the token before it.
fn contains_cursor(node: &SyntaxNode, last: &SyntaxToken, text: &str, cursor: u32) -> bool {
    if cursor < node.text_range().end {
        return true;
    }
    let is_same_line =
        !text[last.text_range().end.min(cursor) as usize..cursor as usize].contains(['\n', '\r']);
    let is_terminated = matches!(last.kind(), SEMICOLON | R_BRACE);
    is_open_token(last)
        || (is_same_line && !is_terminated)
        || last.ancestors().take_while(|it| it != node).any(|it| is_open(&it, last))
        || is_open(node, last)
}

/// Returns whether a statement continues after this token, even on another line.
fn is_open_token(token: &SyntaxToken) -> bool {
    let text = token.text();
    match token.kind() {
        SQ_STRING | DQ_STRING => text.len() < 2 || !text.ends_with(['\'', '"']),
        NAME | WORD | CLASSREF | VARIABLE | NUMBER | REGEX | STRING_TEXT | DQ_END | HEREDOC_START
        | HEREDOC_END | R_BRACK | R_BRACE | R_PAREN | SEMICOLON | COLLECT_END | EXPORTED_END | PIPE
        | STAR | DEFAULT_KW | UNDEF_KW | TRUE_KW | FALSE_KW | INTERPOLATION_END | EPP_TEXT
        | EPP_EMPTY_TEXT | EPP_OPEN_EXPR | EPP_CLOSE_EXPR | ERROR_TOKEN => false,
        _ => true,
    }
}

/// Brackets, as the kinds that open and those that close.
const BRACKETS: [(&[SyntaxKind], SyntaxKind); 7] = [
    (&[L_BRACE, SELECTOR_BRACE], R_BRACE),
    (&[L_PAREN, LINE_START_PAREN], R_PAREN),
    (&[L_BRACK, LIST_START], R_BRACK),
    (&[COLLECT_START], COLLECT_END),
    (&[EXPORTED_START], EXPORTED_END),
    (&[INTERPOLATION_START], INTERPOLATION_END),
    (&[DQ_START], DQ_END),
];

/// Returns whether a node that ends with `last` lacks a closing bracket.
fn is_open(node: &SyntaxNode, last: &SyntaxToken) -> bool {
    let ends_with_last = node.text_range().end == last.text_range().end;
    ends_with_last
        && BRACKETS.iter().any(|(open, close)| {
            open.iter().any(|it| node.token(*it).is_some()) && node.token(*close).is_none()
        })
}

/// Returns the last token that begins before the cursor and is not trivia.
fn token_before(root: &SyntaxNode, cursor: u32) -> Option<SyntaxToken> {
    let at = root.tokens_at(cursor).find(|it| it.text_range().start < cursor);
    let last = at.or_else(|| root.last_token().filter(|it| it.text_range().end <= cursor));
    std::iter::successors(last, SyntaxToken::prev_token).find(|it| !it.kind().is_trivia())
}

/// Returns the comment that the cursor is in.
fn comment_at(root: &SyntaxNode, cursor: u32) -> Option<SyntaxToken> {
    let mut tokens = root.tokens_at(cursor);
    tokens.find(|it| {
        let range = it.text_range();
        match it.kind() {
            COMMENT => range.start < cursor,
            BLOCK_COMMENT | EPP_COMMENT => range.start < cursor && cursor < range.end,
            _ => false,
        }
    })
}

/// Returns whether there is no line break between two siblings.
fn is_same_line(text: &str, before: &SyntaxNode, node: &SyntaxNode) -> bool {
    let between = before.text_range().end as usize..node.text_range().start as usize;
    !text[between].contains(['\n', '\r', ';'])
}

/// Returns whether code contains a variable.
fn mentions(code: &str, variable: &str) -> bool {
    let is_word = |it: char| it.is_alphanumeric() || it == '_';
    code.match_indices(variable)
        .any(|(at, _)| code[..at].ends_with(['$', '{']) && !code[at + variable.len()..].starts_with(is_word))
}

/// Returns the number of spaces and tabs that a line begins with.
fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

/// Returns the line at an offset, without its line break.
fn line_around(text: &str, offset: u32) -> TextRange {
    let (before, after) = text.split_at(offset as usize);
    let start = before.rfind(['\n', '\r']).map_or(0, |it| it + 1);
    let end = offset as usize + after.find(['\n', '\r']).unwrap_or(after.len());
    TextRange::new(start as u32, end as u32)
}
