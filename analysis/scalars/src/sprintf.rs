//! Ruby's `Kernel#format`.

mod floats;
mod integers;

use std::fmt;

use crate::numbers::{Magnitude, NotANumber, float_from_text, float_text, whole_from_text};

/// No result may be larger, in bytes.
const RESULT_LIMIT: usize = 1 << 20;

/// A value to be formatted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Argument<'a> {
    Nil,
    Boolean(bool),
    Integer(i128),
    Float(f64),
    /// Anything else: what it prints as, what it looks like for `%p`, and whether it is a string, which `%d` and `%f`
    /// read as a number.
    Text {
        text: &'a str,
        inspect: &'a str,
        is_string: bool,
    },
}

/// Ruby's class of a [`SprintfError`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SprintfErrorKind {
    /// `ArgumentError`
    Argument,
    /// `TypeError`
    Type,
    /// `KeyError`: there is no value of that name.
    Key,
    /// `FloatDomainError`
    FloatDomain,
    /// `RangeError`
    Range,
    /// The result would be larger than 1 MiB (Ruby has no such limit).
    TooLarge,
}

/// A format that is wrong, or does not fit its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SprintfError {
    pub kind: SprintfErrorKind,
    pub message: String,
}

impl fmt::Display for SprintfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SprintfError {}

impl From<NotANumber> for SprintfError {
    fn from(error: NotANumber) -> SprintfError {
        argument_error(error.to_string())
    }
}

fn argument_error(message: impl Into<String>) -> SprintfError {
    SprintfError { kind: SprintfErrorKind::Argument, message: message.into() }
}

fn type_error(message: impl Into<String>) -> SprintfError {
    SprintfError { kind: SprintfErrorKind::Type, message: message.into() }
}

fn too_large() -> SprintfError {
    SprintfError {
        kind: SprintfErrorKind::TooLarge,
        message: "the formatted text would be too large".to_owned(),
    }
}

/// The text that `format` makes of its arguments, by position.
///
/// # Errors
/// The format is wrong, an argument is missing or cannot be what a directive wants, or the result is too large.
pub fn format(format: &str, arguments: &[Argument<'_>]) -> Result<String, SprintfError> {
    run(format, arguments, None)
}

/// The text that `format` makes of values with names (`%<name>d`, `%{name}`), that is of one hash. What takes its value
/// by position gets `whole`, the hash itself.
///
/// # Errors
/// As [`format()`], and [`FormatErrorKind::Key`] when `value` knows no such name.
pub fn format_named<'a>(
    format: &str,
    whole: Argument<'a>,
    value: &dyn Fn(&str) -> Option<Argument<'a>>,
) -> Result<String, SprintfError> {
    run(format, &[whole], Some(value))
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct SprintfFlags {
    space: bool,
    alternate: bool,
    plus: bool,
    minus: bool,
    zero: bool,
}

/// What stands between `%` and the letter.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Directive {
    flags: SprintfFlags,
    width: Option<usize>,
    precision: Option<usize>,
}

/// How arguments have been taken so far.
#[derive(PartialEq, Eq, Debug)]
enum Taken {
    Nothing,
    ByPosition(usize),
    ByNumber,
    ByName(String),
}

type NamedArguments<'f, 'a> = Option<&'f dyn Fn(&str) -> Option<Argument<'a>>>;

struct Formatter<'f, 'a> {
    format: &'f str,
    at: usize,
    arguments: &'f [Argument<'a>],
    lookup: NamedArguments<'f, 'a>,
    taken: Taken,
    out: String,
}

fn run<'f, 'a>(
    format: &'f str,
    arguments: &'f [Argument<'a>],
    lookup: NamedArguments<'f, 'a>,
) -> Result<String, SprintfError> {
    let out = String::with_capacity(format.len());
    let mut formatter = Formatter { format, at: 0, arguments, lookup, taken: Taken::Nothing, out };
    while let Some(length) = formatter.rest().find('%') {
        let start = formatter.at;
        formatter.at = start + length + 1;
        formatter.out.push_str(&format[start..start + length]);
        formatter.directive()?;
        if formatter.out.len() > RESULT_LIMIT {
            return Err(too_large());
        }
    }
    let rest = formatter.at;
    formatter.out.push_str(&format[rest..]);
    Ok(formatter.out)
}

