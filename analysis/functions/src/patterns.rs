//! Functions that search strings with regular expressions. Specification: the chapter on regular expressions.

use eval::{BuiltInFunction, Call, Outcome};
use scalars::regexp::{Captures, Regexp, RegexpError};
use types::{HashValue, Type, Value};
use validation::VersionDifference;

use super::support::{function, known, open};

pub(super) static TABLE: &[BuiltInFunction] = &[
    function(
        "match",
        "Returns the match of a pattern and its groups in a string, or `undef`; for an array of strings, an array of results.",
        &[
            known(
                "(String $string, Variant[Any, Type] $pattern) >> Optional[Array[Optional[String]]]",
                |call| match_text(call, call.string(0), call.argument(1), 0),
            ),
            known(
                "(Array[String] $string, Variant[Any, Type] $pattern) >> Array[Optional[Array[Optional[String]]]]",
                match_texts,
            ),
        ],
    ),
    function(
        "regsubst",
        "Replaces the first match of a pattern in a string, or all matches with the flag `G`; for an array, in each string.",
        &[
            open(
                "(Variant[Array[String], String] $target, String $pattern, Variant[String, Hash[String, String]] $replacement, Optional[Pattern[/^[GEIM]*$/]] $flags = undef, Enum['N', 'E', 'S', 'U'] $encoding = 'N') >> Variant[Array[String], String]",
                regsubst,
            ),
            open(
                "(Variant[Array[String], String] $target, Variant[Regexp, Type[Regexp]] $pattern, Variant[String, Hash[String, String]] $replacement, Pattern[/^G?$/] $flags = '') >> Variant[Array[String], String]",
                regsubst,
            ),
            // Since OpenVox 8.26.
            known(
                "(Sensitive[String] $target, String $pattern, Variant[String, Hash[String, String]] $replacement, Optional[Pattern[/^[GEIM]*$/]] $flags = undef, Enum['N', 'E', 'S', 'U'] $encoding = 'N') >> Sensitive[String]",
                regsubst_sensitive,
            ),
            known(
                "(Sensitive[String] $target, Variant[Regexp, Type[Regexp]] $pattern, Variant[String, Hash[String, String]] $replacement, Pattern[/^G?$/] $flags = '') >> Sensitive[String]",
                regsubst_sensitive,
            ),
            known(
                "(Variant[Array[Variant[String, Sensitive[String]]], Sensitive[Array[Variant[String, Sensitive[String]]]]] $target, String $pattern, Variant[String, Hash[String, String]] $replacement, Optional[Pattern[/^[GEIM]*$/]] $flags = undef, Enum['N', 'E', 'S', 'U'] $encoding = 'N') >> Array[Variant[String, Sensitive[String]]]",
                regsubst_sensitive,
            ),
            known(
                "(Variant[Array[Variant[String, Sensitive[String]]], Sensitive[Array[Variant[String, Sensitive[String]]]]] $target, Variant[Regexp, Type[Regexp]] $pattern, Variant[String, Hash[String, String]] $replacement, Pattern[/^G?$/] $flags = '') >> Array[Variant[String, Sensitive[String]]]",
                regsubst_sensitive,
            ),
        ],
    ),
    function(
        "split",
        "Splits a string at the matches of a pattern.",
        &[
            known("(String $str, String $pattern) >> Array[String]", split),
            known("(String $str, Regexp $pattern) >> Array[String]", split),
            known("(String $str, Type[Regexp] $pattern) >> Array[String]", split),
            // Since Puppet 8.
            known(
                "(Sensitive[String] $sensitive, String $pattern) >> Sensitive[Array[String]]",
                split_sensitive,
            ),
            known(
                "(Sensitive[String] $sensitive, Regexp $pattern) >> Sensitive[Array[String]]",
                split_sensitive,
            ),
            known(
                "(Sensitive[String] $sensitive, Type[Regexp] $pattern) >> Sensitive[Array[String]]",
                split_sensitive,
            ),
        ],
    ),
    function(
        "scanf",
        "Scans a string with a format like C's `scanf`, and returns the values as an array or passes them to the block.",
        &[open("(String $data, String $format, Optional[Callable] &$block)", scanf)],
    ),
];

fn match_texts(call: &mut Call) -> Outcome {
    let Value::Array(texts) = call.argument(0).clone() else { return Ok(Value::Undef) };
    let mut results = Vec::with_capacity(texts.len());
    for text in texts.iter() {
        call.step(1)?;
        results.push(match_text(call, text.as_str().unwrap_or_default(), call.argument(1), 0)?);
    }
    Ok(Value::array(results))
}

