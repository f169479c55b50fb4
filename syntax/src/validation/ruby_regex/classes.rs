//! Character classes: `[...]`.

use super::lexer::Lexer;
use super::{Problem, problem, properties};

/// Classes in classes, deeper than this, are not looked at.
const DEPTH_LIMIT: u32 = 200;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Item {
    End,
    Close,
    Character(char),
    /// `^` without a backslash.
    Caret,
    /// A set such as `\d`.
    Set,
    Property,
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

/// Reads a class whose `[` has been read. `None`: too deep to decide.
pub(super) fn class(lexer: &mut Lexer<'_>, depth: u32) -> Result<Option<()>, Problem> {
    if depth > DEPTH_LIMIT {
        return Ok(None);
    }
    let mut item = next_item(lexer)?;
    if item == Item::Caret {
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
            Item::Close => return Ok(Some(())),
            Item::End => return problem("a character class has no `]`"),
            Item::Character(c) => state = value(state, c)?,
            Item::Caret => state = value(state, '^')?,
            Item::Set => state = set(state)?,
            Item::Property => {
                property(lexer)?;
                state = set(state)?;
            }
            Item::PosixOpen => match posix_class(lexer)? {
                true => state = set(state)?,
                false => state = value(state, '[')?,
            },
            Item::Dash => match state {
                State::Range(_) => state = value(state, '-')?,
                State::Start => {
                    following = Some(next_item(lexer)?);
                    state = value(state, '-')?;
                }
                State::Value(_) | State::Set | State::Complete => {
                    let next = next_item(lexer)?;
                    following = Some(next);
                    match state {
                        _ if matches!(next, Item::Close | Item::And) => state = value(state, '-')?,
                        State::Value(from) => state = State::Range(from),
                        State::Set => {
                            return problem(
                                "a set such as `\\d` cannot begin a range; write `\\-` for the dash itself",
                            );
                        }
                        _ => state = value(state, '-')?,
                    }
                }
            },
            Item::And => state = State::Start,
            Item::Open => {
                if class(lexer, depth + 1)?.is_none() {
                    return Ok(None);
                }
            }
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
        'w' | 'W' | 's' | 'S' | 'd' | 'D' | 'h' | 'H' => Item::Set,
        'p' | 'P' if lexer.eat('{') => Item::Property,
        'x' => Item::Character(number(lexer, 2, 16)),
        '0'..='7' => {
            lexer.at -= 1;
            Item::Character(number(lexer, 3, 8))
        }
        'n' => Item::Character('\n'),
        't' => Item::Character('\t'),
        'r' => Item::Character('\r'),
        'f' => Item::Character('\u{c}'),
        'v' => Item::Character('\u{b}'),
        'a' => Item::Character('\u{7}'),
        'b' => Item::Character('\u{8}'),
        'e' => Item::Character('\u{1b}'),
        c => Item::Character(c),
    })
}

/// Up to `limit` digits as an ASCII character; what is above has been made a character before.
fn number(lexer: &mut Lexer<'_>, limit: usize, radix: u32) -> char {
    let digits = lexer.chars[lexer.at..].iter().take(limit).map_while(|it| it.to_digit(radix));
    let (value, count) = digits.fold((0, 0), |(value, count), digit| (value * radix + digit, count + 1));
    lexer.at += count;
    char::from_u32(value).unwrap_or('\0')
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

/// `alpha:]` behind `[:`. False if the `[` stands for itself, and then the lexer is behind it.
fn posix_class(lexer: &mut Lexer<'_>) -> Result<bool, Problem> {
    let start = lexer.at;
    lexer.eat('^');
    let rest = &lexer.chars[lexer.at..];
    // The shortest is `word:]` and the `]` behind it.
    if rest.len() >= 7 {
        let named = POSIX_CLASSES.iter().find(|name| rest.iter().copied().take(name.len()).eq(name.chars()));
        if let Some(name) = named {
            if !rest[name.len()..].starts_with(&[':', ']']) {
                return problem("there is no such class between `[:` and `:]`");
            }
            lexer.at += name.len() + 2;
            return Ok(true);
        }
    }
    let stop = rest.iter().take(21).position(|it| matches!(it, ':' | ']'));
    if stop.is_some_and(|stop| rest[stop..].starts_with(&[':', ']'])) {
        return problem("there is no such class between `[:` and `:]`");
    }
    lexer.at = start - 1;
    Ok(false)
}

/// The name and `}` behind `\p{`.
pub(super) fn property(lexer: &mut Lexer<'_>) -> Result<(), Problem> {
    lexer.eat('^');
    let rest = &lexer.chars[lexer.at..];
    let stop = rest.iter().position(|it| matches!(it, '}' | '(' | ')' | '{' | '|'));
    let Some(end) = stop.filter(|&it| rest[it] == '}') else {
        return problem("the name behind `\\p{` has no `}`");
    };
    let name: String = rest[..end].iter().collect();
    if !properties::is_property(&name) {
        return problem(format!("there is no property `{name}`"));
    }
    lexer.at += end + 1;
    Ok(())
}
