//! The text of a heredoc, checked by the syntax that its tag names.

use crate::ast::{HeredocBody, HeredocHeader, StringPart};
use crate::{Language, Severity, TextRange};

use super::walk::{Walk, validate_nested};
use super::{FileLocation, ValidationSettings, base64, json};

/// Puppet code in a heredoc in Puppet code ... deeper than this nobody looks.
const NESTING_LIMIT: u32 = 8;

/// Checks a heredoc whose text holds no interpolation, if Puppet knows its syntax: the last part of `a+b+json`.
pub(super) fn check(walk: &mut Walk<'_>, header: &HeredocHeader, body: &HeredocBody) {
    let syntax = header.syntax.as_str();
    let kind = syntax.rsplit('+').next().unwrap_or(syntax);
    if !matches!(kind, "json" | "base64" | "pp" | "epp") {
        return;
    }
    let mut text = String::new();
    for part in body.parts(header) {
        match part {
            StringPart::Text(part) => text.push_str(&part),
            StringPart::Expr(_) | StringPart::Missing => return,
        }
    }
    let range = body.text_range();
    match kind {
        "json" => {
            if let Err(error) = json::check(&text) {
                let line = text.as_bytes()[..error.offset].iter().filter(|&&b| b == b'\n').count() + 1;
                let message = format!("The text is not valid JSON: {} in its line {line}.", error.problem);
                walk.error("illegal-json", range, message);
            }
        }
        "base64" => {
            if let Err(problem) = base64::check(&text) {
                walk.error("illegal-base64", range, format!("The text is not valid Base64: {problem}."));
            }
        }
        _ if kind != syntax => {
            let code = if kind == "pp" { "illegal-pp" } else { "illegal-epp" };
            let message = format!("Puppet cannot check the syntax `{syntax}`. Write `{kind}` alone.");
            walk.error(code, range, message);
        }
        "pp" => check_code(walk, &text, range),
        _ => check_template(walk, &text, range),
    }
}

fn check_code(walk: &mut Walk<'_>, text: &str, range: TextRange) {
    let language = if walk.language == Language::Plan { Language::Plan } else { Language::Manifest };
    if let Some(problem) = first_problem(walk, text, language) {
        walk.error("illegal-pp", range, format!("The text is not valid Puppet code: {problem}"));
    }
}

fn check_template(walk: &mut Walk<'_>, text: &str, range: TextRange) {
    if let Some(problem) = first_problem(walk, text, Language::Epp) {
        walk.error("illegal-epp", range, format!("The text is not a valid EPP template: {problem}"));
    }
}

fn first_problem(walk: &Walk<'_>, text: &str, language: Language) -> Option<String> {
    if walk.nesting >= NESTING_LIMIT {
        return None;
    }
    let parse = crate::parse(text, language);
    let settings = ValidationSettings { location: FileLocation::Free, ..walk.settings.clone() };
    let is_error = |severity: Severity| severity == Severity::Error;
    let mut findings = Vec::new();
    let syntax_error = parse.errors().iter().find(|it| is_error(it.severity));
    if syntax_error.is_none() {
        findings = validate_nested(&parse, &settings, walk.nesting + 1);
    }
    let first = syntax_error.or_else(|| findings.iter().find(|it| is_error(it.severity)))?;
    let before = text.get(..first.range.start as usize).unwrap_or(text);
    let line = before.bytes().filter(|&b| b == b'\n').count() + 1;
    Some(format!("in its line {line}: {}", first.message))
}
