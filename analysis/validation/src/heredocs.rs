//! Syntax checks of heredoc texts, selected by their tags.

use codes::{Code, with_help};
use syntax::ast::{HeredocBody, HeredocHeader, StringPart};
use syntax::{Language, Severity};

use super::context::Walk;
use super::walk::validate_nested;
use super::{ExpectedNamespace, ValidationSettings, base64};

/// Maximum depth of heredocs with Puppet code that are checked.
const MAX_NESTING: u32 = 8;

/// Checks a heredoc without interpolation, if Puppet knows its syntax.
pub(super) fn check(walk: &mut Walk<'_>, header: &HeredocHeader, body: &HeredocBody) {
    if checked_syntax(&header.syntax).is_none() {
        return;
    }
    let mut text = String::new();
    for part in body.parts(header) {
        match part {
            StringPart::Text(part) => text.push_str(&part),
            // The contents are known only after evaluation.
            StringPart::Expr(_) | StringPart::Missing => return,
        }
    }
    let language = if walk.language == Language::Plan { Language::Plan } else { Language::Manifest };
    if let Some((code, message)) = failure(&header.syntax, &text, language, walk.settings, walk.nesting) {
        walk.error(code, body.text_range(), message);
    }
}

/// Checks the text of a heredoc with interpolation after evaluation. Returns the code and message of an error
/// in the syntax named by its tag.
pub fn check_heredoc(syntax: &str, text: &str, settings: &ValidationSettings) -> Option<(Code, String)> {
    failure(syntax, text, Language::Manifest, settings, 0)
}

/// Returns the last part of `a+b+json`, if Puppet can check it.
fn checked_syntax(syntax: &str) -> Option<&str> {
    let kind = syntax.rsplit('+').next().unwrap_or(syntax);
    matches!(kind, "json" | "base64" | "pp" | "epp").then_some(kind)
}

fn failure(
    syntax: &str,
    text: &str,
    language: Language,
    settings: &ValidationSettings,
    nesting: u32,
) -> Option<(Code, String)> {
    match checked_syntax(syntax)? {
        "json" => {
            let mistake = scalars::json::first_syntax_error(text)?;
            let line = text.as_bytes()[..mistake.range.start].iter().filter(|&&b| b == b'\n').count() + 1;
            let message = format!("invalid JSON in line {line}: {}", mistake.message);
            Some((Code::IllegalJson, message))
        }
        "base64" => {
            let failure = base64::check(text).err()?;
            Some((Code::IllegalBase64, format!("invalid Base64: {failure}")))
        }
        kind if kind != syntax => {
            let code = if kind == "pp" { Code::IllegalPp } else { Code::IllegalEpp };
            Some((
                code,
                with_help(format!("unsupported heredoc syntax `{syntax}`"), format!("write `{kind}`")),
            ))
        }
        "pp" => {
            let failure = first_failure(text, language, settings, nesting)?;
            Some((Code::IllegalPp, format!("invalid Puppet code {failure}")))
        }
        _ => {
            let failure = first_failure(text, Language::Epp, settings, nesting)?;
            Some((Code::IllegalEpp, format!("invalid EPP template {failure}")))
        }
    }
}

fn first_failure(
    text: &str,
    language: Language,
    settings: &ValidationSettings,
    nesting: u32,
) -> Option<String> {
    if nesting >= MAX_NESTING {
        return None;
    }
    let parse = syntax::parse(text, language);
    let settings = ValidationSettings { location: ExpectedNamespace::Free, ..settings.clone() };
    let is_error = |severity: Severity| severity == Severity::Error;
    let mut findings = Vec::new();
    let syntax_error = parse.errors().iter().find(|it| is_error(it.severity()));
    if syntax_error.is_none() {
        findings = validate_nested(&parse, &settings, nesting + 1);
    }
    let first = syntax_error.or_else(|| findings.iter().find(|it| is_error(it.severity())))?;
    let before = text.get(..first.range.start as usize).unwrap_or(text);
    let line = before.bytes().filter(|&b| b == b'\n').count() + 1;
    Some(format!("in line {line}: {}", first.message))
}
