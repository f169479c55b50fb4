//! Builds a document from a tree: source pieces in order, and the separators between them.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use syntax::{FlatElement, FlatNode, FlatToken, Language, SyntaxKind, TextRange};

use crate::document::{Breaking, Part, width};
use crate::kept::columns::{ColumnPadding, file_columns};
use crate::kept::conventions::{Conventions, conventions};
use crate::kept::hugging::OpenBracket;
use crate::parsed::ParsedText;
use crate::strings::may_be_single_quoted;
use crate::trivia::{Trivia, TriviaKind, trivia, unindented_comments};
use crate::{FormatOptions, QuoteStyle};

/// Document, and the statements left unformatted because of syntax errors.
pub(crate) struct Built {
    pub(crate) document: Vec<Part>,
    /// True if the columns depend on lines that formatting moves, so that another round may change them.
    pub(crate) has_unsettled_columns: bool,
    pub(crate) unformatted: Vec<TextRange>,
}

pub(crate) fn build(source: &ParsedText, options: &FormatOptions) -> Built {
    let (text, root) = (source.text(), source.tree.root());
    let is_template = source.language == Language::Epp;
    let trivia = trivia(&source.tree);
    let mut builder = DocumentBuilder {
        unindented_comments: unindented_comments(text, &trivia),
        trivia,
        errors: source.errors.clone(),
        file_columns: file_columns(text),
        is_template,
        conventions: conventions(text, &source.tree, is_template),
        line_starts: line_starts(text),
        ..DocumentBuilder::new(text, options, 0)
    };
    builder.file(&root);
    let has_unsettled_columns = builder.has_unsettled_columns.get();
    Built { document: builder.parts, has_unsettled_columns, unformatted: builder.unformatted }
}

fn line_starts(text: &str) -> Rc<[u32]> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at as u32 + 1)).collect()
}

/// Separator before a token that has no comment before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Separator {
    /// Nothing.
    Nothing,
    /// Nothing. If there is a comment, keeps the source text, since it decides how the following bracket is
    /// parsed.
    Joined,
    /// A space.
    Space,
    /// A space if the source has whitespace; otherwise nothing.
    KeptBlank,
    /// A line break if the source has one; otherwise a space.
    KeptSpace,
    /// A line break if the source has one; otherwise nothing.
    KeptNothing,
    /// A line break if the group is broken; otherwise nothing. A line break in the source breaks the group.
    Line,
    /// Like `Line`, with a space instead of nothing.
    LineOrSpace,
    /// A line break. Keeps an empty line of the source.
    Break,
    /// A line break without an empty line.
    TightBreak,
}

/// Several spaces before a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum KeptSpaces {
    /// Kept if the token is aligned with the same one in an adjacent line. Checks of puppet-lint expect a single space
    /// before brackets.
    #[default]
    Aligned,
    /// Kept in the same case, also before a bracket.
    AlignedBracket,
    /// Replaced, since the token has its own column.
    No,
}

/// Source between two tokens, after the last comment.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Gap {
    /// True if there is a line break, here or before a comment.
    pub(crate) breaks: bool,
    pub(crate) has_empty_line: bool,
    /// True if the line must end after the preceding part.
    must_break: bool,
    /// True if a comment precedes the token on its line.
    follows_comment: bool,
    /// True after the text of a heredoc, where a line has begun.
    follows_heredoc: bool,
    /// Number of spaces to keep in addition to a single one.
    spaces: u32,
    precedes_bracket: bool,
}

impl Gap {
    pub(crate) fn without_empty_line(self) -> Gap {
        Gap { has_empty_line: false, ..self }
    }
}

