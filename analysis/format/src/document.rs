//! Document model: pieces of the source, and the separators between them.

use syntax::TextRange;

/// Part of a document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// Unchanged piece of a line of the source.
    Source(TextRange),
    /// Unchanged piece of the source with line breaks.
    SourceLines(TextRange),
    /// Whitespace and comments of the source, which only take the line ends of the file.
    Gap(TextRange),
    /// Lines of the source, including their indentation.
    Lines(TextRange),
    /// Text of a heredoc, consisting of whole lines.
    Heredoc(TextRange),
    /// Double-quoted string that becomes single-quoted.
    Requoted(TextRange),
    /// Text that moves from elsewhere in the source, or is new.
    Literal(&'static str),
    /// Text that is emitted only if the group is broken.
    IfBroken(&'static str),
    Space,
    /// Padding before an arrow, if the group is broken.
    BrokenPadding(u32),
    /// Padding, if the group is not broken.
    FlatPadding(u32),
    /// Padding.
    Padding(u32),
    /// A line break if the group is broken; otherwise a space or nothing.
    Line {
        is_space: bool,
        has_empty_line: bool,
    },
    /// A line break.
    Break {
        has_empty_line: bool,
    },
    /// Increases the indentation by one level; with `if_broken`, only if the group is broken.
    Indent {
        if_broken: bool,
    },
    Dedent,
    /// Padding up to a column, relative to the start of the code on the line; at least one space.
    Column(u32),
    /// Start of a group, whose lines are either all broken or not at all.
    Start(Breaking),
    End,
}

/// Condition for breaking the lines of a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Breaking {
    Always,
    /// If the line does not fit up to the next place after the group where it may break.
    IfLong,
    /// Like `IfLong`, but only if all lines fit when broken: otherwise nothing is gained.
    IfItFits,
    Never,
}

/// Extent of a part on its line.
#[derive(Clone, Copy, Default, Debug)]
struct PartExtent {
    /// Width in characters up to the first line break.
    width: u32,
    /// True if the part contains a line break.
    breaks: bool,
}

/// Measurements of a part and of the parts after it.
#[derive(Clone, Copy, Default)]
struct PartMeasure {
    extent: PartExtent,
    /// True for a line break, or a line that is broken in any case.
    ends_line: bool,
    /// Total width of the parts before it, ignoring line breaks.
    before: u64,
    /// Width up to the next possible line break.
    to_chance: u32,
    /// Width up to the next mandatory line break.
    to_break: u32,
    /// Index of the part with that line break.
    next_break: usize,
    /// Index of the end of the group that begins at the part.
    end: usize,
}

/// Measurements of a document for deciding what fits on a line, with one more for its end.
pub(crate) struct Measured {
    parts: Vec<PartMeasure>,
}

impl Measured {
    pub(crate) fn new(parts: &[Part], text: &str) -> Measured {
        let count = parts.len();
        let mut measured: Vec<PartMeasure> = Vec::with_capacity(count + 1);
        let mut groups: Vec<(usize, bool)> = Vec::new();
        let start = PartMeasure { next_break: count, end: count, ..PartMeasure::default() };
        let mut before = 0;
        for (at, part) in parts.iter().enumerate() {
            let mut is_broken = false;
            match part {
                Part::Start(breaking) => groups.push((at, *breaking == Breaking::Always)),
                Part::End => {
                    if let Some((start, _)) = groups.pop() {
                        measured[start].end = at;
                    }
                }
                _ => is_broken = groups.last().is_some_and(|(_, is_broken)| *is_broken),
            }
            let is_gap = matches!(part, Part::Space | Part::Padding(_) | Part::Column(_));
            // A comment that makes its line too long is no reason to break the code before it.
            let is_ignored =
                is_comment(part, text) || is_gap && parts.get(at + 1).is_some_and(|it| is_comment(it, text));
            let extent = if is_ignored { PartExtent::default() } else { extent(*part, is_broken, text) };
            let ends_line = match part {
                Part::Line { .. } => is_broken,
                Part::Break { .. } | Part::Heredoc(_) => true,
                _ => false,
            };
            measured.push(PartMeasure { extent, ends_line, before, ..start });
            before += u64::from(extent.width);
        }
        measured.push(PartMeasure { before, ..start });
        measure_lines(parts, &mut measured);
        Measured { parts: measured }
    }

