//! Fixes of values that functions and types refuse.

use project::NameKind;
use syntax::SyntaxKind::{CALL_EXPR, METHOD_CALL_EXPR, QUALIFIED_REFERENCE};
use syntax::ast::{self, AccessOrCallArgument, AstNode};
use syntax::{SyntaxNode, TextRange};

use super::subject::FixSubject;
use crate::CodeAction;

pub(super) fn fixes(subject: &FixSubject<'_>) -> Option<CodeAction> {
    let (problem, help) = codes::split_message(&subject.diagnostic.message);
    let help = help.first()?;
    match *help {
        "write `\\]` for a literal bracket" => escaped_brackets(subject),
        "write `\\-` for a literal dash" => escaped_dash(subject),
        "write `%%` for a literal percent sign" => escaped_percent(subject),
        "write '0.0'" => float(subject),
        "convert it to an array with `Array()`" => array(subject),
        "write the type that it resolves to" => resolved_alias(subject, problem),
        "enclose strings in double quotes" => quoted_word(subject),
        "quote the value" => {
            let written = text(subject);
            let quoted = format!("'{}'", written.replace('\'', "''"));
            Some(subject.edit(format!("Quote `{written}`"), subject.diagnostic.range, quoted))
        }
        _ => None,
    }
}

/// Returns the text of the diagnostic.
fn text<'a>(subject: &FixSubject<'a>) -> &'a str {
    subject.text.get(subject.diagnostic.range.as_range()).unwrap_or_default()
}

/// Inserts text at an offset in the range of the diagnostic.
fn insertion(subject: &FixSubject<'_>, title: &str, at: usize, text: &str) -> CodeAction {
    let at = TextRange::empty(subject.diagnostic.range.start + at as u32);
    subject.edit(title, at, text)
}

/// Escapes the brackets of `[]` and `[^]` in a regular expression.
fn escaped_brackets(subject: &FixSubject<'_>) -> Option<CodeAction> {
    let written = text(subject);
    let (at, class) = ["[]", "[^]"].iter().filter_map(|it| Some((written.find(it)?, *it))).min()?;
    let start = subject.diagnostic.range.start + at as u32;
    let escaped = class.replace('[', "\\[").replace('^', "\\^").replace(']', "\\]");
    let range = TextRange::new(start, start + class.len() as u32);
    Some(subject.edit("Escape the brackets", range, escaped))
}

/// Escapes the dash after a set such as `\d` in a character class.
fn escaped_dash(subject: &FixSubject<'_>) -> Option<CodeAction> {
    let written = text(subject);
    let is_set = |at: usize| {
        let before = &written.as_bytes()[..at];
        let is_class =
            matches!(before, [.., b'\\', it] if b"dDwWsShHR".contains(it)) || before.ends_with(b":]");
        is_class && !written[at + 1..].starts_with(']')
    };
    let at = written.match_indices('-').map(|(at, _)| at).find(|at| is_set(*at))?;
    Some(insertion(subject, "Escape the dash", at, "\\"))
}

/// Doubles the percent sign at the end of a format.
fn escaped_percent(subject: &FixSubject<'_>) -> Option<CodeAction> {
    let written = text(subject);
    let at = ["%'", "%\""].iter().filter_map(|it| written.find(it)).min()?;
    Some(insertion(subject, "Escape the percent sign", at, "%"))
}

/// Replaces the string `'0'` by one that can be converted to a float.
fn float(subject: &FixSubject<'_>) -> Option<CodeAction> {
    let written = text(subject);
    let mut places = ["'0'", "\"0\""].into_iter().filter_map(|it| written.find(it));
    let at = places.next()?;
    places.next().is_none().then(|| insertion(subject, "Replace with `'0.0'`", at + 2, ".0"))
}

fn root(subject: &FixSubject<'_>) -> SyntaxNode {
    project::parse(subject.db, subject.file).syntax()
}

/// Converts the value over which a call iterates to an array.
fn array(subject: &FixSubject<'_>) -> Option<CodeAction> {
    let range = subject.diagnostic.range;
    let root = root(subject);
    let is_call = |it: &SyntaxNode| {
        let around = it.text_range();
        let is_around = around.start <= range.start && range.end <= around.end;
        is_around && matches!(it.kind(), CALL_EXPR | METHOD_CALL_EXPR)
    };
    let node = root.descendants().filter(is_call).last()?;
    let value = match ast::CallExpr::cast(node.clone()) {
        Some(call) => match call.arguments()?.arguments().first()? {
            AccessOrCallArgument::Expr(value) => value.syntax().text_range(),
            _ => return None,
        },
        None => node.children().next()?.text_range(),
    };
    let written = subject.text.get(value.as_range())?;
    Some(subject.edit("Convert to an array", value, format!("Array({written})")))
}

/// Replaces the name of a type alias by its type.
fn resolved_alias(subject: &FixSubject<'_>, problem: &str) -> Option<CodeAction> {
    let (db, file) = (subject.db, subject.file);
    let name = problem.split('`').nth(1)?;
    let range = subject.diagnostic.range;
    let is_name = |it: &SyntaxNode| {
        it.kind() == QUALIFIED_REFERENCE
            && range.contains(it.text_range().start)
            && it.text().trim_start_matches("::").eq_ignore_ascii_case(name)
    };
    let place = root(subject).descendants().find(is_name)?.text_range();
    let alias = project::resolve_in_file(db, file, NameKind::TypeAlias, name)?;
    let parse = project::parse_once(db, alias.file(db));
    let mut aliases = parse.tree().syntax().descendants().filter_map(ast::TypeAlias::cast);
    let written = aliases.find(|it| it.name().is_some_and(|it| it.text().eq_ignore_ascii_case(name)))?;
    let ty = written.type_expr()?.syntax().text().to_owned();
    (!ty.contains('\n')).then(|| subject.edit(format!("Replace with `{ty}`"), place, ty.as_str()))
}

/// Encloses a single word of JSON in double quotes.
fn quoted_word(subject: &FixSubject<'_>) -> Option<CodeAction> {
    let start = subject.diagnostic.range.start;
    let rest = subject.text.get(start as usize..)?;
    let is_part = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '-' | '.' | ':' | '/');
    let word = &rest[..rest.find(|it| !is_part(it)).unwrap_or(rest.len())];
    let is_alone =
        rest[word.len()..].trim_start_matches([' ', '\t']).starts_with([',', ']', '}', '\n', '\r']);
    let range = TextRange::new(start, start + word.len() as u32);
    (is_alone && !word.is_empty())
        .then(|| subject.edit(format!("Quote `{word}`"), range, format!("\"{word}\"")))
}