impl<'f, 'a> Formatter<'f, 'a> {
    fn rest(&self) -> &'f str {
        &self.format[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Reads what follows a `%`, and writes what it stands for.
    fn directive(&mut self) -> Result<(), SprintfError> {
        let mut directive = Directive::default();
        let mut value: Option<Argument<'a>> = None;
        let mut name: Option<&str> = None;
        loop {
            let Some(c) = self.peek() else {
                if directive == Directive::default() && value.is_some() {
                    self.out.push('%');
                    return Ok(());
                }
                return Err(argument_error(
                    "the format ends in the middle of a directive; write `%%` for a percent sign",
                ));
            };
            match c {
                ' ' | '#' | '+' | '-' | '0' => {
                    self.at += 1;
                    set_flag(&mut directive, c)?;
                }
                '1'..='9' => {
                    let number = self.number("width")?;
                    if self.peek() == Some('$') {
                        self.at += 1;
                        if value.is_some() {
                            return Err(argument_error(format!(
                                "`{number}$` follows a value that is already chosen"
                            )));
                        }
                        value = Some(self.by_number(number)?);
                    } else {
                        check_width(&directive)?;
                        directive.width = Some(number);
                    }
                }
                '<' | '{' => {
                    let found = self.name(if c == '<' { '>' } else { '}' }, name)?;
                    name = Some(found);
                    let named = self.by_name(found)?;
                    if c == '{' {
                        return self.push_text(directive, named, false);
                    }
                    value = Some(named);
                }
                '*' => {
                    self.at += 1;
                    check_width(&directive)?;
                    let width = self.star()?;
                    directive.flags.minus |= width < 0;
                    directive.width = Some(bounded(width.unsigned_abs())?);
                }
                '.' => {
                    self.at += 1;
                    self.precision(&mut directive)?;
                }
                '%' | '\n' | '\0' => {
                    if directive != Directive::default() {
                        return Err(argument_error("`%` cannot have flags, a width or a precision"));
                    }
                    self.at += usize::from(c == '%');
                    self.out.push('%');
                    return Ok(());
                }
                letter => {
                    self.at += letter.len_utf8();
                    return self.convert(letter, directive, value);
                }
            }
        }
    }

    /// The name of a value up to `end`; its opening bracket is the next character.
    fn name(&mut self, end: char, earlier: Option<&str>) -> Result<&'f str, SprintfError> {
        let rest = &self.rest()[1..];
        let Some(length) = rest.find(end) else {
            return Err(argument_error("the name of a value does not end"));
        };
        let found = &rest[..length];
        if let Some(first) = earlier {
            return Err(argument_error(format!("the name `{found}` follows the name `{first}`")));
        }
        self.at += length + 2;
        Ok(found)
    }

    /// Reads what follows the `.` of a precision.
    fn precision(&mut self, directive: &mut Directive) -> Result<(), SprintfError> {
        if directive.precision.is_some() {
            return Err(argument_error("the precision is given twice"));
        }
        directive.precision = Some(0);
        if self.peek() == Some('*') {
            self.at += 1;
            // A negative one is none.
            directive.precision = match self.star()? {
                precision if precision < 0 => None,
                precision => Some(bounded(precision.unsigned_abs())?),
            };
        } else if self.peek().is_some_and(|c| c.is_ascii_digit()) {
            directive.precision = Some(self.number("precision")?);
        }
        Ok(())
    }

    fn convert(
        &mut self,
        letter: char,
        directive: Directive,
        value: Option<Argument<'a>>,
    ) -> Result<(), SprintfError> {
        if !"cspdiuoxXbBfgGeEaA".contains(letter) {
            return Err(argument_error(format!("there is no directive `%{letter}`")));
        }
        let value = match value {
            Some(value) => value,
            None => self.next()?,
        };
        match letter {
            'c' => {
                let text = character(value)?;
                self.push_padded(directive, &text)
            }
            's' | 'p' => self.push_text(directive, value, letter == 'p'),
            'f' if matches!(value, Argument::Integer(_)) => {
                let text = floats::integer(directive, to_whole(value)?);
                self.push(&text?)
            }
            'f' | 'g' | 'G' | 'e' | 'E' | 'a' | 'A' => {
                let text = floats::float(letter, directive, to_float(value)?);
                self.push(&text?)
            }
            _ => {
                let text = integers::integer(letter, directive, to_whole(value)?);
                self.push(&text?)
            }
        }
    }

