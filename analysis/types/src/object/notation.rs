//! Parser for types and values in the built-in type table. Names of unknown types stay names.

use crate::access::{access_type, built_in_type};
use crate::environment::NoTypes;
use crate::ty::Type;
use crate::value::Value;
use scalars::regexp::Regexp;

/// Parses a type such as `Hash[String[1], Puppet::AST::Expression]`, or returns `None` on a syntax error.
pub(super) fn type_from_text(text: &str) -> Option<Type> {
    match value_from_text(text)? {
        Value::Type(ty) => Some((*ty).clone()),
        _ => None,
    }
}

/// Parses a type, string, integer, regular expression, array, hash, `undef`, `default`, `true` or `false`.
pub(super) fn value_from_text(text: &str) -> Option<Value> {
    let mut reader = NotationReader { rest: text };
    let value = reader.value()?;
    reader.skip_blanks();
    reader.rest.is_empty().then_some(value)
}

struct NotationReader<'a> {
    rest: &'a str,
}

impl<'a> NotationReader<'a> {
    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, token: &str) -> bool {
        self.skip_blanks();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn take_while(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !belongs(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    /// Consumes input up to the next `end` that is not escaped by a backslash.
    fn take_until(&mut self, end: char) -> Option<&'a str> {
        let mut escaped = false;
        let at = self.rest.find(|c| {
            let ends = c == end && !escaped;
            escaped = c == '\\' && !escaped;
            ends
        })?;
        let text = &self.rest[..at];
        self.rest = &self.rest[at + end.len_utf8()..];
        Some(text)
    }

    fn value(&mut self) -> Option<Value> {
        self.skip_blanks();
        match self.rest.chars().next()? {
            '\'' => {
                self.rest = &self.rest[1..];
                Some(Value::string(self.take_until('\'')?.replace("\\'", "'").replace("\\\\", "\\")))
            }
            '/' => {
                self.rest = &self.rest[1..];
                Regexp::new(&self.take_until('/')?.replace('⏎', "\n")).ok().map(Value::Regexp)
            }
            '[' => {
                self.rest = &self.rest[1..];
                self.list("]").map(Value::array)
            }
            '{' => {
                self.rest = &self.rest[1..];
                let mut entries = Vec::new();
                while !self.take("}") {
                    let key = self.value()?;
                    if !self.take("=>") {
                        return None;
                    }
                    entries.push((key, self.value()?));
                    self.take(",");
                }
                Some(Value::hash(entries))
            }
            '-' | '0'..='9' => {
                self.take_while(|c| c == '-' || c.is_ascii_digit()).parse().ok().map(Value::Integer)
            }
            'A'..='Z' => self.named_type().map(Value::ty),
            _ => match self.take_while(|c| c.is_ascii_alphanumeric() || c == '_') {
                "undef" => Some(Value::Undef),
                "default" => Some(Value::Default),
                "true" => Some(Value::Boolean(true)),
                "false" => Some(Value::Boolean(false)),
                "" => None,
                name => Some(Value::string(name)),
            },
        }
    }

    fn list(&mut self, end: &str) -> Option<Vec<Value>> {
        let mut elements = Vec::new();
        while !self.take(end) {
            elements.push(self.value()?);
            self.take(",");
        }
        Some(elements)
    }

    fn named_type(&mut self) -> Option<Type> {
        let name = self.take_while(|c| c.is_ascii_alphanumeric() || c == '_' || c == ':');
        let Some(base) = built_in_type(name) else { return Some(Type::Alias(name.into())) };
        if !self.rest.starts_with('[') {
            return Some(base);
        }
        self.rest = &self.rest[1..];
        let keys = self.list("]")?;
        match access_type(&base, &keys, &NoTypes).ok()? {
            Value::Type(ty) => Some((*ty).clone()),
            _ => None,
        }
    }
}
