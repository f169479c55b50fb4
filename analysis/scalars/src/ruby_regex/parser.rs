//! The structure of a pattern.

use rustc_hash::FxHashMap;

use super::classes::{self, Class, Set};
use super::lexer::{Lexer, Name, Token};
use super::{Problem, problem};

/// Groups in groups, deeper than this, are not looked at (Ruby gives up at 4096).
const DEPTH_LIMIT: u32 = 200;
/// More repetitions of one part, one upon the other, are not looked at either.
const REPEAT_DEPTH_LIMIT: u32 = 8;
const GROUP_LIMIT: u32 = 32_767;

/// Where a [`Node`] is in [`Pattern::nodes`].
pub type NodeId = u32;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anchor {
    /// `^`
    LineStart,
    /// `$`
    LineEnd,
    /// `\A`
    TextStart,
    /// `\z`
    TextEnd,
    /// `\Z`
    TextEndOrLastLineBreak,
    /// `\G`
    SearchStart,
    /// `\b`
    WordBoundary,
    /// `\B`
    NoWordBoundary,
    /// `\K`
    Keep,
}

/// What the sets such as `\w` and `[:alpha:]` hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetRange {
    /// `(?d)`, as without an option: `\w` is ASCII, `[:alpha:]` is not.
    Default,
    /// `(?a)`
    Ascii,
    /// `(?u)`
    Unicode,
}

/// What an option group changes; `None` leaves things as they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// `i`
    pub ignore_case: Option<bool>,
    /// `m`: a `.` matches line breaks as well.
    pub dot_all: Option<bool>,
    pub sets: Option<SetRange>,
}

#[derive(Debug)]
pub enum Node {
    Empty,
    Character(char),
    /// `.`
    Any,
    Set(Set),
    Class(Class),
    /// `\R`
    LineBreak,
    /// `\X`
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
    /// `(...)`, `(?<name>...)`, and (number 0) the whole pattern.
    Capture {
        number: u32,
        named: bool,
        target: NodeId,
    },
    /// `(?i)`, `(?i:...)`
    Options {
        options: Options,
        target: NodeId,
    },
    /// `(?>...)`
    Atomic(NodeId),
    /// `(?~...)`
    Absent(NodeId),
    /// `(?(1)...)`, `(?(<name>)...)`
    Condition {
        number: u32,
        by_name: bool,
        target: NodeId,
    },
    Sequence(Vec<NodeId>),
    Alternatives(Vec<NodeId>),
}

/// A pattern that Ruby accepts.
#[derive(Debug)]
pub struct Pattern {
    pub nodes: Vec<Node>,
    /// By number; the first is the whole pattern. Where groups have names, those without capture nothing.
    pub captures: Vec<NodeId>,
    /// The numbers of the groups with a name, from left to right; numbers count all groups.
    pub names: FxHashMap<Vec<char>, Vec<u32>>,
    pub(super) has_calls: bool,
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    token: Token,
    nodes: Vec<Node>,
    captures: Vec<NodeId>,
    names: FxHashMap<Vec<char>, Vec<u32>>,
    has_calls: bool,
    too_deep: bool,
}

/// What is left to do when a part of a sequence has been read.
enum Part {
    Node(NodeId),
    /// It took everything up to the end of the group around it.
    Rest(NodeId),
}

/// `None`: too deep to decide.
pub(super) fn parse(chars: &[char]) -> Result<Option<Pattern>, Problem> {
    let mut parser = Parser {
        lexer: Lexer { chars, at: 0, extended: false },
        token: Token::End,
        nodes: Vec::new(),
        captures: vec![0],
        names: FxHashMap::default(),
        has_calls: false,
        too_deep: false,
    };
    parser.advance()?;
    let top = parser.alternatives(&Token::End, 0)?;
    if parser.too_deep {
        return Ok(None);
    }
    let root = parser.add(Node::Capture { number: 0, named: false, target: top });
    parser.captures[0] = root;
    let Parser { nodes, captures, names, has_calls, .. } = parser;
    Ok(Some(Pattern { nodes, captures, names, has_calls }))
}

