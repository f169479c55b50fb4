//! Alignment of arrows.

use project::{Db, File};
use syntax::ast::{self, AttributeOperation};
use syntax::{AstNode, SyntaxNode, TextRange};

use super::{CodeAction, CodeActionKind};
use crate::SourceEdit;

/// Returns an action that aligns the arrows of the resource or hash around `range`.
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
    // Arrows that share a line cannot be aligned.
    if lines.len() != arrows.len() || arrows.len() < 2 {
        return None;
    }
    let width = arrows.iter().map(|(end, _)| column(*end)).max()? + 1;
    let mut edits = Vec::new();
    for (end, arrow) in arrows {
        let padding = " ".repeat(width - column(end));
        if text[end as usize..arrow as usize] != padding {
            edits.push(SourceEdit { range: TextRange::new(end, arrow), text: padding });
        }
    }
    (!edits.is_empty()).then(|| super::rewrite(file, CodeActionKind::RefactorRewrite, "Align arrows", edits))
}

/// Returns the offsets at which the names of a list end and their arrows begin, if only whitespace separates
/// them.
pub(super) fn arrows(node: &SyntaxNode, text: &str) -> Vec<(u32, u32)> {
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
        let spaces = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        if rest[spaces..].starts_with("=>") || rest[spaces..].starts_with("+>") {
            found.push((start, start + spaces as u32));
        }
    }
    found
}
