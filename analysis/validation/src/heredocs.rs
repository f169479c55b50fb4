//! The text of a heredoc, checked by the syntax that its tag names.

use codes::Code;
use syntax::ast::{HeredocBody, HeredocHeader, StringPart};
use syntax::{Language, Severity};

use super::walk::{Walk, validate_nested};
use super::{ExpectedNamespace, ValidationSettings, base64};

/// Puppet code in a heredoc in Puppet code ... deeper than this nobody looks.
const NESTING_LIMIT: u32 = 8;

/// Checks a heredoc whose text holds no interpolation, if Puppet knows its syntax.
pub(super) fn check(walk: &mut Walk<'_>, header: &HeredocHeader, body: &HeredocBody) {
    if checked_syntax(&header.syntax).is_none() {
        return;
    }
    let mut text = String::new();
    for part in body.parts(header) {
        match part {
            StringPart::Text(part) => text.push_str(&part),
            // What it is then is known only when it is evaluated.
            StringPart::Expr(_) | StringPart::Missing => return,
        }
    }
    let language = if walk.language == Language::Plan { Language::Plan } else { Language::Manifest };
    if let Some((code, message)) = failure(&header.syntax, &text, language, walk.settings, walk.nesting) {
        walk.error(code, body.text_range(), message);
    }
}

/// What is wrong with the text of a heredoc, by the syntax that its tag names: a code and a message. For texts with
/// interpolation, once they are known.
pub fn finding_of_heredoc(syntax: &str, text: &str, settings: &ValidationSettings) -> Option<(Code, String)> {
    failure(syntax, text, Language::Manifest, settings, 0)
}

/// The last part of `a+b+json`, if Puppet knows it.
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
            let mistake = scalars::json::first_mistake(text)?;
            let line = text.as_bytes()[..mistake.range.start].iter().filter(|&&b| b == b'\n').count() + 1;
            let message = format!("The text is not valid JSON, in its line {line}: {}.", mistake.message);
            Some((Code::IllegalJson, message))
        }
        "base64" => {
            let failure = base64::check(text).err()?;
            Some((Code::IllegalBase64, format!("The text is not valid Base64: {failure}.")))
        }
        kind if kind != syntax => {
            let code = if kind == "pp" { Code::IllegalPp } else { Code::IllegalEpp };
            Some((code, format!("Puppet cannot check the syntax `{syntax}`. Write `{kind}` alone.")))
        }
        "pp" => {
            let failure = first_failure(text, language, settings, nesting)?;
            Some((Code::IllegalPp, format!("The text is not valid Puppet code: {failure}")))
        }
        _ => {
            let failure = first_failure(text, Language::Epp, settings, nesting)?;
            Some((Code::IllegalEpp, format!("The text is not a valid EPP template: {failure}")))
        }
    }
}

fn first_failure(
    text: &str,
    language: Language,
    settings: &ValidationSettings,
    nesting: u32,
) -> Option<String> {
    if nesting >= NESTING_LIMIT {
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
    Some(format!("in its line {line}: {}", first.message))
}
