#![doc = include_str!("page.md")]

use codes::Code;
use eval::{RecordedValue, World};
use hir::{Body, Expr, ExprId, StringPart};
use syntax::TextRange;
use types::{Type, Value};

use super::value_mismatch::check_with_world;
use crate::Diagnostic;
use crate::context::{RuleContext, SectionDefinition};

/// Functions that write their arguments to the log, where a redacted value is what the author wants.
const LOGGING: [&str; 9] = ["alert", "crit", "debug", "emerg", "err", "fail", "info", "notice", "warning"];

/// Reports `Sensitive` and `Deferred` values in strings.
pub(super) fn check_values(context: &mut RuleContext<'_>) {
    let is_relevant = |body: &Body, expr: &Expr| match expr {
        Expr::Interpolated(_) => true,
        Expr::Call { functor, .. } => is_epp(body, *functor),
        _ => false,
    };
    check_with_world(context, is_relevant, check_definition);
}

fn is_epp(body: &Body, functor: ExprId) -> bool {
    matches!(&body[functor], Expr::Name(name) if name == "epp" || name == "inline_epp")
}

/// Text in a string that replaces the value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Redaction {
    Sensitive,
    Deferred,
}

fn check_definition(
    context: &RuleContext<'_>,
    definition: &SectionDefinition<'_>,
    _: &World<'_>,
    found: &mut Vec<Diagnostic>,
) {
    let body = &*definition.body;
    let summary = compile::summary(context.db, definition.id);
    let logged = logged(body);
    for (id, expr) in body.exprs.iter() {
        match expr {
            Expr::Interpolated(parts) if !logged.contains(&id) => {
                for part in parts {
                    let StringPart::Expr(part) = part else { continue };
                    let Some(redaction) = summary.value(*part).and_then(redaction) else { continue };
                    found.extend(definition.range(*part).map(|range| in_string(redaction, range)));
                }
            }
            Expr::Call { functor, arguments, .. } if is_epp(body, *functor) => {
                for argument in arguments.iter().skip(1) {
                    let is_deferred = |recorded: &RecordedValue| match recorded {
                        RecordedValue::Values(values) => {
                            !values.is_empty() && values.iter().all(has_deferred)
                        }
                        RecordedValue::Type(_) => false,
                    };
                    if summary.value(*argument).is_some_and(is_deferred)
                        && let Some(range) = definition.range(*argument)
                    {
                        let message = codes::with_help(
                            "the template contains `Deferred({...})` instead of the value",
                            "use `stdlib::deferrable_epp`, which renders the template on the node",
                        );
                        found.push(Diagnostic::new(Code::RedactedText, range, message));
                    }
                }
            }
            _ => {}
        }
    }
}

/// Returns the strings that are arguments of logging functions.
fn logged(body: &Body) -> Vec<ExprId> {
    let mut logged = Vec::new();
    for (_, expr) in body.exprs.iter() {
        let Expr::Call { functor, arguments, .. } = expr else { continue };
        if matches!(&body[*functor], Expr::Name(name) if LOGGING.contains(&name.as_str())) {
            logged.extend(arguments.iter().copied());
        }
    }
    logged
}

fn in_string(redaction: Redaction, range: TextRange) -> Diagnostic {
    let message = match redaction {
        Redaction::Sensitive => codes::with_help(
            "the string contains `Sensitive [value redacted]` instead of the value",
            "unwrap the value and make the whole string sensitive: `Sensitive(\"...${x.unwrap}\")`",
        ),
        Redaction::Deferred => codes::with_help(
            "the string contains `Deferred({...})` instead of the value",
            "use `Deferred('sprintf', ['...%s', $x])`, which is evaluated on the node",
        ),
    };
    Diagnostic::new(Code::RedactedText, range, message)
}

fn redaction(recorded: &RecordedValue) -> Option<Redaction> {
    let of_type = |ty: &Type| matches!(ty, Type::Sensitive(_)).then_some(Redaction::Sensitive);
    let values = match recorded {
        RecordedValue::Type(ty) => return of_type(ty),
        RecordedValue::Values(values) => values,
    };
    let of_value = |value: &Value| match value {
        Value::Sensitive(_) => Some(Redaction::Sensitive),
        Value::Unknown(unknown) => of_type(&unknown.ty),
        value => is_deferred(value).then_some(Redaction::Deferred),
    };
    let first = of_value(values.first()?)?;
    values.iter().all(|it| of_value(it) == Some(first)).then_some(first)
}

fn is_deferred(value: &Value) -> bool {
    matches!(value, Value::Object(object) if object.ty.name.as_deref() == Some("Deferred"))
}

/// Returns true if a `Deferred` value is anywhere in a value.
fn has_deferred(value: &Value) -> bool {
    match value {
        Value::Array(elements) => elements.iter().any(has_deferred),
        Value::Hash(entries) => entries.iter().any(|(_, value)| has_deferred(value)),
        value => is_deferred(value),
    }
}
