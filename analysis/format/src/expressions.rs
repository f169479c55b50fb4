//! Separators between the parts of expressions and statements.

use syntax::SyntaxKind::*;
use syntax::{FlatElement, FlatNode, SyntaxKind};

use crate::builder::{DocumentBuilder, KeptSpaces, Separator, children};
use crate::document::{Breaking, Part, width};
use crate::kept::conventions::is_clause_on_own_line;

impl DocumentBuilder<'_> {
    /// Formats a node, without the separator before it.
    pub(crate) fn format_node(&mut self, node: &FlatNode<'_>) {
        match node.kind() {
            ERROR | INTERPOLATED_STRING | HOST_NAME => self.verbatim(node),
            BLOCK | CASE_EXPR => self.braced_statements(node),
            ARRAY_EXPR | HASH_EXPR | PAREN_EXPR | ARGUMENT_LIST | PARAMETER_LIST | SELECTOR_EXPR
            | RESOURCE_DEFAULTS | RESOURCE_OVERRIDE | UNTITLED_RESOURCE | COLLECT_EXPR => self.listing(node),
            RESOURCE_EXPR => self.resource(node),
            ATTRIBUTE | ATTRIBUTE_SPLAT | KEYED_ENTRY | SELECTOR_ENTRY | PARAMETER => {
                self.entry(node);
            }
            RELATIONSHIP_EXPR => self.relationships(node),
            METHOD_CALL_EXPR => self.method_calls(node),
            IF_EXPR | ELSIF_CLAUSE | UNLESS_EXPR => self.conditional(node),
            ASSIGNMENT_EXPR => self.assignment(node),
            _ => self.parts_of(node),
        }
    }

    /// Formats the parts of a node in sequence.
    pub(crate) fn parts_of(&mut self, node: &FlatNode<'_>) {
        let mut before = None;
        for child in children(node) {
            let kind = child.kind();
            let separator = before.map_or(Separator::Nothing, |before| between(node.kind(), before, kind));
            if node.kind() == CASE_OPTION && kind == BLOCK {
                self.kept_spaces = KeptSpaces::AlignedBracket;
            }
            let keeps_space = match (node.kind(), child.as_node()) {
                (CASE_OPTION, None) => kind == COLON && self.conventions.has_space_before_colon,
                (CALL_EXPR, Some(it)) => self.conventions.keeps_space_before(self.text, it),
                _ => false,
            };
            let separator = if keeps_space { Separator::KeptBlank } else { separator };
            if kind == COLON && self.conventions.aligned_colons.contains(&child.text_range().start) {
                self.pad(self.spaces_before(&child).unwrap_or_default(), &child);
                self.element(Separator::Nothing, &child);
            } else {
                self.element(separator, &child);
            }
            before = Some(kind);
        }
    }

    /// Formats a conditional. A condition is broken only where the source has line breaks: without parentheses
    /// around the whole, there is no good place.
    fn conditional(&mut self, node: &FlatNode<'_>) {
        let mut before = None;
        let breaks_blocks = std::mem::take(&mut self.breaks_blocks) || self.is_long_choice(node);
        for child in children(node) {
            let kind = child.kind();
            self.breaks_blocks = breaks_blocks && matches!(kind, BLOCK | ELSIF_CLAUSE | ELSE_CLAUSE);
            let separator = before.map_or(Separator::Nothing, |before| between(node.kind(), before, kind));
            let is_condition = matches!(before, Some(IF_KW | ELSIF_KW | UNLESS_KW)) && kind != PAREN_EXPR;
            self.kept_lines += usize::from(is_condition);
            let separator = match child.as_node() {
                Some(clause) if self.keeps_line_of(clause) => Separator::TightBreak,
                _ => separator,
            };
            self.element(separator, &child);
            self.kept_lines -= usize::from(is_condition);
            before = Some(kind);
        }
    }

    /// Returns true for an `else` or `elsif` that stays at the start of its line: as most of the file do, or after a
    /// block on one line, so that no line has several blocks.
    fn keeps_line_of(&self, clause: &FlatNode<'_>) -> bool {
        let siblings = clause.parent().into_iter().flat_map(|it| it.children());
        let before = siblings.take_while(|it| it.text_range().end <= clause.text_range().start).last();
        let block = before.and_then(|it| it.children().last().filter(|it| it.kind() == BLOCK).or(Some(it)));
        let is_after_line = block.is_some_and(|it| !it.text().contains('\n'));
        let is_kept = matches!(clause.kind(), ELSIF_CLAUSE | ELSE_CLAUSE)
            && (self.conventions.else_begins_line || is_after_line)
            && is_clause_on_own_line(self.text, clause);
        if is_kept && is_after_line {
            // The block may be broken.
            self.has_unsettled_columns.set(true);
        }
        is_kept
    }

    /// Returns true for a conditional with several blocks on a line that is too long, all of which are then broken.
    fn is_long_choice(&self, node: &FlatNode<'_>) -> bool {
        let range = node.text_range();
        let line = &self.text[self.line_start(range.start)..self.line_end(range.start)];
        node.kind() == IF_EXPR
            && node.children().any(|it| matches!(it.kind(), ELSIF_CLAUSE | ELSE_CLAUSE))
            && !node.text().contains('\n')
            && width(line) > self.options.width
            && self.kept_lines == 0
            && !self.is_on_ignored_line()
    }

    /// Formats a chain of method calls: on one line, or with each call on its own.
    fn method_calls<'t>(&mut self, node: &FlatNode<'t>) {
        let receiver =
            |call: &FlatNode<'t>| call.children().next().filter(|it| it.kind() == METHOD_CALL_EXPR);
        let calls: Vec<FlatNode<'_>> = std::iter::successors(Some(*node), receiver).collect();
        let breaks = |call: &FlatNode<'_>| {
            let dot = children(call).into_iter().find(|it| it.kind() == DOT);
            let start = call.children().next().map(|it| it.text_range().end);
            match (start, dot) {
                (Some(start), Some(dot)) => {
                    let gap = &self.text[start as usize..dot.text_range().start as usize];
                    !gap.bytes().all(|it| it == b' ' || it == b'\t')
                }
                _ => true,
            }
        };
        if calls.len() < 2 || calls.iter().any(breaks) {
            return self.parts_of(node);
        }
        self.begin_group(Breaking::IfLong);
        for call in calls.iter().rev() {
            let is_innermost = call.text_range() == calls[calls.len() - 1].text_range();
            let mut before = None;
            for child in children(call) {
                let kind = child.kind();
                let separator = match before {
                    None => Separator::Nothing,
                    Some(_) if kind == DOT => Separator::Line,
                    Some(before) => between(METHOD_CALL_EXPR, before, kind),
                };
                if before.is_some() || is_innermost {
                    self.element(separator, &child);
                }
                before = Some(kind);
            }
        }
        self.end_group();
    }

    /// Formats a chain of relationships. On one line in the source, it stays there or has each arrow on its own
    /// line; otherwise, its line breaks are kept.
    fn relationships<'t>(&mut self, node: &FlatNode<'t>) {
        let left = |it: &FlatNode<'t>| it.children().next().filter(|it| it.kind() == RELATIONSHIP_EXPR);
        let chain: Vec<FlatNode<'_>> = std::iter::successors(Some(*node), left).collect();
        let parts: Vec<Vec<FlatElement<'_>>> = chain.iter().rev().map(children).collect();
        let is_on_line = |parts: &Vec<FlatElement<'_>>| match parts.as_slice() {
            [left, arrow, right] => {
                let between = |before: &FlatElement<'_>, next: &FlatElement<'_>| {
                    let gap = &self.text[before.text_range().end as usize..next.text_range().start as usize];
                    gap.trim().is_empty() && !gap.contains('\n')
                };
                between(left, arrow) && between(arrow, right)
            }
            _ => false,
        };
        if !parts.iter().all(is_on_line) {
            return self.relationship(node);
        }
        self.begin_group(Breaking::IfLong);
        for (at, operands) in parts.iter().enumerate() {
            let [left, arrow, right] = operands.as_slice() else { continue };
            if at == 0 {
                self.element(Separator::Nothing, left);
            }
            self.element(Separator::LineOrSpace, arrow);
            self.element(Separator::Space, right);
        }
        self.end_group();
    }

    /// Formats `left -> right`, with the arrow on the line of its right operand.
    fn relationship(&mut self, node: &FlatNode<'_>) {
        let children = children(node);
        let [left, arrow, right] = children.as_slice() else { return self.parts_of(node) };
        self.element(Separator::Nothing, left);
        let (arrow_range, right_start) = (arrow.text_range(), right.text_range().start);
        let is_moved = self.breaks_between(arrow_range.end, right_start);
        let text = arrow.kind().fixed_text();
        let Some(text) = text.filter(|_| is_moved) else {
            let breaks = self.breaks_between(self.cursor, arrow_range.start);
            let line_break = if self.conventions.has_empty_lines_in_chains {
                Separator::Break
            } else {
                Separator::TightBreak
            };
            let separator = if breaks { line_break } else { Separator::Space };
            self.element(separator, arrow);
            return self.element(Separator::Space, right);
        };
        let gap = self.gap(right_start, false);
        self.separate(Separator::TightBreak, gap);
        self.push(Part::Literal(text));
        self.push(Part::Space);
        self.cursor = right_start;
        self.element(Separator::Nothing, right);
    }

    /// Formats `variable = value`.
    fn assignment(&mut self, node: &FlatNode<'_>) {
        let children = children(node);
        let [variable, operator, value] = children.as_slice() else { return self.parts_of(node) };
        let pad = std::mem::take(&mut self.operator_pad);
        self.element(Separator::Nothing, variable);
        self.pad(pad.width, operator);
        self.kept_spaces = KeptSpaces::No;
        self.element(pad.separator(), operator);
        self.value(value);
    }

    /// Formats the value after `=`. The value stays on the next line if the source has it there and it takes
    /// one line.
    pub(crate) fn value(&mut self, value: &FlatElement<'_>) {
        let range = value.text_range();
        if self.breaks_between(self.cursor, range.start) {
            let start = self.checkpoint();
            let is_nested = std::mem::replace(&mut self.undoes_breaks, true);
            self.push(Part::Indent { if_broken: false });
            self.lead(Separator::TightBreak, range.start);
            let breaks = self.breaks;
            self.element(Separator::Nothing, value);
            self.push(Part::Dedent);
            self.undoes_breaks = is_nested;
            if self.breaks == breaks || is_nested {
                return;
            }
            self.restore(start);
        }
        self.element(Separator::Space, value);
    }
}

