//! Character classes: `[...]`.

use super::lexer::{Lexer, escaped_character};
use super::{Problem, problem, properties};

/// Classes in classes, deeper than this, are not looked at.
const DEPTH_LIMIT: u32 = 200;

/// A set of characters that has a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Set {
    pub kind: SetKind,
    pub negative: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SetKind {
    /// `\w`
    Word,
    /// `\s`
    Space,
    /// `\d`
    Digit,
    /// `\h`
    HexDigit,
    /// `[:alpha:]`
    Posix(&'static str),
    /// `\p{...}`: the name in lower case, without blanks, `-` and `_`.
    Property(String),
}

impl Set {
    /// The set that this letter names behind a backslash, one of `wWsSdDhH`.
    pub(super) fn of_letter(letter: char) -> Set {
        let kind = match letter.to_ascii_lowercase() {
            'w' => SetKind::Word,
            's' => SetKind::Space,
            'd' => SetKind::Digit,
            _ => SetKind::HexDigit,
        };
        Set { kind, negative: letter.is_ascii_uppercase() }
    }
}

/// `[...]`: what all its parts have in common.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Class {
    /// It begins with `^`.
    pub negative: bool,
    /// What stands between `&&`: at least one list.
    pub parts: Vec<Vec<ClassItem>>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClassItem {
    Character(char),
    /// Both ends are part of it.
    Range(char, char),
    Set(Set),
    Class(Class),
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Item {
    End,
    Close,
    Character(char),
    /// `^` without a backslash.
    Caret,
    /// A set such as `\d`.
    Set(Set),
    /// `\p{` or `\P{`
    Property {
        negative: bool,
    },
    Dash,
    And,
    Open,
    PosixOpen,
}

/// What stands before a `-`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Start,
    Value(char),
    /// A set, which can begin no range.
    Set,
    /// `a-`: the end must follow.
    Range(char),
    /// `a-b`
    Complete,
}

impl Class {
    fn push(&mut self, item: ClassItem) {
        match self.parts.last_mut() {
            Some(part) => part.push(item),
            None => self.parts.push(vec![item]),
        }
    }

    /// Adds one character, which may end a range that its predecessor began.
    fn push_value(&mut self, state: State, c: char) -> Result<State, Problem> {
        let next = value(state, c)?;
        if let (State::Range(from), Some(part)) = (state, self.parts.last_mut()) {
            part.pop();
            part.push(ClassItem::Range(from, c));
        } else {
            self.push(ClassItem::Character(c));
        }
        Ok(next)
    }

    fn push_set(&mut self, state: State, item: Set) -> Result<State, Problem> {
        self.push(ClassItem::Set(item));
        set(state)
    }
}

/// Reads a class whose `[` has been read. `None`: too deep to decide.
pub(super) fn class(lexer: &mut Lexer<'_>, depth: u32) -> Result<Option<Class>, Problem> {
    if depth > DEPTH_LIMIT {
        return Ok(None);
    }
    let mut item = next_item(lexer)?;
    let mut class = Class { negative: item == Item::Caret, parts: vec![Vec::new()] };
    if class.negative {
        item = next_item(lexer)?;
    }
    if item == Item::Close {
        if !lexer.chars[lexer.at..].contains(&']') {
            return problem("a character class is empty; write `\\]` for the bracket itself");
        }
        item = Item::Character(']');
    }
    let mut state = State::Start;
    loop {
        let mut following = None;
        match item {
            Item::Close => return Ok(Some(class)),
            Item::End => return problem("a character class has no `]`"),
            Item::Character(c) => state = class.push_value(state, c)?,
            Item::Caret => state = class.push_value(state, '^')?,
            Item::Set(item) => state = class.push_set(state, item)?,
            Item::Property { negative } => {
                let item = property(lexer, negative)?;
                state = class.push_set(state, item)?;
            }
            Item::PosixOpen => match posix_class(lexer)? {
                Some(item) => state = class.push_set(state, item)?,
                None => state = class.push_value(state, '[')?,
            },
            Item::Dash => match state {
                State::Range(_) => state = class.push_value(state, '-')?,
                State::Start => {
                    following = Some(next_item(lexer)?);
                    state = class.push_value(state, '-')?;
                }
                State::Value(_) | State::Set | State::Complete => {
                    let next = next_item(lexer)?;
                    let ends_here = matches!(next, Item::Close | Item::And);
                    following = Some(next);
                    match state {
                        _ if ends_here => state = class.push_value(state, '-')?,
                        State::Value(from) => state = State::Range(from),
                        State::Set => {
                            return problem(
                                "a set such as `\\d` cannot begin a range; write `\\-` for the dash itself",
                            );
                        }
                        _ => state = class.push_value(state, '-')?,
                    }
                }
            },
            Item::And => {
                class.parts.push(Vec::new());
                state = State::Start;
            }
            Item::Open => match self::class(lexer, depth + 1)? {
                Some(inner) => class.push(ClassItem::Class(inner)),
                None => return Ok(None),
            },
        }
        item = match following {
            Some(following) => following,
            None => next_item(lexer)?,
        };
    }
}

fn value(state: State, c: char) -> Result<State, Problem> {
    match state {
        State::Range(from) if from > c => {
            problem(format!("the range `{from}-{c}` is empty, as its ends are swapped"))
        }
        State::Range(_) => Ok(State::Complete),
        State::Start | State::Value(_) | State::Set | State::Complete => Ok(State::Value(c)),
    }
}

fn set(state: State) -> Result<State, Problem> {
    match state {
        State::Range(_) => problem("a range cannot end in a set such as `\\d`"),
        _ => Ok(State::Set),
    }
}

fn next_item(lexer: &mut Lexer<'_>) -> Result<Item, Problem> {
    let Some(c) = lexer.next_char() else { return Ok(Item::End) };
    Ok(match c {
        ']' => Item::Close,
        '-' => Item::Dash,
        '\\' => return escape(lexer),
        '[' if lexer.peek() == Some(':') && ends_as_posix_class(&lexer.chars[lexer.at + 1..]) => {
            lexer.at += 1;
            Item::PosixOpen
        }
        '[' => Item::Open,
        '&' if lexer.eat('&') => Item::And,
        '^' => Item::Caret,
        c => Item::Character(c),
    })
}

fn escape(lexer: &mut Lexer<'_>) -> Result<Item, Problem> {
    let Some(c) = lexer.next_char() else { return problem("it ends in a backslash") };
    Ok(match c {
        'w' | 'W' | 's' | 'S' | 'd' | 'D' | 'h' | 'H' => Item::Set(Set::of_letter(c)),
        'p' | 'P' if lexer.eat('{') => Item::Property { negative: c == 'P' },
        'x' => Item::Character(lexer.character_number(2, 16)),
        '0'..='7' => {
            lexer.at -= 1;
            Item::Character(lexer.character_number(3, 8))
        }
        'b' => Item::Character('\u{8}'),
        c => Item::Character(escaped_character(c)),
    })
}

/// Is there a `:]` before the next `]` that is not escaped?
fn ends_as_posix_class(rest: &[char]) -> bool {
    let mut at = 0;
    while at < rest.len() {
        match rest[at] {
            ':' if rest.get(at + 1) == Some(&']') => return true,
            ']' => return false,
            '\\' => at += 2,
            _ => at += 1,
        }
    }
    false
}

const POSIX_CLASSES: [&str; 14] = [
    "alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper",
    "xdigit", "ascii", "word",
];

/// `alpha:]` behind `[:`. `None` if the `[` stands for itself, and then the lexer is behind it.
fn posix_class(lexer: &mut Lexer<'_>) -> Result<Option<Set>, Problem> {
    let start = lexer.at;
    let negative = lexer.eat('^');
    let rest = &lexer.chars[lexer.at..];
    // The shortest is `word:]` and the `]` behind it.
    if rest.len() >= 7 {
        let named = POSIX_CLASSES.iter().find(|name| rest.iter().copied().take(name.len()).eq(name.chars()));
        if let Some(name) = named {
            if !rest[name.len()..].starts_with(&[':', ']']) {
                return problem("there is no such class between `[:` and `:]`");
            }
            lexer.at += name.len() + 2;
            return Ok(Some(Set { kind: SetKind::Posix(name), negative }));
        }
    }
    let stop = rest.iter().take(21).position(|it| matches!(it, ':' | ']'));
    if stop.is_some_and(|stop| rest[stop..].starts_with(&[':', ']'])) {
        return problem("there is no such class between `[:` and `:]`");
    }
    lexer.at = start - 1;
    Ok(None)
}

/// The name and `}` behind `\p{` (or, if `negative`, `\P{`).
pub(super) fn property(lexer: &mut Lexer<'_>, negative: bool) -> Result<Set, Problem> {
    let negative = lexer.eat('^') != negative;
    let rest = &lexer.chars[lexer.at..];
    let stop = rest.iter().position(|it| matches!(it, '}' | '(' | ')' | '{' | '|'));
    let Some(end) = stop.filter(|&it| rest[it] == '}') else {
        return problem("the name behind `\\p{` has no `}`");
    };
    let name: String = rest[..end].iter().collect();
    let Some(property) = properties::property(&name) else {
        return problem(format!("there is no property `{name}`"));
    };
    lexer.at += end + 1;
    Ok(Set { kind: SetKind::Property(property), negative })
}