    /// Returns true if the group that begins at part `start` is broken with `room` left on its line, `None` if the line is
    /// already too long, and `inner_room` on each of its lines.
    pub(crate) fn breaks(
        &self,
        parts: &[Part],
        start: usize,
        breaking: Breaking,
        room: Option<u32>,
        inner_room: u32,
    ) -> bool {
        let PartMeasure { before, to_chance, to_break, next_break, end, .. } = self.parts[start];
        match breaking {
            Breaking::Always => true,
            Breaking::Never => false,
            Breaking::IfItFits => {
                self.breaks(parts, start, Breaking::IfLong, room, inner_room) && {
                    let is_line = |at: &usize| matches!(parts[*at], Part::Line { .. });
                    let fits = |at: usize| self.parts[at + 1].to_chance <= inner_room;
                    (next_break < end || room.is_some_and(|it| to_chance <= it))
                        && (start..end).filter(is_line).all(fits)
                }
            }
            Breaking::IfLong if next_break < end => to_break > room.unwrap_or(0),
            Breaking::IfLong => {
                let after = self.parts[end];
                after.before - before + u64::from(after.to_chance) > u64::from(room.unwrap_or(0))
            }
        }
    }
}

/// Measures the distances from each part to the line breaks after it.
fn measure_lines(parts: &[Part], measured: &mut [PartMeasure]) {
    for at in (0..parts.len()).rev() {
        let next = measured[at + 1];
        let part = &mut measured[at];
        let PartExtent { width, breaks } = part.extent;
        let is_line = matches!(parts[at], Part::Line { .. } | Part::Break { .. } | Part::Heredoc(_));
        if breaks || part.ends_line {
            part.to_break = if is_line { 0 } else { width };
            part.next_break = at;
        } else {
            part.to_break = width.saturating_add(next.to_break);
            part.next_break = next.next_break;
        }
        part.to_chance = match is_line {
            true => 0,
            false if breaks => width,
            false => width.saturating_add(next.to_chance),
        };
    }
}

/// Returns true for a comment that ends its line.
fn is_comment(part: &Part, text: &str) -> bool {
    matches!(part, Part::Source(range) if text.as_bytes().get(range.start as usize) == Some(&b'#'))
}

fn extent(part: Part, is_broken: bool, text: &str) -> PartExtent {
    match part {
        Part::Source(range) => PartExtent { width: width(&text[range.as_range()]), breaks: false },
        Part::SourceLines(range) | Part::Gap(range) | Part::Lines(range) => {
            let text = &text[range.as_range()];
            match text.find('\n') {
                Some(end) => PartExtent { width: width(&text[..end]), breaks: true },
                None => PartExtent { width: width(text), breaks: false },
            }
        }
        Part::Requoted(range) => PartExtent { width: width(&text[range.as_range()]), breaks: false },
        Part::Padding(width) => PartExtent { width, breaks: false },
        Part::BrokenPadding(width) if is_broken => PartExtent { width, breaks: false },
        Part::FlatPadding(width) if !is_broken => PartExtent { width, breaks: false },
        Part::IfBroken(text) if is_broken => PartExtent { width: width(text), breaks: false },
        Part::Literal(text) => PartExtent { width: width(text), breaks: false },
        Part::Space | Part::Column(_) | Part::Line { is_space: true, .. } => {
            PartExtent { width: 1, breaks: false }
        }
        _ => PartExtent::default(),
    }
}

/// Returns the width of a text in characters.
pub(crate) fn width(text: &str) -> u32 {
    if text.is_ascii() { text.len() as u32 } else { text.chars().count() as u32 }
}
