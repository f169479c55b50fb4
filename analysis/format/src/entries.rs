//! Entries such as `key => value` and `parameter = value`, and the alignment of their arrows.

use syntax::SyntaxKind::*;
use syntax::SyntaxNode;

use crate::builder::{DocumentBuilder, Separator, children};
use crate::document::{Part, width};

/// Arrow of an entry.
pub(crate) struct Arrow {
    /// Index of the padding part before it.
    pad: usize,
    /// Width in characters of the text before it on its line.
    width: u32,
    is_equals: bool,
}

/// Arrows of a block, split into sections at empty lines.
#[derive(Default)]
pub(crate) struct Column {
    sections: Vec<Vec<Arrow>>,
}

impl Column {
    /// Adds an arrow. A `=` after an empty line begins a new section.
    pub(crate) fn add(&mut self, arrow: Option<Arrow>, follows_empty_line: bool) {
        let Some(arrow) = arrow else { return };
        match self.sections.last_mut() {
            Some(section) if !(follows_empty_line && arrow.is_equals) => section.push(arrow),
            _ => self.sections.push(vec![arrow]),
        }
    }
}

impl DocumentBuilder<'_> {
    /// Formats an entry. Returns its arrow if the text before it is on one line.
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
        self.push(Part::BrokenPadding(0));
        self.element(Separator::Space, arrow);
        for value in &children[at + 1..] {
            match is_equals {
                true => self.value(value),
                false => self.element(Separator::Space, value),
            }
        }
        is_one_line.then_some(Arrow { pad, width: key_width, is_equals })
    }

    fn parts_before_arrow(&mut self, node: &SyntaxNode, parts: &[syntax::SyntaxElement]) {
        for (at, part) in parts.iter().enumerate() {
            let is_splat_parameter = node.kind() == PARAMETER && at > 0 && parts[at - 1].kind() == STAR;
            let separator = if at == 0 || is_splat_parameter { Separator::Nothing } else { Separator::Space };
            self.element(separator, part);
        }
    }

    fn width_of(&self, part: Part) -> u32 {
        match part {
            Part::Source(range) | Part::Requoted(range) => width(&self.text[range.as_range()]),
            Part::Literal(text) => width(text),
            Part::Space | Part::Line { is_space: true, .. } => 1,
            _ => 0,
        }
    }

    /// Aligns the arrows of a block, for broken groups.
    pub(crate) fn align(&mut self, column: &Column) {
        let wanted = |arrow: &&Arrow| match arrow.is_equals {
            true => self.options.align_equals,
            false => self.options.align_arrows,
        };
        for section in &column.sections {
            let widest = section.iter().filter(wanted).map(|it| it.width).max().unwrap_or(0);
            for arrow in section.iter().filter(wanted) {
                self.parts[arrow.pad] = Part::BrokenPadding(widest - arrow.width);
            }
        }
    }
}
