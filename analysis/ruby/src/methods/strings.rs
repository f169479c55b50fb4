//! Non-mutating methods of strings and symbols.

use std::rc::Rc;

use conversions::ruby::{text_to_f, text_to_i};
use scalars::letters::LetterSet;
use scalars::sprintf::{Argument, SprintfErrorKind, format as sprintf, format_named};

use super::super::interpreter::Interpreter;
use super::super::printing::{TEXT_LIMIT, inspect};
use super::super::value::{Match, Object, Ruby, Stop, raise, raise_as, unsupported};
use super::patterns::any_pattern;
use super::slices::part;
use super::{MANY, MethodInvocation, MethodRow, SYMBOL, TEXT, ranges, row};

const NAME: super::ObjectKinds = TEXT | SYMBOL;

pub(in super::super) const TABLE: &[MethodRow] = &[
    row("length", NAME, 0, 0, |_, it| Ok(Object::size(it.text()?.chars().count()))),
    row("size", NAME, 0, 0, |_, it| Ok(Object::size(it.text()?.chars().count()))),
    row("bytesize", TEXT, 0, 0, |_, it| Ok(Object::size(it.text()?.len()))),
    row("empty?", NAME, 0, 0, |_, it| Ok(Object::Boolean(it.text()?.is_empty()))),
    row("to_str", TEXT, 0, 0, |_, it| Ok(it.receiver.clone())),
    row("to_s", TEXT, 0, 0, |_, it| Ok(it.receiver.clone())),
    row("to_sym", NAME, 0, 0, |_, it| Ok(Object::Symbol(it.text()?.into()))),
    row("intern", NAME, 0, 0, |_, it| Ok(Object::Symbol(it.text()?.into()))),
    row("to_i", TEXT, 0, 1, |_, it| {
        let radix = if it.arguments.is_empty() { 10 } else { it.integer_argument(0)? };
        if radix != 10 {
            let text = it.text()?;
            let is_plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
            let number = u32::try_from(radix).ok().filter(|radix| (2..=36).contains(radix) && is_plain);
            let number = number.and_then(|radix| i64::from_str_radix(&text, radix).ok());
            return match number {
                Some(number) => Ok(Object::Integer(number)),
                None if radix == 16 => parse_hex_integer(&text),
                None => unsupported(),
            };
        }
        i64::try_from(text_to_i(&it.text()?))
            .map_or_else(|_| unsupported(), |value| Ok(Object::Integer(value)))
    }),
    row("to_f", TEXT, 0, 0, |_, it| Ok(Object::Float(text_to_f(&it.text()?)))),
    row("hex", TEXT, 0, 0, |_, it| {
        let text = it.text()?;
        let digits = text.strip_prefix("0x").unwrap_or(&text);
        let is_plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        match i64::from_str_radix(digits, 16).ok().filter(|_| is_plain) {
            Some(number) => Ok(Object::Integer(number)),
            None => parse_hex_integer(digits),
        }
    }),
    row("+", TEXT, 1, 1, |ruby, it| {
        let text = it.text()? + &it.text_argument(0)?;
        ruby.charge(text.len())?;
        Ok(Object::text(text))
    }),
    row("*", TEXT, 1, 1, |ruby, it| {
        let text = it.text()?;
        let Ok(count) = usize::try_from(it.integer_argument(0)?) else { return raise("negative argument") };
        ruby.charge(text.len().saturating_mul(count))?;
        Ok(Object::text(text.repeat(count)))
    }),
    row("%", TEXT, 1, 1, |ruby, it| {
        let arguments = match it.argument(0) {
            Object::Array(array) => array.elements.borrow().clone(),
            other => vec![other.clone()],
        };
        formatted(ruby, &it.text()?, &arguments)
    }),
    row("+@", TEXT, 0, 0, |_, it| match &it.receiver {
        Object::Text(text) if !text.is_shared.get() => Ok(it.receiver.clone()),
        _ => Ok(Object::text(it.text()?)),
    }),
    row("-@", TEXT, 0, 0, |_, it| Ok(it.receiver.clone())),
    row("upcase", NAME, 0, 0, |_, it| change_case(it, str::to_uppercase)),
    row("downcase", NAME, 0, 0, |_, it| change_case(it, str::to_lowercase)),
    row("capitalize", NAME, 0, 0, |_, it| {
        mapped(it, |text| {
            let mut text = text.to_ascii_lowercase();
            if let Some(first) = text.get_mut(..1) {
                first.make_ascii_uppercase();
            }
            text
        })
    }),
    row("swapcase", NAME, 0, 0, |_, it| {
        mapped(it, |text| {
            let swap = |c: char| {
                if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }
            };
            text.chars().map(swap).collect()
        })
    }),
    row("strip", TEXT, 0, 0, |_, it| {
        Ok(Object::text(it.text()?.trim_start_matches(is_space).trim_end_matches(is_space)))
    }),
    row("lstrip", TEXT, 0, 0, |_, it| Ok(Object::text(it.text()?.trim_start_matches(is_space)))),
    row("rstrip", TEXT, 0, 0, |_, it| Ok(Object::text(it.text()?.trim_end_matches(is_space)))),
    row("chomp", TEXT, 0, 1, |_, it| {
        let text = it.text()?;
        let suffix = match it.arguments.first() {
            Some(Object::Nil) => return Ok(Object::text(text)),
            Some(_) if text.is_empty() => return unsupported(),
            Some(_) => it.text_argument(0)?,
            None => ["\r\n", "\n", "\r"]
                .into_iter()
                .find(|end| text.ends_with(end))
                .unwrap_or_default()
                .to_owned(),
        };
        if suffix.is_empty() && !it.arguments.is_empty() {
            return unsupported();
        }
        Ok(Object::text(text.strip_suffix(&suffix).unwrap_or(&text)))
    }),
    row("chop", TEXT, 0, 0, |_, it| {
        let mut text = it.text()?;
        if text.pop() == Some('\n') && text.ends_with('\r') {
            text.pop();
        }
        Ok(Object::text(text))
    }),
    row("chars", TEXT, 0, 0, |ruby, it| {
        if it.block.is_some() {
            return unsupported();
        }
        let text = it.text()?;
        ruby.charge(text.len() * 16)?;
        Ok(Object::array(text.chars().map(Object::text).collect()))
    }),
    row("lines", TEXT, 0, 0, |ruby, it| {
        if it.block.is_some() {
            return unsupported();
        }
        let text = it.text()?;
        ruby.charge(text.len() * 2)?;
        Ok(Object::array(text.split_inclusive('\n').map(Object::text).collect()))
    }),
    row("each_line", TEXT, 0, 0, |ruby, it| {
        let Some(block) = &it.block else { return unsupported() };
        for line in it.text()?.split_inclusive('\n') {
            ruby.call_block(block, vec![Object::text(line)])?;
        }
        Ok(it.receiver.clone())
    }),
    row("each_char", TEXT, 0, 0, |ruby, it| {
        let Some(block) = &it.block else { return unsupported() };
        for letter in it.text()?.chars() {
            ruby.call_block(block, vec![Object::text(letter)])?;
        }
        Ok(it.receiver.clone())
    }),
    row("reverse", TEXT, 0, 0, |_, it| Ok(Object::text(it.text()?.chars().rev().collect::<String>()))),
    row("include?", TEXT, 1, 1, |_, it| Ok(Object::Boolean(it.text()?.contains(&it.text_argument(0)?)))),
    row("start_with?", NAME, 0, MANY, |ruby, it| {
        let text = it.text()?;
        for index in 0..it.arguments.len() {
            let is_start = match it.argument(index) {
                Object::Pattern(pattern) => {
                    ruby.charge(text.len())?;
                    let found = pattern.regexp.captures_at(&text, 0).or_else(|_| unsupported())?;
                    // The first match may begin later although another one begins here.
                    match found {
                        None => false,
                        Some(found) if found.range().start == 0 => {
                            ruby.last_match = Some(Rc::new(Match { text: text.clone(), captures: found }));
                            true
                        }
                        Some(_) => return unsupported(),
                    }
                }
                _ => text.starts_with(&it.text_argument(index)?),
            };
            if is_start {
                return Ok(Object::Boolean(true));
            }
        }
        Ok(Object::Boolean(false))
    }),
    row("end_with?", NAME, 0, MANY, |_, it| {
        let text = it.text()?;
        for index in 0..it.arguments.len() {
            if text.ends_with(&it.text_argument(index)?) {
                return Ok(Object::Boolean(true));
            }
        }
        Ok(Object::Boolean(false))
    }),
    row("delete_prefix", TEXT, 1, 1, |_, it| {
        let text = it.text()?;
        Ok(Object::text(text.strip_prefix(&it.text_argument(0)?).unwrap_or(&text)))
    }),
    row("delete_suffix", TEXT, 1, 1, |_, it| {
        let text = it.text()?;
        Ok(Object::text(text.strip_suffix(&it.text_argument(0)?).unwrap_or(&text)))
    }),
    row("index", TEXT, 1, 1, |ruby, it| {
        let text = it.text()?;
        let found = found_range(ruby, it, &text)?;
        Ok(found.map_or(Object::Nil, |found| Object::size(text[..found.start].chars().count())))
    }),
    row("rindex", TEXT, 1, 1, |_, it| {
        let text = it.text()?;
        let found = text.rfind(&it.text_argument(0)?);
        Ok(found.map_or(Object::Nil, |found| Object::size(text[..found].chars().count())))
    }),
    row("partition", TEXT, 1, 1, |ruby, it| {
        let text = it.text()?;
        let range = found_range(ruby, it, &text)?.unwrap_or(text.len()..text.len());
        let parts = [&text[..range.start], &text[range.clone()], &text[range.end..]];
        Ok(Object::array(parts.into_iter().map(Object::text).collect()))
    }),
    row("rpartition", TEXT, 1, 1, |_, it| {
        if matches!(it.argument(0), Object::Pattern(_)) {
            return unsupported();
        }
        let (text, separator) = (it.text()?, it.text_argument(0)?);
        let start = text.rfind(&separator);
        let (start, end) = start.map_or((0, 0), |start| (start, start + separator.len()));
        let parts = [&text[..start], &text[start..end], &text[end..]];
        Ok(Object::array(parts.into_iter().map(Object::text).collect()))
    }),
    row("ljust", TEXT, 1, 2, |ruby, it| padded(ruby, it, |gap| (0, gap))),
    row("rjust", TEXT, 1, 2, |ruby, it| padded(ruby, it, |gap| (gap, 0))),
    row("center", TEXT, 1, 2, |ruby, it| padded(ruby, it, |gap| (gap / 2, gap - gap / 2))),
    row("tr", TEXT, 2, 2, evaluate_tr),
    row("delete", TEXT, 1, 1, |ruby, it| {
        if it.text()?.is_empty() {
            return unsupported();
        }
        let set = letter_set(ruby, it, 0)?;
        Ok(Object::text(it.text()?.chars().filter(|c| !set.contains(*c)).collect::<String>()))
    }),
    row("count", TEXT, 1, 1, |ruby, it| {
        if it.text()?.is_empty() {
            return unsupported();
        }
        let set = letter_set(ruby, it, 0)?;
        Ok(Object::size(it.text()?.chars().filter(|c| set.contains(*c)).count()))
    }),
    row("squeeze", TEXT, 0, 1, |ruby, it| {
        if it.text()?.is_empty() && !it.arguments.is_empty() {
            return unsupported();
        }
        let set = if it.arguments.is_empty() { None } else { Some(letter_set(ruby, it, 0)?) };
        let mut out = String::new();
        for c in it.text()?.chars() {
            if !(out.ends_with(c) && set.as_ref().is_none_or(|set| set.contains(c))) {
                out.push(c);
            }
        }
        Ok(Object::text(out))
    }),
    row("ord", TEXT, 0, 0, |_, it| match it.text()?.chars().next() {
        Some(first) => Ok(Object::Integer(i64::from(u32::from(first)))),
        None => raise("empty string"),
    }),
    row("[]", TEXT, 1, 2, slice),
    row("slice", TEXT, 1, 2, slice),
    row("casecmp?", TEXT, 1, 1, |_, it| {
        if !matches!(it.argument(0), Object::Text(_)) {
            return Ok(Object::Nil);
        }
        let (a, b) = (it.text()?, it.text_argument(0)?);
        if !a.is_ascii() || !b.is_ascii() {
            return unsupported();
        }
        Ok(Object::Boolean(a.eq_ignore_ascii_case(&b)))
    }),
    row("casecmp", TEXT, 1, 1, |_, it| {
        if !matches!(it.argument(0), Object::Text(_)) {
            return Ok(Object::Nil);
        }
        let (a, b) = (it.text()?.to_ascii_lowercase(), it.text_argument(0)?.to_ascii_lowercase());
        Ok(Object::Integer(a.as_bytes().cmp(b.as_bytes()) as i64))
    }),
    row("bytes", TEXT, 0, 0, |ruby, it| {
        if it.block.is_some() {
            return unsupported();
        }
        let text = it.text()?;
        ruby.charge(text.len() * 16)?;
        Ok(Object::array(text.bytes().map(|byte| Object::Integer(i64::from(byte))).collect()))
    }),
    row("insert", TEXT, 2, 2, |_, it| {
        let Object::Text(text) = &it.receiver else { return unsupported() };
        let (at, more) = (it.integer_argument(0)?, it.text_argument(1)?);
        let count = text.content.borrow().chars().count() as i64;
        let at = if at < 0 { at + count + 1 } else { at };
        if at < 0 || at > count {
            return raise_as("IndexError", "the index is out of the string");
        }
        text.change(|text| {
            let at = text.char_indices().nth(at as usize).map_or(text.len(), |(at, _)| at);
            text.insert_str(at, &more);
        })?;
        Ok(it.receiver.clone())
    }),
    // Strings are UTF-8, whatever encoding is set.
    row("encode", TEXT, 1, 1, in_utf8),
    row("force_encoding", TEXT, 1, 1, in_utf8),
    row("valid_encoding?", TEXT, 0, 0, |_, _| Ok(Object::Boolean(true))),
    row("unpack1", TEXT, 1, 1, |_, it| match it.text_argument(0)?.as_str() {
        "H*" => Ok(Object::text(it.text()?.bytes().map(|byte| format!("{byte:02x}")).collect::<String>())),
        _ => unsupported(),
    }),
    row("unpack", TEXT, 1, 1, |_, it| match it.text_argument(0)?.as_str() {
        "H*" => {
            let text = it.text()?.bytes().map(|byte| format!("{byte:02x}")).collect::<String>();
            Ok(Object::array(vec![Object::text(text)]))
        }
        "C*" => Ok(Object::array(it.text()?.bytes().map(|byte| Object::Integer(i64::from(byte))).collect())),
        _ => unsupported(),
    }),
    row("ascii_only?", TEXT, 0, 0, |_, it| Ok(Object::Boolean(it.text()?.is_ascii()))),
];

