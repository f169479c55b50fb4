//! Resources: titles with their attributes.

use syntax::SyntaxKind::*;
use syntax::{SyntaxElement, SyntaxNode};

use crate::builder::{DocumentBuilder, Separator, children};
use crate::columns::ColumnPlace;
use crate::document::{Part, width};
use crate::entries::Column;

impl DocumentBuilder<'_> {
    /// `type { title: attributes; title: attributes }`
    pub(crate) fn resource(&mut self, node: &SyntaxNode) {
        let children = children(node);
        let Some(open) = children.iter().position(|it| it.kind() == L_BRACE) else {
            return self.parts_of(node);
        };
        let Some((close, inner)) = children[open + 1..].split_last().filter(|it| it.0.kind() == R_BRACE)
        else {
            return self.as_it_is(node);
        };
        for (at, child) in children[..=open].iter().enumerate() {
            self.element(if at == 0 { Separator::Nothing } else { Separator::Blank }, child);
        }
        let bodies: Vec<&SyntaxNode> = inner.iter().filter_map(SyntaxElement::as_node).collect();
        if let [body] = bodies.as_slice()
            && self.pending_trivia(body.text_range().start).is_none()
        {
            let start = self.checkpoint();
            if self.only_body(body, &inner[1..], close) {
                return;
            }
            self.go_back(start);
        }
        let mut pads = self.kept_columns(&bodies).into_iter();
        self.begin_group(false);
        self.push(Part::Indent { if_broken: true });
        let mut ends_with_line = false;
        for (at, element) in inner.iter().enumerate() {
            match element {
                SyntaxElement::Token(token) => self.token(self.before_semicolon(at, inner), token),
                SyntaxElement::Node(body) => ends_with_line = !self.body(body, at, inner, &mut pads),
            }
        }
        let lacks_end = ends_with_line && inner.last().is_some_and(|it| it.as_node().is_some());
        if self.options.trailing_commas && lacks_end {
            self.push(Part::IfBroken(";"));
        }
        self.close(Separator::BlankLine, close, false, true);
    }

    /// The blanks behind the colons of bodies whose attributes the author has put in one column.
    fn kept_columns(&self, bodies: &[&SyntaxNode]) -> Vec<u32> {
        let places = bodies.iter().map(|body| {
            if !is_on_one_line(body) {
                return None;
            }
            let mut parts = body.children();
            let (title, first) = (parts.next()?, parts.next()?);
            let start = first.text_range().start;
            Some(ColumnPlace { line: body.text_range(), head_width: width(title.text()) + 1, start })
        });
        self.kept_blanks(&places.collect::<Vec<_>>())
    }

    /// The only body of a resource beside the opening brace, and the closing one. False where the title takes several lines.
    fn only_body(&mut self, body: &SyntaxNode, behind: &[SyntaxElement], close: &SyntaxElement) -> bool {
        let (title, attributes) = parts(body);
        self.begin_group(false);
        self.push(Part::Indent { if_broken: true });
        let start = body.text_range().start;
        if self.breaks_between(self.cursor, start) && !attributes.is_empty() {
            self.must_break();
        }
        let breaks = self.breaks;
        for (at, part) in title.iter().enumerate() {
            self.element(if at == 0 { Separator::Blank } else { Separator::Nothing }, part);
        }
        if self.breaks > breaks {
            return false;
        }
        self.attributes(&attributes, behind.is_empty());
        for token in behind {
            let ends_with_comma = attributes.last().is_some_and(|it| it.kind() == COMMA);
            let separator = if ends_with_comma { Separator::BlankLine } else { Separator::Nothing };
            self.element(separator, token);
        }
        let is_plain = attributes.is_empty() && self.pending_trivia(close.text_range().start).is_none();
        self.close(if is_plain { Separator::Blank } else { Separator::BlankLine }, close, false, true);
        true
    }

    /// One of several bodies, or one whose title has its own line. Does it end with a line of its own, or have no attributes?
    fn body(
        &mut self,
        body: &SyntaxNode,
        at: usize,
        inner: &[SyntaxElement],
        pads: &mut impl Iterator<Item = u32>,
    ) -> bool {
        let start = body.text_range().start;
        let gap = self.gap(start, at == 0);
        self.separate(Separator::BlankLine, gap);
        self.cursor = start;
        let (title, attributes) = parts(body);
        let breaks = self.breaks;
        for part in &title {
            self.element(Separator::Nothing, part);
        }
        self.begin_group(false);
        self.push(Part::Indent { if_broken: true });
        self.push(Part::FlatPad(pads.next().unwrap_or(0)));
        self.attributes(&attributes, inner.get(at + 1).is_none());
        self.push(Part::Dedent);
        self.end_group();
        let is_broken = self.breaks > breaks;
        if is_broken {
            self.must_break();
        }
        is_broken || attributes.is_empty()
    }

    /// Attributes, each on its line or all on one; the last one may get a comma.
    fn attributes(&mut self, attributes: &[SyntaxElement], takes_comma: bool) {
        let mut column = Column::default();
        let broken = self.elements(attributes, Separator::BlankLine, &mut column);
        let ends_with_comma = attributes.last().is_some_and(|it| it.kind() == COMMA);
        if ends_with_comma || !broken.is_empty() {
            self.must_break();
        }
        if takes_comma && self.options.trailing_commas && !ends_with_comma && !attributes.is_empty() {
            self.push(Part::IfBroken(","));
        }
        self.align(&column);
    }

    /// Behind a comma the semicolon has its own line.
    fn before_semicolon(&self, at: usize, inner: &[SyntaxElement]) -> Separator {
        let body = at.checked_sub(1).and_then(|it| inner[it].as_node());
        let ends_with_comma = body.is_some_and(|it| it.text().ends_with(','));
        if ends_with_comma { Separator::BlankLine } else { Separator::Nothing }
    }
}

/// May a list in a text end with a comma, so that it takes several lines?
fn has_list_of_lines(text: &str) -> bool {
    text.split(',').skip(1).any(|rest| rest.trim_start().starts_with([']', ')', '}']))
}

fn is_on_one_line(body: &SyntaxNode) -> bool {
    !body.text().contains('\n') && !has_list_of_lines(body.text()) && !body.text().ends_with(',')
}

/// The title with its colon, and the attributes with their commas.
fn parts(body: &SyntaxNode) -> (Vec<SyntaxElement>, Vec<SyntaxElement>) {
    let mut title = children(body);
    let colon = title.iter().position(|it| it.kind() == COLON).map_or(title.len(), |it| it + 1);
    let attributes = title.split_off(colon);
    (title, attributes)
}