    fn push(&mut self, text: &str) -> Result<(), SprintfError> {
        if self.out.len() + text.len() > RESULT_LIMIT {
            return Err(too_large());
        }
        self.out.push_str(text);
        Ok(())
    }

    fn push_text(
        &mut self,
        directive: Directive,
        value: Argument<'_>,
        inspect: bool,
    ) -> Result<(), SprintfError> {
        let text = match value {
            Argument::Nil => if inspect { "nil" } else { "" }.to_owned(),
            Argument::Boolean(value) => value.to_string(),
            Argument::Integer(value) => value.to_string(),
            Argument::Float(value) => float_text(value),
            Argument::Text { inspect: text, .. } if inspect => text.to_owned(),
            Argument::Text { text, .. } => text.to_owned(),
        };
        match directive.precision.and_then(|precision| text.char_indices().nth(precision)) {
            Some((end, _)) => self.push_padded(directive, &text[..end]),
            None => self.push_padded(directive, &text),
        }
    }

    fn push_padded(&mut self, directive: Directive, text: &str) -> Result<(), SprintfError> {
        let fill = " ".repeat(directive.width.unwrap_or(0).saturating_sub(text.chars().count()));
        match directive.flags.minus {
            true => self.push(text).and_then(|()| self.push(&fill)),
            false => self.push(&fill).and_then(|()| self.push(text)),
        }
    }

    /// Decimal digits, for something called `what`.
    fn number(&mut self, what: &str) -> Result<usize, SprintfError> {
        let length = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        let digits = &self.rest()[..length];
        self.at += length;
        match digits.parse::<i32>() {
            Ok(number) => bounded(number.unsigned_abs().into()),
            Err(_) => Err(argument_error(format!("the {what} {digits} is too large"))),
        }
    }

    /// The number behind a `*`, which has been read.
    fn star(&mut self) -> Result<i128, SprintfError> {
        let length = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        let value = if length > 0 && self.rest()[length..].starts_with('$') {
            let number = self.number("number of a value")?;
            self.at += 1;
            self.by_number(number)?
        } else {
            self.next()?
        };
        let (negative, magnitude) = to_whole(value)?;
        let value = magnitude.to_u128().and_then(|it| i128::try_from(it).ok()).unwrap_or(i128::MAX);
        Ok(if negative { -value } else { value })
    }

    fn next(&mut self) -> Result<Argument<'a>, SprintfError> {
        let index = match &self.taken {
            Taken::Nothing => 0,
            Taken::ByPosition(count) => *count,
            Taken::ByNumber => return Err(argument_error("values by position and by number are mixed")),
            Taken::ByName(_) => return Err(argument_error("values by position and by name are mixed")),
        };
        self.taken = Taken::ByPosition(index + 1);
        self.argument(index)
    }

    fn argument(&self, index: usize) -> Result<Argument<'a>, SprintfError> {
        self.arguments
            .get(index)
            .copied()
            .ok_or_else(|| argument_error("the format wants more values than there are"))
    }

    fn by_number(&mut self, number: usize) -> Result<Argument<'a>, SprintfError> {
        match &self.taken {
            Taken::Nothing | Taken::ByNumber => self.taken = Taken::ByNumber,
            Taken::ByPosition(_) => return Err(argument_error("values by position and by number are mixed")),
            Taken::ByName(_) => return Err(argument_error("values by number and by name are mixed")),
        }
        match number.checked_sub(1) {
            Some(index) => self.argument(index),
            None => Err(argument_error("the first value has the number 1")),
        }
    }

    fn by_name(&mut self, name: &str) -> Result<Argument<'a>, SprintfError> {
        match &self.taken {
            Taken::Nothing | Taken::ByName(_) => self.taken = Taken::ByName(name.to_owned()),
            Taken::ByPosition(_) => return Err(argument_error("values by position and by name are mixed")),
            Taken::ByNumber => return Err(argument_error("values by number and by name are mixed")),
        }
        let Some(lookup) = self.lookup else {
            return Err(argument_error("a format with names wants one hash"));
        };
        lookup(name).ok_or_else(|| SprintfError {
            kind: SprintfErrorKind::Key,
            message: format!("there is no value with the name `{name}`"),
        })
    }
}

