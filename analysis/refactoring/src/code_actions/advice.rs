//! Fixes that follow from the text of the advice, and fixes in data and templates.

use check::Code;
use syntax::SyntaxKind::{COLLECT_EXPR, PARAMETER};
use syntax::ast::{self, AstNode};
use syntax::{SyntaxNode, TextRange};

use super::subject::FixSubject;
use crate::CodeAction;

pub(super) fn fixes(subject: &FixSubject<'_>) -> Option<CodeAction> {
    if subject.diagnostic.data.is_some() {
        return None;
    }
    let (problem, help) = codes::split_message(&subject.diagnostic.message);
    let help = *help.first()?;
    if let Some(similar) = help.strip_prefix("did you mean `").and_then(|it| it.strip_suffix("`?")) {
        return misspelled(subject, problem, similar);
    }
    match subject.diagnostic.code {
        Code::DataSymbol | Code::DataValue if help.starts_with("quote it") => quoted(subject),
        Code::DataInterpolation if help == "use `lookup` inside a longer string" => {
            let text = subject.text.get(subject.diagnostic.range.as_range())?;
            let at = subject.diagnostic.range.start + text.find("alias(")? as u32;
            Some(subject.edit("Replace with `lookup`", TextRange::new(at, at + 5), "lookup"))
        }
        Code::IllegalNumber | Code::InvalidDecimalNumber | Code::InvalidHexNumber => quoted(subject),
        Code::InvalidOctalNumber => {
            let digits = subject.text.get(subject.diagnostic.range.as_range())?;
            let plain = digits.trim_start_matches('0');
            let is_decimal = !plain.is_empty() && plain.bytes().all(|it| it.is_ascii_digit());
            if is_decimal {
                Some(subject.edit(format!("Replace with `{plain}`"), subject.diagnostic.range, plain))
            } else {
                quoted(subject)
            }
        }
        Code::IllegalPp | Code::IllegalEpp => heredoc_syntax(subject, help),
        Code::MetadataValue if help == "put it in quotes" => {
            let number = subject.text.get(subject.diagnostic.range.as_range())?;
            Some(subject.edit("Add quotes", subject.diagnostic.range, format!("\"{number}\"")))
        }
        Code::MetadataOpenRange => super::metadata::bounded_range(subject, problem),
        Code::MetadataObsolete => super::metadata::removed_requirement(subject),
        Code::RedactedText => super::redactions::fix(subject, help),
        Code::InvalidTag => invalid_tag(subject, problem),
        Code::MetadataVersion if help.starts_with("write the numbers") => {
            super::metadata::range_without_wildcards(subject)
        }
        Code::MetadataVersion => version(subject, problem),
        Code::BooleanAsVariable => boolean(subject),
        Code::UnrecognizedEscape => {
            let start = subject.diagnostic.range.start;
            let at = start + subject.text.get(start as usize..)?.find('\\')? as u32;
            Some(subject.edit("Escape the backslash", TextRange::empty(at), "\\"))
        }
        Code::ArgumentList => parentheses(subject),
        Code::NotSupportedInApply | Code::ParameterLikeMetaparameter => in_tree(subject),
        _ => None,
    }
}

/// Replaces the name that a message is about.
fn misspelled(subject: &FixSubject<'_>, problem: &str, similar: &str) -> Option<CodeAction> {
    let named = problem.split('`').nth(1)?;
    let title = named.split_once("['").and_then(|(_, rest)| rest.strip_suffix("']"));
    let name = title.unwrap_or(named).trim_start_matches(['$', '@']);
    let similar = similar.trim_start_matches(['$', '@']);
    let range = subject.diagnostic.range;
    let at = range.start + subject.text.get(range.as_range())?.find(name)? as u32;
    let found = TextRange::new(at, at + name.len() as u32);
    Some(subject.edit(format!("Replace with `{similar}`"), found, similar))
}

/// Encloses the reported text in single quotes.
fn quoted(subject: &FixSubject<'_>) -> Option<CodeAction> {
    let range = subject.diagnostic.range;
    let text = subject.text.get(range.as_range())?.trim_end();
    let range = TextRange::new(range.start, range.start + text.len() as u32);
    let is_plain = !text.is_empty() && !text.contains(['\'', '"', '\n', '\\', '#']);
    is_plain.then(|| subject.edit(format!("Quote `{text}`"), range, format!("'{text}'")))
}

/// Replaces the syntax of a heredoc.
fn heredoc_syntax(subject: &FixSubject<'_>, help: &str) -> Option<CodeAction> {
    let valid = help.strip_prefix("write `")?.strip_suffix('`')?;
    let written = subject.diagnostic.message.split('`').nth(1)?;
    let range = subject.diagnostic.range;
    let before = subject.text.get(..range.end as usize)?;
    let at = before.rfind(&format!(":{written}"))? as u32 + 1;
    let found = TextRange::new(at, at + written.len() as u32);
    Some(subject.edit(format!("Replace with `{valid}`"), found, valid))
}

