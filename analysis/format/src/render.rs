//! Renders a document to edits: decides where lines break and what separates the unchanged pieces.

use syntax::TextRange;

use crate::FormatOptions;
use crate::document::{Breaking, Measured, Part, width};
use crate::edits::FormatEdit;

const SPACES: &str = "                                                                ";

/// Result of rendering a document.
pub(crate) struct Rendered {
    pub(crate) edits: Vec<FormatEdit>,
    /// True if lines were broken because they were too long.
    pub(crate) has_broken_long_lines: bool,
}

pub(crate) fn render(parts: &[Part], text: &str, options: &FormatOptions) -> Rendered {
    let measured = Measured::new(parts, text);
    let mut renderer = LayoutRenderer::new(text, options);
    for (at, part) in parts.iter().enumerate() {
        if let Part::Start(breaking) = *part {
            let room = options.width.checked_sub(renderer.column);
            let indent = (renderer.level() + 1) * options.indent;
            let inner_room = options.width.saturating_sub(indent);
            let is_broken = measured.breaks(parts, at, breaking, room, inner_room);
            renderer.has_broken_long_lines |= is_broken && breaking != Breaking::Always;
            renderer.groups.push(is_broken);
        } else {
            renderer.part(*part);
        }
    }
    renderer.finish()
}

struct LayoutRenderer<'a> {
    text: &'a str,
    line_end: &'static str,
    indent_width: u32,
    edits: Vec<FormatEdit>,
    /// End of the source consumed so far.
    taken: u32,
    /// Text to emit after it.
    pending: String,
    column: u32,
    /// Column of the first code on the line.
    line_indent: u32,
    /// True if the line has begun and is empty.
    is_at_line_start: bool,
    levels: Vec<u32>,
    /// For each open group, true if its lines are broken.
    groups: Vec<bool>,
    has_broken_long_lines: bool,
}

