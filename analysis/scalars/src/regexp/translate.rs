//! Translation from Ruby's dialect to those of the `regex` and `fancy-regex` crates.

use crate::ruby_regex::{
    Anchor, CharacterClass, ClassItem, GroupOptions, NodeId, Pattern, RegexNode, Set, SetKind, SetRange,
};

use super::RegexpError;
use super::sets::members;

pub(super) struct Translation {
    pub(super) text: String,
    /// True if the pattern requires `fancy-regex`.
    pub(super) needs_backtracking: bool,
    /// True if the pattern contains `^` or `\Z` at positions where a trailing line break of the string would
    /// make a difference.
    pub(super) line_break_at_end_matters: bool,
}

/// Returns the number of each capturing group of the pattern. Group 0 is the whole pattern.
pub(super) fn capture_numbers(pattern: &Pattern) -> Vec<Option<usize>> {
    let mut next = 0;
    let number = |&id: &NodeId| match pattern.nodes.get(id as usize) {
        Some(RegexNode::Capture { number, named, .. })
            if *number == 0 || *named || pattern.names.is_empty() =>
        {
            next += 1;
            Some(next - 1)
        }
        _ => None,
    };
    pattern.captures.iter().map(number).collect()
}

/// Translates a pattern. If `exact` is set, the result is also correct for strings that end in a line break.
pub(super) fn translate(pattern: &Pattern, exact: bool) -> Result<Translation, RegexpError> {
    let mut writer = RegexWriter {
        pattern,
        numbers: capture_numbers(pattern),
        exact,
        flags: RegexFlags { ignore_case: false, dot_all: false, sets: SetRange::Default },
        consumes: vec![None; pattern.nodes.len()],
        out: Translation { text: String::new(), needs_backtracking: false, line_break_at_end_matters: false },
    };
    match pattern.captures.first().and_then(|&root| pattern.nodes.get(root as usize)) {
        Some(&RegexNode::Capture { target, .. }) => writer.node(target, false)?,
        _ => return Err(RegexpError::TooComplex),
    }
    Ok(writer.out)
}

#[derive(Clone, Copy)]
struct RegexFlags {
    ignore_case: bool,
    dot_all: bool,
    sets: SetRange,
}

struct RegexWriter<'a> {
    pattern: &'a Pattern,
    numbers: Vec<Option<usize>>,
    exact: bool,
    flags: RegexFlags,
    /// Cache by node: true if it must consume at least one character.
    consumes: Vec<Option<bool>>,
    out: Translation,
}

