//! Resources: titles with their attributes.

use syntax::SyntaxKind::*;
use syntax::{FlatElement, FlatNode};

use crate::EqualsAlignment;
use crate::builder::{DocumentBuilder, KeptSpaces, Separator, children};
use crate::document::{Breaking, Part, width};
use crate::entries::Column;
use crate::kept::columns::{ColumnElement, ColumnEntry, ColumnKind, ColumnPadding};

impl DocumentBuilder<'_> {
    /// Formats `type { title: attributes; title: attributes }`.
    pub(crate) fn resource(&mut self, node: &FlatNode<'_>) {
        let children = children(node);
        let Some(open) = children.iter().position(|it| it.kind() == L_BRACE) else {
            return self.parts_of(node);
        };
        let Some((close, inner)) = children[open + 1..].split_last().filter(|it| it.0.kind() == R_BRACE)
        else {
            return self.verbatim(node);
        };
        for (at, child) in children[..=open].iter().enumerate() {
            self.element(if at == 0 { Separator::Nothing } else { Separator::Space }, child);
        }
        let bodies: Vec<&FlatNode<'_>> = inner.iter().filter_map(FlatElement::as_node).collect();
        if let [body] = bodies.as_slice()
            && self.pending_trivia(body.text_range().start).is_none()
            && !self.is_below_brace(body, &inner[1..], close)
        {
            let start = self.checkpoint();
            if self.only_body(body, &inner[1..], close) {
                return;
            }
            self.restore(start);
        }
        let mut pads = self.kept_columns(&bodies).into_iter();
        self.begin_group(Breaking::IfLong);
        self.push(Part::Indent { if_broken: true });
        let mut ends_with_line = false;
        for (at, element) in inner.iter().enumerate() {
            match element {
                FlatElement::Token(token) => self.token(self.before_semicolon(at, inner), token),
                FlatElement::Node(body) => ends_with_line = !self.body(body, at, inner, &mut pads),
            }
        }
        let lacks_end = ends_with_line && inner.last().is_some_and(|it| it.as_node().is_some());
        if self.options.trailing_commas && lacks_end {
            self.push(Part::IfBroken(";"));
        }
        self.close(Separator::LineOrSpace, close, false, true);
    }

    /// Returns the padding after the colons of bodies whose attributes the author has aligned.
    fn kept_columns(&self, bodies: &[&FlatNode<'_>]) -> Vec<ColumnPadding> {
        let entries = bodies.iter().map(|body| {
            if !is_on_one_line(body) {
                return None;
            }
            let mut parts = body.children();
            let (title, first) = (parts.next()?, parts.next()?);
            let start = first.text_range().start;
            let element = ColumnElement { head_width: width(title.text()) + 1, start, shift: 0 };
            Some(ColumnEntry { line: body.text_range(), element: Some(element) })
        });
        self.padding(&entries.collect::<Vec<_>>(), EqualsAlignment::Keep, ColumnKind::Other)
    }

    /// Formats the single body of a resource next to the opening brace, and the closing brace. Returns false
    /// if the title spans several lines.
    fn only_body(
        &mut self,
        body: &FlatNode<'_>,
        following: &[FlatElement<'_>],
        close: &FlatElement<'_>,
    ) -> bool {
        let (title, attributes) = parts(body);
        self.begin_group(Breaking::IfLong);
        self.push(Part::Indent { if_broken: true });
        let start = body.text_range().start;
        if self.breaks_between(self.cursor, start) && !attributes.is_empty() {
            self.must_break();
        }
        let is_beside_brace = !self.breaks_between(self.cursor, start);
        let may_break = is_beside_brace && title[0].kind() == ARRAY_EXPR;
        let is_broken = self.title_of_only_body(&title, may_break);
        if is_broken && !may_break && !self.undoes_breaks {
            return false;
        }
        if is_broken {
            self.must_break();
            self.push(Part::Indent { if_broken: false });
        }
        let takes_comma = match following {
            [] => true,
            [semicolon] => self.pending_trivia(semicolon.text_range().end).is_none_or(|it| {
                attributes.last().is_some_and(|last| it.range.start < last.text_range().end)
            }),
            _ => false,
        };
        self.attributes(&attributes, takes_comma);
        for token in following {
            if takes_comma {
                // The semicolon separates nothing.
                self.cursor = token.text_range().end;
                continue;
            }
            let ends_with_comma = attributes.last().is_some_and(|it| it.kind() == COMMA);
            let separator = if ends_with_comma { Separator::LineOrSpace } else { Separator::Nothing };
            self.element(separator, token);
        }
        if is_broken {
            self.push(Part::Dedent);
        }
        let is_plain = attributes.is_empty() && self.pending_trivia(close.text_range().start).is_none();
        let separator = match is_plain {
            true if is_beside_brace && self.breaks_between(self.cursor, close.text_range().start) => {
                Separator::TightBreak
            }
            true => Separator::Space,
            false => Separator::LineOrSpace,
        };
        self.close(separator, close, false, true);
        true
    }

    /// Formats the title of a single body. Returns true if it spans several lines, which is undone unless it may.
    fn title_of_only_body(&mut self, title: &[FlatElement<'_>], may_break: bool) -> bool {
        let is_nested = self.undoes_breaks;
        self.undoes_breaks |= !may_break;
        let breaks = self.breaks;
        for (at, part) in title.iter().enumerate() {
            self.element(if at == 0 { Separator::Space } else { Separator::Nothing }, part);
        }
        self.undoes_breaks = is_nested;
        self.breaks > breaks
    }

    /// Formats one of several bodies, or one whose title is on a separate line. Returns true if no semicolon follows it,
    /// since it is broken, ends with a comment, or has no attributes.
    fn body(
        &mut self,
        body: &FlatNode<'_>,
        at: usize,
        inner: &[FlatElement<'_>],
        pads: &mut impl Iterator<Item = ColumnPadding>,
    ) -> bool {
        let start = body.text_range().start;
        let gap = self.gap(start, at == 0);
        self.separate(Separator::LineOrSpace, gap);
        self.cursor = start;
        let (title, attributes) = parts(body);
        let breaks = self.breaks;
        for part in &title {
            self.element(Separator::Nothing, part);
        }
        self.begin_group(Breaking::IfLong);
        self.push(Part::Indent { if_broken: true });
        self.push(Part::FlatPadding(pads.next().unwrap_or_default().width));
        self.kept_spaces = KeptSpaces::No;
        self.attributes(&attributes, inner.get(at + 1).is_none());
        let mut ends_with_comment = false;
        if inner.len() == 1 && self.breaks_between(self.cursor, end_of_contents(body)) {
            ends_with_comment = self.pending_trivia(end_of_contents(body)).is_some();
            // Those on their own lines as well, as the check `strict_indent` requires.
            self.gap(end_of_contents(body), false);
        }
        self.push(Part::Dedent);
        self.end_group();
        let is_broken = self.breaks > breaks;
        if is_broken {
            self.must_break();
        }
        is_broken || ends_with_comment || attributes.is_empty()
    }

    /// Formats attributes, each on a separate line or all on one. `takes_comma` allows a trailing comma.
    fn attributes(&mut self, attributes: &[FlatElement<'_>], takes_comma: bool) {
        let mut column = Column::default();
        let (attributes, comma) = self.without_needless_comma(attributes, takes_comma);
        let broken = self.elements(attributes, Separator::LineOrSpace, &mut column);
        self.skip_comma(comma);
        let ends_with_comma = attributes.last().is_some_and(|it| it.kind() == COMMA);
        if ends_with_comma || !broken.is_empty() {
            self.must_break();
        }
        if takes_comma && self.options.trailing_commas && !ends_with_comma && !attributes.is_empty() {
            self.push(Part::IfBroken(","));
        }
        self.align(&column);
    }

    /// Returns the separator before a semicolon, which is on a separate line after a comma.
    fn before_semicolon(&self, at: usize, inner: &[FlatElement<'_>]) -> Separator {
        let body = at.checked_sub(1).and_then(|it| inner[it].as_node());
        match body.and_then(|it| it.text().chars().last()) {
            Some(',') => Separator::LineOrSpace,
            Some(':') => Separator::KeptBlank,
            _ => Separator::Nothing,
        }
    }

    /// Returns true if the source has the title, each attribute, and the closing brace of the only body on lines of
    /// their own. A semicolon shows that the body was one of several.
    fn is_below_brace(
        &self,
        body: &FlatNode<'_>,
        following: &[FlatElement<'_>],
        close: &FlatElement<'_>,
    ) -> bool {
        let (title, attributes) = parts(body);
        let (Some(colon), Some(first)) = (title.last(), attributes.first()) else { return false };
        following.is_empty()
            && self.breaks_between(self.cursor, body.text_range().start)
            && self.breaks_between(colon.text_range().end, first.text_range().start)
            && self.breaks_between(body.text_range().end, close.text_range().start)
    }
}

/// Returns the offset of the brace after the last body.
fn end_of_contents(body: &FlatNode<'_>) -> u32 {
    body.parent().map_or(0, |it| it.text_range().end.saturating_sub(1))
}

/// Returns true if a list in the text may have a trailing comma and therefore span several lines.
fn has_list_of_lines(text: &str) -> bool {
    text.split(',').skip(1).any(|rest| rest.trim_start().starts_with([']', ')', '}']))
}

fn is_on_one_line(body: &FlatNode<'_>) -> bool {
    // A value joins the line of its arrow.
    let mut before = body.text().split('\n').peekable();
    while let Some(line) = before.next() {
        if before.peek().is_some() && !line.trim_end().ends_with("=>") {
            return false;
        }
    }
    !has_list_of_lines(body.text()) && !body.text().ends_with(',')
}

/// Returns the title with its colon, and the attributes with their commas.
fn parts<'t>(body: &FlatNode<'t>) -> (Vec<FlatElement<'t>>, Vec<FlatElement<'t>>) {
    let mut title = children(body);
    let colon = title.iter().position(|it| it.kind() == COLON).map_or(title.len(), |it| it + 1);
    let attributes = title.split_off(colon);
    (title, attributes)
}
