//! The document: what stays of the source, and what may stand between.

use syntax::TextRange;

/// A part of a document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// A piece of the source, as it is.
    Source(TextRange),
    /// Lines of the source, with their indentation.
    Lines(TextRange),
    /// The text of a heredoc: it begins and ends with its lines.
    Heredoc(TextRange),
    /// A string in double quotes that gets single ones.
    Requoted(TextRange),
    /// Text that stands elsewhere in the source, or nowhere.
    Literal(&'static str),
    /// Text that is there only where the group's lines are broken.
    IfBroken(&'static str),
    Space,
    /// Blanks before an arrow, where the group's lines are broken.
    Pad(u32),
    /// Blanks, where the group's lines are not broken.
    FlatPad(u32),
    /// Blanks.
    Blanks(u32),
    /// A line break where the group's lines are broken, else a blank or nothing.
    Line {
        is_blank: bool,
        has_empty_line: bool,
    },
    /// A line break.
    Break {
        has_empty_line: bool,
    },
    /// One level more; with `if_broken` only where the group's lines are broken.
    Indent {
        if_broken: bool,
    },
    Dedent,
    /// A group begins: its lines are broken all or not at all. They are if they must, or if it does not fit into the line.
    Start {
        must_break: bool,
    },
    End,
}

/// What a part takes of its line.
#[derive(Clone, Copy, Default, Debug)]
struct PartExtent {
    /// In characters, up to the first line break.
    width: u32,
    /// Is there a line break in it?
    breaks: bool,
}

/// A document with what is needed to know what fits into a line.
pub(crate) struct Measured {
    /// The width of all parts before each, without line breaks.
    before: Vec<u64>,
    /// From each part to the next place where a line may break.
    to_chance: Vec<u32>,
    /// From each part to the next place where a line must break.
    to_break: Vec<u32>,
    /// The part in which that is.
    next_break: Vec<usize>,
    /// The end of the group that begins with a part.
    ends: Vec<usize>,
}

impl Measured {
    pub(crate) fn new(parts: &[Part], text: &str) -> Measured {
        let count = parts.len();
        let (is_broken, ends) = broken_groups(parts);
        let extents: Vec<PartExtent> =
            parts.iter().zip(&is_broken).map(|(part, is_broken)| extent(*part, *is_broken, text)).collect();
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

    /// Does the group that begins with the part `start` fit into `room`, without a break of its own lines?
    pub(crate) fn fits(&self, start: usize, room: u32) -> bool {
        let end = self.ends[start];
        if self.next_break[start] < end {
            return self.to_break[start] <= room;
        }
        let width = self.before[end] - self.before[start];
        width + u64::from(self.to_chance[end]) <= u64::from(room)
    }
}

/// Which parts belong to a group whose lines are broken in any case, and where each group ends.
fn broken_groups(parts: &[Part]) -> (Vec<bool>, Vec<usize>) {
    let mut is_broken = vec![false; parts.len()];
    let mut ends = vec![parts.len(); parts.len()];
    let mut groups = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        match part {
            Part::Start { must_break } => groups.push((at, *must_break)),
            Part::End => {
                if let Some((start, _)) = groups.pop() {
                    ends[start] = at;
                }
            }
            _ => is_broken[at] = groups.last().is_some_and(|(_, must_break)| *must_break),
        }
    }
    (is_broken, ends)
}

fn extent(part: Part, is_broken: bool, text: &str) -> PartExtent {
    match part {
        Part::Source(range) | Part::Lines(range) => {
            let text = &text[range.as_range()];
            match text.find('\n') {
                Some(end) => PartExtent { width: width(&text[..end]), breaks: true },
                None => PartExtent { width: width(text), breaks: false },
            }
        }
        Part::Requoted(range) => PartExtent { width: width(&text[range.as_range()]), breaks: false },
        Part::Blanks(width) => PartExtent { width, breaks: false },
        Part::Pad(width) if is_broken => PartExtent { width, breaks: false },
        Part::FlatPad(width) if !is_broken => PartExtent { width, breaks: false },
        Part::IfBroken(text) if is_broken => PartExtent { width: width(text), breaks: false },
        Part::Literal(text) => PartExtent { width: width(text), breaks: false },
        Part::Space | Part::Line { is_blank: true, .. } => PartExtent { width: 1, breaks: false },
        _ => PartExtent::default(),
    }
}

/// How many characters a text takes.
pub(crate) fn width(text: &str) -> u32 {
    if text.is_ascii() { text.len() as u32 } else { text.chars().count() as u32 }
}
