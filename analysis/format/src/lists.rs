//! Bracketed lists, on one line or with one element per line.

use syntax::SyntaxKind::*;
use syntax::{FlatElement, FlatNode, SyntaxKind, TextRange};

use crate::builder::{DocumentBuilder, Separator, children};
use crate::document::{Breaking, Part};
use crate::entries::Column;
use crate::expressions::between;
use crate::kept::hash_arrows::KeptArrow;

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
    /// One element, wherever it is, may span several lines while the brackets stay next to the list, if the source
    /// has it so.
    hugs_one: bool,
    /// Brackets without contents may be on two lines.
    keeps_empty_line: bool,
    breaking: Breaking,
}

impl DocumentBuilder<'_> {
    /// Formats a node that is or ends with a bracketed list.
    pub(crate) fn listing(&mut self, node: &FlatNode<'_>) {
        let children = children(node);
        let kind = node.kind();
        let open = children.iter().position(|it| is_opening(kind, it.kind()));
        let Some(open) = open else { return self.open_list(node, &children) };
        if !children.last().is_some_and(|it| is_closing(it.kind())) || open + 1 == children.len() {
            return self.parts_of(node);
        }
        for (at, child) in children[..open].iter().enumerate() {
            let before = at.checked_sub(1).map(|it| children[it].kind());
            let separator = before.map_or(Separator::Nothing, |before| between(kind, before, child.kind()));
            self.element(separator, child);
        }
        self.element(if open == 0 { Separator::Nothing } else { Separator::Space }, &children[open]);
        let mut style = style(node, &children[open..]);
        style.has_spaces |= children[open].kind() == PIPE && self.has_spaces_inside(&children[open..])
            || self.conventions.keeps_spaces_inside(self.text, node);
        self.bracketed(&children[open + 1..children.len() - 1], &children[children.len() - 1], style);
    }

    /// Returns true if the source has spaces after an opening bracket and before the closing one.
    fn has_spaces_inside(&self, bracketed: &[FlatElement<'_>]) -> bool {
        let [open, first, .., last, close] = bracketed else {
            let [open, only, close] = bracketed else { return false };
            return open.text_range().end < only.text_range().start
                && only.text_range().end < close.text_range().start;
        };
        open.text_range().end < first.text_range().start && last.text_range().end < close.text_range().start
    }

    /// Formats the contents of brackets, and the closing bracket.
    fn bracketed(&mut self, inner: &[FlatElement<'_>], close: &FlatElement<'_>, style: ListStyle) {
        let line = if style.has_spaces { Separator::LineOrSpace } else { Separator::Line };
        let close_start = close.text_range().start;
        if self.empty_or_hugged(inner, close, style) {
            return;
        }
        let continuations = self.continuations;
        let is_shared = self.shared_close == Some(close.text_range().end);
        self.shared_close.take_if(|_| is_shared);
        let shares_close = self.shares_close(inner, close_start);
        let joins_close = style.hugs_last && self.joins_close(inner, close_start);
        let is_on_lines = !joins_close && self.separators_break(inner, close_start);
        self.begin_group(style.breaking);
        let extra_levels = if is_on_lines { self.extra_levels(inner, close_start) } else { 0 };
        for _ in 0..u32::from(style.indents) + extra_levels {
            self.push(Part::Indent { if_broken: true });
        }
        let mut column = Column::default();
        let (inner, comma) =
            if is_on_lines { (inner, None) } else { self.without_needless_comma(inner, true) };
        if is_on_lines {
            self.keep_line_breaks(inner, close_start);
        }
        if shares_close {
            self.shared_close = inner.last().map(|it| it.text_range().end);
        }
        self.open_bracket(!is_on_lines);
        let broken = self.elements(inner, line, &mut column);
        self.open_brackets.pop();
        self.skip_comma(comma);
        let ends_with_comma = inner.last().is_some_and(|it| it.kind() == COMMA);
        let count = inner.iter().filter(|it| it.kind() != COMMA).count();
        let keeps_together = style.hugs_last && broken.iter().all(|it| it + 1 == count)
            || style.hugs_one && broken.len() == 1 && !is_on_lines;
        let continues = self.continuations > continuations;
        self.continuations = continuations;
        // In a range such as `Integer[1,]`, the comma shows that there is no end.
        let breaks_at_comma = ends_with_comma && (is_on_lines || !is_in_type(inner));
        if breaks_at_comma || continues || !broken.is_empty() && !keeps_together {
            self.must_break();
        }
        if style.takes_comma && self.options.trailing_commas && !ends_with_comma && !inner.is_empty() {
            self.push(Part::IfBroken(","));
        }
        self.align(&column);
        self.joins_close = joins_close;
        self.extra_levels = extra_levels + u32::from(is_shared);
        if shares_close && self.shared_close.take().is_none() {
            self.close(Separator::Nothing, close, false, false)
        } else {
            self.close(line, close, inner.is_empty(), style.indents)
        }
    }

    /// Formats brackets without contents, or around a single element next to them. Returns false for other lists.
    fn empty_or_hugged(
        &mut self,
        inner: &[FlatElement<'_>],
        close: &FlatElement<'_>,
        style: ListStyle,
    ) -> bool {
        let close_start = close.text_range().start;
        if inner.is_empty() && self.pending_trivia(close_start).is_none() {
            let is_kept = style.keeps_empty_line && self.breaks_between(self.cursor, close_start);
            self.element(if is_kept { Separator::TightBreak } else { Separator::Nothing }, close);
            return true;
        }
        let [only] = inner else { return false };
        if !self.is_hugged(only, close_start, style) {
            return false;
        }
        let edge = if style.has_spaces { Separator::Space } else { Separator::Nothing };
        self.open_bracket(true);
        self.element(edge, only);
        self.open_brackets.pop();
        self.element(edge, close);
        true
    }

    /// Decides whether the elements of a list on several lines keep the line breaks of the source.
    fn keep_line_breaks(&mut self, inner: &[FlatElement<'_>], close: u32) {
        let keeps_lines = self.keeps_lines(inner, close) || self.shares_close(inner, close);
        let begins_beside =
            inner.first().is_some_and(|it| !self.breaks_between(self.cursor, it.text_range().start));
        self.hangs_rest = keeps_lines && begins_beside;
        self.fills_lines = keeps_lines || self.is_filled(inner);
        if self.fills_lines {
            self.has_unsettled_columns.set(true);
            self.must_break();
        }
    }

    /// Returns true if the source has a line break between brackets, elements, and commas.
    fn separators_break(&self, inner: &[FlatElement<'_>], close: u32) -> bool {
        let mut at = self.cursor;
        let ranges = inner.iter().map(FlatElement::text_range);
        for (start, end) in ranges.map(|it| (it.start, it.end)).chain([(close, close)]) {
            if self.breaks_between(at, start) {
                return true;
            }
            at = end;
        }
        false
    }

    /// Returns true if the last element is a hash or array on several lines, and only its closing bracket is on
    /// another line than that of the list.
    fn joins_close(&self, inner: &[FlatElement<'_>], close: u32) -> bool {
        let Some(last) = inner.last().filter(|it| matches!(it.kind(), HASH_EXPR | ARRAY_EXPR)) else {
            return false;
        };
        let range = last.text_range();
        let indent = |offset: u32| {
            let line = &self.text[self.line_start(offset)..];
            line.len() - line.trim_start_matches([' ', '\t']).len()
        };
        self.text[range.as_range()].contains('\n')
            && indent(self.cursor) == indent(range.end)
            && !self.separators_break(inner, range.end)
            && !self.has_trivia_beside(range, close)
    }

    /// Splits a comma off elements that are on one line, where it separates nothing.
    pub(crate) fn without_needless_comma<'e, 't>(
        &self,
        elements: &'e [FlatElement<'t>],
        takes_comma: bool,
    ) -> (&'e [FlatElement<'t>], Option<&'e FlatElement<'t>>) {
        let Some((comma, rest)) = elements.split_last().filter(|it| it.0.kind() == COMMA && takes_comma)
        else {
            return (elements, None);
        };
        let (Some(first), Some(last)) = (rest.first(), rest.last()) else { return (elements, None) };
        if is_in_type(rest) {
            return (elements, None);
        }
        let range = TextRange::new(self.cursor.min(first.text_range().start), comma.text_range().end);
        let end = self.line_end(range.end);
        let is_on_line = !self.text[range.as_range()].contains('\n')
            && !self.text[range.end as usize..end].trim().is_empty();
        let has_trivia = self.has_trivia_beside(last.text_range(), range.end);
        if is_on_line && !has_trivia { (rest, Some(comma)) } else { (elements, None) }
    }

    /// Returns true for plain elements of a broken array or type, several of which share a line.
    fn is_filled(&self, elements: &[FlatElement<'_>]) -> bool {
        let items: Vec<&FlatElement<'_>> = elements.iter().filter(|it| it.kind() != COMMA).collect();
        let is_item = |it: &&FlatElement<'_>| {
            let is_plain = match it.kind() {
                LITERAL_STRING | LITERAL_NUMBER | INTERPOLATED_STRING | VARIABLE_EXPR | QUALIFIED_NAME => {
                    true
                }
                QUALIFIED_REFERENCE | ACCESS_EXPR => is_in_type(elements),
                _ => false,
            };
            is_plain && !self.text[it.text_range().as_range()].contains('\n')
        };
        let list = items.first().and_then(|it| it.as_node()).and_then(FlatNode::parent);
        let is_array = list.is_some_and(|it| it.kind() == ARRAY_EXPR) || is_in_type(elements);
        if !is_array || !items.iter().all(is_item) {
            return false;
        }
        let breaks = |pair: &[&FlatElement<'_>]| {
            self.breaks_between(pair[0].text_range().end, pair[1].text_range().start)
        };
        let count = items.windows(2).filter(|it| breaks(it)).count();
        count + 1 < items.len()
    }

    /// Returns true if there is no space after most commas within the lines of a list, or after half of them.
    fn has_tight_commas(&self, elements: &[FlatElement<'_>]) -> bool {
        let (mut tight, mut all) = (0, 0);
        for pair in elements.windows(2).filter(|it| it[0].kind() == COMMA) {
            let (end, start) = (pair[0].text_range().end, pair[1].text_range().start);
            if !self.text[end as usize..start as usize].contains('\n') {
                tight += usize::from(end == start);
                all += 1;
            }
        }
        tight * 2 >= all
    }

    /// Formats operands that `and` or `or` connects, which are on separate lines if the group is broken.
    fn conjunction(&mut self, element: &FlatElement<'_>) {
        let node = element.as_node().filter(|it| it.kind() == BINARY_EXPR && connects(it));
        let parts = node.map(children).unwrap_or_default();
        let [left, operator, right] = parts.as_slice() else {
            return self.element(Separator::Nothing, element);
        };
        self.conjunction(left);
        self.element(Separator::Space, operator);
        let bracket = matches!(right.kind(), ARRAY_EXPR | HASH_EXPR);
        self.element(if bracket { Separator::Space } else { Separator::LineOrSpace }, right);
    }

    /// Leaves out a comma.
    pub(crate) fn skip_comma(&mut self, comma: Option<&FlatElement<'_>>) {
        if let Some(comma) = comma {
            self.cursor = comma.text_range().end;
        }
    }

    /// Returns true if the single element of a list stays next to its brackets, regardless of its length.
    fn is_hugged(&self, element: &FlatElement<'_>, close: u32, style: ListStyle) -> bool {
        let range = element.text_range();
        let is_whole = matches!(
            element.kind(),
            HASH_EXPR | ARRAY_EXPR | LITERAL_STRING | INTERPOLATED_STRING | VARIABLE_EXPR | QUALIFIED_NAME
        );
        style.hugs_last
            && is_whole
            && (style.joins_only && !matches!(element.kind(), HASH_EXPR | ARRAY_EXPR)
                || !self.breaks_between(self.cursor, range.start) && !self.breaks_between(range.end, close))
            && !self.has_trivia_beside(range, close)
    }

    /// Formats the closing bracket and ends the group.
    pub(crate) fn close(&mut self, line: Separator, close: &FlatElement<'_>, is_first: bool, indents: bool) {
        let start = close.text_range().start;
        let mut gap = self.gap(start, is_first).without_empty_line();
        gap.breaks &= !std::mem::take(&mut self.joins_close);
        for _ in 0..u32::from(indents) + std::mem::take(&mut self.extra_levels) {
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
        elements: &[FlatElement<'_>],
        line: Separator,
        column: &mut Column,
    ) -> Vec<usize> {
        let mut broken = Vec::new();
        let mut count = 0;
        let is_filled = std::mem::take(&mut self.fills_lines);
        let hangs_rest = std::mem::take(&mut self.hangs_rest);
        let keeps_commas = is_in_type(elements);
        let keeps_tight = keeps_commas && is_filled && self.has_tight_commas(elements);
        let mut follows_space = false;
        let has_parameters = elements.iter().any(|it| it.kind() == PARAMETER);
        let padding = if has_parameters { self.parameter_padding(elements) } else { Vec::new() };
        let kept_arrows = self.kept_arrows(elements);
        for (at, element) in elements.iter().enumerate() {
            if element.kind() == COMMA {
                follows_space = self.cursor < element.text_range().start;
                self.element(Separator::Nothing, element);
                continue;
            }
            let start = element.text_range().start;
            let follows_directly = self.cursor == start && !follows_space;
            let gap = self.gap(start, at == 0);
            let separator = match at {
                0 if hangs_rest && line == Separator::LineOrSpace => Separator::Space,
                0 if hangs_rest => Separator::Nothing,
                0 => line,
                _ if is_filled && gap.breaks => Separator::Break,
                _ if is_filled && keeps_tight && follows_directly => Separator::Nothing,
                _ if is_filled => Separator::Space,
                _ if keeps_commas && follows_directly => Separator::Line,
                _ => Separator::LineOrSpace,
            };
            let breaks_before = gap.breaks;
            self.separate(separator, gap);
            self.cursor = start;
            let breaks = self.breaks;
            match element.as_node().filter(|it| is_entry(it.kind())) {
                // Arguments that share a line with others are in no column.
                Some(entry) if is_argument(entry) && is_filled && !breaks_before => {
                    self.entry(entry);
                }
                Some(entry) => {
                    (self.type_pad, self.operator_pad) = padding.get(at).copied().unwrap_or_default();
                    let kept = kept_arrows.as_ref().map(|it| it[at]);
                    self.has_tight_arrow = kept == Some(KeptArrow::Tight);
                    match (self.entry(entry), kept) {
                        (Some(arrow), Some(KeptArrow::Padded(padding))) => self.pad_arrow(&arrow, padding),
                        (Some(_), Some(KeptArrow::Tight)) => {}
                        (arrow, _) => column.add(arrow),
                    }
                }
                None if line == Separator::Line && !breaks_before && is_conjunction(element) => {
                    self.conjunction(element);
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
    fn open_list(&mut self, node: &FlatNode<'_>, children: &[FlatElement<'_>]) {
        if node.kind() == COLLECT_EXPR || node.kind() == SELECTOR_EXPR {
            return self.parts_of(node);
        }
        let Some((first, further)) = children.split_first() else { return };
        self.element(Separator::Nothing, first);
        self.push(Part::Indent { if_broken: false });
        for child in further {
            let separator = if child.kind() == COMMA { Separator::Nothing } else { Separator::KeptSpace };
            self.element(separator, child);
        }
        self.push(Part::Dedent);
    }
}

fn style(node: &FlatNode<'_>, bracketed: &[FlatElement<'_>]) -> ListStyle {
    let plain = ListStyle {
        has_spaces: false,
        takes_comma: false,
        hugs_last: true,
        joins_only: false,
        indents: true,
        hugs_one: false,
        keeps_empty_line: false,
        breaking: Breaking::IfLong,
    };
    let count = bracketed.iter().filter(|it| it.as_node().is_some()).count();
    match node.kind() {
        ARRAY_EXPR => {
            let is_title = node.parent().is_some_and(|it| it.kind() == RESOURCE_BODY);
            ListStyle {
                takes_comma: true,
                hugs_last: count == 1,
                hugs_one: true,
                joins_only: is_title,
                ..plain
            }
        }
        PAREN_EXPR => plain,
        ARGUMENT_LIST => match bracketed[0].kind() {
            L_BRACK | LIST_START => ListStyle {
                takes_comma: !is_in_type(bracketed),
                joins_only: true,
                breaking: Breaking::Never,
                ..plain
            },
            _ => ListStyle { hugs_one: true, breaking: Breaking::IfItFits, ..plain },
        },
        PARAMETER_LIST if bracketed[0].kind() == PIPE => {
            ListStyle { indents: false, breaking: Breaking::Never, ..plain }
        }
        PARAMETER_LIST => ListStyle { takes_comma: true, hugs_last: false, keeps_empty_line: true, ..plain },
        _ => ListStyle { has_spaces: true, takes_comma: true, hugs_last: false, ..plain },
    }
}

/// Returns true for the elements in the brackets of a type, where both `[1,2]` and `[1, 2]` are common.
fn is_in_type(elements: &[FlatElement<'_>]) -> bool {
    let list = elements.iter().find_map(|it| it.as_node()).and_then(FlatNode::parent);
    let access = list.filter(|it| it.kind() == ARGUMENT_LIST).and_then(|it| it.parent());
    let accessed = access.filter(|it| it.kind() == ACCESS_EXPR).and_then(|it| it.children().next());
    accessed.is_some_and(|it| it.kind() == QUALIFIED_REFERENCE)
}

/// Returns true for operands in parentheses that `and` or `or` connects, all on one line.
fn is_conjunction(element: &FlatElement<'_>) -> bool {
    let Some(node) = element.as_node().filter(|it| it.kind() == BINARY_EXPR) else { return false };
    node.parent().is_some_and(|it| it.kind() == PAREN_EXPR)
        && !node.text().contains(['\n', '#'])
        && connects(node)
}

/// Returns true if the operator of an expression is `and` or `or`.
fn connects(node: &FlatNode<'_>) -> bool {
    children(node).get(1).is_some_and(|it| matches!(it.kind(), AND_KW | OR_KW))
}

/// Returns true for `key => value` in the arguments of a call.
fn is_argument(entry: &FlatNode<'_>) -> bool {
    entry.kind() == KEYED_ENTRY && entry.parent().is_some_and(|it| it.kind() == ARGUMENT_LIST)
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
