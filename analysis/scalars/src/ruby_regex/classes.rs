//! Character classes: `[...]`.

use super::lexer::{RegexLexer, escaped_character};
use super::{RegexFailure, failure, properties};

/// Maximum nesting depth of classes.
const DEPTH_LIMIT: u32 = 200;

/// Named set of characters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Set {
    pub kind: SetKind,
    pub negative: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SetKind {
    /// `\w`.
    Word,
    /// `\s`.
    Space,
    /// `\d`.
    Digit,
    /// `\h`.
    HexDigit,
    /// `[:alpha:]`.
    Posix(&'static str),
    /// `\p{...}` with its normalized name: in lowercase, without spaces, `-` and `_`.
    Property(String),
}

impl Set {
    /// Returns the set for an escaped letter, one of `wWsSdDhH`.
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

/// `[...]`, the intersection of its parts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CharacterClass {
    /// True if the class begins with `^`.
    pub negative: bool,
    /// Lists of items separated by `&&`; at least one.
    pub parts: Vec<Vec<ClassItem>>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClassItem {
    Character(char),
    /// Inclusive range.
    Range(char, char),
    Set(Set),
    Class(CharacterClass),
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum ClassToken {
    End,
    Close,
    Character(char),
    /// Unescaped `^`.
    Caret,
    /// Set such as `\d`.
    Set(Set),
    /// `\p{` or `\P{`.
    Property {
        negative: bool,
    },
    Dash,
    And,
    Open,
    PosixOpen,
}

/// Item before a `-`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BeforeDash {
    Start,
    Value(char),
    /// Set, which cannot begin a range.
    Set,
    /// `a-`, before the end of the range.
    Range(char),
    /// `a-b`.
    Complete,
}

impl CharacterClass {
    fn push(&mut self, item: ClassItem) {
        match self.parts.last_mut() {
            Some(part) => part.push(item),
            None => self.parts.push(vec![item]),
        }
    }

    /// Adds a character, which may end a range.
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

/// Parses a class after its `[`. Returns `None` if it is nested too deeply to decide.
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
            return failure("empty character class\nhelp: write `\\]` for a literal bracket");
        }
        item = ClassToken::Character(']');
    }
    let mut state = BeforeDash::Start;
    loop {
        let mut following = None;
        match item {
            ClassToken::Close => return Ok(Some(class)),
            ClassToken::End => return failure("unclosed character class"),
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
                                "range begins with a set such as `\\d`\nhelp: write `\\-` for a literal dash",
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
        BeforeDash::Range(from) if from > c => failure(format!("range `{from}-{c}` is reversed")),
        BeforeDash::Range(_) => Ok(BeforeDash::Complete),
        BeforeDash::Start | BeforeDash::Value(_) | BeforeDash::Set | BeforeDash::Complete => {
            Ok(BeforeDash::Value(c))
        }
    }
}

fn set(state: BeforeDash) -> Result<BeforeDash, RegexFailure> {
    match state {
        BeforeDash::Range(_) => failure("range ends with a set such as `\\d`"),
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
    let Some(c) = lexer.next_char() else { return failure("trailing backslash") };
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

/// Returns true if there is a `:]` before the next unescaped `]`.
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

/// Parses `alpha:]` after `[:`. Returns `None` if the `[` is literal, in which case the lexer is positioned
/// after it.
fn posix_class(lexer: &mut RegexLexer<'_>) -> Result<Option<Set>, RegexFailure> {
    let start = lexer.at;
    let negative = lexer.eat('^');
    let rest = &lexer.chars[lexer.at..];
    // The shortest one is `word:]`, followed by `]`.
    if rest.len() >= 7 {
        let named = POSIX_CLASSES.iter().find(|name| rest.iter().copied().take(name.len()).eq(name.chars()));
        if let Some(name) = named {
            if !rest[name.len()..].starts_with(&[':', ']']) {
                return failure("unknown POSIX class");
            }
            lexer.at += name.len() + 2;
            return Ok(Some(Set { kind: SetKind::Posix(name), negative }));
        }
    }
    let stop = rest.iter().take(21).position(|it| matches!(it, ':' | ']'));
    if stop.is_some_and(|stop| rest[stop..].starts_with(&[':', ']'])) {
        return failure("unknown POSIX class");
    }
    lexer.at = start - 1;
    Ok(None)
}

/// Parses the name and `}` after `\p{` (or `\P{` if `negative` is set).
pub(super) fn property(lexer: &mut RegexLexer<'_>, negative: bool) -> Result<Set, RegexFailure> {
    let negative = lexer.eat('^') != negative;
    let rest = &lexer.chars[lexer.at..];
    let stop = rest.iter().position(|it| matches!(it, '}' | '(' | ')' | '{' | '|'));
    let Some(end) = stop.filter(|&it| rest[it] == '}') else {
        return failure("unclosed `\\p{`");
    };
    let name: String = rest[..end].iter().collect();
    let Some(property) = properties::property(&name) else {
        return failure(format!("unknown property `{name}`"));
    };
    lexer.at += end + 1;
    Ok(Set { kind: SetKind::Property(property), negative })
}