impl Parser<'_> {
    fn add(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        self.nodes.len() as NodeId - 1
    }

    fn groups(&self) -> u32 {
        self.captures.len() as u32 - 1
    }

    fn advance(&mut self) -> Result<(), Problem> {
        self.token = self.lexer.token(self.groups())?;
        Ok(())
    }

    /// `a|b`, up to `end`, which stays the current token.
    fn alternatives(&mut self, end: &Token, depth: u32) -> Result<NodeId, Problem> {
        if depth > DEPTH_LIMIT {
            self.too_deep = true;
        }
        if self.too_deep {
            return Ok(self.add(Node::Empty));
        }
        let mut branches = vec![self.sequence(end, depth)?];
        while self.token == Token::Alternative && !self.too_deep {
            self.advance()?;
            branches.push(self.sequence(end, depth)?);
        }
        if self.token != *end && !self.too_deep {
            return problem("a `(` has no `)`");
        }
        Ok(match branches[..] {
            [single] => single,
            _ => self.add(Node::Alternatives(branches)),
        })
    }

    fn sequence(&mut self, end: &Token, depth: u32) -> Result<NodeId, Problem> {
        let mut parts = Vec::new();
        while !self.too_deep && self.token != *end && !matches!(self.token, Token::End | Token::Alternative) {
            match self.part(end, depth)? {
                Part::Node(part) => {
                    let part = self.repeats(part)?;
                    parts.push(part);
                }
                Part::Rest(part) => {
                    parts.push(part);
                    break;
                }
            }
        }
        Ok(match parts[..] {
            [] => self.add(Node::Empty),
            [single] => single,
            _ => self.add(Node::Sequence(parts)),
        })
    }

    fn repeats(&mut self, mut target: NodeId) -> Result<NodeId, Problem> {
        let mut depth = 0;
        while let Token::Repeat { lower, upper, lazy, possessive } = self.token {
            depth += 1;
            if depth > REPEAT_DEPTH_LIMIT {
                self.too_deep = true;
                break;
            }
            if (lower, upper) != (1, Some(1)) {
                target = self.add(Node::Repeat { lower, upper, lazy, target });
            }
            if possessive {
                target = self.add(Node::Atomic(target));
            }
            self.advance()?;
        }
        Ok(target)
    }

    /// One part of a sequence. Leaves the token behind it.
    fn part(&mut self, end: &Token, depth: u32) -> Result<Part, Problem> {
        let node = match std::mem::replace(&mut self.token, Token::End) {
            Token::Character(c) => Node::Character(c),
            Token::AnyOne => Node::Any,
            Token::Set(set) => Node::Set(set),
            Token::Property { negative } => Node::Set(classes::property(&mut self.lexer, negative)?),
            Token::LineBreak => Node::LineBreak,
            Token::Grapheme => Node::Grapheme,
            Token::ClassOpen => match classes::class(&mut self.lexer, 0)? {
                Some(class) => Node::Class(class),
                None => {
                    self.too_deep = true;
                    Node::Empty
                }
            },
            Token::Anchor(anchor) => Node::Anchor(anchor),
            Token::NumberedReference(number) => Node::NumberedReference(number),
            Token::NamedReference(name) => {
                self.first_named(&name)?;
                Node::NamedReference(name)
            }
            Token::NumberedCall { number, relative } => self.numbered_call(number, relative)?,
            Token::NamedCall(name) => {
                self.has_calls = true;
                Node::NamedCall(name)
            }
            Token::Open => return self.group(end, depth),
            Token::Close => return problem("a `)` has no `(`"),
            Token::Repeat { .. } => {
                return problem("there is nothing before a `*`, `+`, `?` or `{n}` to repeat");
            }
            Token::End | Token::Alternative => Node::Empty,
        };
        let node = self.add(node);
        self.advance()?;
        Ok(Part::Node(node))
    }

    /// The first group of that name that has begun.
    fn first_named(&self, name: &[char]) -> Result<u32, Problem> {
        match self.names.get(name).and_then(|it| it.first()) {
            Some(&number) => Ok(number),
            None => problem(format!("no group is named `{}` before this", name.iter().collect::<String>())),
        }
    }

    fn numbered_call(&mut self, number: i64, relative: bool) -> Result<Node, Problem> {
        self.has_calls = true;
        let mut number = number;
        if number < 0 || relative {
            number = self.groups() as i64 + 1 + if number > 0 { number - 1 } else { number };
            if number <= 0 {
                return problem("there is no group with this number");
            }
        }
        Ok(Node::NumberedCall(number))
    }

    /// What follows a `(`.
    fn group(&mut self, end: &Token, depth: u32) -> Result<Part, Problem> {
        if self.lexer.peek().is_none() {
            return problem("a `(` has no `)`");
        }
        if !self.lexer.eat('?') {
            let number = self.new_capture()?;
            return self.capture(number, false, depth);
        }
        let Some(c) = self.lexer.next_char() else { return problem("it ends in `(?`") };
        let wrap: fn(NodeId) -> Node = match c {
            ':' => {
                let target = self.inside(depth)?;
                return Ok(Part::Node(target));
            }
            '=' => |target| Node::LookAhead { negative: false, target },
            '!' => |target| Node::LookAhead { negative: true, target },
            '>' => Node::Atomic,
            '~' => Node::Absent,
            '<' if self.lexer.eat('=') => |target| Node::LookBehind { negative: false, target },
            '<' if self.lexer.eat('!') => |target| Node::LookBehind { negative: true, target },
            '<' | '\'' => return self.named_capture(c, depth),
            '(' => return self.condition(depth),
            '-' | 'i' | 'm' | 'x' | 'a' | 'd' | 'u' => return self.options(c, end, depth),
            _ => return problem(format!("there is no group that begins with `(?{c}`")),
        };
        let target = self.inside(depth)?;
        let node = self.add(wrap(target));
        Ok(Part::Node(node))
    }

    /// Everything up to the `)`, and the token behind that. Options that are set inside end there.
    fn inside(&mut self, depth: u32) -> Result<NodeId, Problem> {
        self.inside_with(depth, self.lexer.extended)
    }

    fn inside_with(&mut self, depth: u32, extended: bool) -> Result<NodeId, Problem> {
        let outside = std::mem::replace(&mut self.lexer.extended, extended);
        self.advance()?;
        let target = self.alternatives(&Token::Close, depth + 1)?;
        self.lexer.extended = outside;
        self.advance()?;
        Ok(target)
    }

    fn new_capture(&mut self) -> Result<u32, Problem> {
        if self.groups() >= GROUP_LIMIT {
            return problem("it has too many groups");
        }
        let unfinished = self.add(Node::Empty);
        self.captures.push(unfinished);
        Ok(self.groups())
    }

    fn capture(&mut self, number: u32, named: bool, depth: u32) -> Result<Part, Problem> {
        let target = self.inside(depth)?;
        let node = self.add(Node::Capture { number, named, target });
        self.captures[number as usize] = node;
        Ok(Part::Node(node))
    }

    fn named_capture(&mut self, open: char, depth: u32) -> Result<Part, Problem> {
        if self.lexer.peek().is_none() {
            return problem("a `(` has no `)`");
        }
        let Name::Text(name) = self.lexer.name(open, false)? else {
            return problem("the name of a group cannot be a number");
        };
        let number = self.new_capture()?;
        self.names.entry(name).or_default().push(number);
        self.capture(number, true, depth)
    }

    /// `1)yes|no)` or `<name>)yes|no)`, behind `(?(`.
    fn condition(&mut self, depth: u32) -> Result<Part, Problem> {
        let mut by_name = false;
        let number = match self.lexer.peek() {
            Some(c) if c.is_ascii_digit() => match self.lexer.name('(', true)? {
                Name::Number(number) => u32::try_from(number).unwrap_or(u32::MAX),
                Name::Text(_) => u32::MAX,
            },
            Some(open @ ('<' | '\'')) => {
                self.lexer.at += 1;
                let number = match self.lexer.reference(open, self.groups())? {
                    Token::NamedReference(name) => Some(self.first_named(&name)?),
                    Token::NumberedReference(number) => Some(number),
                    _ => None,
                };
                if !self.lexer.eat(')') {
                    return problem("a condition must be the number or `<name>` of a group, and `)`");
                }
                by_name = true;
                number.unwrap_or(u32::MAX)
            }
            _ => return problem("a condition must be the number or `<name>` of a group"),
        };
        let mut target = self.inside(depth)?;
        if !matches!(self.nodes[target as usize], Node::Alternatives(_)) {
            let otherwise = self.add(Node::Empty);
            target = self.add(Node::Alternatives(vec![target, otherwise]));
        }
        let node = self.add(Node::Condition { number, by_name, target });
        Ok(Part::Node(node))
    }

    /// `imx-imx:...)` or `imx-imx)`, of which the first letter has been read.
    fn options(&mut self, first: char, end: &Token, depth: u32) -> Result<Part, Problem> {
        let (mut c, mut negative, mut extended) = (first, false, self.lexer.extended);
        let mut options = Options::default();
        loop {
            match c {
                ':' => {
                    let target = self.inside_with(depth, extended)?;
                    let node = self.add(Node::Options { options, target });
                    return Ok(Part::Node(node));
                }
                ')' => {
                    let outside = std::mem::replace(&mut self.lexer.extended, extended);
                    self.advance()?;
                    let target = self.alternatives(end, depth + 1)?;
                    self.lexer.extended = outside;
                    let node = self.add(Node::Options { options, target });
                    return Ok(Part::Rest(node));
                }
                '-' => negative = true,
                'x' => extended = !negative,
                'i' => options.ignore_case = Some(!negative),
                'm' => options.dot_all = Some(!negative),
                'a' if !negative => options.sets = Some(SetRange::Ascii),
                'd' if !negative => options.sets = Some(SetRange::Default),
                'u' if !negative => options.sets = Some(SetRange::Unicode),
                _ => return problem(format!("there is no option `{c}`")),
            }
            let Some(next) = self.lexer.next_char() else {
                return problem("it ends in the options of a group");
            };
            c = next;
        }
    }
}