impl<'a> RegexWriter<'a> {
    fn get(&self, id: NodeId) -> &'a RegexNode {
        self.pattern.nodes.get(id as usize).unwrap_or(&RegexNode::Empty)
    }

    fn push(&mut self, text: &str) {
        self.out.text.push_str(text);
    }

    /// Writes a construct that requires backtracking.
    fn push_fancy(&mut self, text: &str) {
        self.out.needs_backtracking = true;
        self.push(text);
    }

    /// Writes a node. If `followed` is set, whatever follows it consumes at least one character.
    fn node(&mut self, id: NodeId, followed: bool) -> Result<(), RegexpError> {
        match self.get(id) {
            RegexNode::Empty => {}
            RegexNode::Character(c) => self.character(*c),
            RegexNode::Any if self.flags.dot_all => self.push("(?s:.)"),
            RegexNode::Any => self.push("."),
            RegexNode::Set(set) => self.set(set)?,
            RegexNode::Class(class) => self.class(class)?,
            RegexNode::LineBreak => self.push_fancy(r"(?>\r\n|[\n-\r\x{85}\x{2028}\x{2029}])"),
            RegexNode::Grapheme => self.push_fancy(GRAPHEME),
            RegexNode::Anchor(anchor) => self.anchor(*anchor, followed),
            RegexNode::NumberedReference(number) => self.reference(&[*number]),
            RegexNode::NamedReference(name) => {
                let pattern = self.pattern;
                self.reference(pattern.names.get(name).map_or(&[], |it| it));
            }
            RegexNode::NumberedCall(number) => self.call(usize::try_from(*number).ok())?,
            RegexNode::NamedCall(name) => {
                let number = self.pattern.names.get(name).and_then(|it| it.first());
                self.call(number.map(|&it| it as usize))?;
            }
            RegexNode::LookAhead { negative, target } => {
                self.push_fancy(if *negative { "(?!" } else { "(?=" });
                self.inside(*target, false)?;
            }
            RegexNode::LookBehind { negative, target } => {
                self.push_fancy(if *negative { "(?<!" } else { "(?<=" });
                self.inside(*target, false)?;
            }
            RegexNode::Atomic(target) => {
                self.push_fancy("(?>");
                self.inside(*target, followed)?;
            }
            RegexNode::Absent(target) => {
                self.push_fancy("(?~");
                self.inside(*target, false)?;
            }
            RegexNode::Repeat { lower, upper, lazy, target } => {
                self.repeat(*lower, *upper, *lazy, *target, followed)?;
            }
            RegexNode::Capture { number, target, .. } => {
                let captures = self.numbers.get(*number as usize).copied().flatten().is_some();
                self.push(if captures { "(" } else { "(?:" });
                self.inside(*target, followed)?;
            }
            RegexNode::Options { options, target } => self.options(*options, *target, followed)?,
            RegexNode::Condition { number, target, .. } => self.condition(*number, *target, followed)?,
            RegexNode::Sequence(parts) => self.sequence(parts, followed)?,
            RegexNode::Alternatives(branches) => {
                self.push("(?:");
                self.branches(branches, followed)?;
                self.push(")");
            }
        }
        Ok(())
    }

    /// Writes the content of a group and its closing bracket.
    fn inside(&mut self, target: NodeId, followed: bool) -> Result<(), RegexpError> {
        match self.get(target) {
            RegexNode::Alternatives(branches) => self.branches(branches, followed)?,
            _ => self.node(target, followed)?,
        }
        self.push(")");
        Ok(())
    }

    fn branches(&mut self, branches: &[NodeId], followed: bool) -> Result<(), RegexpError> {
        for (index, &branch) in branches.iter().enumerate() {
            if index > 0 {
                self.push("|");
            }
            self.node(branch, followed)?;
        }
        Ok(())
    }

    fn sequence(&mut self, parts: &[NodeId], followed: bool) -> Result<(), RegexpError> {
        let last_that_consumes = parts.iter().rposition(|&part| self.consumes(part));
        for (index, &part) in parts.iter().enumerate() {
            self.node(part, followed || last_that_consumes.is_some_and(|last| last > index))?;
        }
        Ok(())
    }

    fn consumes(&mut self, id: NodeId) -> bool {
        if let Some(known) = self.consumes.get(id as usize).copied().flatten() {
            return known;
        }
        let found = match self.get(id) {
            RegexNode::Character(_) | RegexNode::Any | RegexNode::Set(_) | RegexNode::Class(_) => true,
            RegexNode::LineBreak | RegexNode::Grapheme => true,
            RegexNode::Repeat { lower, target, .. } => *lower > 0 && self.consumes(*target),
            RegexNode::Capture { target, .. } | RegexNode::Options { target, .. } => self.consumes(*target),
            RegexNode::Atomic(target) | RegexNode::Condition { target, .. } => self.consumes(*target),
            RegexNode::Sequence(parts) => parts.iter().any(|&part| self.consumes(part)),
            RegexNode::Alternatives(branches) => branches.iter().all(|&branch| self.consumes(branch)),
            RegexNode::Empty
            | RegexNode::Anchor(_)
            | RegexNode::LookAhead { .. }
            | RegexNode::LookBehind { .. } => false,
            RegexNode::NumberedReference(_) | RegexNode::NamedReference(_) | RegexNode::Absent(_) => false,
            RegexNode::NumberedCall(_) | RegexNode::NamedCall(_) => false,
        };
        if let Some(known) = self.consumes.get_mut(id as usize) {
            *known = Some(found);
        }
        found
    }

    fn character(&mut self, c: char) {
        match c {
            '\\' | '.' | '+' | '*' | '?' | '(' | ')' | '|' | '[' | ']' | '{' | '}' | '^' | '$' => {
                self.out.text.push('\\');
                self.out.text.push(c);
            }
            c if c.is_control() => push_number(&mut self.out.text, c),
            c => self.out.text.push(c),
        }
    }

    fn set(&mut self, set: &Set) -> Result<(), RegexpError> {
        let members = members(set, self.flags.sets)?;
        let not = if set.negative { "^" } else { "" };
        if self.flags.ignore_case && members.keeps_case {
            self.push(&format!("(?-i:[{not}{}])", members.text))
        } else {
            self.push(&format!("[{not}{}]", members.text))
        }
        Ok(())
    }

    fn class(&mut self, class: &CharacterClass) -> Result<(), RegexpError> {
        let mut text = String::new();
        let keeps_case = write_class(&mut text, class, self.flags.sets)?;
        if self.flags.ignore_case && keeps_case {
            self.push(&format!("(?-i:{text})"))
        } else {
            self.push(&text)
        }
        Ok(())
    }

    fn anchor(&mut self, anchor: Anchor, followed: bool) {
        match anchor {
            // No line starts after a trailing line break.
            Anchor::LineStart if followed => self.push("(?m:^)"),
            Anchor::LineStart => {
                self.out.line_break_at_end_matters = true;
                if self.exact { self.push_fancy(r"(?:(?m:^)(?!\z)|\A)") } else { self.push("(?m:^)") }
            }
            Anchor::LineEnd => self.push("(?m:$)"),
            Anchor::TextStart => self.push(r"\A"),
            Anchor::TextEnd => self.push(r"\z"),
            Anchor::TextEndOrLastLineBreak => {
                self.out.line_break_at_end_matters = true;
                if self.exact { self.push_fancy(r"(?=\n?\z)") } else { self.push(r"\z") }
            }
            Anchor::SearchStart => self.push_fancy(r"\G"),
            Anchor::Keep => self.push_fancy(r"\K"),
            Anchor::WordBoundary if self.flags.sets == SetRange::Ascii => {
                self.push_fancy("(?:(?<=[0-9A-Za-z_])(?![0-9A-Za-z_])|(?<![0-9A-Za-z_])(?=[0-9A-Za-z_]))")
            }
            Anchor::NoWordBoundary if self.flags.sets == SetRange::Ascii => {
                self.push_fancy("(?:(?<=[0-9A-Za-z_])(?=[0-9A-Za-z_])|(?<![0-9A-Za-z_])(?![0-9A-Za-z_]))")
            }
            Anchor::WordBoundary => self.push(r"\b"),
            Anchor::NoWordBoundary => self.push(r"\B"),
        }
    }

    /// Writes a reference to any of these groups, trying the last one first.
    fn reference(&mut self, groups: &[u32]) {
        let numbers: Vec<String> = groups
            .iter()
            .rev()
            .filter_map(|&group| self.numbers.get(group as usize).copied().flatten())
            .map(|number| format!(r"\{number}"))
            .collect();
        self.push_fancy(&format!("(?:{})", numbers.join("|")));
    }

    fn call(&mut self, group: Option<usize>) -> Result<(), RegexpError> {
        let number = group.and_then(|group| self.numbers.get(group).copied().flatten());
        let number = number.ok_or_else(|| RegexpError::Unsupported(r"`\g<...>`".to_owned()))?;
        self.push_fancy(&format!(r"\g<{number}>"));
        Ok(())
    }

    fn repeat(
        &mut self,
        lower: u32,
        upper: Option<u32>,
        lazy: bool,
        target: NodeId,
        followed: bool,
    ) -> Result<(), RegexpError> {
        // The engines refuse to repeat a zero-width node; once is equivalent.
        if self.takes_nothing(target) {
            return match (lower, lazy) {
                (0, false) => self.optional("(?:", target, "|)", followed),
                (0, true) => self.optional("(?:|", target, ")", followed),
                _ => self.node(target, followed),
            };
        }
        let is_one_piece = matches!(
            self.get(target),
            RegexNode::Character(_)
                | RegexNode::Any
                | RegexNode::Set(_)
                | RegexNode::Class(_)
                | RegexNode::Capture { .. }
                | RegexNode::Alternatives(_)
                | RegexNode::Atomic(_)
        );
        if !is_one_piece {
            self.push("(?:");
        }
        self.node(target, followed)?;
        if !is_one_piece {
            self.push(")");
        }
        match (lower, upper) {
            (0, None) => self.push("*"),
            (1, None) => self.push("+"),
            (0, Some(1)) => self.push("?"),
            (lower, None) => self.push(&format!("{{{lower},}}")),
            (lower, Some(upper)) if lower == upper => self.push(&format!("{{{lower}}}")),
            (lower, Some(upper)) => self.push(&format!("{{{lower},{upper}}}")),
        }
        if lazy {
            self.push("?");
        }
        Ok(())
    }

    fn optional(
        &mut self,
        open: &str,
        target: NodeId,
        close: &str,
        followed: bool,
    ) -> Result<(), RegexpError> {
        self.push(open);
        self.node(target, followed)?;
        self.push(close);
        Ok(())
    }

    /// Returns true if the node consists only of anchors and look-arounds.
    fn takes_nothing(&self, id: NodeId) -> bool {
        match self.get(id) {
            RegexNode::Empty
            | RegexNode::Anchor(_)
            | RegexNode::LookAhead { .. }
            | RegexNode::LookBehind { .. } => true,
            RegexNode::Capture { target, .. }
            | RegexNode::Options { target, .. }
            | RegexNode::Atomic(target) => self.takes_nothing(*target),
            RegexNode::Repeat { upper, target, .. } => *upper == Some(0) || self.takes_nothing(*target),
            RegexNode::Sequence(parts) | RegexNode::Alternatives(parts) => {
                parts.iter().all(|&part| self.takes_nothing(part))
            }
            _ => false,
        }
    }

    fn options(&mut self, options: GroupOptions, target: NodeId, followed: bool) -> Result<(), RegexpError> {
        let outside = self.flags;
        self.flags = RegexFlags {
            ignore_case: options.ignore_case.unwrap_or(outside.ignore_case),
            dot_all: options.dot_all.unwrap_or(outside.dot_all),
            sets: options.sets.unwrap_or(outside.sets),
        };
        self.push(match (outside.ignore_case, self.flags.ignore_case) {
            (false, true) => "(?i:",
            (true, false) => "(?-i:",
            _ => "(?:",
        });
        self.inside(target, followed)?;
        self.flags = outside;
        Ok(())
    }

    fn condition(&mut self, group: u32, target: NodeId, followed: bool) -> Result<(), RegexpError> {
        let Some(number) = self.numbers.get(group as usize).copied().flatten() else {
            return Err(RegexpError::Unsupported("`(?(...)...)`".to_owned()));
        };
        self.push_fancy(&format!("(?({number})"));
        self.inside(target, followed)
    }
}

