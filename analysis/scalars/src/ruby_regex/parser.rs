//! Parser for patterns.

use rustc_hash::FxHashMap;

use super::classes::{self, CharacterClass, Set};
use super::lexer::{GroupReference, RegexLexer, RegexToken};
use super::{RegexFailure, failure};

/// Maximum nesting depth of groups (Ruby's is 4096).
const DEPTH_LIMIT: u32 = 200;
/// Maximum number of stacked repetitions of one part.
const REPEAT_DEPTH_LIMIT: u32 = 8;
const GROUP_LIMIT: u32 = 32_767;

/// Index into [`Pattern::nodes`].
pub type NodeId = u32;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anchor {
    /// `^`.
    LineStart,
    /// `$`.
    LineEnd,
    /// `\A`.
    TextStart,
    /// `\z`.
    TextEnd,
    /// `\Z`.
    TextEndOrLastLineBreak,
    /// `\G`.
    SearchStart,
    /// `\b`.
    WordBoundary,
    /// `\B`.
    NoWordBoundary,
    /// `\K`.
    Keep,
}

/// Range of the sets such as `\w` and `[:alpha:]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetRange {
    /// `(?d)`, the default: `\w` is ASCII, `[:alpha:]` is not.
    Default,
    /// `(?a)`.
    Ascii,
    /// `(?u)`.
    Unicode,
}

/// Option changes of a group; `None` means unchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GroupOptions {
    /// `i`.
    pub ignore_case: Option<bool>,
    /// `m`: `.` also matches line breaks.
    pub dot_all: Option<bool>,
    pub sets: Option<SetRange>,
}

#[derive(Debug)]
pub enum RegexNode {
    Empty,
    Character(char),
    /// `.`.
    Any,
    Set(Set),
    Class(CharacterClass),
    /// `\R`.
    LineBreak,
    /// `\X`.
    Grapheme,
    Anchor(Anchor),
    NumberedReference(u32),
    NamedReference(Vec<char>),
    NumberedCall(i64),
    NamedCall(Vec<char>),
    LookAhead {
        negative: bool,
        target: NodeId,
    },
    LookBehind {
        negative: bool,
        target: NodeId,
    },
    Repeat {
        lower: u32,
        upper: Option<u32>,
        lazy: bool,
        target: NodeId,
    },
    /// `(...)`, `(?<name>...)`, and the whole pattern (number 0).
    Capture {
        number: u32,
        named: bool,
        target: NodeId,
    },
    /// `(?i)`, `(?i:...)`.
    Options {
        options: GroupOptions,
        target: NodeId,
    },
    /// `(?>...)`.
    Atomic(NodeId),
    /// `(?~...)`.
    Absent(NodeId),
    /// `(?(1)...)`, `(?(<name>)...)`.
    Condition {
        number: u32,
        by_name: bool,
        target: NodeId,
    },
    Sequence(Vec<NodeId>),
    Alternatives(Vec<NodeId>),
}

/// Pattern that Ruby accepts.
#[derive(Debug)]
pub struct Pattern {
    pub nodes: Vec<RegexNode>,
    /// Groups by number; the first one is the whole pattern. If there are named groups, unnamed ones do not
    /// capture.
    pub captures: Vec<NodeId>,
    /// Group numbers by name, from left to right. The numbering includes all groups.
    pub names: FxHashMap<Vec<char>, Vec<u32>>,
    pub(super) has_calls: bool,
}

struct RegexParser<'a> {
    lexer: RegexLexer<'a>,
    token: RegexToken,
    nodes: Vec<RegexNode>,
    captures: Vec<NodeId>,
    names: FxHashMap<Vec<char>, Vec<u32>>,
    has_calls: bool,
    too_deep: bool,
}

/// State after a part of a sequence.
enum PendingPart {
    Node(NodeId),
    /// The part extends to the end of the enclosing group.
    Rest(NodeId),
}