/// Returns the match of the first pattern that matches.
fn match_text(call: &Call, text: &str, pattern: &Value, depth: usize) -> Outcome {
    const MAX_DEPTH: usize = 64;
    if depth > MAX_DEPTH {
        return Err(call.refuse("patterns are nested too deeply"));
    }
    let first_of = |patterns: &mut dyn Iterator<Item = Value>| {
        for pattern in patterns {
            let found = match_text(call, text, &pattern, depth + 1)?;
            if !found.is_undef() {
                return Ok(found);
            }
        }
        Ok(Value::Undef)
    };
    match pattern {
        Value::String(source) => {
            let pattern = Regexp::new(source).map_err(|error| call.refuse_pattern(&error))?;
            match_pattern(call, text, &pattern)
        }
        Value::Regexp(pattern) => match_pattern(call, text, pattern),
        Value::Array(patterns) => first_of(&mut patterns.iter().cloned()),
        Value::Type(ty) => match &**ty {
            Type::Regexp(Some(pattern)) => match_pattern(call, text, pattern),
            Type::Regexp(None) => Err(call.refuse("`Regexp` type without a pattern")),
            Type::Pattern(patterns) => first_of(&mut patterns.iter().cloned().map(Value::Regexp)),
            Type::Variant(types) => first_of(&mut types.iter().cloned().map(Value::ty)),
            Type::Alias(name) => match call.env().named_type(name) {
                Some(named) => match_text(call, text, &Value::ty(named.ty), depth + 1),
                None => Ok(Value::unknown(Type::Any, types::Origin::MissingDefinition)),
            },
            _ => Err(no_pattern(call)),
        },
        _ => Err(no_pattern(call)),
    }
}

fn no_pattern(call: &Call) -> eval::Exit {
    call.refuse("invalid pattern; expected a `String`, a `Regexp`, a `Pattern` type, or an array of them")
}

fn match_pattern(call: &Call, text: &str, pattern: &Regexp) -> Outcome {
    let found = pattern.captures_at(text, 0).map_err(|error| call.refuse_pattern(&error))?;
    let Some(found) = found else { return Ok(Value::Undef) };
    let groups = found.iter().map(|group| group.map_or(Value::Undef, |range| Value::string(&text[range])));
    Ok(Value::array(groups.collect::<Vec<_>>()))
}

/// Substitution to apply to each string.
struct Substitution {
    pattern: Regexp,
    replacement: Replacement,
    /// True to replace all matches, false for the first one only.
    is_global: bool,
}

enum Replacement {
    Text(String),
    /// Replacements by matched string.
    Table(HashValue),
}

fn regsubst(call: &mut Call) -> Outcome {
    let version = call.evaluator.world.settings.version;
    if call.arguments.len() > 4 {
        if version.has(VersionDifference::NoEncodingOfRegsubst) {
            return Err(call.refuse("`regsubst()` expects between 3 and 4 arguments, got 5"));
        }
        if version.has(VersionDifference::EncodingOfRegsubst) {
            call.warn_once("`regsubst()` ignores the encoding");
        }
    }
    let arguments_known = call.arguments.iter().all(Value::is_known);
    if !arguments_known {
        return Ok(regsubst_of_unknown(call));
    }
    let substitution = substitution(call)?;
    let target = call.argument(0).clone();
    substitute(call, &substitution, &target)
}

fn regsubst_sensitive(call: &mut Call) -> Outcome {
    if !call.evaluator.world.settings.version.has(VersionDifference::SensitiveRegsubst) {
        return Err(call.refuse("`regsubst()` accepts a `Sensitive` only since OpenVox 8.26"));
    }
    regsubst(call)
}

/// Applies a substitution to a string or to each string of an array. What is sensitive stays so, except for an array
/// as a whole.
fn substitute(call: &mut Call, substitution: &Substitution, target: &Value) -> Outcome {
    match target {
        Value::Array(texts) => {
            let mut results = Vec::with_capacity(texts.len());
            for text in texts.iter() {
                call.step(1)?;
                results.push(substitute(call, substitution, text)?);
            }
            Ok(Value::array(results))
        }
        Value::Sensitive(inner) if inner.as_array().is_some() => substitute(call, substitution, inner),
        Value::Sensitive(inner) => Ok(Value::sensitive(substitute(call, substitution, inner)?)),
        text => {
            let result = substitution.apply(text.as_str().unwrap_or_default());
            Ok(Value::string(result.map_err(|error| call.refuse_pattern(&error))?))
        }
    }
}

