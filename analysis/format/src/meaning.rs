//! Comparison of the meaning of a text before and after formatting.

use crate::builder::errors;
use syntax::{Parse, SyntaxElement, SyntaxKind, pn};

/// Returns true if both texts have the same PN form, the same number of errors, and the same comments in the
/// same order.
pub(crate) fn is_same(before: &Parse, after: &Parse) -> bool {
    errors(before).count() == errors(after).count()
        && pn::to_pn(before) == pn::to_pn(after)
        && comments(before) == comments(after)
}

fn comments(parse: &Parse) -> Vec<String> {
    let is_comment = |kind| matches!(kind, SyntaxKind::COMMENT | SyntaxKind::BLOCK_COMMENT);
    let tokens = parse.syntax().descendants_with_tokens().filter_map(SyntaxElement::into_token);
    tokens.filter(|it| is_comment(it.kind())).map(|it| it.text().trim_end().to_owned()).collect()
}
