//! Suppression of a finding by a comment.

use std::path::Path;

use syntax::{LineMap, TextRange};

use super::subject::FixSubject;
use crate::CodeAction;
use crate::suppression_comments::{CommentForm, Commenter, LinePlan, Plans};

/// Returns an action that suppresses the diagnostic by a comment, at the end of its line or around its statement. `None`
/// if the rule cannot be disabled, or if each comment would change code, template output, or data.
pub(super) fn suppression(subject: &FixSubject<'_>) -> Option<CodeAction> {
    let code = subject.diagnostic.code;
    if code.is_fixed() {
        return None;
    }
    let line = LineMap::new(subject.text).line(subject.diagnostic.range.start) as usize;
    let language = project::language(subject.db, subject.file);
    let commenter = Commenter::new(Path::new(subject.file.path(subject.db).as_str()), subject.text, language);
    let commented = |form| {
        let plan = LinePlan { rules: [code.comment_name()].into(), form };
        let commented = commenter.commented(&Plans::from([(line, plan)]));
        commented.refused.is_empty().then_some(commented.text)
    };
    let (title, text) = match commented(CommentForm::Trailing) {
        Some(text) => (format!("Ignore `{code}` on this line"), text),
        None => (format!("Ignore `{code}` in these lines"), commented(CommentForm::Surrounding)?),
    };
    let (range, text) = changed_part(subject.text, &text);
    Some(subject.edit(title, range, text))
}

/// Returns the part of a text that another one changes, and its replacement.
fn changed_part<'n>(old: &str, new: &'n str) -> (TextRange, &'n str) {
    let equal = |(old, new): &(char, char)| old == new;
    let start: usize = old.chars().zip(new.chars()).take_while(equal).map(|(it, _)| it.len_utf8()).sum();
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let from_end = old_rest.chars().rev().zip(new_rest.chars().rev());
    let end: usize = from_end.take_while(equal).map(|(it, _)| it.len_utf8()).sum();
    let range = TextRange::new(start as u32, (old.len() - end) as u32);
    (range, &new_rest[..new_rest.len() - end])
}
