//! Bracketed lists, on one line or with one element per line.

use syntax::SyntaxKind::*;
use syntax::{SyntaxElement, SyntaxKind, SyntaxNode};

use crate::builder::{DocumentBuilder, Separator, children};
use crate::document::Part;
use crate::entries::Column;

/// Format of a list.
#[derive(Clone, Copy)]
struct ListStyle {
    /// Spaces between the brackets and their contents.
    has_spaces: bool,
    /// A trailing comma may be added.
    takes_comma: bool,
    /// The last element may span several lines while the brackets stay next to it.
    hugs_last: bool,
    /// A single element stays next to the brackets even if the source has a line break there.
    joins_only: bool,
    /// Elements are indented.
    indents: bool,
}

impl DocumentBuilder<'_> {
    /// Formats a node that is or ends with a bracketed list.
    pub(crate) fn listing(&mut self, node: &SyntaxNode) {
        let children = children(node);
        let kind = node.kind();
        let open = children.iter().position(|it| is_opening(kind, it.kind()));
        let Some(open) = open else { return self.open_list(node, &children) };
        if !children.last().is_some_and(|it| is_closing(it.kind())) || open + 1 == children.len() {
            return self.parts_of(node);
        }
        for (at, child) in children[..open].iter().enumerate() {
            self.element(if at == 0 { Separator::Nothing } else { Separator::Space }, child);
        }
        self.element(if open == 0 { Separator::Nothing } else { Separator::Space }, &children[open]);
        let style = style(node, &children[open..]);
        self.bracketed(&children[open + 1..children.len() - 1], &children[children.len() - 1], style);
    }

    /// Formats the contents of brackets, and the closing bracket.
    fn bracketed(&mut self, inner: &[SyntaxElement], close: &SyntaxElement, style: ListStyle) {
        let line = if style.has_spaces { Separator::LineOrSpace } else { Separator::Line };
        let close_start = close.text_range().start;
        if inner.is_empty() && self.pending_trivia(close_start).is_none() {
            return self.element(Separator::Nothing, close);
        }
        if let [only] = inner
            && self.is_hugged(only, close_start, style)
        {
            self.element(Separator::Nothing, only);
            return self.element(Separator::Nothing, close);
        }
        let continuations = self.continuations;
        self.begin_group(false);
        if style.indents {
            self.push(Part::Indent { if_broken: true });
        }
        let mut column = Column::default();
        let broken = self.elements(inner, line, &mut column);
        let count = inner.iter().filter(|it| it.kind() != COMMA).count();
        let ends_with_comma = inner.last().is_some_and(|it| it.kind() == COMMA);
        let keeps_together = style.hugs_last && broken.iter().all(|it| it + 1 == count);
        let continues = self.continuations > continuations;
        self.continuations = continuations;
        if ends_with_comma || continues || !broken.is_empty() && !keeps_together {
            self.must_break();
        }
        if style.takes_comma && self.options.trailing_commas && !ends_with_comma && !inner.is_empty() {
            self.push(Part::IfBroken(","));
        }
        self.align(&column);
        self.close(line, close, inner.is_empty(), style.indents);
    }

    /// Returns true if the single element of a list stays next to its brackets, regardless of its length.
    fn is_hugged(&self, element: &SyntaxElement, close: u32, style: ListStyle) -> bool {
        let range = element.text_range();
        let is_whole = matches!(
            element.kind(),
            HASH_EXPR | ARRAY_EXPR | LITERAL_STRING | INTERPOLATED_STRING | VARIABLE_EXPR | QUALIFIED_NAME
        );
        style.hugs_last
            && is_whole
            && (style.joins_only
                || !self.breaks_between(self.cursor, range.start) && !self.breaks_between(range.end, close))
            && !self.has_trivia_beside(range, close)
    }

    /// Formats the closing bracket and ends the group.
    pub(crate) fn close(&mut self, line: Separator, close: &SyntaxElement, is_first: bool, indents: bool) {
        let start = close.text_range().start;
        let gap = self.gap(start, is_first).without_empty_line();
        if indents {
            self.push(Part::Dedent);
        }
        self.separate(line, gap);
        self.cursor = start;
        self.element(Separator::Nothing, close);
        self.end_group();
    }

    /// Formats the elements of a list with their commas. Returns the indices of the elements with mandatory
    /// line breaks.
    pub(crate) fn elements(
        &mut self,
        elements: &[SyntaxElement],
        line: Separator,
        column: &mut Column,
    ) -> Vec<usize> {
        let mut broken = Vec::new();
        let mut count = 0;
        for (at, element) in elements.iter().enumerate() {
            if element.kind() == COMMA {
                self.element(Separator::Nothing, element);
                continue;
            }
            let start = element.text_range().start;
            let gap = self.gap(start, at == 0);
            self.separate(if at == 0 { line } else { Separator::LineOrSpace }, gap);
            self.cursor = start;
            let breaks = self.breaks;
            match element.as_node().filter(|it| is_entry(it.kind())) {
                Some(entry) => {
                    let arrow = self.entry(entry);
                    column.add(arrow, gap.has_empty_line);
                }
                None => self.element(Separator::Nothing, element),
            }
            if self.breaks > breaks {
                broken.push(count);
            }
            count += 1;
        }
        broken
    }

    /// Formats a list without brackets: the arguments of `include a, b`, or a list that lacks its brackets.
    fn open_list(&mut self, node: &SyntaxNode, children: &[SyntaxElement]) {
        if node.kind() == COLLECT_EXPR || node.kind() == SELECTOR_EXPR {
            return self.parts_of(node);
        }
        for (at, child) in children.iter().enumerate() {
            let separator = match child.kind() {
                _ if at == 0 => Separator::Nothing,
                COMMA => Separator::Nothing,
                _ => Separator::KeptSpace,
            };
            self.element(separator, child);
        }
    }
}

