//! Implementation of Ruby's `Kernel#format`.

mod floats;
mod integers;

use std::fmt;

use crate::numbers::{Magnitude, NotANumber, float_from_text, float_text, whole_from_text};

/// Maximum size of a result in bytes.
const RESULT_LIMIT: usize = 1 << 20;

/// Value to be formatted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Argument<'a> {
    Nil,
    Boolean(bool),
    Integer(i128),
    Float(f64),
    /// Any other value: its string form, its `%p` form, and a flag for strings, which `%d` and `%f` parse as
    /// numbers.
    Text {
        text: &'a str,
        inspect: &'a str,
        is_string: bool,
    },
}

/// Ruby exception class of a [`SprintfError`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SprintfErrorKind {
    /// `ArgumentError`.
    Argument,
    /// `TypeError`.
    Type,
    /// `KeyError`: no value has this name.
    Key,
    /// `FloatDomainError`.
    FloatDomain,
    /// `RangeError`.
    Range,
    /// Result larger than 1 MiB (no such limit exists in Ruby).
    TooLarge,
}

/// Error of an invalid format, or of a format that does not fit its arguments.
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
    SprintfError { kind: SprintfErrorKind::TooLarge, message: "formatted string is too large".to_owned() }
}

/// Formats positional arguments.
///
/// # Errors
/// If the format is invalid, an argument is missing or cannot be converted as its directive requires, or the
/// result is too large.
pub fn format(format: &str, arguments: &[Argument<'_>]) -> Result<String, SprintfError> {
    run(format, arguments, None)
}

/// Formats named values (`%<name>d`, `%{name}`) from a hash. Positional directives receive `whole`, the hash
/// itself.
///
/// # Errors
/// Those of [`format()`], and [`SprintfErrorKind::Key`] if `value` does not know a name.
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

/// Flags, width and precision of a directive.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Directive {
    flags: SprintfFlags,
    width: Option<usize>,
    precision: Option<usize>,
}

/// Style in which arguments have been referenced so far.
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

    /// Parses a directive after its `%` and writes the result.
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
                    "incomplete directive at the end of the format\nhelp: write `%%` for a literal percent sign",
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
                                "`{number}$` after an argument that was already selected"
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
                        return Err(argument_error("`%%` cannot have flags, a width or a precision"));
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

    /// Parses the name of a value up to `end`, starting at the opening bracket.
    fn name(&mut self, end: char, earlier: Option<&str>) -> Result<&'f str, SprintfError> {
        let rest = &self.rest()[1..];
        let Some(length) = rest.find(end) else {
            return Err(argument_error("unterminated argument name"));
        };
        let found = &rest[..length];
        if let Some(first) = earlier {
            return Err(argument_error(format!("second argument name `{found}` after `{first}`")));
        }
        self.at += length + 2;
        Ok(found)
    }

    /// Parses a precision after its `.`.
    fn precision(&mut self, directive: &mut Directive) -> Result<(), SprintfError> {
        if directive.precision.is_some() {
            return Err(argument_error("duplicate precision"));
        }
        directive.precision = Some(0);
        if self.peek() == Some('*') {
            self.at += 1;
            // A negative precision is ignored.
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
            return Err(argument_error(format!("unknown directive `%{letter}`")));
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
                let (negative, magnitude) = to_whole(value)?;
                let text = floats::integer(directive, negative, magnitude);
                self.push(&text?)
            }
            'f' | 'g' | 'G' | 'e' | 'E' | 'a' | 'A' => {
                let text = floats::float(letter, directive, to_float(value)?);
                self.push(&text?)
            }
            _ => {
                let (negative, magnitude) = to_whole(value)?;
                let text = integers::integer(letter, directive, negative, magnitude);
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
        if directive.flags.minus {
            self.push(text).and_then(|()| self.push(&fill))
        } else {
            self.push(&fill).and_then(|()| self.push(text))
        }
    }

    /// Parses decimal digits. `what` names the number in errors.
    fn number(&mut self, what: &str) -> Result<usize, SprintfError> {
        let length = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        let digits = &self.rest()[..length];
        self.at += length;
        match digits.parse::<i32>() {
            Ok(number) => bounded(number.unsigned_abs().into()),
            Err(_) => Err(argument_error(format!("{what} {digits} is too large"))),
        }
    }

    /// Returns the argument for a `*` that was already consumed.
    fn star(&mut self) -> Result<i128, SprintfError> {
        let length = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        let value = if length > 0 && self.rest()[length..].starts_with('$') {
            let number = self.number("argument number")?;
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
            Taken::ByNumber => return Err(argument_error("positional and numbered arguments are mixed")),
            Taken::ByName(_) => return Err(argument_error("positional and named arguments are mixed")),
        };
        self.taken = Taken::ByPosition(index + 1);
        self.argument(index)
    }

    fn argument(&self, index: usize) -> Result<Argument<'a>, SprintfError> {
        self.arguments.get(index).copied().ok_or_else(|| argument_error("too few arguments for the format"))
    }

    fn by_number(&mut self, number: usize) -> Result<Argument<'a>, SprintfError> {
        match &self.taken {
            Taken::Nothing | Taken::ByNumber => self.taken = Taken::ByNumber,
            Taken::ByPosition(_) => {
                return Err(argument_error("positional and numbered arguments are mixed"));
            }
            Taken::ByName(_) => return Err(argument_error("numbered and named arguments are mixed")),
        }
        match number.checked_sub(1) {
            Some(index) => self.argument(index),
            None => Err(argument_error("argument numbers start at 1")),
        }
    }

    fn by_name(&mut self, name: &str) -> Result<Argument<'a>, SprintfError> {
        match &self.taken {
            Taken::Nothing | Taken::ByName(_) => self.taken = Taken::ByName(name.to_owned()),
            Taken::ByPosition(_) => return Err(argument_error("positional and named arguments are mixed")),
            Taken::ByNumber => return Err(argument_error("numbered and named arguments are mixed")),
        }
        let Some(lookup) = self.lookup else {
            return Err(argument_error("named arguments require a single hash"));
        };
        lookup(name).ok_or_else(|| SprintfError {
            kind: SprintfErrorKind::Key,
            message: format!("hash has no key `{name}`"),
        })
    }
}

