//! Document model: pieces of the source, and the separators between them.

use syntax::TextRange;

/// Part of a document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// Unchanged piece of the source.
    Source(TextRange),
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

/// Measurements of a document for deciding what fits on a line.
pub(crate) struct Measured {
    /// Total width of the parts before each part, ignoring line breaks.
    before: Vec<u64>,
    /// Width from each part to the next possible line break.
    to_chance: Vec<u32>,
    /// Width from each part to the next mandatory line break.
    to_break: Vec<u32>,
    /// Index of the part with that line break.
    next_break: Vec<usize>,
    /// Index of the end of the group that begins at each part.
    ends: Vec<usize>,
}

impl Measured {
    pub(crate) fn new(parts: &[Part], text: &str) -> Measured {
        let count = parts.len();
        let (is_broken, ends) = broken_groups(parts);
        let is_comment = |part: Option<&Part>| match part {
            Some(Part::Source(range)) => text[range.as_range()].starts_with('#'),
            _ => false,
        };
        let measured = parts.iter().zip(&is_broken).enumerate().map(|(at, (part, is_broken))| {
            let is_gap = matches!(part, Part::Space | Part::Padding(_) | Part::Column(_));
            // A comment that makes its line too long is no reason to break the code before it.
            if is_comment(Some(part)) || is_gap && is_comment(parts.get(at + 1)) {
                return PartExtent::default();
            }
            extent(*part, *is_broken, text)
        });
        let extents: Vec<PartExtent> = measured.collect();
        let mut before = vec![0; count + 1];
        for (at, extent) in extents.iter().enumerate() {
            before[at + 1] = before[at] + u64::from(extent.width);
        }
        let mut to_chance = vec![0; count + 1];
        let mut to_break = vec![0; count + 1];
        let mut next_break = vec![count; count + 1];
        for at in (0..count).rev() {
            let PartExtent { width, breaks } = extents[at];
            let is_line = matches!(parts[at], Part::Line { .. } | Part::Break { .. } | Part::Heredoc(_));
            if breaks || is_line && (is_broken[at] || !matches!(parts[at], Part::Line { .. })) {
                to_break[at] = if is_line { 0 } else { width };
                next_break[at] = at;
            } else {
                to_break[at] = width.saturating_add(to_break[at + 1]);
                next_break[at] = next_break[at + 1];
            }
            to_chance[at] = match is_line {
                true => 0,
                false if breaks => width,
                false => width.saturating_add(to_chance[at + 1]),
            };
        }
        Measured { before, to_chance, to_break, next_break, ends }
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
        let end = self.ends[start];
        match breaking {
            Breaking::Always => true,
            Breaking::Never => false,
            Breaking::IfItFits => {
                self.breaks(parts, start, Breaking::IfLong, room, inner_room) && {
                    let is_line = |at: &usize| matches!(parts[*at], Part::Line { .. });
                    let fits = |at: usize| self.to_chance[at + 1] <= inner_room;
                    (self.next_break[start] < end || room.is_some_and(|it| self.to_chance[start] <= it))
                        && (start..end).filter(is_line).all(fits)
                }
            }
            Breaking::IfLong if self.next_break[start] < end => self.to_break[start] > room.unwrap_or(0),
            Breaking::IfLong => {
                let width = self.before[end] - self.before[start];
                width + u64::from(self.to_chance[end]) > u64::from(room.unwrap_or(0))
            }
        }
    }
}

/// Returns which parts belong to a group that is always broken, and the end of each group.
fn broken_groups(parts: &[Part]) -> (Vec<bool>, Vec<usize>) {
    let mut is_broken = vec![false; parts.len()];
    let mut ends = vec![parts.len(); parts.len()];
    let mut groups = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        match part {
            Part::Start(breaking) => groups.push((at, *breaking == Breaking::Always)),
            Part::End => {
                if let Some((start, _)) = groups.pop() {
                    ends[start] = at;
                }
            }
            _ => is_broken[at] = groups.last().is_some_and(|(_, is_broken)| *is_broken),
        }
    }
    (is_broken, ends)
}

fn extent(part: Part, is_broken: bool, text: &str) -> PartExtent {
    match part {
        Part::Source(range) | Part::Gap(range) | Part::Lines(range) => {
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
