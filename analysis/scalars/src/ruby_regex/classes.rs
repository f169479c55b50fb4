//! Character classes: `[...]`.

use super::lexer::{RegexLexer, escaped_character};
use super::{RegexFailure, failure, properties};

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
pub struct CharacterClass {
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
    Class(CharacterClass),
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum ClassToken {
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
enum BeforeDash {
    Start,
    Value(char),
    /// A set, which can begin no range.
    Set,
    /// `a-`: the end must follow.
    Range(char),
    /// `a-b`
    Complete,
}

impl CharacterClass {
    fn push(&mut self, item: ClassItem) {
        match self.parts.last_mut() {
            Some(part) => part.push(item),
            None => self.parts.push(vec![item]),
        }
    }

    /// Adds one character, which may end a range that its predecessor began.
    fn push_value(&mut self, state: BeforeDash, c: char) -> Result<BeforeDash, RegexFailure> {
        let next = value(state, c)?;
        if let (BeforeDash::Range(from), Some(part)) = (state, self.parts.last_mut()) {
            part.pop();
            part.push(ClassItem::Range(from, c));
        } else {
            self.push(ClassItem::Character(c));
        }
        Ok(next)
    }

    fn push_set(&mut self, state: BeforeDash, item: Set) -> Result<BeforeDash, RegexFailure> {
        self.push(ClassItem::Set(item));
        set(state)
    }
}

/// Reads a class whose `[` has been read. `None`: too deep to decide.
pub(super) fn class(lexer: &mut RegexLexer<'_>, depth: u32) -> Result<Option<CharacterClass>, RegexFailure> {
    if depth > DEPTH_LIMIT {
        return Ok(None);
    }
    let mut item = next_item(lexer)?;
    let mut class = CharacterClass { negative: item == ClassToken::Caret, parts: vec![Vec::new()] };
    if class.negative {
        item = next_item(lexer)?;
    }
    if item == ClassToken::Close {
        if !lexer.chars[lexer.at..].contains(&']') {
            return failure("a character class is empty; write `\\]` for the bracket itself");
        }
        item = ClassToken::Character(']');
    }
    let mut state = BeforeDash::Start;
    loop {
        let mut following = None;
        match item {
            ClassToken::Close => return Ok(Some(class)),
            ClassToken::End => return failure("a character class has no `]`"),
            ClassToken::Character(c) => state = class.push_value(state, c)?,
            ClassToken::Caret => state = class.push_value(state, '^')?,
            ClassToken::Set(item) => state = class.push_set(state, item)?,
            ClassToken::Property { negative } => {
                let item = property(lexer, negative)?;
                state = class.push_set(state, item)?;
            }
            ClassToken::PosixOpen => match posix_class(lexer)? {
                Some(item) => state = class.push_set(state, item)?,
                None => state = class.push_value(state, '[')?,
            },
            ClassToken::Dash => match state {
                BeforeDash::Range(_) => state = class.push_value(state, '-')?,
                BeforeDash::Start => {
                    following = Some(next_item(lexer)?);
                    state = class.push_value(state, '-')?;
                }
                BeforeDash::Value(_) | BeforeDash::Set | BeforeDash::Complete => {
                    let next = next_item(lexer)?;
                    let ends_here = matches!(next, ClassToken::Close | ClassToken::And);
                    following = Some(next);
                    match state {
                        _ if ends_here => state = class.push_value(state, '-')?,
                        BeforeDash::Value(from) => state = BeforeDash::Range(from),
                        BeforeDash::Set => {
                            return failure(
                                "a set such as `\\d` cannot begin a range; write `\\-` for the dash itself",
                            );
                        }
                        _ => state = class.push_value(state, '-')?,
                    }
                }
            },
            ClassToken::And => {
                class.parts.push(Vec::new());
                state = BeforeDash::Start;
            }
            ClassToken::Open => match self::class(lexer, depth + 1)? {
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

fn value(state: BeforeDash, c: char) -> Result<BeforeDash, RegexFailure> {
    match state {
        BeforeDash::Range(from) if from > c => {
            failure(format!("the range `{from}-{c}` is empty, as its ends are swapped"))
        }
        BeforeDash::Range(_) => Ok(BeforeDash::Complete),
        BeforeDash::Start | BeforeDash::Value(_) | BeforeDash::Set | BeforeDash::Complete => {
            Ok(BeforeDash::Value(c))
        }
    }
}

fn set(state: BeforeDash) -> Result<BeforeDash, RegexFailure> {
    match state {
        BeforeDash::Range(_) => failure("a range cannot end in a set such as `\\d`"),
        _ => Ok(BeforeDash::Set),
    }
}

fn next_item(lexer: &mut RegexLexer<'_>) -> Result<ClassToken, RegexFailure> {
    let Some(c) = lexer.next_char() else { return Ok(ClassToken::End) };
    Ok(match c {
        ']' => ClassToken::Close,
        '-' => ClassToken::Dash,
        '\\' => return escape(lexer),
        '[' if lexer.peek() == Some(':') && ends_as_posix_class(&lexer.chars[lexer.at + 1..]) => {
            lexer.at += 1;
            ClassToken::PosixOpen
        }
        '[' => ClassToken::Open,
        '&' if lexer.eat('&') => ClassToken::And,
        '^' => ClassToken::Caret,
        c => ClassToken::Character(c),
    })
}

fn escape(lexer: &mut RegexLexer<'_>) -> Result<ClassToken, RegexFailure> {
    let Some(c) = lexer.next_char() else { return failure("it ends in a backslash") };
    Ok(match c {
        'w' | 'W' | 's' | 'S' | 'd' | 'D' | 'h' | 'H' => ClassToken::Set(Set::of_letter(c)),
        'p' | 'P' if lexer.eat('{') => ClassToken::Property { negative: c == 'P' },
        'x' => ClassToken::Character(lexer.character_number(2, 16)),
        '0'..='7' => {
            lexer.at -= 1;
            ClassToken::Character(lexer.character_number(3, 8))
        }
        'b' => ClassToken::Character('\u{8}'),
        c => ClassToken::Character(escaped_character(c)),
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
fn posix_class(lexer: &mut RegexLexer<'_>) -> Result<Option<Set>, RegexFailure> {
    let start = lexer.at;
    let negative = lexer.eat('^');
    let rest = &lexer.chars[lexer.at..];
    // The shortest is `word:]` and the `]` behind it.
    if rest.len() >= 7 {
        let named = POSIX_CLASSES.iter().find(|name| rest.iter().copied().take(name.len()).eq(name.chars()));
        if let Some(name) = named {
            if !rest[name.len()..].starts_with(&[':', ']']) {
                return failure("there is no such class between `[:` and `:]`");
            }
            lexer.at += name.len() + 2;
            return Ok(Some(Set { kind: SetKind::Posix(name), negative }));
        }
    }
    let stop = rest.iter().take(21).position(|it| matches!(it, ':' | ']'));
    if stop.is_some_and(|stop| rest[stop..].starts_with(&[':', ']'])) {
        return failure("there is no such class between `[:` and `:]`");
    }
    lexer.at = start - 1;
    Ok(None)
}

/// The name and `}` behind `\p{` (or, if `negative`, `\P{`).
pub(super) fn property(lexer: &mut RegexLexer<'_>, negative: bool) -> Result<Set, RegexFailure> {
    let negative = lexer.eat('^') != negative;
    let rest = &lexer.chars[lexer.at..];
    let stop = rest.iter().position(|it| matches!(it, '}' | '(' | ')' | '{' | '|'));
    let Some(end) = stop.filter(|&it| rest[it] == '}') else {
        return failure("the name behind `\\p{` has no `}`");
    };
    let name: String = rest[..end].iter().collect();
    let Some(property) = properties::property(&name) else {
        return failure(format!("there is no property `{name}`"));
    };
    lexer.at += end + 1;
    Ok(Set { kind: SetKind::Property(property), negative })
}
