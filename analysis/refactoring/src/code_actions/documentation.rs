//! Documentation of parameters.

use check::Code;
use project::{Db, File};
use syntax::SyntaxKind::{COMMENT, WHITESPACE};
use syntax::ast::{AstNode, Definition};
use syntax::{SyntaxToken, TextRange};

use super::subject::{FixSubject, rewrite};
use crate::lines::indentation;
use crate::{CodeAction, CodeActionKind, SourceEdit};

/// Returns fixes that document the reported parameter, and all parameters.
pub(super) fn fixes(subject: &FixSubject<'_>) -> Vec<CodeAction> {
    if subject.diagnostic.code != Code::UndocumentedParameter {
        return Vec::new();
    }
    let range = subject.diagnostic.range;
    let Some(found) = undocumented(subject.db, subject.file, range) else { return Vec::new() };
    let name = subject.text.get(range.as_range()).unwrap_or_default().trim_start_matches('$').to_owned();
    let mut fixes = vec![subject.edit(format!("Document `${name}`"), found.at, found.text(&[name]))];
    if found.names.len() > 1 {
        fixes.push(subject.edit("Document all parameters", found.at, found.text(&found.names)));
    }
    fixes
}

/// Returns an action that documents the parameters of the definition whose head is at the cursor.
pub(super) fn action(db: &dyn Db, file: File, range: TextRange) -> Option<CodeAction> {
    let found = undocumented(db, file, range)?;
    let edit = SourceEdit { range: found.at, text: found.text(&found.names) };
    Some(rewrite(file, CodeActionKind::RefactorRewrite, "Document parameters", vec![edit]))
}

/// Parameters without a `@param` tag.
struct Undocumented {
    names: Vec<String>,
    /// Location at which tags can be inserted: after the comment above the definition.
    at: TextRange,
    indent: String,
    /// Text before the first tag: the end of the comment, or a new comment.
    start: String,
    /// Text after the last tag.
    end: String,
}

impl Undocumented {
    fn text(&self, names: &[String]) -> String {
        let tags: Vec<String> =
            names.iter().map(|name| format!("# @param {name}\n{}#   TODO", self.indent)).collect();
        format!("{}{}{}", self.start, tags.join(&format!("\n{}", self.indent)), self.end)
    }
}

fn undocumented(db: &dyn Db, file: File, range: TextRange) -> Option<Undocumented> {
    let parse = project::parse(db, file);
    let token = parse.syntax().tokens_at(range.start).last()?;
    let definition = token.ancestors().find_map(Definition::cast)?;
    let list = definition.parameters()?;
    if matches!(definition, Definition::NodeDefinition(_)) || range.start > list.syntax().text_range().end {
        return None;
    }
    let first = definition.syntax().first_token()?;
    let comments = comments_above(&first);
    let documented: Vec<String> = comments.iter().filter_map(|it| tag(it.text())).collect();
    let names = list.parameters().filter_map(|it| it.name()).filter(|it| !documented.contains(it));
    let names: Vec<String> = names.collect();
    if names.is_empty() {
        return None;
    }
    let start = first.text_range().start;
    let indent = indentation(parse.text(), start).to_owned();
    let line = format!("\n{indent}");
    Some(match comments.last() {
        Some(last) => {
            let separator = if documented.is_empty() { format!("{line}#{line}") } else { line };
            let at = TextRange::empty(last.text_range().end);
            Undocumented { names, at, indent, start: separator, end: String::new() }
        }
        None => {
            let start_text = format!("# @summary TODO{line}#{line}");
            Undocumented { names, at: TextRange::empty(start), indent, start: start_text, end: line }
        }
    })
}

/// Returns the comments on the lines directly above a token, in source order.
fn comments_above(first: &SyntaxToken) -> Vec<SyntaxToken> {
    let mut comments = Vec::new();
    let mut token = first.prev_token();
    while let Some(it) = token {
        match it.kind() {
            WHITESPACE if it.text().matches('\n').count() <= 1 => {}
            COMMENT => comments.push(it.clone()),
            _ => break,
        }
        token = it.prev_token();
    }
    comments.reverse();
    comments
}

/// Returns the name in `# @param [Type] name`.
fn tag(comment: &str) -> Option<String> {
    let rest = comment.trim_start_matches('#').trim_start().strip_prefix("@param")?.trim_start();
    let rest = match rest.strip_prefix('[') {
        Some(typed) => typed.rsplit_once(']')?.1.trim_start(),
        None => rest,
    };
    let name: String = rest
        .trim_start_matches(['$', '*', '&'])
        .chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .collect();
    (!name.is_empty()).then_some(name)
}