/// Replaces the characters that a tag must not contain.
fn invalid_tag(subject: &FixSubject<'_>, problem: &str) -> Option<CodeAction> {
    let tag = problem.split('`').nth(1)?;
    let range = subject.diagnostic.range;
    let at = range.start + subject.text.get(range.as_range())?.find(tag)? as u32;
    let is_valid = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | ':' | '.' | '-');
    let valid: String = tag.chars().map(|it| if is_valid(it) { it } else { '_' }).collect();
    let valid = valid.trim_start_matches([':', '.', '-']);
    let found = TextRange::new(at, at + tag.len() as u32);
    (!valid.is_empty() && valid != tag).then(|| subject.edit(format!("Replace with `{valid}`"), found, valid))
}

/// Completes a version to three numbers.
fn version(subject: &FixSubject<'_>, problem: &str) -> Option<CodeAction> {
    let version = problem.split('`').nth(1)?;
    let numbers: Vec<&str> = version.trim_start_matches('v').split('.').collect();
    let is_number = |it: &&str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
    if numbers.len() > 3 || !numbers.iter().all(is_number) {
        return None;
    }
    let complete = [&numbers[..], &["0", "0"][..3 - numbers.len()]].concat().join(".");
    let range = subject.diagnostic.range;
    let at = range.start + subject.text.get(range.as_range())?.find(version)? as u32;
    let found = TextRange::new(at, at + version.len() as u32);
    (complete != version)
        .then(|| subject.edit(format!("Replace with `{complete}`"), found, complete.as_str()))
}

/// Replaces `${true}` by its text.
fn boolean(subject: &FixSubject<'_>) -> Option<CodeAction> {
    let range = subject.diagnostic.range;
    let before = subject.text.get(..range.end as usize)?;
    let start = before.rfind("${")? as u32;
    let end = range.end.saturating_sub(1)
        + subject.text.get((range.end as usize).saturating_sub(1)..)?.find('}')? as u32
        + 1;
    let word = subject.text.get(start as usize + 2..end as usize - 1)?.trim();
    let is_boolean = matches!(word, "true" | "false");
    is_boolean.then(|| subject.edit(format!("Replace with `{word}`"), TextRange::new(start, end), word))
}

/// Adds parentheses around the arguments of a call that needs them.
pub(super) fn parentheses(subject: &FixSubject<'_>) -> Option<CodeAction> {
    let start = subject.diagnostic.range.start as usize;
    let line_start = subject.text.get(..start)?.rfind('\n').map_or(0, |at| at + 1);
    let line_end = subject.text[start..].find('\n').map_or(subject.text.len(), |at| start + at);
    let line = subject.text.get(line_start..line_end)?;
    let code = line.trim_start();
    let indent = line.len() - code.len();
    let length = code.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | ':'))?;
    let rest = &code[length..];
    let is_call = length > 0 && rest.starts_with(' ') && !line.contains('#');
    let spaces = rest.len() - rest.trim_start().len();
    let at = line_start + indent + length;
    let arguments = rest.trim();
    let range = TextRange::new(at as u32, (at + spaces + arguments.len()) as u32);
    is_call.then(|| subject.edit("Add parentheses", range, format!("({arguments})")))
}

/// Returns the fixes that depend on the syntax tree.
fn in_tree(subject: &FixSubject<'_>) -> Option<CodeAction> {
    let root = project::parse(subject.db, subject.file).syntax();
    let token = root.tokens_at(subject.diagnostic.range.start).last()?;
    let around = |kind| token.ancestors().find(|it: &SyntaxNode| it.kind() == kind);
    match subject.diagnostic.code {
        Code::NotSupportedInApply => {
            let node = around(COLLECT_EXPR)?;
            let text = node.text();
            let local = text.replacen("<<|", "<|", 1).replacen("|>>", "|>", 1);
            (local != text).then(|| subject.edit("Collect local resources", node.text_range(), local))
        }
        Code::ParameterLikeMetaparameter => {
            let parameter = around(PARAMETER)?;
            let owner = parameter.ancestors().find_map(ast::Definition::cast)?.name()?.text();
            let variable = subject.text.get(subject.diagnostic.range.as_range())?.trim_start_matches('$');
            let new = format!("{}_{variable}", owner.rsplit("::").next()?);
            let start = subject.diagnostic.range.start;
            let change = crate::rename::rename(subject.db, &[], subject.file, start, &new).ok()?;
            Some(subject.fix(format!("Rename to `${new}`"), change))
        }
        _ => None,
    }
}