pub(crate) struct DocumentBuilder<'a> {
    pub(crate) text: &'a str,
    pub(crate) options: &'a FormatOptions,
    pub(crate) parts: Vec<Part>,
    pub(crate) trivia: Vec<Trivia>,
    pub(crate) next_trivia: usize,
    /// Offsets of the comments at the start of a line that stay there.
    unindented_comments: FxHashSet<u32>,
    /// End of the source consumed so far.
    pub(crate) cursor: u32,
    /// Start indices of the open groups.
    groups: Vec<usize>,
    /// Number of mandatory line breaks so far.
    pub(crate) breaks: usize,
    /// Number of these line breaks that are within an expression and outside of nested brackets.
    pub(crate) continuations: usize,
    /// Padding before the operator of the next assignment or parameter.
    pub(crate) operator_pad: ColumnPadding,
    /// Padding before the variable of the next parameter.
    pub(crate) type_pad: ColumnPadding,
    /// True if there is no space before the arrow of the next entry.
    pub(crate) has_tight_arrow: bool,
    /// Number of enclosing constructs whose lines are not broken, however long they are.
    pub(crate) kept_lines: usize,
    /// True if the next block is broken, since it is one of several on a line that is too long.
    pub(crate) breaks_blocks: bool,
    /// Brackets around the next element, from the outermost one.
    pub(crate) open_brackets: Vec<OpenBracket>,
    /// True if the next closing bracket stays on its line, although the source has a line break there.
    pub(crate) joins_close: bool,
    /// End of the list whose closing bracket is on the line and level of that of the list around it.
    pub(crate) shared_close: Option<u32>,
    /// True if the elements of the next list keep the line breaks of the source.
    pub(crate) fills_lines: bool,
    /// True if the first element of the next list stays beside the bracket, although the others do not.
    pub(crate) hangs_rest: bool,
    /// Number of levels of the next closing bracket that exceed the usual one.
    pub(crate) extra_levels: u32,
    /// True for a template, whose lines are not checked by puppet-lint.
    is_template: bool,
    pub(crate) conventions: Conventions,
    /// Offsets at which lines start. A file may be one long line, so lines are not searched for.
    pub(crate) line_starts: Rc<[u32]>,
    /// Number of lines with a padded `=`, by column.
    pub(crate) file_columns: FxHashMap<u32, usize>,
    /// Treatment of several spaces before the next token.
    pub(crate) kept_spaces: KeptSpaces,
    /// See [`Built::has_unsettled_columns`].
    pub(crate) has_unsettled_columns: Cell<bool>,
    /// Number of heredocs whose text is pending, during which no line may break.
    open_heredocs: usize,
    /// True within an attempt that is undone if a line breaks. Nested attempts are then not repeated, since each level
    /// would double the work.
    pub(crate) undoes_breaks: bool,
    /// Results of `formatted_width`, by kind and range.
    pub(crate) known_widths: Rc<RefCell<KnownWidths>>,
    pub(crate) errors: Vec<TextRange>,
    pub(crate) unformatted: Vec<TextRange>,
}

/// Widths of elements in one line, by kind and range; `None` for those that span several lines.
type KnownWidths = FxHashMap<(SyntaxKind, TextRange), Option<u32>>;

/// Builder state to which formatting can return.
#[derive(Clone, Copy)]
pub(crate) struct BuilderCheckpoint {
    parts: usize,
    next_trivia: usize,
    cursor: u32,
    groups: usize,
    pub(crate) breaks: usize,
    continuations: usize,
    open_heredocs: usize,
    unformatted: usize,
}

