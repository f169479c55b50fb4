//! `star_comments`: a comment between `/*` and `*/`.

use crate::manifest::Manifest;
use crate::report::{Edit, Report};
use crate::token::Kind;

pub(crate) fn check(manifest: &Manifest, report: &mut Report) {
    let tokens = &manifest.tokens;
    for comment in tokens.of(Kind::BlockComment) {
        let token = *tokens.get(comment);
        let indent = tokens.previous(comment).filter(|&it| tokens.kind(it) == Kind::Indent);
        let indent = indent.map_or("", |it| tokens.source(it));
        let text = with_hashes(tokens.source(comment), indent);
        let finding = report.at(comment, "the comment stands between `/*` and `*/`");
        // What is behind it on its line would become a part of it.
        let ends_line = tokens.next(comment).is_none_or(|it| tokens.kind(it) == Kind::Newline);
        if ends_line {
            finding.fix([Edit::replace(token.start, token.end, text)]);
        }
    }
}

/// The comment with `#` before each line.
fn with_hashes(source: &str, indent: &str) -> String {
    let inner = source.strip_prefix("/*").unwrap_or(source);
    let inner = inner.strip_suffix("*/").unwrap_or(inner);
    let without_star = |line: &str| {
        let line = line.trim();
        line.strip_prefix('*').unwrap_or(line).trim().to_owned()
    };
    let text: Vec<String> = inner.lines().map(without_star).collect();
    let text = text.join("\n");
    let lines: Vec<String> = text.trim().split('\n').map(|it| format!("# {it}")).collect();
    lines.join(&format!("\n{indent}"))
}
