//! Regular expressions: matching, replacing, splitting.

use std::rc::Rc;

use scalars::regexp::{Captures, Regexp, RegexpError, escape};
use smol_str::SmolStr;

use super::super::interpreter::Interpreter;
use super::super::value::{Match, Object, Ruby, RubyRegexp, raise_as, unsupported};
use super::{MATCH, MethodInvocation, MethodRow, PATTERN, SYMBOL, TEXT, described, row};

pub(in super::super) const TABLE: &[MethodRow] = &[
    row("=~", PATTERN | TEXT | SYMBOL, 1, 1, index_of_match),
    row("!~", PATTERN | TEXT | SYMBOL, 1, 1, |ruby, it| {
        Ok(Object::Boolean(matches!(index_of_match(ruby, it)?, Object::Nil)))
    }),
    row("match", PATTERN | TEXT | SYMBOL, 1, 1, |ruby, it| {
        let Some((pattern, text)) = pattern_and_text(it)? else { return Ok(Object::Nil) };
        let found = search(ruby, &pattern, &text, 0)?;
        match (&it.block, found) {
            (Some(_), _) => unsupported(),
            (None, found) => Ok(found.map_or(Object::Nil, Object::Match)),
        }
    }),
    row("match?", PATTERN | TEXT | SYMBOL, 1, 1, |_, it| {
        let Some((pattern, text)) = pattern_and_text(it)? else { return Ok(Object::Boolean(false)) };
        pattern
            .regexp
            .is_match(&text)
            .map_or_else(|_| unsupported(), |is_match| Ok(Object::Boolean(is_match)))
    }),
    row("source", PATTERN, 0, 0, |_, it| match &it.receiver {
        Object::Pattern(pattern) if !pattern.source.contains('/') => {
            Ok(Object::text(pattern.source.as_str()))
        }
        _ => unsupported(),
    }),
    row("names", MATCH, 0, 0, |_, it| {
        let found = found(it)?;
        Ok(Object::array(found.captures.names().map(Object::text).collect()))
    }),
    row("named_captures", MATCH, 0, 0, |_, it| {
        let found = found(it)?;
        let pairs = found.captures.names().map(|name| {
            let value =
                found.captures.name(name).map_or(Object::Nil, |range| Object::text(&found.text[range]));
            (Object::text(name), value)
        });
        Ok(super::constants::hash_of(pairs))
    }),
    row("captures", MATCH, 0, 0, |_, it| {
        let found = found(it)?;
        Ok(Object::array((1..found.captures.len()).map(|number| found.group(number)).collect()))
    }),
    row("to_a", MATCH, 0, 0, |_, it| {
        let found = found(it)?;
        Ok(Object::array((0..found.captures.len()).map(|number| found.group(number)).collect()))
    }),
    row("pre_match", MATCH, 0, 0, |_, it| {
        let found = found(it)?;
        Ok(Object::text(&found.text[..found.captures.range().start]))
    }),
    row("post_match", MATCH, 0, 0, |_, it| {
        let found = found(it)?;
        Ok(Object::text(&found.text[found.captures.range().end..]))
    }),
    row("sub", TEXT, 1, 2, |ruby, it| replaced(ruby, it, false)),
    row("gsub", TEXT, 1, 2, |ruby, it| replaced(ruby, it, true)),
    row("scan", TEXT, 1, 1, |ruby, it| {
        let (pattern, text) = (any_pattern(it.argument(0))?, it.text()?);
        ruby.charge(text.len())?;
        let mut all = Vec::new();
        for captures in pattern.scan(&text).or_else(|_| unsupported())? {
            let group = |number| captures.get(number).map_or(Object::Nil, |range| Object::text(&text[range]));
            let found = match captures.len() {
                1 => group(0),
                count => Object::array((1..count).map(group).collect()),
            };
            let last_match = Rc::new(Match { text: text.clone(), captures });
            match &it.block {
                Some(block) => {
                    ruby.last_match = Some(last_match);
                    ruby.call_block(block, vec![found])?;
                }
                None => all.push(found),
            }
        }
        Ok(if it.block.is_some() { it.receiver.clone() } else { Object::array(all) })
    }),
    row("split", TEXT, 0, 2, split),
];

fn found(it: &MethodInvocation<'_>) -> Ruby<Rc<Match>> {
    match &it.receiver {
        Object::Match(found) => Ok(found.clone()),
        _ => unsupported(),
    }
}

/// Searches a string and records the match.
pub(in super::super) fn search(
    ruby: &mut Interpreter<'_>,
    pattern: &RubyRegexp,
    text: &str,
    start: usize,
) -> Ruby<Option<Rc<Match>>> {
    ruby.charge(text.len())?;
    let captures = pattern.regexp.captures_at(text, start).or_else(|_| unsupported())?;
    let found = captures.map(|captures| Rc::new(Match { text: text.to_owned(), captures }));
    ruby.last_match = found.clone();
    Ok(found)
}