impl<'a> DocumentBuilder<'a> {
    /// Creates a builder for a text without comments and errors, from an offset on.
    pub(crate) fn new(text: &'a str, options: &'a FormatOptions, cursor: u32) -> DocumentBuilder<'a> {
        DocumentBuilder {
            text,
            options,
            parts: Vec::new(),
            trivia: Vec::new(),
            next_trivia: 0,
            unindented_comments: FxHashSet::default(),
            cursor,
            groups: Vec::new(),
            breaks: 0,
            continuations: 0,
            operator_pad: ColumnPadding::default(),
            type_pad: ColumnPadding::default(),
            has_tight_arrow: false,
            kept_lines: 0,
            breaks_blocks: false,
            open_brackets: Vec::new(),
            joins_close: false,
            shared_close: None,
            fills_lines: false,
            hangs_rest: false,
            extra_levels: 0,
            is_template: false,
            conventions: Conventions::default(),
            line_starts: Rc::default(),
            has_unsettled_columns: Cell::new(false),
            file_columns: FxHashMap::default(),
            kept_spaces: KeptSpaces::Aligned,
            open_heredocs: 0,
            undoes_breaks: false,
            known_widths: Rc::default(),
            errors: Vec::new(),
            unformatted: Vec::new(),
        }
    }

    pub(crate) fn checkpoint(&self) -> BuilderCheckpoint {
        BuilderCheckpoint {
            parts: self.parts.len(),
            next_trivia: self.next_trivia,
            cursor: self.cursor,
            groups: self.groups.len(),
            breaks: self.breaks,
            continuations: self.continuations,
            open_heredocs: self.open_heredocs,
            unformatted: self.unformatted.len(),
        }
    }

    /// Restores the state of a checkpoint. The groups open at the checkpoint must not have been changed
    /// since.
    pub(crate) fn restore(&mut self, to: BuilderCheckpoint) {
        self.parts.truncate(to.parts);
        self.next_trivia = to.next_trivia;
        self.cursor = to.cursor;
        self.groups.truncate(to.groups);
        self.breaks = to.breaks;
        self.continuations = to.continuations;
        self.open_heredocs = to.open_heredocs;
        self.unformatted.truncate(to.unformatted);
    }

    pub(crate) fn push(&mut self, part: Part) {
        self.parts.push(part);
    }

    pub(crate) fn begin_group(&mut self, breaking: Breaking) {
        let keeps_line = breaking != Breaking::Always && (self.kept_lines > 0 || self.is_on_ignored_line());
        self.groups.push(self.parts.len());
        self.breaks += usize::from(breaking == Breaking::Always);
        self.push(Part::Start(if keeps_line { Breaking::Never } else { breaking }));
    }

    /// Returns true on a line that ends with a control comment of puppet-lint, which silences findings of this
    /// line only.
    pub(crate) fn is_on_ignored_line(&self) -> bool {
        let end = self.line_end(self.cursor) as u32;
        let comments = self.trivia[self.next_trivia..].iter().take_while(|it| it.range.start < end);
        let mut comments = comments.filter(|it| it.kind == TriviaKind::LineComment);
        comments.any(|it| self.text[it.range.as_range()].contains("lint:ignore"))
    }

    pub(crate) fn end_group(&mut self) {
        self.groups.pop();
        self.push(Part::End);
    }

    /// Breaks the innermost group.
    pub(crate) fn must_break(&mut self) {
        if let Some(&start) = self.groups.last()
            && self.parts[start] != Part::Start(Breaking::Always)
        {
            self.parts[start] = Part::Start(Breaking::Always);
            self.breaks += 1;
        }
    }

    /// Returns the first pending comment or heredoc text that begins before `end`.
    pub(crate) fn pending_trivia(&self, end: u32) -> Option<Trivia> {
        self.trivia.get(self.next_trivia).copied().filter(|it| it.range.start < end)
    }

    /// Returns true if there is a comment between the last piece and `range`, or between `range` and `end`.
    pub(crate) fn has_trivia_beside(&self, range: TextRange, end: u32) -> bool {
        let mut pending = self.trivia[self.next_trivia..].iter().take_while(|it| it.range.start < end);
        pending.any(|it| it.range.start < range.start || it.range.start >= range.end)
    }

    /// Returns true if there is a line break outside of comments between two offsets.
    pub(crate) fn breaks_between(&self, start: u32, end: u32) -> bool {
        if matches!(self.text.as_bytes().get(start as usize..end as usize), None | Some([] | [b' '])) {
            return false;
        }
        let mut at = start;
        let first = self.trivia.partition_point(|it| it.range.end <= start);
        for trivia in &self.trivia[first..] {
            if trivia.range.start >= end {
                break;
            }
            if self.text[at as usize..trivia.range.start as usize].contains('\n') {
                return true;
            }
            at = trivia.range.end;
        }
        at < end && self.text[at as usize..end as usize].contains('\n')
    }

    /// Emits the comments before `end`, and returns the gap after them.
    pub(crate) fn gap(&mut self, end: u32, is_first: bool) -> Gap {
        let mut gap = Gap::default();
        let mut is_first = is_first;
        while let Some(trivia) = self.pending_trivia(end) {
            let newlines = self.newlines_up_to(trivia.range.start, gap.follows_heredoc);
            let has_empty_line = newlines > 1 && !is_first;
            match trivia.kind {
                TriviaKind::Heredoc => {
                    self.push(Part::Heredoc(trivia.range));
                    self.breaks += 1;
                    self.open_heredocs = self.open_heredocs.saturating_sub(1);
                }
                _ if newlines > 0 || gap.must_break => self.push_break(has_empty_line),
                _ if self.parts.is_empty() => {}
                TriviaKind::LineComment => self.push(self.before_comment(trivia.range.start)),
                _ => self.push(Part::Space),
            }
            match trivia.kind {
                TriviaKind::Heredoc => {}
                _ if self.unindented_comments.contains(&trivia.range.start) => {
                    self.push(Part::Lines(trivia.range))
                }
                _ => self.source(trivia.range),
            }
            let breaks = newlines > 0 || gap.breaks;
            gap = Gap {
                breaks,
                must_break: trivia.kind == TriviaKind::LineComment,
                follows_comment: trivia.kind != TriviaKind::Heredoc,
                follows_heredoc: trivia.kind == TriviaKind::Heredoc,
                ..Gap::default()
            };
            self.next_trivia += 1;
            self.cursor = trivia.range.end;
            is_first = false;
        }
        let newlines = self.newlines_up_to(end, gap.follows_heredoc);
        gap.has_empty_line = newlines > 1 && !is_first;
        gap.breaks |= newlines > 0;
        gap.must_break |= gap.follows_comment && newlines > 0 || gap.follows_heredoc;
        if newlines == 0 && !gap.follows_comment && !gap.follows_heredoc {
            gap.spaces = self.aligned_spaces(end);
            gap.precedes_bracket = !self.is_template
                && self.text.as_bytes().get(end as usize).is_some_and(|it| b"{}[]()".contains(it));
        }
        gap
    }

    /// Returns the offset at which the line of `offset` starts.
    pub(crate) fn line_start(&self, offset: u32) -> usize {
        let after = self.line_starts.partition_point(|it| *it <= offset);
        after.checked_sub(1).map_or(0, |it| self.line_starts[it] as usize)
    }

    /// Returns the offset of the line break after `offset`, or of the end of the text.
    pub(crate) fn line_end(&self, offset: u32) -> usize {
        let after = self.line_starts.partition_point(|it| *it <= offset);
        self.line_starts.get(after).map_or(self.text.len(), |it| *it as usize - 1)
    }

    /// Returns the lines before and after that of `offset`, without line breaks.
    fn adjacent_lines(&self, offset: u32) -> impl Iterator<Item = &str> {
        let (start, end) = (self.line_start(offset), self.line_end(offset));
        let before = start.checked_sub(1).map(|it| &self.text[self.line_start(it as u32)..it]);
        let next = (end < self.text.len()).then(|| &self.text[end + 1..self.line_end(end as u32 + 1)]);
        before.into_iter().chain(next)
    }

    /// Returns the separator before a comment at the end of a line, which keeps its column if a comment of an
    /// adjacent line has the same one, and its distance otherwise.
    fn before_comment(&self, start: u32) -> Part {
        let before = &self.text[..start as usize];
        let line_start = self.line_start(start);
        let code = before[line_start..].trim_end();
        let column = width(&before[line_start..]);
        let spaces = column - width(code);
        if before[line_start..].contains('\t') {
            return Part::Space;
        }
        if spaces == 0 && code.ends_with(['[', '(', '{']) {
            return Part::Padding(0);
        }
        let is_beside = |line: &str| {
            let at = line.char_indices().nth(column as usize).map(|it| it.0);
            at.is_some_and(|at| {
                line[at..].starts_with('#') && line[..at].ends_with(' ') && !line[..at].trim().is_empty()
            })
        };
        if column <= self.options.width && self.adjacent_lines(start).any(is_beside) {
            let indent = width(code) - width(code.trim_start());
            return Part::Column(column - indent);
        }
        if spaces > 1 { Part::Padding(spaces) } else { Part::Space }
    }

    fn newlines_up_to(&self, end: u32, is_line_start: bool) -> usize {
        let between = self.text.as_bytes().get(self.cursor as usize..end as usize);
        let newlines = match between.unwrap_or_default() {
            [] | [b' '] => 0,
            between => between.iter().filter(|it| **it == b'\n').count(),
        };
        newlines + usize::from(is_line_start && self.text[..self.cursor as usize].ends_with('\n'))
    }

    pub(crate) fn push_break(&mut self, has_empty_line: bool) {
        self.breaks += 1;
        self.push(Part::Break { has_empty_line });
    }

    /// Returns the number of spaces beyond one before a token that is aligned with the same one in an adjacent
    /// line.
    pub(crate) fn aligned_spaces(&self, start: u32) -> u32 {
        let spaces = self.text.as_bytes().get(self.cursor as usize..start as usize).unwrap_or_default();
        if spaces.len() < 2 || !spaces.iter().all(|it| *it == b' ') {
            return 0;
        }
        let line_start = self.line_start(self.cursor);
        let column = start as usize - line_start;
        let rest = &self.text[start as usize..];
        let Some(first) = rest.chars().next() else { return 0 };
        let is_beside = |line: &str| {
            line.get(..column).is_some_and(|it| it.ends_with(' ') && !it.trim().is_empty())
                && line.get(column..).is_some_and(|it| it.starts_with(first))
        };
        if !self.adjacent_lines(start).any(is_beside) {
            return 0;
        }
        self.has_unsettled_columns.set(true);
        spaces.len() as u32 - 1
    }

    /// Emits the separator before a token.
    pub(crate) fn separate(&mut self, separator: Separator, gap: Gap) {
        use Separator::*;
        let spaces = match std::mem::take(&mut self.kept_spaces) {
            KeptSpaces::Aligned if !gap.precedes_bracket => gap.spaces,
            KeptSpaces::AlignedBracket => gap.spaces,
            _ => 0,
        };
        let has_empty_line = gap.has_empty_line;
        if matches!(separator, Line | LineOrSpace) && (gap.breaks || gap.must_break) {
            self.must_break();
        }
        if self.open_heredocs > 0 && !gap.must_break {
            if matches!(separator, Space | KeptSpace | LineOrSpace | Break | TightBreak) {
                self.push(Part::Space);
            }
            return;
        }
        match separator {
            Line | LineOrSpace if !gap.must_break => {
                if separator == LineOrSpace {
                    self.push(Part::FlatPadding(spaces));
                }
                self.push(Part::Line { is_space: separator == LineOrSpace, has_empty_line });
            }
            Break => self.push_break(has_empty_line),
            TightBreak => self.push_break(false),
            _ if gap.must_break => self.push_break(has_empty_line && matches!(separator, Line | LineOrSpace)),
            KeptSpace | KeptNothing if gap.breaks => {
                self.continuations += 1;
                self.push_break(false);
            }
            Space | KeptSpace => {
                self.push(Part::Padding(spaces));
                self.push(Part::Space);
            }
            _ if gap.follows_comment => self.push(Part::Space),
            _ => {}
        }
    }

    /// Emits the comments and the separator before the token at `start`.
    pub(crate) fn lead(&mut self, separator: Separator, start: u32) {
        if separator == Separator::Joined && self.keep_gap(start) {
            return;
        }
        let separator = match separator {
            Separator::KeptBlank if self.cursor < start => Separator::Space,
            Separator::KeptBlank => Separator::Nothing,
            separator => separator,
        };
        let gap = self.gap(start, false);
        self.separate(separator, gap);
        self.cursor = start;
    }

    /// Keeps the source before `start` if it contains comments.
    fn keep_gap(&mut self, start: u32) -> bool {
        let before = self.trivia[self.next_trivia..].iter().take_while(|it| it.range.start < start);
        let next = self.next_trivia + before.clone().count();
        let heredoc = before.filter(|it| it.kind == TriviaKind::Heredoc).last();
        if let Some(heredoc) = heredoc {
            self.gap(heredoc.range.end, false);
        }
        if next == self.next_trivia {
            return false;
        }
        let gap = TextRange::new(self.cursor, start);
        self.breaks += usize::from(self.text[gap.as_range()].contains('\n'));
        self.push(Part::Gap(gap));
        self.cursor = gap.end;
        self.next_trivia = next;
        true
    }

    /// Emits a piece of the source.
    pub(crate) fn source(&mut self, range: TextRange) {
        if self.text[range.as_range()].contains('\n') {
            self.breaks += 1;
            self.push(Part::SourceLines(range));
        } else {
            self.push(Part::Source(range));
        }
        self.cursor = range.end;
    }

    pub(crate) fn token(&mut self, separator: Separator, token: &FlatToken<'_>) {
        let range = token.text_range();
        self.lead(separator, range.start);
        let keeps_quotes = self.is_template && self.conventions.has_double_quotes;
        let may_change = self.options.quotes == QuoteStyle::Single
            && token.kind() == SyntaxKind::DQ_STRING
            && !keeps_quotes;
        if may_change && may_be_single_quoted(token.text()) {
            self.push(Part::Requoted(range));
            self.cursor = range.end;
        } else {
            self.source(range);
        }
        self.open_heredocs += usize::from(token.kind() == SyntaxKind::HEREDOC_START);
    }

    pub(crate) fn element(&mut self, separator: Separator, element: &FlatElement<'_>) {
        match element {
            FlatElement::Node(node) => self.node(separator, node),
            FlatElement::Token(token) => self.token(separator, token),
        }
    }

    /// Formats a node, including the separator before it.
    pub(crate) fn node(&mut self, separator: Separator, node: &FlatNode<'_>) {
        self.lead(separator, node.text_range().start);
        self.format_node(node);
    }

    /// Emits a node as in the source.
    pub(crate) fn verbatim(&mut self, node: &FlatNode<'_>) {
        let range = node.text_range();
        if node.text().contains("@(") || self.open_heredocs > 0 {
            for kind in node.descendants_with_tokens().map(|it| it.kind()) {
                match kind {
                    SyntaxKind::HEREDOC_START => self.open_heredocs += 1,
                    SyntaxKind::HEREDOC_BODY => self.open_heredocs = self.open_heredocs.saturating_sub(1),
                    _ => {}
                }
            }
        }
        self.source(range);
        self.skip_trivia(range.end);
    }

    /// Skips the source before `end`, including its comments.
    pub(crate) fn skip_trivia(&mut self, end: u32) {
        while self.pending_trivia(end).is_some() {
            self.next_trivia += 1;
        }
        self.cursor = self.cursor.max(end);
    }
}

/// Returns the children that are not trivia.
pub(crate) fn children<'t>(node: &FlatNode<'t>) -> Vec<FlatElement<'t>> {
    let is_seen = |it: &FlatElement<'_>| !it.kind().is_trivia() && it.kind() != SyntaxKind::HEREDOC_BODY;
    node.children_with_tokens().filter(is_seen).collect()
}
