//! Separators between the parts of expressions and statements.

use syntax::SyntaxKind::*;
use syntax::{SyntaxElement, SyntaxKind, SyntaxNode};

use crate::builder::{DocumentBuilder, Separator, children};
use crate::document::Part;

impl DocumentBuilder<'_> {
    /// Formats a node, without the separator before it.
    pub(crate) fn format_node(&mut self, node: &SyntaxNode) {
        match node.kind() {
            ERROR | INTERPOLATED_STRING | HOST_NAME => self.verbatim(node),
            BLOCK | CASE_EXPR => self.braced_statements(node),
            ARRAY_EXPR | HASH_EXPR | PAREN_EXPR | ARGUMENT_LIST | PARAMETER_LIST | SELECTOR_EXPR
            | RESOURCE_DEFAULTS | RESOURCE_OVERRIDE | UNTITLED_RESOURCE | COLLECT_EXPR => self.listing(node),
            RESOURCE_EXPR => self.resource(node),
            ATTRIBUTE | ATTRIBUTE_SPLAT | KEYED_ENTRY | SELECTOR_ENTRY | PARAMETER => {
                self.entry(node);
            }
            RELATIONSHIP_EXPR => self.relationship(node),
            ASSIGNMENT_EXPR => self.assignment(node),
            _ => self.parts_of(node),
        }
    }

    /// Formats the parts of a node in sequence.
    pub(crate) fn parts_of(&mut self, node: &SyntaxNode) {
        let mut before = None;
        for child in children(node) {
            let kind = child.kind();
            let separator = before.map_or(Separator::Nothing, |before| between(node.kind(), before, kind));
            self.element(separator, &child);
            before = Some(kind);
        }
    }

    /// Formats `left -> right`, with the arrow on the line of its right operand.
    fn relationship(&mut self, node: &SyntaxNode) {
        let children = children(node);
        let [left, arrow, right] = children.as_slice() else { return self.parts_of(node) };
        self.element(Separator::Nothing, left);
        let (arrow_range, right_start) = (arrow.text_range(), right.text_range().start);
        let is_moved = self.breaks_between(arrow_range.end, right_start);
        let text = arrow.kind().fixed_text();
        let Some(text) = text.filter(|_| is_moved) else {
            let breaks = self.breaks_between(self.cursor, arrow_range.start);
            let separator = if breaks { Separator::Break } else { Separator::Space };
            self.element(separator, arrow);
            return self.element(Separator::Space, right);
        };
        let gap = self.gap(right_start, false);
        self.separate(Separator::Break, gap);
        self.push(Part::Literal(text));
        self.push(Part::Space);
        self.cursor = right_start;
        self.element(Separator::Nothing, right);
    }

    /// Formats `variable = value`.
    fn assignment(&mut self, node: &SyntaxNode) {
        let children = children(node);
        let [variable, operator, value] = children.as_slice() else { return self.parts_of(node) };
        let pad = std::mem::take(&mut self.operator_pad);
        self.element(Separator::Nothing, variable);
        self.push(Part::Padding(pad));
        self.element(Separator::Space, operator);
        self.value(value);
    }

    /// Formats the value after `=`. The value stays on the next line if the source has it there and it takes
    /// one line.
    pub(crate) fn value(&mut self, value: &SyntaxElement) {
        let range = value.text_range();
        if self.breaks_between(self.cursor, range.start) {
            let start = self.checkpoint();
            self.push(Part::Indent { if_broken: false });
            self.lead(Separator::TightBreak, range.start);
            let breaks = self.breaks;
            self.element(Separator::Nothing, value);
            self.push(Part::Dedent);
            if self.breaks == breaks {
                return;
            }
            self.restore(start);
        }
        self.element(Separator::Space, value);
    }
}

/// Returns the separator between two children of a node.
fn between(parent: SyntaxKind, before: SyntaxKind, next: SyntaxKind) -> Separator {
    use Separator::*;
    match (parent, before, next) {
        (UNARY_EXPR | VIRTUAL_EXPR, _, _) => Nothing,
        (_, DOT, _) => Nothing,
        (METHOD_CALL_EXPR, _, DOT) => KeptNothing,
        (ACCESS_EXPR | CALL_EXPR | METHOD_CALL_EXPR | APPLY_EXPR, _, ARGUMENT_LIST) => Joined,
        (FUNCTION_DEFINITION | PLAN_DEFINITION, _, PARAMETER_LIST) => Nothing,
        (CASE_OPTION, _, COLON) | (_, _, COMMA | SEMICOLON) => Nothing,
        (CASE_OPTION | HOST_LIST, COMMA, _) => KeptSpace,
        // A bracket at the start of a line would parse as the start of a new expression.
        (BINARY_EXPR, _, ARRAY_EXPR | HASH_EXPR) => Space,
        (BINARY_EXPR, _, _) => KeptSpace,
        _ => Space,
    }
}
