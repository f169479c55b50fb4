//! `key => value` and `parameter = value`, and the column of their arrows.

use syntax::SyntaxKind::*;
use syntax::SyntaxNode;

use crate::builder::{DocumentBuilder, Separator, children};
use crate::document::{Part, width};

/// The arrow of an entry.
pub(crate) struct Arrow {
    /// The part before it that may hold blanks.
    pad: usize,
    /// How many characters stand before it in its line.
    width: u32,
    is_equals: bool,
}

/// The arrows of a block, in the sections that empty lines make of it.
#[derive(Default)]
pub(crate) struct Column {
    sections: Vec<Vec<Arrow>>,
}

impl Column {
    /// The next arrow; `=` behind an empty line has a column of its own.
    pub(crate) fn add(&mut self, arrow: Option<Arrow>, follows_empty_line: bool) {
        let Some(arrow) = arrow else { return };
        match self.sections.last_mut() {
            Some(section) if !(follows_empty_line && arrow.is_equals) => section.push(arrow),
            _ => self.sections.push(vec![arrow]),
        }
    }
}

impl DocumentBuilder<'_> {
    /// An entry; gives its arrow, if what stands before that is one line.
    pub(crate) fn entry(&mut self, node: &SyntaxNode) -> Option<Arrow> {
        let children = children(node);
        let is_arrow = |kind| matches!(kind, FAT_ARROW | PLUS_ARROW | EQ);
        let Some(at) = children.iter().position(|it| is_arrow(it.kind())) else {
            self.parts_before_arrow(node, &children);
            return None;
        };
        let (first, breaks) = (self.parts.len(), self.breaks);
        self.parts_before_arrow(node, &children[..at]);
        let arrow = &children[at];
        let is_equals = arrow.kind() == EQ;
        let key_width = self.parts[first..].iter().map(|it| self.width_of(*it)).sum();
        let is_one_line = self.breaks == breaks;
        let pad = self.parts.len();
        self.push(Part::Pad(0));
        self.element(Separator::Blank, arrow);
        for value in &children[at + 1..] {
            match is_equals {
                true => self.value(value),
                false => self.element(Separator::Blank, value),
            }
        }
        is_one_line.then_some(Arrow { pad, width: key_width, is_equals })
    }

    fn parts_before_arrow(&mut self, node: &SyntaxNode, parts: &[syntax::SyntaxElement]) {
        for (at, part) in parts.iter().enumerate() {
            let is_splat_parameter = node.kind() == PARAMETER && at > 0 && parts[at - 1].kind() == STAR;
            let separator = if at == 0 || is_splat_parameter { Separator::Nothing } else { Separator::Blank };
            self.element(separator, part);
        }
    }

    fn width_of(&self, part: Part) -> u32 {
        match part {
            Part::Source(range) | Part::Requoted(range) => width(&self.text[range.as_range()]),
            Part::Literal(text) => width(text),
            Part::Space | Part::Line { is_blank: true, .. } => 1,
            _ => 0,
        }
    }

    /// Puts the arrows of a block in one column, where its lines are broken.
    pub(crate) fn align(&mut self, column: &Column) {
        let wanted = |arrow: &&Arrow| match arrow.is_equals {
            true => self.options.align_equals,
            false => self.options.align_arrows,
        };
        for section in &column.sections {
            let widest = section.iter().filter(wanted).map(|it| it.width).max().unwrap_or(0);
            for arrow in section.iter().filter(wanted) {
                self.parts[arrow.pad] = Part::Pad(widest - arrow.width);
            }
        }
    }
}