/// Returns the range of the first occurrence of the argument. Only a pattern updates the last match.
fn found_range(
    ruby: &mut Interpreter<'_>,
    it: &MethodInvocation<'_>,
    text: &str,
) -> Ruby<Option<std::ops::Range<usize>>> {
    match it.argument(0) {
        Object::Pattern(pattern) => {
            let found = super::patterns::search(ruby, pattern, text, 0)?;
            Ok(found.map(|found| found.captures.range()))
        }
        other => {
            let found = any_pattern(other)?.captures_at(text, 0).or_else(|_| unsupported())?;
            Ok(found.map(|found| found.range()))
        }
    }
}

/// Parses a long sequence of hexadecimal digits.
fn parse_hex_integer(digits: &str) -> Ruby {
    let is_plain = digits.len() < 1_000 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let digits = digits.trim_start_matches('0');
    if is_plain && digits.len() > 15 {
        Ok(Object::WideInteger(digits.to_ascii_lowercase().into()))
    } else {
        unsupported()
    }
}

fn in_utf8(_: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let is_utf8 = match it.argument(0) {
        Object::Text(name) => name.content.borrow().eq_ignore_ascii_case("utf-8"),
        Object::Constant(path) => path == "Encoding::UTF_8",
        _ => false,
    };
    if is_utf8 { Ok(it.receiver.clone()) } else { unsupported() }
}

