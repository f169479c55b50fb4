//! Changes that keep the meaning: arrows below each other, and comments that hide a finding.

use project::{Db, File};
use syntax::ast::{self, AttributeOperation};
use syntax::{AstNode, SyntaxNode, TextRange};

use super::{CodeAction, CodeActionKind, FixSubject};
use crate::SourceEdit;

/// A comment behind the line, for rules that may be switched off.
pub(super) fn suppression(finding: &FixSubject<'_>) -> Option<CodeAction> {
    let code = finding.diagnostic.code;
    if code.is_fixed() {
        return None;
    }
    let start = finding.diagnostic.range.start as usize;
    let end = finding.text.get(start..)?.find(['\r', '\n']).map_or(finding.text.len(), |at| start + at);
    let line_start = finding.text[..start].rfind('\n').map_or(0, |at| at + 1);
    // Behind a comment there is no place for another one, and in a text of several lines none at all.
    if finding.text[line_start..end].contains('#') || finding.text[line_start..end].contains("@(") {
        return None;
    }
    let place = TextRange::empty(end as u32);
    Some(finding.edit(format!("Ignore `{code}` on this line"), place, format!(" # lint:ignore:{code}")))
}

/// The arrows of the resource or hash around a place, one below the other.
pub(super) fn aligned_arrows(db: &dyn Db, file: File, text: &str, range: TextRange) -> Option<CodeAction> {
    let parse = project::parse(db, file);
    let root = parse.tree().syntax().clone();
    let token = root.tokens_at(range.start).last()?;
    let list = token.parent()?.ancestors().find(|node| !arrows(node, text).is_empty())?;
    let arrows = arrows(&list, text);
    let column = |offset: u32| {
        let line = text[..offset as usize].rfind('\n').map_or(0, |at| at + 1);
        text[line..offset as usize].chars().count()
    };
    let line = |offset: u32| text[..offset as usize].matches('\n').count();
    let mut lines: Vec<usize> = arrows.iter().map(|(_, arrow)| line(*arrow)).collect();
    lines.dedup();
    // Two on a line have no column of their own.
    if lines.len() != arrows.len() || arrows.len() < 2 {
        return None;
    }
    let width = arrows.iter().map(|(end, _)| column(*end)).max()? + 1;
    let mut edits = Vec::new();
    for (end, arrow) in arrows {
        let blanks = " ".repeat(width - column(end));
        if text[end as usize..arrow as usize] != blanks {
            edits.push(SourceEdit { range: TextRange::new(end, arrow), text: blanks });
        }
    }
    (!edits.is_empty())
        .then(|| super::rewrite(file, CodeActionKind::RefactorRewrite, "Align the arrows", edits))
}

/// Where the names of a list end, and where their arrows begin; only blanks lie between.
fn arrows(node: &SyntaxNode, text: &str) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    for child in node.children() {
        let (start, end) = if let Some(entry) = ast::KeyedEntry::cast(child.clone()) {
            let Some(key) = entry.key() else { continue };
            (key.syntax().text_range().end, child.text_range().end)
        } else if let Some(AttributeOperation::Attribute(attribute)) = AttributeOperation::cast(child.clone())
        {
            let Some(name) = attribute.name_token() else { continue };
            (name.text_range().end, child.text_range().end)
        } else {
            continue;
        };
        let Some(rest) = text.get(start as usize..end as usize) else { continue };
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        if rest[blanks..].starts_with("=>") || rest[blanks..].starts_with("+>") {
            found.push((start, start + blanks as u32));
        }
    }
    found
}
