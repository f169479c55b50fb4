//! Lexer for patterns outside of character classes.

use super::classes::Set;
use super::parser::Anchor;
use super::{RegexFailure, failure};

/// Maximum number of repetitions in an interval.
const REPEAT_LIMIT: u32 = 100_000;
/// Maximum number of a backreference; a larger number after a backslash is not a reference.
const BACK_REFERENCE_LIMIT: u32 = 1000;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum RegexToken {
    End,
    /// Literal character.
    Character(char),
    /// `.`.
    AnyOne,
    /// `\d`, `\W`.
    Set(Set),
    /// `\p{` or `\P{`, before the name.
    Property {
        negative: bool,
    },
    /// `\R`.
    LineBreak,
    /// `\X`.
    Grapheme,
    Anchor(Anchor),
    /// `\1`, `\k<1>`, `\k<-1>` (converted to an absolute number).
    NumberedReference(u32),
    /// `\k<name>`.
    NamedReference(Vec<char>),
    /// `\g<1>`, `\g<-1>`; the parser resolves `relative`.
    NumberedCall {
        number: i64,
        relative: bool,
    },
    NamedCall(Vec<char>),
    Repeat {
        lower: u32,
        upper: Option<u32>,
        lazy: bool,
        possessive: bool,
    },
    Alternative,
    Open,
    Close,
    ClassOpen,
}

/// Lexer with its read position.
pub(super) struct RegexLexer<'a> {
    pub(super) chars: &'a [char],
    pub(super) at: usize,
    /// Option `x`: whitespace and comments are ignored.
    pub(super) extended: bool,
}

/// Name or number in angle brackets or quotes.
pub(super) enum GroupReference {
    Text(Vec<char>),
    /// Number with its sign.
    Number(i64),
}