/// Returns true for characters that `strip` removes.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t'..='\r' | '\0')
}

/// Changes the case of a string. The result is unknown unless all versions of Unicode agree, which they do in
/// European alphabets except for the sigma, whose lowercase form depends on its position.
fn change_case(it: &MethodInvocation<'_>, change: fn(&str) -> String) -> Ruby {
    let is_certain = |c: char| c < '\u{530}' && c != 'Σ';
    if it.text()?.chars().all(is_certain) { changed(it, change) } else { unsupported() }
}

fn mapped(it: &MethodInvocation<'_>, change: fn(&str) -> String) -> Ruby {
    if it.text()?.is_ascii() { changed(it, change) } else { unsupported() }
}

fn changed(it: &MethodInvocation<'_>, change: fn(&str) -> String) -> Ruby {
    let changed = change(&it.text()?);
    Ok(match it.receiver {
        Object::Symbol(_) => Object::Symbol(changed.into()),
        _ => Object::text(changed),
    })
}

fn padded(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>, gaps: fn(usize) -> (usize, usize)) -> Ruby {
    let text = it.text()?;
    let width = usize::try_from(it.integer_argument(0)?).unwrap_or(0);
    let pad = if it.arguments.len() == 2 { it.text_argument(1)? } else { " ".to_owned() };
    if pad.is_empty() {
        return raise("zero width padding");
    }
    ruby.charge(width)?;
    let (left, right) = gaps(width.saturating_sub(text.chars().count()));
    let gap = |size: usize| pad.chars().cycle().take(size).collect::<String>();
    Ok(Object::text(gap(left) + &text + &gap(right)))
}