fn set_flag(directive: &mut Directive, flag: char) -> Result<(), SprintfError> {
    if directive.width.is_some() {
        return Err(argument_error(format!("the flag `{flag}` follows the width")));
    }
    if directive.precision.is_some() {
        return Err(argument_error(format!("the flag `{flag}` follows the precision")));
    }
    match flag {
        ' ' => directive.flags.space = true,
        '#' => directive.flags.alternate = true,
        '+' => directive.flags.plus = true,
        '-' => directive.flags.minus = true,
        _ => directive.flags.zero = true,
    }
    Ok(())
}

fn check_width(directive: &Directive) -> Result<(), SprintfError> {
    if directive.width.is_some() {
        return Err(argument_error("the width is given twice"));
    }
    if directive.precision.is_some() {
        return Err(argument_error("the width follows the precision"));
    }
    Ok(())
}

fn bounded(number: u128) -> Result<usize, SprintfError> {
    usize::try_from(number).ok().filter(|&number| number <= RESULT_LIMIT).ok_or_else(too_large)
}

/// Ruby's `Kernel#Integer`: the sign and the size.
fn to_whole(value: Argument<'_>) -> Result<(bool, Magnitude), SprintfError> {
    Ok(match value {
        Argument::Integer(value) => (value < 0, Magnitude::from(value.unsigned_abs())),
        Argument::Float(value) if !value.is_finite() => {
            return Err(SprintfError {
                kind: SprintfErrorKind::FloatDomain,
                message: format!("{} is no Integer", float_text(value)),
            });
        }
        Argument::Float(value) => (value <= -1.0, Magnitude::from_float(value)),
        Argument::Text { text, is_string: true, .. } => {
            whole_from_text(text, None).ok_or_else(|| argument_error(format!("{text:?} is no Integer")))?
        }
        Argument::Text { inspect, .. } => {
            return Err(type_error(format!("{inspect} cannot be made an Integer")));
        }
        Argument::Boolean(value) => return Err(type_error(format!("{value} cannot be made an Integer"))),
        Argument::Nil => return Err(type_error("an undefined value cannot be made an Integer")),
    })
}

/// Ruby's `Kernel#Float`.
fn to_float(value: Argument<'_>) -> Result<f64, SprintfError> {
    Ok(match value {
        Argument::Integer(value) => value as f64,
        Argument::Float(value) => value,
        Argument::Text { text, is_string: true, .. } => float_from_text(text)?,
        Argument::Text { inspect, .. } => {
            return Err(type_error(format!("{inspect} cannot be made a Float")));
        }
        Argument::Boolean(value) => return Err(type_error(format!("{value} cannot be made a Float"))),
        Argument::Nil => return Err(type_error("an undefined value cannot be made a Float")),
    })
}

/// A string of one character, or the number of a character.
fn character(value: Argument<'_>) -> Result<String, SprintfError> {
    if let Argument::Text { text, is_string: true, .. } = value {
        return match text.chars().count() {
            1 => Ok(text.to_owned()),
            _ => Err(argument_error("`%c` wants a string of one character, or the number of one")),
        };
    }
    let (negative, magnitude) = match value {
        Argument::Nil | Argument::Boolean(_) => {
            return Err(type_error("`%c` wants a string of one character, or the number of one"));
        }
        Argument::Float(value) if value.is_nan() || value.abs() >= 2f64.powi(32) => {
            return Err(SprintfError {
                kind: SprintfErrorKind::Range,
                message: format!("{} is not the number of a character", float_text(value)),
            });
        }
        value => to_whole(value)?,
    };
    let number = magnitude.to_u128().and_then(|it| u32::try_from(it).ok()).filter(|_| !negative);
    match number.and_then(char::from_u32) {
        Some(c) => Ok(c.to_string()),
        None => Err(argument_error("there is no character with this number")),
    }
}