impl<'a> LayoutRenderer<'a> {
    fn new(text: &'a str, options: &FormatOptions) -> LayoutRenderer<'a> {
        let ends_in_crlf =
            text.contains('\r') && text.matches("\r\n").count() * 2 > text.matches('\n').count();
        LayoutRenderer {
            text,
            line_end: if ends_in_crlf { "\r\n" } else { "\n" },
            indent_width: options.indent,
            edits: Vec::new(),
            taken: 0,
            pending: String::new(),
            column: 0,
            line_indent: 0,
            is_at_line_start: true,
            levels: Vec::new(),
            groups: Vec::new(),
            has_broken_long_lines: false,
        }
    }

    fn is_broken(&self) -> bool {
        self.groups.last().is_some_and(|it| *it)
    }

    fn part(&mut self, part: Part) {
        match part {
            Part::Source(range) => {
                self.replace_up_to(range.start);
                self.taken = range.end;
                self.column += width(&self.text[range.as_range()]);
                self.is_at_line_start = false;
            }
            Part::SourceLines(range) => self.source(range),
            Part::Gap(range) => self.gap(range),
            Part::Lines(range) => {
                self.pending.truncate(self.pending.trim_end_matches(' ').len());
                self.source(range);
            }
            Part::Heredoc(range) => {
                self.pending.truncate(self.pending.trim_end_matches(' ').len());
                if !self.is_at_line_start {
                    self.pending.push_str(self.line_end);
                }
                self.source(range);
                self.is_at_line_start = self.text[range.as_range()].ends_with('\n');
            }
            Part::Requoted(range) => self.requoted(range),
            Part::Literal(text) => self.generated(text),
            Part::IfBroken(text) if self.is_broken() => self.generated(text),
            Part::Space | Part::Line { is_space: true, .. } if !self.breaks(part) => self.generated(" "),
            Part::BrokenPadding(count) if self.is_broken() => self.spaces(count),
            Part::FlatPadding(count) if !self.is_broken() => self.spaces(count),
            Part::Column(offset) => {
                let count = (self.line_indent + offset).saturating_sub(self.column).max(1);
                self.spaces(count);
            }
            Part::Padding(count) => self.spaces(count),
            Part::Line { has_empty_line, .. } if self.breaks(part) => self.line_break(has_empty_line),
            Part::Break { has_empty_line } => self.line_break(has_empty_line),
            Part::Indent { if_broken } => {
                let more = u32::from(!if_broken || self.is_broken());
                self.levels.push(self.level() + more);
            }
            Part::Dedent => {
                self.levels.pop();
            }
            Part::End => {
                self.groups.pop();
            }
            _ => {}
        }
    }

    fn breaks(&self, part: Part) -> bool {
        matches!(part, Part::Line { .. }) && self.is_broken()
    }

    fn level(&self) -> u32 {
        self.levels.last().copied().unwrap_or(0)
    }

    fn generated(&mut self, text: &str) {
        self.pending.push_str(text);
        self.column += width(text);
        self.is_at_line_start = false;
    }

    fn spaces(&mut self, count: u32) {
        self.push_spaces(count);
        self.column += count;
        self.is_at_line_start = false;
    }

    /// Appends spaces to the pending text.
    fn push_spaces(&mut self, mut count: u32) {
        while count > 0 {
            let next = count.min(SPACES.len() as u32);
            self.pending.push_str(&SPACES[..next as usize]);
            count -= next;
        }
    }

    fn line_break(&mut self, has_empty_line: bool) {
        self.pending.truncate(self.pending.trim_end_matches(' ').len());
        if !self.is_at_line_start {
            self.pending.push_str(self.line_end);
        }
        if has_empty_line {
            self.pending.push_str(self.line_end);
        }
        self.column = self.level() * self.indent_width;
        self.line_indent = self.column;
        self.push_spaces(self.column);
        self.is_at_line_start = false;
    }

    /// Replaces the source up to `end` with the pending text.
    fn replace_up_to(&mut self, end: u32) {
        let found = &self.text[self.taken as usize..end as usize];
        if found != self.pending {
            let front = same_bytes(found.bytes(), self.pending.bytes());
            let back = same_bytes(found[front..].bytes().rev(), self.pending[front..].bytes().rev());
            let text = self.pending[front..self.pending.len() - back].to_owned();
            self.edits.push(FormatEdit { start: self.taken + front as u32, end: end - back as u32, text });
        }
        self.pending.clear();
        self.taken = end;
    }

    fn source(&mut self, range: TextRange) {
        self.replace_up_to(range.start);
        self.taken = range.end;
        let text = &self.text[range.as_range()];
        match text.rfind('\n') {
            Some(last) => {
                self.column = width(&text[last + 1..]);
                let line = &text[last + 1..];
                self.line_indent = width(line) - width(line.trim_start());
            }
            None => self.column += width(text),
        }
        self.is_at_line_start = false;
    }

    /// Copies whitespace and comments, with the line ends of the file.
    fn gap(&mut self, range: TextRange) {
        let mut start = range.start;
        for line in self.text[range.as_range()].split('\n') {
            let content = line.strip_suffix('\r').unwrap_or(line);
            if start > range.start {
                self.pending.push_str(self.line_end);
                self.column = 0;
                self.line_indent = width(content) - width(content.trim_start());
            }
            self.source(TextRange::new(start, start + content.len() as u32));
            start += line.len() as u32 + 1;
        }
    }

    fn requoted(&mut self, range: TextRange) {
        self.pending.push('\'');
        self.replace_up_to(range.start + 1);
        self.taken = range.end - 1;
        self.pending.push('\'');
        self.column += width(&self.text[range.as_range()]);
        self.is_at_line_start = false;
    }

    fn finish(mut self) -> Rendered {
        if !self.is_at_line_start {
            self.pending.truncate(self.pending.trim_end_matches(' ').len());
            self.pending.push_str(self.line_end);
        }
        self.replace_up_to(self.text.len() as u32);
        Rendered { edits: self.edits, has_broken_long_lines: self.has_broken_long_lines }
    }
}

/// Returns the length of the common ASCII prefix.
fn same_bytes(a: impl Iterator<Item = u8>, b: impl Iterator<Item = u8>) -> usize {
    a.zip(b).take_while(|(a, b)| a == b && a.is_ascii()).count()
}
