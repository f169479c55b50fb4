//! Entries such as `key => value` and `parameter = value`, and the alignment of arrows.

use syntax::SyntaxKind::*;
use syntax::{FlatElement, FlatNode};

use crate::EqualsAlignment;
use crate::builder::{DocumentBuilder, KeptSpaces, Separator, children};
use crate::document::{Part, width};
use crate::kept::hash_arrows::is_in_resource;

/// Arrow of an entry.
pub(crate) struct Arrow {
    /// Index of the padding part before it.
    pad: usize,
    /// Width in characters of the text before it on its line.
    width: u32,
}

/// Arrows of a block.
#[derive(Default)]
pub(crate) struct Column {
    arrows: Vec<Arrow>,
}

impl Column {
    pub(crate) fn add(&mut self, arrow: Option<Arrow>) {
        self.arrows.extend(arrow);
    }
}

impl DocumentBuilder<'_> {
    /// Formats an entry. Returns its arrow if the text before it is on one line.
    pub(crate) fn entry(&mut self, node: &FlatNode<'_>) -> Option<Arrow> {
        let children = children(node);
        let is_tight = std::mem::take(&mut self.has_tight_arrow);
        let is_arrow = |kind| matches!(kind, FAT_ARROW | PLUS_ARROW | EQ);
        let Some(at) = children.iter().position(|it| is_arrow(it.kind())) else {
            self.parts_before_arrow(node, &children);
            return None;
        };
        let (first, breaks) = (self.parts.len(), self.breaks);
        self.parts_before_arrow(node, &children[..at]);
        let arrow = &children[at];
        if arrow.kind() == EQ {
            let pad = std::mem::take(&mut self.operator_pad);
            let of_file = self.file_column_of(arrow).filter(|_| self.breaks > breaks);
            self.pad(of_file.unwrap_or(pad.width), arrow);
            self.kept_spaces = KeptSpaces::No;
            self.element(pad.separator(), arrow);
            for value in &children[at + 1..] {
                self.value(value);
            }
            return None;
        }
        let key_width = self.parts[first..].iter().map(|it| self.width_of(*it)).sum();
        let is_one_line = self.breaks == breaks && self.pending_trivia(arrow.text_range().start).is_none();
        let spaces = self.spaces_before(arrow).filter(|_| !is_one_line);
        if node.kind() == KEYED_ENTRY && is_one_line && !is_in_resource(node) {
            self.push(Part::FlatPadding(self.aligned_spaces(arrow.text_range().start)));
        }
        let pad = self.parts.len();
        self.push(Part::BrokenPadding(spaces.unwrap_or(1) - 1));
        self.kept_spaces = KeptSpaces::No;
        self.element(if is_tight { Separator::Nothing } else { Separator::Space }, arrow);
        for value in &children[at + 1..] {
            self.element(Separator::Space, value);
        }
        is_one_line.then_some(Arrow { pad, width: key_width })
    }

    fn parts_before_arrow(&mut self, node: &FlatNode<'_>, parts: &[FlatElement<'_>]) {
        let breaks = self.breaks;
        for (at, part) in parts.iter().enumerate() {
            let is_splat_parameter = node.kind() == PARAMETER && at > 0 && parts[at - 1].kind() == STAR;
            let separator = if at == 0 || is_splat_parameter { Separator::Nothing } else { Separator::Space };
            let keeps_break =
                at == 1 && node.kind() == PARAMETER && self.does_not_fit_beside(&parts[0], part);
            let separator = if keeps_break { Separator::TightBreak } else { separator };
            if at == 1 && node.kind() == PARAMETER && !keeps_break {
                let pad = std::mem::take(&mut self.type_pad);
                // After a type of several lines, the column is that of the source.
                let of_source = self.spaces_before(part).filter(|_| self.breaks > breaks);
                self.pad(of_source.map_or(pad.width, |it| it - 1), part);
                self.kept_spaces = KeptSpaces::No;
            }
            match part.as_node() {
                Some(ty) if at == 0 && node.kind() == PARAMETER && self.keeps_type() => {
                    self.lead(separator, ty.text_range().start);
                    self.verbatim(ty);
                }
                _ => self.element(separator, part),
            }
        }
    }

    /// Returns true if the source has a line break between a type and its parameter, without which the line would be
    /// too long, or the `=` would leave the column of other lines.
    fn does_not_fit_beside(&self, ty: &FlatElement<'_>, parameter: &FlatElement<'_>) -> bool {
        let (start, next) = (ty.text_range().start, parameter.text_range().start);
        if ty.as_node().is_none() || !self.breaks_between(self.cursor, next) {
            return false;
        }
        let Some(ty_width) = self.formatted_width(ty) else { return false };
        let before = &self.text[self.line_start(start)..start as usize];
        let line = &self.text[next as usize..self.line_end(next)];
        if width(before) + ty_width + 1 + width(line) > self.options.width {
            return true;
        }
        let name = &self.text[parameter.text_range().as_range()];
        let Some(equals) = line.find(" = ").filter(|it| line[..*it].trim_end() == name) else { return false };
        let column = width(before) + width(&line[..equals]) + 1;
        self.options.align_equals == EqualsAlignment::Keep
            && self.text[self.line_start(next)..next as usize] == *before
            && self.is_file_column(column)
            && width(before) + ty_width + 1 + width(name) + 1 > column
    }

    /// Returns true if the type of the next parameter stays as in the source.
    fn keeps_type(&self) -> bool {
        self.type_pad.keeps_head || self.operator_pad.keeps_head
    }

    /// Returns the number of spaces before an element, if there is nothing else.
    pub(crate) fn spaces_before(&self, element: &FlatElement<'_>) -> Option<u32> {
        let gap = self.text.get(self.cursor as usize..element.text_range().start as usize)?;
        (!gap.is_empty() && gap.bytes().all(|it| it == b' ')).then_some(gap.len() as u32)
    }

    /// Returns the padding before a `=` that is in a column of the file, after a type of several lines.
    fn file_column_of(&self, equals: &FlatElement<'_>) -> Option<u32> {
        let start = equals.text_range().start as usize;
        let line_start = self.line_start(start as u32);
        let padding = self.spaces_before(equals)? - 1;
        (padding > 0 && self.is_file_column(width(&self.text[line_start..start]))).then_some(padding)
    }

    /// Emits padding before an element, unless there is a comment before it.
    pub(crate) fn pad(&mut self, padding: u32, element: &FlatElement<'_>) {
        if self.pending_trivia(element.text_range().start).is_none() {
            self.push(Part::Padding(padding));
        }
    }

    pub(crate) fn width_of(&self, part: Part) -> u32 {
        match part {
            Part::Source(range) | Part::SourceLines(range) | Part::Gap(range) | Part::Requoted(range) => {
                width(&self.text[range.as_range()])
            }
            Part::Literal(text) => width(text),
            Part::Space | Part::Line { is_space: true, .. } => 1,
            _ => 0,
        }
    }

    /// Sets the padding before an arrow, for a broken group.
    pub(crate) fn pad_arrow(&mut self, arrow: &Arrow, padding: u32) {
        self.parts[arrow.pad] = Part::BrokenPadding(padding);
    }

    /// Aligns the arrows of a block, for broken groups.
    pub(crate) fn align(&mut self, column: &Column) {
        if !self.options.align_arrows {
            return;
        }
        let widest = column.arrows.iter().map(|it| it.width).max().unwrap_or(0);
        for arrow in &column.arrows {
            self.parts[arrow.pad] = Part::BrokenPadding(widest - arrow.width);
        }
    }
}