fn style(node: &SyntaxNode, bracketed: &[SyntaxElement]) -> ListStyle {
    let plain = ListStyle {
        has_spaces: false,
        takes_comma: false,
        hugs_last: true,
        joins_only: false,
        indents: true,
    };
    let count = bracketed.iter().filter(|it| it.as_node().is_some()).count();
    match node.kind() {
        ARRAY_EXPR => ListStyle { takes_comma: true, hugs_last: count == 1, ..plain },
        PAREN_EXPR => plain,
        ARGUMENT_LIST => match bracketed[0].kind() {
            L_BRACK | LIST_START => {
                ListStyle { takes_comma: !is_in_declared_type(node), joins_only: true, ..plain }
            }
            _ => plain,
        },
        PARAMETER_LIST if bracketed[0].kind() == PIPE => ListStyle { indents: false, ..plain },
        PARAMETER_LIST => ListStyle { takes_comma: true, hugs_last: false, ..plain },
        _ => ListStyle { has_spaces: true, takes_comma: true, hugs_last: false, ..plain },
    }
}

/// Returns true within the type of a parameter or a return type, where Puppet allows no trailing comma before
/// `]`.
fn is_in_declared_type(list: &SyntaxNode) -> bool {
    for (node, around) in list.ancestors().zip(list.ancestors().skip(1)) {
        match around.kind() {
            PARAMETER => {
                let is_default =
                    around.token(EQ).is_some_and(|it| it.text_range().end <= node.text_range().start);
                return !is_default;
            }
            FUNCTION_DEFINITION | LAMBDA => return node.kind() != BLOCK,
            BLOCK => return false,
            _ => {}
        }
    }
    false
}

fn is_entry(kind: SyntaxKind) -> bool {
    matches!(kind, ATTRIBUTE | ATTRIBUTE_SPLAT | KEYED_ENTRY | SELECTOR_ENTRY | PARAMETER)
}

fn is_opening(list: SyntaxKind, kind: SyntaxKind) -> bool {
    match list {
        ARRAY_EXPR | ARGUMENT_LIST | PAREN_EXPR => {
            matches!(kind, L_BRACK | LIST_START | L_PAREN | LINE_START_PAREN)
        }
        PARAMETER_LIST => matches!(kind, L_PAREN | LINE_START_PAREN | PIPE),
        _ => matches!(kind, L_BRACE | SELECTOR_BRACE),
    }
}

fn is_closing(kind: SyntaxKind) -> bool {
    matches!(kind, R_BRACK | R_PAREN | R_BRACE | PIPE)
}
