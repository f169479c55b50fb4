//! Comments that mention defects.

use codes::Code;
use syntax::{SyntaxKind, TextRange};
use weaknesses::comments::marker;

use crate::Diagnostic;
use crate::context::RuleContext;

/// Returns the findings in the comments of a section. Files without any of the words are not parsed.
pub(super) fn findings(context: &RuleContext<'_>) -> Vec<Diagnostic> {
    let has_marker = project::text(context.db, context.file).is_some_and(|text| marker(&text).is_some());
    if !has_marker {
        return Vec::new();
    }
    let tokens = context.tree().descendants_with_tokens();
    let comments = tokens
        .filter_map(|it| it.into_token())
        .filter(|it| matches!(it.kind(), SyntaxKind::COMMENT | SyntaxKind::BLOCK_COMMENT));
    let found = comments.filter_map(|comment| {
        let found = marker(comment.text())?;
        let start = comment.text_range().start + found.start as u32;
        let range = TextRange::new(start, start + found.word.len() as u32);
        let message = format!("comment mentions a defect: `{}`", found.word);
        Some(Diagnostic::new(Code::SecuritySuspiciousComment, range, message))
    });
    found.collect()
}