/// Parses a pattern. Returns `None` if it is nested too deeply to decide.
pub(super) fn parse(chars: &[char]) -> Result<Option<Pattern>, RegexFailure> {
    let mut parser = RegexParser {
        lexer: RegexLexer { chars, at: 0, extended: false },
        token: RegexToken::End,
        nodes: Vec::new(),
        captures: vec![0],
        names: FxHashMap::default(),
        has_calls: false,
        too_deep: false,
    };
    parser.advance()?;
    let top = parser.alternatives(&RegexToken::End, 0)?;
    if parser.too_deep {
        return Ok(None);
    }
    let root = parser.add(RegexNode::Capture { number: 0, named: false, target: top });
    parser.captures[0] = root;
    let RegexParser { nodes, captures, names, has_calls, .. } = parser;
    Ok(Some(Pattern { nodes, captures, names, has_calls }))
}

impl RegexParser<'_> {
    fn add(&mut self, node: RegexNode) -> NodeId {
        self.nodes.push(node);
        self.nodes.len() as NodeId - 1
    }

    fn groups(&self) -> u32 {
        self.captures.len() as u32 - 1
    }

    fn advance(&mut self) -> Result<(), RegexFailure> {
        self.token = self.lexer.token(self.groups())?;
        Ok(())
    }

    /// Parses `a|b` up to `end`, which is not consumed.
    fn alternatives(&mut self, end: &RegexToken, depth: u32) -> Result<NodeId, RegexFailure> {
        if depth > DEPTH_LIMIT {
            self.too_deep = true;
        }
        if self.too_deep {
            return Ok(self.add(RegexNode::Empty));
        }
        let mut branches = vec![self.sequence(end, depth)?];
        while self.token == RegexToken::Alternative && !self.too_deep {
            self.advance()?;
            branches.push(self.sequence(end, depth)?);
        }
        if self.token != *end && !self.too_deep {
            return failure("unclosed `(`");
        }
        Ok(match branches[..] {
            [single] => single,
            _ => self.add(RegexNode::Alternatives(branches)),
        })
    }

    fn sequence(&mut self, end: &RegexToken, depth: u32) -> Result<NodeId, RegexFailure> {
        let mut parts = Vec::new();
        while !self.too_deep
            && self.token != *end
            && !matches!(self.token, RegexToken::End | RegexToken::Alternative)
        {
            match self.part(end, depth)? {
                PendingPart::Node(part) => {
                    let part = self.repeats(part)?;
                    parts.push(part);
                }
                PendingPart::Rest(part) => {
                    parts.push(part);
                    break;
                }
            }
        }
        Ok(match parts[..] {
            [] => self.add(RegexNode::Empty),
            [single] => single,
            _ => self.add(RegexNode::Sequence(parts)),
        })
    }

    fn repeats(&mut self, mut target: NodeId) -> Result<NodeId, RegexFailure> {
        let mut depth = 0;
        while let RegexToken::Repeat { lower, upper, lazy, possessive } = self.token {
            depth += 1;
            if depth > REPEAT_DEPTH_LIMIT {
                self.too_deep = true;
                break;
            }
            if (lower, upper) != (1, Some(1)) {
                target = self.add(RegexNode::Repeat { lower, upper, lazy, target });
            }
            if possessive {
                target = self.add(RegexNode::Atomic(target));
            }
            self.advance()?;
        }
        Ok(target)
    }

    /// Parses one part of a sequence and advances to the token after it.
    fn part(&mut self, end: &RegexToken, depth: u32) -> Result<PendingPart, RegexFailure> {
        let node = match std::mem::replace(&mut self.token, RegexToken::End) {
            RegexToken::Character(c) => RegexNode::Character(c),
            RegexToken::AnyOne => RegexNode::Any,
            RegexToken::Set(set) => RegexNode::Set(set),
            RegexToken::Property { negative } => {
                RegexNode::Set(classes::property(&mut self.lexer, negative)?)
            }
            RegexToken::LineBreak => RegexNode::LineBreak,
            RegexToken::Grapheme => RegexNode::Grapheme,
            RegexToken::ClassOpen => match classes::class(&mut self.lexer, 0)? {
                Some(class) => RegexNode::Class(class),
                None => {
                    self.too_deep = true;
                    RegexNode::Empty
                }
            },
            RegexToken::Anchor(anchor) => RegexNode::Anchor(anchor),
            RegexToken::NumberedReference(number) => RegexNode::NumberedReference(number),
            RegexToken::NamedReference(name) => {
                self.first_named(&name)?;
                RegexNode::NamedReference(name)
            }
            RegexToken::NumberedCall { number, relative } => self.numbered_call(number, relative)?,
            RegexToken::NamedCall(name) => {
                self.has_calls = true;
                RegexNode::NamedCall(name)
            }
            RegexToken::Open => return self.group(end, depth),
            RegexToken::Close => return failure("unmatched `)`"),
            RegexToken::Repeat { .. } => {
                return failure("nothing to repeat before `*`, `+`, `?` or `{n}`");
            }
            RegexToken::End | RegexToken::Alternative => RegexNode::Empty,
        };
        let node = self.add(node);
        self.advance()?;
        Ok(PendingPart::Node(node))
    }

    /// Returns the first group with the given name that has begun.
    fn first_named(&self, name: &[char]) -> Result<u32, RegexFailure> {
        match self.names.get(name).and_then(|it| it.first()) {
            Some(&number) => Ok(number),
            None => failure(format!("no preceding group named `{}`", name.iter().collect::<String>())),
        }
    }

    fn numbered_call(&mut self, number: i64, relative: bool) -> Result<RegexNode, RegexFailure> {
        self.has_calls = true;
        let mut number = number;
        if number < 0 || relative {
            number = self.groups() as i64 + 1 + if number > 0 { number - 1 } else { number };
            if number <= 0 {
                return failure("unknown group number");
            }
        }
        Ok(RegexNode::NumberedCall(number))
    }

    /// Parses a group after its `(`.
    fn group(&mut self, end: &RegexToken, depth: u32) -> Result<PendingPart, RegexFailure> {
        if self.lexer.peek().is_none() {
            return failure("unclosed `(`");
        }
        if !self.lexer.eat('?') {
            let number = self.new_capture()?;
            return self.capture(number, false, depth);
        }
        let Some(c) = self.lexer.next_char() else { return failure("incomplete group `(?`") };
        let wrap: fn(NodeId) -> RegexNode = match c {
            ':' => {
                let target = self.inside(depth)?;
                return Ok(PendingPart::Node(target));
            }
            '=' => |target| RegexNode::LookAhead { negative: false, target },
            '!' => |target| RegexNode::LookAhead { negative: true, target },
            '>' => RegexNode::Atomic,
            '~' => RegexNode::Absent,
            '<' if self.lexer.eat('=') => |target| RegexNode::LookBehind { negative: false, target },
            '<' if self.lexer.eat('!') => |target| RegexNode::LookBehind { negative: true, target },
            '<' | '\'' => return self.named_capture(c, depth),
            '(' => return self.condition(depth),
            '-' | 'i' | 'm' | 'x' | 'a' | 'd' | 'u' => return self.options(c, end, depth),
            _ => return failure(format!("unknown group syntax `(?{c}`")),
        };
        let target = self.inside(depth)?;
        let node = self.add(wrap(target));
        Ok(PendingPart::Node(node))
    }

    /// Parses everything up to and including the `)`. Options set inside end there.
    fn inside(&mut self, depth: u32) -> Result<NodeId, RegexFailure> {
        self.inside_with(depth, self.lexer.extended)
    }

    fn inside_with(&mut self, depth: u32, extended: bool) -> Result<NodeId, RegexFailure> {
        let outside = std::mem::replace(&mut self.lexer.extended, extended);
        self.advance()?;
        let target = self.alternatives(&RegexToken::Close, depth + 1)?;
        self.lexer.extended = outside;
        self.advance()?;
        Ok(target)
    }

    fn new_capture(&mut self) -> Result<u32, RegexFailure> {
        if self.groups() >= GROUP_LIMIT {
            return failure("too many groups");
        }
        let unfinished = self.add(RegexNode::Empty);
        self.captures.push(unfinished);
        Ok(self.groups())
    }

    fn capture(&mut self, number: u32, named: bool, depth: u32) -> Result<PendingPart, RegexFailure> {
        let target = self.inside(depth)?;
        let node = self.add(RegexNode::Capture { number, named, target });
        self.captures[number as usize] = node;
        Ok(PendingPart::Node(node))
    }

    fn named_capture(&mut self, open: char, depth: u32) -> Result<PendingPart, RegexFailure> {
        if self.lexer.peek().is_none() {
            return failure("unclosed `(`");
        }
        let GroupReference::Text(name) = self.lexer.name(open, false)? else {
            return failure("group name is a number");
        };
        let number = self.new_capture()?;
        self.names.entry(name).or_default().push(number);
        self.capture(number, true, depth)
    }

    /// Parses `1)yes|no)` or `<name>)yes|no)` after `(?(`.
    fn condition(&mut self, depth: u32) -> Result<PendingPart, RegexFailure> {
        let mut by_name = false;
        let number = match self.lexer.peek() {
            Some(c) if c.is_ascii_digit() => match self.lexer.name('(', true)? {
                GroupReference::Number(number) => u32::try_from(number).unwrap_or(u32::MAX),
                GroupReference::Text(_) => u32::MAX,
            },
            Some(open @ ('<' | '\'')) => {
                self.lexer.at += 1;
                let number = match self.lexer.reference(open, self.groups())? {
                    RegexToken::NamedReference(name) => Some(self.first_named(&name)?),
                    RegexToken::NumberedReference(number) => Some(number),
                    _ => None,
                };
                if !self.lexer.eat(')') {
                    return failure("condition must be a group number or `<name>`, followed by `)`");
                }
                by_name = true;
                number.unwrap_or(u32::MAX)
            }
            _ => return failure("condition must be a group number or `<name>`"),
        };
        let mut target = self.inside(depth)?;
        if !matches!(self.nodes[target as usize], RegexNode::Alternatives(_)) {
            let otherwise = self.add(RegexNode::Empty);
            target = self.add(RegexNode::Alternatives(vec![target, otherwise]));
        }
        let node = self.add(RegexNode::Condition { number, by_name, target });
        Ok(PendingPart::Node(node))
    }

    /// Parses `imx-imx:...)` or `imx-imx)`, given its first letter.
    fn options(&mut self, first: char, end: &RegexToken, depth: u32) -> Result<PendingPart, RegexFailure> {
        let (mut c, mut negative, mut extended) = (first, false, self.lexer.extended);
        let mut options = GroupOptions::default();
        loop {
            match c {
                ':' => {
                    let target = self.inside_with(depth, extended)?;
                    let node = self.add(RegexNode::Options { options, target });
                    return Ok(PendingPart::Node(node));
                }
                ')' => {
                    let outside = std::mem::replace(&mut self.lexer.extended, extended);
                    self.advance()?;
                    let target = self.alternatives(end, depth + 1)?;
                    self.lexer.extended = outside;
                    let node = self.add(RegexNode::Options { options, target });
                    return Ok(PendingPart::Rest(node));
                }
                '-' => negative = true,
                'x' => extended = !negative,
                'i' => options.ignore_case = Some(!negative),
                'm' => options.dot_all = Some(!negative),
                'a' if !negative => options.sets = Some(SetRange::Ascii),
                'd' if !negative => options.sets = Some(SetRange::Default),
                'u' if !negative => options.sets = Some(SetRange::Unicode),
                _ => return failure(format!("unknown option `{c}`")),
            }
            let Some(next) = self.lexer.next_char() else {
                return failure("unterminated group options");
            };
            c = next;
        }
    }
}
