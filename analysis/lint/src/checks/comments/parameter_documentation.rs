//! `parameter_documentation`: a parameter without documentation, or documentation without its parameter.

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

/// What a comment says of a parameter: its name, the token of the comment, the style in which it is written.
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
                    format!("`{name}` of the {noun} `{owner}` is documented more than once"),
                );
            }
        }
        let declared = parameters(manifest, self);
        let names: Vec<&str> = declared.iter().map(|it| manifest.tokens.value(it.name)).collect();
        for it in first.iter().filter(|it| !names.contains(&it.name)) {
            if self.is_class || it.name != TITLE {
                let message =
                    format!("the {noun} `{owner}` has no parameter `{}`, which is documented", it.name);
                at_name(manifest, report, it.comment, message);
            }
        }
        if is_private {
            return;
        }
        for (parameter, name) in declared.iter().zip(names) {
            match first.iter().find(|it| it.name == name) {
                None => {
                    report.at(parameter.name, format!("`{name}` of the {noun} `{owner}` is not documented"));
                }
                Some(it) if !manifest.options.docs_allowed_styles.iter().any(|style| style == it.style) => {
                    let style = it.style;
                    report.at(
                        parameter.name,
                        format!("`{name}` of the {noun} `{owner}` is documented in the style `{style}`"),
                    );
                }
                Some(_) => {}
            }
        }
    }
}

/// So many lines of comments above a definition are read.
const MAX_COMMENTS: usize = 2000;

/// What the title of a defined type is called in its documentation.
const TITLE: &str = "name/title";

/// What the comments directly above a definition say, last line first, and whether it is private.
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

/// Tells of a comment, at the name in it.
fn at_name(manifest: &Manifest, report: &mut CheckReport, comment: usize, message: String) {
    let token = *manifest.tokens.get(comment);
    let value = manifest.tokens.value(comment);
    let blanks = value.len() - value.trim_start().len();
    let mut skipped = blanks;
    if let Some(rest) = value[blanks..].strip_prefix("@param") {
        skipped = value.len() - rest.trim_start().len();
    }
    let column = token.column + value[..skipped].chars().count() as u32 + 1;
    report.place(token.line, column, token.start..token.end, message);
}

fn is_private_tag(comment: &str) -> bool {
    let Some(rest) = comment.trim().strip_prefix("@api") else { return false };
    rest.starts_with(' ') && rest.trim() == "private"
}

/// The style and the name of a parameter that a comment documents.
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
    let behind = &rest[name.len()..];
    (behind.is_empty() || behind.starts_with(' ')).then_some(("strings", name))
}

fn word(text: &str) -> Option<&str> {
    let end = text.find(|it: char| !it.is_ascii_alphanumeric() && it != '_').unwrap_or(text.len());
    (end > 0).then(|| &text[..end])
}