/// Parses an argument that is a set of characters like `a-z_`.
fn letter_set(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>, index: usize) -> Ruby<LetterSet> {
    let set = LetterSet::read(&it.text_argument(index)?);
    let set = set.or_else(|failure| raise_as("ArgumentError", failure))?;
    ruby.charge(it.text()?.len().saturating_mul(set.size()))?;
    Ok(set)
}

/// Evaluates `text.tr('a-z', 'A-Z')`.
fn evaluate_tr(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let from = letter_set(ruby, it, 0)?;
    let to = LetterSet::listed(&it.text_argument(1)?);
    let to = to.or_else(|failure| raise_as("ArgumentError", failure))?;
    ruby.charge(it.text()?.len().saturating_mul(to.size()))?;
    let translate = |c: char| match (from.contains(c), from.is_negated()) {
        (false, _) => Some(c),
        (true, true) => to.last(),
        (true, false) => from.position(c).and_then(|position| to.letter_at(position)),
    };
    Ok(Object::text(it.text()?.chars().filter_map(translate).collect::<String>()))
}

/// Evaluates `text[index]`, `text[start, length]`, `text[range]`, `text[pattern]`, `text[pattern, group]` and
/// `text['part']`.
fn slice(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let text = it.text()?;
    match (it.argument(0), it.arguments.get(1)) {
        (Object::Pattern(pattern), group) => {
            let number = match group {
                None => 0,
                Some(Object::Integer(number)) if *number >= 0 => *number as usize,
                Some(_) => return unsupported(),
            };
            let found = super::patterns::search(ruby, pattern, &text, 0)?;
            Ok(found.map_or(Object::Nil, |found| found.group(number)))
        }
        (Object::Text(wanted), None) => {
            let wanted = wanted.content.borrow();
            Ok(if text.contains(wanted.as_str()) { Object::text(wanted.as_str()) } else { Object::Nil })
        }
        (index, length) => {
            let letters: Vec<char> = text.chars().collect();
            ruby.charge(text.len())?;
            let span = match (index, length) {
                (Object::Range(range), None) => {
                    ranges::span(range, letters.len())?.map(|(start, length)| (start, start + length))
                }
                (_, Some(_)) => part(letters.len(), it.integer_argument(0)?, it.integer_argument(1)?),
                (_, None) => {
                    part(letters.len(), it.integer_argument(0)?, 1).filter(|(start, end)| start < end)
                }
            };
            Ok(span.map_or(Object::Nil, |(start, end)| {
                Object::text(letters[start..end].iter().collect::<String>())
            }))
        }
    }
}