fn regsubst_of_unknown(call: &Call) -> Value {
    let target = call.argument(0);
    let kinds = target.kinds(call.env());
    let size = match target {
        Value::Array(elements) => types::IntegerRange::exactly(elements.len() as i64),
        Value::Unknown(unknown) => types::sizes::size_of_type(&unknown.ty, call.env()),
        _ => types::IntegerRange::SIZE,
    };
    let (is_array, is_text) = (kinds.intersects(types::Kinds::ARRAY), kinds.intersects(types::Kinds::STRING));
    call.unknown(match (is_array, is_text) {
        (true, false) => Type::array(Type::STRING, size),
        (false, true) => Type::STRING,
        _ => Type::variant([Type::array_of(Type::STRING), Type::STRING]),
    })
}

/// Converts an argument to a pattern: a regular expression, its type, or its source.
fn pattern_of(given: &Value) -> Result<Regexp, RegexpError> {
    match given {
        Value::Regexp(pattern) => Ok(pattern.clone()),
        Value::Type(ty) => match &**ty {
            Type::Regexp(Some(pattern)) => Ok(pattern.clone()),
            _ => Regexp::new(""),
        },
        source => Regexp::new(source.as_str().unwrap_or_default()),
    }
}

fn substitution(call: &Call) -> Outcome<Substitution> {
    let flags = call.string(3);
    let made = match call.argument(1) {
        Value::String(source) => with_flags(source, flags),
        given => pattern_of(given),
    };
    let pattern = made.map_err(|error| call.refuse_pattern(&error))?;
    let replacement = match call.argument(2) {
        Value::Hash(table) => Replacement::Table((**table).clone()),
        text => Replacement::Text(text.as_str().unwrap_or_default().to_owned()),
    };
    Ok(Substitution { pattern, replacement, is_global: flags.contains('G') })
}

/// Compiles a pattern with the options denoted by flags.
fn with_flags(source: &str, flags: &str) -> Result<Regexp, RegexpError> {
    let options: String = [('M', 'm'), ('I', 'i'), ('E', 'x')]
        .iter()
        .filter(|(flag, _)| flags.contains(*flag))
        .map(|(_, option)| option)
        .collect();
    if options.contains('x') {
        // A comment ends with its line.
        return Regexp::new(&format!("(?{options}:{source}\n)"));
    }
    let regexp = Regexp::new(source)?;
    if options.is_empty() { Ok(regexp) } else { Regexp::new(&format!("(?{options}:{source})")) }
}

impl Substitution {
    fn apply(&self, text: &str) -> Result<String, RegexpError> {
        let table = match (&self.replacement, self.is_global) {
            (Replacement::Text(replacement), true) => return self.pattern.gsub(text, replacement),
            (Replacement::Text(replacement), false) => return self.pattern.sub(text, replacement),
            (Replacement::Table(table), _) => table,
        };
        let found: Vec<Captures> = if self.is_global {
            self.pattern.scan(text)?
        } else {
            self.pattern.captures_at(text, 0)?.into_iter().collect()
        };
        let mut result = String::with_capacity(text.len());
        let mut copied = 0;
        for captures in found {
            let range = captures.range();
            result.push_str(text.get(copied..range.start).unwrap_or_default());
            result.push_str(table.get_text(&text[range.clone()]).and_then(Value::as_str).unwrap_or_default());
            copied = range.end;
        }
        result.push_str(&text[copied..]);
        Ok(result)
    }
}

fn split(call: &mut Call) -> Outcome {
    let parts = pattern_of(call.argument(1))
        .and_then(|pattern| pattern.split(call.string(0)))
        .map_err(|error| call.refuse_pattern(&error))?;
    Ok(Value::array(parts.into_iter().map(Value::string).collect::<Vec<_>>()))
}

fn split_sensitive(call: &mut Call) -> Outcome {
    if !call.evaluator.world.settings.version.has(VersionDifference::SensitiveSplit) {
        return Err(call.refuse("`split()` accepts a `Sensitive` only since Puppet 8"));
    }
    if let Value::Sensitive(text) = call.argument(0) {
        call.arguments[0] = (**text).clone();
    }
    Ok(Value::sensitive(split(call)?))
}

fn scanf(call: &mut Call) -> Outcome {
    let found = if call.arguments.iter().all(Value::is_known) {
        match super::scanf::scan(call.string(0), call.string(1)) {
            Ok(found) => Value::array(found),
            Err(error) => return Err(call.refuse_pattern(&error)),
        }
    } else {
        call.unknown(Type::array_of(Type::variant([Type::STRING, Type::Numeric])))
    };
    if call.block.is_some() { call.call_block(&[found]) } else { Ok(found) }
}