fn set_flag(directive: &mut Directive, flag: char) -> Result<(), SprintfError> {
    if directive.width.is_some() {
        return Err(argument_error(format!("flag `{flag}` after the width")));
    }
    if directive.precision.is_some() {
        return Err(argument_error(format!("flag `{flag}` after the precision")));
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
        return Err(argument_error("duplicate width"));
    }
    if directive.precision.is_some() {
        return Err(argument_error("width after the precision"));
    }
    Ok(())
}

fn bounded(number: u128) -> Result<usize, SprintfError> {
    usize::try_from(number).ok().filter(|&number| number <= RESULT_LIMIT).ok_or_else(too_large)
}

/// Converts like Ruby's `Kernel#Integer` and returns sign and magnitude.
fn to_whole(value: Argument<'_>) -> Result<(bool, Magnitude), SprintfError> {
    Ok(match value {
        Argument::Integer(value) => (value < 0, Magnitude::from(value.unsigned_abs())),
        Argument::Float(value) if !value.is_finite() => {
            return Err(SprintfError {
                kind: SprintfErrorKind::FloatDomain,
                message: format!("`{}` is not an Integer", float_text(value)),
            });
        }
        Argument::Float(value) => (value <= -1.0, Magnitude::from_float(value)),
        Argument::Text { text, is_string: true, .. } => whole_from_text(text, None)
            .ok_or_else(|| argument_error(format!("`{text:?}` is not an Integer")))?,
        Argument::Text { inspect, .. } => {
            return Err(type_error(format!("`{inspect}` cannot be converted to Integer")));
        }
        Argument::Boolean(value) => {
            return Err(type_error(format!("`{value}` cannot be converted to Integer")));
        }
        Argument::Nil => return Err(type_error("`undef` cannot be converted to Integer")),
    })
}

/// Converts like Ruby's `Kernel#Float`.
fn to_float(value: Argument<'_>) -> Result<f64, SprintfError> {
    Ok(match value {
        Argument::Integer(value) => value as f64,
        Argument::Float(value) => value,
        Argument::Text { text, is_string: true, .. } => float_from_text(text)?,
        Argument::Text { inspect, .. } => {
            return Err(type_error(format!("`{inspect}` cannot be converted to Float")));
        }
        Argument::Boolean(value) => {
            return Err(type_error(format!("`{value}` cannot be converted to Float")));
        }
        Argument::Nil => return Err(type_error("`undef` cannot be converted to Float")),
    })
}

/// Converts a string of one character, or a code point, to a string.
fn character(value: Argument<'_>) -> Result<String, SprintfError> {
    if let Argument::Text { text, is_string: true, .. } = value {
        return match text.chars().count() {
            1 => Ok(text.to_owned()),
            _ => Err(argument_error("`%c` requires a single character or a code point")),
        };
    }
    let (negative, magnitude) = match value {
        Argument::Nil | Argument::Boolean(_) => {
            return Err(type_error("`%c` requires a single character or a code point"));
        }
        Argument::Float(value) if value.is_nan() || value.abs() >= 2f64.powi(32) => {
            return Err(SprintfError {
                kind: SprintfErrorKind::Range,
                message: format!("`{}` is not a code point", float_text(value)),
            });
        }
        value => to_whole(value)?,
    };
    let number = magnitude.to_u128().and_then(|it| u32::try_from(it).ok()).filter(|_| !negative);
    match number.and_then(char::from_u32) {
        Some(c) => Ok(c.to_string()),
        None => Err(argument_error("invalid code point")),
    }
}