/// Returns the separator between two children of a node.
pub(crate) fn between(parent: SyntaxKind, before: SyntaxKind, next: SyntaxKind) -> Separator {
    use Separator::*;
    match (parent, before, next) {
        (UNARY_EXPR, BANG, _) => KeptBlank,
        (UNARY_EXPR | VIRTUAL_EXPR, _, _) => Nothing,
        (_, DOT, _) => Nothing,
        (METHOD_CALL_EXPR, _, DOT) => KeptNothing,
        (ACCESS_EXPR | CALL_EXPR | METHOD_CALL_EXPR | APPLY_EXPR, _, ARGUMENT_LIST) => Joined,
        (FUNCTION_DEFINITION | PLAN_DEFINITION, _, PARAMETER_LIST) => KeptBlank,
        (COLLECT_EXPR, _, VIRTUAL_QUERY | EXPORTED_QUERY) => KeptBlank,
        (VIRTUAL_QUERY, COLLECT_START, COLLECT_END) => KeptBlank,
        (EXPORTED_QUERY, EXPORTED_START, EXPORTED_END) => KeptBlank,
        (VIRTUAL_QUERY, COLLECT_START, _) | (VIRTUAL_QUERY, _, COLLECT_END) => KeptSpace,
        (EXPORTED_QUERY, EXPORTED_START, _) | (EXPORTED_QUERY, _, EXPORTED_END) => KeptSpace,
        (CASE_OPTION, _, COLON) | (_, _, COMMA | SEMICOLON) => Nothing,
        (CASE_OPTION | HOST_LIST, COMMA, _) => KeptSpace,
        // A bracket at the start of a line would parse as the start of a new expression.
        (BINARY_EXPR, _, ARRAY_EXPR | HASH_EXPR) => Space,
        (BINARY_EXPR, _, _) => KeptSpace,
        _ => Space,
    }
}