impl RegexLexer<'_> {
    pub(super) fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    pub(super) fn next_char(&mut self) -> Option<char> {
        let c = self.peek();
        self.at += c.is_some() as usize;
        c
    }

    pub(super) fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        self.at += found as usize;
        found
    }

    /// Returns the next token. `groups` is the number of groups that have begun so far.
    pub(super) fn token(&mut self, groups: u32) -> Result<RegexToken, RegexFailure> {
        loop {
            let Some(c) = self.next_char() else { return Ok(RegexToken::End) };
            return Ok(match c {
                '\\' => return self.escape(groups),
                '.' => RegexToken::AnyOne,
                '*' => self.repeat(0, None),
                '+' => self.repeat(1, None),
                '?' => self.repeat(0, Some(1)),
                '{' => return self.interval(),
                '|' => RegexToken::Alternative,
                '(' if self.chars[self.at..].starts_with(&['?', '#']) => {
                    self.skip_comment()?;
                    continue;
                }
                '(' => RegexToken::Open,
                ')' => RegexToken::Close,
                '^' => RegexToken::Anchor(Anchor::LineStart),
                '$' => RegexToken::Anchor(Anchor::LineEnd),
                '[' => RegexToken::ClassOpen,
                '#' if self.extended => {
                    while self.next_char().is_some_and(|c| c != '\n') {}
                    continue;
                }
                ' ' | '\t' | '\n' | '\r' | '\u{c}' if self.extended => continue,
                c => RegexToken::Character(c),
            });
        }
    }

    fn skip_comment(&mut self) -> Result<(), RegexFailure> {
        self.at += 2;
        loop {
            match self.next_char() {
                None => return failure("unterminated comment `(?#`"),
                Some(')') => return Ok(()),
                Some('\\') => {
                    self.next_char();
                }
                Some(_) => {}
            }
        }
    }

    fn repeat(&mut self, lower: u32, upper: Option<u32>) -> RegexToken {
        let lazy = self.eat('?');
        let possessive = !lazy && self.eat('+');
        RegexToken::Repeat { lower, upper, lazy, possessive }
    }

    /// Reads `{n}`, `{n,}`, `{n,m}` or `{,m}`; any other `{` is literal.
    fn interval(&mut self) -> Result<RegexToken, RegexFailure> {
        let start = self.at;
        let lower = self.repeat_count()?;
        let mut upper = lower;
        let fixed = !self.eat(',');
        if !fixed {
            upper = self.repeat_count()?;
        }
        if !self.eat('}') || (lower.is_none() && (fixed || upper.is_none())) {
            self.at = start;
            return Ok(RegexToken::Character('{'));
        }
        let lower = lower.unwrap_or(0);
        if upper.is_some_and(|upper| lower > upper) {
            return failure("maximum of `{n,m}` is smaller than the minimum");
        }
        // `{n}?` is not lazy: the `?` is a separate quantifier.
        let lazy = !fixed && self.eat('?');
        Ok(RegexToken::Repeat { lower, upper, lazy, possessive: false })
    }

    fn repeat_count(&mut self) -> Result<Option<u32>, RegexFailure> {
        match self.number() {
            Some(count) if count > REPEAT_LIMIT => failure("more than 100000 repetitions"),
            count => Ok(count),
        }
    }

    /// Reads a decimal number, `u32::MAX` if it is larger.
    fn number(&mut self) -> Option<u32> {
        let digits = self.chars[self.at..].iter().map_while(|it| it.to_digit(10));
        let (value, count) = digits.fold((0u32, 0), |(value, count), digit| {
            (value.saturating_mul(10).saturating_add(digit), count + 1)
        });
        self.at += count;
        (count > 0).then_some(value)
    }

    fn escape(&mut self, groups: u32) -> Result<RegexToken, RegexFailure> {
        let Some(c) = self.next_char() else { return failure("trailing backslash") };
        Ok(match c {
            'w' | 'W' | 's' | 'S' | 'd' | 'D' | 'h' | 'H' => RegexToken::Set(Set::of_letter(c)),
            'b' => RegexToken::Anchor(Anchor::WordBoundary),
            'B' => RegexToken::Anchor(Anchor::NoWordBoundary),
            'A' => RegexToken::Anchor(Anchor::TextStart),
            'z' => RegexToken::Anchor(Anchor::TextEnd),
            'Z' => RegexToken::Anchor(Anchor::TextEndOrLastLineBreak),
            'G' => RegexToken::Anchor(Anchor::SearchStart),
            'K' => RegexToken::Anchor(Anchor::Keep),
            'R' => RegexToken::LineBreak,
            'X' => RegexToken::Grapheme,
            'p' | 'P' if self.eat('{') => RegexToken::Property { negative: c == 'P' },
            'x' => RegexToken::Character(self.character_number(2, 16)),
            '1'..='9' => {
                self.at -= 1;
                let start = self.at;
                let number = self.number().unwrap_or(0);
                if number <= BACK_REFERENCE_LIMIT && (number <= groups || number <= 9) {
                    return Ok(RegexToken::NumberedReference(number));
                }
                self.at = start;
                if matches!(c, '8' | '9') {
                    self.at += 1;
                    return Ok(RegexToken::Character(c));
                }
                RegexToken::Character(self.character_number(3, 8))
            }
            '0' => RegexToken::Character(self.character_number(2, 8)),
            'k' => match self.peek() {
                Some(open @ ('<' | '\'')) => {
                    self.at += 1;
                    return self.reference(open, groups);
                }
                _ => RegexToken::Character('k'),
            },
            'g' => match self.peek() {
                Some(open @ ('<' | '\'')) => {
                    self.at += 1;
                    return self.call(open);
                }
                _ => RegexToken::Character('g'),
            },
            c => RegexToken::Character(escaped_character(c)),
        })
    }

    /// Reads up to `limit` digits as an ASCII character; larger code points were already unescaped.
    pub(super) fn character_number(&mut self, limit: usize, radix: u32) -> char {
        let digits = self.chars[self.at..].iter().take(limit).map_while(|it| it.to_digit(radix));
        let (value, count) = digits.fold((0, 0), |(value, count), digit| (value * radix + digit, count + 1));
        self.at += count;
        char::from_u32(value).unwrap_or('\0')
    }

    /// Reads `name>`, `1>` or `-1>`, optionally with a level as in `name+0>`, after the opening bracket.
    pub(super) fn reference(&mut self, open: char, groups: u32) -> Result<RegexToken, RegexFailure> {
        let close = closing(open);
        let start = self.at;
        let digits = self.peek().is_some_and(|c| c == '-' || c.is_ascii_digit());
        let length =
            self.chars[start..].iter().skip(1).position(|&c| c == close || matches!(c, ')' | '+' | '-'));
        let Some(end) = length.map(|it| start + 1 + it).filter(|_| self.peek() != Some(close)) else {
            return failure("empty or unterminated group name");
        };
        let name = &self.chars[start..end];
        self.at = end;
        if !self.eat(close) {
            let level = (self.eat('+') || self.eat('-')).then(|| self.number()).flatten();
            if level.is_none_or(|it| it > i32::MAX as u32) || !self.eat(close) {
                return failure("unterminated group name");
            }
        }
        if !digits {
            return Ok(RegexToken::NamedReference(name.to_vec()));
        }
        let number = match signed_number(name) {
            Some(number) if number < 0 => groups as i64 + 1 + number,
            Some(number) => number,
            None => return failure("group name begins with a digit or `-`"),
        };
        if number <= 0 {
            return failure("unknown group number");
        }
        Ok(RegexToken::NumberedReference(u32::try_from(number).unwrap_or(u32::MAX)))
    }

    fn call(&mut self, open: char) -> Result<RegexToken, RegexFailure> {
        let begins_with_zero = self.eat('0');
        if begins_with_zero && self.eat(closing(open)) {
            return Ok(RegexToken::NumberedCall { number: 0, relative: false });
        }
        let relative = !begins_with_zero && self.eat('+');
        Ok(match self.name(open, true)? {
            GroupReference::Number(number) => RegexToken::NumberedCall { number, relative },
            GroupReference::Text(_) if relative => RegexToken::NumberedCall { number: 0, relative },
            GroupReference::Text(name) => RegexToken::NamedCall(name),
        })
    }

    /// Reads a name up to the closing bracket. Only a reference may be a number.
    pub(super) fn name(&mut self, open: char, is_reference: bool) -> Result<GroupReference, RegexFailure> {
        let close = closing(open);
        let start = self.at;
        if self.peek().is_none_or(|c| c == close) {
            return failure("empty group name");
        }
        let is_number = self.peek().is_some_and(|c| c == '-' || c.is_ascii_digit());
        let length = self.chars[start..].iter().skip(1).position(|&c| c == close || c == ')');
        let Some(end) = length.map(|it| start + 1 + it).filter(|&end| self.chars.get(end) == Some(&close))
        else {
            return failure("unterminated group name");
        };
        self.at = end + 1;
        let name = &self.chars[start..end];
        if !is_number {
            return Ok(GroupReference::Text(name.to_vec()));
        }
        match signed_number(name) {
            Some(number) if is_reference && number != 0 => Ok(GroupReference::Number(number)),
            _ => failure("group name begins with a digit or `-`"),
        }
    }
}

/// Returns the character denoted by an escaped letter that has no other meaning.
pub(super) fn escaped_character(c: char) -> char {
    match c {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'f' => '\u{c}',
        'v' => '\u{b}',
        'a' => '\u{7}',
        'e' => '\u{1b}',
        c => c,
    }
}

fn closing(open: char) -> char {
    match open {
        '<' => '>',
        '(' => ')',
        other => other,
    }
}

fn signed_number(text: &[char]) -> Option<i64> {
    let (negative, digits) = match text {
        ['-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    let mut value: i64 = 0;
    for digit in digits {
        value = value * 10 + digit.to_digit(10)? as i64;
        if value > i32::MAX as i64 {
            return None;
        }
    }
    let value = (!digits.is_empty() && value > 0).then_some(value)?;
    Some(if negative { -value } else { value })
}
