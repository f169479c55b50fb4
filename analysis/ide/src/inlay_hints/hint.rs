//! Inlay hints, and what is not worth one.

use hir::Expr;
use symbols::recorded_value::Evaluated;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InlayHint {
    pub offset: u32,
    pub kind: InlayHintKind,
    pub text: String,
    /// Type to insert at the offset, followed by a space, so that the code says what the hint shows.
    pub insertion: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InlayHintKind {
    /// `= 'x'` after an assignment.
    Value,
    /// `: String` after a variable.
    TypeAfter,
    /// `String` before a lambda parameter.
    TypeBefore,
    /// `hiera: 'x'` after a parameter.
    Data,
    /// `= 'x' on Debian 12, 'y' on 3 platforms` after an assignment.
    Platforms,
}

/// Maximum length of a value or type in a hint, in characters.
pub(crate) const MAX_HINT_LENGTH: usize = 40;

/// Returns whether an expression is its own value, so that a hint would only repeat it.
pub(crate) fn is_literal(evaluated: &Evaluated, expr: hir::ExprId) -> bool {
    match &evaluated.body[expr] {
        Expr::TypeReference(_) | Expr::Heredoc { .. } | Expr::Lambda { .. } => true,
        Expr::Unary { operand, .. } => is_literal(evaluated, *operand),
        Expr::Array(elements) => elements.iter().all(|it| is_literal(evaluated, *it)),
        Expr::Hash(entries) => {
            entries.iter().all(|(key, value)| is_literal(evaluated, *key) && is_literal(evaluated, *value))
        }
        other => other.is_constant(),
    }
}