/// Returns the pattern and the string of a match, which may be receiver and argument in either order; `None`
/// if there is no string.
fn pattern_and_text(it: &MethodInvocation<'_>) -> Ruby<Option<(Rc<RubyRegexp>, String)>> {
    let (pattern, text) = match &it.receiver {
        Object::Pattern(pattern) => (pattern.clone(), it.argument(0)),
        receiver => match it.argument(0) {
            Object::Pattern(pattern) => (pattern.clone(), receiver),
            // `match` converts a string to a pattern, `=~` rejects it.
            Object::Text(source) if it.name != "=~" && it.name != "!~" => {
                let Object::Pattern(pattern) = new_pattern(&source.content.borrow(), &"".into())? else {
                    return unsupported();
                };
                (pattern, receiver)
            }
            Object::Text(_) => return raise_as("TypeError", "type mismatch: String given"),
            _ => return unsupported(),
        },
    };
    Ok(match text {
        Object::Text(text) => Some((pattern, text.content.borrow().clone())),
        Object::Symbol(name) => Some((pattern, name.to_string())),
        Object::Nil => None,
        other => {
            return raise_as(
                "TypeError",
                format!("no implicit conversion of {} into String", described(other)?),
            );
        }
    })
}

fn index_of_match(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let Some((pattern, text)) = pattern_and_text(it)? else {
        ruby.last_match = None;
        return Ok(Object::Nil);
    };
    // Named groups of a literal set local variables.
    let has_names = || pattern.regexp.group_names().next().is_some();
    if matches!(it.receiver, Object::Pattern(_)) && !ruby.matches_names && has_names() {
        return unsupported();
    }
    let found = search(ruby, &pattern, &text, 0)?;
    Ok(found.map_or(Object::Nil, |found| {
        Object::size(found.text[..found.captures.range().start].chars().count())
    }))
}

/// Returns a pattern, or one that matches a string literally.
pub(in super::super) fn any_pattern(object: &Object) -> Ruby<Regexp> {
    match object {
        Object::Pattern(pattern) => Ok(pattern.regexp.clone()),
        Object::Text(text) => Regexp::new(&escape(&text.content.borrow())).or_else(|_| unsupported()),
        other => {
            raise_as("TypeError", format!("wrong argument type {} (expected Regexp)", described(other)?))
        }
    }
}

fn replaced(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>, is_global: bool) -> Ruby {
    if !is_global && it.block.is_none() && it.arguments.len() == 1 {
        return raise_as("ArgumentError", "wrong number of arguments (given 1, expected 2)");
    }
    let (pattern, text) = (any_pattern(it.argument(0))?, it.text()?);
    ruby.charge(text.len())?;
    if it.arguments.len() == 2 {
        if matches!(it.argument(1), Object::Hash(_)) {
            return unsupported();
        }
        let replacement = it.text_argument(1)?;
        let found = if is_global {
            pattern.scan(&text).or_else(|_| unsupported())?.pop()
        } else {
            pattern.captures_at(&text, 0).or_else(|_| unsupported())?
        };
        ruby.last_match = found.map(|captures| Rc::new(Match { text: text.clone(), captures }));
        let replaced =
            if is_global { pattern.gsub(&text, &replacement) } else { pattern.sub(&text, &replacement) };
        let replaced = replaced.or_else(|_| unsupported())?;
        ruby.charge(replaced.len())?;
        return Ok(Object::text(replaced));
    }
    let Some(block) = &it.block else { return unsupported() };
    let all = if is_global {
        pattern.scan(&text).or_else(|_| unsupported())?
    } else {
        pattern.captures_at(&text, 0).or_else(|_| unsupported())?.into_iter().collect::<Vec<Captures>>()
    };
    let mut out = String::new();
    let mut copied = 0;
    for captures in all {
        let range = captures.range();
        ruby.last_match = Some(Rc::new(Match { text: text.clone(), captures }));
        out.push_str(text.get(copied..range.start).unwrap_or_default());
        let value = ruby.call_block(block, vec![Object::text(&text[range.clone()])])?;
        out.push_str(&ruby.text_of(&value)?);
        ruby.charge(out.len() / 16 + 16)?;
        copied = range.end;
    }
    out.push_str(&text[copied..]);
    Ok(Object::text(out))
}

fn split(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let text = it.text()?;
    ruby.charge(text.len())?;
    if it.block.is_some() {
        return unsupported();
    }
    let limit = if it.arguments.len() == 2 { it.integer_argument(1)? } else { 0 };
    let is_blank = |object: &Object| matches!(object, Object::Text(text) if *text.content.borrow() == " ");
    let parts: Vec<String> = match it.argument(0) {
        blank if matches!(blank, Object::Nil) || is_blank(blank) => {
            let is_space = |c: char| matches!(c, ' ' | '\t'..='\r');
            match limit {
                0 => text.split(is_space).filter(|part| !part.is_empty()).map(str::to_owned).collect(),
                _ => return unsupported(),
            }
        }
        Object::Text(separator) if limit != 0 => {
            let separator = separator.content.borrow();
            if separator.is_empty() || text.is_empty() {
                return unsupported();
            }
            match usize::try_from(limit) {
                Ok(limit) => text.splitn(limit, separator.as_str()).map(str::to_owned).collect(),
                Err(_) => text.split(separator.as_str()).map(str::to_owned).collect(),
            }
        }
        _ if limit != 0 => return unsupported(),
        pattern => any_pattern(pattern)?.split(&text).or_else(|_| unsupported())?,
    };
    Ok(Object::array(parts.into_iter().map(Object::text).collect()))
}

/// Compiles a regular expression. `options` are those of `mix` that are set.
pub(in super::super) fn new_pattern(source: &str, options: &SmolStr) -> Ruby {
    match Regexp::with_options(source, options) {
        Ok(regexp) => Ok(Object::Pattern(Rc::new(RubyRegexp {
            regexp,
            source: source.into(),
            options: options.clone(),
        }))),
        Err(RegexpError::Syntax(failure)) => raise_as("RegexpError", failure),
        Err(_) => unsupported(),
    }
}
