//! Statements, the empty lines between them, and the comments that disable the formatter.

use syntax::SyntaxKind::*;
use syntax::{FlatElement, FlatNode, SyntaxKind, TextRange};

use crate::EqualsAlignment;
use crate::builder::{DocumentBuilder, Separator, children};
use crate::document::{Breaking, Part, width};
use crate::kept::columns::{ColumnElement, ColumnEntry, ColumnKind, ColumnPadding};
use crate::trivia::{Trivia, TriviaKind};

/// Formatter directive in a comment.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Instruction {
    /// `# format:off`: the following code stays unformatted.
    Off,
    /// `# format:on`
    On,
    /// `# format:ignore`: the next statement stays unformatted.
    Ignore,
}

/// Minimum number of adjacent resources of a type that form a group without empty lines.
const TIGHT_RESOURCES: usize = 3;

/// Previous statement, for the empty line after it.
struct Previous {
    is_resource: bool,
    breaks: bool,
}

impl DocumentBuilder<'_> {
    /// Formats the whole file.
    pub(crate) fn file(&mut self, root: &FlatNode<'_>) {
        let end = self.text.len() as u32;
        let bom = root.tokens().next().filter(|it| it.kind() == BOM);
        if let Some(bom) = bom {
            self.source(bom.text_range());
        }
        self.statements(&children(root), end, Separator::Break);
        self.gap(end, self.parts.is_empty());
        self.cursor = end;
    }

    /// Formats `{ statements }`, including the part of the node before the brace.
    pub(crate) fn braced_statements(&mut self, node: &FlatNode<'_>) {
        let children = children(node);
        let open = children.iter().position(|it| it.kind() == L_BRACE);
        let close = children.last().filter(|it| it.kind() == R_BRACE);
        let (Some(open), Some(close)) = (open, close) else { return self.verbatim(node) };
        for (at, child) in children[..=open].iter().enumerate() {
            self.element(if at == 0 { Separator::Nothing } else { Separator::Space }, child);
        }
        let inner = &children[open + 1..children.len() - 1];
        let end = close.text_range().start;
        if inner.is_empty() && self.pending_trivia(end).is_none() {
            return self.element(self.inside_empty_block(node, end), close);
        }
        let is_alone = node.kind() == BLOCK
            && inner.len() == 1
            && !inner[0].as_node().is_some_and(|it| is_definition(it) || ends_with_block(it));
        let breaks_block = std::mem::take(&mut self.breaks_blocks);
        self.begin_group(if is_alone && !breaks_block { Breaking::IfItFits } else { Breaking::Always });
        let extra_levels = if node.kind() == BLOCK { self.extra_levels(inner, end) } else { 0 };
        for _ in 0..=extra_levels {
            self.push(Part::Indent { if_broken: true });
        }
        let (breaks, continuations) = (self.breaks, self.continuations);
        self.statements(inner, end, Separator::LineOrSpace);
        if self.breaks > breaks {
            self.must_break();
        }
        self.continuations = continuations;
        self.extra_levels = extra_levels;
        self.close(Separator::LineOrSpace, close, inner.is_empty(), true);
    }

    /// Returns the separator before the brace that closes an empty block, which keeps a line break. Conditionals keep
    /// a space as well.
    fn inside_empty_block(&self, node: &FlatNode<'_>, end: u32) -> Separator {
        let parent = node.parent().map(|it| it.kind());
        let is_conditional = matches!(parent, Some(IF_EXPR | ELSIF_CLAUSE | ELSE_CLAUSE | UNLESS_EXPR));
        match self.breaks_between(self.cursor, end) {
            true => Separator::TightBreak,
            false if is_conditional && self.cursor < end => Separator::Space,
            _ => Separator::Nothing,
        }
    }

    /// Formats statements up to `end`; `first` is the separator before the first one.
    fn statements(&mut self, items: &[FlatElement<'_>], end: u32, first: Separator) {
        let pads = self.kept_operators(items);
        let unformatted = self.unformatted_items(items);
        let tight = self.tight_resources(items);
        let mut previous: Option<Previous> = None;
        let mut at = 0;
        while let Some(item) = items.get(at) {
            let range = item.text_range();
            if let Some(off) = self.switched_off(range.start) {
                self.switch_off(off, items, end);
                at = items.partition_point(|it| it.text_range().start < self.cursor);
                previous = None;
                continue;
            }
            if item.kind() == SEMICOLON {
                self.element(Separator::Nothing, item);
                at += 1;
                continue;
            }
            let is_first = at == 0;
            let before = self.parts.len();
            if unformatted[at]
                && at > 0
                && unformatted[at - 1]
                && !self.breaks_between(self.cursor, range.start)
            {
                self.append_unformatted(range);
                at += 1;
                continue;
            }
            let is_ignored = self.is_ignored(range.start);
            let gap = self.gap(range.start, is_first);
            let separator = if is_first { first } else { Separator::Break };
            if !self.parts.is_empty() {
                self.separate(separator, gap);
            }
            let breaks = self.breaks;
            self.operator_pad = pads[at];
            self.statement(item, is_ignored, unformatted[at]);
            self.operator_pad = ColumnPadding::default();
            let next = Previous { is_resource: is_resource(item.kind()), breaks: self.breaks > breaks };
            let are_apart = |it: Previous| it.is_resource && next.is_resource && (it.breaks || next.breaks);
            if previous.is_some_and(are_apart) && !tight[at] && !self.conventions.has_adjacent_resources {
                self.add_empty_line(before);
            }
            previous = Some(next);
            at += 1;
        }
        if let Some(off) = self.switched_off(end) {
            self.switch_off(off, &[], end);
        }
    }

    /// Returns, for each statement, true if no empty line is added before it: there is one already, also after a comment
    /// that ends the part above, or the statement is one of several resources without empty lines that belong together.
    fn tight_resources(&self, items: &[FlatElement<'_>]) -> Vec<bool> {
        let mut tight = vec![false; items.len()];
        let resource_type = |item: &FlatElement<'_>| {
            let node = item.as_node().filter(|it| it.kind() == RESOURCE_EXPR)?;
            Some(&self.text[node.children().next()?.text_range().as_range()])
        };
        let types: Vec<Option<&str>> = items.iter().map(resource_type).collect();
        let is_of_type_before = |at: usize| types[at].is_some() && types[at] == types[at - 1];
        let is_after_empty_line =
            |at: usize| at > 0 && has_empty_line(self.between(&items[at - 1], &items[at]));
        let after_empty_line: Vec<bool> = (0..items.len()).map(is_after_empty_line).collect();
        let mut start = 0;
        for at in 1..=items.len() {
            if at < items.len() && is_of_type_before(at) {
                let is_tight = at - start >= TIGHT_RESOURCES;
                // A comment neither makes nor ends such a group.
                if self.are_adjacent(items[at - 1].text_range(), items[at].text_range())
                    || is_tight && !after_empty_line[at]
                {
                    continue;
                }
            }
            if at - start >= TIGHT_RESOURCES {
                tight[start + 1..at].fill(true);
            }
            start = at;
        }
        for (tight, is_after_empty_line) in tight.iter_mut().zip(&after_empty_line) {
            *tight |= *is_after_empty_line;
        }
        // Statements on a line will be on adjacent lines.
        let is_beside = |at: usize| self.between(&items[at - 1], &items[at]).matches('\n').count() < 2;
        add_paragraphs(items, &mut tight, is_beside);
        add_paragraphs(items, &mut tight, |at| !after_empty_line[at]);
        tight
    }

    /// Returns the text between two statements.
    fn between(&self, before: &FlatElement<'_>, next: &FlatElement<'_>) -> &str {
        let (end, start) = (before.text_range().end, next.text_range().start);
        self.text.get(end as usize..start as usize).unwrap_or_default()
    }

    /// Returns the padding before the operators of assignments that the author has aligned.
    fn kept_operators(&self, items: &[FlatElement<'_>]) -> Vec<ColumnPadding> {
        let entries = items.iter().map(|item| {
            let node = item.as_node().filter(|it| it.kind() == ASSIGNMENT_EXPR)?;
            let mut parts = children(node).into_iter();
            let head =
                parts.next().filter(|it| matches!(it.kind(), VARIABLE_EXPR | ARRAY_EXPR))?.text_range();
            let start = parts.next()?.text_range().start;
            let head_width = width(&self.text[head.as_range()]);
            Some(ColumnEntry {
                line: item.text_range(),
                element: Some(ColumnElement { head_width, start, shift: 0 }),
            })
        });
        let alignment = match self.options.align_equals {
            EqualsAlignment::Never => EqualsAlignment::Never,
            _ => EqualsAlignment::Keep,
        };
        self.padding(&entries.collect::<Vec<_>>(), alignment, ColumnKind::Equals)
    }

    /// Returns, for each statement, true if it has a syntax error or shares a line with one that has.
    fn unformatted_items(&self, items: &[FlatElement<'_>]) -> Vec<bool> {
        if self.errors.is_empty() {
            return vec![false; items.len()];
        }
        let mut unformatted: Vec<bool> = items.iter().map(|it| !self.is_sound(it)).collect();
        let are_beside = |at: usize| {
            let (before, next) = (items[at - 1].text_range(), items[at].text_range());
            !self.text[before.end as usize..next.start as usize].contains('\n')
        };
        for at in 1..items.len() {
            unformatted[at] |= unformatted[at - 1] && are_beside(at);
        }
        for at in (1..items.len()).rev() {
            unformatted[at - 1] |= unformatted[at] && are_beside(at);
        }
        unformatted
    }

    /// Emits a statement that follows an unformatted one on the same line.
    fn append_unformatted(&mut self, range: TextRange) {
        self.breaks += 1;
        self.push(Part::Lines(TextRange::new(self.cursor, range.end)));
        self.skip_trivia(range.end);
        if let Some(last) = self.unformatted.last_mut() {
            last.end = last.end.max(range.end);
        }
    }

    fn statement(&mut self, item: &FlatElement<'_>, is_ignored: bool, is_unformatted: bool) {
        let range = item.text_range();
        if is_unformatted && !is_ignored {
            self.unformatted.push(range);
        }
        if !is_ignored && !is_unformatted {
            self.cursor = range.start;
            return self.element(Separator::Nothing, item);
        }
        let line_start = self.text[..range.start as usize].rfind('\n').map_or(0, |it| it + 1);
        let is_first_on_line = self.text[line_start..range.start as usize].trim().is_empty();
        let start = if is_first_on_line { (line_start as u32).max(self.cursor) } else { range.start };
        self.breaks += 1;
        self.push(Part::Lines(TextRange::new(start, range.end)));
        self.skip_trivia(range.end);
        self.cursor = range.end;
    }

    /// Adds an empty line to the line break after the parts up to `before`.
    fn add_empty_line(&mut self, before: usize) {
        let rest = &mut self.parts[before..];
        let is_gap = matches!(rest.first(), Some(Part::Space | Part::Padding(_) | Part::Column(_)));
        let trailing = is_gap && matches!(rest.get(1), Some(Part::Source(_) | Part::SourceLines(_)));
        let first = rest.get_mut(if trailing { 2 } else { 0 });
        if let Some(Part::Break { has_empty_line }) = first {
            *has_empty_line = true;
        }
    }

    /// Returns true if a statement has no syntax errors outside of its nested blocks.
    fn is_sound(&self, item: &FlatElement<'_>) -> bool {
        let range = item.text_range();
        let mut errors = self.errors.iter().filter(|it| range.start <= it.start && it.start <= range.end);
        match item {
            FlatElement::Token(_) => errors.next().is_none(),
            FlatElement::Node(node) => {
                node.kind() != ERROR && errors.all(|error| is_in_block_of(node, *error))
            }
        }
    }

    fn instruction(&self, trivia: &Trivia) -> Option<Instruction> {
        let text = self.text[trivia.range.as_range()].trim_start_matches('#').trim();
        match text.split_whitespace().next().filter(|_| trivia.kind == TriviaKind::LineComment)? {
            "format:off" => Some(Instruction::Off),
            "format:on" => Some(Instruction::On),
            "format:ignore" => Some(Instruction::Ignore),
            _ => None,
        }
    }

    /// Returns the comment before `end` that disables the formatter.
    fn switched_off(&self, end: u32) -> Option<Trivia> {
        let before = self.trivia[self.next_trivia..].iter().take_while(|it| it.range.start < end);
        before.copied().find(|it| self.instruction(it) == Some(Instruction::Off))
    }

    fn is_ignored(&self, end: u32) -> bool {
        let before = self.trivia[self.next_trivia..].iter().take_while(|it| it.range.start < end);
        before.last().is_some_and(|it| self.instruction(it) == Some(Instruction::Ignore))
    }

    /// Keeps the source between `# format:off` and `# format:on`, or the `end` of the block.
    fn switch_off(&mut self, off: Trivia, items: &[FlatElement<'_>], end: u32) {
        self.gap(off.range.end, self.parts.is_empty());
        let is_inside = |range: TextRange| items.iter().any(|it| it.text_range().contains_range(range));
        let on = self.trivia[self.next_trivia..].iter().find(|it| {
            it.range.start < end && self.instruction(it) == Some(Instruction::On) && !is_inside(it.range)
        });
        let stop = on.map_or(end, |it| it.range.start) as usize;
        let kept = self.text[off.range.end as usize..stop].trim_end();
        let range = TextRange::new(off.range.end, off.range.end + kept.len() as u32);
        self.breaks += 1;
        self.push(Part::Lines(range));
        self.skip_trivia(range.end);
        self.cursor = range.end;
    }
}

/// Adds the resources of paragraphs that begin with another statement, such as `include`, between empty lines. `continues`
/// returns true for a statement in the paragraph of the previous one.
fn add_paragraphs(items: &[FlatElement<'_>], tight: &mut [bool], continues: impl Fn(usize) -> bool) {
    let mut start = 0;
    for at in 1..=items.len() {
        if at < items.len() && continues(at) {
            continue;
        }
        if !is_resource(items[start].kind()) && at - start < items.len() {
            tight[start + 1..at].fill(true);
        }
        start = at;
    }
}

/// Returns true if there is an empty line in the text between two statements.
fn has_empty_line(between: &str) -> bool {
    if between.bytes().filter(|it| *it == b'\n').count() < 2 {
        return false;
    }
    let mut lines = between.split('\n').skip(1).peekable();
    while let Some(line) = lines.next() {
        // The last one is the indentation of the next statement.
        if lines.peek().is_some() && line.trim().is_empty() {
            return true;
        }
    }
    false
}

/// Returns true if the error is in a statement of a complete block below the node.
fn is_in_block_of(node: &FlatNode<'_>, error: TextRange) -> bool {
    let holds = |child: &FlatNode<'_>| {
        let range = child.text_range();
        range.start <= error.start && error.end <= range.end
    };
    let Some(child) = node.children().find(holds) else { return false };
    let is_complete = node.kind() == BLOCK && node.token(R_BRACE).is_some();
    is_complete || is_in_block_of(&child, error)
}

/// Returns true if the last brace of a statement closes a block or a resource.
fn ends_with_block<'t>(statement: &FlatNode<'t>) -> bool {
    let end = statement.text_range().end;
    let last = |it: &FlatNode<'t>| it.children().last().filter(|it| it.text_range().end == end);
    let mut nodes = std::iter::successors(Some(*statement), last);
    nodes.any(|it| matches!(it.kind(), BLOCK | CASE_EXPR | RESOURCE_EXPR))
}

fn is_definition(node: &FlatNode<'_>) -> bool {
    matches!(
        node.kind(),
        CLASS_DEFINITION | DEFINED_TYPE | FUNCTION_DEFINITION | NODE_DEFINITION | PLAN_DEFINITION
    )
}

fn is_resource(kind: SyntaxKind) -> bool {
    matches!(kind, RESOURCE_EXPR | VIRTUAL_EXPR | RESOURCE_DEFAULTS | RESOURCE_OVERRIDE)
}