/// Converts an object to a format argument.
fn format_argument<'a>(object: &Object, text: &'a str, inspect: &'a str) -> Argument<'a> {
    match object {
        Object::Nil => Argument::Nil,
        Object::Boolean(value) => Argument::Boolean(*value),
        Object::Integer(value) => Argument::Integer(i128::from(*value)),
        Object::Float(value) => Argument::Float(*value),
        other => Argument::Text { text, inspect, is_string: matches!(other, Object::Text(_)) },
    }
}

/// Evaluates `format(...)`.
pub(super) fn formatted(ruby: &mut Interpreter<'_>, format: &str, arguments: &[Object]) -> Ruby {
    let mut texts = Vec::new();
    for argument in arguments {
        if let Object::Unknown(origin) = argument {
            return Err(Stop::Unknown(*origin));
        }
        let text = match argument {
            Object::Hash(_) => String::new(),
            other => ruby.text_of(other)?,
        };
        let shown = match argument {
            Object::Hash(_) => String::new(),
            other if format.contains('p') => inspect(other, ruby.host.env())?,
            _ => String::new(),
        };
        texts.push((text, shown));
    }
    let result = match arguments {
        [Object::Hash(hash)] => {
            let entries = hash.entries.borrow();
            let mut values = Vec::new();
            for (key, value) in entries.iter() {
                if let Object::Symbol(name) = &key.0 {
                    values.push((name.clone(), value.clone(), ruby.text_of(value)?));
                }
            }
            if format.contains("%p") || format.contains("%s") {
                return unsupported();
            }
            let value = |name: &str| {
                let (_, value, text) = values.iter().find(|(known, ..)| known == name)?;
                Some(format_argument(value, text, text))
            };
            format_named(format, Argument::Nil, &value)
        }
        _ if arguments.iter().any(|it| matches!(it, Object::Hash(_))) => return unsupported(),
        _ => {
            let values: Vec<Argument<'_>> = arguments
                .iter()
                .zip(&texts)
                .map(|(argument, (text, inspect))| format_argument(argument, text, inspect))
                .collect();
            sprintf(format, &values)
        }
    };
    match result {
        Ok(text) if text.len() <= TEXT_LIMIT => Ok(Object::text(text)),
        Ok(_) => unsupported(),
        Err(error) if error.kind == SprintfErrorKind::TooLarge => unsupported(),
        Err(error) => raise(error.message),
    }
}