/// Writes a class with its brackets. Returns true if ignoring case does not extend it.
fn write_class(out: &mut String, class: &CharacterClass, range: SetRange) -> Result<bool, RegexpError> {
    let mut keeps_case = true;
    out.push_str(if class.negative { "[^" } else { "[" });
    for (index, part) in class.parts.iter().enumerate() {
        if index > 0 {
            out.push_str("&&");
        }
        // An empty list matches nothing, but an empty class would be rejected.
        if part.is_empty() {
            out.push_str("[a&&b]");
        }
        for item in part {
            match item {
                ClassItem::Character(c) => {
                    keeps_case &= !c.is_alphabetic();
                    write_class_character(out, *c);
                }
                ClassItem::Range(from, to) => {
                    keeps_case = false;
                    write_class_character(out, *from);
                    out.push('-');
                    write_class_character(out, *to);
                }
                ClassItem::Set(set) => {
                    let members = members(set, range)?;
                    keeps_case &= members.keeps_case || matches!(set.kind, SetKind::Word);
                    out.push_str(if set.negative { "[^" } else { "[" });
                    out.push_str(&members.text);
                    out.push(']');
                }
                ClassItem::Class(inner) => keeps_case &= write_class(out, inner, range)?,
            }
        }
    }
    out.push(']');
    Ok(keeps_case)
}

fn write_class_character(out: &mut String, c: char) {
    match c {
        c if c.is_ascii_alphanumeric() || !(c.is_ascii() || c.is_control()) => out.push(c),
        c => push_number(out, c),
    }
}

fn push_number(out: &mut String, c: char) {
    out.push_str(&format!(r"\x{{{:X}}}", c as u32));
}

/// Extended grapheme cluster (Unicode Standard Annex 29).
const GRAPHEME: &str = concat!(
    r"(?-i:(?>\r\n|\p{gcb=Control}|\r|\n|",
    r"\p{gcb=Prepend}*(?:\p{gcb=L}*(?:\p{gcb=V}+|\p{gcb=LV}\p{gcb=V}*|\p{gcb=LVT})\p{gcb=T}*|\p{gcb=L}+|\p{gcb=T}+|",
    r"\p{gcb=RI}\p{gcb=RI}|\p{ExtPict}(?:\p{gcb=Extend}*\x{200D}\p{ExtPict})*|[^\p{gcb=Control}\r\n])",
    r"[\p{gcb=Extend}\x{200D}\p{gcb=SpacingMark}]*|(?s:.)))",
);
