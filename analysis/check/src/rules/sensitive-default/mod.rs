#![doc = include_str!("page.md")]

use codes::Code;
use hir::{Body, Expr, ExprId};

use crate::Diagnostic;
use crate::context::RuleContext;

pub(super) fn check(context: &mut RuleContext<'_>) {
    let mut found = Vec::new();
    for definition in context.definitions.iter().filter(|it| !it.is_broken) {
        let body = &*definition.body;
        for parameter in &body.parameters {
            let is_sensitive = parameter.type_expr.is_some_and(|it| is_sensitive_type(body, it));
            let secret = parameter.default.filter(|it| is_sensitive && is_written_secret(body, *it));
            if let Some(range) = secret.and_then(|it| definition.range(it)) {
                let message = codes::with_help(
                    format!("default of sensitive parameter `${}` is in plain text", parameter.name),
                    "set the value in encrypted Hiera data",
                );
                found.push(Diagnostic::new(Code::SensitiveDefault, range, message));
            }
        }
    }
    found.into_iter().for_each(|diagnostic| context.report(diagnostic));
}

fn is_sensitive_type(body: &Body, expr: ExprId) -> bool {
    match &body[expr] {
        Expr::Access { lhs, .. } => is_sensitive(body, *lhs),
        _ => is_sensitive(body, expr),
    }
}

fn is_sensitive(body: &Body, expr: ExprId) -> bool {
    matches!(&body[expr], Expr::TypeReference(name) if name.eq_ignore_ascii_case("sensitive"))
}

/// Returns true for `Sensitive('text')` and `Sensitive.new('text')` with a string that is not empty.
fn is_written_secret(body: &Body, expr: ExprId) -> bool {
    let arguments = match &body[expr] {
        Expr::Call { functor, arguments, .. } if is_sensitive_type(body, *functor) => arguments,
        Expr::MethodCall { receiver, name, arguments, .. }
            if name == "new" && is_sensitive_type(body, *receiver) =>
        {
            arguments
        }
        _ => return false,
    };
    arguments.first().is_some_and(|it| matches!(&body[*it], Expr::String(text) if !text.is_empty()))
}
