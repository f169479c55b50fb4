//! `parameter_documentation`: a parameter without documentation, or documentation of a parameter that does
//! not exist.

use crate::manifest::{ClassLike, Manifest};
use crate::parameters::parameters;
use crate::report::CheckReport;
use crate::token::TokenKind;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    let comments: Vec<usize> = manifest.tokens.of(TokenKind::Comment).collect();
    for definition in manifest.definitions() {
        definition.check(manifest, &comments, report);
    }
}

/// Documentation of a parameter: its name, the token of the comment, and the style of the comment.
struct Documented<'t> {
    name: &'t str,
    comment: usize,
    style: &'static str,
}

impl ClassLike {
    fn check(&self, manifest: &Manifest, comments: &[usize], report: &mut CheckReport) {
        let above = &comments[..comments.partition_point(|it| *it < self.keyword)];
        let (documented, is_private) = comments_above(manifest, self, above);
        let owner = manifest.tokens.value(self.name);
        let mut first: Vec<&Documented> = Vec::new();
        let mut doubled: Vec<(&str, Vec<usize>)> = Vec::new();
        for it in &documented {
            match first.iter().find(|known| known.name == it.name) {
                None => first.push(it),
                Some(known) => match doubled.iter_mut().find(|(name, _)| *name == it.name) {
                    Some((_, comments)) => comments.push(it.comment),
                    None => doubled.push((it.name, vec![known.comment, it.comment])),
                },
            }
        }
        let noun = self.noun();
        for (name, comments) in doubled {
            for comment in comments {
                at_name(
                    manifest,
                    report,
                    comment,
                    format!("duplicate documentation of `{name}` in {noun} `{owner}`"),
                );
            }
        }
        let declared = parameters(manifest, self);
        let names: Vec<&str> = declared.iter().map(|it| manifest.tokens.value(it.name)).collect();
        for it in first.iter().filter(|it| !names.contains(&it.name)) {
            if self.is_class || it.name != TITLE {
                let message =
                    format!("documented parameter `{}` does not exist in {noun} `{owner}`", it.name);
                at_name(manifest, report, it.comment, message);
            }
        }
        if is_private {
            return;
        }
        for (parameter, name) in declared.iter().zip(names) {
            match first.iter().find(|it| it.name == name) {
                None => {
                    report.at(
                        parameter.name,
                        format!("parameter `{name}` of {noun} `{owner}` is not documented"),
                    );
                }
                Some(it) if !manifest.options.docs_allowed_styles.iter().any(|style| style == it.style) => {
                    let style = it.style;
                    report.at(
                        parameter.name,
                        format!(
                            "parameter `{name}` of {noun} `{owner}` is documented in the style `{style}`"
                        ),
                    );
                }
                Some(_) => {}
            }
        }
    }
}

/// Maximum number of comment lines above a definition that are read.
const MAX_COMMENTS: usize = 2000;

/// Name of a defined type's title in its documentation.
const TITLE: &str = "name/title";

/// Returns the documented parameters in the comments directly above a definition, last line first, and
/// whether it is private.
fn comments_above<'t>(
    manifest: &Manifest<'t>,
    definition: &ClassLike,
    comments: &[usize],
) -> (Vec<Documented<'t>>, bool) {
    let tokens = &manifest.tokens;
    let mut found = Vec::new();
    let mut is_private = false;
    for &at in comments.iter().rev().take(MAX_COMMENTS) {
        let value = tokens.value(at);
        if is_private_tag(value) {
            is_private = true;
        } else if let Some((style, name)) = style_of(value) {
            let is_title = !definition.is_class && matches!(name, "name" | "title");
            found.push(Documented { name: if is_title { TITLE } else { name }, comment: at, style });
        }
    }
    (found, is_private)
}

/// Reports a comment at the name in it.
fn at_name(manifest: &Manifest, report: &mut CheckReport, comment: usize, message: String) {
    let token = *manifest.tokens.get(comment);
    let value = manifest.tokens.value(comment);
    let leading = value.len() - value.trim_start().len();
    let mut skipped = leading;
    if let Some(rest) = value[leading..].strip_prefix("@param") {
        skipped = value.len() - rest.trim_start().len();
    }
    let column = token.column + value[..skipped].chars().count() as u32 + 1;
    report.at_range(token.line, column, token.start..token.end, message);
}

fn is_private_tag(comment: &str) -> bool {
    let Some(rest) = comment.trim().strip_prefix("@api") else { return false };
    rest.starts_with(' ') && rest.trim() == "private"
}

/// Returns the style of a comment and the name of the parameter that it documents.
fn style_of(comment: &str) -> Option<(&'static str, &str)> {
    let text = comment.trim_start();
    if let Some(rest) = text.strip_prefix("[*") {
        let name = word(rest)?;
        return rest[name.len()..].starts_with("*]").then_some(("doc", name));
    }
    if let Some(rest) = text.strip_prefix('$') {
        let name = word(rest)?;
        return rest[name.len()..].starts_with(":: ").then_some(("kafo", name));
    }
    let mut rest = text.strip_prefix("@param ")?;
    if let Some(typed) = rest.strip_prefix('[')
        && let Some(end) = typed.rfind("] ")
        && end > 0
    {
        rest = &typed[end + 2..];
    }
    let name = word(rest)?;
    let rest = &rest[name.len()..];
    (rest.is_empty() || rest.starts_with(' ')).then_some(("strings", name))
}

fn word(text: &str) -> Option<&str> {
    let end = text.find(|it: char| !it.is_ascii_alphanumeric() && it != '_').unwrap_or(text.len());
    (end > 0).then(|| &text[..end])
}
